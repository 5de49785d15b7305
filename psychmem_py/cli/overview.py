"""What `psychmem` alone prints: every command in a line, from `command_table`, without loading any of them."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap

from psychmem_py.cli.command_table import COMMANDS

ABOUT = "A memory for coding agents: notices what matters, lets the rest fade, brings back the right thing."
END = (
    "Ids may be shortened to a unique beginning. Every reading command takes --json, every writing one --dry-run; --version, and "
    "--debug for a traceback. Exit 0: done, 1: could not (one sentence says why), 2: not understood. "
    "`psychmem COMMAND --help` shows what a command takes, with an example."
)


def overview() -> str:
    """Each heading with its commands and their first sentences, one line for each, cut where the terminal ends."""
    width = width_of_terminal()
    lines = ["Usage: psychmem COMMAND [OPTIONS]", "", *textwrap.wrap(ABOUT, width)]
    panels = dict.fromkeys(panel for _, _, panel, _ in COMMANDS)
    for heading in panels:
        lines += ["", bold(heading)]
        lines += [_cut(f"  {name:<12}{sentence}", width) for name, _, panel, sentence in COMMANDS if panel == heading]
    return "\n".join([*lines, "", *textwrap.wrap(END, width)]) + "\n"


def first_sentence(text: str) -> str:
    flat = " ".join(text.split())
    return flat.partition(". ")[0].rstrip(".") + "."


def bold(text: str) -> str:
    """Marked as a heading, on a terminal that shows it."""
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\033[1m{text}\033[0m" if coloured else text


def width_of_terminal() -> int:
    """Columns to write in, from 40 to 100."""
    return max(40, min(100, shutil.get_terminal_size((80, 24)).columns))


_LEAST = 0.4  # of a line that a part of a sentence must fill to stand for it


def _cut(text: str, width: int) -> str:
    """The text, or the part of it that ends at a comma, a colon or a semicolon and fits, or what fits and " …"."""
    if len(text) <= width:
        return text
    part = re.match(rf"(.{{{int(width * _LEAST)},{width - 1}}})[,;:] ", text)
    return f"{part[1]}." if part else text[: width - 1].rsplit(" ", 1)[0].rstrip(",;:") + " …"
