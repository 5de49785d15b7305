"""The operation: one step of a shared memory's life, the same on every machine and in every remote. Format 1.

A *lane* is what one device says about one place (the person's own memories, or one project): `(device, scope, team, project)`.
`seq` is dense from 1 within a lane, so whoever may read the place can see that nothing is missing. A written operation never
changes, with one exception: a purge empties the value of what it purges (`emptied`), and leaves the rest as it was.

On a line it is one JSON object in UTF-8 without spaces, its keys in the order of `KEYS`:

    {"v":1,"device":"<32 hex>","seq":7,"hlc":"1763838000000-000000","scope":"project","team":"","project":"git:host/path",
     "memory":"<id>","kind":"put","field":"text","value":"Never push to main","origin":"user_prompt"}

| kind              | field                        | value                                                            |
|-------------------|------------------------------|------------------------------------------------------------------|
| put               | one of `CHOICES`, `FIELDS`   | what the field is from now on                                    |
| vote              | use, session, good, bad      | how often on this device so far: a total, not a step             |
| link, unlink      | a type of link               | the id of the other memory                                       |
| forget, restore   | ""                           | null                                                             |
| purge             | ""                           | null; every other value of the memory becomes null with it       |

`origin` tells on whose words it was done; what it is worth is for the reader to say (`rank`). Who writes the line is told by the
remote that carries it, never by the line.

The state is the fold of operations. Every rule is a greatest element, so joining is commutative, associative and idempotent: a
field by greatest (rank, time, device), a counter by the sum of devices' latest totals, forget and restore by time; a purge stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from psychmem_py.model.records import TRUST, Kind, LinkType, Origin, Place, Status, Store, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.store.change_log import LAST_MS
from psychmem_py.store.operations import Lane as Lane  # noqa: PLC0414  # a line and its lane are what this module is about
from psychmem_py.store.operations import Op as Op  # noqa: PLC0414

HLC = re.compile(r"[0-9]{13}-[0-9a-f]{6}")
_COUNTERS = 1 << 24
ZERO = "0000000000000-000000"
FORMAT = 1
LINE_BYTES = 32_768  # of one line; a longer one is nobody's sentence
TEXT_CHARS = 6_000  # of a memory's text; what is longer stays at home
LIST, ITEM_CHARS, MAP_CHARS = 64, 200, 1_000
KEYS = ("v", *Op._fields)
ID = re.compile(r"[!-~]{1,128}")  # of a memory: visible ASCII, no space
DEVICE = re.compile(r"[0-9a-f]{32}")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
PAGE_OPS = 2_000  # of one pull at most; one that brings fewer brought all there is


def hlc(ms: int, counter: int = 0) -> str:
    """A hybrid time."""
    return f"{ms:013d}-{counter:06x}"


def milliseconds(time: str) -> int:
    """The wall clock's part of a hybrid time."""
    return int(time[:13])


