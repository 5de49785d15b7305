"""What a statement asserts: of whom, which relation, which value, or the opposite of it; and whether a new one leaves a known one
untrue. Words and tables only (`assertion_words`).

A wrong "replaces" hides a memory that still holds: what the tables do not know stays beside the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from psychmem_py.memory import assertion_words as table
from psychmem_py.memory import change_cues, clause_order
from psychmem_py.memory.compiled_words import NEGATIVE
from psychmem_py.memory.exchange import outdated
from psychmem_py.memory.polarity import tokens_of, turned_round
from psychmem_py.text.number_words import figure
from psychmem_py.text.tokenizer import index_form

_LENGTHS = (4, 3, 2, 1)  # words in which a relation may be told: "took a job at"
ONE_VALUE = table.RELATIONS.keys() - {"choice"}  # relations with one value at a time


class Assertion(NamedTuple):
    """One statement about a subject; words are folded, "me" is whoever speaks, "we" their project or team."""

    subject: frozenset[str]
    relation: str  # of `ONE_VALUE`; "choice" or "is"
    value: frozenset[str]
    former: frozenset[str]  # the value that it says stood before
    circumstance: frozenset[str]
    denied: bool
    announced: bool = False  # it says of itself that something changed
    named: bool = False  # the value is a name, as "Redis" and "S3" are


def replaced_by(new: str, known: str) -> str:
    """Why a known statement no longer holds once `new` does: "value", "ended", "opposite"; "" when both may hold."""
    for one in assertions(new):
        for other in assertions(known):
            cue = _cue(one, other)
            if cue:
                return cue
    if outdated(new, known):
        return "value"
    return "opposite" if turned_round(new, known) else ""


def says_the_same(new: str, known: str) -> bool:
    """Whether `new` asserts nothing but what `known` asserts too, in whatever words: "our queue is Redis", "we use Redis as the queue"."""
    return bool(new_values := said_values(new)) and new_values <= said_values(known)


def said_values(text: str) -> frozenset[str]:
    """Of whom which value is asserted or denied, as one string each; nothing where a clause cannot be read."""
    assertions_made = assertions(text)
    if not assertions_made or any(not one.subject or not one.value for one in assertions_made):
        return frozenset()
    return frozenset(
        " ".join((*sorted(one.subject), one.relation, "not" if one.denied else "", *sorted(one.value), *sorted(one.circumstance)))
        for one in assertions_made
    )


def kin_words(text: str) -> tuple[list[str], list[str]]:
    """Words of which a statement that `text` may replace has one of each: of its subject, and the verbs of its relation."""
    subjects: set[str] = set()
    verbs: set[str] = set()
    for one in assertions(text):
        subjects |= one.subject - {"me", "we"}
        if one.relation in ONE_VALUE and one.relation != "home":  # what moved may have been, met or run elsewhere
            verbs |= {phrase[0] for phrase, relation in relation_phrases().items() if relation == one.relation}
            verbs |= {noun for noun, relation in clause_order.RELATION_OF.items() if relation == one.relation}
        elif one.relation == "home" and not subjects:
            verbs |= {phrase[0] for phrase, relation in relation_phrases().items() if relation == "home"}
        elif one.relation == "is" and not subjects:  # of the speaker: only the other members of a group tell
            verbs |= {word for group in _EXCLUSIVE for word in group - one.value if one.value & group}
    return sorted(subjects), sorted(verbs)


def elsewhere(new: str, known: str) -> bool:
    """Whether two statements choose for different uses: "tabs for Makefiles", "spaces for Python"."""
    pairs = [(one, other) for one in assertions(new) for other in assertions(known) if one.relation == other.relation]
    return any(one.circumstance and other.circumstance and one.circumstance != other.circumstance for one, other in pairs)


@lru_cache(1024)
def assertions(text: str) -> tuple[Assertion, ...]:
    """What is asserted, clause by clause; a clause without a subject has that of the one before."""
    made: list[Assertion] = []
    for clause in clauses(text):
        one = assertion(clause, continued=bool(made))
        if one is None:
            continue
        if made and not one.subject:
            one = one._replace(subject=made[-1].subject)
        made.append(one)
    return tuple(made)


_PART = re.compile(rf"\s{{0,8}}(?:;|,?\s(?:{'|'.join(table.JOINS_STATEMENTS)})\s|\.\s|,\s(?=\w+\s))\s*", re.IGNORECASE)


def clauses(text: str) -> list[str]:
    return [part for part in _PART.split(text) if part.strip()]


_MARKS = frozenset((",", ";", "."))
_DENYING = NEGATIVE - table.CIRCUMSTANCES


def assertion(clause: str, *, continued: bool = False) -> Assertion | None:
    """What one clause asserts; one that is `continued` may begin with its verb, its subject stands before."""
    tokens = clause_order.in_order(tokens_of(clause))
    bare = [token for token in tokens if token not in _MARKS]
    denied = _denied(bare)
    stated = [token for token in _now(tokens) if token not in table.IN_PASSING and token not in _DENYING]
    span = _relation(stated, least=0 if continued else 1)
    if span is None:
        return None
    relation, start, end = span
    before, after = stated[:start], stated[end - 1 if stated[end - 1] == "from" else end :]
    value, circumstance = _value(after, split=relation in ("choice", "port", "host"))
    former = _former(tokens)
    if not value:
        return None
    former = former if value - former else frozenset()
    denied = denied and (not former or relation == "is")  # "use pnpm, not npm" denies nothing of pnpm
    value -= former
    as_what = _as_what(tokens) if relation == "choice" else frozenset()
    before, relation = (sorted(as_what), "is") if as_what else (before, relation)
    named = not value.isdisjoint(_names(clause))
    if relation == "employer" and end - start == 1 and not named:
        relation = stated[start]  # who joined a choir or left a club works where they did
    subject, relation, value = _by_attribute(_subject(before), relation, value)
    return Assertion(subject, relation, value, former, circumstance, denied, change_cues.tells_change(clause), named)


def _by_attribute(subject: frozenset[str], relation: str, value: frozenset[str]) -> tuple[frozenset[str], str, frozenset[str]]:
    """ "My boss is Omar" as what "I report to Omar" says: a noun that stands for a relation is that relation of whoever has it."""
    nouns = subject & clause_order.RELATION_OF.keys() if relation == "is" else frozenset()
    if len(nouns) != 1:
        return subject, relation, value
    (noun,) = nouns
    owner = subject - nouns - clause_order.EMPTY_OF_ATTRIBUTE
    return owner or frozenset({"me"}), clause_order.RELATION_OF[noun], value


def _as_what(tokens: Sequence[str]) -> frozenset[str]:
    """What a choice is for, where it says so at its end: "we use Kafka as our broker" says that the broker is Kafka."""
    index = next((index for index, token in enumerate(tokens) if token in table.WHAT_FOR), len(tokens))
    behind = [token for token in tokens[index + 1 :] if token not in _MARKS]
    classes = _value(behind, split=False)[0] - table.GROUP - table.IN_PASSING
    return classes if len(classes) <= 2 else frozenset()


def _names(clause: str) -> set[str]:
    """The folded words that are written as names are: with a capital behind the first word, or with figures among letters."""
    return {
        index_form(word).strip(",.;:")
        for word in clause.split()[1:]
        if any(char.isupper() for char in word) or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    }


def _now(tokens: Sequence[str]) -> list[str]:
    """The words without "used to", which only says when, and the "do" of "does not"."""
    return [
        token
        for index, token in enumerate(tokens)
        if not (token in ("do", "does", "did") and tokens[index + 1 : index + 2] == ["not"])
        and tuple(tokens[index : index + 2]) != ("used", "to")
        and tuple(tokens[max(0, index - 1) : index + 1]) != ("used", "to")
    ]


def _denied(tokens: Sequence[str]) -> bool:
    line = f" {' '.join(tokens)} "
    if any(f" {ended} " in line for ended in table.ENDED):
        return True
    return not NEGATIVE.isdisjoint(tokens) or bool(table.STOPPED & set(tokens))


@lru_cache(1)
def relation_phrases() -> dict[tuple[str, ...], str]:
    """Every phrase that names a relation, as words."""
    phrases: dict[tuple[str, ...], str] = {}
    for relation, listed in table.RELATIONS.items():
        for phrase in listed:
            first, *rest = phrase.split()
            for verb in first.split("|"):
                phrases.setdefault((verb, *rest), relation)
    return phrases


def _relation(tokens: Sequence[str], *, least: int) -> tuple[str, int, int] | None:
    """The relation, and where its words begin and end; the first and longest in the clause. A verb of one word stands behind `least`."""
    known = relation_phrases()
    if not least and len(tokens) > 1 and tokens[0] in table.VERBS_OF_MANY and not _is_noun(tokens, 0):
        phrased = any(tuple(tokens[:length]) in known for length in _LENGTHS)
        if not phrased:  # "and owns a collie named Rex"
            return bare(tokens[0]), 0, 1
    for start in range(len(tokens)):
        for length in _LENGTHS:
            words_ = tuple(tokens[start : start + length])
            if start and " ".join(words_) in table.BECAME:
                return "is", start, start + length
            if len(words_) == length and words_ in known and (length > 1 or start >= least or known[words_] == "choice"):
                return known[words_], start, start + length
    for start, token in enumerate(tokens):
        if start and token in table.FORMS_OF_BE and tokens[start + 1 : start + 2] not in (["allergic"],):
            return "is", start, start + 1
        if token in table.DETERMINERS and tokens[start + 1 : start + 2] != [] and tokens[start + 1] not in table.DETERMINERS:
            continue  # "a" is no verb in English, and one in "Anne a un chien"
        if token in table.VERBS_OF_MANY and start + 1 < len(tokens) and not _is_noun(tokens, start):
            return clause_order.SAME_VERB.get(token, bare(token)), start, start + 1
    return None


def _is_noun(tokens: Sequence[str], index: int) -> bool:
    """Whether a word that may be a verb is none here: "the build requires", "builds take", "our backend lead is", "code review needs"."""
    if index:
        behind = tokens[index + 1]
        return (
            tokens[index - 1] in table.DETERMINERS
            or behind in table.FORMS_OF_BE
            or (behind.endswith("s") and behind in table.VERBS_OF_MANY)
        )
    behind = tokens[1]
    return behind in table.FORMS_OF_BE or (behind not in table.DETERMINERS and _is_verb(behind))


def _value(tokens: Sequence[str], *, split: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the value, and those of the circumstances behind it."""
    kept: list[str] = []
    circumstance: list[str] = []
    inside = kept
    for index, word in enumerate(tokens):
        if (word in table.ENDS_OF_A_VALUE or word in _MARKS) and kept:
            break
        if word == "from":
            to = tokens.index("to", index) if "to" in tokens[index:] else 0
            if to:
                return _value(tokens[to + 1 :], split=split)
            break
        if word in table.CIRCUMSTANCES and kept:
            inside = circumstance
            continue
        inside.append(word)
    drop = table.WITHOUT_MEANING | table.SPEAKER | _MARKS
    value = frozenset(figure(token) for token in kept if token not in drop)
    rest = frozenset(bare(token) for token in circumstance if token not in drop)
    return value, rest if split or rest else frozenset()


