"""Old names of commands, and what each is called now. They go on working, with their options and their JSON."""

from __future__ import annotations

# What was typed, an option that must be among the rest ("" for none), and what it is now; the first that fits.
ALIASES: tuple[tuple[str, str, str], ...] = (
    ("search", "", "list"),
    ("today", "", "list --today"),
    ("clusters", "", "list --alike"),
    ("stats", "", "list --figures"),
    ("project list", "", "list --projects"),
    ("explain", "--last", "context"),
    ("explain", "--session", "context"),
    ("explain", "", "show --all"),
    ("history", "", "show --history"),
    ("timeline", "", "sessions"),
    ("pin", "", "edit --pin"),
    ("unpin", "", "edit --unpin"),
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
    for old, option, new in ALIASES:
        length = len(old.split())
        rest = words[length:]
        if words[:length] == old.split() and (not option or any(word.partition("=")[0] == option for word in rest)):
            return [*new.split(), *rest]
    return words
