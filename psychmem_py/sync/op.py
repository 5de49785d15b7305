"""The operation: one step of a shared memory's life, the same on every machine and in every remote. Format 1.

A *lane* is what one device says about one place (the person's own memories, or one project): `(device, scope, team, project)`. `seq` is
dense from 1 within a lane, so who may read the place can see for himself that nothing is missing. An operation never changes once it is
written, with one exception: a purge empties the value of what it purges (`emptied`), and leaves the rest as it was.

On a line it is one JSON object in UTF-8 without spaces, its keys in the order of `KEYS`:

    {"v":1,"device":"<32 hex>","seq":7,"hlc":"1763838000000-000000","scope":"project","team":"","project":"git:host/path",
     "memory":"<id>","kind":"put","field":"text","value":"Never push to main","origin":"user_prompt"}

| kind              | field                        | value                                                            |
|-------------------|------------------------------|------------------------------------------------------------------|
| put               | one of `FIELDS`              | what the field is from now on                                    |
| vote              | use, session, good, bad      | how often on this device so far: a total, not a step             |
| link, unlink      | a type of link               | the id of the other memory                                       |
| forget, restore   | ""                           | null                                                             |
| purge             | ""                           | null; every other value of the memory becomes null with it       |
| grant             | reader, writer, admin, none  | a member's name; `memory` is ""                                  |

`origin` tells on whose words it was done; what it is worth is for the reader to say (`fold.rank`). Whoever writes the line is told by the
remote that carries it, never by the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from psychmem_py.model.records import STORE_OF_STANDING, Kind, LinkType, Origin, Status, Store, Tier
from psychmem_py.store.operations import StoredOperation

HLC = re.compile(r"[0-9]{13}-[0-9a-f]{6}")
LAST_MS = 4_102_444_800_000  # the year 2100: a later time is no clock's
_COUNTERS = 1 << 24
ZERO = "0000000000000-000000"


def hlc(ms: int, counter: int = 0) -> str:
    return f"{ms:013d}-{counter:06x}"


def milliseconds(time: str) -> int:
    """The wall clock's part of a hybrid time."""
    return int(time[:13])


