"""The store looked at as a whole, for `psychmem list`: the day, what is alike, the figures, the projects. Apart, as a list needs none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.curation.pending import SOON_D, items
from psychmem_py.curation.pending import today as looked_at
from psychmem_py.home import health
from psychmem_py.home.places import data_folder
from psychmem_py.judging import clients
from psychmem_py.memory.clusters import clusters
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import HELD, Memory, Status
from psychmem_py.recall import memory_line
from psychmem_py.recall.brief_text import tokens
from psychmem_py.store import by_meaning, overview, rows
from psychmem_py.store.overview import Usefulness, usefulness

_DAYS = 30


def today(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints what was kept today, what is pending, and what is about to fade."""
    with workspace.reading() as db:
        found = looked_at(db, workspace.project_id, workspace.settings, workspace.now, all_projects=all_projects)
    if workspace.json:
        waiting = [{"id": one.id, "text": one.text} for one in found.pending]
        kept, fading = ([output.row(one) for one in those] for those in (found.kept, found.fading))
        return output.print_json({"kept": kept, "waiting": waiting, "fading": fading})
    pending = f"{len(found.pending)} pending" if found.pending else "Pending"
    groups = (("Kept today", found.kept), (pending, found.pending), (f"Fades within {SOON_D} days", found.fading))
    for title, group in groups:
        output.say(f"{title}: {'' if group else 'nothing'}")
        for one in group:
            output.say(f"  {output.short(one.id)} {one.text}")


