"""psychmem remember, edit and undo: statements kept by hand, memories changed, and commands taken back."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

import typer

from psychmem_py.cli import context, output
from psychmem_py.cli.app import Class, Id, Metadata, Tags, Until, User, app, argument, option
from psychmem_py.cli.context import Workspace, class_of, options_given, usage_error_if
from psychmem_py.curation import actions, exports, history, repository, rule_wording
from psychmem_py.curation import remember as remembering
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.errors import RefusedError
from psychmem_py.memory import admission, forgetting
from psychmem_py.model.records import RULES, Change, LinkType, Message, Origin, Role, Scope, Status, Store, Tier
from psychmem_py.model.settings import tag_of, ttl_of
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import calls, rows, sessions, sqlite
from psychmem_py.text import dates, likeness
from psychmem_py.text.tokenizer import content_words

_PENDING = {
    rule_wording.RULE: f", for it {rule_wording.RULE}",
    admission.NO_PROJECT: ", for it belongs to a project and here is none; --user or --project DIR says where it holds",
}
_STEPS = 20  # of an undo that are told one by one


@app.command(writes=True, here=True)
def remember(
    workspace: Workspace,
    words: Annotated[list[str], argument("TEXT …", "One statement.")],
    kind: Class = "",
    user: User = False,
    tag: Tags = None,
    metadata: Metadata = None,
    until: Until = None,
    replaces: Annotated[str, option("--replaces ID|WORDS", "What it replaces, by id or words; of two things, that part.")] = "",
    pin: Annotated[bool, option("--pin", "It never fades and is always shown.")] = False,
    quote: Annotated[str, option("--quote WORDS", "For agents: the person's own words, which count when found.")] = "",
) -> None:
    """Keep a statement."""
    text, placed = " ".join(words), user or workspace.placed
    usage_error_if(user and workspace.placed, "give either --user or --project", "--user")
    with workspace.acting() as mine:
        sentence = _typed_sentence(mine.db, workspace, text, quote, user=user)
        act = mine._replace(who=mine.who._replace(origin=Origin.USER_PROMPT)) if sentence else mine
        is_whole = likeness.shares_enough(set(content_words(sentence)), set(content_words(text)), likeness.WRITTEN)
        text = sentence or text
        if kind and placed:
            class_, usual_scope = class_of(kind), workspace.settings.policy(class_of(kind)).scope
        else:  # as the extractor would see it, which has the languages loaded
            given = class_of(kind).value if kind else ""
            class_, usual_scope = rule_wording.class_and_scope(text, given, act.who, workspace.matcher, act.languages)
        scope = Scope.USER if user else Scope.PROJECT if workspace.placed else usual_scope
        if scope is Scope.PROJECT and workspace.project is None:
            if workspace.placed or not act.who.is_person:
                raise RefusedError("this belongs to a project, and here is none; run it inside one or say --user")
            of_people = not kind or workspace.settings.policy(class_).scope is Scope.USER
            if of_people and not rule_wording.speaks_of_a_project(text, workspace.matcher()):
                scope = Scope.USER  # else it waits: who says "in this project" does not mean all of them
        if workspace.project:
            sessions.note_project(act.db, *workspace.project, workspace.now)
        entry = remembering.Entry(
            text, class_, scope, workspace.project_id if scope is Scope.PROJECT else None, quote, tags=(*(tag or ()), *tag_of(kind)),
            metadata=context.fields(metadata), pinned=pin, here=workspace.project_id, placed=placed, replaces=clean(replaces).strip(),
            expires_at=until or (workspace.now + span_d * dates.DAY_S if (span_d := ttl_of(kind)) else None),
            is_classed=bool(kind), store=Store.STM if sentence and not is_whole else None,
        )  # fmt: skip
        outcome = remembering.remember(act, entry)
    workspace.say_done([outcome], "remembered")
    memory = outcome.memory
    if workspace.json:
        return
    if memory.project and memory.kind in RULES and memory.status is Status.ACTIVE and not workspace.placed:
        output.say(f"`psychmem edit {output.short(memory.id)} --user` makes it hold in every project")
    if memory.status is Status.QUARANTINED:
        why = dict(memory.metadata).get(admission.DOUBT, "")
        planted = f" because it looks like an instruction planted for the agent ({why})" if why else ""
        output.warn(f"It is pending{_PENDING.get(why, planted)}: `psychmem review` shows it and asks.")


def _typed_sentence(db: sqlite3.Connection, workspace: Workspace, text: str, quote: str, *, user: bool) -> str:
    """The person's sentence that an agent quotes, as they typed it; "" where it is not found or does not vouch for the text."""
    if not (workspace.who.agent and quote):
        return ""
    from psychmem_py.extraction.wording import trimmed  # noqa: PLC0415  # as below
    from psychmem_py.ingestion.proof import typed  # noqa: PLC0415  # reads transcripts, for agents alone
    from psychmem_py.judging import protocol, rewording, understood  # noqa: PLC0415

    heard = typed(db, workspace.who.agent, workspace.who.session, workspace.env)
    said = rewording.source_message(text, quote, heard, workspace.matcher())
    quoted = protocol.found_in(quote, said)
    start, message = said.find(quoted), Message("", Role.USER, Origin.USER_PROMPT, said)
    sentence = trimmed(rewording.sentence_around(said, start, start + len(quoted)))
    everywhere = user or rule_wording.holds_everywhere(text, workspace.matcher())
    is_narrower = everywhere and not rule_wording.holds_everywhere(sentence, workspace.matcher())
    return "" if is_narrower or understood.doubt_of(message, start, start + len(quoted)) else sentence


