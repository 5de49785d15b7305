"""Every test lives in a home of its own; a test that reaches for the real one fails."""

import gc
import itertools
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.data")
gc.disable()  # until all tests are collected
settings.register_profile("busy", deadline=None)  # other work on the machine must not decide a test
settings.load_profile("busy")
os.environ["TZ"] = "UTC"  # what people are told is dated by the clock of their machine
REAL_HOME = Path(os.path.expanduser("~"))
BASES = (".config", ".cache", ".local/share", ".local/state", ".local/bin")
OFF_LIMITS = tuple(
    str(REAL_HOME / path)
    for path in (".claude", ".opencode", *(f"{base}/{name}" for base in BASES for name in ("psychmem", "opencode")))
)
# Folders and files of tests that answer within a minute together.
PURE = ("extraction", "languages", "memory", "model", "recall", "safety", "text")
PURE_FILES = ("test_architecture.py",)
# Folders and files of tests that start many processes, each test in a new home: the cache of the English language file is there
# beforehand, since reading it anew costs 0.2 s of CPU. All others and languages/test_cache.py go without.
READ_BEFORE = (
    "agents", "briefing", "cli", "curation", "ingestion", "judging", "mcp_door", "test_cli.py", "security/test_at_once.py",
    "golden", "security/test_deletion.py", "security/test_poison.py", "security/test_secrets.py",
    "test_cli_truth.py", "test_docs.py", "test_rules_at_calls.py", "test_trust_rules.py",
)  # fmt: skip
# What a module's fixture makes for all its tests takes most of a minute: once, not in every worker.
IN_ONE_WORKER = ("test_patterns.py", "test_linear_patterns.py")
# Begun first, so that no worker is left alone with them at the end: the files that hold the longest tests.
FIRST = ("test_patterns.py", "test_install.py", "test_linear_patterns.py", "test_story.py", "test_opencode.py", "test_op.py")
FOREIGN = ("CLAUDE", "OPENCODE", "PSYCHMEM_", "XDG_", "ANTHROPIC_")


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    """Raise when a test opens, makes or removes something of the person's who runs it."""
    if event not in ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect"):
        return
    if isinstance(arguments[0], str) and arguments[0].startswith(OFF_LIMITS):
        raise PermissionError(f"a test reached for the real home: {event} {arguments[0]}")


sys.addaudithook(_guard)


@pytest.fixture(scope="session")
def home_names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names for homes. Counted, since `mktemp` looks through all that there are for the next number."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a process keeps of the English language file for the next one."""
    from psychmem_py.languages import files  # noqa: PLC0415  # the tests of what is pure need it not

    folder = tmp_path_factory.mktemp("languages")
    files.matcher(kept=folder).hits("", ["en"])
    (kept,) = folder.iterdir()
    return kept


@pytest.fixture(autouse=True)
def home(home_names: Iterator[Path], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A fresh home with everything in it; the environment of this process and of its children points there."""
    for name in list(os.environ):
        if name.startswith(FOREIGN):
            monkeypatch.delenv(name)
    folder = next(home_names)
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PSYCHMEM_HOME", str(folder / "psychmem"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder / ".claude"))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder / "xdg" / name.lower()))
    inside = request.path.relative_to(Path(__file__).parent)
    if inside.as_posix().startswith(READ_BEFORE):
        kept = folder / "psychmem" / "cache" / "languages"
        for part in (kept.parent.parent, kept.parent, kept):
            part.mkdir(mode=0o700)
        english: Path = request.getfixturevalue("english")
        os.link(english, kept / english.name)
    return folder


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store of `db` is."""
    return tmp_path / "memory.db"


@pytest.fixture
def db(path: Path) -> Iterator[sqlite3.Connection]:
    """A store with nothing in it."""
    from psychmem_py.store.connection import open_store  # noqa: PLC0415  # the tests of what is pure need it not
    from tests.memories_made import NOW  # noqa: PLC0415

    with open_store(path, now=NOW) as found:
        yield found


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file of IN_ONE_WORKER goes to one worker whole; xdist 3.8 does not see its own marker for that with pytest 9.2."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  # only where xdist runs

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if file.endswith(IN_ONE_WORKER) else nodeid

    return Scheduling(config, log)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what golden stories give now; review the difference")
    parser.addoption("--all", action="store_true", help="the tests marked `long` too")
    parser.addoption("--part", choices=("pure", "rest"), help="only the quick tests of what is pure, or only all the others")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """For the tests of what is pure alone the others are not even read."""
    here = Path(__file__).parent
    if config.getoption("--part") != "pure" or here not in collection_path.parents:
        return None
    return True if collection_path.relative_to(here).parts[0] not in (*PURE, *PURE_FILES) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part, everything = config.getoption("--part"), config.getoption("--all")
    kept = [item for item in items if part in (None, "pure" if is_pure(item) else "rest") and (everything or not is_long(item))]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept
    items.sort(key=lambda item: not item.nodeid.partition("::")[0].endswith(FIRST))


def pytest_collection_finish() -> None:
    """Modules, tests and languages stay to the end: looking for garbage among them again and again is a tenth of the time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000)


def is_pure(item: pytest.Item) -> bool:
    """Whether a test needs no process, no disk and little time: those beside the pure packages that are not marked `slow`."""
    inside = item.path.relative_to(Path(__file__).parent)
    return (inside.parts[0] in PURE or str(inside) in PURE_FILES) and item.get_closest_marker("slow") is None


def is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None and item.get_closest_marker("story") is None


@pytest.fixture
def other(tmp_path: Path) -> Path:
    place = tmp_path / "waterfront"
    place.mkdir()
    return place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A git repository with a remote."""
    from tests.hooks import repository  # noqa: PLC0415  # the tests of what is pure need it not

    return repository(tmp_path / "shop", "git@example.org:team/shop.git")


@pytest.fixture
def shop(project: Path) -> Path:
    """A project to stand in."""
    (project / "src").mkdir()
    return project
