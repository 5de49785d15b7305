"""What is learned besides statements: exchanges, what calls teach (files, failing commands, refusals), the client's own notes."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.agents.tool_traces import REFUSED, USAGE
from psychmem_py.curation.act import Act, storable
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import RefusedError
from psychmem_py.extraction.mask import without_pastes
from psychmem_py.guards.forms import has_form, is_filtered, keys, usage_fault, usage_form, variant
from psychmem_py.home.places import below
from psychmem_py.home.project import Project, repository_around
from psychmem_py.ingestion import proof
from psychmem_py.memory.admission import new_memory
from psychmem_py.memory.forgetting import NOTE_GONE, consolidated, is_note_gone, rescored
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Message, Origin, Role, Scope, Status, Store, ToolUse
from psychmem_py.model.tools import SHELL_TOOLS, WRITING_TOOLS
from psychmem_py.safety.control_chars import line
from psychmem_py.store import calls, change_log, episodes, read_only, rows, sessions
from psychmem_py.store.connection import transaction
from psychmem_py.text.folding import late
from psychmem_py.text.likeness import NOTED, shares_enough
from psychmem_py.text.tokenizer import content_words, digest, query_terms

_LOOKED_AFTER = 5  # shell calls behind one that failed, among which one may have worked in its place
_TIMES, _SHARE = 2, 1 / 3  # sessions in which calls of a key were refused, and their share, from which that is a rule
IMPORTANCE, CONFIDENCE = 0.8, 0.9
METHOD = "refusal"  # of the evidence
_TYPED, _ANSWER = (400, 200), (200, 300)  # characters kept of the beginning and of the end
_FILES, _FAILED, _COMMAND_CHARS = 12, 3, 80
_LITTLE_CHARS, _ASKING_WORDS = 100, 3  # a shorter answer to a prompt with fewer words that ask is nothing to be found again
# A fenced block, on one line or several; one that nobody closes goes on to the end.
_FENCED = late(r"(?m)^[^\S\n]*```(?:[^\n]*```.*$|[\s\S]*?(?:^[^\S\n]*```.*$|\Z))")
_LINK = late(r"\[([^\]\n]{1,200})\]\([^)\n]{1,500}\)")


def learn(
    act: Act, project: Project, messages: Sequence[Message], uses: Sequence[ToolUse], is_rule: Callable[[str], bool]
) -> list[Change]:
    """Files what new calls teach, in the caller's transaction; returns the rules made of refusals whose reason `is_rule`."""
    new = sessions.unseen(act.db, [use.id for use in uses], "event", "id")
    made = sorted((use for use in uses if use.id in new), key=lambda use: use.at)
    _touch(act, project, messages, made)
    shell = [use for use in made if use.command and use.tool.lower() in SHELL_TOOLS]
    _failures(act, project.id, shell)
    return _refusals(act, project.id, shell, is_rule)


def _touch(act: Act, project: Project, messages: Sequence[Message], uses: Sequence[ToolUse]) -> None:
    """Notes the files changed behind each thing that was typed; the first calls may belong to what an earlier stretch read."""
    session = act.who.session
    before = sessions.typed_last(act.db, session) if uses else ""
    typed = sorted(((one.at, one.id) for one in messages if one.role is Role.USER and one.at), key=lambda one: one[0])
    inside = cache(_inside)
    for use in uses:
        behind = [before, *(key for at, key in typed if at <= use.at)]
        if behind[-1] and use.ok and use.tool.lower() in WRITING_TOOLS:
            names = [inside(path, project.root) for path in use.paths]
            calls.note_changed(act.db, [(behind[-1], name, project.id, session, use.at) for name in names if name])


def _inside(path: str, root: str) -> str:
    """The path from the top of the work tree that it is in, of which a project may have several; "" for a file elsewhere."""
    here = os.path.realpath(root)
    path = os.path.join(here, path)
    top = next((one for one in (repository_around(os.path.dirname(path)).top, here) if path.startswith(one + os.sep)), "")
    return below(path, top) if top and (top == here or os.path.isfile(os.path.join(top, ".git"))) else ""


