"""What becomes of pasted rules beside a request about them, and of honest rules beside a request about something else.

    python -m benchmarks.pastes [first|second] [--show] [--seed N]

`pastes.txt` holds what people ask, name as a source, paste and say themselves, in sixteen languages; two hundred messages of
each kind are drawn of one half of it. A paste is one rule or letter, in the asker's language or another, behind or before the
request, plain or in a shape of pasted text. Rules that are not kept when they stand alone say nothing and are drawn again.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.frames import outcome
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher

FILE = Path(__file__).with_suffix(".txt")
DRAWN = 200
Kinds = dict[str, list[str]]
SHAPES = ("{t}", "{t}", "{t}", "\n{t}", "\n\n{t}", '\n"""\n{t}\n"""', "\n+# {t}", "\n- {t}", "\nana: {t}\nbob: ok")


def halves(path: Path = FILE) -> tuple[dict[str, Kinds], dict[str, Kinds]]:
    """The first and the second half of every kind, by language."""
    every: dict[str, Kinds] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            language = every.setdefault(line.strip("[]"), defaultdict(list))
        elif line and not line.startswith("#"):
            kind, _, text = line.partition("\t")
            language[kind].append(text)
    first = {code: {kind: texts[: len(texts) // 2] for kind, texts in kinds.items()} for code, kinds in every.items()}
    second = {code: {kind: texts[len(texts) // 2 :] for kind, texts in kinds.items()} for code, kinds in every.items()}
    return first, second


def pastes(half: dict[str, Kinds], chance: random.Random, matcher: Matcher) -> list[tuple[str, str]]:
    """Language and text of drawn messages that hold a stranger's rule."""
    drawn: list[tuple[str, str]] = []
    codes = list(half)
    while len(drawn) < DRAWN:
        code = codes[len(drawn) % len(codes)]
        theirs = chance.choice(half[chance.choice((code, code, "en", chance.choice(codes)))]["theirs"])
        if outcome(theirs, matcher) != "kept":
            continue
        kind = chance.choice(("ask", "ask", "after", "says"))
        words, shape = chance.choice(half[code][kind]), chance.choice(SHAPES)
        gap = "" if shape.startswith("\n") else chance.choice((" ", " ", "\n", "\n\n"))
        # Who names a source or asks behind the text marks no shape within one line.
        text = (
            f"{shape.lstrip().format(t=theirs)}{gap or chr(10)}{words}"
            if kind == "after"
            else f"{words}{gap}{shape.format(t=theirs)}"
        )
        drawn.append((code, text))
    return drawn


def honest(half: dict[str, Kinds]) -> list[tuple[str, str]]:
    return [(code, text) for code, kinds in half.items() for text in kinds["own"]]


def main(words: list[str]) -> None:
    names = [word for word in words if word in ("first", "second")] or ["first", "second"]
    seed = int(words[words.index("--seed") + 1]) if "--seed" in words else 26
    matcher = files.matcher()
    for name, half in zip(("first", "second"), halves(), strict=True):
        if name not in names:
            continue
        for kind, rows in (("pastes", pastes(half, random.Random(f"{seed} {name}"), matcher)), ("honest", honest(half))):
            found = [(code, text, outcome(text, matcher)) for code, text in rows]
            counts = Counter(what for _, _, what in found)
            print(f"{name} half, {len(found)} {kind}: " + ", ".join(f"{what} {n}" for what, n in counts.most_common()))
            for code, text, what in found if "--show" in words else ():
                if (what == "kept") == (kind == "pastes"):
                    print(f"  {code:8}{what:8}{text!r}")


if __name__ == "__main__":
    main(sys.argv[1:])