@app.command(here=True, writes=True)
def edit(
    workspace: Workspace,
    memory_id: Id,
    words: Annotated[list[str] | None, argument("TEXT …", "The new wording.")] = None,
    new_text: Annotated[str, option("--text", hidden=True)] = "",
    kind: Class = "",
    user: User = False,
    to: Annotated[str, option("--to PROJECT", "It holds in that project: a directory, name or id.")] = "",
    tag: Tags = None,
    metadata: Metadata = None,
    until: Until = None,
    tier: Annotated[Tier | None, option("--tier", "How much it weighs.", among=Tier)] = None,
    pin: Annotated[bool | None, option("--pin/--unpin", "It never fades and is always shown, or like any other.")] = None,
    ask: Annotated[bool, option("--ask", "A rule: the client asks you before the agent breaks it.")] = False,
    remind: Annotated[bool, option("--remind", "A rule: the agent is reminded when about to break it.")] = False,
    off: Annotated[bool, option("--off", "A rule: it stays in the brief and leaves tool calls alone.")] = False,
    on: Annotated[str | None, option("--on CALL", "A rule: shown at 'git push * main', '*.env'; '': by its words.")] = None,
    to_repository: Annotated[bool, option("--to-repository", "A rule: write it into the repository's own AGENTS.md.")] = False,
    good: Annotated[bool, option("--good", "It helped: it grows stronger.")] = False,
    bad: Annotated[bool, option("--bad", "It did not help: it grows weaker.")] = False,
    vote: Annotated[bool, option("--vote", hidden=True)] = False,  # `vote ID good|bad` of old
    touch: Annotated[bool, option("--touch", "Count it as used.")] = False,
    link: Annotated[str, option("--link ID", "Link it to that memory; `why ID` follows causes.")] = "",
    unlink: Annotated[str, option("--unlink ID", "Remove its links to that memory.")] = "",
    type_: Annotated[LinkType | None, option("--type", "Of the link.", among=LinkType)] = None,
) -> None:
    """Change, pin, move, link or rate a memory; enforce a rule. Several options at once are one change to `psychmem undo`."""
    if link or unlink:
        return _link(workspace, memory_id, link or unlink, type_, wanted=bool(link))
    text = " ".join(words or ())
    held = [name for name, given in (("remind", remind), ("ask", ask), ("off", off)) if given]
    if len(held) > 1 or (user and to) or (good and bad):
        raise typer.BadParameter("give one of --remind, --ask, --off, one of --user and --to, one of --good and --bad")
    if vote:
        usage_error_if(text not in ("good", "bad"), "say good or bad", "good|bad")
        good, bad, text = text == "good", text == "bad", ""
    wording = text or new_text
    if len(wording) > 7 and not wording.strip("0123456789abcdef"):  # `pin ID ID`
        raise typer.BadParameter("is an id and no wording; give one memory at a time", param_hint=wording)
    here, dry, is_held = workspace.project, workspace.dry_run, bool(held) or on is not None
    can: list[tuple[object, Callable[[Act], Outcome]]] = [
        (to, lambda act: actions.move(act, memory_id, context.project_named(act.db, to, workspace, new=True).id)),
        (tier, lambda act: actions.set_tier(act, memory_id, tier or Tier.NORMAL)),
        (pin is not None, lambda act: actions.pin(act, memory_id, pinned=bool(pin))),
        (is_held, lambda act: actions.guard(act, memory_id, "".join(held), on)),
        (to_repository, lambda act: repository.put(act, memory_id, here, dry_run=dry)),
        (good or bad, lambda act: actions.vote(act, memory_id, good=good)),
        (touch, lambda act: actions.touch(act, memory_id)),
    ]
    steps = [step for asked, step in can if asked]
    fields, before = kind or user or workspace.placed or tag or metadata or until, ""
    named = workspace.env.get("VISUAL") or workspace.env.get("EDITOR")  # an editor that may need no terminal
    if not (wording or fields or steps or workspace.who.agent) and (named or (sys.stdin.isatty() and sys.stdout.isatty())):
        with workspace.store() as db:
            before = rows.by_id(db, memory_id).text
        if (wording := context.edited(before, workspace.directories.data, workspace.env)) in ("", before):
            return output.say("nothing changed")
    if wording or fields:
        scope = Scope.USER if user else Scope.PROJECT if workspace.placed else None
        wanted = actions.Edit(wording or None, class_of(kind) if kind else None, scope=scope, project=workspace.project_id)
        wanted = wanted._replace(tags=tag, metadata=context.fields(metadata), expires_at=until)
        steps.insert(0, lambda act: actions.edit(act, memory_id, wanted))
    usage_error_if(not steps, "say what is to change: TEXT, or an option such as --class, --pin, --ask; --help lists them")
    with workspace.acting() as act:
        memory = act.who.find(act.db, memory_id)
        if before and memory.text != before:
            raise RefusedError(f"it says {memory.text!r} by now, changed while you edited it; you had worded it {wording!r}")
        memory_id = memory.id
        done = [step(act) for step in steps]
    was = done[0].changes[0].before if done[0].changes else None
    is_bound_anew = wording and was and workspace.when_shown(was) != workspace.when_shown(done[-1].memory)
    _tell_edit(workspace, done, touched=touch, held="".join(held) or "remind" if is_held or is_bound_anew else "")


