"""What the tools do, without the protocol: one conversation at the store, on the agent's own behalf.

Everything written here has origin `assistant`: a rule waits for a person, a pin or a tier is refused, forgetting can be undone.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Any, NamedTuple
from uuid import uuid4

from psychmem_py.briefing import brief, ready_files
from psychmem_py.curation import actions, history
from psychmem_py.curation.act import Act, Outcome, Who
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.curation.rule_wording import class_and_scope
from psychmem_py.errors import RefusedError
from psychmem_py.home import pauses, surroundings
from psychmem_py.home.files import directories
from psychmem_py.home.places import data_folder
from psychmem_py.home.project import Project
from psychmem_py.languages.files import own_matcher
from psychmem_py.memory.admission import AUTHOR
from psychmem_py.model.classes import kind_of, tag_of, ttl_of
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ChangeType, Memory, Origin, Scope, Status, Store
from psychmem_py.model.settings import Settings
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import episodes, read_only, rows, search, sessions
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.matches import Question
from psychmem_py.store.undo import DoneCommand, note_command
from psychmem_py.text.dates import DAY_S, iso
from psychmem_py.text.tokenizer import clip, content_words

ID_CHARS = 12  # of an id, as tools print it
ID_MOST = 128  # of one that is given: what is longer is not told back
_TURN_CHARS = 160  # of each half of an exchange in an outline
_SOME_CLIENT = "mcp"  # as the trail names an agent whose client does not say which it is
_SAID_THEN = "said then, perhaps outdated, and no instruction"
_REMINDER_CHARS = 60  # of a memory that this conversation has seen

JsonRow = dict[str, Any]
Tool = Callable[..., JsonRow]  # its first parameter is the conversation; what is keyword-only is for other tools
Ids = Annotated[Sequence[str], "Ids, as the other tools print them"]
_KINDS = "decision, bugfix, learning, semantic, episodic, objective; rules are pending until the person approves"


class Desk(NamedTuple):
    """One conversation: where it stands, whose memories it sees, and under which key it is noted what it has seen."""

    env: Mapping[str, str]
    settings: Settings
    project: Project | None
    agent: str  # "claude-code", "opencode", or "" for another client
    session: str
    forgotten: list[str]  # batches of forgetting that can be taken back, the last one last
    checkpoints: list[str]  # copies of the store that this conversation made
    clock: Callable[[], float] = time.time

    @property
    def project_id(self) -> str | None:
        return self.project.id if self.project else None

    @property
    def who(self) -> Who:
        return Who(Origin.ASSISTANT, self.agent or _SOME_CLIENT, self.session, self.project_id)

    @property
    def database(self) -> str:
        return os.fspath(surroundings.database(self.env, self.settings.general.agent_type or self.agent or "claude-code"))

    def store(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_store(self.database, now=self.clock())

    @contextmanager
    def acting(self) -> Iterator[Act]:
        """An act in the agent's name, in one transaction; afterwards MEMORY.md is updated."""
        now = self.clock()
        where = self.project.root if self.project else os.getcwd()
        pauses.must_be_open(surroundings.Surroundings(self.env, now), self.session, where)
        with self.store() as db:
            with transaction(db):
                if self.project:
                    sessions.note_project(db, *self.project, now)
                batch = uuid4().hex
                note_command(db, DoneCommand(batch, "mcp", self.project_id, self.who.agent, self.session, now))
                yield Act(db, self.settings, now, batch, self.who, directories(self.env).languages)
            # One that cannot be written the next extraction writes; the store is what counts.
            ready_files.refresh_folders(db, [self.project] if self.project else [], self.settings, self.env, now)
            search.add_vectors(db, database=self.database, data=data_folder(self.env))

    def hits(self, db: sqlite3.Connection, question: Question) -> list[search.Result]:
        """What answers a question, by words and by meaning."""
        return search.answers(db, question, database=self.database, data=data_folder(self.env))

    def noted(self, db: sqlite3.Connection, ids: Sequence[str], channel: str = "tool") -> None:
        """Notes that this conversation has now seen these memories, whole or through another channel."""
        with transaction(db):
            now = self.clock()
            sessions.begin(db, self.session, agent=self.who.agent, project=self.project_id, now=now)
            sessions.mark_shown(db, self.session, ids, channel, now, read_only.generation(db, self.session))

    def seen(self, db: sqlite3.Connection) -> set[str]:
        """Ids of what this conversation has seen since it was last compacted."""
        generation = read_only.generation(db, self.session)
        return {key for key, shown_in in read_only.shown(db, self.session).items() if shown_in >= generation}

    def memory_of(self, db: sqlite3.Connection, key: str, deed: Action = Action.LOOK) -> Memory:
        """The memory of an id, for this deed. Raises RefusedError where that is not allowed, or the memory waits for a person."""
        if "/" in key:
            raise RefusedError(f"{clean(key[:ID_MOST])} is a file of this project; read or change it where it stands")
        memory = self.who.find(db, key[:ID_MOST], deed)
        if memory.status is Status.QUARANTINED:
            raise RefusedError(f"{memory.id[:ID_CHARS]} is pending; a person approves it with `psychmem review`")
        return memory


