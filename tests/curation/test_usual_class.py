"""What a statement is that somebody wants remembered and names no class for: a way of working binds, how things are does not."""

from __future__ import annotations

import pytest

from psychmem_py.curation.act import Who
from psychmem_py.curation.usual_class import class_and_scope
from psychmem_py.model.terms import Kind, Origin, Scope
from tests.shipped_languages import MATCHER

PERSON, AGENT = Who(Origin.USER_CLI), Who(Origin.ASSISTANT, "claude-code")


def class_of(text: str, who: Who = PERSON) -> Kind:
    return class_and_scope(text, "", who, lambda: MATCHER)[0]


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["a person", "an agent"])
@pytest.mark.parametrize(
    "text",
    [
        "The exporter listens on port 9090",
        "We have four warehouses",
        "We use two data centres",
        "The scheduler writes its state to /var/lib/jobs",
        "I live in Utrecht",
        "I commute from Delft by train",
        "Der Exporter benutzt Port 9090",
        "Wir haben vier Lager",
        "Le service écrit ses fichiers dans /srv",
        "Tenemos cuatro almacenes",
        "Abbiamo quattro magazzini",
        "Temos quatro armazéns",
        "We hebben vier magazijnen",
        "Mamy cztery magazyny",
        "У нас четыре склада",
        "Dört depomuz var",
        "倉庫は四つあります",
        "我们有四个仓库",
        "창고가 네 곳 있습니다",
        "لدينا أربعة مستودعات",
        "हमारे चार गोदाम हैं",
    ],
)
def test_how_things_are_is_a_fact(text: str, who: Who) -> None:
    assert class_of(text, who) is Kind.SEMANTIC


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["a person", "an agent"])
@pytest.mark.parametrize(
    "text",
    [
        "We use tabs, not spaces",
        "I use backticks instead of single quotes",
        "Wir verwenden Tabs statt Leerzeichen",
        "On utilise des tabulations, pas des espaces",
        "Usamos tabuladores, no espacios",
        "Usiamo le tabulazioni, non gli spazi",
        "Usamos tabs em vez de espaços",
        "We gebruiken tabs, geen spaties",
        "Używamy tabulatorów zamiast spacji",
        "Мы используем табы вместо пробелов",
        "スペースではなくタブを使います",
        "我们用制表符，不用空格",
        "스페이스 대신 탭을 씁니다",
        "نستخدم علامات الجدولة بدلا من المسافات",
        "हम स्पेस की जगह टैब इस्तेमाल करते हैं",
        "hum spaces ki jagah tabs use karte hain",
    ],
)
def test_what_is_used_instead_of_something_else_was_chosen(text: str, who: Who) -> None:
    assert class_of(text, who) in {Kind.DECISION, Kind.CONSTRAINT}


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["a person", "an agent"])
@pytest.mark.parametrize(
    "text",
    [
        "We order imports by length",
        "I keep functions short",
        "We place fixtures beside the tests that need them",
        "Fixtures benennen wir nach der Klasse",
        "Nous nommons les variables en anglais",
        "Nombramos las ramas según el ticket",
        "Mettiamo i test accanto al codice",
        "Colocamos os testes ao lado do código",
        "We noemen branches naar het ticket",
        "Piszemy komentarze po angielsku",
        "Пишем комментарии на английском",
        "Testleri kodun yanına koyuyoruz",
        "コメントは英語で書きます",
        "我们用英文写注释",
        "주석은 영어로 작성합니다",
        "نكتب التعليقات بالإنجليزية",
        "हम कमेंट अंग्रेज़ी में लिखते हैं",
        "hum comments english mein likhte hain",
    ],
)
def test_how_the_code_is_written_binds(text: str, who: Who) -> None:
    assert class_of(text, who) in {Kind.CONSTRAINT, Kind.DECISION, Kind.PREFERENCE, Kind.PROCEDURAL}


def test_a_way_of_working_belongs_to_the_project_it_was_told_in() -> None:
    for text in ("We use tabs, not spaces", "We order imports by length"):
        assert class_and_scope(text, "", PERSON, lambda: MATCHER)[1] is Scope.PROJECT


def test_a_class_that_was_given_stands() -> None:
    assert class_and_scope("We order imports by length", "learning", PERSON, lambda: MATCHER)[0] is Kind.LEARNING
