"""The words of the domain as types; values only. `kind` is what JSON, SQL and the README call `class`. Times are UTC seconds."""

from __future__ import annotations

from _collections_abc import Mapping

from psychmem_py.model.light_record import CALL_CLASSES, NamedTuple, StrEnum

Place = tuple[str, str, str]  # where what is shared belongs: scope (a `Reach` of sync), team, project; "" where there is none
CONTEXT_CHARS = 160  # kept of each message beside a memory's: more finds no more (benchmarks.retrieval)


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Origin(StrEnum):
    """Who a text came from; set by code, never read out of the text."""

    USER_PROMPT = "user_prompt"  # typed by a person into the agent
    USER_CLI = "user_cli"  # typed by a person into `psychmem`
    ASSISTANT = "assistant"
    TOOL = "tool"
    FILE = "file"
    IMPORT = "import"
    SYNC = "sync"


# Trust grows with the number; merging takes the lowest of its parents.
TRUST: dict[Origin, int] = {
    Origin.USER_CLI: 3,
    Origin.USER_PROMPT: 3,
    Origin.ASSISTANT: 2,
    Origin.TOOL: 1,
    Origin.FILE: 1,
    Origin.IMPORT: 0,
    Origin.SYNC: 0,
}

HUMAN = frozenset({Origin.USER_PROMPT, Origin.USER_CLI})


class Kind(StrEnum):
    """The class of a memory."""

    CONSTRAINT = "constraint"
    PREFERENCE = "preference"
    LEARNING = "learning"
    PROCEDURAL = "procedural"
    DECISION = "decision"
    BUGFIX = "bugfix"
    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    OBJECTIVE = "objective"


# Rules bind the agent: only text typed by a person may become one (`memory.admission`).
RULES = frozenset({Kind.CONSTRAINT, Kind.PREFERENCE, Kind.PROCEDURAL})
ENFORCED = frozenset(map(Kind, CALL_CLASSES))
EVENTS = frozenset({Kind.EPISODIC, Kind.BUGFIX})  # what happens, and happens again: contradicts nothing, replaces nothing


class Scope(StrEnum):
    USER = "user"
    PROJECT = "project"


class Store(StrEnum):
    """Whether a memory has been confirmed (see `memory.forgetting`)."""

    STM = "stm"  # said once: fades in the weeks in which its project is worked in
    LTM = "ltm"  # confirmed: stays


class Tier(StrEnum):
    CONSTITUTIONAL = "constitutional"
    CRITICAL = "critical"
    IMPORTANT = "important"
    NORMAL = "normal"
    TEMPORARY = "temporary"
    DEPRECATED = "deprecated"


class Status(StrEnum):
    ACTIVE = "active"
    QUARANTINED = "quarantined"  # untrusted origin, waits for review
    SUPERSEDED = "superseded"
    DECAYED = "decayed"
    ARCHIVED = "archived"
    PROMOTED = "promoted"
    FORGOTTEN = "forgotten"


class LinkType(StrEnum):
    DERIVES_FROM = "derives_from"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    RELATES_TO = "relates_to"
    CHAIN = "chain"
    REFERENCES = "references"
    CAUSED = "caused"
    ENABLED = "enabled"
    SUPPORTS = "supports"


class Category(StrEnum):
    """The eight categories of signals in words; weights: docs/model.md."""

    EXPLICIT_REMEMBER = "explicit_remember"
    EMPHASIS_CUE = "emphasis_cue"
    BUG_FIX = "bug_fix"
    LEARNING = "learning"
    CORRECTION = "correction"
    DECISION = "decision"
    CONSTRAINT = "constraint"
    PREFERENCE = "preference"


class Gate(StrEnum):
    """The four gates, plus what sorts candidates out before and after them."""

    QUESTION = "question"
    FILTER = "filter"  # negation, hedge, hypothetical, meta-talk, recall, list choice, task request, quotation
    EVIDENCE = "evidence"  # multi-keyword confidence below the threshold
    ROLE = "role"
    LIMIT = "limit"  # more than the maximum per stop
    JUDGE = "judge"  # the reader rejected it
    ANSWERED = "answered"  # it was pending until rejected, approved or said again


class ChangeType(StrEnum):
    ADD = "add"
    REINFORCE = "reinforce"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    EDIT = "edit"
    STATUS = "status"  # forget, archive, decay, promote, accept
    PIN = "pin"
    LINK = "link"
    UNLINK = "unlink"
    UNDO = "undo"


