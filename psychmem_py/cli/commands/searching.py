"""psychmem search: memories by words, best first; one question or a file of them."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import EVERYDAY, app, examples
from psychmem_py.cli.context import (
    AllProjects,
    Json,
    OnlyAfter,
    OnlyClass,
    OnlyPinned,
    OnlyState,
    OnlyStatus,
    OnlyTag,
    OnlyUser,
    ProjectOption,
    Workspace,
    choice,
    class_of,
    day,
    lines_of,
    statuses,
    workspace_of,
)
from psychmem_py.curation import history, links
from psychmem_py.curation.documents import Library
from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import data_folder
from psychmem_py.memory import forgetting
from psychmem_py.memory.forgetting import Band
from psychmem_py.model.records import Memory
from psychmem_py.recall import documents
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import projects
from psychmem_py.store.matches import Question
from psychmem_py.vectors import by_meaning

_NARROWED = 1_000  # hits among which those are looked for that an option asks for
_SECTION_LINES = 12  # of a section, on the screen


class Rank(StrEnum):
    """What decides the order of a search."""

    FIT = "fit"
    STRENGTH = "strength"


@app.command(
    "search",
    rich_help_panel=EVERYDAY,
    epilog=examples("psychmem search 'deploy staging'", "psychmem search --batch queries.jsonl"),
)
def search_(
    query: Annotated[str, typer.Argument(metavar="QUERY", help='Words, in any language; "a phrase" in quotes.')] = "",
    batch: Annotated[
        str,
        typer.Option(
            "--batch", metavar="FILE.jsonl|-", help='One {"id", "query", "limit"?} per line; prints one result per line.'
        ),
    ] = "",
    project: ProjectOption = None,
    all_projects: AllProjects = False,
    status: OnlyStatus = "",
    kind: OnlyClass = "",
    tag: OnlyTag = None,
    after: OnlyAfter = "",
    user: OnlyUser = False,
    pinned: OnlyPinned = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most this many; 0: the setting retrieval_limit.")] = 0,
    concept: Annotated[
        list[str] | None, typer.Option("--concept", help="Must be in it, as a phrase; give several for all of them.")
    ] = None,
    state: OnlyState = "",
    by: Annotated[Rank, typer.Option("--by", help="By how well it fits, or by what is left of its strength.")] = Rank.FIT,
    follow: Annotated[bool, typer.Option("--follow", help="Also what the hits are linked to, one step on.")] = False,
    as_of: Annotated[str, typer.Option("--as-of", metavar="DATE", help="What a search would have found on that day.")] = "",
    in_documents: Annotated[
        bool, typer.Option("--documents", help="Sections of this project's Markdown files instead; `--anchor` for those alone.")
    ] = False,
    anchor: Annotated[
        list[str] | None, typer.Option("--anchor", help="Only what stands between <!-- ANCHOR:name --> marks.")
    ] = None,
    json_: Json = False,
) -> None:
    """Find memories by words, best first."""
    query = " ".join([query, *(f'"{one}"' for one in concept or ())]).strip()
    if bool(query.strip()) == bool(batch):
        raise typer.BadParameter("give either QUERY or --batch FILE.jsonl", param_hint="QUERY")
    workspace = workspace_of(project)
    if in_documents or anchor:
        return _in_documents(workspace, query, anchor or (), limit or workspace.settings.retrieval.retrieval_limit, json_=json_)
    limit = limit or workspace.settings.retrieval.retrieval_limit
    band = choice(state, Band, "--state") if state else None
    narrowed = bool(tag or user or pinned or band)
    question = Question(
        query,
        workspace.project_id,
        workspace.now,
        all_projects=all_projects,
        statuses=statuses(status),
        kinds=[class_of(kind)] if kind else (),
        after=day(after, "--after") if after else None,
        limit=limit,
        retrieval=workspace.settings.retrieval,
        class_weights=workspace.settings.search_weights,
    )
    with workspace.looking() as db:

        def fitting(words: str, most: int) -> list[_Found]:
            asked = question._replace(text=words, limit=max(most, _NARROWED) if narrowed else most)
            found = _then(db, asked, day(as_of, "--as-of")) if as_of else _hits(db, workspace, asked)
            return [
                one
                for one in found
                if set(tag or ()) <= set(one[0].tags)
                and (one[0].project is None or not user)
                and (one[0].pinned or not pinned)
                and (not band or forgetting.state_of(one[0], workspace.now, workspace.settings) is band)
            ][:most]

        if batch:
            return _answer(batch, limit, fitting)
        names = projects.names(db)
        found = fitting(query, limit)
        if by is Rank.STRENGTH:
            left = {one.id: forgetting.strength_now(one, workspace.now, workspace.settings) for one, _, _ in found}
            found = sorted(((one, left[one.id], weak) for one, _, weak in found), key=lambda hit: -hit[1])
        memories = [one for one, _, _ in found]
        linked = links.one_step(db, memories, project=workspace.project_id, all_projects=all_projects) if follow else []
    if json_:
        told = [{**output.row(memory), "score": score, "weak": weak} for memory, score, weak in found]
        return output.print_json([*told, *({**output.row(step.memory), "linked": step.how, "to": step.hit} for step in linked)])
    if not found:
        return output.say("Nothing found." if all_projects else "Nothing found here; --all-projects looks everywhere.")
    if all(weak for _, _, weak in found):
        output.say("Nothing fits. The nearest, but weak:")
    output.memories(memories, workspace.now, names, [score for _, score, _ in found])
    for step in linked:
        output.say(f"{output.short(step.memory.id)} ({step.how} {output.short(step.hit)}): {step.memory.text}")


def _in_documents(workspace: Workspace, query: str, anchors: Sequence[str], limit: int, *, json_: bool) -> None:
    """Prints the sections of the project's documents that answer a question, best first."""
    if workspace.project is None:
        raise PsychMemError("documents belong to a project, and here is none; run this inside one or give --project")
    library = Library(workspace.project.root)
    library.look()
    from psychmem_py.safety.secrets import redact  # noqa: PLC0415  # 8 ms of CPU: documents of a repository alone, memories are without

    found = documents.found(library.documents, query, anchors=anchors, limit=limit)
    rows = [
        {
            "path": hit.document.path,
            "type": hit.document.kind,
            "anchor": hit.section.anchor,
            "heading": clean(hit.section.heading),
            "score": round(hit.score, 4),
            "text": redact(clean(hit.section.text)),
        }
        for hit in found
    ]
    if json_:
        return output.print_json(rows)
    for row in rows:
        output.say(f"{row['path']}{'#' if row['heading'] else ''}{row['heading']}")
        output.say("\n".join(f"    {line}" for line in str(row["text"]).splitlines()[:_SECTION_LINES]))
    if not rows:
        output.say(f"Nothing found in {len(library.documents)} Markdown files of {workspace.project.name}.")


