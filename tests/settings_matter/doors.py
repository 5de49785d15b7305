"""What hooks and commands answer, and which database they use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner

from psychmem_py.cli.tree import app
from psychmem_py.home import surroundings
from psychmem_py.model.terms import Kind
from psychmem_py.store.connection import open_store
from tests.hooks import run, settle
from tests.memories_made import NOW, made, store
from tests.settings_matter.world import Row, World

EVENTS = {
    "stop": "Stop",
    "pre-compact": "PreCompact",
    "session-end": "SessionEnd",
    "inject": "SessionStart",
    "tool-after": "PostToolUse",
}


def served(event: str, **more: str) -> Callable[[World], object]:
    """Whether an event is answered, and what is served then, in the hook and behind it."""

    def look(world: World) -> object:
        with open_store(world.root / "memory.db", now=NOW) as db:
            store(db, [made("We deploy with the blue pipeline", Kind.DECISION)])
        for name, value in world.env.items():
            world.patch.setenv(name, value)
        payload = {"session_id": "s", "cwd": str(world.root), "hook_event_name": EVENTS[event], "tool_name": "Bash", **more}
        reply = run(event, payload)
        settle()
        return bool(reply), sorted(path.name for path in world.root.glob("health/*"))

    return look


def database(world: World) -> object:
    world.patch.chdir(world.root)
    return Path(surroundings.database(world.env, "claude-code")).name


def commands_database(world: World) -> object:
    world.patch.setattr("os.environ", {**world.env, "HOME": str(world.root)})
    CliRunner().invoke(app, ["remember", "we deploy with the blue pipeline"], env=world.env)
    return sorted(path.name for path in world.root.glob("*.db"))


ROWS: dict[str, Row] = {
    "agent_type": Row("opencode", commands_database, {"db_path": "{agentType}.db"}),
    "db_path": Row("elsewhere.db", database),
    "ignore": Row("*", served("tool-after")),
    "extract_on_message": Row("no", served("stop")),
    "extract_on_compaction": Row("no", served("pre-compact", trigger="auto")),
    "inject_on_compaction": Row("no", served("inject", source="compact")),
}  # fmt: skip
