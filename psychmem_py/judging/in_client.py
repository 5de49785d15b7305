"""Judging by the client's own small model: the request is left for the module inside the client, which brings the answer back.

Claude Code alone has such a module (`hooks/module.js`). It is asked when the person switched it on, and counts as one of the day's calls.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress

from psychmem_py.briefing.brief_cache import FOLDER
from psychmem_py.errors import JudgeError
from psychmem_py.home import files, locks
from psychmem_py.home.places import own_folder
from psychmem_py.judging import calls, protocol
from psychmem_py.judging.sorting import Sorted, SortingDesk, carried_out, prepared
from psychmem_py.judging.unsorted import unsorted
from psychmem_py.store import tombstones
from psychmem_py.store.connection import open_store

CLIENT = "client"  # the value of judge.by
NAME = "judge.json"  # beside the other files for the module; a purge empties that folder


def leave_request(desk: SortingDesk, now: float) -> None:
    """Leaves the next request where the module looks; none where there is nothing to ask, or no call is left today."""
    folder = os.path.join(os.path.dirname(desk.database), FOLDER)
    path, record = os.path.join(folder, NAME), calls.read(desk.data)
    may = record.on(now) < desk.settings.judge.calls_per_day and now >= record.rests_until()
    asked = prepared(desk, now) if may else None
    if asked is None or not asked.request:
        return _remove(path)
    own_folder(folder)
    files.leave(path, json.dumps({"request": asked.request}, ensure_ascii=False).encode())
    with open_store(desk.database, now=now, timeout_s=20.0) as db:
        if tombstones.last_purge(db) != asked.purged:
            _remove(path)  # the purge has emptied the folder already


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def take_answer(desk: SortingDesk, text: str, clock: Callable[[], float] = time.time) -> Sorted:
    """What the client's answer comes to; `text` is a JSON object with the `request` it was given and the `reply`.

    What has been changed or added since the request was made is left as it is. Raises JudgeError for what is no such object.
    """
    try:
        given = json.loads(text)
        items, reply, size = json.loads(given["request"])["items"], str(given["reply"]), len(given["request"])
        asked = [tuple(str(one[name]) for name in _FIELDS) for one in items]
    except (ValueError, KeyError, TypeError, RecursionError) as exc:
        raise JudgeError("the client's answer is no JSON object with `request` and `reply`") from exc
    path = os.path.join(os.path.dirname(desk.database), FOLDER, NAME)
    with locks.lock(desk.data, "judge", 5.0, kind="judge") as alone:
        if not alone or not os.path.exists(path):
            return Sorted(why="another process is judging at this moment")
        os.unlink(path)
        sent = {"items": len(asked), "sent": size}
        rulings = protocol.rulings(reply, len(asked))
        if not rulings:
            why = "the client's answer holds no verdict that can be read"
            calls.note(desk.data, clock(), sent, failure=why)
            return Sorted(len(asked), sent, why)
        with open_store(desk.database, now=clock(), timeout_s=20.0) as db:
            purged = tombstones.last_purge(db)
            known = {tuple(str(getattr(one.item, name)) for name in _KEYS): one for one in unsorted(db, desk.env)}
        waiting = [(n, known[key]) for n, key in enumerate(asked) if key in known]
        ruled = {index: rulings[n] for index, (n, _) in enumerate(waiting) if n in rulings}
        done = carried_out(desk, [one for _, one in waiting], ruled, clock(), purged)
        counts = {**sent, "received": len(reply), **done}
        calls.note(desk.data, clock(), counts)
        return Sorted(len(asked), counts)


_FIELDS = ("role", "message", "sentence", "class")
_KEYS = ("role", "message", "sentence", "kind")
