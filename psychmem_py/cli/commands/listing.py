"""psychmem list: what is remembered, chosen and sorted. psychmem show: one memory on a page, with all that happened to it and why
it was kept: its evidence, its strength, its curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import AllProjects, Id, app, argument, option
from psychmem_py.cli.context import Workspace, choice, class_of, day
from psychmem_py.curation import history
from psychmem_py.errors import NotFoundError
from psychmem_py.memory.admission import AUTHOR
from psychmem_py.memory.forgetting import retrievability_in, would_confirm
from psychmem_py.model.light_record import KEPT, LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ENFORCED, HUMAN, Memory, Status, Store, Tier
from psychmem_py.model.settings import Settings
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import calls, change_log, rows, sessions

_HOW = "`psychmem remember TEXT` adds something, `psychmem import --conversations` reads what your agents still have."
_NOTHING_YET = f"Nothing is remembered yet; {_HOW}"
_NOTHING_HERE = "Nothing is remembered here; --all-projects shows what is elsewhere."
_NOTHING_FITS = "Nothing fits what you asked for; `psychmem list --all-projects` shows all there is."


class Order(StrEnum):
    """What a list may be sorted by, the greatest first."""

    CREATED = "created"
    UPDATED = "updated"
    IMPORTANCE = "importance"
    STRENGTH = "strength"


@app.command("list", here=True)
def list_(
    workspace: Workspace,
    words: Annotated[list[str] | None, argument("WORDS", 'Find these, in any language; "a phrase" in quotes.')] = None,
    all_projects: AllProjects = False,
    status: Annotated[str, option("--status NAME|all", "Only this status; `all` for every one.")] = "",
    kind: Annotated[str, option("--class CLASS", "Only this class, e.g. rule.")] = "",
    tag: Annotated[list[str] | None, option("--tag WORD", "Only with this tag; may be given again.")] = None,
    after: Annotated[str, option("--after DATE", "Only from this day on, e.g. 2026-03-01.")] = "",
    user: Annotated[bool, option("--user", "Only memories that hold in every project.")] = False,
    pinned: Annotated[bool, option("--pinned", "Only pinned ones.")] = False,
    limit: Annotated[int | None, option("--limit -n", "At most this many; 0: all.", min=0)] = None,
    offset: Annotated[int, option("--offset", "Skip this many first.", min=0)] = 0,
    sort: Annotated[Order, option("--sort", "Which come first; a search: by its fit, or strength.")] = Order.CREATED,
    tier: Annotated[str, option("--tier", "Only this tier.", metavar="|".join(Tier))] = "",
    today: Annotated[bool, option("--today", "What was kept today, needs approval, or is about to fade.")] = False,
    alike: Annotated[bool, option("--alike", "Groups that say nearly the same.")] = False,
    rules: Annotated[bool, option("--rules", "Rules, with the tool calls each is shown at.")] = False,
    figures: Annotated[bool, option("--figures", "The store in figures.")] = False,
    all_known: Annotated[bool, option("--projects", "Every project there is.")] = False,
    batch: Annotated[str, option("--batch FILE.jsonl|-", 'Find each {"id", "query", "limit"?} of a file.')] = "",
    follow: Annotated[bool, option("--follow", "With WORDS: also what is linked to what fits.")] = False,
    conversations: Annotated[bool, option("--conversations", "With WORDS: earlier conversations alone.")] = False,
) -> None:
    """What is remembered here; with WORDS, what fits them best."""
    if today or alike or rules or figures or all_known:
        from psychmem_py.cli import views  # noqa: PLC0415  # 20 ms that a list does without

        asked_for = ((today, views.today), (alike, views.alike), (rules, views.rules), (figures, views.figures))
        view = next((view for wanted, view in asked_for if wanted), None)
        return view(workspace, all_projects=all_projects) if view else views.known_projects(workspace)
    query = " ".join(words or ()).strip()
    if (query and batch) or ((words or follow or conversations) and not (query or batch)):
        raise typer.BadParameter("say what to look for, in WORDS or in --batch FILE.jsonl", param_hint="WORDS")
    kinds, since = [class_of(kind)] if kind else [], day(after, "--after") if after else None
    known = {"": LIVE, "all": tuple(Status), "pending": (Status.QUARANTINED,)}
    wanted = known.get(status) or (choice(status, Status, "--status"),)
    narrow: dict[str, Any] = {"all_projects": all_projects, "statuses": wanted, "kinds": kinds, "after": since}
    wanted_tier = choice(tier, Tier, "--tier") if tier else None

    def fits(memory: Memory) -> bool:
        held = all(word in memory.tags for word in tag or ()) and (not user or memory.project is None)
        return held and (not pinned or memory.pinned) and wanted_tier in (None, memory.tier)

    if query or batch:
        from psychmem_py.cli.views import ALL, search  # noqa: PLC0415  # 30 ms that a list does without
        from psychmem_py.store.matches import Question  # noqa: PLC0415

        most = workspace.settings.retrieval.retrieval_limit if limit is None else limit or ALL
        query += f" tier:{wanted_tier}" if wanted_tier else ""
        question = Question(query, workspace.project_id, workspace.now, limit=most, **narrow)
        return search(
            workspace, question, fits=fits if tag or user or pinned or tier else None, by_strength=sort is Order.STRENGTH,
            batch=batch, follow=follow, conversations=conversations, offset=offset,
        )  # fmt: skip
    with workspace.reading() as db:
        names = sessions.project_names(db)
        found = [memory for memory in rows.listed(db, project=workspace.project_id, **narrow) if fits(memory)]
        if sort is not Order.CREATED:
            field = "updated_at" if sort is Order.UPDATED else sort.value
            found = sorted(found, key=lambda memory: getattr(memory, field), reverse=True)
        found = found[offset:]
        left, found = len(found) - limit if limit else 0, found[: limit or None]
        why = _NOTHING_FITS if any((status, kind, tag, after, user, pinned, tier, offset)) else _NOTHING_HERE
        why = why if found or rows.listed(db, all_projects=True, limit=1) else _NOTHING_YET
    if workspace.json:
        return output.print_json([output.row(memory) for memory in found])
    if not found:
        return output.say(why)
    output.memories(found, workspace.now, names)
    return output.say(f"{left} more; `-n 0` shows all.") if left > 0 else None


_BARS = "▁▂▃▄▅▆▇█"
_CURVE_D = range(0, 181, 6)  # days from now: half a year in thirty columns
_HISTORY = 8  # last steps that a page shows


@app.command(here=True)
def show(
    workspace: Workspace,
    memory_id: Id,
    all_: Annotated[bool, option("--all", "Also why it was kept, and the formula of its strength.")] = False,
    history_: Annotated[bool, option("--history", "Everything that ever happened to it, oldest first.")] = False,
) -> None:
    """One memory: who said it, where it holds, how it fades. Also its links and its history."""
    if history_:
        return _steps(workspace, memory_id)
    with workspace.reading() as db:
        try:
            memory = workspace.who.find(db, memory_id)
        except NotFoundError:
            from psychmem_py.cli import views  # noqa: PLC0415  # a memory is shown without

            if not views.print_outline(workspace, db, memory_id):
                raise
            return
        evidence, links = rows.evidence(db, memory.id), rows.links(db, memory.id)
        ends = rows.several(db, [end for link in links for end in (link.source, link.target)])
        linked = {
            key: one for key, one in ends.items() if workspace.who.may(Action.LOOK, one)
        }  # an agent: none of another project
        links = [link for link in links if link.source in linked and link.target in linked]
        names, steps = sessions.project_names(db), change_log.history(db, memory.id)
        at_files = calls.rules_by_file(db, workspace.project_id or "")
    held = workspace.when_shown(memory, at_files)
    why = None
    if all_:
        from psychmem_py.curation.explain import explain  # noqa: PLC0415  # the brief, which a page does without: 20 ms

        why = explain(memory, evidence, workspace.settings, workspace.now)
    if workspace.json:
        heard = [{**one._asdict(), "at": output.iso(one.at)} for one in evidence]
        shown = {"evidence": heard, "links": [one._asdict() | {"created_at": output.iso(one.created_at)} for one in links]}
        page = {**output.row(memory), **shown, "at_tool_calls": held}
        if why:
            page |= {**why, "history": [output.logged_row(step) for step in steps]}
        return output.print_json(page)
    output.console().print(output.cell(memory.text, "bold"))
    output.console().print()
    output.details(_facts(memory, names, workspace.settings, workspace.now))
    if memory.kind in ENFORCED and memory.status in KEPT:
        hint = f"no call to match, it is shown in the brief only; `psychmem edit {output.short(memory.id)} --on 'git push * main'` names one"
        output.say(f"at tool calls: {held or hint}")
    said_once = len(evidence) == 1 and evidence[0].quote in ("", memory.text)
    for found in () if said_once else evidence:  # told above
        quote = f': "{found.quote}"' if found.quote and found.quote != memory.text else ""
        where = f", session {output.conversation(found.session)}" if found.session else ""
        output.say(f"{output.minute(found.at)} {output.SAID_BY[found.origin]} ({found.method}{where}){quote}")
    for link in links:
        other = linked[link.target if link.source == memory.id else link.source]
        way = link.type.value if link.source == memory.id else f"is what {output.short(link.source)} {link.type.value}:"
        output.say(f"link: {way} {output.short(other.id)} {other.text}")
    if why:
        _print_why(memory, why)
    output.say(*map(_done, steps[-_HISTORY:] if len(steps) > 1 else ()))
    if len(steps) > _HISTORY:
        output.say(f"… and {len(steps) - _HISTORY} steps before; `psychmem show {output.short(memory.id)} --history`")


def _print_why(memory: Memory, why: dict[str, Any]) -> None:
    output.say(*why["gates"], f"\nWhat it is worth: {memory.strength:.2f} of 1, the sum of")
    output.details((one["name"], f"{one['value']:.2f} × {one['weight']:+.2f} = {one['share']:+.3f}") for one in why["features"])
    left = ((f"{one['retrievability']:.0%}", one["days"]) for one in why["curve"])
    output.say("Left: " + ", ".join(f"{share} in {days} days" if days else f"{share} now" for share, days in left))


def _steps(workspace: Workspace, memory_id: str) -> None:
    with workspace.reading() as db:
        lines = change_log.history(db, memory_id if workspace.who.is_person else workspace.who.find(db, memory_id).id)
    workspace.answer([output.logged_row(line) for line in lines], *map(_became, lines))


def _became(line: change_log.LogLine) -> str:
    """A line of the log with what it altered and the wording since."""
    did, after = _done(line), line.change.after
    altered = history.differences(line.change) if line.change.before else after.status.value if after else ""
    return f"{line.seq}  {did}{f' [{altered}]' * (altered not in did)}: {after.text if after else 'gone'}"


def _done(line: change_log.LogLine) -> str:
    """What a line of the log did, when, by whom and why."""
    did, why = history.action_of(line), line.change.reason
    return f"{output.minute(line.at)} {did} by {history.by(line)}{', undone' * line.undone}{f' ({why})' * (why not in did)}"


def _facts(memory: Memory, names: Mapping[str, str], settings: Settings, now: float) -> list[tuple[str, str]]:
    left = [retrievability_in(memory, days, now, settings) for days in _CURVE_D]
    curve = "".join(_BARS[min(7, int(value * 8))] for value in left)
    where = "in every project" if memory.project is None else f"in the project {history.place_name(memory.project, names)}"
    store = "long-term" if memory.store is Store.LTM else f"short-term: {would_confirm(memory)}".removesuffix(": ")
    talk = f", session {output.conversation(memory.session)}" if memory.session else ""
    author = dict(memory.metadata).get(AUTHOR)
    said_by = f"{author or output.SAID_BY[memory.origin]}{talk}, {output.minute(memory.created_at)}"
    used = f"used {output.counted(memory.use_count, 'time')}, said in {output.counted(memory.session_count, 'conversation')}"
    facts = (
        ("id", memory.id),
        ("class", CLASS_LABELS[memory.kind]),
        ("holds", where),
        ("said by", said_by + (f", with {memory.agent}" if memory.agent else "")),
        ("store", f"{store}{'' if author or memory.origin in HUMAN else '; no person has said so'}"),
        ("status", f"{memory.status.value}{', pinned' if memory.pinned else ''}, tier {memory.tier.value}"),
        ("fades", f"{curve} {left[0]:.0%} left now, {left[-1]:.0%} in half a year" if memory.status in LIVE else ""),
        ("strength", f"{memory.strength:.2f}, {used}"),
        ("expires", output.minute(memory.expires_at) if memory.expires_at else ""),
        ("tags", ", ".join(memory.tags)),
        ("names", ", ".join(memory.names)),
        ("around it", memory.context),
        ("more", ", ".join(f"{field} {value}" for field, value in memory.metadata)),
    )
    return [(name, value) for name, value in facts if value]