def rules(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints the rules, each with the calls it waits for."""
    from psychmem_py.briefing.actionable import held_to  # noqa: PLC0415  # the words of all acts: the other views do without

    with workspace.reading() as db:
        found = rows.listed(db, project=workspace.project_id, all_projects=all_projects, kinds=HELD)
    held = [held_to(one, workspace.root_of(one)) for one in found]
    pairs = [*zip(found, held, strict=True)]
    lines = (f"{output.short(one.id)} {one.text}\n         {how or 'shown in the brief only'}" for one, how in pairs)
    workspace.answer(
        [{**output.row(one), "at_tool_calls": how} for one, how in pairs], *lines, *([] if pairs else ["No rules here."])
    )


def alike(workspace: Workspace, *, least: float | None, all_projects: bool) -> None:
    """Prints memories that say nearly the same, in groups; `least` is how alike two must be."""
    with workspace.reading() as db:
        there = rows.listed(db, project=workspace.project_id, all_projects=all_projects)
        near = by_meaning.nearness(there, database=str(workspace.database), data=data_folder(workspace.env))
        found = clusters(there, near, least)
    if workspace.json:
        groups = [{"cohesion": round(one.cohesion, 4), "memories": [*map(output.row, one.memories)]} for one in found]
        return output.print_json(groups)
    if not found:
        return output.say("No two memories here say nearly the same.")
    for one in found:
        output.say(f"{len(one.memories)} memories, cohesion {one.cohesion:.2f}:")
        for memory in one.memories:
            output.say(f"  {output.short(memory.id)} {memory.text}")
        output.say(f"  psychmem review --merge {' '.join(output.short(memory.id) for memory in one.memories)}")


def known_projects(workspace: Workspace) -> None:
    """Prints every project with how many memories it has, where it is and when it was last worked in."""
    with workspace.reading() as db:
        found = [(one, number, len(items(db, project=one.id))) for one, number in overview.with_counts(db)]
    if workspace.json:
        rows = (one._asdict() | {"seen_at": output.iso(one.seen_at), "memories": n, "waiting": waits} for one, n, waits in found)
        return output.print_json(list(rows))
    if not found:
        return output.say("No project is known yet.")
    made = output.table("name", "memories", "pending", "last", "text")
    made.columns[4].header = "directory, or id where it has none"
    for one, number, waits in found:
        where = output.cell(one.root or one.id)
        made.add_row(output.cell(one.name), str(number), str(waits or ""), output.ago(one.seen_at, workspace.now), where)
    output.console().print(made)


def figures(workspace: Workspace, *, all_projects: bool) -> None:
    """Prints the store in figures: classes, projects, languages; what was shown, what it cost, how much came up again."""
    with workspace.reading() as db:
        helped = usefulness(db, now=workspace.now, days=_DAYS, project=workspace.project_id, all_projects=all_projects)
        found = rows.listed(db, project=workspace.project_id, all_projects=all_projects, statuses=list(Status))
        shown = overview.shown_to(db, project=workspace.project_id, all_projects=all_projects)
        names = overview.project_names(db)
    live = [one for one in found if one.status in LIVE]
    by = {
        "status": Counter(one.status.value for one in found),
        "class": Counter(one.kind.value for one in found),
        "scope": Counter(one.scope.value for one in found),
        "store": Counter(one.store.value for one in live),
        "told_in": Counter(output.told_in(one, names) for one in live),
        "language": Counter(one.language or "none" for one in live),
    }
    cost = _cost(found, shown)
    beats = dict(sorted(health.beats(workspace.directories.data).items()))
    taken = health.times(workspace.directories.data, workspace.now)
    record = clients.recorded(workspace.directories.data)
    judged = record.totals() if record.days or workspace.settings.judge.by else {}
    if workspace.json:
        told: dict[str, object] = {"total": len(found), **{f"by_{name}": dict(counted) for name, counted in by.items()}}
        told |= {"told": cost, "hooks": {event: output.iso(at) for event, at in beats.items()}}
        told |= {"hook_times": taken, "helped": {"days": _DAYS, **helped._asdict()}}
        return output.print_json({**told, "judge": judged} if judged else told)
    output.say(f"{output.some_memories(len(found))}, {len(live)} of them in use")
    ran = ", ".join(f"{event} {output.ago(at, workspace.now)}" for event, at in beats.items())
    facts = [(name.replace("told_", "holds "), _listed(counted)) for name, counted in by.items() if name != "scope"]
    facts += [("shown so far", _lines(cost)), (f"{_DAYS} days", _told(helped)), ("hooks ran", ran or "never yet")]
    output.details([*facts, ("hook times", output.hook_times(taken))] if taken else facts)
    if judged:
        output.details([("reader", clients.told(judged))])


def _told(helped: Usefulness) -> str:
    if not helped.shown:
        return "nothing shown"
    ways = f"restated {helped.restated}, echoed in work {helped.echoed}, rated good or touched {helped.voted}"
    cost = f"; a brief costs about {helped.brief_chars} characters ({helped.briefs} shown)" if helped.briefs else ""
    shown = f"{helped.shown} shown in {output.counted(helped.sessions, 'conversation')}"
    return f"{shown}, {round(100 * helped.again / helped.shown)} % came up again ({ways}){cost}"


def _cost(found: Iterable[Memory], told: Collection[tuple[str, str, str, float]]) -> dict[str, Any]:
    """How many lines were told to how many conversations, where, and about how many tokens they were."""
    size = {one.id: tokens(memory_line.one_line(one)) for one in found}
    conversations, total = len({session for _, session, _, _ in told}), sum(size.get(memory, 0) for _, _, memory, _ in told)
    places = dict(Counter(channel for channel, *_ in told))
    return {"lines": len(told), "conversations": conversations, "tokens": total, "by_place": places}


def _lines(cost: Mapping[str, Any]) -> str:
    if not cost["lines"]:
        return "nothing yet"
    where = _listed(Counter({channel.replace("memory_md", "MEMORY.md"): number for channel, number in cost["by_place"].items()}))
    there = f"{output.counted(cost['lines'], 'line')} in {output.counted(cost['conversations'], 'conversation')}"
    return f"{there}, about {cost['tokens']} tokens ({where})"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{value} {number}" for value, number in counts.most_common()) or "none"
