"""Reminders of rules at tool calls that match them, once per rule and conversation; the journal records them."""

from __future__ import annotations

import time
from _collections_abc import Callable, Sequence

from psychmem_py.agents.event import Request
from psychmem_py.home import journal
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.safety.fence import fenced
from psychmem_py.store import read_only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import TypeVar

    from psychmem_py.guards.call import Call
    from psychmem_py.guards.trigger import Rule

    Said = TypeVar("Said")

_ACT, _READ = "act", "read"  # in the ledger
_QUOTE_CHARS = 300
_MOST = {_ACT: 3, _READ: 2}  # rules beside one call, and rules a session is shown at files
_SESSIONS = 3  # in which a rule that was said once is shown; who means it says it again, or confirms it
# In which a settled rule is shown at a file since it was last said or used: by then it is known or of no use.
_SESSIONS_AT_FILES = 10
_AT_FILE = "It was said of this file, or when it was last worked on; where it does not fit what you are asked, go on."
_ADVICE = "If this tool call goes against it, put that right and say so; if it does not, go on."


def from_store(say: Callable[..., Said], request: Request, around: Surroundings, *about: object) -> Said | None:
    """The result of `say` on the store, if that can be read as it is; None otherwise."""
    if (db := read_only.at_hand(around.database_file(request.agent))) is None:
        return None
    try:
        return say(db, request, around, *about)
    finally:
        db.close()


def before_call(  # noqa: PLR0917
    db: Connection, request: Request, around: Surroundings, call: Call, broken: Sequence[tuple[Rule, int]], top: str
) -> tuple[str, str]:
    """What is said before a call that breaks these rules (each with its command's number), and why the person is asked first."""

    def came_first(rule: Rule, at: int) -> bool:
        """Whether what the rule wants first has happened: before command `at` of the same call, or in the conversation."""
        from psychmem_py.guards.call import call_of  # noqa: PLC0415  # few rules want something first
        from psychmem_py.guards.trigger import act  # noqa: PLC0415

        uses = [*journal.lately_used(around.data, request.session), *(call[1:] for call in read_only.run_in(db, request.session))]
        earlier = [call_of("Bash", {"command": line})._replace(edits=tuple(paths)) for line, paths in uses]
        earlier.append(call._replace(commands=call.commands[:at], edits=()))
        return any(act(need, one, root=top) >= 0 for one in earlier for need in rule.needs)

    seen = _seen(db, request, around, _ACT)
    due = [rule.id for rule, at in broken if not rule.needs or not came_first(rule, at)]
    rules = [one for one in read_only.active_rules(db, due, around.now) if one.guard != "off"]
    asked = [one for one in rules if one.guard == "ask" and (request.agent == "claude-code" or one.id not in seen)]
    new = [one for one in rules if one.id not in seen]
    told = [] if around.is_off("act_reminders") else [one for one in new if one.guard != "ask"]
    reminded = [one for one in told if _still_shown(db, one, _ACT)][: _MOST[_ACT]]
    _note(request, around, _ACT, [one.id for one in new if one in reminded or one in asked])
    text = fenced("\n".join([*map(quoted, reminded), _ADVICE]), read_only.secret(db)) if reminded else ""
    return text, " ".join(quoted(one, person=True) for one in asked)


def at_file(db: Connection, request: Request, around: Surroundings, ids: Sequence[str]) -> str:
    """What is said at a file that was read, of the rules that belong to it."""
    seen = _seen(db, request, around, _READ)
    known = read_only.active_rules(db, [key for key in ids if key not in seen], around.now)
    due = [one for one in known if one.guard != "off" and one.session != request.session and _still_shown(db, one, _READ)]
    due = due[: max(0, _MOST[_READ] - len(seen))]
    _note(request, around, _READ, [one.id for one in due])
    return fenced("\n".join([*map(quoted, due), _AT_FILE]), read_only.secret(db)) if due else ""


def working_command(db: Connection, request: Request, _around: Surroundings, project: str, form: str) -> str:
    """What worked before in place of a command that failed."""
    from psychmem_py.recall.memory_line import failing  # noqa: PLC0415  # a rule does without
    from psychmem_py.store import calls  # noqa: PLC0415

    known = [one for one in calls.failing(db, project, but=request.session) if one.form == form and one.worked]
    return fenced("\n".join(map(failing, known)), read_only.secret(db)) if known else ""


def _ledger(request: Request, channel: str) -> str:
    """The ledger's key for what a conversation, or its sub-agent, was shown through this channel."""
    return f"{request.session}/{request.subagent}#{channel}" if request.subagent else f"{request.session}#{channel}"


def _seen(db: Connection, request: Request, around: Surroundings, channel: str) -> set[str]:
    to = _ledger(request, channel)
    return {*read_only.shown(db, to), *(key for key, *_ in journal.lately_shown(around.data, request.session, to))}


def _still_shown(db: Connection, rule: read_only.ActiveRule, channel: str) -> bool:
    if rule.said_once:
        return read_only.sessions_shown(db, rule.id, channel) < _SESSIONS
    return channel != _READ or read_only.sessions_shown(db, rule.id, _READ, rule.last_used_at) < _SESSIONS_AT_FILES


def used_up(db: Connection, key: str, *, at_files: bool) -> bool:
    """Whether a rule was shown at calls, or at files, in as many sessions as it may be."""
    return not all(_still_shown(db, one, _READ if at_files else _ACT) for one in read_only.active_rules(db, [key], 0.0))


def _note(request: Request, around: Surroundings, channel: str, shown: Sequence[str]) -> None:
    if shown:
        journal.shown(around.data, request.about, {channel: tuple(shown)}, at=around.now, to=_ledger(request, channel))


def quoted(rule: read_only.ActiveRule, *, person: bool = False) -> str:
    """A rule in its own words with the day it was stated, for the agent or for the person."""
    text, look = _plain(rule.text), f"psychmem show {rule.id[:8]}"
    if rule.refused:
        return f"{text} ({look})"
    day = time.localtime(rule.at)
    speaker = _plain(rule.author) if not rule.by_person else "You" if person else "The user"
    who = f"{speaker} said" if rule.by_person or rule.author else "A rule noted"
    once = "said once; " if rule.said_once else ""
    return f'{who} on {day.tm_mday} {time.strftime("%B %Y", day)}: "{text}" ({once}{look})'


def _plain(text: str) -> str:
    """A rule's words on one line."""
    if not (text.isascii() and text.isprintable()):
        from psychmem_py.safety.control_chars import line  # noqa: PLC0415  # 3 ms, and most rules have nothing for it to take out

        text = line(text)
    return text if len(text) <= _QUOTE_CHARS else text[: _QUOTE_CHARS - 1] + "…"
