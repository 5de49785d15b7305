"""psychmem import and export: memories from JSON lines, other memory programs, files of one's own and old conversations; and out again."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from psychmem_py.agents import claude_transcript, opencode_database
from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.agents.event import Request
from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, examples, option
from psychmem_py.cli.commands.brief import extracted, taken_up
from psychmem_py.cli.context import Workspace, day, lines_of, workspace_of
from psychmem_py.cli.outcomes import refresh
from psychmem_py.cli.output import progress_bar
from psychmem_py.cli.views import exchange_row as row
from psychmem_py.curation import exports, import_files, imports
from psychmem_py.curation.import_programs import ImportLine
from psychmem_py.curation.imports import Imported, ImportSource
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.home.project import Project, elsewhere, project_of
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import opencode_spans_of
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import ChangeType, Status
from psychmem_py.safety.control_chars import escaped
from psychmem_py.store import episodes, sessions
from psychmem_py.text.tokenizer import digest

_MARKDOWN = ("markdown", "md")


@app.command(epilog=examples("export > memories.jsonl", "export --format markdown -o memories.md"), here=True)
def export(
    format_: Annotated[str, option("--format", "jsonl, which `import --exact` takes back whole, or markdown to read.")] = "jsonl",
    target: Annotated[Path | None, option("--output -o FILE", "Default: stdout.")] = None,
    conversations: Annotated[
        bool, option("--conversations", "Exchanges of earlier conversations; none is imported again.")
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
        if conversations:
            here = (one for one in episodes.kept(db) if everywhere or one.project == workspace.project_id)
            lines = [escaped(json.dumps(row(one), ensure_ascii=False)) for one in here]
        else:
            lines = list(exports.export(db, project=workspace.project_id, all_projects=everywhere))
        if format_ in _MARKDOWN:
            lines = list(exports.markdown(lines, sessions.project_names(db)))
    text = "".join(f"{line}\n" for line in lines)
    if target is None:
        sys.stdout.write(text)
    else:
        output.write_file(target, text)


_FAULTS = 20  # that are told


_WAYS = ("--from claude-mem --dry-run", "--conversations", "notes.md", "--exact memories.jsonl")


@app.command("import", epilog=examples("import", *(f"import {way}" for way in _WAYS)), writes=True, looks=True, here=True)
def import_(
    path: Annotated[str, argument("PATH|-", "A file or folder; its content says whose it is. Without: what is found here.")] = "",
    program: Annotated[str, option("--from NAME", f"Whose memory it is: {', '.join(import_files.PROGRAMS)}.")] = "",
    conversations: Annotated[
        bool, option("--conversations", "The agents' conversations of the past, each once, into its project.")
    ] = False,
    since: Annotated[str, option("--since DATE", "Of those only what went on after that day.")] = "",
    exact: Annotated[bool, option("--exact", "Take the rows as they are: for your own exports only.")] = False,
    vouch: Annotated[bool, option("--trusted --vouch", "You answer for all of it: only what looks planted is pending.")] = False,
) -> None:
    """Take in files, other programs' memories, old conversations. What no person said needs your approval."""
    if program and program not in import_files.PROGRAMS:
        raise typer.BadParameter(f"use one of {', '.join(import_files.PROGRAMS)}", param_hint="--from")
    workspace = workspace_of()
    if conversations:
        return backfill(workspace, since)
    if not path and not program:
        return _offer(workspace)
    lines, whose = list[str | ImportLine](), program
    for source in [path] if path else _usual(workspace, program):
        more, whose = _lines(workspace, source, program, vouched=vouch)
        lines += more
        if exact and whose != import_files.JSON_LINES:
            raise RefusedError(f"{source} cannot be imported with --exact: only JSON lines hold whole rows")
    name = "" if whose == import_files.JSON_LINES else import_files.SAID.get(whose, whose)
    origin = ImportSource(name, vouch, workspace.project, partial(_place_of, workspace, name))
    with workspace.store() as db, progress_bar("importing", len(lines)) as step:
        if not workspace.dry_run:
            workspace.note(db)
        here, dry = workspace.project_id, workspace.dry_run
        done = imports.take_in(workspace.act(db), lines, exact=exact, project=here, provenance=origin, progress=step, dry_run=dry)
    refresh(workspace)
    _tell(workspace, done, path or program, whose)


