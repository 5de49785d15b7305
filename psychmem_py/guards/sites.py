"""Where a rule says that something is done, "in tools/x", "only in src/", "anywhere but scripts/", and its words without that."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from psychmem_py.guards.naming import with_folders
from psychmem_py.guards.parts import FILE_ACTS, OF_FILES, SentencePart
from psychmem_py.guards.trigger import Trigger
from psychmem_py.guards.words import RulePart, Thing
from psychmem_py.model.light_record import NamedTuple

_LIMITS = ("except", "after_next", "only")  # before "in": what is meant is done elsewhere
_ORDERS = ("before_next", "before_prev", "without_next", "only_after", "then_next")


class Site(NamedTuple):
    """The folders in one of which an act is meant, and those in which it is not."""

    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    def of(self, act: Trigger) -> Trigger:
        return act._replace(inside=(*act.inside, *self.inside), outside=(*act.outside, *self.outside))


class _Phrase(NamedTuple):
    start: int
    end: int
    paths: tuple[str, ...]
    is_outside: bool


def split_site(words: list[RulePart]) -> tuple[list[RulePart], Site]:
    """A sentence without its places, and the places; no words if it names several."""
    known = with_folders(words)
    whole = SentencePart(known)
    acts = {*whole.acts} if whole.has("run") else {*whole.acts} - {"test"}  # "tests only in tests/" says where they stand
    is_command = (acts - OF_FILES or whole.has("run") or _names_command(whole)) and not (acts & OF_FILES or whole.has(*_ORDERS))
    is_act = is_command or acts or whole.has("work")
    limits = is_act and not whole.has("not") and any("only" in word.keys for word in known)
    found = [one for one in _phrases(known) if one.is_outside or limits or (is_command and _is_of_all(known, one))]
    if not found or sum(not one.is_outside for one in found) > 1:
        return ([] if found else words), Site()
    inside = tuple(path for one in found if not (one.is_outside or limits) for path in one.paths)
    outside = tuple(path for one in found if one.is_outside or limits for path in one.paths)
    left = [word for at, word in enumerate(known) if not any(one.start <= at < one.end for one in found)]
    if limits:
        left = [RulePart(frozenset({"not"})), *(word for word in left if "only" not in word.keys)]
        left += [RulePart(frozenset({"edit"}))] if whole.has("work") and not (is_command or acts) else []
    part = SentencePart(left)
    if outside and part.has(*FILE_ACTS) and not part.named("path", "code", "construct", "library"):
        left.append(RulePart(thing=Thing("path", "*")))
    return left, Site(inside, outside)


def _is_of_all(words: Sequence[RulePart], phrase: _Phrase) -> bool:
    """Whether a place is a folder and limits what is forbidden: at the sentence's start, or in its only or a forbidding part."""
    parts = [-1, *(at for at, word in enumerate(words) if word.ends), len(words)]
    own = next(SentencePart(words[start + 1 : end]) for start, end in pairwise(parts) if start < phrase.start < end)
    return phrase.paths[0].endswith("/") and (phrase.start == 0 or len(parts) == 2 or own.has("not"))


def _names_command(whole: SentencePart) -> bool:
    kinds = ("tool", "ordinary") if whole.has("run") else ("tool",)
    return any(one.kind in kinds or (one.kind == "code" and " " in one.text) for one in whole.things)


def _phrases(words: Sequence[RulePart]) -> list[_Phrase]:
    found: list[_Phrase] = []
    end = 0
    for at, word in enumerate(words):
        if at < end or not _is_folder(word):
            continue
        end = at + 1
        while end + 1 < len(words) and (words[end].text == "," or "or" in words[end].keys) and _is_folder(words[end + 1]):
            end += 2
        named = [path for one in words[at:end] if one.thing for path in one.thing.text.split("|")]
        paths = tuple(path if "." in path.rpartition("/")[2] or path[-1] == "/" else f"{path}/" for path in named)
        before, behind = _beside(words, at, -1), _beside(words, end - 1, 1)
        first, last = _beside(words, before, -1), _beside(words, behind, 1)
        if _has(words, before, "except", "inside_next"):
            first = first if _has(words, before, "inside_next") and _has(words, first, *_LIMITS) else before
            until = end + len(list(takewhile(lambda one: "folder" in one.keys, words[end:])))
            found.append(_Phrase(first, until, paths, _has(words, first, *_LIMITS)))
        elif _has(words, behind, "inside_prev", "outside_prev"):
            last = last if _has(words, last, "only", "outside_prev") else behind
            found.append(_Phrase(at, last + 1, paths, _has(words, last, "only", "outside_prev")))
    return found


def _is_folder(word: RulePart) -> bool:
    return bool(word.thing and word.thing.kind in ("path", "pair") and "*" not in word.thing.text)


def _beside(words: Sequence[RulePart], at: int, step: int) -> int:
    """Where the next word stands that says something."""
    at += step
    while 0 <= at < len(words) and (
        words[at].keys and words[at].keys <= {"soft", "folder", "whole", "files", "anything", "branches"}
    ):
        at += step
    return at


def _has(words: Sequence[RulePart], at: int, *keys: str) -> bool:
    return 0 <= at < len(words) and not words[at].keys.isdisjoint(keys)
