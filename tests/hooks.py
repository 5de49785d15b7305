"""The agents' door as agents use it: a process, bytes in, bytes out."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAYLOADS = ROOT / "tests" / "payloads"
QUIET = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}  # the client reads no MEMORY.md, so a brief says everything
_CODE = "import sys; sys.path[:0] = sys.argv.pop(1).split('\\n'); from psychmem_py.hooks.entry import main; sys.exit(main())"
# As the launcher starts it: without `site`, with the checkout and site-packages put in front.
_PATHS = [str(ROOT), *(path for path in sys.path if "site-packages" in path)]
COMMAND = [sys.executable, "-I", "-S", "-c", _CODE, "\n".join(_PATHS)]


def start(event: str, payload: bytes | dict[str, Any], **env: str) -> subprocess.Popen[bytes]:
    """A hook that has its input and runs."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    hook = subprocess.Popen([*COMMAND, *event.split()], env={**os.environ, **env}, **pipes)
    assert hook.stdin
    with suppress(BrokenPipeError):
        hook.stdin.write(raw)
        hook.stdin.close()
    hook.stdin = None
    return hook


def run(event: str, payload: bytes | dict[str, Any], **env: str) -> bytes:
    """What a hook prints; it ends with 0 and says nothing on stderr."""
    hook = start(event, payload, **env)
    out, err = hook.communicate(timeout=600)
    assert (hook.returncode, err) == (0, b"")
    return out


def cpu_s() -> float:
    """CPU seconds of all hooks that have ended, which a busy machine does not stretch as it does the time on the wall."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def context(out: bytes, event: str = "SessionStart") -> str:
    """The text a reply puts into the conversation; "" for no reply."""
    if not out:
        return ""
    found = json.loads(out)
    assert (set(found), found["hookSpecificOutput"]["hookEventName"]) == ({"hookSpecificOutput"}, event)
    return str(found["hookSpecificOutput"]["additionalContext"])


def data() -> Path:
    """Where this test's store and everything beside it is."""
    return Path(os.environ["PSYCHMEM_HOME"])


def selected(query: str, *values: str) -> list[Any]:
    """The first column of what a query of the store finds; [] where there is no store."""
    if not (data() / "memory.db").exists():
        return []
    with closing(sqlite3.connect(data() / "memory.db", timeout=20)) as db:
        return [row[0] for row in db.execute(query, values)]


def eventually(holds: Callable[[], Any], limit_s: float = 300) -> Any:
    """The first true value of `holds`; fails after `limit_s`."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"did not come true within {limit_s} s: {holds}")


def children() -> list[int]:
    """Process ids of detached children that work for this test's home."""
    mark, found = f"PSYCHMEM_HOME={os.environ['PSYCHMEM_HOME']}".encode(), []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            if b"\0work\0" in _bytes(f"/proc/{pid}/cmdline") and mark in _bytes(f"/proc/{pid}/environ"):
                found.append(int(pid))
    return found


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def settle() -> None:
    """Waits until no detached child works any more; one that is just starting has no name yet, so it is looked for twice."""
    eventually(lambda: not children() and not time.sleep(0.05) and not children())