def just_after(time: str) -> str:
    """The least hybrid time beyond `time`: what is done to something seen must come after what was seen."""
    ms, counter = int(time[:13]), int(time[14:], 16) + 1
    return hlc(ms + counter // _COUNTERS, counter % _COUNTERS)


def is_time(text: object) -> bool:
    """Whether this is a hybrid time that a clock of this century can show."""
    return isinstance(text, str) and HLC.fullmatch(text) is not None and milliseconds(text) <= LAST_MS


FORMAT = 1
LINE_BYTES = 32_768  # of one line; a longer one is nobody's sentence
TEXT_CHARS = 6_000  # of a memory's text; what is longer stays at home
LIST, ITEM_CHARS, MAP_CHARS = 64, 200, 1_000
_SEQ_MAX, _VOTES_MAX = 2**53, 1_000_000


class OpError(ValueError):
    """An operation that is none, in words for a person; `newer` when a newer PsychMem may understand it."""

    def __init__(self, reason: str, *, newer: bool = False) -> None:
        super().__init__(reason)
        self.newer = newer


class OpKind(StrEnum):
    PUT = "put"
    VOTE = "vote"
    LINK = "link"
    UNLINK = "unlink"
    FORGET = "forget"
    RESTORE = "restore"
    PURGE = "purge"
    GRANT = "grant"


class Reach(StrEnum):
    """Whose an operation is to read: the person's own devices, the members of a project, or a whole team."""

    PERSONAL = "personal"
    PROJECT = "project"
    TEAM = "team"


class Lane(NamedTuple):
    """What one device says about one `Place`; `seq` counts within it."""

    device: str
    scope: str
    team: str = ""
    project: str = ""


class Op(NamedTuple):
    """One operation. The tuple is what a line says; equal operations have equal lines."""

    device: str  # 32 hex digits, random for each store
    seq: int  # dense from 1 within the lane
    hlc: str  # hybrid time, see `clock`
    scope: str  # one of Reach
    team: str  # "" where there is none
    project: str  # the project's id; "" unless scope is project
    memory: str
    kind: str  # one of OpKind
    field: str = ""
    value: Any = None  # what JSON can say; see the table above
    origin: str = Origin.ASSISTANT.value
    emptied: bool = False  # the value went with a purge

    @property
    def lane(self) -> Lane:
        return Lane(self.device, self.scope, self.team, self.project)


KEYS = ("v", *Op._fields)
ID = re.compile(r"[!-~]{1,128}")  # of a memory: visible ASCII, no space
DEVICE = re.compile(r"[0-9a-f]{32}")


def line(op: Op) -> str:
    """The one way to write an operation down; no line break in it or after it."""
    given: dict[str, Any] = {"v": FORMAT, **op._asdict()}
    if not op.emptied:
        del given["emptied"]
    if isinstance(op.value, dict):
        given["value"] = dict(sorted(op.value.items()))
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def emptied(op: Op) -> Op:
    """The operation without what it said, for a memory that was purged; a purge itself says nothing and stays."""
    return op if op.kind == OpKind.PURGE or op.emptied else op._replace(value=None, emptied=True)


def parsed(text: str | bytes) -> Op:
    """The operation on a line. Raises OpError for whatever is none."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(raw) > LINE_BYTES:
        raise OpError(f"a line of {len(raw)} bytes; at most {LINE_BYTES} are read")
    try:
        given = json.loads(raw.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_unambiguous)
    except OpError:
        raise
    except (ValueError, RecursionError) as exc:
        raise OpError("not a line of JSON") from exc
    return from_json(given)


def from_json(given: object) -> Op:
    """The operation in a JSON object. Unknown keys are let be: a newer PsychMem may write them. Raises OpError."""
    if not isinstance(given, dict):
        raise OpError("not a JSON object")
    version = given.get("v")
    if type(version) is not int or version != FORMAT:
        raise OpError(f"format {str(version)[:20]} is not known here", newer=type(version) is int)
    missing = [key for key in Op._fields[:9] if key not in given]
    if missing:
        raise OpError(f"no {missing[0]}")
    op = Op(**{field: given[field] for field in Op._fields if field in given})
    return checked(_in_our_words(op))


def _in_our_words(op: Op) -> Op:
    """The operation with what an older PsychMem calls otherwise: its `standing` is our `store`."""
    if (op.kind, op.field) != (OpKind.PUT, "standing"):
        return op
    known = isinstance(op.value, str) and op.value in STORE_OF_STANDING
    return op._replace(field="store", value=STORE_OF_STANDING[op.value].value if known else op.value)


def checked(op: Op) -> Op:
    """The same operation. Raises OpError when a field holds what cannot stand there."""
    _check_head(op)
    try:
        kind = OpKind(op.kind)
    except ValueError:
        raise OpError(f"kind {str(op.kind)[:20]!r} is not known here", newer=isinstance(op.kind, str)) from None
    if kind is not OpKind.GRANT and ID.fullmatch(op.memory) is None:
        raise OpError("no id of a memory")
    if op.emptied is True:
        if op.value is not None:
            raise OpError("emptied, and still says something")
    elif op.emptied is not False:
        raise OpError("emptied is neither true nor false")
    else:
        _check_value(op, kind)
    return op


def _check_head(op: Op) -> None:
    if not isinstance(op.device, str) or DEVICE.fullmatch(op.device) is None:
        raise OpError("no device")
    if type(op.seq) is not int or not 0 < op.seq < _SEQ_MAX:
        raise OpError("no number in its lane")
    if not is_time(op.hlc):
        raise OpError("no time that a clock can show")
    for name in ("scope", "team", "project", "memory", "kind", "field", "origin"):
        _check_text(getattr(op, name), name, 300)
    if op.scope not in set(Reach):
        raise OpError(f"scope {op.scope[:20]!r} is not known here", newer=True)
    if bool(op.project) != (op.scope == Reach.PROJECT):
        raise OpError("a project where none belongs, or none where one does")
    if op.origin not in set(Origin):
        raise OpError(f"origin {op.origin[:20]!r} is not known here", newer=True)


def _check_text(value: object, name: str, longest: int) -> None:
    if not isinstance(value, str) or len(value) > longest:
        raise OpError(f"{name} is no text of at most {longest} characters")
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise OpError(f"{name} holds what is no character")


def _check_value(op: Op, kind: OpKind) -> None:
    if kind is OpKind.PUT:
        if op.field not in FIELDS:
            raise OpError(f"field {op.field[:20]!r} is not known here", newer=True)
        FIELDS[op.field](op.value)
    elif kind is OpKind.VOTE:
        if op.field not in VOTES:
            raise OpError(f"vote {op.field[:20]!r} is not known here", newer=True)
        if type(op.value) is not int or not 0 <= op.value <= _VOTES_MAX:
            raise OpError("no number of votes")
    elif kind in (OpKind.LINK, OpKind.UNLINK):
        if op.field not in set(LinkType):
            raise OpError(f"link {op.field[:20]!r} is not known here", newer=True)
        if not isinstance(op.value, str) or ID.fullmatch(op.value) is None:
            raise OpError("no id at the other end of the link")
    elif kind is OpKind.GRANT:
        if op.memory or op.field not in ROLES:
            raise OpError("no role that can be given")
        _check_text(op.value, "member", 100)
    elif op.field or op.value is not None:
        raise OpError(f"a {kind} says nothing")


VOTES = frozenset({"use", "session", "good", "bad"})
ROLES = frozenset({"reader", "writer", "admin", "none"})


def _text(longest: int, *, least: int = 0) -> Callable[[object], None]:
    def check(value: object) -> None:
        _check_text(value, "value", longest)
        if len(str(value).strip()) < least:
            raise OpError("an empty text")

    return check


def _one_of(*known: str) -> Callable[[object], None]:
    def check(value: object) -> None:
        if not isinstance(value, str) or value not in known:
            raise OpError(f"value {str(value)[:20]!r} is not known here", newer=isinstance(value, str))

    return check


def _number(least: float, most: float, *, none: bool = False) -> Callable[[object], None]:
    def check(value: object) -> None:
        if none and value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise OpError(f"value is no number from {least:g} to {most:g}")

    return check


def _truth(value: object) -> None:
    if not isinstance(value, bool):
        raise OpError("value is neither true nor false")


def _texts(value: object) -> None:
    if not isinstance(value, list) or len(value) > LIST:
        raise OpError(f"value is no list of at most {LIST}")
    for one in value:
        _check_text(one, "value", ITEM_CHARS)


def _pairs(value: object) -> None:
    if not isinstance(value, dict) or len(value) > LIST:
        raise OpError(f"value is no object of at most {LIST}")
    for key, one in value.items():
        _check_text(key, "value", ITEM_CHARS)
        _check_text(one, "value", MAP_CHARS)


_MOMENT = LAST_MS / 1000
# What a put may set, and what may stand there. Strength, use and what is computed from them never travel.
FIELDS: Mapping[str, Callable[[object], None]] = {
    "text": _text(TEXT_CHARS, least=1),
    "class": _one_of(*Kind),
    "origin": _one_of(*Origin),
    "status": _one_of(Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED),
    "store": _one_of(*Store),
    "tier": _one_of(*Tier),
    "pinned": _truth,
    "importance": _number(0, 1),
    "confidence": _number(0, 1),
    "created_at": _number(0, _MOMENT),
    "expires_at": _number(0, _MOMENT, none=True),
    "language": _text(16),
    "agent": _text(64),
    "tags": _texts,
    "names": _texts,
    "metadata": _pairs,
}


def _no_number(name: str) -> object:
    raise OpError(f"{name} is no number")


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise OpError("a key stands there twice")
    return fields


def op_of(row: StoredOperation) -> Op:
    return Op(*row[:9], json.loads(row.value) if row.value is not None else None, row.origin, bool(row.emptied))


def row_of(op: Op, worth: int) -> StoredOperation:
    written = None if op.value is None else json.dumps(op.value, ensure_ascii=False, separators=(",", ":"))
    return StoredOperation(*op[:9], written, op.origin, int(op.emptied), worth)


PAGE_OPS = 2_000  # of one pull


class LaneRecord(NamedTuple):
    """One line of a lane as it came, not yet read: a bad one must not stop the others."""

    seq: int
    line: str  # what `parsed` takes


class Delivery(NamedTuple):
    """A stretch of one lane, without a gap, beginning right after the mark that was given."""

    lane: Lane
    author: str  # whose device it is, as the remote knows it
    mine: bool  # whether that is the person who asks
    records: tuple[LaneRecord, ...]


class Page(NamedTuple):
    deliveries: tuple[Delivery, ...]
    more: bool  # whether another pull with the new marks would bring something
