"""How two statements relate: the same, a changed value, another matter, or opposite. Words only; who may replace whom is
`reconcile`'s. A wrong "changed" hides a valid memory, a wrong "other" shows two where one would do: in doubt, other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from posixpath import commonprefix
from typing import NamedTuple

from psychmem_py.memory import change_cues
from psychmem_py.memory.change_cues import ALWAYS, CIRCUMSTANCE, NEGATIVE, REASON, VALUE, is_from_now, is_negative, without_change
from psychmem_py.model.records import EVENTS, RULES, Candidate, Kind, Memory, Scope
from psychmem_py.model.settings import Reconcile
from psychmem_py.text.likeness import is_turned, overlap
from psychmem_py.text.tokenizer import content_words, index_form, normalised, stem, subject, words
from psychmem_py.words import word_list
from psychmem_py.words import word_set as words_of

_CUES = (["repeats"], ["takes_back"], ["no_longer", "ends_a_duty"], ["ends_a_ban"])
_REPEATS, *_ENDS = (re.compile("|".join(one for name in names for one in word_list(name))) for names in _CUES)
_HALF, _MOST = 0.5, 0.75  # of a rule's words, in a sentence that takes it back
_REPEATED = 0.6  # of the fewer words of two statements
_ARTICLES, _LABEL, _NEVER = words_of("articles"), words_of("words_that_number"), words_of("never")
_PLACES = frozenset(map(stem, words_of("places_one_is_in")))  # "in all my projects"


class Relation(StrEnum):
    SAME = "same"  # one statement: reinforce
    WIDER = "wider"  # the new text says what the known one says, and more: keep the new text
    CHANGED = "changed"  # same subject, another value
    OPPOSITE = "opposite"  # two rules that cannot both be followed, though neither names the other
    RELATED = "related"  # same subject, another statement: both stay and compete
    OTHER = "other"


class Comparison(NamedTuple):
    relation: Relation
    similarity: float
    cue: str = ""  # what decided: "polarity", "number", "value", "order", "change", "rivals"


_CHOICES = RULES | {Kind.DECISION}  # what may say which of two things is taken
_NUMBER_WORDS = 2  # shared, for a number to be another value of the same thing: "Redis runs on 6380"
_VALUE_WORDS = 3  # a value is a word or a short name, "Google Cloud Run"


def compared(new: str, known: str, kind: Kind, limits: Reconcile) -> Comparison:  # noqa: PLR0911 - a return for each table row
    """What `new` is to `known`, both of class `kind`."""
    if normalised(new) == normalised(known):
        return Comparison(Relation.SAME, 1.0)
    alike = overlap(_about(new), _about(known))
    near, event = alike >= limits.related_threshold, kind in EVENTS
    turned = not event and alike == 1 and is_turned(new, known)
    if not event and alike and not turned and (_said_within(new, known) or _said_within(known, new)):
        return Comparison(Relation.WIDER if len(_subject(new)) > len(_subject(known)) else Relation.SAME, alike)
    cue = _changed(new, known, kind, alike, limits) if near and not event else ""
    if cue := cue or ("" if event else change_cues.why_replaced(new, known)):
        return Comparison(Relation.CHANGED, alike, cue)
    if turned:
        return Comparison(Relation.RELATED, alike, "order")
    if near and not event and _contradicts(new, known, limits.deduplication_threshold):
        return Comparison(Relation.OPPOSITE, alike, "polarity")
    if near and alike >= limits.deduplication_threshold:
        return Comparison(_overlap(new, known, kind, alike, limits), alike)
    if kind in RULES:
        if forbids_what_is_asked(new, known) or (near and _contradicts(new, known, 0.0)):
            return Comparison(Relation.OPPOSITE, alike, "polarity")
        if _rival(new, known):
            return Comparison(Relation.OPPOSITE, alike, "rivals")
    return Comparison(Relation.RELATED if near else Relation.OTHER, alike)


def compared_across(one: Candidate | Memory, other: Memory, limits: Reconcile) -> Comparison:
    """What `one` is to `other`, maybe of another class: classes are guessed, and what a statement says it replaces is not."""
    new, known, kinds = one.text, other.text, (one.kind, other.kind)
    if one.kind is other.kind or normalised(new) == normalised(known):
        return compared(new, known, other.kind, limits)
    alike = overlap(_about(new), _about(known))
    cue = "" if other.kind in EVENTS else change_cues.why_replaced(new, known)
    if not cue and EVENTS.isdisjoint(kinds) and is_from_now(new) and not is_from_now(known):
        cue = _changed(new, known, other.kind, alike, limits)
    if cue:
        return Comparison(Relation.CHANGED, alike, cue)
    if forbids_what_is_asked(new, known):
        return Comparison(Relation.OPPOSITE, alike, "polarity")
    if set(kinds) <= _CHOICES and not RULES.isdisjoint(kinds) and _rival(new, known):
        return Comparison(Relation.OPPOSITE, alike, "rivals")
    return Comparison(Relation.RELATED if alike >= limits.related_threshold else Relation.OTHER, alike)


def _changed(new: str, known: str, kind: Kind, alike: float, limits: Reconcile) -> str:
    """The cue by which `new` gives `known` another value; "" for none. An exchanged value is one difference, not two: of s
    shared words, s / (s + 1) are alike.
    """
    one, other = (frozenset(map(stem, without_change(text))) & stems(text) for text in (new, known))
    shared = len(one & other)
    if _opposed(new, known):
        return ""
    if one == other and change_cues.clash(new, known):
        return "order"
    replaces = change_cues.has_change_word(new) and not change_cues.has_change_word(known)
    says = replaces or (is_from_now(new) and not is_from_now(known))
    cue = _one_value(new, known, says=says)
    rivals = cue == "value" and kind in _CHOICES and change_cues.clash(new, known)
    if cue == "value" and kind in RULES and not rivals and not replaces:
        return ""  # rules add up: "run ruff before committing" and "run mypy before committing" are two
    if not cue and says and _other_number(one, other):
        return "number"
    enough = alike >= limits.deduplication_threshold or shared / (shared + 1) >= limits.deduplication_threshold
    of_one = says and not one.isdisjoint(other - {stem(word) for word in VALUE | ALWAYS})
    return cue if enough or rivals or of_one or (cue == "number" and shared) else ""


def _other_number(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements differ in one number, whatever the order of their words."""
    numbers = [sum(map(str.isdigit, words)) for words in (one - other, other - one)]
    return len(one & other) >= _NUMBER_WORDS and numbers == [1, 1] and len(one ^ other) <= 3 and not _LABEL & one


