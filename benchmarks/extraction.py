"""Scores the sweep on labelled messages: python benchmarks/extraction.py FILE.jsonl... [--errors]
[--lang xx] [--role user]

A line: {"id", "role", "lang", "text", "prev_assistant", "labels": [{"span", "class", "scope", "strength"}], "enriched"?,
"synthetic"?}. Message level: is anything kept, and should it be? A message whose labels are all "should" does not count. fp100:
messages with something kept per 100 with nothing to keep. Span level: one-to-one, token-overlap F1 of at least 0.5; class and
scope over matched spans. Memory level: the share of what is stored that touches a labelled span, any or one labelled "must".
Behind them what a table of first words would reach.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.levels import Memories, by_first_word, overlap, tokens
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.sweep_lines import as_json, message_of
from psychmem_py.languages import files

Row = dict[str, Any]
MATCH = 0.5


def class_right(memory: Row, label: Row) -> bool:
    return memory["class"] in (label["class"], label.get("alt_class", label["class"]))


def matched(memories: list[Row], labels: list[Row]) -> list[tuple[int, int]]:
    """Pairs (memory, label), the best overlap first, each used once."""
    said, wanted = [tokens(m["text"]) for m in memories], [tokens(label["span"]) for label in labels]
    pairs = sorted(
        (-score, not class_right(memories[i], labels[j]), i, j)
        for i, a in enumerate(said)
        for j, b in enumerate(wanted)
        if (score := overlap(a, b)) >= MATCH
    )
    used_i: set[int] = set()
    used_j: set[int] = set()
    found = []
    for *_, i, j in pairs:
        if i not in used_i and j not in used_j:
            used_i.add(i)
            used_j.add(j)
            found.append((i, j))
    return found


def tally(row: Row, memories: list[Row], per_class: dict[str, Counter[str]]) -> Counter[str]:
    """What one message adds to each count."""
    labels = row["labels"]
    needed = [label for label in labels if label.get("strength") == "must"]
    verdict = ("tp" if memories else "fn") if needed else "dc" if labels else "fp" if memories else "tn"
    pairs = matched(memories, labels)
    count: Counter[str] = Counter({verdict: 1, "n": 1})
    for i, j in pairs:
        right = class_right(memories[i], labels[j])
        count.update(matched=1, cls=right, scp=memories[i]["scope"] == labels[j]["scope"])
        if labels[j] in needed:
            count["s_tp"] += 1
            per_class[labels[j]["class"]].update(found=1, right=right)
    for label in needed:
        per_class[label["class"]]["gold"] += 1
    count["s_fn"] = len(needed) - count["s_tp"]
    count["s_fp"] = len(memories) - len(pairs)
    return count


def parts(row: Row) -> Iterator[str]:
    kind = "synthetic" if row.get("synthetic") else "enriched" if row.get("enriched") else "natural"
    yield "all"
    if row["role"] != "tool":
        yield {"user": "human", "assistant": "assistant"}[row["role"]]
    yield kind
    yield f"{kind}/{row['role']}"
    yield f"lang={row['lang']}"


def share(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else float("nan")


def line(name: str, c: Counter[str], memories: Memories, word: Counter[str]) -> str:
    p, r = share(c["tp"], c["tp"] + c["fp"]), share(c["tp"], c["tp"] + c["fn"])
    sp, sr = share(c["s_tp"], c["s_tp"] + c["s_fp"]), share(c["s_tp"], c["s_tp"] + c["s_fn"])
    f1, sf1 = (2 * a * b / (a + b) if a + b else float("nan") for a, b in ((p, r), (sp, sr)))
    return (
        f"{name:22} {c['n']:5} {c['tp'] + c['fn']:4} {c['fp'] + c['tn']:5} | {p:4.0f} {r:4.0f} {f1:4.0f} | {share(c['fp'], c['fp'] + c['tn']):5.1f} | "
        f"{sp:4.0f} {sr:4.0f} {sf1:4.0f} | {share(c['cls'], c['matched']):4.0f} {share(c['scp'], c['matched']):4.0f} | "
        f"{memories.stored:6} {share(memories.any, memories.stored):4.0f} {share(memories.sure, memories.stored):4.0f} | "
        f"{share(word['tp'], word['tp'] + word['fp']):4.0f} {share(word['tp'], word['tp'] + word['fn']):4.0f}"
    ).replace("nan", "  -")


def table(rows: Iterable[Row], kept: dict[str, list[Row]]) -> str:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    per_class: dict[str, Counter[str]] = defaultdict(Counter)
    memories: dict[str, Memories] = defaultdict(Memories)
    word: dict[str, Counter[str]] = defaultdict(Counter)
    rows = list(rows)
    first = by_first_word(rows)
    for row in rows:
        count = tally(row, kept[row["id"]], per_class)
        guess = tally(row, [{"text": "", "class": "", "scope": ""}] if first.get(row["id"]) else [], defaultdict(Counter))
        for part in parts(row):
            counts[part].update(count)
            word[part].update(guess)
            memories[part] = memories[part].and_those(row, (memory["text"] for memory in kept[row["id"]]))
    order = ["all", "human", "assistant"]
    names = [n for n in order if n in counts] + sorted(n for n in counts if n not in order)
    head = f"{'':22} {'msgs':>5} {'pos':>4} {'neg':>5} | {'P':>4} {'R':>4} {'F1':>4} | fp100 | {'sP':>4} {'sR':>4} {'sF1':>4} | {'cls':>4} {'scp':>4} | {'stored':>6} {'any':>4} {'sure':>4} | {'1w P':>4} {'1w R':>4}"
    classes = [f"{'class':12} {'gold':>5} {'recall':>7} {'right':>6}"] + [
        f"{name:12} {c['gold']:5} {share(c['found'], c['gold']):7.0f} {share(c['right'], c['found']):6.0f}".replace("nan", "  -")
        for name, c in sorted(per_class.items())
    ]
    return "\n".join(
        [head, "-" * len(head), *(line(name, counts[name], memories[name], word[name]) for name in names), "", *classes]
    )


def errors(rows: Iterable[Row], kept: dict[str, list[Row]], out: dict[str, Row]) -> Iterator[str]:
    for row in sorted(rows, key=lambda row: (row["lang"], row["role"])):
        needed = [label for label in row["labels"] if label.get("strength") == "must"]
        memories = kept[row["id"]]
        if bool(memories) == bool(needed) or (row["labels"] and not needed):
            continue
        yield f"--- {'FP' if memories else 'FN'} {row['lang']} {row['role']} {row['id']} {row.get('category', '')}\n{row['text'][:600]}"
        yield from (f"    kept   {m['class']} {m['confidence']}: {m['text'][:200]}" for m in memories)
        yield from (f"    wanted {label['class']}: {label['span'][:200]}" for label in needed)
        yield from (f"    reject {r['gate']}/{r['reason']}: {r['text'][:120]}" for r in out[row["id"]]["rejected"] if needed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--errors", action="store_true", help="list false positives and misses by language")
    parser.add_argument("--lang", help="only this language")
    parser.add_argument("--role", help="only this role")
    parser.add_argument("--source", help="only sources that contain this")
    args = parser.parse_args()
    rows = [json.loads(text) for path in args.files for text in path.read_text("utf-8").split("\n") if text.strip()]
    rows = [row for row in rows if (not args.lang or row["lang"] == args.lang) and (not args.role or row["role"] == args.role)]
    rows = [row for row in rows if not args.source or args.source in row.get("source", "")]
    begin = time.process_time()
    matcher = files.matcher()
    out = {row["id"]: as_json(row["id"], sweep([message_of(row)], matcher)) for row in rows}
    spent = time.process_time() - begin
    print("\n".join(matcher.problems), file=sys.stderr)
    kept = {identity: told["memories"] for identity, told in out.items()}
    if args.errors:
        print("\n".join(errors(rows, kept, out)))
    print(table(rows, kept))
    print(f"\n{sum(len(row['text']) for row in rows) / 1e6:.2f} MB in {spent:.2f} s CPU")


if __name__ == "__main__":
    main()
