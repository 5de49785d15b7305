"""Regular expressions compiled when a text first asks for them: of all that the reading of messages has, one sentence needs a third, and
compiling all of them takes as long as reading it.
"""

from __future__ import annotations

from typing import cast

import regex


class LatePattern:
    """Stands for an expression that is compiled when it is first asked for anything."""

    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        compiled = regex.compile(self._source, self._flags)
        for method in ("findall", "finditer", "match", "search", "sub"):
            setattr(self, method, getattr(compiled, method))  # asked directly from now on
        return getattr(compiled, name)


def late(source: str, flags: int = 0) -> regex.Pattern[str]:
    """`regex.compile`, later."""
    return cast("regex.Pattern[str]", LatePattern(source, flags))
