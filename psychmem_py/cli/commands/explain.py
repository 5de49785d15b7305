"""explain and why: where a memory comes from, why it was told or not, and why a sentence did not become one."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from psychmem_py.briefing.fill_rule_index import held_to
from psychmem_py.cli import output, phrase_report
from psychmem_py.cli.app import LOOKING, app, examples
from psychmem_py.cli.context import Json, ProjectOption, workspace_of
from psychmem_py.cli.reading import matcher, overlay
from psychmem_py.curation import explain, links
from psychmem_py.curation.explain import Explanation, Recalled, WhyNot
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from psychmem_py.store import rows

_BARS = "▁▂▃▄▅▆▇█"


@app.command("explain", rich_help_panel=LOOKING, epilog=examples("psychmem explain 3f2a91cc", "psychmem explain --last"))
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
    with workspace.store() as db:
        if memory_id:
            found = explain.explain(db, memory_id, settings=workspace.settings, now=workspace.now)
            return output.print_json(_explained(found)) if json_ else _print_explained(found)
        told = explain.explain_last(
            db, session=session, project=workspace.project, settings=workspace.settings, now=workspace.now
        )
    if json_:
        return output.print_json(_recalled(told))
    output.say(f"Session {told.session}, {output.iso(told.at)}, about {told.tokens} tokens:")
    output.details(
        (f"{output.short(said.memory.id)} {said.channel}", f"{said.memory.text} ({said.reason})") for said in told.shown
    )
    if told.near_misses:
        output.say("Near misses:")
        output.details((output.short(said.memory.id), f"{said.memory.text} ({said.reason})") for said in told.near_misses)


@app.command(rich_help_panel=LOOKING, epilog=examples("psychmem why 3f2a91cc", 'psychmem why --not "use pnpm"'))
def why(
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="A memory: what led to it.")] = "",
    not_: Annotated[str, typer.Option("--not", metavar="TEXT", help="A sentence: why it did not become a memory.")] = "",
    project: ProjectOption = None,
    json_: Json = False,
) -> None:
    """What led to a memory; or why a sentence was not kept."""
    if bool(memory_id) == bool(not_):
        raise typer.BadParameter("give either an ID or --not TEXT", param_hint="ID")
    workspace = workspace_of(project)
    with workspace.store() as db:
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
        "state": str(found.state),
        "would_settle": found.would_settle,
        "curve": [{"days": days, "retrievability": round(value, 4)} for days, value in found.curve],
        "history": [output.logged_row(line) for line in found.history],
        "links": [output.link_row(link) for link in found.links],
        "at_tool_calls": held_to(found.memory),
    }


def _print_explained(found: Explanation) -> None:
    memory = found.memory
    output.out.print(output.cell(memory.text), soft_wrap=True)
    output.say(
        f"{memory.kind.value}, {memory.scope.value}, {memory.status.value}, {memory.standing.value}, {found.state},"
        f" strength {memory.strength:.2f}"
    )
    if found.would_settle:
        output.say(found.would_settle)
    if held := held_to(memory):
        output.say(f"at tool calls: {held}")
    output.say("")
    for one in found.evidence:
        said = f': "{one.quote}"' if one.quote else ""
        output.say(f"{output.iso(one.at)} {one.method} ({one.origin.value}){said}")
    for gate in found.gates:
        output.say(gate)
    made = output.table("feature", "value", "weight", "adds")
    for feature in found.features:
        made.add_row(feature.name, f"{feature.value:.2f}", f"{feature.weight:+.2f}", f"{feature.share:+.3f}")
    output.out.print(made)
    bars = " ".join(f"{days}d {_BARS[min(7, int(value * 8))]}{value:.2f}" for days, value in found.curve)
    output.say(f"what will be left of it: {bars}")
    output.say(
        f"{output.counted(len(found.history), 'change')}; `psychmem history {output.short(memory.id)}` shows {'it' if len(found.history) == 1 else 'them'}"
    )


def _recalled(told: Recalled) -> dict[str, Any]:
    def rows(said: tuple[explain.ToldMemory, ...]) -> list[dict[str, Any]]:
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
