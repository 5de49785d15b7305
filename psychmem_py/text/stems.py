"""Words of scripts that English stemming does not reach, without their commonest endings: light and by script.

The script decides, so no language need be known; a wrong cut costs little because both sides are cut alike.
"""

from __future__ import annotations

_LEAST = 3  # letters that stay
# Longest first. Russian: cases of nouns and adjectives, persons of verbs, reflexive.
_CYRILLIC = tuple(
    """иями ями ами ыми ими ого его ому ему ать ять ить еть уть ает яет ует ают яют уют ешь ишь ете ите али или ела ила ало ило
    лся лась лись ться ией иям иях ия ие ии ию ов ев ей ой ый ий ая яя ое ее ые ие ую юю ом ем ым им ах ях ам ям ет ит ют
    ут ят ат ла ло ли ть а я о е ы и у ю ь й""".split()
)
_ARABIC_FRONT = ("وال", "بال", "كال", "فال", "لل", "ال")
_ARABIC_END = ("هما", "كما", "ات", "ون", "ين", "ان", "ها", "هم", "نا", "يه", "ه", "ي")
_DEVANAGARI = tuple("ियों ाओं ुओं ाएं ाएँ ियाँ ियां ों ें ओं एं ाँ ीं ो े ू ु ी ि ा".split())


def stem(word: str) -> str:
    """A folded word without its ending; unchanged in scripts that need nothing here."""
    first = word[0]
    if "\u0400" <= first <= "\u04ff":
        return _without(_without(word, ("ся", "сь")), _CYRILLIC)
    if "\u0600" <= first <= "\u06ff":
        front = next((front for front in _ARABIC_FRONT if word.startswith(front) and len(word) - len(front) >= _LEAST), "")
        return _without(word[len(front) :], _ARABIC_END)
    if "\u0900" <= first <= "\u097f":
        return _without(word, _DEVANAGARI)
    return word


def _without(word: str, endings: tuple[str, ...]) -> str:
    return next((word[: -len(end)] for end in endings if word.endswith(end) and len(word) - len(end) >= _LEAST), word)
