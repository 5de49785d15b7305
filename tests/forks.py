"""`psychmem` as a fork of a process that has loaded its modules: starting takes 120 of the 135 ms of CPU of `psychmem list`.

It has the environment, directory and streams of its caller. What a command imports, and how it starts from nothing, is looked at
by `test_startup`, `test_install`, `cli/test_help`, `e2e`.
"""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, "-c", "from psychmem_py.cli import main; main()"]
LIMIT_S = 600
# What the commands load when they need it, and that is not ours.
FOREIGN = ("rich.console", "rich.table", "rich.panel", "rich.markup", "difflib")
_ENV = {**os.environ, "PYTHONPATH": str(ROOT)}
_SERVER = "from tests.forks import forked; main = forked(); main and main()"


def psychmem(*words: str, cwd: Path, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """`psychmem WORDS…` run to its end, as in a terminal of 80 columns."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **env}
    if _shapes_the_interpreter(wanted) != _shapes_the_interpreter(_ENV):
        return subprocess.run(
            [*COMMAND, *words], cwd=cwd, env=wanted, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None,
            text=True, capture_output=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
    request = json.dumps({"words": words, "cwd": str(cwd), "env": wanted})
    out, to_out = os.pipe()
    code, to_code = os.pipe()
    with TemporaryFile() as asked, TemporaryFile() as given, TemporaryFile() as err, open(out) as stream, open(code) as reply:
        for file, text in ((asked, request), (given, stdin or "")):
            file.write(text.encode())
            file.seek(0)
        socket.send_fds(_server()[0], [b"."], [asked.fileno(), given.fileno(), to_out, err.fileno(), to_code])
        for descriptor in (to_out, to_code):
            os.close(descriptor)
        printed, said = stream.read(), reply.read()
        assert said, f"{words}: no exit code came"
        err.seek(0)
        return subprocess.CompletedProcess(words, int(said), printed, err.read().decode())


def told(*words: str, cwd: Path, stdin: str | None = None, **env: str) -> Any:
    """The JSON that a command prints."""
    done = psychmem(*words, "--json", cwd=cwd, stdin=stdin, **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _shapes_the_interpreter(env: Mapping[str, str]) -> dict[str, str]:
    """The variables that Python reads when it starts."""
    return {name: value for name, value in env.items() if name.startswith(("PYTHON", "LC_")) or name in ("LANG", "LANGUAGE")}


@cache
def _server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """The line to the process that forks, and it; it ends with this one, when the line is closed."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        return ours, subprocess.Popen([sys.executable, "-c", _SERVER], stdin=its, env=_ENV, cwd=ROOT)


def forked() -> Callable[[], None] | None:
    """In each fork: `main`, to be called. In the process that forks: None, when nobody is left to fork for."""
    for name in FOREIGN:
        import_module(name)
    import_module("psychmem_py.cli.app").whole()
    gc.freeze()
    line = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks what came of who waits for a command
    while (received := socket.recv_fds(line, 1, 5))[0]:
        asked, *streams, code = received[1]
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            line.close()
            if command := os.fork():
                for stream in streams:
                    os.close(stream)
                signal.signal(signal.SIGALRM, lambda *_: os.kill(command, signal.SIGKILL))
                signal.alarm(LIMIT_S)
                os.write(code, str(os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])).encode())
                os._exit(0)
            os.close(code)
            return _main_for(asked, streams)
        for descriptor in received[1]:
            os.close(descriptor)
    return None


def _main_for(asked: int, streams: list[int]) -> Callable[[], None]:
    """Gives this process the streams, directory, environment and words of the caller."""
    for descriptor, stream in enumerate(streams):
        os.dup2(stream, descriptor)
        os.close(stream)
    with open(asked) as file:
        request = json.load(file)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    sys.argv[1:] = request["words"]
    main: Callable[[], None] = import_module("psychmem_py.cli").main
    return main
