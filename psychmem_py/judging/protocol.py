"""The reader's protocol 2: what is put before a reader, and what of its answer is true; all else counts as not said. Pure."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib import resources
from itertools import accumulate, islice
from typing import Any, NamedTuple

from psychmem_py.errors import JudgeError
from psychmem_py.extraction import clauses, mask
from psychmem_py.judging import said
from psychmem_py.model.records import Kind
from psychmem_py.model.settings import NAMES
from psychmem_py.safety.control_chars import clean, line
from psychmem_py.safety.secrets import redact
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.text.folding import fold
from psychmem_py.text.tokenizer import clip

PREVIOUS_CHARS, TYPED_CHARS, SENTENCE_CHARS = 500, 2_000, 400
MOST_KNOWN, MOST_PROPOSALS, _MOST_CALLS = 20, 5, 3
_SHORT_LETTERS = 15  # "go ahead, thanks", "yes, please do"
_MARKS = "\"'`*_“”«»()[]{}<>@/\\.-"  # that a quotation may begin or end with
_WORDS = re.compile(r"[^\W_\u0e00-\uffff]+|(?=[\u0e00-\uffff])\w")  # of a script without spaces each sign
_GAP = re.compile(r"…|\.{3}|\[\.*\]")  # in a quotation that leaves something out
_NONCE = re.compile(r'"nonce"\s*:\s*"([^"]{0,80})"')
_LEAST_RUN, _LEAST_QUOTED = 4, 0.6  # words in a row that a quotation must have of what was typed, and their share of it
_COMMAND = re.compile(r"\s{0,9}[/!]\w[\w:-]{0,80}")


class TypedTurn(NamedTuple):
    """What a person typed, and the end of what the agent had said; safe to send."""

    previous: str
    typed: str


class SentStatement(NamedTuple):
    """A memory the reader may point at, or what the agent stated and the rules propose; safe to send."""

    text: str
    kind: Kind
    id: str = ""  # of a memory


class Asked(NamedTuple):
    """What one request asks."""

    turns: Sequence[TypedTurn]
    known: Sequence[SentStatement] = ()
    proposals: Sequence[SentStatement] = ()
    nonce: str = ""  # known to whoever was asked, and to nobody else

    @property
    def typed(self) -> str:
        """All that was typed as one text."""
        return "\n".join(one.typed for one in self.turns)

    @property
    def is_worth_it(self) -> bool:
        """Whether more was typed than commands and short confirmations; the agent's statements alone are worth it, too."""
        spoken = any(clauses.letters_said(one.typed) > _SHORT_LETTERS and not _COMMAND.match(one.typed) for one in self.turns)
        return spoken or bool(self.proposals and not self.turns)


class Keep(NamedTuple):
    """Something typed that the reader would keep; `quote` was found in that turn."""

    n: int
    quote: str
    text: str = ""
    kind: Kind = Kind.DECISION
    everywhere: bool = False
    same_as: str = ""  # id as it was sent
    replaces: str = ""
    calls: tuple[str, ...] = ()  # globs of tool calls that break it
    at_start: bool = True  # a session must know it from its start; else it is found when the matter comes up


class Ruling(NamedTuple):
    """What the reader says of a proposal."""

    keep: bool
    text: str = ""


class Answer(NamedTuple):
    """What can be read of an answer; `untrue` counts what it would keep that nobody typed there."""

    keeps: tuple[Keep, ...] = ()
    proposals: Mapping[int, Ruling] = {}
    untrue: int = 0


@cache
def instructions() -> str:
    """What a reader is told to do; the number in the file's name is the version."""
    return resources.files(__package__).joinpath("instructions-10.md").read_text("utf-8").strip()