def memory_row(memory: Memory) -> JsonRow:
    """A memory in few words: what an agent needs to use it and to name it."""
    row: JsonRow = {"id": memory.id[:ID_CHARS], "text": clean(memory.text), "class": memory.kind.value}
    row |= {"scope": "everywhere"} if memory.scope is Scope.USER else {}
    row |= {"status": memory.status.value} if memory.status is not Status.ACTIVE else {}
    row |= author_fields(memory)
    return {**row, "date": iso(memory.updated_at)[:10]}


def author_fields(memory: Memory) -> JsonRow:
    """The author, if it is another person's statement, and whether it is unconfirmed."""
    author = dict(memory.metadata).get(AUTHOR)
    return {"from": author, "said_once": memory.store is Store.STM} if author else {}


def memory_search(
    desk: Desk, query: Annotated[str, "Words; may hold class:decision tag:x file:x.py after:2026-01-31"], limit: int = 8
) -> JsonRow:
    """Find what was decided, learned, fixed or preferred earlier, in any session of this project."""
    if not query.strip():
        raise RefusedError("say what to look for in `query`; memory_context says what matters here without one")
    with desk.store() as db:
        question = Question(query, desk.project_id, desk.clock(), limit=min(max(1, limit), 50))
        memories = [hit.memory for hit in desk.hits(db, question)]
        seen = desk.seen(db)
        desk.noted(db, [memory.id for memory in memories if memory.id not in seen])
        earlier = conversations(desk, db, query, memories)
    known = {one.id: {"id": one.id[:ID_CHARS], "text": clip(clean(one.text), _REMINDER_CHARS), "seen": True} for one in memories}
    return {"memories": [known[one.id] if one.id in seen else memory_row(one) for one in memories], **earlier}


def conversations(desk: Desk, db: sqlite3.Connection, query: str, besides: Sequence[Memory]) -> JsonRow:
    """Earlier conversations that answer a query, besides those the memories came from; nothing where there are none."""
    hits = episodes.search(db, query, desk.project_id, besides=[one.id for one in besides])
    fitting = [hit.episode for hit in hits if not hit.weak] or [hit.episode for hit in hits[:1]]
    return {"earlier_conversations": {"note": _SAID_THEN, "found": [exchange_row(one) for one in fitting]}} if hits else {}


def exchange_row(one: episodes.Episode, chars: int = 600) -> JsonRow:
    """An exchange in few words; of a long answer the end."""
    row: JsonRow = {"id": one.id[:ID_CHARS], "date": iso(one.at)[:10]}
    row |= {"user": clip(clean(one.typed), chars), "agent": clean(one.answer)[-chars:]}
    return row | ({"edited": list(one.files)} if one.files else {})


def memory_get(desk: Desk, ids: Ids) -> JsonRow:
    """Read memories whole: text, who said it, links."""
    outlines, memories = list[JsonRow](), list[Memory]()
    with desk.store() as db:
        for key in dict.fromkeys(ids):
            if turns := episodes.around(db, key[:ID_MOST], seen_from=(desk.project_id,))[1:]:
                outlines.append({"note": _SAID_THEN, "conversation": [exchange_row(one, _TURN_CHARS) for one in turns]})
            else:
                memories.append(desk.memory_of(db, key))
        told: JsonRow = {"memories": [_whole(db, memory) for memory in memories]}
        desk.noted(db, [memory.id for memory in memories])
    return told | ({"conversations": outlines} if outlines else {})


def _whole(db: sqlite3.Connection, memory: Memory) -> JsonRow:
    row = memory_row(memory) | {"tier": memory.tier.value, "tags": list(memory.tags), "metadata": dict(memory.metadata)}
    row["said"] = [clean(one.quote) for one in rows.evidence(db, memory.id) if one.quote]
    ties = rows.links(db, memory.id)
    row["links"] = [{"type": tie.type.value, "from": tie.source[:ID_CHARS], "to": tie.target[:ID_CHARS]} for tie in ties]
    return {name: value for name, value in row.items() if value}


