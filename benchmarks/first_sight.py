"""What the prompt hook shows and a search finds for prompts in 21 languages, written before anything was measured on them.

    python -m benchmarks.first_sight [FILE.tsv] [--pooled] [--missed] [--filler SETS/NAME ...] [--encoder FOLDER]

A line of FILE: language, prompt, the note that would help then or "-". The notes of a language are a store, with `--pooled` all
are one; `--filler` sets make each larger. Prints recall, precision and silence of the hook, and R@1 and R@5 of a
search, with `--encoder` one by words and by meaning.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from benchmarks.retrieval import NOW, _memory, cases, filled, mean, ranking_scores, returned_scores, shown_at_prompt, vectors_of
from psychmem_py.model.records import Memory
from psychmem_py.store import search
from psychmem_py.store.matches import Question
from psychmem_py.store.search import fused
from psychmem_py.store.vector_file import Encoder, Vectors, nearness

FILE = Path(__file__).with_name("prompt_first_sight.tsv")
SPACED = "words between spaces"
SCRIPTS = {"zh": "Chinese", "zh-Hant": "Chinese", "ja": "Japanese", "ko": "Korean", "th": "Thai", "ar": "Arabic", "hi": "Hindi"}


class Row(NamedTuple):
    language: str
    prompt: str
    note: str  # "" where none would help


class Result(NamedTuple):
    row: Row
    shown: list[str]  # notes behind the prompt
    found: list[str]  # notes a search finds, best first


def rows(path: Path) -> list[Row]:
    lines = [line.split("\t") for line in path.read_text("utf-8").split("\n") if line and not line.startswith("#")]
    return [Row(language, asked, "" if note == "-" else note) for language, asked, note in lines]


def results(found: list[Row], others: list[Memory], of_others: Vectors, encoder: Encoder | None) -> list[Result]:
    """What is shown and found for each prompt in a store of all the notes of `found`; with an encoder found by meaning too."""
    notes = [_memory({"id": row.note, "text": row.note}) for row in found if row.note]
    db = filled([*notes, *others])
    vectors = [of_others, vectors_of(encoder, notes)] if encoder else []

    def searched(text: str) -> list[str]:
        question = Question(text, None, NOW, limit=5)
        if encoder is None or not encoder.reads(text):
            return [hit.memory.id for hit in search.hits(db, question)]
        asked = encoder.vectors([text])[0]
        near = {key: cosine for some in vectors for key, cosine in nearness(some, asked).items()}
        return [hit.memory.id for hit in fused(db, question, near)]

    told = [
        Result(
            row,
            shown_at_prompt(db, row.prompt),
            searched(row.prompt),
        )
        for row in found
    ]
    db.close()
    return told


def line(name: str, found: list[Result]) -> str:
    gold = [frozenset([one.row.note] if one.row.note else []) for one in found]
    shown = mean([returned_scores(frozenset(one.shown), want) for one, want in zip(found, gold, strict=True)])
    ranked = mean([ranking_scores(one.found, want) for one, want in zip(found, gold, strict=True) if want])
    told = [good for one in found for good in (note == one.row.note for note in one.shown)]
    right = f"{sum(told)} of {len(told)}"
    cells = [f"{100 * scores.get(key, 0):.0f}" for scores, key in ((shown, "recall"), (shown, "silent"))]
    return (
        f"| {name} | {sum(map(bool, gold))} + {len(gold) - sum(map(bool, gold))} | {cells[0]} | {right} | {cells[1]} |"
        f" {100 * ranked['R@1']:.0f} | {100 * ranked['R@5']:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--pooled", action="store_true")
    parser.add_argument("--missed", action="store_true", help="print what was shown wrongly or not at all")
    parser.add_argument("--filler", type=Path, nargs="*", default=[])
    parser.add_argument("--encoder", type=Path, help="a folder of weights, for the searches")
    options = parser.parse_args()
    others = [one for path in options.filler for case in cases(path.parent, path.name) for one in case.documents]
    encoder = Encoder(str(options.encoder)) if options.encoder else None
    of_others = vectors_of(encoder, others) if encoder and others else {}
    stores: dict[str, list[Row]] = defaultdict(list)
    for row in rows(options.file):
        stores["" if options.pooled else row.language.partition("-")[0]].append(row)
    every = [one for found in stores.values() for one in results(found, others, of_others, encoder)]
    by_script: dict[str, list[Result]] = defaultdict(list)
    for one in every:
        by_script["English" if one.row.language == "en" else SCRIPTS.get(one.row.language, "other " + SPACED)].append(one)
    print("| prompts | with a note + without | shown | right of all shown | silent | R@1 | R@5 |\n|" + "---|" * 7)
    for name, found in by_script.items():
        print(line(name, found))
    print(line("all", every))
    if options.missed:
        wrong = [one for one in every if one.shown != ([one.row.note] if one.row.note else [])]
        print("\n".join(f"{one.row.language}: {one.row.prompt} | {one.row.note or '-'} | {one.shown}" for one in wrong))


if __name__ == "__main__":
    main()
