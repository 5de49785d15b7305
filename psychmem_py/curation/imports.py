"""Memories in and out as JSON lines. A plain import trusts nothing it reads; an exact one restores one's own export, row by row.

{"text": "...", "id"?, "class"?, "scope"?, "project"?, "created_at"?, "origin"?, "names"?, "context"?, "tags"?, "metadata"?}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory.admission import DOUBT, admitted
from psychmem_py.memory.new_memory import new_memory
from psychmem_py.memory.strength import clamped, rescored
from psychmem_py.model.classes import Policy, kind_of
from psychmem_py.model.records import Change, Evidence, Link, Memory, Message
from psychmem_py.model.statuses import KEPT
from psychmem_py.model.terms import RULES, ChangeType, Kind, LinkType, Origin, Role, Scope, Standing, Status, Store, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.safety.suspicion import suspicion
from psychmem_py.store import connection, projects, rows, tombstones
from psychmem_py.store.connection import transaction
from psychmem_py.text.moments import moment
from psychmem_py.text.tokenizer import digest

_BATCH = 1000  # lines in one transaction: some 150 ms, so that no hook waits longer


_LINE_CHARS = 200_000
_TEXT_CHARS = 4_000  # of one memory; people's have 240, notes of other programs some hundreds


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
    act: Act,
    lines: Iterable[str],
    *,
    exact: bool,
    project: str | None,
    ids: Iterator[str] | None = None,
    progress: Callable[[int], None] | None = None,
    dry_run: bool = False,
    project_id: Callable[[str], str] = str,
) -> Imported:
    """Imports JSON lines in transactions of a thousand; `progress` is told how many lines are done. A wrong line is reported, not
    fatal. `project_id` gives the id of what a line names as its project, which may be a directory.
    """
    done, number = Imported(), 0
    fresh = ids or rows.fresh_ids()
    links: list[tuple[int, Link]] = []
    with connection.without_growth(act.db):
        for chunk in _chunks(lines):
            with transaction(act.db):
                reader = _Reader(act, project, fresh, project_id, exact=exact)
                for line in chunk:
                    number += 1
                    reader.take(line, number)
                if not dry_run:
                    act.apply(reader.changes)
                    reader.finish()
            links += reader.links
            done = Imported(
                done.added + len([change for change in reader.changes if change.type is ChangeType.ADD]),
                done.quarantined + reader.quarantined,
                done.known + reader.known,
                (*done.faults, *reader.faults),
            )
            if progress:
                progress(number)
        if links and not dry_run:
            done = done._replace(faults=(*done.faults, *_tie(act, links)))
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
        self, act: Act, project: str | None, fresh: Iterator[str], project_id: Callable[[str], str], *, exact: bool
    ) -> None:
        self.act, self.project, self.fresh, self.project_id, self.exact = act, project, fresh, project_id, exact
        self.changes: list[Change] = []
        self.links: list[tuple[int, Link]] = []
        self.faults: list[Fault] = []
        self.projects: dict[str, tuple[str, str, float]] = {}
        self.known = self.quarantined = 0
        self.ids: set[str] = set()
        self.statements: set[tuple[str, str, str | None]] = set()  # hash, class and project of the lines before

    def take(self, line: str, number: int) -> None:
        if not line.strip():
            return
        try:
            if len(line) > _LINE_CHARS:
                raise RefusedError(f"it has more than {_LINE_CHARS} characters")
            given = _without_surrogates(json.loads(line))
            if not isinstance(given, dict) or not isinstance(given.get("text"), str) or not given["text"].strip():
                raise RefusedError('it is no JSON object with a "text"')
            if named := _text(given, "project"):
                given["project"] = self.project_id(named)
            (self._exactly if self.exact else self._plainly)(given, number)
        except RecursionError:
            self.faults.append(Fault(number, f"line {number}: it is nested too deep to be read"))
        except (ValueError, KeyError, TypeError, AttributeError, PsychMemError) as exc:
            self.faults.append(Fault(number, f"line {number}: {exc}"))

    def finish(self) -> None:
        for project_id, (name, root, at) in self.projects.items():
            if project_id not in projects.projects(self.act.db):
                projects.see_project(self.act.db, project_id, name, root, at)

    def _plainly(self, given: dict[str, Any], number: int) -> None:
        """As an untrusted statement: its origin is `import` whatever it says, rules wait, secrets go, a known text is not taken
        twice.
        """
        settings, now = self.act.settings, self.act.now
        names, tags = _texts(given, "names"), _texts(given, "tags")
        fields = {_safe(str(field)): str(value) for field, value in _table(given, "metadata").items()}
        if len(given["text"]) > _TEXT_CHARS:
            raise RefusedError(f"its text has more than {_TEXT_CHARS} characters; split it")
        given |= {field: _safe(_text(given, field)) for field in ("id", "language", "project")}
        parts = _private([given["text"].strip(), _text(given, "context"), *names, *tags, *fields.values()])
        text, context = parts[0].strip(), parts[1]
        names, tags = parts[2 : 2 + len(names)], parts[2 + len(names) : 2 + len(names) + len(tags)]
        kind, policy = self._class(given)
        wanted = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if given.get("project") else policy.scope
        why = suspicion("\n".join(parts)) and next(filter(None, map(suspicion, parts)), "")  # most lines hold nothing
        own = _text(given, "project") or self.project
        why = why or ("" if own == self.project else "of another project than the one at hand")
        why = why or (RULE if kind not in RULES and _reads_as_rule(text) else "")
        scope, project, status = admitted(kind, wanted, own, Origin.IMPORT, doubted=bool(why))
        if not text or self._is_known(text, kind, project):
            self.known += 1
            return
        memory = new_memory(
            text,
            id_=self._id(given),
            kind=kind,
            policy=policy,
            scope=scope,
            project=project,
            origin=Origin.IMPORT,
            importance=0.5,
            confidence=settings.extraction.structural_confidence,
            created_at=min(now, _moment(given, "created_at", now)),
            updated_at=now,
            anchor_at=now,  # it begins to fade when it arrives, or old notes would be gone before they are read
        )
        memory = memory._replace(
            status=status,
            language=_text(given, "language"),
            tags=tuple(tags),
            names=tuple(names),
            context=context[: 2 * settings.extraction.context_limit_chars],
            metadata=(*zip(fields, parts[len(parts) - len(fields) :], strict=True), *([(DOUBT, why)] if why else ())),
            standing=Standing.SETTLED if settings.standing.by_class else Standing.HEARD,
        )
        self._add(rescored(memory, settings.scoring), [Evidence(memory.id, now, "import", Origin.IMPORT)])

    def _exactly(self, given: dict[str, Any], number: int) -> None:
        """As the row it was exported from. What is missing takes the class's defaults."""
        there = rows.get(self.act.db, str(given.get("id") or ""))
        if there is not None and digest(there.text) == digest(given["text"]):
            self.known += 1
            return
        memory = self._as_exported(given)
        if memory.strength < 0:
            memory = rescored(memory, self.act.settings.scoring)
        if memory.status in KEPT and self._is_known(memory.text, memory.kind, memory.project):
            self.known += 1
            return
        evidence = [
            Evidence(memory.id, moment(at), method, Origin(origin), session, message, quote, tuple(signals))
            for at, method, origin, session, message, quote, signals in given.get("evidence") or ()
        ]
        self.links += [
            (number, Link(memory.id, target, LinkType(type_), moment(at))) for target, type_, at in given.get("links") or ()
        ]
        if given.get("project_seen") and memory.project:
            name, root, at = given["project_seen"]
            self.projects[memory.project] = (name, root, moment(at))
        self._add(memory, evidence)

    def _as_exported(self, given: dict[str, Any]) -> Memory:
        """The memory with every field that is given; a strength of -1 means that none was."""
        kind, policy = self._class(given)
        project = _text(given, "project") or None
        scope = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if project else policy.scope
        if scope is Scope.PROJECT and project is None:
            project = self.project
            if project is None:
                raise RefusedError("a project memory needs a project")
        created = _moment(given, "created_at", self.act.now)
        memory = new_memory(
            given["text"],
            id_=self._id(given),
            kind=kind,
            policy=policy,
            scope=scope,
            project=project if scope is Scope.PROJECT else None,
            origin=Origin(given.get("origin") or Origin.IMPORT),
            importance=_share(given, "importance", 0.5),
            confidence=_share(given, "confidence", self.act.settings.extraction.structural_confidence),
            created_at=created,
            updated_at=_moment(given, "updated_at", created),
            anchor_at=_moment(given, "anchor_at", created),
        )
        return memory._replace(
            store=Store(given.get("store") or memory.store),
            tier=Tier(given.get("tier") or memory.tier),
            status=Status(given.get("status") or memory.status),
            pinned=bool(given.get("pinned", False)),
            utility=_share(given, "utility", memory.utility),
            novelty=_share(given, "novelty", memory.novelty),
            interference=_share(given, "interference", memory.interference),
            strength=_share(given, "strength", -1.0),
            use_count=int(given.get("use_count", 0)),
            session_count=int(given.get("session_count", 1)),
            expires_at=_moment(given, "expires_at", None) if given.get("expires_at") is not None else None,
            language=_text(given, "language"),
            agent=_text(given, "agent"),
            session=_text(given, "session"),
            tags=tuple(_texts(given, "tags")),
            names=tuple(_texts(given, "names")),
            context=_text(given, "context"),
            metadata=tuple((str(field), str(value)) for field, value in (given.get("metadata") or {}).items()),
            standing=Standing(given.get("standing") or Standing.SETTLED),
        )

    def _add(self, memory: Memory, evidence: list[Evidence]) -> None:
        self.quarantined += memory.status is Status.QUARANTINED
        self.ids.add(memory.id)
        self.changes.append(Change(ChangeType.ADD, memory.id, None, memory, "imported", evidence[0] if evidence else None))
        self.changes += [Change(ChangeType.REINFORCE, memory.id, memory, memory, "imported", more) for more in evidence[1:]]

    def _class(self, given: dict[str, Any]) -> tuple[Kind, Policy]:
        kind = kind_of(str(given["class"])) if given.get("class") else Kind.SEMANTIC
        return kind, self.act.settings.policy(kind)

    def _id(self, given: dict[str, Any]) -> str:
        id_ = str(given.get("id") or "") or next(self.fresh)
        if id_ in self.ids or rows.get(self.act.db, id_) is not None:
            raise RefusedError(f"the id {id_!r} is another sentence's")
        return id_

    def _is_known(self, text: str, kind: Kind, project: str | None) -> bool:
        """Whether the statement is there already, in this project, was purged, or came in an earlier line."""
        statement = (digest(text), kind.value, project)
        if statement in self.statements or rows.is_stored(self.act.db, *statement) or tombstones.buried(self.act.db, [text]):
            return True
        self.statements.add(statement)
        return False


