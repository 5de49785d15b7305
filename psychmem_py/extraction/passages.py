"""Where in a person's message somebody else's words may stand, which wait; what is recognised is the person's own. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause
from psychmem_py.extraction.mask import OPAQUE
from psychmem_py.extraction.wording import any_of
from psychmem_py.languages.matcher import Hit
from psychmem_py.memory.admission import FAULTS, PASTED
from psychmem_py.memory.change_cues import GRAMMAR
from psychmem_py.model.records import Candidate, Gate, Verdict
from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import words as tokens
from psychmem_py.words import word_list, word_set

QUOTATION = "quotation"  # a filter of the language files
HEAD_CHARS, COLONS = 160, 3  # so long a lead, and so many marks of a clause, are looked at
_MARK = late(r"[:：](?![\d/\\])(?<![a-z0-9]:(?=[a-z]))|(?<=\s)[-–—](?=\s|$)|[,，、]$")
_LETTER = late(r"\p{L}")
_HERE = tuple(late(form) for form in word_list("of_here"))
_FILE = late(  # The name of a text, of a ticket or of what is attached, as a heading.
    r"[ \t]{0,8}(?:[\w./-]{1,80}\.(?:md|txt|rst|adoc|log|eml|html?|pdf|docx?)|[A-Z]{2,10}-\d{1,6})[ \t]{0,8}[:：](?=\s)"
    r"|[ \t]{0,8}\[\p{L}[^\]\n]{0,60}[.#][^\]\n]{1,30}\](?=\s)"
)
_BLANK_LINE = late(r"\n[ \t]*\n")
_HEAD_WORD = rf"(?:{any_of(word_list('mail_heads'))})"  # of a mail's head, or of the line by which programs introduce a quotation
_MAIL = late(
    rf"(?im)^[ \t>*]{{0,8}}{_HEAD_WORD}\*{{0,2}}[ \t]?[:：][^\n]{{1,300}}\n[ \t>*]{{0,8}}{_HEAD_WORD}\*{{0,2}}[ \t]?[:：]"
    r"|^[ \t]{0,8}-{3,12}[ \t]?[\p{L} ]{4,40}[ \t]?-{3,12}[ \t]*$"
    rf"|^[ \t]{{0,8}}(?:{any_of(word_list('before_a_mails_date'))})\b[^\n]{{6,160}}\d[^\n]{{0,160}}[:：][ \t]*$"
)
# Lexicon lists of the language files by which somebody asks about words and names whose they are, or introduces their own.
_ASKING = frozenset("on_words opinion this_text document others".split())
REGARD = _ASKING | frozenset("own_words first_person introduction as_said why".split())
AGENT, WORK = "agent", frozenset({"code", "tool", "product"})  # what a person works on is no text to be looked at
# Families by which a person speaks: of what is to be done, of what was settled, and all others that tell of the speaker.
_RULES = frozenset({"never", "forever", "always", "must", "ensure", "prefer", "dislike", "dont_want", "ban", "habit"})
_STATES = _RULES | {"remember", "choice", "label"}
SPOKEN = _STATES | {"important", "want", "complaint", "correction", "learned"}
_BINDS = _RULES | {"remember", "note"}  # a fact or a choice behind unknown words is a note of the person's own
# What the language files tell of a folded text: the words of `REGARD`, `AGENT`, `WORK` and the families `SPOKEN`.
Regard = Callable[[str], Sequence[Hit]]
NEAR_CHARS = 400  # so far from a statement a request may stand
_STOPS = (".", "!", "。", "！", "।")
_BETWEEN = " \n.!。！।\"'`()-*•"  # nothing but these stands between neighbours
_WITH_OBJECT, _SOME, _INTRODUCED, _SHORT, _TOPIC, _ALONE = 24, 18, 12, 9, 8, 6  # letters that may stand beside known words
_LEAD = 4  # letters of "and" or "so" that may stand before "for"
_THAT = word_set("that")
# "And never …" continues one's own words. I is an English pronoun too; scripts of their own need no space behind the word.
_JOINED = late(rf"(?:{any_of([word for word in word_list('joins_clauses') if word != 'i'])})(?:[ ,]|(?<=[^\x00-\u05ff]))")
_COPIED = (  # texts that nobody types: between triple quotes, set in behind a blank line, added lines of a diff, what a shell or npm printed, letters
    late(r"(?s)(\"\"\"|''').{0,4000}?(?:\1|\Z)"),
    late(r"(?<=\n\n)(?:(?: {4}|\t)[ \t]*\S[^\n]*(?:\n|\Z))+"),
    late(r"(?m)^[ \t]{0,8}\+(?=[#/*\p{L}\"'`<{ ])[^\n]*(?:\n[ \t]{0,8}[+-][^\n]*)*"),
    late(
        r"(?m)^[ \t]{0,4}(?:\$|[\w.-]{1,40}@[\w.-]{1,40}[\w:~/ .-]{0,80}[$%#]|>>>)[ ](?=[a-z./])[^\n]*(?:\n[^\n]+)+|^npm (?:ERR!|WARN|error|warn) [^\n]*"
    ),
    late(
        rf"(?im)^[ \t>*+#-]{{0,12}}(?:{any_of(word_list('greetings_to_many'))})[ ]?[,，、:：!！。\n](?s:.*)|(?s:\A.*)(?<=[\s.!。！।,，])(?:{any_of(word_list('sign_offs'))})[ ,，、。]{{1,3}}\n?[ \t]{{0,8}}(?-i:[\p{{Lu}}\p{{Lo}}])[\p{{L}}\p{{M}}. ]{{0,30}}[.。]?[ \t\"']*$"
    ),
)


def mail_in(text: str) -> range | None:
    """The quoted mail in a masked message, as far as it is certain that its sender speaks."""
    match = _MAIL.search(text)
    return range(match.start(), _end_of(text, match.end())) if match else None


def _end_of(text: str, start: int) -> int:
    """Where what was surely pasted ends: with its line, or with its paragraph where it begins on a line of its own."""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    if _LETTER.search(text, start, line_end):
        return line_end
    first = _LETTER.search(text, line_end)
    is_titled = first and text[: first.start()].rstrip(" ").endswith("#")  # a document goes on behind its heading
    blank = _BLANK_LINE.search(text, first.start()) if first and not is_titled else None
    return blank.start() if blank else len(text)


def judged(verdicts: Sequence[Verdict], masked: str) -> list[Verdict]:
    """The verdicts on a message, of which what stands in a quoted mail is its sender's, and what stands behind it may be."""
    mail = mail_in(masked)

    def of_mail(verdict: Verdict) -> Verdict:
        at = min((signal.end for signal in verdict.candidate.signals), default=0)
        if not mail or at <= mail.start or verdict.gate is not None:
            return verdict
        return Verdict(verdict.candidate, Gate.FILTER, QUOTATION) if at <= mail.stop else _waiting(verdict)

    return [*map(of_mail, verdicts)]


