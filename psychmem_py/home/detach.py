"""Starts a process that outlives the hook; the payload goes along in an unnamed file, so that no raw text stays on disk."""

from __future__ import annotations

import os
import sys
import time
from _collections_abc import Mapping

_CODE = "import sys; sys.path[:] = sys.argv.pop(1).split('\\n'); from psychmem_py.hooks.entry import main; sys.exit(main())"


def detach(work: list[str], payload: bytes, env: Mapping[str, str]) -> int:
    """Starts `psychmem-hook WORK…` with `payload`, and nothing else of ours, in a session of its own; its process id at once."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("psychmem", os.MFD_CLOEXEC)
    else:
        path = os.path.join(env.get("TMPDIR", "/tmp"), f"psychmem-{os.getpid()}-{time.monotonic_ns()}")  # noqa: S108  # unlinked empty
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        os.unlink(path)
    with open(file, "wb", closefd=False) as whole:
        whole.write(payload)
    os.lseek(file, 0, os.SEEK_SET)
    argv = [sys.executable, "-I", "-S", "-c", _CODE, "\n".join(os.path.abspath(entry) for entry in sys.path if entry), *work]
    actions = [(os.POSIX_SPAWN_DUP2, file, 0), *((os.POSIX_SPAWN_OPEN, out, os.devnull, os.O_WRONLY, 0) for out in (1, 2))]
    try:
        return os.posix_spawn(sys.executable, argv, env, file_actions=actions, setsid=True)
    except NotImplementedError:  # an old C library: the child leaves our session itself, see `alone`
        return os.posix_spawn(sys.executable, argv, env, file_actions=actions)
    finally:
        os.close(file)


def alone() -> None:
    """Moves this process to a session of its own, closes inherited files and lowers its priority."""
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
