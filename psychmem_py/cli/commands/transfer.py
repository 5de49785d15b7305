"""Commands that look after the store: export, import, backfill, upkeep, checkpoints, scan, settings, eval."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from psychmem_py.agents import claude_transcript, opencode_database
from psychmem_py.agents.claude_topics import config_folder
from psychmem_py.agents.event import Request
from psychmem_py.cli import output as paper
from psychmem_py.cli.app import EVERYDAY, LOOKING, UPKEEP, app
from psychmem_py.cli.commands.brief import extracted, taken_up
from psychmem_py.cli.commands.change import refresh
from psychmem_py.cli.commands.patterns import matcher
from psychmem_py.cli.commands.show import day, lines_of
from psychmem_py.cli.context import DryRun, Here, Json, ProjectOption, Yes, here
from psychmem_py.curation import imports, upkeep
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.extraction import evaluation
from psychmem_py.handover import journal_reader
from psychmem_py.home import config, project
from psychmem_py.ingestion import opencode_spans
from psychmem_py.ingestion.extract import Extraction
from psychmem_py.safety.control_chars import line
from psychmem_py.safety.secrets import found as secrets_in
from psychmem_py.safety.secrets import redact
from psychmem_py.store import rows as memories
from psychmem_py.store.care import checkpoints, scrub

checkpoint = typer.Typer(no_args_is_help=True, help="Copies of the whole store, to go back to.")
settings = typer.Typer(no_args_is_help=True, help="The settings in force.")
app.add_typer(checkpoint, name="checkpoint", rich_help_panel=UPKEEP)
app.add_typer(settings, name="config", rich_help_panel=UPKEEP)
Apply = Annotated[bool, typer.Option("--apply", help="Really do it; without it only what would be done is told.")]


@app.command(rich_help_panel=EVERYDAY, epilog="psychmem export > memories.jsonl · psychmem export --format md")
def export(
    format_: Annotated[str, typer.Option("--format", help="jsonl (whole, for `import --exact`) or md (for reading).")] = "jsonl",
    project: ProjectOption = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Usual: stdout.")] = None,
) -> None:
    """Print all memories; with --project those of one project and yours."""
    if format_ not in ("jsonl", "md"):
        raise typer.BadParameter("use jsonl or md", param_hint="--format")
    place = here(project)
    only = {"project": place.project_id, "all_projects": project is None}
    with place.store() as db:
        if format_ == "md":
            lines: list[str] = list(_markdown(memories.listed(db, **only)))  # type: ignore[arg-type]
        else:
            lines = list(imports.export(db, **only))  # type: ignore[arg-type]
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        sys.stdout.write(text)
    else:
        _write_private(output, text)


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
    with place.store() as db, _bar("importing", len(lines)) as step:
        done = imports.take_in(
            db,
            lines,
            exact=exact,
            project=place.project_id,
            settings=place.settings,
            now=place.now,
            batch=place.batch,
            progress=step,
            dry_run=dry_run,
        )
    for fault in done.faults[:20]:
        paper.warn(fault.reason)
    if json_:
        faults = [fault._asdict() for fault in done.faults]
        paper.print_json({"added": done.added, "quarantined": done.quarantined, "known": done.known, "faults": faults})
    else:
        waits = f", {done.quarantined} of them wait for review" if done.quarantined else ""
        paper.say(
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
    with _bar("reading", len(chosen)) as step:
        for number, one in enumerate(chosen, 1):
            about = place._replace(project=project.project_of(one.folder or "/", place.env))
            for found in one.take_up(about, dry_run):
                for name in counts:
                    counts[name] += len(getattr(found, name))
            step(number)
    if not dry_run:
        refresh(place)
    if json_:
        return paper.print_json({"conversations": len(chosen), **counts})
    paper.say(f"{len(chosen)} conversations: " + ", ".join(f"{number} {name}" for name, number in counts.items()))


class _Past(NamedTuple):
    """A conversation of some time ago, of whichever agent."""

    at: float  # when it went on last
    folder: str  # where it was led
    take_up: Callable[[Here, bool], list[Extraction]]


def _transcripts(place: Here) -> list[_Past]:
    """Claude Code's."""
    found = []
    for path in Path(config_folder(place.env), "projects").glob("*/*.jsonl"):
        with path.open("rb") as file:
            folder = claude_transcript.cwd_of(file.read(1 << 18))
        found.append(_Past(path.stat().st_mtime, folder, partial(_from_file, path)))
    return found


def _from_file(path: Path, place: Here, dry_run: bool) -> list[Extraction]:
    return extracted(place, path, dry_run=dry_run)


def _opencode(place: Here) -> list[_Past]:
    """OpenCode's."""
    past = opencode_database.past(opencode_database.database(place.env))
    return [_Past(one.updated_at, one.folder, partial(_from_opencode, one)) for one in past]


