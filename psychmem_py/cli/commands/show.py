"""psychmem show and history: one memory on a page, and everything that happened to it."""

from __future__ import annotations

from psychmem_py.cli import output, page
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import Id, Json, workspace_of
from psychmem_py.curation import history
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import RULES
from psychmem_py.store import projects, rows


@app.command(epilog=examples("psychmem show 3f2a91cc"))
def show(memory_id: Id, json_: Json = False) -> None:
    """One memory: who said it, where it holds, how it fades. Also its links and its history."""
    workspace = workspace_of()
    with workspace.reading() as db:
        memory = rows.by_id(db, memory_id)
        evidence, links = rows.evidence(db, memory.id), rows.links(db, memory.id)
        tied_to = rows.several(db, [end for link in links for end in (link.source, link.target)])
        names, steps = projects.names(db), history.history(db, memory.id)
    told, tied = [output.evidence_row(found) for found in evidence], [output.link_row(found) for found in links]
    held = _held_to(memory) if memory.kind in RULES else ""
    if json_:
        return output.print_json({**output.row(memory), "evidence": told, "links": tied, "at_tool_calls": held})
    page.show(
        memory, evidence, links, steps, held=held, names=names, tied_to=tied_to, settings=workspace.settings, now=workspace.now
    )


@app.command("history", epilog=examples("psychmem history 3f2a91cc"))
def history_(memory_id: Id, json_: Json = False) -> None:
    """Everything that ever happened to a memory, oldest first."""
    workspace = workspace_of()
    with workspace.reading() as db:
        lines = history.history(db, memory_id)
    entries = [output.logged_row(line) for line in lines]
    if json_:
        return output.print_json(entries)
    made = output.table("seq", "when", "what", "who", "text")
    for entry, line in zip(entries, lines, strict=True):
        what = f"{entry['type']}{' (undone)' if line.undone else ''}"
        different = history.differences(line.change)
        shown = " · ".join(str(part) for part in (entry["text"], different or entry["status"], line.change.reason) if part)
        made.add_row(str(line.seq), f"{entry['at']}"[:16].replace("T", " "), what, str(entry["who"]), output.cell(shown))
    output.out.print(made)


def _held_to(memory: Memory) -> str:
    from psychmem_py.briefing.actionable import held_to  # noqa: PLC0415  # the words of all acts: 15 ms only a rule needs

    return held_to(memory)
