"""What the module inside Claude Code adds to a start: the time from the client's event to the prepared brief, in the real client.

    python -m benchmarks.module [--runs 10]

The client of the end-to-end tests (pinned, offline, a scripted model) loads a copy of `hooks/module.js` that takes the time around
`brief` and leaves it in a file. Time on the wall, so read it on an idle machine; the command hook beside it is timed the same way.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.claude import Machine, client, hook_launcher
from tests.e2e.model_server import Model

RULE = "Never use npm in this repository, always use pnpm."
OFF = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}  # otherwise MEMORY.md says it, and there is little to prepare
CALL = "const text = await brief($, e.source, e.cwd, budget)"


def timed(plugin: Path, into: Path) -> None:
    """Lets the plugin's module note how long it takes to have the brief."""
    module = plugin / "hooks" / "module.js"
    text = module.read_text()
    assert CALL in text
    write = f"await $.fs.write(`{into}/${{Date.now()}}`, String(performance.now() - began))"
    module.write_text(text.replace(CALL, f"const began = performance.now()\n    {CALL}\n    {write}"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root, into = Path(folder), Path(folder) / "took"
        into.mkdir()
        machine = Machine(root, client(), hook_launcher(root / "plugin"))
        shop = machine.project("shop")
        with Model() as model:
            machine.run(shop, model.url, RULE, **OFF)
            time.sleep(5)  # the detached child prepares the next start
            timed(machine.plugin, into)
            for _ in range(options.runs):
                machine.run(shop, model.url, "Hello", **OFF)
                time.sleep(2)
            told = sum("always use pnpm" in request for request in model.texts(1))
        took = sorted(float(path.read_text()) for path in into.iterdir())
    print(
        f"{len(took)} starts, the brief told in {told}: median {statistics.median(took):.1f} ms, most {took[-1]:.1f} ms; at most 5"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
