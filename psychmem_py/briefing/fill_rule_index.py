"""Prepares the actionable rules of a directory for the hook before tool calls; done by the detached child."""

from __future__ import annotations

import sqlite3
from hashlib import sha256

from psychmem_py.agents.event import Request
from psychmem_py.briefing import rule_index
from psychmem_py.briefing.act_words import languages, vocabulary
from psychmem_py.guards.reading import rule
from psychmem_py.guards.trigger import Rule
from psychmem_py.guards.wording import waits_for
from psychmem_py.home.git import top_of
from psychmem_py.home.project import Project
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.languages.identify import languages_of
from psychmem_py.model.records import Memory
from psychmem_py.model.statuses import RECALLABLE
from psychmem_py.model.terms import RULES, Standing
from psychmem_py.store import rows
from psychmem_py.store.standing_rules import GUARD
from psychmem_py.text.folding import fold

MOST = 1000  # newest first: more rules than this nobody keeps
_LOOKS = 3


def fill(db: sqlite3.Connection, request: Request, here: Project | None, around: Surroundings) -> None:
    """Puts the rules for tool calls in the request's directory where the hook looks for them; nothing when they have not changed."""
    database = around.database_file(request.agent)
    top = top_of(request.cwd) if here and here.root else ""
    for _ in range(_LOOKS):  # again after writing: what another process wrote meanwhile may have been newer
        memories = rows.listed(
            db, project=here.id if here else None, statuses=RECALLABLE, kinds=RULES, standings=[Standing.SETTLED], limit=MOST
        )
        made_from = _sum([(one.id, one.text) for one in memories])
        if rule_index.made_from(database, request.cwd) == made_from:
            return
        rules = [made for one in memories if (made := actionable(one.id, one.text, one.language))]
        rule_index.write(database, request.cwd, rule_index.RuleIndex(rules, top), made_from)


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


def _sum(parts: list[tuple[str, str]]) -> str:
    return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:24]
