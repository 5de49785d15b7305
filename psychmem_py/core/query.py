"""What a person or a prompt asks for: weighted words, phrases in quotes, filters and the intent behind them. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from psychmem_py.core.model import Kind, Scope
from psychmem_py.core.text import phrase_terms, query_terms, search_terms

# Words about the asking itself. At a third of their weight: dropped they cost 1 point on chats where people recommend and like
# things, kept whole they cost 2 to 4 where questions are long (BEAM, MADial; R@10).
FRAME_WEIGHT = 0.33
FRAME = frozenset(
    search_terms(
        """mention mentioned mentions mentioning discuss discussed discussing discussion discussions talk talked
        talking conversation conversations chat chats bring brought list order sequence walk item items throughout
        across aspect aspects different various specific specifically particular only give summarize summary explain
        describe said say saying told tell ask asked asking many much long often several current currently previously
        earlier based regarding related ensure help need want sure make think thing things way ways idea ideas kind
        type suggest recommend recommendation advice like good best use used using get going feel really pattern
        patterns approach approaches convention conventions strategy rule rules setup handle handled handling instead
        doing happen happens happened project projects codebase code right correct proper proposed next"""
    ).split()
)

# The seven intents of a memory for specifications and the classes that answer them; a cue is mild, so its factor is too.
_INTENTS: tuple[tuple[str, str, frozenset[Kind]], ...] = (
    ("find_decision", "decide decided decision decisions chose choose chosen why rationale", frozenset({Kind.DECISION})),
    ("fix_bug", "bug error errors fix fails failing failed crash broken exception", frozenset({Kind.BUGFIX, Kind.LEARNING})),
    ("security_audit", "security vulnerability audit secret secrets permission", frozenset({Kind.CONSTRAINT})),
    ("refactor", "refactor restructure rename cleanup simplify", frozenset({Kind.CONSTRAINT, Kind.PREFERENCE, Kind.DECISION})),
    ("find_spec", "spec specification requirement requirements plan", frozenset({Kind.DECISION, Kind.SEMANTIC, Kind.OBJECTIVE})),
    ("add_feature", "add implement create build feature", frozenset({Kind.PROCEDURAL, Kind.CONSTRAINT, Kind.PREFERENCE})),
    ("understand", "explain understand how overview architecture", frozenset({Kind.SEMANTIC, Kind.LEARNING})),
)
INTENT_FACTOR = 1.05

_KINDS, _SCOPES = frozenset(map(str, Kind)), frozenset(map(str, Scope))
_FILTER = re.compile(r"(?<!\S)(class|scope|tag|after):(\S+)", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"\n]{2,200})"')
_TERMS = 64  # of a long prompt, the first; more touch rows without changing the first ten


class Query(NamedTuple):
    """One question, taken apart. Every term is lower-case and free of FTS syntax."""

    terms: tuple[tuple[str, float], ...]  # word, weight in (0, 1]
    phrases: tuple[str, ...] = ()  # words in order; all of them must be there
    kinds: frozenset[Kind] = frozenset()
    scope: Scope | None = None
    tags: frozenset[str] = frozenset()
    after: float | None = None  # UTC seconds
    intent: str = ""
    favoured: frozenset[Kind] = frozenset()


def parsed(text: str) -> Query:
    """`text` as a query. `class: scope: tag: after:` and "a phrase" must be met.

    A filter with an unknown value is plain words.
    """
    kinds: set[Kind] = set()
    tags: set[str] = set()
    scope: Scope | None = None
    after: float | None = None
    rest = text
    for found in _FILTER.finditer(text):
        name, value = found[1].lower(), found[2].lower()
        if name == "class" and value in _KINDS:
            kinds.add(Kind(value))
        elif name == "scope" and value in _SCOPES:
            scope = Scope(value)
        elif name == "tag":
            tags.add(value)
        elif name == "after" and (at := _day(value)) is not None:
            after = at
        else:
            continue
        rest = rest.replace(found[0], " ", 1)
    phrases = tuple(phrase for quoted in _QUOTED.findall(rest) if (phrase := phrase_terms(quoted)))
    terms = query_terms(rest)[:_TERMS]
    intent, favoured = _intent(frozenset(terms) | frozenset(rest.lower().split()))
    return Query(
        terms=tuple((term, FRAME_WEIGHT if term in FRAME else 1.0) for term in terms),
        phrases=phrases,
        kinds=frozenset(kinds),
        scope=scope,
        tags=frozenset(tags),
        after=after,
        intent=intent,
        favoured=favoured,
    )


def _intent(words: frozenset[str]) -> tuple[str, frozenset[Kind]]:
    return next(((name, kinds) for name, cues, kinds in _INTENTS if not words.isdisjoint(cues.split())), ("", frozenset()))


def _day(value: str) -> float | None:
    from datetime import UTC, datetime  # noqa: PLC0415 - 2 ms that only this filter needs

    try:
        return datetime.fromisoformat(value).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
