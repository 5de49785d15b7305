"""What of a MEMORY.md the client puts before the model. Asked at starts and prompts, so without regular expressions. Pure.

What the client does with the file is measured: front matter and block comments are stripped, then the first 200 lines and 25,000
UTF-16 units are kept.
"""

from __future__ import annotations

from psychmem_py.text.front_matter import after_line, end_of_front
from psychmem_py.text.utf16 import units

FILE_LINES = 200  # the client's limits for the whole file
FILE_UNITS = 25_000


def visible_lines(text: str) -> frozenset[str]:
    """The lines of a MEMORY.md that the client puts before the model."""
    kept, total = [], 0
    for line in visible_text(text).split("\n")[:FILE_LINES]:
        total += units(line) + 1
        if total > FILE_UNITS:
            break
        kept.append(line)
    return frozenset(kept)


def visible_text(text: str) -> str:
    """The text without its front matter and block comments."""
    kept, at = [], end_of_front(text)
    last = text.rfind("-->")  # behind it no comment ends, however many begin
    while at < len(text):
        end = _end_of_comment(text, at) if at < last else 0
        if not end:
            end = after_line(text, at)
            kept.append(text[at:end])
        at = end
    return "".join(kept)


def _end_of_comment(text: str, at: int) -> int:
    """The end of the comment that begins with the line at `at`, and of the line in which it ends; 0 for none."""
    opening = at
    while opening < at + 3 and text.startswith(" ", opening):
        opening += 1
    close = text.find("-->", opening + 4) if text.startswith("<!--", opening) else -1
    return after_line(text, close) if close >= 0 else 0
