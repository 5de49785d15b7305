"""What is kept of prompts that people typed: python -m benchmarks.typed FOLDER [--judge COMMAND] [--show]

FOLDER holds typed.jsonl ({"id", "session", "previous", "text"}, in order) and gold.jsonl ({"id", "quote", "sure"}: every statement
that a good colleague would write down). A prompt something is kept of is right when a stored memory touches one of its quotes, and right
for sure when it touches a sure one; recall is the share of prompts with a sure quote of which one is touched. With --judge a reader
reads each session whole (`psychmem sweep --judge`), and what it quotes is compared, since its sentences are its own. --show prints each
prompt that something is kept of, with its verdict.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.levels import touches
from psychmem_py.extraction.sweep_lines import results
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher

Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def swept(lines: list[str], judge: str) -> list[str]:
    """What `psychmem sweep` prints for these lines, by the rules alone or with a reader."""
    if not judge:
        return list(results(lines, Matcher(files.load())))
    command = [str(Path(sys.executable).with_name("psychmem")), "sweep", "-", "--judge", judge]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", default="", help="a reader: a program that speaks protocol 2")
    parser.add_argument("--show", action="store_true", help="print every prompt that something is kept of")
    chosen = parser.parse_args()
    gold: dict[str, list[Row]] = defaultdict(list)
    for row in rows(chosen.folder / "gold.jsonl"):
        gold[row["id"]].append(row)
    typed = rows(chosen.folder / "typed.jsonl")
    lines = [
        json.dumps(
            {"id": t["id"], "role": "user", "text": t["text"], "prev_assistant": t.get("previous", ""), "session": t["session"]}
        )
        for t in typed
    ]
    kept, any_right, sure_right = 0, 0, 0
    for prompt, line in zip(typed, swept(lines, chosen.judge), strict=True):
        texts = [memory["text"] for memory in json.loads(line)["memories"]]
        said = [memory["quote" if chosen.judge else "text"] for memory in json.loads(line)["memories"]]
        hits = [row for row in gold[prompt["id"]] if any(touches(text, row["quote"]) for text in said)]
        kept, any_right = kept + bool(texts), any_right + bool(hits)
        sure_right += any(row["sure"] for row in hits)
        if chosen.show and texts:
            verdict = "sure " if any(row["sure"] for row in hits) else "right" if hits else "wrong"
            print(f"{verdict} {prompt['id']}: {' | '.join(texts)}")
    wanted = sum(any(row["sure"] for row in found) for found in gold.values())
    print(f"{len(typed)} prompts, something kept of {kept}: right {share(any_right, kept)}, for sure {share(sure_right, kept)}")
    print(f"of prompts that hold something sure: {share(sure_right, wanted)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
