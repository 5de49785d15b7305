"""psychmem sessions, context, inject and report: what conversations left and were shown, what the next one will be shown."""

from __future__ import annotations

import ntpath
import os
import select
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from psychmem_py.briefing import brief, prepared
from psychmem_py.cli import output, views
from psychmem_py.cli.app import AllProjects, app, argument, option
from psychmem_py.cli.context import Workspace, usage_error_if, workspace_of
from psychmem_py.curation import actions, explain, history, pending
from psychmem_py.errors import NotFoundError, refuse_if
from psychmem_py.home import health, journal, light_json, pauses, places
from psychmem_py.home.project import project_of
from psychmem_py.installation.claude_code import HOOKS
from psychmem_py.model.light_record import KNOWN, LIVE
from psychmem_py.model.permission import Action
from psychmem_py.recall import brief_text, memory_line, selection
from psychmem_py.safety.fence import CLASS_LABELS, defused
from psychmem_py.store import connection, episodes, matches, search
from psychmem_py.store.sessions import conversations, files_changed, left_by, project_names, record_shown
from psychmem_py.text.tokenizer import content_words

_FILES, _NAMED = 5, 3  # files and memories named of a conversation in a list
_ALL_THERE = "MEMORY.md holds all of it, so nothing besides is put into a session of Claude Code."
_FOUND = 50  # memories that a search of the page adds to those that hold its words


