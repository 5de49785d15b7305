"""Rules on how messages of commits, comments and the names of branches must be written."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from psychmem_py.guards.acts import triggers
from psychmem_py.guards.manner import LETTERS, OWN, TICKETLESS, TYPELESS, is_ticket
from psychmem_py.guards.parts import FILE_ACTS, SentencePart
from psychmem_py.guards.trigger import Trigger
from psychmem_py.guards.words import RulePart

_FEW_WORDS = 7  # a sentence of no more of them need not say that it is an order
_COMMIT = Trigger(programs=("git",), verbs=("commit",))


def in_writing(words: Sequence[RulePart]) -> list[Trigger]:
    """The commits, edits and new branches that are not written as a sentence says."""
    keys = {key for word in words for key in word.keys}
    if keys & {"not", "if", "except", "after_next"}:
        return []
    is_of_commits = "commit" in keys or any("commit" in word.text for word in words)
    is_message = is_of_commits and ("message" in keys or not keys & {"remarks", "branches"})
    named = [one.title() for one in (*LETTERS, *OWN) if one in keys]
    is_asked = bool(keys & {"use", "demand", "only", "always"}) or {"run", "with"} <= keys
    is_plain = keys.isdisjoint(("without_next", "without_prev", "skip", "delete", "may"))
    if is_plain and (ways := _named(words, keys, is_asked)):
        return ways
    if len(named) != 1 or not (is_message or "remarks" in keys) or {"message", "remarks"} <= keys:
        return []
    if is_message:
        return [_COMMIT._replace(manner=f"any message not in {named[0]}")]
    return [Trigger(manner=f"any comment not in {named[0]}", outside=("*.md", "*.txt"))]


def _named(words: Sequence[RulePart], keys: Collection[str], is_asked: bool) -> list[Trigger]:
    """The commits without what their messages must name, and the branches that are not called as they must be."""
    has_ticket = any("issue" in word.keys or is_ticket(word.text) for word in words)
    if any(word.thing and word.thing.text == TYPELESS for word in words) and (
        is_asked or "message" in keys or len(words) <= _FEW_WORDS
    ):
        return [_COMMIT._replace(manner=TYPELESS)]
    if "message" in keys and has_ticket and is_asked:
        return [_COMMIT._replace(manner=TICKETLESS)]
    is_of_names = "work" not in keys and (FILE_ACTS | {"branch"}).issuperset(SentencePart(words).acts)
    if "branches" in keys and "message" not in keys and is_asked and is_of_names:
        heads = [f"{one.text.partition('/')[0]}/*" for word in words if (one := word.thing) and "/" in one.text]
        heads += ["*[a-z]-[0-9]*"] if has_ticket else []
        return [one._replace(lacks=tuple(heads)) for one in triggers("branch")] if heads else []
    return []
