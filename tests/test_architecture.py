"""Who may import whom, floor by floor. Read from the source, not from what is loaded."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "psychmem_py"
PURE_MAY = {"regex"}  # what the pure packages take from outside the standard library
IMPURE = {"os", "sqlite3", "subprocess", "socket", "pathlib", "tempfile", "shutil", "random", "uuid", "io", "glob", "threading"}
NETWORK = set("socket http urllib.request ssl asyncio ftplib smtplib xmlrpc socketserver requests httpx".split())
CLOCKS = {("time", name) for name in ("time", "time_ns", "localtime", "monotonic", "perf_counter")} | {
    (kind, name) for kind in ("datetime", "date") for name in ("now", "utcnow", "today")
}
# The floors of the house, top first. A package imports from the floors below it, never from beside or above.
FLOORS = """
cli                         commands for people
mcp_door                    tools for agents (MCP)
hooks                       one event of a client, in the foreground and in the detached child
judging sync                the reader; several machines and a team
report                      the HTML page
ingestion                   a stretch of conversation to changes of the store
curation                    what people and upkeep do to memories
installation briefing       registering with agents; what an agent is shown
store agents                SQL; what each client writes and reads
extraction recall guards    pure: text to verdicts; memories to a brief or ranking; rules to tool calls
languages memory            phrases and matching; what a memory is worth
home                        files of this machine
text                        pure: words, folding, dates
model                       pure: the domain's types
safety                      pure: secrets, hostile text, fences
errors words               errors a person can act on; words of the language files
"""
FLOOR = {package: -level for level, line in enumerate(FLOORS.strip().splitlines()) for package in line.split("  ")[0].split()}
PURE = ("extraction", "recall", "guards", "memory", "text", "model", "safety")
PURE_FILES = tuple(
    """judging/protocol.py judging/rewording.py judging/said.py judging/understood.py sync/op.py sync/fold.py
    languages/grammar.py languages/machine.py languages/matcher.py languages/identify.py""".split()
)
SQL = ("store/", "sync/hub.py", "agents/opencode_database.py", "curation/import_programs.py")
MODULES = sorted(ROOT.rglob("*.py"))


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> set[str]:
    """Full names of everything a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {"." * node.level + f"{node.module}.{name.name}" for name in node.names}
    return found


def package(module: str) -> str:
    """The package of a full module name: "store" of "psychmem_py.store.rows"; "" for psychmem_py itself."""
    words = module.split(".")
    return words[1] if len(words) > 1 and words[1] in FLOOR else ""


def inside(path: Path) -> str:
    """A module as the lists above name it."""
    return path.relative_to(ROOT).as_posix()


def package_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "" if parts == ("__init__",) else parts[0]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PURE_MODULES = [path for path in MODULES if package_of(path) in PURE or inside(path) in PURE_FILES]


def test_every_module_has_its_place_says_what_it_is_and_is_no_longer_than_a_reader_can_hold() -> None:
    assert {package_of(path) for path in MODULES} - {""} == FLOOR.keys()
    assert {path.name for path in ROOT.glob("*.py")} == {"__init__.py", "errors.py", "words.py"}
    assert set(PURE_FILES) <= {inside(path) for path in MODULES}
    silent = [path for path in MODULES if not path.read_text("utf-8").startswith('"""')]
    assert [inside(path) for path in silent if path.name != "__init__.py"] == []
    assert [inside(path) for path in MODULES if len(path.read_text("utf-8").splitlines()) > 400] == []


def test_imports_point_downwards() -> None:
    def upward(own: str, module: str) -> bool:
        other = package(module)
        return module.startswith(".") or (
            module.split(".", maxsplit=1)[0] == "psychmem_py" and other not in ("", own) and FLOOR[other] >= FLOOR[own]
        )

    assert [f"{inside(path)}: {module}" for path in MODULES for module in imports(path) if upward(package_of(path), module)] == []


def test_no_files_import_each_other_in_a_circle() -> None:
    known = {name_of(path): path for path in MODULES}
    below = {
        name: {full if full in known else full.rpartition(".")[0] for full in imports(path)} & known.keys() - {name}
        for name, path in known.items()
    }
    while free := {name for name, others in below.items() if not others & below.keys()}:
        below = {name: others for name, others in below.items() if name not in free}
    assert not below, f"these import each other: {sorted(below)}"


def test_what_is_pure_reaches_nothing_outside_and_asks_no_clock() -> None:
    ours = {"psychmem_py"} | PURE_MAY | set(sys.stdlib_module_names) - IMPURE
    reached = [(inside(path), module) for path in PURE_MODULES for module in imports(path) if module.split(".")[0] not in ours]
    assert reached == []
    asked = [
        f"{inside(path)}:{node.lineno}"
        for path in PURE_MODULES
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and (node.value.id, node.attr) in CLOCKS
    ]
    assert asked == []


def test_the_socket_opens_for_the_command_that_asks_for_it_alone() -> None:
    """`report --serve`, on the loopback interface; nothing else opens one."""
    networked = [path for path in MODULES if {m for m in imports(path) if m.split(".")[0] in NETWORK or m in NETWORK}]
    assert [inside(path) for path in networked] == ["report/server.py"]
    users = [path for path in MODULES if any(module.startswith("psychmem_py.report.server") for module in imports(path))]
    assert [inside(path) for path in users] == ["cli/commands/sessions.py"]


def unready(tree: ast.Module) -> list[int]:
    """Lines of the `try` around a reader of JSON or TOML that answers for wrong text, but not for RecursionError."""
    found = []
    for attempt in (node for node in ast.walk(tree) if isinstance(node, ast.Try)):
        read = {ast.unparse(node.func) for part in attempt.body for node in ast.walk(part) if isinstance(node, ast.Call)}
        caught = " ".join(ast.unparse(handler.type) if handler.type else "Exception" for handler in attempt.handlers)
        reads = read & {"json.loads", "json.load", "tomllib.loads", "decoded"}
        if (
            reads
            and re.search(r"\b(?:Value|\w*Decode)Error\b", caught)
            and not re.search(r"\b(?:RecursionError|Exception)\b", caught)
        ):
            found.append(attempt.lineno)
    return found


def test_what_reads_json_or_toml_also_answers_for_nesting_without_end() -> None:
    """Ten thousand brackets make the readers of both raise RecursionError, which is no ValueError."""
    assert [f"{inside(path)}:{line}" for path in MODULES for line in unready(syntax(path))] == []


_SQL = re.compile(
    r"\b(?:select\s.+\sfrom|insert\s+(?:or\s+\w+\s+)?into|update\s+\w+\s+set|delete\s+from|create\s+(?:table|index)"
    r"|(?:status|tier|kind|class|store|store_name|project|id|pinned)\s*(?:=|<>|!=|in)\s*(?:\?|\(|'\w+'))",
    re.IGNORECASE | re.DOTALL,
)


def statements(tree: ast.Module) -> list[str]:
    """Texts of a module that hold SQL, whole or in pieces. Docstrings may speak of it."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]
    return [f"{node.lineno}: {str(node.value)[:60]}" for node in texts if _SQL.search(str(node.value))]


def test_sql_stands_in_the_store_alone_and_only_the_people_s_door_knows_typer_and_rich() -> None:
    elsewhere = [path for path in MODULES if not inside(path).startswith(SQL)]
    assert [f"{inside(path)}:{found}" for path in elsewhere for found in statements(syntax(path))] == []
    others = [path for path in MODULES if package_of(path) != "cli"]
    assert [inside(path) for path in others if {m for m in imports(path) if m.split(".")[0] in ("typer", "rich")}] == []
