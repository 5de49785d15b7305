"""Where in a person's message somebody else's words stand: behind the head of a mail, beside a request to look at them, in the shape of a
copied text. Pure.

Who asks about a text in the same message did not say that text. Which words ask is told by lists of the language files, not by whole
phrases: nobody can list the ways to ask. What may be somebody else's waits; a person is asked about it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.wording import any_of
from psychmem_py.languages.matcher import Hit
from psychmem_py.memory.admission import FAULTS
from psychmem_py.memory.exchange import LITTLE
from psychmem_py.model.light_record import StrEnum
from psychmem_py.model.records import Candidate, Verdict
from psychmem_py.model.terms import Gate
from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import words as tokens
from psychmem_py.words import listed

PASTED = "pasted"  # reason of what may be somebody else's words
QUOTATION = "quotation"  # a filter of the language files
HEAD_CHARS, COLONS = 160, 3  # so long a lead, and so many marks of a clause, are looked at

_MARK = late(r"[:：](?![\d/\\])|(?<=\s)[-–—](?=\s)")
_LETTER = late(r"\p{L}")
# The name of a text, as a heading.
_FILE = late(r"[ \t]*[\w./-]{1,80}\.(?:md|txt|rst|adoc|log|eml|html?|pdf|docx?)[ \t]*[:：](?=\s)")
_BLANK_LINE = late(r"\n[ \t]*\n")
# Two lines of a mail's head, or the line by which programs introduce what they quote.
_HEAD_WORD = rf"(?:{any_of(listed('mail_heads'))})"
_MAIL = late(
    rf"(?im)^[ \t>*]{{0,8}}{_HEAD_WORD}\*{{0,2}}[ \t]?[:：][^\n]{{1,300}}\n[ \t>*]{{0,8}}{_HEAD_WORD}\*{{0,2}}[ \t]?[:：]"
    r"|^[ \t]{0,8}-{3,12}[ \t]?[\p{L} ]{4,40}[ \t]?-{3,12}[ \t]*$"
    rf"|^[ \t]{{0,8}}(?:{any_of(listed('before_a_mails_date'))})\b[^\n]{{6,160}}\d[^\n]{{0,160}}[:：][ \t]*$"
)
_MAIL_MARKS = (":", "：", "---")  # no such head is without one


class Passage(NamedTuple):
    """Offsets of a message: from `start` on somebody else may speak, up to `sure_until` it is certain."""

    start: int
    sure_until: int


# Lexicon lists of the language files by which somebody asks about words, or says whose they are.
ON_WORDS, LOOKING, OPINION, THIS, DOCUMENT, OTHERS, TOLD_BY, SOURCE, OWN, FIRST_PERSON = (
    "on_words", "looking", "opinion", "this_text", "document", "others", "told_by", "source", "own_words", "first_person",
)  # fmt: skip
REGARD = frozenset({ON_WORDS, LOOKING, OPINION, THIS, DOCUMENT, OTHERS, TOLD_BY, SOURCE, OWN, FIRST_PERSON})
_RULES = frozenset({"never", "forever", "always", "must", "ensure", "prefer", "dislike", "dont_want"})


class Regard(NamedTuple):
    """What the language files tell of a folded text."""

    words: Callable[[str], Sequence[Hit]]  # of the lists above
    tongue: Callable[[str], tuple[str, str]]  # the script and the language it is surely in


def mail_in(text: str) -> Passage | None:
    """The quoted mail in a masked message."""
    match = _MAIL.search(text) if any(mark in text for mark in _MAIL_MARKS) else None
    return Passage(match.start(), _end_of(text, match.end())) if match else None


def _end_of(text: str, start: int) -> int:
    """Where what was surely pasted ends: with its line, or with its paragraph where it begins on a line of its own."""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    if _LETTER.search(text, start, line_end):
        return line_end
    first = _LETTER.search(text, line_end)
    blank = _BLANK_LINE.search(text, first.start()) if first else None
    return blank.start() if blank else len(text)


def judged(verdict: Verdict, at: int, passage: Passage) -> Verdict:
    """The verdict on a statement whose first evidence ends at `at`, with what `passage` says of whose it is."""
    if at <= passage.start or verdict.gate is not None:
        return verdict
    return Verdict(verdict.candidate, Gate.FILTER, QUOTATION) if at <= passage.sure_until else _waiting(verdict)


class _Asking(NamedTuple):
    """Offsets of what asks about a text, or names its source, and on which side of it that stands."""

    start: int
    end: int
    ahead: bool  # what comes behind it, if only from the middle of a statement on
    behind: bool = False  # only what stands before it


def doubted(verdicts: Sequence[Verdict], every: Sequence[Clause], original: str, folded: str, regard: Regard) -> list[Verdict]:
    """The verdicts on one message, those waiting whose statement stands beside a request about words, or in the shape of a quoted text.

    Who asks about a text in the same message did not say that text.
    """
    kept = [verdict.candidate for verdict in verdicts if verdict.gate is None and verdict.reason not in FAULTS]
    if not kept:
        return list(verdicts)
    foreign = _shapes(original)
    asking = [ask for clause in every if _near(clause, kept) for ask in _askings(clause, kept, original, folded, regard)]
    beside = _other_words(kept, folded)

    def of_others(one: Candidate) -> bool:
        return (
            _asked_about(one, asking, folded)
            or _within(one, foreign)
            or _in_another_tongue(folded[one.start : one.end], beside, regard)
        )

    return [_waiting(verdict) if verdict.gate is None and of_others(verdict.candidate) else verdict for verdict in verdicts]


def _waiting(verdict: Verdict) -> Verdict:
    """The verdict on what may be somebody else's: what was kept is asked about, and what was unsure is no statement of the person's."""
    if verdict.waiting:
        return Verdict(verdict.candidate, Gate.FILTER, QUOTATION)
    return verdict._replace(waiting=True, reason=PASTED)


NEAR_CHARS = 400  # so far from a statement a request may stand


def _near(clause: Clause, kept: Sequence[Candidate]) -> bool:
    return any(one.start - NEAR_CHARS <= clause.end and clause.start <= one.end + NEAR_CHARS for one in kept)


def _asked_about(candidate: Candidate, asking: Sequence[_Asking], folded: str) -> bool:
    if _JOINED.match(folded, candidate.start):
        return False
    return any(
        candidate.end > one.end
        if one.ahead
        else candidate.end <= one.start or (not one.behind and candidate.start + 1 >= one.end)
        for one in asking
    )


def _other_words(kept: Sequence[Candidate], folded: str) -> str:
    """What a message says besides the statements kept of it."""
    parts, at = [], 0
    for one in sorted(kept, key=lambda one: one.start):
        parts.append(folded[at : one.start])
        at = max(at, one.end)
    return " ".join((*parts, folded[at:]))


def _in_another_tongue(statement: str, beside: str, regard: Regard) -> bool:
    """Whether a statement is surely in another language than the words beside it.

    Latin ones beside another's say nothing: who writes Japanese or Hindi names half of what is technical in English.
    """
    (script, language), (other_script, other) = regard.tongue(statement), regard.tongue(beside)
    if script == other_script:
        return language != other and bool(language and other)
    return bool(script and other_script) and other_script != "Latin"


def _within(candidate: Candidate, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= candidate.start < end for start, end in spans)


def _askings(clause: Clause, kept: Sequence[Candidate], original: str, folded: str, regard: Regard) -> Iterator[_Asking]:
    """What asks in a clause: its head, up to a colon or to the rule in it, or all of it."""
    if named := _FILE.match(original, clause.start):
        yield _Asking(clause.start, named.end(), ahead=True)
        return
    inside = [one for one in kept if clause.start <= one.start < clause.end]
    rules = [signal for one in inside for signal in one.signals if signal.family in _RULES and signal.start >= clause.start]
    # The words of a rule may have a gap between them, and a colon in it: it is said where they end.
    stated = min((signal.end for signal in rules), default=clause.end)
    for mark in list(_MARK.finditer(folded, clause.start, min(stated, clause.start + HEAD_CHARS)))[:COLONS]:
        below = not folded[mark.end() : mark.end() + 3].strip(" ") or folded[mark.end() :].lstrip(" ")[:1] == "\n"
        if asks(folded[clause.start : mark.start()], regard, _Position.ABOVE if below else _Position.HEAD):
            yield _Asking(clause.start, mark.end() - 1, ahead=True)
            return
    if rules:
        until = min(signal.start for signal in rules)
        if asks(folded[clause.start : until], regard, _Position.WITHIN):
            yield _Asking(clause.start, until, ahead=True)
        return
    if not inside and len(clause.text) <= HEAD_CHARS:
        ends_line = clause.text[-1].isalnum() and original[clause.end :].lstrip(" ")[:1] == "\n"
        spoken = folded[clause.start : clause.end]
        if asks(spoken, regard, _Position.LINE if ends_line else _Position.SENTENCE):
            yield _Asking(clause.start, clause.end, ahead=clause.text.endswith((":", "：")))
        elif asks(spoken, regard, _Position.BEHIND):
            yield _Asking(clause.start, clause.end, ahead=False, behind=True)


class _Position(StrEnum):
    """Where words stand that may ask about others."""

    SENTENCE = "a sentence of its own"
    LINE = "a line without a stop"
    HEAD = "before a colon"
    ABOVE = "before a colon that ends its line"
    WITHIN = "in the sentence of the statement"
    BEHIND = "a question behind a text"


_WITH_OBJECT, _LONG, _SOME, _SHORT, _ALONE = 24, 18, 12, 9, 6  # letters that may stand beside known words
_FEW_KINDS = 3


def asks(folded: str, regard: Regard, position: _Position) -> bool:
    """Whether a folded text asks about words that stand beside it, or says where they come from."""
    hits = regard.words(folded)
    known = [hit for hit in hits if hit.name not in (OWN, FIRST_PERSON)]
    kinds = {hit.name for hit in known}
    if not kinds or OPAQUE in folded:
        return False
    beside = _beside(folded, known)
    this, mine, first_person = THIS in kinds, any(hit.name == OWN for hit in hits), any(hit.name == FIRST_PERSON for hit in hits)
    asked = folded.rstrip().endswith(QUESTION_MARKS)
    if position is _Position.WITHIN:
        return this and not first_person and beside <= _ALONE and bool({ON_WORDS, OPINION} & kinds)
    if position is _Position.BEHIND:
        return asked and this and beside <= _SHORT
    colon, ahead = position in (_Position.HEAD, _Position.ABOVE), position is not _Position.SENTENCE
    return (
        _asks_of_words(kinds, beside, asked=asked, colon=colon, mine=mine or first_person)
        or (_this_text(known) and beside <= _WITH_OBJECT and (asked or ahead or bool({ON_WORDS, LOOKING, OPINION} & kinds)))
        or (this and position is _Position.ABOVE and not (mine or first_person) and beside <= _WITH_OBJECT)
        or (LOOKING in kinds and ((this and beside <= _ALONE) or (ahead and not mine and beside <= _SHORT)))
        or (OPINION in kinds and beside <= _SHORT and (asked or (ahead and not _MARK.search(folded))))
        or _is_told(kinds, beside, position, mine=mine, first_person=first_person)
    )


def _asks_of_words(kinds: Collection[str], beside: int, *, asked: bool, colon: bool, mine: bool) -> bool:
    """Whether something is to be done to words: translated, shortened, answered."""
    if ON_WORDS not in kinds or (mine and THIS not in kinds):
        return False
    return beside <= (_WITH_OBJECT if {THIS, DOCUMENT} & set(kinds) else _SOME if asked or colon else _ALONE)


def _this_text(hits: Sequence[Hit]) -> bool:
    """Whether "this" stands before the name of a text."""
    ends = {hit.end for hit in hits if hit.name == THIS}
    return any(hit.name == DOCUMENT and {hit.start, hit.start - 1} & ends for hit in hits)


def _is_told(kinds: Collection[str], beside: int, position: _Position, *, mine: bool, first_person: bool) -> bool:
    """Whether it says who said something, or where that stands."""
    colon, ahead = position in (_Position.HEAD, _Position.ABOVE), position is not _Position.SENTENCE
    others, this, document = (name in kinds for name in (OTHERS, THIS, DOCUMENT))
    if TOLD_BY in kinds and (
        (others and (this or document or ahead) and beside <= _WITH_OBJECT)
        or (this and ahead and beside <= _SOME)
        or (not first_person and 0 < beside <= (_LONG if colon else _SOME if ahead else 0))
    ):
        return True
    if SOURCE in kinds and (
        (others and (document or ahead) and beside <= _WITH_OBJECT) or (document and ahead and not mine and beside <= _SOME)
    ):
        return True
    return document and position is _Position.ABOVE and not mine and len(kinds) < _FEW_KINDS and beside <= _SHORT


def _beside(folded: str, hits: Sequence[Hit]) -> int:
    """How many letters of a text say something that none of the hits covers."""
    covered = bytearray(len(folded))
    for hit in hits:
        covered[hit.start : hit.end] = b"x" * (hit.end - hit.start)
    rest = "".join(" " if known else char for char, known in zip(folded, covered, strict=True))
    letters = sum(len(word) for word in tokens(rest) if _weight(word[0]) == 0 and word not in LITTLE and not word.isdigit())
    return letters + sum(map(_weight, filter(str.isalpha, rest)))


def _weight(char: str) -> int:
    """What a sign of a script without spaces says, in letters: one of Han two, of Katakana and Hangul one, of Hiragana, and all others, none."""
    code = ord(char)
    return 2 if 0x3400 <= code < 0xA000 else int(0x1100 <= code < 0x1200 or 0x30A0 <= code < 0x3400 or 0xAC00 <= code < 0xD800)


# "And never …" goes on with what one says oneself. I is an English pronoun too; scripts of their own need no space behind the word.
_JOINED = late(rf"(?:{any_of([word for word in listed('joins_clauses') if word != 'i'])})(?:[ ,]|(?<=[^\x00-\u05ff]))")
# Shapes of texts that nobody types: between triple quotes, added lines of a diff, a line of a role, a letter to many, a name under a letter.
_DOCSTRING = late(r"(?s)(\"\"\"|''').{0,4000}?(?:\1|\Z)")
_ADDED = late(r"(?m)^[ \t]{0,8}\+(?=[#/*\p{L}\"'`<{ ])[^\n]*(?:\n[ \t]{0,8}[+-][^\n]*)*")
_ROLE = late(r"(?im)^[ \t]{0,8}(?:system|assistant|human|developer|user)[ \t]?[:：](?s:.*)")
_CHAT = late(
    r"(?m)^[ \t>]{0,8}(?:\[[^\]\n]{1,30}\][ \t]?)?[@\p{L}][\p{L}\d_. -]{0,24}(?:\([^)\n]{1,24}\))?[:：][ \t][^\n]+\n[ \t>]{0,8}(?:\[[^\]\n]{1,30}\][ \t]?)?[@\p{L}][\p{L}\d_.-]{0,24}[:：][ \t]?(?:\S+[ \t]?){1,3}$"
)
_LETTER_SHAPE = late(
    rf"(?im)^[ \t>*+#-]{{0,12}}(?:{any_of(listed('greetings_to_many'))})[ ]?[,，、:：!！。\n](?s:.*)|(?s:\A.*)(?<=[\s.!。！।,，])(?:{any_of(listed('sign_offs'))})[ ,，、。]{{1,3}}\n?[ \t]{{0,8}}(?-i:[\p{{Lu}}\p{{Lo}}])[\p{{L}}\p{{M}}. ]{{0,30}}[.。]?[ \t\"']*$"
)


def _shapes(text: str) -> list[tuple[int, int]]:
    """Where a text has the shape of something copied."""
    spans = [match.span() for pattern, mark in _SHAPES if mark in text for match in pattern.finditer(text)]
    return spans


_SHAPES = (
    (_DOCSTRING, '"""'),
    (_DOCSTRING, "'''"),
    (_ADDED, "+"),
    (_ROLE, ":"),
    (_CHAT, ":"),
    (_CHAT, "："),
    (_LETTER_SHAPE, ""),
)
