"""Ends with 0 when this environment holds the project, editable, and all that pyproject.toml asks for; else says what lacks."""

from __future__ import annotations

import json
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def missing() -> str:
    """The first thing that is missing, "" for nothing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    try:
        from packaging.requirements import Requirement  # noqa: PLC0415  # comes with pytest

        for line in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
            wanted = Requirement(line)
            if version(wanted.name) not in wanted.specifier:
                return line
        origin = json.loads(distribution("psychmem").read_text("direct_url.json") or "{}")
        here = origin.get("url") == ROOT.as_uri() and version("psychmem") == project["version"]
        return "" if here and origin.get("dir_info", {}).get("editable") else "psychmem"
    except (ImportError, PackageNotFoundError) as exc:
        return str(exc.name)


if __name__ == "__main__":
    if found := missing():
        print(f"== not installed: {found}")
    sys.exit(1 if found else 0)
