"""psychmem remember, edit, move and undo: a statement kept by hand, a memory's fields changed, and commands taken back. Each is
one batch of the change log.
"""

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
from psychmem_py.cli.context import Workspace, class_of, project_named
from psychmem_py.cli.outcomes import refresh, say_done
from psychmem_py.curation import actions, exports, history, repository, rule_wording
from psychmem_py.curation import remember as remembering
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.errors import RefusedError
from psychmem_py.memory.admission import DOUBT, NO_PROJECT
from psychmem_py.memory.forgetting import usage_score
from psychmem_py.model.classes import tag_of, ttl_of
from psychmem_py.model.records import RULES, Change, LinkType, Message, Origin, Role, Scope, Status, Store, Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import calls, rows, sessions
from psychmem_py.store.sqlite import from_json
from psychmem_py.text.dates import DAY_S, NOW
from psychmem_py.text.likeness import WRITTEN, shares_enough
from psychmem_py.text.tokenizer import content_words

_PENDING = {
    rule_wording.RULE: f", for it {rule_wording.RULE}",
    NO_PROJECT: ", for it belongs to a project and here is none; --user or --project DIR says where it holds",
}
_STEPS = 20  # of an undo that are told one by one
_HELD = {"remind": "reminds of", "ask": "asks about", "off": "leaves alone"}


@app.command(writes=True, here=True)
def remember(
    workspace: Workspace,
    text: Annotated[str, argument("TEXT", "One statement.")],
    kind: Class = "",
    user: User = False,
    tag: Tags = None,
    metadata: Metadata = None,
    until: Until = "",
    replaces: Annotated[str, option("--replaces ID|WORDS", "What it replaces, by id or words; of two things, that part.")] = "",
    pin: Annotated[bool, option("--pin", "It never fades and is always shown.")] = False,
    quote: Annotated[str, option("--quote WORDS", "For agents: the person's own words, which count when found.")] = "",
) -> None:
    """Keep a statement."""
    placed = user or workspace.placed
    if user and workspace.placed:
        raise typer.BadParameter("give either --user or --project", param_hint="--user")
    with workspace.acting() as mine:
        sentence = _typed_sentence(mine.db, workspace, text, quote, user=user)
        act = mine._replace(who=mine.who._replace(origin=Origin.USER_PROMPT)) if sentence else mine
        is_whole = shares_enough(set(content_words(sentence)), set(content_words(text)), WRITTEN)
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
        span_d = ttl_of(kind)
        entry = remembering.Entry(
            text, class_, scope, workspace.project_id if scope is Scope.PROJECT else None, quote, tags=(*(tag or ()), *tag_of(kind)),
            metadata=context.fields(metadata), pinned=pin, here=workspace.project_id, placed=placed, replaces=clean(replaces).strip(),
            expires_at=context.end(until, workspace.now) or (workspace.now + span_d * DAY_S if span_d else None),
            is_classed=bool(kind), store=Store.STM if sentence and not is_whole else None,
        )  # fmt: skip
        outcome = remembering.remember(act, entry)
    say_done(workspace, [outcome], "remembered")
    memory = outcome.memory
    if workspace.json:
        return
    if memory.project and memory.kind in RULES and memory.status is Status.ACTIVE and not workspace.placed:
        output.say(f"`psychmem edit {output.short(memory.id)} --user` makes it hold in every project")
    if memory.status is Status.QUARANTINED:
        why = dict(memory.metadata).get(DOUBT, "")
        planted = f" because it looks like an instruction planted for the agent ({why})" if why else ""
        output.warn(f"It is pending{_PENDING.get(why, planted)}: `psychmem review` shows it and asks.")


