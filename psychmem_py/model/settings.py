"""Every number of the model: each class of memory (sources: docs/model.md) and the settings, name and default, in groups. What
else a setting has, and what file and environment lay over these, is in `home.config`. `PSYCHMEM_` + NAME is each one's variable.
"""

from __future__ import annotations

from _collections_abc import Iterable, Mapping

from psychmem_py.errors import RefusedError
from psychmem_py.model.light_record import NamedTuple, Retrieval
from psychmem_py.model.records import Kind, Scope
from psychmem_py.safety.fence import CLASS_LABELS

SETTABLE = ("half_life_d", "ttl_d")
# What a field of a metadata schema holds: the expression of a well-formed value, which is a string in the store, and its meaning.
_TEXT = (r"(?s).+", "a text")
_SHARE = (r"0(\.\d+)?|1(\.0+)?", "0 to 1")
_BOOL = (r"true|false", "true or false")
_DATE = (r"\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?", "an ISO date")
_SEVERITY = (r"must|should|never", "must, should or never")
_STATE = (r"pending|in-progress|blocked|done", "pending, in-progress, blocked or done")
# What a memory of any class may carry: where it comes from (STM server), and the phrases that call for it (Spec Kit).
TRIGGERS = "triggers"  # with commas between them
_OF_EVERY_CLASS = ("source", "context", TRIGGERS)


class Policy(NamedTuple):
    """The defaults of one class; `[classes.NAME]` of config.toml may change what is `SETTABLE`."""

    scope: Scope
    half_life_d: float | None  # half is left after so many days without use; None: it does not fade
    ttl_d: float | None  # archived after so many days; None: lives on
    utility: float  # expected usefulness before any vote or use, [0, 1]


# Scope: allocation table of the original README. ttl: memory roadmap, gap 3. That only episodes fade: true-mem's policy.
# Utility starts at 0.5 where a class is looked up now and then, higher where it applies always, lower where rarely.
POLICIES: dict[Kind, Policy] = {
    Kind.CONSTRAINT: Policy(Scope.USER, None, None, 0.7),
    Kind.PREFERENCE: Policy(Scope.USER, None, None, 0.6),
    Kind.PROCEDURAL: Policy(Scope.USER, None, None, 0.6),
    Kind.LEARNING: Policy(Scope.USER, None, None, 0.5),
    Kind.DECISION: Policy(Scope.PROJECT, None, None, 0.55),
    Kind.BUGFIX: Policy(Scope.PROJECT, None, None, 0.4),
    Kind.SEMANTIC: Policy(Scope.PROJECT, None, None, 0.5),
    Kind.EPISODIC: Policy(Scope.PROJECT, 7.0, 60.0, 0.25),
    Kind.OBJECTIVE: Policy(Scope.PROJECT, None, 30.0, 0.5),
}

# Other memory systems' names for their classes where they differ from ours. A relationship becomes a fact, and `link` a link.
ALIASES: dict[str, Kind] = {
    name: kind
    for kind, names in (
        (Kind.EPISODIC, "context history event episode"),
        (Kind.SEMANTIC, "relationship fact knowledge declarative"),
        (Kind.BUGFIX, "bug bug_fix bug-fix fix"),
        (Kind.CONSTRAINT, "rule meta-cognitive"),
        (Kind.PROCEDURAL, "procedure workflow"),
        (Kind.LEARNING, "lesson"),
        (Kind.OBJECTIVE, "goal task"),
    )
    for name in names.split()
}

NAMES = {**ALIASES, **{CLASS_LABELS[kind]: kind for kind in Kind}, **{kind.value: kind for kind in Kind}}


def kind_of(name: str) -> Kind:
    """The class called `name` by us or another system, whatever its case and plural. Raises RefusedError for an unknown one."""
    plain = name.strip().lower()
    for form in (plain, plain.removesuffix("s"), plain.removesuffix("es")):
        if form in NAMES:
            return NAMES[form]
    raise RefusedError(
        f"there is no class {name!r}; use rule, preference, procedural, learning, decision, fix, fact, episodic or goal"
    )


def tag_of(name: str) -> tuple[str, ...]:
    """The tag under which a type of the roadmap stays known where its class has another name."""
    return (plain,) if (plain := name.strip().lower()) in ("context", "history", "relationship") else ()


def ttl_of(name: str) -> float | None:
    """Days after which a memory entered under this name expires (memory roadmap, gap 3), None for what its class says."""
    return 7.0 if name.strip().lower() == "context" else None


