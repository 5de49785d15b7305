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
from typing import Any, NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.curation.import_programs import ImportLine
from psychmem_py.curation.rule_wording import RULE, reads_as_rule
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.extraction.weights import IMPORTED
from psychmem_py.home.project import Project
from psychmem_py.memory.admission import DOUBT, admitted, new_memory
from psychmem_py.memory.strength import clamped, rescored
from psychmem_py.model import records
from psychmem_py.model.classes import kind_of, metadata_faults, span_of, tag_of
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.permission import MARKS, Deed
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Origin, Scope, Status, Store
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
_FIELD_CHARS = 300


class Fault(NamedTuple):
    """A line that was not taken, and why."""

    number: int  # from 1
    reason: str


class Imported(NamedTuple):
    """What became of the lines of an import."""

    added_in: Counter[str]  # how many came to each project ("" for every one), by its name
    waiting_in: Counter[str]  # and how many of them are pending
    known: int = 0  # said already, or given twice
    faults: tuple[Fault, ...] = ()
    odd: tuple[Fault, ...] = ()  # of lines that were added: metadata that do not fit the class

    @property
    def added(self) -> int:
        return self.added_in.total()

    @property
    def quarantined(self) -> int:
        return self.waiting_in.total()


class ImportSource(NamedTuple):
    """Whose lines they are, and who answers for them."""

    program: str = ""  # another memory program, or a person's own files; "": JSON lines for `import`
    vouched: bool = False  # a person answers for all of them: nothing waits but what looks planted
    here: Project | None = None  # the project at hand
    place_of: Callable[[str], Project | None] = lambda _: None  # the project of a directory, or one at hand by its name


