"""A claim on a conversation: one process at a time takes it up."""

from __future__ import annotations

import os

from psychmem_py.handover.journal import locked
from psychmem_py.home.places import checksum

FOLDER = "claims"
CLAIM_S = 5.0  # both registrations of a hook start within this time
_KEPT_S = 60.0
_HOLDER_BYTES = 4096


def claimed(data: str | os.PathLike[str], key: str, registration: str, now: float) -> bool:
    """Whether this process may act on the event: false when the same event has just come by another registration.

    The same registration may act again: that is a repeat somebody wants, not an echo.
    """
    folder, mine = os.path.join(data, FOLDER), registration.encode("utf-8", "replace")[:_HOLDER_BYTES]
    free = True

    def hold(file: int) -> None:
        nonlocal free
        holder, at = os.read(file, _HOLDER_BYTES), os.fstat(file).st_mtime
        free = holder in (b"", mine) or abs(now - at) >= CLAIM_S
        if free:
            os.ftruncate(file, 0)
            os.pwrite(file, mine, 0)

    try:
        os.makedirs(data, 0o700, exist_ok=True)
        os.makedirs(folder, 0o700, exist_ok=True)
        if not os.path.islink(folder):
            locked(os.path.join(folder, checksum(key)), os.O_RDWR | os.O_CREAT, hold)
    except OSError:  # nowhere to note it: acting twice is better than not at all
        return True
    return free


def sweep(data: str | os.PathLike[str], now: float) -> None:
    """Removes claims nobody can need any more."""
    folder = os.path.join(data, FOLDER)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)

        def drop(file: int, path: str = path) -> None:
            if abs(now - os.fstat(file).st_mtime) > _KEPT_S:
                os.unlink(path)

        try:
            locked(path, os.O_RDONLY, drop)
        except OSError:
            continue  # another process removed it