# Memory roadmap, gap 6, and what the other classes need by the same logic.
SCHEMAS: dict[Kind, dict[str, tuple[str, str]]] = {
    Kind.PREFERENCE: {"domain": _TEXT, "weight": _SHARE, "alternatives": _TEXT},
    Kind.CONSTRAINT: {"domain": _TEXT, "severity": _SEVERITY, "reason": _TEXT},
    Kind.LEARNING: {"language": _TEXT, "tool": _TEXT, "applied": _BOOL},
    Kind.PROCEDURAL: {"trigger": _TEXT, "steps": _TEXT},
    Kind.DECISION: {"rationale": _TEXT, "alternatives": _TEXT, "decided_at": _DATE},
    Kind.BUGFIX: {"cause": _TEXT, "fix": _TEXT, "error_class": _TEXT, "file": _TEXT},
    Kind.SEMANTIC: {"subject": _TEXT, "relation": _TEXT, "object": _TEXT},
    Kind.EPISODIC: {"happened_at": _DATE, "outcome": _TEXT},
    Kind.OBJECTIVE: {"deadline": _DATE, "status": _STATE, "blockers": _TEXT},
}


def field_text(value: object) -> str:
    """A value in JSON as the store has it: a list by its items, true and false as they are written there."""
    if isinstance(value, list):
        return ", ".join(map(field_text, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def metadata_faults(kind: Kind, metadata: Mapping[str, str] | Iterable[tuple[str, str]]) -> list[str]:
    """What does not fit the class's schema, one sentence each; strict writers refuse it."""
    import re  # noqa: PLC0415  # patterns cost hooks time

    schema, faults = SCHEMAS[kind], list[str]()
    for key, value in dict(metadata).items():
        if key not in schema and key not in _OF_EVERY_CLASS:
            faults.append(f"{kind} has no field {key!r}; it knows {', '.join(schema)}")
        elif key in schema and not re.fullmatch(schema[key][0], value):
            faults.append(f"{key} cannot be {value!r}; it is {schema[key][1]}")
    return faults


class General(NamedTuple):
    agent_type: str = ""
    db_path: str = ""
    strict_metadata: bool = False
    ignore: str = ""  # globs of project directories, parted by commas, for which hooks do nothing
    episodes: bool = True  # exchanges are kept, cut and redacted, to be found again


class Extraction(NamedTuple):
    extract_on_message: bool = True
    extract_on_compaction: bool = True
    message_window_size: int = 3
    message_importance_threshold: float = 0.5
    max_memories_per_stop: int = 7
    confidence_threshold: float = 0.6
    languages: str = ""


class Scoring(NamedTuple):
    w_recency: float = 0.20
    w_frequency: float = 0.15
    w_importance: float = 0.25
    w_utility: float = 0.20
    w_novelty: float = 0.10
    w_confidence: float = 0.10
    w_interference: float = -0.10


class Stores(NamedTuple):
    long_term_classes: str = ""
    stm_half_life_d: float = 21.0

    def at_once(self, kind: Kind) -> bool:
        """Whether memories of a class go to long-term store as soon as they are kept."""
        names = [name.strip().lower() for name in self.long_term_classes.split(",") if name.strip()]
        return "all" in names or kind in (NAMES.get(name) for name in names)


class Forgetting(NamedTuple):
    decay_threshold: float = 0.1


class Reconcile(NamedTuple):
    duplicate_threshold: float = 0.85
    deduplication_threshold: float = 0.70
    related_threshold: float = 0.30


class Judge(NamedTuple):
    by: str = ""
    command: str = ""
    small_model: str = ""
    calls_per_day: int = 20
    chars_per_call: int = 20_000
    call_timeout_s: float = 120.0

    @property
    def named(self) -> str:
        """Who reads: a client that is there anyway, or the person's own command; "" for nobody."""
        return self.command if self.by == "command" else self.by


class Settings(NamedTuple):
    general: General = General()
    extraction: Extraction = Extraction()
    scoring: Scoring = Scoring()
    stores: Stores = Stores()
    forgetting: Forgetting = Forgetting()
    reconcile: Reconcile = Reconcile()
    retrieval: Retrieval = Retrieval()
    judge: Judge = Judge()
    classes: tuple[tuple[Kind, Policy], ...] = tuple(POLICIES.items())

    def policy(self, kind: Kind) -> Policy:
        """The policy of this class, with the person's own changes."""
        return dict(self.classes)[kind]


DEFAULTS = Settings()


def keys() -> dict[str, str]:
    """Every setting's group by its name, those of the classes excepted."""
    return {name: group for group in Settings._fields[:-1] for name in getattr(DEFAULTS, group)._fields}


def class_keys() -> list[str]:
    """What a person may set of each class: "classes.episodic.ttl_d"."""
    return [f"classes.{kind}.{field}" for kind in POLICIES for field in SETTABLE]
