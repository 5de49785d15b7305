"""What `psychmem` alone prints: every command in a line, from `commands.tsv`, without loading any of them; and the older names, which
go on working, with their options and their JSON.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

from psychmem_py.home.surroundings import database

# Of every command its name, the module it stands in, its heading and first sentence; made by `python docs/tables.py`.
with open(os.path.join(os.path.dirname(__file__), "commands.tsv"), encoding="utf-8") as _file:
    COMMANDS = [tuple(_row.rstrip("\n").split("\t")) for _row in _file]

ABOUT = "A memory for coding agents: notices what matters, lets the rest fade, brings back the right thing."
END = (
    "`psychmem COMMAND --help` shows what a command takes, with an example; `psychmem help --all` the commands for scripts and agents, "
    "and older names. --json for programs, --dry-run to try, --project NAME|DIR for another project. An id may be cut short. "
    "Exit 0: done, 1: could not, 2: not understood."
)

FIRST = (
    "Nothing is remembered yet. `psychmem setup install` registers with your agents; restart them, then say to one: From now on run the"
    " tests before every commit."
)


def overview(*, everything: bool = False, alone: bool = False) -> str:
    """The commands people need, each with its first sentence in a line; with `everything` the others and the older names too. `alone`, and
    with nothing remembered, it ends with what to do first.
    """
    width = width_of_terminal()
    lines = ["Usage: psychmem COMMAND [OPTIONS]", "", *textwrap.wrap(ABOUT, width)]
    for heading in dict.fromkeys(heading for _, _, heading, _ in COMMANDS if heading or everything):
        lines += ["", bold(heading or "For scripts, agents and experts")]
        lines += [f"  {name:<{12 if heading else 19}}{sentence}" for name, _, under, sentence in COMMANDS if under == heading]
    if everything:
        lines += ["", bold("Older names, which go on working"), *(f"  {old:<14}{new}" for old, _, new in ALIASES)]
    first = ["", *textwrap.wrap(FIRST, width)] if alone and not os.path.exists(database(os.environ, "")) else []
    return "\n".join([*lines, "", *textwrap.wrap(END, width), *first]) + "\n"


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


# What was typed, an option that must be among the rest ("" for none), and what it is now; the first that fits.
ALIASES: tuple[tuple[str, str, str], ...] = (
    ("search", "", "list"),
    ("today", "", "list --today"),
    ("clusters", "", "list --alike"),
    ("stats", "", "list --figures"),
    ("project list", "", "list --projects"),
    ("config edit", "", "config path"),
    ("explain", "--last", "context"),
    ("explain", "--session", "context"),
    ("explain", "", "show --all"),
    ("history", "", "show --history"),
    ("timeline", "", "sessions"),
    ("pin", "", "edit --pin"),
    ("unpin", "", "edit --unpin"),
    ("link", "", "edit"),
    ("unlink", "", "edit"),
    ("guard", "--ask", "edit"),
    ("guard", "--off", "edit"),
    ("guard", "", "edit --remind"),
    ("good", "", "edit --good"),
    ("bad", "", "edit --bad"),
    ("vote", "", "edit --vote"),
    ("touch", "", "edit --touch"),
    ("accept", "", "review --accept"),
    ("sort", "", "review"),
    ("merge", "", "review --merge"),
    ("status", "", "doctor --status"),
    ("scan", "", "doctor --secrets"),
    ("maintain", "", "doctor --upkeep"),
    ("backfill", "", "import --conversations"),
    ("consolidate", "", "decay"),
    ("remote", "", "share"),
    ("unshare", "", "share stop"),
    ("sync", "", "share now"),
    ("share status", "", "share now status"),
    ("trust", "", "share trust"),
    ("hub", "", "share hub"),
    ("install", "", "setup install"),
    ("uninstall", "", "setup uninstall"),
    ("upgrade", "", "setup upgrade"),
    ("completion", "", "setup completion"),
    ("statusline", "", "setup statusline"),
    ("demo", "", "setup demo"),
)


def renamed(words: list[str]) -> list[str]:
    """The arguments under today's names; as they are where they hold no old one."""
    if words[:1] in (["link"], ["unlink"]) and len(words) > 2:  # two ids once, an id and an option now
        return ["edit", words[1], f"--{words[0]}", *words[2:]]
    for old, option, new in ALIASES:
        length = len(old.split())
        rest = words[length:]
        if words[:length] == old.split() and (not option or any(word.partition("=")[0] == option for word in rest)):
            return [*new.split(), *rest]
    return words