def take_in(
    act: Act,
    lines: Iterable[str | ImportLine],
    *,
    exact: bool,
    project: str | None,
    provenance: ImportSource = ImportSource(),  # noqa: B008  # a value, never changed
    ids: Iterator[str] | None = None,
    progress: Callable[[int], None] = lambda _: None,
    dry_run: bool = False,
) -> Imported:
    """Imports lines in transactions of a thousand; `progress` hears how many are done. A wrong line is reported, and costs only itself."""
    reader = _Reader(act, project, ids or rows.fresh_ids(), provenance, exact=exact)
    numbered = enumerate(lines, 1)
    with connection.without_growth(act.db):
        while chunk := list(islice(numbered, _BATCH)):
            with transaction(act.db):
                for number, line in chunk:
                    reader.take(line, number)
                reader.finish(dry_run=dry_run)
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
        self.added_in, self.waiting_in, self.known = Counter[str](), Counter[str](), 0
        self.links: list[tuple[int, Link]] = []
        self.faults, self.odd = list[Fault](), list[Fault]()  # of lines that were not taken, and of some that were
        self.projects: dict[str, tuple[str, str, float]] = {}
        self.ids: set[str] = set()
        self.statements: set[tuple[str, str, str | None]] = set()  # hash, class and project of the lines before

    def take(self, line: str | ImportLine, number: int) -> None:
        """Makes one line a change, or a fault."""
        if isinstance(line, str) and not line.strip():
            return
        try:
            if isinstance(line, str) and len(line) > _LINE_CHARS:
                raise RefusedError(f"it has more than {_LINE_CHARS} characters")
            if isinstance(line, ImportLine) and line.fault:
                raise RefusedError(line.fault)
            given = _everywhere(json.loads(line) if isinstance(line, str) else line.given, _storable)
            if not isinstance(given, dict) or not isinstance(given.get("text"), str) or not given["text"].strip():
                raise RefusedError('it is no JSON object with a "text"')
            if self.exact:
                self._exactly(given, number)
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
        added = [change.after for change in self.changes if change.type is ChangeType.ADD and change.after]
        self.added_in.update(known.get(one.project or "", one.project or "") for one in added)
        waiting = [one for one in added if one.status is Status.QUARANTINED]
        self.waiting_in.update(known.get(one.project or "", one.project or "") for one in waiting)
        if not dry_run:
            self.act.apply(self.changes)
            for project_id in self.projects.keys() - overview.projects(self.act.db).keys():
                overview.see_project(self.act.db, project_id, *self.projects[project_id])
        self.changes = []

    def _plainly(self, given: dict[str, Any], number: int, *, by_person: bool) -> None:
        """As an untrusted statement: its origin is `import` whatever it says, rules wait, secrets go, a known text is not taken
        twice. What another program remembered waits, but for a person's own words and what a person answers for.
        """
        settings, now, elsewhere = self.act.settings, self.act.now, self.provenance.program
        if len(given["text"]) > _TEXT_CHARS:
            raise RefusedError(f"its text has more than {_TEXT_CHARS} characters; split it")
        given = _private(given)
        text, context, names, tags = given["text"].strip(), _text(given, "context"), _texts(given, "names"), _texts(given, "tags")
        called, table = str(given.get("class") or ""), given.get("metadata") or {}
        if not isinstance(table, dict):
            raise RefusedError("metadata is an object")
        fields = {_short(str(field)): str(value) for field, value in table.items() if _short(str(field)) not in MARKS}
        named = self._project(_short(_text(given, "project")))
        own = named or self.project
        if named and named != self.act.who.here:
            self.act.who.must(Deed.ELSEWHERE)
        binds = elsewhere and not called and reads_as_rule(text, self.act.languages)
        kind = kind_of(called) if called else Kind.CONSTRAINT if binds else Kind.SEMANTIC
        policy = settings.policy(kind)
        odd = metadata_faults(kind, fields) if called and not elsewhere else []
        if odd and settings.general.strict_metadata:
            raise RefusedError(odd[0])
        near = own if elsewhere else named
        wanted = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if near else policy.scope
        parts = [text, context, *names, *tags, *fields.values()]
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
            text, id_=self._id(_short(_text(given, "id"))), kind=kind, policy=policy, project=project, origin=origin, importance=0.5,
            confidence=IMPORTED, now=now, created_at=min(now, _time(given, "created_at", now)),
            anchor_at=now,  # it begins to fade when it arrives, or old notes would be gone before they are read
        )  # fmt: skip
        answered_for = status is Status.ACTIVE and (by_person or self.provenance.vouched)
        memory = memory._replace(
            status=status,
            language=_short(_text(given, "language")),
            expires_at=now + span_d * DAY_S if (span_d := span_of(called)) else memory.expires_at,
            tags=(*tags, *tag_of(called)),
            names=tuple(names),
            context=context[: 2 * records.CONTEXT_CHARS],
            metadata=tuple((fields | ({DOUBT: why} if why else {})).items()),
            store=Store.LTM if answered_for or settings.stores.at_once(kind) else Store.STM,
        )
        self._add(rescored(memory, settings.scoring), [Evidence(memory.id, now, "import", origin)])
        self.odd += [Fault(number, f"line {number}: {one}") for one in odd]

    def _exactly(self, given: dict[str, Any], number: int) -> None:
        """As the row it was exported from. What is missing takes the class's defaults."""
        if _text(given, "project").startswith(_PATHS):
            given["project"] = self._project(given["project"])
        given |= {field: _everywhere(given[field], redact) for field in _SPOKEN if field in given}
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
        links = ((target, LinkType(type_), moment(at)) for target, type_, at in given.get("links") or ())
        self.links += [(number, Link(memory.id, *link)) for link in links]
        if given.get("project_seen") and memory.project:
            name, root, at = given["project_seen"]
            self.projects[memory.project] = (name, root, moment(at))
        self._add(memory, evidence)

    def _as_exported(self, given: dict[str, Any]) -> Memory:
        """The memory with every field that is given; a strength of -1 means that none was."""
        kind = kind_of(str(given["class"])) if given.get("class") else Kind.SEMANTIC
        policy = self.act.settings.policy(kind)
        project = _text(given, "project") or None
        scope = Scope(given["scope"]) if given.get("scope") else Scope.PROJECT if project else policy.scope
        project = (project or self.project) if scope is Scope.PROJECT else None
        if scope is Scope.PROJECT and project is None:
            raise RefusedError("a project memory needs a project")
        created = _time(given, "created_at", self.act.now)
        memory = new_memory(
            given["text"], id_=self._id(str(given.get("id") or "")), kind=kind, policy=policy, project=project,
            origin=Origin(given.get("origin") or Origin.IMPORT), importance=0.5, confidence=IMPORTED, now=created,
        )  # fmt: skip
        fields = {name: read(given, name) for name, read in _EXPORTED.items() if given.get(name) not in (None, "")}
        if older := given.get("standing"):  # older exports say the store so, and their `store` meant something else
            fields["store"] = records.STORE_OF_STANDING[older]
        return memory._replace(**{"strength": -1.0, "expires_at": None, **fields})

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
        return RULE if kind not in records.RULES and reads_as_rule(text, self.act.languages) else ""

    def _project(self, named: str) -> str:
        """The id of the project that an id, a directory or a name stands for; "" for none, and for one that belongs to nobody."""
        if not named or named == self.project or _ID.match(named) or named in self.names:
            return named
        project = self.provenance.place_of(named)
        if project is None and named.startswith(_PATHS):
            if self.provenance.program:
                return ""
            raise RefusedError(f"its project {named!r} is no project's directory here; give one, or a project's id")
        fits = [key for key, name in self.names.items() if name == named]
        if project is None and len(fits) == 1:
            return fits[0]
        project = project or Project(f"name:{named}", named, "")  # `psychmem project merge` brings it home
        self.projects[project.id] = (project.name, project.root, self.act.now)
        return project.id

    def _id(self, given: str) -> str:
        id_ = given or next(self.fresh)
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


