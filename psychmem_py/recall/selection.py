"""Which memories a brief says, within a budget, by the UTC day. Pure: memories and a moment in, a choice with its reasons out."""

from __future__ import annotations

import math
from _collections_abc import Collection, Mapping, Sequence

from psychmem_py.memory.forgetting import JUDGED, OF_A_TASK, TWICE, WHEN_ASKED, has_expired, retrievability
from psychmem_py.model.light_record import FILE_FIELD, NamedTuple
from psychmem_py.model.records import HUMAN, RULES, TRUST, Kind, Memory, Origin, Status, Store, Tier
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.front_matter import units
from psychmem_py.text.likeness import ALL_RARE, MUCH, NEAR_DUPLICATE, WRITTEN, is_turned, overlap, shares_enough
from psychmem_py.text.own_subject import has_own_subject, is_whole
from psychmem_py.text.tokenizer import counted, subject

FADED = 0.05  # retrievability below which a brief does not show a memory
# Shares of the room (characters, lines): rules bind every session, decisions explain code, fixes and episodes are looked up.
LESSONS = frozenset({Kind.LEARNING, Kind.BUGFIX})
_SPOKEN = HUMAN | {Origin.SYNC}  # by a person, here or elsewhere
_RARE = 0.1  # of the memories looked at hold a word, at most; three of a few
_ONE_MATTER = 0.5  # overlap of the words of two values of one thing: "we use Redis for the cache", "we use Valkey for it"
_FILLED = 2  # words that may stand for others in a rule beside it: "bump the version before a release of billing", "of search"
_RESTATED_S = 30 * DAY_S  # a rule's lead over older ones halves in that time
SHARES: tuple[tuple[str, frozenset[Kind], float], ...] = (
    ("rules", RULES, 0.40),
    ("decisions", frozenset({Kind.DECISION, Kind.SEMANTIC, Kind.OBJECTIVE}), 0.25),
    ("lessons", LESSONS, 0.20),
    ("episodes", frozenset({Kind.EPISODIC}), 0.15),
)
_TIERS = {Tier.CONSTITUTIONAL: 1.0, Tier.CRITICAL: 0.5, Tier.IMPORTANT: 0.25, Tier.TEMPORARY: -0.1, Tier.DEPRECATED: -1.0}

NO_ROOM = "no room"


class Miss(NamedTuple):
    """A memory that was considered and left out."""

    memory: Memory
    reason: str  # "faded", "said by another memory", "no room", "expired", or one of those below


DUPLICATE = "said by another memory"
SUBJECTLESS = "unclear without its context"
LOOKED_UP = "found out at work; shown when a prompt matches"
SAID_IN_PASSING = "of a task or the product; shown when a prompt or a file matches"
CONTRADICTED = "contradicted since; shown with what was said against it"
IN_INSTRUCTIONS = "is in CLAUDE.md or AGENTS.md"


class Selection(NamedTuple):
    shown: tuple[Memory, ...]  # in the order of the brief's importance
    near_misses: tuple[Miss, ...]
    reasons: dict[str, str]  # id -> why it is shown


class _Words:
    """What the memories looked at are about, and which of their words tell them apart."""

    def __init__(self, memories: Sequence[Memory], focus: frozenset[str]) -> None:
        self.about = {one.id: subject(one.text) for one in memories}
        spread, most = counted(word for words in self.about.values() for word in words), max(3.0, _RARE * len(memories))
        self._common = frozenset(word for word, count in spread.items() if count > most)
        self._focus = focus - self._common

    def near(self, memory: Memory) -> tuple[int, bool]:
        """Telling words shared with the focus, those of things it names counted twice; and whether any of those is shared."""
        named = subject(" ".join(memory.names)) if self._focus and memory.names else frozenset[str]()
        at_hand = len(self._focus & named)
        return 2 * at_hand + len(self._focus & (self.about[memory.id] - named)), at_hand > 0

    def of_one(self, one: Memory, other: Memory) -> bool:
        """Whether two memories of one class and place are about one thing, and may give it two values."""
        is_one = (one.kind, one.project) == (other.kind, other.project)
        return is_one and overlap(self.about[one.id], self.about[other.id]) >= _ONE_MATTER

    def same(self, one: Memory, other: Memory) -> bool:
        """Whether two memories say the same: nearly the same words, or all the rare words of the one are among the other's."""
        less, more = sorted((self.about[one.id], self.about[other.id]), key=len)
        shared = less & more
        if is_turned(one.text, other.text):
            return False
        if overlap(less, more) >= NEAR_DUPLICATE:
            return True
        if shares_enough(less, more, MUCH) and len(more - shared) > _FILLED and not shared <= self._common:
            return True
        return shares_enough(min(less - self._common, more - self._common, key=len), shared, ALL_RARE)


