"""The language files a command reads sentences with, and the reader it may ask. Apart, because loading them is dearer than most commands."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.errors import JudgeError
from psychmem_py.extraction import sweep_lines
from psychmem_py.judging import clients, runner, sweeping
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Verdict


def overlay(workspace: Workspace) -> Path:
    """Where a person's own language files are."""
    return files.overlay_of(workspace.directories)


def matcher(workspace: Workspace, *, keep: bool = True) -> Matcher:
    """All languages, the person's own over those shipped; each is read when a text is in it."""
    return files.own_matcher(workspace.directories, workspace.settings.extraction.languages, keep=keep)


JudgeOption = Annotated[
    str,
    typer.Option(
        "--judge", metavar="COMMAND", help="Have a reader read them: claude, opencode, or a program that speaks protocol 2."
    ),
]


def _read(entries: list[dict[str, Any]], workspace: Workspace, command: str) -> list[list[Verdict]]:
    """The verdicts on each message after a reader has read them, those of one `session` together; a request that fails is told."""
    settings = workspace.settings.judge
    clients.program(command, settings.small_model, workspace.env, "")  # one that is not there is told before anything is swept

    def ask(request: str) -> str:
        with tempfile.TemporaryDirectory(prefix="psychmem-judge-") as folder:
            program = clients.program(command, settings.small_model, workspace.env, folder)
            try:
                return runner.answer(program, request, env=workspace.env, folder=folder, timeout_s=settings.call_timeout_s)
            except JudgeError as exc:
                output.warn(f"{exc}; the rules' own verdicts stand")
                return ""

    languages = matcher(workspace)
    found = sweeping.swept(map(sweep_lines.message_of, entries), languages)
    return sweeping.read(found, [str(entry.get("session") or "") for entry in entries], ask, languages, workspace.settings)


def results(lines: Iterable[str], workspace: Workspace, command: str) -> Iterator[str]:
    """One line of JSON for each message, as `psychmem sweep` prints it, after reading."""
    entries = list(sweep_lines.entries_in(lines))
    yield from map(sweep_lines.result, entries, _read(entries, workspace, command))


def figures(rows: list[dict[str, Any]], workspace: Workspace, command: str) -> dict[str, sweep_lines.Figures]:
    """The figures for labelled messages after reading."""
    return sweep_lines.counted(zip(rows, _read(rows, workspace, command), strict=True))
