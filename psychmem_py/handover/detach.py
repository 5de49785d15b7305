"""Work that must not keep an agent waiting: given to a process of its own that outlives the hook and the agent.

The text to work on goes with it in a file that has no name, so that no raw text stays on disk; locks see to it that two
processes never work on the same conversation, and claims that a hook registered twice acts once.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
import zlib

from psychmem_py.errors import RefusedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_CODE = "import sys; sys.path[:] = sys.argv.pop(1).split('\\n'); from psychmem_py.hooks.entry import main; sys.exit(main())"
LOCKS = 32  # conversations share them by hash: no file for every conversation
CLAIM_S = 5.0  # both registrations of a hook start within this time


def detach(work: list[str], payload: bytes, env: Mapping[str, str]) -> int:
    """Starts `psychmem-hook WORK…` with `payload` on its stdin, in a session of its own, and returns its process id at once.

    Nothing of this process is inherited but the payload: whoever waits for our stdout to close need not wait for it.
    """
    file = _nameless(payload, env)
    argv = [sys.executable, "-I", "-S", "-c", _CODE, "\n".join(os.path.abspath(entry) for entry in sys.path if entry), *work]
    null = os.devnull
    actions = [
        (os.POSIX_SPAWN_DUP2, file, 0),
        (os.POSIX_SPAWN_OPEN, 1, null, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, null, os.O_WRONLY, 0),
    ]
    try:
        try:
            return os.posix_spawn(sys.executable, argv, env, file_actions=actions, setsid=True)
        except NotImplementedError:  # an old C library: the child leaves our session itself, see `alone`
            return os.posix_spawn(sys.executable, argv, env, file_actions=actions)
    finally:
        os.close(file)


def _nameless(payload: bytes, env: Mapping[str, str]) -> int:
    """A file with the payload, rewound, that stands in no directory."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("psychmem", os.MFD_CLOEXEC)
    else:
        path = os.path.join(env.get("TMPDIR", "/tmp"), f"psychmem-{os.getpid()}-{time.monotonic_ns()}")  # noqa: S108  # removed before it holds a byte
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        os.unlink(path)
    rest = memoryview(payload)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.lseek(file, 0, os.SEEK_SET)
    return file


def alone() -> None:
    """Leaves the session of whoever started us, if we are still in it, and lets others go first."""
    if os.getsid(0) != os.getpid():
        os.setsid()
    os.closerange(3, 256)  # whatever the agent left open for its hooks
    os.nice(5)


def wait(pid: int, limit_s: float) -> bool:
    """Whether the process ended within `limit_s`; if not it goes on alone."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.005)
    return False


class lock:  # a statement: `with lock(…) as got`
    """Whether the lock was got within `limit_s`; a killed process leaves none behind.

    `kind` keeps locks that one process holds together apart: a conversation and a folder may have the same number.
    """

    def __init__(self, data: str | os.PathLike[str], name: str, limit_s: float, *, kind: str = "conversation") -> None:
        folder = os.path.join(data, "locks")
        os.makedirs(data, 0o700, exist_ok=True)
        os.makedirs(folder, 0o700, exist_ok=True)
        if os.path.islink(folder):
            raise RefusedError(f"{folder} is a symbolic link; remove it, PsychMem makes the folder itself")
        self.path, self.limit_s, self.file = os.path.join(folder, f"{kind}-{_number(name):02d}.lock"), limit_s, -1

    def __enter__(self) -> bool:
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        return _locked(self.file, self.limit_s)

    def __exit__(self, *_: object) -> None:
        os.close(self.file)


def _number(name: str) -> int:
    return sum(name.encode("utf-8", "replace")) % LOCKS


def _locked(file: int, limit_s: float) -> bool:
    end = time.monotonic() + limit_s
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > end:
                return False
        time.sleep(0.02)


def claimed(data: str | os.PathLike[str], key: str, registration: str, now: float) -> bool:
    """Whether this process may act on the event: false when the same event has just come by another registration.

    The same registration may act again: that is a repeat somebody wants, not an echo.
    """
    folder = os.path.join(data, "claims")
    path = os.path.join(folder, f"{zlib.crc32(key.encode('utf-8', 'replace')):08x}{len(key):x}")
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
                found, at = file.read(4096), os.fstat(file.fileno()).st_mtime
        except OSError:
            return "", 0.0
        if found:
            return found, at
        time.sleep(0.002)
    return "", at


def swept_claims(data: str | os.PathLike[str], now: float) -> None:
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