def _value(memory: Memory, now: float, left: float, near: int) -> float:
    """How relevant a memory is to a brief: by strength, retrievability, tier, and nearness to the session's subject."""
    lately = math.exp2(-max(0.0, now - memory.anchor_at) / _RESTATED_S) if memory.kind in RULES else 0.0
    wanted = left * (0.6 * memory.strength + 0.1 * memory.importance + 0.3 * min(1.0, near / 2) + 0.2 * lately)
    return wanted + _TIERS.get(memory.tier, 0.0) + (_TIERS[Tier.IMPORTANT] if memory.status is Status.PROMOTED else 0.0)


def _why_left_out(memory: Memory, left: float, *, at_hand: bool) -> str:
    """Why a brief leaves a memory out however much room there is; "" if it may show it."""
    if left < FADED:
        return "faded"
    raised = memory.status is Status.PROMOTED or _TIERS.get(memory.tier, 0.0) > 0
    if at_hand or memory.session_count >= 2 or raised or memory.pinned:
        return ""
    fields = dict(memory.metadata)
    of_a_task = fields.get(OF_A_TASK)
    in_passing = of_a_task == TWICE or (of_a_task and memory.store is Store.STM) or fields.get(JUDGED) == WHEN_ASKED
    return LOOKED_UP if _is_finding(memory) else SAID_IN_PASSING if in_passing else ""


def _is_finding(memory: Memory) -> bool:
    """Whether it was found out at work: it can be found again, unlike what a person or a reader wants kept, here or elsewhere."""
    wanted = memory.origin in _SPOKEN or memory.kind in RULES or memory.use_count or JUDGED in dict(memory.metadata)
    return memory.kind in LESSONS or not wanted