def _tie(act: Act, links: list[tuple[int, Link]]) -> list[Fault]:
    """Makes the links whose ends both arrived; the faults are of the lines whose did not."""
    ends = rows.several(act.db, list({end for _, link in links for end in (link.source, link.target)}))
    faults, changes = [], []
    for number, link in links:
        if link.source in ends and link.target in ends:
            changes.append(Change(ChangeType.LINK, link.source, ends[link.source], ends[link.source], "imported", link=link))
        else:
            faults.append(Fault(number, f"line {number}: its link to {link.target[:8]} leads nowhere"))
    with transaction(act.db):
        act.apply(changes)
    return faults


def _private(parts: list[str]) -> list[str]:
    """The texts cleaned and without secrets. Looked at together first: most lines hold none."""
    cleaned = [clean(part) for part in parts]
    together = "\n".join(cleaned)
    return cleaned if redact(together) == together else [redact(part) for part in cleaned]


RULE = "reads as a rule, whatever it is called"


@cache
def _rule_words() -> Matcher:
    """The languages as shipped: an import must not depend on what a person changed in theirs."""
    return files.matcher()


def _reads_as_rule(text: str) -> bool:
    """Whether the extraction would take `text` for a rule or a preference if a person had typed it."""
    found = sweep([Message(id="import", role=Role.USER, origin=Origin.USER_PROMPT, text=text)], _rule_words(), faint=True)
    return any(
        verdict.candidate.kind in RULES or not _COMMANDING.isdisjoint(signal.family for signal in verdict.candidate.signals)
        for verdict in found
    )


