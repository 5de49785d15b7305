"""The finished command tree: importing this module has every command registered, in the order of `--help`."""

from __future__ import annotations

from psychmem_py.cli import agents, briefing, demo, doctor, extraction, reading
from psychmem_py.cli.app import app

__all__ = ["agents", "app", "briefing", "demo", "doctor", "extraction", "reading"]
