"""How sync stands, for people and programs: remotes, lanes, what waits, what could not be read, what would leave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.safety.control_chars import line
from psychmem_py.store import operations, remotes
from psychmem_py.sync import identity
from psychmem_py.sync.exchange import Leaving, MeetingNeeds, leaving
from psychmem_py.sync.op import Op, OpKind
from psychmem_py.sync.op import line as op_line
from psychmem_py.text.tokenizer import clip

NO_REMOTE = "There is no remote; `psychmem share add NAME FOLDER` names one."


def status_of(needs: MeetingNeeds, *, brief: bool = False) -> dict[str, Any]:
    """Everything there is to know, as JSON has it. `brief` leaves out what asks the remotes."""
    device = identity.device(needs.db, needs.database)
    shares = remotes.shares(needs.db)
    waiting = operations.waiting(needs.db)
    out = {} if brief else {one.remote: len(one.operations) for one in leaving(needs)}
    found = []
    for one in remotes.remotes(needs.db):
        told: dict[str, Any] = {
            "name": one.name,
            "url": one.url,
            "mine": one.mine,
            "synced_at": output.iso(one.synced_at),
            "failed_times": one.failed_times,
            "fault": one.fault,
            "shares": sorted(project or scope for (scope, _, project), names in shares.items() if one.name in names),
            "lanes": [
                {"device": mark.lane[0], "author": mark.author, "mine": mark.mine, "scope": mark.lane[1], "project": mark.lane[3],
                 "read": mark.seq, "at": output.iso(mark.at)}
                for mark in operations.marks(needs.db, one.name).values() if mark.lane[0] != device.id
            ],
        }  # fmt: skip
        found.append(told if brief else {**told, "leaving": out.get(one.name, 0)})
    letters = [
        {"remote": one.remote, "device": one.lane[0], "seq": one.seq, "why": one.why} for one in operations.dead_letters(needs.db)
    ]
    return {
        "device": device.id,
        "as": device.name,
        "changes_not_looked_at": waiting,
        "remotes": found,
        "dead_letters": letters,
        "trusted": [f"{name} by {remote}" for remote, name in sorted(remotes.trusted(needs.db))],
    }


def tell_status(found: dict[str, Any]) -> None:
    """How things stand, in sentences."""
    output.say(f"this machine: {found['as']} ({found['device'][:8]})")
    for one in found["remotes"]:
        goes = ", ".join(output.last_part(name) if name != "personal" else "what is remembered of you" for name in one["shares"])
        output.say(f"{one['name']}: {one['url']}{' (all yours)' if one['mine'] else ''}")
        output.say(f"  goes there: {goes or 'nothing'}")
        output.say(
            f"  last met: {one['synced_at'] or 'never'}" + (f"; {one['leaving']} operations wait" if one.get("leaving") else "")
        )
        if one["fault"]:
            output.say(f"  failed {output.counted(one['failed_times'], 'time')}: {one['fault']}")
        for lane in one["lanes"]:
            output.say(
                f"  {line(lane['author'])} ({lane['device'][:8]}), {output.last_part(lane['project']) if lane['project'] else lane['scope']}: read to {lane['read']}"
            )
    if not found["remotes"]:
        output.say(NO_REMOTE)
    for letter in found["dead_letters"][:20]:
        output.say(f"put aside: {letter['device'][:8]} {letter['seq']} by {letter['remote']}: {line(letter['why'])}")
    if found["trusted"]:
        output.say(f"rules need no review of: {', '.join(map(line, found['trusted']))}")


def tell_leaving(workspace: Workspace, found: Sequence[Leaving]) -> None:
    """What would be sent, memory by memory; every operation word for word in JSON."""
    if workspace.json:
        return output.print_json(
            [{"remote": one.remote, "operations": [json.loads(op_line(op)) for op in one.operations]} for one in found]
        )
    if not found:
        output.say(NO_REMOTE)
    for one in found:
        by_memory: dict[str, list[Op]] = {}
        for op in one.operations:
            by_memory.setdefault(op.memory, []).append(op)
        output.say(
            f"dry run: {one.remote} would be sent {output.counted(len(one.operations), 'operation')} about {output.some_memories(len(by_memory))}"
        )
        for memory, ops in by_memory.items():
            output.say(f"  {output.short(memory)} {_deed(ops)}")
    return None


def _deed(ops: list[Op]) -> str:
    text = next((str(op.value) for op in ops if op.kind == OpKind.PUT and op.field == "text"), "")
    told = ", ".join(dict.fromkeys(op.field if op.kind == OpKind.PUT else op.kind for op in ops))
    return f"{told}: {clip(line(text), 100)}" if text else told


def dead_and_lost(db: Any) -> tuple[int, list[str]]:  # noqa: ANN401 - a connection
    """How many lines were put aside, and what the remotes that failed last say."""
    lost = [f"{one.name}: {one.fault}" for one in remotes.remotes(db) if one.fault]
    return len(operations.dead_letters(db)), lost
