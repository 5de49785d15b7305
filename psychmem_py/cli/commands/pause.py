"""psychmem pause and resume: nothing is told and nothing kept for a while; what was said meanwhile is never read."""

from __future__ import annotations

from typing import Annotated

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, option
from psychmem_py.cli.context import Until, Workspace, end, workspace_of
from psychmem_py.errors import RefusedError
from psychmem_py.home import locks, pauses
from psychmem_py.home.pauses import ALL, FOLDER, SESSION, Pause
from psychmem_py.model.permission import Deed

ThisSession = Annotated[str, option("--session ID", "This conversation alone; `psychmem sessions` lists them.")]
Everywhere = Annotated[bool, option("--all", "Everywhere.")]


@app.command(
    epilog=examples("pause", "pause --all --until '2 hours'", "pause --session 5f0c77aa"),
    writes=True,
    here=True,
)
def pause(session: ThisSession = "", all_: Everywhere = False, until: Until = "") -> None:
    """Show nothing and keep nothing for a while. In this project, in one conversation, or everywhere."""
    workspace = workspace_of()
    kind, key = _meant(workspace, session, all_=all_)
    made, data = Pause(kind, key, workspace.now, end(until, workspace.now) or 0.0), str(workspace.directories.data)
    if not workspace.dry_run:
        with locks.one_command(workspace.env):
            pauses.write(data, [*(one for one in pauses.read(data) if not _same(one, made, workspace.now)), made])
    told = f" until {output.iso(made.until)}" if made.until else "; `psychmem resume` ends it"
    workspace.answer(
        _row(made), f"{workspace.word('pause', 'paused')} {_words(made)}{told}. What MEMORY.md shows stays as it is."
    )


@app.command(epilog=examples("resume", "resume --all"), writes=True, here=True)
def resume(session: ThisSession = "", all_: Everywhere = False) -> None:
    """Resume after a pause. What was said meanwhile stays unread. --all ends every pause there is."""
    workspace = workspace_of()
    wanted = None if all_ else Pause(*_meant(workspace, session, all_=False), workspace.now, 0.0)
    data = str(workspace.directories.data)
    with locks.one_command(workspace.env):
        known = pauses.read(data)
        ended = [one for one in known if one.lasts(workspace.now) and (wanted is None or (one.kind, one.key) == wanted[:2])]
        if not workspace.dry_run and ended:
            pauses.write(data, [one._replace(until=workspace.now) if one in ended else one for one in known])
    goes_on, others = workspace.word("go on", "goes on"), [one for one in known if one.lasts(workspace.now) and one not in ended]
    workspace.answer(
        [_row(one) for one in ended],
        *([] if ended else ["Nothing is paused here."]),
        *(f"{goes_on} {_words(one)}; paused since {output.iso(one.since)}" for one in ended),
        *(f"still paused: {_words(one)}; `psychmem resume --all` ends every pause" for one in others),
    )


def paused_now(workspace: Workspace) -> list[str]:
    """The pauses that hold now, in words."""
    return [_words(one) for one in pauses.read(str(workspace.directories.data)) if one.lasts(workspace.now)]


def _meant(workspace: Workspace, session: str, *, all_: bool) -> tuple[str, str]:
    """What is to be paused or resumed. An agent may speak for its own conversation alone."""
    if not workspace.session or session not in ("", workspace.session):
        workspace.who.must(Deed.CONFIGURE)
    if all_:
        return ALL, ""
    if session or workspace.session:
        return SESSION, session or workspace.session
    if workspace.project is None:
        raise RefusedError("this directory belongs to no project; go to one, or say --all or --session ID")
    return FOLDER, workspace.project.root


def _same(one: Pause, other: Pause, now: float) -> bool:
    return one.lasts(now) and (one.kind, one.key) == (other.kind, other.key)


def _words(one: Pause) -> str:
    return {ALL: "everywhere", FOLDER: f"in {one.key}", SESSION: f"in conversation {one.key}"}[one.kind]


def _row(one: Pause) -> dict[str, object]:
    return {"what": one.kind, "key": one.key, "since": output.iso(one.since), "until": output.iso(one.until or None)}
