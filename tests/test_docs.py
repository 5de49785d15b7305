"""What the documents say is so: generated tables are fresh, links lead somewhere, commands are understood, versions agree."""

import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer

from benchmarks import guards
from psychmem_py import __version__
from psychmem_py.cli import unalias
from psychmem_py.cli.app import whole
from psychmem_py.extraction import weights
from psychmem_py.extraction.sweep_lines import results
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory import compare, forgetting
from psychmem_py.model.records import Kind
from psychmem_py.model.settings import DEFAULTS, keys
from psychmem_py.recall import ranking, selection
from psychmem_py.safety.fence import CLASS_LABELS
from tests.e2e import claude, opencode
from tests.memories_made import made
from tests.test_architecture import defined
from tests.test_cli import run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = {
    path.name: path.read_text("utf-8")
    for path in (ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md")
} | {"docs/README.md": (ROOT / "docs" / "README.md").read_text("utf-8")}
FOR_PEOPLE = (README, *(DOCUMENTS[name] for name in ("install.md", "privacy.md", "how-it-decides.md", "judge.md")))
BLOCKS = [block for text in FOR_PEOPLE for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)]
COMMANDS = [line.split("  #")[0].strip() for block in BLOCKS for line in block.splitlines() if line.startswith("psychmem ")]


def test_versions_agree_with_each_other_and_with_what_readme_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    plugin = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert __version__ == project["version"] == plugin["version"]
    assert f"Claude Code {claude.VERSION} and OpenCode {opencode.VERSION.rpartition('.')[0]}" in README


def test_the_plugin_says_which_hooks_it_has_and_where_it_keeps_what() -> None:
    """The review of a store fails a plugin whose description does not disclose what it observes."""
    told = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text("utf-8"))["description"]
    hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text("utf-8"))
    assert [event for event in hooks["hooks"] if event not in told] == []
    assert ("module" in told) == ("modules" in hooks)
    assert "~/.local/share/psychmem" in told


def test_the_files_names_and_tests_that_documents_point_to_are_there() -> None:
    links = [(name, target) for name, text in DOCUMENTS.items() for target in re.findall(r"\]\(([^)#:]+)\)", text)]
    folders = {name: (ROOT / name).parent if (ROOT / name).exists() else ROOT / "docs" for name in DOCUMENTS}
    assert [f"{name} points to {target}" for name, target in links if not (folders[name] / target).exists()] == []
    assert len(PLACES) > 50
    assert [f"{path} has no {name}" for path, name in PLACES if not has(path, name)] == []
    assert [name for name in NAMED_TESTS if not is_a_test(name)] == []
    named = [
        (name, path)
        for name in ("README.md", "CONTRIBUTING.md", "architecture.md", "model.md", "lifecycle.md", "recall.md", "extraction.md")
        for path in re.findall(r"`((?:psychmem_py|tests|docs|patterns|benchmarks|hooks)/[\w./-]+)", DOCUMENTS.get(name, ""))
    ]
    assert [f"{name} names {path}" for name, path in named if not (ROOT / path.rstrip(".")).exists()] == []


_PLACE = re.compile(r"`((?:psychmem_py|tests|docs)/[\w/]+\.py): ([\w.]+)`")
PLACES = sorted({found for text in DOCUMENTS.values() for found in _PLACE.findall(text)})


def has(path: str, name: str) -> bool:
    """Whether a module defines a name, of a class's method or field with the class before it."""
    first, _, inner = name.partition(".")
    if not (ROOT / path).exists() or first not in defined(ROOT / path):
        return False
    body = (ROOT / path).read_text("utf-8").partition(f"\nclass {first}")[2].partition("\n\n\n")[0]
    return not inner or bool(re.search(rf"^    (?:async )?(?:def )?{inner}\b", body, re.MULTILINE))


