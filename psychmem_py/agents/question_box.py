"""The box by which an agent asks the person at it: what was answered there, the same from every client. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from psychmem_py.model.records import Message, Origin, Role

_ADVISED = " (Recommended)"


def questions_in(asked: object) -> list[dict[str, Any]]:
    """The questions in the input of a call."""
    return objects(asked.get("questions")) if isinstance(asked, dict) else []


def answered(one: dict[str, Any], answer: object, key: str, at: float | None) -> Iterator[Message]:
    """The answer to a question, behind it, chosen where all of it is among what was offered; nothing where none was given."""
    question = one.get("question")
    if isinstance(question, str) and isinstance(answer, str) and answer.strip():
        offered = [option.get("label") for option in objects(one.get("options"))]
        chosen = answer in offered or all(part in offered for part in answer.split(", "))
        text = answer.replace(_ADVISED, "")
        yield Message(key, Role.USER, Origin.USER_PROMPT, text, at=at, previous=question, chosen=chosen)


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; none in anything else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
