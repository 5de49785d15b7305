"""The folder as a remote: cut off, damaged, out of order, and written by somebody who means ill."""

import gzip
import hashlib
import json
import os
import resource
from pathlib import Path

import pytest

from psychmem_py.errors import RemoteError
from psychmem_py.sync import remote as folders
from psychmem_py.sync.op import Lane, Op, line
from psychmem_py.sync.remote import FolderRemote

A, B = "aa" * 16, "bb" * 16
LANE = Lane(A, "project", "", "git:example.org/team/shop")


def ops(first: int, last: int, text: str = "said") -> list[Op]:
    clock = "1763838000000-{:06x}".format
    return [Op(A, seq, clock(seq), *LANE[1:], f"m{seq}", "put", "text", f"{text} {seq}") for seq in range(first, last + 1)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made = tmp_path / "carried"
    made.mkdir()
    return made


@pytest.fixture
def writer(place: Path) -> FolderRemote:
    return FolderRemote(str(place), A, "laptop", mine=True)


@pytest.fixture
def reader(place: Path) -> FolderRemote:
    return FolderRemote(str(place), B, "tower", mine=True)


def read(one: FolderRemote, have: int = 0, limit: int = 2_000) -> list[tuple[int, str]]:
    return [record for delivery in one.pull({LANE: have}, limit) for record in delivery.records]


def test_what_is_pushed_is_read_in_order_beyond_the_mark_and_page_by_page(writer: FolderRemote, reader: FolderRemote) -> None:
    assert writer.push(LANE, ops(1, 30)) == 30
    assert ([record[0] for record in read(reader, 20)], read(reader)[0][1]) == (list(range(21, 31)), line(ops(1, 1)[0]))
    assert reader.pull({})[0].author == "laptop"
    writer.push(LANE, ops(1, 30))
    for have in (0, 20):
        assert [record[0] for record in read(reader, have, 10)] == list(range(have + 1, have + 11))
    assert writer.push(LANE, ops(25, 32)) == 32  # again after a lost answer: nothing twice
    assert [record[0] for record in read(reader)] == list(range(1, 33))
    with pytest.raises(RemoteError, match="gap"):
        writer.push(LANE, ops(35, 36))


def test_many_small_pushes_stay_few_files_of_a_megabyte_at_most(writer: FolderRemote, reader: FolderRemote, place: Path) -> None:
    for seq in range(1, 60):
        writer.push(LANE, ops(seq, seq, "x" * 1_000))
    writer.push(LANE, ops(60, 3_000, "x" * 1_000))
    chunks = list(place.rglob("*.gz"))
    assert len(chunks) < 8
    assert max(len(gzip.decompress(path.read_bytes())) for path in chunks) <= folders.CHUNK_BYTES
    have = 0
    while records := read(reader, have):
        have = records[-1][0]
    assert have == 3_000


def test_a_missing_chunk_is_waited_for_and_written_again(writer: FolderRemote, reader: FolderRemote, place: Path) -> None:
    writer.push(LANE, ops(1, 5))
    [chunk] = place.rglob("*.gz")
    chunk.rename(chunk.with_name("elsewhere"))
    assert (read(reader), reader.faults) == ([], [])
    chunk.with_name("elsewhere").rename(chunk)
    assert len(read(reader)) == 5
    chunk.write_bytes(b"")  # of a stick that was drawn out while it was written
    assert (writer.push(LANE, ops(1, 5)), len(read(reader))) == (5, 5)
    chunk.unlink()
    assert writer.held(A) == {}
    for writing in ("4711", "9" * 20, "²"):  # a process that was killed, and what names none
        (place / A / f"head.json.psychmem-{writing}").write_text("half")
    writer.push(LANE, ops(1, 6))
    assert (len(read(reader)), list(place.rglob("*-4711"))) == (6, [])


@pytest.mark.parametrize("damage", ["cut", "turned", "other lines", "no gzip", "empty"])
def test_a_damaged_chunk_holds_up_its_lane_alone(writer: FolderRemote, reader: FolderRemote, place: Path, damage: str) -> None:
    writer.push(LANE, ops(1, 5))
    other = FolderRemote(str(place), "cc" * 16, "desk", mine=True)
    lane = LANE._replace(device="cc" * 16)
    other.push(lane, [op._replace(device=lane.device) for op in ops(1, 2)])
    chunk = next((place / A).glob("*.gz"))
    raw = chunk.read_bytes()
    turned = raw[:40] + bytes([raw[40] ^ 255]) + raw[41:]
    damaged = {"cut": raw[:-20], "turned": turned, "other lines": gzip.compress(b"{}\n" * 5), "no gzip": b"x" * 100}
    chunk.write_bytes(damaged.get(damage, b""))
    assert [record[0] for record in read(reader)] == [1, 2]
    assert "damaged" in reader.faults[0]
    again = FolderRemote(str(place), A, "laptop", mine=True)
    assert (again.held(A), again.push(LANE, ops(1, 5)), len(read(reader))) == ({}, 5, 7)


NOUGHT = "0" * 64
ELSEWHERE = ["../../secret", "1-1-../../etc/passwd", "/etc/passwd", f"1-1-{NOUGHT}.jsonl.gz/..", f"0-5-{NOUGHT}.jsonl.gz"]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_head_leads_nowhere_else(reader: FolderRemote, place: Path, name: str) -> None:
    _head(place, [name])
    assert read(reader) == []
    assert "head.json" in reader.faults[0]
    half = '{"format": 1, "author": "x", "lanes": [{"scope": "project", "team": "", "project": "\\ud800", "chunks": []}]}'
    for none in ("", "{", "[]", "[" * 50_000, '{"format": 2}', '{"format": 1, "author": "x", "lanes": 5}', half):
        (place / A / "head.json").write_text(none)
        assert read(reader) == []
        assert "head.json" in reader.faults.pop(1)


def test_links_are_not_followed_or_written_to(reader: FolderRemote, writer: FolderRemote, place: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    raw = (line(ops(1, 1)[0]) + "\n").encode()
    name = f"1-1-{hashlib.sha256(raw).hexdigest()}.jsonl.gz"
    (outside / name).write_bytes(gzip.compress(raw))
    _head(place, [name])
    (place / A / name).symlink_to(outside / name)
    assert read(reader) == []
    (place / A / name).unlink()
    (place / A / "head.json").rename(outside / "head.json")
    (place / A).rmdir()
    (place / A).symlink_to(outside)
    assert read(reader) == []
    with pytest.raises(RemoteError, match="no folder"):
        writer.push(LANE, ops(1, 1))
    assert {path.name for path in outside.iterdir()} == {name, "head.json"}


def test_pipes_huge_files_and_small_ones_that_unpack_to_a_world_are_left_alone(reader: FolderRemote, place: Path) -> None:
    name = "1-1-" + "0" * 64 + ".jsonl.gz"
    _head(place, [name])
    os.mkfifo(place / A / name)
    assert read(reader) == []
    (place / A / name).unlink()
    with (place / A / name).open("wb") as file:
        file.truncate(10 << 30)
    assert read(reader) == []
    (place / A / name).write_bytes(gzip.compress(b"\0" * (1 << 28), 1))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert read(reader) == []
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64_000  # KB


def test_purged_memories_are_written_anew_without_their_words(writer: FolderRemote, reader: FolderRemote, place: Path) -> None:
    writer.push(LANE, ops(1, 5, "Quorblesnatch"))
    writer.empty([(writer.device, "m2"), (writer.device, "m3")])
    assert b"".join(gzip.decompress(path.read_bytes()) for path in place.rglob("*.gz")).count(b"Quorblesnatch") == 3
    assert [record[0] for record in read(reader)] == [1, 2, 3, 4, 5]
    there = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    writer.empty([(writer.device, "m2"), (writer.device, "m3")])
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == there


def test_heads_are_read_while_there_is_time(writer: FolderRemote, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_LANES", 3)
    for number in range(5):
        writer.push(lane := LANE._replace(project=f"id:{number}"), [op._replace(project=lane.project) for op in ops(1, 1)])
    assert len(FolderRemote(str(place), B, "tower", mine=True).pull({})) == 3
    assert FolderRemote(str(place), B, "tower", mine=True, end=0.0).pull({}) == []


def test_a_folder_that_is_not_mounted_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="not there"):
        FolderRemote(str(tmp_path / "gone"), A, "laptop", mine=True)
    assert not (tmp_path / "gone").exists()


def _head(place: Path, chunks: list[str]) -> None:
    (place / A).mkdir()
    lane = {"scope": LANE.scope, "team": "", "project": LANE.project, "chunks": chunks}
    (place / A / "head.json").write_text(json.dumps({"format": 1, "author": "x", "lanes": [lane]}))
