"""Evidence that needs no language: how a clause is set and what stands around it. It raises or lowers, it never makes."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Sequence
from typing import NamedTuple

from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.gates import STANDING
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.weights import IMPORTANCE
from psychmem_py.languages.matcher import Hit
from psychmem_py.model.records import Signal
from psychmem_py.text.folding import late


class Neighbourhood(NamedTuple):
    """What stands around a message."""

    previous: str = ""  # the message before it
    earlier: tuple[str, ...] = ()  # the person's last messages, oldest first
    failed: bool = False  # a tool failed since the last stop


_LOUD = late(r"!!|\*\*[^*\n]+\*\*|__[^_\n]+__|\b(?=\p{Lu}*[AEIOUÁÉÍÓÚÄÖÜАЕИОУЫЯ])\p{Lu}{4,}\b")
_TRACE = late(
    r"(?m)^[ \t]{1,40}at [^\n]{1,300}:\d+|^Traceback |^[ \t]{1,40}File \".+\", line \d+|(?:Error|Exception)\b[^\n]{0,200}:"
)
SHORT_REPLY_CHARS, LONG_ANSWER_CHARS, REPLY_SHARE = 100, 500, 0.2
ELABORATE_CHARS, ELABORATE, USUAL = 200, 2.0, 3  # so long, and so many times the median of as many messages (true-mem)
REPEATED = 0.4  # share of common trigrams that makes a repetition (true-mem)
SHORT_LETTERS = 22
# Beside an error trace these are the words of the trace.
_DIAGNOSIS = frozenset({"cause", "cause_present", "because", "limit", "fixed", "fact"})
_FOUND = frozenset({"cause", "fixed", "learned"})
# Scripts in which a short clause says much, even around Latin names.
_DENSE = late(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Arabic}\p{Devanagari}]")
LEANING = 0.1  # a clause whose subject is "it" or "this" says little alone
NAMED, ORDINARY = 0.08, frozenset({"should", "must", "fact", "use_not", "limit", "note"})
OF_THE_MOMENT = frozenset({"task_request", "observation", "hedge", "meta_talk", "list_choice", "smalltalk", "temporary"})
RAISE, RAISE_MOST = 0.02, 0.04
# In a short reply to a long answer these mostly speak of that answer, unless they name something; rules and choices do not.
_OF_THE_ANSWER, REPLY_DOUBT = frozenset({"dislike", "dont_want", "universal", "because"}), 0.04


class MessageStructure(NamedTuple):
    """What holds for all clauses of a message; found once, since messages may be long."""

    names: tuple[str, ...] = ()
    traced: bool = False  # it holds an error trace itself
    earlier: tuple[frozenset[str], ...] = ()  # trigrams of the person's last messages


def message_structure(message: str, around: Neighbourhood) -> MessageStructure:
    """The structural signals of a message as a whole."""
    traced, answer = _TRACE.search(message) is not None, len(around.previous)
    usual = statistics.median(map(len, around.earlier)) if len(around.earlier) >= USUAL else len(message)
    present = {
        "short_reply": len(message) < min(SHORT_REPLY_CHARS, REPLY_SHARE * answer) and answer >= LONG_ANSWER_CHARS,
        "elaboration": len(message) >= ELABORATE_CHARS and len(message) > ELABORATE * usual,  # who else writes short lines
        "near_error": around.failed or traced,
    }
    names = tuple(name for name, holds in present.items() if holds)
    return MessageStructure(names, traced, tuple(map(_trigrams, around.earlier)))


def clause_signals(clause: Clause, message: MessageStructure) -> tuple[Signal, ...]:
    """The structural signals of a person's clause, each with its weight."""
    own = {
        "typography": _LOUD.search(clause.text) is not None,
        "repetition": any(_overlap(clause.text, trigrams) > REPEATED for trigrams in message.earlier),
        "enumeration": clause.item,
    }
    names = (*(name for name, holds in own.items() if holds), *message.names)
    return tuple(Signal(name, None, IMPORTANCE[name], clause.start, clause.end) for name in names)


def _trigrams(text: str) -> frozenset[str]:
    flat = " ".join(text.lower().split())
    return frozenset(flat[i : i + 3] for i in range(len(flat) - 2))


def _overlap(text: str, trigrams: frozenset[str]) -> float:
    """Share of `text`'s trigrams that are among `trigrams`."""
    own = _trigrams(text)
    return len(own & trigrams) / len(own) if own else 0.0


def assistant_adjustment(clause: Clause, families: Collection[str], message: str) -> float:
    """What structure adds for an assistant's clause: a present cause is a finding if it names code and nothing follows."""
    going_on = message.rstrip().endswith((":", "：", "…", "..."))
    return 0.15 if "cause_present" in families and OPAQUE in clause.text and not going_on else 0.0


def user_adjustment(
    clause: Clause,
    hits: Sequence[Hit],
    structural: Sequence[Signal],
    words: Collection[str] = (),
    *,
    traced: bool = False,
    named: bool = False,
) -> float:
    """What structure adds to the confidence of a person's clause, in [-0.25, 0.04]; `traced` is whether its message holds an
    error trace, `named` whether the clause names a file or a piece of code.
    """
    families = {hit.name for hit in hits}
    raising = {"typography", "short_reply", "repetition"}
    if families & _FOUND:  # in a client's own sessions a tool fails before most prompts: only what was found out counts for more
        raising.add("near_error")
    emphasis = min(RAISE_MOST, RAISE * sum(signal.family in raising for signal in structural))
    of_the_answer = (families <= _OF_THE_ANSWER or "layout" in words) and not named
    if of_the_answer and any(signal.family == "short_reply" for signal in structural):
        emphasis = -REPLY_DOUBT
    if STANDING & families:
        return emphasis
    letters = sum(map(str.isalpha, clause.text))
    short = letters < SHORT_LETTERS and "always" not in families and "tool" not in words and not _DENSE.search(clause.text)
    return emphasis - 0.1 * short - 0.15 * (traced and families <= _DIAGNOSIS)
