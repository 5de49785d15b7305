"""What a ruling makes of the rules' own verdict. Pure: a judge sorts and rewords, it never raises what an origin may become."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.extraction.sweep import FAINT
from psychmem_py.extraction.wording import names_in
from psychmem_py.judging.protocol import Ruling, Word
from psychmem_py.judging.rewording import borne_out
from psychmem_py.memory.consolidation import JUDGED
from psychmem_py.model.records import Candidate, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.model.terms import HUMAN, RULES, Gate, Kind, Origin, Role, Scope, Store

REASON = "judged"
_SECOND_CHANCE = frozenset({"weak", FAINT})  # reasons of the last gate that a judge may see otherwise
# Why something waits that no judge makes a memory: it is a part of a sentence, speaks of what is not in it, or belongs to the task.
_NOT_ALONE = frozenset({"cut", "dangling", "pointing", "pointer", "self", "at hand", "task"})
HOPELESS = 0.30  # of what is weaker one in forty holds something
SHORT_CHARS, SHORT_FAINT_CHARS = 40, 100  # of an assistant's statements that only wait, that are only faint


def is_proposed(verdict: Verdict) -> bool:
    """Whether a judge is asked about it: what the rules keep, what waits, and what only lacked strength.

    Not what a person told as for good in so many words: nobody but a person takes that back. Not what hardly ever holds anything: a
    fact that a person states and the rules are unsure of, an assistant's short remark.
    """
    candidate = verdict.candidate
    by_assistant = candidate.role is Role.ASSISTANT
    if verdict.gate is None and not verdict.waiting:
        return candidate.store is not Store.LTM
    if verdict.gate is not None:
        lacking = verdict.gate is Gate.EVIDENCE and verdict.reason in _SECOND_CHANCE and candidate.confidence >= HOPELESS
        return lacking and not (by_assistant and len(candidate.text) < SHORT_FAINT_CHARS)
    if by_assistant:
        return verdict.reason not in _NOT_ALONE and len(candidate.text) >= SHORT_CHARS
    return verdict.reason not in _NOT_ALONE and not (verdict.reason == "unsure" and candidate.kind is Kind.SEMANTIC)


def proposed(verdicts: Sequence[Verdict]) -> list[int]:
    """Places of a message's verdicts about which a judge is asked: the surest, a second one that the rules keep too, and a faint one
    only where there is nothing else. A further one that waits holds something in one message of ten.
    """
    asked = [index for index, verdict in enumerate(verdicts) if is_proposed(verdict)]
    asked.sort(key=lambda index: (not verdicts[index].is_kept, -verdicts[index].candidate.confidence))
    clear = [index for index in asked if verdicts[index].reason != FAINT]
    second = [index for index in clear[1:2] if verdicts[index].is_kept]
    return sorted(clear[:1] + second or asked[:1])


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
        store=Store.LTM,
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
