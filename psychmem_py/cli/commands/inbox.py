"""psychmem review: what needs a person's approval, and the answer, one by one or for many at once."""

from __future__ import annotations

import shlex
import sqlite3
import sys
from functools import partial
from typing import Annotated, Any

import typer

from psychmem_py.briefing import brief_cache
from psychmem_py.cli import output, review_screen
from psychmem_py.cli.app import app, examples
from psychmem_py.cli.context import AllProjects, Workspace, workspace_of
from psychmem_py.cli.outcomes import refresh, tell
from psychmem_py.curation import actions, inbox, pending, placing, repository
from psychmem_py.curation.erasure import about
from psychmem_py.curation.pending import InboxItem
from psychmem_py.errors import RefusedError
from psychmem_py.memory.admission import DOUBT, FORGET_ABOUT
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Memory
from psychmem_py.sources import opened
from psychmem_py.store import candidates, projects

_TOLD = 20  # one by one


@app.command(
    epilog=examples(
        "psychmem review",
        "psychmem review --said-once --waiting --list",
        "psychmem review 3f2a91cc 77b0c1de --drop 0a1b2c3d",
        "psychmem review --keep-from claude-mem --dry-run",
        "psychmem review --merge 3f2a91cc 77b0c1de",
    ),
    here=True,
    writes=True,
    looks=True,
)
def review(
    keep: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Approve these. Without: what is pending.")] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="ID", help="Forget this one; may be given again.")] = None,
    keep_from: Annotated[
        str, typer.Option("--keep-from", metavar="NAME", help="Approve all that `import --from NAME` brought.")
    ] = "",
    drop_from: Annotated[str, typer.Option("--drop-from", metavar="NAME", help="Forget all that it brought.")] = "",
    merge: Annotated[
        bool, typer.Option("--merge", help="Make one memory of these IDs: the first stays, the others go into it.")
    ] = False,
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="With --merge: the wording of what stays.")] = "",
    quote: Annotated[
        str, typer.Option("--quote", metavar="WORDS", help="For an agent: what the user answered in this conversation, copied.")
    ] = "",
    accept: Annotated[bool, typer.Option("--accept", hidden=True)] = False,  # `accept ID` of old: memories alone
    all_projects: AllProjects = False,
    heard: Annotated[
        bool, typer.Option("--said-once", "--heard", help="Also what was said once and is not confirmed yet.")
    ] = False,
    waiting: Annotated[bool, typer.Option("--waiting", help="All that is uncertain, the agent's words too.")] = False,
    as_list: Annotated[
        bool, typer.Option("--list", help="A list, also on a terminal, where usually one is asked about each.")
    ] = False,
) -> None:
    """Suggestions that need your approval: keep or drop each. Rules no person stated, contradictions, what is uncertain.

    An agent may write down what the user answered (--quote), of what rules alone picked out; rules that no person stated and what is
    confirmed wait for a person.
    """
    workspace = workspace_of()
    if (merge or accept) and not keep:
        raise typer.BadParameter("name the memories", param_hint="ID")
    if merge or accept:
        with workspace.acting() as act:
            done = [placing.merge(act, keep or [], text or None)] if merge else [actions.accept(act, one) for one in keep or ()]
        return tell(workspace, done, "merged into" if merge else "accepted")
    if keep or drop or keep_from or drop_from:
        return _answered(workspace, keep or [], drop or [], keep_from, drop_from, quote)
    return _listed(workspace, all_projects=all_projects, heard=heard, waiting=waiting, as_list=as_list)


def _listed(workspace: Workspace, *, all_projects: bool, heard: bool, waiting: bool, as_list: bool) -> None:
    """Prints what waits, or asks about each on a terminal."""
    with workspace.reading() as db:
        names = projects.names(db)
        found = pending.items(db, project=workspace.project_id, all_projects=all_projects, heard=heard, waiting=waiting)
        wishes = {} if workspace.json else _wishes(db)
        proven = repository.offered(db, workspace.project_id) if workspace.project_id else []
    if workspace.json:
        return output.print_json(
            [*map(_row, found), *({**output.row(one), "waits_as": _offer(one, times)} for one, times in proven)]
        )
    for memory, times in proven:
        output.say(f"{output.short(memory.id)}: {memory.text}: {_offer(memory, times)}")
    for subject, number in wishes.items():
        output.say(
            f"In a conversation you asked to forget all about {subject}; {number} memories speak of it:"
            f" `psychmem forget --about {shlex.quote(subject)}` lists them and asks."
        )
    if not found:
        return output.say(f"Nothing is pending{'' if heard else '; --said-once shows what is not confirmed yet'}.")
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_list and not workspace.agent:
        return review_screen.run(workspace, found, names)
    for one in found:
        output.out.print(output.cell(f"{output.short(one.id)}  {review_screen.what(one)}", "bold"))
        output.details([("", one.text), *review_screen.about(workspace, one, names)])
        output.say("")
    output.say("`psychmem review ID … --drop ID …` answers; on a terminal `psychmem review` asks about each.")


def _offer(memory: Memory, times: int) -> str:
    return f"its reminders were right {times} times; `psychmem edit {output.short(memory.id)} --to-repository` makes it a rule for everybody here"


