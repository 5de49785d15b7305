"""When the prompt hook speaks: cases in a larger store, real prompts against other people's memories, pairs judged by hand.

    python -m benchmarks.prompt_hook SETS/precision --labelled MESSAGES.jsonl ... [--filler SETS/NAME ...] [--pairs PAIRS.jsonl]

`--labelled`: messages of conversations, each with id, role, text, source ("repository:path") and labels of spans worth keeping.
The spans are memories; the people's messages are prompts, and every memory of another repository is wrong for them. `--filler`
sets only make the store larger. `--pairs`: a prompt's id, a memory and whether it was worth showing then.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.retrieval import NOW, Case, _memory, cases, filled, mean, returned_scores
from psychmem_py.briefing.at_prompt import CUT
from psychmem_py.model.light_record import Retrieval
from psychmem_py.model.records import Memory
from psychmem_py.recall.ranking import WORTH_SAYING, Scored, surprise
from psychmem_py.store import matches
from psychmem_py.store.read_only import excerpts
from psychmem_py.text.likeness import NEAR_DUPLICATE, overlap
from psychmem_py.text.tokenizer import subject

SIZES = (300, 3000, 6000)
PROMPTS = 300
Rule = Callable[[matches.Match, dict[str, float], int], bool]


class Labelled(NamedTuple):
    repository: str
    memory: Memory


def _speaks(match: matches.Match, surprises: dict[str, float], total: int) -> bool:
    return match.beyond >= WORTH_SAYING


def _always(match: matches.Match, surprises: dict[str, float], total: int) -> bool:
    return True


def _two_words(match: matches.Match, surprises: dict[str, float], total: int) -> bool:
    return len(match.words.own) >= 2


def _seen(words: Scored, surprises: dict[str, float]) -> float:
    return sum(surprises.get(word, 0.0) * (1 if word in words.exact else 0.5) for word in words.own)


def _ways(words: Scored, surprises: dict[str, float]) -> float:
    asked, met = max(len(surprises), len(words.own)), len(words.own)
    return math.lgamma(asked + 1) - math.lgamma(met + 1) - math.lgamma(asked - met + 1)


def _chance_alone(match: matches.Match, surprises: dict[str, float], total: int) -> bool:
    return bool(match.words.own) and _seen(match.words, surprises) - math.log(total) - _ways(match.words, surprises) >= 0


def _with_share(match: matches.Match, surprises: dict[str, float], total: int) -> bool:
    seen = _seen(match.words, surprises)
    share = 20 * seen / (sum(surprises.values()) or 1)
    return bool(match.words.own) and seen + share - math.log(total) - _ways(match.words, surprises) / 2 >= 5


RULES: dict[str, Rule] = {
    "built": _speaks,
    "no rule": _always,
    "two words": _two_words,
    "chance alone": _chance_alone,
    "chance and share, no length, no compounds": _with_share,
}


def shown(db: sqlite3.Connection, prompt: str, rule: Rule, most: int = Retrieval().max_prompt_memories) -> list[str]:
    """The ids that a rule would put behind a prompt, as `psychmem_py.briefing.at_prompt` does with its own."""
    question = matches.Question(prompt[:4_000], None, NOW, asked=False, limit=12)
    found = matches.matches(db, question)
    total = int(db.execute("select ifnull(max(seq), 0) from memory").fetchone()[0])
    terms = [term for term, _ in matches.unasked(question.text).terms]
    holding = matches.holders(db, terms)
    surprises = {term: surprise(total, rows) for term, rows in holding.items()}
    fit = [match for match in found if match.score >= CUT * found[0].score and rule(match, surprises, total)]
    texts: list[frozenset[str]] = []
    kept: list[str] = []
    for match, excerpt in zip(fit, excerpts(db, [match.id for match in fit]), strict=True):
        about = subject(excerpt.text)
        if len(kept) < most and not any(overlap(about, other) >= NEAR_DUPLICATE for other in texts):
            kept.append(match.id)
            texts.append(about)
    return kept


def answered(found: Iterable[Case], others: Sequence[Memory], rule: Rule) -> str:
    """Recall / precision / silence over the cases of a set, with `others` in every store."""
    rows = []
    for case in found:
        db = filled([*case.documents, *others])
        rows += [returned_scores(frozenset(shown(db, one.query, rule)), one.gold) for one in case.questions]
        db.close()
    scores = mean(rows)
    return " / ".join(f"{100 * scores[column]:.0f}" for column in ("recall", "precision", "silent"))


def silence(prompts: Sequence[tuple[str, str]], memories: Sequence[Labelled], rule: Rule) -> float:
    """Share of (repository, prompt) that get nothing from the memories of other repositories."""
    db = filled(one.memory for one in memories)
    silent = 0
    for repository, prompt in prompts:
        own = [(one.memory.id,) for one in memories if one.repository == repository]
        db.executemany("update memory set project = 'own', scope = 'project' where id = ?", own)
        silent += not shown(db, prompt, rule)
        db.executemany("update memory set project = null, scope = 'user' where id = ?", own)
    db.close()
    return silent / len(prompts)


def judged(pairs: Sequence[dict], texts: dict[str, tuple[str, str]], others: Sequence[Labelled], rule: Rule) -> str:
    """Recall, precision of all shown, and silence where nothing is worth showing, each prompt in a store with `others`."""
    wanted = got = told = 0
    quiet: list[bool] = []
    for prompt in dict.fromkeys(pair["prompt"] for pair in pairs):
        repository, text = texts[prompt]
        mine = [pair for pair in pairs if pair["prompt"] == prompt]
        own = [_memory({"id": f"own-{place}", "text": pair["memory"]}) for place, pair in enumerate(mine)]
        worth = {f"own-{place}" for place, pair in enumerate(mine) if pair["worth"]}
        there = {pair["memory"] for pair in mine}
        db = filled([*own, *(one.memory for one in others if one.repository != repository and one.memory.text not in there)])
        found = set(shown(db, text, rule))
        db.close()
        wanted, got, told = wanted + len(worth), got + len(worth & found), told + len(found)
        quiet += [] if worth else [not found]
    return f"{100 * got / max(1, wanted):.0f} / {100 * got / max(1, told):.0f} / {100 * sum(quiet) / max(1, len(quiet)):.0f}"


def _repository(row: dict) -> str:
    name = row["source"].partition(":")[0].partition("@")[0]
    return row["conv"] if "/" not in name else name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("precision", type=Path)
    parser.add_argument("--labelled", type=Path, nargs="+", required=True)
    parser.add_argument("--filler", type=Path, nargs="*", default=[])
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--rule", action="append", choices=list(RULES))
    options = parser.parse_args()
    rows = [json.loads(line) for path in options.labelled for line in path.read_text("utf-8").split("\n") if line.strip()]
    spans = [
        Labelled(_repository(row), _memory({"id": f"x-{row['id']}-{place}", "text": label["span"]}))
        for row in rows
        for place, label in enumerate(row["labels"])
    ]
    filler = [Labelled("", one) for path in options.filler for case in cases(path.parent, path.name) for one in case.documents]
    draw = random.Random(5)
    prompts = [(_repository(row), row["text"]) for row in rows if row["role"] == "user"]
    prompts = draw.sample(prompts, min(PROMPTS, len(prompts)))
    draw.shuffle(spans)
    draw.shuffle(filler)
    pool = [*spans, *filler]
    sizes = [size for size in SIZES if size <= len(pool)]
    found = cases(options.precision.parent, options.precision.name)
    texts = {row["id"]: (_repository(row), row["text"]) for row in rows}
    pairs = [json.loads(line) for line in options.pairs.read_text("utf-8").split("\n") if line.strip()] if options.pairs else []
    pairs = [pair for pair in pairs if pair["prompt"] in texts]
    others = spans[:500]
    head = ["alone", f"with {len(others)} others", *(f"foreign, {size:,}" for size in sizes), *(["pairs"] if pairs else [])]
    print(f"| rule | {' | '.join(head)} |\n" + "|---" * (len(head) + 1) + "|")
    for name in options.rule or RULES:
        rule = RULES[name]
        cells = [answered(found, (), rule), answered(found, [one.memory for one in others], rule)]
        cells += [f"{100 * silence(prompts, pool[:size], rule):.0f}" for size in sizes]
        cells += [judged(pairs, texts, others, rule)] if pairs else []
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
