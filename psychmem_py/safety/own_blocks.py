"""Our own blocks and lines, found in a text however mangled, so that they are never read as somebody's words."""

from __future__ import annotations

import re

from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.fence import CLASS_LABELS

_OPEN, _NAME = r"(?:[<‹＜〈]|&lt;|\\u003c)", r"psych[\s_*-]*mem[\s_*-]*memory"


_OURS = re.compile(
    # Opened and closed, or never closed; then a closing line whose opening is gone; the block of MEMORY.md; its lines wherever they stand.
    rf"{_OPEN}\s*{_NAME}\b.*?(?:{_OPEN}\s*[/\\]\s*{_NAME}\b[^>›＞\n]*[>›＞]?|\Z)"
    rf"|\A(?:(?!{_OPEN}\s*{_NAME}).)*?{_OPEN}\s*[/\\]\s*{_NAME}\b[^\n]*"
    rf"|{_OPEN}!-+\s*psychmem:(?:start|topic).*?(?:{_OPEN}!-+\s*psychmem:end[^\n]*|\Z)"
    r"|\bPsychMem\W{0,5}notes from earlier sessions[^\n]*|\bPerhaps of use, from earlier sessions[^\n]*",
    re.DOTALL | re.IGNORECASE,
)


_OUR_LINE = re.compile(
    rf"^[ \t>|]*[-*•][ \t].*\((?:{'|'.join(CLASS_LABELS.values())})(?:, [^()\n]*)?\)[ \t]*$",
    re.MULTILINE,
)


def without_our_blocks(text: str) -> str:
    """`text`, cleaned, with what we had put there blanked to spaces of the same length; an unclosed block reaches to the end.

    Known by its marks however they are mangled, by its first words, and line by line by the ending that every memory carries.
    """
    text = clean(text)
    if "mem" in text.lower() or "Perhaps of use" in text:
        text = _OURS.sub(_blank, text)
    return _OUR_LINE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())