class Conversation:
    """A session of the client: its transcript grows as the client writes it, its hooks are called as the client calls them."""

    def __init__(self, project: Path, session: str, folder: Path | None = None) -> None:
        self.at = "2026-11-21T00:36:21.866Z"
        self.project, self.session = project, session
        self.transcript = (folder or Path(os.environ["HOME"]) / "transcripts") / f"{session}.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.count = 0

    def payload(self, name: str, **more: Any) -> dict[str, Any]:
        place = {"session_id": self.session, "transcript_path": str(self.transcript), "cwd": str(self.project)}
        return {**place, "hook_event_name": name, **more}

    def _write(self, record: dict[str, Any]) -> None:
        self.count += 1
        record = {"uuid": f"{self.session}-{self.count}", "timestamp": self.at, "cwd": str(self.project), **record}
        with self.transcript.open("a") as file:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")

    def types(self, text: str) -> None:
        message = {"role": "user", "content": text}
        self._write({"type": "user", "message": message, "promptSource": "typed", "turnOrigin": "human"})

    def answers(self, text: str) -> None:
        key, content = f"msg_{self.session}_{self.count}", [{"type": "text", "text": text}]
        self._write({"type": "assistant", "message": {"id": key, "model": "m", "content": content}})

    def calls(self, tool: str, *, error: str = "", refused: bool = False, reason: str = "", **given: Any) -> None:
        """A tool call with its result, which may be that the person refused it."""
        key = f"toolu_{self.session}_{self.count}"
        content = [{"type": "tool_use", "id": key, "name": tool, "input": given}]
        self._write({"type": "assistant", "message": {"id": f"msg_{key}", "model": "m", "content": content}})
        refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected."
        text = f"{refusal} To tell you how to proceed, the user said:\n{reason}" if reason else refusal if refused else error
        result = {"type": "tool_result", "tool_use_id": key, "content": text or "done"} | ({"is_error": True} if text else {})
        denied = {"toolDenialKind": "user-rejected"} if refused or reason else {}
        message = {"role": "user", "content": [result]}
        self._write({"type": "user", "message": message, "toolUseResult": text or "done", **denied})

    def asks(self, text: str, **env: str) -> str:
        """What the hook puts behind a prompt."""
        return context(run("prompt", self.payload("UserPromptSubmit", prompt=text, prompt_id="p"), **env), "UserPromptSubmit")

    def after(self, tool: str, *, error: str = "", **given: Any) -> dict[str, Any]:
        """The payload of a tool event; with an error, of one that failed."""
        self.count += 1
        more = {"error": error} if error else {"tool_response": {}}
        name = "PostToolUseFailure" if error else "PostToolUse"
        return self.payload(name, tool_name=tool, tool_use_id=f"t{self.count}", tool_input=given, **more)

    def uses(self, tool: str, *, error: str = "", **given: Any) -> str:
        """What the hook says after a tool call."""
        call = self.after(tool, error=error, **given)
        return context(run("tool-after", call), call["hook_event_name"])

    def reminder(self, tool: str, **given: Any) -> str:
        """What the hook says before a tool call."""
        return context(run("before", self.payload("PreToolUse", tool_name=tool, tool_use_id="t", tool_input=given)), "PreToolUse")

    def begins(self, source: str = "startup", **env: str) -> str:
        return context(run("inject", self.payload("SessionStart", source=source), **env))

    def stops(self, last: str = "", **env: str) -> bytes:
        return run("stop", self.payload("Stop", stop_hook_active=False, last_assistant_message=last), **env)

    def typed(self, *texts: str, last: str = "", **env: str) -> None:
        """Prompts of one turn, taken up."""
        for text in texts:
            self.types(text)
        self.stops(last, **env)
        settle()

    def says(self, text: str, answer: str = "Fine.") -> None:
        """One whole turn, taken up."""
        self.types(text)
        self.answers(answer)
        assert self.stops(answer) == b""
        settle()


def holding(places: Iterable[Path], *needles: str) -> list[tuple[Path, str]]:
    """Files, and names of files, that hold one of the needles in any case, as UTF-8 or escaped as in JSON."""
    found = []
    for place in places:
        for path in (place, *place.rglob("*")):
            raw = (os.fsencode(path.name) + b"\n" + (path.read_bytes() if path.is_file() else b"")).lower()
            for needle in needles:
                forms = {needle.lower().encode(), json.dumps(needle.lower())[1:-1].encode()}
                if any(form in raw for form in forms):
                    found.append((path, needle))
    return found


def repository(place: Path, remote: str = "") -> Path:
    """A git repository at `place`, with `remote` as its origin."""
    (place / ".git").mkdir(parents=True)
    (place / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (place / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n' if remote else "[core]\n")
    return place


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """The database, locked by another process."""
    code = "import sqlite3 as s, sys; d = s.connect(sys.argv[1]); d.execute('begin exclusive'); print(flush=True); open(0).read()"
    with subprocess.Popen([sys.executable, "-c", code, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdout.readline()
        try:
            yield
        finally:
            holder.stdin.close()
            holder.wait(10)
