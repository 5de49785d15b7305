"""What our six tools and the STM server's do for one conversation, as origin `assistant`: rules wait, pins are refused."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple
from uuid import uuid4

from psychmem_py.briefing import brief, ready_files
from psychmem_py.curation import actions, exports, history, rule_wording, upkeep
from psychmem_py.curation.act import Act, Outcome, Who
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import RefusedError, refuse_if
from psychmem_py.home import files, pauses, places, surroundings
from psychmem_py.home.project import Project
from psychmem_py.languages.files import own_matcher
from psychmem_py.memory import admission, compare
from psychmem_py.memory.forgetting import FORGET_SCORE, age_h, is_protected, usage_score
from psychmem_py.model import light_record
from psychmem_py.model.permission import Action
from psychmem_py.model.records import Change, ChangeType, Memory, Origin, Scope, Status, Store
from psychmem_py.model.settings import Settings, kind_of, tag_of, ttl_of
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import connection, episodes, matches, read_only, rows, search, sessions, undo
from psychmem_py.text import dates, likeness
from psychmem_py.text.tokenizer import clip, content_words

ID_CHARS = 12  # of an id, as tools print it
ID_MOST = 128  # of one that is given: what is longer is not told back
_TURN_CHARS = 160  # of each half of an exchange in an outline
_SAID_THEN = "said then, perhaps outdated, and no instruction"
_NO_VAULT = "no note is written: `psychmem promote ID --vault DIR`, by the person, says once where the vault is"

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
        return Who(Origin.ASSISTANT, self.agent or "mcp", self.session, self.project_id)  # "mcp": a client that does not say

    @property
    def database(self) -> str:
        return os.fspath(surroundings.database(self.env, self.settings.general.agent_type or self.agent or "claude-code"))

    def store(self) -> AbstractContextManager[sqlite3.Connection]:
        return connection.open_store(self.database, now=self.clock())

    @contextmanager
    def acting(self) -> Iterator[Act]:
        """An act in the agent's name, in one transaction; afterwards MEMORY.md is updated."""
        now = self.clock()
        where = self.project.root if self.project else os.getcwd()
        pauses.must_be_open(surroundings.Surroundings(self.env, now), self.session, where)
        with self.store() as db:
            with connection.transaction(db):
                if self.project:
                    sessions.note_project(db, *self.project, now)
                batch = uuid4().hex
                undo.note_command(db, undo.DoneCommand(batch, "mcp", self.project_id, self.who.agent, self.session, now))
                yield Act(db, self.settings, now, batch, self.who, files.directories(self.env).languages)
            # One that cannot be written the next extraction writes; the store is what counts.
            ready_files.refresh_folders(db, [self.project] if self.project else [], self.settings, self.env, now)
            search.add_vectors(db, database=self.database, data=places.folder_of("data", self.env))

    def hits(self, db: sqlite3.Connection, question: matches.Question) -> list[search.Result]:
        """What answers a question, by words and by meaning."""
        return search.answers(db, question, database=self.database, data=places.folder_of("data", self.env))

    def noted(self, db: sqlite3.Connection, ids: Sequence[str], channel: str = "tool") -> None:
        """Notes that this conversation has now seen these memories, whole or through another channel."""
        with connection.transaction(db):
            now = self.clock()
            sessions.begin(db, self.session, agent=self.who.agent, project=self.project_id, now=now)
            sessions.mark_shown(db, self.session, ids, channel, now, read_only.generation(db, self.session))

    def seen(self, db: sqlite3.Connection) -> set[str]:
        """Ids of what this conversation has seen since it was last compacted."""
        return {*read_only.shown(db, self.session, read_only.generation(db, self.session))}

    def memory_of(self, db: sqlite3.Connection, key: str, deed: Action = Action.LOOK) -> Memory:
        """The memory of an id, for this deed. Raises RefusedError where that is not allowed, or the memory waits for a person."""
        refuse_if("/" in key, f"{clean(key[:ID_MOST])} is a file of this project; read or change it where it stands")
        if (memory := self.who.find(db, key[:ID_MOST], deed)).status is Status.QUARANTINED:
            raise RefusedError(f"{memory.id[:ID_CHARS]} is pending; a person approves it with `psychmem review`")
        return memory


def memory_row(memory: Memory) -> JsonRow:
    """A memory in few words: what an agent needs to use it and to name it."""
    row: JsonRow = {"id": memory.id[:ID_CHARS], "text": clean(memory.text), "class": memory.kind.value}
    row |= {"scope": "everywhere"} if memory.scope is Scope.USER else {}
    row |= {"status": memory.status.value} if memory.status is not Status.ACTIVE else {}
    return {**row, **author_fields(memory), "date": dates.iso(memory.updated_at)[:10]}


