"""Every number of the model: name and default, in groups; what else a setting has, and what file and environment lay over
these, is in `home.config`, loaded where one was changed. Names are unique: `PSYCHMEM_` + NAME is each one's variable.
"""

from __future__ import annotations

from psychmem_py.model.classes import NAMES, POLICIES, SETTABLE, Policy
from psychmem_py.model.light_record import NamedTuple, Retrieval
from psychmem_py.model.records import Kind


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
