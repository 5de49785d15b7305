"""Verdicts kept for a while: what is pending, and what was rejected and why; and the memories that rules alone made."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from psychmem_py.home.light_json import encoded
from psychmem_py.model.records import Candidate, Evidence, Gate, Kind, Memory, Origin, Role, Scope, Signal, Verdict
from psychmem_py.store import rows, sqlite
from psychmem_py.text.tokenizer import digest, query_terms

READ = "read"  # a reason: a reader saw it
KEPT, DROPPED, TAKEN_BACK = "kept", "dropped", "taken back"
_CANDIDATE = "text, quote, class, scope, importance, confidence, signals, origin, message_id, language, at"
_KEPT = f"session, project, gate, reason, hash, batch, {_CANDIDATE}"


class NotKept(NamedTuple):
    """A candidate that did not become a memory, with the reason."""

    seq: int
    session: str
    project: str | None
    candidate: Candidate
    gate: str | None  # None: pending
    reason: str
    hash: str
    at: float
    batch: str

    @property
    def key(self) -> str:
        """What it is called in lists; it is no memory and has no id of its own."""
        return f"w{self.seq}"


def keep_verdicts(
    db: sqlite3.Connection, verdicts: Iterable[Verdict], *, session: str, project: str | None, batch: str, now: float
) -> None:
    """Files waiting and rejected candidates for a few days, so that a second mention counts and `explain` can answer."""
    sqlite.insert(db, "candidate", _KEPT, (
        (session, project, None if one.waiting else one.gate or Gate.EVIDENCE, one.reason, digest(said.text), batch, *said[:6],
         encoded([signal.family for signal in said.signals]), said.origin, said.message_id, said.language, now)
        for one in verdicts
        if not one.is_kept and (said := one.candidate)
    ))  # fmt: skip


def _where(db: sqlite3.Connection, condition: str, *values: object) -> list[NotKept]:
    return [_kept(*line) for line in db.execute(f"select seq, {_KEPT} from candidate where {condition}", values)]


def _kept(*line: Any) -> NotKept:  # noqa: ANN401  # the columns
    seq, conversation, project, gate, reason, hashed, batch, text, quote, kind, scope, *weighed, origin, key, language, at = line
    importance, confidence, families = weighed
    signals = tuple(Signal(family, None, 0.0, 0, 0, language) for family in sqlite.from_json(families))
    role, whose = Role.ASSISTANT if origin == Origin.ASSISTANT else Role.USER, Origin(origin)
    said = Candidate(text, quote, Kind(kind), Scope(scope), importance, confidence, signals, role, whose, key, 0, 0, language, at)
    return NotKept(seq, conversation, project, said, gate, reason, hashed, at, batch)


def waiting(db: sqlite3.Connection, *, project: str | None, all_projects: bool = False) -> list[NotKept]:
    """Uncertain candidates that wait for a second mention, oldest first: of this project and without one."""
    return _where(db, "gate is null and (? or project is null or project = ?) order by seq", all_projects, project)


def texts(db: sqlite3.Connection, project: str | None) -> list[str]:
    """The candidates of this project and without one, whatever became of them, in their words."""
    return sqlite.column(db, "select text from candidate where project is null or project = ?", project)


def by_key(db: sqlite3.Connection, key: str) -> list[NotKept]:
    """The candidate with this key if it is pending or was only too weak; otherwise []."""
    return _where(db, "'w' || seq = ? and (gate is null or (gate = 'evidence' and reason in ('weak', 'faint')))", key)


def unread(db: sqlite3.Connection, project: str | None, *, limit: int) -> list[NotKept]:
    """Pending statements of the agent in this project that no reader has seen, newest first."""
    agents = f"gate is null and origin = 'assistant' and project is ? and reason not like '%{READ}%'"
    return _where(db, f"{agents} order by seq desc limit ?", project, limit)


def is_there(db: sqlite3.Connection, item: NotKept) -> bool:
    """Whether the candidate is still there and nobody has answered it; its number may be another one's by now."""
    return bool(_where(db, "seq = ? and hash = ? and gate is not 'answered'", item.seq, item.hash))


def settle_waiting(
    db: sqlite3.Connection, seqs: Iterable[int], *, batch: str, reason: str = KEPT, gate: str | None = Gate.ANSWERED
) -> None:
    """Marks candidates as kept, dropped or rejected by a gate; their former state is stored for an undo of the batch."""
    was = "insert or ignore into candidate_was (batch, seq, gate, reason, hash) select ?, seq, gate, reason, hash from candidate"
    for seq in seqs:
        db.execute(f"{was} where seq = ?", (batch, seq))
        db.execute("update candidate set gate = ?, reason = ? where seq = ?", (gate, reason, seq))


