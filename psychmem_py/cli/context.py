"""What every command starts from: directory, project, settings and store; and what one that changed something ends with."""

from __future__ import annotations

import os
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import typer

from psychmem_py.agents.event import CLAUDE_CODE, Request, calling_agent
from psychmem_py.cli import output
from psychmem_py.curation import history
from psychmem_py.curation.act import PERSON, Act, Outcome, Who, Workplace
from psychmem_py.errors import NotFoundError, PsychMemError, RefusedError, UnwritableError, refuse_if
from psychmem_py.home import config, files, pauses, surroundings
from psychmem_py.home.project import Project, project_of
from psychmem_py.model import light_record
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ENFORCED, ChangeType, Kind, LinkType, Memory, Origin, Status
from psychmem_py.model.settings import Settings, kind_of
from psychmem_py.safety.control_chars import line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import change_log, connection, read_only, sessions, undo
from psychmem_py.text.dates import moment, until

if TYPE_CHECKING:
    from psychmem_py.languages.matcher import Matcher

_WAIT_S = 60.0  # for a busy store: forty commands at once took 26 s on two cores

options_given: dict[str, Any] = {}  # the common options of the running command, the names of all that were typed, its workspace
_NOTE = "# One sentence. This line is left out; leave nothing to change nothing."
_KNOWN = {ChangeType.REINFORCE: "known already, counted once more", ChangeType.MERGE: "known already, reworded"}
_EFFECTS = {
    "replaces": "replaces {id}: {text}; `psychmem undo` brings it back",
    "kept": "kept from it as {id}: {text}",
    "contradicts": "both stand; `psychmem forget {id}` if the older no longer holds",
}


def caller(env: Mapping[str, str], here: str | None = None) -> Who:
    """Who runs this: a person in a terminal, or the agent we run in."""
    if not (agent := calling_agent(env)):
        return PERSON
    session = env.get("CLAUDE_CODE_SESSION_ID" if agent == CLAUDE_CODE else "OPENCODE_SESSION_ID", "")
    return Who(Origin.ASSISTANT, agent, session, here)