def _failures(act: Act, project: str, shell: Sequence[ToolUse]) -> None:
    """Notes the calls that failed by their usage, with what worked in their place, and forgets those that work by now."""
    failed = []
    for number, use in enumerate(shell):
        if use.error_class == USAGE and (form := usage_form(use.command, use.error_line)):
            after = (later.command for later in islice(shell, number + 1, number + 1 + _LOOKED_AFTER) if later.ok)
            worked = next((like for line in after if (like := variant(use.command, form, line))), "")
            failed.append((form, use.at, usage_fault(use.error_line), worked))
    calls.note_failed(act.db, project, act.who.session, failed)
    known = {one.form: 0.0 for one in calls.failing(act.db, project)} | {form: at for form, at, *_ in failed}
    if known:
        ran = [use for use in shell if use.ok and not is_filtered(use.command)]
        works = (form for form, at in known.items() if any(use.at > at and has_form(use.command, form) for use in ran))
        calls.clear_failed(act.db, project, [*works])


def _refusals(act: Act, project: str, shell: Sequence[ToolUse], is_rule: Callable[[str], bool]) -> list[Change]:
    named = [(use, name) for use in shell for name in keys(use.command)]
    for use, name in named:
        is_refused = use.error_class == REFUSED
        reason = use.error_line if is_refused and use.error_line and is_rule(use.error_line) else ""
        calls.count(act.db, project, act.who.session, name, refused=is_refused, reason=reason)
    refusals = calls.refused(act.db, project, list({name for _, name in named}))
    # Where all refused calls had an option, it is what was refused; of several options one is enough.
    told = {(" ".join(word for word in one.key.split() if word[0] != "-"), one.refused): one.key for one in sorted(refusals)}
    chosen = [one for one in refusals if one.memory or one.key in told.values()]
    return [change for one in chosen if (change := _change(act, project, one))]


def _change(act: Act, project: str, one: calls.CallCount) -> Change | None:
    """The change to the rule about a refused key; None for none, and for a rule that a person changed or took back."""
    holds = one.sessions >= _TIMES and one.refused / (one.refused + one.ran) >= _SHARE
    text = f"The user refused `{one.key}` {one.refused} of {one.refused + one.ran} times"
    text = f"{text}: {one.reason}" if one.reason else text
    before = rows.get(act.db, one.memory) if one.memory else None
    if before is None:
        return _new(act, project, one.key, text) if holds and not one.memory and not change_log.erased(act.db, [text]) else None
    ours = before.status in (Status.ACTIVE, Status.ARCHIVED) and before.text.startswith(f"The user refused `{one.key}` ")
    after = before._replace(text=text, status=Status.ACTIVE if holds else Status.ARCHIVED)
    if not ours or after == before or (before.status is Status.ARCHIVED and not holds):
        return None
    kind = ChangeType.EDIT if after.status is before.status else ChangeType.STATUS
    return Change(kind, before.id, before, after._replace(updated_at=act.now), "counted again" if holds else "no longer refused")


def _new(act: Act, project: str, name: str, text: str) -> Change:
    memory = new_memory(
        text,
        id_=next(rows.fresh_ids()),
        kind=Kind.CONSTRAINT,
        policy=act.settings.policy(Kind.CONSTRAINT),
        project=project,
        origin=Origin.USER_PROMPT,  # their act; of its words only a reason they typed is theirs, the call's key is a name
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
        now=act.now,
    )._replace(agent=act.who.agent, session=act.who.session, metadata=((read_only.REFUSED, name),))
    calls.made(act.db, project, name, memory.id)
    evidence = Evidence(memory.id, act.now, METHOD, Origin.USER_PROMPT, act.who.session, quote=text)
    return Change(ChangeType.ADD, memory.id, None, rescored(memory, act.settings.scoring), "refused in two sessions", evidence)


