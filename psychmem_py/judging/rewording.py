"""Whether another wording says nothing that was not said. Pure, in every script, and in doubt no: the rules' wording then stays.

Numbers, paths, names and words of code must stand in the sources as they are, most other words in some form; what is denied must
be what was denied there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from psychmem_py.judging.compiled_words import ANSWERS_NO, BUILDING_SIGNS, NUMBER_WORDS
from psychmem_py.memory.compiled_words import NEGATIVE, NEGATIVE_SIGNS, VALUE
from psychmem_py.text.tokenizer import content_words, index_form, stem

LIMIT_CHARS = 240
_NEW_SHARE = 0.34  # of the words may be new: "this repository" for "here"
_NEAR = 3  # words after a negation that it may speak of
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
# A word of code or a path: something between its letters that prose has not, or a capital inside.
_CODE = re.compile(
    r"`[^`\n]+`|(?<![\w.@~$-])(?=[\w.@~$-]{0,80}[/\\_@$#=<>|*])[\w./\\_@$#=<>|*:~-]+|(?<![\w-])--?[A-Za-z][\w-]*|(?<!\w)\w+(?:\.\w+)+|(?<![^\W\d_])[^\W\d_]{0,80}?[a-z][A-Z]\w*"
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KATAKANA = re.compile(r"[\u30a1-\u30ff]{2,}")
_BEFORE_A_SENTENCE = re.compile(r"(?:^|[.!?;:。！？«\"“(])\s*$")
# "No, 8081": an answer, not a denial.
_ANSWER = re.compile(rf"(?:^|[.!?\n]\s{{0,20}})(?:{'|'.join(ANSWERS_NO)})\s*[,،!:](?=\s)", re.IGNORECASE)


def borne_out(text: str, sources: Sequence[str], sentence: str) -> bool:
    """Whether `text` may stand for `sentence`: everything telling in it stands in the sources, and nothing is turned round."""
    sources_text = "\n".join(sources)
    return (
        0 < len(text) <= LIMIT_CHARS
        and _numbers(text) <= _numbers(sources_text)
        and _code(text) <= _code(sources_text) | set(sources_text.split())
        and all(_named(name, sources_text) for name in _names(text))
        and _signs_known(text, sources_text)
        and _words_known(text, sources_text)
        and _same_denials(text, sentence, sources_text)
    )


def _numbers(text: str) -> set[str]:
    written = {word for word in _folded(text) if word in NUMBER_WORDS}
    return {number.lstrip("0") or "0" for number in _NUMBER.findall(text)} | written


def _code(text: str) -> set[str]:
    return {code.strip("`.,:;") for code in _CODE.findall(text)} - {""}


def _names(text: str) -> list[str]:
    """Words written with a capital: all but those that open a sentence and are used so often that they name nothing."""
    names = []
    for match in _WORD.finditer(text):
        word = match.group()
        opens = _BEFORE_A_SENTENCE.search(text[: match.start()])
        if word[0].isupper() and not (opens and _is_common(word)):
            names.append(word)
    return names + _KATAKANA.findall(text)


def _is_common(word: str) -> bool:
    folded = index_form(word)
    return folded in VALUE or folded in NEGATIVE or content_words(f"{folded} qzx") == ["qzx"]


def _named(name: str, sources_text: str) -> bool:
    """Whether a name stands in the sources; with another ending only in scripts and languages that decline names."""
    folded = index_form(name)
    known = _folded(sources_text)
    if folded in known or (not name.isascii() and name in sources_text):
        return True
    base = folded.removesuffix("'s").removesuffix("s")
    if base in known or any(word.removesuffix("'s").removesuffix("s") == base for word in known):
        return True
    return not folded.isascii() and any(_inflected(folded, word) for word in known)


def _folded(text: str) -> set[str]:
    return {part for word in _WORD.findall(index_form(text)) for part in (word, *re.split(r"['’-]", word))}


def _signs_known(text: str, sources_text: str) -> bool:
    """Whether every sign of a script without spaces stands in the sources, apart from those that only build sentences."""
    return set(_UNSPACED.findall(text)) <= set(_UNSPACED.findall(sources_text)) | BUILDING_SIGNS | set("".join(NEGATIVE_SIGNS))


def _words_known(text: str, sources_text: str) -> bool:
    """Whether most words that carry a subject stand in the sources in some form; in scripts without capitals, where a name looks
    like any word, all of them.
    """
    telling = [word for word in content_words(text) if word not in NEGATIVE]
    known = set(content_words(sources_text)) | _folded(sources_text)
    new = [word for word in telling if not any(_inflected(word, other) for other in known)]
    if any(not word[0].isascii() and word[0].upper() == word[0].lower() and not _UNSPACED.match(word) for word in new):
        return all(_is_kana(word) for word in new)
    return len(new) <= _NEW_SHARE * len(telling)


def _is_kana(word: str) -> bool:
    return all("\u3040" <= sign <= "\u309f" or _UNSPACED.match(sign) for sign in word)


def _inflected(one: str, other: str) -> bool:
    """Whether two folded words are forms of one: the same stem, or a common beginning that is most of the shorter one."""
    if one == other or stem(one) == stem(other):
        return True
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    shorter = min(len(one), len(other))
    return common >= max(3, shorter - 1 - (shorter > 6)) and abs(len(one) - len(other)) <= max(4, shorter // 2)


def _same_denials(text: str, sentence: str, sources_text: str) -> bool:
    """Whether the text denies where the sentence does, and only what was denied in the sources."""
    if _denies(sentence) != _denies(text):
        return False
    if any(text.count(sign) > sources_text.count(sign) for sign in NEGATIVE_SIGNS):
        return False
    there = [denied for part in re.split(r"[\n.;!?]", _ANSWER.sub("\n", sources_text)) for denied in _denied(part)]
    return all(any(_share(what, other) for other in there) for what in _denied(text))


def _denies(text: str) -> bool:
    return not NEGATIVE.isdisjoint(_plain(text)) or any(sign in text for sign in NEGATIVE_SIGNS)


def _plain(text: str) -> list[str]:
    return [word.replace("’", "'") for word in re.findall(r"[\w'’]+", index_form(_ANSWER.sub(" ", text)))]


def _denied(text: str) -> list[list[str]]:
    """For each negation of a text the telling words it may speak of: those right after it, else those right before it."""
    words = _plain(text)
    denied = []
    for at, word in enumerate(words):
        if word in NEGATIVE:
            after = _telling(words[at + 1 :])[:_NEAR]
            denied.append(after or _telling(words[:at])[-_NEAR:])
    return denied


def _telling(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in NEGATIVE and content_words(f"{word} qzx") != ["qzx"]]


def _share(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether the first word denied in one is among those denied in the other."""
    return not one or any(_inflected(one[0], word) for word in other)
