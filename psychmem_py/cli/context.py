"""What every command starts from: where we stand, which project that is, the settings, and the store."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple
from uuid import uuid4

import typer

from psychmem_py.agents import claude_topics
from psychmem_py.briefing import memory_files
from psychmem_py.cli import output
from psychmem_py.curation.act import PERSON, Act, Who
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.home import config, paths, surroundings
from psychmem_py.home.project import Project, project_of
from psychmem_py.installation import memory_folders
from psychmem_py.languages import cache, files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import Origin
from psychmem_py.store import projects
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.text.moments import moment

ProjectOption = Annotated[
    Path | None, typer.Option("--project", metavar="DIR", help="The project of this directory; usual: the one you stand in.")
]
AllProjects = Annotated[bool, typer.Option("--all-projects", help="Of every project.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change and change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="A memory's id, or a unique beginning of it.")]


class Here(NamedTuple):
    """The surroundings of one command."""

    env: Mapping[str, str]
    places: paths.Places
    settings: Settings
    project: Project | None  # None: in no project, as in the home directory
    now: float
    batch: str  # one id for everything this command changes

    @property
    def project_id(self) -> str | None:
        return self.project.id if self.project else None

    @property
    def agent(self) -> str:
        """The agent we are called by: "claude-code", "opencode"; "" for a person in a terminal."""
        if self.env.get("CLAUDECODE"):
            return "claude-code"
        return "opencode" if self.env.get("OPENCODE") else ""

    @property
    def database(self) -> Path:
        """The store; where each agent has its own: PSYCHMEM_AGENT_TYPE's, that of the agent we are in, or Claude Code's."""
        return surroundings.database(self.env, self.settings.general.agent_type or self.agent or "claude-code")

    @property
    def session(self) -> str:
        """The agent's conversation we are called in, "" outside of one."""
        return (
            self.env.get("CLAUDE_CODE_SESSION_ID", "") if self.agent == "claude-code" else self.env.get("OPENCODE_SESSION_ID", "")
        )

    @property
    def who(self) -> Who:
        """On whose behalf we act: a person's in a terminal, an agent's own inside of one."""
        return Who(Origin.ASSISTANT, self.agent, self.session) if self.agent else PERSON

    @contextmanager
    def store(self) -> Iterator[sqlite3.Connection]:
        """The open store, made if it is not there."""
        with open_store(self.database, now=self.now) as db:
            yield db

    @contextmanager
    def acting(self, *, dry_run: bool = False) -> Iterator[Act]:
        """This command's act on the open store, inside one transaction, which a dry run takes back at the end."""
        with self.store() as db:
            try:
                with transaction(db):
                    yield Act(db, self.settings, self.now, self.batch, self.who)
                    if dry_run:
                        raise _TakenBack
            except _TakenBack:
                pass


class _TakenBack(Exception):
    """Ends the transaction of a dry run."""


def here(project: Path | None = None) -> Here:
    """The surroundings at `project`, or where we stand. Raises RefusedError for a directory that is not there."""
    if project is not None and not project.is_dir():
        raise RefusedError(f"{project} is not a directory; name one with --project DIR")
    env = dict(os.environ)
    places = paths.places(env)
    return Here(env, places, config.load(env), project_of(project or _standing(), env), time.time(), uuid4().hex)


def progress(long: bool) -> bool:
    """Whether to show a bar: on long work, and only where somebody watches."""
    return long and sys.stderr.isatty()


def _standing() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as exc:
        raise RefusedError("the directory you stand in is gone; change to another one") from exc


def day(text: str) -> float:
    """UTC seconds of an ISO date or time."""
    try:
        return moment(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date; write it as 2026-03-01 or 2026-03-01T14:00") from None


def lines_of(source: str) -> Iterator[str]:
    """The lines of a file, or of stdin for "-". Raises PsychMemError in a sentence when it cannot be read."""
    try:
        if source == "-":
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
            yield from sys.stdin
            return
        with Path(source).open(encoding="utf-8", errors="replace") as file:
            yield from file
    except OSError as exc:
        raise PsychMemError(f"{source} cannot be read: {exc.strerror}; name a file of JSON lines, or - for stdin") from exc


def refresh(place: Here) -> None:
    """Brings the memory folders that hold something of ours up to date; a folder that cannot be written is told and left."""
    with place.store() as db:
        for seen in projects.projects(db).values():
            folder = claude_topics.folder_of(seen.root, place.env)
            try:
                if memory_folders.holds_ours(folder):
                    project = Project(seen.id, seen.name, seen.root)
                    memory_files.refresh(db, project, place.settings, place.env, cwd=seen.root, now=place.now)
            except (OSError, PsychMemError) as exc:
                output.warn(f"{folder.path} still shows what it showed before: {exc}")


def overlay(place: Here) -> Path:
    """Where a person's own language files are."""
    return place.places.config / "patterns"


def matcher(place: Here, *, keep: bool = True) -> Matcher:
    """All languages, the person's own over those shipped; each is read when a text is in it."""
    return files.matcher(overlay(place), cache.folder(place.places.cache), keep=keep)
