"""Whether an earlier conversation is found again, and what looking costs.

python -m benchmarks.episodes --said FOLDER|CHATS.jsonl --questions QUESTIONS.jsonl [--misses]
python -m benchmarks.episodes --speed /tmp/folder

FOLDER holds transcripts of Claude Code (.jsonl, .jsonl.gz); CHATS.jsonl one {"session", "turns": [{"role", "text"}]} a line. A
question is {"query", "answer": [PATTERN]}: answered at n when all patterns are in the first n hits. Beside it the memories of
the same conversations. Nothing of the texts or questions is part of the project.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import quantiles

from benchmarks.scale import VOCABULARY, vocabulary
from psychmem_py.agents import claude_transcript
from psychmem_py.home.files import directories
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.languages.files import own_matcher
from psychmem_py.model.records import Message, Origin, Role, ToolUse
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import episodes, search
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.episodes import Episode
from psychmem_py.store.matches import Question

NOW = 1_790_000_000.0
SIZES = (1_000, 10_000, 100_000)
QUERIES = 200
_PROJECTS = 10


def conversations(source: Path) -> Iterator[tuple[str, tuple[Message, ...], tuple[ToolUse, ...]]]:
    """Each conversation with its messages and tool calls, the oldest first."""
    if source.is_dir():
        read = {path: claude_transcript.read(_bytes(path)) for path in sorted(source.rglob("*.jsonl*"))}
        for path, found in sorted(read.items(), key=lambda pair: min((one.at or 0.0 for one in pair[1].messages), default=0.0)):
            yield path.name.partition(".jsonl")[0], tuple(found.messages), tuple(found.uses)
        return
    for line in source.read_text("utf-8").splitlines():
        chat = json.loads(line)
        turns = [
            (Role.USER, Origin.USER_PROMPT) if turn["role"] == "user" else (Role.ASSISTANT, Origin.ASSISTANT)
            for turn in chat["turns"]
        ]
        texts = zip(turns, chat["turns"], strict=True)
        yield (
            chat["session"],
            tuple(Message(f"{chat['session']}:{n}", *who, turn["text"]) for n, (who, turn) in enumerate(texts)),
            (),
        )


def _bytes(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def answered(source: Path, questions: Sequence[dict[str, object]], *, misses: bool) -> None:
    """Prints how many questions exchanges answer, and how many memories."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "memory.db"), now=NOW) as db:
        languages = own_matcher(directories({"HOME": folder, "PSYCHMEM_HOME": folder}))
        here = Project("dir:/w", "w", "/w")
        for session, messages, uses in conversations(source):
            span = Span(session, "claude-code", messages, uses)
            extract(db, span, project=here, settings=DEFAULTS, matcher=lambda: languages, now=NOW)
        counts = dict.fromkeys(("exchanges @1", "exchanges @5", "memories @1", "memories @5"), 0)
        for asked in questions:
            query = str(asked["query"])
            said = [f"{hit.episode.typed}\n{hit.episode.answer}" for hit in episodes.search(db, query, here.id, limit=5)]
            kept = [hit.memory.text for hit in search.hits(db, Question(query, here.id, NOW, limit=5))]
            for name, texts in (("exchanges", said), ("memories", kept)):
                for most in (1, 5):
                    counts[f"{name} @{most}"] += _holds("\n".join(texts[:most]), asked["answer"])
            if misses and not _holds("\n".join(said), asked["answer"]):
                print("not among five:", query)
        print(
            f"{len(episodes.kept(db))} exchanges, {len(questions)} questions:",
            ", ".join(f"{name} {n}" for name, n in counts.items()),
        )


def _holds(text: str, patterns: object) -> bool:
    assert isinstance(patterns, list)
    return all(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def speed(folder: Path) -> None:
    """Prints CPU milliseconds of a search in stores of made-up exchanges, and their size."""
    words = vocabulary(random.Random(1))
    weights = [1 / (rank + 10) for rank in range(VOCABULARY)]
    folder.mkdir(exist_ok=True)
    for size in SIZES:
        path, rng = folder / f"{size}.db", random.Random(size)
        with open_store(path, now=NOW) as db:
            if not len(episodes.kept(db)):
                drawn = iter(rng.choices(words, weights, k=size * 80))
                texts = [" ".join(next(drawn) for _ in range(80)) for _ in range(size)]
                made = (_made(n, text) for n, text in enumerate(texts))
                with transaction(db):
                    episodes.add(db, made)
            taken = []
            for _ in range(QUERIES):
                query = " ".join(rng.choices(words, weights, k=rng.randint(3, 10)))
                begun = time.process_time()
                episodes.search(db, query, f"p{rng.randrange(_PROJECTS)}")
                taken.append((time.process_time() - begun) * 1000)
            cuts = quantiles(taken, n=20)
            print(
                f"{size:>7} exchanges: p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms, {path.stat().st_size / size / 1000:.1f} kB each"
            )


def _made(number: int, text: str) -> Episode:
    session = f"s{number // 8}"
    return Episode(
        f"{number:032x}", f"p{number // 8 % _PROJECTS}", session, f"m{number}", NOW + number, text[:200], text[200:], (), ()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--said", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--speed", type=Path)
    given = parser.parse_args()
    if given.speed:
        speed(given.speed)
    elif not (given.said and given.questions):
        parser.error("give --said and --questions, or --speed")
    else:
        questions = [json.loads(line) for line in given.questions.read_text("utf-8").splitlines()]
        answered(given.said, questions, misses=given.misses)


if __name__ == "__main__":
    main()