def turn(typed: str, previous: str) -> TypedTurn:
    """A turn without secrets, our own blocks and long pastes, cut: `previous` to its end, `typed` to beginning and end."""
    spoken = mask.without_pastes(_safe(typed)).strip()
    before = _safe(previous).strip()
    if len(spoken) > TYPED_CHARS:
        spoken = f"{spoken[: TYPED_CHARS * 2 // 3]}\n[…]\n{spoken[5 - TYPED_CHARS // 3 :]}"
    return TypedTurn(before if len(before) <= PREVIOUS_CHARS else "…" + before[1 - PREVIOUS_CHARS :], spoken)


def proposal(text: str, kind: Kind) -> SentStatement:
    """A statement of the agent, safe to send."""
    return SentStatement(clip(line(redact(text)), SENTENCE_CHARS), kind)


def _safe(text: str) -> str:
    return redact(without_our_blocks(clean(text)))


def request(asked: Asked) -> str:
    """The JSON a reader gets, turns and proposals numbered from 0."""
    spoken: dict[str, object] = {"protocol": 2, "instructions": instructions()}
    spoken |= {"nonce": asked.nonce} if asked.nonce else {}
    spoken["turns"] = [{"n": n, **one._asdict()} for n, one in enumerate(asked.turns)]
    spoken["known"] = [{"id": one.id, "text": one.text, "class": one.kind.value} for one in asked.known]
    spoken["proposals"] = [{"n": n, "sentence": one.text, "class": one.kind.value} for n, one in enumerate(asked.proposals)]
    return json.dumps(spoken, ensure_ascii=False, separators=(",", ":"))


def fitting(turns: Sequence[TypedTurn], limit_chars: int) -> int:
    """How many of the first turns go into one request of `limit_chars` beside what is known and proposed; at least one."""
    room = limit_chars - len(request(Asked(()))) - MOST_KNOWN * 160 - MOST_PROPOSALS * SENTENCE_CHARS // 2
    sizes = accumulate(len(json.dumps(one._asdict(), ensure_ascii=False)) + 8 for one in turns)
    return sum(not number or size <= room for number, size in enumerate(sizes))


def answer(reply: str, asked: Asked) -> Answer | None:
    """What an answer says of what was asked; None where there is nothing in it that can be read, or it answers somebody else."""
    objects = [*_objects_in(reply[:200_000])]  # so much of an answer is read
    whole = [value for value in objects if isinstance(value.get("keep"), list | dict)]
    parts = [value for value in objects if "quote" in value]  # a list alone, a line each, one that was cut off
    if not (whole or parts) or set(_NONCE.findall(reply)) - {asked.nonce}:
        return None
    spoken = whole[-1] if whole else {"keep": parts}  # the last: a program may think aloud before
    if not (entries := _entries(spoken["keep"])) and spoken["keep"]:
        return None
    found = [_keep(entry, asked) for entry in entries[:200] if entry.get("sure") is not False]
    keeps: dict[tuple[int, str, str], Keep] = {}
    for keep in filter(None, found):
        keeps.setdefault((keep.n, keep.quote, keep.text), keep)
    return Answer(tuple(keeps.values()), _rulings(spoken.get("proposals"), len(asked.proposals)), found.count(None))


def believed(reply: str, asked: Asked) -> Answer:
    """What `answer` reads. Raises JudgeError where that is nothing, and where nobody typed most of what it quotes."""
    if (found := answer(reply, asked)) is None:
        raise JudgeError("the reader's answer holds nothing that can be read; `psychmem judge --now` shows whether it lasts")
    if found.untrue > len(found.keeps):
        raise JudgeError(f"the reader quoted what nobody typed, {found.untrue} times; its answer was discarded")
    return found


def _entries(value: object) -> list[dict[str, Any]]:
    listed = ([value] if "n" in value else [*value.values()]) if isinstance(value, dict) else value
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _objects_in(reply: str) -> Iterator[dict[str, Any]]:
    """Every readable object in an answer: alone, in other text, in a fence or in a broken one; none nested in another."""
    decoder, done = json.JSONDecoder(strict=False), 0
    for opening in islice(re.finditer(r"\{", reply), 2000):  # most places where the answer may begin that are tried
        if opening.start() < done:
            continue
        try:
            value, done = decoder.raw_decode(reply, opening.start())
        except (ValueError, RecursionError):
            continue
        yield value


