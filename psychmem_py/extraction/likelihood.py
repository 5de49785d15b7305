"""How likely a person's clause is one that a good colleague would write down, from a table fitted to labelled messages. Pure.

A logistic regression over the clause's families of evidence, words and pairs of words, its length and its message's. The table
(`likelihood.txt`, whole numbers) is made by `python -m benchmarks.fit`; it covers only languages with labelled messages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise

from psychmem_py import words
from psychmem_py.extraction.clause_evidence import ClauseEvidence
from psychmem_py.extraction.gates import STANDING
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.text.folding import late

LANGUAGES = frozenset({"en"})  # those of which enough messages are labelled
FORMULA = 0.4  # what the formula counts beside it
UNIT = 100  # a weight of the table is so many hundredths of a logit
BIAS, ALONE = "bias", "alone"
_WORD = late(rf"{OPAQUE}+|\d+|[^\W\d_]+(?:'[^\W\d_]+)?|[?!:/.]")
_ALL_WORDS = 3.0  # what the words of a clause weigh together, over the square root of their number
_WHOLE = 0.8  # the share of its message from which a clause is alone in it
# What the table does not weigh: what says so plainly that it lasts, or puts right, or was said before.
_PLAIN = STANDING | {"always", "correction", "again"}


def features(folded: str, evidence: ClauseEvidence | None, message_chars: int) -> dict[str, float]:
    """What the table may know of a folded clause in a message of so many characters: the value of each feature by its name."""
    tokens = ["`" if token[0] == OPAQUE else "0" if token[0].isdigit() else token for token in _WORD.findall(folded)]
    said = {*tokens, *map(" ".join, pairwise(tokens))}
    shape = {BIAS, f"> {len(folded).bit_length()}", f">> {message_chars.bit_length()}"}
    if is_alone(folded, message_chars):
        shape.add(ALONE)
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
    return parsed(words.package_file("likelihood.txt").decode().splitlines())


def parsed(lines: Iterable[str]) -> dict[str, float]:
    """The weights in the lines of a table: hundredths of a logit, a space, the name of the feature."""
    return {name: int(weight) / UNIT for weight, name in (line.split(" ", 1) for line in lines)}
