"""Holds the example sentences of language files against the matcher: what a contributor runs before a change goes in."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.matcher import Hit, Language, Matcher, languages_of
from psychmem_py.model.records import Message, Origin, Role
from psychmem_py.text.folding import fold

ListKey = tuple[str, str]
_NAME = re.compile(r"\{([^\s{}]+)\}")
_COUNTED = re.compile(r"_\d+$")  # a second list of the kind


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
    """Everything wrong with these languages together; empty when all is well. Lists must be used and, where `names` are given, be
    called by one of them; nothing may be kept of `neutral` sentences. `step` hears how many examples are done.
    """
    matcher = Matcher(languages)
    problems = [Problem("", "", problem, "cannot be read") for problem in matcher.check()]
    done = 0
    for language in languages:
        problems += [*_lists(language, names), *_families(language, matcher)]
        done += examples(language)
        step(done)
    for code, sentences in (neutral or {}).items():
        for sentence in sentences:
            found = sweep([Message("", Role.USER, Origin.USER_PROMPT, sentence)], matcher)
            kept = [", ".join(signal.family for signal in verdict.candidate.signals) for verdict in found if verdict.is_kept]
            problems += [Problem(code, "neutral", sentence, f"is kept ({families})") for families in kept]
    return problems


def examples(language: Language) -> int:
    """How many sentences a language file is tested against."""
    return sum(len(own.matches) + len(own.rejects) for own in language.families.values())


def phrases(language: Language) -> int:
    """How many phrases a language has, the words of its lexicon not counted."""
    return sum(len(own.phrases) for (group, _), own in language.families.items() if group != "lexicon")


def _lists(language: Language, names: Collection[str]) -> Iterator[Problem]:
    """Lists nobody uses, and lists whose name does not tell what is in them."""
    phrases = (phrase for own in language.families.values() for phrase in own.phrases)
    used = set(_NAME.findall("\n".join((*phrases, *(entry for entries in language.words.values() for entry in entries)))))
    for name in language.words.keys() - used - {"tool_names", "code_names"}:  # shared; not every language needs them
        yield Problem(language.code, "words", name, "is used by no phrase; delete the list")
    unnamed = "is no name of [list_names] in _shared.toml: take one, or say there what it means"
    for name in language.words if names else ():
        if _COUNTED.sub("", name) not in names:
            yield Problem(language.code, "words", name, unnamed)


def _families(language: Language, matcher: Matcher) -> Iterator[Problem]:
    """Phrases that stand twice, or match no example; `matches` that their language does not find, `rejects` that any finds."""
    for key, own in language.families.items():
        wrong = partial(Problem, language.code, ".".join(key))
        for phrase in {phrase for phrase in own.phrases if own.phrases.count(phrase) > 1}:
            yield wrong(phrase, "stands twice")
        for phrase, sentence in own.examples:
            if phrase not in {hit.phrase for hit in _hits(key, sentence, (language.code,), matcher)}:
                yield wrong(sentence, f"does not match the phrase {phrase!r} beside it")
        shown = set[str]()
        for sentence in own.matches:
            hits = _hits(key, sentence, (language.code,), matcher)
            shown.update(hit.phrase for hit in hits)
            if not hits:
                yield wrong(sentence, "does not match")
        if key[0] != "lexicon":
            for phrase in sorted(set(own.phrases) - {phrase for phrase, _ in own.examples} - shown):
                yield wrong(phrase, 'has no example; write ["phrase", "a sentence it must match"]')
            if not (own.matches and own.rejects):
                yield wrong("", "needs a sentence in matches and one in rejects")
        for sentence in own.rejects:
            codes = {language.code, *languages_of(fold(masked(sentence)), tuple(matcher.languages.values()))}
            for hit in _hits(key, sentence, tuple(sorted(codes)), matcher):
                yield wrong(sentence, f"matches in {hit.language}, and must not")


@lru_cache(maxsize=4096)  # a sentence is asked for by its phrase, its family, and in each of its places
def _hits(key: ListKey, sentence: str, codes: tuple[str, ...], matcher: Matcher) -> list[Hit]:
    """What one family finds: the phrases of the others cost most of the time."""
    text = masked(sentence)
    every = [clause.text for clause in clauses(text)] or [text]
    return [hit for one in every for hit in matcher.hits(fold(one), codes, ".".join(key), lambda *asked: asked == key)]
