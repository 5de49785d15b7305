"""Holds the example sentences of language files against the matcher: what a contributor runs before a change goes in."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.matcher import Chooser, Hit, Language, Matcher
from psychmem_py.model.records import Message, Origin, Role
from psychmem_py.text.folding import fold

ListKey = tuple[str, str]
_NAME = re.compile(r"\{([^\s{}]+)\}")
_COUNTED = re.compile(r"_\d+$")  # a second list of the kind
# A sentence must match wherever it stands.
_LAYOUTS = ("{}", "- {}", "1. {}", "{} ")


class Problem(NamedTuple):
    language: str
    table: str  # "signals.constraint.never"
    sentence: str
    what: str

    def __str__(self) -> str:
        return f"{self.language}.toml [{self.table}] {self.what}: {self.sentence}"


def check(
    languages: Sequence[Language],
    neutral: Mapping[str, Sequence[str]] | None = None,
    step: Callable[[int], None] = lambda _done: None,
    *,
    names: Collection[str] = (),
) -> list[Problem]:
    """Everything wrong with these languages together; empty when all is well.

    Phrases must be readable, stand once in their family and match the example beside them; lists must be used and, where `names`
    are given, be called by one of them. Each `matches` sentence must hit its family in its own language, no `rejects` sentence
    its family in any language it may be taken for; nothing is kept of `neutral` sentences.
    `step` hears how many examples are done.
    """
    matcher = Matcher(languages)
    problems = [Problem("", "", problem, "cannot be read") for problem in matcher.check()]
    done = 0
    for language in languages:
        problems += _shape(language)
        problems += _lists(language, names)
        problems += _examples(language, matcher)
        problems += _matches(language, matcher)
        problems += _rejects(language, matcher)
        done += examples(language)
        step(done)
    return problems + list(_neutral(neutral or {}, matcher))


def examples(language: Language) -> int:
    """How many sentences a language file is tested against."""
    return sum(len(own.matches) + len(own.rejects) for own in language.families.values())


def phrases(language: Language) -> int:
    """How many phrases a language has, the words of its lexicon not counted."""
    return sum(len(own.phrases) for (group, _), own in language.families.items() if group != "lexicon")


def _shape(language: Language) -> Iterator[Problem]:
    for key, own in language.families.items():
        table = ".".join(key)
        for phrase in {phrase for phrase in own.phrases if own.phrases.count(phrase) > 1}:
            yield Problem(language.code, table, phrase, "stands twice")
        if key[0] != "lexicon" and not (own.matches and own.rejects):
            yield Problem(language.code, table, "", "needs a sentence in matches and one in rejects")


def _lists(language: Language, names: Collection[str]) -> Iterator[Problem]:
    """Lists nobody uses, and lists whose name does not tell what is in them."""
    used = set(_NAME.findall("\n".join(phrase for own in language.families.values() for phrase in own.phrases)))
    waiting = list(used)
    while waiting:
        inside = set(_NAME.findall("\n".join(language.words.get(waiting.pop(), ())))) - used
        used |= inside
        waiting += inside
    for name in language.words.keys() - used - {"tool_names", "code_names"}:  # shared; not every language needs them
        yield Problem(language.code, "words", name, "is used by no phrase; delete the list")
    for name in language.words:
        if names and _COUNTED.sub("", name) not in names:
            yield Problem(
                language.code, "words", name, "is no name of [list_names] in _shared.toml: take one, or say there what it means"
            )


def _examples(language: Language, matcher: Matcher) -> Iterator[Problem]:
    """A phrase must match the sentence beside it; one that stands alone, some sentence in `matches`."""
    for key, own in language.families.items():
        for phrase, sentence in own.examples:
            if phrase not in {hit.phrase for hit in _hits(key, sentence, [language.code], matcher)}:
                yield Problem(language.code, ".".join(key), sentence, f"does not match the phrase {phrase!r} beside it")
        bare = set(own.phrases) - {phrase for phrase, _ in own.examples}
        if key[0] == "lexicon" or not bare:
            continue
        shown = {hit.phrase for sentence in own.matches for hit in _hits(key, sentence, [language.code], matcher)}
        for phrase in sorted(bare - shown):
            yield Problem(language.code, ".".join(key), phrase, 'has no example; write ["phrase", "a sentence it must match"]')


def _matches(language: Language, matcher: Matcher) -> Iterator[Problem]:
    for key, own in language.families.items():
        for sentence in own.matches:
            for layout in _LAYOUTS:
                if not _hits(key, layout.format(sentence), [language.code], matcher):
                    yield Problem(language.code, ".".join(key), layout.format(sentence), "does not match")
                    break


def _rejects(language: Language, matcher: Matcher) -> Iterator[Problem]:
    for key, own in language.families.items():
        for sentence in own.rejects:
            folded = fold(masked(sentence))
            codes = {language.code, *languages_of(folded, tuple(matcher.languages.values()))}
            for hit in _hits(key, sentence, sorted(codes), matcher):
                yield Problem(language.code, ".".join(key), sentence, f"matches in {hit.language}, and must not")


def _hits(key: ListKey, sentence: str, codes: Sequence[str], matcher: Matcher) -> list[Hit]:
    return [hit for clause in _clauses(sentence) for hit in _of_family(key, clause, tuple(codes), matcher)]


@lru_cache(maxsize=64)  # a sentence is asked for by its phrase, its family, and in each of its places
def _clauses(sentence: str) -> list[str]:
    text = masked(sentence)
    return [fold(clause.text) for clause in clauses(text)] or [fold(text)]


@lru_cache(maxsize=4096)
def _of_family(key: ListKey, clause: str, codes: tuple[str, ...], matcher: Matcher) -> list[Hit]:
    return matcher.hits(clause, codes, ".".join(key), _family(key))


@lru_cache(maxsize=256)
def _family(key: ListKey) -> Chooser:
    """Asks for one family alone: the phrases of the others cost most of the time."""
    return lambda group, name: (group, name) == key


def _neutral(neutral: Mapping[str, Sequence[str]], matcher: Matcher) -> Iterator[Problem]:
    for code, sentences in neutral.items():
        for sentence in sentences:
            kept = [v for v in sweep([Message("", Role.USER, Origin.USER_PROMPT, sentence)], matcher) if v.is_kept]
            for verdict in kept:
                families = ", ".join(signal.family for signal in verdict.candidate.signals)
                yield Problem(code, "neutral", sentence, f"is kept ({families})")
