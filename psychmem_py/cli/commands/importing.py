"""psychmem import: memories in, from JSON lines, other memory programs and files of one's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import Workspace, lines_of, workspace_of
from psychmem_py.cli.conversations import row
from psychmem_py.cli.outcomes import refresh
from psychmem_py.cli.progress import progress_bar
from psychmem_py.curation import exports, imports
from psychmem_py.curation.act import Act
from psychmem_py.curation.import_fields import Imported, ImportSource, added
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.home.project import Project, project_of
from psychmem_py.model.permission import Deed
from psychmem_py.safety.control_chars import escaped
from psychmem_py.sources import opened
from psychmem_py.sources.line import ImportLine
from psychmem_py.store import episodes, projects

_MARKDOWN = ("markdown", "md")


@app.command(epilog=examples("psychmem export > memories.jsonl", "psychmem export --format markdown -o memories.md"), here=True)
def export(
    format_: Annotated[
        str, typer.Option("--format", help="jsonl, which `import --exact` takes back whole, or markdown to read.")
    ] = "jsonl",
    target: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Usual: stdout.")] = None,
    conversations: Annotated[
        bool, typer.Option("--conversations", help="Exchanges of earlier conversations instead; none is imported again.")
    ] = False,
) -> None:
    """Print all memories, as JSON lines or Markdown. With --project those of one project and yours."""
    workspace = workspace_of()
    if workspace.json and format_ in _MARKDOWN:
        raise typer.BadParameter("give one of the two", param_hint="--json and --format markdown")
    if format_ not in ("jsonl", *_MARKDOWN) or (conversations and format_ in _MARKDOWN):
        raise typer.BadParameter("use jsonl or markdown", param_hint="--format")
    everywhere = not workspace.placed and workspace.who.may(Deed.ELSEWHERE)
    with workspace.reading() as db:
        lines = list(exports.export(db, project=workspace.project_id, all_projects=everywhere)) if not conversations else []
        if conversations:
            here = [one for one in episodes.every(db) if everywhere or one.project == workspace.project_id]
            lines = [escaped(json.dumps(row(one), ensure_ascii=False)) for one in here]
        elif format_ in _MARKDOWN:
            lines = list(exports.markdown(lines, projects.names(db)))
    text = "".join(f"{line}\n" for line in lines)
    if target is None:
        sys.stdout.write(text)
    else:
        output.write_file(target, text)


_FAULTS = 20  # that are told


@app.command(
    "import",
    epilog=examples(
        "psychmem import",
        "psychmem import --from claude-mem --dry-run",
        "psychmem import --conversations",
        "psychmem import notes.md",
        "psychmem import --exact memories.jsonl",
    ),
    writes=True,
    looks=True,
    here=True,
)
def import_(
    path: Annotated[
        str, typer.Argument(metavar="PATH|-", help="A file or folder; its content says whose it is. Without: what is found here.")
    ] = "",
    program: Annotated[
        str, typer.Option("--from", metavar="NAME", help=f"Whose memory it is: {', '.join(opened.PROGRAMS)}.")
    ] = "",
    conversations: Annotated[
        bool, typer.Option("--conversations", help="The agents' conversations of the past instead, each once, into its project.")
    ] = False,
    since: Annotated[str, typer.Option("--since", metavar="DATE", help="Of those only what went on after that day.")] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Take the rows as they are: for your own exports only.")] = False,
    vouch: Annotated[
        bool, typer.Option("--trusted", "--vouch", help="You answer for all of it: only what looks planted is pending.")
    ] = False,
) -> None:
    """Take in files, other programs' memories, old conversations. What no person said needs your approval."""
    if program and program not in opened.PROGRAMS:
        raise typer.BadParameter(f"use one of {', '.join(opened.PROGRAMS)}", param_hint="--from")
    workspace = workspace_of()
    if conversations:
        from psychmem_py.cli.backfill import backfill  # noqa: PLC0415  # 60 ms of extraction

        return backfill(workspace, since)
    if not path and not program:
        return _offer(workspace)
    done, whose = Imported(), program
    for source in [path] if path else _usual(workspace, program):
        lines, whose = _lines(workspace, source, program, vouched=vouch)
        if exact and whose != opened.JSON_LINES:
            raise RefusedError(f"{source} is no export that can be taken exactly: only JSON lines hold whole rows")
        more = _taken(workspace, lines, _provenance(workspace, whose, vouched=vouch), exact)
        done = added(done, more)
    if not workspace.dry_run:
        refresh(workspace)
    _tell(workspace, done, path or program, whose)


