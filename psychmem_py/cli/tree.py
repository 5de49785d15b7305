"""The finished command tree: importing this module has every command registered."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from psychmem_py.cli.app import app

for _path in sorted((Path(__file__).parent / "commands").glob("[a-z]*.py")):
    import_module(f"psychmem_py.cli.commands.{_path.stem}")

__all__ = ["app"]
