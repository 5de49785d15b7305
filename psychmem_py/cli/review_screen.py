"""`psychmem review` on a terminal: one thing at a time, one key for each answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from uuid import uuid4

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.cli.editor import edited
from psychmem_py.cli.memory_folders import refresh
from psychmem_py.curation import history, inbox
from psychmem_py.curation.inbox import InboxItem
from psychmem_py.errors import PsychMemError
from psychmem_py.memory.admission import AUTHOR, DOUBT
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Scope, Status

KEYS = "k keep  d drop  e edit  p this project  a all projects  l later  u undo  q quit"
PAIR_KEYS = "k left stays  d right stays  b both stay  e edit left  l later  u undo  q quit"


def run(workspace: Workspace, found: list[InboxItem], names: dict[str, str], key: Callable[[], str] | None = None) -> None:
    """Asks about each item until the last, or until q; what was answered is done at once and can be undone one by one."""
    key = key or pressed
    at, done = 0, list[str]()
    while at < len(found):
        _show(workspace, found[at], names, at, len(found))
        answer = key()
        if answer in ("q", "\x03", "\x04", ""):
            break
        if answer == "l":
            at += 1
        elif answer == "u":
            at = _back(workspace, done, at)
        else:
            try:
                batch = _answered(workspace, found[at], answer)
            except PsychMemError as exc:
                output.warn(str(exc))
                continue
            if batch:
                done.append(batch)
                at += 1
    refresh(workspace)
    output.say(f"{len(done)} answered, {len(found) - at} left." if found else "")


def _answered(workspace: Workspace, one: InboxItem, answer: str) -> str:
    """Does what a key says; the batch it is undone by, "" for a key that says nothing here."""
    fresh = workspace._replace(batch=uuid4().hex)
    text = edited(one.text, workspace.directories.data, workspace.env) if answer == "e" else None
    if text == "":
        return ""
    with fresh.acting() as act:
        if answer in ("k", "e"):
            inbox.keep(act, one, text=text)
        elif answer == "d":
            inbox.drop(act, one)
        elif answer == "b" and one.is_pair:
            inbox.keep_both(act, one)
        elif answer == "a":
            inbox.keep(act, one, scope=Scope.USER)
        elif answer == "p" and workspace.project_id:
            inbox.keep(act, one, scope=Scope.PROJECT, project=workspace.project_id)
        else:
            return ""
    output.say({"k": "kept", "e": "kept, as you worded it", "d": "dropped", "b": "both stand"}.get(answer, "kept, and moved"))
    return fresh.batch


def _back(workspace: Workspace, done: list[str], at: int) -> int:
    if not done:
        output.say("nothing to undo yet")
        return at
    try:
        with workspace._replace(batch=uuid4().hex).acting() as act:
            history.undo(act, done.pop())
    except PsychMemError as exc:
        output.warn(f"{exc}; a dropped candidate comes back when it is said again")
    return max(0, at - 1)


def _show(workspace: Workspace, one: InboxItem, names: dict[str, str], at: int, total: int) -> None:
    output.say("")
    output.say(f"{at + 1} of {total}  {what(one)}")
    output.out.print()
    if one.is_pair:
        table = output.table("left", "right")
        for other in one.against:
            table.add_row(output.cell(one.text, "bold"), output.cell(other.text, "bold"))
            left, right = (proposed_memory(workspace, memory, names) for memory in (one.memory, other) if memory)
            table.add_row(output.cell(left, "dim"), output.cell(right, "dim"))
        for column in table.columns:
            column.ratio, column.no_wrap = 1, False
        output.out.print(table)
    else:
        output.out.print(output.cell(one.text, "bold"))
        output.say(proposed(workspace, one, names))
        for other in one.against:
            output.say(f"against it stands {output.short(other.id)}: {other.text}")
    output.say(PAIR_KEYS if one.is_pair else KEYS)


def what(one: InboxItem) -> str:
    """Why it waits, in words."""
    if one.memory is None:
        return "too uncertain to be kept by itself"
    if one.is_pair:
        return "these two contradict each other"
    if one.memory.status is not Status.QUARANTINED:
        return "heard once"
    doubt = dict(one.memory.metadata).get(DOUBT, "")
    return f"waits in quarantine ({doubt})" if doubt else "waits in quarantine"


def proposed(workspace: Workspace, one: InboxItem, names: dict[str, str]) -> str:
    """Class and place it would have, who proposed it, when and in which conversation."""
    if one.memory is not None:
        return proposed_memory(workspace, one.memory, names)
    kept = one.candidate
    if kept is None:
        return ""
    where = output.EVERYWHERE if kept.candidate.scope is Scope.USER else names.get(kept.project or "", "no project")
    return _line(kept.candidate.kind.value, where, output.SAID_BY[kept.candidate.origin], kept.at, kept.session, workspace.now)


def proposed_memory(workspace: Workspace, memory: Memory, names: dict[str, str]) -> str:
    """The same of a memory."""
    where = output.told_in(memory, names)
    said = output.SAID_BY[memory.origin]
    author = dict(memory.metadata).get(AUTHOR) or memory.agent
    who = f"{author}, said by {said}" if author else said
    return _line(memory.kind.value, where, who, memory.created_at, memory.session, workspace.now)


def _line(kind: str, where: str, who: str, at: float, session: str, now: float) -> str:
    told = [kind, where, f"from {who}", output.since(at, now)]
    return " · ".join([*told, *([f"session {session[:8]}"] if session else [])])


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
