"""Words that differ by one slip of the fingers: for questions whose words the index does not know. Pure."""

from __future__ import annotations

from collections.abc import Iterable

_SHORTEST = 4  # shorter stems are near to everything

_ENDINGS = ("", "s", "e", "es", "ed", "ing")


def nearest(word: str, known: Iterable[str]) -> list[str]:
    """Those of `known` (stems) that `word`, perhaps without its ending, turns into by one slip; at most 3."""
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    return [other for other in known if len(other) >= _SHORTEST and any(_slip(stem, other) for stem in stems)][:3]


def _slip(a: str, b: str) -> bool:
    """Whether `a` and `b` differ by at most one letter added, left out, changed, or two neighbours swapped."""
    if abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest_a, rest_b = a[start:], b[start:]
    return (
        rest_a[1:] == rest_b[1:]
        or rest_a == rest_b[1:]
        or rest_a[1:] == rest_b
        or (len(rest_a) > 1 and rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:])
    )
