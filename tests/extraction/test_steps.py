"""Steps told in their order, in every language: a rule that tells them is a procedure."""

from __future__ import annotations

import pytest

from psychmem_py.extraction.classify import tells_steps
from psychmem_py.model.terms import Kind
from tests.extraction.test_sweep import kept


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("the first request is slow", id="first as a number"),
        pytest.param("if the build fails then look at the log", id="a condition"),
        pytest.param("finally it works", id="relief"),
        pytest.param("then finish the thing you began at first", id="the other way round"),
        pytest.param("优先级最高的任务", id="priority is no first step"),
        pytest.param("if the build fails, then look at the log", id="a condition with its comma"),
        pytest.param("the map goes from id -> row", id="one arrow is a type"),
        pytest.param("version 1.2.3 of the parser", id="a version"),
        pytest.param("never use 1) as a list mark", id="one number"),
    ],
)
def test_one_word_of_order_tells_no_steps(text: str) -> None:
    assert not tells_steps(text)


@pytest.mark.parametrize(
    "text",
    [
        "first bump the version, then tag it, finally push the tag",
        "zuerst die Migrationen, dann die Worker, zuletzt der Cache",
        "primero las pruebas, luego la versión, finalmente la etiqueta",
        "d'abord les tests, puis la version, enfin le tag",
        "prima i test, poi la versione, infine il tag",
        "primeiro os testes, depois a versão, finalmente a tag",
        "eerst de tests, daarna de versie, tenslotte de tag",
        "najpierw testy, potem wersja, wreszcie tag",
        "сначала тесты, потом версия, наконец тег",
        "önce testler, sonra sürüm, son olarak etiket",
        "まずテスト、次にバージョン、最後にタグ",
        "먼저 테스트, 다음 버전, 마지막으로 태그",
        "首先测试，然后改版本，最后打标签",
        "पहले टेस्ट, फिर संस्करण, अंत में टैग",
        "pehle tests, phir version, aakhir mein tag",
        "أولا الاختبارات ثم الإصدار وأخيرا الوسم",
    ],
)
def test_first_then_finally_tells_steps(text: str) -> None:
    assert tells_steps(text)


@pytest.mark.parametrize(
    "text",
    [
        "To release: bump the version, run make dist, then push the tag",
        "Zum Veröffentlichen: Version erhöhen, bauen, dann taggen",
        "Para publicar: subir la versión, compilar, luego etiquetar",
        "Чтобы выпустить: поднять версию, собрать, затем поставить тег",
        "发布步骤：改版本号，打包，然后打标签",
        "リリースは、版を上げて、ビルドして、それからタグを打つ",
        "release: 1. bump the version 2. build 3. tag it",
        "bump -> build -> tag",
    ],
)
def test_a_series_numbers_and_arrows_tell_steps(text: str) -> None:
    assert tells_steps(text)


def test_a_rule_that_tells_steps_is_a_procedure() -> None:
    ((kind, _),) = kept("To release: first bump the version, then tag it, finally push the tag.")
    assert kind is Kind.PROCEDURAL
    ((kind, _),) = kept("Always use pnpm in this repository.")
    assert kind is Kind.CONSTRAINT


def test_steps_that_are_only_asked_for_now_are_kept_of_nobody() -> None:
    assert kept("First run the migrations, then restart the workers, and finally warm the cache.") == []