def _from_opencode(one: opencode_database.Past, place: Here, dry_run: bool) -> list[Extraction]:
    request = Request("stop", "opencode", one.session, one.folder)
    return taken_up(place, one.session, lambda known: opencode_spans.spans_of(known, request, place.env, ()), dry_run=dry_run)


@app.command(rich_help_panel=UPKEEP)
def decay(dry_run: DryRun = False, json_: Json = False) -> None:
    """Set aside what has faded or outlived its time. Happens by itself a little after each extraction."""
    _upkeep("decay", dry_run=dry_run, json_=json_)


@app.command(rich_help_panel=UPKEEP)
def consolidate(dry_run: DryRun = False, json_: Json = False) -> None:
    """Move what has proven itself from short-term to long-term store."""
    _upkeep("consolidate", dry_run=dry_run, json_=json_)


@app.command(rich_help_panel=UPKEEP)
def promote(
    memory_ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Usual: all whose use proves them.")] = None,
    dry_run: DryRun = False,
    json_: Json = False,
) -> None:
    """Put memories among the first of a brief."""
    _upkeep("promote", keys=memory_ids or (), dry_run=dry_run, json_=json_)


@app.command(rich_help_panel=UPKEEP)
def gc(apply: Apply = False, dry_run: DryRun = False, json_: Json = False) -> None:
    """Archive what is long faded, delete what is long archived; only told unless --apply. Rules and pins are never touched."""
    _upkeep("collect", dry_run=dry_run or not apply, json_=json_)


@app.command(rich_help_panel=UPKEEP)
def maintain(json_: Json = False) -> None:
    """All upkeep at once, over the whole store; deletes no memory."""
    place = here()
    with place.store() as db:
        done = upkeep.maintain(db, place.settings, now=place.now)
    refresh(place)
    rows = {name: {"looked_at": report.looked_at, "changed": len(report.steps)} for name, report in done.items()}
    if json_:
        return paper.print_json(rows)
    paper.details((name, f"{row['changed']} of {row['looked_at']} changed") for name, row in rows.items())


@checkpoint.command("create", epilog="psychmem checkpoint create before-cleanup")
def create(name: Annotated[str, typer.Argument(metavar="NAME")], json_: Json = False) -> None:
    """Copy the store as it is now."""
    place = here()
    with place.store() as db:
        made = checkpoints.create(db, place.database, name)
    _tell_checkpoints([made], json_=json_)


@checkpoint.command("list")
def listing(json_: Json = False) -> None:
    """The copies there are, oldest first."""
    _tell_checkpoints(checkpoints.listing(here().database), json_=json_)


@checkpoint.command("restore")
def restore(name: Annotated[str, typer.Argument(metavar="NAME")], dry_run: DryRun = False) -> None:
    """Bring every memory back to how it was then; `psychmem undo` takes it back."""
    place = here()
    with place.writing(dry_run=dry_run) as db:
        made = checkpoints.restore(db, place.database, name, now=place.now, batch=place.batch)
    if not dry_run:
        refresh(place)
    paper.say(f"{'would change' if dry_run else 'changed'} {len(made)} memories and links")


@checkpoint.command("delete")
def delete(name: Annotated[str, typer.Argument(metavar="NAME")], yes: Yes = False) -> None:
    """Remove a copy; the store itself is not touched."""
    if not yes:
        typer.confirm(f"Remove the checkpoint {name} for good?", abort=True)
    checkpoints.delete(here().database, name)
    paper.say(f"removed {name}")


@app.command(rich_help_panel=UPKEEP, epilog="psychmem scan --fix")
def scan(
    fix: Annotated[bool, typer.Option("--fix", help="Take them out, also of the history. Cannot be undone.")] = False,
    json_: Json = False,
) -> None:
    """Look for secrets in what is stored; exit 1 when there are any. None should be: they are cut out on the way in."""
    place = here()
    with place.store() as db:
        found = scrub.places(db, _secret_kinds)
        waiting = journal_reader.telling(place.places.data, lambda text: bool(secrets_in(text)))
        if fix and (found or waiting):
            journal_reader.without(place.places.data, lambda text: bool(secrets_in(text)))
            for path in scrub.rewrite(db, place.database, redact):
                paper.warn(f"{path} could not be cleaned; remove it by hand")
    if fix and found:
        refresh(place)
    rows = [{"in": one.table, "id": one.owner, "kinds": list(one.kinds), "fixed": fix} for one in found]
    rows += [{"in": "journal", "id": name, "kinds": [], "fixed": fix} for name in waiting]
    if json_:
        paper.print_json(rows)
    else:
        for row in rows:
            kinds = ", ".join(map(str, row["kinds"])) or "secret"  # type: ignore[call-overload]
            paper.say(f"{row['in']} {paper.short(str(row['id']))}: {kinds}{' (taken out)' if fix else ''}")
        paper.say(f"{len(rows)} places with secrets" if rows else "No secrets are stored.")
    if rows and not fix:
        raise typer.Exit(1)


