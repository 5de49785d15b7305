"""psychmem review: what needs a person's approval, and the answer, one by one or for many at once."""

from __future__ import annotations

import os
import shlex
import sqlite3
import sys
from typing import Annotated, Any
from uuid import uuid4

from psychmem_py.briefing import prepared
from psychmem_py.cli import output
from psychmem_py.cli.app import AllProjects, app, argument, option
from psychmem_py.cli.context import Workspace, edited, usage_error_if
from psychmem_py.curation import actions, erasure, history, pending, repository
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.extraction.clauses import QUESTION_MARKS
from psychmem_py.memory import admission, forgetting
from psychmem_py.model.permission import Action
from psychmem_py.model.records import HUMAN, Memory, Scope, Status
from psychmem_py.safety import control_chars, fence
from psychmem_py.store import candidates, sessions
from psychmem_py.text.tokenizer import clip, words

_ONLY_A_PERSON = "only a person may review what is pending; show it to the user, ask, then copy all of their answer into --quote"
KEYS = "k keep  d drop  e edit  p this project  a all projects  l later  u undo  q quit"
_AROUND = 240
PAIR_KEYS = "k this stays  d other stays  b both stay  e edit this  l later  u undo  q quit"


@app.command(here=True, writes=True, looks=True)
def review(
    workspace: Workspace,
    keep: Annotated[list[str] | None, argument("ID …", "Approve these. Without: what is pending.")] = None,
    drop: Annotated[list[str] | None, option("--drop ID", "Forget this one; may be given again.")] = None,
    merge: Annotated[bool, option("--merge", "Make one memory of these IDs: the first stays, the others go into it.")] = False,
    text: Annotated[str, option("--text TEXT", "With --merge: the wording of what stays.")] = "",
    quote: Annotated[str, option("--quote WORDS", "For an agent: all that the user typed to what they were shown, copied.")] = "",
    accept: Annotated[bool, option("--accept", hidden=True)] = False,  # `accept ID` of old: memories alone
    all_projects: AllProjects = False,
    heard: Annotated[bool, option("--said-once --heard", "Also what was said once and is not confirmed yet.")] = False,
    waiting: Annotated[bool, option("--waiting", "All that is uncertain, the agent's words too.")] = False,
    as_list: Annotated[bool, option("--list", "A list, also on a terminal, where usually one is asked about each.")] = False,
) -> None:
    """Suggestions that need your approval: keep or drop each. Rules no person stated, contradictions, what is uncertain.

    An agent may record the user's answer (--quote) to what rules alone picked out. On rules that no person stated, and on what is
    confirmed, only a person may answer.
    """
    usage_error_if((merge or accept) and not keep, "name the memories", "ID")
    usage_error_if((merge and drop) or (text and not merge), "--merge takes --text and no --drop", "--merge")
    if merge or accept:
        with workspace.acting() as act:
            done = [actions.merge(act, keep or [], text or None)] if merge else [actions.accept(act, one) for one in keep or ()]
        return workspace.say_done(done, "merged into" if merge else "accepted")
    if keep or drop:
        return _apply_answers(workspace, keep or [], drop or [], quote)
    with workspace.reading() as db:
        names = sessions.project_names(db)
        found = pending.items(db, project=workspace.project_id, all_projects=all_projects, heard=heard, waiting=waiting)
        forgotten = [] if workspace.json else candidates.with_reason(db, admission.FORGET_ABOUT)
        mine = [one for one in forgotten if workspace.who.may(Action.ELSEWHERE) or one.project in (None, workspace.project_id)]
        wishes = {one.candidate.text: len(erasure.about(db, one.candidate.text, every_status=False)[1]) for one in mine}
        proven = repository.offered(db, workspace.project_id) if workspace.project_id else []
    if workspace.json:
        offers = [{**output.row(one), "waits_as": _offer(one, times)} for one, times in proven]
        return output.print_json([*map(row, found), *offers])
    output.say(*(f"{output.short(memory.id)}: {memory.text}: {_offer(memory, times)}" for memory, times in proven))
    for subject, number in ((subject, number) for subject, number in wishes.items() if number):
        ask = f"`psychmem forget --about {shlex.quote(subject)}` lists them and asks."
        output.say(f"In a conversation you asked to forget all about {subject}; {number} memories speak of it: {ask}")
    if not found:
        return output.say("Nothing is pending; `psychmem review --said-once` shows what is not confirmed yet.")
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_list and not workspace.who.agent:
        return ask_each(workspace, found, names)
    for item in found:
        _print_item(workspace, item, names)
        output.say("")
    return output.say("`psychmem review ID … --drop ID …` answers; on a terminal `psychmem review` asks about each.")


