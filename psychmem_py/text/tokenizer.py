"""The only tokeniser: words of a text for the index, queries, comparing and hashing; every hook loads it."""

from __future__ import annotations

import unicodedata
from _blake2 import blake2b  # hashlib loads OpenSSL: 4 ms that every hook would pay
from _collections_abc import Iterable
from itertools import groupby, pairwise

from psychmem_py.text.dates import dates_named
from psychmem_py.words import lists_by_key, simplified, word_list, word_set

ENGLISH, OTHER = word_set("stop_words.en"), word_set("stop_words")
LATIN_SETS = {code: frozenset(words) for code, words in lists_by_key("stop_words").items() if code != "en"}
_PAIRS = word_list("synonyms")
SYNONYMS = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
WHOLE_NAMES = word_set("whole_names")
ENDINGS, BEGINNINGS = lists_by_key("endings"), lists_by_key("beginnings")
_ALWAYS_DROPPED = ENGLISH | OTHER
_JOINED_CHARS = 24  # longer compounds are paths: their parts are enough
_EXTRA = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "ى": "ي", "ة": "ه"})
# No regular expressions here: loading and compiling them costs a hook 5 ms of CPU, more than reading the prompt does.
_ASCII_WORDS = "".join(char if char.islower() or char.isdigit() else " " for char in map(chr, range(128)))  # of folded text
_ASCII_COMPOUNDS = "".join(char if char.isalnum() or char in "-_." else " " for char in map(chr, range(128)))
_UNSPACED = "\u0e00\u0e7f \u1100\u11ff \u3040\u30ff \u3130\u318f \u3400\u4dbf \u4e00\u9fff \uac00\ud7af \uf900\ufaff".split(" ")
_MARKS = "\u0900\u0903 \u093a\u094f \u0951\u0957 \u0962\u0963 \u0981\u0983 \u09bc\u09cd".split(" ")  # of Devanagari, Bengali
_DROPPED = "\u0300\u036f \u0610\u061a \u0640\u0640 \u064b\u065f \u0670\u0670 \u200c\u200d \u00ad\u00ad".split(" ")
_WITH_SIGNS = (("c++", "cpp "), ("c#", "csharp "), ("f#", "fsharp "))
_NOTHING = {code: None for span in _DROPPED for code in range(ord(span[0]), ord(span[1]) + 1)}
_SIMPLIFIED: dict[int, int] = {}
_TELLING_LETTERS = frozenset("ABCDEFGHJKLMNOPQRSTUVWXYZ")
_STAYS = 2  # syllables, at least, before a Korean particle
_HIRAGANA = frozenset(map(chr, range(0x3041, 0x30A0)))
_LEAST = 3  # letters that stay


def index_form(text: str) -> str:
    """`text` without case, accents, vowel points, joiners and full-width forms; "C#" is csharp. Its length may change."""
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFKD", text.casefold().translate(_EXTRA)).translate(_NOTHING)
        folded = unicodedata.normalize("NFC", folded)
    for name, spelling in _WITH_SIGNS if "#" in folded or "++" in folded else ():
        parts = folded.split(name)
        folded = parts[0] + "".join((name if end[-1:].isalnum() else spelling) + part for end, part in pairwise(parts))
    return folded


def words(text: str) -> list[str]:
    """Every word, folded, in order; runs of scripts without spaces as overlapping pairs of signs."""
    if (folded := index_form(text)).isascii():
        return folded.translate(_ASCII_WORDS).split()
    tokens: list[str] = []
    for sign, run in _runs(folded):
        if sign == "pairs":
            tokens += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        elif sign:
            tokens.append(run)
    return tokens


def _runs(folded: str) -> list[tuple[str, str]]:
    return [(sign, "".join(chars)) for sign, chars in groupby(folded, _sign)]


def _sign(char: str) -> str:
    """What a character of folded text is part of: a "word", "pairs" in a script without spaces, or "" for nothing."""
    if char >= "\u0e00" and any(span[0] <= char <= span[1] for span in _UNSPACED):
        return "pairs"
    return "word" if char.isalnum() or any(span[0] <= char <= span[1] for span in _MARKS) else ""


def content_words(text: str) -> list[str]:
    """The words that carry a subject, in order; all of them when nothing else would be left."""
    return carrying_words(words(text))


