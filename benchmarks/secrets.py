"""How many secrets that people name in ordinary words are cut out of a text, and how many honest sentences are cut wrongly.

    python -m benchmarks.secrets [--show] [--calls] [FILE...]     without FILE every draw beside this file

With `--calls` each stands in a command and in the error line of one, half and half.

A draw holds sentences of its own in sixteen languages, written when the ones before had been mended: `[secrets]`, with {p} for a
password, {k} a key, {u} a UUID, {h} a hex value, {n} a number, {v} a drawn value or a password, {w} twelve words, each filled
in ten times at random; `[honest]`, what people write about secrets that is none.
"""

from __future__ import annotations

import random
import string
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from psychmem_py.safety.secrets import redact_call, redact_typed

FILES = tuple(
    Path(__file__).parent / f"secrets_{draw}_draw.txt"
    for draw in "first second third fourth fifth sixth seventh eighth ninth tenth eleventh".split()
)
FITTED = FILES[:8]  # of the later draws kinds of error were mended, not sentences
ALNUM = string.ascii_letters + string.digits
TIMES = 10


class Outcome(NamedTuple):
    """What redaction did to a draw."""

    tried: int
    missed: list[str]  # texts whose secret is still in them
    honest: int
    cut: list[str]  # honest sentences that lost something


def in_a_call(text: str) -> str:
    """What is left of a text in a command that quotes it, or in an error that says it."""
    flat = " ".join(text.split())
    if len(flat) % 2:
        return redact_call("error_line", flat)
    return redact_call("command", f'git commit -m "{flat}"').removeprefix('git commit -m "').removesuffix('"')


def outcome(path: Path, seed: int = 4711, redacted: Callable[[str], str] = redact_typed) -> Outcome:
    secrets, _, honest = path.read_text("utf-8").partition("[honest]\n")
    chance = random.Random(f"{seed} {path.name}")
    missed, tried = [], 0
    for template in _lines(secrets)[1:]:
        for _ in range(TIMES):
            drawn = {name: draw(chance) for name, draw in DRAW.items() if name in template}
            text = template
            for name, value in drawn.items():
                text = text.replace(name, value)
            tried += 1
            if any(value in redacted(text) for value in drawn.values()):
                missed.append(text)
    plain = _lines(honest)
    return Outcome(tried, missed, len(plain), [text for text in plain if "[REDACTED" in redacted(text)])


def _lines(part: str) -> list[str]:
    return [line.replace("\\n", "\n") for line in part.splitlines() if line.strip()]


def _password(chance: random.Random) -> str:
    """As people make them, and as a program draws them."""
    word = chance.choice("orchid Falcon marble Winter coffee Panda bridge".split())
    letter = chance.choice(string.ascii_letters)
    return chance.choice((
        f"{_drawn(chance, ALNUM, chance.randint(11, 20))}{chance.choice(string.digits)}{letter}",
        f"{word}{chance.randint(10, 99)}{chance.choice('!$%&*?#')}",
        f"{word}{chance.choice('-_.')}{chance.choice('river stone cloud'.split())}{chance.choice('!$&')}{chance.randint(1, 999)}",
        f"{word.translate(str.maketrans('oaie', '0413'))}{chance.randint(100, 9999)}{chance.choice('!xZ')}",
        f"{_drawn(chance, ALNUM + '!#%*+?', 12)}k9!",
    ))  # fmt: skip


def _key(chance: random.Random) -> str:
    return _drawn(chance, ALNUM, chance.choice((24, 32, 40, 48))) + chance.choice(string.digits)


def _words(chance: random.Random) -> str:
    return " ".join(chance.sample(WORDS, 12))


def _drawn(chance: random.Random, alphabet: str, length: int) -> str:
    return "".join(chance.choice(alphabet) for _ in range(length))


WORDS = """
abandon acid anchor apple autumn bacon banner basket beach bicycle blossom bridge cabin canal cargo castle cherry circle coconut copper
cradle cricket dolphin dragon eagle elbow ember engine fabric falcon feather forest galaxy garlic ginger glacier harvest hazard helmet
hockey island jacket jungle kitchen ladder lemon lizard magnet maple meadow mirror napkin nephew obscure olive orbit oxygen paddle
panther pepper pilot planet pumpkin puzzle quarter rabbit raven ribbon rocket saddle salmon shadow silver sketch spider stadium sunset
tornado trumpet tunnel umbrella vacuum velvet violin walnut whisper window winter yellow zebra
""".split()
DRAW: dict[str, Callable[[random.Random], str]] = {
    "{p}": _password,
    "{k}": _key,
    "{u}": lambda chance: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
    "{h}": lambda chance: _drawn(chance, "0123456789abcdef", chance.choice((24, 32, 40, 48, 64))),
    "{n}": lambda chance: str(chance.randint(1000, 999999)),
    "{v}": lambda chance: (
        _drawn(chance, ALNUM, chance.randint(9, 24)) + chance.choice("23456789") if chance.random() < 0.6 else _password(chance)
    ),
    "{w}": _words,
}


def main(words: list[str]) -> None:
    redacted = in_a_call if "--calls" in words else redact_typed
    for path in [Path(word) for word in words if not word.startswith("--")] or FILES:
        found = outcome(path, redacted=redacted)
        caught = found.tried - len(found.missed)
        print(
            f"{path.stem}: {caught} of {found.tried} secrets cut ({100 * caught / found.tried:.1f} %), "
            f"{len(found.cut)} of {found.honest} honest sentences ({100 * len(found.cut) / found.honest:.1f} %)"
        )
        for text in (*found.missed, *found.cut) if "--show" in words else ():
            print(f"  {text!r} -> {redacted(text)!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
