"""What can be installed beside the package, and what to type for it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from importlib.util import find_spec
from typing import NamedTuple


class Extra(NamedTuple):
    """An extra of `pyproject.toml`."""

    package: str  # as it is imported
    requirements: tuple[str, ...]  # as pip is told


EMBEDDINGS = Extra("onnxruntime", ("onnxruntime>=1.17", "tokenizers>=0.15"))
HUB = Extra("psycopg", ("psycopg[binary]>=3.1",))


def lacking(extra: Extra, what: str) -> str:
    """What is missing: "a hub needs the package `psycopg`, which …"; "" where it is there."""
    return "" if find_spec(extra.package) else f"{what} the package `{extra.package}`, which is not installed"


def command(extra: Extra) -> str:
    """What to type so that this interpreter finds the package: whoever only says `pip install` reaches another Python."""
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        words = ["pipx", "inject", "psychmem"]
    elif find_spec("pip") is not None:
        words = [sys.executable, "-m", "pip", "install"]
    elif shutil.which("uv"):
        words = ["uv", "pip", "install", "--python", sys.executable]
    else:
        words = ["pip", "--python", sys.executable, "install"]
    return shlex.join([*words, *extra.requirements])
