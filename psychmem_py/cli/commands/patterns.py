"""Commands that run the extractor: sweep on a file, eval on labelled messages, patterns check on language files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import LOOKING, app
from psychmem_py.cli.commands.show import lines_of
from psychmem_py.cli.context import Here, here
from psychmem_py.errors import PatternError
from psychmem_py.extraction import pattern_check, sweep_lines
from psychmem_py.languages import cache
from psychmem_py.languages import files as languages
from psychmem_py.languages.matcher import Matcher

patterns = typer.Typer(no_args_is_help=True, help="The language files that extraction works with.")
app.add_typer(patterns, name="patterns", rich_help_panel=LOOKING)


def overlay(place: Here) -> Path:
    """Where a person's own language files are."""
    return place.places.config / "patterns"


def matcher(place: Here, *, keep: bool = True) -> Matcher:
    """All languages, the person's own over those shipped; each is read when a text is in it."""
    return languages.matcher(overlay(place), cache.folder(place.places.cache), keep=keep)


@app.command(
    rich_help_panel=LOOKING,
    epilog='echo \'{"id": "1", "role": "user", "text": "We always deploy from main."}\' | psychmem sweep -',
)
def sweep(
    file: Annotated[str, typer.Argument(metavar="FILE.jsonl|-", help='One {"id", "role", "text", "prev_assistant"} per line.')],
) -> None:
    """What would be kept of each message, what not, and why: one JSON line for each line. Uses no store, writes nothing."""
    for line in sweep_lines.results(lines_of(file), matcher(here(), keep=False)):
        sys.stdout.write(line + "\n")


@patterns.command("check", epilog="psychmem patterns check patterns/de.toml")
def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE.toml", help="Usual: all that are in use.")] = None,
) -> None:
    """Test language files against their own example sentences; exit 1 when one fails."""
    chosen = [languages.read(path) for path in files] if files else languages.load(overlay(here()))
    problems = pattern_check.check(chosen)
    for problem in problems:
        output.say(str(problem))
    sizes = ", ".join(f"{language.code} {sum(map(len, language.groups.values()))}" for language in chosen)
    output.say(f"phrases: {sizes}")
    if problems:
        raise PatternError(
            f"{len(problems)} of their own examples are not matched as the files say; mend the phrases or the examples"
        )
    output.say("All examples hold.")