def _lines(workspace: Workspace, source: str, program: str, *, vouched: bool) -> tuple[list[str | ImportLine], str]:
    if source == "-":
        if program not in ("", import_files.JSON_LINES):
            raise RefusedError(f"what {program} remembers is read from a file or a folder; name it instead of -")
        return list(lines_of(source)), import_files.JSON_LINES
    found = import_files.opened(Path(source), program, workspace.env, vouched=vouched)
    return list(lines_of(source) if found.lines is None else found.lines), found.program


def _usual(workspace: Workspace, program: str) -> list[str]:
    among = import_files.usual(program, str(Path.cwd()), workspace.env)
    found = [str(one) for one in among if one.exists()]
    if not found:
        where = f"; it is not at {among[0]}" if among else ""
        raise PsychMemError(f"say where it stands: psychmem import --from {program} PATH{where}")
    return found


def _place_of(workspace: Workspace, program: str, told: str) -> Project | None:
    """The project of a directory, or the one at hand by its name. A directory of another program's that is gone stands for itself."""
    if not told.startswith(("/", "~", ".")):
        return workspace.project if workspace.project is not None and told == workspace.project.name else None
    folder = Path(told).expanduser()
    if folder.is_dir():
        return project_of(folder, workspace.env)
    return Project(f"name:{folder.name}", folder.name, "") if program and folder.name else None


def _offer(workspace: Workspace) -> None:
    there = [
        (program, str(one))
        for program in import_files.PROGRAMS
        for one in import_files.usual(program, str(Path.cwd()), workspace.env)
        if one.is_file() or (one.is_dir() and any(one.glob("**/*.md")))
    ]
    if workspace.json:
        output.print_json([{"from": program, "path": found} for program, found in there])
    elif there:
        output.details(there)
        output.say(f"`psychmem import --from {there[0][0]} --dry-run` shows what would come of it.")
    else:
        output.say(
            "No other memory is found here; name a file or folder: psychmem import PATH."
            " `psychmem import --conversations` reads old conversations."
        )


def _tell(workspace: Workspace, done: Imported, source: str, whose: str) -> None:
    for fault in done.faults[:_FAULTS]:
        output.warn(fault.reason)
    if len(done.faults) > _FAULTS:
        output.warn(f"and {len(done.faults) - _FAULTS} lines more")
    for odd in done.odd[:_FAULTS]:
        output.warn(f"{odd.reason}; it was kept")
    if workspace.json:
        places = [{"project": one, "added": many, "quarantined": done.waiting_in[one]} for one, many in done.added_in.items()]
        faults = [fault._asdict() for fault in done.faults]
        output.print_json({"from": whose, **output.picked(done, "added quarantined known", by_project=places, faults=faults)})
    else:
        named, at_once = (f"{whose}: ", ", `psychmem undo` and `import --trusted` let in all of it")
        if whose == import_files.JSON_LINES:
            named = at_once = ""
        waits = f" ({done.quarantined} of them pending)" if done.quarantined else ""
        added = f"{workspace.word('add', 'added')} {done.added}{waits}"
        output.say(f"{named}{added}; {done.known} known already; {len(done.faults)} not taken")
        if done.quarantined and not workspace.dry_run:
            output.say(f"`psychmem review --all-projects` asks about each{at_once}.")
    if done.faults and not done.added and not done.known:
        raise PsychMemError(f"{source} holds nothing that can be imported; every line is one JSON object with a text")


