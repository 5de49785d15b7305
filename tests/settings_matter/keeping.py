"""The model of memory: strength, promotion, fading, likeness, and the house-keeping that follows from them."""

from __future__ import annotations

import itertools

from psychmem_py.curation import upkeep
from psychmem_py.extraction.sweep import sweep
from psychmem_py.memory import forgetting
from psychmem_py.memory import strength as score
from psychmem_py.memory.compare import compared
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.records import Candidate
from psychmem_py.model.terms import Kind, Origin, Role, Scope, Standing, Status, Store, Tier
from psychmem_py.recall import selection
from tests.memories_made import DAY_S, NOW, made
from tests.settings_matter.world import Row, World, matcher, message

USAGE = {"model": "usage"}


def strength(world: World) -> object:
    return score.strength(score.Features(0.5, 0.5, 0.5, 0.5, 0.5, 2, 10), world.settings.scoring)


def evidence(world: World) -> object:
    rules = world.settings.scoring
    return (
        [score.interference([share], rules) for share in (0.2, 0.5, 0.9)],
        score.corroborated(0.5, rules),
        score.voted(0.5, good=True, weights=rules),
        score.used(0.5, rules),
    )


def consolidated(world: World) -> object:
    """Why each of some memories belongs in long-term memory."""
    ways = itertools.product((1, 2, 3), (0, 5, 30), (0.5, 0.85), (0.5, 2, 10))
    return [
        forgetting.should_consolidate(
            made("x", Kind.CONSTRAINT, store=Store.STM, session_count=told, use_count=used, strength=strong,
                 created_at=NOW - days * DAY_S, anchor_at=NOW),
            NOW,
            world.settings,
        )
        for told, used, strong, days in ways
    ]  # fmt: skip


def left(world: World) -> object:
    """What is left of memories of many ages, and their states."""
    told = []
    for kept, tier, days in itertools.product((Store.STM, Store.LTM), (Tier.NORMAL, Tier.TEMPORARY), (0, 1, 5, 20, 50, 120, 400)):
        one = made("x", Kind.EPISODIC, store=kept, tier=tier, anchor_at=NOW - days * DAY_S, use_count=2)
        told.append(
            (
                forgetting.retrievability(one, NOW, world.settings),
                forgetting.state_of(one, NOW, world.settings),
                forgetting.has_faded(one, NOW, world.settings),
            )
        )
    return told


def states(world: World) -> object:
    """The states of memories in fine steps."""
    ages = [made("x", Kind.EPISODIC, store=Store.LTM, anchor_at=NOW - hours * 3600.0) for hours in range(0, 4000, 3)]
    return [forgetting.state_of(one, NOW, world.settings) for one in ages]


def faded(world: World) -> object:
    one = [made("x", Kind.EPISODIC, store=Store.STM, anchor_at=NOW - days * DAY_S) for days in range(60)]
    return [forgetting.has_faded(memory, NOW, world.settings) for memory in one]


def collected(world: World) -> object:
    """What the collector does to what has decayed or was archived, of several ages."""
    spent = [
        made(f"old note {days} {status}", Kind.EPISODIC, status=status, use_count=3, anchor_at=NOW - days * DAY_S, updated_at=NOW - days * DAY_S)
        for days, status in itertools.product((5, 20, 100, 150), (Status.DECAYED, Status.ARCHIVED))
    ]  # fmt: skip
    found = upkeep.collect(world.db(spent), world.settings, now=NOW)
    return sorted((step.before.text, step.after is None) for step in found.steps if step.before)


PAIRS = (
    ("The nightly job copies the whole database to the backup bucket in Frankfurt", "The nightly job copies the whole database to the backup bucket in Paris", Kind.SEMANTIC),
    ("The nightly export job copies the orders table to the warehouse bucket every single night", "The nightly export job copies the orders table to the warehouse bucket on every night", Kind.SEMANTIC),
    ("Never mock the database in tests", "Always mock the payment database in slow tests", Kind.CONSTRAINT),
    ("We log requests as JSON", "Requests are traced with a header", Kind.SEMANTIC),
    ("We log all requests as JSON lines", "All requests are logged as plain JSON", Kind.SEMANTIC),
    ("Never squash commits", "Always squash commits before merging feature branches", Kind.CONSTRAINT),
    ("The importer reads files from the inbox folder", "The importer reads files from the inbox folder twice", Kind.SEMANTIC),
    (
        "A nightly export job copies the complete orders, customers, invoices, shipments, taxes, reviews and coupons to Frankfurt",
        "A nightly export job copies the whole orders, customers, invoices, shipments, taxes, reviews and coupons to Frankfurt",
        Kind.SEMANTIC,
    ),
    ("Commit messages are short and written in English prose", "Commit messages are short and written in English verse today", Kind.EPISODIC),
)  # fmt: skip