def carrying_words(every: list[str], *, or_all: bool = True) -> list[str]:
    """`content_words` of a text whose words are at hand: those that are no stop words of a language the text may be in."""
    dropped = _ALWAYS_DROPPED
    english = len([word for word in every if word in ENGLISH])
    for stops in LATIN_SETS.values():
        if stops.isdisjoint(every):  # nearly always, and ten times as quick as to count
            continue
        # One foreign stop word in an English sentence is a word of the trade: "bin", "dir", "die", "van".
        hits = len([word for word in every if word in stops])
        if hits > max(1, english) or (hits and 2 * hits >= len(every) > 2 and hits >= english):
            dropped |= stops
    return [word for word in every if word not in dropped] or (every if or_all else [])


def _parts(text: str) -> list[str]:
    """What compounds of a text offer besides their words: pieces of camelCase, and the joined form of short compounds."""
    parts: list[str] = []
    for runs in _compounds(text):
        pieces = [piece for run in runs for piece in run.split("_") if piece]
        chars = sum(map(len, runs)) + len(runs) - 1
        if len(pieces) > 1 and chars <= _JOINED_CHARS and not any(piece[0].isdigit() for piece in pieces):
            parts.append("".join(pieces))
        for piece in pieces:
            if len(humps := _humps(piece)) > 1 and piece.lower() not in WHOLE_NAMES:
                parts += humps
    return [index_form(part) for part in parts if len(part) > 1]


def _compounds(text: str) -> list[list[str]]:
    """Paths, file names, hyphenated words, snake_case and camelCase, each as what stands between its dashes and dots."""
    spaced = (one if one.isalnum() or one in "-_." else " " for one in text)
    plain = text.translate(_ASCII_COMPOUNDS) if text.isascii() else "".join(spaced)
    compounds = []
    for word in plain.split():
        for joined, runs in groupby(word.replace("-", ".").split("."), bool):  # an empty run: two signs in a row join nothing
            chain = list(runs)
            first = chain[0]
            humps = not first.islower() and any("a" <= one <= "z" and "A" <= other <= "Z" for one, other in pairwise(first))
            if joined and (len(chain) > 1 or "_" in first[1:-1] or humps):
                compounds.append(chain)
    return compounds


def _humps(piece: str) -> list[str]:
    """The words of camelCase: "getHTTPServer" is get, HTTP, Server. Single letters are none."""
    humps: list[str] = []
    start, end = 0, len(piece)
    while start < end:
        small = start
        while small < end and "A" <= piece[small] <= "Z":
            small += 1
        after = small
        while after < end and "a" <= piece[after] <= "z":
            after += 1
        head = small - 1 if small > start and after > small else small  # the last capital belongs to the small letters
        if head - start >= 3:  # capitals in a row that are a word of their own
            humps.append(piece[start:head])
        if after - small > 1:
            humps.append(piece[head:after])
        start = max(after, start + 1)
    return humps


def counted(every: Iterable[str]) -> dict[str, int]:
    """How often each word comes; what `collections` would be loaded for, 1 ms of CPU."""
    counts: dict[str, int] = {}
    for word in every:
        counts[word] = counts.get(word, 0) + 1
    return counts


def _one_spelling(every: Iterable[str]) -> list[str]:
    return [SYNONYMS.get(word, word) if word.isascii() else stem(word) if word < "\u2e80" else _of_signs(word) for word in every]


def _of_signs(word: str) -> str:
    if not any("\u3400" <= char <= "\u9fff" for char in word):
        return word
    if not _SIMPLIFIED:
        _SIMPLIFIED.update(simplified())
    return word.translate(_SIMPLIFIED)


def _named_by_letter(text: str) -> list[str]:
    """What one capital letter tells apart, joined: "Building A" is buildinga. Not the pronoun I, nor a sentence's first one."""
    pieces = text.split()
    bare = [piece.strip("()[]{}'\"`*_,;:.!?") for piece in pieces]
    return [
        index_form(before + letter)
        for piece, before, letter in zip(pieces, bare, bare[1:], strict=False)
        if letter in _TELLING_LETTERS and before.isalpha() and len(before) > 1 and piece[-1].isalpha()
    ]


