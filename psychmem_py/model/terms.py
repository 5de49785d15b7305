"""The closed vocabularies of the domain: roles, origins, classes, scopes, stores, tiers, statuses."""

from __future__ import annotations

from psychmem_py.model.light_record import StrEnum


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
HELD = RULES | {Kind.DECISION}  # held to at tool calls: "we decided on pnpm" is one


class Scope(StrEnum):
    USER = "user"
    PROJECT = "project"


class Store(StrEnum):
    """Whether a memory has been confirmed (see `memory.consolidation`)."""

    STM = "stm"  # said once: fades in the weeks in which its project is worked in
    LTM = "ltm"  # confirmed: stays


STORE_OF_STANDING = {"heard": Store.STM, "settled": Store.LTM}  # the words of older exports and operations


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
    JUDGE = "judge"  # the reader turned it down
    ANSWERED = "answered"  # it waited, until it was dropped, approved or said again


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


Place = tuple[str, str, str]  # where what is shared belongs: scope (a `Reach` of sync), team, project; "" where there is none
