"""How statements relate: the same, a changed value, another matter, or opposite. Words only; who may replace whom is
`reconcile`'s. A wrong "changed" hides a valid memory, a wrong "other" shows two where one would do: in doubt, other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from posixpath import commonprefix
from typing import NamedTuple, TypeVar

from psychmem_py.memory import change_cues
from psychmem_py.memory.change_cues import ALWAYS, CIRCUMSTANCE, NEGATIVE, VALUE, is_from_now, is_negative, without_change
from psychmem_py.model.records import EVENTS, RULES, Candidate, Kind, Memory, Scope
from psychmem_py.model.settings import Reconcile
from psychmem_py.text.likeness import LINKED, READ_OUT, inflected, is_turned, overlap, shares_enough
from psychmem_py.text.tokenizer import content_words, index_form, normalised, stem, subject, words
from psychmem_py.words import word_list, word_set

_CUES = (["repeats"], ["takes_back"], ["no_longer", "ends_a_duty"], ["ends_a_ban"])
_REPEATS, *_ENDS = (re.compile("|".join(one for name in names for one in word_list(name))) for names in _CUES)
_REPEATED = 0.6  # of the fewer words of two statements
_HALF, _MORE, _MOST = 0.5, 0.6, 0.75  # of a rule's words, in a sentence that takes it back: outright, a ban, a duty
_ARTICLES, _LABEL, _NEVER = word_set("articles"), word_set("words_that_number"), word_set("never")
_GRAMMAR = frozenset(map(stem, change_cues.GRAMMAR))
_PLACES = frozenset(map(stem, word_set("places_one_is_in")))  # "in all my projects"

_Said = TypeVar("_Said", Memory, Candidate)
_CHOICES = RULES | {Kind.DECISION}  # what may say which of two things is taken
_NUMBER_WORDS = 2  # shared, for a number to be another value of the same thing: "Redis runs on 6380"
_VALUE_WORDS = 3  # a value is a word or a short name, "Google Cloud Run"
_about = lru_cache(1024)(subject)
# A thing with a name of several parts, or a letter: "server-a", "Plan B".
_NAME = re.compile(r"(?<![^\W_])[^\W_]{1,40}(?:[-_./][^\W_]{1,40}){1,8}|[^\W\d_]{2,40} [A-HJ-Z](?![\w'’])")
_SEPARATORS = re.compile(r"[-_./\s]")
# Words that tell what a statement is of: of 1,149 statements of others no two with so many in common are of two matters.
_TOLD = 3
_COMMON = 3  # a word in so many of the shown memories tells none of them apart


class Relation(StrEnum):
    SAME = "same"  # one statement: reinforce
    WIDER = "wider"  # the new text says what the known one says, and more: keep the new text
    CHANGED = "changed"  # same subject, another value
    OPPOSITE = "opposite"  # two rules that cannot both be followed, though neither names the other
    AGAIN = "again"  # all that the one tells is told by the other, among more: both stay, and it is said twice
    RELATED = "related"  # same subject, another statement: both stay and compete
    OTHER = "other"


class Comparison(NamedTuple):
    relation: Relation
    similarity: float
    cue: str = ""  # what decided: "polarity", "number", "value", "order", "change", "rivals"


def compared(new: str, known: str, kind: Kind, limits: Reconcile) -> Comparison:
    """What `new` is to `known`, both of class `kind`."""
    alike = overlap(_about(new), _about(known))
    if normalised(new) == normalised(known):
        return Comparison(Relation.SAME, 1.0)
    lasting = overlap(*(_about(" ".join(without_change(text))) for text in (new, known)))  # "jetzt" is no subject
    near, turned = max(alike, lasting) >= limits.related_threshold, alike == 1 and is_turned(new, known)
    of_statements = kind not in EVENTS and _of_statements(new, known, kind, alike, limits, near=near, turned=turned)
    if found := of_statements or _of_rivals(new, known, kind, alike):
        return found
    relation = Relation.RELATED if near else Relation.OTHER
    if alike >= limits.deduplication_threshold and not turned:
        relation = _overlap(new, known, kind, alike, limits)
    again = not turned and kind not in EVENTS and relation in (Relation.RELATED, Relation.OTHER) and tells_all(new, known)
    return Comparison(Relation.AGAIN if again else relation, alike)


def _of_statements(
    new: str, known: str, kind: Kind, alike: float, limits: Reconcile, *, near: bool, turned: bool
) -> Comparison | None:
    """The same in more or fewer words, another value, or the opposite, of two statements that are no events."""
    apart = not alike or turned or _of_other_names(new, known) or _turns_round(new, known)
    if not apart and (_said_within(new, known) or _said_within(known, new)):
        return Comparison(Relation.WIDER if len(_subject(new)) > len(_subject(known)) else Relation.SAME, alike)
    if cue := (_changed(new, known, kind, alike, limits) if near else "") or change_cues.why_replaced(new, known):
        return Comparison(Relation.CHANGED, alike, cue)
    least = 0.0 if kind in RULES else limits.deduplication_threshold
    return Comparison(Relation.OPPOSITE, alike, "polarity") if near and not turned and _contradicts(new, known, least) else None


def _of_rivals(new: str, known: str, kind: Kind, alike: float) -> Comparison | None:
    """A choice of which one is taken, in two statements that take different ones."""
    if not change_cues.clash(new, known):
        return None
    one, other = change_cues.placed(new), change_cues.placed(known)
    besides = change_cues.telling_stems(known) - change_cues.telling_stems(new)
    if one == other and kind not in EVENTS and _says_change(new, known) and len(besides) <= _VALUE_WORDS:
        return Comparison(Relation.CHANGED, alike, "rivals")
    is_choice = kind in _CHOICES and (not one or not other or one == other)  # not "tabs for Makefiles", "spaces for Python"
    return Comparison(Relation.OPPOSITE, alike, "rivals") if is_choice else None


def compared_across(one: Candidate | Memory, other: Memory, limits: Reconcile) -> Comparison:
    """What `one` is to `other`, maybe of another class: classes are guessed, and what a statement says it replaces is not."""
    new, known = one.text, other.text
    found = compared(new, known, one.kind if other.kind is Kind.DECISION and one.kind in RULES else other.kind, limits)
    if one.kind is other.kind or normalised(new) == normalised(known):
        return found
    changes = is_from_now(new) and not is_from_now(known) and one.kind not in EVENTS
    unsaid = found.relation is Relation.CHANGED and not (changes or change_cues.why_replaced(new, known))
    if unsaid or (one.kind in EVENTS and found.relation in (Relation.SAME, Relation.WIDER, Relation.AGAIN)):
        return found._replace(relation=Relation.RELATED if found.similarity >= limits.related_threshold else Relation.OTHER)
    return found


def _changed(new: str, known: str, kind: Kind, alike: float, limits: Reconcile) -> str:
    """The cue by which `new` gives `known` another value, "" for none; with one value exchanged, s of s + 1 words are alike."""
    known = change_cues.without_denial(known)  # "on port 5433, not 5432"
    one, other = (frozenset(map(stem, without_change(text))) & stems(text) for text in (new, known))
    replaces, says = change_cues.has_change_word(new) and not change_cues.has_change_word(known), _says_change(new, known)
    if says and _other_number(one, other):
        return "number"
    cue, shared = _one_value(new, known, says=says), len(one & other)
    rivals = kind in _CHOICES and change_cues.clash(new, known)
    if cue == "value" and kind in RULES and not rivals and not replaces:
        return ""  # rules add up: "run ruff before committing" and "run mypy before committing" are two
    enough = max(alike, shared / (shared + 1)) >= limits.deduplication_threshold
    return cue if enough or rivals or (says and shared) or (cue == "number" and shared) else ""


def _says_change(new: str, known: str) -> bool:
    """Whether `new` says of itself that it is new, and `known` does not."""
    return any(says(new) and not says(known) for says in (change_cues.has_change_word, is_from_now))


def _other_number(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two statements differ in one number, whatever the order of their words."""
    numbers = [sum(map(str.isdigit, words)) for words in (one - other, other - one)]
    return len(one & other) >= _NUMBER_WORDS and numbers == [1, 1] and len(one ^ other) <= 3 and not _LABEL & one


