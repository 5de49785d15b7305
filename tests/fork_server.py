"""The process that `forks` asks: it has loaded what others wrote and nothing of ours, and forks for every command."""

import gc
import json
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple

# What the commands load that is not ours.
FOREIGN = ("typer.main", "rich.console", "rich.table", "rich.panel", "rich.markup", "sqlite3", "tomllib", "regex", "difflib")


class Request(NamedTuple):
    """What one command is given."""

    words: list[str]
    cwd: str
    env: dict[str, str]
    streams: list[int]


def forked() -> Callable[[], None] | None:
    """In each fork: `main`, to be called. In the process that forks: None, when nobody is left to fork for."""
    for name in FOREIGN:
        import_module(name)
    assert not [name for name in sys.modules if name.partition(".")[0] == "psychmem_py"]
    gc.freeze()
    request = _next_in_fork(sys.argv.pop(1))
    return None if request is None else _main_for(request)


def _next_in_fork(place: str) -> Request | None:
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    callers: dict[int, socket.socket] = {}
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as selector:
        listener.bind(place)
        listener.listen(64)
        for descriptor in (sys.stdin.fileno(), awake, listener.fileno()):
            selector.register(descriptor, selectors.EVENT_READ)
        print("listening", flush=True)
        while True:
            ready = [key.fd for key, _ in selector.select()]
            if sys.stdin.fileno() in ready:  # closed: who started this is gone
                os.unlink(place)
                os.rmdir(os.path.dirname(place))
                return None
            if awake in ready:
                os.read(awake, 4096)
                _tell_exit_codes(callers)
            if listener.fileno() in ready:
                caller, _ = listener.accept()
                request = _received(caller)
                pid = os.fork()
                if not pid:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for descriptor in (awake, wake, caller.detach(), *(other.detach() for other in callers.values())):
                        os.close(descriptor)
                    return request
                callers[pid] = caller
                for descriptor in request.streams:
                    os.close(descriptor)


def _tell_exit_codes(callers: dict[int, socket.socket]) -> None:
    while callers:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with callers.pop(pid) as caller, suppress(BrokenPipeError):
            caller.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _received(caller: socket.socket) -> Request:
    size, streams, _, _ = socket.recv_fds(caller, 4, 3)
    raw = b""
    while len(raw) < int.from_bytes(size, "big"):
        raw += caller.recv(1 << 20)
    return Request(**json.loads(raw), streams=list(streams))


def _main_for(request: Request) -> Callable[[], None]:
    """Gives this process the streams, directory, environment and words of the caller; only then is our code imported."""
    for descriptor, stream in enumerate(request.streams):
        os.dup2(stream, descriptor)
        os.close(stream)
    os.chdir(request.cwd)
    os.environ.clear()
    os.environ.update(request.env)
    time.tzset()
    sys.argv[1:] = request.words
    main: Callable[[], None] = import_module("psychmem_py.cli").main
    return main
