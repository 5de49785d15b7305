"""Whether a stored sentence would be understood alone: what is cut off, dangles, or speaks of nothing it names waits. Pure.

Measured on real conversations: of what an assistant states without naming a file, a piece of code or a product, one in four touches
what a reader would keep; of what names one, two in three.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from psychmem_py.extraction.clauses import QUESTION_MARKS
from psychmem_py.extraction.weights import BOOSTER
from psychmem_py.model.records import Candidate
from psychmem_py.model.terms import Kind, Role

LONGEST_TEXT = 240  # signs of a memory: a brief's line is read at a glance
UNENDING_CHARS = 140  # a text of so many signs without an end was cut
FAULTS = frozenset(
    {"cut", "dangling", "long", "pointing", "unnamed", "aside", "pointer", "self", "item"}
)  # reasons that no proof heals
_PAIRS = ("()", "[]", "{}", "（）", "「」", "【】")
_SMILE_OR_NUMBER = re.compile(r"[:;=][-']?[()]|(?:^|(?<=[\s;,]))(?:[a-zA-Z]|\d{1,2})\)\s")
_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）")
_ENDS = ".!?。！？…؟।)]）」】\"'`»”’>|*~"
# A rule asked for ("why do you keep …?") has still to be worded as one.
_DANGLING = (":", "：", ",", "，", "、", ";", "-", "–", "—", "=", "(", "…", "...", *QUESTION_MARKS)


def fault(candidate: Candidate, words: Collection[str], *, leaning: bool = False) -> str:
    """Why a candidate would not be understood alone, "" where it would: "cut", "dangling", "long", "pointing" (its subject is "it" or
    "this") and, of an assistant's statements, "unnamed" and "aside" (all its evidence stands in brackets). A person's statement points
    only if it is `leaning`: neither its family nor the sentence before it makes up for the subject.

    `words` are the lexicon lists that some word of it is in; a tool's name is enough for a cause or a fix.
    """
    text = candidate.text.rstrip()
    by_assistant = candidate.role is Role.ASSISTANT
    pointing = {
        "cut": _is_cut(text),
        "dangling": text.endswith(_DANGLING) or candidate.quote.rstrip().endswith((":", "：")),
        "long": len(text) > LONGEST_TEXT,
        "pointing": "pronoun" in words if by_assistant else leaning,
        "unnamed": by_assistant and not candidate.names and not ("tool" in words and candidate.kind is Kind.BUGFIX),
    }
    reason = next((reason for reason, holds in pointing.items() if holds), "")
    return reason or ("aside" if by_assistant and _is_aside(candidate) else "")


def _is_aside(candidate: Candidate) -> bool:
    """Whether all that makes it worth keeping stands in brackets: "merged into A (sections it lacked)"."""
    strong = [one for one in candidate.signals if one.category and one.weight > BOOSTER]
    brackets = [match.span() for match in _BRACKETED.finditer(candidate.quote)] if strong else []
    return bool(brackets) and all(any(start <= one.start - candidate.start < end for start, end in brackets) for one in strong)


def weakness(candidate: Candidate, words: Collection[str], *, item: bool) -> str:
    """What speaks against an assistant's statement even where something bears it out, "" where nothing does: it points to the sentence
    before, tells what the assistant itself did, or is an item of a list and no cause.
    """
    if candidate.role is not Role.ASSISTANT:
        return ""
    in_list = item and candidate.kind is not Kind.BUGFIX
    return next((name for name in ("pointer", "self") if name in words), "item" if in_list else "")


def _is_cut(text: str) -> bool:
    """Whether something was opened and not closed or closed and not opened, or a long text just stops."""
    bare = _SMILE_OR_NUMBER.sub("", text)
    if any(bare.count(pair[0]) != bare.count(pair[1]) for pair in _PAIRS) or text.count("`") % 2:
        return True
    return (
        len(text) > UNENDING_CHARS
        and not text.endswith(tuple(_ENDS))
        and " " in text
        and text[-1].isalnum()
        and ". " in text  # who ends other sentences would have ended this one
    )
