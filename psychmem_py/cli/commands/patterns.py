"""Commands that run the extractor: sweep on a file, eval on labelled messages, patterns check and why on language files."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from psychmem_py.cli import judge_option, output, phrase_report
from psychmem_py.cli.app import app, examples, group
from psychmem_py.cli.context import lines_of, workspace_of
from psychmem_py.cli.judge_option import JudgeOption
from psychmem_py.cli.progress import progress_bar
from psychmem_py.cli.reading import matcher, overlay
from psychmem_py.errors import PatternError
from psychmem_py.extraction import pattern_check, sweep_lines
from psychmem_py.languages import files

patterns = group("The language files that extraction works with.")
app.add_typer(patterns, name="patterns")


@app.command(epilog=examples('echo \'{"id": "1", "role": "user", "text": "We always deploy from main."}\' | psychmem sweep -'))
def sweep(
    file: Annotated[str, typer.Argument(metavar="FILE.jsonl|-", help='One {"id", "role", "text", "prev_assistant"} per line.')],
    judge: JudgeOption = "",
) -> None:
    """What would be kept of each message, what not, and why: one JSON line for each line. Uses no store, writes nothing."""
    workspace = workspace_of()
    lines = (
        judge_option.results(lines_of(file), workspace, judge)
        if judge
        else sweep_lines.results(lines_of(file), matcher(workspace, keep=False))
    )
    for line in lines:
        sys.stdout.write(line + "\n")


@patterns.command("check", epilog=examples("psychmem patterns check patterns/de.toml"))
def check(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="FILE.toml", help="Usual: all that are in use.")] = None,
) -> None:
    """Test language files against their own example sentences; exit 1 when one fails."""
    workspace = workspace_of()
    chosen = [files.read(path) for path in paths] if paths else files.load(overlay(workspace))
    gc.disable()  # all that is read stays to the end: looking for garbage in it would be a third of the time
    with progress_bar("checking", sum(pattern_check.examples(language) for language in chosen)) as step:
        problems = pattern_check.check(chosen, files.neutral(), step, names=files.shared()["list_names"])
    if workspace.json:
        counts = {language.code: pattern_check.phrases(language) for language in chosen}
        output.print_json({"phrases": counts, "problems": [str(problem) for problem in problems]})
    for problem in () if workspace.json else problems:
        output.say(str(problem))
    if not workspace.json:
        output.say("phrases: " + ", ".join(f"{language.code} {pattern_check.phrases(language)}" for language in chosen))
    if problems:
        raise PatternError(
            f"{len(problems)} of their own examples are not matched as the files say; correct the phrases or the examples"
        )
    if not workspace.json:
        output.say("All examples hold.")


@patterns.command("why", epilog=examples('psychmem patterns why "Please never commit generated files."'))
def why(text: Annotated[str, typer.Argument(metavar="TEXT", help="What somebody wrote.")]) -> None:
    """Which phrases match a text, and in which file and line each stands."""
    workspace = workspace_of()
    found = phrase_report.rows(text, matcher(workspace), overlay(workspace))
    return output.print_json(found) if workspace.json else phrase_report.show(found)


@app.command("eval", epilog=examples("psychmem eval labelled.jsonl"))
def eval_(
    file: Annotated[
        str, typer.Argument(metavar="FILE.jsonl|-", help='One {"role", "text", "labels": [{"span", "class"}]} per line.')
    ],
    judge: JudgeOption = "",
) -> None:
    """Measure the extractor on messages you have labelled: precision, recall, false alarms."""
    workspace = workspace_of()
    rows = list(sweep_lines.labelled(lines_of(file)))
    with progress_bar("sweeping", len(rows)) as step:
        done = iter(range(1, len(rows) + 1))
        found = (
            judge_option.figures(rows, workspace, judge)
            if judge
            else sweep_lines.figures(rows, matcher(workspace), lambda: step(next(done)))
        )
    if workspace.json:
        told: dict[str, dict[str, Any]] = {
            name: {"precision": f.precision, "recall": f.recall, "f1": f.f1, "false_per_100": f.false_per_100, **f._asdict()}
            for name, f in found.items()
        }
        return output.print_json(told)
    made = output.table("messages", "precision", "recall", "F1", "false/100", "hits", "misses", "false")
    for name, f in found.items():
        shares = [f"{100 * share:.0f}" for share in (f.precision, f.recall, f.f1)]
        made.add_row(name, *shares, f"{f.false_per_100:.1f}", str(f.hits), str(f.misses), str(f.false))
    output.out.print(made)
