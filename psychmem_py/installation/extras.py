"""Packages that one part needs and an installation may lack, and the command that brings them to the interpreter that runs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import NamedTuple


class Extra(NamedTuple):
    """An extra of `pyproject.toml`."""

    name: str
    package: str  # as it is imported
    requirements: tuple[str, ...]  # as pip is told


MCP = Extra("mcp", "mcp", ("mcp>=2.3",))
EMBEDDINGS = Extra("embeddings", "onnxruntime", ("onnxruntime>=1.17", "tokenizers>=0.15"))
HUB = Extra("hub", "psycopg", ("psycopg[binary]>=3.1",))
EXTRAS = (MCP, EMBEDDINGS, HUB)


def is_there(extra: Extra) -> bool:
    """Whether this interpreter finds the package."""
    return find_spec(extra.package) is not None


def mend(extra: Extra, what: str, env: Mapping[str, str] = os.environ) -> str:
    """What is missing and what to type, in a sentence: "the tools need the package `mcp`, which …"."""
    return f"{what} the package `{extra.package}`, which is not installed; this brings it: {command(extra, env)}"


def command(extra: Extra, env: Mapping[str, str] = os.environ) -> str:
    """What to type so that this interpreter finds the package: whoever only says `pip install` reaches another Python."""
    path = env.get("PATH")
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        words = ["pipx", "inject", "psychmem"]
    elif find_spec("pip") is not None:
        words = [sys.executable, "-m", "pip", "install"]
    elif shutil.which("uv", path=path):
        words = ["uv", "pip", "install", "--python", sys.executable]
    else:
        words = ["pip", "--python", sys.executable, "install"]
    return shlex.join([*words, *extra.requirements])
