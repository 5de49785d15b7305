"""Verdicts on one span compared with the store: what is new, restated, confirmed or pending."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.extraction.classify import AGAIN
from psychmem_py.extraction.weights import beyond
from psychmem_py.extraction.wording import resolved
from psychmem_py.home import files
from psychmem_py.home.places import NAME
from psychmem_py.home.project import Project
from psychmem_py.ingestion import proof
from psychmem_py.ingestion.spans import Span
from psychmem_py.memory.admission import DOUBT, FAULTS
from psychmem_py.memory.compare import repeated, says_instead, taken_back, tells_all
from psychmem_py.memory.forgetting import consolidated
from psychmem_py.memory.reconcile import forgotten_before
from psychmem_py.model import records
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.records import Candidate, Change, ChangeType, Evidence, Gate, Kind, Message, Role, Status, ToolUse, Verdict
from psychmem_py.store import candidates, change_log, read_only, rows
from psychmem_py.store.search import neighbours, planned
from psychmem_py.text.likeness import READ_OUT, shares_enough, similarity
from psychmem_py.text.tokenizer import content_words, digest, normalised

SETTLED_PER_SESSION = 2  # of what an assistant stated; the rest of it waits
COPIED_CHARS = 100  # so much is not said twice in the same words, but pasted twice
FORGOTTEN = "forgotten"  # why a statement is not kept that would be
READ_HERE = "read here"  # why an assistant's statement is none: it reads out what PsychMem showed it
TAKEN_BACK = "you took it back"  # why a rule of theirs is pending
UNPROVED, ENOUGH = "unproved", "enough"  # why an assistant's statement waits
Sentences = Sequence[tuple[Message, str]]  # each with the message it stands in
_OUR_COMMAND = re.compile(rf"(?:^|[\s/;&|(]){NAME}'?\s")


class SpanResult(NamedTuple):
    """What became of a span."""

    kept: tuple[Verdict, ...] = ()
    waiting: tuple[Verdict, ...] = ()
    rejected: tuple[Verdict, ...] = ()
    changes: tuple[Change, ...] = ()
    given_up: int = 0  # messages that could not be read in their share of time
    answered: tuple[int, ...] = ()  # waiting candidates of earlier sessions that became memories now


class _Review(NamedTuple):
    """A verdict after its second look."""

    verdict: Verdict
    answers: tuple[int, ...] = ()  # waiting candidates that become a memory with it
    late: bool = False  # it is on one of these, from an earlier stretch of this conversation


class Settling:
    """Compares verdicts with the store: keeps what was pending and is said again, drops what is known, limits the number."""

    def __init__(
        self, act: Act, span: Span, project: Project | None, uses: Sequence[ToolUse], *, agreed: Sequence[str], said: Sentences
    ) -> None:
        """`uses` are the stretch's calls, `agreed` the answers that got a yes, `said` the sentences that refer back."""
        self.act, self.db, self.settings, self.span, self.uses, self.agreed = act, act.db, act.settings, span, uses, agreed
        self.project = project.id if project else None
        self.root = project.root if project else ""
        self.files_below = cache(files.files_below)
        self.said = said
        self.forgotten: set[str] = set()  # texts of what a person has forgotten on purpose: said, and not kept

    def settled(self, verdicts: Sequence[Verdict], turns: int, ids: Iterator[str]) -> SpanResult:
        """What becomes of the verdicts on a stretch of so many turns."""
        texts = [(verdict.candidate.text, verdict.candidate.quote) for verdict in verdicts]
        purged = change_log.erased(self.db, [text for both in texts for text in both])
        live = [verdict for verdict, both in zip(verdicts, texts, strict=True) if purged.isdisjoint(both)]
        ran = [(use.tool, use.command) for use in self.uses]
        ran += [call[:2] for call in read_only.run_in(self.db, self.span.session)]
        if any(NAME in tool or _OUR_COMMAND.search(command) for tool, command in ran):
            read_out: dict[str, Any] = {"gate": Gate.FILTER, "reason": READ_HERE, "waiting": False}
            live = [one._replace(**read_out) if self._is_read_out(one) else one for one in live]
        told_of, again = self._referred_to([one.candidate for one in live if one.is_kept]), self._pending_again()
        answered = [*again, *(change.evidence.quote for change in told_of if change.evidence)]
        live = [one for one in live if not any(one.candidate.quote in said for said in answered)]
        looked = self._few_of_the_assistant([*map(self._second_look, live), *self._proved_late(), *again.values()])
        kept = [one.verdict for one in looked if one.verdict.is_kept]
        changes, over = self._planned(kept, self.settings.extraction.max_memories_per_stop * turns, ids)
        looked = _bounded(looked, lambda one: one.candidate.text in over, gate=Gate.LIMIT, reason="limit")
        looked = _bounded(looked, lambda one: one.candidate.text in self.forgotten, gate=Gate.FILTER, reason=FORGOTTEN)
        live = [one.verdict for one in looked]
        return SpanResult(
            kept=tuple(verdict for verdict in live if verdict.is_kept),
            waiting=tuple(verdict for verdict in live if verdict.waiting),
            rejected=tuple(verdict for verdict in live if verdict.gate is not None),
            changes=(*told_of, *changes),
            answered=tuple(seq for one in looked if one.verdict.is_kept for seq in one.answers),
        )

    def _second_look(self, verdict: Verdict) -> _Review:
        """Keeps what was unsure if another session said it, an assistant's if tool or person confirms it; else it is pending."""
        stated = self._needs_proof(verdict)
        if verdict.gate is not None or not (verdict.waiting or stated or verdict.candidate.store is records.Store.STM):
            return _Review(verdict)
        if verdict.reason in FAULTS:
            return _Review(verdict._replace(waiting=True))
        again = self._said_before(verdict.candidate) if verdict.waiting or stated else []
        if again or (verdict.is_kept and any(signal.family == AGAIN for signal in verdict.candidate.signals)):
            return _Review(_confirmed(self._as_known(verdict), "second mention"), tuple(item.seq for item in again))
        if stated and (why := self._proof(verdict.candidate)):
            return _Review(_confirmed(verdict, why))
        return _Review(verdict._replace(waiting=True, reason=verdict.reason or UNPROVED) if stated else verdict)

    def _referred_to(self, kept_now: Sequence[Candidate]) -> list[Change]:
        """What the person says of earlier statements that nothing replaces: taken back they wait, repeated they are confirmed."""
        kept = rows.listed(self.db, project=self.project, statuses=[Status.ACTIVE]) if self.said else ()
        stated = [one for one in kept if one.origin in records.HUMAN]
        rules = [one for one in stated if one.kind in records.ENFORCED | records.RULES]
        changes: dict[str, Change] = {}
        for message, sentence in self.said:
            again, stays = repeated(sentence, stated), any(one.quote in sentence for one in kept_now)
            taken = [one for one in taken_back(sentence, rules) if not (stays and says_instead(sentence, one.text))]
            for one in again or taken:
                kind, why = (ChangeType.REINFORCE, "said again") if again else (ChangeType.STATUS, "taken back")
                waits = one.marked({DOUBT: TAKEN_BACK})._replace(status=Status.QUARANTINED)
                after = (consolidated(one) if again else waits)._replace(updated_at=self.act.now)
                voice = Evidence(one.id, self.act.now, "sweep", message.origin, self.span.session, message.id, sentence)
                changes[one.id] = Change(kind, one.id, one, after, why, voice)
        return [*changes.values()]

    def _pending_again(self) -> dict[str, _Review]:
        """What is pending and a person says again by their own words, by the sentence: "I told you: …"."""
        waits = [one for one in candidates.waiting(self.db, project=self.project) if one.candidate.origin in records.HUMAN]
        again = ((sentence, one) for _, sentence in self.said for one in waits if repeated(sentence, [one.candidate]))
        return {sentence: _Review(_confirmed(Verdict(one.candidate), "second mention"), (one.seq,)) for sentence, one in again}

    def _needs_proof(self, verdict: Verdict) -> bool:
        """Whether it is an assistant's statement, of a class that does not go to long-term memory at once."""
        return verdict.candidate.role is Role.ASSISTANT and not self.settings.stores.at_once(verdict.candidate.kind)

    def _is_read_out(self, verdict: Verdict) -> bool:
        """Whether half of an assistant's statement (two words or more) is known or waits already, or it makes no sense alone."""
        if verdict.gate is not None or verdict.candidate.role is not Role.ASSISTANT:
            return False
        if verdict.reason in FAULTS:
            return True
        text = verdict.candidate.text
        words = set(content_words(text))
        memories = neighbours(self.db, [text], project=self.project, statuses=list(Status))
        known = (*(memory.text for memory in memories), *candidates.texts(self.db, self.project))
        return any(shares_enough(words, set(content_words(one)), READ_OUT) for one in known)

    def _said_before(self, candidate: Candidate) -> list[candidates.NotKept]:
        """What waits since another conversation and says the same, in words of its own: a copy is no second mention."""
        text, same = candidate.text, self.settings.reconcile.deduplication_threshold
        others = (one for one in candidates.waiting(self.db, project=self.project) if one.session != self.span.session)
        alike = (one for one in others if one.hash == digest(text) or similarity(one.candidate.text, text) >= same)
        longest = COPIED_CHARS if candidate.role is Role.USER else 0  # a person repeats a short rule word for word
        copied = normalised(text) if len(text) > longest else None
        return [one for one in alike if normalised(one.candidate.text) != copied]

    def _as_known(self, verdict: Verdict) -> Verdict:
        """What is kept only because it was said before, in the words of a memory that it tells all of, among more."""
        candidate = verdict.candidate
        if all(signal.family == AGAIN for signal in candidate.signals):
            for one in neighbours(self.db, [candidate.text], project=self.project, statuses=KEPT):
                if one.origin in records.HUMAN and len(one.text) < len(candidate.text) and tells_all(candidate.text, one.text):
                    return verdict._replace(candidate=candidate._replace(text=one.text, kind=one.kind, scope=one.scope))
        return verdict

    def _proof(self, candidate: Candidate) -> str:
        """What confirmed an assistant's statement, "" for nothing."""
        if proof.tools_confirm(candidate, self.uses):
            return "confirmed by a tool"
        return "agreed" if proof.is_agreed(candidate, self.agreed) else ""

    def _proved_late(self) -> list[_Review]:
        """Pending statements of the assistant from earlier in this conversation that a tool or the person has confirmed since."""
        mine = (one for one in candidates.waiting(self.db, project=self.project) if one.session == self.span.session)
        stated = (one for one in mine if one.candidate.role is Role.ASSISTANT and one.reason not in FAULTS)
        proved = ((one, why) for one in stated if (why := self._proof(one.candidate)))
        return [_Review(_confirmed(Verdict(one.candidate), why), (one.seq,), late=True) for one, why in proved]

    def _few_of_the_assistant(self, looked: list[_Review]) -> list[_Review]:
        """The verdicts with no more of the assistant's kept than a session may settle: the best, of causes what was concluded."""
        stated = [one.verdict for one in looked if one.verdict.is_kept and self._needs_proof(one.verdict)]
        settled = rows.with_evidence_of(self.db, self.span.session, "sweep", records.Origin.ASSISTANT)
        room = max(0, SETTLED_PER_SESSION - len(settled))
        concluded = [one for one in stated if proof.is_concluded(one.candidate, self.uses)]
        best = [one for one in stated if not concluded or one in concluded or one.candidate.kind is not Kind.BUGFIX]
        chosen = {id(verdict) for verdict in self._without_twins(sorted(best, key=proof.rank))[:room]}
        over = {id(verdict) for verdict in stated} - chosen
        return _bounded(looked, lambda verdict: id(verdict) in over, waiting=True, reason=ENOUGH)

    def _without_twins(self, stated: Sequence[Verdict]) -> list[Verdict]:
        """The verdicts without causes that a better one or a memory tells in other words; what is nearly the same restates it."""
        causes = [verdict.candidate.text for verdict in stated if verdict.candidate.kind is Kind.BUGFIX]
        near = neighbours(self.db, causes, Kind.BUGFIX, project=self.project, statuses=KEPT) if causes else []
        causes, same, single = [memory.text for memory in near], self.settings.reconcile.deduplication_threshold, list[Verdict]()
        for verdict in stated:
            text, is_cause = verdict.candidate.text, verdict.candidate.kind is Kind.BUGFIX
            if not (is_cause and any(proof.is_twin(text, one) and similarity(text, one) < same for one in causes)):
                causes += [text] * is_cause
                single.append(verdict)
        return single

    def _planned(self, kept: Sequence[Verdict], limit: int, ids: Iterator[str]) -> tuple[list[Change], set[str]]:
        """The changes, and the texts that would be more than `limit` new memories."""
        changes = self._plan(kept, ids)
        over = beyond((change.after for change in changes if change.type is ChangeType.ADD and change.after), limit)
        return self._plan([one for one in kept if one.candidate.text not in over], ids) if over else changes, over

    def _plan(self, kept: Sequence[Verdict], ids: Iterator[str]) -> list[Change]:
        if not kept:
            return []
        stated = [with_versions(verdict.candidate, self.root, self.files_below) for verdict in kept]
        known = neighbours(self.db, [candidate.text for candidate in stated], project=self.project)
        stated = _with_corrections(stated, [memory.text for memory in known if memory.status in KEPT])
        how = self.act.planning(self.project, ids=ids)
        self.forgotten = {candidate.text for candidate in forgotten_before(how, stated, known)}
        return planned(self.db, how, stated, known, widens=True)


