"""psychmem sessions, context, inject and report: what conversations left and were shown, what the next one will be shown, all of
it on a page. And what `inject`, `extract` and `log` do with a hook's JSON on stdin.
"""

from __future__ import annotations

import ntpath
import os
import select
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from psychmem_py.briefing import at_start, brief, prepared
from psychmem_py.briefing.brief import IN_MEMORY_MD, Occasion
from psychmem_py.briefing.repository_rules import refresh_rules
from psychmem_py.cli import output, views
from psychmem_py.cli.app import AllProjects, app, argument, option
from psychmem_py.cli.context import Workspace, workspace_of
from psychmem_py.cli.outcomes import refresh
from psychmem_py.curation import actions, explain, history, pending
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.home import health, journal, pauses
from psychmem_py.home.light_json import object_in
from psychmem_py.home.places import data_folder, own_folder
from psychmem_py.home.project import project_of
from psychmem_py.installation.claude_code import HOOKS
from psychmem_py.model.light_record import KNOWN, LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import Memory
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text, memory_line
from psychmem_py.recall.selection import NO_ROOM
from psychmem_py.safety.fence import CLASS_LABELS, defused
from psychmem_py.store import episodes, search
from psychmem_py.store.connection import transaction
from psychmem_py.store.matches import Question
from psychmem_py.store.sessions import Conversation, conversations, files_changed, left_by, project_names, record_shown
from psychmem_py.text.tokenizer import content_words

_FILES, _NAMED = 5, 3  # files and memories named of a conversation in a list
_ALL_THERE = "MEMORY.md holds all of it, so nothing besides is put into a session of Claude Code."
_FOUND = 50  # memories that a search of the page adds to those that hold its words


@app.command(here=True)
def sessions(
    workspace: Workspace,
    session: Annotated[str, argument("SESSION", "One conversation in full: its id, or a unique beginning.")] = "",
    all_projects: AllProjects = False,
    limit: Annotated[int, option("--limit -n", "At most this many, the latest.", min=1)] = 10,
) -> None:
    """Past conversations and what each left behind. With the files it changed and how much it was shown."""
    with workspace.reading() as db:
        everywhere = all_projects or (bool(session) and workspace.who.may(Action.ELSEWHERE))
        most = -1 if session else min(limit, views.ALL)
        found = conversations(db, project=workspace.project_id, all_projects=everywhere, limit=most)
        found = [one for one in found if one.id == session] or [one for one in found if one.id.startswith(session)]
        if session and len(found) != 1:
            what = f"{len(found)} conversations have an id that begins" if found else "no conversation has an id that begins"
            raise NotFoundError(f"{what} with {session!r}; `psychmem sessions --all-projects` lists them")
        whole = [(one, left_by(db, one.id), files_changed(db, session=one.id)) for one in found]
        names = project_names(db)
    if workspace.json:
        return output.print_json([_row(*one) for one in whole])
    if not found:
        return output.say("No conversation is known here yet; --all-projects looks everywhere.")
    for one, left, files in whole:
        when = f"{output.minute(one.seen_at)} ({output.since(one.seen_at, workspace.now)})"
        where = f"{output.conversation(one.id)}  {one.agent}, {names.get(one.project or '', 'no project')}"
        output.console().print(output.cell(f"{when}  {where}", "bold"))
        shown = files if session else [ntpath.basename(name) for name in files[:_FILES]]  # ntpath: also of another system
        more = f" and {len(files) - len(shown)} more" if len(files) > len(shown) else ""
        changed = f"; changed {', '.join(shown)}{more}" if files else ""
        live = [one for one in left if one.status in LIVE]
        output.say(f"  kept {len(live)}; shown {one.shown}{changed}")
        named = left if session else live[:_NAMED]
        for memory in named:
            gone = "" if memory.status in LIVE else f" ({memory.status.value})"
            output.say(f"  {output.short(memory.id)} {CLASS_LABELS[memory.kind]}: {memory.text}{gone}")
        if len(live) > len(named):
            output.say(f"  {len(live) - len(named)} more: `psychmem sessions {output.conversation(one.id)}`")


def _row(one: Conversation, left: list[Memory], files: list[str]) -> dict[str, object]:
    times = {"started_at": output.iso(one.started_at), "seen_at": output.iso(one.seen_at)}
    rows = [{"id": each.id, "class": each.kind.value, "text": each.text, "status": each.status.value} for each in left]
    return {**one._asdict(), **times, "left": rows, "files": files}


def next_session(db: sqlite3.Connection, workspace: Workspace, settings: Settings | None = None) -> Occasion:
    """The start of the next session here, or in the project named; with what went wrong in hooks, which it is told first."""
    project, where, now = workspace.project, workspace.folder or os.getcwd(), workspace.now
    rules, chosen = refresh_rules(db, project, now), settings or workspace.settings
    found = at_start.occasion(db, project, where, settings=chosen, env=workspace.env, now=now, notices=[rules])
    notice = health.line_for_brief(workspace.directories.data)
    return found._replace(notices=[notice, *found.notices]) if notice else found