def bare(token: str) -> str:
    """A word without the s of its plural or third person."""
    return token[:-1] if len(token) > 3 and token.isascii() and token.endswith("s") and not token.endswith("ss") else token


def _former(tokens: Sequence[str]) -> frozenset[str]:
    """The value that a clause turns down by name: "instead of npm", "from Berlin to Madrid"."""
    if "from" in tokens and "to" in tokens[tokens.index("from") :]:
        start = tokens.index("from")
        return _value(tokens[start + 1 : tokens.index("to", start)], split=False)[0]
    line = list(tokens)
    for phrase in table.INSTEAD_OF:
        marks = phrase.split()
        for index in range(1, len(line) - len(marks)):
            behind = line[index + len(marks)]
            if line[index : index + len(marks)] == marks and (len(marks) > 1 or line[index - 1] == ",") and not _is_verb(behind):
                return _value(line[index + len(marks) :], split=False)[0]
    return frozenset()


def _is_verb(word: str) -> bool:
    return word in table.VERBS_OF_MANY or word in _first_words()


@lru_cache(1)
def _first_words() -> frozenset[str]:
    return frozenset(phrase[0] for phrase in relation_phrases())


def _subject(tokens: Sequence[str]) -> frozenset[str]:
    words_of_subject = set()
    for token in tokens:
        if token in table.SPEAKER:
            words_of_subject.add("me")
        elif token in table.GROUP:
            words_of_subject.add("we")
        elif (
            token not in table.WITHOUT_MEANING
            and token not in table.ENDS_OF_A_VALUE
            and token not in _MARKS
            and token not in table.STOPPED
        ):
            words_of_subject.add(bare(token))
    return frozenset(words_of_subject - {"me", "we"} or words_of_subject)