def _private(given: dict[str, Any]) -> dict[str, Any]:
    """The line cleaned and without secrets. All of it is looked at together first: most lines hold none."""
    told: list[str] = []

    def cleaned(text: str) -> str:
        told.append(clean(text))
        return told[-1]

    line = _everywhere(given, cleaned)
    together = "\n".join(told)
    return {**(line if redact(together) == together else _everywhere(line, redact))}


_SPOKEN = ("text", "context", "names", "tags", "metadata", "evidence")  # what somebody said, in a row that was exported
_PATHS = ("/", "~", ".")
_ID = re.compile(r"(?:id|git|dir|name):")


def _everywhere(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401  # what JSON holds
    """What JSON gave, with all its texts changed so."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_everywhere(one, change) for one in value]
    if isinstance(value, dict):
        return {_everywhere(name, change): _everywhere(one, change) for name, one in value.items()}
    return value


def _short(value: str) -> str:
    """A short field on one line."""
    return " ".join(value.split())[:_FIELD_CHARS]


def _text(given: dict[str, Any], field: str) -> str:
    value = given.get(field)
    if not isinstance(value, str | None):
        raise RefusedError(f"{field} is a text, not {type(value).__name__}")
    return value or ""


def _texts(given: dict[str, Any], field: str) -> list[str]:
    value = given.get(field) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RefusedError(f"{field} is a list of texts")
    return value


def _time(given: dict[str, Any], field: str, default: float = 0.0) -> float:
    value = given.get(field)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e11:
        return float(value)
    if value is not None and not isinstance(value, str):
        raise RefusedError(f"{field} is a time in ISO 8601")
    return default if value is None else moment(value)


def _share(given: dict[str, Any], field: str) -> float:
    return clamped(float(given[field]))


def _as(type_: Callable[[Any], object]) -> Callable[[dict[str, Any], str], object]:
    return lambda given, field: type_(given[field])


# What else an exported row may hold, and how each field is read.
_EXPORTED: dict[str, Callable[[dict[str, Any], str], Any]] = {
    **dict.fromkeys("importance confidence utility novelty interference strength".split(), _share),
    **dict.fromkeys("updated_at anchor_at expires_at".split(), _time),
    **dict.fromkeys("language agent session context".split(), _text),
    **dict.fromkeys("tags names".split(), lambda given, field: tuple(_texts(given, field))),
    **dict.fromkeys("use_count session_count".split(), _as(int)),
    "pinned": _as(bool),
    "store": _as(Store),
    "tier": _as(records.Tier),
    "status": _as(Status),
    "metadata": _as(lambda table: tuple((str(field), str(value)) for field, value in table.items())),
}
