"""What shows that an assistant's statement holds, a later call or the person's word; and what a person really typed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from psychmem_py.agents.claude_memory import claude_folder, counts_as_typed
from psychmem_py.extraction.clauses import QUESTION_MARKS, clauses, letters_said
from psychmem_py.extraction.wording import names_in
from psychmem_py.ingestion.spans import messages_kept
from psychmem_py.languages.matcher import Matcher, languages_of
from psychmem_py.memory.compare import stems
from psychmem_py.model.records import HUMAN, Candidate, Kind, Message, Role, ToolUse, Verdict
from psychmem_py.model.tools import WRITING_TOOLS
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.store import sessions
from psychmem_py.text.folding import fold
from psychmem_py.text.likeness import ONE_CAUSE, shares_enough
from psychmem_py.text.tokenizer import normalised

NEAR_EDIT_S = 1800.0  # a cause stated this close to an edit, before or after, is the one that was fixed
ANSWERED_CHARS = 800  # of an answer's end: what a "yes" behind it answers
_YES_LETTERS = 60  # who writes more says something of his own
_TELLING_CHARS = 4  # a shorter name stands in too many paths and errors by chance
_ORDER = {Kind.BUGFIX: 1, Kind.LEARNING: 2, Kind.DECISION: 3, Kind.SEMANTIC: 3}


def tools_confirm(candidate: Candidate, uses: Sequence[ToolUse]) -> bool:
    """Whether tools confirm a finding: files changed close to the statement of a named cause, or a later call failed with it."""
    names = [name for name in map(_bare, candidate.names or names_in(candidate.text)) if len(name) >= _TELLING_CHARS]
    if not names or candidate.kind not in (Kind.BUGFIX, Kind.LEARNING):
        return False
    stated_at = candidate.at or 0.0
    is_cause = any(signal.family == "cause" for signal in candidate.signals)
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
    failed = (use for use in uses if not use.ok and use.at >= stated_at)
    mended = is_cause and any(_is_edit_near(use, stated_at) for use in uses)
    return mended or any(named.search(text) for use in failed for text in (use.error_line, use.command))


def _is_edit_near(use: ToolUse, stated_at: float) -> bool:
    return use.ok and use.tool.lower() in WRITING_TOOLS and abs(use.at - stated_at) <= NEAR_EDIT_S


def is_concluded(candidate: Candidate, uses: Iterable[ToolUse]) -> bool:
    """Whether a cause was stated just after files changed: a conclusion; stated before, it is a diagnosis."""
    stated_at = candidate.at or 0.0
    return candidate.kind is Kind.BUGFIX and any(use.at <= stated_at and _is_edit_near(use, stated_at) for use in uses)


def is_twin(one: str, other: str) -> bool:
    """Whether two texts tell one cause in different words: they share a name and, names apart, much of what the shorter says."""
    names, known = names_in(one), names_in(other)
    less, more = sorted((stems(text).difference(*map(stems, (*names, *known))) for text in (one, other)), key=len)
    return not set(names).isdisjoint(known) and shares_enough(less, more, ONE_CAUSE)


def _bare(name: str) -> str:
    """The name without the line and column behind a file's."""
    while (parts := name.rpartition(":"))[0] and parts[2].replace("-", "").isdigit():
        name = parts[0]
    return name.removeprefix("./")


def agreed_answers(messages: Sequence[Message], matcher: Matcher) -> list[str]:
    """The ends of those answers to which the person said yes in the very next message, in index form."""
    spoken, texts = "", list[str]()
    for message in messages:
        if message.role is Role.USER:
            answer = spoken or message.previous
            if answer and _agrees(message.text, answer, matcher):
                texts.append(normalised(answer)[-ANSWERED_CHARS:])
            spoken = ""
        elif message.role is Role.ASSISTANT:
            spoken = message.text
    return texts


def is_agreed(candidate: Candidate, answers: Iterable[str]) -> bool:
    """Whether the person said yes to an answer that ends in what the candidate states; a yes does not confirm a fact or event."""
    words, families = normalised(candidate.quote), {signal.family for signal in candidate.signals}
    told = candidate.kind in (Kind.SEMANTIC, Kind.EPISODIC) or ("fact" in families and families.isdisjoint(("choice", "label")))
    return bool(words) and not told and any(words in answer for answer in answers)


def rank(verdict: Verdict) -> tuple[bool, int, bool, float]:
    """Sort key of an assistant's statements: limits before causes and lessons, then what names things and tells its remedy."""
    candidate = verdict.candidate
    families = {signal.family for signal in candidate.signals}
    order = 0 if "limit" in families else _ORDER.get(candidate.kind, 4)
    return not (candidate.names or names_in(candidate.text)), order, not families >= {"cause", "fixed"}, -candidate.confidence


def _agrees(text: str, answer: str, matcher: Matcher) -> bool:
    """Whether `text` is a short yes to `answer`, in a language of either: "exactly, go ahead"; not "yes, but …", "really?"."""
    folded = fold(text.strip())
    if not folded or letters_said(folded) > _YES_LETTERS or any(mark in folded for mark in QUESTION_MARKS):
        return False
    known = tuple(matcher.languages.values())
    codes = dict.fromkeys((*languages_of(folded, known), *languages_of(fold(answer), known)))
    begins = [clause.start for clause in clauses(folded)[:1]]
    hits = matcher.hits(folded, codes, "agreement", lambda group, name: group == "lexicon" and name in ("agreement", "reserve"))
    reserved = any(hit.name == "reserve" for hit in hits)
    return not reserved and any(hit.name == "agreement" and hit.start <= begin for hit in hits for begin in begins)


def typed(db: sqlite3.Connection, agent: str, session: str, env: Mapping[str, str]) -> list[str]:
    """What the person typed in a conversation so far, oldest first; nothing when it cannot be found."""
    return [without_our_blocks(message.text) for message in _messages(db, agent, session, env) if _is_typed(message)]


def answer(db: sqlite3.Connection, agent: str, session: str, env: Mapping[str, str]) -> tuple[str, str]:
    """What the person typed last in a conversation, and what the agent had written since they typed before."""
    said = _messages(db, agent, session, env)
    places = [at for at, message in enumerate(said) if _is_typed(message)]
    before, last = [-1, -1, *places][-2:]
    return said[last].text if places else "", "\n".join(one.text for one in said[before + 1 : last] if places)


def _is_typed(message: Message) -> bool:
    return message.origin in HUMAN and not message.chosen


def _messages(db: sqlite3.Connection, agent: str, session: str, env: Mapping[str, str]) -> Sequence[Message]:
    known = sessions.session(db, session)
    paths = [known.transcript] if known and counts_as_typed(known.transcript, env) else []
    if session.replace("-", "").isalnum():
        paths += map(str, Path(claude_folder(env), "projects").glob(f"*/{session}.jsonl"))
    return messages_kept(agent, session, paths, env)