def _contradicts(new: str, known: str, least: float) -> bool:
    """Whether one forbids or denies what the other says (`least` of all words shared): both are shown, none is replaced."""
    a, b = _subject(new), _subject(known)
    alike = len((a & b) - _PLACES) > 1 and len(a & b) >= least * len(a | b) and (a <= b or b <= a)
    return alike and _opposed(new, known)


def _rival(new: str, known: str) -> bool:
    """Whether two rules choose rival things, and not each for a use of its own: "tabs for Makefiles", "spaces for Python"."""
    if not change_cues.clash(new, known):
        return False
    uses = [{word for at, word in enumerate(said) if at and said[at - 1] in CIRCUMSTANCE} for said in map(words, (new, known))]
    return not (uses[0] and uses[1] and uses[0] != uses[1])


def _opposed(new: str, known: str) -> bool:
    one, other = (sum(word in NEGATIVE for word in words(text)) for text in (new, known))
    turned = one and other and (one - other) % 2 and _subject(new) == _subject(known)  # "push without review", "never push …"
    return is_negative(new) != is_negative(known) or bool(turned)


def _overlap(new: str, known: str, kind: Kind, alike: float, limits: Reconcile) -> Relation:
    """For two statements that share most words and clash in none."""
    more, less = stems(new) - stems(known), stems(known) - stems(new)
    if _opposed(new, known) or _of_other_names(new, known):
        return Relation.RELATED
    if more and less:
        # Each says something the other does not. Rules that differ in a noun are two rules; long descriptions are one told twice,
        # but not with different figures.
        figures = any(map(str.isdigit, more | less))
        twice = alike >= limits.duplicate_threshold and kind not in RULES and not figures
        return Relation.SAME if twice else Relation.RELATED
    if (more or less) and _narrows(new if more else known, more or less):
        return Relation.RELATED
    return Relation.WIDER if more else Relation.SAME


