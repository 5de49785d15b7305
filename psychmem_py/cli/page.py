"""One memory as a page for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from psychmem_py.cli import output
from psychmem_py.curation import history
from psychmem_py.memory.consolidation import would_confirm
from psychmem_py.memory.forgetting import retrievability
from psychmem_py.model.records import Evidence, Link, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, Store
from psychmem_py.store.change_log import Logged
from psychmem_py.text.dates import DAY_S

_BARS = "▁▂▃▄▅▆▇█"
_CURVE_D = range(0, 181, 6)  # days from now: half a year in thirty columns
_HISTORY = 8  # last steps that a page shows


def show(
    memory: Memory,
    evidence: Sequence[Evidence],
    links: Iterable[Link],
    steps: Sequence[Logged],
    *,
    held: str,
    names: Mapping[str, str],
    tied_to: Mapping[str, Memory],
    settings: Settings,
    now: float,
) -> None:
    """Prints the sentence, then where it comes from, where it goes, and what happened to it."""
    output.out.print(output.cell(memory.text, "bold"))
    output.out.print()
    output.details(_facts(memory, names, settings, now))
    if held:
        output.say(f"at tool calls: {held}")
    for found in evidence:
        quote = f': "{found.quote}"' if found.quote and found.quote != memory.text else ""
        where = f", session {output.conversation(found.session)}" if found.session else ""
        output.say(f"{_day(found.at)} {output.SAID_BY[found.origin]} ({found.method}{where}){quote}")
    for link in links:
        other = tied_to.get(link.target if link.source == memory.id else link.source)
        text = f" {other.text}" if other else ""
        way = link.type.value if link.source == memory.id else f"is what {output.short(link.source)} {link.type.value}:"
        output.say(f"link: {way} {output.short(other.id) if other else output.short(link.target)}{text}")
    output.say("")
    for step in steps[-_HISTORY:]:
        undone = ", undone" if step.undone else ""
        output.say(f"{_day(step.at)} {history.action_of(step)} by {step.who or 'you'}{undone}")
    if len(steps) > _HISTORY:
        output.say(f"… and {len(steps) - _HISTORY} steps before; `psychmem history {output.short(memory.id)}`")


def _facts(memory: Memory, names: Mapping[str, str], settings: Settings, now: float) -> list[tuple[str, str]]:
    left = [retrievability(memory._replace(worked_d=memory.worked_d + days), now + days * DAY_S, settings) for days in _CURVE_D]
    curve = "".join(_BARS[min(7, int(value * 8))] for value in left)
    where = "in every project" if memory.project is None else f"in the project {output.told_in(memory, names)}"
    store = "long-term" if memory.store is Store.LTM else f"short-term: {would_confirm(memory)}"
    facts = [
        ("id", memory.id),
        ("class", memory.kind.value),
        ("told", where),
        (
            "said by",
            f"{output.SAID_BY[memory.origin]}, {_day(memory.created_at)}" + (f", with {memory.agent}" if memory.agent else ""),
        ),
        ("store", f"{store}{'' if memory.origin in HUMAN else '; nobody has said so in person'}"),
        ("status", f"{memory.status.value}{', pinned' if memory.pinned else ''}, tier {memory.tier.value}"),
        ("fades", f"{curve} {left[0]:.0%} left now, {left[-1]:.0%} in half a year"),
        (
            "strength",
            f"{memory.strength:.2f}, used {output.counted(memory.use_count, 'time')}, said in {output.counted(memory.session_count, 'conversation')}",
        ),
    ]
    optional = (
        ("expires", _day(memory.expires_at) if memory.expires_at else ""),
        ("tags", ", ".join(memory.tags)),
        ("names", ", ".join(memory.names)),
        ("around it", memory.context),
        ("more", ", ".join(f"{field} {value}" for field, value in memory.metadata)),
    )
    return [*facts, *((name, value) for name, value in optional if value)]


def _day(at: float) -> str:
    return (output.iso(at) or "")[:16].replace("T", " ")
