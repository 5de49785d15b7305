"""Before a brief is composed: what the person changed in the client's memory files since, so that the brief does not say the old."""

from __future__ import annotations

import os

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.errors import StoreError
from psychmem_py.home.surroundings import Surroundings

_STORE_S = 1.0  # an agent waits


def taken_over(request: Request, around: Surroundings) -> None:
    """Takes edits over, where there are any; a store in use or broken leaves them to the child."""
    if request.agent != CLAUDE_CODE or not request.cwd or not os.path.isdir(os.path.join(around.data, "written-lines")):
        return
    from psychmem_py.briefing import written_marks  # noqa: PLC0415  # only where a memory folder was ever written

    folder = claude_memory.folder_of(request.cwd, around.env)
    if written_marks.untouched(around.data, folder.path):
        return
    from psychmem_py.briefing import written_lines  # noqa: PLC0415  # 5 ms of CPU to load

    if not written_lines.changed(around.data, folder):
        return
    from psychmem_py.ingestion.edited_lines import take_over  # noqa: PLC0415  # brings what changes memories
    from psychmem_py.store.connection import open_store  # noqa: PLC0415

    try:
        with open_store(around.database_file(request.agent), now=around.now, timeout_s=_STORE_S) as db:
            take_over(db, folder, around.settings(), around.data, now=around.now)
    except StoreError:
        return
