"""Commands that show what is stored: list, show, search, history, stats. They change nothing."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from psychmem_py.cli import output, page
from psychmem_py.cli.app import EVERYDAY, LOOKING, app, examples
from psychmem_py.cli.context import AllProjects, Id, Json, ProjectOption, choice, class_of, day, here, lines_of
from psychmem_py.curation import history
from psychmem_py.errors import PsychMemError
from psychmem_py.judging import calls
from psychmem_py.memory import forgetting
from psychmem_py.memory.forgetting import State
from psychmem_py.model.records import Memory
from psychmem_py.model.statuses import LIVE
from psychmem_py.model.terms import Scope, Standing, Status, Tier
from psychmem_py.store import projects, rows, search
from psychmem_py.store.matches import Question

Statuses = Annotated[str, typer.Option("--status", metavar="NAME|all", help="Only this status; `all` for every one.")]
Class = Annotated[str, typer.Option("--class", metavar="CLASS", help="Only this class, e.g. constraint.")]
Tag = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; may be given again.")]
After = Annotated[str, typer.Option("--after", metavar="DATE", help="Only from this day on, e.g. 2026-03-01.")]


class Order(StrEnum):
    """What `list` may be sorted by, the greatest first."""

    CREATED = "created"
    UPDATED = "updated"
    IMPORTANCE = "importance"
    STRENGTH = "strength"


_ORDERS: dict[Order, Callable[[Memory], float]] = {
    Order.UPDATED: lambda memory: memory.updated_at,
    Order.IMPORTANCE: lambda memory: memory.importance,
    Order.STRENGTH: lambda memory: memory.strength,
}


@app.command("list", rich_help_panel=EVERYDAY, epilog=examples("psychmem list --class constraint --all-projects --json"))
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
    offset: Annotated[int, typer.Option("--offset", min=0, help="Leave out this many first.")] = 0,
    sort: Annotated[Order, typer.Option("--sort", help="Which come first.")] = Order.CREATED,
    tier: Annotated[Tier | None, typer.Option("--tier", help="Only this tier.")] = None,
    state: Annotated[State | None, typer.Option("--state", help="Only what is left of this much.")] = None,
    as_of: Annotated[
        str, typer.Option("--as-of", metavar="DATE", help="As the store was on that day, by when things were written.")
    ] = "",
    json_: Json = False,
) -> None:
    """What is remembered of you and of this project, newest first."""
    place = here(project)
    asked = [name for name, given in (("--class", kind), ("--tag", tag), ("--status", status), ("--after", after), ("--user", user),
             ("--pinned", pinned), ("--standing", standing), ("--as-of", as_of), ("--tier", tier), ("--state", state)) if given]  # fmt: skip
    with place.store() as db:
        names = projects.names(db)
        found = rows.listed(
            db,
            project=place.project_id,
            all_projects=all_projects,
            statuses=statuses(status),
            kinds=[class_of(kind)] if kind else (),
            scopes=[Scope.USER] if user else (),
            tags=tag or (),
            pinned=True if pinned else None,
            standings=[standing] if standing else (),
            after=day(after, "--after") if after else None,
            limit=-1,
        )
        if as_of:
            found = history.as_of(
                db,
                day(as_of, "--as-of"),
                project=place.project_id,
                all_projects=all_projects,
                statuses=statuses(status),
                kinds=[class_of(kind)] if kind else (),
            )
        if tier:
            found = [memory for memory in found if memory.tier is tier]
        if state:
            found = [memory for memory in found if forgetting.state_of(memory, place.now, place.settings) is state]
        if sort is not Order.CREATED:
            found = sorted(found, key=_ORDERS[sort], reverse=True)
        found = found[offset : offset + limit if limit else None]
        elsewhere = 0 if found else len(rows.listed(db, project=place.project_id, all_projects=all_projects or not asked))
    if json_:
        return output.print_json([output.row(memory) for memory in found])
    if not found:
        return output.say(_nothing(asked, elsewhere))
    output.memories(found, place.now, names)


@app.command(rich_help_panel=EVERYDAY, epilog=examples("psychmem show 3f2a91cc"))
def show(memory_id: Id, json_: Json = False) -> None:
    """One memory on a page: what, who said it and when, where it is told, how it fades, its links and its history."""
    from psychmem_py.briefing.fill_rule_index import held_to  # noqa: PLC0415  # reads rules in all languages; a list does without

    place = here()
    with place.store() as db:
        memory = rows.by_id(db, memory_id)
        evidence, links = rows.evidence(db, memory.id), rows.links(db, memory.id)
        tied_to = rows.several(db, [end for link in links for end in (link.source, link.target)])
        names, steps = projects.names(db), history.history(db, memory.id)
    told, tied = [output.evidence_row(found) for found in evidence], [output.link_row(found) for found in links]
    held = held_to(memory)
    if json_:
        return output.print_json({**output.row(memory), "evidence": told, "links": tied, "at_tool_calls": held})
    page.show(memory, evidence, links, steps, held=held, names=names, tied_to=tied_to, settings=place.settings, now=place.now)


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
        kinds=[class_of(kind)] if kind else (),
        after=day(after, "--after") if after else None,
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
        names = projects.names(db)
        if as_of:
            then = history.word_matches_as_of(
                db, query, day(as_of, "--as-of"), project=place.project_id, all_projects=all_projects, limit=limit
            )
            found = [(hit.memory, hit.share, False) for hit in then]
        else:
            found = [(hit.memory, hit.score, hit.weak) for hit in search.hits(db, question)]
    if json_:
        return output.print_json([{**output.row(memory), "score": score, "weak": weak} for memory, score, weak in found])
    if not found:
        return output.say("Nothing found." if all_projects else "Nothing found here; --all-projects looks everywhere.")
    if all(weak for _, _, weak in found):
        output.say("Nothing fits. The nearest, but weak:")
    output.memories([memory for memory, _, _ in found], place.now, names, [score for _, score, _ in found])


@app.command("history", rich_help_panel=LOOKING, epilog=examples("psychmem history 3f2a91cc"))
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
        different = history.differences(line.change)
        shown = " · ".join(str(part) for part in (entry["text"], different or entry["status"], line.change.reason) if part)
        made.add_row(str(line.seq), f"{entry['at']}"[:16].replace("T", " "), what, str(entry["who"]), output.cell(shown))
    output.out.print(made)


@app.command(rich_help_panel=LOOKING, epilog=examples("psychmem stats", "psychmem stats --all-projects"))
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
    return (choice(name, Status, "--status"),)


def _nothing(asked: Sequence[str], others: int) -> str:
    """Why a list is empty: because of what was asked for, because all there is is elsewhere, or because nothing is remembered."""
    if asked and others:
        return f"None of the {others} memories here fits {' '.join(asked)}; `psychmem list` shows them all."
    if others:
        return f"Nothing is remembered here, but {others} memories are in other projects; --all-projects shows them."
    return "Nothing is remembered yet; `psychmem remember TEXT` adds something, `psychmem backfill` reads what your agents still have."


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
