"""Entering a memory by hand, or on an agent's word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act, Outcome
from psychmem_py.errors import RefusedError
from psychmem_py.memory import reconcile
from psychmem_py.model.metadata import metadata_faults
from psychmem_py.model.records import Candidate, Change
from psychmem_py.model.terms import ChangeType, Kind, Origin, Role, Scope, Standing, Status, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact, tells_only_a_secret
from psychmem_py.store import rows, tombstones
from psychmem_py.store.alike import neighbours
from psychmem_py.store.connection import transaction

_FOR_PEOPLE = (Tier.CONSTITUTIONAL, Tier.CRITICAL, Tier.IMPORTANT)
_METHOD = {Origin.USER_CLI: "cli", Origin.USER_PROMPT: "agent_quote", Origin.ASSISTANT: "tool"}


_TELLS_NOTHING = "the secret was cut out and nothing is told without it; say where it is kept instead"


class Entry(NamedTuple):
    """What somebody wants remembered, as given; `remember` cleans and checks it."""

    text: str
    kind: Kind
    scope: Scope | None = None  # None: as is usual for the class
    project: str | None = None
    quote: str = ""  # the source's own words; "": the text
    context: str = ""
    tags: Sequence[str] = ()
    names: Sequence[str] = ()
    metadata: Mapping[str, str] | None = None
    pinned: bool = False
    tier: Tier = Tier.NORMAL
    expires_at: float | None = None  # UTC seconds; None: as is usual for the class
    importance: float | None = None  # [0, 1]; None: that of whatever is asked to be remembered


def remember(act: Act, entry: Entry, *, ids: Iterator[str] | None = None) -> Outcome:
    """Keeps a statement: new, or reinforcing or superseding what is known. Raises RefusedError for what may not be kept."""
    if entry.pinned or entry.tier in _FOR_PEOPLE:
        act.who.must_be_person("pin a memory or raise its tier")
    candidate = _candidate(act, entry)
    faults = metadata_faults(candidate.kind, candidate.metadata)
    if faults and act.settings.general.strict_metadata:
        raise RefusedError(faults[0])
    with transaction(act.db):
        changes = _marked(_planned(act, candidate, entry.project, ids or rows.fresh_ids()), entry)
        act.apply(changes)
        remembered = next((change for change in changes if change.type is not ChangeType.SUPERSEDE), changes[-1]).memory_id
        memory = rows.by_id(act.db, remembered)
    empty = (_TELLS_NOTHING,) if tells_only_a_secret(memory.text) else ()
    return Outcome(memory, tuple(changes), (*reconcile.warnings(changes), *faults, *empty))


def _candidate(act: Act, entry: Entry) -> Candidate:
    """The entry as a candidate, without secrets and control characters."""
    text = redact(clean(entry.text)).strip()
    if not text:
        raise RefusedError("there is nothing to remember: the text is empty once secrets and control characters are out")
    weights = act.settings.extraction
    return Candidate(
        text=text,
        quote=redact(clean(entry.quote)) or text,
        kind=entry.kind,
        scope=entry.scope or act.settings.policy(entry.kind).scope,
        importance=weights.weight_explicit_remember if entry.importance is None else entry.importance,
        confidence=weights.explicit_confidence if act.who.is_person else weights.tool_confidence,
        signals=(),
        role=Role.USER if act.who.is_person else Role.ASSISTANT,
        origin=act.who.origin,
        message_id="",
        start=0,
        end=len(text),
        names=tuple(redact(clean(name)) for name in entry.names),
        context=redact(clean(entry.context)),
        metadata=tuple((field, redact(clean(value))) for field, value in (entry.metadata or {}).items()),
        standing=Standing.SETTLED if act.who.is_person else Standing.HEARD,
    )


def _planned(act: Act, candidate: Candidate, project: str | None, ids: Iterator[str]) -> list[Change]:
    """The changes that make the candidate known. Raises RefusedError for what was purged or forgotten on purpose."""
    if tombstones.buried(act.db, [candidate.text]):
        raise RefusedError("this text was purged and is not learned again; word it differently if it should be kept after all")
    near = neighbours(act.db, [candidate.text], project=project, limit=act.settings.reconcile.max_neighbours)
    changes = reconcile.plan(
        [candidate],
        near,
        act.settings,
        act.now,
        project=project,
        session=act.who.session,
        agent=act.who.agent,
        ids=ids,
        stated=rows.sessions_of(act.db, [memory.id for memory in near]),
        method=_METHOD.get(act.who.origin, "tool"),
    )
    if not changes:
        raise RefusedError("this was forgotten on purpose; `psychmem undo` brings it back, or a person may say it anew")
    return changes


def _marked(changes: Sequence[Change], entry: Entry) -> list[Change]:
    """The changes, with the tags, pin, tier and end that were asked for on the memory they leave standing."""
    tags = tuple(clean(tag) for tag in entry.tags)
    marked = []
    for change in changes:
        after = change.after
        if after is not None and change.type in (ChangeType.ADD, ChangeType.REINFORCE, ChangeType.MERGE):
            trusted = after.status is not Status.QUARANTINED
            after = after._replace(
                tags=tuple(dict.fromkeys((*after.tags, *tags))),
                pinned=after.pinned or (entry.pinned and trusted),
                expires_at=after.expires_at if entry.expires_at is None else entry.expires_at,
                tier=entry.tier if entry.tier is not Tier.NORMAL and trusted else after.tier,
            )
        marked.append(change._replace(after=after))
    return marked
