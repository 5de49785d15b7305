"""psychmem import and export; extract and log: one conversation, one tool event."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.agents import claude_memory, claude_transcript, event, opencode_database
from psychmem_py.cli import output, views
from psychmem_py.cli.app import app, argument, option
from psychmem_py.cli.commands.sessions import served
from psychmem_py.cli.context import Workspace, day, lines_of, options_given, usage_error_if
from psychmem_py.curation import exports, history, import_files, imports
from psychmem_py.errors import NotFoundError, OvertakenError, PsychMemError, RefusedError
from psychmem_py.home.project import Project, project_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Span, Transcript, opencode_spans_of, spans_of, without_paused
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ChangeType, Status, Verdict
from psychmem_py.safety.control_chars import escaped, line
from psychmem_py.store import change_log, episodes, sessions
from psychmem_py.text.tokenizer import digest

_FORMATS = ("jsonl", "markdown", "md")
_FAULTS = 20  # that are told
_FOR_REVIEW = "pending"
_OUTCOMES = ("kept", "waiting", "rejected")
_NEXT = {
    "kept": "`psychmem list --all-projects` shows what was kept.",
    _FOR_REVIEW: "`psychmem review --all-projects` asks about what no person said, or said in no project.",
    "waiting": "`psychmem review` asks, in each project, about the best of what is uncertain; the rest expires.",
}
_Past = tuple[float, str, Callable[[Workspace], list[SpanResult]]]  # when it went on last, where it was led, what reads it


@app.command(here=True)
def export(
    workspace: Workspace,
    format_: Annotated[str, option("--format", "jsonl, for `import --exact`, or markdown to read.", among=_FORMATS)] = "jsonl",
    target: Annotated[Path | None, option("--output -o FILE", "Default: stdout.")] = None,
    conversations: Annotated[bool, option("--conversations", "Earlier conversations; none is imported again.")] = False,
) -> None:
    """Print all memories, as JSON lines or Markdown. With --project those of one project and yours."""
    usage_error_if(format_ != "jsonl" and (workspace.json or conversations), "give one of the two", "--format markdown")
    everywhere = not workspace.placed and workspace.who.may(Action.ELSEWHERE)
    with workspace.reading() as db:
        if conversations:
            here = (one for one in episodes.kept(db) if everywhere or one.project == workspace.project_id)
            lines = [escaped(json.dumps(views.exchange_row(one), ensure_ascii=False)) for one in here]
        else:
            lines = list(exports.export(db, project=workspace.project_id, all_projects=everywhere))
        if format_ != "jsonl":
            lines = list(exports.markdown(lines, sessions.project_names(db)))
    text = "".join(f"{line}\n" for line in lines)
    output.write_file(target, text) if target else sys.stdout.write(text)


@app.command("import", writes=True, looks=True, here=True)
def import_(
    workspace: Workspace,
    path: Annotated[str, argument("PATH|-", "A file or folder; its content says whose it is. Without: what is found here.")] = "",
    program: Annotated[str | None, option("--from", "Whose memory it is.", among=import_files.PROGRAMS)] = None,
    conversations: Annotated[bool, option("--conversations", "The agents' past conversations, each into its project.")] = False,
    since: Annotated[float | None, option("--since DATE", "Of those only what went on after that day.", parser=day)] = None,
    exact: Annotated[bool, option("--exact", "Take the rows as they are: for your own exports only.")] = False,
    vouch: Annotated[bool, option("--trusted --vouch", "You answer for all of it: only what looks planted is pending.")] = False,
) -> None:
    """Take in files, other programs' memories, old conversations. What no person said needs your approval."""
    usage_error_if(since and not conversations, "goes with --conversations", "--since")
    if conversations:
        given = options_given["typed"] - {"conversations", "since", "project", "json", "dry_run"}
        usage_error_if(given, "goes with --since and --project alone", "--conversations")
        return _backfill(workspace, since or 0.0)
    usual = [(name, one) for name, there in import_files.usual(str(Path.cwd()), workspace.env).items() for one in there]
    if not path and not program:
        there = [(name, str(one)) for name, one in usual if one.is_file() or (one.is_dir() and any(one.glob("**/*.md")))]
        hint = "No other memory is found here; psychmem import PATH reads a file or folder, --conversations old conversations."
        hint = f"`psychmem import --from {there[0][0]} --dry-run` shows what would come of it." if there else hint
        told = [{"from": name, "path": found} for name, found in there]
        return workspace.answer(told, *(f"{name}  {found}" for name, found in there), hint)
    places = [one for name, one in usual if name == program]
    if not (sources := [path] if path else [str(one) for one in places if one.exists()]):
        where = f"; it is not at {places[0]}" if places else ""
        raise PsychMemError(f"say where it stands: psychmem import --from {program} PATH{where}")
    lines, whose = list[str | import_files.ImportLine](), import_files.JSON_LINES
    for source in sources:
        if source == "-" and program not in (None, import_files.JSON_LINES):
            raise RefusedError(f"what {program} remembers is read from a file or a folder; name it instead of -")
        whose, found = (whose, None) if source == "-" else import_files.opened(Path(source), program or "", workspace.env)
        lines += lines_of(source) if found is None else found
        if exact and whose != import_files.JSON_LINES:
            raise RefusedError(f"{source} cannot be imported with --exact: only JSON lines hold whole rows")
    name = "" if whose == import_files.JSON_LINES else import_files.SAID.get(whose, whose)
    origin = imports.ImportSource(name, vouch, partial(_place_of, workspace, name))
    with workspace.store() as db, output.progress_bar("importing", len(lines)) as step:
        workspace.note(db)
        act, here = workspace.act(db), workspace.project_id
        done = imports.ImportRun(act, here, origin, exact=exact, dry_run=workspace.dry_run).take_in(lines, step)
        names = sessions.project_names(db)
    _tell(workspace, done, path or program or "", whose, names)


