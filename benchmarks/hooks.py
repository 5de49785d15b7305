"""What a hook costs: CPU time (user and system) of the whole process, against `node -e 0` and a bare interpreter.

    python benchmarks/hooks.py [--runs 21] [--memories 10000] [--launcher PATH]

All commands take turns in one run, so a busy machine is busy for all of them; the median is printed. The work a stop hands to its
detached child is timed apart: a 1 MB transcript made of recorded records, and one new turn after it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


from psychmem_py.home import surroundings  # noqa: E402
from psychmem_py.home.project import project_of  # noqa: E402
from psychmem_py.model.light_record import FILE_FIELD  # noqa: E402
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Memory, Origin, Scope, Status, Store, Tier  # noqa: E402  # noqa: E402
from psychmem_py.store.change_log import apply  # noqa: E402
from psychmem_py.store.connection import open_store, transaction  # noqa: E402

SITE = [path for path in sys.path if "site-packages" in path]
CODE = "import sys; sys.path[:0] = sys.argv.pop(1).split('\\n'); from psychmem_py.hooks.entry import main; sys.exit(main())"
DIRECT = [sys.executable, "-I", "-S", "-c", CODE, "\n".join([str(ROOT), *SITE])]
TARGETS = {
    "inject": 0.8,
    "inject, compacted": 0.8,
    "inject, not cached": 1.5,
    "prompt, answered": 1.0,
    "prompt, nothing fits": 1.0,
    "tool-after": 0.5,
    "tool-after, a Read that speaks": 0.6,
    "stop": 0.7,
    "before, nothing fits": 0.5,
    "before, a rule fits": 0.8,
}


def cpu_ms(command: list[str], env: dict[str, str], raw: bytes = b"") -> float:
    """User and system time of one run, children it waited for included."""
    with tempfile.TemporaryFile() as given:
        given.write(raw)
        given.seek(0)
        null = os.open(os.devnull, os.O_WRONLY)
        actions = [(os.POSIX_SPAWN_DUP2, given.fileno(), 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
        child = os.posix_spawnp(command[0], command, env, file_actions=actions)
        os.close(null)
    used = os.wait4(child, 0)[2]
    return (used.ru_utime + used.ru_stime) * 1000


def payload(name: str, project: Path, transcript: Path, session: str = "bench", **more: object) -> bytes:
    base = {"session_id": session, "transcript_path": str(transcript), "cwd": str(project), "hook_event_name": name}
    return json.dumps({**base, **more}).encode()


def fill(count: int, env: dict[str, str], project: Path) -> None:
    """A store with `count` memories, one in ten of them this project's or the user's."""
    here = project_of(project, env)
    assert here is not None
    kinds = list(Kind)
    now = time.time()
    with open_store(surroundings.database(env, "claude-code"), now=now) as db, transaction(db):
        made = []
        for n in range(count):
            mine = n % 10 == 0
            scope = Scope.USER if mine and n % 50 == 0 else Scope.PROJECT
            thing = ("cache", "queue", "parser", "router", "worker")[n % 5]
            text = "Never push to main" if n == 0 else f"The {thing} number {n} writes to table t{n % 997} after step {n % 89}"
            memory = Memory(
                id=f"{n:032x}", text=text, kind=kinds[n % 9], scope=scope,
                project=None if scope is Scope.USER else here.id if mine else f"dir:/other/{n % 40}",
                store=Store.LTM, tier=Tier.NORMAL, status=Status.ACTIVE, pinned=False, origin=Origin.USER_PROMPT,
                importance=0.5, utility=0.5, novelty=0.5, confidence=0.7, interference=0.0, strength=0.3 + n % 60 / 100,
                use_count=0, session_count=1, created_at=now - n, updated_at=now - n, anchor_at=now - n,
            )  # fmt: skip
            if n == 10:
                memory = memory._replace(
                    text="Prices in price.py stay whole", kind=Kind.CONSTRAINT, metadata=((f"{FILE_FIELD}price.py", ""),)
                )
            said = Evidence(memory.id, now, "bench", Origin.USER_PROMPT, "", quote=memory.text) if n == 10 else None
            made.append(Change(ChangeType.ADD, memory.id, None, memory, evidence=said))
        apply(db, made, batch="bench", now=now)


def transcript_of(size: int, project: Path, target: Path) -> None:
    """About `size` bytes of turns with prompts, answers, tool calls and results, attachments and request records."""
    talk = (
        (
            "Please look at the {} module, the import of it is slow.",
            "The import reads the whole table; I moved it behind a function.",
        ),
        ("Always run the {} tests before you commit.", "Understood."),
        ("Why does the {} job fail at night?", "The root cause was the {} lock, which the backup holds until two."),
        ("We decided to keep {} in its own process.", "Done, it starts from the supervisor now."),
        ("Can you rename the {} field?", "Renamed in four files. The tests pass."),
    )
    n = 0
    with target.open("w") as file:
        while file.tell() < size:
            ask, answer = talk[n % len(talk)]
            word = f"service{n % 37}"
            base = {"timestamp": "2026-11-21T00:36:21.866Z", "cwd": str(project), "sessionId": "bench", "version": "2.1.329"}
            output = "".join(f"{line:6} some output of a tool that nobody reads\n" for line in range(60))
            for record in (
                {"type": "user", "uuid": f"u{n}", "promptSource": "typed", "message": {"content": ask.format(word)}},
                {"attachment": {"type": "hook_additional_context", "content": [output]}, "type": "attachment"},
                {
                    "type": "assistant",
                    "uuid": f"a{n}",
                    "message": {"id": f"m{n}", "content": [{"type": "text", "text": answer.format(word)}]},
                },
                {
                    "type": "user",
                    "message": {"content": [{"type": "tool_result", "content": output}]},
                    "toolUseResult": {"stdout": output},
                },
            ):
                file.write(json.dumps({**base, **record}, separators=(",", ":")) + "\n")
            n += 1


def child_s(raw: bytes, env: dict[str, str]) -> float:
    """CPU seconds of a detached child, run in the foreground."""
    return cpu_ms([*DIRECT, "work", "stop"], env, raw) / 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--launcher", help="an installed psychmem-hook to measure instead of the interpreter itself")
    options = parser.parse_args()
    hook = [options.launcher] if options.launcher else DIRECT
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        project = home / "project"
        (project / ".git").mkdir(parents=True)
        env = {"HOME": folder, "PATH": os.environ["PATH"], "PSYCHMEM_HOME": f"{folder}/psychmem"}
        fill(options.memories, env, project)
        talk = home / "bench.jsonl"
        cpu_ms([*DIRECT, "work", "stop"], env, payload("Stop", project, talk, "first"))  # prepares the brief and the rules
        tool = {
            "tool_name": "Bash",
            "tool_use_id": "t",
            "tool_input": {"command": "npm test"},
            "error": "Exit code 1\nnpm error Missing script",
        }
        commands = {
            "node -e 0": (["node", "-e", "0"], b""),
            "python -I -S -c pass": ([sys.executable, "-I", "-S", "-c", "pass"], b""),
            "inject": ([*hook, "inject"], payload("SessionStart", project, talk, source="startup")),
            "inject, compacted": ([*hook, "inject"], payload("SessionStart", project, talk, source="compact")),
            "inject, not cached": ([*hook, "inject"], payload("SessionStart", project, talk, source="resume")),
            "prompt, answered": (
                [*hook, "prompt"],
                payload("UserPromptSubmit", project, talk, prompt="What does the parser number 70 write to?"),
            ),
            "prompt, nothing fits": (
                [*hook, "prompt"],
                payload("UserPromptSubmit", project, talk, prompt="Please fix the login page, it redirects too late."),
            ),
            "tool-after": ([*hook, "tool-after"], payload("PostToolUseFailure", project, talk, **tool)),
            "tool-after, a Read that speaks": (
                [*hook, "tool-after"],
                payload(
                    "PostToolUse",
                    project,
                    talk,
                    tool_name="Read",
                    tool_use_id="t",
                    tool_input={"file_path": str(project / "price.py")},
                    tool_response={},
                ),
            ),
            "before, nothing fits": (
                [*hook, "before"],
                payload(
                    "PreToolUse", project, talk, tool_name="Bash", tool_use_id="t", tool_input={"command": "ls -la src | head"}
                ),
            ),
            "before, a rule fits": (
                [*hook, "before"],
                payload(
                    "PreToolUse", project, talk, tool_name="Bash", tool_use_id="t", tool_input={"command": "git push origin main"}
                ),
            ),
            "stop": ([*hook, "stop"], payload("Stop", project, talk, last_assistant_message="Done.")),
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(options.runs + 2):
            for name, (command, raw) in commands.items():
                used = cpu_ms(command, env, raw.replace(b'"bench"', b'"bench%d"' % number))
                if number >= 2:  # the first rounds fill caches
                    times[name].append(used)
        time.sleep(3)  # let the detached children end
        medians = {name: statistics.median(found) for name, found in times.items()}
        node, python = medians["node -e 0"], medians["python -I -S -c pass"]
        print(f"median of {options.runs}, {options.memories} memories")
        print(f"{'':32}{'CPU ms':>8}{'x node':>8}{'x python':>9}{'at most':>9}")
        for name, median in medians.items():
            limit = f"{TARGETS[name]:9.2f}" if name in TARGETS else ""
            print(f"{name:32}{median:8.1f}{median / node:8.2f}{median / python:9.2f}{limit}")
        transcript_of(1_000_000, project, talk)
        raw = payload("Stop", project, talk, "long", last_assistant_message="Done.")
        print(f"{'1 MB transcript, child':24}{child_s(raw, env):8.2f} s CPU, at most 1.0")
        with talk.open("a") as file:
            record = {
                "type": "user",
                "uuid": "new",
                "promptSource": "typed",
                "message": {"content": "Never push to the release branch."},
            }
            file.write(json.dumps(record) + "\n")
        print(f"{'one more turn, child':24}{child_s(raw, env):8.2f} s CPU, at most 0.25")
    return 0


if __name__ == "__main__":
    sys.exit(main())