def just_after(time: str) -> str:
    """The least hybrid time beyond `time`: what is done to something seen must come after what was seen."""
    ms, counter = int(time[:13]), int(time[14:], 16) + 1
    return hlc(ms + counter // _COUNTERS, counter % _COUNTERS)


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


class Reach(StrEnum):
    """Whose an operation is to read: the person's own devices, the members of a project, or a whole team."""

    PERSONAL = "personal"
    PROJECT = "project"
    TEAM = "team"


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
    """The operation on a line. Unknown keys are let be: a newer PsychMem may write them. Raises OpError for whatever is none."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(raw) > LINE_BYTES:
        raise OpError(f"a line of {len(raw)} bytes; at most {LINE_BYTES} are read")
    try:
        given = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as exc:
        raise OpError("not a line of JSON") from exc
    _must(isinstance(given, dict), "not a JSON object")
    if type(version := given.get("v")) is not int or version != FORMAT:
        raise OpError(f"format {str(version)[:20]} is not known here", newer=type(version) is int)
    for key in Op._fields[:9]:
        _must(key in given, f"no {key}")
    return checked(Op(**{field: given[field] for field in Op._fields if field in given}))


def checked(op: Op) -> Op:
    """The same operation. Raises OpError when a field holds what cannot stand there."""
    _must(isinstance(op.device, str) and DEVICE.fullmatch(op.device), "no device")
    _must(type(op.seq) is int and 0 < op.seq < 2**53, "no number in its lane")
    _must(isinstance(op.hlc, str) and HLC.fullmatch(op.hlc) and milliseconds(op.hlc) <= LAST_MS, "no time that a clock can show")
    for name in ("scope", "team", "project", "memory", "kind", "field", "origin"):
        _must(_is_text(getattr(op, name), 300), f"{name} is no text of at most 300 characters")
    _must_be_known(op.scope, Reach, "scope")
    _must(bool(op.project) == (op.scope == Reach.PROJECT), "a project where none belongs, or none where one does")
    _must_be_known(op.origin, Origin, "origin")
    _must_be_known(op.kind, OpKind, "kind")
    _must(ID.fullmatch(op.memory), "no id of a memory")
    _must(isinstance(op.emptied, bool), "emptied is neither true nor false")
    value = op.value
    match op.kind:
        case _ if op.emptied:
            _must(value is None, "emptied, and still says something")
        case OpKind.PUT if op.field in CHOICES:
            _must_be_known(value, CHOICES[op.field], op.field)
        case OpKind.PUT:
            _must_be_known(op.field, FIELDS, "field")
            _must(FIELDS[op.field](value), f"{op.field} holds what cannot stand there")
        case OpKind.VOTE:
            _must_be_known(op.field, VOTES, "vote")
            _must(type(value) is int and 0 <= value <= 1_000_000, "no number of votes")
        case OpKind.LINK | OpKind.UNLINK:
            _must_be_known(op.field, LinkType, "link")
            _must(isinstance(value, str) and ID.fullmatch(value), "no id at the other end of the link")
        case _:
            _must(not op.field and value is None, f"a {op.kind} says nothing")
    return op


def _must(holds: object, fault: str) -> None:
    if not holds:
        raise OpError(fault)


def _must_be_known(word: object, among: Iterable[str], what: str) -> None:
    """Raises OpError for a word of a closed vocabulary that only a newer PsychMem may know."""
    if not isinstance(word, str) or word not in set(among):
        raise OpError(f"{what} {str(word)[:20]!r} is not known here", newer=isinstance(word, str))


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and not _NO_CHARACTER.search(value)


def _is_number(value: object, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and len(value) <= LIST and all(_is_text(one, ITEM_CHARS) for one in value)


VOTES = frozenset({"use", "session", "good", "bad"})
_MOMENT = LAST_MS / 1000
# What a put may set, and what may stand there. Strength, use and what is computed from them never travel.
CHOICES: Mapping[str, Iterable[str]] = {
    "class": Kind,
    "origin": Origin,
    "status": (Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED),
    "store": Store,
    "tier": Tier,
}
FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "text": lambda value: _is_text(value, TEXT_CHARS) and bool(clean(value).strip()),
    "pinned": lambda value: isinstance(value, bool),
    "importance": lambda value: _is_number(value, 1),
    "confidence": lambda value: _is_number(value, 1),
    "created_at": lambda value: _is_number(value, _MOMENT),
    "expires_at": lambda value: value is None or _is_number(value, _MOMENT),
    "language": lambda value: _is_text(value, 16),
    "agent": lambda value: _is_text(value, 64),
    "tags": _are_texts,
    "names": _are_texts,
    "metadata": lambda value: (
        isinstance(value, dict) and _are_texts(list(value)) and all(_is_text(one, MAP_CHARS) for one in value.values())
    ),
}


class Delivery(NamedTuple):
    """A stretch of one lane beyond the given mark; up to a gap, which members can leave with plain SQL: no more is taken in."""

    lane: Lane
    author: str  # whose device it is, as the remote knows it
    mine: bool  # whether that is the person who asks
    records: tuple[tuple[int, str], ...]  # each line by its number as it came, not yet read: a bad one must not stop the others


OTHERS_RANK = 0  # the rank of whatever another person's device says
_MADE, _PLACE = (OpKind.PUT, "created_at"), ("place", "")


def rank(origin: str, *, mine: bool) -> int:
    """The rank of an operation here: 0 for another person's, for one's own devices 1 plus the trust in its origin."""
    return 1 + TRUST[Origin(origin)] if mine else OTHERS_RANK


class Claim(NamedTuple):
    """A value, and what decides between two: rank, time, device, then the value, in this order, so that no two are equal."""

    rank: int
    hlc: str
    device: str
    written: str  # the value as JSON

    @property
    def value(self) -> Any:  # noqa: ANN401 - whatever an operation may say
        return json.loads(self.written)


class State(NamedTuple):
    """What is known of one memory. The keys of `said` are a kind of operation and what it is about: ("put", "text")."""

    statements: dict[tuple[str, str], Claim]
    purged: Claim | None = None

    def put(self, field: str) -> Claim | None:
        """The claim for a field; another person's does not count in a memory of one's own."""
        return self._counting(self.statements.get((OpKind.PUT, field)))

    def worth(self, *fields: str) -> int:
        """The least rank by which these fields are what they are."""
        return min(one.rank if (one := self.put(field)) else OTHERS_RANK for field in fields)

    def value(self, field: str, usual: Any, *, own: bool = False) -> Any:  # noqa: ANN401 - whatever a field holds
        """What a field holds; the `usual` for nothing and, with `own`, for what no device of the person's own has said."""
        return claim.value if (claim := self.put(field)) and not (own and claim.rank == OTHERS_RANK) else usual

    def _counting(self, claim: Claim | None) -> Claim | None:
        return claim if claim is None or claim.rank > OTHERS_RANK or self.made_by_other else None

    @property
    def place(self) -> Place | None:
        """Scope, team and project in which it was last made or moved to."""
        return tuple(latest.value) if (latest := self.statements.get(_PLACE)) else None

    @property
    def made_by_other(self) -> bool:
        """Whether no device of one's own ever said that it made this memory."""
        return (made := self.statements.get(_MADE)) is None or made.rank == OTHERS_RANK

    @property
    def is_purged(self) -> bool:
        """Another person purges only what others made."""
        return self._counting(self.purged) is not None

    @property
    def is_forgotten(self) -> bool:
        gone = self._counting(self.statements.get((OpKind.FORGET, "")))
        return gone is not None and bool(gone.value)

    def votes(self, field: str) -> int:
        """The sum over devices; other persons' count only for what others made, and as one: they would vote for themselves."""
        votes = (one for (kind, name), one in self.statements.items() if (kind, name.partition(" ")[0]) == (OpKind.VOTE, field))
        counting = [*filter(self._counting, votes)]
        own: int = sum(one.value for one in counting if one.rank > OTHERS_RANK)
        return own + any(one.value > 0 for one in counting if one.rank == OTHERS_RANK)

    @property
    def links(self) -> dict[tuple[str, str], bool]:
        """Type and other end of every link that was ever made, and whether it stands."""
        said = self.statements.items()
        made = ((name.partition(" "), one.value) for (what, name), one in said if what == OpKind.LINK and self._counting(one))
        return {(kind, end): stands for (kind, _, end), stands in made}

    def latest(self, but: str = "") -> Claim | None:
        """What was said last of all that counts, leaving out one device."""
        others = (one for one in self.statements.values() if one.device != but and self._counting(one))
        return max(others, key=lambda one: one.hlc, default=None)


def states_of(ops: Iterable[tuple[Op, int]]) -> dict[str, State]:
    """The states that operations with their ranks amount to, by the id of the memory."""
    folded: dict[str, State] = {}
    for op, worth in ops:
        state = folded.setdefault(op.memory, State({}))
        if op.kind == OpKind.PURGE:
            one = Claim(worth, op.hlc, op.device, "null")
            folded[op.memory] = state._replace(purged=max(one, state.purged or one))
        elif not op.emptied:
            said = [slot(op, op.device)]
            said += [(_PLACE, op.place)] if said[0][0] == _MADE else []
            # A device's latest total counts whoever voted last; everything else goes by its rank.
            counts = min(worth, 1) if op.kind == OpKind.VOTE else worth
            for key, value in said:
                one = Claim(counts, op.hlc, op.device, json.dumps(value, ensure_ascii=False, sort_keys=True))
                state.statements[key] = max(one, state.statements.get(key, one))
    return folded


def slot(op: Op, device: str) -> tuple[tuple[str, str], Any]:
    """What an operation of a device competes for, and what it says there."""
    match op.kind:
        case OpKind.PUT:
            return (OpKind.PUT, op.field), op.value
        case OpKind.VOTE:
            return (OpKind.VOTE, f"{op.field} {device}"), op.value
        case OpKind.LINK | OpKind.UNLINK:
            return (OpKind.LINK, f"{op.field} {op.value}"), op.kind == OpKind.LINK
        case _:
            return (OpKind.FORGET, ""), op.kind == OpKind.FORGET
