"""Where in a person's message somebody else's words begin: behind "translate:", "our vendor wrote:", "README:", the head of a mail. Pure.

What stands at once behind such words is quotation. How far it goes nobody can tell, so the rest of the message is doubted: a person is
asked about it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set
from typing import NamedTuple

from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.compiled_words import BEFORE_A_MAILS_DATE, MAIL_HEADS
from psychmem_py.extraction.wording import any_of
from psychmem_py.languages.language import Hit
from psychmem_py.model.records import Verdict
from psychmem_py.model.terms import Gate
from psychmem_py.text.late_pattern import late

PASTED = "pasted"  # reason of what may be somebody else's words
PASSAGE, HEADING, QUOTATION = "passage", "heading", "quotation"  # filters of the language files
FRAMES = frozenset({PASSAGE, HEADING, QUOTATION})
_RULES = frozenset({"never", "forever", "always", "must", "ensure", "remember", "prefer", "dislike", "dont_want"})
HEAD_CHARS, COLONS = 160, 3  # so long a lead, and so many marks of a clause, are looked at

_MARK = late(r"[:：](?![\d/\\])|(?<=\s)[-–—](?=\s)")
_NUMBER = late(r"[\s#№\d.,-]{1,20}$")  # "ticket #12" is named "ticket"
_LETTER = late(r"\p{L}")
_BLANK_LINE = late(r"\n[ \t]*\n")
# Two lines of a mail's head, or the line by which programs introduce what they quote.
_HEAD_WORD = rf"(?:{any_of(MAIL_HEADS)})"
_MAIL = late(
    rf"(?im)^[ \t>*]{{0,8}}{_HEAD_WORD}\*{{0,2}}[ \t]?[:：][^\n]{{1,300}}\n[ \t>*]{{0,8}}{_HEAD_WORD}\*{{0,2}}[ \t]?[:：]"
    r"|^[ \t]{0,8}-{3,12}[ \t]?[\p{L} ]{4,40}[ \t]?-{3,12}[ \t]*$"
    rf"|^[ \t]{{0,8}}(?:{any_of(BEFORE_A_MAILS_DATE)})\b[^\n]{{6,160}}\d[^\n]{{0,160}}[:：][ \t]*$"
)
_MAIL_MARKS = (":", "：", "---")  # no such head is without one
# The name of a text, as a heading.
_FILE = late(r"[ \t]*[\w./-]{1,80}\.(?:md|txt|rst|adoc|log|eml|html?|pdf|docx?)[ \t]*[:：](?=\s)")


class Passage(NamedTuple):
    """Offsets of a message: from `start` on somebody else may speak, up to `sure_until` it is certain."""

    start: int
    sure_until: int


NamesIn = Callable[[str], Set[str]]  # the frames that the language files find in a folded text


def mail_in(text: str) -> Passage | None:
    """The quoted mail in a masked message."""
    match = _MAIL.search(text) if any(mark in text for mark in _MAIL_MARKS) else None
    return Passage(match.start(), _end_of(text, match.end())) if match else None


def passage_behind(clause: Clause, folded: str, original: str, text: str, names: NamesIn) -> Passage | None:
    """What `clause` announces as somebody else's words: behind a colon or dash in it, or on the lines after it; `text` is `original` masked."""
    if file := _FILE.match(original, clause.start):
        return _begun(text, file.end(), {HEADING})
    for mark in list(_MARK.finditer(clause.text[:HEAD_CHARS]))[:COLONS]:
        if passage := _begun(text, clause.start + mark.end(), names(_NUMBER.sub("", folded[: mark.start()])) & FRAMES):
            return passage
    ends_line = clause.text.endswith("\n") or text[clause.end :].lstrip(" ")[:1] == "\n"
    if not ends_line or len(clause.text) > HEAD_CHARS:
        return None
    return _begun(text, clause.end, names(_NUMBER.sub("", folded)) & {PASSAGE, HEADING})


def _begun(text: str, start: int, frames: Collection[str]) -> Passage | None:
    if not frames or not _LETTER.search(text, start):
        return None
    return Passage(start, _end_of(text, start) if PASSAGE in frames else start)


def _end_of(text: str, start: int) -> int:
    """Where what was surely pasted ends: with its line, or with its paragraph where it begins on a line of its own."""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    if _LETTER.search(text, start, line_end):
        return line_end
    first = _LETTER.search(text, line_end)
    blank = _BLANK_LINE.search(text, first.start()) if first else None
    return blank.start() if blank else len(text)


def said_at(hits: Sequence[Hit], clause: Clause, passage: Passage, *, opens: bool) -> int:
    """Where the first evidence of a clause ends. Of one that `opens` a passage only a rule counts: "our landlord sent us this" states none."""
    ends = [hit.end for hit in hits if not opens or passage.sure_until == passage.start or hit.name in _RULES]
    return clause.start + max(1, min(ends)) if ends else passage.start + 1


def judged(verdict: Verdict, at: int, passage: Passage) -> Verdict:
    """The verdict on a statement whose first evidence ends at `at`, with what `passage` says of whose it is."""
    if at <= passage.start or verdict.gate is not None:
        return verdict
    if at <= passage.sure_until or verdict.waiting:
        return Verdict(verdict.candidate, Gate.FILTER, QUOTATION)
    return verdict._replace(waiting=True, reason=PASTED)
