"""State as the fold of operations. Every rule is a greatest element, so joining is commutative, associative and idempotent: a
field by greatest (rank, time, device), a counter by the sum of devices' latest totals, forget and restore by time; a purge stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from psychmem_py.model.records import TRUST, Origin, Place
from psychmem_py.sync.op import Op, OpKind

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
        claim = self.put(field)
        return claim.value if claim and not (own and claim.rank == OTHERS_RANK) else usual

    def _counting(self, claim: Claim | None) -> Claim | None:
        return claim if claim is None or claim.rank > OTHERS_RANK or self.made_by_other else None

    @property
    def place(self) -> Place | None:
        """Scope, team and project in which it was last made or moved to."""
        latest = self.statements.get(_PLACE)
        return tuple(latest.value) if latest else None

    @property
    def made_by_other(self) -> bool:
        """Whether no device of one's own ever said that it made this memory."""
        made = self.statements.get(_MADE)
        return made is None or made.rank == OTHERS_RANK

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

    @property
    def latest(self) -> str:
        """The latest time in it; changes made after seeing this state get a later one."""
        times = [one.hlc for one in self.statements.values()] + ([self.purged.hlc] if self.purged else [])
        return max(times, default="")


def states_of(ops: Iterable[tuple[Op, int]]) -> dict[str, State]:
    """The states that operations with their ranks amount to, by the id of the memory."""
    folded: dict[str, State] = {}
    for op, worth in ops:
        state = folded.setdefault(op.memory, State({}))
        if op.kind == OpKind.PURGE:
            one = Claim(worth, op.hlc, op.device, "null")
            folded[op.memory] = state._replace(purged=max(one, state.purged or one))
        elif not op.emptied:
            key, value = slot(op, op.device)
            # A device's latest total counts whoever voted last; everything else goes by its rank.
            _say(state, key, op, min(worth, 1) if op.kind == OpKind.VOTE else worth, value)
            if key == _MADE:
                _say(state, _PLACE, op, worth, op.place)
    return folded


def _say(state: State, key: tuple[str, str], op: Op, worth: int, value: object) -> None:
    one = Claim(worth, op.hlc, op.device, json.dumps(value, ensure_ascii=False, sort_keys=True))
    state.statements[key] = max(one, state.statements.get(key, one))


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
