"""The tools of the STM server under its names, parameters and defaults, over our own use cases.

A score is its (uses + 1)^β · e^(-λt) · strength. An agent acts here: a person's words it can rank and name, not collect or merge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from psychmem_py.curation import actions, exports, upkeep
from psychmem_py.errors import RefusedError
from psychmem_py.mcp_door import desk as at
from psychmem_py.mcp_door.desk import ID_CHARS, Desk, JsonRow
from psychmem_py.memory import clusters
from psychmem_py.memory.forgetting import FORGET_SCORE, age_h, is_protected, usage_score
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import Change, ChangeType, Memory, Status
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import rows
from psychmem_py.store.matches import Question
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.likeness import LINKED, TOLD_TWICE

_NO_VAULT = "no note is written: `psychmem promote ID --vault DIR`, by the person, says once where the vault is"


def save_memory(  # noqa: PLR0917
    desk: Desk, content: str, tags: Sequence[str] = (), source: str = "", context: str = "", meta: dict[str, str] | None = None
) -> JsonRow:
    """Save a memory; it fades unless it is used."""
    fields = {"source": source, "context": context}
    given = {**(meta or {}), **{name: text for name, text in fields.items() if text}}
    done = at.memory_save(desk, content, tags=tags, metadata=given)
    more: JsonRow = {name: done[name] for name in ("waits", "replaces", "warnings") if name in done}
    return {"success": True, "memory_id": done["kept"], "message": "saved", **more}


def search_memory(  # noqa: PLR0917
    desk: Desk, query: str = "", tags: Sequence[str] = (), top_k: int = 10, window_days: int | None = None,
    min_score: float | None = None, status: str = "active",
) -> JsonRow:  # fmt: skip
    """Search by words, tags and age; ranked by fit times the decayed score. Embeddings count where they were made."""
    now, statuses = desk.clock(), _statuses(status)
    after = now - window_days * DAY_S if window_days else None
    with desk.store() as db:
        if query.strip():
            asked = " ".join([query, *(f"tag:{tag}" for tag in tags)])
            question = Question(asked, desk.project_id, now, statuses=statuses, after=after, limit=max(50, top_k))
            found = [(hit.memory, hit.score, {"weak": True} if hit.weak else {}) for hit in desk.hits(db, question)]
        else:
            listed = rows.listed(db, project=desk.project_id, statuses=statuses, tags=tags, after=after)
            found = [(memory, 1.0, {}) for memory in listed]
        fitting = [hit for hit in found if min_score is None or usage_score(hit[0], now) >= min_score]
        ranked = sorted(fitting, key=lambda hit: -hit[1] * usage_score(hit[0], now))[: max(1, top_k)]
        desk.noted(db, [memory.id for memory, *_ in ranked])
    results = [_told(desk, memory) | weak for memory, _, weak in ranked]
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
        own = [one for one in low if one not in persons][: limit or None]
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
    if not memory_id and not auto_detect:
        raise RefusedError("Must specify memory_id or set auto_detect=true")
    with desk.acting() as act:
        if memory_id:
            chosen = [desk.memory_of(act.db, memory_id, Action.SETTLE)]
        else:
            proven = upkeep.promote(act, dry_run=True).steps
            chosen = [step.before for step in proven if step.before and act.who.may(Action.SETTLE, step.before)]
        folder, keys = exports.vault(act.db), [one.id for one in chosen]
        steps = upkeep.promote(act, keys, dry_run=dry_run).steps if keys else ()
        notes = exports.write_notes(act, folder, keys) if folder and not dry_run else []
    told = [_told(desk, one) for one in chosen]
    done = [one.memory_id[:ID_CHARS] for one in steps if one.before != one.after and not dry_run]
    counts = {"candidates_found": len(told), "promoted_count": len(done), "promoted_ids": done, "candidates": told}
    written = {"notes": notes} if folder else {"message": _NO_VAULT}
    return {"success": True, "dry_run": dry_run, **counts, **written}


def cluster_memories(
    desk: Desk,
    strategy: Literal["similarity"] = "similarity",
    threshold: float | None = None,
    max_cluster_size: int | None = None,
) -> JsonRow:
    """Groups of memories that say nearly the same, with how well each holds together: words shared, from 0.5."""
    with desk.store() as db:
        there = rows.listed(db, project=desk.project_id)
    found = clusters.clusters(there, LINKED if threshold is None else min(threshold, 1.0))
    groups = [_group(one) for one in found if max_cluster_size is None or len(one.memories) <= max_cluster_size]
    return {"success": True, "mode": "clustering", "strategy": strategy, "clusters_found": len(groups), "clusters": groups}


def consolidate_memories(desk: Desk, cluster_id: str, mode: Literal["preview", "apply"] = "preview") -> JsonRow:
    """Make one memory of a group that cluster_memories named; a preview unless mode is apply. Only a person merges their own."""
    with desk.acting() as act:
        memories = [desk.memory_of(act.db, key) for key in cluster_id.split("+") if key]
        if mode == "preview":
            return {"success": True, "mode": mode, "memories": [_told(desk, one) for one in memories]}
        merged = actions.merge(act, [one.id for one in memories]).memory
    return {"success": True, "mode": mode, "new_memory_id": merged.id[:ID_CHARS], "text": clean(merged.text)}


def _statuses(status: str) -> Sequence[str]:
    if status in ("", "active"):
        return LIVE
    if status not in set(Status) or status == Status.QUARANTINED:
        raise RefusedError(f"there is no status {status!r} here; use active, promoted, archived or forgotten")
    return (status,)


def _told(desk: Desk, memory: Memory) -> JsonRow:
    row: JsonRow = {"id": memory.id[:ID_CHARS], "content": clean(memory.text), "tags": list(memory.tags)}
    row |= {"score": round(usage_score(memory, desk.clock()), 4), "use_count": memory.use_count}
    row |= {"age_days": round(age_h(memory, desk.clock()) / 24, 1), "status": memory.status.value}
    where = {name: value for name, value in memory.metadata if name in (upkeep.PROMOTED_AT, exports.PROMOTED_TO)}
    return row | where | at.author_fields(memory)


def _group(one: clusters.Cluster) -> JsonRow:
    bands = (("auto-merge", TOLD_TWICE), ("llm-review", LINKED), ("keep-separate", 0.0))
    told = [{"id": memory.id[:ID_CHARS], "content": clean(memory.text)} for memory in one.memories]
    about = {"id": "+".join(row["id"] for row in told), "size": len(told), "cohesion": round(one.cohesion, 4)}
    return {**about, "suggested_action": next(name for name, least in bands if one.cohesion >= least), "memories": told}
