"""Locks between processes: released by the kernel, whatever happens to their holder."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from psychmem_py.errors import BusyError
from psychmem_py.home.places import home, own_folder

_PATIENCE_S = 10.0
LOCKS = 32  # conversations share them by hash: no file for every conversation


@contextmanager
def lock(data: str | os.PathLike[str], name: str, limit_s: float, *, kind: str = "conversation") -> Iterator[bool]:
    """Whether the lock was got within `limit_s`. `kind` separates locks that one process holds: names may share a number."""
    folder, number = own_folder(os.path.join(data, "locks")), sum(name.encode("utf-8", "replace")) % LOCKS
    path = os.path.join(folder, f"{kind}-{number:02d}.lock")
    with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "rb") as file:
        yield _locked(file.fileno(), limit_s)


@contextmanager
def command_lock(env: Mapping[str, str]) -> Iterator[None]:
    """One command at a time replaces files in a home: a lock on it, if its file system has locks. Raises BusyError."""
    with ExitStack() as stack:
        is_free = True
        with suppress(OSError):
            file = os.open(home(env), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, file)
            is_free = _locked(file, _PATIENCE_S)
        if not is_free:
            raise BusyError("another command of PsychMem is changing files here; try again when it is done")
        yield


def _locked(file: int, limit_s: float) -> bool:
    end = time.monotonic() + limit_s
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
