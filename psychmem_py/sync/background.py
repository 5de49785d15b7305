"""A meeting from beginning to end: opens the store, keeps a second meeting out, follows purges into every file, tells what went wrong."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping

from psychmem_py.errors import BusyError, RemoteError
from psychmem_py.handover import locks
from psychmem_py.home import health
from psychmem_py.model.settings import Settings
from psychmem_py.store import operations, remotes
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.sync.exchange import DEADLINE_S, Meeting, MeetingNeeds, meet
from psychmem_py.text.dates import DAY_S

EVENT = "sync"
_STORE_S = 20.0
_PATIENCE_S = 3 * DAY_S  # a remote that cannot be reached for longer is told; a laptop is often away from home


def met(  # noqa: PLR0917
    database: str, data: str, env: Mapping[str, str], settings: Settings, now: float, names: Iterable[str] = (), *,
    deadline_s: float, patient: bool, wait_s: float = 0.0,
) -> list[Meeting]:  # fmt: skip
    """What came of meeting the remotes. Raises BusyError while another process does."""
    with locks.lock(data, os.path.abspath(database), wait_s, kind="sync") as got:
        if not got:
            raise BusyError("another sync is going on; try again when it is done")
        with open_store(database, now=now, timeout_s=_STORE_S) as db:

            def purge(ids: list[str]) -> object:
                from psychmem_py.curation.erasure import erase  # noqa: PLC0415  # 100 ms that only a purge needs

                return erase(db, ids, database=database, env=env, now=now)

            meetings = meet(MeetingNeeds(db, database, settings, now, purge), names, deadline_s=deadline_s, patient=patient)
            with transaction(db):
                dead = operations.untold(db)
                operations.tell(db)
            lost = [one for one in remotes.remotes(db) if one.fault and now - (one.synced_at or now) > _PATIENCE_S]
    _tell(data, dead, lost, now)
    return meetings


def run(database: str, data: str, env: Mapping[str, str], settings: Settings) -> bool:
    """Meets the remotes that are due, a few seconds at most; whether any memory changed. Never raises for a remote."""
    try:
        meetings = met(database, data, env, settings, time.time(), deadline_s=DEADLINE_S, patient=False)
    except BusyError:
        return False
    return any(one.memories or one.purged for one in meetings)


def _tell(data: str, dead: int, lost: list[remotes.RemoteEntry], now: float) -> None:
    """What a person has to know goes to the next brief: what could not be read once, a remote that is gone until it is back."""
    if dead:
        what = "1 line" if dead == 1 else f"{dead} lines"
        health.failed(
            data, EVENT, RemoteError(f"{what} from other devices cannot be understood here and were put aside"), now - 1
        )
    if lost:
        health.failed(data, EVENT, RemoteError(f"remote {lost[0].name} was not reached for days: {lost[0].fault}"), now)
    elif dead or any(one.event == EVENT for one in health.failures(data)):
        health.beat(data, EVENT, now)