def _tell_edit(workspace: Workspace, done: list[Outcome], *, touched: bool, held: str) -> None:
    memory, changes = done[-1].memory, tuple(change for one in done for change in one.changes)
    states = {"old_score": changes[-1].before or memory, "new_score": memory} if touched else {}
    scores = {name: round(forgetting.usage_score(one, workspace.now), 4) for name, one in states.items()}
    warnings = tuple(warning for one in done for warning in one.warnings)
    workspace.say_done([Outcome(memory, changes, warnings)], "changed", **scores)
    if scores and not workspace.json:
        output.say(f"score {scores['old_score']} -> {scores['new_score']}")
    if (said := workspace.when_shown(memory) if held else "") and not workspace.json:
        from psychmem_py.briefing.actionable import actionable_rules, trigger_count  # noqa: PLC0415  # as above

        with workspace.reading() as db:
            events = calls.lately(db, workspace.project_id)
        output.say(f"At tool calls: {said}.")
        if events:
            root = workspace.root_of(memory)
            spoken = output.counted(trigger_count(actionable_rules([memory], root)[0], events, root), "session")
            output.say(f"At your last {output.counted(len(events), 'call')} here it would have been shown in {spoken}.")
    elif not said and held not in ("", "off"):
        which = f"`psychmem edit {output.short(memory.id)} --{held} --on 'git push * main'`"
        output.warn(f"No tool call matches its words, so it is shown in the brief only; name one: {which}.")


