"""Prepares what the next hook and the client read: brief, rules for calls, memory files, and what `hooks/module.js` looks at."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.briefing import prepared
from psychmem_py.briefing.brief import COMPACTION, IN_MEMORY_MD, changed, compose, elsewhere, occasion, refresh_rules
from psychmem_py.errors import PsychMemError
from psychmem_py.guards.trigger import files_named, packed, unpacked
from psychmem_py.home import files, instructions, locks, pauses, places, project
from psychmem_py.home.light_json import read_object, write_cached
from psychmem_py.home.project import Project, repository_around
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_record import FILE_FIELD, RECALLABLE
from psychmem_py.model.records import ENFORCED, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text, selection
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import calls, rows, sessions
from psychmem_py.store.read_only import CALLS, GUARD, ON, REFUSED
from psychmem_py.store.sqlite import state
from psychmem_py.text.dates import DAY_S

_SUM_CHARS, _LOOKS, _LOCK_S = 12, 3, 5.0
_MOST = 1000  # that are read: those that ask, then the pinned, then by when they were last said, decisions behind all others
POINTER = "prepared.json"
_COMPARED = ("PSYCHMEM_HOME", "PSYCHMEM_DB_PATH", "PSYCHMEM_DISABLE", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_DISABLE_AUTO_MEMORY")
_NO_MATTER = (*_COMPARED, "PSYCHMEM_AGENT_TYPE", "PSYCHMEM_HOOK")
# Settings that the plugin's own configuration gives: `hooks/run` makes them of the client's, which the module sees too.
_OPTIONS = {"PSYCHMEM_BRIEF_LIMIT_CHARS": "BUDGET", "PSYCHMEM_ACT_REMINDERS": "REMINDERS", "PSYCHMEM_BY": "JUDGE"}
_SHORT = 90  # characters of a memory in a notice


def brief_of(
    db: sqlite3.Connection, request: Request, here: project.Project | None, settings: Settings, around: Surroundings
) -> prepared.MadeReady | None:
    """The brief for the next session in this directory; None for OpenCode, which has it in every system prompt."""
    if request.agent != CLAUDE_CODE:
        return None
    cwd, env, database, now = request.cwd, around.env, around.database_file(request.agent), time.time()
    folder = claude_memory.folder_of(cwd, env)
    watched = _marks([places.config_file(env), *claude_memory.input_files(folder, cwd, env), *project.input_files(cwd)])
    if here:
        watched |= _marks([project.head_of(cwd), *instructions.watched(here.root)])
    # State and marks are taken before what they stand for is read: a change meanwhile makes the brief stale, not wrong.
    at, rules = state(database), refresh_rules(db, here, now)
    if elsewhere(db, here, project.resolved(cwd, env)[1]):
        return None  # told anew each time: no file that is watched changes when a person answers it
    start = occasion(db, here, cwd, settings=settings, env=env, now=now, notices=[rules])
    brief = compose(db, start)
    compacted = compose(db, start._replace(source=COMPACTION)) if settings.retrieval.inject_on_compaction else None
    if here:  # the files these memories speak of, whose change the brief mentions
        told = (*brief.choice.shown, *(miss.memory for miss in brief.choice.near_misses if miss.reason == IN_MEMORY_MD))
        named = [key.removeprefix(FILE_FIELD) for one in told for key, _ in one.metadata if key.startswith(FILE_FIELD)]
        watched |= _marks(os.path.join(here.root, name) for name in named)
    less = (compacted.text, compacted.shown, compacted.in_memory_md) if compacted else None
    return prepared.MadeReady((brief.text, brief.shown, brief.in_memory_md), less, at, watched, now)


def _marks(paths: Iterable[str]) -> dict[str, str]:
    return {path: places.stamp(path) for path in paths}


def fill_rules(db: sqlite3.Connection, request: Request, here: Project | None, around: Surroundings) -> None:
    """Caches the rules for tool calls in the request's directory for the hook; does nothing when they have not changed."""
    database, project = around.database_file(request.agent), here.id if here else None
    top = repository_around(request.cwd).top if here and here.root else ""
    read_by = _sum((*_reader(), top, _tracked_bytes(request.cwd) if top else 0))  # a name may mean a file that comes later
    for _ in range(_LOOKS):  # again after writing: what another process wrote meanwhile may have been newer
        memories = rows.listed(db, project=project, statuses=RECALLABLE, kinds=ENFORCED, order=rows.AS_RULES, limit=_MOST)
        against = rows.contradicted(db, {one.id: one for one in memories})  # as in the brief the newer alone: "here use npm"
        memories = [one for one in memories if one.id not in against or (one.project and GUARD in dict(one.metadata))]
        at_files = calls.rules_by_file(db, here.id) if here else {}
        failing = [one.form for one in calls.failing(db, here.id) if one.worked] if here else []
        naming = rows.listed(db, project=here.id, statuses=RECALLABLE, holding=FILE_FIELD, limit=_MOST) if here else []
        stale = changed(db, here, naming) if here and naming else {}
        on = {one.id: [value for key, value in one.metadata if key in (CALLS, GUARD, ON, REFUSED)] for one in memories}
        sums = {one.id: _sum((read_by, one.id, one.text, one.language, on[one.id]))[:_SUM_CHARS] for one in memories}
        made_from = _sum((*sums.values(), at_files, failing, stale))
        known = prepared.known_rules(database, os.path.realpath(request.cwd))
        if known.made_from == made_from or not (known.made_from or memories or failing or stale):
            return
        rules = _actionable([one for one in memories if sums[one.id] not in known.sums], top, known, memories)
        acting = {str(rule[0]) for rule in rules}  # "run the tests before you push" is told at the push
        waiting = {path: [key for key in ids if "*" not in path or key not in acting] for path, ids in at_files.items()}
        at_files = {path: ids for path, ids in waiting.items() if ids}
        with suppress(TypeError, ValueError, KeyError):  # an index that somebody changed
            named = ((path, rule.id) for rule in unpacked(rules) for path in files_named(rule))
            for path, key in named:  # what is said at an edit comes with its result
                if "*" not in path.removeprefix("**/") and key not in at_files.get(path, ()):
                    at_files.setdefault(path, []).append(key)
        index = prepared.RuleIndex(rules, top, at_files, failing, project or "", stale, " ".join(sums.values()), made_from)
        prepared.write_rules(database, request.cwd, index)