def select(
    memories: Sequence[Memory], *, settings: Settings = DEFAULTS, now: float, budget: int, frame: int = 0,
    focus: frozenset[str] = frozenset(), most: int | None = None, already_seen: Collection[str] = (),
    instructions: Collection[str] = (), earlier: Mapping[str, str] = brief_text.NOTHING,
) -> Selection:  # fmt: skip
    """The memories to say in at most `budget` UTF-16 units, `most` memories and the settings' tokens less a `frame`, best first.
    `focus`: the session's words, `already_seen`: lines the agent sees, `instructions`: a person's, `earlier`: see `brief`.
    """
    day, limits = now // DAY_S * DAY_S, settings.retrieval
    words = _Words(memories, focus)
    near = {one.id: words.near(one) for one in memories}
    left = {one.id: retrievability(one, day, settings) for one in memories}
    value = {one.id: _value(one, day, left[one.id], near[one.id][0]) for one in memories}
    ranked = sorted(memories, key=lambda one: (-value[one.id], -one.created_at, one.id))
    over = {one.id: "expired" for one in memories if has_expired(one, day, settings)}
    silent = {one.id: why for one in ranked if (why := _why_left_out(one, left[one.id], at_hand=near[one.id][1]))} | over
    most = limits.max_session_memories if most is None else most
    room = _Room(budget, limits.max_context_tokens - frame // 4, most, now, words, earlier)
    room.seen = [subject(text) for text in already_seen]
    room.written = [about for line in instructions if len(about := subject(line)) > 1]
    room.fill([one for one in ranked if one.id not in silent])
    reasons = room.refused | silent
    group = {kind: index for index, (_, kinds, _) in enumerate(SHARES) for kind in kinds}  # what is always told stands first
    chosen = sorted((one for one in ranked if one.id in room.reasons), key=lambda one: (not _always(one), group[one.kind]))
    misses = tuple(Miss(one, reasons.get(one.id, NO_ROOM)) for one in ranked if one.id not in room.reasons)
    return Selection(tuple(_newest_first(chosen, words)), misses, room.reasons)


def _newest_first(chosen: Sequence[Memory], words: _Words) -> list[Memory]:
    """The memories in their order, but of those of one class and subject the newest before the older."""
    ordered: list[Memory] = []
    for one in chosen:
        older = (n for n, other in enumerate(ordered) if other.created_at < one.created_at and words.of_one(one, other))
        ordered.insert(next(older, len(ordered)), one)
    return ordered


def _always(memory: Memory) -> bool:
    return memory.pinned or memory.tier is Tier.CONSTITUTIONAL


class _Room:
    """What is left of the budget, and what has been said already."""

    def __init__(  # noqa: PLR0917
        self, budget: int, tokens: int, most: int, now: float, words: _Words, earlier: Mapping[str, str]
    ) -> None:
        self.units, self.tokens, self.most, self.now, self.words, self.earlier = budget, tokens, most, now, words, earlier
        self.stm_units = int(0.25 * budget)  # of a brief's room for what was said once
        self.seen: list[frozenset[str]] = []  # subjects of what the agent sees anyway
        self.written: list[frozenset[str]] = []  # and of what a person wrote for it
        self.taken, self.costs = list[Memory](), dict[str, tuple[int, int]]()
        self.reasons, self.refused = dict[str, str](), dict[str, str]()

    def fill(self, told: Sequence[Memory]) -> None:
        """Takes what is always shown, then each group's share, then the best of the rest."""
        for one in filter(_always, told):
            self.take(one, self.units, "pinned" if one.pinned else "constitutional")
        left = self.units
        for name, kinds, share in SHARES:
            floor, last = self.units - int(share * left), len(self.reasons) + math.ceil(share * self.most)
            for one in told:
                # What was found out is a lesson, whatever its class.
                its_own = kinds is LESSONS if _is_finding(one) else one.kind in kinds
                if its_own and self.units > floor and len(self.reasons) < last:
                    self.take(one, self.units - floor, name)
        for one in told:
            if not _is_finding(one):
                self.take(one, self.units, "best of the rest")

    def take(self, memory: Memory, allowed: int, reason: str) -> None:
        """Gives the memory a place, if nobody has said it."""
        if len(self.reasons) >= self.most or memory.id in self.reasons or memory.id in self.refused:
            return
        cost, tokens = self._cost(memory)
        if cost > min(allowed, self.units) or tokens > self.tokens:
            return
        if refused := self._refusal(memory, cost):
            less = next((one for one in self.taken if refused == DUPLICATE and self._is_fuller(memory, one)), None)
            self.refused[less.id if less else memory.id] = refused
            if not less:
                return
            self.taken.remove(less)  # whose room is not given back
            reason = self.reasons.pop(less.id)
        self.taken.append(memory)
        self.reasons[memory.id] = reason
        self.units -= cost
        self.tokens -= tokens
        self.stm_units -= cost if memory.store is Store.STM else 0

    def _is_fuller(self, memory: Memory, known: Memory) -> bool:
        """Whether a memory says what another does and more, later, by somebody trusted as much: "… without a review"."""
        is_more = self.words.about[known.id] < self.words.about[memory.id] and memory.project == known.project
        return (
            is_more and known.anchor_at < memory.created_at and TRUST[known.origin] <= TRUST[memory.origin] and not _always(known)
        )

    def _refusal(self, memory: Memory, cost: int) -> str:
        """Why a memory for which there is room is not told; "" if it is."""
        about = self.words.about[memory.id]
        if any(shares_enough(about, line, WRITTEN) for line in self.written):
            return IN_INSTRUCTIONS
        seen = any(overlap(about, other) >= NEAR_DUPLICATE for other in self.seen)
        if seen or any(self.words.same(memory, other) for other in self.taken):
            return DUPLICATE
        told_anyway = _always(memory) or memory.origin is Origin.USER_CLI
        if not told_anyway and not (is_whole(memory.text, spoken=memory.origin in _SPOKEN) and has_own_subject(memory.text)):
            return SUBJECTLESS
        return "said once, and the room for such is full" if memory.store is Store.STM and cost > self.stm_units else ""

    def _cost(self, memory: Memory) -> tuple[int, int]:
        """Characters and tokens of its line, with room for the mark of a changed file."""
        if memory.id not in self.costs:
            files = [(key.removeprefix(FILE_FIELD), state) for key, state in memory.metadata if key.startswith(FILE_FIELD)]
            notes = [memory_line.changed_since(path, gone, 99) for path, state in files for gone in ("", *state.split(" ")[1:])]
            changed = max(notes, key=len, default="")
            text = memory_line.dated_line(memory, self.now, changed=changed, earlier=self.earlier.get(memory.id, ""))
            self.costs[memory.id] = units(text) + 1, brief_text.tokens(text)
        return self.costs[memory.id]
