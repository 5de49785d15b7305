"""The model of memory: strength, promotion, fading, likeness, and the house-keeping that follows from them."""

import itertools

from psychmem_py.curation import upkeep
from psychmem_py.extraction.sweep import sweep
from psychmem_py.memory import forgetting
from psychmem_py.memory import strength as score
from psychmem_py.memory.compare import compared
from psychmem_py.model.records import Kind, Status, Store
from psychmem_py.recall import selection
from tests.memories_made import DAY_S, NOW, made
from tests.settings_matter.world import Row, World, matcher, message


def strength(world: World) -> object:
    return score.strength(score.Features(0.5, 0.5, 0.5, 0.5, 0.5, 2, 10), world.settings.scoring)


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
    ("A nightly export job copies the complete orders, customers, invoices, shipments, taxes, reviews and coupons to Frankfurt", "A nightly export job copies the whole orders, customers, invoices, shipments, taxes, reviews and coupons to Frankfurt", Kind.SEMANTIC),
    ("Commit messages are short and written in English prose", "Commit messages are short and written in English verse today", Kind.EPISODIC),
)  # fmt: skip


def related(world: World) -> object:
    """How pairs of statements relate."""
    return [compared(new, known, kind, world.settings.reconcile).relation for known, new, kind in PAIRS]


WORDS = "billing shipping pricing search audit export import mail login stock refund report cache queue".split()


def heard(world: World) -> object:
    """What becomes of a rule said once: its store and scope, what is left after weeks of work, and its share of a brief."""
    said = sweep([message(0, "user", "Never push to main.")], matcher(), world.settings)
    kept = [(verdict.candidate.store, verdict.candidate.scope) for verdict in said]
    once = {"kind": Kind.SEMANTIC, "store": Store.STM, "worked_d": 7}
    many = [made(f"{word} is kept by team {number}", **once) for number, word in enumerate(WORDS)]
    shown = selection.select(many, settings=world.settings, now=NOW, budget=1500, most=40).shown
    return kept, forgetting.retrievability(many[0], NOW, world.settings), len(shown)


ROWS: dict[str, Row] = {
    "long_term_classes": Row("all", heard),
    "stm_half_life_d": Row("5", heard),
    **{f"w_{name}": Row("0.9", strength) for name in ("recency", "frequency", "importance", "utility", "novelty", "confidence")},
    "w_interference": Row("-0.9", strength),
    "decay_threshold": Row("0.4", faded),
    "duplicate_threshold": Row("1", related),
    "deduplication_threshold": Row("0.84", related),
    "related_threshold": Row("0.6", related),
}  # fmt: skip
