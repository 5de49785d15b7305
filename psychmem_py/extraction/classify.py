"""The class of a clause by its grammar (who states what about which subject), and its scope."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence

from psychmem_py.languages.matcher import Hit
from psychmem_py.model.records import Kind, Role

_STANDING = frozenset({"always", "forever", "complaint"})
_FOR_GOOD = _STANDING | {"remember", "note", "habit"}
_TASTE = frozenset({"prefer", "dislike"})
_ONLY_AGAIN = frozenset({"again", "universal", "important", "because", "same_as"})
_WISHED = frozenset({"want", "dont_want", "must", "should", "never"})
# "We write them in English here": whoever tells the agent how things are done binds it to do likewise.
_DEONTIC = frozenset({"must", "should", "ensure", "never", "ban", "same_as", "habit", *_STANDING})
# What says by itself that it holds, what is said of one thing, and what is said not to hold for long.
_LASTING = frozenset({"always", "forever", "remember", "habit", "never", "prefer", "dislike", "choice", "label"})
_OF_THE_MOMENT = frozenset({"should", "want", "correction", "milestone"})
_UNSURE = frozenset({"hedge", "temporary", "observation"})
# What rules a task far behind in it: "in the cart page …, list your plan, and go on when I agree".
_IN_FRONT, _FRONT, _DENSE = frozenset({"habit", "never", "choice"}), 60, frozenset({"ja", "ko", "zh"})
AGAIN = "again"  # the family of what was said before
OFTEN = "often"  # the phrase of such a hit, from the third conversation on
_BINDING = frozenset({"must", "ensure"})
_REASONED = frozenset({"choice", "label", "use_not", "note", "fact", "habit", "must", "should", "never", "always"})
_PATH = re.compile(r"[/\\]|\w\.[a-z]{1,5}$")


def families_of(signals: Sequence[Hit]) -> frozenset[str]:
    """The families that class a clause: "because" behind a statement is its reason, a taste behind a ban what to do instead."""
    names = frozenset(hit.name for hit in signals)
    if "never" in names and names & _TASTE:
        first = min(signals, key=lambda hit: hit.start if hit.name == "never" or hit.name in _TASTE else math.inf)
        names = names - _TASTE if first.name == "never" else names
    reason = min((hit.start for hit in signals if hit.name == "because"), default=None)
    if reason is None or "cause" not in names or any(hit.name == "cause" and hit.start < reason for hit in signals):
        return names
    stated = any(hit.name in _REASONED and hit.start < reason for hit in signals)
    return names - {"cause", "note"} | {"fact"} if stated else names


def outlasts_the_task(signals: Sequence[Hit], filters: Sequence[Hit], *, alone: bool) -> bool:
    """Whether a person's statement outlasts the task at hand: by its own words, as all of a message, or asked for thrice."""
    proposed = [hit.start for hit in signals if hit.name == "should"]
    early = [hit for hit in signals if hit.name not in _IN_FRONT or hit.start * (1 + (hit.language in _DENSE)) < _FRONT]
    names = {hit.name for hit in early if hit.name != "choice" or not any(hit.start <= at < hit.end for at in proposed)}
    by_repetition = bool(_BINDING & names) or any(hit.phrase == OFTEN for hit in signals)
    lasts = by_repetition if AGAIN in names else alone and bool(names - _ONLY_AGAIN) and not _OF_THE_MOMENT & names
    return (lasts or not _LASTING.isdisjoint(names)) and _UNSURE.isdisjoint(hit.name for hit in filters)