def print_uncertain(workspace: Workspace, db: sqlite3.Connection, key: str) -> bool:
    """Prints what is pending and no memory yet; false if this is no id of such. Raises NotFoundError for what is not pending."""
    if found := pending.names_candidate(key):
        item = pending.item_of(db, key, workspace.who)
        output.print_json(row(item)) if workspace.json else _print_item(workspace, item, sessions.project_names(db))
    return found


def _print_item(workspace: Workspace, item: pending.InboxItem, names: dict[str, str]) -> None:
    output.say(f"{output.short(item.id)}  {what(item)}")
    output.details([("", item.text), *about(workspace, item, names)])


def _offer(memory: Memory, times: int) -> str:
    edit = f"`psychmem edit {output.short(memory.id)} --to-repository`"
    return f"its reminders helped {times} times; {edit} makes it a rule for everybody here"


def row(one: pending.InboxItem) -> dict[str, Any]:
    against = {"contradicts": [output.row(other) for other in one.against]} if one.against else {}
    if one.memory is not None:
        return {**output.row(one.memory), "waits_as": what(one), **against}
    assert one.candidate is not None
    found, told = one.candidate.candidate, output.picked(one, "id text project", created_at=output.iso(one.said_at))
    told |= {"class": found.kind.value, "scope": found.scope.value, "origin": found.origin.value, "status": "waiting"}
    told |= {"store": "stm", "tier": "normal", "pinned": False, "strength": 0.0}  # as in a list of memories
    return {**told, "reason": one.candidate.reason, "waits_as": what(one)}


def _apply_answers(workspace: Workspace, keep: list[str], drop: list[str], quote: str) -> None:
    """Keeps some and drops others, all or none; one `psychmem undo` takes it back. An agent records the person's answer."""
    with workspace.acting() as act:
        if not (as_person := workspace.who.may(Action.APPROVE)):
            from psychmem_py.ingestion import proof  # noqa: PLC0415  # for which a person does not pay

            typed, shown = proof.answer(act.db, workspace.who.agent, workspace.who.session, workspace.env)
            if not quote.strip() or words(quote) != words(typed) or not any(mark in shown for mark in QUESTION_MARKS):
                raise RefusedError(_ONLY_A_PERSON)
        named = ([pending.item_of(act.db, key, act.who) for key in keys] for keys in (keep, drop))
        wanted, unwanted = ([*{one.id: one for one in found}.values()] for found in named)
        if both := {one.id for one in wanted} & {one.id for one in unwanted}:
            raise RefusedError(f"{min(both)[:8]} is to be kept and to be dropped; name it once")
        held = {one.id for one in wanted}
        others = (other for one in wanted for other in one.rivals if as_person and other.id not in held)
        gone = [output.picked(one, "id text") for one in (*others, *unwanted)]  # of a pair the other one goes
        if as_person:
            kept = [output.row(done.memory) for done in pending.answer(act, wanted, unwanted)]
        else:
            kept = [output.picked(one, "id text") for one in wanted]
            for one in (*wanted, *unwanted):
                if f" {' '.join(words(one.text))} " not in f" {' '.join(words(shown))} ":
                    raise RefusedError(f"{output.short(one.id)} is not what the user answered about: show it in its own words")
                pending.record_answer(act, one, keep=one in wanted)
    if not workspace.dry_run:
        prepared.clear(str(workspace.database))  # a brief made ready may list what is none any more
    answers = {"kept": kept, "dropped": [*{one["id"]: one for one in gone}.values()]}
    dry = "dry run: " * workspace.dry_run
    done = (f"{dry}{word} {output.short(one['id'])}: {one['text']}" for word, found in answers.items() for one in found)
    workspace.answer(answers, *done)


