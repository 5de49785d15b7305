"""Commands that show what is stored: list, show, search, history, stats, review. They change nothing."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import EVERYDAY, LOOKING, app
from psychmem_py.cli.context import AllProjects, Id, Json, ProjectOption, day, here, lines_of
from psychmem_py.curation import history
from psychmem_py.errors import PsychMemError
from psychmem_py.judging import calls
from psychmem_py.model.classes import kind_of
from psychmem_py.model.statuses import LIVE
from psychmem_py.model.terms import Scope, Standing, Status
from psychmem_py.store import rows, search
from psychmem_py.store.matches import Question

Statuses = Annotated[str, typer.Option("--status", metavar="NAME|all", help="Only this status; `all` for every one.")]
Class = Annotated[str, typer.Option("--class", metavar="CLASS", help="Only this class, e.g. constraint.")]
Tag = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; may be given again.")]
After = Annotated[str, typer.Option("--after", metavar="DATE", help="Only from this day on, e.g. 2026-03-01.")]


@app.command("list", rich_help_panel=EVERYDAY, epilog="psychmem list --class constraint --all-projects --json")
def list_(
    project: ProjectOption = None,
    all_projects: AllProjects = False,
    status: Statuses = "",
    kind: Class = "",
    tag: Tag = None,
    after: After = "",
    user: Annotated[bool, typer.Option("--user", help="Only memories that hold in every project.")] = False,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned ones.")] = False,
    standing: Annotated[
        Standing | None,
        typer.Option("--standing", help="Only what was heard once, or only what has been borne out.", show_choices=True),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most this many; 0: all.")] = 0,
    as_of: Annotated[str, typer.Option("--as-of", metavar="DATE", help="As it was on that day.")] = "",
    json_: Json = False,
) -> None:
    """What is remembered of you and of this project, newest first."""
    place = here(project)
    with place.store() as db:
        found = rows.listed(
            db,
            project=place.project_id,
            all_projects=all_projects,
            statuses=statuses(status),
            kinds=[kind_of(kind)] if kind else (),
            scopes=[Scope.USER] if user else (),
            tags=tag or (),
            pinned=True if pinned else None,
            standings=[standing] if standing else (),
            after=day(after) if after else None,
            limit=limit or -1,
        )
        if as_of:
            found = history.as_of(
                db,
                day(as_of),
                project=place.project_id,
                all_projects=all_projects,
                statuses=statuses(status),
                kinds=[kind_of(kind)] if kind else (),
            )[: limit or None]
    if json_:
        return output.print_json([output.row(memory) for memory in found])
    if not found:
        return output.say(
            "Nothing is remembered here yet; `psychmem remember TEXT` adds something, and so does working with your agent."
        )
    output.memories(found, place.now)


@app.command(rich_help_panel=EVERYDAY, epilog="psychmem show 3f2a91cc")
def show(memory_id: Id, json_: Json = False) -> None:
    """One memory with its evidence and links."""
    from psychmem_py.briefing.fill_rule_index import held_to  # noqa: PLC0415  # reads rules in all languages; a list does without

    place = here()
    with place.store() as db:
        memory = rows.by_id(db, memory_id)
        evidence, links = rows.evidence(db, memory.id), rows.links(db, memory.id)
    told, tied = [output.evidence_row(found) for found in evidence], [output.link_row(found) for found in links]
    held = held_to(memory)
    if json_:
        return output.print_json({**output.row(memory), "evidence": told, "links": tied, "at_tool_calls": held})
    output.out.print(output.cell(memory.text), soft_wrap=True)
    output.details(
        (name, _plain(value)) for name, value in output.row(memory).items() if name != "text" and value not in ("", [], {}, None)
    )
    if held:
        output.say(f"at tool calls: {held}")
    for found in evidence:
        said = f': "{found.quote}"' if found.quote else ""
        output.say(f"evidence: {output.iso(found.at)} {found.method} ({found.origin.value}){said}")
    for link in links:
        output.say(f"link: {output.short(link.source)} {link.type.value} {output.short(link.target)}")


@app.command(
    "search", rich_help_panel=EVERYDAY, epilog="psychmem search 'deploy staging' · psychmem search --batch queries.jsonl"
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
    status: Statuses = "",
    kind: Class = "",
    after: After = "",
    limit: Annotated[int, typer.Option("--limit", "-n", min=0, help="At most this many; 0: the setting retrieval_limit.")] = 0,
    as_of: Annotated[str, typer.Option("--as-of", metavar="DATE", help="What a search would have found on that day.")] = "",
    json_: Json = False,
) -> None:
    """Find memories by words, best first."""
    if bool(query.strip()) == bool(batch):
        raise typer.BadParameter("give either QUERY or --batch FILE.jsonl", param_hint="QUERY")
    place = here(project)
    limit = limit or place.settings.retrieval.retrieval_limit
    question = Question(
        query,
        place.project_id,
        place.now,
        all_projects=all_projects,
        statuses=statuses(status),
        kinds=[kind_of(kind)] if kind else (),
        after=day(after) if after else None,
        limit=limit,
        retrieval=place.settings.retrieval,
    )
    with place.store() as db:
        if batch:
            for given in _queries(batch):
                hits = search.hits(db, question._replace(text=given["query"], limit=given.get("limit", limit)))
                results = [{"id": hit.memory.id, "score": hit.score, "weak": hit.weak} for hit in hits]
                sys.stdout.write(json.dumps({"id": given.get("id"), "results": results}) + "\n")
            return
        if as_of:
            then = history.word_matches_as_of(
                db, query, day(as_of), project=place.project_id, all_projects=all_projects, limit=limit
            )
            found = [(hit.memory, hit.share, False) for hit in then]
        else:
            found = [(hit.memory, hit.score, hit.weak) for hit in search.hits(db, question)]
    if json_:
        return output.print_json([{**output.row(memory), "score": score, "weak": weak} for memory, score, weak in found])
    if not found:
        return output.say("Nothing found.")
    if all(weak for _, _, weak in found):
        output.say("Nothing fits. The nearest, but weak:")
    output.memories([memory for memory, _, _ in found], place.now, [score for _, score, _ in found])


@app.command("history", rich_help_panel=LOOKING)
def history_(memory_id: Id, json_: Json = False) -> None:
    """Everything that ever happened to a memory, oldest first."""
    place = here()
    with place.store() as db:
        lines = history.history(db, memory_id)
    entries = [output.logged_row(line) for line in lines]
    if json_:
        return output.print_json(entries)
    made = output.table("seq", "when", "what", "who", "text")
    for entry, line in zip(entries, lines, strict=True):
        what = f"{entry['type']}{' (undone)' if line.undone else ''}"
        shown = " · ".join(str(part) for part in (entry["text"], entry["status"], line.change.reason) if part)
        made.add_row(str(line.seq), f"{entry['at']}"[:16].replace("T", " "), what, str(entry["who"]), output.cell(shown))
    output.out.print(made)


@app.command(rich_help_panel=LOOKING)
def review(project: ProjectOption = None, all_projects: AllProjects = False, json_: Json = False) -> None:
    """What waits for you: rules that no person stated, until you say `psychmem accept ID` or `psychmem forget ID`."""
    place = here(project)
    with place.store() as db:
        found = rows.listed(db, project=place.project_id, all_projects=all_projects, statuses=[Status.QUARANTINED])
    if json_:
        return output.print_json([output.row(memory) for memory in found])
    if not found:
        return output.say("Nothing waits for review.")
    output.memories(found, place.now)
    output.say("`psychmem accept ID` makes one a memory, `psychmem forget ID` drops it.")


@app.command(rich_help_panel=LOOKING)
def stats(project: ProjectOption = None, all_projects: AllProjects = False, json_: Json = False) -> None:
    """How many memories there are, by class, scope, store and status."""
    place = here(project)
    with place.store() as db:
        counts = rows.counts(db, project=place.project_id, all_projects=all_projects)
    by: dict[str, Counter[str]] = {name: Counter() for name in ("status", "class", "scope", "store")}
    for key, number in counts.items():
        for name, value in zip(by, key, strict=True):
            by[name][value] += number
    total = sum(counts.values())
    judged = calls.read(place.places.data).totals(or_none=not place.settings.judge.by)
    if json_:
        told = {"total": total, **{f"by_{name}": dict(found) for name, found in by.items()}}
        return output.print_json({**told, "judge": judged} if judged else told)
    output.say(f"{total} memories")
    output.details(
        (name, ", ".join(f"{value} {number}" for value, number in found.most_common()) or "none") for name, found in by.items()
    )
    if judged:
        output.details([("judge", ", ".join(f"{name} {number}" for name, number in judged.items()))])


def statuses(name: str) -> Sequence[str]:
    """The statuses a --status option asks for; without one those that are shown."""
    if not name:
        return LIVE
    if name == "all":
        return tuple(Status)
    if name not in set(Status):
        raise typer.BadParameter(f"there is no status {name!r}; use all, {', '.join(Status)}", param_hint="--status")
    return (Status(name),)


def _queries(source: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines_of(source), 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
            fits = isinstance(asked, dict) and isinstance(asked.get("query"), str) and isinstance(asked.get("limit", 1), int)
        except ValueError:
            fits = False
        if not fits:
            raise PsychMemError(f'line {number} of {source} is no query; write {{"id": "1", "query": "words"}}')
        yield asked


def _plain(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}={entry}" for key, entry in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)
