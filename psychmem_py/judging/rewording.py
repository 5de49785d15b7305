"""Whether another wording says nothing that was not said. Pure, in every script, and in doubt no: what was said then stays.

Numbers, paths, names and words of code must stand in the sources, and what is denied must be what was denied there. Other words are
the reader's own as long as they are everyday ones and most of the sentence is not made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from psychmem_py.memory.change_cues import CHANGE, NEGATIVE, NEGATIVE_SIGNS, RIVALS
from psychmem_py.text.tokenizer import clip, content_words, index_form, stem
from psychmem_py.words import known, listed

LIMIT_CHARS = 240
# Of the telling words may be new: where the quote says little by itself, and where it is a sentence.
_NEW_SHARE, _NEW_SHARE_AGAIN = (0.6, 0.34)
_LEAST_SHARE = 0.4  # of a sentence that may stand for the whole
_LITTLE = 3  # telling words; a quote of fewer is an answer to what was said before
_REACH, _HEADS = 8, 3  # telling words after a negation that it may speak of, and those that it surely does
_FEW = 5  # telling words of a short sentence
_NUMBER_WORDS, _MERELY = known("number_words"), known("merely")
_BUILDING_SIGNS = frozenset("".join(listed("building_signs")))
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,:/-]\d+)*(?![^\W_])")
_MIXED = re.compile(r"(?<![^\W_])(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])[^\W_]+")
# A word of code or a path: something between its letters that prose has not, or a capital inside.
_CODE = re.compile(
    r"`[^`\n]+`|(?<![\w.@~$-])(?=[\w.@~$-]{0,80}[/\\_@$#=<>|*][\w./\\@~$-])[\w./\\_@$#=<>|*:~-]+|(?<![\w-])--?[A-Za-z][\w-]*|(?<!\w)\w\w+(?:\.\w+)+|(?<![^\W\d_])[^\W\d_]{0,80}?[a-z][A-Z]\w*"
)
_EITHER = re.compile(r"[^\W\d_]{1,40}/[^\W\d_]{1,40}")  # "settings/hooks": no path, where both words were said
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ASIDE = re.compile(r" ?\([^()]{0,200}\)")
_CONDITIONS = ("once ", "when ", "if ", "unless ")
_JOINT = re.compile(r"[,;:]\s|\s[–—-]\s")
_SENTENCE_END = re.compile(r"\n+|(?<=[?!？。])\s*|(?<=[^\W\d_][^\W_]\.)\s+")
_OPTION = re.compile(r"(?i)\b(?:option|variant|choice)\s+([a-z]|\d{1,2})\b")
_MARKUP = str.maketrans("", "", "*_`#>…")
_UNSPACED = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KATAKANA = re.compile(r"[\u30a1-\u30ff]{2,}")
_BEFORE_A_SENTENCE = re.compile(r"(?:^|[.!?;:。！？«\"“(])\s*$")
_PART = re.compile(r"[\n,.:;!?()（）。，、！？…]|\s[-–—]\s")
# "No, 8081": an answer, not a denial.
_NO = "|".join(listed("answers_no"))
_ANSWER = re.compile(rf"(?:^|[.!?\n]\s{{0,20}})(?:{_NO})(?:\s*[,،!:](?=\s)|\s*(?=[.\n]|$))", re.IGNORECASE)
_SAYS_NO = re.compile(rf"\s{{0,9}}(?:{_NO})(?!\w)", re.IGNORECASE)
_RIVALS = {name for kind in RIVALS for name in kind}

_ABSTRACT = ("ing", "tion", "ment", "ness", "ity")  # endings of English words that name no thing
_ENDS = (("s", ""), ("es", ""), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e"), ("er", ""), ("r", ""), ("ly", ""))  # of English


class KnownWords(NamedTuple):
    """What the languages at hand are made of; see `languages.files.everyday`."""

    everyday: Set[str] = frozenset()  # words that name nothing
    software: Set[str] = frozenset()  # names of software, written small too
    nouns_are_capital: bool = False  # in German a capital tells no name


NO_WORDS = KnownWords()


def borne_out(text: str, quote: str, previous: str = "", around: str = "", known: KnownWords = NO_WORDS) -> bool:
    """Whether `text` may stand for `quote`, an answer to `previous`: everything telling in it stands there, and nothing is turned round.

    Other words may also come from `around`, what else was said at that time.
    """
    sources = f"{quote}\n{previous}"
    there = _folded(sources)
    return (
        0 < len(text) <= LIMIT_CHARS
        and _numbers(text) <= _numbers(sources)
        and set(_MIXED.findall(index_form(text))) <= there
        and _code_known(text, sources)
        and all(_is_said(name, there, sources) for name in _names(text, around, known))
        and not (_folded(text) & (known.software | _RIVALS)) - there
        and _signs_known(text, sources)
        and _words_known(text, quote, sources, around, known)
        and _same_denials(text, quote, previous)
    )


def supported(text: str, quote: str, previous: str = "", around: str = "", known: KnownWords = NO_WORDS) -> str:
    """`text`, or what of it is borne out: without its asides, its end, or one of two sentences; "" where that is too little of it."""
    without_asides = _ASIDE.sub("", text)
    ends = [match.start() for match in _JOINT.finditer(without_asides)]
    starts = () if text.lower().startswith(_CONDITIONS) else reversed(ends)  # a condition alone says nothing
    parts = [text, without_asides, *(without_asides[:end] for end in starts)]
    parts += [without_asides[end + 1 :].strip() for end in ends if without_asides[end] in ";:"]
    long_enough = (part.strip() for part in parts if len(part) >= _LEAST_SHARE * len(text))
    part = next((part for part in long_enough if borne_out(part, quote, previous, around, known)), "")
    return part[:1].upper() + part[1:] if part != text else part


def written_out(quote: str, previous: str) -> str:
    """A bare answer with the question or the option it answers, in the words of `previous`; the answer alone where it is none."""
    words, option = _plain(quote), _OPTION.search(quote)
    if len(words) > 1 and _carrying(quote) and not (option and len(words) <= _FEW):
        return quote
    label = (option.group(1).lower() if option else words[0]) if words else ""
    asked = [line for line in map(_unmarked, _SENTENCE_END.split(previous)) if line]
    questions = [line for line in asked if line.endswith(("?", "？"))]
    picked = [
        line
        for line in asked
        if label and index_form(line).startswith(tuple(f"{label}{end}" for end in (")", ".", ":", " -", " –")))
    ]
    about = [*questions[-1:], *(picked[-1:] or [quote])] if questions or picked else [*asked[-1:], quote]
    return clip(" ".join(about), LIMIT_CHARS)


def _unmarked(line: str) -> str:
    return " ".join(line.translate(_MARKUP).split()).removeprefix("- ").removeprefix("Option ").strip()


def says_little(quote: str) -> bool:
    """Whether a quotation is understood only with what it answers: "b", "yes, do it"."""
    return len(_carrying(quote)) < _LITTLE


def _carrying(text: str) -> list[str]:
    """The words that carry a subject; none where there are only others."""
    return [word for word in content_words(f"{text} qzx") if word != "qzx" and word not in NEGATIVE]


def _numbers(text: str) -> set[str]:
    """Numbers in digits and words; "once" at the head of a clause is none."""
    words = _folded(re.sub(r"(?i)(^|[.,;:]\s+)once\b", r"\1", text))
    return {number.lstrip("0") or "0" for number in _NUMBER.findall(text)} | (words & _NUMBER_WORDS)


def _code_known(text: str, sources: str) -> bool:
    folded = index_form(sources)
    there = {part.strip("`.,:;()'\"@") for part in (*_CODE.findall(folded), *folded.split())} | _folded(sources)
    named = (code.strip("`.,:;@") for code in map(index_form, _CODE.findall(text)))
    return all(code in there or (_EITHER.fullmatch(code) and there.issuperset(code.split("/"))) for code in named)


def _names(text: str, around: str, known: KnownWords) -> list[str]:
    """Words written with a capital: all but ordinary ones at the head of a sentence, in capitals or, in German, anywhere."""
    names = []
    for match in _WORD.finditer(text):
        word = match.group()
        may_be_none = known.nouns_are_capital or word.isupper() or _BEFORE_A_SENTENCE.search(text[: match.start()])
        if word[0].isupper() and not (
            may_be_none and all(_is_ordinary(part, around, known) for part in re.split(r"['’-]", word))
        ):
            names.append(word)
    return names + _KATAKANA.findall(text)


def _is_ordinary(word: str, around: str, known: KnownWords) -> bool:
    """Whether a word names nothing: a common one, an everyday one in some form, or one that was written small."""
    folded = index_form(word)
    return (
        folded in NEGATIVE
        or content_words(f"{folded} qzx") == ["qzx"]
        or _is_everyday(folded, known)
        or (not word.isupper() and folded in _small(around))
    )


@cache
def _small(text: str) -> frozenset[str]:
    """The words of a text that are written small, folded."""
    return frozenset(index_form(word) for word in _WORD.findall(text) if word[0].islower())


def _is_everyday(folded: str, known: KnownWords) -> bool:
    if folded.endswith(_ABSTRACT):
        return True
    forms = (folded[: -len(end)] + more for end, more in _ENDS if folded.endswith(end) and len(folded) > len(end) + 2)
    return folded in known.everyday or any(form in known.everyday for form in forms)


def _is_said(name: str, there: Set[str], sources: str) -> bool:
    """Whether a name stands in the sources; with another ending only in scripts and languages that decline names."""
    folded = index_form(name)
    if folded in there or (not name.isascii() and name in sources):
        return True
    base = folded.removesuffix("'s").removesuffix("’s").removesuffix("s")
    if any(word.removesuffix("'s").removesuffix("s") == base for word in there):
        return True
    return not folded.isascii() and any(_inflected(folded, word) for word in there)


def _folded(text: str) -> set[str]:
    return {part for word in _WORD.findall(index_form(text)) for part in (word, *re.split(r"['’-]", word))}


def _signs_known(text: str, sources: str) -> bool:
    """Whether every sign of a script without spaces stands in the sources, apart from those that only build sentences."""
    return set(_UNSPACED.findall(text)) <= set(_UNSPACED.findall(sources)) | _BUILDING_SIGNS | set("".join(NEGATIVE_SIGNS))


def _words_known(text: str, quote: str, sources: str, around: str, known: KnownWords) -> bool:
    """Whether enough of the words that carry a subject stand in the sources in some form, and the others are everyday ones; in scripts
    without capitals, where a name looks like any word, all of them.
    """
    telling = [word for word in content_words(text) if word not in NEGATIVE]
    new = _not_in(telling, sources)
    if any(not word[0].isascii() and word[0].upper() == word[0].lower() and not _UNSPACED.match(word) for word in new):
        return all(_is_kana(word) for word in new)
    strange = [word for word in _not_in(new, around) if not _is_everyday(word, known)]
    share = _NEW_SHARE if says_little(quote) or known.everyday else _NEW_SHARE_AGAIN
    return len(strange) <= max(1, len(telling) // 5) and len(new) <= share * len(telling) and _speaks_of(telling, quote, sources)


def _speaks_of(telling: Sequence[str], quote: str, sources: str) -> bool:
    """Whether some of the telling words are the quote's own; of what was said before, where that tells too little."""
    own = telling if (little := says_little(quote)) else _carrying(quote)
    there = sources if little else " ".join(telling)
    return len(own) - len(_not_in(own, there)) >= min(len(own), 2 if little or len(own) > _FEW else 1)


