"""Memories by what they say: groups that say nearly the same, and those of a session that came back in its work. Pure.

Single linkage (STM server): two belong together when a chain of pairs, each at least as similar as the threshold, leads from one
to the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from psychmem_py.model.records import Memory
from psychmem_py.text.likeness import LINKED, READ_OUT, overlap, shares_enough
from psychmem_py.text.tokenizer import content_words, subject


class Cluster(NamedTuple):
    """At least two memories, the strongest first."""

    memories: tuple[Memory, ...]
    cohesion: float  # mean similarity of all pairs, [0, 1]


def clusters(memories: Sequence[Memory], least: float = LINKED) -> list[Cluster]:
    """The groups among memories of one place and class, the tightest first. Pairs are sought among those that share one of their
    rarest words: of two sets with an overlap of `least` each holds that share of the other's words.
    """
    words = {memory.id: subject(memory.text) for memory in memories}
    holders: dict[str, list[Memory]] = {}
    for memory in memories:
        for word in words[memory.id]:
            holders.setdefault(word, []).append(memory)
    leader = {key: key for key in words}

    def root(key: str) -> str:
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for memory in memories:
        own = sorted(words[memory.id], key=lambda word: (len(holders[word]), word))
        for other in (other for word in own[: len(own) - int(len(own) * least) + 1] for other in holders[word]):
            same_place = other.id > memory.id and (memory.kind, memory.project) == (other.kind, other.project)
            if same_place and overlap(words[memory.id], words[other.id]) >= least:
                leader[root(other.id)] = root(memory.id)
    groups: dict[str, list[Memory]] = {}
    for memory in memories:
        groups.setdefault(root(memory.id), []).append(memory)
    found = list[Cluster]()
    for group in (group for group in groups.values() if len(group) > 1):
        pairs = [overlap(words[one.id], words[other.id]) for one, other in combinations(group, 2)]
        found.append(Cluster(tuple(sorted(group, key=lambda one: (-one.strength, one.id))), sum(pairs) / len(pairs)))
    return sorted(found, key=lambda one: (-one.cohesion, one.memories[0].id))


_COMMON = 3  # a word in so many of the shown memories tells none of them apart


def echoed(shown: Sequence[Memory], texts: Iterable[str], asked: Iterable[str]) -> list[Memory]:
    """The memories whose telling words come back in `texts`, written after they were shown, and are in no prompt (`asked`), which
    is why they were shown.
    """
    said, prompted = ({word for text in every for word in content_words(text)} for every in (texts, asked))
    words = [set(content_words(memory.text)) for memory in shown]
    spread = Counter(word for own in words for word in own)
    repeated = []
    for memory, own in zip(shown, words, strict=True):
        rare = {one for one in own if spread[one] < _COMMON and (len(one) > 3 or not one.isascii() or one.isdigit())}
        if shares_enough(rare, said - prompted, READ_OUT):
            repeated.append(memory)
    return repeated
