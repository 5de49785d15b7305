"""Old names of commands, and what each is called now. They go on working, with their options and their JSON."""

from __future__ import annotations

# What was typed, an option that must be among the rest ("" for none), and what it is now; the first that fits.
ALIASES: tuple[tuple[str, str, str], ...] = (
    ("search", "", "list"),
    ("install", "", "setup install"),
    ("uninstall", "", "setup uninstall"),
    ("upgrade", "", "setup upgrade"),
    ("completion", "", "setup completion"),
    ("statusline", "", "setup statusline"),
    ("demo", "", "setup demo"),
)


def renamed(words: list[str]) -> list[str]:
    """The arguments under today's names; as they are where they hold no old one."""
    for old, option, new in ALIASES:
        length = len(old.split())
        rest = words[length:]
        if words[:length] == old.split() and (not option or any(word.partition("=")[0] == option for word in rest)):
            return [*new.split(), *rest]
    return words
