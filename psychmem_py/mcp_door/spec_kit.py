"""The tools of Spec Kit's memory under its names, parameters and defaults; four names are ours too. `specFolder` may be a tag."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal

from psychmem_py.errors import RefusedError, refuse_if
from psychmem_py.home import files, health, places
from psychmem_py.mcp_door import desk as at
from psychmem_py.mcp_door import spec_files
from psychmem_py.mcp_door.desk import Desk, JsonRow
from psychmem_py.mcp_door.spec_files import documents_of, envelope, left, listed, root_of, row_list, state
from psychmem_py.model import light_record
from psychmem_py.model.permission import Action
from psychmem_py.model.records import Status, Tier
from psychmem_py.model.settings import TRIGGERS
from psychmem_py.recall import documents
from psychmem_py.recall.query import ANSWERS, parsed
from psychmem_py.safety.control_chars import clean
from psychmem_py.store import matches, rows
from psychmem_py.text.tokenizer import words

Intent = Literal["add_feature", "fix_bug", "refactor", "security_audit", "understand", "find_spec", "find_decision"]
TierName = Literal["constitutional", "critical", "important", "normal", "temporary", "deprecated"]
_MOST_LISTED = 100
_INTENT_FACTOR = 1.25  # of the classes that answer an intent


def memory_context(  # noqa: PLR0917
    desk: Desk, input: str = "", mode: Literal["auto", "quick", "deep", "focused", "resume"] = "auto", intent: Intent | None = None,
    specFolder: str = "", limit: int | None = None, sessionId: str = "", enableDedup: bool = True, includeContent: bool = False,
    anchors: Sequence[str] = (), about: str = "",
) -> JsonRow:  # fmt: skip
    """Start here: rules, decisions and open goals for a task, and what answers `input`; memory_search finds what agents saved."""
    asked = (input or about).strip()
    # A conversation of this name was sent other things than the next one, here and below.
    brief = at.memory_context(desk._replace(session=f"{desk.session}/{sessionId}") if sessionId else desk, asked)
    if not asked:
        return brief
    if mode == "quick":
        return brief | memory_match_triggers(desk, asked, limit or 3)
    most = limit or {"deep": 20, "resume": 5, "focused": 8}.get(mode, 10)
    return brief | memory_search(
        desk, asked, specFolder=specFolder, limit=most, sessionId=sessionId, enableDedup=enableDedup,
        includeContent=includeContent, anchors=anchors, intent=intent,
    )  # fmt: skip


def memory_search(  # noqa: PLR0917
    desk: Desk, query: str = "", concepts: Sequence[str] = (), specFolder: str = "", limit: int = 10, sessionId: str = "",
    enableDedup: bool = True, tier: TierName | None = None, useDecay: bool = True, includeContiguity: bool = False,
    includeConstitutional: bool = True, includeContent: bool = False, anchors: Sequence[str] = (), intent: Intent | None = None,
) -> JsonRow:  # fmt: skip
    """Find memories and sections of this project's Markdown documents. Constitutional rules come first, whatever is asked."""
    refuse_if(concepts and not 2 <= len(concepts) <= 5, "E040: concepts must be an array of 2-5 strings")
    asked = " ".join(concepts) or query.strip()
    refuse_if(not asked, "E040: Either 'query' (string) or 'concepts' (array of 2-5 strings) is required")
    one, most = desk._replace(session=f"{desk.session}/{sessionId}") if sessionId else desk, max(1, limit)
    wanted = intent or parsed(asked).intent
    fitting = [one for one in documents_of(desk) if documents.meets(one, concepts)]
    hits = documents.found(fitting, asked, folder=specFolder, anchors=anchors, intent=wanted, tier=tier or "", limit=_MOST_LISTED)
    hits = [hit for hit in hits if includeConstitutional or hit.document.tier is not Tier.CONSTITUTIONAL]
    of_files = defaultdict[str, list[documents.DocumentHit]](list)  # the hits in memory files, by path
    for hit in (one for one in hits if one.document.folder):
        of_files[hit.document.path].append(hit)
    with one.store() as db:
        there = rows.listed(db, project=desk.project_id, statuses=[Status.ACTIVE, Status.PROMOTED])
        ruled = includeConstitutional and tier in (None, "constitutional")
        always = [rule for rule in there if ruled and rule.tier is Tier.CONSTITUTIONAL]
        filters = [f"tier:{tier}"] * bool(tier) + [f"tag:{specFolder}"] * bool(specFolder)
        question = matches.Question(" ".join([asked, *filters]), desk.project_id, desk.clock(), limit=_MOST_LISTED)
        first = {rule.id for rule in always}
        met = (hit for hit in desk.hits(db, question) if documents.meets(documents.parsed("", hit.memory.text), concepts))
        found = [(hit.memory, hit.score * (_INTENT_FACTOR if hit.memory.kind in ANSWERS.get(wanted, ()) else 1)) for hit in met]
        found += [(spec_files.as_memory(of[0].document), max(hit.score for hit in of)) for of in of_files.values()]
        scored = [(memory, score * (left(desk, memory) if useDecay else 1.0)) for memory, score in found]
        scored = spec_files.in_use(desk, sorted(scored, key=lambda pair: -pair[1]))
        # Constitutional ones are among `always`, or left out.
        scored = [pair for pair in scored if pair[0].tier is not Tier.CONSTITUTIONAL or (ruled and pair[0].id not in first)]
        seen = one.seen(db) if enableDedup and sessionId else set()
        scored = [pair for pair in (*((rule, 0.0) for rule in always), *scored) if pair[0].id not in seen][: len(always) + most]
        sections = [hit for hit in hits if not hit.document.folder and spec_files.key_of(hit) not in seen][:most]
        memories = [memory for memory, _ in scored]
        one.noted(db, [*(memory.id for memory in memories), *map(spec_files.key_of, sections)])
        earlier = at.conversations(one, db, asked, memories)
    results = row_list(desk, memories, content=includeContent)
    for row, (memory, score) in zip(results, scored, strict=True):
        row.update({"score": round(score, 4)} if score else {})
        row.update({"context": clean(memory.context)} if includeContiguity and memory.context else {})
        if anchors and memory.id in of_files:
            cut_out = (hit.section for name in anchors for hit in of_files[memory.id] if hit.section.anchor == name)
            row.update(spec_files.sent(spec_files.text_of(cut_out)))
    told = [spec_files.section_row(hit, content=includeContent or bool(anchors)) for hit in sections]
    data = {"count": len(results), "intent": wanted or "understand", "results": results, "documents": told, **earlier}
    return envelope(f"Found {len(results)} memories and {len(told)} sections of documents", data)


