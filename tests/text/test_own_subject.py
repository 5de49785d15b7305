"""A sentence that a brief says alone must say what it is about."""

from __future__ import annotations

import pytest

from psychmem_py.text.own_subject import has_own_subject, is_whole


@pytest.mark.parametrize(
    "text",
    [
        "Never commit to main",
        "use tabs",
        "This project uses pnpm",
        "When you change the schema, run it through the linter",
        "Fields that are empty stay visible",
        "El despliegue se hace los jueves",
        "Это правило проекта: тесты до кода",
        "提交前必须运行测试",
        "always start it on port 9000",
        "La base está en otro servidor",
        "Users of the shop keep their own carts",
        "Los totales deben ser visibles",
        "El mismo formulario sirve para altas y bajas",
        "Dieses Projekt nutzt pnpm",
        "In diesem Projekt heißen Tabellen im Plural",
        "Ten projekt używa pnpm",
        "Esta aplicação usa pnpm",
        "В этом проекте тесты пишут до кода",
        "Bu projede pnpm kullanıyoruz",
        "هذا المشروع يستخدم pnpm",
    ],
)
def test_says_what_it_is_about(text: str) -> None:
    assert has_own_subject(text)


@pytest.mark.parametrize(
    "text",
    [
        "That is how it should stay",
        "it should be the number of rows",
        "always do it like that",
        "it should be the sum of `rows` and `columns`",
        "Das muss immer so bleiben",
        "eso siempre debe quedar al final",
        "c'est comme ça",
        "https://example.com/issues/7 reports that the prompt breaks",
        "Esta tarjeta tiene que llevar sombra",
        "这是我要的",
        "该字段必须保留",
        "simulate their way of thinking",
        "must be visible in all invoices",
        "debe ser visible y editable en las facturas",
        "deve ficar no topo de todas as páginas",
        "deve stare in alto su ogni pagina",
        "doit rester en haut de la page",
        "должно открываться в новом окне",
        "powinno działać bez logowania",
        "Los mismos deben guardarse en la factura",
        "Ambas operaciones deben tener su registro",
        "Beide Listen müssen sortiert sein",
        "Обе таблицы должны иметь индекс",
        "Dicho campo tiene que ser obligatorio",
        "Os mesmos devem aparecer na fatura",
        "Essas colunas devem ficar à direita",
        "Solche Meldungen gehören ins Protokoll",
        "Cet écran doit rester vide au départ",
        "Quei bottoni devono stare in basso",
        "Deze knoppen moeten onderaan staan",
        "Takie komunikaty muszą być po polsku",
        "Такие сообщения не показываем клиенту",
        "Böyle mesajlar kullanıcıya gösterilmemeli",
        "上記は必須",
        "그런 화면은 만들지 마",
        "هذه الصفحة يجب أن تبقى فارغة",
        "ऐसे संदेश मत दिखाओ",
        pytest.param("#", id="no word at all"),
    ],
)
def test_points_at_something_said_before(text: str) -> None:
    assert not has_own_subject(text)


def test_a_question_an_announcement_and_the_end_of_a_bracket_are_no_whole_sentences() -> None:
    assert not is_whole("why do we still ship the old parser?")
    assert not is_whole("これは必要ですか？")
    assert not is_whole("The tables in question:")
    assert not is_whole("only slashes are disallowed there)")
    assert is_whole("1) tests first, 2) then the code :)")
    assert is_whole("use `make` (or `just`)")


def test_an_assistant_begins_its_sentences_with_a_capital_or_a_name() -> None:
    assert not is_whole("defines two helpers for the parser", spoken=False)
    assert is_whole("never push on Fridays", spoken=True)
    assert is_whole("parser.py reads the file twice", spoken=False)
    assert is_whole("Der Parser liest zweimal", spoken=False)
