"""The checks of `psychmem doctor`: everything hooks need to work, with the fix for what is wrong."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from psychmem_py import __version__
from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import EVENTS
from psychmem_py.cli import output
from psychmem_py.cli.commands.config import active_pauses
from psychmem_py.cli.context import Workspace
from psychmem_py.errors import DamagedError, PsychMemError, StoreError
from psychmem_py.home import config, health, journal, places
from psychmem_py.home.files import OWN, PUBLIC
from psychmem_py.installation import claude_code, opencode, patches, registration
from psychmem_py.judging import clients
from psychmem_py.languages import files
from psychmem_py.store import connection, copies, purge, rows

OK, NOTE, BAD = "ok", "note", "bad"
_LINKED, _UNLINK = "is a symbolic link and is not written through", "replace it by the folder or file itself"
_FIX = "psychmem doctor --fix"


class Check(NamedTuple):
    """One check. `mend` is what the person can do; `fix` does it, where that is safe."""

    name: str
    state: str  # OK, NOTE (works, but worth knowing), BAD
    found: str
    mend: str = ""  # "" for what is OK
    fix: Callable[[], object] | None = None

    def mended(self, *, dry: bool) -> Check:
        """What it is after the repair, where there is one; in a dry run what that would do."""
        if self.fix is None or self.state == OK:
            return self
        if dry:
            return self._replace(found=f"{self.found}; --fix would repair it")
        try:
            did = self.fix()
            return self._replace(state=OK, found=f"{self.found}: {did if isinstance(did, str) else 'repaired'}", mend="")
        except (PsychMemError, OSError, sqlite3.Error) as exc:
            return self._replace(found=f"{self.found}; that failed: {exc}")


def _check(name: str, trouble: str, mend: str, fine: str, fix: Callable[[], object] | None = None, bad: str = BAD) -> Check:
    return Check(name, bad, trouble, mend, fix) if trouble else Check(name, OK, fine)


def checks(workspace: Workspace, trouble: str = "") -> Iterator[Check]:
    """Everything looked at, in this order; `trouble` is what is wrong with the settings."""
    yield Check("python", OK, f"psychmem {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    command, program = registration.launcher(), shutil.which("psychmem", path=workspace.env.get("PATH"))
    missing = f"there is no psychmem-hook beside {sys.executable}" if len(command) > 1 and os.name == "posix" else ""
    yield _check("launcher", missing, "install PsychMem again: ./install.sh", " ".join(command))
    away, link = "`psychmem` is not on PATH; the agents do not need it", os.path.join(places.home(workspace.env), ".local/bin")
    here = link if os.path.exists(os.path.join(link, "psychmem")) else os.path.dirname(sys.executable)
    yield _check("PATH", "" if program else away, f'export PATH="{here}:$PATH"', program or "", bad=NOTE)
    path = places.config_file(workspace.env)
    yield _check("settings", trouble, "correct that line", path if os.path.exists(path) else "the defaults hold")
    unlike = {_reader: ("reader", "psychmem judge --with claude, or --off"), _languages: ("languages", "psychmem patterns check")}
    for look in (_agents, _reader, _switches, _files, _database, _languages, _hooks, _memory_folder, _end_to_end):
        name, mend = unlike.get(look, ("access", "see who owns it and who may read it"))
        try:
            yield from look(workspace)
        except (OSError, PsychMemError) as exc:  # one folder that cannot be read must not hide what is wrong elsewhere
            if trouble != str(exc):  # told above
                yield Check(name, BAD, health.sentence(exc), mend)


def _agents(workspace: Workspace) -> Iterator[Check]:
    env, beats = workspace.env, health.beats(workspace.directories.data)
    for owner in (claude_code.OWNER, opencode.OWNER):
        name, mend, is_claude = registration.TITLES[owner], f"psychmem setup install --{owner}", owner == claude_code.OWNER
        file = claude_code.settings_file(env) if is_claude else opencode.plugin_file(env)
        try:
            text, plugin = (patches.text_of(file), []) if is_claude else (None, opencode.registered(env))
            events, calls = [*claude_code.registered(text)] or plugin, [words for _, words in claude_code.calls_of_ours(text)]
        except PsychMemError as exc:
            yield Check(name, BAD, str(exc), "correct that file")
            continue
        missing = sorted(set(claude_code.HOOKS) - set(events)) if is_claude else []
        trouble = [f"these events do not call PsychMem: {', '.join(missing)}"] * bool(missing)
        trouble += [f"calls {one[0]}, which is not there" for one in (*calls, plugin) if one and not os.access(one[0], os.X_OK)]
        if events:
            fix = partial(registration.register, [owner], env, workspace.directories.data)
            if not trouble:  # what else it is given, a skill, names the program as it is found on PATH now
                changed = fix(command=calls[0][:-1] if is_claude else plugin, dry_run=True)
                trouble = ["its hooks are those of another version"] * any(edit.path == file for edit in changed)
            yield _check(name, "; ".join(trouble[:1]), mend, f"registered in {file}", fix)
        elif is_claude and registration.plugin_enabled(env):
            yield Check(name, OK, "loads PsychMem as a plugin")
        elif owner in registration.present(env):
            ran = is_claude and beats and not opencode.registered(env)
            found = "calls PsychMem only in sessions started with --plugin-dir" if ran else "is here but does not call PsychMem"
            yield Check(name, NOTE, found, mend)
        else:
            yield Check(name, NOTE, "was not found on this machine")


def _reader(workspace: Workspace) -> Iterator[Check]:
    yield Check("reader", OK, clients.described(workspace.settings.judge, workspace.env))


def _switches(workspace: Workspace) -> Iterator[Check]:
    env, paused = workspace.env, ", ".join(active_pauses(workspace))
    if places.is_disabled(env):
        yield Check("switch", NOTE, f"PSYCHMEM_DISABLE={env['PSYCHMEM_DISABLE']}: hooks do nothing", "unset PSYCHMEM_DISABLE")
    elif (off := registration.hooks_disabled(os.getcwd(), env)) and registration.registered(env)[claude_code.OWNER]:
        yield Check("switch", BAD, f"{off} keeps Claude Code from running any hook", 'take "disableAllHooks" out of it')
    else:
        yield _check("switch", paused and f"paused {paused}", "psychmem resume --all", "hooks are on", bad=NOTE)
    lacks = registration.missing(registration.EMBEDDINGS, "search by meaning needs")
    if lacks and os.path.isdir(places.encoder_folder(str(workspace.directories.data))):
        yield Check("encoder", NOTE, lacks, registration.bringing(registration.EMBEDDINGS))
    for given in config.given(env).notices:
        yield Check("settings", NOTE, given.sentence, "`psychmem config show` lists every name")


def _files(workspace: Workspace) -> Iterator[Check]:
    data, database = workspace.directories.data, workspace.database
    open_ones = _open_to_others(workspace)
    trouble = f"others can read {open_ones[0]}" if open_ones else ""
    yield _check("permissions", trouble, _FIX, f"only you can read {data}", partial(_closed, open_ones))
    there = [next(one for one in (path, *path.parents) if one.exists()) for path in (data, database.parent, database)]
    stuck = [f"{one} cannot be written" for one in there if not os.access(one, os.W_OK | os.X_OK if one.is_dir() else os.W_OK)]
    mend = "give yourself the right to write there, or free the disk"
    yield _check("writing", stuck[0] if stuck else "", mend, f"{data} can be written")
    own = (data / name for name in sorted({path.partition("/")[0] for path in OWN} - {"encoder"}))
    yield from (Check("link", BAD, f"{path} {_LINKED}", _UNLINK) for path in own if path.is_symlink())


def _open_to_others(workspace: Workspace) -> list[str]:
    """Our files that others may read; not a foreign file that `db_path` names by mistake, nor its neighbours."""
    data, database = workspace.directories.data, workspace.database
    there = os.listdir(data) if data.is_dir() else []
    stores = [name for name in there if name.startswith(places.DATABASE)]
    private = [str(data)] if there and {*there} <= {*stores, *PUBLIC, *(path.partition("/")[0] for path in OWN)} else []
    private += [str(data / name) for name in stores]  # what else there is nobody reaches through a closed folder
    if database.is_file() and not database.is_relative_to(data) and not connection.why_foreign(database):
        private += [*(f"{database}{end}" for end in connection.SIDE_FILES), *purge.copies_of(str(database))]
    modes = ((path, os.lstat(path).st_mode) for path in private if os.path.lexists(path))
    return [path for path, mode in modes if not stat.S_ISLNK(mode) and stat.S_IMODE(mode) & 0o077]


def _closed(paths: Sequence[str]) -> str:
    for path in paths:
        os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & 0o700)
    return f"closed {len(paths)} to others"


def _database(workspace: Workspace) -> Iterator[Check]:
    path, fix = workspace.database, partial(_salvage, workspace)
    if not path.exists():
        yield Check("database", OK, f"none yet; {path} is made with the first memory")
        return
    try:
        with connection.open_store(path, now=workspace.now) as db:
            fault = connection.faults_in(db)
            aside = [] if fault else copies.unsalvaged(db, path)
            number = 0 if fault else len(rows.listed(db, all_projects=True))
    except PsychMemError as exc:
        yield Check("database", BAD, str(exc), *((_FIX, fix) if type(exc) in {DamagedError, StoreError} else ()))
        return
    yield from (Check("damaged database", BAD, f"{name} was put aside", _FIX, fix) for name in aside)
    reindex = partial(_reindex, workspace)
    sound = f"{path}: {output.counted(number, 'memory')}, schema and index are sound"
    yield _check("database", fault and f"{path}: {fault}", _FIX, sound, reindex if fault.startswith("search index") else fix)


def _reindex(workspace: Workspace) -> str:
    with workspace.store() as db, connection.transaction(db):
        rows.rebuild_index(db)
    return "rebuilt the indexes"


def _salvage(workspace: Workspace) -> str:
    """Sets a damaged file aside, and imports what can be read of all files set aside."""
    aside = "" if connection.is_intact(workspace.database) else connection.set_aside(workspace.database, now=workspace.now)
    done = [f"put the damaged file aside as {aside} and began a new one"] if aside else []
    with workspace.store() as db:
        for path in copies.unsalvaged(db, workspace.database):
            try:
                memories, others, is_whole = copies.salvage(db, path)
                rest = "" if is_whole else ", the rest cannot be read"
                all_rows = f"{output.counted(memories, 'memory')} and {output.counted(others, 'other row')} of {path}{rest}"
                done.append(f"salvaged {all_rows}; the file stays where it is")
            except sqlite3.Error as exc:
                done.append(f"nothing can be read of {path} ({exc}), which stays where it is")
    return "; ".join(done)


def _languages(workspace: Workspace) -> Iterator[Check]:
    there = [language.code for language in files.load(files.overlay_of(workspace.directories), heads=True)]
    workspace.matcher()
    fault = files.unknown_codes(workspace.settings.extraction.languages, there)
    yield _check("languages", fault, "", f"{len(there)} language files: {' '.join(there)}")


def _hooks(workspace: Workspace) -> Iterator[Check]:
    data = workspace.directories.data
    beats = health.beats(data)
    ran = [(at, event) for event, at in beats.items() if event in EVENTS]
    last = "; ".join(f"{event} {output.since(at, workspace.now)}" for at, event in sorted(ran, reverse=True))
    yield _check("hooks ran", "" if last else "never yet; they do from your agent's next start on", "", last, bad=NOTE)
    latest = max((at for event, at in beats.items() if event.endswith("(background)")), default=0.0)
    late = workspace.settings.extraction.extract_on_message and beats.get("stop", 0.0) > latest + 3_600  # an hour
    if late and (left := len(journal.left(data, but=""))):
        found = f"nothing was taken up since the hooks last ran; {output.counted(left, 'conversation')} left"
        yield Check("background", BAD, found, "see that processes may outlive the agent; then psychmem import --conversations")
    for failure in health.failures(data):
        mend = "" if failure.mended else "do what it says; it leaves this list when the hook next succeeds, or by --fix"
        when, where = output.since(failure.at, workspace.now), f"{failure.error} at {failure.line}"
        found = f"{failure.event}, {when}: {failure.sentence} ({where})"
        yield Check("failure", NOTE if failure.mended else BAD, found, mend, partial(health.forget, data))


def _memory_folder(workspace: Workspace) -> Iterator[Check]:
    if workspace.project is None:
        return
    folder = claude_memory.folder_of(os.getcwd(), workspace.env)
    path = os.path.join(folder.path, claude_memory.INDEX)
    if not folder.loaded:
        yield Check("MEMORY.md", OK, "the client's own memory is off; the brief holds everything")
    elif links := [one for one in (folder.path, path) if os.path.islink(one)]:
        yield Check("MEMORY.md", BAD, f"{links[0]} {_LINKED}", _UNLINK)
    else:
        claude_memory.text_of(path)  # raises what `checks` tells, where it cannot be read
        if os.path.exists(path) or claude_code.OWNER in registration.present(workspace.env):  # else nobody would make it
            absent = "" if os.path.exists(path) else f"none yet; {path} is made when Claude Code runs here"
            yield _check("MEMORY.md", absent, "", path, bad=NOTE)


def _end_to_end(workspace: Workspace) -> Iterator[Check]:
    try:
        lines = [words[:-1] for _, words in claude_code.calls_of_ours(patches.text_of(claude_code.settings_file(workspace.env)))]
    except PsychMemError:
        lines = []  # told where the agents are looked at
    launchers = dict.fromkeys(map(tuple, filter(None, (*lines, opencode.registered(workspace.env)))), ())
    for command in launchers or [tuple(registration.launcher())]:
        with registration.FOLDER() as folder:
            outcome = registration.trial(Path(folder), workspace.env, command)
        trouble = f"a sample conversation did not come back as a brief: {outcome.trouble}" if outcome.trouble else ""
        number = output.counted(sum(line.startswith("- ") for line in outcome.brief.splitlines()), "memory")
        made = f"{command[0]} made a brief of {len(outcome.brief)} characters, {number}, of a sample conversation"
        yield _check("end to end", trouble, "psychmem setup install, or ./install.sh once more", made)
