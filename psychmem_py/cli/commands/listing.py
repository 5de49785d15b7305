"""psychmem list: what is remembered, chosen and sorted. psychmem show: one memory on a page, with all that happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Annotated, Any

from psychmem_py.cli import output
from psychmem_py.cli.app import AllProjects, Id, app, argument, option
from psychmem_py.cli.context import Workspace, class_of, day, options_given, usage_error_if
from psychmem_py.curation import history
from psychmem_py.errors import NotFoundError
from psychmem_py.memory import admission, forgetting
from psychmem_py.model.light_record import KEPT, LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ENFORCED, HUMAN, ChangeType, Memory, Origin, Status, Store, Tier
from psychmem_py.model.settings import Settings
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import calls, change_log, rows, sessions
from psychmem_py.text.dates import DAY_S

_NOTHING_YET = "Nothing is remembered yet; `psychmem remember TEXT` adds something, `psychmem import` reads what there is."
_NOTHING_HERE = "Nothing is remembered here; --all-projects shows what is elsewhere."
_FORMER = "{0} of {1}, which this directory was before; `psychmem project merge {1} .` brings them here."
_NOTHING_FITS = "Nothing fits what you asked for; `psychmem list --all-projects` shows all there is."
_ORDERS = {"created": "", "updated": "updated_at", "importance": "importance", "strength": "strength"}  # the greatest first
_VIEWS = {"today", "alike", "rules", "figures", "projects"}
_OF_CONVERSATIONS = {"conversations", "words", "after", "limit", "offset"}
_OF_STATUS = {None: LIVE, "all": tuple(Status), "pending": (Status.QUARANTINED,)}


@app.command("list", here=True)
def list_(
    workspace: Workspace,
    words: Annotated[list[str] | None, argument("WORDS …", 'Find these, in any language; "a phrase" in quotes.')] = None,
    all_projects: AllProjects = False,
    status: Annotated[str | None, option("--status", "Only this status.", among=("all", "pending", *Status))] = None,
    kind: Annotated[str, option("--class CLASS", "Only this class, e.g. rule.")] = "",
    tag: Annotated[list[str] | None, option("--tag WORD", "Only with this tag; may be given again.")] = None,
    after: Annotated[float | None, option("--after DATE", "Only from this day on, e.g. 2026-03-01.", parser=day)] = None,
    user: Annotated[bool, option("--user", "Only memories that hold in every project.")] = False,
    pinned: Annotated[bool, option("--pinned", "Only pinned ones.")] = False,
    limit: Annotated[int | None, option("--limit -n N", "At most this many; 0: all.")] = None,
    offset: Annotated[int, option("--offset N", "Skip this many first.")] = 0,
    sort: Annotated[str, option("--sort", "Which come first; a search: by its fit, or strength.", among=_ORDERS)] = "created",
    tier: Annotated[Tier | None, option("--tier", "Only this tier.", among=Tier)] = None,
    today: Annotated[bool, option("--today", "What was kept today, needs approval, or is about to fade.")] = False,
    alike: Annotated[bool, option("--alike", "Groups that say nearly the same.")] = False,
    rules: Annotated[bool, option("--rules", "Rules, with the tool calls each is shown at.")] = False,
    figures: Annotated[bool, option("--figures", "The store in figures.")] = False,
    projects: Annotated[bool, option("--projects", "Every project there is.")] = False,
    batch: Annotated[str, option("--batch FILE.jsonl|-", 'Find each {"id", "query", "limit"?} of a file.')] = "",
    follow: Annotated[bool, option("--follow", "With WORDS: also what is linked to what fits.")] = False,
    conversations: Annotated[bool, option("--conversations", "With WORDS: earlier conversations alone.")] = False,
) -> None:
    """What is remembered here; with WORDS, what fits them best."""
    usage_error_if(min(limit or 0, offset) < 0, "give a number from 0 on", f"--{'offset' if offset < 0 else 'limit'}")
    typed = options_given["typed"] - {"all_projects", "project", "json"}
    if view := min(typed & _VIEWS, default=""):
        from psychmem_py.cli import views  # noqa: PLC0415  # 20 ms that a list does without

        usage_error_if(typed - {view}, "goes with --all-projects alone", f"--{view}")
        getattr(views, view)(workspace, all_projects=all_projects)
        return None
    beside = "goes with WORDS, --after, --limit and --offset alone"
    usage_error_if(conversations and typed - _OF_CONVERSATIONS, beside, "--conversations")
    query = " ".join(words or ()).strip()
    usage_error_if(batch and (words or follow), "holds what to look for, and --follow goes with WORDS", "--batch")
    usage_error_if((words or follow or conversations) and not (query or batch), "say what to look for", "WORDS")
    tagged, kinds = {word.lower() for word in tag or ()}, [class_of(kind)] if kind else []
    statuses = _OF_STATUS.get(status) or (Status(status or ""),)
    narrow: dict[str, Any] = {"all_projects": all_projects, "statuses": statuses, "kinds": kinds, "after": after}

    def fits(memory: Memory) -> bool:
        held = tagged <= {*map(str.lower, memory.tags)} and (not user or memory.project is None)
        return held and (not pinned or memory.pinned) and tier in (None, memory.tier)

    if query or batch:
        from psychmem_py.cli import views  # noqa: PLC0415  # 30 ms that a list does without
        from psychmem_py.store.matches import Question  # noqa: PLC0415

        most = workspace.settings.retrieval.retrieval_limit if limit is None else limit or views.ALL
        query += f" tier:{tier}" if tier else ""
        question = Question(query, workspace.project_id, workspace.now, limit=most, **narrow)
        if conversations:
            return views.conversations(workspace, question, offset=offset)
        asked = fits if tag or user or pinned or tier else None
        strong = sort == "strength"
        return views.search(workspace, question, fits=asked, by_strength=strong, batch=batch, follow=follow, offset=offset)
    with workspace.reading() as db:
        names = sessions.project_names(db)
        found = [memory for memory in rows.listed(db, project=workspace.project_id, **narrow) if fits(memory)]
        if field := _ORDERS[sort]:
            found.sort(key=lambda memory: getattr(memory, field), reverse=True)
        found, left = found[offset:][: limit or None], len(found) - offset - limit if limit else 0
        why = _NOTHING_FITS if typed - {"limit", "sort"} else _NOTHING_HERE
        why = why if found or rows.listed(db, all_projects=True, limit=1) else _NOTHING_YET
        before = sessions.former(db, workspace.project.id, workspace.project.root) if workspace.project and not typed else ()
        uncertain = list[dict[str, Any]]()
        if status == "pending" and typed == {"status"}:
            from psychmem_py.cli.commands import inbox  # noqa: PLC0415  # 20 ms that other lists do without
            from psychmem_py.curation import pending  # noqa: PLC0415

            waiting = pending.items(db, project=workspace.project_id, all_projects=all_projects)
            uncertain = [inbox.row(one) for one in waiting if one.candidate]
    hints = [_FORMER.format(output.counted(number, "memory"), key) for key, number in before]
    if workspace.json or not (found or uncertain):
        return workspace.answer([*map(output.row, found), *uncertain], why, *hints)
    if found:
        output.memories(found, workspace.now, names)
    output.say(*(f"{one['id']:8}  {one['text']} (uncertain)" for one in uncertain))
    return output.say(*[f"{left} more; `-n 0` shows all."] * (left > 0), *hints)


@app.command(here=True)
def show(
    workspace: Workspace,
    memory_id: Id,
    all_: Annotated[bool, option("--all", "Also why it was kept, and the formula of its strength.")] = False,
    history_: Annotated[bool, option("--history", "Everything that ever happened to it, oldest first.")] = False,
) -> None:
    """One memory: who said it, where it holds, how it fades. Also its links and its history."""
    with workspace.reading() as db:
        if history_:
            lines = change_log.history(db, memory_id if workspace.who.is_person else workspace.who.find(db, memory_id).id)
            return workspace.answer([output.logged_row(line) for line in lines], *map(_became, lines))
        try:
            memory = workspace.who.find(db, memory_id)
        except NotFoundError:
            from psychmem_py.cli import views  # noqa: PLC0415  # a memory is shown without
            from psychmem_py.cli.commands import inbox  # noqa: PLC0415

            if not (inbox.print_uncertain(workspace, db, memory_id) or views.print_outline(workspace, db, memory_id)):
                raise
            return None
        evidence, links = rows.evidence(db, memory.id), rows.links(db, memory.id)
        ends = rows.several(db, [end for link in links for end in (link.source, link.target)])
        linked = {key: one for key, one in ends.items() if workspace.who.may(Action.LOOK, one)}  # for an agent
        links = [link for link in links if link.source in linked and link.target in linked]
        names, steps = sessions.project_names(db), change_log.history(db, memory.id)
        held = workspace.when_shown(memory, calls.rules_by_file(db, workspace.project_id or ""), db)
    why: dict[str, Any] = {}
    if all_:
        from psychmem_py.curation.explain import explain  # noqa: PLC0415  # the brief, which a page does without: 20 ms

        why = explain(memory, evidence, workspace.settings, workspace.now)
    if workspace.json:
        heard = [{**one._asdict(), "at": output.iso(one.at)} for one in evidence]
        shown = {"evidence": heard, "links": [one._asdict() | {"created_at": output.iso(one.created_at)} for one in links]}
        more = {**why, "history": [output.logged_row(step) for step in steps]} if why else {}
        return output.print_json({**output.row(memory), **shown, "at_tool_calls": held, **more})
    output.say(memory.text, "")
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
        output.say(*why["gates"], f"\nWhat it is worth: {memory.strength:.2f} of 1, the sum of")
        weighed = ((one["name"], f"{one['value']:.2f} × {one['weight']:+.2f} = {one['share']:+.3f}") for one in why["features"])
        output.details(weighed)
        left = (f"{one['retrievability']:.0%} in {one['days']} days" for one in why["curve"][1:])
        output.say(f"Left: {', '.join(left)}")
    if len(steps) > 1:
        output.say(f"`psychmem show {output.short(memory.id)} --history` shows its {len(steps)} changes.")


def _became(line: change_log.LogLine) -> str:
    """A line of the log: what it did, when, by whom and why, what it altered, and the wording since."""
    did, why, after = history.action_of(line), line.change.reason, line.change.after
    # What a person typed into an agent is kept in its conversation, and not by it.
    typed = line.who and line.change.type is ChangeType.ADD and after and after.origin is Origin.USER_PROMPT
    by = f"you, with {line.who}" if typed else line.who or "you"
    did = f"{output.minute(line.at)} {did} by {by}{', undone' * line.undone}{f' ({why})' * (why not in did)}"
    altered = history.differences(line.change) if line.change.before else after.status.value if after else ""
    return f"{line.seq}  {did}{f' [{altered}]' * (altered not in did)}: {after.text if after else 'gone'}"


def _facts(memory: Memory, names: Mapping[str, str], settings: Settings, now: float) -> list[tuple[str, str]]:
    left, in_half_a_year = (forgetting.retrievability_in(memory, days, now, settings) for days in (0, 182))
    later = f", {in_half_a_year:.0%} in half a year" if (memory.expires_at or inf) > now + 182 * DAY_S else ""
    store = "long-term" if memory.store is Store.LTM else f"short-term: {forgetting.would_confirm(memory)}".removesuffix(": ")
    is_said = memory.origin in HUMAN or admission.AUTHOR in dict(memory.metadata)
    talk = f", session {output.conversation(memory.session)}" if memory.session else ""
    used = f"used {output.counted(memory.use_count, 'time')}, said in {output.counted(memory.session_count, 'conversation')}"
    facts = (
        ("id", memory.id),
        ("class", CLASS_LABELS[memory.kind]),
        ("holds", output.holds_in(memory.project, names)),
        ("said by", f"{output.said_by(memory)}{talk}, {output.minute(memory.created_at)}"),
        ("store", f"{store}{'' if is_said else '; no person has said so'}"),
        ("status", f"{memory.status.value}{', pinned' if memory.pinned else ''}, tier {memory.tier.value}"),
        ("fades", f"{left:.0%} left now{later}" if memory.status in LIVE else ""),
        ("strength", f"{memory.strength:.2f}, {used}"),
        ("expires", output.minute(memory.expires_at)),
        ("tags", ", ".join(memory.tags)),
        ("names", ", ".join(memory.names)),
        ("around it", memory.context),
        ("more", ", ".join(f"{field} {value}" for field, value in memory.metadata)),
    )
    return [(name, value) for name, value in facts if value]
