"""A hub on PostgreSQL: lanes in order and once whatever breaks, nobody reads what is not theirs, and what is purged is gone."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from psychmem_py.errors import RemoteError
from psychmem_py.model.records import Kind, Status
from psychmem_py.store import operations
from psychmem_py.store.sqlite import set_meta
from psychmem_py.sync import hub as hubs
from psychmem_py.sync.hub import Hub
from psychmem_py.sync.op import Lane, Op, parsed
from psychmem_py.sync.remote import NAME
from tests.data import cases
from tests.sync.devices import IN_SHOP, PERSONAL, SHOP, Machine, Server

pytestmark = pytest.mark.long
CANARY = "canary-7f3a91 keeps the release branch locked"
A, B = "a" * 32, "b" * 32


def op(device: str, seq: int, text: str = "x", *, scope: str = "project", memory: str = "m1", kind: str = "put") -> Op:
    field, value = ("text", text) if kind == "put" else ("", None)
    project = SHOP if scope == "project" else ""
    return Op(device, seq, f"{1_763_838_000_000 + seq:013d}-000000", scope, "", project, memory, kind, field, value, "user_cli")


def said(hub: Server, name: str, device: str, *ops: Op) -> int:
    with closing(Hub(hub.url(name), device)) as remote:
        return remote.push(ops[0].lane, ops)


def read(hub: Server, name: str, device: str = "f" * 32) -> list[str]:
    """The lines that a member's device is given."""
    with closing(Hub(hub.url(name), device)) as remote:
        return [record[1] for delivery in remote.pull({}) for record in delivery.records]


def joins(machine: Machine, hub: Server, login: str, *, places: tuple[tuple[str, str, str], ...] = (PERSONAL, IN_SHOP)) -> None:
    with machine.acting() as act:
        set_meta(act.db, NAME, machine.name)
        operations.add_remote(act.db, "hub", hub.url(login), mine=False)
        for place in places:
            operations.share(act.db, place, "hub")


def two(hub: Server, folder: Path) -> tuple[Machine, Machine]:
    """Kim, who has personal memories there too, and lee."""
    kim, lee = Machine(folder, "kim"), Machine(folder, "lee")
    joins(kim, hub, "kim")
    joins(lee, hub, "lee", places=(IN_SHOP,))
    return kim, lee


# One step at a time


def test_a_push_that_is_repeated_does_nothing_more_and_a_gap_and_another_under_its_number_are_refused(hub: Server) -> None:
    first = [op(A, 1), op(A, 2)]
    assert (said(hub, "kim", A, *first), said(hub, "kim", A, *first), said(hub, "kim", A, *first, op(A, 3))) == (2, 2, 3)
    for wrong, why in ((op(A, 5), "gap"), (op(A, 1, "other"), "known number")):
        with pytest.raises(RemoteError, match=why):
            said(hub, "kim", A, wrong)
    assert [parsed(line) for line in read(hub, "kim")] == [*first, op(A, 3)]


def test_a_device_belongs_to_one_member_in_every_place(hub: Server) -> None:
    said(hub, "kim", A, op(A, 1))
    with pytest.raises(RemoteError, match="another member"):
        said(hub, "lee", A, op(A, 2))
    lane = f"insert into psychmem.lane (device, scope) values ('{A}', 'personal')"
    with psycopg.connect(hub.url("lee"), autocommit=True) as db, pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.execute(lane.encode())
    with pytest.raises(RemoteError, match="another member"):
        said(hub, "lee", A, op(A, 1, scope="personal"))
    assert said(hub, "kim", A, op(A, 1, scope="personal")) == 1


def test_a_page_ends_and_the_next_goes_on(hub: Server) -> None:
    said(hub, "kim", A, *(op(A, seq) for seq in range(1, 26)))
    said(hub, "kim", B, *(op(B, seq) for seq in range(1, 6)))
    remote, have, found = Hub(hub.url("lee"), "f" * 32), dict[Lane, int](), list[Op]()
    for _ in range(10):
        page = remote.pull(have, 7)
        for delivery in page:
            found += [parsed(line) for _, line in delivery.records]
            have[delivery.lane] = delivery.records[-1][0]
    remote.close()
    wanted = [(A, seq) for seq in range(1, 26)] + [(B, seq) for seq in range(1, 6)]
    assert sorted((one.device, one.seq) for one in found) == wanted


def test_no_hub_no_server_no_password_and_no_right_are_told_in_a_sentence(cluster: Server, hub: Server) -> None:
    with pytest.raises(RemoteError, match="the hub: "):
        Hub("postgresql://kim@127.0.0.1:1/memory", A)
    with pytest.raises(RemoteError, match="pgpass"):
        hubs.checked("postgresql://kim:secret@host/memory")
    with pytest.raises(RemoteError, match="refuses"):
        said(hub, "mallory", A, op(A, 1))
    with psycopg.connect(cluster.url(), autocommit=True) as db:
        db.execute("drop schema psychmem cascade")
    with pytest.raises(RemoteError, match="hub init"):
        Hub(cluster.url("kim"), A).held(A)


