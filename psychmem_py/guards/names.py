"""The files and folders of a work tree by what people call them: "the full schema" for `1719-FullSchema.ts`. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import regex

_PIECES = regex.compile(r"\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+")
_MOST = 6  # files of one name: more of them nobody means
_LETTERS = 5  # of a name that is one word, which must be the only one


class Names:
    """The names in a work tree."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: dict[tuple[str, ...], set[str]] = {}
        for path in paths:
            *folders, name = path.split("/")
            self._enter(name.partition(".")[0] or name, path)
            for depth, folder in enumerate(folders, 1):
                self._enter(folder, "/".join(folders[:depth]) + "/")

    def _enter(self, name: str, path: str) -> None:
        pieces = tuple(piece.lower() for piece in _PIECES.findall(name))
        for start in range(max(1, len(pieces) - 1)):  # a number or a prefix may stand before what it is called
            self._paths.setdefault(pieces[start:], set()).add(path)

    def called(self, words: Sequence[str]) -> list[str]:
        """The paths, folders with a slash behind them, that go by these words; none where they could mean too many."""
        parsed = sorted(self._paths.get(tuple(words), ()))
        if len(words) == 1 and (len(parsed) > 1 or len(words[0]) < _LETTERS):
            return []
        return parsed if len(parsed) <= _MOST else []
