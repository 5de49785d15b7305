"""Every documented setting changes something that can be seen: one row each, a value other than the default and where to look."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from psychmem_py.agents.event import Request
from psychmem_py.briefing import fill_rule_index, next_start, prompt
from psychmem_py.briefing.at_call import said
from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.cli.tree import app
from psychmem_py.curation import imports, upkeep
from psychmem_py.curation.act import PERSON, Act, Who
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import JudgeError, PsychMemError
from psychmem_py.extraction.sweep import sweep
from psychmem_py.home import config, surroundings
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.spans import Span
from psychmem_py.judging import clients, protocol, runner, sorting, sweeping
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory import forgetting
from psychmem_py.memory import strength as score
from psychmem_py.memory.compare import compared
from psychmem_py.memory.reconcile import plan
from psychmem_py.model.classes import Policy
from psychmem_py.model.records import Candidate, Memory, Message, ToolUse, Verdict
from psychmem_py.model.settings import Settings, keys
from psychmem_py.model.terms import Gate, Kind, Origin, Role, Scope, Standing, Status, Store, Tier
from psychmem_py.recall import selection
from psychmem_py.store import candidates, ledger, rows, search, sessions
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.matches import Question
from psychmem_py.store.read_only import reading
from tests.hooks import Conversation, run, settle
from tests.memories_made import DAY_S, NOW, act, made, store


@dataclass
class World:
    """A fresh place with the setting in force."""

    root: Path
    env: dict[str, str]
    patch: pytest.MonkeyPatch
    stack: ExitStack
    settings: Settings = field(init=False)

    def __post_init__(self) -> None:
        self.root.mkdir()
        self.env["PSYCHMEM_HOME"] = str(self.root)
        self.settings = config.load(self.env)

    def db(self, memories: Iterable[Memory] = ()) -> Any:
        db = self.stack.enter_context(open_store(self.root / "memory.db", now=NOW))
        store(db, memories)
        return db

    def act(self) -> Act:
        return act(self.db(), settings=self.settings)


class Row(NamedTuple):
    value: str
    look: Callable[[World], object]
    besides: Mapping[str, str] = {}  # settings that must be so for this one to act


# Talking: one conversation for each thing the sweep looks at.

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


@cache
def matcher() -> Matcher:
    return files.matcher()


def message(number: int, role: str, text: str) -> Message:
    origin = Origin.USER_PROMPT if role == "user" else Origin.ASSISTANT
    return Message(f"m{number}", Role(role), origin, text)


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


# Hooks.

EVENTS = {
    "stop": "Stop",
    "pre-compact": "PreCompact",
    "session-end": "SessionEnd",
    "inject": "SessionStart",
    "tool-after": "PostToolUse",
}


def served(event: str, **more: str) -> Callable[[World], object]:
    """Whether an event is answered, and what is served then, in the hook and behind it."""

    def look(world: World) -> object:
        with open_store(world.root / "memory.db", now=NOW) as db:
            store(db, [made("We deploy with the blue pipeline", Kind.DECISION)])
        for name, value in world.env.items():
            world.patch.setenv(name, value)
        payload = {"session_id": "s", "cwd": str(world.root), "hook_event_name": EVENTS[event], "tool_name": "Bash", **more}
        reply = run(event, payload)
        settle()
        return bool(reply), sorted(path.name for path in world.root.glob("health/*"))

    return look


def database(world: World) -> object:
    world.patch.chdir(world.root)
    return Path(surroundings.database(world.env, "claude-code")).name


def commands_database(world: World) -> object:
    world.patch.setattr("os.environ", {**world.env, "HOME": str(world.root)})
    CliRunner().invoke(app, ["remember", "we deploy with the blue pipeline"], env=world.env)
    return sorted(path.name for path in world.root.glob("*.db"))


# The model of memory.


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


# Storing by a command and by import.


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


# Asking.


def found(world: World) -> object:
    """Order and scores of a search in which every column and prior plays a part."""
    day = time.strftime("%Y-%m-%d", time.gmtime(NOW))
    db = world.db(
        [
            made("pipeline deploys the shop", strength=0.9),
            made("the shop is deployed by hand", names=("pipeline",), strength=0.1),
            made("something was deployed", context="the pipeline of the shop", created_at=NOW - 400 * DAY_S, updated_at=NOW - 400 * DAY_S),
            made(f"a note of {day}", updated_at=NOW, created_at=NOW),
        ]
    )  # fmt: skip
    asked = ("pipeline shop deploy", day, time.strftime("%B %Y", time.gmtime(NOW)))
    return [
        (hit.memory.text, hit.score)
        for query in asked
        for hit in search.hits(db, Question(query, None, NOW, retrieval=world.settings.retrieval))
    ]


def pruned(world: World) -> object:
    db = world.db(made(f"the shop note {n}" + (" about zebra" if n == 7 else "")) for n in range(60))
    return len(search.hits(db, Question("shop zebra", None, NOW, limit=100, retrieval=world.settings.retrieval)))


def listed(world: World) -> object:
    with open_store(world.root / "memory.db", now=NOW) as db:
        store(db, [made(f"the pipeline has step {number}") for number in range(15)])
    world.patch.setattr("os.environ", {**world.env, "HOME": str(world.root)})
    told = CliRunner().invoke(app, ["search", "pipeline step", "--all-projects", "--json"], env=world.env)
    assert told.exit_code == 0, told.output
    return len(json.loads(told.stdout))


SUBJECTS = (
    "pipeline docker kafka redis nginx python webpack billing invoices search login checkout emails images fonts colours menus"
    " vouchers taxes shipping returns stock prices coupons reviews ratings wishlists carts orders refunds banners sliders themes"
    " locales currencies webhooks queues workers cron backups restores mirrors proxies tokens cookies sessions caches headers"
).split()


def brief(source: str = "startup", days: float = 0.0) -> Callable[[World], object]:
    def look(world: World) -> object:
        known = [
            made(f"{word} belongs to team {number} of the {word} department", Kind.SEMANTIC, anchor_at=NOW - days * DAY_S)
            for number, word in enumerate(SUBJECTS)
        ]
        return compose(world.db(known), Occasion(None, NOW, world.settings, source)).text.split("\n")[1:-1]

    return look


def next_brief(world: World) -> object:
    """The brief after a session that changed a file."""
    here = Project("id:shop", "shop", str(world.root))
    db = world.db([made("we use Redis", project=here.id)])
    with transaction(db):
        sessions.begin(db, "s", agent="claude-code", project=here.id, now=NOW)
        sessions.add_events(db, "s", [ToolUse(id="1", tool="Edit", at=NOW, ok=True, paths=(f"{world.root}/cart.py",))])
    return compose(
        db, next_start.occasion(db, here, str(world.root), settings=world.settings, env=world.env, now=NOW)
    ).text.split("\n")[1:-1]


def at_call(world: World) -> object:
    """What is said beside a tool call that breaks a rule."""
    db = world.db([made("Never push to main", Kind.CONSTRAINT)])
    request = Request(
        "before",
        "claude-code",
        "s",
        str(world.root),
        use={"id": "t", "tool": "Bash", "input": {"command": "git push origin main"}},
    )
    around = surroundings.Surroundings(world.env, NOW)
    fill_rule_index.fill(db, request, None, around)
    return said(request, around) is not None


def aside(event: str) -> Callable[[World], object]:
    """What is said with a prompt, to a sub-agent, or before an edit."""

    def look(world: World) -> object:
        world.db(
            [
                *(made(f"the {word} deploy pipeline of shop.py is slow", names=("shop.py",)) for word in SUBJECTS[:6]),
                made("the pipeline needs docker to deploy"),
            ]
        )
        known = reading(str(world.root / "memory.db"))
        assert known is not None
        situation = prompt.Situation(None, prompt.Ledger("s", ()), NOW, world.settings.retrieval)
        text = "why is the docker deploy pipeline of redis and kafka slow"
        if event == "edit":
            return prompt.for_edit(known, "/w/shop.py", situation).shown
        return len({"prompt": prompt.for_prompt, "subagent": prompt.for_subagent}[event](known, text, situation).shown)

    return look


# Judging.


def requests(world: World) -> object:
    """How many requests twenty long messages take."""
    asked: list[str] = []
    judge = sweeping.in_batches(lambda request: asked.append(request) or "", world.settings.judge.chars_per_call)
    judge([protocol.Proposal("user", "", f"{n} {LONG_ANSWER}", LONG_WISH, Kind.DECISION) for n in range(20)])
    return len(asked)


def answered(world: World) -> object:
    slow = runner.Program(("/bin/sh", "-c", "sleep 0.5; echo late"), name="slow")
    try:
        return runner.answer(slow, "", env={}, folder=str(world.root), timeout_s=world.settings.judge.call_timeout_s)
    except JudgeError:
        return "stopped"


def client(world: World) -> object:
    (world.root / "claude").write_text("#!/bin/sh\n")
    (world.root / "claude").chmod(0o755)
    return clients.program("claude", world.settings.judge.small_model, {"PATH": str(world.root)}, str(world.root)).argv[1:]


def judging(world: World) -> object:
    """What an end of a session leaves, where a judge drops all."""
    script = world.root / "small-judge"
    script.write_text('#!/bin/sh\necho \'{"verdicts": [{"n": 0, "verdict": "drop"}]}\'\n')
    script.chmod(0o755)
    db = world.db()
    said = message(0, "user", "Never commit directly to the main branch.")
    extract(
        db,
        Span("s", "claude-code", (said,)),
        project=Project("p", "p", str(world.root)),
        settings=world.settings,
        matcher=matcher,
        now=NOW,
    )
    desk = sorting.SortingDesk(world.root / "memory.db", world.root, {"PATH": f"{world.root}:/bin:/usr/bin"}, world.settings)
    if world.settings.judge.by:
        sorting.sort(desk, lambda: NOW)
    return [memory.status for memory in rows.listed(db, all_projects=True, statuses=tuple(Status))]


# Keeping house.


def expired(world: World) -> object:
    db = world.db()
    sessions.begin(db, "s", agent="", project=None, now=NOW)
    sessions.add_events(db, "s", [ToolUse("t1", "Bash", NOW, True)])
    ledger.mark_shown(db, "s", ["m"], "brief", NOW)
    sessions.see_messages(db, ["k"], "s", NOW)
    candidate = Candidate("a", "a", Kind.DECISION, Scope.USER, 0.5, 0.5, (), Role.USER, Origin.USER_PROMPT, "m", 0, 1)
    verdicts = [Verdict(candidate, Gate.EVIDENCE, "weak"), Verdict(candidate._replace(text="b"), waiting=True, reason="unsure")]
    candidates.keep_verdicts(db, verdicts, session="s", project=None, batch="b", now=NOW)
    return [upkeep.expire(db, world.settings, now=NOW + days * DAY_S) for days in (3, 20, 45, 200, 500)]


def stale_notes(world: World) -> Any:
    return world.db(
        made(f"old note {n}", Kind.EPISODIC, project="p", store=Store.STM, anchor_at=NOW - 30 * DAY_S) for n in range(5)
    )


def sliced(world: World) -> object:
    return upkeep.small_slice(stale_notes(world), world.settings, now=NOW)


def batches(world: World) -> object:
    statements: list[str] = []
    db = stale_notes(world)
    db.set_trace_callback(statements.append)
    upkeep.decay(db, world.settings, now=NOW)
    return sum(statement.startswith("begin") for statement in statements)


USAGE = {"model": "usage"}
# So light that no sum of importance reaches 1, where a change would not be seen.
FAINT = {"message_importance_threshold": "0"} | {
    f"weight_{name}": "0.1"
    for name in (
        "emphasis_cue", "bug_fix", "learning", "correction", "decision", "constraint", "preference", "typography",
        "short_reply", "repetition", "elaboration", "enumeration", "near_error",
    )
}  # fmt: skip
MATTERS: dict[str, Row] = {
    "agent_type": Row("opencode", commands_database, {"db_path": "{agentType}.db"}),
    "db_path": Row("elsewhere.db", database),
    "strict_metadata": Row("yes", refused),
    "ignore": Row("*", served("tool-after")),
    "extract_on_message": Row("no", served("stop")),
    "extract_on_compaction": Row("no", served("pre-compact", trigger="auto")),
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
    "inject_on_compaction": Row("no", served("inject", source="compact")),
    "max_session_memories": Row("3", brief()),
    "max_compaction_memories": Row("3", brief("compact")),
    "max_prompt_memories": Row("1", aside("prompt")),
    "max_context_tokens": Row("60", brief()),
    "brief_limit_chars": Row("900", brief()),
    "retrieval_limit": Row("3", listed),
    "weight_text": Row("9", found),
    "weight_names": Row("9", found),
    "weight_dates": Row("9", found),
    "weight_context": Row("9", found),
    "strength_share": Row("0.9", found),
    "recency_floor": Row("0.1", found),
    "recency_half_d": Row("1", found),
    "pruned_rows": Row("5", pruned),
    "prompt_floor": Row("900", aside("prompt")),
    "max_subagent_memories": Row("1", aside("subagent")),
    "act_reminders": Row("no", at_call),
    "edit_notes": Row("yes", aside("edit")),
    "guidance": Row("no", brief()),
    "last_session": Row("no", next_brief),
    "max_hot_memories": Row("2", brief()),
    "max_warm_memories": Row("2", brief(days=40), {"model": "fsrs"}),
    "keep_rejected_d": Row("1", expired),
    "keep_waiting_d": Row("1", expired),
    "keep_events_d": Row("1", expired),
    "keep_shown_d": Row("1", expired),
    "keep_seen_d": Row("1", expired),
    "slice_rows": Row("2", sliced),
    "batch_rows": Row("2", batches),
    "gc_after_d": Row("10", collected),
    "by": Row("command", judging, {"command": "small-judge"}),
    "command": Row("small-judge", judging, {"by": "command"}),
    "calls_per_day": Row("0", judging, {"by": "command", "command": "small-judge"}),
    "small_model": Row("sonnet", client),
    "chars_per_call": Row("10000", requests),
    "call_timeout_s": Row("0.05", answered),
}  # fmt: skip


def seen(row: Row, root: Path, settings: Mapping[str, str]) -> object:
    """What is seen with these settings in the environment."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        env = {f"PSYCHMEM_{key.upper()}": value for key, value in settings.items()}
        return row.look(World(root, {"HOME": str(root.parent)} | env, patch, stack))