def with_versions(candidate: Candidate, root: str, below: Callable[[str], Sequence[str]] = files.files_below) -> Candidate:
    """The candidate with the state of the files it names, so that a brief can say when they have changed."""
    if not root or not candidate.names:
        return candidate
    return candidate._replace(metadata=(*candidate.metadata, *files.versions(root, candidate.names, below)))


def _with_corrections(stated: Sequence[Candidate], known: Sequence[str]) -> list[Candidate]:
    """The candidates; a correction of one value ("the port is 8081") becomes the one known or earlier text, corrected."""
    right = list[Candidate]()
    for candidate in stated:
        corrects = candidate.role is Role.USER and any(signal.family == "correction" for signal in candidate.signals)
        texts = (*known, *(one.text for one in right)) if corrects else ()
        whole = {resolved(candidate.text, text) for text in texts} - {"", candidate.text}
        right.append(candidate._replace(text=whole.pop()) if len(whole) == 1 else candidate)
    return right


def _bounded(looked: Iterable[_Review], over: Callable[[Verdict], bool], **becomes: Any) -> list[_Review]:  # noqa: ANN401  # fields
    """The verdicts, those over the limit changed to `becomes`; late ones over it are left out and stay pending."""
    stay = (one for one in looked if not (one.late and over(one.verdict)))
    return [one._replace(verdict=one.verdict._replace(**becomes)) if over(one.verdict) else one for one in stay]


def _confirmed(verdict: Verdict, reason: str) -> Verdict:
    """The verdict as kept and long-term."""
    return verdict._replace(waiting=False, reason=reason, candidate=verdict.candidate._replace(store=records.Store.LTM))