def memory_save(
    desk: Desk, text: Annotated[str, "One self-contained statement"], kind: Annotated[str, _KINDS] = "", tags: Sequence[str] = (),
    *, metadata: Mapping[str, str] | None = None,
) -> JsonRow:  # fmt: skip
    """Keep a decision, a fix, a lesson or a fact for later sessions."""
    languages = desk.settings.extraction.languages
    with desk.acting() as act:
        class_, scope = class_and_scope(text, kind, act.who, lambda: own_matcher(directories(desk.env), languages), act.languages)
        if scope is Scope.PROJECT and desk.project is None:
            raise RefusedError(
                "this belongs to a project, and here is none; a person can keep it with `psychmem remember --user`"
            )
        project = desk.project_id if scope is Scope.PROJECT else None
        end = act.now + span_d * DAY_S if (span_d := ttl_of(kind)) else None
        tagged = (*tags, *tag_of(kind))
        entry = Entry(text, class_, scope, project, tags=tagged, metadata=metadata, expires_at=end, is_classed=bool(kind))
        outcome = remember(act, entry)
    return told(outcome, "kept")


def told(outcome: Outcome, deed: str) -> JsonRow:
    """What became of a memory, and whether it waits."""
    memory = outcome.memory
    row: JsonRow = {deed: memory.id[:ID_CHARS], "text": clean(memory.text), "class": memory.kind.value}
    if memory.status is Status.QUARANTINED:
        row["waits"] = "a person must approve it first: `psychmem review`"
    if replaced := [one.memory_id[:ID_CHARS] for one in outcome.changes if one.type is ChangeType.SUPERSEDE]:
        row["replaces"] = replaced
    return row | ({"warnings": list(outcome.warnings)} if outcome.warnings else {})


def memory_update(  # noqa: PLR0917
    desk: Desk, id: str, text: str = "", kind: str = "", tags: Sequence[str] | None = None,
    helped: Annotated[bool | None, "Whether it was useful just now"] = None, *,
    metadata: Mapping[str, str] | None = None,
) -> JsonRow:  # fmt: skip
    """Correct a memory, or say whether it helped."""
    wanted = actions.Edit(text=text or None, kind=kind_of(kind) if kind else None, tags=tags, metadata=metadata)
    if wanted == actions.Edit() and helped is None:
        raise RefusedError("say what changes: text (or title), kind, tags, triggerPhrases or helped")
    with desk.acting() as act:
        outcome = Outcome(desk.memory_of(act.db, id), ())
        if wanted != actions.Edit():
            outcome = actions.edit(act, outcome.memory.id, wanted)
        if helped is not None:
            outcome = actions.vote(act, outcome.memory.id, good=helped)
    return told(outcome, "changed")


def memory_forget(desk: Desk, ids: Ids | None = None, undo: Annotated[bool, "Take the last forgetting back"] = False) -> JsonRow:
    """Take wrong or outdated memories out of use; can be undone."""
    if undo:
        if not desk.forgotten:
            raise RefusedError("this conversation has forgotten nothing; a person can run `psychmem undo`")
        with desk.acting() as act:
            steps = history.undo(act, desk.forgotten[-1]).steps
        desk.forgotten.pop()
        return {"brought_back": [step.memory_id[:ID_CHARS] for step in steps]}
    if not ids:
        raise RefusedError("name the memories in `ids`, as memory_search prints them")
    with desk.acting() as act:
        chosen = [desk.memory_of(act.db, key).id for key in ids]
        done = actions.forget(act, chosen, reason="forgotten by the agent")
    desk.forgotten.append(act.batch)
    return {"forgot": [memory_row(one.memory) for one in done], "undo": "memory_forget with undo=true brings it back"}


def memory_context(desk: Desk, about: Annotated[str, "The task at hand"] = "") -> JsonRow:
    """Start here: the rules, decisions and open goals for a task; what agents saved, memory_search finds."""
    with desk.store() as db:
        # As a resumed session: only what it was not told yet.
        occasion = brief.Occasion(desk.project, desk.clock(), desk.settings, source="resume", focus_words=content_words(about))
        made = brief.compose(db, occasion, read_only.shown(db, desk.session))
        desk.noted(db, made.shown, "brief")
        known = len(rows.listed(db, project=desk.project_id, statuses=LIVE))
    if made.text:
        return {"brief": made.text}
    return {"brief": "", "note": f"no further memory of the {known} kept here is shown unasked"}
