"""Whether the person took PsychMem out of Claude Code's files: what is still at work then, or called by a session that was open, writes
into the client's memory folders no more. A plugin is taken out by the client itself, which ends its calls.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "left-claude-code"


def note(data: str | os.PathLike[str]) -> None:
    """Says that it was taken out; nothing where there is no data that a process could be at work with."""
    try:
        os.close(os.open(os.path.join(data, FILE), os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
    except FileNotFoundError:
        return


def forget(data: str | os.PathLike[str]) -> None:
    """Says that it is wanted again."""
    try:
        os.unlink(os.path.join(data, FILE))
    except FileNotFoundError:
        return


def has_left(data: str | os.PathLike[str], env: Mapping[str, str]) -> bool:
    """Whether nothing may be written for whoever calls with this environment."""
    return not env.get("CLAUDE_PLUGIN_ROOT") and os.path.exists(os.path.join(data, FILE))