@app.command(here=True)
def sessions(
    workspace: Workspace,
    session: Annotated[str, argument("SESSION", "One conversation in full: its id, or a unique beginning.")] = "",
    all_projects: AllProjects = False,
    limit: Annotated[int, option("--limit -n N", "At most this many, the latest.")] = 10,
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
    rows, lines = [], list[str]()
    for one, left, files in whole:
        those = [{"id": each.id, "class": each.kind.value, "text": each.text, "status": each.status.value} for each in left]
        times = {"started_at": output.iso(one.started_at), "seen_at": output.iso(one.seen_at)}
        rows.append({**one._asdict(), **times, "left": those, "files": files})
        when = f"{output.minute(one.seen_at)} ({output.since(one.seen_at, workspace.now)})"
        lines.append(f"{when}  {output.conversation(one.id)}  {one.agent}, {names.get(one.project or '', 'no project')}")
        shown = files if session else [ntpath.basename(name) for name in files[:_FILES]]  # ntpath: also of another system
        more = f" and {len(files) - len(shown)} more" if len(files) > len(shown) else ""
        live = [one for one in left if one.status in LIVE]
        changed = f"; changed {', '.join(shown)}{more}" if files else ""
        lines.append(f"  kept {len(live)}; shown {one.shown}{changed}")
        for memory in left if session else live[:_NAMED]:
            gone = "" if memory.status in LIVE else f" ({memory.status.value})"
            lines.append(f"  {output.short(memory.id)} {CLASS_LABELS[memory.kind]}: {memory.text}{gone}")
        if not session and len(live) > _NAMED:
            lines.append(f"  {len(live) - _NAMED} more: `psychmem sessions {output.conversation(one.id)}`")
    workspace.answer(rows, *(lines or ["No conversation is known here yet; --all-projects looks everywhere."]))


def next_session(db: sqlite3.Connection, workspace: Workspace) -> brief.Occasion:
    """The start of the next session here, or in the project named; with what went wrong in hooks, which it is told first."""
    project, where, now = workspace.project, workspace.folder or os.getcwd(), workspace.now
    env, agent, settings = workspace.env, workspace.agent, workspace.settings
    notices = [health.line_for_brief(workspace.directories.data), brief.refresh_rules(db, project, now)]
    return brief.occasion(db, project, where, settings=settings, env=env, now=now, agent=agent, notices=notices)


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
    there = [memory_line.one_line(miss.memory) for miss in made.choice.near_misses if miss.reason == brief.IN_MEMORY_MD]
    tokens = brief_text.tokens(made.text) if made.text else 0
    rows = [output.picked(one, "id text", tokens=brief_text.tokens(dated[one.id]), why=reasons[one.id]) for one in told_of]
    lines, starts = list[str](), {defused(line)[:-1]: key for key, line in dated.items()}
    if there:
        cost = f"{brief_text.tokens(chr(10).join(there))} tokens"
        lines += [f"In MEMORY.md, which Claude Code reads by itself ({cost}); OpenCode gets it in its brief:", *there, ""]
    for told in made.text.splitlines():
        key = next((starts[start] for start in starts if told.startswith(start)), "")
        lines.append(f"{brief_text.tokens(told):4}  {told}{f' [{output.short(key)}: {reasons[key]}]' if key else ''}")
    near = len(made.choice.near_misses) - len(there)
    size = f"{len(made.text)} characters, about {tokens} tokens; `psychmem inject --explain` names {near} that came near."
    nothing = _ALL_THERE if there else "Nothing: there is nothing that a session here would be shown."
    found = {"text": made.text, "characters": len(made.text), "tokens": tokens, "lines": rows, "memory_md": there}
    return workspace.answer(found, *lines, size if made.text else nothing)


def _last(workspace: Workspace, session: str) -> None:
    data = str(workspace.directories.data)
    with workspace.reading() as db:
        with suppress(sqlite3.OperationalError), connection.transaction(db):  # what hooks just showed; a store may be read-only
            for noted in (journal.pending(data, name.removesuffix(".jsonl")) for name in journal.left(data, but="")):
                record_shown(db, noted.shown, agent=noted.agent)
        here, settings, now = workspace.project, workspace.settings, workspace.now
        told = explain.explain_last(db, session=session, project=here, settings=settings, now=now, who=workspace.who)
    lines = [f"Session {told['session']}, {told['at'][:16].replace('T', ' ')}, about {told['tokens']} tokens:"]
    for one in (*told["shown"], *told["near_misses"]):
        place = one["place"].replace("memory_md", "MEMORY.md") or "near miss"
        lines.append(f"{output.short(one['id'])} {place}  {one['text']} ({one['reason']})")
    workspace.answer(told, *lines)


@app.command(here=True)
def inject(
    workspace: Workspace,
    query: Annotated[str, option("--query TEXT", "What the session is about; what fits it comes first.")] = "",
    budget: Annotated[int, option("--budget N", "At most this many characters; 0: as configured.")] = 0,
    explain: Annotated[bool, option("--explain", "Say why each memory is in it, and what nearly was.")] = False,
) -> None:
    """Print the brief that a session starting here would get. With a hook's JSON on stdin, act as that hook."""
    if not (workspace.placed or query or budget or explain or workspace.json) and served(workspace, "inject") is not None:
        return
    usage_error_if(budget < 0, "give a number of characters", "--budget")
    settings = workspace.settings
    settings = settings._replace(retrieval=settings.retrieval._replace(brief_limit_chars=budget)) if budget else settings
    with workspace.reading() as db:
        occasion = next_session(db, workspace._replace(settings=settings))
        made = brief.compose(db, occasion._replace(focus_words=content_words(query)) if query else occasion)
    reasons = brief.reasons(made)
    told = {"brief": made.text, "shown": list(made.shown), "reasons": reasons, "characters": len(made.text)}
    workspace.answer(told, *filter(None, [made.text]))
    if not (made.text or workspace.json):
        left_out = {miss.reason for miss in made.choice.near_misses}
        full = "What is remembered does not fit so few characters." if selection.NO_ROOM in left_out else ""
        full = full and ("The setting max_session_memories is 0." if not settings.retrieval.max_session_memories else full)
        output.warn(_ALL_THERE if brief.IN_MEMORY_MD in left_out else full or "Nothing is remembered that is shown here.")
    if explain and not workspace.json:
        output.details((output.short(identity), reason) for identity, reason in reasons.items())


def served(workspace: Workspace, command: str) -> dict[str, Any] | None:
    """The JSON of a hook on stdin, {} for a broken one, None for none; served, but in a dry run, as that hook or as `command`."""
    try:  # a terminal, a closed or a silent pipe hold none
        is_given = sys.stdin and not sys.stdin.isatty() and select.select([sys.stdin], [], [], 0.2)[0]
        raw = sys.stdin.buffer.read() if is_given else b""
    except (OSError, ValueError):
        raw = b""
    if not raw.strip():
        return None
    said = light_json.object_in(raw)
    if isinstance(said.get("cwd"), str) and project_of(said["cwd"], workspace.env) != workspace.project:
        workspace.who.must(Action.ELSEWHERE)  # an agent can write any directory there
    if not workspace.dry_run:
        from psychmem_py.hooks.entry import serve  # noqa: PLC0415  # what the hooks need, which a person's command does without

        sys.stdout.buffer.write(serve([HOOKS.get(str(said.get("hook_event_name")), command)], raw, os.environ))
    return said


@app.command(here=True)
def report(
    workspace: Workspace,
    target: Annotated[Path | None, option("--output -o FILE", "Where to write it; default: among our own files.")] = None,
    serve: Annotated[bool, option("--serve", "Show it in a browser instead, with buttons, until Ctrl-C.")] = False,
) -> None:
    """Everything on one page, for a browser. Memories, what is shown, what fades, what was not kept; one HTML file, offline."""
    usage_error_if(serve and target, "goes without --output", "--serve")
    if serve:  # clicks are a person's deeds
        from psychmem_py.report.server import Listening  # noqa: PLC0415  # the one module with a socket; a file needs none

        done: list[str] = []  # batches of what was clicked, the last one last
        with Listening(lambda: _page(acting=True), lambda deed, key, text: _act(deed, key, text, done), _found) as listening:
            output.say(f"{listening.address} (only on this machine and only with this address; Ctrl-C ends it)")
            sys.stdout.flush()  # in a pipe too, it is read while we listen
            return listening.serve_forever()
    # Beside the prepared briefs, which a purge removes with everything in their folder.
    target = target or Path(places.own_folder(str(workspace.database.with_name(prepared.FOLDER))), "report.html")
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
    question = matches.Question(words, workspace.project_id, workspace.now, all_projects=True, statuses=KNOWN, limit=_FOUND)
    with workspace.store() as db:
        found = search.answers(db, question, database=str(workspace.database), data=places.folder_of("data", workspace.env))
        ids = [hit.memory.id for hit in found if not hit.weak]
        earlier = episodes.search(db, words, None, all_projects=True, besides=ids)
    return {"ids": ids, "earlier": [views.exchange_row(hit.episode) for hit in earlier if not hit.weak]}


def _act(deed: str, key: str, text: str, done: list[str]) -> str:
    """Does what was clicked, for one id or several pending ones; a sentence about it. Raises PsychMemError where it cannot."""
    workspace, keys = workspace_of(), key.split()
    with workspace.acting() as act:
        before = act.db.total_changes
        if deed == "undo":  # the last click, whatever an agent or a command has changed since
            refuse_if(not done, "nothing was changed on this page; `psychmem undo` takes back what was changed elsewhere")
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
        changed = act.db.total_changes > before
    if deed != "undo":
        done += [workspace.batch] * changed
        told = f"{deed}: {output.counted(len(keys), 'memory')}; Undo takes it back" if changed else "there was nothing to do"
    workspace.refresh()
    return told
