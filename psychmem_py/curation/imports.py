"""Memories taken in, line by line. A plain import trusts nothing; an exact one restores one's own export, row by row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from psychmem_py.curation.act import Act, storable, stored_field
from psychmem_py.curation.exports import EVIDENCE
from psychmem_py.curation.history import last_part
from psychmem_py.curation.import_files import ImportLine
from psychmem_py.curation.rule_wording import RULE, commands, rule_in
from psychmem_py.errors import PsychMemError, RefusedError, refuse_if
from psychmem_py.extraction.weights import IMPORTED
from psychmem_py.home.light_json import encoded, object_in
from psychmem_py.home.project import Project
from psychmem_py.memory.admission import DOUBT, admitted, new_memory
from psychmem_py.memory.forgetting import clamped, rescored
from psychmem_py.model import records
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.permission import RESERVED, Action
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Link, LinkType, Memory, Origin, Scope, Status, Store
from psychmem_py.model.settings import kind_of, metadata_faults, tag_of, ttl_of
from psychmem_py.safety.control_chars import clean, line
from psychmem_py.safety.secrets import redact
from psychmem_py.safety.suspicion import suspicion, typed_suspicion
from psychmem_py.store import change_log, rows, sessions
from psychmem_py.store.connection import transaction
from psychmem_py.text.dates import DAY_S, moment
from psychmem_py.text.tokenizer import digest

_LINE_CHARS = 200_000
_TEXT_CHARS = 4_000  # of one memory; people's have 240, notes of other programs some hundreds
_FIELD_CHARS, _TOLD_CHARS = 300, 80
_SPOKEN = ("text", "context", "names", "tags", "metadata", "evidence")  # what somebody said, in a row that was exported
_PATHS = ("/", "~", ".")
_NAMEABLE = re.compile(r"[^\W_][\w.:-]{0,99}")  # an id that a command can name, unlike "--purge" and "../x"


class ImportSource(NamedTuple):
    """Whose lines they are, and who answers for them."""

    program: str = ""  # another memory program, or a person's own files; "": JSON lines for `import`
    approved: bool = False  # a person answers for all of them: nothing waits but what looks planted
    place_of: Callable[[str], Project | None] = lambda _: None  # the project of a directory, or one at hand by its name


class ImportRun:
    """An import: what became of its lines, and what is still to be written of them."""

    def __init__(self, act: Act, project: str | None, source: ImportSource, *, exact: bool, dry_run: bool = False) -> None:
        self.added = self.quarantined = 0  # new ones, and how many of them are pending
        self.added_in = Counter[str | None]()  # by project
        self.known = 0  # said already, or given twice
        self.faults = list[dict[str, object]]()  # number, from 1, and reason of each line that was not taken
        self.odd = list[str]()  # of lines that were added: metadata that do not fit the class
        self._act, self._here, self._source, self._exact, self._dry_run = act, project, source, exact, dry_run
        self._names = sessions.project_names(act.db)
        self._changes: list[Change] = []  # of this transaction
        self._links, self._ids, self._projects = list[Link](), set[str](), dict[str, tuple[str, str, float]]()
        self._wholly: set[str] = set()  # ids of what came in plainly before, and comes whole now
        self._statements: set[tuple[str, str, str | None]] = set()  # hash, class and project of the lines before

    def take_in(self, lines: Iterable[str | ImportLine], progress: Callable[[int], None] = lambda _: None) -> ImportRun:
        """Imports lines in transactions of a thousand; `progress` hears the count. A wrong line is told and alone left out."""
        numbered = enumerate(lines, 1)
        while chunk := list(islice(numbered, 1000)):  # in one transaction: some 150 ms, so that no hook waits longer
            with transaction(self._act.db):
                for number, line in chunk:
                    self.take(line, number)
                self.write()
            progress(chunk[-1][0])
        self.link()
        return self

    def take(self, line: str | ImportLine, number: int) -> None:
        """Makes one line a change, or a fault."""
        if isinstance(line, str):
            if not line.strip():
                return
            fault = f"it has more than {_LINE_CHARS} characters" if len(line) > _LINE_CHARS else ""
            line = ImportLine({} if fault else object_in(line.encode("utf-8", "replace")), fault=fault)
        try:
            given = _map_texts(line.given, lambda text: text.encode("utf-8", "replace").decode())  # half signs cannot be stored
            if line.fault or not isinstance(given.get("text"), str) or not clean(given["text"]).strip():
                raise RefusedError(line.fault or 'it is no JSON object with a "text"')
            refuse_if("\ufffd" in given["text"] and not self._exact, "it is not in UTF-8; say iconv -f latin1 -t utf-8")
            if self._exact:
                self._take_exact(given)
            else:
                self._take_plain(_map_texts(given, storable), number, by_person=line.by_person and self._act.who.is_person)
        except (ValueError, OverflowError, KeyError, TypeError, AttributeError, RecursionError, PsychMemError) as exc:
            self.faults.append({"number": number, "reason": f"line {number}: {exc}"})

    def write(self) -> None:
        """Makes the changes of this transaction."""
        if not self._dry_run:
            self._act.apply(self._changes)
            for project_id in self._projects.keys() - sessions.projects(self._act.db).keys():
                sessions.note_project(self._act.db, project_id, *self._projects[project_id])
        self._changes = []

    def link(self) -> None:
        """Makes the links whose ends are both there."""
        with transaction(self._act.db):
            ends = rows.several(self._act.db, list({end for link in self._links for end in (link.source, link.target)}))
            there = [(ends[one.source], one) for one in self._links if one.source in ends and one.target in ends]
            made = [Change(ChangeType.LINK, start.id, start, start, change_log.IMPORTED, link=link) for start, link in there]
            self._act.apply(() if self._dry_run else made)

    def _take_plain(self, given: dict[str, Any], number: int, *, by_person: bool) -> None:
        """As an untrusted statement: origin `import`, no secrets, no duplicate; rules and other programs' memories wait."""
        settings, now, elsewhere = self._act.settings, self._act.now, self._source.program
        text, context, called = given["text"].strip(), _field(given, "context", str), str(given.get("class") or "")
        refuse_if(len(text) > _TEXT_CHARS, f"its text has more than {_TEXT_CHARS} characters; split it")
        names, tags = _field(given, "names", list), _field(given, "tags", list)
        table = ((line(str(name))[:_FIELD_CHARS], value) for name, value in _field(given, "metadata", dict).items())
        fields = dict(stored_field(name, value) for name, value in table if value is not None and name not in RESERVED)
        named = self._project(line(_field(given, "project", str))[:_FIELD_CHARS])
        own = named or self._here
        if named and named != self._act.who.here:
            self._act.who.must(Action.ELSEWHERE)
        heard = rule_in(text, self._act.languages) if elsewhere and not called else None
        kind = kind_of(called) if called else heard or Kind.SEMANTIC
        policy = settings.policy(kind)
        odd = metadata_faults(kind, fields) if called and not elsewhere else []
        if odd and settings.general.strict_metadata:
            raise RefusedError(odd[0])
        wanted = _read(given, "scope", Scope, Scope.PROJECT if own else policy.scope)
        parts = [text, context, *names, *tags, *fields.values()]
        planted = typed_suspicion(text) if by_person else next(filter(None, map(suspicion, parts)), "")
        origin = Origin.USER_CLI if by_person else Origin.IMPORT
        why = planted or ("" if by_person else self._foreign(own, text, kind))
        project, status = admitted(kind, wanted, own, origin, doubted=bool(why))
        if self._source.approved and not planted and (project or wanted is Scope.USER):
            project, status, why = own if wanted is Scope.PROJECT else None, Status.ACTIVE, ""
        if not text or self._same(given) or self._is_known(text, kind, project, [*Status]):
            self.known += 1
            return
        memory = new_memory(
            text, id_=self._id(_field(given, "id", str)), kind=kind, policy=policy, project=project,
            origin=origin, importance=0.5, confidence=IMPORTED, now=now, created_at=min(now, _read(given, "created_at", _time, now)),
            anchor_at=now,  # it begins to fade when it arrives, or old notes would be gone before they are read
        )  # fmt: skip
        fields |= {DOUBT: why} if why else {}
        tags, ends = (*tags, *tag_of(called)), now + span_d * DAY_S if (span_d := ttl_of(called)) else memory.expires_at
        answered_for = status is Status.ACTIVE and (by_person or self._source.approved)
        store = Store.LTM if answered_for or settings.stores.at_once(kind) else Store.STM
        memory = memory._replace(status=status, expires_at=ends, tags=tags, names=tuple(names), store=store)
        memory = memory._replace(context=context[: 2 * records.CONTEXT_CHARS], metadata=tuple(fields.items()))
        self._add(rescored(memory, settings.scoring), [Evidence(memory.id, now, "import", origin)])
        self.odd += [f"line {number}: {one}" for one in odd]

    def _take_exact(self, given: dict[str, Any]) -> None:
        """As the row it was exported from. What is missing takes the class's defaults."""
        if _field(given, "project", str).startswith(_PATHS):
            given["project"] = self._project(given["project"])
        given |= {field: _map_texts(given[field], redact) for field in _SPOKEN if field in given}
        if (same := self._same(given)) and not _came_plain(same):
            self.known += 1
            return
        self._wholly |= {same.id} if same else set()
        memory = self._as_exported(given)
        twins = rows.stored(self._act.db, (digest(memory.text), memory.kind.value, memory.project))
        before = [same] if same else [*filter(_came_plain, twins)]
        self._changes += [Change(ChangeType.STATUS, one.id, one, None, "imported whole") for one in before]
        if not before and memory.status in KEPT and self._is_known(memory.text, memory.kind, memory.project):
            self.known += 1
            return
        evidence = _read(given, "evidence", lambda all_: [_evidence(memory.id, one) for one in all_], [])
        ends = _read(given, "links", lambda all_: [(to, LinkType(type_), moment(at)) for to, type_, at in all_], [])
        self._links += [Link(memory.id, *end) for end in ends]
        seen = _read(given, "project_seen", lambda one: (one[0], one[1], moment(one[2])), None)
        if (worked := _read(given, "worked", lambda days: [*map(moment, days)], [])) and memory.project and not self._dry_run:
            sessions.note_worked(self._act.db, memory.project, worked)
        if memory.project and (seen or memory.project not in self._projects):
            self._projects[memory.project] = seen or (last_part(memory.project), "", memory.updated_at)
        self._add(memory, evidence)

    def _as_exported(self, given: dict[str, Any]) -> Memory:
        """The memory with every field that is given; its strength is scored where none was."""
        kind = kind_of(str(given["class"])) if given.get("class") else Kind.SEMANTIC
        policy = self._act.settings.policy(kind)
        project = _field(given, "project", str)
        scope = _read(given, "scope", Scope, Scope.PROJECT if project else policy.scope)
        place = (project or self._here) if scope is Scope.PROJECT else None
        refuse_if(scope is Scope.PROJECT and place is None, "a project memory needs a project")
        memory = new_memory(
            given["text"], id_=self._id(str(given.get("id") or "")), kind=kind, policy=policy, project=place, importance=0.5,
            origin=_read(given, "origin", lambda name: Origin(name.partition(":")[0]), Origin.IMPORT), confidence=IMPORTED,
            now=_read(given, "created_at", _time, self._act.now),
        )  # fmt: skip
        given["store"] = {"heard": "stm", "settled": "ltm"}.get(str(given.get("standing")), given.get("store"))  # as of old
        fields = {name: _read(given, name, read, None) for name, read in _EXPORTED.items() if given.get(name) not in (None, "")}
        memory = memory._replace(**{"expires_at": None, **fields})
        return memory if "strength" in fields else rescored(memory, self._act.settings.scoring)

    def _add(self, memory: Memory, evidence: Sequence[Evidence | None]) -> None:
        self._ids.add(memory.id)
        self._statements |= {(digest(memory.text), memory.kind.value, memory.project)} if memory.status in KEPT else set()
        self.added += 1
        self.added_in[memory.project] += 1
        self.quarantined += memory.status is Status.QUARANTINED
        first, *more = evidence or (None,)
        self._changes.append(Change(ChangeType.ADD, memory.id, None, memory, change_log.IMPORTED, first))
        self._changes += [Change(ChangeType.REINFORCE, memory.id, memory, memory, change_log.IMPORTED, one) for one in more]

    def _foreign(self, own: str | None, text: str, kind: Kind) -> str:
        """Why a statement waits that no person answers for; "" when it need not, or waits by its class."""
        if self._source.program:
            return f"brought in from {self._source.program}"
        if own != self._here:
            return "of another project than the one at hand"
        told = kind not in records.RULES and (rule_in(text, self._act.languages) or commands(text, self._act.languages))
        return RULE if told else ""

    def _project(self, named: str) -> str:
        """The id of the project that an id, a directory or a name stands for; "" for none, and for one that belongs to nobody."""
        if not named or named == self._here or named.startswith(("id:", "git:", "dir:", "name:")) or named in self._names:
            return named
        if (project := self._source.place_of(named)) is None and named.startswith(_PATHS):
            if self._source.program:
                return ""
            raise RefusedError(f"its project {named!r} is no project's directory here; give one, or a project's id")
        if project is None and len(fits := [key for key, name in self._names.items() if name == named]) == 1:
            return fits[0]
        project = project or Project(f"name:{named}", named, "")  # `psychmem project merge` brings it home
        self._projects[project.id] = (project.name, project.root, self._act.now)
        return project.id

    def _id(self, given: str) -> str:
        id_ = given if _NAMEABLE.fullmatch(given) else next(rows.fresh_ids())
        is_taken = rows.get(self._act.db, id_) is not None and id_ not in self._wholly
        refuse_if(id_ in self._ids or is_taken, f"the id {id_!r} is of other words here")
        return id_

    def _same(self, given: dict[str, Any]) -> Memory | None:
        """The memory of this id, where it says the same."""
        there = rows.get(self._act.db, str(given.get("id") or ""))
        return there if there and digest(there.text) == digest(given["text"]) else None

    def _is_known(self, text: str, kind: Kind, project: str | None, statuses: Sequence[str] = KEPT) -> bool:
        said, db = (digest(text), kind.value, project), self._act.db
        return said in self._statements or bool(rows.stored(db, said, statuses) or change_log.erased(db, [text]))


