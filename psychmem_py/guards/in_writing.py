"""Rules on how messages of commits, comments and the names of branches must be written."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.guards.acts import triggers
from psychmem_py.guards.manner import LETTERS, OWN, TICKETLESS, TYPELESS, is_ticket
from psychmem_py.guards.parts import FILE_ACTS, SentencePart
from psychmem_py.guards.trigger import Trigger
from psychmem_py.guards.words import RulePart

_COMMIT = Trigger(programs=("git",), verbs=("commit",))


def in_writing(words: Sequence[RulePart]) -> list[Trigger]:
    """The commits, edits and new branches that are not written as a sentence says."""
    keys = {key for word in words for key in word.keys}
    if keys & {"not", "if", "except", "after_next"}:
        return []
    is_of_commits = "commit" in keys or any("commit" in word.text for word in words)
    is_message = is_of_commits and ("message" in keys or not keys & {"remarks", "branches"})
    has_ticket = any("issue" in word.keys or is_ticket(word.text) for word in words)
    is_typed = any(word.thing and word.thing.text == TYPELESS for word in words)
    if is_typed or (is_message and has_ticket and "message" in keys):
        return [_COMMIT._replace(manner=TYPELESS if is_typed else TICKETLESS)]
    if "branches" in keys and not is_message:
        is_of_names = "work" not in keys and (FILE_ACTS | {"branch"}).issuperset(SentencePart(words).acts)
        heads = [f"{one.text.partition('/')[0]}/*" for word in words if (one := word.thing) and "/" in one.text]
        heads += ["*[a-z]-[0-9]*"] if has_ticket else []
        return [one._replace(lacks=tuple(heads)) for one in triggers("branch")] if heads and is_of_names else []
    named = [one.title() for one in (*LETTERS, *OWN) if one in keys]
    if len(named) != 1 or not (is_message or "remarks" in keys) or {"message", "remarks"} <= keys:
        return []
    if is_message:
        return [_COMMIT._replace(manner=f"any message not in {named[0]}")]
    return [Trigger(manner=f"any comment not in {named[0]}", outside=("*.md", "*.txt"))]
