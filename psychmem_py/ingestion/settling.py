"""Verdicts of one stretch against what the store knows: what is new, restated, borne out, or waits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from psychmem_py.home import file_versions
from psychmem_py.home.project import Project
from psychmem_py.ingestion.spans import Span
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.records import Candidate, Change, ToolUse, Verdict
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import ChangeType, Gate, Kind, Standing
from psychmem_py.store import candidates, rows, tombstones
from psychmem_py.text.tokenizer import digest, similarity

# What an assistant says it found or did can be borne out by what its tools then show; a person's wish cannot.
_PROVABLE = frozenset({Kind.BUGFIX, Kind.LEARNING, Kind.DECISION, Kind.SEMANTIC})


class SpanResult(NamedTuple):
    """What became of a span."""

    kept: tuple[Verdict, ...] = ()
    waiting: tuple[Verdict, ...] = ()
    rejected: tuple[Verdict, ...] = ()
    changes: tuple[Change, ...] = ()
    given_up: int = 0  # messages that could not be read in their share of time


class Settled(NamedTuple):
    extraction: SpanResult
    answered: tuple[int, ...]  # waiting candidates of earlier sessions that became memories now


class Settling:
    """Verdicts compared with the store: what waited and is said again is kept, what is known is no news, too much is too much."""

    def __init__(self, db: sqlite3.Connection, span: Span, project: Project | None, settings: Settings, now: float) -> None:
        self.db, self.span, self.settings, self.now = db, span, settings, now
        self.project = project.id if project else None
        self.root = project.root if project else ""

    def settled(self, verdicts: Sequence[Verdict], uses: Sequence[ToolUse], turns: int, ids: Iterator[str]) -> Settled:
        purged = tombstones.buried(
            self.db, [text for verdict in verdicts for text in (verdict.candidate.text, verdict.candidate.quote)]
        )
        live = [verdict for verdict in verdicts if purged.isdisjoint((verdict.candidate.text, verdict.candidate.quote))]
        answered: list[int] = []
        live = [self._second_look(verdict, uses, answered) for verdict in live]
        answered += (late := self._borne_out_late(uses))[1]
        live += late[0]
        kept = [verdict for verdict in live if verdict.is_kept]
        changes, over = self._planned(kept, self.settings.extraction.max_memories_per_stop * turns, ids)
        live = [
            verdict._replace(gate=Gate.LIMIT, reason="limit") if verdict.candidate.text in over else verdict for verdict in live
        ]
        return Settled(
            SpanResult(
                kept=tuple(verdict for verdict in live if verdict.is_kept),
                waiting=tuple(verdict for verdict in live if verdict.waiting),
                rejected=tuple(verdict for verdict in live if verdict.gate is not None),
                changes=tuple(changes),
            ),
            tuple(answered),
        )

    def _second_look(self, verdict: Verdict, uses: Sequence[ToolUse], answered: list[int]) -> Verdict:
        """A waiting verdict kept after all, when another session said the same or a tool bore it out."""
        if not verdict.waiting:
            return _settled(verdict, verdict.reason) if verdict.gate is None and _borne_out(verdict, uses) else verdict
        text = verdict.candidate.text
        again = [
            item
            for item in candidates.waiting_like(self.db, [text], project=self.project)
            if item.session != self.span.session
            and (item.hash == digest(text) or similarity(item.candidate.text, text) >= self._same)
        ]
        if again:
            answered += [item.seq for item in again]
            return _settled(verdict, "second mention")
        return _settled(verdict, "borne out") if _borne_out(verdict, uses) else verdict

    @property
    def _same(self) -> float:
        return self.settings.reconcile.deduplication_threshold

    def _borne_out_late(self, uses: Sequence[ToolUse]) -> tuple[list[Verdict], list[int]]:
        """What this conversation left waiting earlier and its tools have borne out since."""
        if not uses:
            return [], []
        mine = [item for item in candidates.waiting(self.db, project=self.project) if item.session == self.span.session]
        proved = [
            (_settled(Verdict(item.candidate), "borne out"), item.seq)
            for item in mine
            if _borne_out(Verdict(item.candidate), uses)
        ]
        return [verdict for verdict, _ in proved], [seq for _, seq in proved]

    def _planned(self, kept: Sequence[Verdict], limit: int, ids: Iterator[str]) -> tuple[list[Change], set[str]]:
        """The changes, and the texts that would be more than `limit` new memories: the least important of them."""
        changes = self._plan(kept, ids)
        added = [change.after for change in changes if change.type is ChangeType.ADD and change.after]
        if len(added) <= limit:
            return changes, set()
        over = {memory.text for memory in sorted(added, key=lambda memory: -memory.importance)[limit:]}
        return self._plan([verdict for verdict in kept if verdict.candidate.text not in over], ids), over

    def _plan(self, kept: Sequence[Verdict], ids: Iterator[str]) -> list[Change]:
        if not kept:
            return []
        candidates = [self._watched(verdict.candidate) for verdict in kept]
        known = rows.neighbours(
            self.db,
            [candidate.text for candidate in candidates],
            project=self.project,
            limit=self.settings.reconcile.max_neighbours,
        )
        return plan(
            candidates,
            known,
            self.settings,
            self.now,
            project=self.project,
            session=self.span.session,
            agent=self.span.agent,
            ids=ids,
            stated=rows.sessions_of(self.db, [memory.id for memory in known]),
        )

    def _watched(self, candidate: Candidate) -> Candidate:
        """The candidate with the state of the files it names, so that a brief can say when they have changed."""
        if not self.root or not candidate.names:
            return candidate
        return candidate._replace(metadata=(*candidate.metadata, *file_versions.recorded(self.root, candidate.names)))


def _settled(verdict: Verdict, reason: str) -> Verdict:
    """The verdict kept, as something borne out."""
    return verdict._replace(waiting=False, reason=reason, candidate=verdict.candidate._replace(standing=Standing.SETTLED))


def _borne_out(verdict: Verdict, uses: Sequence[ToolUse]) -> bool:
    """Whether a later tool call concerns a thing named in an assistant's finding: an edit of it, or an error that names it."""
    candidate = verdict.candidate
    if candidate.kind not in _PROVABLE or not candidate.names:
        return False
    for use in uses:
        if use.at < (candidate.at or 0.0):
            continue
        traces = " ".join((*use.paths, use.error_line)) if use.paths or use.error_line else use.command
        if any(name in traces for name in candidate.names):
            return True
    return False
