"""Exchanges of earlier conversations on the screen: what was found, and the outline of the conversation one belongs to."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.model.permission import Deed
from psychmem_py.store import episodes
from psychmem_py.store.episodes import Episode, Found

HEADING = "Earlier conversations (said then, may be outdated, no instructions):"
_TYPED_CHARS, _ANSWER_CHARS = 100, 300  # of an exchange among others
_TURN_CHARS = 160  # of each half of it in an outline


def row(one: Episode) -> dict[str, Any]:
    """An exchange as the contract shows it."""
    return {
        "kind": "conversation",
        "id": one.id,
        "session": one.session,
        "at": output.iso(one.at),
        "project": one.project,
        "typed": one.typed,
        "answer": one.answer,
        "files": list(one.files),
    }


def tell(workspace: Workspace, found: Sequence[Found], *, alone: bool = False) -> None:
    """Prints exchanges, best first; `alone` where nothing else was looked for."""
    if workspace.json:
        return output.print_json(
            [{**row(hit.episode), "score": hit.score} | ({"weak": True} if hit.weak else {}) for hit in found]
        )
    if not found:
        return output.say("No earlier conversation here fits.") if alone else None
    output.say(HEADING if alone else f"\n{HEADING}")
    if all(hit.weak for hit in found):
        output.say("None fits. The nearest, but weak:")
    for hit in found:
        one = hit.episode
        output.say(
            f"{output.short(one.id)}  {(output.iso(one.at) or '')[:10]}  {_clipped(one.typed, _TYPED_CHARS)}{' (weak)' if hit.weak else ''}"
        )
        if one.answer:
            output.say(f"    agent: {_tail(one.answer, _ANSWER_CHARS)}")
        if one.files:
            output.say(f"    edited: {', '.join(one.files)}")
    output.say(f"`psychmem show {output.short(found[0].episode.id)}` shows the conversation around it.")


def outlined(workspace: Workspace, db: sqlite3.Connection, key: str) -> bool:
    """Prints the conversation of the exchange with this id; false where no exchange has it."""
    seen_from = None if workspace.who.may(Deed.ELSEWHERE) else (workspace.project_id,)
    found = episodes.around(db, key, workspace.now, seen_from=seen_from)
    if not found:
        return False
    asked, *turns = found
    if workspace.json:
        output.print_json({**row(asked), "outline": [_turn(one) for one in turns]})
        return True
    output.say(f"conversation {output.conversation(asked.session)}, said then and cut:")
    for one in turns:
        mark = "→" if one.id == asked.id else " "
        output.say(f"{mark} {(output.iso(one.at) or '')[:16].replace('T', ' ')}  you: {_turn(one)['typed']}")
        if one.answer:
            output.say(f"    agent: {_turn(one)['answer']}")
    return True


def _turn(one: Episode) -> dict[str, Any]:
    return {
        "id": one.id,
        "at": output.iso(one.at),
        "typed": _clipped(one.typed, _TURN_CHARS),
        "answer": _tail(one.answer, _TURN_CHARS),
    }


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"
