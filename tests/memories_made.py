"""Memories and stores for tests, with the fields a test does not care about filled in."""

import itertools
from collections.abc import Iterable
from typing import Any

from psychmem_py.curation.act import PERSON, Act, Who
from psychmem_py.model.records import Candidate, Change, ChangeType, Kind, Memory, Origin, Role, Scope, Status, Store, Tier
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.store import change_log
from psychmem_py.store.connection import transaction
from psychmem_py.store.purge import Receipt, cleaned, removed, target_of

NOW = 1_790_000_000.0
DAY_S = 86_400.0
_COUNTER = itertools.count(1)


def made(text: str, kind: Kind = Kind.DECISION, **given: Any) -> Memory:
    """A memory of the user's, or of `project` when that is given."""
    project = given.get("project")
    fields: dict[str, Any] = {
        "id": f"{next(_COUNTER):032x}", "text": text, "kind": kind, "scope": Scope.PROJECT if project else Scope.USER,
        "project": None, "store": Store.LTM, "tier": Tier.NORMAL, "status": Status.ACTIVE, "pinned": False,
        "origin": Origin.USER_PROMPT, "importance": 0.7, "utility": 0.5, "novelty": 1.0, "confidence": 0.75, "interference": 0.0,
        "strength": 0.6, "use_count": 0, "session_count": 1, "created_at": NOW - DAY_S, "updated_at": NOW - DAY_S,
        "anchor_at": NOW - DAY_S,
    }  # fmt: skip
    return Memory(**(fields | given))


def said(
    text: str, kind: Kind = Kind.CONSTRAINT, scope: Scope = Scope.USER, origin: Origin = Origin.USER_PROMPT, **given: Any
) -> Candidate:
    """What somebody stated."""
    role = Role.ASSISTANT if origin is Origin.ASSISTANT else Role.USER
    fields = {
        "importance": 0.8,
        "confidence": 0.75,
        "signals": (),
        "role": role,
        "message_id": "m1",
        "start": 0,
        "end": len(text),
    }
    return Candidate(text=text, quote=text, kind=kind, scope=scope, origin=origin, **(fields | given))


def act(db: Any, batch: str = "test", now: float = NOW, who: Who = PERSON, settings: Settings = DEFAULTS) -> Act:
    """A person's act, unless another is named."""
    return Act(db, settings, now, batch, who)


def store(db: Any, memories: Iterable[Memory]) -> None:
    change_log.apply(db, [Change(ChangeType.ADD, one.id, None, one, "test") for one in memories], batch="test", now=NOW)


def purge(db: Any, ids: list[str], path: Any, now: float = NOW) -> Receipt:
    """What the store itself does of `psychmem forget --purge`."""
    with transaction(db):
        trail = target_of(db, ids)
        gone = removed(db, trail, now)
    return cleaned(db, path, trail, gone)


def killed(*_: object, **__: object) -> None:
    """What stands for a step in which the process is ended."""
    raise KeyboardInterrupt
