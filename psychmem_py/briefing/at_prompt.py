"""The reply when a prompt is typed or a sub-agent begins. A person waits: the store is only read, the ledger written later."""

from __future__ import annotations

from _collections_abc import Callable, Collection, Mapping

from psychmem_py.agents.event import Request
from psychmem_py.home import journal
from psychmem_py.home.project import Project, project_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_record import FILE_FIELD, LIVE, Excerpt, NamedTuple, Retrieval
from psychmem_py.recall import memory_line
from psychmem_py.recall.ranking import WORTH_SAYING
from psychmem_py.safety.fence import fenced
from psychmem_py.store.matches import Question, matches
from psychmem_py.store.read_only import answers, excerpts, generation, is_reworded, is_stated_in, opened, secret, shown
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.likeness import NEAR_DUPLICATE, overlap
from psychmem_py.text.tokenizer import subject, words

CUT = 0.6  # of the best score
DEFAULTS = Retrieval()
MOST_FOR_SUBAGENT = 10  # it sees nothing of what its parent was shown, so only its own ledger counts
_DEEP = 12  # matches looked at
_PROMPT_CHARS = 4_000  # of a prompt that is read; what follows is mostly pasted


class PromptReply(NamedTuple):
    text: str  # fenced; "" when nothing fits
    shown: tuple[str, ...]  # ids
    generation: int = 0  # how often the conversation had been compacted


def for_prompt(
    db: sqlite3.Connection,
    text: str,
    *,
    project: Project | None,
    session: str,
    now: float,
    lately: Collection[journal.ShownLine] = (),
    retrieval: Retrieval = DEFAULTS,
    changed: Callable[[], Mapping[str, str]] = dict,
) -> PromptReply:
    """What a prompt calls for, not stated in this session nor shown (`lately`: in the journal) since its compaction."""
    current = generation(db, session, lately)
    seen = shown(db, session, current) | {key: at for key, _, at, shown_in, _ in lately if shown_in >= current}
    most, whose = retrieval.max_prompt_memories, project.id if project else None
    if not (memories := fitting(db, text, project=whose, seen=seen, now=now, most=most, stated_in="" if current else session)):
        return PromptReply("", (), current)
    names_files = any(key.startswith(FILE_FIELD) for one in memories for key, _ in one.metadata)
    told = memory_line.aside(memories, now, stale=changed() if names_files else {})
    return PromptReply(fenced(told, secret(db)), tuple(one.id for one in memories), current)


def fitting(
    db: sqlite3.Connection, text: str, *, project: str | None, seen: Mapping[str, float], now: float, most: int, stated_in: str
) -> list[Excerpt]:
    """At most `most` memories that `text` calls for, best first; none `seen` as it is now or stated in that session."""
    matched = matches(db, Question(text[:_PROMPT_CHARS], project, now, asked=False, limit=_DEEP))
    floor = CUT * matched[0].score if matched else 0.0
    fit = [match for match in matched if match.score >= floor and match.beyond >= WORTH_SAYING]
    fit = [match for match in fit if match.id not in seen or is_reworded(db, match.id, seen[match.id])]
    kept = _triggered(db, text, project, seen, now)[:most]
    for memory in excerpts(db, [match.id for match in fit], now, LIVE):
        if len(kept) == most:
            break
        about, known = subject(memory.text), is_stated_in(db, memory.id, stated_in)
        if not known and all(overlap(about, subject(other.text)) < NEAR_DUPLICATE for other in kept):
            kept.append(memory)
    return kept


def _triggered(db: sqlite3.Connection, text: str, project: str | None, seen: Collection[str], now: float) -> list[Excerpt]:
    """The repository's approved rules with a trigger phrase in `text`."""
    given = answers(db, project).trusted.values() if project else ()
    if not (phrases := [(one.memory_id, phrase) for one in given for phrase in one.triggers if one.memory_id not in seen]):
        return []
    prompt_words = f" {' '.join(words(text[:_PROMPT_CHARS]))} "
    meant = {memory_id for memory_id, phrase in phrases if f" {' '.join(words(phrase))} " in prompt_words}
    return excerpts(db, sorted(meant), now)


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be opened."""
    by_subagent = request.event == "subagent-start"
    session = f"{request.session}/{request.subagent}" if by_subagent else request.session
    values = around.overrides()  # the settings of all groups would cost 20 ms of CPU
    retrieval = Retrieval(**{name: values[name] for name in Retrieval._fields if name in values})  # type: ignore[arg-type]  # checked
    db = opened(around.database_file(request.agent), around.now)
    try:
        aside = for_prompt(
            db,
            request.prompt,
            project=project_of(request.cwd, around.env) if request.cwd else None,
            session=session,
            now=around.now,
            lately=journal.lately_shown(around.data, request.session, session),
            retrieval=retrieval._replace(max_prompt_memories=MOST_FOR_SUBAGENT) if by_subagent else retrieval,
            changed=lambda: _changed(request, around),
        )
    finally:
        db.close()
    if aside.shown:
        told = {"subagent" if by_subagent else "prompt": aside.shown}  # channel of the ledger
        journal.shown(around.data, request.about, told, at=around.now, generation=aside.generation, to=session)
    return aside.text


def _changed(request: Request, around: Surroundings) -> Mapping[str, str]:
    """By id how a file that a memory names has changed, as the last child saw it: nobody waits here for files to be read."""
    from psychmem_py.briefing import prepared  # noqa: PLC0415  # few memories name files

    return prepared.rules(request, around).changed
