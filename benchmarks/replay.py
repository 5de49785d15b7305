"""Judges for the benchmarks: verdicts written down once and replayed, a program, or one that knows the labels.

A line of a replay file: {"id", "sentence" or "digest", "verdict": "keep"|"maybe"|"drop", "class"?, "text"?}, where the digest is the
first 16 hex digits of the sentence's SHA-256, so that verdicts can be kept without the conversations they were made on; `sheet` writes what is to be judged
with the instructions a judge gets, so that a reader, or a model, can fill it in without seeing the labels.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.levels import overlap, tokens, touches
from psychmem_py.judging import clients, protocol, runner, sweeping
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.protocol import Proposal, Ruling, Word
from psychmem_py.judging.sweeping import Swept, proposals

Row = dict[str, Any]
LIKE = 0.7  # overlap from which a sentence counts as the one that was judged, where the rules cut it otherwise since


def sheet(found: Sequence[Swept], path: Path) -> int:
    """How many items were written to `path`, one a line, the instructions first."""
    return written(list(proposals(found)), path)


def written(items: Sequence[tuple[str, Proposal]], path: Path) -> int:
    """The same of items with the ids of their messages."""
    lines = [{"instructions": instructions()}]
    lines += [{"id": key, **one._replace(kind=one.kind.value)._asdict()} for key, one in items]  # type: ignore[arg-type]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return len(items)


class Replayed:
    """A judge that gives the verdicts of a file; `missing` counts the items it has none for, which stay as the rules had them.

    `ids` are those of the items' messages; without them a verdict is found by its sentence alone.
    """

    def __init__(self, path: Path, ids: Sequence[str] | None = None) -> None:
        self.ids, self.missing = ids, 0
        self.said: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for line in path.read_text("utf-8").split("\n"):
            row = json.loads(line) if line.strip() else {}
            if "verdict" in row:
                entry = {"n": 0} | {key: row[key] for key in ("verdict", "class", "text") if row.get(key)}
                self.said[row["id"] if ids is not None else ""].append(
                    (row.get("sentence") or row["digest"], json.dumps({"verdicts": [entry]}))
                )

    def __call__(self, items: Sequence[Proposal]) -> dict[int, Ruling]:
        found = {}
        for n, (key, one) in enumerate(zip(self.ids or [""] * len(items), items, strict=True)):
            near = max(((_same(one.sentence, sentence), reply) for sentence, reply in self.said.get(key, [])), default=(0.0, ""))
            ruling = protocol.rulings(near[1], 1) if near[0] >= LIKE else {}
            self.missing += not ruling
            found |= {n: ruling[0]} if ruling else {}
        return found


def digest(sentence: str) -> str:
    """The name under which a verdict on this sentence is kept."""
    return hashlib.sha256(sentence.encode()).hexdigest()[:16]


def _same(one: str, other: str) -> float:
    return 1.0 if other in (one, digest(one)) else overlap(tokens(one), tokens(other))


def program(command: str, limit_chars: int = 20_000) -> sweeping.JudgeFunction:
    """A judge that runs a command for each request."""

    def ask(request: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            made = clients.program(command, "", os.environ, folder)
            return runner.answer(made, request, env=os.environ, folder=folder, timeout_s=300)

    return sweeping.in_batches(ask, limit_chars)


def all_knowing(ids: Sequence[str], rows: Mapping[str, Row], *, sure: bool) -> Callable[[Sequence[Proposal]], dict[int, Ruling]]:
    """The judge that keeps what touches a label (`sure`: one that is a must) and drops the rest: what no judge can surpass."""

    def judge(items: Sequence[Proposal]) -> dict[int, Ruling]:
        found = {}
        for n, (key, one) in enumerate(zip(ids, items, strict=True)):
            labels = [label for label in rows[key]["labels"] if not sure or label.get("strength") == "must"]
            found[n] = Ruling(Word.KEEP if any(touches(one.sentence, label["span"]) for label in labels) else Word.DROP)
        return found

    return judge
