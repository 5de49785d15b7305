"""Fills the generated parts of README.md and docs/*.md: `python docs/tables.py`, or `--check` to only say what is stale.

A part stands between `<!-- table:NAME -->` and `<!-- /table -->`.
"""

from __future__ import annotations

import inspect
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from psychmem_py.agents.event import EVENTS  # noqa: E402
from psychmem_py.briefing.brief import Occasion, compose  # noqa: E402
from psychmem_py.cli.app import whole  # noqa: E402
from psychmem_py.home.config import (  # noqa: E402
    NOT_FOLLOWED,
    NOTES,
    RENAMED,
)
from psychmem_py.home.project import Project  # noqa: E402
from psychmem_py.ingestion.extract import extract  # noqa: E402
from psychmem_py.ingestion.spans import Transcript, spans_of  # noqa: E402
from psychmem_py.installation.claude_code import HOOKS  # noqa: E402
from psychmem_py.installation.registration import CONVERSATION  # noqa: E402
from psychmem_py.languages import files  # noqa: E402
from psychmem_py.languages.matcher import Matcher  # noqa: E402
from psychmem_py.model.settings import (  # noqa: E402  # noqa: E402
    DEFAULTS,
    POLICIES,
    SCHEMAS,
    SETTABLE,
    keys,
)
from psychmem_py.store.connection import open_store  # noqa: E402
from tests.test_architecture import FLOORS  # noqa: E402

# What `psychmem --help` shows; every other command is in `psychmem help --all`.
FIRST_SCREEN = {
    "Look": ("list", "show", "why", "context", "sessions", "report"),
    "Change": ("remember", "edit", "forget", "undo", "review"),
    "Bring in, take out, share": ("import", "export", "share"),
    "Run": ("pause", "resume", "judge", "setup", "doctor", "config"),
}
_PART = re.compile(r"(<!-- table:(\w+) -->\n).*?(<!-- /table -->)", re.DOTALL)


def first_sentence(text: str) -> str:
    flat = " ".join(text.split())
    return flat.partition(". ")[0].rstrip(".") + "."


def commands() -> str:
    """The commands of the first screen, each with the first sentence of its help."""
    tree: Any = typer.main.get_command(whole())
    shown = [name for names in FIRST_SCREEN.values() for name in names]
    return "\n".join(["```text", *(f"{name:<10}{first_sentence(tree.commands[name].help or '')}" for name in shown), "```"])


def command_table() -> str:
    """The file by which the people's door knows its commands without loading them: path, module, heading and first sentence of
    each; those of the first screen, then the others.
    """
    headings = {name: heading for heading, names in FIRST_SCREEN.items() for name in names}
    found = dict(_commands(typer.main.get_command(whole())))
    paths = [*headings, *sorted(set(found) - set(headings))]
    rows = [(path, _module(found[path]), headings.get(path, ""), first_sentence(found[path].help or "")) for path in paths]
    return "".join("\t".join(row) + "\n" for row in rows)


def _commands(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # click's
    """Every command with the words that lead to it, groups too."""
    for name, command in group.commands.items():
        yield f"{path}{name}", command
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path}{name} ")


def _module(command: Any) -> str:  # noqa: ANN401  # as above
    """The last part of the name of the module in which a command is written; "" for a group whose commands stand in several."""
    inner = getattr(command, "commands", None)
    modules = {_module(one) for one in inner.values()} if inner else set()
    if inner:
        return modules.pop() if len(modules) == 1 else ""
    return inspect.unwrap(command.callback).__module__.rpartition(".")[2]


_CLEAR = (
    "yes/no",
    "0..1",
    "weight",
    "name",
    "path",
    "globs",
    "codes",
    "classes",
    "command",
)  # units that the value or the meaning says


