"""What a search finds, and what is said at starts, prompts, tasks and calls."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from typer.testing import CliRunner

from psychmem_py.agents.event import Request
from psychmem_py.briefing import fill_rule_index, next_start, prompt
from psychmem_py.briefing.at_call import said
from psychmem_py.briefing.brief import Occasion, compose
from psychmem_py.cli.tree import app
from psychmem_py.home import surroundings
from psychmem_py.home.project import Project
from psychmem_py.model.records import ToolUse
from psychmem_py.model.terms import Kind
from psychmem_py.store import search, sessions
from psychmem_py.store.connection import open_store, transaction
from psychmem_py.store.matches import Question
from psychmem_py.store.read_only import reading
from tests.memories_made import DAY_S, NOW, made, store
from tests.settings_matter.world import Row, World


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


ROWS: dict[str, Row] = {
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
}  # fmt: skip
