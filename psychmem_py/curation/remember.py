"""Entering a memory by hand, or on an agent's word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act, Outcome, storable
from psychmem_py.curation.rule_wording import RULE, commands
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.extraction import weights
from psychmem_py.memory import admission, compare, reconcile
from psychmem_py.model.light_record import KEPT
from psychmem_py.model.permission import Action
from psychmem_py.model.records import RULES, Candidate, Change, ChangeType, Kind, Memory, Origin, Role, Scope, Status, Store
from psychmem_py.model.settings import metadata_faults
from psychmem_py.safety.control_chars import TAG_CHARS, clean, line
from psychmem_py.safety.secrets import CUT, redact, redact_typed
from psychmem_py.store import change_log, rows
from psychmem_py.store.connection import transaction
from psychmem_py.store.search import neighbours, planned
from psychmem_py.text.likeness import MEANS, shares_enough

_METHOD = {Origin.USER_CLI: "cli", Origin.USER_PROMPT: "agent_quote", Origin.ASSISTANT: "tool"}
_ID, _CUT_ID = re.compile(r"(?=[a-f]{0,31}\d)[0-9a-f]{6,32}"), re.compile(r"\S{4,}")  # the first is no word, such as "facade"
_NOTHING_MEANT = "no one memory here is named by {}: it is kept beside what is known; `psychmem list` shows the ids"
_CUT_OUT = "a secret was cut out; if what is left says nothing: `psychmem undo`, and say where it is kept instead"


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
    expires_at: float | None = None  # UTC seconds; None: as is usual for the class
    importance: float | None = None  # [0, 1]; None: that of whatever is asked to be remembered
    here: str | None = None  # the project at hand, whose memories are compared too
    placed: bool = True  # whether the scope was given; one that was guessed follows what the statement changes
    replaces: str = ""  # an id, or words for what it takes the place of
    store: Store | None = None  # None: long-term in a person's name
    is_classed: bool = False  # whether the class was given; one that was guessed does not change that of what is known


def remember(act: Act, entry: Entry, *, ids: Iterator[str] | None = None) -> Outcome:
    """Keeps a statement: new, or reinforcing or superseding what is known. Raises RefusedError for what may not be kept."""
    if entry.pinned:
        act.who.must(Action.TIER)
    candidate = _candidate(act, entry)
    with transaction(act.db):
        replaced = _to_replace(act, entry) if entry.replaces else None
        changes = [_marked(act, change, entry, candidate) for change in _planned(act, candidate, entry, ids, replaced)]
        made = next((change for change in changes if change.type is not ChangeType.SUPERSEDE), changes[-1])
        kind = made.after.kind if made.after else candidate.kind  # that of what is restated, which nobody need name
        faults = metadata_faults(kind, [(field, value) for field, value in candidate.metadata if field != admission.DOUBT])
        if faults and act.settings.general.strict_metadata:
            raise RefusedError(faults[0])
        act.apply(changes)
        memory = rows.by_id(act.db, made.memory_id)
    warnings = [*reconcile.warnings(changes), *faults, *[_CUT_OUT] * (CUT in memory.text)]
    if entry.replaces and not (replaced or any(change.type is ChangeType.SUPERSEDE for change in changes)):
        warnings.append(_NOTHING_MEANT.format(entry.replaces))
    return Outcome(memory, tuple(changes), tuple(warnings))


def _to_replace(act: Act, entry: Entry) -> Memory | None:
    if _CUT_ID.fullmatch(entry.replaces):
        try:
            return act.who.find(act.db, entry.replaces, Action.CHANGE)
        except NotFoundError:
            if _ID.fullmatch(entry.replaces):
                raise
    there, wanted = rows.listed(act.db, project=entry.project or entry.here), compare.stems(entry.replaces)
    shared = [len(wanted & compare.stems(memory.text)) for memory in there]
    best = max(shared, default=0)
    meant = there[shared.index(best)] if shared.count(best) == 1 else None  # one alone
    return meant if meant and shares_enough(wanted, compare.stems(meant.text), MEANS) else None


def _candidate(act: Act, entry: Entry) -> Candidate:
    text = act.who.worded(entry.text)
    fields = act.who.allowed_fields(entry.metadata or {})
    if not act.who.is_person and entry.kind not in RULES and commands(text, act.languages):
        fields[admission.DOUBT] = RULE
    return Candidate(
        text=text, quote=redact_typed(clean(entry.quote)) or text, kind=entry.kind,
        scope=entry.scope or act.settings.policy(entry.kind).scope,
        importance=weights.IMPORTANCE["explicit_remember"] if entry.importance is None else entry.importance,
        confidence=weights.ENTERED if act.who.is_person else weights.ENTERED_BY_AGENT, signals=(),
        role=Role.USER if act.who.is_person else Role.ASSISTANT, origin=act.who.origin, message_id="", start=0,
        end=len(text), names=tuple(map(storable, entry.names)), context=storable(entry.context),
        metadata=tuple(fields.items()), store=entry.store or (Store.LTM if act.who.is_person else Store.STM),
    )  # fmt: skip


def _planned(act: Act, candidate: Candidate, entry: Entry, ids: Iterator[str] | None, replaced: Memory | None) -> list[Change]:
    """The changes that make the candidate known. Raises RefusedError for what was purged or forgotten on purpose."""
    project = entry.project
    if replaced and not entry.placed:  # it holds where that does which it changes
        candidate, project = candidate._replace(scope=replaced.scope), replaced.project
    near = neighbours(act.db, [candidate.text], project=project or entry.here)
    in_use = any(one.text == candidate.text and one.status in KEPT for one in near)
    if not in_use and change_log.erased(act.db, [candidate.text]):
        raise RefusedError("this text was purged and is not learned again; word it differently if it should be kept after all")
    if not entry.placed and (turned := reconcile.changed_elsewhere(candidate, near, act.settings)):
        candidate, project = candidate._replace(scope=turned.scope), turned.project
    how = act.planning(project, _METHOD.get(act.who.origin, "tool"), ids)
    if not (changes := planned(act.db, how, [candidate], near, replaced, widens=not entry.placed)):
        raise RefusedError("this was forgotten on purpose; `psychmem undo` brings it back, or a person may say it anew")
    return changes


def _marked(act: Act, change: Change, entry: Entry, candidate: Candidate) -> Change:
    """The change, with the entry's tags, pin, tier and end on a memory that stays; metadata if the caller may change them."""
    if (after := change.after) is None or change.type not in (ChangeType.ADD, ChangeType.REINFORCE, ChangeType.MERGE):
        return change
    if change.before is not None and act.who.may(Action.CHANGE, change.before):
        after = after.marked({field: value for field, value in candidate.metadata if field != admission.DOUBT})
        after = after._replace(kind=entry.kind) if entry.is_classed else after
    tags = dict.fromkeys((*after.tags, *(redact(line(tag))[:TAG_CHARS] for tag in entry.tags if tag.strip())))
    pinned = after.pinned or (entry.pinned and after.status is not Status.QUARANTINED)
    ends = after.expires_at if entry.expires_at is None else entry.expires_at
    return change._replace(after=after._replace(tags=tuple(tags), pinned=pinned, expires_at=ends))
