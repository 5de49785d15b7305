"""psychmem sessions: the conversations there were, and what each left behind."""

from __future__ import annotations

import ntpath
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import AllProjects, Workspace, workspace_of
from psychmem_py.errors import NotFoundError
from psychmem_py.model.light_values import LIVE
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Memory
from psychmem_py.store import overview, projects
from psychmem_py.store.overview import Conversation

_FILES = 5  # named of a conversation in a list
ConversationId = Annotated[
    str, typer.Argument(metavar="SESSION", help="One conversation in full: its id, or a unique beginning.")
]
AtMost = Annotated[int, typer.Option("--limit", "-n", min=1, help="At most this many, the latest.")]


@app.command(
    epilog=examples("psychmem sessions", "psychmem sessions 5f0c77aa", "psychmem sessions -n 5 --all-projects"), here=True
)
def sessions(session: ConversationId = "", all_projects: AllProjects = False, limit: AtMost = 10) -> None:
    """Past conversations and what each left behind. With the files it changed and how much it was shown."""
    workspace = workspace_of()
    with workspace.reading() as db:
        found = overview.conversations(
            db,
            project=workspace.project_id,
            all_projects=all_projects or (bool(session) and workspace.who.may(Deed.ELSEWHERE)),
            limit=-1 if session else limit,
        )
        if session:
            found = [_one(found, session)]
        left = {one.id: overview.left_by(db, one.id) for one in found}
        files = {one.id: overview.files_changed_in(db, one.id) for one in found}
        names = projects.names(db)
    if workspace.json:
        return output.print_json([_row(one, left[one.id], files[one.id]) for one in found])
    if not found:
        return output.say("No conversation is known here yet; --all-projects looks everywhere.")
    for one in found:
        _tell(workspace, one, left[one.id], files[one.id], names, whole=bool(session))


def _one(found: list[Conversation], prefix: str) -> Conversation:
    fits = [one for one in found if one.id.startswith(prefix)]
    if len(fits) == 1:
        return fits[0]
    what = (
        f"{output.counted(len(fits), 'conversation')} {'has' if len(fits) == 1 else 'have'} an id that begins"
        if fits
        else "no conversation has an id that begins"
    )
    raise NotFoundError(f"{what} with {prefix!r}; `psychmem sessions --all-projects` lists them")


def _tell(
    workspace: Workspace, one: Conversation, left: list[Memory], files: list[str], names: dict[str, str], *, whole: bool
) -> None:
    when = f"{(output.iso(one.seen_at) or '')[:16].replace('T', ' ')} ({output.since(one.seen_at, workspace.now)})"
    where = names.get(one.project or "", "no project")
    output.out.print(output.cell(f"{when}  {output.conversation(one.id)}  {one.agent}, {where}", "bold"))
    told = [f"kept {len(left)}", f"shown {one.shown}"]
    if files:
        shown = files if whole else files[:_FILES]
        more = f" and {len(files) - len(shown)} more" if len(files) > len(shown) else ""  # ntpath: also of another system
        told.append(f"changed {', '.join(name if whole else ntpath.basename(name) for name in shown)}{more}")
    output.say(f"  {'; '.join(told)}")
    for memory in left if whole else [one for one in left if one.status in LIVE][:3]:
        gone = "" if memory.status in LIVE else f" ({memory.status.value})"
        output.say(f"  {output.short(memory.id)} {memory.kind.value}: {memory.text}{gone}")


def _row(one: Conversation, left: list[Memory], files: list[str]) -> dict[str, object]:
    return {
        **one._asdict(),
        "started_at": output.iso(one.started_at),
        "seen_at": output.iso(one.seen_at),
        "left": [
            {"id": memory.id, "class": memory.kind.value, "text": memory.text, "status": memory.status.value} for memory in left
        ],
        "files": files,
    }
