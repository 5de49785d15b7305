"""Whether a statement commands, whatever class it was given: who may not state a rule may not call one a fact either."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from psychmem_py.model.records import Candidate, Message
from psychmem_py.model.terms import RULES, Origin, Role
from psychmem_py.text.folding import fold

if TYPE_CHECKING:
    from psychmem_py.languages.matcher import Matcher

RULE = "reads as a rule, whatever it is called"
# What a person would be taken at for a rule; of these "must", "use_not" and "habit" also tell how things are: "the docs are built with".
_BINDING = frozenset({"always", "never", "must", "use_not", "habit"})
_COMMANDING = frozenset({"always", "never", "forever", "ensure", "complaint", "dont_want"})


@cache
def _shipped(kept: Path | None) -> Matcher:
    """The languages as shipped: what is let in must not depend on what a person changed in theirs. In the folder `kept` what was read
    of them may wait; what was read of a person's own is not taken for it, nor is anything written over that.
    """
    from psychmem_py.languages import files  # noqa: PLC0415  # 20 ms that an act without a statement does without

    return files.matcher(None, kept, keep=False)


def reads_as_rule(text: str, kept: Path | None = None) -> bool:
    """Whether the extraction would take `text` for a rule or a preference if a person had typed it."""
    return any(one.kind in RULES or not _BINDING.isdisjoint(_families(one)) for one in _heard(text, _shipped(kept)))


def commands(text: str, kept: Path | None = None) -> bool:
    """Whether `text` tells somebody what to do, always or never: milder than `reads_as_rule`, for an agent mostly tells how things are."""
    matcher = _shipped(kept)
    clauses = [_families(one) for one in _heard(text, matcher)]
    return any(not _COMMANDING.isdisjoint(families) or _binds_all(families) for families in clauses) or _requests(text, matcher)


def _binds_all(families: frozenset[str]) -> bool:
    return "universal" in families and not families.isdisjoint({"must", "should"})


def _heard(text: str, matcher: Matcher) -> list[Candidate]:
    from psychmem_py.extraction.sweep import sweep  # noqa: PLC0415  # as above

    message = Message(id="stated", role=Role.USER, origin=Origin.USER_PROMPT, text=text)
    return [verdict.candidate for verdict in sweep([message], matcher, faint=True)]


def _families(candidate: Candidate) -> frozenset[str]:
    return frozenset(signal.family for signal in candidate.signals)


def _requests(text: str, matcher: Matcher) -> bool:
    """Whether it opens with a verb that asks for something to be done: "push …", "füge …"."""
    from psychmem_py.languages.identify import languages_of  # noqa: PLC0415  # as above

    folded = fold(text.lstrip())
    known = matcher.languages
    codes = [code for code in languages_of(folded, tuple(known.values())) if known[code].boundary == "word"]
    hits = matcher.hits(folded, codes, "requests", lambda group, name: (group, name) == ("lexicon", "verb_request"))
    return any(hit.start == 0 for hit in hits)