def _reader() -> list[str]:
    """The code and tables that read rules, as they are installed: what another version read is read anew."""
    package = os.path.dirname(os.path.dirname(__file__))
    folders = (os.path.join(package, name) for name in ("briefing", "guards", "languages", "text", "_patterns", "../patterns"))
    return [places.stamp(os.path.join(folder, name)) for folder in folders for name in places.names_in(folder) if "." in name]


def _tracked_bytes(cwd: str) -> int:
    """The size of git's list of files, which changes with their number: one look at a file, and no walk through the work tree."""
    try:
        return os.path.getsize(os.path.join(os.path.dirname(project.head_of(cwd)), "index"))
    except OSError:
        return 0


def _actionable(unread: Sequence[Memory], top: str, known: prepared.RuleIndex, memories: Sequence[Memory]) -> list[Any]:
    """The rules among these memories, packed; only those that are `unread` are read anew, the others are taken from `known`."""
    made = {str(rule[0]): rule for rule in known.rules if isinstance(rule, list) and rule}
    for one in unread:
        made.pop(one.id, None)
    if unread:
        from psychmem_py.briefing.actionable import actionable_rules  # noqa: PLC0415  # 35 ms that known rules do without

        made |= {rule[0]: rule for rule in packed(actionable_rules(unread, top))}
    return [made[one.id] for one in memories if one.id in made]


def _sum(parts: tuple[object, ...]) -> str:
    return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:24]


def refresh(
    db: sqlite3.Connection, project: Project | None, settings: Settings, env: Mapping[str, str], *, cwd: str, now: float
) -> None:
    """Writes MEMORY.md's block and topic files of the project around `cwd`; a folder that is that of two gets nothing."""
    folder, data = claude_memory.folder_of(cwd, env), places.folder_of("data", env)
    if not folder.loaded:
        return
    with locks.lock(data, folder.path, _LOCK_S, kind="folder") as locked:
        if locked and (env.get("CLAUDE_PLUGIN_ROOT") or not os.path.exists(os.path.join(data, places.LEFT))):
            # Whether sessions in another project read this folder too: by its name, or because the person has one folder for all.
            name = os.path.basename(os.path.dirname(folder.path))
            roots = [seen.root for seen in sessions.projects(db).values() if not (project and _is_one(seen, project))]
            alike = [root for root in roots if os.path.isabs(root) and (not folder.by_name or claude_memory.slug(root) == name)]
            if any(map(os.path.isdir, alike)):
                claude_topics.remove(folder)
                return
            known = rows.recallable(db, project.id if project else None)
            # The memories without pairs of which a person must say which holds: the brief tells those, the newer with the older.
            against = rows.contradicted(db, {one.id: one for one in known})
            waiting = against.keys() | {newer.id for newer in against.values()}
            outdated = changed(db, project, known) if project else {}  # the brief tells how
            agreed = [one for one in known if one.id not in waiting and one.id not in outdated]
            written = instructions.lines(project.root) if project else ()
            chosen = selection.select(agreed, settings=settings, now=now, budget=claude_topics.BLOCK_UNITS, instructions=written)
            claude_topics.write(folder, brief_text.index(chosen.shown), brief_text.topics(known))


