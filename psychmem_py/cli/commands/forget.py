"""psychmem forget: memories out of use by id or by subject, or off the disk. Apart, because subjects load names and scripts."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, examples, option
from psychmem_py.cli.context import Workspace, Yes, ask, workspace_of
from psychmem_py.cli.outcomes import refresh, tell
from psychmem_py.curation import actions
from psychmem_py.curation.erasure import about as found_about
from psychmem_py.curation.erasure import erase
from psychmem_py.memory.mentions import Subject
from psychmem_py.model.records import Memory, Status
from psychmem_py.store import episodes, rows
from psychmem_py.store.care.purge import Receipt
from psychmem_py.store.connection import transaction
from psychmem_py.text.tokenizer import content_words


def purge_ids(workspace: Workspace, keys: Sequence[str], *, yes: bool) -> None:
    """Removes memories from the disk after asking, and says where copies may remain."""
    with workspace.store() as db:
        found = [rows.by_id(db, key) for key in keys]
        alike = _in_other_words(db, found)
        if not workspace.json:
            for memory in found:
                output.say(f"{workspace.word('purge', 'to be purged')}: {output.short(memory.id)} {memory.text}")
            for memory in alike:
                output.warn(f"stays: {output.short(memory.id)} {memory.text}")
            if alike:
                output.warn(_IN_OTHER_WORDS)
        if workspace.dry_run:
            return
        if not yes:
            ask(_FOR_GOOD)
        receipt = purged(workspace, db, found)
    refresh(workspace)
    if workspace.json:
        return output.print_json({**receipt._asdict(), "in_other_words": [memory.id for memory in alike]})
    tell_receipt(receipt)


_FOR_GOOD = "Remove this from every file of ours for good?"
_IN_OTHER_WORDS = "It may say the same in other words; `psychmem forget --about TEXT --purge` takes all that speak of something."


_ALIKE = 0.6  # share of the shorter text's words by which another memory may well hold what is to go


def _in_other_words(db: sqlite3.Connection, found: Sequence[Memory]) -> list[Memory]:
    """Memories besides `found` that may say the same in other words: nobody asked for them to go, and they hold what is to go."""
    ids = {memory.id for memory in found}
    others = [memory for memory in rows.listed(db, all_projects=True, statuses=tuple(Status)) if memory.id not in ids]
    return [other for other in others if any(_says_alike(other.text, memory.text) for memory in found)]


def _says_alike(one: str, other: str) -> bool:
    words, others = set(content_words(one)), set(content_words(other))
    shared = len(words & others)
    return shared > 1 and shared >= _ALIKE * min(len(words), len(others))


def tell_receipt(receipt: Receipt) -> None:
    """What a purge removed, and where copies may remain."""
    gone = f"{output.some_memories(receipt.memories)}, {output.counted(receipt.rows, 'row')}"
    output.say(f"purged {gone}; cleaned {len(receipt.copies)} checkpoints and backups too")
    for other in receipt.still_in:
        output.warn(f"memory {output.short(other)} still contains the text")
    for path in receipt.unclean:
        output.warn(f"{path} could not be cleaned; remove it by hand")
    for path in receipt.may_remain:
        output.warn(f"it was said in a conversation whose transcript is the client's: {path}")
    output.warn("Copies may remain in your exports, your own backups and the client's transcripts; those are not ours.")


def purged(workspace: Workspace, db: sqlite3.Connection, found: Sequence[Memory], subject: Subject | None = None) -> Receipt:
    """Removes memories from the store, its copies, the journals that wait to be taken up, and every memory folder."""
    ids = [memory.id for memory in found]
    return erase(db, ids, database=workspace.database, env=workspace.env, now=workspace.now, subject=subject)


def forget_about(workspace: Workspace, text: str, *, purge: bool, yes: bool) -> None:
    """Lists all that speaks of `text`, asks, and takes it out of use or, with `purge`, off the disk."""
    receipt = None
    with workspace.store() as db:
        subject, found, said = found_about(db, text, every_status=purge)
        if not workspace.json:
            _list_subject(subject, found, len(said), purge=purge)
        if (found or said) and not (workspace.dry_run or yes):
            ask(_FOR_GOOD if purge else "Forget all of this?")
        if purge and not workspace.dry_run:
            receipt = purged(workspace, db, found, subject)
        elif not workspace.dry_run:
            with transaction(db):
                episodes.forget(db, said)
    if found and not (purge or workspace.dry_run):
        with workspace.acting() as act:
            actions.forget(act, [memory.id for memory in found], reason="forgotten by subject")
    refresh(workspace)
    told = {"names": list(subject.names), "memories": [output.row(memory) for memory in found]}
    workspace.answer({**told, "receipt": receipt._asdict()} if receipt else told)
    if receipt and not workspace.json:
        tell_receipt(receipt)
    elif found and not (workspace.dry_run or workspace.json):
        output.say(f"forgot {len(found)}; `psychmem undo` brings them back")


def _list_subject(subject: Subject, found: Sequence[Memory], exchanges: int, *, purge: bool) -> None:
    names = ", ".join(subject.names)
    if found:
        output.say(f"{output.some_memories(len(found))} {'speaks' if len(found) == 1 else 'speak'} of {names}:")
    else:
        all_the_same = " Quotes, contexts and journals are searched all the same." if purge else ""
        output.say(f"No memory speaks of {names}.{all_the_same}")
    for memory in found:
        output.say(f"  {output.short(memory.id)} {memory.text}")
    if exchanges:
        output.say(f"{output.counted(exchanges, 'exchange')} of earlier conversations too, for good.")


@app.command(epilog=examples("forget 3f2a91cc", "forget 3f2a91cc --purge --yes", 'forget --about "Zhang Wei"'), writes=True)
def forget(
    memory_ids: Annotated[list[str] | None, argument("ID", "One memory or several.")] = None,
    about: Annotated[str, option("--about TEXT", "All that speaks of this, in whatever spelling or script.")] = "",
    purge: Annotated[bool, option("--purge", "Leave no byte of the text in any file of ours. Cannot be undone.")] = False,
    yes: Yes = False,
) -> None:
    """Take memories out of use, or off the disk with --purge. `psychmem undo` brings them back, except after --purge."""
    if bool(memory_ids) == bool(about.strip()):
        raise typer.BadParameter("give either IDs or --about TEXT", param_hint="ID")
    workspace = workspace_of()
    if about:
        return forget_about(workspace, about, purge=purge, yes=yes)
    keys = memory_ids or []
    if purge:
        return purge_ids(workspace, keys, yes=yes)
    with workspace.acting() as act:
        done = actions.forget(act, keys)
        gone = {one.memory.id for one in done}
        left = {one.id: one for key in gone for one in actions.dependents(act.db, key) if one.id not in gone}
    tell(workspace, done, "forgot")
    for one in left.values():
        output.warn(f"{output.short(one.id)} was built on it and stays: {one.text}")