def _wishes(db: sqlite3.Connection) -> dict[str, int]:
    """The subjects that a person asked a conversation to forget, each with how many memories still speak of it."""
    subjects = dict.fromkeys(item.candidate.text for item in candidates.with_reason(db, FORGET_ABOUT))
    counted = {subject: len(about(db, subject, every_status=False).memories) for subject in subjects}
    return {subject: number for subject, number in counted.items() if number}


def _row(one: InboxItem) -> dict[str, Any]:
    against = {"contradicts": [output.row(other) for other in one.against]} if one.against else {}
    if one.memory is not None:
        return {**output.row(one.memory), "waits_as": review_screen.what(one), **against}
    kept = one.candidate
    if kept is None:
        return {}
    found = kept.candidate
    return {
        "id": one.id,
        "text": found.text,
        "class": found.kind.value,
        "scope": found.scope.value,
        "project": kept.project,
        "status": "waiting",
        "origin": found.origin.value,
        "created_at": output.iso(one.said_at),
        "reason": kept.reason,
        "waits_as": review_screen.what(one),
    }


def _answered(workspace: Workspace, keep: list[str], drop: list[str], keep_from: str, drop_from: str, quote: str) -> None:
    """Keeps some and drops others, all or none; one `psychmem undo` takes it back."""
    for name in filter(None, (keep_from, drop_from)):
        if name not in opened.PROGRAMS:
            raise typer.BadParameter(f"use one of {', '.join(opened.PROGRAMS)}", param_hint="--keep-from")
    if not workspace.who.may(Deed.APPROVE):
        return _for_person(workspace, keep, drop, quote)
    with workspace.acting() as act:
        wanted = [*map(partial(inbox.item, act.db), keep), *_brought_in(act.db, keep_from)]
        unwanted = [*map(partial(inbox.item, act.db), drop), *_brought_in(act.db, drop_from)]
        kept = [done.memory for done in inbox.keep_all(act, wanted)]
        dropped = [(one.id, one.text) for one in unwanted if inbox.drop(act, one) is not None]
    if workspace.json:
        _shown_again(workspace)
        return output.print_json(
            {"kept": [output.row(one) for one in kept], "dropped": [{"id": identity, "text": text} for identity, text in dropped]}
        )
    return _sorted(workspace, [(one.id, one.text) for one in kept], dropped)


def _for_person(workspace: Workspace, keep: list[str], drop: list[str], quote: str) -> None:
    """What an agent writes down of a person's answer, once that was found in the conversation; all of it or, with an error, nothing."""
    from psychmem_py.ingestion import quote_check  # noqa: PLC0415  # for which a person does not pay

    with workspace.acting() as act:
        typed = quote_check.typed(act.db, workspace.agent, workspace.session, workspace.env) if quote else []
        if not quote_check.is_typed(quote, typed):
            raise RefusedError(
                "only a person may review what waits; ask the user, then give their answer, copied, as --quote, or let them run the"
                " command in a terminal of their own"
            )
        wanted, unwanted = ([inbox.item(act.db, key, act.who) for key in keys] for keys in (keep, drop))
        if both := {one.id for one in wanted} & {one.id for one in unwanted}:
            raise RefusedError(f"{min(both)[:8]} is to be kept and to be dropped; name it once")
        for chosen, keeps in ((wanted, True), (unwanted, False)):
            for one in chosen:
                inbox.must_be_for_agents(one)
                inbox.answered_by_quote(act, one, keep=keeps)
    kept, dropped = ([(one.id, one.text) for one in chosen] for chosen in (wanted, unwanted))
    if workspace.json:
        _shown_again(workspace)
        return output.print_json(
            {
                word: [{"id": identity, "text": text} for identity, text in found]
                for word, found in (("kept", kept), ("dropped", dropped))
            }
        )
    return _sorted(workspace, kept, dropped)


def _shown_again(workspace: Workspace) -> None:
    """Brings what clients are shown up to date; a brief made ready may list a candidate that is none any more."""
    if not workspace.dry_run:
        brief_cache.clear(str(workspace.database))
        refresh(workspace)


def _sorted(workspace: Workspace, kept: list[tuple[str, str]], dropped: list[tuple[str, str]]) -> None:
    _shown_again(workspace)
    for word, found in (("kept", kept), ("dropped", dropped)):
        for identity, text in found[:_TOLD]:
            output.say(f"{'dry run: ' if workspace.dry_run else ''}{word} {output.short(identity)}: {text}")
        if len(found) > _TOLD:
            output.say(f"{'dry run: ' if workspace.dry_run else ''}{word} {len(found) - _TOLD} more")
    if not kept and not dropped:
        output.say("Nothing from there is pending.")


def _brought_in(db: sqlite3.Connection, program: str) -> list[InboxItem]:
    """What waits because this program said it; not what looks planted besides."""
    if not program:
        return []
    from psychmem_py.curation import imports  # noqa: PLC0415  # 60 ms: it extracts

    doubt = imports.brought_in_from(opened.SAID.get(program, program))
    found = pending.items(db, project=None, all_projects=True)
    return [one for one in found if one.memory is not None and dict(one.memory.metadata).get(DOUBT) == doubt]