def _contradicts(new: str, known: str, least: float) -> bool:
    """Whether one forbids or denies what the other says (`least` of all words shared): both are shown, none is replaced."""
    a, b = _subject(new), _subject(known)
    alike = len((a & b) - _PLACES) > 1 and len(a & b) >= least * len(a | b) and (a <= b or b <= a)
    return alike and _opposed(new, known) and not change_cues.agree(new, known)


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
        # Each says something the other does not: rules are two; long descriptions one told twice, unless figures differ.
        twice = alike >= limits.duplicate_threshold and kind not in RULES and not any(map(str.isdigit, more | less))
        return Relation.SAME if twice else Relation.RELATED
    if (more or less) & change_cues.placed(new if more else known):  # it holds less often: "... on Fridays"
        return Relation.RELATED
    return Relation.WIDER if more else Relation.SAME


def _of_other_names(new: str, known: str) -> bool:
    """Whether each names a thing, in several parts, that the other does not: "server-a" and "server-b"."""
    one, other = (_SEPARATORS.sub("", text.lower()) for text in (new, known))
    names = ([_SEPARATORS.sub("", name.lower()) for name in _NAME.findall(text)] for text in (new, known))
    return all(any(name not in text for name in named) for named, text in zip(names, (other, one), strict=True))


def _one_value(new: str, known: str, *, says: bool) -> str:
    """ "number" or "value" where the two differ in one place, a value's; else "". If it `says` a change, a name may be there."""
    a, b = without_change(new), without_change(known)
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
        labelled = next((word for word in reversed(before) if not word.isdigit()), "")  # none before an address: 10.0.0.1
        return "" if not labelled or labelled in _LABEL or all(forbids) else "number"
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
    at = index_form(text).find(value[0])
    return at > 0 and (text[at : at + 1].isupper() or not text[0].isascii()) and value[0].isascii()


