"""Memories in and out as JSON lines. A plain import trusts nothing it reads; an exact one restores one's own export, row by row.

{"text": "...", "id"?, "class"?, "scope"?, "project"?, "created_at"?, "origin"?, "names"?, "context"?, "tags"?, "metadata"?}
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.memory.admission import DOUBT, admitted
from psychmem_py.memory.strength import clamped, rescored
from psychmem_py.model.classes import kind_of
from psychmem_py.model.records import Change, Evidence, Link, Memory
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import ChangeType, Kind, LinkType, Origin, Scope, Status, Store, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.safety.suspicion import suspicion
from psychmem_py.store import change_log, connection, projects, rows, tombstones
from psychmem_py.store.connection import transaction
from psychmem_py.text.moments import moment
from psychmem_py.text.tokenizer import digest

DAY_S = 86400.0
_BATCH = 1000  # lines in one transaction: some 150 ms, so that no hook waits longer


class Fault(NamedTuple):
    """A line that was not taken, and why."""

    number: int  # from 1
    reason: str


class Imported(NamedTuple):
    """What became of the lines of an import."""

    added: int = 0
    quarantined: int = 0  # of those added
    known: int = 0  # said already, or given twice
    faults: tuple[Fault, ...] = ()


def take_in(
    db: sqlite3.Connection,
    lines: Iterable[str],
    *,
    exact: bool,
    project: str | None,
    settings: Settings,
    now: float,
    batch: str,
    ids: Iterator[str] | None = None,
    progress: Callable[[int], None] | None = None,
    dry_run: bool = False,
) -> Imported:
    """Imports JSON lines in transactions of a thousand; `progress` is told how many lines are done. A wrong line is reported, not
    fatal.
    """
    done, number = Imported(), 0
    fresh = ids or rows.fresh_ids()
    links: list[tuple[int, Link]] = []
    with connection.without_growth(db):
        for chunk in _chunks(lines):
            with transaction(db):
                reader = _Reader(db, settings, now, project, fresh, exact=exact)
                for line in chunk:
                    number += 1
                    reader.take(line, number)
                if not dry_run:
                    change_log.apply(db, reader.made, batch=batch, now=now)
                    reader.finish()
            links += reader.links
            done = Imported(
                done.added + len([one for one in reader.made if one.type is ChangeType.ADD]),
                done.quarantined + reader.quarantined,
                done.known + reader.known,
                (*done.faults, *reader.faults),
            )
            if progress:
                progress(number)
        if links and not dry_run:
            faults = _tie(db, links, now, batch)
            done = done._replace(faults=(*done.faults, *faults))
    return done


def _chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    for line in lines:
        chunk.append(line)
        if len(chunk) == _BATCH:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


class _Reader:
    """Turns the lines of one transaction into changes."""

    def __init__(
        self, db: sqlite3.Connection, settings: Settings, now: float, project: str | None, fresh: Iterator[str], *, exact: bool
    ) -> None:
        self.db, self.settings, self.now, self.project, self.fresh, self.exact = db, settings, now, project, fresh, exact
        self.made: list[Change] = []
        self.links: list[tuple[int, Link]] = []
        self.faults: list[Fault] = []
        self.projects: dict[str, tuple[str, str, float]] = {}
        self.known = self.quarantined = 0
        self.ids: set[str] = set()
        self.places: set[tuple[str, str, str | None]] = set()

    def take(self, line: str, number: int) -> None:
        if not line.strip():
            return
        try:
            given = json.loads(line)
            if not isinstance(given, dict) or not isinstance(given.get("text"), str) or not given["text"].strip():
                raise RefusedError('it is no JSON object with a "text"')
            (self._exactly if self.exact else self._plainly)(given, number)
        except (ValueError, KeyError, TypeError, PsychMemError) as exc:
            self.faults.append(Fault(number, f"line {number}: {exc}"))

    def finish(self) -> None:
        for key, (name, root, at) in self.projects.items():
            if key not in projects.projects(self.db):
                projects.see_project(self.db, key, name, root, at)

    def _plainly(self, given: dict[str, Any], number: int) -> None:
        """As an untrusted statement: its origin is `import` whatever it says, rules wait, secrets go, a known text is not taken
        twice.
        """
        names, tags = _texts(given, "names"), _texts(given, "tags")
        fields = {str(key): str(value) for key, value in (given.get("metadata") or {}).items()}
        told = _private([given["text"].strip(), _text(given, "context"), *names, *tags, *fields.values()])
        text, context = told[0].strip(), told[1]
        names, tags = told[2 : 2 + len(names)], told[2 + len(names) : 2 + len(names) + len(tags)]
        kind = kind_of(str(given["class"])) if given.get("class") else Kind.SEMANTIC
        policy = self.settings.policy(kind)
        asked = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if given.get("project") else policy.scope
        why = suspicion("\n".join(told)) and next(filter(None, map(suspicion, told)), "")  # most lines hold nothing
        place = _text(given, "project") or self.project
        scope, project, status = admitted(kind, asked, place, Origin.IMPORT, doubted=bool(why))
        if not text or self._is_known(text, kind, project):
            self.known += 1
            return
        at = min(self.now, _moment(given, "created_at", self.now))
        memory = Memory(
            id=self._id(given),
            text=text,
            kind=kind,
            scope=scope,
            project=project,
            store=Store.LTM if policy.auto_promote else policy.store,
            tier=Tier.NORMAL,
            status=status,
            pinned=False,
            origin=Origin.IMPORT,
            importance=0.5,
            utility=policy.utility,
            novelty=1.0,
            confidence=self.settings.extraction.structural_confidence,
            interference=0.0,
            strength=0.0,
            use_count=0,
            session_count=1,
            created_at=at,
            updated_at=self.now,
            anchor_at=self.now,  # it begins to fade when it arrives, or old notes would be gone before they are read
            expires_at=self.now + policy.ttl_d * DAY_S if policy.ttl_d is not None else None,
            language=_text(given, "language"),
            tags=tuple(tags),
            names=tuple(names),
            context=context[: 2 * self.settings.extraction.context_limit_chars],
            metadata=(*zip(fields, told[len(told) - len(fields) :], strict=True), *([(DOUBT, why)] if why else ())),
        )
        memory = rescored(memory, self.settings.scoring)
        self.quarantined += status is Status.QUARANTINED
        self._make(memory, [Evidence(memory.id, self.now, "import", Origin.IMPORT)])

    def _exactly(self, given: dict[str, Any], number: int) -> None:
        """As the row it was exported from. What is missing takes the class's defaults."""
        kind = kind_of(str(given["class"])) if given.get("class") else Kind.SEMANTIC
        policy = self.settings.policy(kind)
        project = _text(given, "project") or None
        scope = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if project else policy.scope
        if scope is Scope.PROJECT and project is None:
            project = self.project
            if project is None:
                raise RefusedError("a project memory needs a project")
        created = _moment(given, "created_at", self.now)
        memory = Memory(
            id=self._id(given),
            text=given["text"],
            kind=kind,
            scope=scope,
            project=project if scope is Scope.PROJECT else None,
            store=Store(given.get("store") or (Store.LTM if policy.auto_promote else policy.store)),
            tier=Tier(given.get("tier") or Tier.NORMAL),
            status=Status(given.get("status") or Status.ACTIVE),
            pinned=bool(given.get("pinned", False)),
            origin=Origin(given.get("origin") or Origin.IMPORT),
            importance=_share(given, "importance", 0.5),
            utility=_share(given, "utility", policy.utility),
            novelty=_share(given, "novelty", 1.0),
            confidence=_share(given, "confidence", self.settings.extraction.structural_confidence),
            interference=_share(given, "interference", 0.0),
            strength=_share(given, "strength", -1.0),
            use_count=int(given.get("use_count", 0)),
            session_count=int(given.get("session_count", 1)),
            created_at=created,
            updated_at=_moment(given, "updated_at", created),
            anchor_at=_moment(given, "anchor_at", created),
            expires_at=_moment(given, "expires_at", None) if given.get("expires_at") is not None else None,
            language=_text(given, "language"),
            agent=_text(given, "agent"),
            session=_text(given, "session"),
            tags=tuple(_texts(given, "tags")),
            names=tuple(_texts(given, "names")),
            context=_text(given, "context"),
            metadata=tuple((str(key), str(value)) for key, value in (given.get("metadata") or {}).items()),
        )
        if memory.strength < 0:
            memory = rescored(memory, self.settings.scoring)
        if memory.status in _ONCE and self._is_known(memory.text, kind, memory.project):
            self.known += 1
            return
        self.quarantined += memory.status is Status.QUARANTINED
        told = [
            Evidence(memory.id, moment(at), method, Origin(origin), session, message, quote, tuple(signals))
            for at, method, origin, session, message, quote, signals in given.get("evidence") or ()
        ]
        self.links += [
            (number, Link(memory.id, target, LinkType(tie), moment(at))) for target, tie, at in given.get("links") or ()
        ]
        if given.get("project_seen") and project:
            name, root, at = given["project_seen"]
            self.projects[project] = (name, root, moment(at))
        self._make(memory, told)

    def _make(self, memory: Memory, told: list[Evidence]) -> None:
        self.ids.add(memory.id)
        self.made.append(Change(ChangeType.ADD, memory.id, None, memory, "imported", told[0] if told else None))
        self.made += [Change(ChangeType.REINFORCE, memory.id, memory, memory, "imported", one) for one in told[1:]]

    def _id(self, given: dict[str, Any]) -> str:
        key = str(given.get("id") or "") or next(self.fresh)
        if key in self.ids or rows.get(self.db, key) is not None:
            raise RefusedError(f"the id {key!r} is taken")
        return key

    def _is_known(self, text: str, kind: Kind, project: str | None) -> bool:
        """Whether the statement is there already, in this place, was purged, or came in an earlier line."""
        place = (digest(text), kind.value, project)
        if place in self.places or rows.is_stored(self.db, *place) or tombstones.buried(self.db, [text]):
            return True
        self.places.add(place)
        return False


