"""psychmem list: what is remembered, chosen and sorted."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, examples, option
from psychmem_py.cli.context import AllProjects, OnScreen, choice, class_of, day, on_screen, statuses, workspace_of
from psychmem_py.model.records import Memory, Store, Tier
from psychmem_py.store import overview, rows


class Order(StrEnum):
    """What a list may be sorted by, the greatest first."""

    CREATED = "created"
    UPDATED = "updated"
    IMPORTANCE = "importance"
    STRENGTH = "strength"


@app.command(
    "list",
    epilog=examples("list", "list deploy staging --all-projects", "list --class constraint --sort strength --json"),
    here=True,
)
def list_(
    words: Annotated[list[str] | None, argument("WORDS", 'Find these, in any language; "a phrase" in quotes.')] = None,
    all_projects: AllProjects = False,
    status: Annotated[str, option("--status NAME|all", "Only this status; `all` for every one.")] = "",
    kind: Annotated[str, option("--class CLASS", "Only this class, e.g. constraint.")] = "",
    tag: Annotated[list[str] | None, option("--tag WORD", "Only with this tag; may be given again.")] = None,
    after: Annotated[str, option("--after DATE", "Only from this day on, e.g. 2026-03-01.")] = "",
    user: Annotated[bool, option("--user", "Only memories that hold in every project.")] = False,
    pinned: Annotated[bool, option("--pinned", "Only pinned ones.")] = False,
    store: Annotated[str, option("--store", "What was said once (stm), or is confirmed (ltm).", metavar="|".join(Store))] = "",
    limit: Annotated[int, option("--limit -n", "At most this many; 0: all.", min=0)] = 0,
    offset: Annotated[int, option("--offset", "Skip this many first.", min=0)] = 0,
    sort: Annotated[Order, option("--sort", "Which come first; a search: by its fit, or strength.")] = Order.CREATED,
    tier: Annotated[str, option("--tier", "Only this tier.", metavar="|".join(Tier))] = "",
    today: Annotated[bool, option("--today", "What was kept today, needs approval, or is about to fade.")] = False,
    alike: Annotated[bool, option("--alike", "Groups that say nearly the same.")] = False,
    least: Annotated[float | None, option("--link 0..1", "With --alike: how alike two must be.", min=0.3, max=1)] = None,
    rules: Annotated[bool, option("--rules", "Rules, with the tool calls each is shown at.")] = False,
    figures: Annotated[bool, option("--figures", "The store in figures.")] = False,
    all_known: Annotated[bool, option("--projects", "Every project there is.")] = False,
    screen: OnScreen = False,
    batch: Annotated[str, option("--batch FILE.jsonl|-", 'Find each {"id", "query", "limit"?} of a file.')] = "",
    follow: Annotated[bool, option("--follow", "With WORDS: also what is linked to what fits.")] = False,
    file: Annotated[str, option("--file NAME", "With WORDS: what names this file, or conversations that edited it.")] = "",
    conversations: Annotated[bool, option("--conversations", "With WORDS: earlier conversations alone.")] = False,
) -> None:
    """What is remembered here; with WORDS, what fits them best."""
    workspace = workspace_of()
    if screen:
        return on_screen(workspace, "memories", all_projects=all_projects)
    if today or alike or rules or figures or all_known:
        from psychmem_py.cli import views  # noqa: PLC0415  # 20 ms that a list does without

        alike_ones = partial(views.alike, least=least)
        asked_for = ((today, views.today), (alike, alike_ones), (rules, views.rules), (figures, views.figures))
        view = next((view for wanted, view in asked_for if wanted), None)
        return view(workspace, all_projects=all_projects) if view else views.known_projects(workspace)
    query = " ".join([*(words or ()), f"file:{file}" if file else ""]).strip()
    if (words and not query) or (query and batch):
        raise typer.BadParameter("give either WORDS or --batch FILE.jsonl", param_hint="WORDS")
    kinds, since = [class_of(kind)] if kind else [], day(after, "--after") if after else None
    narrow: dict[str, Any] = {"all_projects": all_projects, "statuses": statuses(status), "kinds": kinds, "after": since}
    wanted = {"store": store and choice(store, Store, "--store"), "tier": tier and choice(tier, Tier, "--tier")}
    narrowed = bool(tag or user or pinned or store or tier)

    def fits(memory: Memory) -> bool:
        held = all(word in memory.tags for word in tag or ()) and (not user or memory.project is None)
        return held and (not pinned or memory.pinned) and all(getattr(memory, name) is one for name, one in wanted.items() if one)

    if query or batch:
        from psychmem_py.cli.views import search  # noqa: PLC0415  # 30 ms that a list does without
        from psychmem_py.store.matches import Question  # noqa: PLC0415

        question = Question(query, workspace.project_id, workspace.now, limit=limit, **narrow)
        more: dict[str, Any] = {"batch": batch, "follow": follow, "conversations": conversations}
        return search(workspace, question, fits=fits if narrowed else None, by_strength=sort is Order.STRENGTH, **more)
    options = {"--class": kind, "--tag": tag, "--status": status, "--after": after, "--user": user, "--pinned": pinned,
               "--store": store, "--tier": tier, "--offset": offset}  # fmt: skip
    given = [name for name, value in options.items() if value]
    with workspace.reading() as db:
        names = overview.project_names(db)
        found = [memory for memory in rows.listed(db, project=workspace.project_id, **narrow) if fits(memory)]
        if sort is not Order.CREATED:
            field = "updated_at" if sort is Order.UPDATED else sort.value
            found = sorted(found, key=lambda memory: getattr(memory, field), reverse=True)
        found = found[offset : offset + limit if limit else None]
        elsewhere = 0 if found else len(rows.listed(db, project=workspace.project_id, all_projects=all_projects or not given))
    if workspace.json:
        return output.print_json([output.row(memory) for memory in found])
    if not found:
        return output.say(_nothing(given, elsewhere))
    return output.memories(found, workspace.now, names)


def _nothing(given: Sequence[str], others: int) -> str:
    """Why a list is empty: because of what was asked for, because all there is is elsewhere, or because nothing is remembered."""
    one = others == 1
    if given and others:
        which = "The one memory here does not fit" if one else f"None of the {others} memories here fits"
        return f"{which} {' '.join(given)}; `psychmem list` shows them all."
    if others:
        there = f"{output.some_memories(others)} {'is' if one else 'are'} in other projects"
        return f"Nothing is remembered here, but {there}; --all-projects shows {'it' if one else 'them'}."
    how = "`psychmem remember TEXT` adds something, `psychmem import --conversations` reads what your agents still have."
    return f"Nothing is remembered yet; {how}"