def _cue(new: Assertion, known: Assertion) -> str:
    choice = new.relation == known.relation == "choice"
    moved = new.relation == "home" and known.relation in ("is", "time", "host")
    if not _same_subject(new, known, loose=choice) or (new.relation != known.relation and not moved):
        return ""
    if new.former & known.value and not known.denied and not new.value <= known.value:
        return "value"
    if new.denied != known.denied:
        alike = new.value <= known.value or known.value <= new.value
        return "ended" if alike and new.circumstance == known.circumstance and new.relation != "is" else ""
    return "" if new.denied or not _exclude(new, known) else "value"


def _exclude(new: Assertion, known: Assertion) -> bool:
    """Whether two assertions of one subject and relation cannot both hold."""
    one, other = new.value, known.value
    elsewhere = new.circumstance != known.circumstance
    if (
        one <= other
        or other <= one
        or not (_same_sort(one, other) or _of_one_group(one, other))
        or (elsewhere and new.circumstance and known.circumstance)
    ):
        return False
    if new.relation in ONE_VALUE and known.relation == new.relation:
        return True
    if elsewhere:
        return False
    if new.relation == "choice":
        stated = bool(new.circumstance) or new.announced
        return (
            _of_one_group(one, other) or _one_noun(one, other) or (stated and change_cues.clash(" ".join(one), " ".join(other)))
        )
    if new.relation in ("is", "home"):
        moved = new.relation == "home" and not known.value.isdisjoint(("in", "at", "on"))
        return (
            moved
            or _renamed(new, known)
            or not table.ATTRIBUTES.isdisjoint(new.subject)
            or _other_figure(one, other)
            or _of_one_group(one, other)
        )
    direction = one & other & table.DIRECTIONS  # "writes to GCS now"
    return _other_figure(one, other) or (bool(direction) and _renamed(new, known))


