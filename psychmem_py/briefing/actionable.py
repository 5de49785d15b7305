"""A rule as the tool calls that break it, read from its words; and how it is held to, in words for people."""

from __future__ import annotations

from psychmem_py.briefing.act_words import languages, vocabulary
from psychmem_py.guards.reading import rule
from psychmem_py.guards.trigger import Rule
from psychmem_py.guards.wording import waits_for
from psychmem_py.languages.identify import languages_of
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import RULES
from psychmem_py.store.standing_rules import GUARD
from psychmem_py.text.folding import fold


def actionable(key: str, text: str, language: str = "") -> Rule | None:
    """A rule's words as acts that break it; None where no tool call can."""
    if not language:
        likely = languages_of(fold(text), languages())
        language = likely[0] if likely else "en"
    return rule(key, text, vocabulary(language))


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
