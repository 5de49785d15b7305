"""The reply when a prompt is typed or a sub-agent begins.

A person waits: the store is only read, and what was shown is noted in the journal, for the next stop's detached child to file.
Writing the ledger here would cost a transaction, a checkpoint and what opening for writing loads, 25 ms of CPU together.
"""

from __future__ import annotations

from _collections_abc import Callable, Collection, Mapping

from psychmem_py.agents.claude_memory import folder_of, loaded_text
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.home import journal
from psychmem_py.home.file_versions import PREFIX
from psychmem_py.home.project import Project, project_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_record import LIVE, Excerpt, NamedTuple, Retrieval
from psychmem_py.recall import memory_line
from psychmem_py.recall.ranking import WORTH_SAYING
from psychmem_py.safety.fence import defused, fenced
from psychmem_py.store.matches import Question, matches
from psychmem_py.store.read_only import answers, excerpts, generation, is_stated_in, opened, secret, shown
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.front_matter import visible_lines
from psychmem_py.text.likeness import NEAR_DUPLICATE, overlap
from psychmem_py.text.tokenizer import subject, words

CUT = 0.6  # of the best score
DEFAULTS = Retrieval()
MOST_FOR_SUBAGENT = 10  # it sees nothing of what its parent was shown, so only its own ledger counts
_DEEP = 12  # matches looked at
_PROMPT_CHARS = 4_000  # of a prompt that is read; what follows is mostly pasted


class Situation(NamedTuple):
    """What decides what a prompt is shown: project, session, time, what was shown before, and settings."""

    project: Project | None
    session: str  # under which the store has what was shown to it
    now: float
    lately: tuple[journal.ShownLine, ...] = ()  # what its journal says of that
    retrieval: Retrieval = DEFAULTS
    changed: Callable[[], Mapping[str, str]] = dict  # by id how a file that a memory names has changed
    in_memory_md: Callable[[Excerpt], bool] = lambda _: False  # whether the session's MEMORY.md showed it a memory


class PromptReply(NamedTuple):
    text: str  # fenced; "" when nothing fits
    shown: tuple[str, ...]  # ids
    generation: int = 0  # how often the conversation had been compacted


def for_prompt(db: sqlite3.Connection, text: str, situation: Situation) -> PromptReply:
    """What a prompt calls for that was not stated in this session, nor shown since its last compaction."""
    project, session, now, lately, retrieval, changed, in_memory_md = situation
    current = generation(db, session, lately)
    seen = {key for key, shown_in in shown(db, session).items() if shown_in >= current}
    seen |= {key for key, _, _, shown_in, _ in lately if shown_in >= current}
    most, whose = retrieval.max_prompt_memories, project.id if project else None

    def known(memory: Excerpt) -> bool:
        return (not current and is_stated_in(db, memory.id, session)) or in_memory_md(memory)

    memories = fitting(db, text, project=whose, seen=seen, now=now, most=most, is_known=known)
    if not memories:
        return PromptReply("", (), current)
    names_files = any(key.startswith(PREFIX) for one in memories for key, _ in one.metadata)
    told = memory_line.aside(memories, now, stale=changed() if names_files else {})
    return PromptReply(fenced(told, secret(db)), tuple(one.id for one in memories), current)


def fitting(
    db: sqlite3.Connection,
    text: str,
    *,
    project: str | None,
    seen: Collection[str],
    now: float,
    most: int = DEFAULTS.max_prompt_memories,
    is_known: Callable[[Excerpt], bool] = lambda _: False,
) -> list[Excerpt]:
    """At most `most` memories that `text` calls for, best first; none that was `seen` or that the session knows."""
    matched = matches(db, Question(text[:_PROMPT_CHARS], project, now, asked=False, worth=WORTH_SAYING, limit=_DEEP))
    floor = CUT * matched[0].score if matched else 0.0
    fit = [match for match in matched if match.score >= floor and match.id not in seen and match.beyond >= WORTH_SAYING]
    kept = _triggered(db, text, project, seen)[:most]
    if not fit:
        return kept
    for memory in excerpts(db, [match.id for match in fit], LIVE):
        if len(kept) == most:
            break
        about = subject(memory.text)
        if not is_known(memory) and all(overlap(about, subject(other.text)) < NEAR_DUPLICATE for other in kept):
            kept.append(memory)
    return kept


