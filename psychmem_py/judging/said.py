"""What was said, as words: what a quotation answers, carries, denies and counts, and when two words are one. Pure, any script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache
from itertools import pairwise

from psychmem_py.memory.change_cues import CHANGE, NEGATIVE, any_of, is_negative, words_with_apostrophes
from psychmem_py.text.likeness import inflected
from psychmem_py.text.tokenizer import SYNONYMS, clip, content_words, index_form
from psychmem_py.words import word_list, word_set

plain_words = words_with_apostrophes
LIMIT_CHARS = 240
_LITTLE = 3  # telling words; a quote of fewer is an answer to what was said before
_REACH, HEADS = 8, 3  # telling words behind a negation that it may speak of, and surely does
FEW = 5  # telling words of a short sentence
_MERELY = word_set("merely")
_POINTING, _POINTING_SIGNS = word_set("pointing_words"), tuple(word_list("pointing_words_signs"))
DENYING = NEGATIVE | word_set("nothing")
_VALUES = {  # A number in words -> its value; "half" is its own.
    word: first if first.isdigit() else word
    for first, *rest in map(str.split, word_list("spelled_numbers"))
    for word in (first, *rest)
}
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,:/-]\d+)*(?![^\W_])")
CODE = re.compile(  # A word of code or a path: something between its letters that prose has not, or a capital inside.
    r"`[^`\n]+`|(?<![\w.@~$-])(?=[\w.@~$-]{0,80}[/\\_@$#=<>|*][\w./\\@~$-])[\w./\\_@$#=<>|*:~-]+|(?<![\w-])--?[A-Za-z][\w-]*|(?<!\w)\w\w+(?:\.\w+)+|(?<![^\W\d_])[^\W\d_]{0,80}?[a-z][A-Z]\w*"
)
AROUND_CODE = "`.,:;()'\"@/"
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_END = re.compile(r"\n+|(?<=[?!？。])\s*|(?<=[^\W\d_][^\W_]\.)\s+|(?<!\s)\s+(?=(?:[a-zA-Z]|\d{1,2})\)\s)")
_PARTS = re.compile(r"[^\W_]+")
_OPTION = re.compile(r"(?i)\b(?:option|variant|choice)\s+([a-z]|\d{1,2})\b")
_LABELLED = re.compile(r"(?:[a-z]|\d{1,2})(?:[).:]| [-–])")
_CLAUSE_END = re.compile(
    rf"[\n;!?()（）。，、！？…]|[.:](?=\s|$)|,(?=\s(?!(?:{any_of(word_list('that'))})\b)|$)|\s[-–—]\s", re.IGNORECASE
)
_BEHIND, _BEHIND_CHARS = 3, 30  # words; so far behind a clause "not" may stand
_MARKUP = str.maketrans("", "", "*`#>…")
NO = "|".join(word_list("answers_no"))  # "No, 8081": an answer, not a denial.
_ANSWER = re.compile(
    rf"(?:^|[.!?\n]\s{{0,20}})(?:(?:{NO})(?:\s*[,،!:](?=\s)|\s*(?=[.\n]|$))|no(?= (?:{any_of(word_list('behind_no'))})\b))",
    re.IGNORECASE,
)
_ASKS_WHETHER = re.compile(  # "Isn't it …?": no denial.
    rf"(?:^|(?<=[.!?\n,] ))(?:{any_of(word_list('asking_whether'))})\b(?=[^.!?\n]{{0,200}}\?)".replace("'", "['’]?"),
    re.IGNORECASE,
)


def written_out(quote: str, previous: str) -> str:
    """A bare answer with the question or option it answers; "" for one that says nothing alone and was not asked for."""
    words, option = plain_words(quote), _OPTION.search(quote)
    points = not _POINTING.isdisjoint(words[:1]) or quote.startswith(_POINTING_SIGNS)
    if (carry := len(words_that_carry(quote))) > _LITTLE or (carry and len(words) > 1 and not points and not option):
        return quote
    picked, questions = picked_of(quote, previous), questions_in(previous)
    if not (picked or questions):
        return quote if carry and not points else ""  # "this plan is fine"
    return clip(" ".join([*questions[-1:], *(picked[-1:] or [quote])]), LIMIT_CHARS)


def with_denials(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a passage of a text begins and ends together with what denies it in its clause."""
    head = max((match.end() for match in _CLAUSE_END.finditer(text, 0, start)), default=0)
    tail = next((match.start() for match in _CLAUSE_END.finditer(text, end)), len(text))
    behind = re.match(rf"(?:\s*\w+){{0,{_BEHIND}}}", text[end:tail][:_BEHIND_CHARS])
    before, after = _ANSWER.sub(" ", text[head:start]), behind.group() if behind else ""
    withheld = is_negative(before) or any(map(denies, plain_words(before)))
    if withheld and says_little(text[start:end]):  # of "never push to main" not "never push" alone
        return head, tail
    return (head if withheld else start), (end + len(after) if is_negative(after) else end)


