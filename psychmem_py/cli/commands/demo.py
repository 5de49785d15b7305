"""`psychmem demo`: the main job on a sample conversation, in a store that is thrown away."""

from __future__ import annotations

import json
from pathlib import Path

from psychmem_py.cli import output
from psychmem_py.cli.app import examples, setup
from psychmem_py.cli.context import workspace_of
from psychmem_py.errors import PsychMemError
from psychmem_py.home import surroundings
from psychmem_py.installation.trial import CONVERSATION, thrown_away, trial
from psychmem_py.store import rows
from psychmem_py.store.connection import open_store


@setup.command(epilog=examples("psychmem setup demo"))
def demo() -> None:
    """Show on a sample conversation what would be kept and what the next session would be shown. Touches nothing of yours."""
    workspace = workspace_of()
    with thrown_away() as folder:
        outcome = trial(Path(folder), workspace.env)
        if outcome.trouble:
            raise PsychMemError(
                f"the sample conversation did not come through: {outcome.trouble}; `psychmem doctor` may know more"
            )
        with open_store(surroundings.database(outcome.env, "claude-code"), now=workspace.now) as db:
            kept = rows.listed(db, all_projects=True)
    if workspace.json:
        return output.print_json({"said": _said(), "kept": [output.row(one) for one in kept[::-1]], "brief": outcome.brief})
    output.say(f"What was said, {len(_said())} messages about a web shop; two of them:")
    for text in _said()[:1] + _said()[7:8]:
        output.say(f"  > {text}")
    output.say("")
    output.say("What is kept of it:")
    output.memories(kept[::-1], workspace.now, {})
    output.say("")
    output.say("What the next session is shown:")
    for line in outcome.brief.splitlines():
        output.say(f"  {line}")


def _said() -> list[str]:
    """The sample's texts, in order."""
    contents = [json.loads(line)["message"]["content"] for line in CONVERSATION.read_text("utf-8").splitlines()]
    return [content if isinstance(content, str) else content[0]["text"] for content in contents]