class Workspace(NamedTuple):
    env: Mapping[str, str]
    directories: files.Directories
    settings: Settings
    project: Project | None  # None: in no project, as in the home directory
    now: float
    batch: str  # one id for everything this command changes
    json: bool = False
    dry_run: bool = False
    folder: str = ""  # the directory --project names; the project's id where it stands nowhere here
    placed: bool = False  # by --project
    command: str = ""  # the one that runs: "review"

    @property
    def project_id(self) -> str | None:
        return self.project.id if self.project else None

    def root_of(self, memory: Memory) -> str:
        """The work tree at hand, where a memory holds there; "" where it does not."""
        return self.project.root if self.project and memory.project in (None, self.project.id) else ""

    def when_shown(
        self, memory: Memory, files: Mapping[str, Sequence[str]] | None = None, db: sqlite3.Connection | None = None
    ) -> str:
        """When a rule is shown, in words: at calls, or reading one of `files`; "" for never. With the store, also "no more"."""
        if memory.kind not in ENFORCED or memory.status not in light_record.KEPT:
            return ""
        from psychmem_py.briefing.actionable import when_shown  # noqa: PLC0415  # the words of all acts: 15 ms only a rule needs
        from psychmem_py.briefing.reminders import used_up  # noqa: PLC0415

        by_call = when_shown(memory, self.root_of(memory))
        read = [path for path, ids in (files or {}).items() if memory.id in ids][:3]
        told = by_call or (f"the agent is shown it when it reads {' or '.join(read)}" if read else "")
        if db and told.startswith("the agent is ") and used_up(db, memory.id, at_files=not by_call):
            return f"{told.replace(' is ', ' was ', 1)}, in as many sessions as may be; no more until it is said again"
        return f"once approved, {told}" if told and memory.status is Status.QUARANTINED else told

    def word(self, would: str, done: str) -> str:
        """`done`, or in a dry run "would move"."""
        return f"would {would}" if self.dry_run else done

    @property
    def agent(self) -> str:
        """Whose store it is where each has one, and for whose session a brief is: Claude Code's if nothing names another."""
        return self.settings.general.agent_type or self.who.agent or CLAUDE_CODE

    @property
    def database(self) -> Path:
        return surroundings.database(self.env, self.agent)

    @property
    def workplace(self) -> Workplace:
        return Workplace(str(self.database), str(self.directories.data), self.env, self.settings)

    @property
    def who(self) -> Who:
        """A person in a terminal, or the agent we are called by, in its conversation."""
        return caller(self.env, self.project_id)

    def matcher(self, *, keep: bool = True) -> Matcher:
        """All languages, the person's own over those shipped; each is read when a text is in it."""
        from psychmem_py.languages.files import own_matcher  # noqa: PLC0415  # 20 ms that most commands do without

        return own_matcher(self.directories, self.settings.extraction.languages, keep=keep)

    def ask(self, question: str, *, yes: bool) -> None:
        """Returns if the person agrees, gave --yes, or in a dry run. Raises RefusedError if nobody can be asked."""
        if not (yes or self.dry_run):
            refuse_if(not sys.stdin.isatty(), "nobody is there to be asked; --yes goes on without asking")
            typer.confirm(question, abort=True, err=True)

    def answer(self, told: object, *sentences: str) -> None:
        """Prints JSON where it was asked for, else the sentences."""
        output.print_json(told) if self.json else output.say(*sentences)

    def show(self, told: object, *hints: str) -> None:
        """Prints JSON where it was asked for, else the same names and values for people, and what to do next."""
        if not self.json:
            output.plain(told)
        self.answer(told, *hints)

    def say_done(self, done: Sequence[Outcome], verb: str, **more: object) -> None:
        """Prints what a command did, with `more` in JSON."""
        output.warn(*(warning for outcome in done for warning in outcome.warnings))
        if self.json:
            printed = [{**output.row(outcome.memory), **_effects(outcome), **more} for outcome in done]
            return output.print_json(printed[0] if len(printed) == 1 else printed)
        names = {self.project.id: self.project.name} if self.project else {}
        for outcome in done:
            memory, did = outcome.memory, verb if outcome.changes else "nothing to do for"
            did = _KNOWN.get(outcome.changes[0].type, did) if outcome.changes and verb == "remembered" else did
            about = f"{CLASS_LABELS[memory.kind]}, {output.holds_in(memory.project, names)}, {memory.status.value}"
            different = dict.fromkeys(filter(None, map(history.differences, outcome.changes if verb == "changed" else ())))
            did += f" ({', '.join(different)})" if different else ""
            output.say(f"{'dry run: ' * self.dry_run}{did} {output.short(memory.id)} ({about}): {memory.text}")
            for name, found in _effects(outcome).items():
                output.say(*(_EFFECTS[name].format(id=output.short(one["id"]), text=one["text"]) for one in found))

    def refresh(self) -> None:
        """Brings memory folders and the rules for tool calls up to date; warns of a folder that cannot be written."""
        if self.dry_run:
            return
        from psychmem_py.briefing import ready_files  # noqa: PLC0415  # 15 ms that commands which only look do without
        from psychmem_py.store import search  # noqa: PLC0415

        around, here = surroundings.Surroundings(self.env, self.now), self.project.root if self.project else ""
        with self.store() as db:
            try:  # for the current directory and the project's root: a new rule applies from the next call on
                for directory in {os.getcwd(), here} - {""}:
                    request = Request("before", self.who.agent or CLAUDE_CODE, self.who.session, directory)
                    ready_files.fill_rules(db, request, project_of(directory, self.env), around)
            except (OSError, PsychMemError) as exc:
                output.warn(f"rules before tool calls are what they were until the next session: {exc}")
            projects = [Project(seen.id, seen.name, seen.root) for seen in sessions.projects(db).values()]
            output.warn(*ready_files.refresh_folders(db, projects, self.settings, self.env, self.now))
            search.add_vectors(db, database=str(self.database), data=str(self.directories.data))

    def store(self) -> AbstractContextManager[sqlite3.Connection]:
        """The open store, made if it is not there; a dry run makes none on the disk."""
        place = connection.IN_MEMORY if self.dry_run and not self.database.exists() else self.database
        return connection.open_store(place, now=self.now, timeout_s=_WAIT_S)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The store for a reader, an empty one where there is none; on a read-only disk it is read as it is, with a warning."""
        with ExitStack() as opened:
            try:
                db = opened.enter_context(self._replace(dry_run=True).store())  # which makes none
                self._bring_along(db)
            except UnwritableError as exc:
                db = opened.enter_context(connection.open_store(self.database, now=self.now, still=True))
                print(f"psychmem: {exc}; what it holds is read all the same", file=sys.stderr)
            yield db

    def _bring_along(self, db: sqlite3.Connection) -> None:
        """Moves what is remembered here from before this directory had a remote or a name, and says so."""
        if self.project and not self.dry_run and not self.placed and read_only.left_behind(db, self.project):
            from psychmem_py.curation import actions  # noqa: PLC0415  # seldom

            with connection.transaction(db):
                number = actions.bring_along(Act(db, self.settings, self.now, batch := uuid4().hex), self.project)
            named = f"{output.counted(number, 'memory')} of this directory came along to {self.project.id}"
            output.warn(f"{named}; `psychmem undo {batch[:12]}` takes it back.")

    def act(self, db: sqlite3.Connection) -> Act:
        """This command's act on the open store, in no transaction."""
        return Act(db, self.settings, self.now, self.batch, self.who, self.directories.languages)

    @contextmanager
    def acting(self) -> Iterator[Act]:
        """This command's act on the open store, in one transaction, which a dry run rolls back."""
        if not self.who.is_person:
            pauses.must_be_open(surroundings.Surroundings(self.env, self.now), self.who.session, self.folder or os.getcwd())
        with self.store() as db:
            with connection.transaction(db):
                self._bring_along(db)
                if self.command != "undo":  # which notes what it takes back
                    self.note(db, changes=False)  # not yet
                yield self.act(db)
                if self.dry_run:
                    db.rollback()
            options_given["changes"] = not self.dry_run
            of_rules = "batch = ? and before || ifnull(after, '') like '%repository%'"
            if steps := [one.change for one in change_log.log(db, of_rules, (self.batch,))]:
                from psychmem_py.curation import repository  # noqa: PLC0415  # few memories stand in one

                try:
                    repository.follow(db, steps, self.project)
                except RefusedError as exc:  # what was asked for is done
                    output.warn(f"{exc}; take the rule out, or put it there, by hand")

    def note(self, db: sqlite3.Connection, *, changes: bool = True) -> None:
        """Records this command as the last one for `undo`, and that it `changes` something; does nothing in a dry run."""
        if self.dry_run:
            return
        options_given["changes"] = changes or options_given.get("changes")
        with connection.transaction(db):
            stands_in = project_of(Path.cwd(), self.env) if self.placed else self.project
            here, who = stands_in and stands_in.id, self.who
            undo.note_command(db, undo.DoneCommand(self.batch, self.command, here, who.agent, who.session, self.now))
        options_given["noted"] = True

    def note_unchanged(self) -> None:
        """Records a command that changes no memory, unless there is no store or it is recorded already."""
        if self.database.exists() and not self.dry_run and not options_given.get("noted"):
            with suppress(PsychMemError), self.store() as db:  # where it cannot be opened there is nothing to undo
                self.note(db, changes=False)


