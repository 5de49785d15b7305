"""What a ruling makes of the rules' own verdict. Pure: a judge sorts and rewords, it never raises what an origin may become."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.extraction.sweep import FAINT
from psychmem_py.extraction.wording import names_in
from psychmem_py.judging.protocol import Ruling, Word
from psychmem_py.judging.rewording import borne_out
from psychmem_py.memory.standing import JUDGED
from psychmem_py.model.records import Candidate, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import HUMAN, RULES, Gate, Kind, Origin, Scope, Standing

REASON = "judged"
_SECOND_CHANCE = frozenset({"weak", FAINT})  # reasons of the last gate that a judge may see otherwise


def is_proposed(verdict: Verdict) -> bool:
    """Whether a judge is asked about it: what the rules keep, what waits, and what only lacked strength.

    Not what a person told as for good in so many words: nobody but a person takes that back.
    """
    if verdict.candidate.standing is Standing.SETTLED and verdict.gate is None and not verdict.waiting:
        return False
    return verdict.gate is None or (verdict.gate is Gate.EVIDENCE and verdict.reason in _SECOND_CHANCE)


SECOND = 0.55  # a further one of a message is asked about from this confidence
HOPELESS = 0.30  # of what is weaker one in forty holds something


def proposed(verdicts: Sequence[Verdict]) -> list[int]:
    """Places of a message's verdicts about which a judge is asked: the surest, a second one that is nearly as sure, and a faint one only
    where there is nothing else. A further weak one holds something in one message of ten.
    """
    asked = [index for index, verdict in enumerate(verdicts) if is_proposed(verdict) and not _hopeless(verdict)]
    asked.sort(key=lambda index: (not verdicts[index].is_kept, -verdicts[index].candidate.confidence))
    clear = [index for index in asked if verdicts[index].reason != FAINT]
    second = [index for index in clear[1:2] if verdicts[index].candidate.confidence >= SECOND]
    return sorted(clear[:1] + second or asked[:1])


def _hopeless(verdict: Verdict) -> bool:
    return verdict.reason in _SECOND_CHANCE and verdict.candidate.confidence < HOPELESS


def after(verdict: Verdict, ruling: Ruling | None, sources: Sequence[str], settings: Settings = DEFAULTS) -> Verdict:
    """The verdict as the ruling leaves it; `sources` are the message and the one before it.

    Without a ruling, or with a doubtful one, the rules' own verdict stands.
    """
    if ruling is None or ruling.word is Word.MAYBE:
        return verdict
    if ruling.word is Word.DROP:
        return verdict._replace(gate=Gate.JUDGE, reason=REASON, waiting=False)
    candidate = verdict.candidate
    kind = kind_after(candidate.kind, ruling, candidate.origin)
    text = text_after(candidate.text, ruling, sources)
    made = candidate._replace(
        text=text,
        kind=kind,
        scope=_scope(candidate, kind, settings),
        names=candidate.names if text == candidate.text else names_in(text),
        standing=Standing.SETTLED,
        metadata=(*candidate.metadata, (JUDGED, Word.KEEP)),
    )
    return Verdict(made, reason=REASON)


def kind_after(kind: Kind, ruling: Ruling, origin: Origin) -> Kind:
    """The class a ruling leaves: never a rule from what no person typed."""
    if ruling.kind is None or (ruling.kind in RULES and origin not in HUMAN):
        return kind
    return ruling.kind


def text_after(text: str, ruling: Ruling, sources: Sequence[str]) -> str:
    """The ruling's wording where the sources bear it out, else the old one."""
    return ruling.text if ruling.text and borne_out(ruling.text, sources, text) else text


def _scope(candidate: Candidate, kind: Kind, settings: Settings) -> Scope:
    """The scope the words told, the project's where the class belongs to a project. Never a wider one."""
    return Scope.PROJECT if settings.policy(kind).scope is Scope.PROJECT else candidate.scope
