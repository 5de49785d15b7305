"""What `psychmem list` can show besides a list: what is found by words, outlines of conversations, the store as a whole."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace, lines_of
from psychmem_py.curation import history, pending
from psychmem_py.errors import NotFoundError, PsychMemError
from psychmem_py.home import health, light_json, places
from psychmem_py.judging import clients
from psychmem_py.memory import forgetting
from psychmem_py.memory.compare import clusters
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ENFORCED, Kind, Memory, Status
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import calls, episodes, rows, sessions
from psychmem_py.store.matches import Question
from psychmem_py.store.search import Result, answers
from psychmem_py.text.tokenizer import clip

Fits = Callable[[Memory], bool]
ALL = 10**9  # memories: more than there are
_NARROWED = 1_000  # hits to which the filters of options are applied
_HEADING = "Earlier conversations (said then, may be outdated, no instructions):"
_TYPED_CHARS, _ANSWER_CHARS = 100, 300  # of an exchange among others
_TURN_CHARS = 160  # of each half of it in an outline


def conversations(workspace: Workspace, question: Question, *, offset: int) -> None:
    """Prints the exchanges that answer, best first."""
    here, everywhere, most = workspace.project_id, question.all_projects, min(question.limit + offset, ALL)
    with workspace.reading() as db:
        found = episodes.search(db, question.text, here, all_projects=everywhere, after=question.after, limit=most)
    tell_exchanges(workspace, found[offset:], alone=True)


def search(
    workspace: Workspace, question: Question, *, fits: Fits | None, by_strength: bool, batch: str, follow: bool, offset: int
) -> None:
    """Prints what answers and `fits`, best first, and what was said earlier; of the questions of a file `batch`, of each."""
    everywhere, most = question.all_projects, question.limit
    with workspace.reading() as db:

        def fitting(words: str, most: int) -> list[Result]:
            asked = question._replace(text=words, limit=min(max(most + offset, _NARROWED if fits else 0), ALL))
            there = answers(db, asked, database=str(workspace.database), data=places.folder_of("data", workspace.env))
            return [hit for hit in there if fits is None or fits(hit.memory)][offset : most + offset]

        if batch:
            return _answer(batch, most, fitting)
        names, hits = sessions.project_names(db), fitting(question.text, most)
        if by_strength:
            hits = [hit._replace(score=forgetting.strength_now(hit.memory, workspace.now, workspace.settings)) for hit in hits]
            hits.sort(key=lambda hit: -hit.score)
        memories = [hit.memory for hit in hits]
        linked = history.linked_to(db, memories, project=workspace.project_id, all_projects=everywhere) if follow else []
        if workspace.json:
            told = [{**output.row(hit.memory), "score": hit.score, "weak": hit.weak} for hit in hits]
            steps = ({**output.row(step.memory), "linked": step.how, "to": step.hit} for step in linked)
            return output.print_json([*told, *steps])
        told_of = [one.id for one in memories]  # what they came from is not told again
        narrow: dict[str, Any] = {"all_projects": everywhere, "after": question.after, "besides": told_of, "limit": 3}
        said = episodes.search(db, question.text, workspace.project_id, **narrow)
    if all(hit.weak for hit in hits):
        none = "Nothing found." if everywhere else "Nothing found here; --all-projects looks everywhere."
        output.say("No memory fits. The nearest, but weak:" if hits else none)
    if hits:
        output.memories(memories, workspace.now, names, [hit.score for hit in hits], {hit.memory.id for hit in hits if hit.weak})
    output.say(*(f"{output.short(step.hit)} {step.how} {output.short(step.memory.id)}: {step.memory.text}" for step in linked))
    tell_exchanges(workspace, said)


def _answer(source: str, usual: int, fitting: Callable[[str, int], list[Result]]) -> None:
    for number, line in ((number, line) for number, line in enumerate(lines_of(source), 1) if line.strip()):
        asked = light_json.object_in(line.encode())
        most = usual if asked.get("limit") is None else asked["limit"]  # as --limit takes it: a number from 0 on, or nothing
        if type(most) is not int or most < 0 or not isinstance(asked.get("query"), str):
            raise PsychMemError(f'line {number} of {source} is no query; write {{"id": "1", "query": "words"}}')
        results = [{"id": hit.memory.id, "score": hit.score} for hit in fitting(asked["query"], most or ALL)]
        sys.stdout.write(json.dumps({"id": asked.get("id"), "results": results}) + "\n")


def exchange_row(one: episodes.Episode) -> dict[str, Any]:
    """An exchange as the contract shows it."""
    found = output.picked(one, "id session project typed answer", at=output.iso(one.at), files=list(one.files))
    return {"kind": "conversation", **found}


def tell_exchanges(workspace: Workspace, found: Sequence[episodes.Found], *, alone: bool = False) -> None:
    """Prints exchanges, best first; `alone` where nothing else was looked for."""
    rows = [{**exchange_row(hit.episode), "score": hit.score, **({"weak": True} if hit.weak else {})} for hit in found]
    heading = "No earlier conversation fits. The nearest, but weak:" if all(hit.weak for hit in found) else _HEADING
    lines = [*[""] * (not alone), heading] if found else ["No earlier conversation here fits."] * alone
    for one in rows:
        said = clip(one["typed"], _TYPED_CHARS)
        lines.append(f"{output.short(one['id'])}  {one['at'][:10]}  {said}{' (weak)' * ('weak' in one)}")
        lines += [f"    agent: {_tail(one['answer'], _ANSWER_CHARS)}"] * bool(one["answer"])
        lines += [f"    edited: {', '.join(one['files'])}"] * bool(one["files"])
    shows = [f"`psychmem show {output.short(one['id'])}` shows the conversation around it." for one in rows[:1]]
    workspace.answer(rows, *lines, *shows)


def print_outline(workspace: Workspace, db: sqlite3.Connection, key: str) -> bool:
    """Prints the conversation around an exchange; false if no exchange has this id. Raises NotFoundError for a session's id."""
    seen_from = None if workspace.who.may(Action.ELSEWHERE) else (workspace.project_id,)
    if not (found := episodes.around(db, key, seen_from=seen_from)):
        if key.strip() and sessions.conversation_id(db, key):
            raise NotFoundError(f"{key} is a conversation; `psychmem sessions {key}` shows it")
        return False
    asked, *turns = found
    outline, lines = list[dict[str, Any]](), [f"conversation {output.conversation(asked.session)}, said then and cut:"]
    for turn in turns:
        said = {"typed": clip(turn.typed, _TURN_CHARS), "answer": _tail(turn.answer, _TURN_CHARS)}
        outline.append(one := output.picked(turn, "id", at=output.iso(turn.at), **said))
        lines.append(f"{'→' if turn.id == asked.id else ' '} {one['at'][:16].replace('T', ' ')}  you: {one['typed']}")
        lines += [f"    agent: {one['answer']}"] * bool(one["answer"])
    workspace.answer({**exchange_row(asked), "outline": outline}, *lines)
    return True


