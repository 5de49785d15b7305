"""Puts a whole file in place: readers see the old one or the new one, never a part."""

from __future__ import annotations

import os


def replace(path: str, content: bytes, mode: int = 0o600) -> None:
    """Makes `content` the file at `path`, at once or not at all; through no link. Raises OSError, and then leaves all as it was.

    Its mode is `mode`, whatever the umask.
    """
    fresh = f"{path}.psychmem-{os.getpid()}"
    if os.path.lexists(fresh):  # of a process that was killed
        os.unlink(fresh)
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fchmod(file, mode)
        os.replace(fresh, path)
    except OSError:
        os.unlink(fresh)
        raise
    finally:
        os.close(file)
