"""Every number of the model in one place: name and default, in groups. All else that is known of a setting (unit, bounds, source,
meaning) is its row in `settings_notes.NOTES`, which only a changed setting loads.

Nothing is read here: `home.config` lays the config file and the environment over these defaults. Names are unique over all groups,
so that `PSYCHMEM_` + NAME in capitals is each one's environment variable.
"""

from __future__ import annotations

from psychmem_py.model.classes import POLICIES, SETTABLE, Policy
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.recall_settings import Retrieval
from psychmem_py.model.terms import Kind


class General(NamedTuple):
    agent_type: str = ""
    db_path: str = ""
    strict_metadata: bool = False
    ignore: str = ""  # globs of project directories, parted by commas, for which hooks do nothing


class Extraction(NamedTuple):
    extract_on_message: bool = True
    extract_on_compaction: bool = True
    message_window_size: int = 3
    message_importance_threshold: float = 0.5
    max_memories_per_stop: int = 7
    confidence_threshold: float = 0.6


class Scoring(NamedTuple):
    w_recency: float = 0.20
    w_frequency: float = 0.15
    w_importance: float = 0.25
    w_utility: float = 0.20
    w_novelty: float = 0.10
    w_confidence: float = 0.10
    w_interference: float = -0.10
    recency_span_h: float = 168.0
    frequency_full: float = 9.0
    interference_low: float = 0.3
    interference_high: float = 0.8
    interference_share: float = 0.5
    corroboration: float = 0.3
    vote_step: float = 0.3
    use_step: float = 0.1


class Stores(NamedTuple):
    promote_strength: float = 0.7
    promote_sessions: int = 3
    promote_score: float = 0.65
    promote_use_count: int = 5
    promote_window_d: float = 14.0
    promote_min_age_h: float = 24.0


class Forgetting(NamedTuple):
    model: str = "selective"
    stm_rate_per_h: float = 0.05
    ltm_rate_per_h: float = 0.01
    decay_threshold: float = 0.1
    usage_half_life_d: float = 3.0
    beta: float = 0.6
    stability_growth: float = 0.5
    forget_threshold: float = 0.05
    tier_fading: bool = False
    rate_normal: float = 0.80
    rate_temporary: float = 0.60
    rate_period_d: float = 30.0
    hot_threshold: float = 0.80
    warm_threshold: float = 0.25
    cold_threshold: float = 0.05
    archived_threshold: float = 0.02
    archived_days_threshold: float = 90.0


class Reconcile(NamedTuple):
    duplicate_threshold: float = 0.85
    deduplication_threshold: float = 0.70
    related_threshold: float = 0.30
    contradiction_threshold: float = 0.30
    max_neighbours: int = 200


class Judge(NamedTuple):
    by: str = ""
    command: str = ""
    small_model: str = ""
    calls_per_day: int = 20
    chars_per_call: int = 20_000
    call_timeout_s: float = 120.0


class Standings(NamedTuple):
    by_class: bool = False
    heard_half_life_d: float = 21.0
    heard_share: float = 0.25


class Settings(NamedTuple):
    general: General = General()
    extraction: Extraction = Extraction()
    scoring: Scoring = Scoring()
    stores: Stores = Stores()
    forgetting: Forgetting = Forgetting()
    reconcile: Reconcile = Reconcile()
    retrieval: Retrieval = Retrieval()
    judge: Judge = Judge()
    standing: Standings = Standings()
    classes: tuple[tuple[Kind, Policy], ...] = tuple(POLICIES.items())

    def policy(self, kind: Kind) -> Policy:
        """What this class is entitled to, after the person's own changes."""
        for known, policy in self.classes:
            if known is kind:
                return policy
        return POLICIES[kind]


DEFAULTS = Settings()


def keys() -> dict[str, str]:
    """Every setting's group by its name, those of the classes excepted."""
    return {name: group for group in Settings._fields[:-1] for name in getattr(DEFAULTS, group)._fields}


def class_keys() -> list[str]:
    """What a person may set of each class: "classes.episodic.ttl_d"."""
    return [f"classes.{kind}.{field}" for kind in POLICIES for field in SETTABLE]
