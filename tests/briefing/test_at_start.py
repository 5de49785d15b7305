"""What a starting session is told besides its brief."""

from __future__ import annotations

import os
from pathlib import Path

from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.briefing.at_start import answer
from psychmem_py.errors import PayloadError
from psychmem_py.home import health
from psychmem_py.home.surroundings import Surroundings
from tests.memories_made import NOW


def test_a_failure_is_told_while_it_lasts_and_once_after_it_is_mended(home: Path, tmp_path: Path) -> None:
    def begins(session: str) -> str:
        return answer(Request("inject", CLAUDE_CODE, session, str(tmp_path), source="startup"), Surroundings(os.environ, NOW))

    data = home / "psychmem"
    assert begins("s0") == ""
    health.failed(data, "stop", PayloadError("the hook's input is not JSON"), NOW)
    assert "PsychMem failed in `stop`: the hook's input is not JSON" in begins("s1")
    assert "psychmem doctor" in begins("s2")
    health.beat(data, "stop", NOW + 1)
    health.failed(data, "prompt", PayloadError("another"), NOW + 2)
    health.beat(data, "prompt", NOW + 3)
    assert "(it works again since)" in begins("s3")
    assert begins("s4") == ""
