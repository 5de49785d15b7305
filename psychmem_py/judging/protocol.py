"""Judge protocol 1: what is put before a judge, and what of its answer can be read. Pure.

The answer comes from outside and may be anything. What is missing, unreadable, out of bounds or said in two ways counts as not
said, so that the rules' own verdict stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from psychmem_py.extraction.mask import masked
from psychmem_py.model.terms import Kind, Role
from psychmem_py.safety.control_chars import clean, line
from psychmem_py.safety.secrets import redact
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.text.tokenizer import clip

PROTOCOL = 1
PREVIOUS_CHARS, MESSAGE_CHARS, SENTENCE_CHARS = 300, 900, 400
REPLY_CHARS = 200_000  # of an answer that are read
_OBJECTS = 2000  # most places where the answer may begin that are tried
_LEFT_OUT = " […] "


class Word(StrEnum):
    KEEP = "keep"
    MAYBE = "maybe"
    DROP = "drop"


class Proposal(NamedTuple):
    """One sentence with what a reader needs to judge it; safe to send."""

    role: str
    previous: str
    message: str
    sentence: str
    kind: Kind


class Ruling(NamedTuple):
    """What a judge said of one item; `kind` and `text` only where it gave another."""

    word: Word
    kind: Kind | None = None
    text: str = ""


def item(*, role: Role, previous: str, message: str, quote: str, sentence: str, kind: Kind) -> Proposal:
    """The item of a sentence: without secrets, our own blocks, code and pasted text, each part cut to its length.

    A long message is cut around `quote`, of what was said before the end is kept.
    """
    before = _prose(previous, human=False)
    return Proposal(
        role=role.value,
        previous=before if len(before) <= PREVIOUS_CHARS else "…" + before[1 - PREVIOUS_CHARS :],
        message=_around(_prose(message, human=role is Role.USER), line(quote)),
        sentence=clip(line(redact(clean(sentence))), SENTENCE_CHARS),
        kind=kind,
    )


def _prose(text: str, *, human: bool) -> str:
    """The speaker's own words on one line, with a mark where something else stood."""
    safe = redact(without_our_blocks(clean(text)))
    shown = masked(safe, from_human=human).text
    blank = "".join(char if kept.strip() or char.isspace() else "\0" for char, kept in zip(safe, shown, strict=True))
    return " ".join(re.sub(r"\0[\0\s]*", _LEFT_OUT, blank).split())


def _around(text: str, quote: str) -> str:
    """At most MESSAGE_CHARS of the text, with the quote in it where it is found."""
    if len(text) <= MESSAGE_CHARS:
        return text
    at = max(0, text.find(" ".join(quote.split())[:40]))
    start = max(0, min(at - MESSAGE_CHARS // 3, len(text) - MESSAGE_CHARS))
    cut = text[start : start + MESSAGE_CHARS]
    return ("…" + cut[1:] if start else cut)[: MESSAGE_CHARS - 1] + ("…" if start + MESSAGE_CHARS < len(text) else cut[-1])


def request(items: Sequence[Proposal], instructions: str) -> str:
    """The JSON a judge reads, the items numbered from 0."""
    asked = [
        {"n": n, "role": one.role, "previous": one.previous, "message": one.message, "sentence": one.sentence, "class": one.kind}
        for n, one in enumerate(items)
    ]
    return json.dumps({"protocol": PROTOCOL, "instructions": instructions, "items": asked}, ensure_ascii=False)


def batches(items: Sequence[Proposal], instructions: str, limit_chars: int) -> list[list[Proposal]]:
    """The items in order, as many in each request as fit into `limit_chars`; at least one, since less cannot be asked."""
    empty = len(request([], instructions))
    all_batches: list[list[Proposal]] = []
    room = 0
    for one in items:
        size = len(request([one], instructions)) - empty + 5  # its number and the comma before it
        if not all_batches or size > room:
            all_batches.append([])
            room = limit_chars - empty
        all_batches[-1].append(one)
        room -= size
    return all_batches


def rulings(reply: str, count: int) -> dict[int, Ruling]:
    """The readable verdicts of an answer by item; an item that is spoken of in two ways is left out."""
    by_number: dict[int, Ruling] = {}
    doubtful: set[int] = set()
    for verdict in _verdicts(reply[:REPLY_CHARS]):
        n, read = verdict.get("n"), _ruling(verdict)
        if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n < count or read is None:
            continue
        if by_number.setdefault(n, read) != read:
            doubtful.add(n)
    return {n: read for n, read in by_number.items() if n not in doubtful}


def _verdicts(reply: str) -> Iterator[dict[str, Any]]:
    """Every entry of every `verdicts` list that stands in the answer, alone, in other text or in a code fence."""
    decoder, done = json.JSONDecoder(), 0
    last = reply.rfind('"verdicts"')
    for opening in islice(re.finditer(r"\{", reply[: max(0, last)]), _OBJECTS):
        if opening.start() < done:
            continue  # inside of one that was read
        try:
            value, end = decoder.raw_decode(reply, opening.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("verdicts"), list):
            done = end
            yield from (entry for entry in value["verdicts"] if isinstance(entry, dict))


_WORDS = {word.value: word for word in Word}
_KINDS = {kind.value: kind for kind in Kind}


def _ruling(verdict: dict[str, Any]) -> Ruling | None:
    ruled, kind, text = verdict.get("verdict"), verdict.get("class"), verdict.get("text")
    word = _WORDS.get(ruled.strip().lower()) if isinstance(ruled, str) else None
    if word is None:
        return None
    text_line = line(redact(clean(text))).strip() if isinstance(text, str) and len(text) <= SENTENCE_CHARS else ""
    return Ruling(word, _KINDS.get(kind) if isinstance(kind, str) else None, text_line)
