"""A judge: which program, how often, how much at once."""

from __future__ import annotations

from psychmem_py.errors import JudgeError
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.judging import clients, protocol, runner, sorting, sweeping
from psychmem_py.model.terms import Kind, Status
from psychmem_py.store import rows
from tests.memories_made import NOW
from tests.settings_matter.hearing import LONG_ANSWER, LONG_WISH
from tests.settings_matter.world import Row, World, matcher, message


def requests(world: World) -> object:
    """How many requests twenty long messages take."""
    asked: list[str] = []
    judge = sweeping.in_batches(lambda request: asked.append(request) or "", world.settings.judge.chars_per_call)
    judge([protocol.Proposal("user", "", f"{n} {LONG_ANSWER}", LONG_WISH, Kind.DECISION) for n in range(20)])
    return len(asked)


def answered(world: World) -> object:
    slow = runner.Program(("/bin/sh", "-c", "sleep 0.5; echo late"), name="slow")
    try:
        return runner.answer(slow, "", env={}, folder=str(world.root), timeout_s=world.settings.judge.call_timeout_s)
    except JudgeError:
        return "stopped"


def client(world: World) -> object:
    (world.root / "claude").write_text("#!/bin/sh\n")
    (world.root / "claude").chmod(0o755)
    return clients.program("claude", world.settings.judge.small_model, {"PATH": str(world.root)}, str(world.root)).argv[1:]


def judging(world: World) -> object:
    """What an end of a session leaves, where a judge drops all."""
    script = world.root / "small-judge"
    script.write_text('#!/bin/sh\necho \'{"verdicts": [{"n": 0, "verdict": "drop"}]}\'\n')
    script.chmod(0o755)
    db = world.db()
    said = message(0, "user", "Never commit directly to the main branch.")
    extract(
        db,
        Span("s", "claude-code", (said,)),
        project=Project("p", "p", str(world.root)),
        settings=world.settings,
        matcher=matcher,
        now=NOW,
    )
    desk = sorting.SortingDesk(world.root / "memory.db", world.root, {"PATH": f"{world.root}:/bin:/usr/bin"}, world.settings)
    if world.settings.judge.by:
        sorting.sort(desk, lambda: NOW)
    return [memory.status for memory in rows.listed(db, all_projects=True, statuses=tuple(Status))]


ROWS: dict[str, Row] = {
    "by": Row("command", judging, {"command": "small-judge"}),
    "command": Row("small-judge", judging, {"by": "command"}),
    "calls_per_day": Row("0", judging, {"by": "command", "command": "small-judge"}),
    "small_model": Row("sonnet", client),
    "chars_per_call": Row("10000", requests),
    "call_timeout_s": Row("0.05", answered),
}  # fmt: skip
