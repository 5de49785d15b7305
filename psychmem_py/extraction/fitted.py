"""How likely a person's statement that the weights leave waiting is worth keeping: a table of integers fitted to labelled messages. Pure.

The weights know each family of evidence by itself. What stands together in one sentence ("we" with "should", a reason behind "make sure")
and around it (how long, where in the message, behind a question of the agent) they do not; the table does. It is asked about statements
in its languages alone, and only raises what waits. `python -m benchmarks.fit FOLDER ...` makes `fitted_table.py` anew and measures it on
people left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from psychmem_py.extraction.clause_evidence import ClauseEvidence
from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.prepared_message import PreparedMessage
from psychmem_py.extraction.weights import BOOSTER, FAMILIES
from psychmem_py.model.records import Verdict

LANGUAGES = frozenset({"en"})  # with enough labelled messages; in others what waits goes on waiting
SCALE = 10  # the table holds tenths of a natural log odds
LIKELY = 4  # from these log odds on (in tenths: 60 %) a statement is kept
# Waiting for these reasons is a doubt whether the statement lasts; the others say that it cannot be understood or is not the person's.
DOUBTS = frozenset({"unsure", "task", "passage"})
LEAST_WORDS, MOST_WORDS = 6, 60  # "No, use 8081" says nothing alone, however likely such words are to matter
REASON = "likely"  # of what is kept by the table
CODE = "<code>"  # what stands for code, a path or a link that was masked
_WORD = re.compile(r"[\w']+|[?!:`/]")
_NAME = re.compile(r"\w[._/]\w|[a-z][A-Z]|_")
_BOOSTERS = frozenset(family for (_, family), weight in FAMILIES.items() if weight.human <= BOOSTER)


def features(prepared: PreparedMessage, clause: Clause, evidence: ClauseEvidence | None, number: int) -> set[str]:
    """What the table may know of a clause, the `number`th of its message from 0: families, filters, words, pairs of words, its setting."""
    text = prepared.message.text
    words = [word.strip(OPAQUE) or CODE for word in _WORD.findall(prepared.folded[clause.start : clause.end])[:MOST_WORDS]]
    seen = {*words, *(f"{one}+{two}" for one, two in pairwise(words)), *(f"^{word}" for word in words[:1])}
    if evidence:
        seen |= {f"is:{name}" for name in evidence.families} | {f"but:{hit.name}" for hit in evidence.filters}
        seen |= {f"of:{name}" for name in evidence.words}
        seen.add(f"kinds:{min(4, len(evidence.families - _BOOSTERS))}")
    quote = text[clause.start : clause.end].strip()
    seen |= {
        f"long:{_doublings(quote)}",
        f"within:{_doublings(text)}",
        f"at:{min(number, 4)}",
        f"lines:{min(4, (text.count(chr(10)) + 1).bit_length())}",
    }
    setting = {
        "@item": clause.item,
        "@asks": quote.endswith(QUESTION_MARKS),
        "@opens": quote.endswith((":", "：")),
        "@stop": quote.endswith("."),
        "@capital": quote[:1].isupper(),
        "@begun": text[:1].isupper(),
        "@reply": bool(prepared.around.previous),
        "@asked": prepared.around.previous.rstrip().endswith(QUESTION_MARKS),
        "@names": _NAME.search(quote) is not None,
    }
    return seen | {name for name, holds in setting.items() if holds}


def _doublings(text: str) -> int:
    return len(text).bit_length()


def odds(seen: Collection[str]) -> int:
    """Log odds, in tenths, that a clause with these features is worth keeping."""
    from psychmem_py.extraction.fitted_table import BASE, TABLE  # noqa: PLC0415 - asked about one message in ten

    return BASE + sum(TABLE.get(name, 0) for name in seen)


def is_open(verdict: Verdict, clause: Clause, evidence: ClauseEvidence) -> bool:
    """Whether the table may be asked about a person's clause: it waits for a doubt, is in one of its languages and can be understood."""
    if not verdict.waiting or verdict.reason not in DOUBTS or verdict.candidate.language not in LANGUAGES:
        return False
    return not ("layout" in evidence.words or evidence.opens_with_pronoun) and len(clause.text.split()) >= LEAST_WORDS


def raised(verdict: Verdict, prepared: PreparedMessage, clause: Clause, evidence: ClauseEvidence, number: int) -> Verdict:
    """The verdict on a person's clause; kept where it waits for a doubt that the table does not share."""
    if is_open(verdict, clause, evidence) and odds(features(prepared, clause, evidence, number)) >= LIKELY:
        return verdict._replace(waiting=False, reason=REASON)
    return verdict