def backfill(workspace: Workspace, since: str) -> None:
    """Reads each conversation once, into the project it was about, and says what came of it."""
    least = day(since, "--since") if since else 0.0
    chosen = [one for one in sorted((*_transcripts(workspace), *_opencode(workspace)), key=lambda one: one.at) if one.at >= least]
    counts = dict.fromkeys((*_BECAME, _FOR_REVIEW), 0)
    by_project, gone, seen, read = Counter[str](), dict[str, None](), set[tuple[str, str, str]](), 0
    with progress_bar("reading", len(chosen), lambda: f"{counts['kept']} kept") as step:
        for number, one in enumerate(chosen, 1):
            try:
                here = project_of(one.folder, workspace.env) if os.path.isabs(one.folder) else elsewhere(one.folder)
                spans = one.take_up(workspace._replace(project=here))
                read += bool(spans)
                for name, text in _became(spans):
                    statement = (name, digest(text), here.id if here else "")  # each of a project is counted once
                    counts[name] += statement not in seen
                    if name == "kept" and statement not in seen:
                        where = here.name if here else "no project"
                        by_project[where] += 1
                        gone |= {where: None} if here and not here.root else {}
                    seen.add(statement)
            except KeyboardInterrupt:
                output.warn(f"stopped after {number - 1} of {len(chosen)}; run it again, it goes on where it stopped")
                raise
            except (PsychMemError, OSError, ValueError) as exc:  # one conversation that cannot be read costs itself
                output.warn(f"a conversation of {one.folder or 'no folder'} was left out: {exc}")
            step(number)
    refresh(workspace)
    with workspace.store() as db:
        exchanges, example = len(episodes.kept(db)), episodes.example(db)
    if workspace.json:
        rows = {name.replace(_FOR_REVIEW, "quarantined"): number for name, number in counts.items()}
        rows |= {"conversations": len(chosen), "read": read, "exchanges": exchanges}
        return output.print_json({**rows, "by_project": by_project})
    said = f"{'dry run: ' if workspace.dry_run else ''}{read} of {output.counted(len(chosen), 'conversation')} read"
    said += ", the others were known" if read < len(chosen) else ""
    became = (f"{counts[name]} {name.replace('waiting', 'uncertain')}" for name in ("kept", _FOR_REVIEW, "waiting", "rejected"))
    output.say(f"{said}: {', '.join(became)}")
    output.details((name, f"{number} kept") for name, number in by_project.most_common(10))
    if workspace.dry_run:
        return
    for name, sentence in _NEXT:
        if counts[name]:
            output.say(sentence)
    for name in gone:
        output.say(f"`psychmem project merge {name} DIRECTORY` moves what was said in {name}, which is not here.")
    if example:
        date, where = output.minute(example.at)[:10], output.last_part(example.project) if example.project else "no project"
        output.say(f"{output.counted(exchanges, 'exchange')} can be found again, by you and by your agents, for example:")
        output.say(f'    psychmem search "{example.typed}"  (in {where})\n    finds {date}: …{example.answer[-200:]}')


_FOR_REVIEW = "pending"
_BECAME = ("kept", "waiting", "rejected")
_NEXT = (
    ("kept", "`psychmem list --all-projects` shows what was kept."),
    (_FOR_REVIEW, "`psychmem review --all-projects` asks about what no person said, or said in no project."),
    ("waiting", "`psychmem review` asks, in each project, about the best of what is uncertain; the rest expires."),
)


def _became(spans: list[SpanResult]) -> Iterator[tuple[str, str]]:
    """What every statement of a conversation became, with its text."""
    added = (change.after for span in spans for change in span.changes if change.type is ChangeType.ADD and change.after)
    quarantined = {memory.text for memory in added if memory.status is Status.QUARANTINED}
    for name in _BECAME:
        for text in (verdict.candidate.text for span in spans for verdict in getattr(span, name)):
            yield _FOR_REVIEW if name == "kept" and text in quarantined else name, text


class _Past(NamedTuple):
    """A conversation of some time ago, of whichever agent."""

    at: float  # when it went on last
    folder: str  # where it was led
    take_up: Callable[[Workspace], list[SpanResult]]


def _transcripts(workspace: Workspace) -> list[_Past]:
    found = []
    for path in Path(claude_folder(workspace.env), "projects").glob("*/*.jsonl"):
        try:
            if not path.is_file():  # a pipe would be waited for
                continue
            with path.open("rb") as file:
                folder = claude_transcript.cwd_of(file.read(1 << 18))
            found.append(_Past(path.stat().st_mtime, folder, partial(extracted, transcript=path)))
        except OSError as exc:
            output.warn(f"{path} was left out: {exc.strerror}")
    return found


def _opencode(workspace: Workspace) -> list[_Past]:

    def take_up(one: opencode_database.Past, workspace: Workspace) -> list[SpanResult]:
        request = Request("stop", "opencode", one.session, one.folder)
        return taken_up(workspace, one.session, lambda known: opencode_spans_of(known, request, workspace.env, ()))

    past = opencode_database.past(opencode_database.database(workspace.env))
    return [_Past(one.updated_at, one.folder, partial(take_up, one)) for one in past]
