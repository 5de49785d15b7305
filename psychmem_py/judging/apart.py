"""Judging in a process of its own, so that nobody waits for a judge: neither the agent nor a compaction."""

from __future__ import annotations

import os
import time

from psychmem_py.home import health
from psychmem_py.judging.sorting import METHOD, SortingDesk, sort

OCCASIONS = frozenset({"session-end", "pre-compact", "inject"})  # an end, what may be lost soon, and what was left before


def sort_apart(desk: SortingDesk) -> None:
    """Starts one call of the judge and returns at once; to be called by a detached process that holds nothing open."""
    if os.fork():
        return
    try:
        sort(desk, time.time)
    except Exception as exc:  # nobody is there to be told
        health.failed(desk.data, METHOD, exc, time.time())
    finally:
        os._exit(0)
