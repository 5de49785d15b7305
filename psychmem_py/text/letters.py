"""Cyrillic and Greek written in Latin letters, so that a name is known again in either script; one letter of a kind, no accents."""

from __future__ import annotations

_CYRILLIC = dict(
    zip("абвгдезийклмнопрстуфыэ", "abvgdeziyklmnoprstufye", strict=True)
) | {"ё": "e", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "yu", "я": "ya",
     "і": "i", "ї": "yi", "є": "ye", "ґ": "g"}  # fmt: skip
_GREEK = dict(zip("αβγδεζηικλμνοπρσςτυω", "abgdeziiklmnoprsstyo", strict=True)) | {
    "θ": "th", "ξ": "x", "φ": "f", "χ": "ch", "ψ": "ps", "ά": "a", "έ": "e", "ή": "i", "ί": "i", "ό": "o", "ύ": "y", "ώ": "o"}  # fmt: skip
_LATIN = _CYRILLIC | _GREEK
_TABLE = str.maketrans(_LATIN | {letter.upper(): latin.capitalize() for letter, latin in _LATIN.items()})


def romanised(text: str) -> str:
    """The text with Cyrillic and Greek letters in Latin ones."""
    return text if text.isascii() else text.translate(_TABLE)
