"""`psychmem review` on a terminal: one thing at a time, one key for each answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from uuid import uuid4

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.cli.editor import edited
from psychmem_py.cli.outcomes import refresh
from psychmem_py.curation import history, inbox
from psychmem_py.curation.pending import InboxItem, why_it_waits
from psychmem_py.errors import PsychMemError
from psychmem_py.memory.admission import AUTHOR
from psychmem_py.memory.forgetting import is_note_gone
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import HUMAN, Kind, Scope, Status
from psychmem_py.safety.control_chars import line
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import clip

KEYS = "k keep  d drop  e edit  p this project  a all projects  l later  u undo  q quit"
BULK_KEYS = "x drop all of its project  o drop all older than a month"
_MONTH_D, _AROUND = 30, 240
PAIR_KEYS = "k left stays  d right stays  b both stay  e edit left  l later  u undo  q quit"


def run(workspace: Workspace, found: list[InboxItem], names: dict[str, str], key: Callable[[], str] | None = None) -> None:
    """Asks about each item until the last, or until q; what was answered is done at once and can be undone one by one."""
    key = key or pressed
    at, done = 0, list[tuple[str, int, list[InboxItem]]]()
    while at < len(found):
        _show(workspace, found[at], names, at, len(found))
        answer = key()
        if answer in ("q", "\x03", "\x04", ""):
            break
        if answer == "l":
            at += 1
        elif answer == "u":
            at, found = _back(workspace, done, at, found)
        else:
            many = _meant(found[at:], answer, workspace.now) if answer in "xo" else [found[at]]
            text = edited(many[0].text, workspace.directories.data, workspace.env) if answer == "e" else None
            try:
                batch, said = answered(workspace, many, answer, text)
            except PsychMemError as exc:
                output.warn(str(exc))
                continue
            if batch:
                output.say(said)
                done.append((batch, at, found))
                found, at = (found, at + 1) if answer not in "xo" else ([one for one in found if one not in many], at)
    refresh(workspace)
    output.say(f"{len(done)} answered, {len(found) - at} left." if found or done else "")


def _meant(left: list[InboxItem], answer: str, now: float) -> list[InboxItem]:
    """What is dropped at once: all of the shown one's project, or all that was said more than a month ago; no pairs."""
    single = [one for one in left if not one.is_pair]
    if answer == "x":
        return [one for one in single if one.project == left[0].project]
    return [one for one in single if one.said_at < now - _MONTH_D * DAY_S]


def answered(workspace: Workspace, many: list[InboxItem], answer: str, text: str | None = None) -> tuple[str, str]:
    """Does what a key says; the batch it is undone by and a sentence, "" both for a key that says nothing here."""
    if not many or text == "":
        return "", ""
    fresh, one = workspace._replace(batch=uuid4().hex), many[0]
    with fresh.acting() as act:
        one = inbox.as_shown(act.db, one)
        if answer in ("k", "e"):
            inbox.keep(act, one, text=text)
        elif answer in "dxo":
            for each in many:
                inbox.drop(act, inbox.as_shown(act.db, each))
        elif answer == "b" and one.is_pair:
            inbox.keep_both(act, one)
        elif answer == "a":
            inbox.keep(act, one, scope=Scope.USER)
        elif answer == "p" and workspace.project_id:
            inbox.keep(act, one, scope=Scope.PROJECT, project=workspace.project_id)
        else:
            return "", ""
    told = {
        "e": "kept, as you worded it",
        **dict.fromkeys("dxo", "dropped" if len(many) == 1 else f"{len(many)} dropped"),
        "b": "both stand",
        "a": "kept, for every project",
        "p": f"kept, for {workspace.project.name if workspace.project else 'this project'}",
    }
    return fresh.batch, told.get(answer, "kept")


def _back(
    workspace: Workspace, done: list[tuple[str, int, list[InboxItem]]], at: int, found: list[InboxItem]
) -> tuple[int, list[InboxItem]]:
    """Takes the last answer back: the place to go on at, and what there is to answer."""
    if not done:
        output.say("nothing to undo yet")
        return at, found
    batch, at, found = done.pop()
    try:
        with workspace._replace(batch=uuid4().hex).acting() as act:
            history.undo(act, batch)
        output.say("taken back; here it is again")
    except PsychMemError as exc:
        output.warn(str(exc))
    return at, found


def _show(workspace: Workspace, one: InboxItem, names: dict[str, str], at: int, total: int) -> None:
    output.say("")
    output.say(f"{at + 1} of {total}  {what(one)}")
    output.out.print()
    if one.is_pair:
        table = output.table("left", "right")
        for other in one.against:
            table.add_row(output.cell(one.text, "bold"), output.cell(other.text, "bold"))
            both = (_about_memory(workspace, memory, names) for memory in (one.memory, other) if memory)
            for left, right in zip(*both, strict=True):
                table.add_row(*(output.cell(" ".join(fact), "dim") for fact in (left, right)))
        for column in table.columns:
            column.ratio, column.no_wrap = 1, False
        output.out.print(table)
    else:
        output.out.print(output.cell(one.text, "bold"))
        output.details(about(workspace, one, names))
    if not one.is_pair and total - at > 1:
        output.say(BULK_KEYS)
    output.say(PAIR_KEYS if one.is_pair else KEYS)


def what(one: InboxItem) -> str:
    """Why it waits, in words."""
    if one.memory is None:
        return (
            "you said it; uncertain whether it should last"
            if one.candidate and one.candidate.candidate.origin in HUMAN
            else "uncertain"
        )
    if one.is_pair:
        return "these two contradict each other"
    if is_note_gone(one.memory):
        return "the client deleted its note of this"
    if one.memory.status is not Status.QUARANTINED:
        return "said once"
    return f"needs your approval: {why_it_waits(one.memory)}"


def about(workspace: Workspace, one: InboxItem, names: dict[str, str]) -> list[tuple[str, str]]:
    """What it would become when it is kept, who proposed it and when, and what stands against it."""
    told = list[tuple[str, str]]()
    if one.memory is not None:
        told = _about_memory(workspace, one.memory, names)
    elif one.candidate is not None:
        kept, found = one.candidate, one.candidate.candidate
        project_name = None if found.scope is Scope.USER else names.get(kept.project or "", "no project")
        told = _facts(found.kind, project_name, output.SAID_BY[found.origin], one.said_at, kept.session, workspace.now)
    told += [("around it", clip(line(one.words_around), _AROUND))] if one.words_around else []
    return [*told, *(("against it", f"{output.short(other.id)} {other.text}") for other in one.against)]


def _about_memory(workspace: Workspace, memory: Memory, names: dict[str, str]) -> list[tuple[str, str]]:
    project_name = None if memory.project is None else output.told_in(memory, names)
    author = dict(memory.metadata).get(AUTHOR)
    who = author or output.SAID_BY[memory.origin]
    through = f", with {memory.agent}" if memory.agent and not author else ""
    return _facts(memory.kind, project_name, f"{who}{through}", memory.created_at, memory.session, workspace.now)


def _facts(kind: Kind, project_name: str | None, who: str, at: float, session: str, now: float) -> list[tuple[str, str]]:
    where = "in every project" if project_name is None else f"in {project_name}"
    day = (output.iso(at) or "")[:10]
    when = f"{output.since(at, now)} ({day})" + (f", session {output.conversation(session)}" if session else "")
    return [("becomes", f"{kind.value}, {where}"), ("from", f"{who}, {when}")]


def pressed() -> str:
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
