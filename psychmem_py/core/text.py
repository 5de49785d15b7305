"""The only tokeniser: words of a text for the index, for queries, for comparing and for hashing.

Standard library only and quick to import, because every hook loads it. What FTS5 indexes is made here and not left to its
tokenizer: scripts without spaces become pairs of signs, identifiers and paths are cut at their joints, words of the trade get
one spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

try:  # hashlib loads OpenSSL: 4 ms that every hook would pay
    from _blake2 import blake2b
except ImportError:  # an interpreter built without it
    from hashlib import blake2b

from psychmem_py.core.dates import asked, date_words
from psychmem_py.core.model import Memory
from psychmem_py.core.stems import stem
from psychmem_py.core.stopwords import ENGLISH, LATIN_SETS, OTHER
from psychmem_py.core.trade import SAME, WHOLE

INDEX_VERSION = 1  # raise when the same memory would be indexed by other words; the store then rebuilds its index

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_COMPOUND = re.compile(r"\w+(?:[-_.]\w+)+|\w*[a-z][A-Z]\w*")  # a path, a file name, snake_case, camelCase, a hyphenated word
_HUMP = re.compile(r"[A-Z]{3,}(?![a-z])|[A-Z]?[a-z]{2,}")
_JOINED_CHARS = 24  # longer compounds are paths: their parts are enough
_EXTRA = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "ى": "ي", "ة": "ه"})


@cache  # large classes take milliseconds to compile; English text never needs them
def _wide() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What folding drops (accents, harakat, joiners), a word of any script, a first sign of a script without spaces."""
    unspaced = "\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    marks = "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd"
    return (
        re.compile("[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u200c\u200d\u00ad]+"),
        re.compile(rf"[{unspaced}]+|(?:(?![{unspaced}_])[\w{marks}])+"),
        re.compile(f"[{unspaced}]"),
    )


def fold(text: str) -> str:
    """`text` without case, accents, vowel points and full-width forms. Its length may change."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_EXTRA))
    return unicodedata.normalize("NFC", _wide()[0].sub("", apart))


def words(text: str) -> list[str]:
    """Every word, folded, in order; runs of scripts without spaces as overlapping pairs of signs."""
    folded = fold(text)
    if folded.isascii():
        return _ASCII_WORD.findall(folded)
    found: list[str] = []
    _, word, unspaced = _wide()
    for run in word.findall(folded):
        if unspaced.match(run):
            found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        else:
            found.append(run)
    return found


def content_words(text: str) -> list[str]:
    """The words that carry a subject, in order; all of them when nothing else would be left."""
    return _content(words(text))


def _content(every: list[str]) -> list[str]:
    dropped = ENGLISH | OTHER
    english = sum(word in ENGLISH for word in every)
    for stops in LATIN_SETS.values():
        # One foreign stop word in an English sentence is a word of the trade: "bin", "dir", "die", "van".
        hits = sum(word in stops for word in every)
        if hits > max(1, english) or (hits and 2 * hits >= len(every) > 2 and hits >= english):
            dropped |= stops
    return [word for word in every if word not in dropped] or every


def _parts(text: str) -> list[str]:
    """What compounds of a text offer besides their words: pieces of camelCase, and the joined form of short compounds."""
    found: list[str] = []
    for compound in _COMPOUND.findall(text):
        pieces = [piece for piece in re.split(r"[-_.]", compound) if piece]
        if len(pieces) > 1 and len(compound) <= _JOINED_CHARS and not any(piece[0].isdigit() for piece in pieces):
            found.append("".join(pieces))
        for piece in pieces:
            humps = _HUMP.findall(piece)
            if len(humps) > 1 and piece.lower() not in WHOLE:
                found += humps
    return [fold(part) for part in found if len(part) > 1]


def _one_spelling(every: Iterable[str]) -> list[str]:
    return [SAME.get(word, word) if word.isascii() else stem(word) for word in every]


def search_terms(text: str) -> str:
    """The words under which a text is indexed, separated by spaces, in the order of the text."""
    return " ".join(_one_spelling([*words(text), *_parts(text)]))


def phrase_terms(text: str) -> str:
    """The words of a phrase as they stand beside each other in the index."""
    return " ".join(_one_spelling(words(text)))


def query_terms(text: str) -> list[str]:
    """What to ask the index for, each once: content words, parts of identifiers, and dates in the index's spelling."""
    every = words(text)
    return list(dict.fromkeys([*_one_spelling([*_content(every), *_parts(text)]), *asked(fold(text), every)]))


def index_text(memory: Memory) -> tuple[str, str, str, str]:
    """The four columns of the index: text, names, dates, context."""
    names = " ".join([*memory.names, *memory.tags])
    return search_terms(memory.text), search_terms(names), date_words(memory.created_at), search_terms(memory.context)


def normalised(text: str) -> str:
    """`text` without differences of case, spacing and composition: two texts that agree here are the same statement."""
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def digest(text: str) -> str:
    """32 hex digits that are equal for texts whose normalised forms are equal."""
    return blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def similarity(a: str, b: str) -> float:
    """Jaccard overlap of the content words (pairs of signs where a script has no spaces), in [0, 1]; symmetric."""
    one, other = subject(a), subject(b)
    return overlap(one, other) if one and other else float(normalised(a) == normalised(b))


def subject(text: str) -> frozenset[str]:
    """The different content words of a text in the index's spelling: what it is about."""
    return frozenset(_one_spelling(content_words(text)))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard overlap of two subjects, in [0, 1]; 0 when one is empty."""
    return len(one & other) / len(one | other) if one and other else 0.0


def clip(text: str, limit_chars: int) -> str:
    """`text` on at most `limit_chars` characters, cut at a word where one ends near, with an ellipsis when cut."""
    if len(text) <= limit_chars:
        return text
    head = text[: max(0, limit_chars - 1)]
    space = head.rfind(" ")
    return (head[:space] if space > 0.7 * len(head) else head).rstrip(" ,;:.-") + "…" if limit_chars > 0 else ""
