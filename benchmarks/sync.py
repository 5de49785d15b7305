"""What sync costs: folding, taking up what waits, an idle meeting with a folder, and hooks while much waits.

    python benchmarks/sync.py [--memories 2000] [--waiting 100000]

CPU time; of processes with their start. Everything is in a temporary folder. The hooks with nothing and with much waiting take
turns, so that other work on the machine meets both.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from psychmem_py.curation.act import Act, Workplace
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.model.records import Kind, Scope
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import operations, rows
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.sync import exchange
from psychmem_py.sync.op import Op, hlc, line, parsed, states_of
from tests.hooks import Conversation, cpu_s, run

ROOT = Path(__file__).resolve().parents[1]
SHOP = "git:example.org/team/shop"
SYNC = "from psychmem_py.cli import main; main()"
CHILD = "import os, sys; from psychmem_py.sync import exchange; from psychmem_py.curation.act import Workplace; from psychmem_py.model.settings import DEFAULTS; exchange.run(Workplace(sys.argv[1], sys.argv[2], os.environ, DEFAULTS))"
NOTHING = "pass"


def cpu(deed: Callable[[], object]) -> float:
    began = time.process_time()
    deed()
    return time.process_time() - began


def tell(name: str, seconds: float, note: str = "") -> None:
    print(f"{name:56} {1000 * seconds:9.1f} ms CPU  {note}")


def folding() -> None:
    """10,000 operations of four devices about 1,000 memories, from their lines."""
    luck = random.Random(1)
    fields = [("text", "Service seven listens on port 8080"), ("class", "semantic"), ("created_at", 5.0), ("tags", ["a"])]
    lines = [
        line(
            Op(
                luck.choice("abcd") * 32,
                seq,
                hlc(luck.randrange(10**12), seq),
                "personal",
                "",
                "",
                f"m{luck.randrange(1_000)}",
                "put",
                *luck.choice(fields),
            )
        )
        for seq in range(1, 10_001)
    ]
    ops = [(parsed(text), 4) for text in lines]
    tell("read 10,000 operations from lines", cpu(lambda: [parsed(text) for text in lines]))
    tell("fold 10,000 operations", median(cpu(lambda: states_of(ops)) for _ in range(5)), "bar 1,000")


def store_with(root: Path, name: str, folder: Path, memories: int) -> str:
    """A store that shares a project with the folder."""
    database = str(root / name / "memory.db")
    os.makedirs(os.path.dirname(database), exist_ok=True)
    with open_store(database, now=time.time()) as db, transaction(db):
        operations.add_remote(db, "home", f"file://{folder}", mine=True)
        operations.share(db, ("project", "", SHOP), "home")
        act = Act(db, DEFAULTS, time.time(), "made")
        ids = rows.fresh_ids()
        for number in range(memories):
            remember(
                act,
                Entry(f"Service {number} of {number % 97} listens on port {1000 + number}", Kind.EPISODIC, Scope.PROJECT, SHOP),
                ids=ids,
            )
    return database


def meetings(root: Path, memories: int) -> str:
    """The first meeting of each of two machines; the folder is then in rest."""
    folder = root / "folder"
    folder.mkdir()
    stores = [store_with(root, "one", folder, memories), store_with(root, "two", folder, 0)]
    for database, name in zip(stores, ("hand over", "take in"), strict=True):
        with open_store(database, now=time.time()) as db:
            began = time.process_time()
            [done] = exchange.meet(db, Workplace(database, "", os.environ, DEFAULTS), time.time(), deadline_s=600)
            taken = time.process_time() - began
            tell(f"{name} {memories} memories for the first time", taken, f"{done.sent or done.received} operations")
    return stores[0]


def of_process(code: str, *words: str, env: dict[str, str]) -> float:
    before = cpu_s()
    subprocess.run([sys.executable, "-c", code, *words], env=env, check=True, stdout=subprocess.DEVNULL)
    return cpu_s() - before


def idle(database: str) -> None:
    home = os.path.dirname(database)
    env = {**os.environ, "PSYCHMEM_HOME": home, "HOME": home, "PYTHONPATH": str(ROOT)}
    ways = {
        "idle meeting, in the child after a stop": (CHILD, database, home),
        "idle `psychmem sync`": (SYNC, "sync"),
        "python alone": (NOTHING,),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(15):
        for name, (code, *words) in ways.items():
            taken[name].append(of_process(code, *words, env=env))
    for name, found in taken.items():
        tell(name, median(found), "with its process; bar 150" if name != "python alone" else "")


def hooks(database: str, waiting: int) -> None:
    """Prompt and stop with nothing and with much waiting, in turns: two copies of one store."""
    homes = {}
    for name, many in (("nothing", 0), (f"{waiting:,}", waiting)):
        home = Path(database).parent.parent / f"waiting-{many}"
        home.mkdir()
        with open_store(database, now=time.time()) as db:
            db.execute("vacuum into ?", (str(home / "memory.db"),))
        with open_store(home / "memory.db", now=time.time()) as db, transaction(db):
            db.execute("update remote set url = 'file:///nowhere/at/all'")
            db.execute(
                "insert into change (hlc, device, batch, at, type, memory_id, before, after, reason)"
                " with recursive n (i) as (select 0 union all select i + 1 from n where i < ?)"
                " select hlc, device, 'many', at, 'reinforce', memory_id, after, after, 'again' from n, (select * from change limit 1)"
                " where i > 0",
                (many,),
            )
        homes[name] = home
    taken: dict[tuple[str, str], list[float]] = {}
    for _ in range(15):
        for name, home in homes.items():
            os.environ.update(PSYCHMEM_HOME=str(home), HOME=str(home), CLAUDE_CONFIG_DIR=str(home / ".claude"))
            talk = Conversation(home, "s", home / "transcripts")
            for event, payload in (
                ("prompt", talk.payload("UserPromptSubmit", prompt="on which port does service seven listen")),
                ("tool-after", talk.payload("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={})),
            ):
                before = cpu_s()
                run(event, json.dumps(payload).encode())
                taken.setdefault((event, name), []).append(cpu_s() - before)
    for (event, name), found in sorted(taken.items()):
        tell(f"hook {event}, {name} waiting", median(found))


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--memories", type=int, default=2_000)
    given.add_argument("--waiting", type=int, default=100_000)
    wanted = given.parse_args()
    folding()
    with tempfile.TemporaryDirectory() as folder:
        database = meetings(Path(folder), wanted.memories)
        idle(database)
        hooks(database, wanted.waiting)


if __name__ == "__main__":
    main()
