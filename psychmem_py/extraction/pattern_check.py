"""Holds the example sentences of language files against the matcher: what a contributor runs before a change goes in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.language import Language
from psychmem_py.languages.matcher import Choice, Matcher
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from psychmem_py.text.folding import fold

Key = tuple[str, str]
# A sentence must match wherever it stands.
_PLACES = ("{}", "- {}", "1. {}", "{} ")


class Problem(NamedTuple):
    language: str
    place: str  # "signals.constraint.never"
    sentence: str
    what: str

    def __str__(self) -> str:
        return f"{self.language}.toml [{self.place}] {self.what}: {self.sentence}"


def check(
    languages: Sequence[Language],
    neutral: Mapping[str, Sequence[str]] | None = None,
    step: Callable[[int], None] = lambda _done: None,
) -> list[Problem]:
    """Everything wrong with these languages together; empty when all is well.

    Phrases must be readable and stand once in their list; each `matches` sentence must hit its family in its own language; no
    `rejects` sentence may hit its family in any language it may be taken for; nothing is kept of `neutral` sentences.
    `step` hears how many examples are done.
    """
    matcher = Matcher(languages)
    found = [Problem("", "", problem, "cannot be read") for problem in matcher.check()]
    done = 0
    for language in languages:
        found += _shape(language)
        found += _matches(language, matcher)
        found += _rejects(language, matcher)
        done += examples(language)
        step(done)
    return found + list(_neutral(neutral or {}, matcher))


def examples(language: Language) -> int:
    """How many sentences a language file is tested against."""
    return sum(map(len, (*language.matches.values(), *language.rejects.values())))


def _shape(language: Language) -> Iterator[Problem]:
    for key, phrases in language.groups.items():
        place = ".".join(key)
        for phrase in {phrase for phrase in phrases if phrases.count(phrase) > 1}:
            yield Problem(language.code, place, phrase, "stands twice")
        if key[0] != "lexicon" and not (language.matches.get(key) and language.rejects.get(key)):
            yield Problem(language.code, place, "", "needs a sentence in matches and one in rejects")


def _matches(language: Language, matcher: Matcher) -> Iterator[Problem]:
    for key, sentences in language.matches.items():
        for sentence in sentences:
            for place in _PLACES:
                if not _hit(key, place.format(sentence), [language.code], matcher):
                    yield Problem(language.code, ".".join(key), place.format(sentence), "does not match")
                    break


def _rejects(language: Language, matcher: Matcher) -> Iterator[Problem]:
    for key, sentences in language.rejects.items():
        for sentence in sentences:
            folded = fold(masked(sentence).text)
            codes = {language.code, *languages_of(folded, tuple(matcher.languages.values()))}
            for code in _hit(key, sentence, sorted(codes), matcher):
                yield Problem(language.code, ".".join(key), sentence, f"matches in {code}, and must not")


def _hit(key: Key, sentence: str, codes: Iterable[str], matcher: Matcher) -> list[str]:
    """The languages in which `sentence` hits the family `key`."""
    text = masked(sentence).text
    cut = [fold(clause.text) for clause in clauses(text)] or [fold(text)]
    return [hit.language for clause in cut for hit in matcher.hits(clause, codes, ".".join(key), _family(key))]


@lru_cache(maxsize=256)
def _family(key: Key) -> Choice:
    """Asks for one family alone: the phrases of the others cost most of the time."""
    return lambda group, name: (group, name) == key


def _neutral(neutral: Mapping[str, Sequence[str]], matcher: Matcher) -> Iterator[Problem]:
    for code, sentences in neutral.items():
        for sentence in sentences:
            kept = [
                v
                for v in sweep([Message("", Role.USER, Origin.USER_PROMPT, sentence)], matcher)
                if v.gate is None and not v.waiting
            ]
            for verdict in kept:
                families = ", ".join(signal.family for signal in verdict.candidate.signals)
                yield Problem(code, "neutral", sentence, f"is kept ({families})")
