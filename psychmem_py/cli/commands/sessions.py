"""psychmem sessions and context: what conversations left behind and were shown, and what the next one will be."""

from __future__ import annotations

import ntpath
import os
import sqlite3
from typing import Annotated

from psychmem_py.briefing import brief, next_start
from psychmem_py.briefing.brief import IN_MEMORY_MD, RESUMED, Occasion
from psychmem_py.briefing.repository_rules import checked
from psychmem_py.cli import output
from psychmem_py.cli.app import app, argument, examples, option
from psychmem_py.cli.context import AllProjects, Workspace, workspace_of
from psychmem_py.curation import explain
from psychmem_py.errors import NotFoundError
from psychmem_py.home import health
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Deed
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.safety.fence import defused
from psychmem_py.store import overview
from psychmem_py.store.overview import Conversation

_FILES = 5  # named of a conversation in a list


@app.command(epilog=examples("sessions", "sessions 5f0c77aa", "sessions -n 5 --all-projects"), here=True)
def sessions(
    session: Annotated[str, argument("SESSION", "One conversation in full: its id, or a unique beginning.")] = "",
    all_projects: AllProjects = False,
    limit: Annotated[int, option("--limit -n", "At most this many, the latest.", min=1)] = 10,
) -> None:
    """Past conversations and what each left behind. With the files it changed and how much it was shown."""
    workspace = workspace_of()
    with workspace.reading() as db:
        found = overview.conversations(
            db,
            project=workspace.project_id,
            all_projects=all_projects or (bool(session) and workspace.who.may(Deed.ELSEWHERE)),
            limit=-1 if session else limit,
        )
        if session:
            found = [_one(found, session)]
        left = {one.id: overview.left_by(db, one.id) for one in found}
        files = {one.id: overview.files_changed_in(db, one.id) for one in found}
        names = overview.project_names(db)
    if workspace.json:
        return output.print_json([_row(one, left[one.id], files[one.id]) for one in found])
    if not found:
        return output.say("No conversation is known here yet; --all-projects looks everywhere.")
    for one in found:
        _tell(workspace, one, left[one.id], files[one.id], names, whole=bool(session))


def _one(found: list[Conversation], prefix: str) -> Conversation:
    fits = [one for one in found if one.id.startswith(prefix)]
    if len(fits) == 1:
        return fits[0]
    what = f"{len(fits)} conversations have an id that begins" if fits else "no conversation has an id that begins"
    raise NotFoundError(f"{what} with {prefix!r}; `psychmem sessions --all-projects` lists them")


def _tell(
    workspace: Workspace, one: Conversation, left: list[Memory], files: list[str], names: dict[str, str], *, whole: bool
) -> None:
    when = f"{output.minute(one.seen_at)} ({output.since(one.seen_at, workspace.now)})"
    where = names.get(one.project or "", "no project")
    output.out.print(output.cell(f"{when}  {output.conversation(one.id)}  {one.agent}, {where}", "bold"))
    told = [f"kept {len(left)}", f"shown {one.shown}"]
    if files:
        shown = files if whole else files[:_FILES]
        more = f" and {len(files) - len(shown)} more" if len(files) > len(shown) else ""  # ntpath: also of another system
        told.append(f"changed {', '.join(name if whole else ntpath.basename(name) for name in shown)}{more}")
    output.say(f"  {'; '.join(told)}")
    for memory in left if whole else [one for one in left if one.status in LIVE][:3]:
        gone = "" if memory.status in LIVE else f" ({memory.status.value})"
        output.say(f"  {output.short(memory.id)} {memory.kind.value}: {memory.text}{gone}")


def _row(one: Conversation, left: list[Memory], files: list[str]) -> dict[str, object]:
    return {
        **one._asdict(),
        "started_at": output.iso(one.started_at),
        "seen_at": output.iso(one.seen_at),
        "left": [
            {"id": memory.id, "class": memory.kind.value, "text": memory.text, "status": memory.status.value} for memory in left
        ],
        "files": files,
    }


