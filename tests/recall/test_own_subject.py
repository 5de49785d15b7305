"""A sentence that a brief says alone must say what it is about."""

from __future__ import annotations

import pytest

from psychmem_py.recall.own_subject import has_own_subject


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
        "The tables in question:",
        "这是我要的",
    ],
)
def test_points_at_something_said_before(text: str) -> None:
    assert not has_own_subject(text)