def exchanges(
    messages: Sequence[Message], uses: Iterable[ToolUse], *, project: str | None, session: str, now: float
) -> list[episodes.Episode]:
    """The exchanges worth finding again in redacted messages; the first has no message if it began in an earlier span."""
    parts: list[tuple[Message, list[str], list[ToolUse]]] = [(Message("", Role.USER, Origin.USER_PROMPT, ""), [], [])]
    for message in messages:
        if message.role is Role.ASSISTANT:
            parts[-1][1].append(message.text)
        elif message.origin is Origin.USER_PROMPT:
            parts.append((message, [], []))
    begun = sorted((typed.at, number) for number, (typed, *_) in enumerate(parts) if typed.at is not None)
    for use in uses:
        before = bisect_right(begun, (use.at, len(parts)))
        parts[begun[before - 1][1] if before else 0][2].append(use)
    made = list[episodes.Episode]()
    for typed, answers, done in parts:
        edited = [path for call in done if call.ok and call.tool.lower() in WRITING_TOOLS for path in call.paths]
        failed = [call.command[:_COMMAND_CHARS] for call in done if not call.ok and call.command]
        least = 0 if edited or failed else _LITTLE_CHARS if typed.id else 1
        if sum(map(len, answers)) < least and len(query_terms(typed.text, grammar=False)) < _ASKING_WORDS:
            continue
        last = next((text for text in reversed(answers) if text.strip()), "")
        one = episodes.Episode(
            id=digest(f"exchange {typed.id}")[:32], project=project, session=session, message_id=typed.id,
            at=typed.at or now, typed=_cut(without_pastes(typed.text), *_TYPED),
            answer=_cut(_LINK.sub(r"\1", _FENCED.sub("", last)), *_ANSWER),
            files=tuple(dict.fromkeys(path.replace("\\", "/").rpartition("/")[2] for path in edited))[:_FILES],
            failed=tuple(dict.fromkeys(failed))[:_FAILED],
        )  # fmt: skip
        made.append(one)
    return made


def _cut(text: str, head: int, tail: int) -> str:
    text = line(" ".join(text.split()))
    return text if len(text) <= head + tail + 3 else f"{text[:head]} … {text[-tail:]}"


def take_up_notes(act: Act, project: Project, env: Mapping[str, str], cwd: str) -> None:
    """Remembers the client's new notes, each content once, as the agent's word; what came from a deleted one alone is asked."""
    db, session = act.db, act.who.session
    folder = claude_memory.folder_of(cwd, env)
    notes, are_all = claude_topics.notes(folder)
    if folder.loaded and os.path.isdir(folder.path) and are_all:  # else a note may be there, unseen
        _follow_deletions(act, project, {digest(storable(note.text).strip()) for note in notes})
    new = sessions.unseen(db, [note.key for note in notes])
    fresh = [note for note in notes if note.key in new]
    typed = [frozenset(content_words(message)) for message in proof.typed(db, act.who.agent, session, env)] if fresh else []
    for note in fresh:
        try:
            memory = remember(act, Entry(note.text, note.kind, Scope.PROJECT, project.id, tags=(sessions.CLIENT_NOTE,))).memory
        except RefusedError:  # purged, forgotten on purpose, or empty without its secrets
            continue
        finally:  # a note that cannot be taken up keeps no other from it
            with transaction(db):
                sessions.note_seen(db, [note.key], session, act.now)
        words = frozenset(content_words(note.text))
        said = any(shares_enough(words, message, NOTED) for message in typed)
        if said and memory.store is Store.STM and memory.status is Status.ACTIVE:
            with transaction(db):
                why, after = "the person's words confirm it", consolidated(memory)
                act.apply([Change(ChangeType.REINFORCE, memory.id, memory, after, why)])


def _follow_deletions(act: Act, project: Project, there: Collection[str]) -> None:
    """Marks memories that came only from a note that is gone, and removes the mark from those whose note is back."""
    for memory in sessions.by_client(act.db, project.id):
        gone = digest(memory.text) not in there
        if gone is is_note_gone(memory):
            continue
        after = memory.marked({NOTE_GONE: "true" if gone else ""})._replace(store=Store.STM, updated_at=act.now)
        reason = "the client deleted the note it came from" if gone else "the note it came from is there again"
        with transaction(act.db):
            act.apply([Change(ChangeType.EDIT, memory.id, memory, after, reason)])