def search_terms(text: str) -> str:
    """The words under which a text is indexed, separated by spaces, in the order of the text."""
    return " ".join([*_one_spelling([*words(text), *_parts(text)]), *_named_by_letter(text)])


def phrase_terms(text: str) -> str:
    """The words of a phrase as they stand beside each other in the index."""
    return " ".join(_one_spelling(words(text)))


def query_terms(text: str, *, grammar: bool = True) -> list[str]:
    """What to ask the index for, each once: content words (or words of grammar, if `grammar`), parts of identifiers, dates."""
    every = words(text)
    carrying = _one_spelling(carrying_words(every, or_all=grammar))
    parts, dates = _one_spelling(_parts(text)), dates_named(index_form(text), every)
    idle = {date[-4:] for date in dates} | (set() if text.isascii() else _idle_pairs(index_form(text)))  # the year is the month's
    asking = [word for word in carrying if word not in idle] or (carrying if grammar else [])
    return list(dict.fromkeys([*asking, *_named_by_letter(text), *parts, *dates]))


def _idle_pairs(folded: str) -> set[str]:
    """The pairs of a text in a script without spaces that are not worth asking for, in the spelling of the index."""
    japanese = not _HIRAGANA.isdisjoint(folded)
    chinese = frozenset("".join(word_list("particles.zh")))  # simplified, as the index spells them

    def is_grammar(pair: str) -> bool:
        """Whether a pair has a Chinese particle, or hiragana that is no verb's ending behind its sign."""
        if not japanese:
            return not chinese.isdisjoint(pair)
        is_verb = "\u3400" <= pair[0] <= "\u9fff" and pair[1] not in "".join(word_list("particles.ja"))
        return pair[0] in _HIRAGANA or (pair[1] in _HIRAGANA and not is_verb)

    idle = set[str]()
    for run in ("".join(_one_spelling([run])) for sign, run in _runs(folded) if sign == "pairs"):
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        if "\uac00" <= run[0] <= "\ud7af":  # Hangul
            ends = (len(run) - len(end) for end in word_list("particles.ko") if run.endswith(end))
            idle.update(pairs[next((stays for stays in ends if stays >= _STAYS), len(run)) - 1 :])
        else:
            idle.update(filter(is_grammar, pairs))
    return idle


def normalised(text: str) -> str:
    """`text` without differences of case, spacing and composition: two texts that agree here are the same statement."""
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def digest(text: str) -> str:
    """32 hex digits that are equal for texts whose normalised forms are equal."""
    return blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def subject(text: str) -> frozenset[str]:
    """The different content words of a text in the index's spelling: what it is about."""
    return frozenset(_one_spelling(content_words(text)))


def clip(text: str, limit_chars: int) -> str:
    """`text` on at most `limit_chars` characters, cut at a word where one ends near, with an ellipsis when cut."""
    if len(text) <= limit_chars:
        return text
    head = text[: max(0, limit_chars - 1)]
    space = head.rfind(" ")
    return (head[:space] if space > 0.7 * len(head) else head).rstrip(" ,;:.-") + "…" if limit_chars > 0 else ""


def stem(word: str) -> str:
    """A folded word without its commonest ending, by its script; a wrong cut costs little: both sides are cut alike."""
    if word.isascii():
        one = word if word.endswith("ss") else _without(word, ("s",))
        bare = _without(one, ("ing", "ed", "e")) if len(one) > _LEAST + 1 else one
        doubled = bare != one and len(bare) > _LEAST and bare[-1] == bare[-2] and bare[-1] not in "lsfz"
        return bare[:-1] if doubled else bare  # "committing"
    if "\u0400" <= (first := word[0]) <= "\u04ff":
        return _without(_without(word, word_list("reflexive_endings.ru")), ENDINGS["ru"])
    if "\u0600" <= first <= "\u06ff":
        front = next((front for front in BEGINNINGS["ar"] if word.startswith(front) and len(word) - len(front) >= _LEAST), "")
        return _without(word[len(front) :], ENDINGS["ar"])
    return _without(word, ENDINGS["hi"]) if "\u0900" <= first <= "\u097f" else word


def _without(word: str, endings: tuple[str, ...]) -> str:
    return next((word[: -len(end)] for end in endings if word.endswith(end) and len(word) - len(end) >= _LEAST), word)