def kind_of(families: Collection[str], lexicon: Collection[str], role: Role) -> Kind:
    """The class of a clause with these families of evidence and these words in it: the first that holds of a table."""
    by_assistant = role is Role.ASSISTANT
    told = set(families) - (_STANDING if by_assistant else set())  # an assistant tells how things are, it makes no rules
    passing = _STANDING if by_assistant else _STANDING | _TASTE
    exchanged = {"milestone"} if "use_not" in told or "two_names" in lexicon else set()  # "we moved from A to B": B stands
    stated = (
        (told & {"cause", "fixed", "cause_present"} and not told & passing, Kind.BUGFIX),
        (told & {"choice", "label"} and not told & {"forever", "milestone"} - exchanged, Kind.DECISION),
        ("milestone" in told and not told & _WISHED, Kind.EPISODIC),
    )
    found = ((told & {"limit", "learned"}, Kind.LEARNING), ("use_not" in told, Kind.DECISION))
    further = found if by_assistant else _by_person(told, set(lexicon))
    return next((kind for holds, kind in (*stated, *further) if holds), Kind.SEMANTIC)


def _by_person(told: set[str], words: set[str]) -> Iterator[tuple[object, Kind]]:
    """What a person asks to be remembered, wants or demands, or plainly states, each with its class."""
    wished, rule = told & {"want", "dont_want"}, _rule(told, words)
    reminded = "remember" in told or ("note" in told and not wished)
    yield AGAIN in told and told <= _ONLY_AGAIN, Kind.PROCEDURAL  # what is asked for on every occasion is how the work is done
    yield told >= {"correction", "fact"} and "habit" not in told, Kind.SEMANTIC
    yield told & _TASTE, Kind.PREFERENCE
    # Who says what it shall be instead settles a question.
    yield told & {"correction", "use_not"} and told & {"should", "must"} and not told & _FOR_GOOD, Kind.DECISION
    yield "learned" in told and "note" not in told, Kind.LEARNING
    yield "limit" in told and not reminded and not told & _DEONTIC, Kind.LEARNING
    # What to remember: how something is done ("we release with X, never by hand"), what is never done, or a fact.
    yield reminded and "habit" in told and "complaint" not in told, Kind.PROCEDURAL
    yield reminded and told & {"never", "complaint", "ensure"}, rule
    yield reminded and told & {"forever", "always", "must", "habit"}, Kind.PROCEDURAL
    yield reminded, Kind.SEMANTIC
    # What a person does (not) want of the agent or in the code binds the work; of the product, it settles the product.
    if wished and not told & _STANDING:
        yield words & {"agent", "code"} and ("dont_want" in told or told & _DEONTIC), Kind.CONSTRAINT
        yield True, Kind.PREFERENCE if words & {"agent", "code"} else Kind.DECISION
    yield told & _DEONTIC, rule
    settled = "use_not" in told and not told & {"correction", "fact"}
    yield settled or (told >= {"use_not", "fact"} and "two_names" in words), Kind.DECISION  # "we use yarn, not npm"
    yield told >= {"fact", "because"}, Kind.DECISION  # what needs a reason was chosen


def _rule(families: set[str], words: set[str]) -> Kind:
    """A decision where it settles what one thing must be; a constraint where it is for the agent, all code or files, or vital."""
    must = families & {"must", "should"}
    binds = families & {"forever", "complaint", "habit", "important"} or "agent" in words
    binds = binds or (families & {"always", "never", "ban"} and not must)
    of_code = "code" in words and families & {"universal", "ensure", "always"}
    settles = ("product" in words and "code" not in words) or (must and not of_code)
    return Kind.DECISION if settles and not binds else Kind.CONSTRAINT


def claims_everywhere(cues: Sequence[Hit], names: Sequence[str] = (), kind: Kind = Kind.CONSTRAINT) -> bool:
    """Whether the words claim every project: "in all my projects" does, "everywhere" of what one prefers, but not "in src/"."""
    every = [hit for hit in cues if hit.name == "user"]  # "in all my projects" speaks of no project at hand
    said = {hit.name for hit in cues if hit in every or not any(one.start < hit.end and hit.start < one.end for one in every)}
    of_taste = "general" in said and kind is Kind.PREFERENCE and not any(map(_PATH.search, names))
    return "project" not in said and ("user" in said or of_taste)
