"""The checks of `psychmem doctor`: everything hooks need to work, with the fix for what is wrong."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from psychmem_py import __version__
from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import EVENTS
from psychmem_py.cli import output
from psychmem_py.cli.commands.config import active_pauses
from psychmem_py.cli.context import Workspace
from psychmem_py.errors import DamagedError, JudgeError, NewerSchemaError, PsychMemError
from psychmem_py.home import config, health, journal, project
from psychmem_py.home.files import OWN, PUBLIC
from psychmem_py.home.places import DATABASE, ENCODER_FILES, config_file, encoder_folder, is_disabled
from psychmem_py.installation import claude_code, opencode, registration
from psychmem_py.installation.patches import text_of
from psychmem_py.installation.registration import FOLDER, TITLES, plugin_enabled, registered, trial
from psychmem_py.judging import clients
from psychmem_py.languages import files
from psychmem_py.store import rows
from psychmem_py.store.connection import SIDE_FILES, faults_in, is_intact, open_store, set_aside, transaction, why_foreign
from psychmem_py.store.copies import salvage, unsalvaged
from psychmem_py.store.purge import copies_of

OK, NOTE, BAD = "ok", "note", "bad"
_FIX = "psychmem doctor --fix"


class Check(NamedTuple):
    """One check. `mend` is what the person can do; `fix` does it, where that is safe."""

    name: str
    state: str  # OK, NOTE (works, but worth knowing), BAD
    found: str
    mend: str = ""
    fix: Callable[[], object] | None = None
    done: str = ""  # what it did, where it does not say so itself


def _bad_or_ok(name: str, trouble: str, mend: str, fine: str, fix: Callable[[], object] | None = None) -> Check:
    """A BAD check if there is trouble, else an OK one."""
    return Check(name, BAD, trouble, mend, fix) if trouble else Check(name, OK, fine)


def checks(workspace: Workspace, trouble: str = "") -> Iterator[Check]:
    """Everything looked at, in this order; `trouble` is what is wrong with the settings."""
    path = config_file(workspace.env)
    set_here = sorted(source for source in set(config.given(workspace.env).sources.values()) if source.startswith("PSYCHMEM_"))
    set_here = [f"{', '.join(set_here)} in the environment"] if set_here else []
    found = trouble or "; ".join([path] * os.path.exists(path) + set_here) or "the defaults hold"
    yield Check("settings", BAD if trouble else OK, found, "correct that line")
    looks = (_program, _agents, _extras, _switches, _files, _database, _languages, _hooks, _memory_folder, _end_to_end)
    for look in looks:
        try:
            yield from look(workspace)
        except (OSError, PsychMemError) as exc:  # one folder that cannot be read must not hide what is wrong elsewhere
            if trouble != str(exc):  # told above
                yield Check("access", BAD, health.sentence(exc), "see who owns it and who may read it")


def _program(workspace: Workspace) -> Iterator[Check]:
    versions = f"psychmem {__version__}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    try:
        sqlite3.connect(":memory:").execute("create virtual table t using fts5 (x)")
        yield Check("python", OK, versions)
    except sqlite3.Error:
        yield Check("python", BAD, f"{versions} without FTS5", "use a Python whose SQLite has the FTS5 extension")
    command = registration.launcher()
    missing = f"there is no {registration.LAUNCHER} beside {sys.executable}" if len(command) > 1 and os.name == "posix" else ""
    yield _bad_or_ok("launcher", missing, "install PsychMem again: ./install.sh", " ".join(command))
    if program := shutil.which("psychmem", path=workspace.env.get("PATH")):
        yield Check("PATH", OK, program)
    else:
        usual = Path(workspace.env.get("HOME", "/"), ".local", "bin")
        folder = usual if (usual / "psychmem").exists() else Path(sys.executable).parent
        yield Check("PATH", NOTE, "`psychmem` is not on PATH; the agents do not need it", f'export PATH="{folder}:$PATH"')


def _agents(workspace: Workspace) -> Iterator[Check]:
    for owner, look in ((claude_code.OWNER, _claude_code), (opencode.OWNER, _opencode)):
        mend = f"psychmem setup install --{owner}"
        try:
            state, found = look(workspace)
        except PsychMemError as exc:
            state, found, mend = BAD, str(exc), "correct that file"
        if found:
            fix = partial(registration.register, [owner], workspace.env, workspace.directories.data)
            bad = (mend, fix, "registered anew") if state != OK else ()
            yield Check(TITLES[owner], state, found, *bad)
        elif owner in registration.present(workspace.env):
            alone = owner == claude_code.OWNER and not any(registered(workspace.env).values())
            ran = " only in sessions started with --plugin-dir" if alone and health.beats(workspace.directories.data) else ""
            yield Check(TITLES[owner], NOTE, f"{'calls' if ran else 'is here but does not call'} PsychMem{ran}", mend)
        else:
            yield Check(TITLES[owner], NOTE, "was not found on this machine")


def _claude_code(workspace: Workspace) -> tuple[str, str]:
    """State and finding; "" for one that does not call us."""
    events, settings = registered(workspace.env)[claude_code.OWNER], claude_code.settings_file(workspace.env)
    if not events:
        return OK, "loads PsychMem as a plugin" if plugin_enabled(workspace.env) else ""
    if missing := sorted({hook.event for hook in claude_code.HOOKS} - set(events)):
        return BAD, f"these events do not call PsychMem: {', '.join(missing)}"
    if max(events.values()) > 1:
        return NOTE, "registered more than once; each event is still served once"
    return _started({words[0] for _, words in claude_code.calls_of_ours(text_of(settings))}, f"registered in {settings}")


def _opencode(workspace: Workspace) -> tuple[str, str]:
    command = opencode.registered(workspace.env)[:1]
    return _started({*command}, f"registered as {opencode.plugin_file(workspace.env)}" if command else "")


def _started(programs: Collection[str], found: str) -> tuple[str, str]:
    gone = sorted(program for program in programs if not os.access(program, os.X_OK))
    return (BAD, f"calls {gone[0]}, which is not there") if gone else (OK, found)


def _extras(workspace: Workspace) -> Iterator[Check]:
    """Optional features in use whose package is missing."""
    folder = encoder_folder(str(workspace.directories.data))
    if not os.path.isdir(folder):
        return
    if lacks := registration.missing(registration.EMBEDDINGS, "search by meaning needs"):
        yield Check("encoder", NOTE, lacks, registration.bringing(registration.EMBEDDINGS))
    if lacking := [name for name in ENCODER_FILES if not os.path.isfile(os.path.join(folder, name))]:
        what = f"{folder} holds no {' and no '.join(lacking)}: searches go by words"
        yield Check("encoder", NOTE, what, f"put {' and '.join(ENCODER_FILES)} of a sentence encoder there, or remove the folder")


def _switches(workspace: Workspace) -> Iterator[Check]:
    """The reader, whether hooks are on, and settings that are ignored."""
    try:
        yield Check("reader", OK, clients.described(workspace.settings.judge, workspace.env))
    except JudgeError as exc:
        yield Check("reader", BAD, str(exc), "psychmem judge --with claude, or --off")
    if is_disabled(workspace.env):
        yield Check(
            "switch", NOTE, f"PSYCHMEM_DISABLE={workspace.env['PSYCHMEM_DISABLE']}: hooks do nothing", "unset PSYCHMEM_DISABLE"
        )
    elif paused := active_pauses(workspace):
        yield Check("switch", NOTE, f"paused {', '.join(paused)}", "psychmem resume --all")
    else:
        yield Check("switch", OK, "hooks are on")
    for given in config.given(workspace.env).notices:
        yield Check("settings", NOTE, given.sentence, "`psychmem config show` lists every name")
    for sentence in project.unused_keys(os.getcwd()):
        yield Check("project", NOTE, sentence)


def _files(workspace: Workspace) -> Iterator[Check]:
    """Whether only the owner can read our files, and whether the data directory and the database can be written."""
    data, database = workspace.directories.data, workspace.database
    open_ones = _open_to_others(workspace)
    trouble = f"others can read {open_ones[0]}" if open_ones else ""
    mend = f"chmod go-rwx {open_ones[0]}" if len(open_ones) == 1 else _FIX
    yield _bad_or_ok("permissions", trouble, mend, f"only you can read {data}", partial(_closed, open_ones))
    there = [next(one for one in (folder, *folder.parents) if one.exists()) for folder in (data, database.parent)]
    stuck = [one for one in there if not os.access(one, os.W_OK | os.X_OK)]
    mend = "give yourself the right to write there, or free the disk"
    if not stuck and database.exists() and not os.access(database, os.W_OK):
        stuck, mend = [database], f"chmod u+w {database}"
    yield _bad_or_ok("writing", f"{stuck[0]} cannot be written" if stuck else "", mend, f"{data} can be written")
    for link in (data / name for name in sorted({path.partition("/")[0] for path in OWN} - {"encoder"})):
        if link.is_symlink():
            yield Check(
                "link", BAD, f"{link} is a symbolic link and is not written through", "replace it by the folder or file itself"
            )


def _open_to_others(workspace: Workspace) -> list[str]:
    """Our files that others may read; not a foreign file that `db_path` names by mistake, nor its neighbours."""
    data, database, private = workspace.directories.data, workspace.database, list[str]()
    there = os.listdir(data) if data.is_dir() else []
    stores = [name for name in there if name.startswith(DATABASE)]
    if there and {*there} <= {*stores, *PUBLIC, *(path.partition("/")[0] for path in OWN)}:
        private.append(str(data))
    for path in (os.path.join(data, *name.split("/")) for name in (*stores, *OWN)):
        below = (os.path.join(folder, name) for folder, folders, names in os.walk(path) for name in (*folders, *names))
        private += [path, *below]
    if database.is_file() and not database.is_relative_to(data) and not why_foreign(database):
        private += [*(f"{database}{end}" for end in SIDE_FILES), *copies_of(str(database))]
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
        with open_store(path, now=workspace.now) as db:
            fault = faults_in(db)
            aside = [] if fault else unsalvaged(db, path)
            number = 0 if fault else len(rows.listed(db, all_projects=True))
    except PsychMemError as exc:
        newer, damaged = isinstance(exc, NewerSchemaError), isinstance(exc, DamagedError)
        mend = "upgrade PsychMem: ./install.sh in a newer checkout" if newer else _FIX if damaged else ""
        yield Check("database", BAD, str(exc), mend, fix if damaged else None)
        return
    if aside:
        told = f"{len(aside)} damaged database{'s were' if len(aside) > 1 else ' was'} put aside, the last as {aside[-1]}"
        yield Check("damaged database", BAD, told, _FIX, fix)
    fix = partial(_reindex, workspace) if fault.startswith("search index") else fix
    sound = f"{path}: {output.some_memories(number)}, schema and index are sound"
    yield _bad_or_ok("database", f"{path}: {fault}" if fault else "", _FIX, sound, fix)


def _reindex(workspace: Workspace) -> str:
    with workspace.store() as db, transaction(db):
        rows.rebuild_index(db)
    return "rebuilt the indexes"


def _salvage(workspace: Workspace) -> str:
    """Sets a damaged file aside, and imports what can be read of all files set aside."""
    aside = "" if is_intact(workspace.database) else set_aside(workspace.database, now=workspace.now)
    done = list[str]()
    with workspace.store() as db:
        for path in unsalvaged(db, workspace.database):
            try:
                memories, others, is_whole = salvage(db, path)
                rest = "" if is_whole else ", the rest cannot be read"
                all_rows = f"{output.some_memories(memories)} and {output.counted(others, 'other row')} of {path}{rest}"
                done.append(f"salvaged {all_rows}; the file stays where it is")
            except sqlite3.Error as exc:
                done.append(f"nothing can be read of {path} ({exc}), which stays where it is")
    return (f"put the damaged file aside as {aside} and began a new one; " if aside else "") + "; ".join(done)


def _languages(workspace: Workspace) -> Iterator[Check]:
    try:
        there = [language.code for language in files.load(files.overlay_of(workspace.directories), heads=True)]
        workspace.matcher()
    except PsychMemError as exc:
        yield Check("languages", BAD, str(exc), "psychmem patterns check")
        return
    wanted = files.codes(workspace.settings.extraction.languages)
    if fault := files.unknown_codes(workspace.settings.extraction.languages, there):
        yield Check("languages", BAD, fault)
    else:
        used = [code for code in there if not wanted or code.lower() in wanted]
        yield Check("languages", OK if there else BAD, f"{len(used)} language files: {' '.join(used)}")


_TAKEN_UP_S = 3_600.0  # a child works for minutes at most


def _hooks(workspace: Workspace) -> Iterator[Check]:
    beats = health.beats(data := workspace.directories.data)
    ages: dict[str, list[str]] = {}
    for event, at in sorted(beats.items(), key=lambda beat: -beat[1]):
        ages.setdefault(output.since(at, workspace.now), []).extend([event] if event in EVENTS else [])
    last = "; ".join(f"{', '.join(events)} {age}" for age, events in ages.items() if events)
    yield Check("hooks ran", OK if beats else NOTE, last or "never yet; they do from your agent's next start on")
    latest = max((at for event, at in beats.items() if event.endswith("(background)")), default=0.0)
    late = workspace.settings.extraction.extract_on_message and beats.get("stop", 0.0) > latest + _TAKEN_UP_S
    if late and (left := len(journal.left(data, but=""))):
        found = f"nothing was taken up since the hooks last ran; {output.counted(left, 'conversation')} left"
        yield Check("background", BAD, found, "see that processes may outlive the agent; then psychmem import --conversations")
    for failure in health.failures(data):
        when, where = output.since(failure.at, workspace.now), f"{failure.error} at {failure.line}"
        mend = "" if failure.mended else "do what it says; it leaves this list when the hook next succeeds, or by --fix"
        found = f"{failure.event}, {when}: {failure.sentence} ({where})"
        yield Check("failure", NOTE if failure.mended else BAD, found, mend, partial(health.forget, data), "taken off the list")


def _memory_folder(workspace: Workspace) -> Iterator[Check]:
    if workspace.project is None:
        return
    folder = claude_memory.folder_of(os.getcwd(), workspace.env)
    path = os.path.join(folder.path, claude_memory.INDEX)
    there, links = os.path.exists(path), [one for one in (folder.path, path) if os.path.islink(one)]
    state, found, mend = OK if there else NOTE, path if there else f"none yet; {path} is made when Claude Code runs here", ""
    if not folder.loaded:
        state, found = OK, "the client's own memory is off; the brief holds everything"
    elif links:
        found = f"{links[0]} is a symbolic link and is not written through"
        state, mend = BAD, "replace it by the folder or file itself"
    else:
        claude_memory.text_of(path)  # raises what `checks` tells, where it cannot be read
    if there or state != NOTE or claude_code.OWNER in registration.present(workspace.env):  # else nobody would make it
        yield Check("MEMORY.md", state, found, mend)


def _end_to_end(workspace: Workspace) -> Iterator[Check]:
    """Runs a sample conversation through every registered launcher, else through our own."""
    try:
        lines = [words[:-1] for _, words in claude_code.calls_of_ours(text_of(claude_code.settings_file(workspace.env)))]
    except PsychMemError:
        lines = []  # told where the agents are looked at
    launchers = dict.fromkeys(map(tuple, filter(None, (*lines, opencode.registered(workspace.env)))), ())
    for command in launchers or [tuple(registration.launcher())]:
        with FOLDER() as folder:
            outcome = trial(Path(folder), workspace.env, command)
        trouble = f"a sample conversation did not come back as a brief: {outcome.trouble}" if outcome.trouble else ""
        number = output.some_memories(sum(line.startswith("- ") for line in outcome.brief.splitlines()))
        made = f"{command[0]} made a brief of {len(outcome.brief)} characters, {number}, of a sample conversation"
        yield _bad_or_ok("end to end", trouble, "psychmem setup install, or ./install.sh once more", made)
