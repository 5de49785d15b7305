"""Makes hostile text harmless: removes characters that are invisible, steer a terminal or change the direction of writing."""

from __future__ import annotations

import unicodedata

_ANSI = (
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\|$)|[P^_X][^\x1b]*(?:\x1b\\|$)|[ -/]*[0-~]?)|\x9b[0-?]*[ -/]*[@-~]"
)
# Controls but tab, newline; soft hyphen, fillers, zero width, bidi, invisible operators, variation supplements, tags, surrogates.
_INVISIBLE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_NAME_CHARS = 60
TAG_CHARS = 100  # of a tag, which is one line


def clean(text: str) -> str:
    """`text` in NFC without escape sequences, control, bidi, zero-width, tag and filler characters; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    import re  # noqa: PLC0415  # 3 ms of CPU, which a start with plain memories does without

    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    return unicodedata.normalize("NFC", re.sub(_INVISIBLE, "", re.sub(_ANSI, "", text)))  # `re` keeps what it has compiled


def line(text: str) -> str:
    """`clean` text on a single line, runs of white space as one space."""
    return " ".join(clean(text).split())


def as_name(text: str) -> str:
    """A name that somebody else chose as one word of at most 60 signs, which no reader takes for a sentence of ours."""
    words = "".join(char if char in "._-/@+" or unicodedata.category(char)[0] in "LMN" else " " for char in line(text)).split()
    return "-".join(words)[:_NAME_CHARS]


def escaped(text: str) -> str:
    """JSON `text` with each character that `clean` would remove as an escape: the same value, nothing a terminal obeys."""
    import re  # noqa: PLC0415  # exports alone
    from json import dumps  # noqa: PLC0415

    return re.sub(_INVISIBLE, lambda match: dumps(match.group())[1:-1] if match.group() not in "\n\r" else match.group(), text)
