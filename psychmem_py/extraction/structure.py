"""Evidence that no phrase holds: form, surroundings, and a regression (`likelihood.txt`, by `python -m benchmarks.fit`). Pure."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from psychmem_py import words as package
from psychmem_py.extraction import wording
from psychmem_py.extraction.clause_evidence import STANDING, ClauseEvidence, states_the_project
from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.weights import IMPORTANCE
from psychmem_py.model.records import Signal
from psychmem_py.text.folding import late

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
STATED = 0.05  # what a plain fact needs to be kept when it is about the project
NAMED, _ORDINARY = 0.08, frozenset({"should", "must", "fact", "use_not", "limit", "note"})  # of a thing by name
_OF_THE_MOMENT = frozenset({"task_request", "observation", "hedge", "meta_talk", "list_choice", "smalltalk", "temporary"})
RAISE, RAISE_MOST = 0.02, 0.04
# In a short reply to a long answer these mostly speak of that answer, unless they name something; rules and choices do not.
_OF_THE_ANSWER, REPLY_DOUBT = frozenset({"dislike", "dont_want", "universal", "because"}), 0.04
LANGUAGES = frozenset({"en"})  # those of which enough messages are labelled
FORMULA = 0.4  # what the formula counts beside it
UNIT = 100  # a weight of the table is so many hundredths of a logit
BIAS, ALONE = "bias", "alone"
_WORD = late(rf"{OPAQUE}+|\d+|[^\W\d_]+(?:'[^\W\d_]+)?|[?!:/.]")
_ALL_WORDS = 3.0  # what the words of a clause weigh together, over the square root of their number
_WHOLE = 0.8  # the share of its message from which a clause is alone in it
# What the table does not weigh: what says so plainly that it lasts, or puts right, or was said before.
_PLAIN = STANDING | {"always", "correction", "again", "environment"}


class Neighbourhood(NamedTuple):
    """What stands around a message."""

    previous: str = ""  # the message before it
    earlier: tuple[str, ...] = ()  # the person's last messages, oldest first
    failed: bool = False  # a tool failed since the last stop


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
    own = _trigrams(clause.text)
    repeats = any(len(own & trigrams) > REPEATED * len(own) for trigrams in message.earlier)
    present = {"typography": _LOUD.search(clause.text) is not None, "repetition": repeats, "enumeration": clause.item}
    names = (*(name for name, holds in present.items() if holds), *message.names)
    return tuple(Signal(name, None, IMPORTANCE[name], clause.start, clause.end) for name in names)


def _trigrams(text: str) -> frozenset[str]:
    flat = " ".join(text.lower().split())
    return frozenset(flat[i : i + 3] for i in range(len(flat) - 2))


def assistant_adjustment(clause: Clause, families: Collection[str], message: str) -> float:
    """What structure adds for an assistant's clause: a present cause is a finding if it names code and nothing follows."""
    going_on = message.rstrip().endswith((":", "：", "…", "..."))
    return 0.15 if "cause_present" in families and OPAQUE in clause.text and not going_on else 0.0


def user_adjustment(
    clause: Clause, written: str, evidence: ClauseEvidence, structural: Sequence[Signal], message: MessageStructure
) -> float:
    """What structure adds to a person's clause, `written` with its code, in [-0.25, 0.17]."""
    families, words, seen = evidence.families, evidence.words, {signal.family for signal in structural}
    # In a client's own sessions a tool fails before most prompts: only what was found out counts for more.
    raising = {"typography", "short_reply", "repetition"} | ({"near_error"} if families & _FOUND else set())
    change = min(RAISE_MOST, RAISE * len(seen & raising))
    names = bool(wording.names_in(written))
    if "short_reply" in seen and (families <= _OF_THE_ANSWER or "layout" in words) and not names:
        change = -REPLY_DOUBT
    change += STATED if states_the_project(evidence) else 0
    names = names or ("use_not" in families and "two_names" in words)  # "use dayjs instead of moment"
    change += NAMED if names and families & _ORDINARY and _OF_THE_MOMENT.isdisjoint(hit.name for hit in evidence.filters) else 0
    if STANDING & families:
        return change
    says_enough = "tool" in words or {"always", "environment"} & families or _DENSE.search(clause.text)
    short = sum(map(str.isalpha, clause.text)) < SHORT_LETTERS and not says_enough
    return change - 0.1 * short - 0.15 * (message.traced and families <= _DIAGNOSIS)


def features(folded: str, evidence: ClauseEvidence | None, message_chars: int) -> dict[str, float]:
    """What the table may know of a folded clause in a message of so many characters: the value of each feature by its name."""
    tokens = ["`" if token[0] == OPAQUE else "0" if token[0].isdigit() else token for token in _WORD.findall(folded)]
    said = {*tokens, *map(" ".join, pairwise(tokens))}
    shape = {BIAS, f"> {len(folded).bit_length()}", f">> {message_chars.bit_length()}"}
    shape |= {ALONE} if is_alone(folded, message_chars) else set()
    if evidence:
        shape |= {f"= {hit.group}.{hit.name}" for hit in (*evidence.signals, *evidence.filters, *evidence.cues)}
        shape |= {f"= {name}" for name in evidence.words}
    return dict.fromkeys(shape, 1.0) | dict.fromkeys(said, _ALL_WORDS / math.sqrt(len(said) or 1))


def likelihood(folded: str, evidence: ClauseEvidence, message_chars: int) -> float | None:
    """The probability in (0, 1); None where the evidence is in no language of the table, or the formula alone weighs it."""
    if evidence.families & _PLAIN or LANGUAGES.isdisjoint(hit.language for hit in evidence.signals):
        return None
    weights = table()
    logit = sum(value * weights.get(name, 0.0) for name, value in features(folded, evidence, message_chars).items())
    return 1 / (1 + math.exp(-logit))


def is_alone(folded: str, message_chars: int) -> bool:
    """Whether a clause is as good as all of its message."""
    return len(folded) >= _WHOLE * message_chars


@cache
def table() -> Mapping[str, float]:
    """The weight of each feature, in logits."""
    return parsed(package.package_file("likelihood.txt").decode().splitlines())


def parsed(lines: Iterable[str]) -> dict[str, float]:
    """The weights in the lines of a table: hundredths of a logit, a space, the name of the feature."""
    return {name: int(weight) / UNIT for weight, name in (line.split(" ", 1) for line in lines)}
