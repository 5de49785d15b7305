"""Text without case, accents and full-width forms, of the same length; and regular expressions compiled when first asked for."""

from __future__ import annotations

import unicodedata
from typing import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    import regex

# Letters that are no letter with an accent, and marks in one form; then Hindi letters with their dot.
_SPECIAL = dict(zip("ßæœøđłıё’‘ʼ＇`“”„أإآىةँـ،؛؟\u3000\u00a0", "saoodliе'''''\"\"\"ااايهंـ,;?  ", strict=True))
_SPECIAL |= dict(zip("\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f", "कखगजडढफय", strict=True))
_FOLDED: dict[str, str] = {}
_SELDOM_WRITTEN = str.maketrans("", "", "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670\u0640\u093c")
_CYRILLIC = dict(  # in Latin letters, so that a name is known again in either script; one letter of a kind, no accents
    zip("абвгдезийклмнопрстуфыэ", "abvgdeziyklmnoprstufye", strict=True)
) | {"ё": "e", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "yu", "я": "ya",
     "і": "i", "ї": "yi", "є": "ye", "ґ": "g"}  # fmt: skip
_GREEK = dict(zip("αβγδεζηικλμνοπρσςτυω", "abgdeziiklmnoprsstyo", strict=True)) | {
    "θ": "th", "ξ": "x", "φ": "f", "χ": "ch", "ψ": "ps", "ά": "a", "έ": "e", "ή": "i", "ί": "i", "ό": "o", "ύ": "y", "ώ": "o"}  # fmt: skip
_LATIN = _CYRILLIC | _GREEK
_TABLE = str.maketrans(_LATIN | {letter.upper(): latin.capitalize() for letter, latin in _LATIN.items()})


def _folded(char: str) -> str:
    """One character without case and accent, still one character, so that offsets stay true."""
    if char in _SPECIAL:
        return _SPECIAL[char]
    wide = unicodedata.normalize("NFKC", char)
    if (lower := (wide if len(wide) == 1 else char).lower()) in _SPECIAL:
        return _SPECIAL[lower]
    lower = lower[0] if lower else char  # "İ".lower() has two characters
    if lower > "\u02ff" and not "\u1e00" <= lower <= "\u1fff":  # accents mean another letter outside Latin and Greek
        return lower
    return base if (base := unicodedata.normalize("NFD", lower)[0]).isalpha() or not lower.isalpha() else lower


def fold(text: str) -> str:
    """`text` without case, Latin accents and full-width forms, of the same length."""
    if text.isascii():
        return text.lower().replace("`", "'")
    for char in set(text).difference(_FOLDED):  # not `- keys()`, which goes through all that are known
        _FOLDED[char] = _folded(char)
    return "".join(map(_FOLDED.__getitem__, text))


def bare(folded: str) -> str:
    """A folded word without signs mostly left out in writing (Arabic vowels and stretching, Hindi dots); only for comparing."""
    return folded if folded.isascii() else folded.translate(_SELDOM_WRITTEN)


def romanised(text: str) -> str:
    return text if text.isascii() else text.translate(_TABLE)


class LatePattern:
    """Stands for an expression that is compiled when it is first asked for anything."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        import regex  # noqa: PLC0415  # 20 ms that folding does without

        compiled = regex.compile(self._source, self._flags)
        for method in ("findall", "finditer", "match", "search", "sub"):
            setattr(self, method, getattr(compiled, method))  # asked directly from now on
        return getattr(compiled, name)


def late(source: str, flags: int = 0) -> regex.Pattern[str]:
    """`regex.compile`, later."""
    return cast("regex.Pattern[str]", LatePattern(source, flags))
