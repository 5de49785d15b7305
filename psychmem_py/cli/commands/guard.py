"""The command that says how a rule is held to at tool calls."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.briefing.actionable import held_to
from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import DryRun, Id, Json, workspace_of
from psychmem_py.cli.outcomes import tell
from psychmem_py.curation import actions


@app.command(epilog=examples("psychmem guard 3f2a91cc --ask"))
def guard(
    memory_id: Id,
    remind: Annotated[bool, typer.Option("--remind", help="Say the rule to the agent beside the call, once a session.")] = False,
    ask: Annotated[bool, typer.Option("--ask", help="Have the agent's client ask you before every such call.")] = False,
    off: Annotated[bool, typer.Option("--off", help="Leave tool calls alone; the rule stays in the brief.")] = False,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Say how a rule is held to when the agent is about to break it."""
    wanted = [name for name, given in (("remind", remind), ("ask", ask), ("off", off)) if given] or ["remind"]
    if len(wanted) > 1:
        raise typer.BadParameter("give one of --remind, --ask, --off", param_hint="--ask")
    workspace = workspace_of()
    with workspace.acting(dry_run=dry_run) as act:
        outcome = actions.guard(act, memory_id, wanted[0])
    tell(
        workspace,
        [outcome],
        {"remind": "reminds of", "ask": "asks about", "off": "leaves alone"}[wanted[0]],
        dry_run=dry_run,
        json_=json_,
    )
    held = held_to(outcome.memory)
    if not held:
        output.warn("No tool call can be told to break this rule; word it with the command, file or tool it is about.")
    elif not json_:
        output.say(f"At tool calls: {held}.")