def memory_match_triggers(desk: Desk, prompt: str, limit: int = 3) -> JsonRow:
    """Memories whose trigger phrases stand in a prompt: those of files, and those that memory_update gave. No search."""
    prompt_words, matched = f" {' '.join(words(prompt))} ", []
    with desk.store() as db:
        for memory in listed(desk, db):
            if hit := [one for one in spec_files.phrases(memory) if f" {' '.join(words(one))} " in prompt_words]:
                matched.append((memory, hit))
    matched.sort(key=lambda pair: (pair[0].tier is not Tier.CONSTITUTIONAL, -len(pair[1]), -pair[0].strength))
    matched = matched[: max(1, limit)]
    made = row_list(desk, [memory for memory, _ in matched], content=True)
    results = [{**row, "matchedPhrases": hit} for row, (_, hit) in zip(made, matched, strict=True)]
    data = {"matchType": "trigger-fast", "count": len(results), "results": results}
    return envelope(f"Matched {len(results)} memories via trigger phrases", data)


def memory_save(  # noqa: PLR0917
    desk: Desk, filePath: str = "", force: bool = False, dryRun: bool = False, skipPreflight: bool = False,
    text: str = "", kind: str = "", tags: Sequence[str] = (),
) -> JsonRow:  # fmt: skip
    """Keep a statement (`text`); or check a Markdown document (`filePath`), which memory_search reads where it stands."""
    if text:
        return at.memory_save(desk, text, kind, tags)
    refuse_if(not filePath, "give `text` to keep a statement, or `filePath` of a Markdown file of this project")
    root = os.path.realpath(root_of(desk))
    path = os.path.relpath(os.path.realpath(os.path.join(root, filePath)), root).replace(os.sep, "/")
    if path.startswith("..") or not path.lower().endswith((".md", ".mdx", ".txt")):
        raise RefusedError(f"{clean(filePath)} is no Markdown file of this project")
    if (content := files.text_of(root, path)) is None:
        raise RefusedError(f"{path} cannot be read: no such plain file of at most {files.MOST_BYTES // 1024} KB")
    made = documents.parsed(path, content)
    refuse_if(made.faults and not skipPreflight, f"{path}: {'; '.join(made.faults)}")
    anchors = [one.anchor for one in made.sections if one.anchor]
    data: JsonRow = {"status": "dry_run" if dryRun else "indexed", "path": path, "documentType": made.kind}
    data |= {"title": clean(made.title), "sections": len(made.sections), "anchors": anchors}
    return envelope(f"{path}: {len(made.sections)} sections; memory_search reads it where it stands, no copy is kept", data)


def memory_list(
    desk: Desk, limit: int = 20, offset: int = 0, specFolder: str = "",
    sortBy: Literal["created_at", "updated_at", "importance_weight"] = "created_at",
) -> JsonRow:  # fmt: skip
    """What is remembered here, page by page, newest first; `specFolder` is a tag, met exactly."""
    with desk.store() as db:
        found = sorted(listed(desk, db, specFolder), key=lambda one: -one.created_at)
    weight = sortBy == "importance_weight"
    found.sort(key=lambda one: (-spec_files.WEIGHT[one.tier], -one.importance) if weight else (-getattr(one, sortBy),))
    page = row_list(desk, found[max(0, offset) :][: min(max(1, limit), _MOST_LISTED)])
    return envelope(f"Listed {len(page)} of {len(found)} memories", {"total": len(found), "offset": offset, "results": page})


