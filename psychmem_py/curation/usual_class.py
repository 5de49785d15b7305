"""The class and scope of a statement entered without them, as the extractor would see it."""

from __future__ import annotations

from collections.abc import Callable

from psychmem_py.curation.act import Who
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory.polarity import is_own_taste
from psychmem_py.model.classes import kind_of
from psychmem_py.model.records import Message
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import Kind, Origin, Role, Scope
from psychmem_py.text.folding import fold


def class_and_scope(text: str, name: str, who: Who, settings: Settings, matcher: Callable[[], Matcher]) -> tuple[Kind, Scope]:
    """Class and scope as given, else as the extractor would see them, else an observation about this project."""
    role = Role.ASSISTANT if who.origin is Origin.ASSISTANT else Role.USER
    ways = (text, f"Remember that {text}") if role is Role.USER else (text,)  # as it stands, then as what it is
    judged = next((verdicts for way in ways if (verdicts := sweep([Message("", role, who.origin, way)], matcher()))), [])
    heard = judged[0].candidate.kind if judged else Kind.SEMANTIC
    own_taste = heard is Kind.SEMANTIC and role is Role.USER and is_own_taste(text)
    kind = kind_of(name) if name else Kind.PREFERENCE if own_taste else heard
    scope = judged[0].candidate.scope if judged and kind is judged[0].candidate.kind else settings.policy(kind).scope
    return kind, scope


def speaks_of_a_project(text: str, matcher: Matcher) -> bool:
    """Whether the words tie a statement to the project at hand: "in this repo"."""
    folded = fold(text)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    return any(hit.name == "project" for hit in matcher.hits(folded, codes, "scope", lambda group, _name: group == "scope"))