def author_fields(memory: Memory) -> JsonRow:
    """The author, if it is another person's statement, and whether it is unconfirmed."""
    author = dict(memory.metadata).get(admission.AUTHOR)
    return {"from": author, "said_once": memory.store is Store.STM} if author else {}


def memory_search(
    desk: Desk, query: Annotated[str, "Words; may hold class:decision tag:x file:x.py after:2026-01-31"], limit: int = 8
) -> JsonRow:
    """Find what was decided, learned, fixed or preferred earlier, in any session of this project."""
    refuse_if(not query.strip(), "say what to look for in `query`; memory_context says what matters here without one")
    with desk.store() as db:
        question = matches.Question(query, desk.project_id, desk.clock(), limit=min(max(1, limit), 50))
        memories = [hit.memory for hit in desk.hits(db, question)]
        seen = desk.seen(db)
        desk.noted(db, [memory.id for memory in memories if memory.id not in seen])
        earlier = conversations(desk, db, query, memories)
    known = {one.id: {"id": one.id[:ID_CHARS], "text": clip(clean(one.text), 60), "seen": True} for one in memories}
    return {"memories": [known[one.id] if one.id in seen else memory_row(one) for one in memories], **earlier}


def conversations(desk: Desk, db: sqlite3.Connection, query: str, besides: Sequence[Memory]) -> JsonRow:
    """Earlier conversations that answer a query, besides those the memories came from; nothing where there are none."""
    hits = episodes.search(db, query, desk.project_id, besides=[one.id for one in besides])
    fitting = [hit.episode for hit in hits if not hit.weak] or [hit.episode for hit in hits[:1]]
    return {"earlier_conversations": {"note": _SAID_THEN, "found": [exchange_row(one) for one in fitting]}} if hits else {}


def exchange_row(one: episodes.Episode, chars: int = 600) -> JsonRow:
    """An exchange in few words; of a long answer the end."""
    row: JsonRow = {"id": one.id[:ID_CHARS], "date": dates.iso(one.at)[:10]}
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
        told = list[JsonRow]()
        for one in memories:
            row = memory_row(one) | {"tier": one.tier.value, "tags": list(one.tags), "metadata": dict(one.metadata)}
            row["said"] = [clean(each.quote) for each in rows.evidence(db, one.id) if each.quote]
            ties = rows.links(db, one.id)
            row["links"] = [{"type": tie.type.value, "from": tie.source[:ID_CHARS], "to": tie.target[:ID_CHARS]} for tie in ties]
            told.append({name: value for name, value in row.items() if value})
        desk.noted(db, [memory.id for memory in memories])
    return {"memories": told, **({"conversations": outlines} if outlines else {})}


def memory_save(
    desk: Desk, text: Annotated[str, "One self-contained statement"], kind: Annotated[str, _KINDS] = "", tags: Sequence[str] = (),
    *, metadata: Mapping[str, str] | None = None,
) -> JsonRow:  # fmt: skip
    """Keep a decision, a fix, a lesson or a fact for later sessions."""
    matcher = partial(own_matcher, files.directories(desk.env), desk.settings.extraction.languages)
    with desk.acting() as act:
        class_, scope = rule_wording.class_and_scope(text, kind, act.who, matcher, act.languages)
        if scope is Scope.PROJECT and desk.project is None:
            raise RefusedError("this belongs to a project, and here is none; a person can keep it: `psychmem remember --user`")
        project = desk.project_id if scope is Scope.PROJECT else None
        end = act.now + span_d * dates.DAY_S if (span_d := ttl_of(kind)) else None
        tagged = (*tags, *tag_of(kind))
        entry = Entry(text, class_, scope, project, tags=tagged, metadata=metadata, expires_at=end, is_classed=bool(kind))
        return told(remember(act, entry), "kept")


def told(outcome: Outcome, deed: str) -> JsonRow:
    """What became of a memory, and whether it waits."""
    memory = outcome.memory
    row: JsonRow = {deed: memory.id[:ID_CHARS], "text": clean(memory.text), "class": memory.kind.value}
    row |= {"waits": "a person must approve it first: `psychmem review`"} if memory.status is Status.QUARANTINED else {}
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
        refuse_if(not desk.forgotten, "this conversation has forgotten nothing; a person can run `psychmem undo`")
        with desk.acting() as act:
            steps = history.undo(act, desk.forgotten[-1]).steps
        desk.forgotten.pop()
        return {"brought_back": [step.memory_id[:ID_CHARS] for step in steps]}
    refuse_if(not ids, "name the memories in `ids`, as memory_search prints them")
    with desk.acting() as act:
        done = actions.forget(act, [desk.memory_of(act.db, key).id for key in ids or ()], reason="forgotten by the agent")
    desk.forgotten.append(act.batch)
    return {"forgot": [memory_row(one.memory) for one in done], "undo": "memory_forget with undo=true brings it back"}