def _taken(workspace: Workspace, lines: list[str | ImportLine], provenance: ImportSource, exact: bool) -> Imported:
    with workspace.store() as db, progress_bar("importing", len(lines)) as step:
        if not workspace.dry_run:
            workspace.note(db)
        act = Act(db, workspace.settings, workspace.now, workspace.batch, workspace.who, workspace.directories.languages)
        return imports.take_in(
            act, lines, exact=exact, project=workspace.project_id, provenance=provenance, progress=step, dry_run=workspace.dry_run
        )


def _lines(workspace: Workspace, source: str, program: str, *, vouched: bool) -> tuple[list[str | ImportLine], str]:
    """The lines of a file, a folder or stdin, and whose they are."""
    if source == "-":
        if program not in ("", opened.JSON_LINES):
            raise RefusedError(f"what {program} remembers is read from a file or a folder; name it instead of -")
        return list(lines_of(source)), opened.JSON_LINES
    found = opened.opened(Path(source), program, workspace.env, vouched=vouched)
    return (list(lines_of(source)) if found.lines is None else list(found.lines())), found.program


def _usual(workspace: Workspace, program: str) -> list[str]:
    """Where a program's memory stands on this machine."""
    among = opened.usual(program, str(Path.cwd()), workspace.env)
    found = [str(one) for one in among if one.exists()]
    if not found:
        where = f"; it is not at {among[0]}" if among else ""
        raise PsychMemError(f"say where it stands: psychmem import --from {program} PATH{where}")
    return found


def _provenance(workspace: Workspace, whose: str, *, vouched: bool) -> ImportSource:
    program = "" if whose == opened.JSON_LINES else opened.SAID.get(whose, whose)
    return ImportSource(program, vouched, workspace.project, partial(_place_of, workspace, program))


def _place_of(workspace: Workspace, program: str, told: str) -> Project | None:
    """The project of a directory, or the one at hand by its name. A directory of another program's that is gone stands for itself."""
    if not told.startswith(("/", "~", ".")):
        return workspace.project if workspace.project is not None and told == workspace.project.name else None
    folder = Path(told).expanduser()
    if folder.is_dir():
        return project_of(folder, workspace.env)
    return Project(f"name:{folder.name}", folder.name, "") if program and folder.name else None


def _offer(workspace: Workspace) -> None:
    """What there is on this machine to be brought in."""
    there = [
        (program, str(one))
        for program in opened.PROGRAMS
        for one in opened.usual(program, str(Path.cwd()), workspace.env)
        if one.is_file() or (one.is_dir() and any(one.glob("**/*.md")))
    ]
    if workspace.json:
        return output.print_json([{"from": program, "path": found} for program, found in there])
    if not there:
        return output.say(
            "No other memory is found here; name a file or folder: psychmem import PATH. `psychmem import --conversations` reads old conversations."
        )
    output.details(there)
    output.say(f"`psychmem import --from {there[0][0]} --dry-run` shows what would come of it.")


def _tell(workspace: Workspace, done: Imported, source: str, whose: str) -> None:
    for fault in done.faults[:_FAULTS]:
        output.warn(fault.reason)
    if len(done.faults) > _FAULTS:
        output.warn(f"and {len(done.faults) - _FAULTS} lines more")
    for odd in done.odd[:_FAULTS]:
        output.warn(f"{odd.reason}; it was kept")
    if workspace.json:
        output.print_json(
            {
                "from": whose,
                "added": done.added,
                "quarantined": done.quarantined,
                "known": done.known,
                "by_project": [{"project": name, "added": added, "quarantined": waits} for name, added, waits in done.places],
                "faults": [fault._asdict() for fault in done.faults],
            }
        )
    else:
        waits = f" ({done.quarantined} of them pending)" if done.quarantined else ""
        said = f"{'would add' if workspace.dry_run else 'added'} {done.added}{waits}; {done.known} known already; {len(done.faults)} not taken"
        output.say(said if whose == opened.JSON_LINES else f"{whose}: {said}")
        _by_project(done.places)
        for text in done.samples:
            output.say(f"for example: {text}")
        at_once = "" if whose == opened.JSON_LINES else f", `psychmem review --keep-from {whose}` lets all of it in"
        if done.quarantined and not workspace.dry_run:
            output.say(f"`psychmem review --all-projects` asks about each{at_once}.")
    if done.faults and not done.added and not done.known:
        raise PsychMemError(f"{source} holds nothing that could be taken in; every line is one JSON object with a text")


def _by_project(places: Iterable[tuple[str, int, int]]) -> None:
    told = sorted(places, key=lambda one: -one[1])
    if len(told) > 1 or (told and told[0][0]):
        output.details(
            (name or output.EVERYWHERE, f"{added}{f', {waits} pending' if waits else ''}") for name, added, waits in told[:15]
        )
