"""The words of `patterns/_acts.toml`: how each language calls the acts that rules are held to."""

from __future__ import annotations

import tomllib
from functools import cache

from psychmem_py.errors import PatternError
from psychmem_py.guards.vocabulary import Vocabulary
from psychmem_py.languages.files import SHIPPED, head
from psychmem_py.languages.language import Language
from psychmem_py.text.folding import fold

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
