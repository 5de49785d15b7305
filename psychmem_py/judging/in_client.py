"""Reading by the client's own small model: a note says that there is something to read, the module inside the client asks for the request
and brings the answer back.

Claude Code alone has such a module (`hooks/module.js`). It is asked when the person switched it on, and counts as one of the day's calls.
The request stands in no file: whoever asks for it gets it, signed with the store's secret, and only an answer to one so signed is taken.
"""

from __future__ import annotations

import hmac
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
from psychmem_py.judging.reading import Done, ReadingDesk, outcome, prepare
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import meta

NAME = "judge.json"  # beside the other files for the module


def leave_note(desk: ReadingDesk, now: float) -> None:
    """Leaves a note where the module looks, of when; none where there is nothing to read, or no call is left."""
    folder = os.path.join(os.path.dirname(desk.database), FOLDER)
    path = os.path.join(folder, NAME)
    if _may(desk, now) and prepare(desk, now):
        own_folder(folder)
        return files.leave(path, json.dumps({"at": now}).encode())
    with suppress(FileNotFoundError):
        os.unlink(path)
    return None


def _may(desk: ReadingDesk, now: float) -> bool:
    record = calls.read(desk.data)
    return record.on(now) < desk.settings.judge.calls_per_day and now >= record.rests_until()


def asked(desk: ReadingDesk, now: float) -> str:
    """The next request, signed; "" where there is nothing to read, or no call is left."""
    prepared = prepare(desk, now) if _may(desk, now) else None
    return protocol.request(_signed(desk, prepared[0].asked, now)) if prepared else ""


def _signed(desk: ReadingDesk, one: protocol.Asked, now: float) -> protocol.Asked:
    with open_store(desk.database, now=now, timeout_s=20.0) as db:
        secret = meta(db, "nonce_secret").encode()
    return one._replace(nonce=hmac.new(secret, protocol.request(one._replace(nonce="")).encode(), "sha256").hexdigest()[:32])


def take_answer(desk: ReadingDesk, text: str, clock: Callable[[], float] = time.time) -> Done:
    """What the client's answer comes to; `text` is a JSON object with the `request` it was given and the `reply`.

    It is taken for what would be asked at this moment: what was typed, changed or read meanwhile makes another request, which is asked
    anew. Raises JudgeError for what is no such object.
    """
    try:
        given = json.loads(text)
        request, reply = str(given["request"]), str(given["reply"])
    except (ValueError, KeyError, TypeError, RecursionError) as exc:
        raise JudgeError("the client's answer is no JSON object with `request` and `reply`") from exc
    with locks.lock(desk.data, "judge", 5.0, kind="judge") as alone:
        now = clock()
        prepared = prepare(desk, now) if alone else None
        if prepared is None:
            return Done(why="there is nothing to read now")
        made, purged = prepared
        signed = _signed(desk, made.asked, now)
        if not hmac.compare_digest(protocol.request(signed).encode(), request.encode("utf-8", "replace")):
            return Done(why="that request is not the one that waits; it is asked anew")
        return outcome(desk, made._replace(asked=signed), purged, lambda _request: reply, clock)
