"""What hooks cost in one tree of this project and in another: CPU of the whole process, both taking turns at every event.

    git worktree add /tmp/before COMMIT
    python benchmarks/compare_hooks.py /tmp/before . [--runs 41] [--memories 2000] [--event NAME] [--config FILE]

Each tree has a home and a store of its own, which its own `benchmarks/hooks.py: fill` makes. Median and least of the runs are
printed; on a busy machine the least says more.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hooks import CODE, SITE, cpu_ms, payload

FILL = """
import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); sys.path.insert(0, sys.argv[1] + "/benchmarks")
import os, hooks; hooks.fill(int(sys.argv[3]), dict(os.environ), Path(sys.argv[2]))
"""
FAILED = {
    "tool_name": "Bash",
    "tool_use_id": "t",
    "tool_input": {"command": "npm test"},
    "error": "Exit code 1\nnpm error Missing",
}
ASK = {"fits": "What does the parser number 70 write to?", "none": "Please fix the login page, it redirects too late."}
EVENTS: dict[str, tuple[str, str, dict[str, object]]] = {
    "inject, cached": ("inject", "SessionStart", {"source": "startup"}),
    "inject, resumed": ("inject", "SessionStart", {"source": "resume"}),
    "inject, compacted": ("inject", "SessionStart", {"source": "compact"}),
    "prompt, answered": ("prompt", "UserPromptSubmit", {"prompt": ASK["fits"]}),
    "prompt, nothing fits": ("prompt", "UserPromptSubmit", {"prompt": ASK["none"]}),
    "tool-after": ("tool-after", "PostToolUseFailure", FAILED),
    "stop": ("stop", "Stop", {"last_assistant_message": "Done."}),
    "session-end": ("session-end", "SessionEnd", {"reason": "exit"}),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=41)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--event", action="append", choices=sorted(EVENTS), help="only this event; may be given more than once")
    parser.add_argument("--config", type=Path, help="a config.toml for both")
    options = parser.parse_args()
    events = options.event or list(EVENTS)
    trees = [tree.resolve() for tree in options.trees]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        homes = [Path(folder) / str(number) for number in range(len(trees))]
        for tree, home in zip(trees, homes, strict=True):
            _furnish(tree, home, options.memories, options.config)
        times: dict[str, list[list[float]]] = {name: [[] for _ in trees] for name in events}
        for number in range(options.runs + 2):
            for name in events:
                for place, (tree, home) in enumerate(zip(trees, homes, strict=True)):
                    used = cpu_ms(_command(tree, EVENTS[name][0]), _env(home), _raw(name, home, number))
                    if number >= 2:  # the first rounds fill caches
                        times[name][place].append(used)
    print(f"CPU ms of {options.runs} runs each, {options.memories} memories: median, and least")
    for name, of_trees in times.items():
        medians, least = [statistics.median(runs) for runs in of_trees], [min(runs) for runs in of_trees]
        shown = [
            " ".join(f"{value:7.1f}" for value in values) + f" {values[-1] / values[0] - 1:+7.1%}" for values in (medians, least)
        ]
        print(f"{name:22} {shown[0]}   | {shown[1]}")
    return 0


def _furnish(tree: Path, home: Path, memories: int, config: Path | None) -> None:
    """A project, a store and, if asked for, a config file in `home`, by the tree's own code; a child makes its brief ready."""
    (home / "project" / ".git").mkdir(parents=True)
    (home / "psychmem" / "config").mkdir(parents=True, mode=0o700)
    if config:
        (home / "psychmem" / "config" / "config.toml").write_bytes(config.read_bytes())
    subprocess.run([sys.executable, "-c", FILL, str(tree), str(home / "project"), str(memories)], env=_env(home), check=True)
    cpu_ms(_command(tree, "work", "stop"), _env(home), payload("Stop", home / "project", home / "talk.jsonl", "first"))


def _command(tree: Path, *event: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", CODE, "\n".join([str(tree), *SITE]), *event]


def _env(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": os.environ["PATH"], "PSYCHMEM_HOME": str(home / "psychmem")}


def _raw(name: str, home: Path, number: int) -> bytes:
    _, hook, fields = EVENTS[name]
    return payload(hook, home / "project", home / "talk.jsonl", f"bench{number}", **fields)


if __name__ == "__main__":
    sys.exit(main())