def lines_of(previous: str) -> list[str]:
    """The sentences and points of a message, without their marks."""
    plain = (" ".join(one.translate(_MARKUP).split()) for one in _SENTENCE_END.split(previous))
    return [line for one in plain if (line := one.removeprefix("- ").removeprefix("Option ").strip())]


def questions_in(previous: str) -> list[str]:
    """What a message asks, in its order."""
    return [line for line in lines_of(previous) if line.endswith(("?", "？", "؟"))]


def picked_of(quote: str, previous: str) -> list[str]:
    """The options of `previous` that a quotation names by their letter or number."""
    words, option = plain_words(quote), _OPTION.search(quote)
    label = (option.group(1).lower() if option else words[0]) if words else ""
    ends = (")", ".", ":", " -", " –")
    return [line for line in lines_of(previous) if label and index_form(line).startswith(tuple(f"{label}{end}" for end in ends))]


def offered_in(previous: str, picked: Sequence[str] = ()) -> list[str]:
    """The options of a message, but for the picked ones."""
    return [line for line in lines_of(previous) if _LABELLED.match(index_form(line)) and line not in picked]


def says_little(quote: str) -> bool:
    """Whether a quotation is understood only with what it answers: "b", "yes, do it"."""
    return len(words_that_carry(quote)) < _LITTLE


def words_that_carry(text: str) -> list[str]:
    """The words that carry a subject; none where there are only others."""
    return [word for word in content_words(f"{text} qzx") if word != "qzx" and word not in NEGATIVE]


def telling_words(words: Sequence[str]) -> list[str]:
    return [word for word in words if not denies(word) and content_words(f"{word} qzx") != ["qzx"]]


def numbers_in(text: str) -> set[str]:
    """The values of the numbers in a text, in digits and words; "once" at the head of a clause is none."""
    words = folded_words(re.sub(r"(?i)(^|[.,;:]\s+)once\b", r"\1", text))
    return {number.lstrip("0") or "0" for number in _NUMBER.findall(text)} | {_VALUES[word] for word in words if word in _VALUES}


@cache
def words_in(text: str) -> str:
    """The folded words of a text between spaces, words of code as their parts."""
    return f" {' '.join(_PARTS.findall(index_form(text)))} "


def folded_words(text: str) -> set[str]:
    return {part for word in WORD.findall(index_form(text)) for part in (word, *re.split(r"['’-]", word))}


@cache
def parts_of(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The folded words of a text, also in their common spelling, and its words of code and what else is between spaces."""
    folded = index_form(text)
    words = folded_words(folded)
    codes = frozenset(one.strip(AROUND_CODE) for one in (*CODE.findall(folded), *folded.split()))
    return frozenset(words | {SYNONYMS[word] for word in words if word in SYNONYMS}), codes


def missing_from(words: Iterable[str], text: str) -> list[str]:
    """Of folded words those that a text has in no form and no spelling."""
    there, values = set(content_words(text)) | parts_of(text)[0], numbers_in(text)
    return [
        word
        for word in words
        if _VALUES.get(word, word) not in values and not any(inflected(SYNONYMS.get(word, word), other) for other in there)
    ]


def share(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether a word of one is among those of the other."""
    return any(inflected(SYNONYMS.get(word, word), SYNONYMS.get(there, there)) for word in one for there in other)


def denied_in(text: str, negative: Set[str] = DENYING) -> list[list[str]]:
    """For each negation of a text the telling words it may deny: those right after it in its clause, else those before it."""
    denied = []
    for part in _CLAUSE_END.split(_ASKS_WHETHER.sub("", _ANSWER.sub("\n", text))):
        words = plain_words(part)
        for at, (word, after) in enumerate(pairwise([*words, ""])):
            changes = word in CHANGE and telling_words([after])  # "instead write", not "instead of"
            is_mere = changes or after in _MERELY or (word == "stop" and not after.endswith("ing"))  # "not only", the "stop" hook
            if denies(word, negative) and not is_mere:
                denied.append(telling_words(words[at + 1 :])[:_REACH] or telling_words(words[:at])[-HEADS:][::-1])
    return denied


def denies(word: str, negative: Set[str] = DENYING) -> bool:
    return word in negative or (word.endswith("n't") and "not" in negative)