def _renamed(new: Assertion, known: Assertion) -> bool:
    """Whether a name stands where another stood, and the new statement says that this changed: "the broker is NATS now"."""
    return new.announced and new.named and known.named


def _same_subject(new: Assertion, known: Assertion, *, loose: bool) -> bool:
    if new.subject == known.subject:
        return True
    speakers = (frozenset({"me"}), frozenset({"we"}), frozenset[str]())
    return loose and new.subject in speakers and known.subject in speakers


def _figures(value: frozenset[str]) -> bool:
    return any(_FIGURE.match(word) for word in value)


_FIGURE = re.compile(r"[v#$€£]?\d")


_EXCLUSIVE = [frozenset(row) for row in (*table.DAYS_AND_MONTHS, *table.ONE_OF_EACH)]
_DAYS = frozenset(word for row in table.DAYS_AND_MONTHS for word in row)


def _same_sort(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two values are both figures, both days, or both neither: "at 9" and "at the office" do not exclude each other."""
    occasions = table.OCCASIONS.isdisjoint(one) == table.OCCASIONS.isdisjoint(other)
    return occasions and _figures(one) == _figures(other) and _DAYS.isdisjoint(one) == _DAYS.isdisjoint(other)


def _other_figure(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two values differ in a number only."""
    one, other = frozenset(map(bare, one)), frozenset(map(bare, other))  # one approval, two approvals
    differing = one ^ other
    return all(any(char.isdigit() for char in word) for word in differing) and bool(one - other) and bool(other - one)


def _of_one_group(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two values name different members of a group of which a thing has one."""
    return any(one & group and other & group and not one & other & group for group in _EXCLUSIVE)


def _one_noun(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two choices are of the same noun: "the dark theme", "the light theme"."""
    shared = one & other
    return (
        bool(shared) and len(one - shared) == len(other - shared) == 1 and any(not _figures(frozenset({word})) for word in shared)
    )
