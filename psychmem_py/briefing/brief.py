"""What an agent is told at a start, after a compaction, as a sub-agent. It waits for it, so the store is only read."""

from __future__ import annotations

import os
from _collections_abc import Callable, Collection, Iterable, Mapping, Sequence

from psychmem_py.agents import claude_memory
from psychmem_py.agents.event import CLAUDE_CODE, Request
from psychmem_py.errors import UnwritableError
from psychmem_py.home import files, health, instructions, journal
from psychmem_py.home.places import own_command
from psychmem_py.home.project import Project, branch_of, resolved
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.records import Change, ChangeType, Memory, Status
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.recall import brief_text, memory_line, selection
from psychmem_py.safety.control_chars import as_name
from psychmem_py.safety.fence import defused, fenced
from psychmem_py.store import calls, read_only, rows, sessions
from psychmem_py.store.sqlite import Error, sqlite3
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import content_words, counted, subject, words

FORGOTTEN = frozenset({"compact", "clear"})  # events after which the agent no longer sees what it was shown
COMPACTION = "compact"
RULE_FILE = "rule_file"  # of a memory's metadata: the file it was made of
_FOCUS_WORDS = 12
_NEAR = 15  # memories looked up for what the session is about
IN_MEMORY_MD = "is in MEMORY.md"
UNTRIGGERED = "shown when one of its phrases comes up"
_STORE_S = 1.0  # an agent waits: a database in use is a reason to say nothing
_DAYS_S, _FILES = 3 * DAY_S, 6
_SUBJECTS, _STATEMENTS = 6, 2  # words of the last conversation, each in so many of its statements
_COMMON = frozenset(  # Words of branch names that say nothing about their subject.
    "main master trunk develop dev development release staging production feature feat fix bugfix hotfix chore wip test tests".split()
)


class Brief(NamedTuple):
    text: str  # fenced; "" when there is nothing to say
    shown: tuple[str, ...]  # ids
    choice: selection.Selection  # with near misses, for people who ask why

    @property
    def in_memory_md(self) -> tuple[str, ...]:
        """Ids of what is not told because the agent sees it there."""
        return tuple(miss.memory.id for miss in self.choice.near_misses if miss.reason == IN_MEMORY_MD)


class Occasion(NamedTuple):
    """For what a brief is made: whose memories the session sees, why it starts, and what is known of it."""

    project: Project | None
    now: float
    settings: Settings = DEFAULTS
    source: str = "startup"
    shown_in_memory_md: Collection[str] = ()  # the lines of MEMORY.md that the agent sees
    focus_words: Collection[str] = ()
    notices: Sequence[str] = ()
    command: str = brief_text.COMMAND  # how the agent can call `psychmem`
    agent: str = ""  # whose client reads the repository's instructions


