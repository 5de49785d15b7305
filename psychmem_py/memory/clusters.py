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
    """The groups among memories of one place and class, the tightest first."""
    words = {memory.id: subject(memory.text) for memory in memories}
    groups: list[list[Memory]] = []
    for memory in memories:
        place = memory.kind, memory.project
        near = [
            group
            for group in groups
            if place == (group[0].kind, group[0].project)
            and any(overlap(words[memory.id], words[one.id]) >= least for one in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([memory, *(one for group in near for one in group)])
    found = list[Cluster]()
    for group in (group for group in groups if len(group) > 1):
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
