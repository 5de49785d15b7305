"""The plugin file alone, in node: what it hands over when the client does not answer it any more."""

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


def played(folder: Path, script: str, hook: str, *words: str) -> str:
    """What node prints for a script that drives the plugin, whose hook is this line of sh."""
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    run, program, plugin = folder / "run.mjs", folder / "psychmem-hook", folder / "psychmem.mjs"
    shutil.copy(ROOT / "hooks" / "opencode" / "psychmem.js", plugin)
    run.write_text(script % plugin)
    program.write_text(f"#!/bin/sh\n{hook}\n")
    program.chmod(0o755)
    env = {**os.environ, "PSYCHMEM_HOOK": str(program)}
    return subprocess.run([node, run, *words], capture_output=True, text=True, timeout=600, check=True, env=env).stdout


@pytest.mark.parametrize("way", ["rejects", "throws", "hangs"])
def test_a_client_that_is_closing_loses_nothing(tmp_path: Path, way: str) -> None:
    heard = tmp_path / "heard"
    waited = played(tmp_path, RUN, f'[ "$3" = stop ] && cat > {heard}.part && mv {heard}.part {heard}\nexit 0', way)
    eventually(heard.exists)
    assert json.loads(heard.read_text()) == {"session": "ses_1", "cwd": "/tmp", "worktree": "/tmp", "messages": []}
    assert int(waited) < 5000  # what the terminal client waits for


SET_UP = """
import plugin from "%s"
const hooks = {}
const hook = (name, run) => { hooks[name] = run }
const get = async ({ sessionID }) => ({ id: sessionID, parentID: sessionID === "sub" ? "ses_1" : undefined })
await plugin.setup({ session: { hook, get, synthetic: async () => {} }, tool: { hook }, location: { directory: "/tmp" } })
"""
TWO = """
for (const sessionID of ["ses_1", "sub"]) {
  await hooks.prompt({ sessionID, messageID: "msg_1", prompt: "Hello" })
  for (let step = 0; step < 2; step++) {
    await hooks.context({ sessionID, kind: sessionID === "sub" ? "subagent" : "primary", system: [], messages: [] })
  }
}
await hooks.compaction({ sessionID: "ses_1", messages: [] })
process.exit(0)
"""


def test_the_2_x_half_asks_for_one_brief_until_a_compaction_and_nothing_for_sub_agents(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    played(tmp_path, SET_UP + TWO, f'[ "$3" = stop ] || echo "$3 $(cat)" >> {heard}\nexit 0')
    asked = [line.split(" ", 1) for line in heard.read_text().splitlines()]
    assert [(event, json.loads(payload)["session"], json.loads(payload).get("source")) for event, payload in asked] == [
        ("inject", "ses_1", "startup"),
        ("prompt", "ses_1", None),
        ("pre-compact", "ses_1", None),
        ("inject", "ses_1", "compact"),
    ]


TWO_CALLS = """
const made = async (id, command, tool = "shell", input = { command }) => {
  const e = { tool, sessionID: "ses_1", id, input }
  try { await hooks["execute.before"](e) } catch (error) { return error.message }
  const after = { ...e, status: "completed", result: { output: "done" } }
  await hooks["execute.after"](after)
  return after.result.output
}
const block = '<psychmem-memory nonce="ab12">\\nuse pnpm\\n</psychmem-memory nonce="ab12">'
const messages = [{ parts: [{ type: "text", text: `Hello\\n${block}` }] }]
const told = [await made("1", "git push"), await made("2", "rm -rf x"), await made("3", "ls")]
await made("4", "", "apply_patch", { patchText: "*** Update File: .env\\n-A=1\\n+A=2" })
await hooks.compaction({ sessionID: "ses_1", messages })
console.log(JSON.stringify([...told, messages[0].parts[0].text]))
process.exit(0)
"""


def test_the_2_x_half_says_rules_beside_calls_and_keeps_ours_out_of_summaries(tmp_path: Path) -> None:
    replies = (
        """case $(cat) in *push*) echo '{"text": "You said: never push."}';; *rm*) echo '{"ask": "You said: ask."}';; esac"""
    )
    noted = tmp_path / "noted"
    told = played(tmp_path, SET_UP + TWO_CALLS, f'[ "$3" = before ] || exec cat >> {noted}\n{replies}')
    assert eventually(lambda: '{"patchText":"*** Update File: .env"}' in noted.read_text())
    pushed, removed, listed, said = json.loads(told)
    assert pushed == "done\n\nYou said: never push."
    assert "the person wants to be asked first, in these words: You said: ask." in removed
    assert (listed, said) == ("done", "Hello")


CALLS = """
const hooks = await plugin.server({ client: { session: {} }, directory: "/tmp", worktree: "/tmp" })
await hooks[process.argv[2]]({ tool: "bash", sessionID: "ses_1", callID: "c" }, { args: { command: "ls" } })
process.exit(0)
"""


@pytest.mark.parametrize(("hook", "event"), [("wait", "tool.execute.before"), ("yes", "experimental.session.compacting")])
def test_a_hook_that_hangs_or_never_stops_talking_is_ended_with_what_it_started(tmp_path: Path, hook: str, event: str) -> None:
    started = tmp_path / "started"
    played(tmp_path, RUN.partition("const way =")[0] + CALLS, f"sleep 600 &\necho $! > {started}\n{hook}", event)
    child = Path("/proc") / started.read_text().strip()
    eventually(lambda: not child.exists() or "\nState:\tZ" in (child / "status").read_text())


KEPT = """
import plugin from "%s"
const toasts = []
const tui = { showToast: async ({ body }) => { toasts.push(body) } }
const timer = setTimeout
globalThis.setTimeout = (run, ms) => timer(run, ms > 2500 ? 200 : ms)
const session = { get: async () => ({ data: {} }), messages: async () => ({ data: [] }) }
const hooks = await plugin.server({ client: { session, tui }, directory: "/tmp", worktree: "/tmp" })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
await new Promise((resolve) => timer(resolve, 2000))
console.log(JSON.stringify(toasts))
process.exit(0)
"""


def test_what_a_turn_brought_is_told_once_by_the_client_s_own_toast(tmp_path: Path) -> None:
    once = f'mkdir {tmp_path}/asked 2>/dev/null && echo \'{{"text": "kept: use pnpm · undo: psychmem forget 3f2a91cc"}}\''
    (toast,) = json.loads(played(tmp_path, KEPT, f'cat > /dev/null\n[ "$3" = kept ] || exit 0\n{once}\nexit 0'))
    assert toast == {"title": "PsychMem", "message": "kept: use pnpm · undo: psychmem forget 3f2a91cc", "variant": "info"}