def _came_plain(memory: Memory) -> bool:
    """Whether a memory waits because it was brought in without what is known of it."""
    return memory.status is Status.QUARANTINED and memory.origin is Origin.IMPORT


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401  # what JSON holds
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_map_texts(one, change) for one in value]
    if isinstance(value, dict):
        return {_map_texts(name, change): _map_texts(one, change) for name, one in value.items()}
    return value


def _field(given: dict[str, Any], name: str, type_: type) -> Any:  # noqa: ANN401  # of this type
    """A field of a line, empty where it is missing. Raises RefusedError for one of another type."""
    return _checked(given.get(name) or type_(), type_, name)


def _checked(value: Any, type_: type, name: str = "a field") -> Any:  # noqa: ANN401  # as above
    if not isinstance(value, type_) or (isinstance(value, list) and not all(isinstance(one, str) for one in value)):
        called = {"str": "a text", "list": "a list of texts", "dict": "an object"}[type_.__name__]
        raise RefusedError(f"{name} is {called}, not {encoded(value)[:_TOLD_CHARS]}")
    return value


def _read(given: dict[str, Any], name: str, read: Callable[[Any], Any], default: Any) -> Any:  # noqa: ANN401  # as above
    """A field of a line as `read` gives it, or the default. Raises RefusedError that names one which cannot be read."""
    value = given.get(name)
    try:
        return default if value in (None, "") else read(value)
    except (ValueError, OverflowError, KeyError, TypeError, AttributeError, IndexError, PsychMemError) as exc:
        raise RefusedError(f"{name} cannot be {encoded(value)[:_TOLD_CHARS]}") from exc


