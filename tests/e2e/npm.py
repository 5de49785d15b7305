"""A pinned client from npm, installed once into a cache of its own."""

import fcntl
import os
import platform
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest

# The clients are compiled with Bun. A headless turn ends before what its optimising compilers make is worth their work: without them it
# takes a fifth less CPU, and does the same.
LIGHT = {"BUN_JSC_useDFGJIT": "0", "BUN_JSC_useFTLJIT": "0"}


def installed(package: str, version: str, program: str) -> Path:
    """The program of `package@version`, `program` below node_modules; skips the test, with the reason, where it cannot be had."""
    if shutil.which("npm") is None:
        pytest.skip("the real client needs npm")
    home = pwd.getpwuid(os.getuid()).pw_dir  # tests have another HOME
    name = package.rpartition("/")[2]
    cache = Path(os.environ.get("PSYCHMEM_E2E_CACHE") or f"{home}/.cache/pinned-clients") / f"{name}-{version}"
    found = cache / "node_modules" / program
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test runs at once install it once
        if not found.exists():
            flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-save"]
            command = ["npm", "install", "--prefix", str(cache), *flags, f"{package}@{version}"]
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "HOME": home}, check=False)
            if done.returncode or not found.exists():
                pytest.skip(f"npm cannot install {package}@{version}: {done.stderr[-300:]}")
    return found


_KINDS = {
    "Linux x86_64": "linux-x64",
    "Linux aarch64": "linux-arm64",
    "Darwin arm64": "darwin-arm64",
    "Darwin x86_64": "darwin-x64",
}


def kind_of_machine() -> str:
    """What a client's package for this machine is called by; skips the test where there is none."""
    kind = _KINDS.get(f"{platform.system()} {platform.machine()}")
    return kind or pytest.skip("there is no such client for this platform")
