"""Bringing PsychMem up to the newest state of the checkout it was installed from, and saying from what to what."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from psychmem_py import __version__
from psychmem_py.errors import RefusedError
from psychmem_py.home.light_json import object_in
from psychmem_py.installation import own_environment


class InstalledState(NamedTuple):
    version: str
    commit: str = ""  # short; "" where it is not known

    def __str__(self) -> str:
        return f"{self.version} ({self.commit})" if self.commit else self.version


def source(env: Mapping[str, str]) -> Path:
    """The checkout that this installation came from. Raises RefusedError, with the mend, where another way to upgrade applies."""
    if own_environment.made_by_plugin(env) and Path(sys.prefix) == Path(own_environment.prefix(env), "venv"):
        raise RefusedError("the plugin made this environment; `claude plugin update psychmem@psychmem` upgrades both")
    try:  # what pip wrote down of where the package came from
        about = object_in((metadata.distribution("psychmem").read_text("direct_url.json") or "").encode())
    except metadata.PackageNotFoundError:
        about = {}
    url, editable = str(about.get("url", "")), bool(about.get("dir_info", {}).get("editable"))
    folder = Path(unquote(urlsplit(url).path))
    if not url.startswith("file:"):
        raise RefusedError(
            "PsychMem was not installed from a checkout; `pipx upgrade psychmem`, or pip's --upgrade, is the way here"
        )
    if editable:
        raise RefusedError(f"this is the checkout itself, there is nothing to install; `git -C {folder} pull` brings the newest")
    if not (folder / "install.sh").is_file():
        raise RefusedError(f"the checkout {folder} is gone; clone it again and run its install.sh")
    if Path(sys.prefix).name != "venv":
        raise RefusedError(f"install.sh did not make this environment; `pipx install --force {folder}` upgrades it")
    return folder


def pulled(folder: Path) -> None:
    """Brings the checkout up to date, where it is one with a remote. Raises RefusedError with what git says."""
    if not (folder / ".git").exists() or not _git(folder, "remote").stdout.strip():
        return
    done = _git(folder, "pull", "--ff-only", "--quiet")
    if done.returncode:
        failed = f"git could not bring {folder} up to date ({(done.stderr.strip().splitlines() or ['no reason given'])[-1]})"
        raise RefusedError(f"{failed}; correct that, or run {folder}/install.sh to install what is there")


def ahead(folder: Path) -> InstalledState:
    init_file = folder / "psychmem_py" / "__init__.py"
    lines = init_file.read_text("utf-8").splitlines() if init_file.is_file() else []
    version = next((line.split('"')[1] for line in lines if line.startswith("__version__")), __version__)
    return InstalledState(version, _git(folder, "rev-parse", "--short", "HEAD").stdout.strip())


def put_in_place(folder: Path) -> InstalledState:
    """Installs the checkout into our environment; what stands there now. Raises RefusedError with what the installer says."""
    prefix = Path(sys.prefix)
    if fault := own_environment.installed(str(folder), os.environ, "--prefix", str(prefix.parent)):
        raise RefusedError(fault)
    told = subprocess.run([str(prefix / "bin" / "psychmem"), "--version"], capture_output=True, text=True, check=False).stdout
    return now(prefix, told.strip().removeprefix("psychmem ") or __version__)


def now(prefix: Path | None = None, version: str = __version__) -> InstalledState:
    """What runs at this moment, or what stands in another environment of install.sh."""
    try:
        return InstalledState(version, ((prefix or Path(sys.prefix)) / "commit").read_text("utf-8").strip())
    except OSError:
        return InstalledState(version)


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False, env=env)


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