def _triggered(db: sqlite3.Connection, text: str, project: str | None, seen: Collection[str]) -> list[Excerpt]:
    """The repository's approved rules with a trigger phrase in `text`."""
    given = answers(db, project).trusted.values() if project else ()
    phrases = [(one.memory_id, phrase) for one in given for phrase in one.triggers if one.memory_id not in seen]
    if not phrases:
        return []
    prompt_words = f" {' '.join(words(text[:_PROMPT_CHARS]))} "
    called = {memory_id for memory_id, phrase in phrases if f" {' '.join(words(phrase))} " in prompt_words}
    return excerpts(db, sorted(called))


def stands_in(memory_md: str, memory: Excerpt) -> bool:
    """Whether a memory's line is one that the agent sees of a MEMORY.md."""
    line = defused(memory_line.one_line(memory))
    return line in memory_md and line in visible_lines(memory_md)


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be opened."""
    by_subagent = request.event == "subagent-start"
    session = f"{request.session}/{request.subagent}" if by_subagent else request.session
    values = around.overrides()  # the settings of all groups would cost 20 ms of CPU
    retrieval = Retrieval(**{name: values[name] for name in Retrieval._fields if name in values})  # type: ignore[arg-type]  # checked
    db = opened(around.database_file(request.agent), around.now)
    try:
        lately = tuple(journal.lately_shown(around.data, request.session, session))
        project = project_of(request.cwd, around.env) if request.cwd else None
        situation = Situation(project, session, around.now, lately, retrieval, lambda: _changed(request, around))
        if by_subagent:
            situation = situation._replace(retrieval=retrieval._replace(max_prompt_memories=MOST_FOR_SUBAGENT))
        elif request.agent == CLAUDE_CODE and request.cwd:
            situation = situation._replace(in_memory_md=_read_at_start(request, around))
        aside = for_prompt(db, request.prompt, situation)
    finally:
        db.close()
    if aside.shown:
        told = {"subagent" if by_subagent else "prompt": aside.shown}  # channel of the ledger
        journal.shown(around.data, request, told, at=around.now, generation=aside.generation, to=session)
    return aside.text


def _changed(request: Request, around: Surroundings) -> Mapping[str, str]:
    """By id how a file that a memory names has changed, as the last child saw it: nobody waits here for files to be read."""
    from psychmem_py.briefing import prepared  # noqa: PLC0415  # few memories name files

    index = prepared.rules(around.database_file(request.agent), request.cwd) if request.cwd else None
    return index.changed if index else {}


def _read_at_start(request: Request, around: Surroundings) -> Callable[[Excerpt], bool]:
    """Whether MEMORY.md showed this conversation a memory: the file is read when one begins, and what it shows since is news."""
    # Each is read once, when a first memory asks for it: most prompts call for none.
    memory_md: str | None = None
    began: float | None = None

    def was_read(memory: Excerpt) -> bool:
        nonlocal memory_md, began
        if memory_md is None:
            memory_md = loaded_text(folder_of(request.cwd, around.env))
        if not stands_in(memory_md, memory):
            return False
        if began is None:
            began = _began(request.transcript, around.now)
        return memory.session == request.session or memory.created_at <= began

    return was_read


_FIRST_BYTES = 65_536
_STAMP = b'"timestamp":"'


def _began(transcript: str, now: float) -> float:
    """When a conversation began, by the first time in its transcript; now, where it has none yet."""
    from datetime import datetime  # noqa: PLC0415 - 2 ms where a memory stands in MEMORY.md alone

    try:
        with open(transcript, "rb") as file:
            stamp = file.read(_FIRST_BYTES).replace(b'": "', b'":"').partition(_STAMP)[2].partition(b'"')[0]
        return datetime.fromisoformat(stamp.decode().replace("Z", "+00:00")).timestamp()
    except (OSError, ValueError):
        return now