@pytest.mark.parametrize(("url", "host", "mode"), cases("sync", "nobody on the way reads"))
def test_nobody_on_the_way_reads(monkeypatch: pytest.MonkeyPatch, url: str, host: str | None, mode: str | None) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)
    if host:
        monkeypatch.setenv("PGHOST", host)
    asked: list[object] = []
    monkeypatch.setattr(psycopg, "connect", lambda _, **given: asked.append(given["sslmode"]))
    hubs._connect(url)
    assert asked == [mode]


# Who may what


READS = ("select line from psychmem.op", "select device from psychmem.lane", "select * from psychmem.purged")


def test_a_colleague_reads_the_project_and_nothing_personal_and_a_stranger_nothing(hub: Server) -> None:
    said(hub, "kim", A, op(A, 1, "shared"))
    said(hub, "kim", A, op(A, 1, "private", scope="personal"))
    with psycopg.connect(hub.url("mallory"), autocommit=True) as db:
        for statement in READS:
            with suppress(psycopg.errors.InsufficientPrivilege):
                assert db.execute(statement).fetchall() == []
    assert [parsed(line).value for line in read(hub, "lee")] == ["shared"]
    assert {parsed(line).value for line in read(hub, "kim")} == {"shared", "private"}
    with psycopg.connect(hub.url("lee"), autocommit=True) as db:
        assert db.execute("select count(*) from psychmem.op where line like '%private%'").fetchone() == (0,)


@pytest.mark.parametrize("statement", cases("sync", "plain sql that changes nothing of others"))
@pytest.mark.parametrize("who", ["mallory", "lee"])
def test_plain_sql_changes_nothing_of_others(hub: Server, statement: str, who: str) -> None:
    if who == "lee" and "insert into psychmem.lane" in statement:
        statement = statement.replace("team/shop", "other")  # lee may write in the shop
    if who == "lee" and "membership" in statement:
        statement = statement.replace("mallory", "lee")
    said(hub, "kim", A, op(A, 1, CANARY))
    before = read(hub, "kim")
    with psycopg.connect(hub.url(who), autocommit=True) as db:
        try:
            done = db.execute(statement.encode())
            assert done.rowcount in (0, -1), statement
        except psycopg.Error:
            pass
    assert read(hub, "kim") == before
    with psycopg.connect(hub.url(), autocommit=True) as db:
        roles = db.execute("select member, role from psychmem.membership where project = %s order by member", (SHOP,)).fetchall()
    assert roles == [("kim", "writer"), ("lee", "writer")]


def test_a_forged_line_does_not_get_into_a_lane(hub: Server) -> None:
    said(hub, "mallory", B, op(B, 1)._replace(project="git:example.org/other", memory="m"))
    forged = json.dumps({"v": 1, **op(B, 2)._asdict()})
    statement = "insert into psychmem.op (lane, seq, memory, line) select id, 2, 'm1', %s from psychmem.lane"
    with psycopg.connect(hub.url("mallory"), autocommit=True) as db, pytest.raises(psycopg.errors.CheckViolation):
        db.execute(statement, (forged,))


def test_a_reader_does_not_write_and_who_was_a_member_does_not_even_read(hub: Server) -> None:
    hubs.add_member(hub.url(), "lee", project=SHOP, team="", role="reader")
    said(hub, "kim", A, op(A, 1, "shared"))
    assert len(read(hub, "lee")) == 1
    with pytest.raises(RemoteError, match="you may not write there"):
        said(hub, "lee", B, op(B, 1))
    said(hub, "kim", A, op(A, 1, "shared"))
    assert hubs.remove_member(hub.url(), "lee", project=SHOP, team="") == 1
    assert read(hub, "lee") == []
    with pytest.raises(RemoteError, match="refuses"):
        said(hub, "lee", B, op(B, 1))


# Purging


def test_a_purge_empties_what_its_owner_said_before_and_says_later(hub: Server) -> None:
    said(hub, "kim", A, op(A, 1, CANARY))
    said(hub, "lee", B, op(B, 1, "lee adds"))
    said(hub, "kim", A, op(A, 2, kind="purge"), op(A, 3, CANARY))
    lines = [parsed(line) for line in read(hub, "kim")]
    kims = [(one.seq, one.kind, one.emptied, one.value) for one in lines if one.device == A]
    assert kims == [(1, "put", True, None), (2, "purge", False, None), (3, "put", True, None)]
    assert [one.value for one in lines if one.device == B] == ["lee adds"]


def test_an_admin_purges_for_everybody_and_a_writer_for_himself(hub: Server) -> None:
    said(hub, "kim", A, op(A, 1, CANARY))
    said(hub, "lee", B, op(B, 1, kind="purge"))
    assert parsed(read(hub, "kim")[0]).value == CANARY
    hubs.add_member(hub.url(), "lee", project=SHOP, team="", role="admin")
    said(hub, "lee", B, op(B, 2, kind="purge"))
    assert parsed(read(hub, "kim")[0]).emptied


