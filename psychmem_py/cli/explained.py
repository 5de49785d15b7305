"""Why a memory was kept, for `psychmem show --all`: its evidence, the formula of its strength, its curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psychmem_py.briefing.actionable import held_to
from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.curation import explain
from psychmem_py.curation.explain import Explanation
from psychmem_py.model.terms import HELD
from psychmem_py.store import projects

_BAR_WIDTH = 30
_MEANT = {
    "recency": "how lately it was said or came up",
    "frequency": "in how many conversations it was said",
    "importance": "how much its words matter",
    "utility": "whether it helped: good, bad, uses",
    "novelty": "how little else says the same",
    "confidence": "how sure it is that it was meant to last",
    "interference": "how much it gets in the way of others",
}


def explained(workspace: Workspace, memory_id: str) -> None:
    """Prints everything that is known of a memory."""
    with workspace.reading() as db:
        found = explain.explain(db, workspace.who.one(db, memory_id).id, settings=workspace.settings, now=workspace.now)
        root = workspace.root_of(found.memory)
        return output.print_json(_explained(found, root)) if workspace.json else _print_explained(found, projects.names(db), root)


def _explained(found: Explanation, root: str) -> dict[str, Any]:
    return {
        **output.row(found.memory),
        "evidence": [output.evidence_row(one) for one in found.evidence],
        "gates": list(found.gates),
        "features": [feature._asdict() for feature in found.features],
        "would_confirm": found.would_confirm,
        "curve": [{"days": days, "retrievability": round(value, 4)} for days, value in found.curve],
        "history": [output.logged_row(line) for line in found.history],
        "links": [output.link_row(link) for link in found.links],
        "at_tool_calls": held_to(found.memory, root),
    }


def _later(days: int) -> str:
    """A moment to come, in words: "now", "in 30 days"."""
    return f"in {output.counted(days, 'day')}" if days else "now"


def _print_explained(found: Explanation, names: Mapping[str, str], root: str) -> None:
    memory = found.memory
    output.out.print(output.cell(memory.text), soft_wrap=True)
    where = "in every project" if memory.project is None else f"in {output.told_in(memory, names)}"
    output.say(f"{memory.kind.value}, {where}, {memory.status.value}, {memory.store.value}")
    if found.would_confirm:
        output.say(found.would_confirm[:1].upper() + found.would_confirm[1:])
    if memory.kind in HELD:
        output.say(f"at tool calls: {held_to(memory, root) or 'nothing to wait for; it is shown in the brief only'}")
    output.say("")
    output.say("Why it was kept")
    for one in found.evidence:
        said = f': "{one.quote}"' if one.quote else ""
        at = (output.iso(one.at) or "")[:16].replace("T", " ")
        output.say(f"  {at} {output.SAID_BY[one.origin]} ({one.method}){said}")
    for gate in found.gates:
        output.say(f"  {gate}")
    output.say("")
    output.say(f"What it is worth: {memory.strength:.2f} of 1, the sum of the last column")
    made = output.table("what", "how much", "counts", "adds", "")
    for feature in found.features:
        counted = (f"{feature.value:.2f}", f"{feature.weight:+.2f}", f"{feature.share:+.3f}")
        made.add_row(feature.name, *counted, output.cell(_MEANT[feature.name], "dim"))
    made.columns[4].no_wrap = False
    output.out.print(made)
    output.say("")
    output.say("What will be left of it")
    output.details(
        (f"  {_later(days)}", f"{'█' * round(value * _BAR_WIDTH)}{'·' * (_BAR_WIDTH - round(value * _BAR_WIDTH))} {value:.0%}")
        for days, value in found.curve
    )
    output.say(
        f"{output.counted(len(found.history), 'change')}; `psychmem show {output.short(memory.id)} --history` shows {'it' if len(found.history) == 1 else 'them'}"
    )