@app.command(writes=True, looks=True, here=True)
def undo(
    workspace: Workspace,
    target: Annotated[str | None, argument("WHAT", "A line of `psychmem show ID --history`; default: your last command.")] = None,
    all_projects: Annotated[bool, option("--all-projects", "Your last command in whatever project.")] = False,
) -> None:
    """Take back your last change here, or a named one. Never what others did."""
    with workspace.acting() as act:
        if (taken := history.undo(act, target, project=workspace.project_id, all_projects=all_projects)).trust:
            from psychmem_py.sync.receive import trusted  # noqa: PLC0415  # as for `trust NAME`

            name, remote, before = sqlite.from_json(taken.trust)
            trusted(act, name, remote=remote, trusting=before)
        notes = exports.orphaned(act.db, taken.steps)
    steps = taken.steps
    ends: dict[str, Change] = {}  # of each memory, from what it was to what it is now
    for step in steps:
        ends[step.memory_id] = step._replace(before=ends.get(step.memory_id, step).before)
    for path, unchanged in notes if not workspace.dry_run else ():
        if unchanged:
            os.unlink(path)
            with suppress(OSError):  # other notes stand there
                os.rmdir(os.path.dirname(path))
        else:
            output.warn(f"{path} was changed since and stays")
    first = taken.command or taken.lines[0]
    when = output.since(first.at, workspace.now).replace("now", "just now")
    deed, done = workspace.word("take back", "took back"), history.actions_of(taken)
    workspace.answer(
        [{"id": one.memory_id, "type": one.type.value, "status": one.after.status.value if one.after else None} for one in steps]
        + ([{"author": name, "trusted": before}] if taken.trust else []),
        f"{deed} what {first.who or 'you'} did {when} ({done}){':' if steps else '.'}",
        *(f"  {output.short(key)} {_undo_text(step)}" for key, step in [*ends.items()][:_STEPS]),
        *([f"  and {len(ends) - _STEPS} more"] if len(ends) > _STEPS else []),
    )


def _link(workspace: Workspace, memory_id: str, target: str, kind: LinkType | None, *, wanted: bool) -> None:
    if len(options_given["typed"] - {"json", "dry_run", "memory_id", "type_"}) > 1:
        raise typer.BadParameter("takes no other option; run that as a command of its own", param_hint="--link")
    with workspace.acting() as act:
        ends = act, memory_id, target
        found = [actions.link(*ends, kind or LinkType.RELATES_TO)] if wanted else actions.unlink(*ends, kind)
    told = [one._asdict() | {"created_at": output.iso(one.created_at)} for one in found]
    deed = workspace.word("link", "linked") if wanted else workspace.word("unlink", "unlinked")
    lines = (f"{deed} {output.short(one.source)} {one.type.value} {output.short(one.target)}" for one in found)
    workspace.answer(told[0] if wanted else told, *lines)


def _undo_text(step: Change) -> str:
    if step.after is None:
        return f"is gone: {step.before.text if step.before else ''}"
    different = history.differences(step) if step.before else step.after.status.value
    return f"is back ({different or 'as it was'}): {step.after.text}"
