"""Reads a small file that anybody may have put there: never through a link, never from a pipe or a device, never more than it may hold."""

from __future__ import annotations

import os
import stat


def content(path: str, most_bytes: int) -> bytes | None:
    """The bytes of a plain file of at most `most_bytes`; None for anything else. A folder above it may be a link: that is for the caller."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_size > most_bytes:
            return None
        with os.fdopen(os.dup(file), "rb") as whole:
            raw = whole.read(most_bytes + 1)  # it may have grown since
    except OSError:
        return None
    finally:
        os.close(file)
    return raw if len(raw) <= most_bytes else None