_Found = tuple[Memory, float, bool]  # with its score, and whether it is weak


def _hits(db: sqlite3.Connection, workspace: Workspace, question: Question) -> list[_Found]:
    hits = by_meaning.hits(db, question, database=str(workspace.database), data=data_folder(workspace.env))
    return [(hit.memory, hit.score, hit.weak) for hit in hits]


def _then(db: sqlite3.Connection, question: Question, at: float) -> list[_Found]:
    """What the question would have found at `at`."""
    hits = history.word_matches_as_of(
        db,
        question.text,
        at,
        project=question.project,
        all_projects=question.all_projects,
        statuses=question.statuses,
        kinds=question.kinds,
        after=question.after,
        limit=question.limit,
    )
    return [(hit.memory, hit.share, False) for hit in hits]


def _answer(source: str, limit: int, fitting: Callable[[str, int], list[_Found]]) -> None:
    """Prints what each question of a file finds, one line for each."""
    for given in _queries(source):
        found = fitting(given["query"], given.get("limit") or limit)
        results = [{"id": memory.id, "score": score, "weak": weak} for memory, score, weak in found]
        sys.stdout.write(json.dumps({"id": given.get("id"), "results": results}) + "\n")


def _queries(source: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines_of(source), 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
            fits = isinstance(asked, dict) and isinstance(asked.get("query"), str) and _is_limit(asked.get("limit"))
        except (ValueError, RecursionError):
            fits = False
        if not fits:
            raise PsychMemError(f'line {number} of {source} is no query; write {{"id": "1", "query": "words"}}')
        yield asked


def _is_limit(given: object) -> bool:
    """Whether it is what --limit takes: a number from 0 on, or nothing."""
    return given is None or (isinstance(given, int) and not isinstance(given, bool) and given >= 0)
