"""psychmem report: everything on one page, as a file or, with --serve, for a browser on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from psychmem_py.cli import output, searching
from psychmem_py.cli.app import app, examples, option
from psychmem_py.cli.commands.sessions import next_session
from psychmem_py.cli.context import workspace_of
from psychmem_py.cli.outcomes import refresh
from psychmem_py.curation import actions, history, pending
from psychmem_py.curation.act import Act
from psychmem_py.errors import RefusedError
from psychmem_py.home.places import data_folder
from psychmem_py.model.light_record import KNOWN
from psychmem_py.report.contents import contents
from psychmem_py.report.page import html
from psychmem_py.store import by_meaning, episodes
from psychmem_py.store.matches import Question

_USUAL = Path("psychmem-report.html")
_FOUND = 50  # memories that a search of the page adds to those that hold its words


@app.command(epilog=examples("report", "report --output memories.html", "report --serve"), here=True)
def report(
    target: Annotated[Path, option("--output -o FILE", "Where to write it.")] = _USUAL,
    serve: Annotated[bool, option("--serve", "Show it in a browser instead, with buttons, until Ctrl-C.")] = False,
    port: Annotated[int, option("--port N", "With --serve; 0: any free one.", min=0, max=65535)] = 0,
) -> None:
    """Everything on one page, for a browser. Memories, what is shown, what fades, what was not kept; one HTML file, no network."""
    if serve:
        return _serve(port)
    workspace = workspace_of()
    output.write_file(target, _page(acting=False))
    if workspace.json:
        return output.print_json({"file": str(target.absolute())})
    output.say(f"wrote {target}; open it in any browser. It holds what is remembered in all projects; only you can read it.")
    here = workspace.project
    if here and here.root and target.resolve().is_relative_to(here.root):
        output.say(f"It stands among the files of {here.name}: keep it out of its repository.")
    return None


def _page(*, acting: bool) -> str:
    workspace = workspace_of()
    with workspace.reading() as db:
        found = contents(db, workspace.project, workspace.settings, workspace.now, next_session(db, workspace))
    return html(found, acting=acting)


def _serve(port: int) -> None:
    """Listens until Ctrl-C. Clicks are a person's deeds."""
    from psychmem_py.report.server import Listening  # noqa: PLC0415  # the one module with a socket; a file needs none

    done: list[str] = []  # batches of what was clicked, the last one last
    try:
        listening = Listening(lambda: _page(acting=True), lambda deed, key, text: _act(deed, key, text, done), _found, port)
    except OSError as exc:
        raise RefusedError(f"port {port} cannot be used ({exc.strerror}); leave --port out for any free one") from exc
    with listening:
        output.say(f"{listening.address} (only on this machine and only with this address; Ctrl-C ends it)")
        sys.stdout.flush()  # in a pipe too, it is read while we listen
        listening.serve_forever()


def _found(words: str) -> dict[str, Any]:
    """What answers a search of the page, best first: ids of memories, by words and, where there are vectors, by meaning; and exchanges."""
    workspace = workspace_of()
    question = Question(words, workspace.project_id, workspace.now, all_projects=True, statuses=KNOWN, limit=_FOUND, kin=True)
    with workspace.store() as db:
        found = by_meaning.hits(db, question, database=str(workspace.database), data=data_folder(workspace.env))
        ids = [hit.memory.id for hit in found if not hit.weak]
        earlier = episodes.search(db, words, None, all_projects=True, besides=ids)
    return {"ids": ids, "earlier": [searching.exchange_row(hit.episode) for hit in earlier if not hit.weak]}


def _act(deed: str, key: str, text: str, done: list[str]) -> str:
    """Does what was clicked; a sentence about it. Raises PsychMemError for what cannot be."""
    workspace = workspace_of()
    with workspace.acting() as act:
        told = _taken_back(act, done) if deed == "undo" else _done(act, deed, key, text)
    if deed != "undo":
        done.append(workspace.batch)
    refresh(workspace)
    return told


def _taken_back(act: Act, done: list[str]) -> str:
    """Takes back the last click, whatever an agent or a command has changed since."""
    if not done:
        raise RefusedError("nothing was changed on this page; `psychmem undo` takes back what was changed elsewhere")
    return f"took back what you did here last ({history.actions_of(history.undo(act, done.pop()))})"


def _done(act: Act, deed: str, key: str, text: str) -> str:
    """Does a deed for one id, or answers several pending ones at once."""
    keys = key.split()
    if deed in ("keep", "drop"):
        chosen = [pending.item_of(act.db, one) for one in keys]
        if deed == "keep":
            pending.keep_all(act, chosen)
        else:
            for one in chosen:
                pending.drop(act, one)
    elif deed == "forget":
        actions.forget(act, keys)
    elif deed == "edit":
        actions.edit(act, key, actions.Edit(text=text))
    else:
        actions.pin(act, key, pinned=deed == "pin")
    done = {"forget": "forgotten", "edit": "changed", "keep": "approved", "drop": "dropped"}.get(deed, f"{deed}ned")
    return f"{done if len(keys) == 1 else f'{len(keys)} {done}'}; Undo takes it back"