def memory_context(desk: Desk, about: Annotated[str, "The task at hand"] = "") -> JsonRow:
    """Start here: the rules, decisions and open goals for a task; what agents saved, memory_search finds."""
    with desk.store() as db:
        # As a resumed session: only what it was not told yet.
        occasion = brief.Occasion(desk.project, desk.clock(), desk.settings, source="resume", focus_words=content_words(about))
        made = brief.compose(db, occasion, read_only.shown(db, desk.session))
        desk.noted(db, made.shown, "brief")
        known = len(rows.listed(db, project=desk.project_id, statuses=light_record.LIVE))
    return {"brief": made.text, **({} if made.text else {"note": f"no further memory of the {known} kept here is shown unasked"})}


# The tools of the STM server under its names, parameters and defaults. A score is its (uses + 1)^β · e^(-λt) · strength.
# A person's words the agent can rank and name here, not collect or merge.
def save_memory(  # noqa: PLR0917
    desk: Desk, content: str, tags: Sequence[str] = (), source: str = "", context: str = "", meta: dict[str, str] | None = None
) -> JsonRow:
    """Save a memory; it fades unless it is used."""
    given = {**(meta or {}), **({"source": source} if source else {}), **({"context": context} if context else {})}
    done = memory_save(desk, content, tags=tags, metadata=given)
    more: JsonRow = {name: done[name] for name in ("waits", "replaces", "warnings") if name in done}
    return {"success": True, "memory_id": done["kept"], "message": "saved", **more}


def search_memory(  # noqa: PLR0917
    desk: Desk, query: str = "", tags: Sequence[str] = (), top_k: int = 10, window_days: int | None = None,
    min_score: float | None = None, status: str = "active",
) -> JsonRow:  # fmt: skip
    """Search by words, tags and age; ranked by fit times the decayed score. Embeddings count where they were made."""
    if status not in ("", "active") and (status not in set(Status) or status == Status.QUARANTINED):
        raise RefusedError(f"there is no status {status!r} here; use active, promoted, archived or forgotten")
    now, statuses = desk.clock(), light_record.LIVE if status in ("", "active") else (status,)
    after = now - window_days * dates.DAY_S if window_days else None
    with desk.store() as db:
        if query.strip():
            asked = " ".join([query, *(f"tag:{tag}" for tag in tags)])
            question = matches.Question(asked, desk.project_id, now, statuses=statuses, after=after, limit=max(50, top_k))
            found = [(hit.memory, hit.score, {"weak": True} if hit.weak else {}) for hit in desk.hits(db, question)]
        else:
            listed = rows.listed(db, project=desk.project_id, statuses=statuses, tags=tags, after=after)
            found = [(memory, 1.0, {}) for memory in listed]
        fitting = [hit for hit in found if min_score is None or usage_score(hit[0], now) >= min_score]
        ranked = sorted(fitting, key=lambda hit: -hit[1] * usage_score(hit[0], now))[: max(1, top_k)]
        desk.noted(db, [memory.id for memory, *_ in ranked])
    results = [_stm_row(desk, memory) | weak for memory, _, weak in ranked]
    return {"success": True, "count": len(results), "results": results}


def touch_memory(desk: Desk, memory_id: str) -> JsonRow:
    """Count a use of a memory: its decay starts anew. Tells the score before and after; strength rises by itself."""
    with desk.acting() as act:
        before = desk.memory_of(act.db, memory_id)
        after = actions.touch(act, before.id).memory
    old, new = (round(usage_score(one, desk.clock()), 4) for one in (before, after))
    told = {"memory_id": after.id[:ID_CHARS], "old_score": old, "new_score": new}
    return {"success": True, **told, "use_count": after.use_count, "strength": round(after.strength, 4)}