_COMMANDING = frozenset({"always", "never", "must", "use_not", "habit"})


def _table(given: dict[str, Any], field: str) -> dict[str, Any]:
    value = given.get(field) or {}
    if not isinstance(value, dict):
        raise RefusedError(f"{field} is an object")
    return value


def _safe(text: str) -> str:
    """A short field, cleaned and without secrets, on one line."""
    return redact(" ".join(clean(text).split()))[:_FIELD_CHARS]


_FIELD_CHARS = 300


def _without_surrogates(value: Any) -> Any:  # noqa: ANN401  # what JSON holds
    """What JSON gave, with half signs that cannot be stored replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_without_surrogates(one) for one in value]
    if isinstance(value, dict):
        return {_without_surrogates(name): _without_surrogates(one) for name, one in value.items()}
    return value


def _text(given: dict[str, Any], field: str) -> str:
    value = given.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(f"{field} is a text, not {type(value).__name__}")
    return value


def _texts(given: dict[str, Any], field: str) -> list[str]:
    value = given.get(field) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RefusedError(f"{field} is a list of texts")
    return value


def _moment(given: dict[str, Any], field: str, default: float | None) -> float:
    value = given.get(field)
    if value is None:
        if default is None:
            raise RefusedError(f"{field} is missing")
        return default
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e11:
        return float(value)
    if isinstance(value, str):
        return moment(value)
    raise RefusedError(f"{field} is a time in ISO 8601")


def _share(given: dict[str, Any], field: str, default: float) -> float:
    value = given.get(field)
    return default if value is None else clamped(float(value))
