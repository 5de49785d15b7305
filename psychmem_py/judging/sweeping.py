"""Reading without a store: messages of sessions, what the rules make of them, and what a reader does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from psychmem_py.extraction.sweep import sweep
from psychmem_py.ingestion.proof import best_first
from psychmem_py.judging import protocol, understood
from psychmem_py.judging.protocol import Asked
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import Role

Ask = Callable[[str], str]  # gives the answer to one request, "" where there is none


class Swept(NamedTuple):
    """A message with the rules' verdicts on its clauses."""

    message: Message
    verdicts: tuple[Verdict, ...]


def swept(messages: Iterable[Message], matcher: Matcher, settings: Settings = DEFAULTS) -> list[Swept]:
    """What the rules say of each message, each for itself."""
    return [Swept(message, tuple(sweep([message], matcher, settings))) for message in messages]


def read(
    sweeps: Sequence[Swept], sessions: Sequence[Hashable], ask: Ask, matcher: Matcher, settings: Settings = DEFAULTS
) -> list[list[Verdict]]:
    """The verdicts of each message after reading; `sessions` names the one each belongs to, and those of one are read together.
    What a reader fails at is as the rules had it.
    """
    verdicts = [list(one.verdicts) for one in sweeps]
    groups: dict[Hashable, list[int]] = {}
    for at, session in enumerate(sessions):
        groups.setdefault(session, []).append(at)
    for session, group in groups.items():
        typed = [at for at in group if sweeps[at].message.role is Role.USER]
        stated = _stated(sweeps, group)[: protocol.MOST_PROPOSALS if session else None]
        while typed or stated:
            turns = [protocol.turn(sweeps[at].message.text, sweeps[at].message.previous) for at in typed]
            turns = turns[: protocol.fitting(turns, settings.judge.chars_per_call)]
            proposed, stated = stated[: protocol.MOST_PROPOSALS], stated[protocol.MOST_PROPOSALS :]
            here, typed = typed[: len(turns)], typed[len(turns) :]
            of_agent = [protocol.proposal(one.text, one.kind) for at, n in proposed for one in [verdicts[at][n].candidate]]
            asked = Asked(turns, proposals=of_agent)
            answer = protocol.answer(ask(protocol.request(asked)), asked) if asked.is_worth_it else None
            if answer is None or answer.is_lie:
                continue
            for n, at in enumerate(here):
                message = sweeps[at].message._replace(previous=turns[n].previous)
                keeps = [keep for keep in answer.keeps if keep.n == n]
                verdicts[at] = understood.verdicts_after(keeps, message, verdicts[at], matcher, asked.spoken)
            for n, (at, at_verdict) in enumerate(proposed):
                verdicts[at][at_verdict] = understood.of_agent(verdicts[at][at_verdict], answer.proposals.get(n))
    return verdicts


def _stated(sweeps: Sequence[Swept], group: Sequence[int]) -> list[tuple[int, int]]:
    """Of a session the statements of the agent that a reader is asked about, the best first: message, and place among its verdicts."""
    places = {
        id(verdict): (at, n)
        for at in group
        if sweeps[at].message.role is Role.ASSISTANT
        for n, verdict in enumerate(sweeps[at].verdicts)
        if understood.is_proposed(verdict)
    }
    every = (verdict for at in group for verdict in sweeps[at].verdicts if id(verdict) in places)
    return [places[id(verdict)] for verdict in best_first(every)]
