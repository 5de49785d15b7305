"""Who may import whom: doors -> agents and pipeline -> adapters -> core. Read from the source, not from what is loaded."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "psychmem_py"
CORE_MAY = {"regex"}  # what the pure core takes from outside the standard library
IMPURE = {"os", "sqlite3", "subprocess", "socket", "pathlib", "tempfile", "shutil", "random", "uuid", "io", "glob", "threading"}
NETWORK = {
    "socket",
    "http",
    "urllib.request",
    "ssl",
    "asyncio",
    "ftplib",
    "smtplib",
    "xmlrpc",
    "socketserver",
    "requests",
    "httpx",
}
CLOCKS = {("time", name) for name in ("time", "time_ns", "localtime", "monotonic", "perf_counter")} | {
    (kind, name) for kind in ("datetime", "date") for name in ("now", "utcnow", "today")
}
DOORS = ("cli", "hooks", "mcp_server")
LAYER = {  # higher may import lower and its equals
    "cli": 4, "hooks": 4, "mcp_server": 4,
    "setup": 3, "pipeline": 3,
    "agents": 2, "store": 2, "paths": 2, "config": 2, "languages": 2, "journal": 2, "topics": 2, "project": 2, "health": 2,
    "handover": 2, "folders": 2, "kept_languages": 2, "jotting": 2, "pulse": 2, "prepared": 2, "memory_folder": 2,
    "blobs": 2, "opencode_db": 2, "sample": 2,
    "core": 1,
    "errors": 0, "": 0,
}  # fmt: skip
MODULES = sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Full names of everything a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


def part(module: str) -> str:
    """The part of the package a full module name belongs to: "core", "store", "" for the package itself."""
    words = module.split(".")
    return words[1] if len(words) > 1 and words[1] in LAYER else ""


def part_of(path: Path) -> str:
    inside = path.relative_to(ROOT).with_suffix("").parts
    return "" if inside == ("__init__",) else inside[0]


def test_every_module_has_a_place() -> None:
    assert {part_of(path) for path in MODULES} <= LAYER.keys()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards(path: Path) -> None:
    own = part_of(path)
    for module in imports(path):
        if module.split(".")[0] != "psychmem_py":
            continue
        other = part(module)
        assert LAYER[other] <= LAYER[own], f"{own} imports {module}"
        assert not (own in DOORS and other in DOORS and own != other), f"the door {own} imports the door {other}"


@pytest.mark.parametrize("path", sorted((ROOT / "core").rglob("*.py")), ids=lambda path: path.name)
def test_the_core_is_pure(path: Path) -> None:
    for module in imports(path):
        top = module.split(".")[0]
        assert top in {"psychmem_py"} | CORE_MAY or top in sys.stdlib_module_names, (
            f"{module} is neither ours nor the standard library's"
        )
        assert top not in IMPURE, f"{module} reaches outside"


@pytest.mark.parametrize("path", sorted((ROOT / "core").rglob("*.py")), ids=lambda path: path.name)
def test_the_core_asks_no_clock(path: Path) -> None:
    """Calendar arithmetic is pure; the time of day and the zone of the machine are not."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert (node.value.id, node.attr) not in CLOCKS, f"line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_opens_a_socket(path: Path) -> None:
    assert not {module for module in imports(path) if module.split(".")[0] in NETWORK or module in NETWORK}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sql_stands_in_the_store_alone(path: Path) -> None:
    if part_of(path) in ("store", "opencode_db"):
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value.lstrip().lower()
            assert not text.startswith(("select ", "insert into ", "update ", "delete from ")) or " " not in text.strip(), (
                f"SQL: {text[:60]}"
            )


def test_only_the_people_s_door_knows_typer_and_rich() -> None:
    for path in MODULES:
        if part_of(path) != "cli":
            assert not {module for module in imports(path) if module.split(".")[0] in ("typer", "rich")}, path