def _typed_sentence(db: sqlite3.Connection, workspace: Workspace, text: str, quote: str, *, user: bool) -> str:
    """The person's sentence that an agent quotes, as they typed it, which counts as theirs; "" where the quote does not vouch for
    the text: it is not found, or the text holds in every project and they did not say that.
    """
    if not (workspace.who.agent and quote):
        return ""
    from psychmem_py.extraction.wording import trimmed  # noqa: PLC0415  # as below
    from psychmem_py.ingestion.proof import typed  # noqa: PLC0415  # reads transcripts, for agents alone
    from psychmem_py.judging import protocol, rewording, understood  # noqa: PLC0415

    said = rewording.source_message(
        text, quote, typed(db, workspace.who.agent, workspace.who.session, workspace.env), workspace.matcher()
    )
    quoted = protocol.found_in(quote, said)
    start, message = said.find(quoted), Message("", Role.USER, Origin.USER_PROMPT, said)
    sentence = trimmed(rewording.sentence_around(said, start, start + len(quoted)))
    everywhere = user or rule_wording.holds_everywhere(text, workspace.matcher())
    if understood.doubt_of(message, start, start + len(quoted)):
        return ""
    return "" if everywhere and not rule_wording.holds_everywhere(sentence, workspace.matcher()) else sentence


