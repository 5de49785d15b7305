"""What a hub carries: a real PostgreSQL server filled with operations of many devices, and what pushing and pulling cost there.

    python -m benchmarks.hub [--ops 1000000] [--devices 1000]

Prints rows, bytes, milliseconds on the server (`explain analyze`) and for the client. Needs PostgreSQL (tests/sync/server.py).
"""

from __future__ import annotations

import argparse
import statistics
import time

import psycopg

from psychmem_py.sync import hub as made
from psychmem_py.sync.hub import Hub
from psychmem_py.sync.op import Lane, Op, line
from tests.sync.devices import SHOP, Server, binaries, running

_FILL = """
insert into psychmem.lane (device, scope, project, owner, last_seq)
select lpad(to_hex(n), 32, '0'), 'project', %(project)s, 'kim', %(each)s from generate_series(1, %(devices)s) n
"""
_SAY = """
insert into psychmem.op (lane, seq, memory, line, digest)
select l.id, s, md5(l.id || '-' || s / 8), replace(replace(%(line)s, '@seq', s::text), '@device', l.device), sha256(s::text::bytea)
from psychmem.lane l cross join generate_series(1, %(each)s) s
"""


def filled(server: Server, devices: int, each: int) -> None:
    """A hub that holds `each` operations of every device, put there by its owner past the trigger."""
    made.set_up(server.url())
    for name in ("kim", "lee"):
        made.add_member(server.url(), name, project=SHOP, team="", role="writer")
    op = Op(
        "a" * 32,
        1,
        "1763838000000-000000",
        "project",
        "",
        SHOP,
        "0" * 32,
        "put",
        "text",
        "Use pnpm, never npm, in the shop",
        "user_prompt",
    )
    shape = line(op).replace('"seq":1', '"seq":@seq').replace("a" * 32, "@device")
    with psycopg.connect(server.url(), autocommit=True) as db:
        db.execute("alter table psychmem.op disable trigger op_arrives")
        db.execute(_FILL, {"project": SHOP, "each": each, "devices": devices})
        db.execute(_SAY, {"line": shape, "each": each})
        db.execute("alter table psychmem.op enable trigger op_arrives")
        db.execute("vacuum analyze")


def measured(server: Server, devices: int, each: int) -> dict[str, object]:
    """Sizes, and the milliseconds of a page of 2,000 somewhere in the middle, of an idle pull, of a push of 100."""
    lanes = [Lane(f"{n:032x}", "project", "", SHOP) for n in range(1, devices + 1)]
    behind = {lane: each for lane in lanes[2:]} | {lane: each // 2 for lane in lanes[:2]}
    with psycopg.connect(server.url("lee"), autocommit=True) as db:
        plans = [
            db.execute(
                "explain (analyze, format json) select * from psychmem.pull(%s, %s::jsonb, 2000)", ("f" * 32, made.marks(behind))
            ).fetchone()
            for _ in range(9)
        ]
    on_server = statistics.median(plan[0][0]["Execution Time"] for plan in plans if plan)
    with psycopg.connect(server.url(), autocommit=True) as db:
        sizes = db.execute("select count(*), pg_total_relation_size('psychmem.op') from psychmem.op").fetchone()
    idle = dict.fromkeys(lanes, each)
    remote = Hub(server.url("lee"), "f" * 32)
    try:
        page_ms, idle_ms = timed(lambda: remote.pull(behind, 2000)), timed(lambda: remote.pull(idle, 2000))
        own, seq = Lane("f" * 32, "project", "", SHOP), 0

        def push() -> None:
            nonlocal seq
            seq = remote.push(
                own,
                [Op(*own[:1], n, "1763838000000-000000", *own[1:], "m", "put", "text", "x") for n in range(seq + 1, seq + 101)],
            )

        push_ms = timed(push)
    finally:
        remote.close()
    return {
        "operations": sizes and sizes[0],
        "bytes for each": sizes and round(sizes[1] / sizes[0]),
        "page of 2,000 on the server, ms": round(on_server, 1),
        "page of 2,000 for the client, ms": page_ms,
        "pull with nothing new, ms": idle_ms,
        "push of 100, ms": push_ms,
    }


def timed(deed: object) -> float:
    """Median milliseconds of nine runs."""
    took = []
    for _ in range(9):
        begun = time.perf_counter()
        deed()  # type: ignore[operator]
        took.append((time.perf_counter() - begun) * 1000)
    return round(statistics.median(took), 1)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--ops", type=int, default=1_000_000)
    given.add_argument("--devices", type=int, default=1_000)
    asked = given.parse_args()
    tools = binaries()
    if tools is None:
        raise SystemExit("there is no PostgreSQL server; install the package pgserver")
    with running(tools) as server:
        filled(server, asked.devices, asked.ops // asked.devices)
        for name, value in measured(server, asked.devices, asked.ops // asked.devices).items():
            print(f"{name:36} {value:,}" if isinstance(value, int | float) else f"{name:36} {value}")


if __name__ == "__main__":
    main()