def memory_stats(desk: Desk, limit: int = 10, includeArchived: bool = False) -> JsonRow:
    """Counts by class, tier, state and status, the strongest memories, and the documents by type."""
    with desk.store() as db:
        memories = listed(desk, db, statuses=(*light_record.LIVE, Status.ARCHIVED) if includeArchived else light_record.LIVE)
    by = Counter(one.kind for one in documents_of(desk))
    worth = sorted(((one.strength * left(desk, one), one) for one in memories), key=lambda pair: -pair[0])[: max(0, limit)]
    top = [{"id": spec_files.id_of(one), "title": clean(one.text), "score": round(score, 3)} for score, one in worth]
    data = {
        "totalMemories": len(memories),
        "byClass": Counter(one.kind.value for one in memories),
        "byTier": Counter(one.tier.value for one in memories),
        "byState": Counter(state(desk, one) for one in memories),
        "byStatus": Counter(one.status.value for one in memories),
        "topTags": dict(Counter(tag for one in memories for tag in one.tags).most_common(limit)),
        "topMemories": top,
        "documents": by,
    }
    return envelope(f"{len(memories)} memories, {by.total()} documents", data)


def memory_health(desk: Desk) -> JsonRow:
    """Whether the store opens and the hooks ran without failures."""
    with desk.store() as db:
        number = len(listed(desk, db))
    failed = [f"{one.event}: {one.sentence}" for one in health.failures(places.folder_of("data", desk.env)) if not one.mended]
    status = "degraded" if failed else "healthy"
    return envelope(f"Memory system {status}", {"status": status, "memories": number, "failures": failed})


def memory_delete(desk: Desk, id: str = "", specFolder: str = "", confirm: bool = False) -> JsonRow:
    """Take a memory, or all with a tag, out of use; memory_forget with undo brings them back."""
    if id:
        return at.memory_forget(desk, [id])
    refuse_if(not specFolder, "Either id or specFolder must be provided")
    refuse_if(not confirm, "Bulk delete by specFolder requires confirm: true")
    with desk.store() as db:
        chosen = [one.id for one in rows.listed(db, project=desk.project_id, tags=[specFolder])]
    return at.memory_forget(desk, chosen) if chosen else {"forgot": []}


def memory_update(  # noqa: PLR0917
    desk: Desk, id: str, title: str = "", triggerPhrases: Sequence[str] | None = None, importanceWeight: float | None = None,
    importanceTier: TierName | None = None, text: str = "", kind: str = "", tags: Sequence[str] | None = None,
    helped: bool | None = None,
) -> JsonRow:  # fmt: skip
    """Correct a memory: its title or text, class, tags, trigger phrases; or say whether it helped. Only the person sets tiers."""
    if importanceWeight is not None:
        raise RefusedError("importance follows from what was said and how it is used; say whether the memory helped instead")
    if importanceTier:
        desk.who.must(Action.TIER)
    phrases = None if triggerPhrases is None else {TRIGGERS: ", ".join(one.replace(",", " ") for one in triggerPhrases)}
    return at.memory_update(desk, id, text or title, kind, tags, helped, metadata=phrases)


def memory_validate(desk: Desk, id: str, wasUseful: bool) -> JsonRow:
    """Say whether a memory was useful: it grows stronger or weaker."""
    done = at.memory_update(desk, id, helped=wasUseful)
    with desk.store() as db:
        memory = desk.memory_of(db, id)
    return done | {"utility": round(memory.utility, 3), "strength": round(memory.strength, 3)}


def memory_index_scan(  # noqa: PLR0917
    desk: Desk, specFolder: str = "", force: bool = False, includeConstitutional: bool = True, includeReadmes: bool = True,
    includeSpecDocs: bool = True, incremental: bool = True,
) -> JsonRow:  # fmt: skip
    """Look at the project's Markdown files and say what is there; every search does so too, so nothing waits for a scan."""
    if force or not incremental:
        spec_files.document.cache_clear()
    wanted = {"constitutional": includeConstitutional, "readme": includeReadmes}
    wanted |= dict.fromkeys((*documents.OF_A_SPEC.values(), "scratch"), includeSpecDocs)
    there = [(one, fresh) for one, fresh in spec_files.looked_at(desk) if wanted.get(one.kind, True)]
    there = [pair for pair in there if not specFolder or documents.in_folder(pair[0].path, specFolder)]
    counted, read = [one for one, _ in there], sum(fresh for _, fresh in there)
    faults = [f"{one.path}: {fault}" for one in counted for fault in one.faults]
    data: JsonRow = {"scanned": len(counted), "indexed": read, "unchanged": len(counted) - read, "faults": faults}
    data |= {"byType": Counter(one.kind for one in counted), "sections": sum(len(one.sections) for one in counted)}
    return envelope(f"Looked at {len(counted)} documents", data)
