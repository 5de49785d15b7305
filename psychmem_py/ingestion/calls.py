"""What the tool calls of a stretch teach: where a rule was said, which commands fail here by their usage, what the person refuses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice

from psychmem_py.agents.tool_traces import REFUSED, USAGE
from psychmem_py.curation.act import Act
from psychmem_py.guards.call import WRITING_TOOLS
from psychmem_py.guards.forms import has_form, is_filtered, key, usage_fault, usage_form, variant
from psychmem_py.home.project import Project, top_of
from psychmem_py.memory.admission import new_memory
from psychmem_py.memory.strength import rescored
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Message, Origin, Role, Status, ToolUse
from psychmem_py.store import calls, change_log, episodes, read_only, rows
from psychmem_py.store.calls import Refused

_SHELLS = frozenset({"bash", "shell"})
_LOOKED_AFTER = 5  # shell calls behind one that failed, among which one may have worked in its place
_TIMES, _SHARE = 2, 1 / 3  # sessions in which calls of a key were refused, and their share, from which that is a rule
IMPORTANCE, CONFIDENCE = 0.8, 0.9
METHOD = "refusal"  # of the evidence


def learn(
    act: Act, project: Project, messages: Sequence[Message], uses: Sequence[ToolUse], is_rule: Callable[[str], bool]
) -> list[Change]:
    """Files what the calls teach, those that were not filed before, in the caller's transaction; the rules that came of refusals.

    `is_rule` says whether the reason of a refusal has the words of a rule.
    """
    new = calls.fresh(act.db, [use.id for use in uses])
    made = sorted((use for use in uses if use.id in new), key=lambda use: use.at)
    begun = [one.message_id for one in episodes.kept(act.db, session=act.who.session)] if made else []
    calls.touch(act.db, _touched(project, act.who.session, messages, made, begun[-1:]))
    shell = [use for use in made if use.command and use.tool.lower() in _SHELLS]
    _failures(act, project.id, shell)
    return _refusals(act, project.id, shell, is_rule)


def _touched(
    project: Project, session: str, messages: Sequence[Message], uses: Iterable[ToolUse], begun: list[str]
) -> list[tuple[str, str, str, str, float]]:
    """The files changed behind each thing that was typed: `begun` is what an earlier stretch read, if anything, to which the first calls may belong."""
    typed = sorted(((one.at, one.id) for one in messages if one.role is Role.USER and one.at), key=lambda one: one[0])
    inside, changed = cache(_inside), []
    for use in uses:
        behind = [*begun, *(key for at, key in typed if at <= use.at)]
        if behind and use.ok and use.tool.lower() in WRITING_TOOLS:
            names = [inside(path, project.root) for path in use.paths]
            changed += [(behind[-1], name, project.id, session, use.at) for name in names if name]
    return changed


def _inside(path: str, root: str) -> str:
    """The path from the top of the work tree that it is in, of which a project may have several; "" for a file elsewhere."""
    if not os.path.isabs(path):
        return os.path.normpath(path) if not path.startswith("..") else ""
    folder = os.path.dirname(path)
    top = next((one for one in (top_of(folder), os.path.realpath(root)) if path.startswith(one + os.sep)), "")
    ours = top and (os.path.realpath(root) == top or os.path.isfile(os.path.join(top, ".git")))
    return os.path.relpath(path, top) if ours else ""


def _failures(act: Act, project: str, shell: Sequence[ToolUse]) -> None:
    """Notes the calls that failed by their usage, with what worked in their place, and forgets those that work by now."""
    failed = []
    for number, use in enumerate(shell):
        form = usage_form(use.command, use.error_line) if use.error_class == USAGE else ""
        if form:
            after = (later.command for later in islice(shell, number + 1, number + 1 + _LOOKED_AFTER) if later.ok)
            worked = next((like for line in after if (like := variant(use.command, form, line))), "")
            failed.append((form, use.at, usage_fault(use.error_line), worked))
    calls.fail(act.db, project, act.who.session, failed)
    known = {one.form: 0.0 for one in calls.failing(act.db, project)} | {form: at for form, at, *_ in failed}
    if known:
        ran = [use for use in shell if use.ok and not is_filtered(use.command)]
        calls.strike(
            act.db,
            project,
            [form for form, at in known.items() if any(use.at > at and has_form(use.command, form) for use in ran)],
        )


def _refusals(act: Act, project: str, shell: Sequence[ToolUse], is_rule: Callable[[str], bool]) -> list[Change]:
    named = [(use, name) for use in shell if (name := key(use.command))]
    for use, name in named:
        is_refused = use.error_class == REFUSED
        reason = use.error_line if is_refused and use.error_line and is_rule(use.error_line) else ""
        calls.count(act.db, project, act.who.session, name, refused=is_refused, reason=reason)
    refusals = calls.refused(act.db, project, list({name for _, name in named}))
    return [change for one in refusals if (change := _change(act, project, one))]


def _change(act: Act, project: str, one: Refused) -> Change | None:
    """What becomes of the rule that a key is refused; None for nothing, and for what a person changed or took back."""
    holds = one.sessions >= _TIMES and one.refused / (one.refused + one.ran) >= _SHARE
    text = f"The user refused `{one.key}` {one.refused} of {one.refused + one.ran} times"
    text = f"{text}: {one.reason}" if one.reason else text
    before = rows.get(act.db, one.memory) if one.memory else None
    if before is None:
        return _new(act, project, one.key, text) if holds and not one.memory and not change_log.buried(act.db, [text]) else None
    ours = before.status in (Status.ACTIVE, Status.ARCHIVED) and before.text.startswith(f"The user refused `{one.key}` ")
    after = before._replace(text=text, status=Status.ACTIVE if holds else Status.ARCHIVED)
    if not ours or after == before or (before.status is Status.ARCHIVED and not holds):
        return None
    kind = ChangeType.EDIT if after.status is before.status else ChangeType.STATUS
    return Change(kind, before.id, before, after._replace(updated_at=act.now), "refused again" if holds else "no longer refused")


def _new(act: Act, project: str, name: str, text: str) -> Change:
    memory = new_memory(
        text,
        id_=next(rows.fresh_ids()),
        kind=Kind.CONSTRAINT,
        policy=act.settings.policy(Kind.CONSTRAINT),
        project=project,
        origin=Origin.USER_PROMPT,  # an act of theirs; of the words only a reason they typed is theirs, and the call's key is a name
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
        now=act.now,
    )._replace(agent=act.who.agent, session=act.who.session, metadata=((read_only.REFUSED, name),))
    calls.made(act.db, project, name, memory.id)
    evidence = Evidence(memory.id, act.now, METHOD, Origin.USER_PROMPT, act.who.session, quote=text)
    return Change(ChangeType.ADD, memory.id, None, rescored(memory, act.settings.scoring), "refused in two sessions", evidence)