def compose(db: sqlite3.Connection, occasion: Occasion, seen: Collection[str] = ()) -> Brief:
    """A brief without the memories already `seen`, whose places stay empty; without a note in the ledger: also for explaining."""
    project, now, settings, source, shown_in_memory_md, focus_words, notices, command, agent = occasion
    project_id = project.id if project else None
    known = [*rows.brief_candidates(db, project_id)]
    if focus := subject(" ".join(focus_words)):
        from psychmem_py.store.matches import Question, matches  # noqa: PLC0415 - 2 ms that a brief without a focus does not need

        have = {one.id for one in known}
        question = Question(" ".join(sorted(focus)[:_FOCUS_WORDS]), project_id, now, limit=_NEAR)
        near = [match.id for match in matches(db, question) if match.id not in have]
        memories = rows.several(db, near)
        known += [memories[key] for key in near]
    visible = frozenset(shown_in_memory_md)
    there = [one for one in known if visible and defused(memory_line.one_line(one)) in visible]
    outdated = changed(db, project, there) if project else {}  # the file does not say that
    visible -= {defused(memory_line.one_line(one)) for one in there if one.id in outdated}
    there = [one for one in there if one.id not in outdated]
    given = read_only.answers(db, project_id) if project_id else None
    silent = [one for one in known if given and given.trusted and is_untriggered(one, given, focus)]
    retrieval = settings.retrieval
    wrong = calls.to_show(db, project_id) if project_id and source != "resume" else ()
    failing = [brief_text.FAILING, *(f"- {memory_line.failing(one)}" for one in wrong)] if wrong else []
    guidance = brief_text.GUIDANCE.format(command=command) if retrieval.guidance else ""
    frame = brief_text.frame_units(known, notices, failing, guidance)
    written = instructions.lines(project.root, agent) if project else ()

    def select(memories: Sequence[Memory], earlier: Mapping[str, str]) -> selection.Selection:
        return selection.select(
            memories, settings=settings, now=now, budget=max(0, retrieval.brief_limit_chars - frame),
            frame=min(frame, retrieval.brief_limit_chars), focus=focus,
            most=retrieval.max_compaction_memories if source == COMPACTION else retrieval.max_session_memories,
            already_seen=[line for line in visible if line.startswith("- ")], instructions=written, earlier=earlier,
        )  # fmt: skip

    to_show = [one for one in known if one not in there and one not in silent]
    choice, against = _newer_of_pairs(select, to_show, rows.contradicted(db, {one.id: one for one in to_show}))
    earlier = _earlier(known, against)
    misses = (
        *choice.near_misses,
        *(selection.Miss(one, selection.CONTRADICTED) for one in to_show if one.id in against),
        *(selection.Miss(one, IN_MEMORY_MD) for one in there if one.id not in seen),
        *(selection.Miss(one, UNTRIGGERED) for one in silent if one not in there),
    )
    choice = choice._replace(near_misses=misses, shown=tuple(one for one in choice.shown if one.id not in seen))
    body = brief_text.brief(
        choice.shown, now=now, notices=notices, stale=changed(db, project, choice.shown) if project else {},
        guidance=retrieval.guidance, command=command, earlier=earlier, failing=failing,
        exchanges=source != "resume" and rows.has_exchanges(db, project_id),
    )  # fmt: skip
    return Brief(fenced(body, read_only.secret(db)) if body else "", tuple(one.id for one in choice.shown), choice)


def changed(db: sqlite3.Connection, project: Project, memories: Sequence[Memory]) -> dict[str, str]:
    """By id how a file that a memory names has changed since."""
    at = {one.id: one.updated_at for one in memories}
    return {
        key: memory_line.changed_since(path, gone, calls.sessions_changing(db, project.id, path, at[key]))
        for key, (path, gone) in files.changed(project.root, memories).items()
    }


def _newer_of_pairs(
    select: Callable[..., selection.Selection], memories: Sequence[Memory], against: Mapping[str, Memory]
) -> tuple[selection.Selection, Mapping[str, Memory]]:
    """The choice, of two memories that contradict each other the newer alone where that is shown; and the pairs so decided."""
    choice = select([one for one in memories if one.id not in against], _earlier(memories, against))
    shown = {one.id for one in choice.shown}
    if len(pairs := {old: new for old, new in against.items() if new.id in shown or new.id in against}) == len(against):
        return choice, against
    return select([one for one in memories if one.id not in pairs], _earlier(memories, pairs)), pairs


def _earlier(memories: Sequence[Memory], against: Mapping[str, Memory]) -> Mapping[str, str]:
    """By id, the latest earlier statement that a memory contradicts."""
    older = sorted((one for one in memories if one.id in against), key=lambda one: (one.anchor_at, one.id)) if against else ()
    return {against[one.id].id: one.text for one in older}