def _place_of(workspace: Workspace, program: str, told: str) -> Project | None:
    """The project of a directory, or the one at hand by its name; a project of its own for another program's lost directory."""
    if not told.startswith(("/", "~", ".")):
        return workspace.project if workspace.project is not None and told == workspace.project.name else None
    if (folder := Path(told).expanduser()).is_dir():
        return project_of(folder, workspace.env)
    return Project(f"name:{folder.name}", folder.name, "") if program and folder.name else None


def _tell(workspace: Workspace, done: imports.ImportRun, source: str, whose: str, names: dict[str, str]) -> None:
    odd = [*(str(fault["reason"]) for fault in done.faults), *(f"{one}; it was kept" for one in done.odd)]
    output.warn(*odd[:_FAULTS], *([f"and {len(odd) - _FAULTS} more"] if len(odd) > _FAULTS else []))
    own = whose == import_files.JSON_LINES
    waits = f" ({done.quarantined} of them pending)" if done.quarantined else ""
    added = f"{'' if own else f'{whose}: '}{workspace.word('add', 'added')} {done.added}{waits}"
    at_once = "" if own else "; to let in all of it: `psychmem undo`, then the same with --trusted"
    where = Counter(history.place_name(one, names) for one in done.added_in.elements())
    workspace.answer(
        {"from": whose, **output.picked(done, "added quarantined known faults", by_project=where)},
        f"{added}; {done.known} known already; {len(done.faults)} not taken",
        *([f"{_NEXT[_FOR_REVIEW][:-1]}{at_once}."] if done.quarantined and not workspace.dry_run else []),
    )
    if done.faults and not done.added and not done.known:
        raise PsychMemError(f"{source} holds nothing that can be imported; every line is one JSON object with a text")


def _backfill(workspace: Workspace, since: float) -> None:
    def home(folder: str) -> Project | None:
        return project_of(folder, workspace.env) if os.path.isabs(folder) else None  # not one as another system writes it

    past = sorted((*_transcripts(workspace), *_opencode(workspace)), key=lambda one: one[0])
    ignores = Surroundings(workspace.env).ignores
    lately = [(folder, take_up) for at, folder, take_up in past if at >= since and not ignores(folder)]
    chosen = [one for one in lately if not workspace.placed or getattr(home(one[0]), "id", None) == workspace.project_id]
    seen, read, failed = dict[tuple[str, str, str], Project | None](), 0, 0  # each statement of a project once, as what it became
    with output.progress_bar("reading", len(chosen)) as step:
        for number, (folder, take_up) in enumerate(chosen, 1):
            try:
                here = home(folder)
                spans = take_up(workspace._replace(project=here))
                read += bool(spans)
                for name, text in _outcomes(spans):
                    seen.setdefault((name, digest(text), here.id if here else ""), here)
            except (PsychMemError, OSError, ValueError) as exc:  # one conversation that cannot be read costs itself
                output.warn(f"a conversation of {folder or 'no folder'} was left out: {exc}")
                failed += 1
            step(number)
    counts = Counter(name for name, _, _ in seen)
    by_project = Counter(here.name if here else "no project" for (name, _, _), here in seen.items() if name == "kept")
    became = (f"{counts[name]} {name.replace('waiting', 'uncertain')}" for name in ("kept", _FOR_REVIEW, "waiting", "rejected"))
    known = output.counted(len(chosen), "conversation")
    rows = {name.replace(_FOR_REVIEW, "quarantined"): counts[name] for name in (*_OUTCOMES, _FOR_REVIEW)}
    workspace.answer(
        {**rows, "conversations": len(chosen), "read": read, "by_project": by_project},
        f"{'dry run: ' * workspace.dry_run}{read} of {known} read anew: {', '.join(became)}",
        *(f"{name}  {number} kept" for name, number in by_project.most_common(10)),
        *(sentence for name, sentence in _NEXT.items() if counts[name] and not workspace.dry_run),
    )
    if failed and failed == len(chosen):
        raise typer.Exit(1)


