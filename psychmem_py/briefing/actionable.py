"""A rule as the tool calls that break it, read from its words; and how it is held to, in words for people."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache

from psychmem_py.errors import PatternError
from psychmem_py.guards.names import Names
from psychmem_py.guards.reading import rule
from psychmem_py.guards.trigger import Rule
from psychmem_py.guards.wording import waits_for
from psychmem_py.guards.words import Vocabulary
from psychmem_py.languages.files import SHIPPED, head
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.language import Language
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import RULES
from psychmem_py.store.standing_rules import GUARD
from psychmem_py.text.folding import fold


def actionable(key: str, text: str, language: str = "", paths: Sequence[str] = ()) -> Rule | None:
    """A rule's words as acts that break it; None where no tool call can. `paths` are the files of the work tree, from its top."""
    if not language:
        likely = languages_of(fold(text), languages())
        language = likely[0] if likely else "en"
    return rule(key, text, vocabulary(language), Names(paths).called if paths else None)


def held_to(memory: Memory) -> str:
    """How a memory is held to at tool calls, in words for people; "" for what is no rule or no act of a tool."""
    if memory.kind not in RULES:
        return ""
    actionable_rule = actionable(memory.id, memory.text, memory.language)
    if actionable_rule is None:
        return ""
    how = {"ask": "you are asked before", "off": "switched off; it would wait for"}.get(
        dict(memory.metadata).get(GUARD, ""), "the agent is reminded at"
    )
    return f"{how} {waits_for(actionable_rule)}"


NAME = "_acts.toml"
_SHARED = ("en", "any")


@cache
def tables() -> dict[str, dict[str, str]]:
    """Every language's words by its code. Raises PatternError for a file that cannot be read."""
    path = SHIPPED / NAME
    try:
        by_language: dict[str, dict[str, str]] = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as exc:
        raise PatternError(f"{path}: cannot be read as TOML: {exc}") from exc
    return by_language


@cache
def languages() -> tuple[Language, ...]:
    """The languages without their phrases: enough to tell which one a rule is in."""
    return tuple(head(path) for path in sorted(SHIPPED.glob("*.toml")) if not path.name.startswith("_"))


@cache
def vocabulary(code: str) -> Vocabulary:
    """The words for rules in a language, with English and what all share; English alone for one that the file does not have."""
    known = tables()
    codes = dict.fromkeys(one for one in (code, *_SHARED) if one in known)
    stop = {fold(word) for language in languages() if language.code in codes for word in language.function_words}
    return Vocabulary([known[one] for one in codes], stop)
