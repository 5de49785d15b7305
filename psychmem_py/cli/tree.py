"""The finished command tree: importing this module has every command registered, in the order of `--help`."""

from __future__ import annotations

from psychmem_py.cli.commands import remember  # isort: split

from psychmem_py.cli.commands import change  # isort: split

from psychmem_py.cli.commands import forget, listing, searching, sessions, show, stats  # isort: split

from psychmem_py.cli.commands import context, inbox, report, today  # isort: split

from psychmem_py.cli.app import app
from psychmem_py.cli.commands import (
    agents,
    brief,
    checkpoints,
    clusters,
    completion,
    config,
    demo,
    doctor,
    explain,
    guard,
    hub,
    importing,
    judge,
    judgement,
    mcp,
    patterns,
    pause,
    project,
    statusline,
    sync,
    transfer,
    trust,
    upgrade,
    upkeep,
)

__all__ = [
    "agents",
    "app",
    "brief",
    "change",
    "checkpoints",
    "clusters",
    "completion",
    "config",
    "context",
    "demo",
    "doctor",
    "explain",
    "forget",
    "guard",
    "hub",
    "importing",
    "inbox",
    "judge",
    "judgement",
    "listing",
    "mcp",
    "patterns",
    "pause",
    "project",
    "remember",
    "report",
    "searching",
    "sessions",
    "show",
    "stats",
    "statusline",
    "sync",
    "today",
    "transfer",
    "trust",
    "upgrade",
    "upkeep",
]
