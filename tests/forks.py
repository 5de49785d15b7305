"""`psychmem` as a process of its own, without paying each time for what others wrote.

Of the 135 ms of CPU that `psychmem list` takes, 85 go into starting Python and loading typer, rich and the standard library. A process
that has loaded these, and nothing of ours, forks for every command (`fork_server`): the fork has the environment, directory and streams
of its caller, imports and runs our code as a fresh interpreter would, and ends by itself. What a command imports, and how it starts
from nothing, is looked at with interpreters of their own: `test_startup`, `test_install`, `cli/test_help`, `e2e`.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, "-c", "from psychmem_py.cli import main; main()"]
LIMIT_S = 600.0
_ENV = {**os.environ, "PYTHONPATH": str(ROOT)}
_SERVER = "from tests.fork_server import forked; main = forked(); main and main()"


def psychmem(*words: str, cwd: Path, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """`psychmem WORDS…` run to its end, as in a terminal of 80 columns."""
    wanted = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80", **env}
    if _shapes_the_interpreter(wanted) != _shapes_the_interpreter(_ENV):
        return subprocess.run(
            [*COMMAND, *words], cwd=cwd, env=wanted, input=stdin, stdin=subprocess.DEVNULL if stdin is None else None,
            text=True, capture_output=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
    return _forked(list(words), cwd, wanted, stdin)


def told(*words: str, cwd: Path, stdin: str | None = None, **env: str) -> Any:
    """The JSON that a command prints."""
    done = psychmem(*words, "--json", cwd=cwd, stdin=stdin, **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _shapes_the_interpreter(env: Mapping[str, str]) -> dict[str, str]:
    """The variables that Python reads when it starts."""
    return {name: value for name, value in env.items() if name.startswith(("PYTHON", "LC_")) or name in ("LANG", "LANGUAGE")}


def _forked(words: list[str], cwd: Path, env: dict[str, str], stdin: str | None) -> subprocess.CompletedProcess[str]:
    out, to_out = os.pipe()
    err, to_err = os.pipe()
    source, to_stdin = os.pipe() if stdin is not None else (os.open(os.devnull, os.O_RDONLY), -1)
    request = json.dumps({"words": words, "cwd": str(cwd), "env": env}).encode()
    with socket.socket(socket.AF_UNIX) as channel, ThreadPoolExecutor(3) as readers:
        channel.settimeout(LIMIT_S)
        channel.connect(_server())
        socket.send_fds(channel, [len(request).to_bytes(4, "big")], [source, to_out, to_err])
        for descriptor in (source, to_out, to_err):
            os.close(descriptor)
        channel.sendall(request)
        texts = [readers.submit(_read, descriptor) for descriptor in (out, err)]
        if stdin is not None:
            readers.submit(_write, to_stdin, stdin)
        reply = channel.makefile("rb").read()
        assert reply, f"{words}: no exit code came"
        return subprocess.CompletedProcess(words, int(reply), *(text.result(LIMIT_S) for text in texts))


def _read(descriptor: int) -> str:
    with open(descriptor, encoding="utf-8") as stream:
        return stream.read()


def _write(descriptor: int, text: str) -> None:
    try:
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
    except BrokenPipeError:  # the command did not ask
        pass


@cache
def _server() -> str:
    """Where the process listens that forks; it ends with this one, when its stdin is closed."""
    place = os.path.join(tempfile.mkdtemp(prefix="psychmem-forks-"), "socket")
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVER, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_ENV, cwd=ROOT
    )
    atexit.register(_end, process)
    assert process.stdout
    assert process.stdout.readline() == b"listening\n"
    return place


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()
    process.wait(10)
