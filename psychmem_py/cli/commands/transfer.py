"""Commands that look after the store: export, import, backfill, upkeep, checkpoints, scan, settings, eval."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from psychmem_py.agents import claude_transcript, opencode_database
from psychmem_py.agents.claude_topics import claude_folder
from psychmem_py.agents.event import Request
from psychmem_py.cli import output
from psychmem_py.cli.app import EVERYDAY, UPKEEP, app
from psychmem_py.cli.commands.brief import extracted, taken_up
from psychmem_py.cli.commands.checkpoints import checkpoint
from psychmem_py.cli.commands.config import settings
from psychmem_py.cli.context import DryRun, Here, Json, ProjectOption, day, here, lines_of, refresh
from psychmem_py.cli.output import progress_bar
from psychmem_py.curation import exports, imports
from psychmem_py.curation.act import Act
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.home import atomic_write, project
from psychmem_py.home.places import refuse_link
from psychmem_py.ingestion import opencode_spans
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.safety.control_chars import line
from psychmem_py.store import rows

app.add_typer(checkpoint, name="checkpoint", rich_help_panel=UPKEEP)
app.add_typer(settings, name="config", rich_help_panel=UPKEEP)


@app.command(rich_help_panel=EVERYDAY, epilog="psychmem export > memories.jsonl · psychmem export --format md")
def export(
    format_: Annotated[str, typer.Option("--format", help="jsonl (whole, for `import --exact`) or md (for reading).")] = "jsonl",
    project: ProjectOption = None,
    target: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Usual: stdout.")] = None,
) -> None:
    """Print all memories; with --project those of one project and yours."""
    if format_ not in ("jsonl", "md"):
        raise typer.BadParameter("use jsonl or md", param_hint="--format")
    place = here(project)
    only = {"project": place.project_id, "all_projects": project is None}
    with place.store() as db:
        if format_ == "md":
            lines: list[str] = list(_markdown(rows.listed(db, **only)))  # type: ignore[arg-type]
        else:
            lines = list(exports.export(db, **only))  # type: ignore[arg-type]
    text = "".join(f"{line}\n" for line in lines)
    if target is None:
        sys.stdout.write(text)
    else:
        _write_private(target, text)


@app.command("import", rich_help_panel=EVERYDAY, epilog="psychmem import notes.jsonl · psychmem import --exact memories.jsonl")
def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE.jsonl|-", help='One {"text", "class"?, "scope"?, "project"?, …} per line.')
    ],
    exact: Annotated[bool, typer.Option("--exact", help="Take the rows as they are: for your own exports only.")] = False,
    project: ProjectOption = None,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Take memories in. Without --exact nothing is trusted: rules wait for your review."""
    place = here(project)
    if exact and place.agent:
        raise RefusedError("only a person may import with --exact, it takes over who said what; use a terminal of your own")
    lines = list(lines_of(file))
    with place.store() as db, progress_bar("importing", len(lines)) as step:
        done = imports.take_in(
            Act(db, place.settings, place.now, place.batch),
            lines,
            exact=exact,
            project=place.project_id,
            progress=step,
            dry_run=dry_run,
        )
    for fault in done.faults[:20]:
        output.warn(fault.reason)
    if json_:
        faults = [fault._asdict() for fault in done.faults]
        output.print_json({"added": done.added, "quarantined": done.quarantined, "known": done.known, "faults": faults})
    else:
        waits = f", {done.quarantined} of them wait for review" if done.quarantined else ""
        output.say(
            f"{'would add' if dry_run else 'added'} {done.added}{waits}; {done.known} known already; {len(done.faults)} not taken"
        )
    if done.faults and not done.added and not done.known:
        raise PsychMemError(f"{file} holds nothing that could be taken in; every line is one JSON object with a text")


@app.command(rich_help_panel=UPKEEP, epilog="psychmem backfill --since 2026-01-01")
def backfill(
    since: Annotated[str, typer.Option("--since", metavar="DATE", help="Only conversations that went on after that day.")] = "",
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Read the agents' conversations of the past, each once, into the project it was about."""
    place = here()
    least = day(since) if since else 0.0
    chosen = [one for one in sorted((*_transcripts(place), *_opencode(place)), key=lambda one: one.at) if one.at >= least]
    counts = dict.fromkeys(("kept", "waiting", "rejected"), 0)
    with progress_bar("reading", len(chosen)) as step:
        for number, one in enumerate(chosen, 1):
            about = place._replace(project=project.project_of(one.folder or "/", place.env))
            for found in one.take_up(about, dry_run):
                for name in counts:
                    counts[name] += len(getattr(found, name))
            step(number)
    if not dry_run:
        refresh(place)
    if json_:
        return output.print_json({"conversations": len(chosen), **counts})
    output.say(f"{len(chosen)} conversations: " + ", ".join(f"{number} {name}" for name, number in counts.items()))


class _Past(NamedTuple):
    """A conversation of some time ago, of whichever agent."""

    at: float  # when it went on last
    folder: str  # where it was led
    take_up: Callable[[Here, bool], list[SpanResult]]


def _transcripts(place: Here) -> list[_Past]:
    """Claude Code's."""
    found = []
    for path in Path(claude_folder(place.env), "projects").glob("*/*.jsonl"):
        with path.open("rb") as file:
            folder = claude_transcript.cwd_of(file.read(1 << 18))
        found.append(_Past(path.stat().st_mtime, folder, partial(_from_file, path)))
    return found


def _from_file(path: Path, place: Here, dry_run: bool) -> list[SpanResult]:
    return extracted(place, path, dry_run=dry_run)


def _opencode(place: Here) -> list[_Past]:
    """OpenCode's."""
    past = opencode_database.past(opencode_database.database(place.env))
    return [_Past(one.updated_at, one.folder, partial(_from_opencode, one)) for one in past]


def _from_opencode(one: opencode_database.Past, place: Here, dry_run: bool) -> list[SpanResult]:
    request = Request("stop", "opencode", one.session, one.folder)
    return taken_up(place, one.session, lambda known: opencode_spans.spans_of(known, request, place.env, ()), dry_run=dry_run)


def _markdown(found: list[Any]) -> Iterator[str]:
    """Memories as headings and bullets, by project and class."""
    heading = ""
    for memory in sorted(found, key=lambda one: (one.project or "", one.kind.value, one.created_at)):
        own = f"## {memory.project or 'In every project'}: {memory.kind.value}"
        if own != heading:
            yield from (["", own, ""] if heading else [own, ""])
            heading = own
        yield f"- {line(memory.text)}"


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read; an existing one is replaced, a link is refused."""
    refuse_link(os.fspath(path), "name the file itself")
    if path.exists() and not path.is_file():
        raise RefusedError(f"{path} is no file; name one, or leave --output out and redirect what is printed")
    atomic_write.replace(os.fspath(path), text.encode("utf-8"))
