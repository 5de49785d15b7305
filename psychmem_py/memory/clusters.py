"""Groups of memories that say nearly the same. Pure.

Single linkage: two belong together when a chain of pairs, each at least as similar as the threshold, leads from one to the other; 0.83 is
the STM server's. Cohesion is the mean similarity of all pairs of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from psychmem_py.model.records import Memory
from psychmem_py.text.tokenizer import overlap, subject

LINK = 0.83


class Cluster(NamedTuple):
    """At least two memories, the strongest first."""

    memories: tuple[Memory, ...]
    cohesion: float  # [0, 1]


def clusters(memories: Sequence[Memory], link: float = LINK) -> list[Cluster]:
    """The groups among memories of one place and class, the tightest first; what has no near neighbour is in none.

    Pairs are looked for among those that share one of their rarest words: of two sets with an overlap of `link` each shares more than
    half of its words with the other, so one of the rarer half is common to both.
    """
    words = {memory.id: subject(memory.text) for memory in memories}
    holders: dict[str, list[Memory]] = {}
    for memory in memories:
        for word in words[memory.id]:
            holders.setdefault(word, []).append(memory)
    leader = {memory.id: memory.id for memory in memories}

    def root(key: str) -> str:
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for memory in memories:
        own = sorted(words[memory.id], key=lambda word: (len(holders[word]), word))
        for word in own[: len(own) // 2 + 1]:
            for other in holders[word]:
                if other.id > memory.id and _same_place(memory, other) and overlap(words[memory.id], words[other.id]) >= link:
                    leader[root(other.id)] = root(memory.id)
    groups: dict[str, list[Memory]] = {}
    for memory in memories:
        groups.setdefault(root(memory.id), []).append(memory)
    all_clusters = [_cluster(group, words) for group in groups.values() if len(group) > 1]
    return sorted(all_clusters, key=lambda one: (-one.cohesion, one.memories[0].id))


def _same_place(one: Memory, other: Memory) -> bool:
    return (one.kind, one.project) == (other.kind, other.project)


def _cluster(group: Sequence[Memory], words: dict[str, frozenset[str]]) -> Cluster:
    pairs = [overlap(words[one.id], words[other.id]) for one, other in combinations(group, 2)]
    ordered = tuple(sorted(group, key=lambda one: (-one.strength, one.id)))
    return Cluster(ordered, sum(pairs) / len(pairs))
