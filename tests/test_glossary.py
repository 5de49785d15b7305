"""The glossary and the code use the same words, and no message speaks a dialect."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "psychmem_py"
ROW = re.compile(r"^- ([\w ]+): .+; `([\w/]+\.py): (\w+)`$", re.MULTILINE)
TERMS = ROW.findall((ROOT / "docs" / "glossary.md").read_text("utf-8"))
MODULES = sorted(PACKAGE.rglob("*.py"))
THE_SAME = {"brief": {"recall/brief_text.py"}}  # the text of it
# Of one author's dialect, and what is said instead: shown, said once, enforce, approve, link, correct, alike, act. No person reads them.
DIALECT = re.compile(r"(?i)\b(told|heard|bites?|vouch(es|ed)?|ties?|tied|mend(s|ed|ing)?|kin|deeds?|borne out)\b")
NOT_READ = ("store/", "safety/suspicion.py")  # SQL, expressions
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "patterns" / "README.md", *(ROOT / "docs").glob("*.md")]
PAGES += [*(ROOT / "skills").rglob("*.md"), *(ROOT / ".claude-plugin").glob("*.json")]


def test_no_message_and_no_page_speaks_a_dialect() -> None:
    texts = [(path.relative_to(PACKAGE), text) for path in MODULES for text in messages(path)]
    texts = [(name, text) for name, text in texts if not str(name).startswith(NOT_READ)]
    texts += [(page.relative_to(ROOT), line) for page in PAGES for line in page.read_text("utf-8").splitlines()]
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


def public_names(path: Path) -> set[str]:
    """What a module defines at its top level, and its own name."""
    return {path.stem} | defined(path)


def test_a_type_has_its_name_to_itself() -> None:
    """A function is read with its module before it (`journal.append`); a type is read alone."""
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for name in defined(path):
            if name[0].isupper() and not name.isupper():
                homes.setdefault(name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


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
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    assert len(TERMS) == sum(line.startswith("- ") for line in lines) > 15
    assert [f"{term}: {file} has no {name}" for term, file, name in TERMS if name not in public_names(PACKAGE / file)] == []
    public = [(term, PACKAGE / file, name) for term, file, name in TERMS if not name.startswith("_")]
    others = [(term, path) for term, own, name in public for path in MODULES if path != own and name in defined(path)]
    assert [found for found in others if str(found[1].relative_to(PACKAGE)) not in THE_SAME.get(found[0], set())] == []