def related(world: World) -> object:
    """How pairs of statements relate."""
    return [compared(new, known, kind, world.settings.reconcile).relation for known, new, kind in PAIRS]


def neighbours(world: World) -> object:
    candidate = Candidate(
        "Never push to main", "Never push to main", Kind.CONSTRAINT, Scope.USER, 0.9, 0.9, (), Role.USER, Origin.USER_PROMPT, "m", 0, 18
    )  # fmt: skip
    known = [made("Never push to main", Kind.CONSTRAINT)]
    done = plan([candidate], known, world.settings, NOW, project=None, session="s", agent="", ids=iter(["f" * 32]))
    return [change.type for change in done]


WORDS = "billing shipping pricing search audit export import mail login stock refund report cache queue".split()


def heard(world: World) -> object:
    """What becomes of a rule said once: its standing and scope, what is left after weeks of work, and its share of a brief."""
    said = sweep([message(0, "user", "Never push to main.")], matcher(), world.settings)
    kept = [(verdict.candidate.standing, verdict.candidate.scope) for verdict in said]
    many = [
        made(f"{word} is kept by team {number}", Kind.SEMANTIC, standing=Standing.HEARD, worked_d=7)
        for number, word in enumerate(WORDS)
    ]
    shown = selection.select(many, settings=world.settings, now=NOW, budget=1500, most=40).shown
    return kept, forgetting.retrievability(many[0], NOW, world.settings), len(shown)


ROWS: dict[str, Row] = {
    "by_class": Row("yes", heard),
    "heard_half_life_d": Row("5", heard),
    "heard_share": Row("0.9", heard),
    **{f"w_{name}": Row("0.9", strength) for name in ("recency", "frequency", "importance", "utility", "novelty", "confidence")},
    "w_interference": Row("-0.9", strength),
    "recency_span_h": Row("20", strength),
    "frequency_full": Row("3", strength),
    "interference_low": Row("0.1", evidence),
    "interference_high": Row("0.95", evidence),
    "interference_share": Row("0.1", evidence),
    "corroboration": Row("0.9", evidence),
    "vote_step": Row("0.9", evidence),
    "use_step": Row("0.9", evidence),
    "promote_strength": Row("0.99", consolidated),
    "promote_sessions": Row("9", consolidated),
    "promote_score": Row("0.99", consolidated, USAGE | {"promote_strength": "1", "promote_use_count": "900"}),
    "promote_use_count": Row("90", consolidated),
    "promote_window_d": Row("3", consolidated),
    "promote_min_age_h": Row("1", consolidated),
    "model": Row("fsrs", left),
    "stm_rate_per_h": Row("0.9", left, {"model": "ebbinghaus"}),
    "ltm_rate_per_h": Row("0.9", left, {"model": "ebbinghaus"}),
    "decay_threshold": Row("0.4", faded),
    "usage_half_life_d": Row("30", left, USAGE),
    "beta": Row("3", collected, {"archived_days_threshold": "10"}),
    "stability_growth": Row("3", left, {"model": "fsrs"}),
    "forget_threshold": Row("0", collected),
    "tier_fading": Row("yes", left, {"model": "usage", "usage_half_life_d": "900"}),
    "rate_normal": Row("0.1", left, {"model": "fsrs", "tier_fading": "yes"}),
    "rate_temporary": Row("0.1", left, {"model": "usage", "usage_half_life_d": "900"}),
    "rate_period_d": Row("3", left, {"model": "usage", "usage_half_life_d": "900"}),
    "hot_threshold": Row("0.9", states),
    "warm_threshold": Row("0.4", states),
    "cold_threshold": Row("0.1", states),
    "archived_threshold": Row("0.0", states),
    "archived_days_threshold": Row("130", states, {"archived_threshold": "0.01"}),
    "duplicate_threshold": Row("1", related),
    "deduplication_threshold": Row("0.84", related),
    "related_threshold": Row("0.6", related),
    "contradiction_threshold": Row("0.9", related),
    "max_neighbours": Row("0", neighbours),
}  # fmt: skip
