"""psychmem context: exactly what the next session here gets, what it costs, and why each line is in it."""

from __future__ import annotations

from psychmem_py.briefing import brief
from psychmem_py.cli import output
from psychmem_py.cli.ahead import next_session
from psychmem_py.cli.app import LOOKING, app, examples
from psychmem_py.cli.context import Json, ProjectOption, here
from psychmem_py.recall import brief_text, memory_line


@app.command(rich_help_panel=LOOKING, epilog=examples("psychmem context", "psychmem context --json"))
def context(project: ProjectOption = None, json_: Json = False) -> None:
    """Exactly what the next session here gets, with tokens, and why each line is in it."""
    place = here(project)
    with place.store() as db:
        made = brief.compose(
            db,
            next_session(db, place, project),
        )
    reasons = brief.reasons(made)
    lines = [
        {
            "id": one.id,
            "text": one.text,
            "tokens": brief_text.tokens(memory_line.dated_line(one, place.now)),
            "why": reasons[one.id],
        }
        for one in (*made.choice.shown, *made.resumed)
    ]
    tokens = brief_text.tokens(made.text) if made.text else 0
    if json_:
        return output.print_json({"text": made.text, "characters": len(made.text), "tokens": tokens, "lines": lines})
    if not made.text:
        return output.say("Nothing: there is nothing that a session here would be told.")
    output.say(made.text)
    output.say("")
    table = output.table("id", "tokens", "why", "text")
    for one in lines:
        table.add_row(output.short(str(one["id"])), str(one["tokens"]), str(one["why"]), output.cell(str(one["text"])))
    output.out.print(table)
    output.say(
        f"{len(made.text)} characters, about {tokens} tokens; {len(made.choice.near_misses)} more came near (`psychmem inject --explain`)."
    )
