"""A folder that two real Syncthing processes carry over the loopback: heads before chunks, halves, temporary files and all."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from psychmem_py.model.terms import Kind
from tests.sync.devices import Machine

SYNCTHING = shutil.which("syncthing")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(SYNCTHING is None, reason="syncthing is not installed (apt install syncthing)"),
]
RULE = "Never push to the release branch by hand"


class Carrier:
    """One Syncthing with a home, a folder and ports of its own."""

    def __init__(self, root: Path, name: str) -> None:
        self.home, self.folder, self.name = root / f"{name}-syncthing", root / f"{name}-folder", name
        self.folder.mkdir(parents=True)
        (self.folder / ".stfolder").mkdir()
        self.port, self.api = _free_port(), _free_port()
        subprocess.run([str(SYNCTHING), f"-generate={self.home}"], check=True, capture_output=True, timeout=60)
        found = re.search(r'<device id="([A-Z0-9-]{63})"', (self.home / "config.xml").read_text())
        assert found
        self.id = found[1]

    def knows(self, other: Carrier) -> None:
        devices = "".join(
            f'<device id="{one.id}" name="{one.name}" compression="never" introducer="false"><address>tcp://127.0.0.1:{one.port}</address></device>'
            for one in (self, other)
        )
        members = "".join(f'<device id="{one.id}"></device>' for one in (self, other))
        (self.home / "config.xml").write_text(
            f'<configuration version="35"><folder id="memory" path="{self.folder}" type="sendreceive" rescanIntervalS="1"'
            f' fsWatcherEnabled="true" fsWatcherDelayS="1">{members}</folder>{devices}'
            f'<gui enabled="true"><address>127.0.0.1:{self.api}</address><apikey>for-tests-alone</apikey></gui>'
            f"<options><listenAddress>tcp://127.0.0.1:{self.port}</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>"
            "<localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>"
            "<urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled><autoUpgradeIntervalH>0</autoUpgradeIntervalH>"
            "<startBrowser>false</startBrowser><reconnectionIntervalS>1</reconnectionIntervalS></options></configuration>"
        )

    def starts(self) -> subprocess.Popen[bytes]:
        with (self.home / "log").open("wb") as log:
            return subprocess.Popen(
                [str(SYNCTHING), f"-home={self.home}", "-no-browser", "-no-restart"], stdout=log, stderr=subprocess.STDOUT
            )


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def carriers(tmp_path: Path) -> Iterator[tuple[Carrier, Carrier]]:
    one, other = Carrier(tmp_path, "laptop"), Carrier(tmp_path, "tower")
    one.knows(other)
    other.knows(one)
    running = [carrier.starts() for carrier in (one, other)]
    try:
        yield one, other
    finally:
        for process in running:
            process.terminate()
        for process in running:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def until(holds: object, *machines: Machine, limit_s: float = 120) -> None:
    """Both meet their folders until it holds."""
    end = time.monotonic() + limit_s
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end, "nothing came over"
        time.sleep(0.5)
        for one in machines:
            assert one.meets().fault == ""


def test_two_machines_meet_through_syncthing(tmp_path: Path, carriers: tuple[Carrier, Carrier]) -> None:
    laptop, tower = Machine(tmp_path, "laptop"), Machine(tmp_path, "tower")
    for machine, carrier in zip((laptop, tower), carriers, strict=True):
        machine.joins(carrier.folder)
    laptop.says(RULE)
    for number in range(30):
        laptop.says(f"Service {number} listens on port {9_000 + number}", Kind.EPISODIC)
    secret = tower.says("The vault opens with Quorblesnatch", Kind.SEMANTIC)
    until(lambda: len(tower.texts()) == len(laptop.texts()) == 32, laptop, tower)
    assert laptop.texts() == tower.texts()
    laptop.purges(secret)
    until(lambda: len(tower.texts()) == 31, laptop, tower)
    until(lambda: not any(_holds(path) for carrier in carriers for path in carrier.folder.rglob("*.gz")), laptop, tower)
    assert tower.bytes_with("Quorblesnatch") == laptop.bytes_with("Quorblesnatch") == []


def _holds(path: Path) -> bool:
    import gzip  # noqa: PLC0415

    try:
        return b"Quorblesnatch" in gzip.decompress(path.read_bytes())
    except (OSError, EOFError):
        return True  # just being replaced