class _Doubt(NamedTuple):
    """Where statements may be somebody else's: those that end behind `start` and begin before `until`."""

    start: int
    until: int
    sure: bool = True  # words ask about a text; else only a rule is doubted
    of_answers: bool = True  # a rule for the agent's answers is doubted too


def doubted(verdicts: Sequence[Verdict], every: Sequence[Clause], original: str, folded: str, regard: Regard) -> list[Verdict]:
    """The verdicts on one message, of whose `every` clause; what stands beside a request about words, or looks copied, waits."""
    if not (kept := [verdict.candidate for verdict in verdicts if verdict.gate is None and verdict.reason not in FAULTS]):
        return list(verdicts)
    foreign = [match.span() for pattern in _COPIED for match in pattern.finditer(original)]

    def is_near(clause: Clause) -> bool:
        return any(one.start - NEAR_CHARS <= clause.end and clause.start <= one.end + NEAR_CHARS for one in kept)

    doubts = [*_doubts([*filter(is_near, every)], original, folded, kept, regard)]

    def of_others(one: Candidate) -> bool:
        near = [doubt for doubt in doubts if one.end > doubt.start and one.start < doubt.until]
        if near and _JOINED.match(folded, one.start):
            near = [doubt for doubt in near if doubt.start > one.start]  # by its own first words
        of_answers = near and any(hit.name == AGENT for hit in regard(folded[one.start : one.end]))
        near = [doubt for doubt in near if doubt.of_answers or not of_answers]
        binds = any(signal.family in _BINDS for signal in one.signals)
        return any(doubt.sure or binds for doubt in near) or any(start <= one.start < end for start, end in foreign)

    return [_waiting(verdict) if verdict.gate is None and of_others(verdict.candidate) else verdict for verdict in verdicts]