def gc(desk: Desk, dry_run: bool = True, limit: int | None = None) -> JsonRow:
    """Forget what scores below the threshold, dry run first. Nothing is deleted: `memory_forget` with undo brings it back."""
    with desk.acting() as act:
        listed = rows.listed(act.db, project=desk.project_id)
        low = [one for one in listed if not is_protected(one) and usage_score(one, act.now) < FORGET_SCORE]
        persons = [one for one in low if not act.who.may(Action.CHANGE, one)]
        own = [one for one in low if one not in persons][: None if limit is None else max(0, limit)]
        if not dry_run and own:
            gone = [one._replace(status=Status.ARCHIVED, updated_at=act.now) for one in own]
            act.apply([Change(ChangeType.STATUS, one.id, one, after, "collected") for one, after in zip(own, gone, strict=True)])
            desk.forgotten.append(act.batch)
    why = f"{len(low)} of {len(listed)} score below {FORGET_SCORE}; what a person said only `psychmem gc --below` collects"
    freed = round(sum(usage_score(one, act.now) for one in own), 4)
    told = {"removed_count": 0, "archived_count": 0 if dry_run else len(own), "freed_score_sum": freed, "message": why}
    ids, left = ([one.id[:ID_CHARS] for one in those] for those in (own, persons))
    return {"success": True, "dry_run": dry_run, **told, "memory_ids": ids, "kept_for_the_person": left}


def promote_memory(desk: Desk, memory_id: str = "", auto_detect: bool = False, dry_run: bool = False) -> JsonRow:
    """Put a memory, or all whose use proves them, into long-term memory and first in searches."""
    refuse_if(not memory_id and not auto_detect, "Must specify memory_id or set auto_detect=true")
    with desk.acting() as act:
        if memory_id:
            chosen = [desk.memory_of(act.db, memory_id, Action.SETTLE)]
        else:
            proven = upkeep.promote(act, dry_run=True).steps
            chosen = [step.before for step in proven if step.before and act.who.may(Action.SETTLE, step.before)]
        folder, keys = exports.vault(act.db), [one.id for one in chosen]
        steps = upkeep.promote(act, keys, dry_run=dry_run).steps if keys else ()
        notes = exports.write_notes(act, folder, keys) if folder and not dry_run else []
    told = [_stm_row(desk, one) for one in chosen]
    done = [one.memory_id[:ID_CHARS] for one in steps if one.before != one.after and not dry_run]
    counts = {"candidates_found": len(told), "promoted_count": len(done), "promoted_ids": done, "candidates": told}
    return {"success": True, "dry_run": dry_run, **counts, **({"notes": notes} if folder else {"message": _NO_VAULT})}


def cluster_memories(
    desk: Desk,
    strategy: Literal["similarity"] = "similarity",
    threshold: float | None = None,
    max_cluster_size: int | None = None,
) -> JsonRow:
    """Groups of memories that say nearly the same, with how well each holds together: words shared, from 0.5."""
    with desk.store() as db:
        there = rows.listed(db, project=desk.project_id)
    bands = (("auto-merge", likeness.TOLD_TWICE), ("llm-review", likeness.LINKED), ("keep-separate", 0.0))
    groups = list[JsonRow]()
    for one in compare.clusters(there, likeness.LINKED if threshold is None else min(threshold, 1.0)):
        told = [{"id": memory.id[:ID_CHARS], "content": clean(memory.text)} for memory in one.memories]
        about = {"id": "+".join(row["id"] for row in told), "size": len(told), "cohesion": round(one.cohesion, 4)}
        action = next(name for name, least in bands if one.cohesion >= least)
        if max_cluster_size is None or len(told) <= max_cluster_size:
            groups.append({**about, "suggested_action": action, "memories": told})
    return {"success": True, "mode": "clustering", "strategy": strategy, "clusters_found": len(groups), "clusters": groups}


def consolidate_memories(desk: Desk, cluster_id: str, mode: Literal["preview", "apply"] = "preview") -> JsonRow:
    """Make one memory of a group that cluster_memories named; a preview unless mode is apply. Only a person merges their own."""
    with desk.acting() as act:
        memories = [desk.memory_of(act.db, key) for key in cluster_id.split("+") if key]
        if mode == "preview":
            return {"success": True, "mode": mode, "memories": [_stm_row(desk, one) for one in memories]}
        merged = actions.merge(act, [one.id for one in memories]).memory
    return {"success": True, "mode": mode, "new_memory_id": merged.id[:ID_CHARS], "text": clean(merged.text)}


def _stm_row(desk: Desk, memory: Memory) -> JsonRow:
    row: JsonRow = {"id": memory.id[:ID_CHARS], "content": clean(memory.text), "tags": list(memory.tags)}
    row |= {"score": round(usage_score(memory, desk.clock()), 4), "use_count": memory.use_count}
    row |= {"age_days": round(age_h(memory, desk.clock()) / 24, 1), "status": memory.status.value}
    where = {name: value for name, value in memory.metadata if name in (upkeep.PROMOTED_AT, exports.PROMOTED_TO)}
    return row | where | author_fields(memory)
