"""Whether forgetting and replacing hold: what people do, through the command line, and what is left afterwards.

    python benchmarks/forgetting.py [--show]

Six kinds, each probe in a store of its own: `spelling` (forget --about --purge leaves no byte of other spellings), `half` (one half of
a compound statement changes, the other stays), `opposite` (a second statement that says the opposite ends the first), `weak` (a
search for what is not known says so), `bystander` (what is not meant stays), `again` (what was purged is not learned in other words).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

SPELLINGS = (
    ("Zhang Wei", ("Zhang Wei (张伟) leads the billing team", "Ask 张伟 before a refund", "zhang-wei reviews SQL"), "The billing run is nightly"),
    ("ORD-5678", ("ORD-5678 was refunded in May", "Order 5678 had a broken seal", "order five six seven eight is disputed"), "ORD-5679 was shipped"),
    ("Søren Kjær", ("Søren Kjær owns the parser", "Soren Kjaer is on leave in June"), "The parser is written in Rust"),
    ("Project Bluebird", ("Project Bluebird ships in autumn", "The blue-bird repository is private"), "Redbird is public"),
    ("Muhammad Ali", ("Muhammad Ali (محمد علي) pays by invoice", "محمد علي wants monthly reports"), "Invoices are sent on Mondays"),
    ("Katherine", ("Katherine, also known as Kitty, runs the lab", "Kitty prefers calls"), "The lab opens at nine"),
    ("api_gateway", ("The api_gateway times out after 30 s", "api-gateway logs go to Loki", "The API gateway needs TLS 1.3"), "The mail gateway is separate"),
    ("Юлия", ("Юлия (Yulia) signs the contracts", "Yulia works on Tuesdays"), "Contracts are kept in the vault"),
    ("invoice 2024-117", ("Invoice 2024-117 is unpaid", "invoice 2024/117 went to Globex"), "Invoice 2024-118 is paid"),
)  # fmt: skip
HALVES = (
    ("Alice lives in Berlin and works at Stripe", "Alice works at Adyen now", ("Adyen", "Berlin"), ("Stripe",)),
    ("Bob drives a Volvo and plays the cello", "Bob drives a Tesla now", ("Tesla", "cello"), ("Volvo",)),
    ("The API listens on port 8080 and logs to stdout", "The API listens on port 9090", ("9090", "stdout"), ("8080",)),
    ("Carla lives in Lisbon and teaches at the university", "Carla moved to Porto", ("Porto", "university"), ("Lisbon",)),
    ("Our database is Postgres and our queue is Redis", "Our queue is RabbitMQ now", ("RabbitMQ", "Postgres"), ("Redis",)),
    ("Dan works at Initech and lives in Austin", "Dan no longer works at Initech", ("Austin",), ("works at Initech and",)),
)  # fmt: skip
OPPOSITES = (
    ("I like coffee in the morning", "I don't like coffee in the morning"),
    ("We use npm for the frontend", "We use pnpm for the frontend instead of npm"),
    ("Eve is allergic to peanuts", "Eve is not allergic to peanuts"),
    ("The staging server is in Frankfurt", "The staging server moved to Dublin"),
    ("Always squash before merging", "Never squash before merging"),
    ("Frank works at Hooli", "Frank no longer works at Hooli"),
    ("My favourite editor is Vim", "My favourite editor is Helix"),
    ("The release is on Friday", "The release is on Monday"),
    ("Deploys need two approvals", "Deploys need one approval"),
    ("The default branch is master", "The default branch is now main"),
)  # fmt: skip
WEAK = (
    (("Alice lives in Berlin", "The API listens on port 8080"), "Which car does Bob drive?"),
    (("The user likes green tea", "The user works at Stripe"), "What is the user's shoe size?"),
    (("Deploys run on Fridays", "The tests run on Jenkins"), "Which sauna does the team run to?"),
    (("Carla teaches maths", "Dan plays chess"), "Who holds the key of the vault?"),
    (("We use Postgres", "We use Redis"), "What insurance do we use for lorries?"),
)  # fmt: skip
AGAIN = (
    ("Alice lives in Berlin", "FYI, Alice resides in Berlin now."),
    ("Bob works at Globex", "Note: Bob is employed at Globex."),
    ("Our queue is Redis", "Remember that Redis is our queue."),
)  # fmt: skip


def spelling(run: Run) -> list[str]:
    failed = []
    for subject, mentions, other in SPELLINGS:
        with run.home():
            for text in (*mentions, other):
                run("remember", text)
            run("forget", "--about", subject, "--purge", "--yes")
            left = [row["text"] for row in run("list", "--status", "all")]
            failed += [f"{subject}: left {text!r}" for text in left if text != other][:1]
            run.count("spelling", left == [other])
            run.count("bystander", other in left)
    return failed


def half(run: Run) -> list[str]:
    failed = []
    for known, new, stay, go in HALVES:
        with run.home():
            run("remember", known)
            run("remember", new)
            left = " | ".join(row["text"] for row in run("list"))
            good = all(word in left for word in stay) and not any(word in left for word in go)
            run.count("half", good)
            failed += [] if good else [f"{known} / {new}: {left}"]
    return failed


def opposite(run: Run) -> list[str]:
    failed = []
    for known, new in OPPOSITES:
        with run.home():
            run("remember", known)
            run("remember", new)
            left = [row["text"] for row in run("list")]
            run.count("opposite", left == [new])
            failed += [] if left == [new] else [f"{known} / {new}: {left}"]
    return failed


def weak(run: Run) -> list[str]:
    failed = []
    for facts, question in WEAK:
        with run.home():
            for fact in facts:
                run("remember", fact)
            found = run.text("search", question)
            good = not any(fact in found for fact in facts) or "weak" in found
            run.count("weak", good)
            failed += [] if good else [f"{question}: {found}"]
    return failed


def again(run: Run) -> list[str]:
    failed = []
    for known, later in AGAIN:
        with run.home() as home:
            made = run("remember", known)
            identity = made["id"] if "id" in made else made["memory"]["id"]
            run("forget", identity, "--purge", "--yes")
            said = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"role": "user", "content": later}}
            file = Path(home) / "t.jsonl"
            file.write_text(json.dumps(said) + "\n")
            run.text("extract", "--transcript", str(file))
            left = [row["text"] for row in run("list", "--status", "all")]
            run.count("again", not left)
            failed += [f"{known} / {later}: {left}"] if left else []
    return failed


class Commands:
    """Commands run in this process, in a fresh home each; counts what held."""

    def __init__(self) -> None:
        from typer.testing import CliRunner  # noqa: PLC0415

        from psychmem_py.cli.tree import app  # noqa: PLC0415

        self.runner, self.app = CliRunner(), app
        self.held: Counter[str] = Counter()
        self.tried: Counter[str] = Counter()

    def home(self) -> tempfile.TemporaryDirectory[str]:
        made = tempfile.TemporaryDirectory(prefix="psychmem-forgetting-")
        os.environ.update(PSYCHMEM_HOME=f"{made.name}/psychmem", HOME=f"{made.name}/home")
        (Path(made.name) / "work").mkdir()
        os.chdir(Path(made.name) / "work")
        return made

    def text(self, *words: str) -> str:
        done = self.runner.invoke(self.app, list(words))
        return str(done.output)

    def __call__(self, *words: str) -> Any:
        raw = self.runner.invoke(self.app, [*words, "--json"]).stdout
        return json.loads(raw)

    def count(self, kind: str, held: bool) -> None:
        self.tried[kind] += 1
        self.held[kind] += held


def main(words: list[str]) -> None:
    for name in ("CLAUDECODE", "OPENCODE"):
        os.environ.pop(name, None)
    run = Commands()
    failed = {probe.__name__: probe(run) for probe in (spelling, half, opposite, weak, again)}
    os.chdir("/")
    for kind, number in run.tried.items():
        print(f"{kind:10}{run.held[kind]:3} of {number}")
    print(f"all       {run.held.total():3} of {run.tried.total()}")
    for kind, found in failed.items() if "--show" in words else ():
        for one in found:
            print(f"  {kind}: {one}")


if __name__ == "__main__":
    main(sys.argv[1:])