def _effects(outcome: Outcome) -> dict[str, list[dict[str, str]]]:
    changes = outcome.changes
    gone = [output.picked(one.before, "id text") for one in changes if one.type is ChangeType.SUPERSEDE and one.before]
    made = (one.after for one in changes if one.type is ChangeType.ADD and one.after and one.memory_id != outcome.memory.id)
    links = ((one.link.target, one.reason) for one in changes if one.link and one.link.type is LinkType.CONTRADICTS)
    against = [{"id": target, "text": reason.partition(": ")[2]} for target, reason in links]
    told = {"replaces": gone, "kept": [output.picked(one, "id text") for one in made], "contradicts": against}
    return {name: found for name, found in told.items() if found}


def workspace_of(folder: Path | None = None, settings: Settings | None = None) -> Workspace:
    """The Workspace for `folder`, for --project (an unknown name is a usage error), or for the current directory."""
    env, named = dict(os.environ), "" if folder else str(options_given.get("project") or "")
    where = folder or (Path(named) if named and os.path.isdir(named) else None)
    found = Workspace(
        env, files.directories(env), settings or config.load(env), project_of(where or Path.cwd(), env), time.time(), uuid4().hex,
        json=bool(options_given.get("json")), dry_run=bool(options_given.get("dry_run")), folder=os.path.abspath(where) if where else "",
        placed=bool(named), command=str(options_given.get("command") or ""),
    )  # fmt: skip
    if named and where is None:
        with as_usage_error(f"{named} is neither a directory nor the name of one project"), found.reading() as db:
            seen = sessions.project_named(sessions.projects(db), named)
        found = found._replace(project=Project(seen.id, seen.name, seen.root), folder=seen.root or seen.id)
    if (named and found.project != project_of(Path.cwd(), env)) or _has_left(where or Path.cwd(), found):
        found.who.must(Action.ELSEWHERE)
    options_given.setdefault("workspace", found)
    return found


