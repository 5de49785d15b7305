"""Entering a memory by hand, or on an agent's word."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from psychmem_py.curation.who import PERSON, Outcome, Who
from psychmem_py.errors import RefusedError
from psychmem_py.memory import reconcile
from psychmem_py.model.metadata import metadata_faults
from psychmem_py.model.records import Candidate, Change
from psychmem_py.model.settings import Settings
from psychmem_py.model.terms import HUMAN, ChangeType, Kind, Origin, Role, Scope, Status, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log as changes
from psychmem_py.store import rows, tombstones
from psychmem_py.store.connection import transaction


def remember(
    db: sqlite3.Connection,
    text: str,
    *,
    kind: Kind,
    scope: Scope | None = None,
    project: str | None = None,
    settings: Settings,
    now: float,
    batch: str,
    who: Who = PERSON,
    ids: Iterator[str] | None = None,
    quote: str = "",
    tags: Sequence[str] = (),
    names: Sequence[str] = (),
    context: str = "",
    metadata: Mapping[str, str] | None = None,
    pin: bool = False,
    tier: Tier = Tier.NORMAL,
    importance: float | None = None,
    strict: bool = False,
) -> Outcome:
    """Keeps a statement: new, or reinforcing or superseding what is known. Raises RefusedError for what may not be kept."""
    told = redact(clean(text)).strip()
    if not told:
        raise RefusedError("there is nothing to remember: the text is empty once secrets and control characters are out")
    if (pin or tier in (Tier.CONSTITUTIONAL, Tier.CRITICAL, Tier.IMPORTANT)) and who.origin not in HUMAN:
        raise RefusedError("only a person may pin a memory or raise its tier; run the command in a terminal of your own")
    fields = tuple((key, redact(clean(value))) for key, value in (metadata or {}).items())
    faults = metadata_faults(kind, fields)
    if faults and (strict or settings.general.strict_metadata):
        raise RefusedError(faults[0])
    candidate = Candidate(
        text=told,
        quote=redact(clean(quote)) or told,
        kind=kind,
        scope=scope or settings.policy(kind).scope,
        importance=settings.extraction.weight_explicit_remember if importance is None else importance,
        confidence=settings.extraction.explicit_confidence if who.origin in HUMAN else settings.extraction.tool_confidence,
        signals=(),
        role=Role.USER if who.origin in HUMAN else Role.ASSISTANT,
        origin=who.origin,
        message_id="",
        start=0,
        end=len(told),
        names=tuple(redact(clean(name)) for name in names),
        context=redact(clean(context)),
        metadata=fields,
    )
    with transaction(db):
        if tombstones.buried(db, [told]):
            raise RefusedError(
                "this text was purged and is not learned again; word it differently if it should be kept after all"
            )
        near = rows.neighbours(db, [told], project=project, limit=settings.reconcile.max_neighbours)
        planned = reconcile.plan(
            [candidate],
            near,
            settings,
            now,
            project=project,
            session=who.session,
            agent=who.agent,
            ids=ids or rows.fresh_ids(),
            stated=rows.sessions_of(db, [memory.id for memory in near]),
            method=_METHOD.get(who.origin, "tool"),
        )
        planned = _marked(planned, tags=tuple(clean(tag) for tag in tags), pin=pin, tier=tier)
        if not planned:
            raise RefusedError("this was forgotten on purpose; `psychmem undo` brings it back, or a person may say it anew")
        changes.apply(db, planned, batch=batch, now=now, agent=who.agent, session=who.session)
        target = next((change.memory_id for change in planned if change.type is not ChangeType.SUPERSEDE), planned[-1].memory_id)
        found = rows.get(db, target)
    assert found is not None
    return Outcome(found, tuple(planned), (*reconcile.warnings(planned), *faults))


_METHOD = {Origin.USER_CLI: "cli", Origin.USER_PROMPT: "agent_quote", Origin.ASSISTANT: "tool"}


def _marked(planned: Sequence[Change], *, tags: tuple[str, ...], pin: bool, tier: Tier) -> list[Change]:
    """The plan, with the tags, pin and tier a person asked for on the memory it leaves standing."""
    marked = []
    for change in planned:
        after = change.after
        if after is not None and change.type in (ChangeType.ADD, ChangeType.REINFORCE, ChangeType.MERGE):
            after = after._replace(
                tags=tuple(dict.fromkeys((*after.tags, *tags))),
                pinned=after.pinned or (pin and after.status is not Status.QUARANTINED),
                tier=tier if tier is not Tier.NORMAL and after.status is not Status.QUARANTINED else after.tier,
            )
        marked.append(change._replace(after=after))
    return marked