@lru_cache(1024)
def _subject(text: str) -> frozenset[str]:
    """What a statement is about, whether it asks for it or forbids it."""
    for sign in change_cues.NEGATIVE_SIGNS:  # of scripts without spaces
        text = text.replace(sign, " ")
    return frozenset(stem(word) for word in content_words(text) if word not in NEGATIVE and word not in ALWAYS)


def _said_within(new: str, known: str) -> bool:
    """Whether `new` says again what clauses of `known` say; what else is there are its reason and other things."""
    about, parts = change_cues.telling_stems(change_cues.without_now(new)), _clauses(known)
    again = [one for one in parts if change_cues.telling_stems(one) <= about]
    if len(about) < 2 or about != frozenset().union(*map(change_cues.telling_stems, again)):
        return False
    besides = [(one, at > parts.index(again[-1])) for at, one in enumerate(parts) if one not in again]
    apart = all(_of_something_else(one, about, is_behind) for one, is_behind in besides)
    return apart and not _opposed(new, ", ".join(again)) and not change_cues.clash(new, ", ".join(again))


def _of_something_else(clause: str, about: frozenset[str], is_behind: bool) -> bool:
    """Whether a clause is a rule or a remark of its own, and does not tell when another holds: "never on Fridays"."""
    (first, second, *_), of = (*words(clause), ""), _subject(clause)
    if first in ALWAYS | _NEVER:
        return second not in CIRCUMSTANCE | change_cues.GRAMMAR and len(of) > 1 and of.isdisjoint(about)
    told, narrows = change_cues.telling_stems(clause), first in CIRCUMSTANCE or change_cues.has_change_word(clause)
    return is_behind and len(told) > 2 and told.isdisjoint(about) and not narrows


def tells_all(new: str, known: str) -> bool:
    """Whether one tells all that the other does, among more, and changes nothing of it."""
    fewer, longer = sorted((new, known), key=lambda text: len(change_cues.telling_stems(text)))
    told, all_told = change_cues.telling_stems(fewer), change_cues.telling_stems(longer)
    missing = [one for one in told - all_told if len(one) <= _TOLD or not any(inflected(one, other) for other in all_told - told)]
    if missing or len(told) < _TOLD or len(told - all_told) > 1 or _of_other_names(new, known):
        return False
    numbers = {word for word in words(fewer) if any(map(str.isdigit, word))} - {*words(longer)}
    changes = numbers or _turns_round(new, known) or change_cues.clash(new, known) or _says_change(new, known)
    return not (changes or _opposed(fewer, ", ".join(one for one in _clauses(longer) if told & change_cues.telling_stems(one))))


def _turns_round(new: str, known: str) -> bool:
    """Whether the two things that one tells an exchange of stand the other way round in the other: "back to A, B is out"."""
    chosen = change_cues.exchange(known) or change_cues.exchange(new)
    (here, there), (a, b) = ([index_form(text).find(one) for one in chosen[:2]] if chosen else (0, 0) for text in (new, known))
    return min(here, there, a, b) >= 0 and (here - there) * (a - b) < 0


@lru_cache(1024)
def _clauses(text: str) -> tuple[str, ...]:
    """A statement clause by clause, without its reasons and "from now on"."""
    said = change_cues.REASONED.sub("", _REPEATS.sub(" ", change_cues.without_now(text)))
    return tuple(filter(words, change_cues.CLAUSE.split(said)))


