"""The two clients, each on a machine of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import claude, opencode
from tests.e2e.machine import Machine


@pytest.fixture
def claude_code(tmp_path: Path) -> Iterator[claude.Machine]:
    with claude.Machine(tmp_path) as machine:
        yield machine


@pytest.fixture
def open_code(tmp_path: Path) -> Iterator[opencode.Machine]:
    with opencode.Machine(tmp_path) as machine:
        yield machine


@pytest.fixture(params=["claude_code", "open_code"])
def machine(request: pytest.FixtureRequest) -> Machine:
    """Each of them."""
    found: Machine = request.getfixturevalue(request.param)
    return found
