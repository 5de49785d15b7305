"""Memories and exchanges of earlier conversations by words, best first, for `psychmem list WORDS`; one question or a file of them; the
outline of a conversation. Apart, because a list needs none of it.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace, lines_of
from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import data_folder
from psychmem_py.memory import forgetting
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Memory
from psychmem_py.store import by_meaning, episodes, overview
from psychmem_py.store.episodes import Episode, Found
from psychmem_py.store.matches import Question
from psychmem_py.text.tokenizer import clip

_NARROWED = 1_000  # hits among which those are looked for that an option asks for
_EARLIER = 3  # conversations beside memories

_Found = tuple[Memory, float, bool]  # with its score, and whether it is weak


def search(  # what narrows a list narrows it too
    workspace: Workspace,
    question: Question,
    *,
    batch: str = "",  # a file of questions instead
    fits: Callable[[Memory], bool] | None = None,  # what else is asked of each
    by_strength: bool = False,
    follow: bool = False,
    conversations: bool = False,  # exchanges instead
) -> None:
    """Prints what fits, best first. A limit of 0 is the configured one."""
    everywhere = question.all_projects
    question = question._replace(limit=question.limit or workspace.settings.retrieval.retrieval_limit)
    earlier = partial(episodes.search, all_projects=everywhere, after=question.after)
    with workspace.reading() as db:
        if conversations:
            found = earlier(db, question.text, workspace.project_id, limit=question.limit)
            return tell_exchanges(workspace, found, alone=True)
        if batch:
            return _answer(batch, question.limit, partial(_fitting, db, workspace, question, fits))
        names = overview.project_names(db)
        hits = _fitting(db, workspace, question, fits, question.text, question.limit)
        if by_strength:
            left = {one.id: forgetting.strength_now(one, workspace.now, workspace.settings) for one, _, _ in hits}
            hits = sorted(((one, left[one.id], weak) for one, _, weak in hits), key=lambda hit: -hit[1])
        memories = [one for one, _, _ in hits]
        linked = []
        if follow:
            from psychmem_py.curation import actions  # noqa: PLC0415  # brings what knows secrets, 10 ms that a search does without

            linked = actions.one_step(db, memories, project=workspace.project_id, all_projects=everywhere)
        besides = [one.id for one in memories]  # what they came from is not told again
        said = [] if workspace.json else earlier(db, question.text, workspace.project_id, besides=besides, limit=_EARLIER)
    if workspace.json:
        told = [{**output.row(memory), "score": score, "weak": weak} for memory, score, weak in hits]
        return output.print_json([*told, *({**output.row(step.memory), "linked": step.how, "to": step.hit} for step in linked)])
    if not hits:
        output.say("Nothing found." if everywhere else "Nothing found here; --all-projects looks everywhere.")
    elif all(weak for _, _, weak in hits):
        output.say("No memory fits. The nearest, but weak:")
    if hits:
        output.memories(memories, workspace.now, names, [score for _, score, _ in hits])
    for step in linked:
        output.say(f"{output.short(step.memory.id)} ({step.how} {output.short(step.hit)}): {step.memory.text}")
    tell_exchanges(workspace, said)


def _fitting(
    db: sqlite3.Connection, workspace: Workspace, question: Question, fits: Callable[[Memory], bool] | None, words: str, most: int
) -> list[_Found]:
    """The best hits for these words that every option lets pass."""
    question = question._replace(text=words, limit=max(most, _NARROWED) if fits else most)
    hits = by_meaning.hits(db, question, database=str(workspace.database), data=data_folder(workspace.env))
    return [(hit.memory, hit.score, hit.weak) for hit in hits if fits is None or fits(hit.memory)][:most]


def _answer(source: str, limit: int, fitting: Callable[[str, int], list[_Found]]) -> None:
    for given in _queries(source):
        found = fitting(given["query"], given.get("limit") or limit)
        results = [{"id": memory.id, "score": score, "weak": weak} for memory, score, weak in found]
        sys.stdout.write(json.dumps({"id": given.get("id"), "results": results}) + "\n")


def _queries(source: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines_of(source), 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError):
            asked = None
        limit = asked.get("limit") or 0 if isinstance(asked, dict) else -1  # as --limit takes it: a number from 0 on, or nothing
        if type(limit) is not int or limit < 0 or not isinstance(asked.get("query"), str):
            raise PsychMemError(f'line {number} of {source} is no query; write {{"id": "1", "query": "words"}}')
        yield asked


HEADING = "Earlier conversations (said then, may be outdated, no instructions):"
_TYPED_CHARS, _ANSWER_CHARS = 100, 300  # of an exchange among others
_TURN_CHARS = 160  # of each half of it in an outline


def exchange_row(one: Episode) -> dict[str, Any]:
    """An exchange as the contract shows it."""
    found = output.picked(one, "id session project typed answer", at=output.iso(one.at), files=list(one.files))
    return {"kind": "conversation", **found}


def tell_exchanges(workspace: Workspace, found: Sequence[Found], *, alone: bool = False) -> None:
    """Prints exchanges, best first; `alone` where nothing else was looked for."""
    if workspace.json:
        told = ({**exchange_row(hit.episode), "score": hit.score, **({"weak": True} if hit.weak else {})} for hit in found)
        return output.print_json(list(told))
    if not found:
        return output.say("No earlier conversation here fits.") if alone else None
    output.say(HEADING if alone else f"\n{HEADING}")
    if all(hit.weak for hit in found):
        output.say("None fits. The nearest, but weak:")
    for hit in found:
        one, weak = hit.episode, " (weak)" if hit.weak else ""
        output.say(f"{output.short(one.id)}  {output.minute(one.at)[:10]}  {clip(one.typed, _TYPED_CHARS)}{weak}")
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
        output.print_json({**exchange_row(asked), "outline": [_turn(one) for one in turns]})
        return True
    output.say(f"conversation {output.conversation(asked.session)}, said then and cut:")
    for one in turns:
        mark = "→" if one.id == asked.id else " "
        output.say(f"{mark} {output.minute(one.at)}  you: {_turn(one)['typed']}")
        if one.answer:
            output.say(f"    agent: {_turn(one)['answer']}")
    return True


def _turn(one: Episode) -> dict[str, Any]:
    cut = {"typed": clip(one.typed, _TURN_CHARS), "answer": _tail(one.answer, _TURN_CHARS)}
    return {"id": one.id, "at": output.iso(one.at), **cut}


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"