TESTS = {str(path.relative_to(ROOT / "tests")): path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
_TEST = re.compile(r"\b(?:tests/)?((?:\w+/)*test_\w+(?:\.py(?:::test_\w+)?)?)\b")
NAMED_TESTS = sorted({found for text in DOCUMENTS.values() for found in _TEST.findall(text)})


def is_a_test(name: str) -> bool:
    path, _, function = name.partition("::") if ".py" in name else ("", "", name)
    texts = [text for known, text in TESTS.items() if f"/{known}".endswith(f"/{path}") or not path]
    return any(f"def {function}" in text for text in texts) if function else bool(texts)


def test_each_promise_of_security_has_its_test() -> None:
    promises = DOCUMENTS["security.md"].partition("## Promises")[2].partition("## Measured")[0]
    behind = [re.findall(r"\(([^()]+)\)", one)[-1:] for one in promises.split("\n- ")[1:]]
    assert len(behind) > 20
    assert all(behind)
    names = [name.strip() for (some,) in behind for name in some.split(",")]
    paths = [name.split("`")[1] if "`" in name else re.sub(r"([^/]+)$", r"test_\1.py", name) for name in names]
    assert [path for path in paths if path not in TESTS and f"security/{path}" not in TESTS] == []


SHOWN = [pair for name, text in DOCUMENTS.items() for pair in re.findall(r"`(\w+)` \(([\d.]+)[,)]", text) if pair[0] in keys()]


def test_the_numbers_of_the_model_and_of_settings_are_what_the_code_says() -> None:
    assert len(set(SHOWN)) >= 8
    assert [pair for pair in SHOWN if float(pair[1]) != getattr(getattr(DEFAULTS, keys()[pair[0]]), pair[0])] == []
    assert [what for what, text in WORKED.items() if not text or text not in DOCUMENTS["model.md"]] == []


W = DEFAULTS.scoring
WORKED = {
    "strength": f"{forgetting.strength(forgetting.features(made('', importance=0.8, utility=0.5, confidence=0.75))):.3f}. Being shown",
    "weights": f"{W.w_recency:.2f}·recency + {W.w_frequency:.2f}·frequency + {W.w_importance:.2f}·importance + {W.w_utility:.2f}·utility + "
    f"{W.w_novelty:.2f}·novelty + {W.w_confidence:.2f}·confidence − {-W.w_interference:.2f}·interference",
    "frequency": f"1 → {forgetting.frequency_factor(1):.2f}, 3 → {forgetting.frequency_factor(3):.2f}, 9 → {forgetting.frequency_factor(9):.0f}",
    "importance": f"0.5 and 0.3 give 0.5 + 0.21 = {forgetting.combined((0.5, 0.3)):.2f}",
    "one strong family": f"one strong family (0.8) gives {weights.confidence([0.8]):.2f}",
    "one ordinary family": f"an ordinary one (0.6) gives {weights.confidence([0.6]):.2f}",
    "a booster with it": f"with a\nbooster it gives {weights.confidence([0.6, 0.3]):.3f}",
    "bm25": f"k₁ = b = {ranking.K1}" if ranking.K1 == ranking.B else "",
    "prior": f"({1 - ranking.STRENGTH_SHARE} + {ranking.STRENGTH_SHARE} · strength) · ({1 - ranking.RECENCY_SHARE} + {ranking.RECENCY_SHARE:.2f} · 2^(−days / {ranking.RECENCY_HALF_D:.0f}))",
    "shares": "rules get {:.0%}, decisions and facts {:.0%}, lessons and fixes {:.0%}, episodes {:.0%}".format(*(share for _, _, share in selection.SHARES)).replace("%", " %"),
}  # fmt: skip


def test_the_model_s_examples_of_two_statements_are_so() -> None:
    ways = ("Run mypy before committing", "Run ruff before committing", Kind.CONSTRAINT)
    values = ("The API listens on port 8081", "The API listens on port 8080", Kind.SEMANTIC)
    found = [compare.compared(*one, DEFAULTS.reconcile).relation for one in (ways, values)]
    assert found in ([first, compare.Relation.CHANGED] for first in (compare.Relation.RELATED, compare.Relation.OTHER))


@pytest.mark.parametrize("command", dict.fromkeys(COMMANDS))
def test_every_command_for_people_is_understood(command: str, tmp_path: Path) -> None:
    words = shlex.split(command.partition(" > ")[0])[1:]
    if "3f2a91cc" in words:
        identity = json.loads(run("remember", "We deploy on Mondays only, never later", "--json", cwd=tmp_path).stdout)["id"]
        words = [identity if word == "3f2a91cc" else word for word in words]
    if "--purge" in words:
        words.append("--yes")
    done = run(*words, cwd=tmp_path, stdin="")
    assert done.returncode in (0, 1), done.stderr  # 2 would be wrong usage
    # Nothing of other programs stands in a test's home, and this is the checkout itself.
    fail = "context --last, import --exact, import --from, import AGENTS.md, judge --with, judge --now, share --with"
    assert done.returncode == 0 or " ".join(words[:2]) in fail.split(", "), done.stderr


def test_the_figures_of_readme_are_those_of_the_pages_that_have_them() -> None:
    rows = [row.split("|") for row in README.splitlines() if "`python" in row and row.startswith("| ")]
    shares = r"(?m)^\| `(?:inject|prompt|tool-after|before|stop)[^|]*\| [\d.]+ \| ([\d.]+) \|"
    hooks = [float(share) for share in re.findall(shares, DOCUMENTS["speed.md"])]
    extraction, guards = DOCUMENTS["extraction.md"], DOCUMENTS["how-it-decides.md"]
    (rightly,) = re.findall(r"public histories of another client, at first sight\*\* \| \d+ \| \*\*(\d+) %", extraction)
    (precision,) = re.findall(r"before it was read, gave precision (\d+)", extraction)
    alone, *_ = re.findall(r"\| rules alone \| [^|]*\| [^|]*\| (\d+) %", DOCUMENTS["judge.md"])
    read, *_ = re.findall(r"recorded answers \| [^|]*\| [^|]*\| (\d+) %", DOCUMENTS["judge.md"])
    caught, first, of = (int(one) for one in re.findall(r"is shown \| .*?\((\d+) %; (\d+) of (\d+) at first sight", guards)[0])
    calls, told = (int(one) for one in re.findall(r"names the calls: of (\d+) .*? (\d+) are reminded", guards)[0])
    (found,) = re.findall(r"LoCoMo, a store for each conversation \| \d+ \| [\d.]+ \| (\d+)", DOCUMENTS["recall.md"])
    *ready, slowest = sorted(hooks)
    alone_at_calls, read_at_calls = round(100 * first / of), round(100 * told / calls)
    assert [(row[2].strip(), row[3].strip()) for row in rows] == [
        (precision, ""), (rightly, ""), (alone, read), (str(alone_at_calls), str(read_at_calls)), (found, "")
    ]  # fmt: skip
    assert f"after tuning: {caught})" in README
    assert f"takes {ready[0]:.1f} to {ready[-1]:.1f} of the CPU of a start of `node`, {slowest:.1f} without" in README


def test_the_figures_of_rules_at_calls_are_those_of_the_tables() -> None:
    rows = [row for table in guards.TABLES for row in guards.rows_of(table)]
    page = DOCUMENTS["how-it-decides.md"]
    said = (
        r"benchmarks\.guards`, (\d+) rules",
        r"is shown \| (\d+) of (\d+) ",
        r"nothing shows \| (\d+) of",
        r"bound right \| (\d+) of (\d+)",
    )
    told = [re.findall(pattern, page, re.MULTILINE)[0] for pattern in said]
    found = guards.figures(rows, guards.rules_of(rows))
    caught, right = (str(found.caught), str(found.acting)), (str(found.right), str(found.bound))
    assert told == [str(found.rules), caught, str(found.near), right]


EXAMPLES = re.findall(r"^\| (you|agent) \| (.+?) \| (.+?) \|$", DOCUMENTS["how-it-decides.md"], re.MULTILINE)


def test_the_examples_of_how_it_decides_are_what_it_decides() -> None:
    role = {"you": "user", "agent": "assistant"}
    lines = [json.dumps({"id": str(n), "role": role[who], "text": text}) for n, (who, text, _) in enumerate(EXAMPLES)]
    found = [json.loads(line) for line in results(lines, Matcher(files.load()))]
    assert len(found) == len(EXAMPLES) >= 12
    assert [outcome(one) for one in found] == [told for _, _, told in EXAMPLES]
    line = json.dumps({"id": "1", "role": "user", "text": "No, use 8081.", "prev_assistant": "The API listens on port 8080."})
    (found,) = results([line], Matcher(files.load()))
    assert [one["text"] for one in json.loads(found)["memories"]] == ["The API listens on port 8081."]


def outcome(swept: dict[str, Any]) -> str:
    """What became of a message, in the words of the document."""
    if swept["memories"]:
        (one,) = swept["memories"]
        return f"{CLASS_LABELS[one['class']]}, {'every project' if one['scope'] == 'user' else 'this project'}, {'long' if one['store'] == 'ltm' else 'short'}-term"
    return "waits" if any(one["reason"] == "waiting" for one in swept["rejected"]) else "nothing"


ROWS = [line.split("\t") for line in (ROOT / "docs" / "seeds.tsv").read_text("utf-8").splitlines()]
DONE = [row for row in ROWS if row[3] not in ("otherwise", "partly", "open")]
SEEDS_COMMANDS = set(typer.main.get_command(whole()).commands)  # type: ignore[attr-defined]


def test_each_row_of_the_seeds_names_a_test_and_a_command_or_file_that_are_there_or_says_why_not() -> None:
    assert [int(row[1]) for row in ROWS] == list(range(1, 306))
    assert all(len(row) == 5 and len(row[4]) > 7 for row in ROWS)
    named = {row[4]: row[4].partition("::") for row in DONE}
    assert [
        test
        for test, (path, _, name) in named.items()
        if not re.search(rf"(?m)^(?:async )?(?:def {name}\(|{name} = holds\()", TESTS.get(path, ""))
    ] == []
    found = {by: by.removeprefix("psychmem ") for _, _, _, by, _ in DONE}
    there = {by: unalias(name.split())[0] in SEEDS_COMMANDS if name != by else (ROOT / by).exists() for by, name in found.items()}
    assert [by for by, is_there in there.items() if not is_there] == []
    assert subprocess.run([sys.executable, str(ROOT / "docs" / "seeds.py"), "--check"], check=False).returncode == 0


def test_every_benchmark_loads_and_that_of_the_store_gives_its_figures_to_the_last() -> None:
    assert all(importlib.import_module(f"benchmarks.{path.stem}") for path in (ROOT / "benchmarks").glob("*.py"))
    command = [sys.executable, ROOT / "benchmarks/store.py", "--memories", "100"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, "purge one of them" in done.stdout) == (0, "", True)
