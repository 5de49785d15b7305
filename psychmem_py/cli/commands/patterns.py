"""Commands that run the extractor: sweep, eval, patterns check and why; and why: what led to a memory, or why there is none."""

from __future__ import annotations

import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, group, option
from psychmem_py.cli.context import Workspace, lines_of, usage_error_if
from psychmem_py.curation import explain, history
from psychmem_py.curation.pending import item_of, names_candidate, why_it_waits
from psychmem_py.errors import NotFoundError, PatternError
from psychmem_py.extraction import mask, sweep_lines
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.sweep import sweep as swept
from psychmem_py.judging import clients, understood
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher, languages_of
from psychmem_py.model.permission import Action
from psychmem_py.model.records import LinkType, Message, Origin, Role, Status, Verdict
from psychmem_py.model.settings import Settings
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import episodes
from psychmem_py.store.rows import evidence
from psychmem_py.text import folding, tokenizer

JudgeOption = Annotated[str, option("--judge COMMAND", "Have a reader read them: claude, opencode, or a program.")]
patterns = group(app, "patterns", "The language files that extraction works with.")
_PASSIVE = {LinkType.CAUSED: "caused by", LinkType.ENABLED: "enabled by", LinkType.SUPPORTS: "supported by"}
_CLAUSES = 20  # of a message that are looked for one by one
_LIKE_AN_ID = re.compile(r"(?=[a-f]{0,31}\d)[0-9a-f]{4,32}")


def rows(text: str, matcher: Matcher) -> list[dict[str, Any]]:
    """One row for each clause of `text`: its words and each phrase, also of word lists, that its likely languages find in it."""
    hidden = mask.masked(text)
    folded = folding.fold(hidden)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    found: list[dict[str, Any]] = []
    for clause in clauses(hidden, [word for code in codes for word in matcher.languages[code].abbreviations]):
        written, phrases = text[clause.start : clause.end], []
        hits = matcher.hits(folded[clause.start : clause.end], codes)
        for hit in sorted(hits, key=lambda one: (one.start, one.end, one.group, one.name, one.phrase)):
            found_words = {"words": written[hit.start : hit.end], "phrase": hit.phrase}
            phrases.append({"language": hit.language, "family": f"{hit.group}.{hit.name}", **found_words})
        found.append({"clause": written, "phrases": phrases})
    return found


@app.command()
def sweep(
    workspace: Workspace,
    file: Annotated[str, argument("FILE.jsonl|-", 'One {"id", "role", "text", "prev_assistant"} per line.')],
    judge: JudgeOption = "",
) -> None:
    """What would be kept of each message, and why, as JSON lines. Goes by your settings, uses no store, writes nothing."""
    if not judge:
        lines = sweep_lines.results(lines_of(file), workspace.matcher(keep=False), workspace.settings)
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    entries = list(sweep_lines.entries_in(lines_of(file)))
    with _with_reader(entries, workspace, judge) as verdicts:
        sys.stdout.writelines(f"{line}\n" for line in map(sweep_lines.result, entries, verdicts))


@patterns.command("check")
def check(
    workspace: Workspace, paths: Annotated[list[Path] | None, argument("FILE.toml …", "Default: all that are in use.")] = None
) -> None:
    """Test language files against their own example sentences. Exit 1 when one fails."""
    chosen = [files.read(path) for path in paths] if paths else files.load(files.overlay_of(workspace.directories))
    with output.progress_bar("checking", len(chosen)) as step:
        problems = sweep_lines.check(chosen, files.neutral(), step, names=files.shared()["list_names"])
    counts = {language.code: sweep_lines.phrases(language) for language in chosen}
    listed = "phrases: " + ", ".join(f"{code} {number}" for code, number in counts.items())
    told = [str(problem) for problem in problems]
    workspace.answer({"phrases": counts, "problems": told}, *(told or ["All examples hold."]), listed)
    if problems:
        wrong = f"{len(problems)} of their own examples are not matched as the files say"
        raise PatternError(f"{wrong}; correct the phrases or the examples")


@patterns.command("why")
def phrases(workspace: Workspace, text: Annotated[str, argument("TEXT", "What somebody wrote.")]) -> None:
    """Which phrases match a text, and of which family each is."""
    found, lines = rows(text, workspace.matcher()), list[str]()
    for clause in found:
        told = [f'  {one["language"]}  {one["family"]}  "{one["words"]}"\n      {one["phrase"]}' for one in clause["phrases"]]
        lines += [clause["clause"], *(told or ["  no phrase matches"])]
    workspace.answer(found, *lines)


@app.command("eval")
def eval_(
    workspace: Workspace,
    file: Annotated[str, argument("FILE.jsonl|-", 'One {"role", "text", "labels": [{"span", "class"}]} per line.')],
    judge: JudgeOption = "",
) -> None:
    """Measure what is kept on messages you have labelled. Precision, recall, false alarms."""
    rows = list(sweep_lines.labelled(lines_of(file)))
    matcher, settings = workspace.matcher(), workspace.settings
    alone = (swept([sweep_lines.message_of(row)], matcher, settings) for row in rows)
    with _with_reader(rows, workspace, judge) if judge else nullcontext(alone) as verdicts:
        workspace.show(sweep_lines.counted(zip(rows, verdicts, strict=True)))