def _tail(text: str, most: int) -> str:
    return text if len(text) <= most else f"…{text[1 - most :]}"


def today(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints what was kept today, what is pending, and what is about to fade."""
    with workspace.reading() as db:
        found = pending.today(db, workspace.project_id, workspace.settings, workspace.now, all_projects=all_projects)
    (kept, asked, fading), lines = found, list[str]()
    waits = f"{len(asked)} pending" if asked else "Pending"
    for title, group in (("Kept today", kept), (waits, asked), (f"Fades within {pending.SOON_D} days", fading)):
        lines += [f"{title}:{'' if group else ' nothing'}", *(f"  {output.short(one.id)} {one.text}" for one in group)]
    waiting = [output.picked(one, "id text") for one in asked]
    workspace.answer({"kept": [*map(output.row, kept)], "waiting": waiting, "fading": [*map(output.row, fading)]}, *lines)


def rules(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints the rules, and what else is shown at a tool call, each with the calls it waits for."""
    with workspace.reading() as db:
        found = rows.listed(db, project=workspace.project_id, all_projects=all_projects, kinds=ENFORCED)
        at_files = calls.rules_by_file(db, workspace.project_id or "")
        held = [(one, workspace.when_shown(one, at_files, db)) for one in found]
    pairs = [(one, how) for one, how in held if how or one.kind is Kind.CONSTRAINT]
    lines = (f"{output.short(one.id)} {one.text}\n         {how or 'shown in the brief only'}" for one, how in pairs)
    told = [{**output.row(one), "at_tool_calls": how} for one, how in pairs]
    workspace.answer(told, *lines, *([] if pairs else ["No rules here."]))


def alike(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints memories that say nearly the same, in groups."""
    with workspace.reading() as db:
        found = clusters(rows.listed(db, project=workspace.project_id, all_projects=all_projects))
    lines = [] if found else ["No two memories here say nearly the same."]
    for group in found:
        lines.append(f"{len(group.memories)} memories, cohesion {group.cohesion:.2f}:")
        lines += [f"  {output.short(memory.id)} {memory.text}" for memory in group.memories]
        newest_first = sorted(group.memories, key=lambda one: -one.created_at)  # the first stays
        lines.append(f"  psychmem review --merge {' '.join(output.short(memory.id) for memory in newest_first)}")
    groups = [{"cohesion": round(group.cohesion, 4), "memories": [*map(output.row, group.memories)]} for group in found]
    workspace.answer(groups, *lines)


def projects(workspace: Workspace, **_: object) -> None:
    """Prints every project with how many memories it has, where it is and when it was last worked in."""
    with workspace.reading() as db:
        found = [(one, len(pending.items(db, project=one.id))) for one in sessions.projects(db).values()]
        kept = Counter(one.project for one in rows.listed(db, all_projects=True))
    told = [one._asdict() | {"seen_at": output.iso(one.seen_at), "memories": kept[one.id], "waiting": n} for one, n in found]
    return workspace.show(told) if told or workspace.json else output.say("No project is known yet.")


def figures(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints the store in figures: classes, projects, languages; what was shown and what it cost."""
    with workspace.reading() as db:
        found = rows.listed(db, project=workspace.project_id, all_projects=all_projects, statuses=list(Status))
        shown = sessions.shown_to(db, project=workspace.project_id, all_projects=all_projects)
        names = sessions.project_names(db)
    live = [one for one in found if one.status in LIVE]
    size = {one.id: brief_text.tokens(memory_line.one_line(one)) for one in found}
    cost: dict[str, Any] = {"lines": len(shown), "conversations": len({session for _, session, _, _ in shown})}
    cost |= {"tokens": sum(size.get(one, 0) for _, _, one, _ in shown), "by_place": Counter(place for place, *_ in shown)}
    beats, record = health.beats(workspace.directories.data), clients.recorded(workspace.directories.data)
    counts = {
        "status": Counter(one.status.value for one in found),
        "class": Counter(one.kind.value for one in found),
        "scope": Counter(one.scope.value for one in found),
        "store": Counter(one.store.value for one in live),
        "told_in": Counter(history.place_name(one.project, names) for one in live),
        "language": Counter(one.language or "none" for one in live),
    }
    reader = {"judge": record.totals()} if record.days or workspace.settings.judge.by else {}
    if workspace.json:
        hooks = {event: output.iso(at) for event, at in sorted(beats.items())}
        by = {f"by_{name}": counter for name, counter in counts.items()}
        return output.print_json({"total": len(found), **by, "told": cost, "hooks": hooks, **reader})
    labels = Counter(CLASS_LABELS[one.kind] for one in found)
    return output.plain({"memories": len(found) or "none", **counts, "class": labels, "shown": cost if shown else None, **reader})
