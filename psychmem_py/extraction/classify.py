"""The class of a clause by its grammar (who states what about which subject), whether it tells steps, and its scope."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence

from psychmem_py.extraction.clauses import letters_said
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.records import Kind, Role
from psychmem_py.text.tokenizer import index_form, words
from psychmem_py.words import known, listed

_STANDING = frozenset({"always", "forever", "complaint"})
_FOR_GOOD = _STANDING | {"remember", "note", "habit"}
_TASTE = frozenset({"prefer", "dislike"})
_ONLY_AGAIN = frozenset({"again", "universal", "important", "because", "same_as"})
_WISHED = frozenset({"want", "dont_want", "must", "should", "never"})
# "We write them in English here": whoever tells the agent how things are done binds it to do likewise.
_DEONTIC = frozenset({"must", "should", "ensure", "never", "ban", "same_as", "habit", *_STANDING})

_REASONED = frozenset({"choice", "label", "use_not", "note", "fact", "habit", "must", "should", "never", "always"})


def families_of(signals: Sequence[Hit]) -> frozenset[str]:
    """The families of the evidence by which a person's clause is classed: a cause behind "because" is the reason of what was stated
    before it ("in cents, because floats rounded wrongly"), and nothing that was mended; a taste behind a ban is what to do instead.
    """
    names = frozenset(hit.name for hit in signals)
    if "never" in names and names & _TASTE:
        first = min(signals, key=lambda hit: hit.start if hit.name == "never" or hit.name in _TASTE else math.inf)
        names = names - _TASTE if first.name == "never" else names
    reason = min((hit.start for hit in signals if hit.name == "because"), default=None)
    if reason is None or "cause" not in names or any(hit.name == "cause" and hit.start < reason for hit in signals):
        return names
    stated = any(hit.name in _REASONED and hit.start < reason for hit in signals)
    return names - {"cause", "note"} | {"fact"} if stated else names


def kind_of(families: Collection[str], lexicon: Collection[str], role: Role) -> Kind:  # noqa: PLR0911
    """The class of a clause with these families of evidence and these words in it."""
    matched, words = set(families), set(lexicon)
    if role is Role.ASSISTANT:
        matched -= _STANDING  # "is from now on in its own package": an assistant tells how things are, it makes no rules
    if matched & {"cause", "fixed", "cause_present"} and not matched & (
        _STANDING if role is Role.ASSISTANT else _STANDING | _TASTE
    ):
        return Kind.BUGFIX
    if matched & {"choice", "label"} and not matched & {"forever", "milestone"}:
        return Kind.DECISION
    if "milestone" in matched and not matched & _WISHED:
        return Kind.EPISODIC
    if role is Role.ASSISTANT:
        return _stated(matched, words)
    if "again" in matched and matched <= _ONLY_AGAIN:
        return Kind.PROCEDURAL  # what is asked for on every occasion is how the work is done
    if matched >= {"correction", "fact"} and "habit" not in matched:
        return Kind.SEMANTIC
    if matched & {"prefer", "dislike"}:
        return Kind.PREFERENCE
    return _bound(matched, words)


def _bound(matched: set[str], words: set[str]) -> Kind:  # noqa: PLR0911
    """What a person asks to be remembered, wants or demands, or plainly states."""
    if matched & {"correction", "use_not"} and matched & {"should", "must"} and not matched & _FOR_GOOD:
        return Kind.DECISION  # who says what it shall be instead settles a question
    reminded = "remember" in matched or ("note" in matched and not matched & {"want", "dont_want"})
    if ("learned" in matched and "note" not in matched) or ("limit" in matched and not reminded and not matched & _DEONTIC):
        return Kind.LEARNING
    if reminded:
        return _remembered(matched, words)
    if matched & {"want", "dont_want"} and not matched & _STANDING:
        return _wish(matched, words)
    if matched & _DEONTIC:
        return _rule(matched, words)
    if ("use_not" in matched and not matched & {"correction", "fact"}) or matched >= {"fact", "because"}:
        return Kind.DECISION  # what needs a reason was chosen
    return Kind.SEMANTIC


def _stated(families: set[str], words: set[str]) -> Kind:
    """What an assistant may state beyond causes, choices and milestones."""
    if families & {"limit", "learned"}:
        return Kind.LEARNING
    return Kind.DECISION if "use_not" in families else Kind.SEMANTIC


def _remembered(families: set[str], words: set[str]) -> Kind:
    """What to remember: how something is done, what is never done, or a fact. "We release with X, never by hand" tells how."""
    if "habit" in families and "complaint" not in families:
        return Kind.PROCEDURAL
    if families & {"never", "complaint", "ensure"}:
        return _rule(families, words)
    if families & {"forever", "always", "must", "habit"}:
        return Kind.PROCEDURAL
    return Kind.SEMANTIC


def _wish(families: set[str], words: set[str]) -> Kind:
    """What a person does (not) want of the agent or in the code binds the work; of the product, it settles the product."""
    if words & {"agent", "code"}:
        return Kind.CONSTRAINT if "dont_want" in families or families & _DEONTIC else Kind.PREFERENCE
    return Kind.DECISION


def _rule(families: set[str], words: set[str]) -> Kind:
    """What one thing must be settles it: a decision. A rule for the agent, for all code or files, or one told as vital, binds the work: a constraint."""
    if families & {"forever", "complaint", "habit", "important"} or "agent" in words:
        return Kind.CONSTRAINT
    if families & {"always", "never", "ban"} and not families & {"must", "should"}:
        return Kind.CONSTRAINT
    if "product" in words and "code" not in words:
        return Kind.DECISION
    if "code" in words and families & {"universal", "ensure", "always"}:
        return Kind.CONSTRAINT
    return Kind.DECISION if families & {"must", "should"} else Kind.CONSTRAINT


_PATH = re.compile(r"[/\\]|\w\.[a-z]{1,5}$")
_OF_PROJECTS_LETTERS = 12  # "in all my projects" claims every project whatever it names, "everywhere" does not


def claims_everywhere(cues: Sequence[Hit], folded: str, names: Sequence[str] = ()) -> bool:
    """Whether the words themselves claim every project; "everywhere in src/" claims none, nor does what says "in this project"."""
    claiming = [hit for hit in cues if hit.name == "user"]
    for hit in cues:  # "in my projects" is no word of this project where it stands in "in all my projects"
        if hit.name == "project" and not any(one.start < hit.end and hit.start < one.end for one in claiming):
            return False
    claims = [letters_said(folded[hit.start : hit.end]) for hit in claiming]
    return bool(claims) and (max(claims) >= _OF_PROJECTS_LETTERS or not any(map(_PATH.search, names)))


_ORDER = tuple((known(name), listed(f"{name}_signs")) for name in ("steps_first", "steps_next", "steps_last"))

_ARROWS = re.compile(r"\s(?:->|=>|→|⇒|➜)\s")
_NUMBERED = re.compile(r"(?:^|[\s(:;,])(?:1[.)]|①|１[.．])\s?\S.*[\s(;,.](?:2[.)]|②|２[.．])\s?\S")
_PAUSE = re.compile("[,:;，、：；،]")


def tells_steps(text: str) -> bool:
    """Whether steps are numbered, three of them joined by arrows, or told by words: of at least two of the three places and in their
    order, or with a "then" at the end of a series. One such word alone is only a word: "the first request", "if it fails, then".
    """
    if len(_ARROWS.findall(text)) > 1 or _NUMBERED.search(text):
        return True
    tokens, plain = words(text), index_form(text)
    indexes = [_index(tokens, plain, spaced, signs) for spaced, signs in _ORDER]
    in_text = [index for index in indexes if index is not None]
    return (len(in_text) > 1 and in_text == sorted(in_text)) or _ends_a_series(text)


def _ends_a_series(text: str) -> bool:
    """Whether a word of the next step opens a part behind two others: "to release: bump the version, then push"."""
    return any(
        (spoken := words(part)) and (spoken[0] in _ORDER[1][0] or index_form(part).lstrip().startswith(_ORDER[1][1]))
        for part in _PAUSE.split(text)[2:]
    )


def _index(tokens: list[str], plain: str, spaced: frozenset[str], signs: tuple[str, ...]) -> float | None:
    """Where the first such word stands, as a share of the text."""
    word = next((at / len(tokens) for at, word in enumerate(tokens) if word in spaced), None)
    sign = next((plain.index(sign) / len(plain) for sign in signs if sign in plain), None)
    return word if sign is None else sign