def _keep(entry: Mapping[str, Any], asked: Asked) -> Keep | None:
    """What an entry would keep; None where that turn has no such words."""
    n, quote = _number(entry, len(asked.turns)), entry.get("quote")
    if not isinstance(quote, str) or len(quote) > TYPED_CHARS:
        return None
    typed = found_in(quote, asked.turns[n].typed) if n is not None else ""
    if not typed and len(_WORDS.findall(fold(quote))) > _LEAST_RUN:  # counted wrongly
        n, typed = next(((at, found) for at, one in enumerate(asked.turns) if (found := found_in(quote, one.typed))), (n, ""))
    if n is None or not typed:
        return None
    ids = {one.id for one in asked.known}
    same_as, replaces = (str(entry.get(name) or "") for name in ("same_as", "replaces"))
    return Keep(
        n=n, quote=typed, text=_line(entry.get("text")),
        kind=NAMES.get(str(entry.get("class")).strip().lower(), Kind.DECISION),
        everywhere=entry.get("scope") == "user", same_as=same_as if same_as in ids else "",
        replaces=replaces if replaces in ids else "", calls=calls_of(entry.get("calls")),
        at_start=entry.get("start") is not False,
    )  # fmt: skip


def found_in(quote: str, typed: str) -> str:
    """The words of `typed` that a quotation gives, marks and case aside, with what denies them in their clause; "" for none."""
    told = fold(clean(quote)).strip()
    parts = [part for part in _GAP.split(told) if _WORDS.search(part)]
    spans = [span for part in parts if (span := _span(part, fold(typed)))]
    if not spans or len(spans) < len(parts):
        return ""
    start, end = spans[0][0], spans[-1][1]
    if not start < end <= start + SENTENCE_CHARS:
        start, end = max(spans, key=lambda span: span[1] - span[0])
    start, end = said.with_denials(typed, start, end)
    start -= len(typed[:start]) - len(typed[:start].rstrip(_MARKS)) if told[0] in _MARKS else 0
    end += len(typed[end:]) - len(typed[end:].lstrip(_MARKS)) if told[-1] in _MARKS else 0
    return typed[start:end].strip()


def _span(quote: str, typed: str) -> tuple[int, int] | None:
    """Where a folded text has these words, or most of them in a row."""
    words, there = _WORDS.findall(quote), [*_WORDS.finditer(typed)]
    _, at, length = SequenceMatcher(None, words, [word.group() for word in there], autojunk=False).find_longest_match()
    if not length or length < min(len(words), max(_LEAST_RUN, _LEAST_QUOTED * len(words))):
        return None
    return there[at].start(), there[at + length - 1].end()


def _rulings(value: object, count: int) -> dict[int, Ruling]:
    """The readable verdicts on proposals; one that is spoken of in two ways is left out."""
    ruled = defaultdict[int, set[Ruling]](set)
    for entry in _entries(value):
        n, verdict = _number(entry, count), entry.get("verdict")
        if n is not None and verdict in ("keep", "drop"):
            ruled[n].add(Ruling(verdict == "keep", _line(entry.get("text"))))
    return {n: read.pop() for n, read in ruled.items() if len(read) == 1}


def _number(entry: Mapping[str, Any], count: int) -> int | None:
    n = entry.get("n")
    n = int(n) if isinstance(n, str) and n.isdecimal() else n
    return n if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < count else None


def calls_of(value: object) -> tuple[str, ...]:
    """The globs of an entry, whatever they mean."""
    return tuple(dict.fromkeys(filter(None, map(_line, value[:_MOST_CALLS] if isinstance(value, list) else ()))))


def _line(text: object) -> str:
    return line(redact(clean(text))).strip() if isinstance(text, str) and len(text) <= SENTENCE_CHARS else ""