def test_purged_bytes_are_gone_from_tables_dump_and_the_other_device(hub: Server, tmp_path: Path) -> None:
    kim, lee = two(hub, tmp_path)
    fact = kim.says(CANARY, Kind.SEMANTIC)
    kim.meets()
    lee.meets()
    assert CANARY in lee.texts()
    kim.purges(fact)
    kim.meets()
    lee.meets()
    with psycopg.connect(hub.url(), autocommit=True) as db:
        db.execute("vacuum full psychmem.op")
        dumped = db.execute("select string_agg(op::text, ' ') from psychmem.op").fetchone()
        db.execute("checkpoint")
    assert "canary-7f3a91" not in str(dumped)
    assert hub.bytes_with("canary-7f3a91") == []
    assert (lee.bytes_with("canary-7f3a91"), lee.texts()) == ([], [])


# Two homes


@pytest.mark.story
def test_what_one_member_says_the_other_is_told_and_a_rule_waits(hub: Server, tmp_path: Path) -> None:
    kim, lee = two(hub, tmp_path)
    hubs.add_member(hub.url(), "lee", project=SHOP, team="", role="reader")
    lee.says("The cellar is damp", Kind.SEMANTIC)
    kim.says("The importer reads the nightly dump from S3", Kind.SEMANTIC)
    kim.says("Never push to the release branch by hand")
    kim.says("I prefer tabs over spaces", Kind.PREFERENCE, user=True)
    assert kim.meets().sent > 0
    assert ("refuses" in lee.meets().fault, lee.remotes()[0].failed_times) == (True, 0)
    assert lee.texts() == ["The cellar is damp", "The importer reads the nightly dump from S3"]
    assert lee.texts(Status.QUARANTINED) == ["Never push to the release branch by hand"]


# What breaks


class Cutter(threading.Thread):
    """A proxy on the loopback that ends every second conversation early, before or after the server has committed."""

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.target, self.random = port, random.Random(seed)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.cut = 0

    def run(self) -> None:
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            limit = self.random.choice([10**9, self.random.randint(300, 1_500)])
            for source, sink, most in ((client, server, 10**9), (server, client, limit)):
                threading.Thread(target=self._carry, args=(source, sink, most), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, most: int) -> None:
        carried = 0
        try:
            while data := source.recv(4096):
                carried += len(data)
                if carried > most:
                    self.cut += 1
                    break
                sink.sendall(data)
        except OSError:
            pass
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


WRITER = """
import sys
from psychmem_py.errors import RemoteError
from psychmem_py.sync.hub import Hub
from psychmem_py.sync.op import Lane
from tests.sync.test_hub import op, SHOP
url, device, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
lane, last = Lane(device, "project", "", SHOP), 0
while last < number:
    try:
        remote = Hub(url, device)
        last = remote.held(device).get(lane, 0)
        while last < number:
            last = remote.push(lane, [op(device, seq, f"{device[:4]} {seq}") for seq in range(last + 1, min(last + 21, number + 1))])
    except RemoteError:
        continue
"""


def test_eight_writers_killed_and_cut_off_lose_nothing_and_say_nothing_twice(hub: Server) -> None:
    cutter = Cutter(hub.port, 7)
    cutter.start()
    devices, number = [f"{place:032x}" for place in range(1, 9)], 200
    code = [sys.executable, "-c", WRITER]
    url = hub.url("kim", cutter.port)

    def begin(device: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*code, url, device, str(number)], cwd=Path(__file__).parents[2], env=dict(os.environ))

    running, chance, killed = {device: begin(device) for device in devices}, random.Random(11), 0
    reader, have, found = Hub(hub.url("lee"), "f" * 32), dict[Lane, int](), list[tuple[str, int, object]]()
    end = time.monotonic() + 300  # only what hangs is ended by it
    try:
        while time.monotonic() < end:
            alive = [device for device, process in running.items() if process.poll() is None]
            page = reader.pull(have)
            for delivery in page:
                ops = [parsed(line) for _, line in delivery.records]
                found += [(one.device, one.seq, one.value) for one in ops]
                have[delivery.lane] = ops[-1].seq
            if not alive and not page:
                break
            if alive and killed < 12 and chance.random() < 0.3:
                victim = chance.choice(alive)
                running[victim].send_signal(signal.SIGKILL)
                running[victim].wait()
                running[victim], killed = begin(victim), killed + 1
            time.sleep(0.05)
    finally:
        ended = [process.poll() for process in running.values()]
        for process in running.values():
            process.kill()
        reader.close()
    assert ended == [0] * len(devices)
    assert cutter.cut > 0
    assert killed > 0
    assert sorted(found) == [(device, seq, f"{device[:4]} {seq}") for device in devices for seq in range(1, number + 1)]
