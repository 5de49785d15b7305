"""Memories by what they say: groups that say nearly the same, and those of a session that came back in its work. Pure.

Single linkage (STM server): two belong together when a chain of pairs, each at least as similar as the threshold, leads from one to the
other. Cohesion is the mean similarity of all pairs of a group. Its thresholds are cosines of a sentence encoder; by words, where no
encoder is, the same statements overlap by half (of eleven pairs that say the same in other words nine do, of 120 that do not none).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from psychmem_py.model.records import Memory
from psychmem_py.text.tokenizer import content_words, overlap, subject


class Bands(NamedTuple):
    """From which similarity on two are linked, a group is worth a look, and clearly one memory told several times."""

    link: float
    review: float
    merge: float


BY_COSINE, BY_WORDS = Bands(0.83, 0.75, 0.9), Bands(0.5, 0.5, 0.9)


class Nearness(NamedTuple):
    """How similar memories are, each named by its id; in [0, 1]."""

    bands: Bands
    pairs: Callable[[float], Iterable[tuple[str, str]]]  # those at least so similar; others may be among them
    of: Callable[[str, str], float]


class Cluster(NamedTuple):
    """At least two memories, the strongest first."""

    memories: tuple[Memory, ...]
    cohesion: float  # [0, 1]
    bands: Bands


def clusters(memories: Sequence[Memory], nearness: Nearness, link: float | None = None) -> list[Cluster]:
    """The groups among memories of one place and class, the tightest first; what has no near neighbour is in none."""
    least = nearness.bands.link if link is None else link
    there = {memory.id: memory for memory in memories}
    leader = {key: key for key in there}

    def root(key: str) -> str:
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for one, other in nearness.pairs(least):
        same_place = (there[one].kind, there[one].project) == (there[other].kind, there[other].project)
        if same_place and nearness.of(one, other) >= least:
            leader[root(other)] = root(one)
    groups: dict[str, list[Memory]] = {}
    for memory in memories:
        groups.setdefault(root(memory.id), []).append(memory)
    all_clusters = [_cluster(group, nearness) for group in groups.values() if len(group) > 1]
    return sorted(all_clusters, key=lambda one: (-one.cohesion, one.memories[0].id))


def by_words(memories: Sequence[Memory]) -> Nearness:
    """Nearness as the overlap of content words (Jaccard).

    Pairs are looked for among those that share one of their rarest words: of two sets with an overlap of `least` each holds the share
    `least` of the other's words, so one of the rarer rest is common to both.
    """
    words = {memory.id: subject(memory.text) for memory in memories}
    holders: dict[str, list[str]] = {}
    for memory in memories:
        for word in words[memory.id]:
            holders.setdefault(word, []).append(memory.id)

    def pairs(least: float) -> Iterable[tuple[str, str]]:
        for memory in memories:
            own = sorted(words[memory.id], key=lambda word: (len(holders[word]), word))
            for word in own[: len(own) - int(len(own) * least) + 1]:
                yield from ((memory.id, other) for other in holders[word] if other > memory.id)

    return Nearness(BY_WORDS, pairs, lambda one, other: overlap(words[one], words[other]))


def _cluster(group: Sequence[Memory], nearness: Nearness) -> Cluster:
    pairs = [nearness.of(one.id, other.id) for one, other in combinations(group, 2)]
    ordered = tuple(sorted(group, key=lambda one: (-one.strength, one.id)))
    return Cluster(ordered, sum(pairs) / len(pairs), nearness.bands)


_LEAST_WORDS, _LEAST_SHARE = 2, 0.5  # of a memory's rare words, which must come back
_COMMON = 3  # a word in so many of the shown memories tells none of them apart


def echoed(shown: Sequence[Memory], texts: Iterable[str], asked: Iterable[str]) -> list[Memory]:
    """The memories whose telling words come back in `texts`, written after they were shown: being shown is not being used.

    Words of `asked`, the prompts, do not count: they are why the memory was shown.
    """
    said, prompted = ({word for text in every for word in content_words(text)} for every in (texts, asked))
    words = [set(content_words(memory.text)) for memory in shown]
    spread = Counter(word for own in words for word in own)
    repeated = []
    for memory, own in zip(shown, words, strict=True):
        rare = {one for one in own if spread[one] < _COMMON and (len(one) > 3 or not one.isascii() or one.isdigit())}
        if len(rare & said - prompted) >= max(_LEAST_WORDS, _LEAST_SHARE * len(rare)):
            repeated.append(memory)
    return repeated