def test_every_setting_has_its_row() -> None:
    assert set(MATTERS) == set(keys())


@pytest.mark.parametrize("name", keys())
def test_it_changes_what_is_seen(name: str, tmp_path: Path) -> None:
    row = MATTERS[name]
    usual = seen(row, tmp_path / "usual", row.besides)
    assert usual == seen(row, tmp_path / "again", row.besides), "what is seen must depend on the settings alone"
    assert usual != seen(row, tmp_path / "other", {**row.besides, name: row.value})


RIGHTS = {
    "scope": "project", "store": "ltm", "half_life_d": "2", "ttl_d": "3", "fades": "yes", "auto_promote": "yes", "utility": "0.1",
    "search_weight": "3",
}  # fmt: skip


def rights(world: World) -> tuple[object, float, list[Scope], float]:
    """What a new memory of the class gets, what is left of it later, and how well a search finds it."""
    act = world.act()
    one = remember(act, Entry("we like short names", Kind.PREFERENCE, project="dir:/w")).memory
    question = Question("short names", "dir:/w", NOW, class_weights=world.settings.search_weights)
    found = search.hits(act.db, question)[0].score
    later = NOW + 30 * DAY_S
    heard = sweep([message(0, "user", "I prefer short variable names.")], matcher(), world.settings)
    assert [verdict.candidate.kind for verdict in heard] == [Kind.PREFERENCE]
    return one._replace(id=""), forgetting.retrievability(one, later, world.settings), [v.candidate.scope for v in heard], found