@app.command(here=True, writes=True)
def edit(
    workspace: Workspace,
    memory_id: Id,
    text: Annotated[str, argument("TEXT", "The new wording.")] = "",
    new_text: Annotated[str, option("--text", hidden=True)] = "",
    kind: Class = "",
    user: User = False,
    to: Annotated[str, option("--to PROJECT", "It holds in that project: a directory, name or id.")] = "",
    tag: Tags = None,
    metadata: Metadata = None,
    until: Until = "",
    tier: Annotated[str, option("--tier", "constitutional, critical, important, normal, temporary, deprecated")] = "",
    pin: Annotated[bool | None, option("--pin/--unpin", "It never fades and is always shown, or like any other.")] = None,
    ask: Annotated[bool, option("--ask", "A rule: the client asks you before the agent breaks it.")] = False,
    remind: Annotated[bool, option("--remind", "A rule: the agent is reminded when about to break it.")] = False,
    off: Annotated[bool, option("--off", "A rule: it stays in the brief and leaves tool calls alone.")] = False,
    on: Annotated[str | None, option("--on CALL", "A rule: shown at 'git push * main', '*.env'; '': by its words.")] = None,
    to_repository: Annotated[
        bool, option("--to-repository", "A rule: write it into the repository's own AGENTS.md or like.")
    ] = False,
    good: Annotated[bool, option("--good", "It helped: it grows stronger.")] = False,
    bad: Annotated[bool, option("--bad", "It did not help: it grows weaker.")] = False,
    vote: Annotated[bool, option("--vote", hidden=True)] = False,  # `vote ID good|bad` of old
    touch: Annotated[bool, option("--touch", "Count it as used.")] = False,
    link: Annotated[str, option("--link ID", "Link it to that memory; `why ID` follows causes.")] = "",
    unlink: Annotated[str, option("--unlink ID", "Remove its links to that memory.")] = "",
    type_: Annotated[str, option("--type", f"Of the link: {', '.join(LinkType)}.")] = "",
) -> None:
    """Change, pin, move, link or rate a memory; enforce a rule. Several options at once are one change to `psychmem undo`."""
    if link or unlink:
        others = (text, new_text, kind, user, to, tag, metadata, until, tier, ask, remind, off, good, bad, vote, touch)
        if any(others) or pin is not None or on is not None or to_repository or workspace.placed or (link and unlink):
            raise typer.BadParameter("takes no other option; run that as a command of its own", param_hint="--link")
        return _link(workspace, memory_id, link or unlink, type_, wanted=bool(link))
    held = [name for name, given in (("remind", remind), ("ask", ask), ("off", off)) if given]
    if len(held) > 1 or (user and to) or (good and bad):
        raise typer.BadParameter("give one of --remind, --ask, --off, one of --user and --to, one of --good and --bad")
    if vote and text not in ("good", "bad"):
        raise typer.BadParameter("say good or bad", param_hint="good|bad")
    how, wording = "".join(held), "" if vote else text or new_text
    if len(wording) > 7 and not wording.strip("0123456789abcdef"):  # `pin ID ID`
        raise typer.BadParameter("is an id and no wording; give one memory at a time", param_hint=wording)
    good, bad, held_now = good or (vote and text == "good"), bad or (vote and text == "bad"), bool(held) or on is not None
    here, dry = workspace.project, workspace.dry_run
    can: list[tuple[bool, str, Callable[[Act], Outcome]]] = [  # what else is asked for, with the word for having done it
        (bool(to), "moved", lambda act: actions.move(act, memory_id, project_named(act.db, to, workspace, new=True).id)),
        (bool(tier), "changed", lambda act: actions.set_tier(act, memory_id, context.choice(tier, Tier, "--tier"))),
        (pin is not None, "pinned" if pin else "unpinned", lambda act: actions.pin(act, memory_id, pinned=bool(pin))),
        (held_now, _HELD.get(how, "changed"), lambda act: actions.guard(act, memory_id, how, on)),
        (to_repository, "wrote into the repository", lambda act: repository.put(act, memory_id, here, dry_run=dry)),
        (good or bad, f"rated {'good' if good else 'bad'}:", lambda act: actions.vote(act, memory_id, good=good)),
        (touch, "touched", lambda act: actions.touch(act, memory_id)),
    ]
    steps = [(verb, step) for asked, verb, step in can if asked]
    changes, before = wording or kind or user or workspace.placed or tag or metadata or until, ""
    named = workspace.env.get("VISUAL") or workspace.env.get("EDITOR")  # an editor that may need no terminal
    if not (changes or steps or workspace.who.agent) and (named or (sys.stdin.isatty() and sys.stdout.isatty())):
        with workspace.store() as db:
            before = rows.by_id(db, memory_id).text
        wording = context.edited(before, workspace.directories.data, workspace.env)
        if wording in ("", before):
            return output.say("nothing changed")
    if wording or changes:
        wanted = actions.Edit(
            text=wording or None,
            kind=class_of(kind) if kind else None,
            scope=Scope.USER if user else Scope.PROJECT if workspace.placed else None,
            project=workspace.project_id,
            tags=tag,
            metadata=context.fields(metadata),
            expires_at=context.end(until, workspace.now),
        )
        steps.insert(0, ("changed", lambda act: actions.edit(act, memory_id, wanted)))
    if not steps:
        raise typer.BadParameter("say what is to change: TEXT, or an option such as --class, --pin, --ask; --help lists them")
    with workspace.acting() as act:
        if before and (by_now := act.who.find(act.db, memory_id).text) != before:
            raise RefusedError(f"it says {by_now!r} by now, changed while you edited it; you had worded it {wording!r}")
        memory_id = act.who.find(act.db, memory_id).id
        done = [step(act) for _, step in steps]
        if not dry:
            repository.follow(done[0].changes, here)
    file = dict(done[-1].memory.metadata).get(repository.FIELD) if to_repository else None
    verbs = list(dict.fromkeys(verb.replace("the repository", file or "the repository") for verb, _ in steps))
    if held_now and not workspace.when_shown(done[-1].memory):  # no call is waited for: it asks about nothing
        verbs = [verb if verb != _HELD.get(how) else "changed" for verb in verbs]
    _tell_edit(workspace, done, verbs, touched=touch, held=(how or "remind") if held_now else "")