_ONCE = frozenset({Status.ACTIVE, Status.QUARANTINED, Status.PROMOTED, Status.DECAYED})


def _tie(db: sqlite3.Connection, links: list[tuple[int, Link]], now: float, batch: str) -> list[Fault]:
    """Makes the links whose ends both arrived."""
    ends = rows.several(db, list({end for _, link in links for end in (link.source, link.target)}))
    faults, made = [], []
    for number, link in links:
        if link.source in ends and link.target in ends:
            made.append(Change(ChangeType.LINK, link.source, ends[link.source], ends[link.source], "imported", link=link))
        else:
            faults.append(Fault(number, f"line {number}: its link to {link.target[:8]} leads nowhere"))
    with transaction(db):
        change_log.apply(db, made, batch=batch, now=now)
    return faults


def _private(parts: list[str]) -> list[str]:
    """The texts cleaned and without secrets. Looked at together first: most lines hold none."""
    cleaned = [clean(part) for part in parts]
    together = "\n".join(cleaned)
    return cleaned if redact(together) == together else [redact(part) for part in cleaned]


def _text(given: dict[str, Any], key: str) -> str:
    value = given.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(f"{key} is a text, not {type(value).__name__}")
    return value


def _texts(given: dict[str, Any], key: str) -> list[str]:
    value = given.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RefusedError(f"{key} is a list of texts")
    return value


def _moment(given: dict[str, Any], key: str, default: float | None) -> float:
    value = given.get(key)
    if value is None:
        if default is None:
            raise RefusedError(f"{key} is missing")
        return default
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e11:
        return float(value)
    if isinstance(value, str):
        return moment(value)
    raise RefusedError(f"{key} is a time in ISO 8601")


def _share(given: dict[str, Any], key: str, default: float) -> float:
    value = given.get(key)
    return default if value is None else clamped(float(value))
