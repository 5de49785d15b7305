"""explain and why: where a memory comes from, why it was told or not, and why a sentence did not become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from psychmem_py.briefing.actionable import held_to
from psychmem_py.cli import output, phrase_report
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import Json, ProjectOption, workspace_of
from psychmem_py.cli.reading import matcher, overlay
from psychmem_py.curation import explain, links
from psychmem_py.curation.explain import Explanation, Recalled, WhyNot
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from psychmem_py.store import projects, rows

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


@app.command("explain", epilog=examples("psychmem explain 3f2a91cc", "psychmem explain --last"))
def explain_(
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="A memory.")] = "",
    last: Annotated[
        bool, typer.Option("--last", help="What the last session was told instead, why, and what came near.")
    ] = False,
    session: Annotated[str, typer.Option("--session", metavar="ID", help="With --last: that session.")] = "",
    project: ProjectOption = None,
    json_: Json = False,
) -> None:
    """Why a memory was kept: its evidence, the gates, the features of its strength, its curve, its history."""
    if bool(memory_id) == (last or bool(session)):
        raise typer.BadParameter("give either an ID or --last", param_hint="ID")
    workspace = workspace_of(project)
    with workspace.reading() as db:
        if memory_id:
            found = explain.explain(db, memory_id, settings=workspace.settings, now=workspace.now)
            return output.print_json(_explained(found)) if json_ else _print_explained(found, projects.names(db))
        told = explain.explain_last(
            db, session=session, project=workspace.project, settings=workspace.settings, now=workspace.now
        )
    if json_:
        return output.print_json(_recalled(told))
    at = (output.iso(told.at) or "")[:16].replace("T", " ")
    output.say(f"Session {told.session}, {at}, about {told.tokens} tokens:")
    output.details(
        (
            f"{output.short(said.memory.id)} {said.channel.replace('memory_md', 'MEMORY.md')}",
            f"{said.memory.text} ({said.reason})",
        )
        for said in told.shown
    )
    if told.near_misses:
        output.say("Near misses:")
        output.details((output.short(said.memory.id), f"{said.memory.text} ({said.reason})") for said in told.near_misses)


@app.command(epilog=examples("psychmem why 3f2a91cc", 'psychmem why --not "use pnpm"'))
def why(
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="A memory: what led to it.")] = "",
    not_: Annotated[str, typer.Option("--not", metavar="TEXT", help="A sentence: why it did not become a memory.")] = "",
    project: ProjectOption = None,
    json_: Json = False,
) -> None:
    """Why something was kept, or why a sentence was not."""
    if bool(memory_id) == bool(not_):
        raise typer.BadParameter("give either an ID or --not TEXT", param_hint="ID")
    workspace = workspace_of(project)
    with workspace.reading() as db:
        if not_:
            found = explain.why_not(db, not_, project=workspace.project, now=workspace.now)
            read = matcher(workspace)
            judged = _verdict(not_, read) if not any(found._replace(near=())) else ""
            matched = phrase_report.rows(not_, read, overlay(workspace))
            if json_:
                return output.print_json({**_why_not(found, judged), "matched": matched})
            _print_why_not(found, judged)
            return phrase_report.show(matched)
        memory, causes = rows.by_id(db, memory_id), links.why(db, memory_id)
    if json_:
        steps = [{"depth": cause.depth, "type": cause.link.type.value, **output.row(cause.memory)} for cause in causes]
        return output.print_json({"id": memory.id, "text": memory.text, "causes": steps})
    output.out.print(output.cell(memory.text), soft_wrap=True)
    for cause in causes:
        output.say(f"{'  ' * cause.depth}{cause.link.type.value} {output.short(cause.memory.id)} {cause.memory.text}")
    if not causes:
        output.say("Nothing that we know of led to it; `psychmem explain ID` shows its evidence.")


def _explained(found: Explanation) -> dict[str, Any]:
    return {
        **output.row(found.memory),
        "evidence": [output.evidence_row(one) for one in found.evidence],
        "gates": list(found.gates),
        "features": [feature._asdict() for feature in found.features],
        "would_confirm": found.would_confirm,
        "curve": [{"days": days, "retrievability": round(value, 4)} for days, value in found.curve],
        "history": [output.logged_row(line) for line in found.history],
        "links": [output.link_row(link) for link in found.links],
        "at_tool_calls": held_to(found.memory),
    }


def _later(days: int) -> str:
    """A moment to come, in words: "now", "in 30 days"."""
    return f"in {output.counted(days, 'day')}" if days else "now"


def _print_explained(found: Explanation, names: Mapping[str, str]) -> None:
    memory = found.memory
    output.out.print(output.cell(memory.text), soft_wrap=True)
    where = "told in every project" if memory.project is None else f"told in {output.told_in(memory, names)}"
    output.say(f"{memory.kind.value}, {where}, {memory.status.value}, {memory.store.value}")
    if found.would_confirm:
        output.say(found.would_confirm[:1].upper() + found.would_confirm[1:])
    if held := held_to(memory):
        output.say(f"at tool calls: {held}")
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
        f"{output.counted(len(found.history), 'change')}; `psychmem history {output.short(memory.id)}` shows {'it' if len(found.history) == 1 else 'them'}"
    )


def _recalled(told: Recalled) -> dict[str, Any]:
    def rows(said: tuple[explain.MemoryShown, ...]) -> list[dict[str, Any]]:
        return [{"id": one.memory.id, "text": one.memory.text, "place": one.channel, "reason": one.reason} for one in said]

    return {
        "session": told.session,
        "at": output.iso(told.at),
        "tokens": told.tokens,
        "shown": rows(told.shown),
        "near_misses": rows(told.near_misses),
    }


def _why_not(found: WhyNot, judged: str) -> dict[str, Any]:
    turned = [
        {"text": one.candidate.text, "gate": str(one.gate) if one.gate else None, "reason": one.reason, "at": output.iso(one.at)}
        for one in (*found.turned_down, *found.waiting)
    ]
    return {
        "kept": [output.row(memory) for memory in found.kept],
        "near": [output.row(one) for one in found.near],
        "rejected": turned,
        "now": judged,
    }


def _print_why_not(found: WhyNot, judged: str) -> None:
    for memory in found.kept:
        output.say(f"It is kept: {output.short(memory.id)} ({memory.status.value}) {memory.text}")
    for memory in found.near:
        output.say(f"Not this, but near it: {output.short(memory.id)} ({memory.status.value}) {memory.text}")
    for one in found.turned_down:
        gate = one.gate or ""
        output.say(f"Turned down at the gate {gate} ({one.reason}), {output.iso(one.at)}: {one.candidate.text}")
    for one in found.waiting:
        output.say(f"Waits for a second mention since {output.iso(one.at)}: {one.candidate.text}")
    if judged:
        output.say(f"It was not seen in the last days. Said by you now, {judged}.")


def _verdict(text: str, matcher: Matcher) -> str:
    """What would become of the sentence if the person said it now."""
    found = sweep([Message("", Role.USER, Origin.USER_PROMPT, text)], matcher)
    if not found:
        return "it would hold no signal of a lasting statement"
    best = found[0]
    if best.waiting:
        return "it would wait for a second mention"
    return (
        f"it would be turned down at the gate {best.gate.value} ({best.reason})"
        if best.gate
        else f"it would be kept as {best.candidate.kind.value}"
    )