@app.command(here=True)
def context(
    workspace: Workspace,
    last: Annotated[bool, option("--last", "What the last session was shown instead, why, and what came near.")] = False,
    session: Annotated[str, option("--session ID", "What that session was shown.")] = "",
) -> None:
    """What the next session here is shown, line by line. With tokens, and why each line is in it."""
    if last or session:
        return _last(workspace, session)
    if pauses.now_paused(str(workspace.directories.data), workspace.who.session, workspace.folder or os.getcwd(), workspace.now):
        output.warn("It is paused here: until `psychmem resume` a session is shown no more than what MEMORY.md holds.")
    with workspace.reading() as db:
        made = brief.compose(db, next_session(db, workspace))
    reasons, told_of = brief.reasons(made), made.choice.shown
    dated = {one.id: memory_line.dated_line(one, workspace.now) for one in told_of}
    there = [memory_line.one_line(miss.memory) for miss in made.choice.near_misses if miss.reason == IN_MEMORY_MD]
    tokens = brief_text.tokens(made.text) if made.text else 0
    if workspace.json:
        lines = [output.picked(one, "id text", tokens=brief_text.tokens(dated[one.id]), why=reasons[one.id]) for one in told_of]
        size = {"characters": len(made.text), "tokens": tokens}
        return output.print_json({"text": made.text, **size, "lines": lines, "memory_md": there})
    if there:
        cost = f"{brief_text.tokens(chr(10).join(there))} tokens"
        output.say(f"In MEMORY.md, which Claude Code reads by itself ({cost}); OpenCode gets it in its brief:", *there, "")
    if not made.text:
        return output.say(_ALL_THERE if there else "Nothing: there is nothing that a session here would be shown.")
    starts = {key: defused(line)[:-1] for key, line in dated.items()}
    table = output.table("tokens", "why", "text")
    table.columns[2].header = "line"
    for told in made.text.splitlines():
        key = next((key for key, start in starts.items() if told.startswith(start)), "")
        why = output.cell(reasons[key] if key else "", "dim")
        line = output.cell(f"{told} [{output.short(key)}]" if key else told)
        table.add_row(str(brief_text.tokens(told)) if told else "", why, line)
    output.console().print(table)
    output.say(f"{len(made.text)} characters, about {tokens} tokens; `psychmem inject` prints it byte for byte.")
    if near := len(made.choice.near_misses) - len(there):
        output.say(f"{near} more came near: `psychmem inject --explain`.")


def _last(workspace: Workspace, session: str) -> None:
    data = str(workspace.directories.data)
    with workspace.reading() as db:
        with suppress(sqlite3.OperationalError), transaction(db):  # what a hook has just shown; a store may be for reading only
            for noted in (journal.pending(data, name.removesuffix(".jsonl")) for name in journal.left(data, but="")):
                record_shown(db, noted.shown, agent=noted.agent)
        here, settings, now = workspace.project, workspace.settings, workspace.now
        told = explain.explain_last(db, session=session, project=here, settings=settings, now=now, who=workspace.who)
    if workspace.json:
        return output.print_json(told)
    output.say(f"Session {told['session']}, {told['at'][:16].replace('T', ' ')}, about {told['tokens']} tokens:")
    for title, said in (("", told["shown"]), ("Near misses:", told["near_misses"])):
        if title and said:
            output.say(title)
        where = (f"{output.short(one['id'])} {one['place'].replace('memory_md', 'MEMORY.md')}" for one in said)
        output.details(zip(where, (f"{one['text']} ({one['reason']})" for one in said), strict=True))


@app.command(here=True)
def inject(
    workspace: Workspace,
    query: Annotated[str, option("--query TEXT", "What the session is about; what fits it comes first.")] = "",
    budget: Annotated[int, option("--budget N", "At most this many characters; 0: as configured.", min=0)] = 0,
    explain: Annotated[bool, option("--explain", "Say why each memory is in it, and what nearly was.")] = False,
) -> None:
    """Print the brief that a session starting here would get. With a hook's JSON on stdin, act as that hook."""
    if not (workspace.placed or query or budget or explain or workspace.json) and served(workspace, "inject"):
        return
    settings = workspace.settings
    if budget:
        settings = settings._replace(retrieval=settings.retrieval._replace(brief_limit_chars=budget))
    with workspace.reading() as db:
        occasion = next_session(db, workspace, settings)
        made = brief.compose(db, occasion._replace(focus_words=content_words(query)) if query else occasion)
    reasons = brief.reasons(made)
    told = {"brief": made.text, "shown": list(made.shown), "reasons": reasons, "characters": len(made.text)}
    workspace.answer(told, *filter(None, [made.text]))
    if workspace.json:
        return
    if not made.text:
        left_out = {miss.reason for miss in made.choice.near_misses}
        full = "What is remembered does not fit so few characters." if NO_ROOM in left_out else ""
        output.warn(_ALL_THERE if IN_MEMORY_MD in left_out else full or "Nothing is remembered that is shown here.")
    if explain:
        output.details((output.short(identity), reason) for identity, reason in reasons.items())