def _outcomes(spans: list[SpanResult]) -> Iterator[tuple[str, str]]:
    added = (change.after for span in spans for change in span.changes if change.type is ChangeType.ADD and change.after)
    quarantined = {memory.text for memory in added if memory.status is Status.QUARANTINED}
    told = ((name, verdict.candidate.text) for name in _OUTCOMES for span in spans for verdict in getattr(span, name))
    return ((_FOR_REVIEW if name == "kept" and text in quarantined else name, text) for name, text in told)


def _transcripts(workspace: Workspace) -> Iterator[_Past]:
    for path in Path(claude_memory.claude_folder(workspace.env), "projects").glob("*/*.jsonl"):
        try:
            if path.is_file():  # a pipe would be waited for
                with path.open("rb") as file:
                    folder = claude_transcript.cwd_of(file.read(1 << 18))
                yield path.stat().st_mtime, folder, partial(_read_file, transcript=path)
        except OSError as exc:
            output.warn(f"{path} was left out: {exc.strerror}")


def _opencode(workspace: Workspace) -> Iterator[_Past]:
    for session, folder, updated_at in opencode_database.past(opencode_database.database(workspace.env)):
        spans = partial(opencode_spans_of, request=event.Request("stop", "opencode", session, folder), env=workspace.env, uses=())
        yield updated_at, folder, partial(_read_all, session=session, spans_of=spans)


@app.command("extract", writes=True, looks=True, here=True)
def extract_(
    workspace: Workspace, transcript: Annotated[Path | None, option("--transcript FILE", "Of Claude Code.")] = None
) -> None:
    """Read a transcript; print what is kept, what not, and why. With a hook's JSON on stdin, act as that hook."""
    if transcript is None:
        if (said := served(workspace, "stop")) is None:
            raise typer.BadParameter("name a transcript, or give a hook's JSON on stdin", param_hint="--transcript")
        if not workspace.dry_run:
            return
        transcript, here = Path(str(said.get("transcript_path") or os.devnull)), str(said.get("cwd") or Path.cwd())
        workspace = workspace._replace(project=project_of(here, workspace.env))
    elif not transcript.is_file():
        raise NotFoundError(f"there is no file {transcript}; name a transcript")
    done = _read_file(workspace, transcript.resolve()) if transcript.is_file() else []
    told, lines = {outcome: list[dict[str, object]]() for outcome in _OUTCOMES}, list[str]()
    for outcome, rows in told.items():
        found: list[Verdict] = [verdict for one in done for verdict in getattr(one, outcome)]
        lines.append(f"{outcome}: {len(found)}{' (dry run: nothing is written)' * workspace.dry_run}")
        for verdict in found:
            why = f"{verdict.gate.value}: {verdict.reason}" if verdict.gate else verdict.candidate.kind.value
            lines.append(f"  [{why}] {line(verdict.candidate.text)}")
            numbers = {name: round(getattr(verdict.candidate, name), 4) for name in ("confidence", "importance")}
            said = output.picked(verdict.candidate, "text quote scope", **{"class": verdict.candidate.kind}, **numbers)
            signals = [signal.family for signal in verdict.candidate.signals]
            rows.append(said | output.picked(verdict, "gate reason", signals=signals))
    workspace.answer(told, *lines)


def _read_file(workspace: Workspace, transcript: Path) -> list[SpanResult]:
    """What became of the file, span by span; an agent's is taken as a file, not believed, under a session of its own."""
    session = f"file-{transcript.stem}" if workspace.who.agent else transcript.stem
    source = Transcript(session, "claude-code", str(transcript), believed=not workspace.who.agent)
    return _read_all(workspace, session, lambda known: spans_of(known, source))


def _read_all(workspace: Workspace, session: str, spans_of: Callable[[sessions.Session | None], list[Span]]) -> list[SpanResult]:
    here, done = workspace.project, list[SpanResult]()
    with workspace.store() as db:
        workspace.note(db)
        take_up = partial(extract, db, project=here, settings=workspace.settings, now=workspace.now, batch=workspace.batch)
        while True:
            purged, spans = change_log.last_purge(db), spans_of(sessions.session(db, session))
            try:
                where = str(workspace.directories.data), here.root if here else "", workspace.now
                heard = [without_paused(span, *where) for span in spans]
                results = [take_up(one, dry_run=workspace.dry_run, matcher=workspace.matcher, purged=purged) for one in heard]
            except OvertakenError:
                continue
            done += [result for span, result in zip(spans, results, strict=True) if span.end > span.start]
            if workspace.dry_run or not spans or spans[-1].end <= spans[-1].start:
                return done


@app.command(writes=True, looks=True, json=False)
def log(workspace: Workspace) -> None:
    """Note a tool event whose JSON a hook gives on stdin."""
    if (said := served(workspace, "tool-after")) is None:
        raise PsychMemError("there is no hook's JSON on stdin; agents call this, or rather psychmem-hook tool-after")
    if workspace.dry_run:
        output.say(f"would note a call of {said.get('tool_name') or said.get('tool') or 'a tool'}")