def _is_one(seen: sessions.ProjectSeen, here: Project) -> bool:
    """Whether a project seen is this one, or what its directory was before it had the remote or the name it has now."""
    return seen.id in (here.id, project.id_before(here)[0]) or (seen.root == here.root and "id:" not in seen.id[:3] + here.id[:3])


def refresh_folders(
    db: sqlite3.Connection, projects: Iterable[Project], settings: Settings, env: Mapping[str, str], now: float
) -> list[str]:
    """Brings the memory folders of these projects up to date where something of ours is; why one could not be written."""
    faults = []
    for one in projects:
        folder = claude_memory.folder_of(one.root, env)
        try:
            if claude_topics.holds_ours(folder):
                refresh(db, one, settings, env, cwd=one.root, now=now)
        except (OSError, PsychMemError) as exc:
            faults.append(f"{folder.path} still shows what it showed before: {exc}")
    return faults


def has_module(env: Mapping[str, str]) -> bool:
    """Whether the client can run the module: it gives the plugin a folder, in which that looks first."""
    return os.path.isdir(env.get("CLAUDE_PLUGIN_DATA", ""))


def write_start(around: Surroundings, request: Request, made: prepared.MadeReady) -> None:
    """Puts what was made where hook and module look, unless the store has changed; call it once the database is closed."""
    database = around.database_file(request.agent)
    path = prepared.path_of(database, request.cwd)
    places.own_folder(os.path.dirname(path))
    record: dict[str, object] = {"state": made.state, prepared.STARTUP: made.startup, prepared.COMPACT: made.compacted}
    record["module"] = _for_module(around, database, made)
    write_cached(path, prepared.made_from(request.cwd, around.env, made.now), record, made.watched)
    if state(database) != made.state:
        files.remove(path)  # the purge was quicker


def _for_module(around: Surroundings, database: str, made: prepared.MadeReady) -> dict[str, object]:
    """What must be as it is now for the module to say what was made; {} where it cannot see every setting."""
    if not has_module(env := around.env):
        return {}
    pointer, content = os.path.join(env["CLAUDE_PLUGIN_DATA"], POINTER), {"folder": prepared.folder_beside(database)}
    if read_object(pointer) != content:
        files.replace(pointer, json.dumps(content).encode())  # for all that is left there, not for this alone
    settings = {name for name in env if name.startswith("PSYCHMEM_")} - {*_NO_MATTER}
    if any(one not in _OPTIONS or env[one] != env.get(f"CLAUDE_PLUGIN_OPTION_{_OPTIONS[one]}") for one in settings):
        return {}
    paused = os.path.join(around.data, pauses.FILE)  # who pauses is told nothing
    return {
        "day": int(made.now // DAY_S),  # UTC: what is told of today is told today
        "env": {name: env[name] for name in _COMPARED if env.get(name)},
        "budget": env.get("CLAUDE_PLUGIN_OPTION_BUDGET", ""),
        "watched": {name: places.stamp(name) for name in (paused, database, database + "-wal")},
        "health": os.path.join(around.data, places.FOLDER),  # where the record of a failure stands, which the brief would tell
    }


def write_kept(around: Surroundings, request: Request, kept: Sequence[Memory]) -> None:
    """Leaves what a conversation's last stretch came to, for the one notice that is given a turn."""
    if not kept:
        return
    path, first = prepared.kept_path(around.database_file(request.agent), request.session), kept[0]
    folder = os.path.dirname(path)
    text = first.text if len(first.text) <= _SHORT else first.text[: _SHORT - 1] + "…"
    told = f"kept: {text} ({CLASS_LABELS[first.kind]}, {'this' if first.project else 'every'} project)"
    told += f" and {len(kept) - 1} more" if len(kept) > 1 else ""
    places.own_folder(folder)
    now = time.time()
    for old in (os.path.join(folder, name) for name in places.names_in(folder) if name.startswith(prepared.KEPT)):
        if now - places.changed_at(old) > DAY_S:  # nobody will look at it any more
            files.remove(old)
    files.leave(path, json.dumps({"at": now, "told": told, "ids": [one.id for one in kept]}).encode())