def served(workspace: Workspace, command: str) -> dict[str, Any]:
    """The JSON of a hook on stdin, {} for none; served, unless it is a dry run, as the hook it names or as this command's own."""
    try:  # a terminal, a closed or a silent pipe hold none
        if sys.stdin is None or sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0.2)[0]:
            return {}
        raw = sys.stdin.buffer.read()
    except (OSError, ValueError):
        return {}
    if not (said := object_in(raw)):
        return {}
    if isinstance(said.get("cwd"), str) and project_of(said["cwd"], workspace.env) != workspace.project:
        workspace.who.must(Action.ELSEWHERE)  # an agent can write any directory there
    if workspace.dry_run:
        return said
    from psychmem_py.hooks.entry import serve  # noqa: PLC0415  # what the hooks need, which a person's command does without

    ours = {hook.event: hook.ours for hook in HOOKS}
    sys.stdout.buffer.write(serve([ours.get(str(said.get("hook_event_name")), command)], raw, os.environ))
    return said


@app.command(here=True)
def report(
    workspace: Workspace,
    target: Annotated[Path | None, option("--output -o FILE", "Where to write it; default: among our own files.")] = None,
    serve: Annotated[bool, option("--serve", "Show it in a browser instead, with buttons, until Ctrl-C.")] = False,
) -> None:
    """Everything on one page, for a browser. Memories, what is shown, what fades, what was not kept; one HTML file, offline."""
    if serve:  # clicks are a person's deeds
        from psychmem_py.report.server import Listening  # noqa: PLC0415  # the one module with a socket; a file needs none

        done: list[str] = []  # batches of what was clicked, the last one last
        with Listening(lambda: _page(acting=True), lambda deed, key, text: _act(deed, key, text, done), _found) as listening:
            output.say(f"{listening.address} (only on this machine and only with this address; Ctrl-C ends it)")
            sys.stdout.flush()  # in a pipe too, it is read while we listen
            return listening.serve_forever()
    # Beside the prepared briefs, which a purge removes with everything in their folder.
    target = target or Path(own_folder(str(workspace.database.with_name(prepared.FOLDER))), "report.html")
    output.write_file(target, _page(acting=False))
    said = f"wrote {target}; open it in any browser. It holds what is remembered in all projects; only you can read it."
    workspace.answer({"file": str(target.absolute())}, said)


def _page(*, acting: bool) -> str:
    from psychmem_py.report.page import contents, html  # noqa: PLC0415  # a page that nothing else here needs

    workspace = workspace_of()
    with workspace.reading() as db:
        found = contents(db, workspace.project, workspace.settings, workspace.now, next_session(db, workspace))
    return html(found, acting=acting)


def _found(words: str) -> dict[str, Any]:
    """What answers a search of the page, best first: ids of memories, by words and, with vectors, by meaning; and exchanges."""
    workspace = workspace_of()
    question = Question(words, workspace.project_id, workspace.now, all_projects=True, statuses=KNOWN, limit=_FOUND)
    with workspace.store() as db:
        found = search.answers(db, question, database=str(workspace.database), data=data_folder(workspace.env))
        ids = [hit.memory.id for hit in found if not hit.weak]
        earlier = episodes.search(db, words, None, all_projects=True, besides=ids)
    return {"ids": ids, "earlier": [views.exchange_row(hit.episode) for hit in earlier if not hit.weak]}


def _act(deed: str, key: str, text: str, done: list[str]) -> str:
    """Does what was clicked, for one id or several pending ones; a sentence about it. Raises PsychMemError where it cannot."""
    workspace = workspace_of()
    keys = key.split()
    with workspace.acting() as act:
        if deed == "undo":  # the last click, whatever an agent or a command has changed since
            if not done:
                raise RefusedError("nothing was changed on this page; `psychmem undo` takes back what was changed elsewhere")
            told = f"took back what you did here last ({history.actions_of(history.undo(act, done[-1]))})"
            done.pop()  # one that cannot be taken back stays the last
        elif deed in ("keep", "drop"):
            chosen = [pending.item_of(act.db, one) for one in keys]
            pending.answer(act, *((chosen, ()) if deed == "keep" else ((), chosen)))
        elif deed == "forget":
            actions.forget(act, keys)
        elif deed == "edit":
            actions.edit(act, key, actions.Edit(text=text))
        else:
            actions.pin(act, key, pinned=deed == "pin")
    if deed != "undo":
        done.append(workspace.batch)
        did = {"forget": "forgotten", "edit": "changed", "keep": "approved", "drop": "dropped"}.get(deed, f"{deed}ned")
        told = f"{did if len(keys) == 1 else f'{len(keys)} {did}'}; Undo takes it back"
    refresh(workspace)
    return told
