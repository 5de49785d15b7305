"""Every test lives in a home of its own; a test that reaches for the real one fails."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("busy", deadline=None)  # other work on the machine must not decide a test
settings.load_profile("busy")
REAL_HOME = Path(os.path.expanduser("~"))
BASES = (".config", ".cache", ".local/share", ".local/state", ".local/bin")
OFF_LIMITS = tuple(
    str(REAL_HOME / place)
    for place in (".claude", ".opencode", *(f"{base}/{name}" for base in BASES for name in ("psychmem", "opencode")))
)
# Folders and files of tests that answer within a minute together.
PURE = ("extraction", "languages", "memory", "model", "recall", "safety", "text")
PURE_FILES = ("test_architecture.py",)
# What a module's fixture makes for all its tests takes most of a minute: once, not in every worker.
IN_ONE_WORKER = ("test_patterns.py",)
# Begun first, so that no worker is left alone with them at the end: the files that hold the longest tests.
FIRST = ("test_patterns.py", "test_install.py", "test_opencode.py", "e2e/test_sync.py", "test_fold.py")
FOREIGN = ("CLAUDE", "OPENCODE", "PSYCHMEM_", "XDG_", "ANTHROPIC_")


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    """Raise when a test opens, makes or removes something of the person's who runs it."""
    if event in ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect") and isinstance(arguments[0], str):
        place = arguments[0]
        if place.startswith(OFF_LIMITS):
            raise PermissionError(f"a test reached for the real home: {event} {place}")


sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home with everything in it; the environment of this process and of its children points there."""
    for name in list(os.environ):
        if name.startswith(FOREIGN):
            monkeypatch.delenv(name)
    place = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PSYCHMEM_HOME", str(place / "psychmem"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place / ".claude"))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(place / "xdg" / name.lower()))
    return place


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Workers take one test after the other, but a file of IN_ONE_WORKER goes to one of them whole.

    The marker `xdist_group` would say the same; xdist 3.8 does not see it with pytest 9.2.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  # only where xdist runs

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if file.endswith(IN_ONE_WORKER) else nodeid

    return Scheduling(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what golden stories give now; review the difference")
    parser.addoption("--part", choices=("pure", "rest"), help="only the quick tests of what is pure, or only all the others")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if part := config.getoption("--part"):
        kept = [item for item in items if is_pure(item) == (part == "pure")]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept
    items.sort(key=lambda item: not item.nodeid.partition("::")[0].endswith(FIRST))


def is_pure(item: pytest.Item) -> bool:
    """Whether a test needs no process, no disk and little time: those beside the pure packages that are not marked `slow`."""
    inside = item.path.relative_to(Path(__file__).parent)
    return (inside.parts[0] in PURE or str(inside) in PURE_FILES) and item.get_closest_marker("slow") is None