def _has_left(place: Path, found: Workspace) -> bool:
    """Whether an agent is outside the project of its client's folder, or in one that only claims the remote of another."""
    try:
        folder = found.env.get("OPENCODE_SESSION_FOLDER") or os.readlink(f"/proc/{int(found.env.get('CLAUDE_PID', ''))}/cwd")
    except (OSError, ValueError):
        return False
    if not found.who.agent or project_of(folder, found.env) == found.project:
        return False
    with found.reading() as db:
        known = sessions.projects(db).get(found.project_id or "")  # anybody can make a repository that claims its remote
    places = (place, known.root) if known else (place,)
    return not all(f"{os.path.realpath(one)}/".startswith(f"{folder.rstrip('/')}/") for one in places)


def project_named(db: sqlite3.Connection, name: str, workspace: Workspace, *, new: bool = False) -> sessions.ProjectSeen:
    """The project of this id or name, else of this directory, which goes before if it may be `new`. Raises NotFoundError."""
    known = sessions.projects(db)
    if not Path(name).is_dir() or (not new and any(name in (one.id, one.name) for one in known.values())):
        return sessions.project_named(known, name)
    if (found := project_of(name, workspace.env)) is None:
        raise NotFoundError(f"{name} belongs to no project")
    if new:
        sessions.note_project(db, *found, workspace.now)
    return sessions.project_named(sessions.projects(db), found.id)


def day(text: str) -> float:
    """UTC seconds of an ISO date or time. A wrong one is a usage error."""
    with as_usage_error(f"{text!r} is not a date; write it as 2026-03-01 or 2026-03-01T14:00"):
        return moment(text)


def end(text: str) -> float:
    """UTC seconds of the end that --until names. What is no time, or over, is a usage error."""
    with as_usage_error(f"{text!r} is no end; write friday, tomorrow, 2 hours, 3 days or 2026-03-01"):
        at = until(text, now := time.time())
    usage_error_if(at <= now, f"{text!r} is over already; name a day to come")
    return at


def class_of(name: str) -> Kind:
    """The class called `name`. An unknown one is a usage error."""
    with as_usage_error():
        return kind_of(name)


@contextmanager
def as_usage_error(said: str = "") -> Iterator[None]:
    """Turns an error into a usage error, with the text `said` or the error's own."""
    try:
        yield
    except (ValueError, PsychMemError) as exc:
        raise typer.BadParameter(line(said or str(exc))) from exc


def usage_error_if(wrong: object, said: str, hint: str | None = None) -> None:
    """Raises a usage error that says so, of the parameter `hint`, if something is wrong."""
    if wrong:
        raise typer.BadParameter(said, param_hint=hint)


def fields(given: list[str] | None) -> dict[str, str] | None:
    """What --metadata sets; None for nothing. What is not FIELD=VALUE is a usage error."""
    pairs = [one.partition("=") for one in given or ()]
    if wrong := [name for name, equals, _ in pairs if not (name.strip() and equals)]:
        raise typer.BadParameter(f"{wrong[0]!r} has no value; write domain=style", param_hint="--metadata")
    return {name.strip(): value.strip() for name, _, value in pairs} or None


def lines_of(source: str) -> Iterator[str]:
    """The lines of a file, or of stdin for "-", without a byte-order mark. Raises PsychMemError when it cannot be read."""
    try:
        with open(0 if source == "-" else source, encoding="utf-8-sig", errors="replace", closefd=source != "-") as file:
            yield from file
    except OSError as exc:
        raise PsychMemError(f"{source} cannot be read: {exc.strerror}; name a file of JSON lines, or - for stdin") from exc


def edited(text: str, folder: Path, env: Mapping[str, str]) -> str:
    """The text after editing in $VISUAL or $EDITOR, as one line without our note. What a closed terminal left is removed."""
    editor = env.get("VISUAL") or env.get("EDITOR") or "vi"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files.remove_stale(folder)
    handle, name = tempfile.mkstemp(f"{files.MARK}{os.getpid()}.md", "edit-", folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{text}\n{_NOTE}\n")
        if code := subprocess.call([*shlex.split(editor), name]):
            raise RefusedError(f"{editor} ended with {code}, nothing is changed")
        found = Path(name).read_text("utf-8", errors="replace").splitlines()
    except (OSError, ValueError) as exc:
        raise RefusedError(f"{editor} cannot be started ({exc}); set EDITOR, or give the new wording as TEXT") from exc
    finally:
        Path(name).unlink(missing_ok=True)
    return " ".join(" ".join(line for line in found if line.strip() != _NOTE).split())