def test_the_scope_of_a_class_counts_for_what_is_said_as_for_what_is_entered(tmp_path: Path) -> None:
    row = Row("project", lambda world: rights(world)[2])
    assert seen(row, tmp_path / "usual", {}) == [Scope.USER]
    assert seen(row, tmp_path / "other", {"class_preference_scope": "project"}) == [Scope.PROJECT]


@pytest.mark.parametrize("right", Policy._fields)
def test_a_class_s_right_changes_what_is_seen(right: str, tmp_path: Path) -> None:
    row = Row(RIGHTS[right], rights, {"model": "fsrs"} if right == "half_life_d" else {})
    usual = seen(row, tmp_path / "usual", row.besides)
    assert usual != seen(row, tmp_path / "other", {**row.besides, f"class_preference_{right}": row.value})


def test_hooks_and_commands_use_the_database_the_file_names(home: Path) -> None:
    written(home, 'db_path = "moved/{agentType}.db"')
    Conversation(project(home), "s").says("Never commit directly to the main branch, always open a pull request.")
    told = CliRunner().invoke(app, ["search", "main branch", "--all-projects", "--json"])
    assert [row["class"] for row in json.loads(told.stdout)] == ["constraint"]
    assert [path.relative_to(home).as_posix() for path in home.rglob("*.db")] == ["psychmem/moved/claude-code.db"]


def test_what_a_stop_leaves_is_taken_up_at_the_end(home: Path) -> None:
    written(home, "[extraction]\nextract_on_message = false")
    talk = Conversation(project(home), "s")
    talk.says("Never commit directly to the main branch, always open a pull request.")
    assert not list(home.rglob("memory.db"))
    run("session-end", talk.payload("SessionEnd", reason="exit"))
    settle()
    told = CliRunner().invoke(app, ["search", "main branch", "--all-projects", "--json"])
    assert len(json.loads(told.stdout)) == 1


def written(home: Path, text: str) -> None:
    (home / "psychmem" / "config").mkdir(parents=True)
    (home / "psychmem" / "config" / "config.toml").write_text(text, "utf-8")


def project(home: Path) -> Path:
    (home / "shop").mkdir()
    return home / "shop"
