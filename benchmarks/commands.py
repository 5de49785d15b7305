"""What people's commands cost into a pipe: CPU time of the whole process, against `python -c "import typer, rich"`.

    python -m benchmarks.commands [--runs 11] [--memories 10000]

All commands take turns in one run; the median is printed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.hooks import ROOT, cpu_ms, fill

CODE = "import sys; sys.path.insert(0, sys.argv.pop(1)); from psychmem_py.cli import main; main()"
RULE = "Always deploy with the blue script"
COMMANDS = {
    "status": ["status"],
    "list": ["list", "--limit", "20"],
    "show": ["show", f"{70:032x}"],
    "search": ["search", "parser number 70"],
    "review": ["review"],
    "stats": ["stats"],
    "context": ["context"],
    "remember, class and place given": ["remember", RULE, "--class", "constraint", "--user", "--dry-run"],
    "remember, class given": ["remember", RULE, "--class", "constraint", "--dry-run"],
    "remember": ["remember", RULE, "--dry-run"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--memories", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        project = Path(folder) / "project"
        (project / ".git").mkdir(parents=True)
        env = {"HOME": folder, "PATH": os.environ["PATH"], "PSYCHMEM_HOME": f"{folder}/psychmem"}
        fill(options.memories, env, project)
        os.chdir(project)
        base = "import typer, rich"
        commands = {base: [sys.executable, "-c", base]}
        commands |= {name: [sys.executable, "-c", CODE, str(ROOT), *words] for name, words in COMMANDS.items()}
        times: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(options.runs + 1):
            for name, command in commands.items():
                used = cpu_ms(command, env)
                if number:  # the first round fills caches
                    times[name].append(used)
        os.chdir("/")
    medians = {name: statistics.median(found) for name, found in times.items()}
    print(f"median of {options.runs}, {options.memories} memories")
    for name, median in medians.items():
        print(f"{name:34}{median:8.0f} ms{median / medians[base]:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