def _waiting(verdict: Verdict) -> Verdict:
    """The verdict on what may be somebody else's: what was kept waits, and what was unsure is no statement of the person's."""
    foreign = Verdict(verdict.candidate, Gate.FILTER, QUOTATION)
    return foreign if verdict.waiting else verdict._replace(waiting=True, reason=PASTED)


def _doubts(every: Sequence[Clause], original: str, folded: str, kept: Sequence[Candidate], regard: Regard) -> list[_Doubt]:
    doubts = list[_Doubt]()
    for clause in every:
        if named := _FILE.match(original, clause.start):
            doubts.append(_Doubt(named.end(), len(folded)))
            continue
        inside = [one for one in kept if clause.start <= one.start < clause.end]
        stated = [signal for one in inside for signal in one.signals if signal.family in _STATES and signal.start >= clause.start]
        # The words of a rule may have a colon between them, and end where it is stated.
        rule_ends = min((signal.end for signal in stated), default=clause.end)
        marks = _MARK.finditer(folded, clause.start, min(rule_ends, clause.start + HEAD_CHARS))
        heads = [mark.start() for mark in islice(marks, COLONS)]
        odd = [at for at in heads if "://" in original[clause.start : at] or not introduces(folded[clause.start : at], regard)]
        for mark in odd:
            doubts.append(_Doubt(mark + 1, _end_of(original, mark + 1), sure=False))
            if not _names(regard(folded[clause.start : mark])).isdisjoint(("this_text", "on_words", "others")):
                doubts.append(_Doubt(mark + 1, len(folded)))
        if heads and not odd and heads[-1] == clause.end - 1:  # from here on the person speaks
            doubts = [doubt if doubt.sure else doubt._replace(until=min(doubt.until, clause.start)) for doubt in doubts]
        if stated and not odd:
            until = min(signal.start for signal in stated)
            if asks_within(folded[clause.start : until], regard):
                doubts.append(_Doubt(until, len(folded)))
            elif tells_a_reader(folded[clause.start : clause.end], until - clause.start, regard):
                doubts.append(_Doubt(until, clause.end, sure=False))
        elif not inside and not odd and len(clause.text) <= HEAD_CHARS:
            doubts += _beside_a_sentence(clause, original, folded, kept, regard)
    return doubts


def _beside_a_sentence(clause: Clause, original: str, folded: str, kept: Sequence[Candidate], regard: Regard) -> Iterator[_Doubt]:
    own, before, behind = folded[clause.start : clause.end], folded[: clause.start], folded[clause.end :]
    this, asked = "this_text" in _names(regard(own)), own.endswith(QUESTION_MARKS)
    if asks(own, regard):
        # "Shorten the summary. Always answer in five lines." asks for two things, and holds no text.
        yield _Doubt(0, len(folded), of_answers=asked or this)
    elif not plain(own, regard):
        earlier = [folded[one.end : clause.start] for one in kept if one.end <= clause.start]
        later = [folded[clause.end : one.start] for one in kept if one.start >= clause.end]
        follows, precedes = (not all(gap.strip(_BETWEEN) for gap in gaps) for gaps in (earlier, later))
        if follows and asked and (this or before.rstrip(" ").endswith("\n")):
            yield _Doubt(0, clause.start, sure=this)
        above = behind.lstrip(" ").startswith("\n") and (this or not clause.text.endswith(_STOPS))
        if precedes and (above or (asked and this)):
            yield _Doubt(clause.end, _end_of(original, clause.end), sure=False)


def _names(hits: Sequence[Hit]) -> set[str]:
    return {hit.name for hit in hits}


def introduces(head: str, regard: Regard) -> bool:
    """Whether words before a colon introduce the person's own statement, "rule:", and no place, speaker, request or unknown."""
    hits = regard(head)
    names, opens = _names(hits), _opens(head, hits)
    if OPAQUE in head or "as_said" in names:
        return True
    if "others" in names or ("on_words" in names and not opens):
        return False
    beside = _beside(head, [hit for hit in hits if hit.name != "opinion"])
    scoped = any(hit.group == "scope" for hit in hits) or any(form.fullmatch(head) for form in _HERE)
    if scoped and "document" not in names and beside <= _LEAD:  # "in all my projects:", "here:"
        return True
    if opens:
        return beside <= _WITH_OBJECT
    if "introduction" in names or not names.isdisjoint(SPOKEN):
        return beside <= _INTRODUCED
    return _of_work(hits) and beside <= (0 if "this_text" in names else _TOPIC)