def refers_back(said: str) -> bool:
    """Whether a sentence says that something was said before ("I told you"), or holds no more: what the next two look for."""
    form = index_form(said)
    return any(cue.search(form) for cue in (_REPEATS, *_ENDS))


def repeated(said: str, known: Iterable[_Said]) -> list[_Said]:
    """What a sentence says again by its own words: "I told you: …"; nothing of "forget what I told you about …"."""
    form = index_form(said)
    about = stems(_REPEATS.sub(" ", form)) if _REPEATS.search(form) and not _ENDS[0].search(form) else frozenset()
    return [
        one
        for one in known
        for part in _parts_about(one.text, about)
        if len(part & about) >= _REPEATED * min(len(part), len(about))
        if len(part & about) > _NUMBER_WORDS or is_negative(said) is is_negative(one.text)
    ]


def taken_back(said: str, rules: Sequence[Memory]) -> list[Memory]:
    """The rules a sentence takes back, outright ("forget the rule about …") or by ending what they ask or forbid; the nearest."""
    form, about, shares = index_form(said), stems(said), dict[Memory, float]()
    outright, no_duty, no_ban = (ends.search(form) for ends in _ENDS)
    of = [*filter(None, outright.groups()), *change_cues.CLAUSE.split(form[outright.end() :])] if outright else [""]
    subject = change_cues.telling_stems(of[0])
    named = [rule for rule in rules if subject and subject <= stems(rule.text)]  # of one word it must be the only one
    for rule in rules:
        ends, least = (no_ban and not is_negative(said), _MORE) if is_negative(rule.text) else (no_duty, _MOST)
        share = max((len(part & about) / len(part) for part in _parts_about(rule.text, about)), default=0.0)
        is_named = rule in named and len(subject) >= len(named)
        if is_named or (outright and share >= _HALF) or (ends and share >= least and rule.scope is Scope.PROJECT):
            shares[rule] = max(share, float(is_named))
    return [rule for rule, share in shares.items() if share == max(shares.values())]


def says_instead(said: str, known: str) -> bool:
    """Whether a sentence that ends a statement says in another part what holds instead: "we no longer use A, we use B"."""
    parts = (part for part in change_cues.CLAUSE.split(said) if not any(cue.search(index_form(part)) for cue in _ENDS))
    return any(stems(part) - stems(known) - _GRAMMAR for part in parts)


def _parts_about(text: str, about: frozenset[str]) -> list[frozenset[str]]:
    """The words of each clause of a statement that has two of these, or says nothing else."""
    parts = (_subject(clause) - _GRAMMAR for clause in _clauses(text))
    return [part for part in parts if len(part & about) > 1 or (part and part <= about)]


@lru_cache(1024)
def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))


class Cluster(NamedTuple):
    """At least two memories, the strongest first."""

    memories: tuple[Memory, ...]
    cohesion: float  # mean similarity of all pairs, [0, 1]


def clusters(memories: Sequence[Memory], least: float = LINKED) -> list[Cluster]:
    """The groups among memories of one place and class linked by pairs at least so alike (STM server), the tightest first."""
    words = {memory.id: subject(memory.text) for memory in memories}
    groups: list[list[Memory]] = []
    for memory in memories:
        place = memory.kind, memory.project
        near = [group for group in groups if place == (group[0].kind, group[0].project)]
        near = [group for group in near if any(overlap(words[memory.id], words[one.id]) >= least for one in group)]
        groups = [group for group in groups if group not in near]
        groups.append([memory, *(one for group in near for one in group)])
    found = list[Cluster]()
    for group in (group for group in groups if len(group) > 1):
        pairs = [overlap(words[one.id], words[other.id]) for one, other in combinations(group, 2)]
        found.append(Cluster(tuple(sorted(group, key=lambda one: (-one.strength, one.id))), sum(pairs) / len(pairs)))
    return sorted(found, key=lambda one: (-one.cohesion, one.memories[0].id))


def echoed(shown: Sequence[Memory], texts: Iterable[str], asked: Iterable[str]) -> list[Memory]:
    """The memories whose telling words come back in `texts`, written later, and stand in no prompt (`asked`) that called them."""
    said, prompted = ({word for text in every for word in content_words(text)} for every in (texts, asked))
    words = [set(content_words(memory.text)) for memory in shown]
    spread = Counter(word for own in words for word in own)
    telling = {one for one in spread if spread[one] < _COMMON and (len(one) > 3 or not one.isascii() or one.isdigit())}
    return [memory for memory, own in zip(shown, words, strict=True) if shares_enough(own & telling, said - prompted, READ_OUT)]