def _secret_kinds(text: str) -> list[str]:
    return [secret.kind for secret in secrets_in(text)]


@settings.command("show", epilog="psychmem config show --origin")
def show_settings(
    origin: Annotated[bool, typer.Option("--origin", help="Say where each value comes from.")] = False, json_: Json = False
) -> None:
    """Every setting with its value."""
    place = here()
    found = config.origins(place.env, place.places)
    if json_:
        return paper.print_json([one._asdict() for one in found])
    for one in found:
        value = f'"{one.value}"' if isinstance(one.value, str) else "none" if one.value is None else str(one.value).lower()
        paper.say(f"{one.key} = {value}{f'    # {one.origin}' if origin else ''}")


@settings.command("path")
def path() -> None:
    """Where the config file is, or would be."""
    paper.say(config.file_of(here().places))


@app.command("eval", rich_help_panel=LOOKING, epilog="psychmem eval labelled.jsonl")
def eval_(
    file: Annotated[
        str, typer.Argument(metavar="FILE.jsonl|-", help='One {"role", "text", "labels": [{"span", "class"}]} per line.')
    ],
    json_: Json = False,
) -> None:
    """Measure the extractor on messages you have labelled: precision, recall, false alarms."""
    rows = list(evaluation.labelled(lines_of(file)))
    with _bar("judging", len(rows)) as step:
        done = iter(range(1, len(rows) + 1))
        found = evaluation.figures(rows, matcher(here()), lambda: step(next(done)))
    if json_:
        told: dict[str, dict[str, Any]] = {
            name: {"precision": f.precision, "recall": f.recall, "f1": f.f1, "false_per_100": f.false_per_100, **f._asdict()}
            for name, f in found.items()
        }
        return paper.print_json(told)
    made = paper.table("messages", "precision", "recall", "F1", "false/100", "hits", "misses", "false")
    for name, f in found.items():
        shares = [f"{100 * share:.0f}" for share in (f.precision, f.recall, f.f1)]
        made.add_row(name, *shares, f"{f.false_per_100:.1f}", str(f.hits), str(f.misses), str(f.false))
    paper.out.print(made)


@contextmanager
def _bar(what: str, total: int) -> Iterator[Any]:
    """A bar on stderr for long work somebody watches; what is yielded takes how many are done."""
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=paper.err, transient=True, disable=not sys.stderr.isatty() or total < 50) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def _markdown(found: list[Any]) -> Iterator[str]:
    """Memories as headings and bullets, by project and class."""
    heading = ""
    for memory in sorted(found, key=lambda one: (one.project or "", one.kind.value, one.created_at)):
        own = f"## {memory.project or 'In every project'}: {memory.kind.value}"
        if own != heading:
            yield from (["", own, ""] if heading else [own, ""])
            heading = own
        yield f"- {line(memory.text)}"


def _upkeep(step: str, *, dry_run: bool, json_: bool, **more: Sequence[str]) -> None:
    place = here()
    with place.store() as db:
        done = getattr(upkeep, step)(db, place.settings, now=place.now, dry_run=dry_run, **more)
    if done.steps and not dry_run:
        refresh(place)
    if json_:
        rows = [
            {"id": one.memory_id, "reason": one.reason, "status": one.after.status.value if one.after else None}
            for one in done.steps
        ]
        return paper.print_json({"looked_at": done.looked_at, "dry_run": dry_run, "changed": rows})
    for one in done.steps:
        known = one.after or one.before
        paper.say(f"{paper.short(one.memory_id)} {one.reason}: {known.text if known else ''}")
    paper.say(f"{len(done.steps)} of {done.looked_at} {'would change' if dry_run else 'changed'}")


def _tell_checkpoints(found: list[checkpoints.Checkpoint], *, json_: bool) -> None:
    if json_:
        return paper.print_json([{**one._asdict(), "at": paper.iso(one.at)} for one in found])
    if not found:
        return paper.say("There are no checkpoints; `psychmem checkpoint create NAME` makes one.")
    for one in found:
        paper.say(f"{one.name}  {paper.iso(one.at)}  {one.size_bytes // 1024} KB  {one.path}")


def _write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read; an existing one is replaced, a link is refused."""
    if path.is_symlink():
        raise RefusedError(f"{path} is a symbolic link; name the file itself")
    path.touch(mode=0o600)
    path.chmod(0o600)
    path.write_text(text, "utf-8")
