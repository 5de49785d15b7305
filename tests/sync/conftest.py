"""Two machines of one person with a folder between them, and the PostgreSQL server that the tests of the hub share."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from psychmem_py.sync import hub as made
from tests.sync.devices import SHOP, Machine, Server, binaries, running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "carried"


@pytest.fixture
def laptop(tmp_path: Path, folder: Path) -> Machine:
    machine = Machine(tmp_path, "laptop")
    machine.joins(folder)
    return machine


@pytest.fixture
def tower(tmp_path: Path, folder: Path) -> Machine:
    machine = Machine(tmp_path, "tower")
    machine.joins(folder)
    return machine


@pytest.fixture(scope="session")
def cluster() -> Iterator[Server]:
    tools = binaries()
    if tools is None:
        pytest.skip("there is no PostgreSQL server: neither of the system nor from the package pgserver")
    with running(tools) as server:
        yield server


@pytest.fixture
def hub(cluster: Server) -> Server:
    """The server with an empty hub and the members kim and lee of the shop, and mallory, who is a member of something else."""
    with psycopg.connect(cluster.url(), autocommit=True) as db:
        db.execute("drop schema if exists psychmem cascade")
    made.set_up(cluster.url())
    for name, project, role in (("kim", SHOP, "writer"), ("lee", SHOP, "writer"), ("mallory", "git:example.org/other", "writer")):
        made.add_member(cluster.url(), name, project=project, team="", role=role)
    return cluster
