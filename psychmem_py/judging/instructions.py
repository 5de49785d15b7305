"""What a judge is told to do: a text with a version, sent with every request."""

from __future__ import annotations

from functools import cache
from pathlib import Path

VERSION = 3


@cache
def instructions() -> str:
    """The instructions in force."""
    return Path(__file__).with_name(f"instructions-{VERSION}.md").read_text("utf-8").strip()