def put_back(db: sqlite3.Connection, target: str, *, batch: str) -> int:
    """Restores candidates to their state before batch `target`, ends those it made: how many. `batch` records this."""
    before = "select seq, old.gate, old.reason from candidate_was old join candidate using (seq, hash) where old.batch = ?"
    was = db.execute(before, (target,)).fetchall()
    made = sqlite.column(db, "select seq from candidate where batch = ? and gate is null", target)
    settle_waiting(db, made, batch=batch, reason=TAKEN_BACK)
    for seq, gate, reason in was:
        settle_waiting(db, [seq], batch=batch, reason=reason, gate=gate)
    return len(was) + len(made)


def mark_read(db: sqlite3.Connection, item: NotKept, *, dropped: bool, batch: str) -> None:
    """Records that a reader saw a candidate and did not keep it; it stays pending unless it was dropped."""
    gate, reason = (Gate.JUDGE, READ) if dropped else (item.gate, f"{item.reason}, {READ}")
    settle_waiting(db, [item.seq], batch=batch, reason=reason, gate=gate)


def drop_typed(db: sqlite3.Connection, keys: Sequence[str], *, batch: str) -> None:
    """Ends the pending candidates of these typed messages: a reader has read the messages in full."""
    asked = "select seq from candidate where message_id in ({keys}) and gate is null and origin = 'user_prompt'"
    settle_waiting(db, [seq for (seq,) in sqlite.among(db, asked, keys)], batch=batch, reason=READ, gate=Gate.JUDGE)


def with_reason(db: sqlite3.Connection, reason: str) -> list[NotKept]:
    """Candidates turned down for this reason, oldest first."""
    return _where(db, "reason = ? order by seq", reason)


def rejected(db: sqlite3.Connection, *, like: str = "", limit: int = 50) -> list[NotKept]:
    """Candidates that wait, were turned down or dropped, newest first; with `like` those that share words with it, best first."""
    kept = _where(db, "gate is not 'answered' or reason = ? order by seq desc limit 2000", DROPPED)
    if like:
        asked = set(query_terms(like))
        shares = [(len(asked & set(query_terms(f"{item.candidate.text} {item.candidate.quote}"))), item) for item in kept]
        kept = [item for share, item in sorted(shares, key=lambda pair: -pair[0]) if share]
    return kept[:limit]


# Memories joined with their first evidence: those that rules alone found and nothing else has confirmed.
_BY_RULES = (
    "memory.pinned = 0 and evidence.method = 'sweep' and evidence.seq = (select min(seq) from evidence where memory_id = memory.id)"
    " and not exists (select 1 from evidence where memory_id = memory.id and method not in ('sweep', 'echo'))"
)


def from_messages(db: sqlite3.Connection, keys: Collection[str]) -> list[tuple[Memory, Evidence]]:
    """Unconfirmed memories that rules made of these typed messages, pending or not, each with its evidence."""
    stated = "memory_id, evidence.at, method, evidence.origin, evidence.session, message_id, quote"
    unconfirmed = f"{_BY_RULES} and status in ('active', 'quarantined') and memory.origin = 'user_prompt'"
    lines = db.execute(f"select {rows.SELECT}, {stated} from memory join evidence on memory_id = memory.id where {unconfirmed}")
    pairs = [(rows.memory(line), rows.evidence_of((*line[-7:], ()))) for line in lines]
    return [(memory, evidence) for memory, evidence in pairs if evidence.message_id in keys]


# Of memories: what a person did to them after these words were said, by a command or by taking them back.
_DONE_SINCE = (
    "change.memory_id = evidence.memory_id and change.at > evidence.at and (change.reason = 'taken back' or change.type in"
    " ('edit', 'pin', 'status', 'supersede', 'reinforce') and change.batch not like 'upkeep%'"
    " and json_extract(detail, '$.who') is null)"
)


def settled_by_a_person(db: sqlite3.Connection, keys: Collection[str]) -> set[tuple[str, str]]:
    """Message and quotation of what rules found in these and a person has changed, rated, dropped or taken back since."""
    altered = f"method = 'sweep' and message_id in ({{keys}}) and exists (select 1 from change where {_DONE_SINCE})"
    dropped = f"candidate where message_id in ({{keys}}) and gate = 'answered' and reason = '{DROPPED}'"
    return {
        pair
        for rows in (f"evidence where {altered}", dropped)
        for pair in sqlite.among(db, f"select message_id, quote from {rows}", [*keys])
    }


def unread_memories(db: sqlite3.Connection, project: str | None, *, limit: int) -> list[Memory]:
    """Memories of the agent's statements here that no reader saw, newest first; proven too: not all that is true is worth it."""
    stated = f"exists (select 1 from evidence where memory_id = memory.id and {_BY_RULES})"
    agents = "status = 'active' and origin = 'assistant' and project is ?"
    return rows.where(db, f"{agents} and {stated} order by memory.seq desc limit ?", project, limit)