_NAME = re.compile(r"(?<![^\W_])[^\W_]{1,40}(?:[-_./][^\W_]{1,40}){1,8}")


def _of_other_names(new: str, known: str) -> bool:
    """Whether each names a thing, in several parts, that the other does not: "oh-my-posh", "posh-git"."""
    one, other = ({re.sub(r"[-_./]", "", name) for name in _NAME.findall(text.lower())} for text in (new, known))
    written = [re.sub(r"[-_./\s]", "", text.lower()) for text in (new, known)]
    return any(name not in written[1] for name in one) and any(name not in written[0] for name in other)


def _narrows(longer: str, extra: frozenset[str]) -> bool:
    """Whether the words one statement has more name a circumstance, so that it holds less often: "... on Fridays"."""
    every = change_cues.words_with_apostrophes(longer)
    for index, word in enumerate(every):
        if index and stem(word) in extra:
            before = [earlier for earlier in every[max(0, index - 3) : index] if earlier in CIRCUMSTANCE or earlier in REASON]
            if before:
                return before[0] in CIRCUMSTANCE and before[0] not in REASON
    return False


def _one_value(new: str, known: str, *, says: bool) -> str:
    """ "number" or "value" where the two differ in one place, a value's; else "". If it `says` a change, a name may be there."""
    a, b = without_change(new), without_change(known)
    if a[1:2] == b[1:2] != [] and not _ARTICLES.isdisjoint((a[0], b[0])):  # "the queue", "our queue"
        a, b = a[1:], b[1:]
    before = list(commonprefix((a, b)))
    one, other = a[len(before) :], b[len(before) :]
    end = len(commonprefix((one[::-1], other[::-1])))
    one, other = one[: len(one) - end], other[: len(other) - end]
    if not one or not other or not before:
        return ""
    joined = (rf"\b{re.escape(before[-1])}[_-]{re.escape(value)}\b" for value in (one[0], other[0]))
    if all(map(re.search, joined, (new.lower(), known.lower()))):
        before, one, other = before[:-1], [before[-1], *one], [before[-1], *other]  # of "orders_v2" all is the value
    if not before or max(len(one), len(other)) > _VALUE_WORDS or not VALUE.isdisjoint(one[1:-1] + other[1:-1]):
        return ""
    forbids = is_negative(new), is_negative(known)
    if all(map(str.isdigit, one + other)):
        labelled = next((word for word in reversed(before) if not word.isdigit()), "")
        return "" if labelled in _LABEL or all(forbids) else "number"
    if says and [len(one), len(other)] == [2, 2] and one[0].isdigit() and other[0].isdigit():  # "30 minutes", "12 hours"
        return "" if before[-1] in _LABEL else "number"
    # Prohibitions add up: never X, never Y. "A cache" and "the cache" are one.
    if any(forbids) or not CIRCUMSTANCE.isdisjoint(one + other) or _ARTICLES.issuperset(one + other):
        return ""
    named = says and _is_name(one, new) and _is_name(other, known)
    behind = before[-1] in VALUE or (before[-1] in _ARTICLES and len(before) > 1 and before[-2] in VALUE and end == 0)
    return "value" if named or behind else ""


def _is_name(value: list[str], text: str) -> bool:
    """Whether a value is written as a name: capitalised inside a sentence, or in Latin letters among those of another script."""
    at = text.lower().find(value[0])
    return at > 0 and (text[at].isupper() or not text[0].isascii()) and value[0].isascii()


@lru_cache(1024)
def _subject(text: str) -> frozenset[str]:
    """What a statement is about, whether it asks for it or forbids it."""
    for sign in change_cues.NEGATIVE_SIGNS:  # of scripts without spaces
        text = text.replace(sign, " ")
    return frozenset(stem(word) for word in content_words(text) if word not in NEGATIVE and word not in ALWAYS)


