"""Judging without a store: what is swept of many messages is put before a judge in as few requests as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.extraction.sweep import sweep
from psychmem_py.judging import protocol
from psychmem_py.judging.instructions import instructions
from psychmem_py.judging.judged import after, proposed
from psychmem_py.judging.protocol import Proposal, Ruling
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings

JudgeFunction = Callable[[Sequence[Proposal]], Mapping[int, Ruling]]  # the rulings on some items, by their place


class Swept(NamedTuple):
    """A message with the rules' verdicts on its clauses."""

    message: Message
    verdicts: tuple[Verdict, ...]


def swept(messages: Iterable[Message], matcher: Matcher, settings: Settings = DEFAULTS) -> list[Swept]:
    """What the rules say of each message, each for itself."""
    return [Swept(message, tuple(sweep([message], matcher, settings, faint=True))) for message in messages]


def item_of(message: Message, verdict: Verdict) -> Proposal:
    """A verdict's sentence as it is put before a judge."""
    candidate = verdict.candidate
    return protocol.item(
        role=message.role,
        previous=message.previous,
        message=message.text,
        quote=candidate.quote,
        sentence=candidate.text,
        kind=candidate.kind,
    )


def judged(sweeps: Sequence[Swept], judge: JudgeFunction, settings: Settings = DEFAULTS) -> list[list[Verdict]]:
    """The verdicts of each message after judging; where the judge is silent the rules' own stand."""
    indexes = [(row, column) for row, one in enumerate(sweeps) for column in proposed(one.verdicts)]
    items = [item_of(sweeps[row].message, sweeps[row].verdicts[column]) for row, column in indexes]
    answers = judge(items) if items else {}
    rulings = {index: answers[n] for n, index in enumerate(indexes) if n in answers}
    return [
        [
            after(verdict, rulings.get((row, column)), (one.message.text, one.message.previous), settings)
            for column, verdict in enumerate(one.verdicts)
        ]
        for row, one in enumerate(sweeps)
    ]


def in_batches(ask: Callable[[str], str], limit_chars: int) -> JudgeFunction:
    """A judge that sends its items in requests of at most `limit_chars`; `ask` gives the answer to one request, or raises."""

    def judge(items: Sequence[Proposal]) -> dict[int, Ruling]:
        return dict(_asked(items, ask, limit_chars))

    return judge


def _asked(items: Sequence[Proposal], ask: Callable[[str], str], limit_chars: int) -> Iterator[tuple[int, Ruling]]:
    start = 0
    for batch in protocol.batches(items, instructions(), limit_chars):
        by_number = protocol.rulings(ask(protocol.request(batch, instructions())), len(batch))
        yield from ((start + n, ruling) for n, ruling in by_number.items())
        start += len(batch)


def proposals(sweeps: Iterable[Swept]) -> Iterator[tuple[str, Proposal]]:
    """(message id, item) of everything a judge would be asked about."""
    for one in sweeps:
        yield from ((one.message.id, item_of(one.message, one.verdicts[column])) for column in proposed(one.verdicts))
