"""Every documented setting changes something visible: a row each, with a value other than the default and where to look."""

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

from psychmem_py.agents.event import Request
from psychmem_py.briefing import at_prompt, ready_files
from psychmem_py.briefing.at_call import reminder_before
from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.cli.app import whole
from psychmem_py.curation.act import Act, Workplace
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.errors import JudgeError, PsychMemError
from psychmem_py.extraction.sweep import sweep
from psychmem_py.home import config, surroundings
from psychmem_py.home.project import Project
from psychmem_py.ingestion.extract import extract
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.ingestion.spans import Span, Transcript, spans_of
from psychmem_py.judging import clients, understood
from psychmem_py.judging.reading import read_all
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.memory import forgetting
from psychmem_py.memory.compare import compared
from psychmem_py.model.records import Kind, Memory, Message, Origin, Role, Status, Store
from psychmem_py.model.settings import SETTABLE, keys
from psychmem_py.recall import selection
from psychmem_py.store import episodes, rows
from psychmem_py.store.connection import open_store
from psychmem_py.store.read_only import reading
from tests.data import cases
from tests.hooks import Conversation, run, settle
from tests.memories_made import DAY_S, NOW, act, made, store
from tests.shipped_languages import MATCHER

SUBJECTS = "pipeline docker kafka redis nginx python webpack billing invoices search login checkout emails images fonts".split()
LONG = "Never commit generated files to the repository, because the diffs cannot be read and the merges take hours. " * 11
RULE = "Never commit directly to the main branch."


class World:
    """A fresh place with settings in force."""

    def __init__(self, root: Path, settings: Mapping[str, str], patch: pytest.MonkeyPatch, stack: ExitStack) -> None:
        root.mkdir()
        self.root, self.patch, self.stack = root, patch, stack
        given = {f"PSYCHMEM_{key.upper()}": value for key, value in settings.items()}
        self.env = {"HOME": str(root.parent), "PSYCHMEM_HOME": str(root), **given}
        self.settings = config.load(self.env)

    def db(self, memories: Iterable[Memory] = ()) -> Any:
        db = self.stack.enter_context(open_store(self.root / "memory.db", now=NOW))
        store(db, memories)
        return db

    def act(self) -> Act:
        return act(self.db(), settings=self.settings)


class Row(NamedTuple):
    """What shows that a setting matters."""

    value: str
    look: Callable[[World], object]
    besides: Mapping[str, str] = {}  # settings that must be so for this one to act


def seen(row: Row, root: Path, settings: Mapping[str, str]) -> object:
    """What is seen with these settings in the environment."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        return row.look(World(root, settings, patch, stack))


_USUAL: dict[tuple[Callable[[World], object], frozenset[tuple[str, str]]], object] = {}


def usual(row: Row, folder: Path) -> object:
    """What is seen without the row's own value; looked at twice, and once for all rows that look so at the same settings."""
    same = row.look, frozenset(row.besides.items())
    if same not in _USUAL:
        _USUAL[same] = seen(row, folder / "usual", row.besides)
        assert _USUAL[same] == seen(row, folder / "again", row.besides), "what is seen must depend on the settings alone"
    return _USUAL[same]


def typed(number: int, text: str) -> Message:
    return Message(f"m{number}", Role.USER, Origin.USER_PROMPT, text)


def brief(source: str = "startup") -> Callable[[World], object]:
    def look(world: World) -> object:
        texts = [f"{word} belongs to team {number} of the {word} department" for number, word in enumerate(SUBJECTS * 2)]
        known = [made(text, Kind.SEMANTIC) for text in texts]
        return compose(world.db(known), Occasion(None, NOW, world.settings, source)).text.split("\n")[1:-1]

    return look


def at_call(world: World) -> object:
    """What is said beside a tool call that breaks a rule."""
    db = world.db([made("Never push to main", Kind.CONSTRAINT)])
    use = {"id": "t", "tool": "Bash", "input": {"command": "git push origin main"}}
    request = Request("before", "claude-code", "s", str(world.root), use=use)
    around = surroundings.Surroundings(world.env, NOW)
    ready_files.fill_rules(db, request, None, around)
    return reminder_before(request, around) is not None


def aside(world: World) -> object:
    """What is said with a prompt."""
    world.db(made(f"the {word} deploy pipeline of shop.py is slow", names=("shop.py",)) for word in SUBJECTS[:6])
    known = reading(str(world.root / "memory.db"))
    assert known is not None
    prompt, retrieval = "why is the docker deploy pipeline of redis and kafka slow", world.settings.retrieval
    return len(at_prompt.for_prompt(known, prompt, project=None, session="s", now=NOW, retrieval=retrieval).shown)