def ask_each(workspace: Workspace, found: list[pending.InboxItem], names: dict[str, str]) -> None:
    """Asks about each item until the last, or until q; what was answered is done at once and can be undone one by one."""
    at, done = 0, list[tuple[str, int]]()  # the batch of each answer, and which one it was
    while at < len(found):
        output.say(f"\n{at + 1} of {len(found)}  {what(found[at])}", "", found[at].text)
        output.details(about(workspace, found[at], names))
        output.say(PAIR_KEYS if found[at].rivals else KEYS)
        if (answer := read_key()) in ("q", "\x03", "\x04", ""):
            break
        try:
            if answer == "l":
                at += 1
            elif answer == "u" and done:
                with workspace._replace(batch=uuid4().hex).acting() as act:
                    history.undo(act, done[-1][0])
                _, at = done.pop()  # one that cannot be taken back stays the last
                output.say("taken back; here it is again")
            else:
                text = edited(found[at].text, workspace.directories.data, workspace.env) if answer == "e" else None
                if batch := _apply_key(workspace, found[at], answer, text):
                    output.say({"d": "dropped", "b": "both stand", "a": "kept, for every project"}.get(answer, "kept"))
                    done.append((batch, at))
                    at += 1
        except PsychMemError as exc:
            output.warn(str(exc))
    output.say(f"{len(done)} answered, {len(found) - len(done)} left.")


def _apply_key(workspace: Workspace, one: pending.InboxItem, answer: str, text: str | None) -> str:
    """The batch by which what a key says is undone; "" for a key that says nothing here."""
    if text == "" or answer not in ("k", "e", "d", *("b" if one.rivals else "ap" if workspace.project else "a")):
        return ""
    fresh = workspace._replace(batch=uuid4().hex)
    with fresh.acting() as act:
        now = pending.recheck(act.db, one)
        if answer == "d":
            pending.drop(act, now)
        elif answer == "b":
            pending.keep_both(act, now)
        else:
            placed, there = {"a": Scope.USER, "p": Scope.PROJECT}.get(answer), workspace.project_id if answer == "p" else None
            pending.keep(act, now, text=text, scope=placed, project=there)
    return fresh.batch


def what(one: pending.InboxItem) -> str:
    if one.memory is None:
        by_you = one.candidate and one.candidate.candidate.origin in HUMAN
        return "you said it; uncertain whether it should last" if by_you else "uncertain"
    if one.rivals:
        return "these two contradict each other; keeping one drops the other"
    if forgetting.is_note_gone(one.memory):
        return "the client deleted its note of this"
    if one.memory.status is not Status.QUARANTINED:
        return "said once"
    return f"needs your approval: {pending.why_it_waits(one.memory)}"


def about(workspace: Workspace, one: pending.InboxItem, names: dict[str, str]) -> list[tuple[str, str]]:
    """What it would become when it is kept, who proposed it and when, and what stands against it."""
    source = one.memory or one.candidate
    assert source is not None
    found = source if isinstance(source, Memory) else source.candidate
    who = output.said_by(source) if isinstance(source, Memory) else output.SAID_BY[found.origin]
    where = "every project" if found.scope is Scope.USER else history.place_name(one.project, names, "no project")
    when = f"{output.since(one.said_at, workspace.now)} ({output.minute(one.said_at)[:10]})"
    when += f", session {output.conversation(source.session)}" if source.session else ""
    told = [("becomes", f"{fence.CLASS_LABELS[found.kind]}, in {where}"), ("from", f"{who}, {when}")]
    told += [("around it", clip(control_chars.line(one.words_around), _AROUND))] if one.words_around else []
    for other in one.against:
        place = history.place_name(other.project, names, "every project")
        said = f"{output.minute(other.created_at)[:10]}, in {place}, {output.said_by(other)}"
        told.append(("against it", f"{output.short(other.id)} {other.text} ({said})"))
    return told


def read_key() -> str:
    """One key of the terminal, without waiting for Enter."""
    import termios  # noqa: PLC0415  # not on every system
    import tty  # noqa: PLC0415

    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    try:
        tty.setcbreak(stream, termios.TCSADRAIN)  # what was typed ahead is an answer too
        raw = os.read(stream, 16)
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)
    return raw[:1].decode("ascii", "replace").lower() if raw[:1] != b"\x1b" else "?"