def reasons(brief: Brief) -> Mapping[str, str]:
    """Why each memory is in the brief, or why not."""
    return brief.choice.reasons | {miss.memory.id: miss.reason for miss in brief.choice.near_misses}


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be read."""
    notices, env, cwd = [health.line_for_brief(around.data)], around.env, request.cwd
    here, foreign = resolved(cwd, env) if cwd else (None, "")
    database, settings = around.database_file(request.agent), around.settings()
    db = read_only.opened(database, around.now)
    try:
        if here and (former := read_only.left_behind(db, here)):
            here = here._replace(id=former)  # the child brings it along
        elif foreign or request.source != "resume":
            notices.append(elsewhere(db, here, foreign))
        if here and has_rules(db, here):
            of_rules = _rules_checked(database, here, around.now)
            notices += [of_rules] if request.source != "resume" else []  # whose transcript has it
        start = occasion(db, here, cwd, settings=settings, env=env, now=around.now, agent=request.agent, notices=notices)
        brief = _record_brief(db, start._replace(source=request.source or "startup"), request, around)
    except Error as exc:
        from psychmem_py.store.connection import store_error  # noqa: PLC0415  # seldom

        raise store_error(database, exc) from exc
    finally:
        db.close()
    if notices[0]:
        health.mark_told(around.data)
    return brief.text


def elsewhere(db: sqlite3.Connection, here: Project | None, foreign: str) -> str:
    """What to tell where a directory's name, or its remote before, is that of another project; "" for neither."""
    if foreign:
        return f"The project name {as_name(foreign)} here belongs to another one; if it is the same, `psychmem share trust`."
    former = here and sessions.former(db, here.id, here.root, alone=True)
    return "What was remembered under another git remote stays there; `psychmem list` says how it comes here." if former else ""


def _rules_checked(database: str, here: Project, now: float) -> str:
    """What to tell of the repository's rules, once the store knows which of them hold."""
    from psychmem_py.store.connection import open_store  # noqa: PLC0415  # writes; most repositories bring no rules

    try:
        with open_store(database, now=now, timeout_s=_STORE_S) as db:
            return refresh_rules(db, here, now)
    except UnwritableError as exc:
        return health.line_for_failure("inject", exc)


def _record_brief(db: sqlite3.Connection, start: Occasion, request: Request, around: Surroundings) -> Brief:
    """The brief, noted in the journal as shown or saying why not; for a resumed session, which has the rest, only what is new."""
    lately = journal.lately_shown(around.data, request.session, request.session)
    seen = {*read_only.shown(db, request.session), *(one[0] for one in lately)} if start.source == "resume" else ()
    brief = compose(db, start, seen)
    channel = "compaction" if start.source == COMPACTION else "brief"
    shown = {name: ids for name, ids in ((channel, brief.shown), ("memory_md", brief.in_memory_md)) if ids}
    if not request.session or not shown:
        return brief
    generation = read_only.generation(db, request.session, lately) + (start.source in FORGOTTEN)
    if why := journal.shown(around.data, request.about, shown, at=around.now, generation=generation):
        mend = "check its permissions, and free some space on the disk"
        trouble = UnwritableError(f"{around.data} cannot be written: {why}; {mend}")
        return compose(db, start._replace(notices=[health.line_for_failure("inject", trouble), *start.notices]), seen)
    return brief


def occasion(
    db: sqlite3.Connection,
    here: Project | None,
    cwd: str,
    *,
    settings: Settings,
    env: Mapping[str, str],
    now: float,
    agent: str = CLAUDE_CODE,
    notices: Iterable[str] = (),
) -> Occasion:
    """The start of a session in `cwd`."""
    visible = claude_memory.visible(claude_memory.folder_of(cwd, env)) if agent == CLAUDE_CODE and cwd else ()
    told = [*filter(None, notices)]
    return Occasion(here, now, settings, "startup", visible, focus(db, here, cwd, now), told, own_command(env), agent)


