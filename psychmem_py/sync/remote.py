"""Remotes by URL: somewhere that holds lanes of operations, takes ours and gives everybody's. A folder is one, `hub.Hub` another.

`held(device)` is the greatest seq of each lane of a device; `push` takes operations of one lane in order and gives the greatest
seq then held, skipping known ones and refusing a gap; `pull` gives what lies beyond the marks of readable lanes; `empty` takes
the values out of what devices said of purged memories. Each raises RemoteError, and may be repeated.

In the folder (Syncthing, a share, a stick) each device writes below its own name alone, so that there is nothing to merge:

    <device>/head.json                        what the device has written: its name, and each lane's chunks in their order
    <device>/<first>-<last>-<sha256>.jsonl.gz a chunk: the lines of a lane, at most 1 MB

A chunk is written before the head that names it, each in one step. What the head names and is not there yet is on its way. All
here may be written by anybody with access to the folder: it is read through no link, within limits, and believed where it fits.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import time
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, pairwise, takewhile, zip_longest
from math import inf
from typing import NamedTuple, TypeAlias

from psychmem_py.errors import RemoteError
from psychmem_py.home import files
from psychmem_py.safety.control_chars import line as flat
from psychmem_py.store.operations import RemoteEntry
from psychmem_py.store.sqlite import meta
from psychmem_py.sync.op import DEVICE, PAGE_OPS, Delivery, Lane, Op, OpError, Reach, emptied, line, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.sync.hub import Hub

Remote: TypeAlias = "FolderRemote | Hub"
FORMAT = 1
CHUNK_BYTES = 1_000_000  # of lines in one chunk; packed it is far less
_FULL_BYTES = 250_000  # a chunk beyond this is left alone, a smaller one is written anew with what comes next
_HEAD_BYTES = 1_000_000  # names chunks of gigabytes; a thousand others may write one each
_DEVICES, _LANES, _NAME_CHARS = 1_000, 1_000, 60
_CHUNK = re.compile(r"(\d{1,15})-(\d{1,15})-([0-9a-f]{64})\.jsonl\.gz")
_HUB = ("postgresql", "postgres")
NAME, THIS_DEVICE = "sync_name", "sync_device"  # of this store, in the table `meta`
SCHEMES = ("file", *_HUB)
# Nothing; "host=… password=…", as PostgreSQL's own programs take it; "kim:…@host"; "git@host:path".
_NO_FOLDER = re.compile(r"^(?:\s*$|\s*\w+\s*=|[^/:]*:[^/@]*@|//|[^/@]+@[^/:]+:)")


class Chunk(NamedTuple):
    """A file of lines as its name tells."""

    first: int
    last: int
    sha: str  # of the lines, unpacked

    @property
    def file(self) -> str:
        return f"{self.first}-{self.last}-{self.sha}.jsonl.gz"


class FolderRemote:
    """The remote in a folder that is there already; `name` is what this device is called before the others."""

    def __init__(self, path: str, device: str, name: str, *, mine: bool, end: float = inf) -> None:
        self.path, self.device, self.name, self.mine, self.end = path, device, name, mine, end
        self.mode = 0o600 if mine else 0o644
        self.faults: list[str] = []  # what could not be read this time, one sentence each
        if not os.path.isdir(path):
            raise RemoteError(f"{path} is not there; mount or make the folder, nothing is written until then")

    def held(self, device: str) -> dict[Lane, int]:
        return {lane: chunks[-1].last for lane, chunks in self._own_lanes(device).items() if chunks}

    def push(self, lane: Lane, ops: Sequence[Op]) -> int:
        own, lanes = self._own_folder(lane.device), self._own_lanes(lane.device)
        held = chunks[-1].last if (chunks := lanes.get(lane, [])) else 0
        if not (fresh := [op for op in ops if op.seq > held]):
            return held
        if fresh[0].seq != held + 1 or any(after.seq != before.seq + 1 for before, after in pairwise(fresh)):
            raise RemoteError(f"lane of {lane.project or lane.scope} has a gap after {held}; it is sent again from there")
        lines = [line(op) for op in fresh]
        replaced: list[Chunk] = []
        if chunks and (last := self._lines(lane.device, chunks[-1])) is not None and sum(map(len, last)) < _FULL_BYTES:
            replaced = [chunks.pop()]
            lines = [*last, *lines]
        chunks += self._written(own, held + 1 - (len(lines) - len(fresh)), lines)
        self._put_head(own, lanes | {lane: chunks}, replaced)
        return chunks[-1].last

    def pull(self, have: Mapping[Lane, int], limit: int = PAGE_OPS) -> list[Delivery]:
        deliveries, room = list[Delivery](), limit
        with os.scandir(self.path) as entries:
            names = [one.name for one in entries if DEVICE.fullmatch(one.name) and one.is_dir(follow_symlinks=False)]
        devices = sorted(set(names) - {self.device})[:_DEVICES]
        turn = time.time_ns() % max(1, len(devices))  # where the time is too short for all, each has its turn
        for device in takewhile(lambda _: time.monotonic() < self.end, devices[turn:] + devices[:turn]):
            author, lanes = self._head(device, _LANES)
            for lane, chunks in lanes.items():
                if records := tuple(islice(self._records(lane, chunks, have.get(lane, 0)), room)):
                    deliveries.append(Delivery(lane, author, self.mine, records))
                    room -= len(records)
        return deliveries

    def empty(self, said: Collection[tuple[str, str]]) -> None:
        """Writes the chunks anew that still say something about these memories, each of a device that we are or were."""
        for device in {device for device, _ in said}:
            lanes, memories, gone = self._head(device)[1], {memory for one, memory in said if one == device}, list[Chunk]()
            for chunks in lanes.values():
                for at, chunk in enumerate(chunks):
                    lines = self._lines(device, chunk) or []
                    if (clean := [_without(text, memories) for text in lines]) != lines:
                        gone.append(chunk)
                        chunks[at : at + 1] = self._written(self._own_folder(device), chunk.first, clean)
            if gone:
                self._put_head(self._own_folder(device), lanes, gone)

    def close(self) -> None:
        """Nothing is held open."""

    def _records(self, lane: Lane, chunks: Sequence[Chunk], have: int) -> Iterator[tuple[int, str]]:
        for chunk in chunks:
            if chunk.last <= have:
                continue
            lines = self._lines(lane.device, chunk) if chunk.first <= have + 1 else None
            if lines is None:
                return  # a gap, on its way, or damaged: the lane waits, the others go on
            yield from (one for one in enumerate(lines, chunk.first) if one[0] > have)
            have = chunk.last

    def _lines(self, device: str, chunk: Chunk) -> list[str] | None:
        """The lines of a chunk; None when it is not there, and noted when it is not what its name says."""
        if (raw := _read(os.path.join(self.path, device, chunk.file), 2 * CHUNK_BYTES)) is None:
            return None
        try:
            unpacking = zlib.decompressobj(wbits=31)
            text = unpacking.decompress(raw, 2 * CHUNK_BYTES)  # a small file can hold a world
            lines = text.decode("utf-8").split("\n")[:-1]
            if not unpacking.eof or _digest(text) != chunk.sha or len(lines) != chunk.last - chunk.first + 1:
                raise ValueError
        except (ValueError, OSError, EOFError, zlib.error):
            then = "it is written again" if device == self.device else "its lane waits until it is whole"
            fault = f"{device[:8]}/{chunk.file[:30]}… is damaged; {then}"
            self.faults += [fault] if fault not in self.faults else []
            return None
        return lines

    def _written(self, own: str, first: int, lines: Sequence[str]) -> list[Chunk]:
        made, raw, coming = list[Chunk](), b"", [f"{one}\n".encode() for one in lines]
        for last, (one, after) in enumerate(zip_longest(coming, coming[1:]), first):
            raw += one
            if after is None or len(raw) + len(after) > CHUNK_BYTES:
                made.append(Chunk(first, last, _digest(raw)))
                # A gzip file without a time in it: equal lines make equal files.
                files.replace(os.path.join(own, made[-1].file), zlib.compress(raw, 6, wbits=31), self.mode)
                first, raw = last + 1, b""
        return made

    def _put_head(self, own: str, lanes: Mapping[Lane, Sequence[Chunk]], replaced: Sequence[Chunk]) -> None:
        """Writes what there is now, and removes the chunks that no head names any more."""
        named = ((lane, [chunk.file for chunk in chunks]) for lane, chunks in sorted(lanes.items()))
        told = [{"scope": one.scope, "team": one.team, "project": one.project, "chunks": names} for one, names in named]
        content = {"format": FORMAT, "author": self.name, "lanes": told}
        files.replace(os.path.join(own, "head.json"), json.dumps(content, ensure_ascii=False, indent=1).encode(), self.mode)
        files.remove_stale(own)
        for chunk in replaced:
            files.remove(os.path.join(own, chunk.file))

    def _head(self, device: str, most: int | None = None) -> tuple[str, dict[Lane, list[Chunk]]]:
        """What a device is called, and its lanes; nothing of one that has written none or whose head cannot be read."""
        if (raw := _read(os.path.join(self.path, device, "head.json"), _HEAD_BYTES)) is None:
            return "", {}
        try:
            if (head := json.loads(raw))["format"] != FORMAT:
                raise ValueError
            lanes: dict[Lane, list[Chunk]] = {}
            for entry in head["lanes"][:most]:
                lane = Lane(device, Reach(entry["scope"]).value, str(entry["team"])[:300], str(entry["project"])[:300])
                "".join(lane).encode()  # half a character is a ValueError, before the database meets it
                if bool(lane.project) != (lane.scope == Reach.PROJECT):
                    raise ValueError
                lanes[lane] = [_chunk_in(name) for name in entry["chunks"]]
            return flat(str(head["author"]))[:_NAME_CHARS].strip() or device[:8], lanes
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.faults.append(f"{device[:8]}/head.json cannot be read; that device is left out until it writes again")
            return "", {}

    def _own_lanes(self, device: str) -> dict[Lane, list[Chunk]]:
        """The lanes of this device, each as far as its chunks are whole: what somebody removed or damaged is written again."""
        lanes = self._head(device)[1]
        return {lane: list(takewhile(lambda one: self._lines(device, one) is not None, chunks)) for lane, chunks in lanes.items()}

    def _own_folder(self, device: str) -> str:
        own = os.path.join(self.path, device)
        try:
            os.mkdir(own, 0o755)
        except FileExistsError:
            if not stat.S_ISDIR(os.lstat(own).st_mode):
                raise RemoteError(f"{own} is no folder; remove it, this device writes there") from None
        if self.mine:
            os.chmod(own, 0o700)
        return own


def _chunk_in(name: str) -> Chunk:
    if (match := _CHUNK.fullmatch(name)) is None or not 0 < int(match[1]) <= int(match[2]):
        raise ValueError
    return Chunk(int(match[1]), int(match[2]), match[3])


def _read(path: str, limit: int) -> bytes | None:
    """The bytes of a plain file of at most `limit`, reached through no link; None for anything else."""
    return None if os.path.islink(os.path.dirname(path)) else files.content(path, limit)


def _digest(text: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415  # loads OpenSSL: 10 ms where nothing is new

    return sha256(text).hexdigest()


def _without(text: str, memories: Collection[str]) -> str:
    try:
        op = parsed(text)
    except OpError:
        return text
    return line(emptied(op)) if op.memory in memories else text


def checked(url: str) -> str:
    """The URL, whole: a path becomes `file://`. Raises RemoteError for what no remote can be at."""
    if "://" not in url:
        if _NO_FOLDER.match(url):
            hub_is = "a hub as postgresql://NAME@host/database, its password in ~/.pgpass"
            raise RemoteError(f"the place is missing: name a folder, or {hub_is}")
        url = "file://" + os.path.abspath(os.path.expanduser(url)).replace("%", "%25").replace("?", "%3f")
    from urllib.parse import urlsplit  # noqa: PLC0415  # 12 ms that only naming a remote needs

    if (parts := urlsplit(url)).scheme not in SCHEMES:
        raise RemoteError(f"{parts.scheme}:// is no kind of remote; use {', '.join(f'{one}://' for one in SCHEMES)}")
    if parts.scheme in _HUB:
        from psychmem_py.sync import hub  # noqa: PLC0415  # as above

        return hub.checked(url)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/") or parts.query or parts.path.startswith("//"):
        raise RemoteError("a folder is written file:///its/whole/path")
    if os.path.exists(path_of(url)) and not os.path.isdir(path_of(url)):
        raise RemoteError(f"{path_of(url)} is no folder; name the one that is carried to the other machines")
    return url


def path_of(url: str) -> str:
    """The folder of a `file://` URL."""
    if "%" in (path := "/" + url.removeprefix("file://").partition("/")[2]):
        from urllib.parse import unquote  # noqa: PLC0415  # as above

        return unquote(path)
    return path


def opened(named: RemoteEntry, device: str, name: str, end: float = inf) -> Remote:
    """The remote, for a device and its name, which reads until `end` of the monotonic clock. Raises RemoteError without one."""
    if keeps_apart(named.url):
        from psychmem_py.sync import hub  # noqa: PLC0415  # an extra

        return hub.Hub(named.url, device)
    return FolderRemote(path_of(named.url), device, name, mine=named.mine, end=end)


def keeps_apart(url: str) -> bool:
    """Whether the remote itself hides one person's operations from the others."""
    return url.partition("://")[0] in _HUB


def device_name(db: sqlite3.Connection) -> str:
    """What this device is called before others, "kim@laptop": the account and the machine unless a person chose something."""
    if chosen := meta(db, NAME):
        return chosen
    import getpass  # noqa: PLC0415  # only where nobody chose a name

    try:
        return f"{getpass.getuser()}@{os.uname().nodename}"
    except (KeyError, OSError):
        return f"somebody@{os.uname().nodename}"
