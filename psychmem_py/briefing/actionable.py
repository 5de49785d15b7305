"""A rule as the tool calls that break it, read from its words; and how it is enforced, in words for people."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from psychmem_py.guards.acts import trigger_text
from psychmem_py.guards.call import Call, call_of, tool_name
from psychmem_py.guards.globs import glob_triggers
from psychmem_py.guards.plain import denies
from psychmem_py.guards.reading import rule
from psychmem_py.guards.trigger import Rule, Trigger, act, broken, files_named
from psychmem_py.guards.words import Names, Vocabulary
from psychmem_py.home.files import files_below
from psychmem_py.languages.files import SHIPPED, head, tables_of
from psychmem_py.languages.matcher import Language, languages_of
from psychmem_py.memory.change_cues import FROM_NOW
from psychmem_py.model.records import ENFORCED, Memory
from psychmem_py.store import calls
from psychmem_py.store.read_only import CALLS, GUARD, ON, REFUSED
from psychmem_py.text.folding import fold

_TOOL = re.compile(r"(?i)\b(\w+)[ -]tool\b|\btool[ -](\w+)")  # "the Grep tool" is no grep
NAME = "_acts.toml"
_SHARED = ("en", "any")


def actionable(key: str, text: str, language: str = "", paths: Sequence[str] | Names = ()) -> Rule | None:
    """A rule's words as acts that break it; None where no tool call can. `paths` are the files of the work tree, from its top."""
    names = paths if isinstance(paths, Names) else Names(paths)
    made = rule(key, FROM_NOW.sub(" ", text), vocabulary(language or _language(text)), names.called)
    return made and made._replace(triggers=tuple(one._replace(programs=_as_tools(one.programs, text)) for one in made.triggers))


def is_order(text: str) -> bool:
    """Whether a text says what a tool call can break, and does not only deny something: "the README has no screenshots"."""
    return actionable("", text) is not None and not denies(vocabulary(_language(text)).words(text))


def _language(text: str) -> str:
    return next(iter(languages_of(fold(text), languages())), "en")


def _as_tools(programs: Sequence[str], text: str) -> tuple[str, ...]:
    """The programs, those as a client's tools that a rule calls so alone: not in "use the Grep tool, never grep"."""
    called = {name.lower() for either in _TOOL.findall(text) for name in either}
    tools = {name for name in called.intersection(programs) if len(re.findall(rf"(?i)\b{re.escape(name)}\b", text)) == 1}
    return tuple(tool_name(name) if name in tools else name for name in programs)


def actionable_rules(memories: Sequence[Memory], root: str) -> list[Rule]:
    """The rules for calls in the work tree `root`: by the calls a person named or refused, else by their words and the reader."""
    names = Names(files_below(root) if root else ())
    return [rule for one in memories if (rule := with_calls(_own(one, names), one.id, calls_said(one)))]


def _own(memory: Memory, names: Names) -> Rule | None:
    """The calls that a person named or refused, else what the words say."""
    fields = dict(memory.metadata)
    glob = fields.get(ON) or fields.get(REFUSED)
    with suppress(ValueError):  # a glob that came from another machine may be none
        return Rule(memory.id, glob_triggers(glob)) if glob else actionable(memory.id, memory.text, memory.language, names)
    return None


def calls_said(memory: Memory) -> list[str]:
    """The reader's globs that count for a rule: none beside a person's word for its calls, none where they want to be asked."""
    fields = dict(memory.metadata)
    return [] if fields.get(ON) or fields.get(REFUSED) or fields.get(GUARD) == "ask" else fields.get(CALLS, "").splitlines()


def with_calls(own: Rule | None, key: str, globs: Sequence[str]) -> Rule | None:
    """The rule with the calls the reader names, in place of what its words say of commands, of files, or of what is written."""
    named = list[Trigger]()
    for glob in globs:
        with suppress(ValueError):
            named += glob_triggers(glob)
    if not named:
        return own
    sorts = set(map(_sort, named))
    rest = [one for one in own.triggers if _sort(one) not in sorts] if own else []
    return Rule(key, (*rest, *named), own.needs if own else ())


def _sort(act: Trigger) -> str:
    return "command" if act.programs or act.runs or act.words else "text" if act.text else "file"


def files_of(db: sqlite3.Connection, memory: Memory, root: str) -> list[str]:
    """The files that a rule is bound to, as globs: those its words say, else those that were edited right after it was said."""
    rules = actionable_rules([memory], root)
    if named := [path for rule in rules for path in files_named(rule)]:
        return [f"{path}**" if path.endswith("/") else path for path in named if not named.count(f"{path}/")]
    known = calls.rules_by_file(db, memory.project or "").items()
    return [path for path, ids in known if memory.id in ids and not (rules and "*" in path)]


def trigger_count(rule: Rule, events: Sequence[tuple[str, str, str, Sequence[str]]], root: str) -> int:
    """In how many sessions these calls would have triggered a rule (session, tool, command, paths; the oldest first)."""
    made: dict[str, list[Call]] = {}
    spoken = set()
    for session, tool, line, paths in events:
        given = {"command": line} if line else {"file_path": paths[0] if paths else ""}
        call, before = call_of(tool, given), made.setdefault(session, [])
        for _, at in broken([rule], call, root=root):
            earlier = [*before, call._replace(commands=call.commands[:at], edits=())]
            if not rule.needs or not any(act(need, one, root=root) >= 0 for need in rule.needs for one in earlier):
                spoken.add(session)
        before.append(call)
    return len(spoken)


def when_shown(memory: Memory, root: str = "") -> str:
    """How a memory is enforced at tool calls, in words for people; "" if it is no rule or no tool call can break it."""
    if memory.kind not in ENFORCED:
        return ""
    own = _own(memory, Names(files_below(root) if root else ()))
    if not (made := with_calls(own, memory.id, calls_said(memory))):
        return ""
    ways = {"ask": "you are asked before", "off": "switched off; it would be shown at"}
    how = ways.get(dict(memory.metadata).get(GUARD, ""), "the agent is reminded at")
    return f"{how} {trigger_text(made)}{'' if made == own else ', as the reader understood it'}"


@cache
def tables() -> dict[str, dict[str, str]]:
    """Every language's words by its code. Raises PatternError for a file that cannot be read."""
    return tables_of(SHIPPED / NAME)


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