def focus(db: sqlite3.Connection, here: Project | None, cwd: str, now: float) -> list[str]:
    """Words for the brief's `focus_words`; none outside a project."""
    if here is None:
        return []
    branch = [word for word in branch_of(cwd).replace("/", " ").replace("-", " ").replace("_", " ").split() if not word.isdigit()]
    files = sessions.files_changed(db, project=here.id, after=now - _DAYS_S, most=_FILES)
    names = [path.rstrip("/").rpartition("/")[2].partition(".")[0] for path in files]
    said = sessions.lately_said(db, here.id, after=now - _DAYS_S)
    counts = counted(word for text in said for word in dict.fromkeys(content_words(text)))
    often = sorted(counts, key=lambda word: -counts[word])[:_SUBJECTS]
    again = [word for word in often if counts[word] >= _STATEMENTS and len(word) > 1]
    return [word for word in dict.fromkeys((*branch, *names, *again)) if word and word.lower() not in _COMMON]


def refresh_rules(db: sqlite3.Connection, project: Project | None, now: float) -> str:
    """Sets aside the rules whose file is gone or changed, and brings back those whose file is as it was. What to tell, or ""."""
    if project is None or not has_rules(db, project):
        return ""
    from contextlib import suppress  # noqa: PLC0415  # most repositories bring no rules

    from psychmem_py.store import change_log  # noqa: PLC0415
    from psychmem_py.store.connection import transaction  # noqa: PLC0415

    there = instructions.rule_files(project.root)
    given = read_only.answers(db, project.id)
    if _due(db, there, given, now):
        with transaction(db):  # a person may have answered since
            given = read_only.answers(db, project.id)
            with suppress(sqlite3.IntegrityError):  # somebody said the same meanwhile, and that stands
                change_log.apply(db, _due(db, there, given, now), batch=f"upkeep-rules-{int(now * 1000)}", now=now)
    return notice(unanswered(there, given), known=bool(given.trusted))


def has_rules(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a repository brings rules, or a person let some in that it brought."""
    there = (os.path.join(project.root, path) for path in instructions.paths(project.root))
    return any(map(os.path.lexists, there)) or bool(read_only.answers(db, project.id).trusted)


def unanswered(there: list[instructions.RuleFile], given: read_only.Answers) -> list[instructions.RuleFile]:
    """The rule files that are new, or not as they were let in or turned down."""
    answered = {path: one.digest for path, one in given.trusted.items()} | dict(given.declined)
    return [rule for rule in there if answered.get(rule.path) != rule.digest]


def notice(waiting: list[instructions.RuleFile], *, known: bool) -> str:
    """One sentence about rules that wait for a person; "" for none. It holds nothing that stands in the files."""
    if not waiting:
        return ""
    number, count, them = ("1 rule", "counts", "it") if len(waiting) == 1 else (f"{len(waiting)} rules", "count", "them")
    state = "new or changed since the person trusted its rules" if known else f"that {count} only when the person says so"
    return f"This repository brings {number} {state}: `psychmem share trust --rules` shows {them}."


def is_untriggered(memory: Memory, given: read_only.Answers, focus: frozenset[str]) -> bool:
    """Whether a rule has trigger phrases and none of them is in this session's focus."""
    known = given.trusted.get(dict(memory.metadata).get(RULE_FILE, ""))
    return bool(known and known.triggers) and not any(frozenset(words(one)) <= focus for one in known.triggers)  # type: ignore[union-attr]


def _due(db: sqlite3.Connection, there: list[instructions.RuleFile], given: read_only.Answers, now: float) -> list[Change]:
    """What becomes of the memories of rule files, the files being as they are."""
    digests, changes = {rule.path: rule.digest for rule in there}, list[Change]()
    for path, known in given.trusted.items():
        memory, same = rows.get(db, known.memory_id), digests.get(path) == known.digest
        before, status = (Status.ARCHIVED, Status.ACTIVE) if same else (Status.ACTIVE, Status.ARCHIVED)
        if memory is None or RULE_FILE not in dict(memory.metadata) or memory.status is not before:
            continue  # nothing to do, or a person forgot it
        reason = "its rule file is again as it was trusted" if same else "its rule file changed since it was trusted"
        changes.append(Change(ChangeType.STATUS, memory.id, memory, memory._replace(status=status, updated_at=now), reason))
    return changes