def listed(world: World) -> object:
    world.db(made(f"the pipeline has step {number}") for number in range(15))
    return len(json.loads(command(world, "list", "pipeline step", "--all-projects", "--json")))


def command(world: World, *words: str) -> str:
    world.patch.setattr("os.environ", {**world.env, "HOME": str(world.root)})
    return CliRunner().invoke(whole(), list(words), env=world.env).stdout


EVENTS = {"stop": "Stop", "pre-compact": "PreCompact", "inject": "SessionStart", "tool-after": "PostToolUse"}


def served(event: str, **more: str) -> Callable[[World], object]:
    """Whether an event is answered, and what is served then, in the hook and behind it."""

    def look(world: World) -> object:
        world.db([made("We deploy with the blue pipeline", Kind.DECISION)])
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
    command(world, "remember", "we deploy with the blue pipeline")
    return sorted(path.name for path in world.root.glob("*.db"))


TALKS: tuple[tuple[str, ...], ...] = (
    (RULE,),
    ("I like tabs more than spaces in here.", "Thanks.", "Fine.", "I like tabs more than spaces in here."),
)  # fmt: skip


def swept(world: World) -> object:
    """What becomes of every clause, and what it weighs."""
    return [
        (v.gate, v.waiting, v.reason, v.candidate.importance, v.candidate.confidence)
        for talk in TALKS
        for v in sweep([typed(at, text) for at, text in enumerate(talk)], MATCHER, world.settings)
    ]


def taken_up(world: World, text: str, read: Matcher = MATCHER) -> tuple[Any, SpanResult]:
    """The store after a stop, and what became of what was typed before it."""
    db, span = world.db(), Span("s", "claude-code", (typed(1, text),))
    return db, extract(db, span, project=None, settings=world.settings, matcher=lambda: read, now=NOW)


def kept_at_a_stop(world: World) -> object:
    return len(taken_up(world, "Never push to main. Always run ruff before committing. I prefer tabs over spaces.")[1].kept)


def kept_in_its_language(world: World) -> object:
    read = files.matcher(only=world.settings.extraction.languages)
    return len(taken_up(world, "From now on never push to main.", read)[1].kept)


def found_again(world: World) -> object:
    db, _ = taken_up(world, "Why does the invoice exporter skip rows without a currency?")
    return len(episodes.search(db, "exporter rows", None))


def refused(world: World) -> object:
    try:
        remember(world.act(), Entry("finish the shop", Kind.OBJECTIVE, metadata={"mood": "good"}))
    except PsychMemError:
        return "refused"
    return "kept"


def requests(world: World) -> object:
    """How many requests twenty long messages take."""
    asked: list[str] = []
    said = [typed(n, f"{n} {LONG}") for n in range(20)]
    understood.read(said, ["s"] * 20, lambda request: asked.append(request) or "", MATCHER, world.settings)
    return len(asked)


def answered(world: World) -> object:
    slow = clients.Program(("/bin/sh", "-c", "sleep 0.5; echo late"), name="slow")
    try:
        return clients.answer(slow, "", env={}, folder=str(world.root), timeout_s=world.settings.judge.call_timeout_s)
    except JudgeError:
        return "stopped"


def client(world: World) -> object:
    program(world, "claude", "")
    return clients.program("claude", world.settings.judge.small_model, {"PATH": str(world.root)}, str(world.root)).argv[1:]


def judging(world: World) -> object:
    """What an end of a session leaves, where a reader keeps what was typed."""
    keep = json.dumps({"keep": [{"n": 0, "quote": RULE, "text": RULE, "class": "constraint", "scope": "project"}]})
    program(world, "small-judge", f"echo '{keep}'\n")
    db = world.db()
    said = Conversation(world.root, "s", world.root)
    said.types(RULE)
    for span in spans_of(None, Transcript("s", "claude-code", str(said.transcript))):
        extract(db, span, project=Project("p", "p", str(world.root)), settings=world.settings, matcher=lambda: MATCHER, now=NOW)
    env = {"PATH": f"{world.root}:/bin:/usr/bin", "PSYCHMEM_HOME": str(world.root)}
    if world.settings.judge.by:
        read_all(Workplace(str(world.root / "memory.db"), str(world.root), env, world.settings), lambda: NOW)
    return [memory.store for memory in rows.listed(db, all_projects=True, statuses=tuple(Status))]


def program(world: World, name: str, text: str) -> None:
    (world.root / name).write_text(f"#!/bin/sh\n{text}")
    (world.root / name).chmod(0o755)