def _said_within(new: str, known: str) -> bool:
    """Whether `new` says again what one clause of `known` says; what else is there are its reason and rules of other things."""
    about, parts = _subject(change_cues.without_now(new)), _clauses(known)
    part = next((one for one in parts if _subject(one) == about), "")
    besides = [(words(one), _subject(one)) for one in parts if one is not part] if part else []
    placing = CIRCUMSTANCE | change_cues.GRAMMAR  # "never on Fridays" tells when another rule holds
    apart = (_act(said[:2]) and said[1] not in placing and len(of) > 1 and of.isdisjoint(about) for said, of in besides)
    return bool(part) and len(about) > 1 and all(apart) and not _opposed(new, part) and not change_cues.clash(new, part)


@lru_cache(1024)
def _clauses(text: str) -> tuple[str, ...]:
    """A statement clause by clause, without its reasons and "from now on"."""
    return tuple(filter(None, change_cues.CLAUSE.split(change_cues.REASONED.sub("", change_cues.without_now(text)))))


def refers_back(said: str) -> bool:
    """Whether a sentence says that something was said before ("I told you"), or holds no more: what the next two look for."""
    form = index_form(said)
    return any(cue.search(form) for cue in (_REPEATS, *_ENDS))


def taken_back(said: str, rules: Iterable[Memory]) -> list[Memory]:
    """The rules that a sentence takes back: it says so ("forget the rule about …") and has half the words of one of their
    clauses, or ends what they ask ("no need to …") or forbid ("you can … again") and has most; and no other rule has more.
    """
    form, about, shares = index_form(said), stems(said), dict[Memory, float]()
    outright, no_duty, no_ban = (bool(ends.search(form)) for ends in _ENDS)
    for rule in rules if outright or no_duty or no_ban else ():
        ends = (no_ban and not is_negative(said)) if is_negative(rule.text) else no_duty
        share = max((shared / whole for shared, whole in _shared(rule.text, about)), default=0.0)
        if (outright and share >= _HALF) or (ends and share >= _MOST and rule.scope is Scope.PROJECT):
            shares[rule] = share
    return [rule for rule, share in shares.items() if share == max(shares.values())]


def repeated(said: str, known: Sequence[str]) -> int:
    """Which of the known statements a sentence says again by its own words ("I told you …"); -1 for none, or one of two."""
    form = index_form(said)
    if not _REPEATS.search(form):
        return -1
    about = stems(_REPEATS.sub(" ", form))
    alike = {
        n: max((shared / min(whole, len(about)) for shared, whole in _shared(text, about)
                if shared > _NUMBER_WORDS or is_negative(said) is is_negative(text)), default=0.0)
        for n, text in enumerate(known)
    }  # fmt: skip
    best = [n for n, share in alike.items() if share >= _REPEATED and share == max(alike.values())]
    return best[0] if len(best) == 1 else -1


def _shared(text: str, about: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Of each clause of a statement that has two of these words: how many, and how many words it has."""
    parts = map(_subject, _clauses(text))
    return ((shared, len(part)) for part in parts if (shared := len(part & about)) > 1)


def forbids_what_is_asked(new: str, known: str) -> bool:
    """Whether one says "always" and the other "never" of the same act, one of them under a circumstance more."""
    one, other = change_cues.words_with_apostrophes(new), change_cues.words_with_apostrophes(known)
    heads = _act(one), _act(other)
    if None in heads or heads[0] == heads[1]:
        return False
    a, b = _subject(new), _subject(known)
    return bool(a) and bool(b) and heads[0][1] == heads[1][1] and (a <= b or b <= a)  # type: ignore[index]


def _act(every: list[str]) -> tuple[bool, str] | None:
    """Whether a rule asks always or forbids, and the act; None for "always run it", which does not say what."""
    at = next((at for at, word in enumerate(every[:-1]) if word in ALWAYS or word in _NEVER), None)
    return (
        None
        if at is None or change_cues.POINTING.intersection(every[at + 2 : at + 3])
        else (every[at] in ALWAYS, stem(every[at + 1]))
    )


_about = lru_cache(1024)(subject)


@lru_cache(1024)
def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))