def next_session(db: sqlite3.Connection, workspace: Workspace, settings: Settings | None = None) -> Occasion:
    """The start of the next session where we stand, or in the project named; with what went wrong in hooks, which that session hears first."""
    rules = checked(db, workspace.project, workspace.now)
    where, chosen = workspace.folder or os.getcwd(), settings or workspace.settings
    found = next_start.occasion(db, workspace.project, where, settings=chosen, env=workspace.env, now=workspace.now, rules=rules)
    notice = health.notice(workspace.directories.data)
    return found._replace(notices=[notice, *found.notices]) if notice else found


_PLACES = {RESUMED: "last session"}  # where a column is narrow


@app.command(epilog=examples("context", "context --last"), here=True)
def context(
    last: Annotated[bool, option("--last", "What the last session was shown instead, why, and what came near.")] = False,
    session: Annotated[str, option("--session ID", "What that session was shown.")] = "",
) -> None:
    """What the next session here is shown, line by line. With tokens, and why each line is in it."""
    workspace = workspace_of()
    if last or session:
        return _last(workspace, session)
    with workspace.reading() as db:
        made = brief.compose(db, next_session(db, workspace))
    reasons = brief.reasons(made)
    lines = [
        {
            "id": one.id,
            "text": one.text,
            "tokens": brief_text.tokens(memory_line.dated_line(one, workspace.now)),
            "why": reasons[one.id],
        }
        for one in (*made.choice.shown, *made.resumed)
    ]
    there = [memory_line.one_line(miss.memory) for miss in made.choice.near_misses if miss.reason == IN_MEMORY_MD]
    tokens = brief_text.tokens(made.text) if made.text else 0
    if workspace.json:
        return output.print_json(
            {"text": made.text, "characters": len(made.text), "tokens": tokens, "lines": lines, "memory_md": there}
        )
    if not made.text and not there:
        return output.say("Nothing: there is nothing that a session here would be shown.")
    if there:
        output.say(
            f"In MEMORY.md, which Claude Code reads by itself ({brief_text.tokens(chr(10).join(there))} tokens); OpenCode gets it in its brief:"
        )
        for told in there:
            output.say(told)
        output.say("")
    if not made.text:
        return output.say("MEMORY.md holds all of it, so nothing besides is put into a session of Claude Code.")
    starts = {one.id: defused(memory_line.dated_line(one, workspace.now))[:-1] for one in (*made.choice.shown, *made.resumed)}
    table = output.table("tokens", "why", "text")
    table.columns[2].header = "line"
    for told in made.text.splitlines():
        key = next((key for key, start in starts.items() if told.startswith(start)), "")
        table.add_row(
            str(brief_text.tokens(told)) if told else "",
            output.cell(_PLACES.get(reasons[key], reasons[key]) if key else "", "dim"),
            output.cell(f"{told} [{output.short(key)}]" if key else told),
        )
    output.out.print(table)
    output.say(f"{len(made.text)} characters, about {tokens} tokens; `psychmem inject` prints it byte for byte.")
    near = len(made.choice.near_misses) - len(made.resumed) - len(there)
    if near:
        output.say(f"{near} more came near: `psychmem inject --explain`.")


def _last(workspace: Workspace, session: str) -> None:
    """Prints what a session of the past was shown."""
    with workspace.reading() as db:
        told = explain.explain_last(
            db, session=session, project=workspace.project, settings=workspace.settings, now=workspace.now
        )
    if workspace.json:
        return output.print_json(told)
    output.say(f"Session {told['session']}, {told['at'][:16].replace('T', ' ')}, about {told['tokens']} tokens:")
    for title, said in (("", told["shown"]), ("Near misses:", told["near_misses"])):
        if title and said:
            output.say(title)
        output.details(
            (f"{output.short(one['id'])} {one['place'].replace('memory_md', 'MEMORY.md')}", f"{one['text']} ({one['reason']})")
            for one in said
        )
