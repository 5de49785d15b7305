"""What keeps a store in order, and what takes memories out: by id, by subject or by project, out of use or off the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from psychmem_py.agents.event import CLAUDE_CODE, OPENCODE
from psychmem_py.cli import output
from psychmem_py.cli.app import Name, Yes, app, argument, group, option
from psychmem_py.cli.context import Workspace, project_named, usage_error_if
from psychmem_py.curation import actions, erasure, exports, history, upkeep
from psychmem_py.home.surroundings import database
from psychmem_py.model.permission import Action
from psychmem_py.store import connection, copies, episodes, rows, sessions
from psychmem_py.store.purge import Receipt

checkpoint = group(app, "checkpoint", "Copies of the whole store, to go back to.")
project = group(app, "project", "The projects that memories belong to.")
ProjectName = Annotated[str, argument("PROJECT", "Its name, id or directory.")]
_FOR_GOOD = "Remove this from every file of ours for good?"
_IN_OTHER_WORDS = "The same in other words stays; `psychmem forget --about TEXT --purge` takes all that speaks of something."


@app.command(writes=True)
def decay(workspace: Workspace) -> None:
    """Take what has faded or expired out of use. Happens by itself after an extraction, at most once an hour."""
    _tell(workspace, _ran(workspace, upkeep.decay))


@app.command(writes=True)
def promote(
    workspace: Workspace,
    memory_ids: Annotated[list[str] | None, argument("ID …", "Default: all that were used often enough.")] = None,
    into: Annotated[Path | None, option("--vault DIR", "Write each as a note into this folder, from now on.")] = None,
) -> None:
    """Put memories earlier in briefs and searches; write notes. With --vault each goes into a folder of notes."""
    usage_error_if(into is not None and not into.is_dir(), f"{into} is not a directory", "--vault")
    with workspace.acting() as act:  # one transaction: a note that is refused leaves nothing promoted
        folder = str(into.resolve()) if into else exports.vault(act.db)
        done = upkeep.promote(act, memory_ids or (), dry_run=workspace.dry_run)
        ids = memory_ids or [step.memory_id for step in done.steps]
        made = exports.write_notes(act, folder, ids, dry_run=workspace.dry_run) if folder else []
    _tell(workspace, done)
    output.say(*((f"{workspace.word('write', 'wrote')} {path}" for path in made) if not workspace.json else ()))


@app.command(writes=True, looks=True)
def gc(
    workspace: Workspace,
    apply: Annotated[bool, option("--apply", "Do it; without this it is a dry run.")] = False,
    below: Annotated[float | None, option("--below SCORE", "Whatever scores lower, rules too.")] = None,
) -> None:
    """Archive what is long faded; a dry run without --apply. Deletes what is long archived. Spares pins and protected tiers."""
    workspace = workspace._replace(dry_run=workspace.dry_run or not apply)
    _tell(workspace, _ran(workspace, upkeep.collect, below=below))


def maintain(workspace: Workspace) -> None:
    """All upkeep at once, over the whole store; deletes no memory."""
    done = _ran(workspace, upkeep.maintain)
    workspace.show({name: {"looked_at": report.looked_at, "changed": len(report.steps)} for name, report in done.items()})


def scan(workspace: Workspace, *, fix: bool) -> None:
    """Looks for secrets in what is stored; exit 1 when there are any and they stay."""
    with workspace.store() as db:
        found = erasure.secrets_found(db, workspace.directories.data)
        if (fix := fix and not workspace.dry_run) and found:
            for path in erasure.take_out_secrets(db, workspace.workplace, workspace.now):
                output.warn(f"{path} may still hold it; take it out by hand")
            workspace.note(db)
    rows = [{"in": one.table, "id": one.owner, "kinds": list(one.kinds), "fixed": fix} for one in found]
    lines = [f"{one.table} {output.short(one.owner)}: {', '.join(one.kinds) or 'secret'}{' (taken out)' * fix}" for one in found]
    workspace.answer(rows, *(lines or ["No secrets are stored."]))
    if rows and not fix:
        raise typer.Exit(1)


def _ran(workspace: Workspace, step: Callable[..., Any], **more: object) -> Any:  # noqa: ANN401  # as the step
    with workspace.store() as db:
        workspace.note(db)
        return step(workspace.act(db), dry_run=workspace.dry_run, **more)


def _tell(workspace: Workspace, done: upkeep.Report) -> None:
    rows = [output.picked(one, "reason", id=one.memory_id, status=one.after and one.after.status.value) for one in done.steps]
    lines = (f"{output.short(one.memory_id)} {one.reason}: {now.text}" for one in done.steps if (now := one.after or one.before))
    changed = f"{len(done.steps)} of {output.counted(done.looked_at, 'memory')} {workspace.word('change', 'changed')}"
    told = {"looked_at": done.looked_at, "dry_run": workspace.dry_run, "changed": rows}
    workspace.answer(told, *lines, changed if done.looked_at else "No memory is due.")


@checkpoint.command("create", writes=True)
def create(workspace: Workspace, name: Name) -> None:
    """Copy the store as it is now."""
    with workspace.store() as db:
        made = copies.create(db, workspace.database, name, dry_run=workspace.dry_run)
    _tell_checkpoints(workspace, [made._replace(at=made.at or workspace.now)])


@checkpoint.command("list")
def listing(workspace: Workspace) -> None:
    """The copies there are, oldest first."""
    _tell_checkpoints(workspace, copies.listing(workspace.database))


@checkpoint.command("restore", writes=True)
def restore(workspace: Workspace, name: Name) -> None:
    """Bring every memory back to how it was then. `psychmem undo` takes it back."""
    with workspace.acting() as act:
        made = actions.restore(act, workspace.database, name)
    workspace.show({"name": name, "changed": len(made), "dry_run": workspace.dry_run})


@checkpoint.command("delete", writes=True)
def delete(workspace: Workspace, name: Name, yes: Yes = False) -> None:
    """Remove a copy; the store itself is not touched."""
    workspace.ask(f"Remove the checkpoint {name} for good?", yes=yes)
    copies.delete(workspace.database, name, dry_run=workspace.dry_run)
    workspace.show({"removed": name, "dry_run": workspace.dry_run})


def _tell_checkpoints(workspace: Workspace, found: list[copies.Checkpoint]) -> None:
    rows = [{**one._asdict(), "at": output.iso(one.at)} for one in found]
    workspace.show(rows, *([] if rows else ["There are no checkpoints; `psychmem checkpoint create NAME` makes one."]))


@project.command("merge", writes=True)
def merge_projects(
    workspace: Workspace,
    source: Annotated[str, argument("FROM", "The project that is emptied.")],
    target: Annotated[str, argument("INTO", "The one that gets its memories; a directory may be new here.")],
) -> None:
    """Move all memories of one project into another. `psychmem undo --all-projects` takes it back."""
    with workspace.acting() as act:
        one, other = project_named(act.db, source, workspace), project_named(act.db, target, workspace, new=True)
        moved, doubles = actions.merge_projects(act, one.id, other.id)
    moves = {"moved": [out.memory.id for out in moved], "known": [out.memory.id for out in doubles]}
    told = f"{workspace.word('move', 'moved')} {output.counted(len(moved), 'memory')} from {one.name} to {other.name}"
    workspace.answer(moves, f"{told}; known there already: {len(doubles)}")


@project.command("forget", writes=True)
def forget_project(workspace: Workspace, name: ProjectName, yes: Yes = False) -> None:
    """Take everything of a project out of use. Its conversations for good; `undo --all-projects` brings back the rest."""
    with workspace.store() as db:
        found = project_named(db, name, workspace)
        said = output.counted(len(episodes.kept(db, project=found.id)), "exchange")
    workspace.ask(f"Forget everything of {found.name} ({found.id}), its conversations for good?", yes=yes)
    with workspace.acting() as act:
        done = actions.forget_project(act, found.id)
    told = f"{workspace.word('forget', 'forgot')} {output.counted(len(done), 'memory')} of {found.name}, and {said} for good"
    workspace.answer([out.memory.id for out in done], told)


@app.command(writes=True)
def forget(
    workspace: Workspace,
    memory_ids: Annotated[list[str] | None, argument("ID …", "One memory or several.")] = None,
    about: Annotated[str, option("--about TEXT", "All that speaks of it, in any project or spelling; exchanges for good.")] = "",
    purge: Annotated[bool, option("--purge", "Leave no byte of the text in any file of ours. Cannot be undone.")] = False,
    yes: Yes = False,
) -> None:
    """Take memories out of use, or off the disk with --purge. `psychmem undo` brings memories back, except after --purge."""
    keys, about = memory_ids or [], about.strip()
    usage_error_if(bool(keys) == bool(about), "give either IDs or --about TEXT", "ID")
    if about:
        return _forget_about(workspace, about, purge=purge, yes=yes)
    if purge:
        with workspace.store() as db:
            named = [rows.by_id(db, key).id for key in keys]
            found, said = erasure.going(db, named)
            told: dict[str, object] = {"memories": len(found), "ids": [one.id for one in found], "exchanges": len(said)}
            if not workspace.json:
                lines = [f"{output.short(one.id)} {one.text}" for one in found]
                lines += [f"{output.counted(len(said), 'exchange')} in which it was said"] * bool(said)
                output.say(*(f"{workspace.word('purge', 'to be purged')}: {line}" for line in lines))
                output.warn(_IN_OTHER_WORDS)
            if workspace.dry_run:
                return workspace.answer(told)
            workspace.ask(_FOR_GOOD, yes=yes)
            receipt = erasure.erase(db, named, workspace.workplace, workspace.now)
        return _tell_receipt(workspace, receipt, len(said), {**told, **receipt._asdict()})
    with workspace.acting() as act:
        done = actions.forget(act, keys)
        gone = {one.memory.id for one in done}
        built = (one for key in gone for one in history.dependents(act.db, key) if act.who.may(Action.LOOK, one))
        left = {one.id: one for one in built if one.id not in gone}
    workspace.say_done(done, "forgot")
    output.warn(*(f"{output.short(one.id)} was built on it and stays: {one.text}" for one in left.values()))


def _tell_receipt(workspace: Workspace, receipt: Receipt, said: int, told: object) -> None:
    workspace.refresh()
    counts = ((receipt.memories, "memory"), (said, "exchange"), (receipt.rows, "row"))
    gone = ", ".join(output.counted(*one) for one in counts)
    workspace.answer(told, f"purged {gone}; cleaned {len(receipt.copies)} checkpoints and backups too")
    if workspace.json:
        return
    output.warn(*(f"memory {output.short(other)} still contains the text" for other in receipt.still_in))
    held = {str(workspace.database): "another program reads it; close that, then run `psychmem doctor --upkeep`"}
    output.warn(*(f"{path} may still hold it; {held.get(path, 'take it out by hand')}" for path in receipt.unclean))
    for agent in (CLAUDE_CODE, OPENCODE):  # which `db_path` may give a store each
        if (other := database(workspace.env, agent)) != workspace.database and other.exists():
            output.warn(f"{other} is another store, and was left alone; say the same there with PSYCHMEM_AGENT_TYPE={agent}")
    output.warn(*(f"it was said in a conversation whose transcript is the client's: {path}" for path in receipt.may_remain))
    output.warn("Copies may remain in your exports, your own backups and the client's transcripts; those are not ours.")


def _forget_about(workspace: Workspace, text: str, *, purge: bool, yes: bool) -> None:
    with workspace.store() as db:
        subject, found, said = erasure.about(db, text, every_status=purge)
        if not workspace.json:
            places, names = sessions.project_names(db), ", ".join(subject.names)
            output.say(f"{output.counted(len(found), 'memory')} and {output.counted(len(said), 'exchange')} about {names}:")
            output.say(*(f"  {output.short(one.id)} ({history.place_name(one.project, places)}) {one.text}" for one in found))
            output.say("Exchanges go for good." + " Quotes, contexts and journals are searched too." * purge)
        told = {"names": list(subject.names), "memories": [output.row(memory) for memory in found]}
        if workspace.dry_run:
            return workspace.answer(told)
        if found or said:
            workspace.ask(_FOR_GOOD if purge else "Forget all of this?", yes=yes)
        if purge:
            ids = [memory.id for memory in found]
            receipt = erasure.erase(db, ids, workspace.workplace, workspace.now, subject=subject)
            return _tell_receipt(workspace, receipt, len(said), {**told, "receipt": receipt._asdict()})
        with connection.transaction(db):
            episodes.forget(db, said)
    if found:
        with workspace.acting() as act:
            actions.forget(act, [memory.id for memory in found], reason="forgotten by subject")
    return workspace.answer(told, *([f"forgot {len(found)}; `psychmem undo` takes that back"] if found else []))
