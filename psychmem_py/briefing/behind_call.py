"""The reply behind a tool call: the rules said at the file that was read, and what works in place of a command that failed.

What is said before a call comes to the agent with the call's result and prevents nothing; a file is read before it is edited. The store
is opened only where the prepared index names the file or the form of call; what was said is noted in the journal.
"""

from __future__ import annotations

import os

from psychmem_py.briefing import rule_index
from psychmem_py.briefing.at_call import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from psychmem_py.agents.event import Request
    from psychmem_py.home.surroundings import Surroundings

PLACE = "read"  # in the ledger
_MOST = 2  # rules a session is shown at files
_SESSIONS = 3  # that are shown a rule while it was said only once
_ADVICE = "It was said when this file was last worked on; where it does not fit what you are asked, go on."


def said(request: Request, around: Surroundings) -> str:
    """What is said behind the call, "" for nothing."""
    use = request.use or {}
    index = rule_index.read(around.database_file(request.agent), request.cwd) if request.cwd else None
    if index is None or around.is_off("act_reminders"):
        return ""
    if use.get("ok"):
        ids = index.at_files.get(_inside(use.get("paths"), index.top or os.path.realpath(request.cwd)), ())
        return _rules(request, around, ids) if ids else ""
    if not index.failing:
        return ""
    from psychmem_py.guards.forms import usage_form  # noqa: PLC0415  # a command called wrongly, where others failed before

    form = usage_form(str(use.get("command")), str(use.get("error_line")))
    return _instead(request, around, index.project, form) if form in index.failing else ""


def _inside(paths: object, top: str) -> str:
    """The file that was read, told from the top of the work tree; "" for one elsewhere."""
    path = paths[0] if isinstance(paths, tuple) and paths else ""
    if not os.path.isabs(path):
        return os.path.normpath(path)
    for spelled in (path, os.path.realpath(path)):
        if spelled.startswith(top + os.sep):
            return spelled[len(top) + 1 :]
    return ""


def _rules(request: Request, around: Surroundings, ids: Sequence[str]) -> str:
    from psychmem_py.home import journal  # noqa: PLC0415  # only at a file that a rule belongs to, as all that follows
    from psychmem_py.safety.fence import fenced  # noqa: PLC0415
    from psychmem_py.store import ledger, standing_rules  # noqa: PLC0415

    store = standing_rules.opened(around.database_file(request.agent))
    if store is None:
        return ""
    db, secret = store
    to = f"{request.session}/{request.subagent}#{PLACE}" if request.subagent else f"{request.session}#{PLACE}"
    try:
        seen = {*ledger.shown(db, to), *(key for key, *_ in journal.lately_shown(around.data, request.session, to))}
        known = standing_rules.standing(db, [key for key in ids if key not in seen])
        due = [
            one
            for one in known
            if one.guard != "off"
            and one.session != request.session
            and not (one.said_once and standing_rules.sessions_shown(db, one.id, PLACE) >= _SESSIONS)
        ][: max(0, _MOST - len(seen))]
    finally:
        db.close()
    if not due:
        return ""
    journal.shown(around.data, request, {PLACE: tuple(one.id for one in due)}, at=around.now, to=to)
    return fenced("\n".join([*map(quoted, due), _ADVICE]), secret)


def _instead(request: Request, around: Surroundings, project: str, form: str) -> str:
    from psychmem_py.recall.memory_line import failing  # noqa: PLC0415  # only where it is said
    from psychmem_py.safety.fence import fenced  # noqa: PLC0415
    from psychmem_py.store import calls, standing_rules  # noqa: PLC0415

    store = standing_rules.opened(around.database_file(request.agent))
    if store is None:
        return ""
    db, secret = store
    try:
        known = [one for one in calls.failing(db, project, but=request.session) if one.form == form and one.worked]
    finally:
        db.close()
    return fenced("\n".join(map(failing, known)), secret) if known else ""