def _tell_edit(workspace: Workspace, done: list[Outcome], verbs: list[str], *, touched: bool, held: str) -> None:
    changes = tuple(change for one in done for change in one.changes)
    whole = done[-1]._replace(changes=changes, warnings=tuple(warning for one in done for warning in one.warnings))
    scores = {}
    if touched:
        before = done[-1].changes[0].before if done[-1].changes else None
        old, new = (round(usage_score(one or whole.memory, workspace.now), 4) for one in (before, done[-1].memory))
        scores = {"old_score": old, "new_score": new}
    say_done(workspace, [whole], ", ".join(verbs), **scores)
    if scores and not workspace.json:
        output.say(f"score {old} -> {new}")
    said = workspace.when_shown(whole.memory) if held else ""
    if not said and held not in ("", "off"):
        which = f"`psychmem edit {output.short(whole.memory.id)} --{held} --on 'git push * main'`"
        output.warn(f"No tool call matches its words, so it is shown in the brief only; name one: {which}.")
    elif said and not workspace.json:
        from psychmem_py.briefing.actionable import actionable_rules, trigger_count  # noqa: PLC0415  # as above

        with workspace.reading() as db:
            events = calls.lately(db, workspace.project_id)
        output.say(f"At tool calls: {said}.")
        if events:
            root = workspace.root_of(whole.memory)
            spoken = output.counted(trigger_count(actionable_rules([whole.memory], root)[0], events, root), "session")
            output.say(f"At your last {output.counted(len(events), 'call')} here it would have been shown in {spoken}.")


@app.command(writes=True, looks=True, here=True)
def undo(
    workspace: Workspace,
    target: Annotated[str | None, argument("WHAT", "A line of `psychmem show ID --history`; default: your last command.")] = None,
    all_projects: Annotated[bool, option("--all-projects", "Your last command in whatever project.")] = False,
) -> None:
    """Take back your last command here, or a named change. Never what an agent or somebody else did, and never an older command
    instead; it says what cannot be undone.
    """
    with workspace.acting() as act:
        taken = history.undo(act, target, project=workspace.project_id, all_projects=all_projects)
        if taken.trust:
            from psychmem_py.sync.receive import trusted  # noqa: PLC0415  # as for `trust NAME`

            name, remote, before = from_json(taken.trust)
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
    if not workspace.dry_run:
        repository.follow(steps, workspace.project)
    refresh(workspace)
    first = taken.command or taken.lines[0]
    when = output.since(first.at, workspace.now)
    deed, done = workspace.word("take back", "took back"), history.actions_of(taken)
    workspace.answer(
        [{"id": one.memory_id, "type": one.type.value, "status": one.after.status.value if one.after else None} for one in steps]
        + ([{"author": name, "trusted": before}] if taken.trust else []),
        f"{deed} what {first.who or 'you'} did {'just ' * (when == NOW)}{when} ({done}){':' if steps else '.'}",
        *(f"  {output.short(key)} {_undo_text(step)}" for key, step in [*ends.items()][:_STEPS]),
        *([f"  and {len(ends) - _STEPS} more"] if len(ends) > _STEPS else []),
    )


def _link(workspace: Workspace, memory_id: str, target: str, type_: str, *, wanted: bool) -> None:
    kind = context.choice(type_, LinkType, "--type") if type_ else None
    with workspace.acting() as act:
        if wanted:
            found = [actions.link(act, memory_id, target, kind or LinkType.RELATES_TO)]
        else:
            found = actions.unlink(act, memory_id, target, kind)
    told = [one._asdict() | {"created_at": output.iso(one.created_at)} for one in found]
    deed = workspace.word("link", "linked") if wanted else workspace.word("unlink", "unlinked")
    lines = (f"{deed} {output.short(one.source)} {one.type.value} {output.short(one.target)}" for one in found)
    workspace.answer(told[0] if wanted else told, *lines)


def _undo_text(step: Change) -> str:
    """How a memory is after an undo: gone, back as it was, or back with what is different."""
    if step.after is None:
        return f"is gone: {step.before.text if step.before else ''}"
    different = history.differences(step) if step.before else step.after.status.value
    return f"is back ({different or 'as it was'}): {step.after.text}"
