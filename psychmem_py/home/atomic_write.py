"""Puts a whole file in place: readers see the old one or the new one, never a part."""

from __future__ import annotations

import os

_MARK = ".psychmem-"  # between the name of a file and the process that writes it anew


def replace(path: str, content: bytes, mode: int = 0o600) -> None:
    """Makes `content` the file at `path`, at once or not at all; through no link. Raises OSError, and then leaves all as it was.

    Its mode is `mode`, whatever the umask.
    """
    fresh = f"{path}{_MARK}{os.getpid()}"
    if os.path.lexists(fresh):  # of a process that was killed
        os.unlink(fresh)
    file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fchmod(file, mode)
        os.replace(fresh, path)
    except BaseException:
        _remove(fresh)
        raise
    finally:
        os.close(file)


def leave(path: str, content: bytes) -> None:
    """Leaves a file where others clear away all there is whenever a purge wants it: then there is none."""
    try:
        replace(path, content)
    except FileNotFoundError:
        return  # with the half of it that was written


def sweep(folder: str | os.PathLike[str]) -> None:
    """Removes what processes that were killed while they wrote have left in a folder."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        _, mark, writer = name.rpartition(_MARK)
        if mark and writer.isdigit() and not _lives(int(writer)):
            _remove(os.path.join(folder, name))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return  # another process removed it
