"""The plugin file alone, in node: what it hands over when the client does not answer it any more."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hooks import ROOT, eventually

RUN = """
import plugin from "%s"
const never = () => new Promise(() => {})
const ways = { rejects: async () => { throw new Error("gone") }, throws: () => { throw new Error("gone") }, hangs: never }
const way = ways[process.argv[2]]
const hooks = await plugin.server({ client: { session: { get: way, messages: way } }, directory: "/tmp", worktree: "/tmp" })
await hooks.event({ event: { type: "session.created", properties: { info: { id: "ses_1" } } } })
await hooks["chat.message"]({ sessionID: "ses_1" }, { message: { id: "msg_1" }, parts: [{ type: "text", text: "Hello", id: "prt_1" }] })
const begun = Date.now()
await hooks.dispose()
console.log(Date.now() - begun)
process.exit(0)
"""


@pytest.mark.parametrize("way", ["rejects", "throws", "hangs"])
def test_a_client_that_is_closing_loses_nothing(tmp_path: Path, way: str) -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    script, heard, hook = tmp_path / "run.mjs", tmp_path / "heard", tmp_path / "psychmem-hook"
    plugin = tmp_path / "psychmem.mjs"
    shutil.copy(ROOT / "hooks" / "opencode" / "psychmem.js", plugin)
    script.write_text(RUN % plugin)
    hook.write_text(f'#!/bin/sh\n[ "$3" = stop ] && cat > {heard}.part && mv {heard}.part {heard}\nexit 0\n')
    hook.chmod(0o755)
    done = subprocess.run(
        [node, script, way],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PSYCHMEM_HOOK": str(hook)},
    )
    eventually(heard.exists)
    assert json.loads(heard.read_text()) == {"session": "ses_1", "cwd": "/tmp", "worktree": "/tmp", "messages": []}
    assert int(done.stdout) < 5000  # what the terminal client waits for
