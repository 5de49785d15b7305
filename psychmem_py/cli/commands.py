"""The finished command tree: importing this module has every command registered, in the order of `--help`."""

from __future__ import annotations

from psychmem_py.cli import writing  # isort: split

from psychmem_py.cli import reading  # isort: split

from psychmem_py.cli import agents, briefing, demo, doctor, explaining, extraction, judging, keeping
from psychmem_py.cli.app import app

__all__ = ["agents", "app", "briefing", "demo", "doctor", "explaining", "extraction", "judging", "keeping", "reading", "writing"]