def class_rights(world: World) -> object:
    """What a new memory of the class gets, and what is left of it later."""
    one = remember(world.act(), Entry("we like short names", Kind.EPISODIC, project="dir:/w")).memory
    return one._replace(id=""), forgetting.retrievability(one, NOW + 30 * DAY_S, world.settings)


def strength(world: World) -> object:
    features = dict.fromkeys("recency frequency importance utility novelty confidence interference".split(), 0.5)
    return forgetting.strength(features, world.settings.scoring)


def faded(world: World) -> object:
    one = [made("x", Kind.EPISODIC, store=Store.STM, anchor_at=NOW - days * DAY_S) for days in range(60)]
    return [forgetting.has_faded(memory, NOW, world.settings) for memory in one]


def related(world: World) -> object:
    """How pairs of statements relate."""
    pairs = [case.values for case in cases("settings", "pairs of statements that stand near a threshold")]
    return [compared(new, known, Kind(kind), world.settings.reconcile).relation for known, new, kind in pairs]


def heard(world: World) -> object:
    """What becomes of a rule said once: its store and scope, what is left after weeks of work, and its share of a brief."""
    said = sweep([typed(0, "Never push to main.")], MATCHER, world.settings)
    kept = [(verdict.candidate.store, verdict.candidate.scope) for verdict in said]
    once = {"kind": Kind.SEMANTIC, "store": Store.STM, "worked_d": 7}
    many = [made(f"{word} is kept by team {number}", **once) for number, word in enumerate(SUBJECTS)]
    shown = selection.select(many, settings=world.settings, now=NOW, budget=1500, most=40).shown
    return kept, forgetting.retrievability(many[0], NOW, world.settings), len(shown)


JUDGE = {"by": "command", "command": "small-judge"}
MATTERS: dict[str, Row] = {
    "agent_type": Row("opencode", commands_database, {"db_path": "{agentType}.db"}),
    "db_path": Row("elsewhere.db", database),
    "ignore": Row("*", served("tool-after")),
    "episodes": Row("no", found_again),
    "strict_metadata": Row("yes", refused),
    "extract_on_message": Row("no", served("stop")),
    "extract_on_compaction": Row("no", served("pre-compact", trigger="auto")),
    "message_window_size": Row("1", swept),
    "message_importance_threshold": Row("0.95", swept),
    "confidence_threshold": Row("0.95", swept),
    "max_memories_per_stop": Row("1", kept_at_a_stop),
    "languages": Row("de, fr", kept_in_its_language),
    "inject_on_compaction": Row("no", served("inject", source="compact")),
    "max_session_memories": Row("3", brief()),
    "max_compaction_memories": Row("3", brief("compact")),
    "max_prompt_memories": Row("1", aside),
    "max_context_tokens": Row("60", brief()),
    "brief_limit_chars": Row("900", brief()),
    "retrieval_limit": Row("3", listed),
    "act_reminders": Row("no", at_call),
    "guidance": Row("no", brief()),
    "by": Row("command", judging, JUDGE | {"by": ""}),
    "command": Row("small-judge", judging, JUDGE | {"command": ""}),
    "calls_per_day": Row("0", judging, JUDGE),
    "small_model": Row("sonnet", client),
    "chars_per_call": Row("10000", requests),
    "call_timeout_s": Row("0.05", answered),
    "long_term_classes": Row("all", heard),
    "stm_half_life_d": Row("5", heard),
    **{f"w_{name}": Row("0.9", strength) for name in ("recency", "frequency", "importance", "utility", "novelty", "confidence")},
    "w_interference": Row("-0.9", strength),
    "decay_threshold": Row("0.4", faded),
    "duplicate_threshold": Row("1", related),
    "deduplication_threshold": Row("0.84", related),
    "related_threshold": Row("0.6", related),
}  # fmt: skip
CLASS_VALUES = {"half_life_d": "2", "ttl_d": "3"}


def test_every_setting_has_its_row_and_there_are_few() -> None:
    assert set(MATTERS) == set(keys())
    assert set(CLASS_VALUES) == set(SETTABLE)
    assert len(keys()) + len(SETTABLE) * len([*Kind]) <= 60


@pytest.mark.parametrize("name", keys())
def test_it_changes_what_is_seen(name: str, tmp_path: Path) -> None:
    row = MATTERS[name]
    assert usual(row, tmp_path) != seen(row, tmp_path / "other", {**row.besides, name: row.value})


@pytest.mark.parametrize("right", SETTABLE)
def test_a_class_s_right_changes_what_is_seen(right: str, tmp_path: Path) -> None:
    row = Row(CLASS_VALUES[right], class_rights)
    other = seen(row, tmp_path / "other", {f"class_episodic_{right}": row.value})
    assert seen(row, tmp_path / "usual", {}) != other
