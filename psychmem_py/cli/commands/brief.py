"""inject, extract and log: by hand for people, and with a hook's JSON on stdin as that hook."""

from __future__ import annotations

import json
import os
import select
import sqlite3
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.briefing import brief
from psychmem_py.cli import output
from psychmem_py.cli.app import app, examples, option
from psychmem_py.cli.commands.sessions import ALL_THERE, next_session
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.errors import OvertakenError, PsychMemError
from psychmem_py.home.files import Directories
from psychmem_py.home.project import project_of
from psychmem_py.hooks.serve import serve
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Span, Transcript, spans_of, without_paused
from psychmem_py.installation.claude_code import HOOKS
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Verdict
from psychmem_py.recall.selection import NO_ROOM
from psychmem_py.safety.control_chars import line
from psychmem_py.store import change_log, sessions
from psychmem_py.text.tokenizer import content_words


def served(command: str, events: Mapping[str, str]) -> bool:
    """Whether a hook's JSON stood on stdin and was served: then the command has acted as that hook and has nothing more to do."""
    try:  # a terminal, a closed or a silent pipe hold none
        if sys.stdin is None or sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0.2)[0]:
            return False
        raw = sys.stdin.buffer.read()
        given = json.loads(raw)
    except (OSError, ValueError, RecursionError):
        return False
    if not isinstance(given, dict):
        return False
    name, workspace = given.get("hook_event_name"), workspace_of()
    elsewhere = isinstance(given.get("cwd"), str) and project_of(given["cwd"], workspace.env) != workspace.project
    if elsewhere:  # an agent can write any directory there
        workspace.who.must(Deed.ELSEWHERE)
    sys.stdout.buffer.write(serve([events.get(str(name), command)], raw, os.environ))
    return True


EVENTS = {hook.event: hook.ours for hook in HOOKS}


@app.command(epilog=examples("inject --query 'deploy to staging' --explain"), here=True)
def inject(
    query: Annotated[str, option("--query TEXT", "What the session is about; what fits it comes first.")] = "",
    budget: Annotated[int, option("--budget N", "At most this many characters; 0: as configured.", min=0)] = 0,
    explain: Annotated[bool, option("--explain", "Say why each memory is in it, and what nearly was.")] = False,
) -> None:
    """Print the brief that a session starting here would get. With a hook's JSON on stdin, act as that hook."""
    workspace = workspace_of()
    if not (workspace.placed or query or budget or explain or workspace.json) and served("inject", EVENTS):
        return
    settings = workspace.settings
    if budget:
        settings = settings._replace(retrieval=settings.retrieval._replace(brief_limit_chars=budget))
    with workspace.reading() as db:
        occasion = next_session(db, workspace, settings)
        occasion = occasion._replace(focus_words=content_words(query)) if query else occasion
        made = brief.compose(db, occasion)
    reasons = brief.reasons(made)
    told = {"brief": made.text, "shown": list(made.shown), "reasons": reasons, "characters": len(made.text)}
    workspace.answer(told, *([made.text] if made.text else []))
    if workspace.json:
        return
    if not made.text:
        left_out = {miss.reason for miss in made.choice.near_misses}
        full = "What is remembered does not fit so few characters." if NO_ROOM in left_out else ""
        output.warn(ALL_THERE if brief.IN_MEMORY_MD in left_out else full or "Nothing is remembered that is shown here.")
    if explain:
        output.details((output.short(identity), reason) for identity, reason in reasons.items())


@app.command(name="extract", epilog=examples("extract --transcript session.jsonl --dry-run"), writes=True, looks=True, here=True)
def extract_(
    transcript: Annotated[Path | None, option("--transcript FILE", "Of Claude Code.", exists=True, dir_okay=False)] = None,
) -> None:
    """Read a transcript; print what is kept, what not, and why. With a hook's JSON on stdin, act as that hook."""
    workspace = workspace_of()
    if transcript is None:
        if not workspace.dry_run and served("stop", EVENTS):
            return
        wanted = "name a transcript" if workspace.dry_run else "name a transcript, or give a hook's JSON on stdin"
        raise typer.BadParameter(wanted, param_hint="--transcript")
    done = extracted(workspace, transcript.resolve())
    became = {name: [verdict for one in done for verdict in getattr(one, name)] for name in ("kept", "waiting", "rejected")}
    if workspace.json:
        return output.print_json({name: [*map(_verdict, found)] for name, found in became.items()})
    for name, found in became.items():
        output.say(f"{name}: {len(found)}{' (dry run: nothing is written)' if workspace.dry_run and name == 'kept' else ''}")
        for verdict in found:
            why = f"{verdict.gate.value}: {verdict.reason}" if verdict.gate else verdict.candidate.kind.value
            output.say(f"  [{why}] {line(verdict.candidate.text)}")


SpansOf = Callable[[sessions.Session | None], list[Span]]


@cache
def _matcher(owned: Directories, only: str) -> Matcher:
    """One for the whole run: what it has read of the languages takes 10 MB, and a backfill has hundreds of conversations."""
    return files.own_matcher(owned, only)


def extracted(workspace: Workspace, transcript: Path) -> list[SpanResult]:
    """What became of the whole file, span by span; what an agent gives us is a file's word, and no conversation has been read by it."""
    session = f"file-{transcript.stem}" if workspace.agent else transcript.stem
    source = Transcript(session, "claude-code", str(transcript), believed=not workspace.agent)
    return taken_up(workspace, session, lambda known: spans_of(known, source))


def taken_up(workspace: Workspace, session: str, spans_of: SpansOf) -> list[SpanResult]:
    """What became of a conversation, span by span, until nothing is left of it."""
    done: list[SpanResult] = []
    with workspace.store() as db:
        if not workspace.dry_run:
            workspace.note(db)
        while True:
            purged, spans = change_log.last_purge(db), spans_of(sessions.session(db, session))
            try:
                results = [(span, _read(workspace, db, span, purged)) for span in spans]
            except OvertakenError:
                continue
            done += [result for span, result in results if span.end > span.start]
            if workspace.dry_run or not spans or spans[-1].end <= spans[-1].start:
                break
    return done


def _read(workspace: Workspace, db: sqlite3.Connection, span: Span, purged: str) -> SpanResult:
    """What becomes of a span, without what was said in a pause."""
    settings, root = workspace.settings, workspace.project.root if workspace.project else ""
    heard = without_paused(span, str(workspace.directories.data), root, workspace.now)
    return extract(
        db, heard, project=workspace.project, settings=settings, now=workspace.now, dry_run=workspace.dry_run,
        matcher=lambda: _matcher(workspace.directories, settings.extraction.languages), purged=purged, batch=workspace.batch,
    )  # fmt: skip


@app.command(epilog=examples("log < event.json"), json=False)
def log() -> None:
    """Note a tool event whose JSON a hook gives on stdin."""
    if not served("tool-after", EVENTS):
        raise PsychMemError("there is no hook's JSON on stdin; agents call this, or rather psychmem-hook tool-after")


def _verdict(verdict: Verdict) -> dict[str, object]:
    found = verdict.candidate
    numbers = {"confidence": round(found.confidence, 4), "importance": round(found.importance, 4)}
    said = output.picked(found, "text quote scope", **{"class": found.kind}, **numbers)
    return said | output.picked(verdict, "gate reason", signals=[signal.family for signal in found.signals])