def settings() -> str:
    """Every setting as the config file would have it: its group, default, unit, meaning."""
    lines, group_before = ["```toml"], ""
    for name, group in keys().items():
        if group != group_before:
            lines += ["", f"[{group}]"] if group_before else [f"[{group}]"]
            group_before = group
        note, default = NOTES[name], getattr(getattr(DEFAULTS, group), name)
        shown = '""' if default == "" else str(default).lower() if isinstance(default, bool) else str(default)
        unit = "" if note.unit in _CLEAR else f"{note.unit}: "
        about = (
            f"# {unit}{note.meaning}"
            if group != "scoring"
            else "# weights of the features in strength"
            if name == "w_recency"
            else ""
        )
        lines.append(f"{f'{name} = {shown}':<36}{about}".rstrip())
    lines += ["", "[classes.CLASS]"]
    lines += [f"# {field}: {NOTES[field].meaning}" for field in SETTABLE]
    return "\n".join([*lines, "```"])


def seed_names() -> str:
    """What the settings of other systems are called here; those of one answer share a line, as do those not followed."""
    given = [(name, "not followed; `config show` says why") for name in NOT_FOLLOWED]
    given += [(name, f"`{keys()[ours]}.{ours}`") for name, ours in RENAMED.items()]
    rows: dict[str, list[str]] = {}
    for name, answer in [*given, ("scoringWeights", "`scoring.w_FEATURE` of each feature in the table")]:
        rows.setdefault(answer, []).append(f"`{name}`")
    return "\n".join(f"- {', '.join(names)}: {answer}" for answer, names in rows.items())


def classes() -> str:
    """What each class is entitled to, and the metadata it may carry."""
    lines = ["| class | half-life, time to live in days | utility | metadata |", "|---|---|---|---|"]
    for kind, policy in POLICIES.items():
        ttl = "" if policy.ttl_d is None else f"{policy.ttl_d:g}"
        half_life = "" if policy.half_life_d is None else f"{policy.half_life_d:g}"
        fields = ", ".join(SCHEMAS[kind])
        lines.append(f"| {kind.value} | {half_life or '–'}, {ttl or '–'} | {policy.utility:g} | {fields} |")
    return "\n".join(lines)


def floors() -> str:
    """The packages from the top, and what stands on each floor."""
    lines = []
    rows = [line.partition("  ") for line in FLOORS.strip().splitlines()]
    for number, (packages, _, what) in zip(range(len(rows) - 1, -1, -1), rows, strict=True):
        lines.append(f"- {number} {', '.join(f'`{name}`' for name in packages.split())}: {what.strip()}".rstrip(": "))
    return "\n".join(lines)


def hooks() -> str:
    """Which event of Claude Code calls what, and how long it may take."""
    return "; ".join(f"{name} `{event}` ({EVENTS[event].client_s} s)" for name, event in HOOKS.items()).join(("", "."))


def brief() -> str:
    """What the sample conversation becomes in the next session."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "memory.db", now=0.0) as db:
        shop = Project("dir:/webshop", "webshop", folder)
        for span in spans_of(None, Transcript("sample", "claude-code", str(CONVERSATION))):
            extract(db, span, project=shop, settings=DEFAULTS, matcher=lambda: Matcher(files.load()), now=0.0)
        text = compose(db, Occasion(shop, 0.0)).text
    return "```\n" + re.sub(r'nonce="\w+"', 'nonce="3e4b89b219cd"', text) + "\n```"


PARTS: dict[str, Callable[[], str]] = {
    "brief": brief,
    "commands": commands,
    "all_settings": settings,
    "seed_names": seed_names,
    "hooks": hooks,
    "classes": classes,
    "floors": floors,
}


def filled(text: str) -> str:
    """A document with its generated parts brought up to date."""
    return _PART.sub(lambda part: part[1] + PARTS[part[2]]() + "\n" + part[3], text)


def main() -> int:
    stale = 0
    made = {path: filled(path.read_text("utf-8")) for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
    for path, text in {**made, ROOT / "psychmem_py" / "cli" / "commands.tsv": command_table()}.items():
        if path.read_text("utf-8") != text:
            stale += 1
            print(f"{path.relative_to(ROOT)} is stale; run python docs/tables.py")
            if "--check" not in sys.argv:
                path.write_text(text, "utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
