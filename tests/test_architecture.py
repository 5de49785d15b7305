"""Who may import whom, floor by floor, and that the glossary and the code use the same words. Read from the source."""

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
ROOT = REPOSITORY / "psychmem_py"
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
    """judging/protocol.py judging/rewording.py judging/said.py judging/understood.py sync/op.py
    languages/grammar.py languages/machine.py languages/matcher.py""".split()
)
SQL = ("store/", "sync/hub.py", "agents/opencode_database.py", "curation/import_files.py")
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
    texts = {inside(path): path.read_text("utf-8") for path in MODULES}
    assert [name for name, text in texts.items() if not text.startswith('"""') and not name.endswith("__init__.py")] == []
    assert [name for name, text in texts.items() if len(text.splitlines()) > 400] == []


def test_imports_point_downwards() -> None:
    def upward(own: str, module: str) -> bool:
        other = package(module) if module.startswith("psychmem_py.") else ""
        return module.startswith(".") or (other not in ("", own) and FLOOR[other] >= FLOOR[own])

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
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs]
    return [f"{node.lineno}: {str(node.value)[:60]}" for node in texts if _SQL.search(str(node.value))]


def test_sql_stands_in_the_store_alone_and_only_the_people_s_door_knows_typer_and_rich() -> None:
    elsewhere = [path for path in MODULES if not inside(path).startswith(SQL)]
    assert [f"{inside(path)}:{found}" for path in elsewhere for found in statements(syntax(path))] == []
    others = [path for path in MODULES if package_of(path) != "cli"]
    assert [inside(path) for path in others if {m for m in imports(path) if m.split(".")[0] in ("typer", "rich")}] == []


ROW = re.compile(r"^- ([\w ]+): .+; `([\w/]+\.py): (\w+)`$", re.MULTILINE)
TERMS = ROW.findall((REPOSITORY / "docs" / "glossary.md").read_text("utf-8"))
THE_SAME = {"brief": {"recall/brief_text.py"}}  # the text of it
# One author's dialect; say instead: shown, said once, enforce, approve, link, correct, alike, act. No person reads them.
DIALECT = re.compile(r"(?i)\b(told|heard|bites?|vouch(es|ed)?|ties?|tied|mend(s|ed|ing)?|kin|deeds?|borne out)\b")
NOT_READ = ("store/", "safety/suspicion.py")  # SQL, expressions
READ = "README.md CONTRIBUTING.md patterns/README.md docs/*.md skills/**/*.md .claude-plugin/*.json psychmem_py/cli/[aeo]*.t*".split()
PAGES = [page for pattern in READ for page in REPOSITORY.glob(pattern)]


def test_no_message_and_no_page_speaks_a_dialect() -> None:
    texts = [(path.relative_to(ROOT), text) for path in MODULES for text in messages(path)]
    texts = [(name, text) for name, text in texts if not str(name).startswith(NOT_READ)]
    texts += [(page.relative_to(REPOSITORY), line) for page in PAGES for line in page.read_text("utf-8").splitlines()]
    found = [f"{name}: {text.strip()}" for name, text in texts if DIALECT.search(re.sub(r"`[^`]*`|--\S+", "", text))]
    assert not found, "\n".join(found)


def messages(path: Path) -> list[str]:
    """The texts of a module that somebody may read: strings of several words that are no docstring and no list of fields."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef)
    first = [node.body[0] for node in ast.walk(syntax(path)) if isinstance(node, owners) and node.body]
    about = {id(one.value) for one in first if isinstance(one, ast.Expr)}
    fields = [node for node in ast.walk(syntax(path)) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("picked")]
    about |= {id(given) for node in fields for given in node.args}  # names of JSON's fields
    strings = [node for node in ast.walk(syntax(path)) if isinstance(node, ast.Constant) and id(node) not in about]
    return [one.value for one in strings if isinstance(one.value, str) and " " in one.value.strip() and "\\b" not in one.value]


def test_a_type_has_its_name_to_itself() -> None:
    """A function is read with its module before it (`journal.append`); a type is read alone."""
    types = Counter(name for path in MODULES for name in defined(path) if name[0].isupper() and not name.isupper())
    assert [name for name, files in types.items() if files > 1] == []


@cache
def defined(path: Path) -> set[str]:
    names = set()
    for node in syntax(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


def test_a_term_stands_where_the_glossary_says_and_names_one_thing() -> None:
    lines = (REPOSITORY / "docs" / "glossary.md").read_text("utf-8").splitlines()
    assert len(TERMS) == sum(line.startswith("- ") for line in lines) > 15
    assert [
        f"{term}: {file} has no {name}" for term, file, name in TERMS if name not in {*defined(ROOT / file), Path(file).stem}
    ] == []
    public = [(term, ROOT / file, name) for term, file, name in TERMS if not name.startswith("_")]
    others = [(term, path) for term, own, name in public for path in MODULES if path != own and name in defined(path)]
    assert [found for found in others if str(found[1].relative_to(ROOT)) not in THE_SAME.get(found[0], set())] == []
