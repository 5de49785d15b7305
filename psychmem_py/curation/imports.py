"""Memories taken in, line by line. A plain import trusts nothing it reads; an exact one restores one's own export, row by row.

{"text": "...", "id"?, "class"?, "scope"?, "project"?, "created_at"?, "origin"?, "names"?, "context"?, "tags"?, "metadata"?}
where `project` is an id, a directory, or the name of a project.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from psychmem_py.curation import import_fields
from psychmem_py.curation.act import Act
from psychmem_py.curation.import_fields import Fault, Imported, ImportLine, ImportSource
from psychmem_py.curation.rule_wording import RULE, reads_as_rule
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.extraction.weights import IMPORTED
from psychmem_py.memory.admission import DOUBT, admitted, new_memory
from psychmem_py.memory.strength import rescored
from psychmem_py.model.classes import Policy, kind_of, metadata_faults, span_of, tag_of
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.permission import MARKS, Deed
from psychmem_py.model.records import (
    CONTEXT_CHARS,
    RULES,
    Change,
    ChangeType,
    Evidence,
    Kind,
    Link,
    LinkType,
    Memory,
    Origin,
    Scope,
    Status,
    Store,
    Tier,
)
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.safety.suspicion import suspicion, typed_suspicion
from psychmem_py.store import change_log, connection, overview, rows
from psychmem_py.store.connection import transaction
from psychmem_py.text.dates import DAY_S, moment
from psychmem_py.text.tokenizer import digest

_BATCH = 1000  # lines in one transaction: some 150 ms, so that no hook waits longer

_LINE_CHARS = 200_000
_TEXT_CHARS = 4_000  # of one memory; people's have 240, notes of other programs some hundreds


def take_in(
    act: Act,
    lines: Iterable[str | ImportLine],
    *,
    exact: bool,
    project: str | None,
    provenance: ImportSource = ImportSource(),  # noqa: B008  # a value, never changed
    ids: Iterator[str] | None = None,
    progress: Callable[[int], None] | None = None,
    dry_run: bool = False,
) -> Imported:
    """Imports lines in transactions of a thousand; `progress` is told how many lines are done. A wrong line is reported, not
    fatal.
    """
    reader = _Reader(act, project, ids or rows.fresh_ids(), provenance, exact=exact)
    numbered = enumerate(lines, 1)
    with connection.without_growth(act.db):
        while chunk := list(islice(numbered, _BATCH)):
            with transaction(act.db):
                for number, line in chunk:
                    reader.take(line, number)
                reader.finish(dry_run=dry_run)
            if progress:
                progress(chunk[-1][0])
        if reader.links and not dry_run:
            reader.faults += _tie(act, reader.links)
    return Imported(reader.added_in, reader.waiting_in, reader.known, tuple(reader.faults), tuple(reader.odd))


class _Reader:
    """Turns lines into changes, those of one transaction after the other, and counts what became of them."""

    def __init__(self, act: Act, project: str | None, fresh: Iterator[str], provenance: ImportSource, *, exact: bool) -> None:
        self.act, self.project, self.fresh, self.exact = act, project, fresh, exact
        self.provenance, self.names = provenance, overview.project_names(act.db)
        self.changes: list[Change] = []  # of this transaction
        self.added_in, self.waiting_in = Counter[str](), Counter[str]()
        self.links: list[tuple[int, Link]] = []
        self.faults: list[Fault] = []
        self.odd: list[Fault] = []  # of lines that were taken
        self.projects: dict[str, tuple[str, str, float]] = {}
        self.known = 0
        self.ids: set[str] = set()
        self.statements: set[tuple[str, str, str | None]] = set()  # hash, class and project of the lines before

    def take(self, line: str | ImportLine, number: int) -> None:
        if isinstance(line, str) and not line.strip():
            return
        try:
            if isinstance(line, str) and len(line) > _LINE_CHARS:
                raise RefusedError(f"it has more than {_LINE_CHARS} characters")
            given = import_fields.everywhere(json.loads(line) if isinstance(line, str) else line.given, _storable)
            if not isinstance(given, dict) or not isinstance(given.get("text"), str) or not given["text"].strip():
                raise RefusedError('it is no JSON object with a "text"')
            if self.exact:
                if import_fields.text(given, "project").startswith(_PATHS):
                    given["project"] = self._project(given["project"])
                safe = {field: import_fields.everywhere(given[field], redact) for field in _SPOKEN if field in given}
                self._exactly({**given, **safe}, number)
            else:
                self._plainly(given, number, by_person=isinstance(line, ImportLine) and line.by_person and self.act.who.is_person)
        except RecursionError:
            self.faults.append(Fault(number, f"line {number}: it is nested too deep to be read"))
        except (ValueError, KeyError, TypeError, AttributeError, PsychMemError) as exc:
            self.faults.append(Fault(number, f"line {number}: {exc}"))

    def finish(self, *, dry_run: bool) -> None:
        """Makes the changes of this transaction, and counts them by project."""
        here = self.provenance.here
        known = {**({here.id: here.name} if here else {}), **self.names, **{key: seen[0] for key, seen in self.projects.items()}}
        for one in (change.after for change in self.changes if change.type is ChangeType.ADD):
            if one is not None:
                name = known.get(one.project or "", one.project or "")
                self.added_in[name] += 1
                if one.status is Status.QUARANTINED:
                    self.waiting_in[name] += 1
        if not dry_run:
            self.act.apply(self.changes)
            there = overview.projects(self.act.db)
            for project_id, (name, root, at) in self.projects.items():
                if project_id not in there:
                    overview.see_project(self.act.db, project_id, name, root, at)
        self.changes = []

    def _plainly(self, given: dict[str, Any], number: int, *, by_person: bool) -> None:
        """As an untrusted statement: its origin is `import` whatever it says, rules wait, secrets go, a known text is not taken
        twice. What another program remembered waits, but for a person's own words and what a person answers for.
        """
        settings, now = self.act.settings, self.act.now
        names, tags = import_fields.texts(given, "names"), import_fields.texts(given, "tags")
        fields = {import_fields.safe(str(field)): str(value) for field, value in import_fields.table(given, "metadata").items()}
        fields = {field: value for field, value in fields.items() if field not in MARKS}
        if len(given["text"]) > _TEXT_CHARS:
            raise RefusedError(f"its text has more than {_TEXT_CHARS} characters; split it")
        given |= {field: import_fields.safe(import_fields.text(given, field)) for field in ("id", "language", "project")}
        parts = _private([given["text"].strip(), import_fields.text(given, "context"), *names, *tags, *fields.values()])
        text, context = parts[0].strip(), parts[1]
        names, tags = parts[2 : 2 + len(names)], parts[2 + len(names) : 2 + len(names) + len(tags)]
        given["project"] = self._project(given["project"])
        own = given["project"] or self.project
        if given["project"] and given["project"] != self.act.who.here:
            self.act.who.must(Deed.ELSEWHERE)
        elsewhere = self.provenance.program
        unsaid = (
            Kind.CONSTRAINT if elsewhere and not given.get("class") and reads_as_rule(text, self.act.languages) else Kind.SEMANTIC
        )
        kind, policy = self._class(given, unsaid)
        odd = metadata_faults(kind, fields) if given.get("class") and not elsewhere else []
        if odd and settings.general.strict_metadata:
            raise RefusedError(odd[0])
        near = own if elsewhere else given["project"]
        wanted = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if near else policy.scope
        planted = suspicion("\n".join(parts)) and next(filter(None, map(suspicion, parts)), "")  # most lines hold nothing
        planted = typed_suspicion(text) if by_person else planted
        origin = Origin.USER_CLI if by_person else Origin.IMPORT
        why = planted or ("" if by_person else self._foreign(own, text, kind))
        project, status = admitted(kind, wanted, own, origin, doubted=bool(why))
        if self.provenance.vouched and not planted and (project or wanted is Scope.USER):
            project, status, why = own if wanted is Scope.PROJECT else None, Status.ACTIVE, ""
        if not text or self._is_known(text, kind, project):
            self.known += 1
            return
        memory = new_memory(
            text,
            id_=self._id(given),
            kind=kind,
            policy=policy,
            project=project,
            origin=origin,
            importance=0.5,
            confidence=IMPORTED,
            now=now,
            created_at=min(now, import_fields.time(given, "created_at", now)),
            anchor_at=now,  # it begins to fade when it arrives, or old notes would be gone before they are read
        )
        answered_for = status is Status.ACTIVE and (by_person or self.provenance.vouched)
        memory = memory._replace(
            status=status,
            language=import_fields.text(given, "language"),
            expires_at=now + span_d * DAY_S if (span_d := span_of(str(given.get("class") or ""))) else memory.expires_at,
            tags=(*tags, *tag_of(str(given.get("class") or ""))),
            names=tuple(names),
            context=context[: 2 * CONTEXT_CHARS],
            metadata=(*zip(fields, parts[len(parts) - len(fields) :], strict=True), *([(DOUBT, why)] if why else ())),
            store=Store.LTM if answered_for or settings.stores.at_once(kind) else Store.STM,
        )
        self._add(rescored(memory, settings.scoring), [Evidence(memory.id, now, "import", origin)])
        self.odd += [Fault(number, f"line {number}: {one}") for one in odd]

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
        project = import_fields.text(given, "project") or None
        scope = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if project else policy.scope
        if scope is Scope.PROJECT and project is None:
            project = self.project
            if project is None:
                raise RefusedError("a project memory needs a project")
        created = import_fields.time(given, "created_at", self.act.now)
        memory = new_memory(
            given["text"],
            id_=self._id(given),
            kind=kind,
            policy=policy,
            project=project if scope is Scope.PROJECT else None,
            origin=Origin(given.get("origin") or Origin.IMPORT),
            importance=import_fields.share(given, "importance", 0.5),
            confidence=import_fields.share(given, "confidence", IMPORTED),
            now=import_fields.time(given, "updated_at", created),
            created_at=created,
            anchor_at=import_fields.time(given, "anchor_at", created),
        )
        alike: dict[str, Any] = {
            **{name: import_fields.share(given, name, getattr(memory, name)) for name in ("utility", "novelty", "interference")},
            **{name: import_fields.text(given, name) for name in ("language", "agent", "session", "context")},
            **{name: tuple(import_fields.texts(given, name)) for name in ("tags", "names")},
        }
        return memory._replace(
            store=import_fields.store(given),
            tier=Tier(given.get("tier") or memory.tier),
            status=Status(given.get("status") or memory.status),
            pinned=bool(given.get("pinned", False)),
            strength=import_fields.share(given, "strength", -1.0),
            use_count=int(given.get("use_count", 0)),
            session_count=int(given.get("session_count", 1)),
            expires_at=import_fields.time(given, "expires_at", None) if given.get("expires_at") is not None else None,
            metadata=tuple((str(field), str(value)) for field, value in (given.get("metadata") or {}).items()),
            **alike,
        )

    def _add(self, memory: Memory, evidence: list[Evidence]) -> None:
        self.ids.add(memory.id)
        self.changes.append(Change(ChangeType.ADD, memory.id, None, memory, "imported", evidence[0] if evidence else None))
        self.changes += [Change(ChangeType.REINFORCE, memory.id, memory, memory, "imported", more) for more in evidence[1:]]

    def _foreign(self, own: str | None, text: str, kind: Kind) -> str:
        """Why a statement waits that no person answers for; "" when it need not, or waits by its class."""
        if self.provenance.program:
            return f"brought in from {self.provenance.program}"
        if own != self.project:
            return "of another project than the one at hand"
        return RULE if kind not in RULES and reads_as_rule(text, self.act.languages) else ""

    def _project(self, named: str) -> str:
        """The id of the project that an id, a directory or a name stands for; "" for none, and for one that belongs to nobody."""
        if not named or named == self.project or _ID.match(named) or named in self.names:
            return named
        project = self.provenance.place_of(named)
        if project is not None:
            self.projects[project.id] = (project.name, project.root, self.act.now)
            return project.id
        if named.startswith(_PATHS):
            if self.provenance.program:
                return ""
            raise RefusedError(f"its project {named!r} is no project's directory here; give one, or a project's id")
        fits = [key for key, name in self.names.items() if name == named]
        if len(fits) == 1:
            return fits[0]
        unknown = f"name:{named}"  # `psychmem project merge` brings it home
        self.projects[unknown] = (named, "", self.act.now)
        return unknown

    def _class(self, given: dict[str, Any], usual: Kind = Kind.SEMANTIC) -> tuple[Kind, Policy]:
        kind = kind_of(str(given["class"])) if given.get("class") else usual
        return kind, self.act.settings.policy(kind)

    def _id(self, given: dict[str, Any]) -> str:
        id_ = str(given.get("id") or "") or next(self.fresh)
        if id_ in self.ids or rows.get(self.act.db, id_) is not None:
            raise RefusedError(f"the id {id_!r} is another sentence's")
        return id_

    def _is_known(self, text: str, kind: Kind, project: str | None) -> bool:
        """Whether the statement is there already, in this project, was purged, or came in an earlier line."""
        statement = (digest(text), kind.value, project)
        if statement in self.statements or rows.is_stored(self.act.db, *statement) or change_log.buried(self.act.db, [text]):
            return True
        self.statements.add(statement)
        return False


def _tie(act: Act, links: list[tuple[int, Link]]) -> list[Fault]:
    """Makes the links whose ends both arrived; the faults are of the lines whose did not."""
    faults, changes = [], []
    with transaction(act.db):
        ends = rows.several(act.db, list({end for _, link in links for end in (link.source, link.target)}))
        for number, link in links:
            if link.source in ends and link.target in ends:
                changes.append(Change(ChangeType.LINK, link.source, ends[link.source], ends[link.source], "imported", link=link))
            else:
                faults.append(Fault(number, f"line {number}: its link to {link.target[:8]} leads nowhere"))
        act.apply(changes)
    return faults


def _storable(text: str) -> str:
    """A text with its half signs, which cannot be stored, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _private(parts: list[str]) -> list[str]:
    """The texts cleaned and without secrets. Looked at together first: most lines hold none."""
    cleaned = [clean(part) for part in parts]
    together = "\n".join(cleaned)
    return cleaned if redact(together) == together else [redact(part) for part in cleaned]


_SPOKEN = ("text", "context", "names", "tags", "metadata", "evidence")  # what somebody said, in a row that was exported
_PATHS = ("/", "~", ".")
_ID = re.compile(r"(?:id|git|dir|name):")