class Message(NamedTuple):
    """One turn's text as the conversation holds it."""

    id: str
    role: Role
    origin: Origin
    text: str
    at: float | None = None  # when it was written; None when the source has no time
    previous: str = ""  # the assistant's text just before a user's message, for resolving corrections
    chosen: bool = False  # the text is an answer that the agent offered to the question in `previous`


class ToolUse(NamedTuple):
    """What is worth knowing about one tool call; never a whole input or output."""

    id: str
    tool: str
    at: float
    ok: bool
    paths: tuple[str, ...] = ()
    command: str = ""  # first line of a shell command, redacted
    error_class: str = ""  # "usage", "refused", "error"; "" where it did not fail
    error_line: str = ""  # first telling line of the error, redacted, at most 200 characters


class Journal(NamedTuple):
    """What a journal holds now."""

    session: str
    agent: str
    cwd: str
    transcript: str
    uses: tuple[ToolUse, ...]
    taken: bytes  # what was read; give it to `discard`
    not_typed: frozenset[str] = frozenset()  # turns whose prompt no person entered
    shown: tuple[tuple[str, str, float, int, str], ...] = ()  # see `journal.shown_in`; the database does not know it yet


class Signal(NamedTuple):
    """Evidence in a clause that something may matter. `family` is finer than `category`; structural ones have no category."""

    family: str
    category: Category | None
    weight: float
    start: int  # offsets into the message's text
    end: int
    language: str = ""  # code of the pattern file; "" for structural signals


class Candidate(NamedTuple):
    """One self-contained clause with its evidence; not yet a memory."""

    text: str  # as it would be stored
    quote: str  # the source words, as evidence
    kind: Kind
    scope: Scope
    importance: float  # [0, 1]
    confidence: float  # [0, 1]
    signals: tuple[Signal, ...]
    role: Role
    origin: Origin
    message_id: str
    start: int
    end: int
    language: str = ""
    at: float | None = None
    names: tuple[str, ...] = ()  # files, identifiers, people named in it
    context: str = ""  # at most CONTEXT_CHARS of each neighbouring message
    metadata: tuple[tuple[str, str], ...] = ()
    store: Store = Store.STM


class Verdict(NamedTuple):
    """What the gates decided about a candidate. `gate is None` means kept; `waiting` means kept aside until seen again."""

    candidate: Candidate
    gate: Gate | None = None
    reason: str = ""  # code such as "negation", "hypothetical"; of one that is kept, what speaks against it
    waiting: bool = False

    @property
    def is_kept(self) -> bool:
        return self.gate is None and not self.waiting


class Memory(NamedTuple):
    """A kept candidate: one row."""

    id: str
    text: str
    kind: Kind
    scope: Scope
    project: str | None  # project id; None exactly when scope is user
    store: Store
    tier: Tier
    status: Status
    pinned: bool
    origin: Origin
    importance: float
    utility: float
    novelty: float
    confidence: float
    interference: float
    strength: float  # at `anchor_at`, in [0, 1]
    use_count: int  # votes, touches and echoes; being shown is not being used
    session_count: int  # distinct sessions that stated it, at least 1
    created_at: float
    updated_at: float
    anchor_at: float  # forgetting counts from here; moved by reinforcement only
    expires_at: float | None = None
    language: str = ""
    agent: str = ""  # "claude-code", "opencode" or "" for people
    session: str = ""  # where it was first stated
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    context: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    worked_d: int = 0  # of a short-term one: days since the anchor on which its project was worked in, as read from the store

    def marked(self, fields: Mapping[str, str]) -> Memory:
        """The memory with these fields of its metadata set; an empty value takes a field out."""
        merged = {**dict(self.metadata), **fields}
        return self._replace(metadata=tuple((name, value) for name, value in merged.items() if value or name not in fields))


class Evidence(NamedTuple):
    """Where a memory comes from: one row for each statement, vote or echo."""

    memory_id: str
    at: float
    method: str  # "sweep", "agent_quote", "cli", "tool", "import", "vote", "echo"
    origin: Origin
    session: str = ""
    message_id: str = ""
    quote: str = ""
    signals: tuple[str, ...] = ()  # family names


class Link(NamedTuple):
    source: str
    target: str
    type: LinkType
    created_at: float


class Change(NamedTuple):
    """One step in a memory's life. `before` and `after` are whole rows, so undoing is writing `before` back."""

    type: ChangeType
    memory_id: str
    before: Memory | None  # None: it did not exist
    after: Memory | None  # None: it does not exist any more (undo of an add)
    reason: str = ""
    evidence: Evidence | None = None
    link: Link | None = None
