"""A claim on a conversation: one process at a time takes it up."""

from __future__ import annotations

import os
import time

from psychmem_py.home.places import checksum

CLAIM_S = 5.0  # both registrations of a hook start within this time


def claimed(data: str | os.PathLike[str], key: str, registration: str, now: float) -> bool:
    """Whether this process may act on the event: false when the same event has just come by another registration.

    The same registration may act again: that is a repeat somebody wants, not an echo.
    """
    folder = os.path.join(data, "claims")
    path = os.path.join(folder, checksum(key))
    try:
        os.makedirs(data, 0o700, exist_ok=True)
        os.makedirs(folder, 0o700, exist_ok=True)
        if os.path.islink(folder):
            return True
        _hold(path, os.O_EXCL, registration)
    except FileExistsError:
        holder, at = _holder(path)
        if holder != registration and now - at < CLAIM_S:
            return False
        _hold(path, os.O_TRUNC, registration)
    except OSError:  # nowhere to note it: acting twice is better than not at all
        return True
    return True


def _hold(path: str, how: int, registration: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | how, 0o600)
    try:
        os.write(file, registration.encode("utf-8", "replace"))
    finally:
        os.close(file)


def _holder(path: str) -> tuple[str, float]:
    """Who holds a claim and since when; the writer may be between making and filling the file."""
    for _ in range(5):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                holder, at = file.read(4096), os.fstat(file.fileno()).st_mtime
        except OSError:
            return "", 0.0
        if holder:
            return holder, at
        time.sleep(0.002)
    return "", at


def sweep(data: str | os.PathLike[str], now: float) -> None:
    """Removes claims nobody can need any more."""
    try:
        entries = list(os.scandir(os.path.join(data, "claims")))
    except OSError:
        return
    for entry in entries:
        try:
            if now - entry.stat(follow_symlinks=False).st_mtime > 60:
                os.unlink(entry.path)
        except OSError:
            continue  # another process removed it
