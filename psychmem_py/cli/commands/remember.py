"""psychmem remember: a statement kept by hand, or on an agent's word."""

from __future__ import annotations

import sqlite3
from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, examples, option
from psychmem_py.cli.context import Class, Metadata, Tags, Until, User, Workspace, class_of, end, fields, workspace_of
from psychmem_py.cli.outcomes import tell
from psychmem_py.curation.act import Who
from psychmem_py.curation.remember import Entry
from psychmem_py.curation.remember import remember as remember_entry
from psychmem_py.curation.rule_wording import RULE
from psychmem_py.errors import RefusedError
from psychmem_py.memory.admission import DOUBT, NO_PROJECT
from psychmem_py.model.classes import span_of, tag_of
from psychmem_py.model.records import RULES, Kind, Origin, Scope, Status
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import overview
from psychmem_py.text.dates import DAY_S


@app.command(
    epilog=examples(
        'remember "Deploy only from main" --class constraint --project .',
        'remember "I like short answers" --user',
        'remember "I moved to Oslo" --replaces "where I live"',
        'in an agent: psychmem remember "Use pnpm" --quote "please use pnpm, not npm"',
    ),
    writes=True,
    here=True,
)
def remember(
    text: Annotated[str, argument("TEXT", "One statement.")],
    kind: Class = "",
    user: User = False,
    tag: Tags = None,
    metadata: Metadata = None,
    until: Until = "",
    replaces: Annotated[
        str, option("--replaces ID|WORDS", "What it replaces; of a statement that says two things only that part.")
    ] = "",
    pin: Annotated[bool, option("--pin", "It never fades and is always shown.")] = False,
    quote: Annotated[
        str, option("--quote WORDS", "For agents: the person's own words; found in the conversation, they count as said by them.")
    ] = "",
) -> None:
    """Keep a statement."""
    workspace = workspace_of()
    if user and workspace.placed:
        raise typer.BadParameter("give either --user or --project", param_hint="--user")
    with workspace.acting() as mine:
        act = mine._replace(who=_speaker(mine.db, workspace, text, quote))
        class_, usual_scope = _class_and_scope(workspace, act.who, text, kind, placed=user or workspace.placed)
        scope = Scope.USER if user else Scope.PROJECT if workspace.placed else usual_scope
        if scope is Scope.PROJECT and workspace.project is None:
            if workspace.placed or not act.who.is_person:
                raise RefusedError("this belongs to a project, and here is none; run it inside one or say --user")
            of_people = not kind or workspace.settings.policy(class_).scope is Scope.USER
            if of_people and not _speaks_of_a_project(workspace, text):
                scope = Scope.USER  # else it waits: who says "in this project" does not mean all of them
        if workspace.project:
            overview.see_project(act.db, *workspace.project, workspace.now)
        owner = workspace.project_id if scope is Scope.PROJECT else None
        span_d = span_of(kind)
        ends = end(until, workspace.now) or (workspace.now + span_d * DAY_S if span_d else None)
        tags, placed = (*(tag or ()), *tag_of(kind)), user or workspace.placed
        entry = Entry(text, class_, scope, owner, quote, tags=tags, metadata=fields(metadata), pinned=pin, expires_at=ends)
        entry = entry._replace(here=workspace.project_id, placed=placed, replaces=clean(replaces).strip())
        outcome = remember_entry(act, entry)
    tell(workspace, [outcome], "remembered")
    memory = outcome.memory
    if memory.project and memory.kind in RULES and memory.status is Status.ACTIVE and not (workspace.json or workspace.placed):
        output.say(f"`psychmem edit {output.short(memory.id)} --user` makes it hold in every project")
    if memory.status is Status.QUARANTINED and not workspace.json:
        why = dict(memory.metadata).get(DOUBT, "")
        because = f" because it looks like an instruction planted for the agent ({why})" if why else ""
        if why == RULE:
            because = f", for it {RULE}"
        if why == NO_PROJECT:
            because = ", for it belongs to a project and here is none; --user or --project DIR says where it holds"
        output.warn(f"It is pending{because}: `psychmem review` shows it and asks.")


def _class_and_scope(workspace: Workspace, who: Who, text: str, kind: str, *, placed: bool) -> tuple[Kind, Scope]:
    """As given; what is not given as the extractor would see it, which has the languages loaded."""
    if kind and placed:
        return class_of(kind), workspace.settings.policy(class_of(kind)).scope
    from psychmem_py.cli.commands.patterns import matcher  # noqa: PLC0415  # with the next 100 ms of CPU
    from psychmem_py.curation.usual_class import class_and_scope  # noqa: PLC0415

    return class_and_scope(text, class_of(kind).value if kind else "", who, lambda: matcher(workspace))


def _speaks_of_a_project(workspace: Workspace, text: str) -> bool:
    from psychmem_py.cli.commands.patterns import matcher  # noqa: PLC0415  # as above
    from psychmem_py.curation.usual_class import speaks_of_a_project  # noqa: PLC0415

    return speaks_of_a_project(text, matcher(workspace))


def _speaker(db: sqlite3.Connection, workspace: Workspace, text: str, quote: str) -> Who:
    """Whose words these are: a person's at a terminal; in an agent a person's only if the quote is found where they typed it."""
    who = workspace.who
    if not (workspace.agent and quote):
        return who
    from psychmem_py.ingestion.proof import typed, vouched  # noqa: PLC0415  # reads transcripts, for agents alone

    if vouched(text, quote, typed(db, workspace.agent, workspace.session, workspace.env)):
        return who._replace(origin=Origin.USER_PROMPT)
    return who
