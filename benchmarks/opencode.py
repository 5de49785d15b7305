"""What our plugin costs OpenCode: a headless turn with it and without it, by turns, and how often it starts `psychmem-hook`.

    python -m benchmarks.opencode [--runs 7]

Uses the real client of the end-to-end tests (from npm, pinned, offline, a scripted model). A turn takes seconds and varies, so
the medians of alternating runs are compared.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.opencode import Machine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with (
        tempfile.TemporaryDirectory() as folder,
        Machine(Path(folder, "with")) as with_us,
        Machine(Path(folder, "without")) as without,
    ):
        (without.config / "plugins" / "psychmem.js").unlink()
        calls = Path(folder, "calls")
        with_us.hook.write_text(with_us.hook.read_text().replace("#!/bin/sh\n", f'#!/bin/sh\necho "$3" >> {calls}\n'))
        machines = {"without": without, "with": with_us}
        took: dict[str, list[float]] = {name: [] for name in machines}
        for machine in machines.values():  # the first start of a client is slower
            machine.run("Never use npm here, always use pnpm.")
        calls.write_text("")
        for _ in range(runs):
            for name, machine in machines.items():
                begun = time.perf_counter()
                machine.run("What is the capital of France?")
                took[name].append(time.perf_counter() - begun)
        started = calls.read_text().split()
    medians = {name: statistics.median(values) for name, values in took.items()}
    for name, values in took.items():
        print(f"{name:8} {medians[name]:.2f} s median, {min(values):.2f} to {max(values):.2f}")
    print(f"difference of the medians {medians['with'] - medians['without']:+.2f} s; at most 0.30")
    for event in sorted(set(started)):
        print(f"{event:12} {started.count(event) / runs:.1f} starts for each message")
    return 0


if __name__ == "__main__":
    sys.exit(main())
