"""Judges for the benchmarks: verdicts written down once and replayed, a program, or one that knows the labels.

    python -m benchmarks.replay SHEET.jsonl ANSWERS.jsonl... > VERDICTS.jsonl

A sheet (`--sheet`, `--ask`) holds what a judge would be asked, numbered, behind the instructions a judge gets, so that a reader, or a model,
can fill it in without seeing the labels: {"n", "verdict": "keep"|"maybe"|"drop", "class"?, "text"?}. The command above makes of that a file that
can be kept without the conversations: {"id", "sentence", "verdict", "class"?, "text"?}, where sentence and better wording are written as pieces: a
digest (the first 16 hex digits of the SHA-256), then [from, to] of "previous, newline, message" as the judge saw them, and what stands in
neither as it is. A replay file may also spell them out.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.levels import overlap, tokens, touches
from psychmem_py.judging import clients, protocol, runner, sweeping
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.protocol import Proposal, Ruling, Word
from psychmem_py.judging.sweeping import Swept, proposals

Row = dict[str, Any]
SHORTEST_PIECE = 3  # signs; what is shorter is written out
LIKE = 0.7  # overlap from which a sentence counts as the one that was judged, where the rules cut it otherwise since


def sheet(found: Sequence[Swept], path: Path) -> int:
    """How many items were written to `path`, one a line, the instructions first."""
    return written(list(proposals(found)), path)


def written(items: Sequence[tuple[str, Proposal]], path: Path) -> int:
    """The same of items with the ids of their messages."""
    lines: list[Row] = [{"instructions": instructions()}]
    for n, (key, one) in enumerate(items):
        shown = {"role": one.role, "previous": one.previous, "message": one.message, "sentence": one.sentence}
        lines.append({"n": n, "id": key, **shown, "class": one.kind.value})
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return len(items)


def read(path: Path) -> list[Row]:
    """The lines of a file of JSON objects."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def verdicts(asked: Sequence[Row], answers: Sequence[Row]) -> Iterator[Row]:
    """What was answered to a sheet's items, without their texts. An item that nobody answered is left out."""
    by_number = {row["n"]: row for row in asked if "n" in row}
    for answer in answers:
        one = by_number[answer["n"]]
        source = source_of(one["previous"], one["message"])
        line = {"id": one["id"], "sentence": pieces(one["sentence"], source), "verdict": answer["verdict"]}
        if answer.get("class"):
            line["class"] = answer["class"]
        if answer.get("text") and answer["text"] != one["sentence"]:
            line["text"] = pieces(answer["text"], source)
        yield line


def source_of(previous: str, message: str) -> str:
    """What the pieces of a wording are counted in."""
    return f"{previous}\n{message}"


def pieces(text: str, source: str) -> list[str | list[int]]:
    """The digest of a text and, from left to right, the longest pieces of it that stand in the source, the rest as it is."""
    found: list[str | list[int]] = [digest(text)]
    at, rest = 0, ""
    while at < len(text):
        end = at
        while end < len(text) and text[at : end + 1] in source:
            end += 1
        if end - at < SHORTEST_PIECE:
            rest, at = rest + text[at], at + 1
            continue
        start = source.index(text[at:end])
        found += [rest, [start, start + end - at]] if rest else [[start, start + end - at]]
        at, rest = end, ""
    return [*found, rest] if rest else found


def put_together(said: str | Sequence[Any], source: str) -> str:
    """The text of such pieces, or the one spelled out; "" where the source is another one by now."""
    if isinstance(said, str):
        return said
    name, *parts = said
    text = "".join(part if isinstance(part, str) else source[part[0] : part[1]] for part in parts)
    return text if digest(text) == name else ""


class Replayed:
    """A judge that gives the verdicts of files; `missing` counts the items they have none for, which stay as the rules had them, `worded` the
    better wordings it gave.

    `ids` are those of the items' messages; without them, and where a file names no message, a verdict is found by its sentence alone.
    """

    def __init__(self, paths: Sequence[Path], ids: Sequence[str] | None = None) -> None:
        self.ids, self.missing, self.worded = ids, 0, 0
        self.said: dict[str, list[Row]] = defaultdict(list)
        for row in (row for path in paths for row in read(path)):
            if "verdict" in row:
                self.said[row["id"] if ids is not None else ""].append(row)

    def __call__(self, items: Sequence[Proposal]) -> dict[int, Ruling]:
        found = {}
        for n, (key, one) in enumerate(zip(self.ids or [""] * len(items), items, strict=True)):
            said = self.said.get(key) or self.said.get("", [])
            near = max(((_same(one, row), -at) for at, row in enumerate(said)), default=(0.0, 0))
            ruling = _ruling(said[-near[1]], one) if near[0] >= LIKE else {}
            self.missing += not ruling
            found |= {n: ruling[0]} if ruling else {}
            self.worded += bool(ruling and ruling[0].text)
        return found


def _ruling(row: Row, one: Proposal) -> dict[int, Ruling]:
    """What a line of a replay file says of an item, read as a judge's answer is."""
    entry = {"n": 0} | {key: row[key] for key in ("verdict", "class") if row.get(key)}
    entry["text"] = put_together(row.get("text", ""), source_of(one.previous, one.message))
    return protocol.rulings(json.dumps({"verdicts": [entry]}), 1)


def digest(sentence: str) -> str:
    """The name under which a verdict on this sentence is kept."""
    return hashlib.sha256(sentence.encode()).hexdigest()[:16]


def _same(one: Proposal, row: Row) -> float:
    """How far a line of a replay file is about this item's sentence."""
    said = row["sentence"]
    if said == one.sentence or said[0] == digest(one.sentence):
        return 1.0
    return overlap(tokens(one.sentence), tokens(put_together(said, source_of(one.previous, one.message))))


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


def main() -> None:
    sheet_path, *answers = [Path(name) for name in sys.argv[1:]]
    for line in verdicts(read(sheet_path), [row for path in answers for row in read(path)]):
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
