"""A sign of life for every event that was served: one empty file each, whose date is the fact, and one with how long it took.

Read by `health`.
"""

from __future__ import annotations

import os
import time

FOLDER = "health"


def beat(data: str | os.PathLike[str], event: str, now: float) -> None:
    """Notes that the event has been served; one empty file for each event, its date is the fact."""
    path = os.path.join(data, FOLDER, f"{event}.ok")
    try:
        os.utime(path, (now, now))
    except FileNotFoundError:
        _first_beat(path, now)
    except OSError:
        return  # read-only: a missing beat is what `doctor` will see


def _first_beat(path: str, now: float) -> None:
    try:
        folder = os.path.dirname(path)
        os.makedirs(folder, 0o700, exist_ok=True)
        if os.path.islink(folder):
            return
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        os.utime(path, (now, now))
    except OSError:
        return


TIMES_BYTES = 32_768  # some two thousand calls; as many again stand in the file before


def took(data: str | os.PathLike[str], event: str, since: float, start_s: float) -> None:
    """Notes how long an event took in ms: from `since` until now, and `start_s`, what starting Python took before."""
    folder = os.path.join(data, FOLDER)
    if os.path.islink(folder):
        return
    path = os.path.join(folder, f"{event}.times")
    now = time.time()
    text = f"{now:.0f} {1000 * (start_s + max(0.0, now - since)):.0f}\n"
    try:
        append(path, text.encode(), TIMES_BYTES)
    except OSError:
        return  # a time is no reason to fail


def append(path: str, raw: bytes, most_bytes: int) -> None:
    """Appends to a file, never through a link; one of more than `most_bytes` then becomes PATH.1, in place of the one before."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, raw)
        full = os.fstat(file).st_size > most_bytes
    finally:
        os.close(file)
    if full:
        os.replace(path, f"{path}.1")


def troubled(data: str | os.PathLike[str]) -> bool:
    """Whether there is a record of a failure, mended or not."""
    try:
        return any(name.endswith(".failed") for name in os.listdir(os.path.join(data, FOLDER)))
    except OSError:
        return False