def _opens(text: str, hits: Sequence[Hit]) -> bool:
    """Whether "for", "when" and the like, which say where a rule holds, begin or end a text."""
    last = len(text.rstrip())
    return any(hit.name == "own_words" and (hit.start <= _LEAD or hit.end >= last - 1) for hit in hits)


def plain(folded: str, regard: Regard) -> bool:
    """Whether a sentence speaks of the work, or of what the person wants, and not of a text."""
    names = _names(hits := regard(folded))
    if OPAQUE in folded or "why" in names or _of_work(hits):
        return True
    if folded.endswith(QUESTION_MARKS):
        return "first_person" in names and "this_text" not in names
    return "introduction" in names or _opens(folded, hits) or not names.isdisjoint(SPOKEN)


def _of_work(hits: Sequence[Hit]) -> bool:
    """Whether some hit names what people work on, where it is in no name of a text or person."""
    others = [hit for hit in hits if hit.name in ("on_words", "document", "others")]
    return any(hit.name in WORK and not any(one.start <= hit.start < one.end for one in others) for hit in hits)


def asks_within(folded: str, regard: Regard) -> bool:
    """Whether the words before a rule, in its sentence, ask about it."""
    names = _names(hits := regard(folded))
    about = "this_text" in names and "first_person" not in names and not names.isdisjoint(("on_words", "opinion"))
    return about and _beside(folded, [hit for hit in hits if hit.name in _ASKING]) <= _ALONE


def tells_a_reader(folded: str, until: int, regard: Regard) -> bool:
    """Whether a clause up to `until`, where its rule is, tells what a text tells its reader: "the docs state that you must …"."""
    hits = [hit for hit in regard(folded) if hit.start <= until]
    source = min((hit.end for hit in hits if hit.name in ("others", "document")), default=until)
    reader = min((hit.start for hit in hits if hit.name == AGENT and hit.start > source), default=source)
    between = tokens(folded[source:reader])
    own = any(hit.name in SPOKEN | {"first_person"} and hit.start < reader for hit in hits)
    return len(between) > 1 and between[-1] in _THAT and not own


def asks(folded: str, regard: Regard) -> bool:
    """Whether a folded sentence asks about words that stand beside it, or for something to be made of them."""
    names = _names(hits := regard(folded))
    if names.isdisjoint(("on_words", "opinion", "document")) or OPAQUE in folded:
        return False
    beside = _beside(folded, [hit for hit in hits if hit.name in _ASKING])
    asked, this = folded.endswith(QUESTION_MARKS), "this_text" in names
    if "on_words" in names and (this or names.isdisjoint(("own_words", "first_person"))):
        if this or "document" in names:
            return beside <= _WITH_OBJECT
        if not _of_work(hits) and beside <= (_SOME if asked else _ALONE):
            return True
    if "opinion" in names and asked and beside <= _SHORT:
        return True
    ends = {hit.end for hit in hits if hit.name == "this_text"}  # "this" stands before the name of a text
    return beside <= _WITH_OBJECT and any(hit.name == "document" and {hit.start, hit.start - 1} & ends for hit in hits)


def _beside(folded: str, hits: Sequence[Hit]) -> int:
    rest = list(folded)
    for hit in hits:
        rest[hit.start : hit.end] = " " * (hit.end - hit.start)
    words = [word for word in tokens("".join(rest)) if word not in GRAMMAR and not word.isdigit()]
    return sum(len(word) for word in words if _weight(word[0]) == 0) + sum(map(_weight, filter(str.isalpha, rest)))


def _weight(char: str) -> int:
    """What a sign of a script without spaces counts in letters: Han two, Katakana and Hangul one, Hiragana and others none."""
    code = ord(char)
    return 2 if 0x3400 <= code < 0xA000 else int(0x1100 <= code < 0x1200 or 0x30A0 <= code < 0x3400 or 0xAC00 <= code < 0xD800)