def _evidence(key: str, one: Any) -> Evidence:  # noqa: ANN401  # what JSON holds
    row = one if isinstance(one, dict) else dict(zip(EVIDENCE, one, strict=True))  # older exports give the values alone
    told = {name: _checked(row[name], list if name == "signals" else str, name) for name in EVIDENCE}
    told |= {"at": moment(told["at"]), "origin": Origin(told["origin"]), "signals": tuple(told["signals"])}
    return Evidence(key, **told)


def _time(value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e11:
        return float(value)
    return moment(_checked(value, str))


_EXPORTED: dict[str, Callable[[Any], Any]] = {  # what else an exported row may hold, and how each field is read
    **dict.fromkeys("importance confidence utility novelty interference strength".split(), lambda value: clamped(float(value))),
    **dict.fromkeys("updated_at anchor_at expires_at".split(), _time),
    **dict.fromkeys("language agent session context".split(), lambda value: _checked(value, str)),
    **dict.fromkeys("tags names".split(), lambda value: tuple(_checked(value, list))),
    **dict.fromkeys("use_count session_count".split(), lambda value: min(max(int(value), 0), 10**9)),
    "pinned": bool,
    "store": Store,
    "tier": records.Tier,
    "status": Status,
    "metadata": lambda table: tuple(stored_field(str(field), value) for field, value in table.items()),
}
