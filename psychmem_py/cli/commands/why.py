"""psychmem why: what led to a memory, or why a sentence did not become one."""

from __future__ import annotations

import re
import sqlite3
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.commands import patterns
from psychmem_py.cli.commands.patterns import matcher, overlay
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.cli.help_text import argument, option
from psychmem_py.curation import actions, explain
from psychmem_py.curation.explain import WhyNot
from psychmem_py.errors import NotFoundError
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Memory, Message
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import Origin, Role

_LIKE_AN_ID = re.compile(r"[0-9a-f]{4,32}")


@app.command(epilog=examples("psychmem why 3f2a91cc", 'psychmem why "use pnpm"'), here=True)
def why(
    words: Annotated[list[str] | None, argument("ID|TEXT", "A memory: what led to it. A sentence: why it was not kept.")] = None,
    not_: Annotated[str, option("--not TEXT", hidden=True)] = "",
) -> None:
    """Why something was kept, or why a sentence was not."""
    asked = " ".join(words or ())
    if bool(asked) == bool(not_):
        raise typer.BadParameter("give either an ID or a sentence", param_hint="ID")
    workspace = workspace_of()
    with workspace.reading() as db:
        memory = None if not_ else _memory(workspace, db, asked)
        if memory is None:
            not_ = not_ or asked
            found = explain.why_not(db, not_, project=workspace.project, now=workspace.now)
            read = matcher(workspace)
            judged = _verdict(not_, read, workspace.settings) if not any(found._replace(near=())) else ""
            matched = patterns.rows(not_, read, overlay(workspace))
            if workspace.json:
                return output.print_json({**_why_not(found, judged), "matched": matched})
            _print_why_not(found, judged)
            return patterns.show(matched)
        causes = actions.why(db, memory.id)
    if workspace.json:
        steps = [{"depth": cause.depth, "type": cause.link.type.value, **output.row(cause.memory)} for cause in causes]
        return output.print_json({"id": memory.id, "text": memory.text, "causes": steps})
    output.out.print(output.cell(memory.text), soft_wrap=True)
    for cause in causes:
        output.say(f"{'  ' * cause.depth}{cause.link.type.value} {output.short(cause.memory.id)} {cause.memory.text}")
    if not causes:
        output.say("Nothing that we know of led to it; `psychmem show ID --all` shows its evidence.")


def _memory(workspace: Workspace, db: sqlite3.Connection, asked: str) -> Memory | None:
    """The memory of this id, or None for a sentence."""
    try:
        return workspace.who.one(db, asked)
    except NotFoundError:
        if _LIKE_AN_ID.fullmatch(asked):
            raise
        return None


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
        output.say(f"Rejected at the gate {gate} ({one.reason}), {output.iso(one.at)}: {one.candidate.text}")
    for one in found.waiting:
        output.say(f"Pending until said again, since {output.iso(one.at)}: {one.candidate.text}")
    if judged:
        output.say(f"It was not seen in the last days. Said by you now, {judged}.")


def _verdict(text: str, matcher: Matcher, settings: Settings) -> str:
    """What would become of the sentence if the person said it now."""
    found = sweep([Message("", Role.USER, Origin.USER_PROMPT, text)], matcher, settings)
    if not found:
        return "it would not be kept: it does not sound lasting; `psychmem remember` keeps it anyway"
    best = max(found, key=lambda verdict: verdict.is_kept)
    if best.waiting:
        return "it would be pending until said again"
    return (
        f"it would be rejected at the gate {best.gate.value} ({best.reason})"
        if best.gate
        else f"it would be kept as {best.candidate.kind.value}"
    )
