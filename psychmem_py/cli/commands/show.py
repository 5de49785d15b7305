"""psychmem show: one memory on a page, everything that happened to it, and why it was kept: its evidence, its strength, its curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, option
from psychmem_py.cli.context import Id, Workspace, workspace_of
from psychmem_py.curation import history
from psychmem_py.errors import NotFoundError
from psychmem_py.memory.forgetting import retrievability, would_confirm
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import HELD, HUMAN, Memory, Store
from psychmem_py.model.settings import Settings
from psychmem_py.store import overview, rows
from psychmem_py.text.dates import DAY_S

if TYPE_CHECKING:
    from psychmem_py.curation.explain import Explanation

_BARS = "▁▂▃▄▅▆▇█"
_CURVE_D = range(0, 181, 6)  # days from now: half a year in thirty columns
_HISTORY = 8  # last steps that a page shows


@app.command(epilog=examples("show 3f2a91cc", "show 3f2a91cc --all", "show 3f2a91cc --history"), here=True)
def show(
    memory_id: Id,
    all_: Annotated[bool, option("--all", "Also why it was kept, and the formula of its strength.")] = False,
    history_: Annotated[bool, option("--history", "Everything that ever happened to it, oldest first.")] = False,
) -> None:
    """One memory: who said it, where it holds, how it fades. Also its links and its history."""
    workspace = workspace_of()
    if history_:
        return _steps(workspace, memory_id)
    with workspace.reading() as db:
        try:
            memory = workspace.who.one(db, memory_id)
        except NotFoundError:
            from psychmem_py.cli import views  # noqa: PLC0415  # a memory is shown without

            if not views.outlined(workspace, db, memory_id):
                raise
            return
        evidence, links = rows.evidence(db, memory.id), rows.links(db, memory.id)
        linked = rows.several(db, [end for link in links for end in (link.source, link.target)])
        names, steps = overview.project_names(db), history.history(db, memory.id)
    held = _held_to(memory, workspace.root_of(memory))
    why = None
    if all_:
        from psychmem_py.curation.explain import explain  # noqa: PLC0415  # the brief, which a page does without: 20 ms

        why = explain(memory, evidence, settings=workspace.settings, now=workspace.now)
    if workspace.json:
        shown = {"evidence": [output.evidence_row(one) for one in evidence], "links": [output.link_row(one) for one in links]}
        page = {**output.row(memory), **shown, "at_tool_calls": held}
        if why:
            curve = [{"days": days, "retrievability": round(value, 4)} for days, value in why.curve]
            page |= {**why._asdict(), "curve": curve, "history": [output.logged_row(step) for step in steps]}
        return output.print_json(page)
    output.console().print(output.cell(memory.text, "bold"))
    output.console().print()
    output.details(_facts(memory, names, workspace.settings, workspace.now))
    if memory.kind in HELD:
        output.say(f"at tool calls: {held or 'no call to match; it is shown in the brief only'}")
    for found in evidence:
        quote = f': "{found.quote}"' if found.quote and found.quote != memory.text else ""
        where = f", session {output.conversation(found.session)}" if found.session else ""
        output.say(f"{output.minute(found.at)} {output.SAID_BY[found.origin]} ({found.method}{where}){quote}")
    for link in links:
        other = linked.get(link.target if link.source == memory.id else link.source)
        text = f" {other.text}" if other else ""
        way = link.type.value if link.source == memory.id else f"is what {output.short(link.source)} {link.type.value}:"
        output.say(f"link: {way} {output.short(other.id) if other else output.short(link.target)}{text}")
    if why:
        _print_why(memory, why)
    output.say("")
    for step in steps[-_HISTORY:]:
        undone = ", undone" if step.undone else ""
        output.say(f"{output.minute(step.at)} {history.action_of(step)} by {step.who or 'you'}{undone}")
    if len(steps) > _HISTORY:
        output.say(f"… and {len(steps) - _HISTORY} steps before; `psychmem show {output.short(memory.id)} --history`")


def _held_to(memory: Memory, root: str) -> str:
    """The tool calls at which a rule is shown; "" for none, and for what is no rule."""
    if memory.kind not in HELD:
        return ""
    from psychmem_py.briefing.actionable import held_to  # noqa: PLC0415  # the words of all acts: 15 ms only a rule needs

    return held_to(memory, root)


def _print_why(memory: Memory, why: Explanation) -> None:
    for gate in why.gates:
        output.say(gate)
    output.say(f"\nWhat it is worth: {memory.strength:.2f} of 1, the sum of the last column")
    made = output.table("what", "how much", "counts", "adds", "text")
    for one in why.features:
        counted = (f"{one['value']:.2f}", f"{one['weight']:+.2f}", f"{one['share']:+.3f}")
        made.add_row(one["name"], *counted, output.cell(_MEANT[one["name"]], "dim"))
    output.console().print(made)
    output.say("Left: " + ", ".join(f"{value:.0%} in {days} days" if days else f"{value:.0%} now" for days, value in why.curve))


def _steps(workspace: Workspace, memory_id: str) -> None:
    with workspace.reading() as db:
        lines = history.history(db, memory_id if workspace.who.is_person else workspace.who.one(db, memory_id).id)
    entries = [output.logged_row(line) for line in lines]
    if workspace.json:
        return output.print_json(entries)
    made = output.table("seq", "when", "what", "who", "text")
    for entry, line in zip(entries, lines, strict=True):
        what = f"{entry['type']}{' (undone)' if line.undone else ''}"
        different = history.differences(line.change)
        shown = " · ".join(str(part) for part in (entry["text"], different or entry["status"], line.change.reason) if part)
        made.add_row(str(line.seq), f"{entry['at']}"[:16].replace("T", " "), what, str(entry["who"]), output.cell(shown))
    output.console().print(made)


def _facts(memory: Memory, names: Mapping[str, str], settings: Settings, now: float) -> list[tuple[str, str]]:
    left = [retrievability(memory._replace(worked_d=memory.worked_d + days), now + days * DAY_S, settings) for days in _CURVE_D]
    curve = "".join(_BARS[min(7, int(value * 8))] for value in left)
    where = "in every project" if memory.project is None else f"in the project {output.told_in(memory, names)}"
    store = "long-term" if memory.store is Store.LTM else f"short-term: {would_confirm(memory)}"
    said_by = f"{output.SAID_BY[memory.origin]}, {output.minute(memory.created_at)}"
    used = f"used {output.counted(memory.use_count, 'time')}, said in {output.counted(memory.session_count, 'conversation')}"
    facts = (
        ("id", memory.id),
        ("class", memory.kind.value),
        ("holds", where),
        ("said by", said_by + (f", with {memory.agent}" if memory.agent else "")),
        ("store", f"{store}{'' if memory.origin in HUMAN else '; no person has said so'}"),
        ("status", f"{memory.status.value}{', pinned' if memory.pinned else ''}, tier {memory.tier.value}"),
        ("fades", f"{curve} {left[0]:.0%} left now, {left[-1]:.0%} in half a year" if memory.status in LIVE else ""),
        ("strength", f"{memory.strength:.2f}, {used}"),
        ("expires", output.minute(memory.expires_at) if memory.expires_at else ""),
        ("tags", ", ".join(memory.tags)),
        ("names", ", ".join(memory.names)),
        ("around it", memory.context),
        ("more", ", ".join(f"{field} {value}" for field, value in memory.metadata)),
    )
    return [(name, value) for name, value in facts if value]


_MEANT = {
    "recency": "how lately it was said or came up",
    "frequency": "in how many conversations it was said",
    "importance": "how much its words matter",
    "utility": "whether it helped: good, bad, uses",
    "novelty": "how little else says the same",
    "confidence": "how sure it is that it was meant to last",
    "interference": "how much it competes with others",
}