@contextmanager
def _with_reader(entries: list[dict[str, Any]], workspace: Workspace, command: str) -> Iterator[Iterable[list[Verdict]]]:
    """The verdicts on each message after a reader's look, entries of one `session` read together; exit 1 if one failed."""
    settings = workspace.settings.judge
    clients.program(command, settings.small_model, workspace.env, "")  # one that is not there is told before anything is swept

    def ask(request: str) -> str:
        with tempfile.TemporaryDirectory(prefix="psychmem-judge-") as folder:
            program = clients.program(command, settings.small_model, workspace.env, folder)
            return clients.answer(program, request, env=workspace.env, folder=folder, timeout_s=settings.call_timeout_s)

    messages, sessions = [*map(sweep_lines.message_of, entries)], [str(entry.get("session") or "") for entry in entries]
    verdicts, failures = understood.read(messages, sessions, ask, workspace.matcher(), workspace.settings)
    output.warn(*(f"{one}; the rules' own verdicts stand" for one in dict.fromkeys(map(str, failures))))
    yield verdicts
    if failures:
        raise typer.Exit(1)


@app.command(here=True)
def why(
    workspace: Workspace,
    words: Annotated[list[str] | None, argument("ID|TEXT …", "A memory: why it was kept, what led to it; or a sentence.")] = None,
    not_: Annotated[str, option("--not TEXT", hidden=True)] = "",
) -> None:
    """Why something was kept, or why a sentence was not."""
    asked = " ".join(words or ())
    usage_error_if(bool(asked) == bool(not_), "give either an ID or a sentence", "ID")
    with workspace.reading() as db:
        try:
            memory = None if not_ else workspace.who.find(db, asked)
        except NotFoundError:
            if _LIKE_AN_ID.fullmatch(asked):
                raise
            memory = None
        if memory is None:
            asked = item_of(db, asked, workspace.who).text if names_candidate(asked) else asked
            return _tell_why_not(workspace, db, not_ or asked)
        causes = [step for step in history.why(db, memory.id) if workspace.who.may(Action.LOOK, step.memory)]
        reasons = explain.gates(memory, evidence(db, memory.id))
    steps = [{"depth": cause.depth, "type": cause.link.type.value, **output.row(cause.memory)} for cause in causes]
    known = [(one, _PASSIVE.get(one.link.type, one.link.type.value)) for one in causes]
    lines = (f"{'  ' * one.depth}{how} {output.short(one.memory.id)} {one.memory.text}" for one, how in known)
    told = {"id": memory.id, "text": memory.text, "reasons": reasons, "causes": steps}
    return workspace.answer(told, memory.text, *reasons, *lines)


def _tell_why_not(workspace: Workspace, db: sqlite3.Connection, text: str) -> None:
    read = workspace.matcher()
    matched = rows(text, read)
    found = explain.why_not(db, text, project=workspace.project, now=workspace.now)
    if not any(found._replace(near=())):  # each statement of a message has a fate of its own
        parts = [explain.why_not(db, one["clause"], project=workspace.project, now=workspace.now) for one in matched[:_CLAUSES]]
        merged = (tuple(dict.fromkeys(one for part in group for one in part)) for group in zip(*parts, strict=True))
        found = explain.WhyNot(*merged)._replace(near=found.near) if parts else found
    judged = _verdict(text, read, workspace.settings) if not any(found._replace(near=())) else ""
    refused = (*found.turned_down, *found.waiting)
    rejected = [output.picked(one, "reason", text=one.candidate.text, gate=one.gate, at=output.iso(one.at)) for one in refused]
    kept, near = ([output.row(one) for one in those] for those in (found.kept, found.near))
    lines = list[str]()
    for how, memories in (("It is kept", found.kept), ("Not this, but near it", found.near)):
        for memory in memories:
            pending = memory.status is Status.QUARANTINED
            status = f"needs your approval: {why_it_waits(memory)}; `psychmem review`" if pending else memory.status.value
            lines.append(f"{how}: {output.short(memory.id)} ({status}) {memory.text}")
    for one in found.turned_down:
        lines.append(f"Not kept ({one.reason.replace('_', ' ')}), {output.minute(one.at)}: {one.candidate.text}")
    lines += [f"Pending until said again, since {output.minute(one.at)}: {one.candidate.text}" for one in found.waiting]
    if judged:
        earlier = (hit.episode for hit in episodes.search(db, text, workspace.project_id))
        said = next((one.at for one in earlier if explain.says(one.typed, tokenizer.subject(text))), None)
        heard = f"You said it, {output.minute(said)}, and it was not kept" if said else "Nobody said it lately"
        lines.append(f"{heard}; if you said it now, {judged}.")
    for clause in matched:  # `patterns why` shows them whole, with the lists of words
        phrases = ((one["words"], one["family"].split(".")) for one in clause["phrases"])
        named = ((words, family[-1]) for words, family in phrases if family[0] != "lexicon")
        told = dict.fromkeys(f'"{words}" ({explain.KINDS.get(name, name.replace("_", " "))})' for words, name in named)
        lines += [f"what speaks for or against it: {', '.join(told)}"] if told else []
    workspace.answer({"kept": kept, "near": near, "rejected": rejected, "now": judged, "matched": matched}, *lines)


def _verdict(text: str, matcher: Matcher, settings: Settings) -> str:
    if not (found := swept([Message("", Role.USER, Origin.USER_PROMPT, text)], matcher, settings)):
        return "it would not be kept: it does not sound lasting; `psychmem remember` keeps it anyway"
    if (best := max(found, key=lambda verdict: verdict.is_kept)).waiting:
        return "it would be pending until said again"
    refused = f"not be kept ({best.reason.replace('_', ' ')})" if best.gate else ""
    return f"it would {refused or f'be kept ({CLASS_LABELS[best.candidate.kind]})'}"
