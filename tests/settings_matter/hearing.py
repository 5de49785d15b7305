"""What is heard: a conversation as the sweep reads it, and what a statement weighs."""

from __future__ import annotations

import json

from psychmem_py.curation import imports
from psychmem_py.curation.act import PERSON, Who
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import PsychMemError
from psychmem_py.extraction.sweep import sweep
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.memory import forgetting
from psychmem_py.model.records import ToolUse
from psychmem_py.model.terms import Kind, Origin, Standing
from psychmem_py.recall import selection
from tests.memories_made import NOW, act, made
from tests.settings_matter.world import Row, World, matcher, message

LONG_ANSWER = "The build is green again and every check has passed on this machine. " * 12


LONG_WISH = (
    "Never commit generated files to the repository because the diffs cannot be read by anybody and the merge conflicts take"
    " hours, which we have learned from the last three releases, so always leave them to the pipeline that makes them anyway."
)


TALKS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("user", "Never commit directly to the main branch."), ("user", "Never commit directly to the main branch, again.")),
    (("user", "I prefer tabs over spaces."), ("user", "Thanks."), ("user", "Fine."), ("user", "I prefer tabs over spaces.")),
    (("user", "Remember that the staging database is rebuilt every Sunday."),),
    (("user", "From now on run every test before each push, this is important."),),
    (("user", "NEVER push to PRODUCTION without asking!!"),),
    (("user", "- always run the linter before a commit\n- never skip the tests"),),
    (("user", "ok"), ("user", "yes"), ("user", "go on"), ("user", LONG_WISH)),
    (("assistant", LONG_ANSWER), ("user", "Always use pnpm here.")),
    (("user", "We decided to use Postgres because it handles JSON well."),),
    (("assistant", "The root cause was that the cache key ignored the locale."), ("user", "Nice.")),
    (("assistant", "It turns out that the mirror only syncs at night, which means that builds fail."), ("user", "I see.")),
    (("assistant", "The API listens on port 8080."), ("user", "No, actually it is 8081.")),
    (("user", "Tests must always run with coverage."),),
)  # fmt: skip


FAINT = {"message_importance_threshold": "0"} | {
    f"weight_{name}": "0.1"
    for name in (
        "emphasis_cue", "bug_fix", "learning", "correction", "decision", "constraint", "preference", "typography",
        "short_reply", "repetition", "elaboration", "enumeration", "near_error",
    )
}  # fmt: skip


def swept(world: World) -> object:
    """What becomes of every clause, and what it weighs."""
    failed = (ToolUse("t", "Bash", NOW, False),)
    found: list[object] = []
    for number, talk in enumerate(TALKS):
        messages = [message(at, *said) for at, said in enumerate(talk)]
        verdicts = sweep(messages, matcher(), world.settings, uses=failed if number == 12 else ())
        found += [
            (v.gate, v.waiting, v.reason, v.candidate.importance, v.candidate.confidence, v.candidate.context) for v in verdicts
        ]
    return found


def kept_at_a_stop(world: World) -> object:
    text = "Never push to main. Always run ruff before committing. I prefer tabs over spaces."
    span = Span("s", "claude-code", (message(1, "user", text),))
    done = extract(world.db(), span, project=None, settings=world.settings, matcher=matcher, now=NOW)
    return len(done.kept)


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


WORDS = "billing shipping pricing search audit export import mail login stock refund report cache queue".split()


def remembered(world: World) -> object:
    db = world.db()
    kept = [
        remember(act(db, text, who=who, settings=world.settings), Entry(text, Kind.DECISION)).memory
        for text, who in (
            ("we ship on Mondays", PERSON),
            ("the proxy caches images", Who(Origin.ASSISTANT, "claude-code", "s")),
        )
    ]
    return [(one.importance, one.confidence) for one in kept]


def refused(world: World) -> object:
    try:
        remember(world.act(), Entry("finish the shop", Kind.OBJECTIVE, metadata={"mood": "good"}))
    except PsychMemError:
        return "refused"
    return "kept"


def imported(world: World) -> object:
    done = world.act()
    line = json.dumps({"text": "the mirror syncs at night", "class": "semantic", "context": "long " * 200})
    imports.take_in(done, [line], project=None, exact=False)
    return done.db.execute("select confidence, length(context) from memory").fetchall()


ROWS: dict[str, Row] = {
    "strict_metadata": Row("yes", refused),
    "message_window_size": Row("1", swept, FAINT),
    "message_importance_threshold": Row("0.95", swept),
    "max_memories_per_stop": Row("1", kept_at_a_stop),
    "confidence_threshold": Row("0.95", swept),
    "signal_threshold": Row("0.82", swept),
    "sentence_base": Row("0.1", swept),
    "primary_step": Row("0.1", swept),
    "primary_cap": Row("0.1", swept),
    "booster_step": Row("0.01", swept),
    "booster_cap": Row("0.01", swept),
    "by_class": Row("yes", heard),
    "heard_half_life_d": Row("5", heard),
    "heard_share": Row("0.9", heard),
    "structural_weight": Row("5", swept),
    "structural_confidence": Row("0.9", imported),
    "tool_confidence": Row("0.3", remembered),
    "explicit_confidence": Row("0.5", remembered),
    "weight_explicit_remember": Row("0.05", remembered),
    **{name: Row("0.2", swept, {**FAINT, name: "0.1"}) for name in FAINT if name.startswith("weight_")},
    "signal_falloff": Row("0.1", swept),
    "repetition_overlap": Row("1", swept),
    "elaboration_ratio": Row("500", swept, FAINT),
    "context_limit_chars": Row("5", swept),
    "min_text_chars": Row("60", swept),
    "max_text_chars": Row("30", swept),
}  # fmt: skip
