"""Our block in the client's MEMORY.md: text in, text out. Foreign text stays as it is, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence

from psychmem_py.safety.fence import BLOCK_END, BLOCK_START, defused
from psychmem_py.text.front_matter import FILE_LINES, FILE_UNITS, end_of_front, units, visible_text

BLOCK_LINES = 60  # ours: every line is in every request of every session
BLOCK_UNITS = 8_000
_NOTE = "written by PsychMem and replaced by it; `psychmem edit` and `psychmem forget` change what stands here"
_MADE = "(new file)"
_START = re.compile(rf"(?:^|(?<=\ufeff))[ \t]*{re.escape(BLOCK_START)}\b[^\n]*\n?", re.MULTILINE)
_END = re.compile(rf"(?:^|(?<=\ufeff))[ \t]*{re.escape(BLOCK_END)}[ \t\r]*\n?", re.MULTILINE)


def parts(text: str, known: frozenset[str] = frozenset()) -> tuple[str, str, bool]:
    """`text` before and behind our block, or the place for one, and whether we made the file. Of a block without its end mark
    only the start mark and directly following lines in `known` are ours.
    """
    start = _START.search(text)
    if start is None:
        text = _END.sub("", text)
        at = end_of_front(text)
        if not text[:at].endswith(("\n", "\ufeff")):
            at = 0
        return text[:at], text[at:], False
    foreign, rest = list[str](), text
    block: re.Match[str] | None = start
    while block:  # somebody may have copied ours
        foreign.append(rest[: block.start()])
        end = _END.search(rest, block.end())
        rest = rest[end.end() if end else _end_of_known(rest, block.end(), known) :]
        block = _START.search(rest)
    return foreign[0], _END.sub("", "".join((*foreign[1:], rest))), _MADE in start.group()


def _end_of_known(text: str, at: int, known: frozenset[str]) -> int:
    while at < len(text):
        line, newline, _ = text[at:].partition("\n")
        if line.rstrip("\r") not in known:
            break
        at += len(line) + len(newline)
    return at


def with_block(text: str | None, lines: Sequence[str]) -> str | None:
    """`text` with a block of the lines there is room for, or without; None for no file, or one in which only our block was."""
    ours = frozenset(lines)
    before, after, made_by_us = parts(text or "", ours)
    foreign = before + after
    kept = fitting(foreign, lines)
    if not kept:
        return None if text is None or (not foreign and made_by_us) else foreign
    made = f" {_MADE}" if text is None or made_by_us else ""
    block = "\n".join((f"{BLOCK_START}{made} {_NOTE} -->", *kept, BLOCK_END, ""))
    return f"{before}{block}{after}"


def fitting(foreign: str, lines: Sequence[str]) -> list[str]:
    """The first of `lines` that fit beside `foreign`, each made harmless; none if not at least one memory does."""
    room_lines = min(BLOCK_LINES, FILE_LINES - visible_text(foreign).count("\n") - 1)
    room_units = min(BLOCK_UNITS, FILE_UNITS - units(foreign) - 2 * len(_NOTE) - 100)
    kept: list[str] = []
    for line in lines:
        safe = defused(line)
        room_units -= units(safe) + 1
        if len(kept) >= room_lines or room_units < 0:
            break
        kept.append(safe)
    while kept and not kept[-1].startswith("- "):  # a heading with nothing under it
        kept.pop()
    return kept
