"""Which pairs of signs of a script without spaces are worth asking for. Pure.

The index holds every pair. A question has pairs across its words and particles, which stand in texts about anything; asked for,
they outvote the words that mean something.
"""

from __future__ import annotations

from psychmem_py.words import by_key

PARTICLES = by_key("particles")
# Seldom part of a word with a meaning of its own; simplified, as the index spells them.
_CHINESE = frozenset("".join(PARTICLES["zh"]))
_JAPANESE_PARTICLES = frozenset("".join(PARTICLES["ja"]))
_STAYS = 2  # syllables, at least, before a Korean particle


def idle(run: str, *, japanese: bool) -> list[str]:
    """Those pairs of a folded run of signs that a question must not ask for."""
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if is_hangul(run[0]):
        ends = (len(run) - len(end) for end in PARTICLES["ko"] if run.endswith(end))
        return pairs[next((stays for stays in ends if stays >= _STAYS), len(run)) - 1 :]
    return [pair for pair in pairs if (_japanese_grammar(pair) if japanese else not _CHINESE.isdisjoint(pair))]


def is_hangul(sign: str) -> bool:
    return "\uac00" <= sign <= "\ud7af"


def is_hiragana(sign: str) -> bool:
    return "\u3041" <= sign <= "\u309f"


def is_han(sign: str) -> bool:
    return "\u3400" <= sign <= "\u9fff"


def _japanese_grammar(pair: str) -> bool:
    """Whether a pair has hiragana, but for a verb's ending behind its sign."""
    head, tail = pair[0], pair[1]
    return is_hiragana(head) or (is_hiragana(tail) and (tail in _JAPANESE_PARTICLES or not is_han(head)))