def _not_in(words: Iterable[str], text: str) -> list[str]:
    """Of folded words those that a text has in no form."""
    there = set(content_words(text)) | _folded(text)
    return [word for word in words if not any(_inflected(word, other) for other in there)]


def _is_kana(word: str) -> bool:
    return all("\u3040" <= sign <= "\u309f" or _UNSPACED.match(sign) for sign in word)


def _inflected(one: str, other: str) -> bool:
    """Whether two folded words are forms of one: the same stem, or a common beginning that is most of the shorter one."""
    if one == other or stem(one) == stem(other):
        return True
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shorter = min(len(one), len(other))
    return common >= max(3, shorter - 1 - (shorter > 6)) and abs(len(one) - len(other)) <= max(4, shorter // 2)


def _same_denials(text: str, quote: str, previous: str) -> bool:
    """Whether only what is denied in the sources is denied, and nothing that is denied there is told as so."""
    little = says_little(quote)
    signed = [any(sign in one for sign in NEGATIVE_SIGNS) for one in (text, quote)]
    if signed[0] < signed[1] or (signed[0] > signed[1] and not little):
        return False
    if any(text.count(sign) > (quote + previous).count(sign) for sign in NEGATIVE_SIGNS):
        return False
    both = f"{quote}\n{previous}"
    there = {word for denied in _denied(both) for word in denied}
    there |= {word for denied in _denied(both, CHANGE) for word in denied[:_HEADS]}  # "instead of": as good as denied
    if _SAYS_NO.match(quote):
        there |= set(_telling(_plain(previous)))
    mine = _denied(text)
    if not all(_share(denied[:_FEW], there) for denied in mine if denied):
        return False
    stated = set(_telling(_plain(text))).difference(*mine)
    before = [] if _carrying(quote) else _denied(previous)  # what a bare "yes" agrees to
    free = set(_telling(_plain(previous))).difference(*before)  # said there in both ways: nothing follows
    lost = [(one, set[str]()) for one in _denied(quote)] + [(one, free) for one in before]
    return not any(
        _share([word], stated) and not _share([word], both_ways)
        for one, both_ways in lost
        if not any(_share(one, other) for other in mine)
        for word in one[:_HEADS]
    )


def _plain(text: str) -> list[str]:
    return [word.replace("’", "'") for word in re.findall(r"[\w'’]+", index_form(text))]


def _denied(text: str, negative: Set[str] = NEGATIVE) -> list[list[str]]:
    """For each negation of a text the telling words it may speak of: those right after it in its clause, else those right before it."""
    denied = []
    for part in _PART.split(_ANSWER.sub("\n", text)):
        words = _plain(part)
        for at, (word, after) in enumerate(pairwise([*words, ""])):
            if _denies(word, negative) and not _is_mere_word(word, words[at - 1] if at else "", after):
                denied.append(_telling(words[at + 1 :])[:_REACH] or _telling(words[:at])[-_HEADS:][::-1])
    return denied


def _is_mere_word(word: str, before: str, after: str) -> bool:
    """Whether a word that may deny does not: "not only", the "stop" hook, compared "against"."""
    if word == "against":
        return not before.startswith(("decid", "is", "are", "am", "was", "i'm", "we're", "vot"))
    if word in CHANGE and _telling([after]):
        return True  # "instead write", not "instead of"
    return after in _MERELY or (word == "stop" and not after.endswith("ing"))


def _denies(word: str, negative: Set[str]) -> bool:
    return word in negative or word.endswith("n't")


def _telling(words: Sequence[str]) -> list[str]:
    return [word for word in words if not _denies(word, NEGATIVE) and content_words(f"{word} qzx") != ["qzx"]]


def _share(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether a word of one is among those of the other."""
    return any(_inflected(word, there) for word in one for there in other)
