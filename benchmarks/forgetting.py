"""Whether forgetting and replacing hold: what people do, through the command line, and what is left afterwards.

    python benchmarks/forgetting.py [--show]

Eleven kinds, each probe in a store of its own: `spelling` (forget --about --purge leaves no byte of other spellings), `half` (one half of
a compound statement changes, the other stays), `opposite` (a second statement that says the opposite ends the first), `weak` (a
search for what is not known says so), `fits` (one for what is known does not), `bystander` (what is not meant stays), `again` (what was purged is not learned in other words),
`replaced` and `stays` (replacements.txt: the same thing in other words, and what only sounds like it), `named` and `unnamed` (there too:
what `remember --replaces` names, and what nothing speaks of).
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
    ("Dmitri Volkov", ("Dmitri Volkov (Дмитрий Волков) owns billing", "Ask Волков about refunds", "dmitri.volkov approves pull requests"), "Billing is run weekly"),
    ("TCK-40712", ("TCK-40712 is about a broken login", "ticket 40712 was closed", "Ticket no. 40 712 came back"), "TCK-40713 is open"),
    ("José Muñoz", ("José Muñoz runs the store", "Jose Munoz likes calls", "MUÑOZ, José signs invoices"), "The store opens at nine"),
    ("Project Nightjar", ("Project Nightjar ships in May", "night-jar is a private repo", "NightJar needs a licence"), "Nightingale is public"),
    ("田中太郎", ("田中太郎 (Taro Tanaka) leads QA", "Taro Tanaka prefers email", "Tanaka reviews the tests"), "QA meets on Mondays"),
    ("Elizabeth", ("Elizabeth goes by Liz and handles payroll", "Liz is on leave"), "Payroll runs on the 25th"),
    ("payment_service", ("payment_service owns the ledger", "The payment-service needs Java 21", "PaymentService logs to Loki"), "The mail service is small"),
    ("+49 170 1234567", ("Call +49 170 1234567 in emergencies", "His number is 0049 170 1234567", "(+49) 170-123-4567 is the pager"), "Call +49 170 1234568 for sales"),
    ("Anastasia Petrova", ("Anastasia Petrova (Анастасия Петрова) tests releases", "Петрова is away in May", "anastasia_petrova owns the CI"), "The CI runs nightly"),
    ("INV-90233", ("INV-90233 is overdue", "invoice 90233 went to Globex", "Invoice #90-233 was paid twice"), "INV-90234 is paid"),
    ("François Lefèvre", ("François Lefèvre maps the network", "Francois Lefevre likes maps", "LEFÈVRE signs off"), "The network is flat"),
    ("blue_harvest", ("blue_harvest is a batch job", "BlueHarvest failed twice", "the blue-harvest logs are in Loki"), "red_harvest is a web job"),
    ("佐藤花子", ("佐藤花子 (Hanako Sato) leads design", "Hanako Sato prefers Figma"), "Design meets on Fridays"),
    ("Robert", ("Robert, nicknamed Bobby, runs ops", "Bobby hates pagers"), "Ops meets daily"),
    ("alice@acme.io", ("alice@acme.io is the billing contact", "Write to ALICE@ACME.IO about refunds", "mailto:alice@acme.io for invoices"), "alice.smith@acme.io is in sales"),
    ("192.168.10.5", ("192.168.10.5 is the printer", "The host 192-168-10-5 was renamed"), "192.168.10.55 is the NAS"),
)  # fmt: skip
HALVES = (
    ("Alice lives in Berlin and works at Stripe", "Alice works at Adyen now", ("Adyen", "Berlin"), ("Stripe",)),
    ("Bob drives a Volvo and plays the cello", "Bob drives a Tesla now", ("Tesla", "cello"), ("Volvo",)),
    ("The API listens on port 8080 and logs to stdout", "The API listens on port 9090", ("9090", "stdout"), ("8080",)),
    ("Carla lives in Lisbon and teaches at the university", "Carla moved to Porto", ("Porto", "university"), ("Lisbon",)),
    ("Our database is Postgres and our queue is Redis", "Our queue is RabbitMQ now", ("RabbitMQ", "Postgres"), ("Redis",)),
    ("Dan works at Initech and lives in Austin", "Dan no longer works at Initech", ("Austin",), ("works at Initech and",)),
    ("Nora lives in Oslo and works at Equinor", "Nora lives in Bergen now", ("Bergen", "Equinor"), ("Oslo",)),
    ("The worker runs on Python 3.11 and writes to S3", "The worker writes to GCS now", ("GCS", "3.11"), ("S3",)),
    ("Our CI is Jenkins and our registry is Harbor", "Our CI is GitHub Actions now", ("GitHub Actions", "Harbor"), ("Jenkins",)),
    ("The gateway listens on port 7000 and retries three times", "The gateway retries five times", ("7000", "five"), ("three",)),
    ("Tom speaks French and lives in Lyon", "Tom moved to Nice", ("French", "Nice"), ("Lyon",)),
    ("Ivy manages the data team and reports to Sam", "Ivy reports to Lena now", ("Lena", "data team"), ("Sam",)),
    ("Max arbeitet bei Bosch und wohnt in Ulm", "Max wohnt jetzt in Bonn", ("Bonn", "Bosch"), ("Ulm",)),
    ("Paul works at Initech and plays chess", "Paul no longer works at Initech", ("chess",), ("works at Initech and",)),
    ("The cache is Redis and the broker is Kafka", "The broker is NATS now", ("Redis", "NATS"), ("Kafka",)),
    ("Builds take ten minutes and run on Ubuntu", "Builds run on Debian now", ("Debian", "ten"), ("Ubuntu",)),
    ("Lea wohnt in Kiel und arbeitet bei Otto", "Lea arbeitet jetzt bei Zalando", ("Kiel", "Zalando"), ("Otto",)),
    ("The scheduler uses Celery and stores results in Mongo", "The scheduler stores results in Postgres now", ("Celery", "Postgres"), ("Mongo",)),
    ("Our wiki is Confluence and our tracker is Jira", "Our tracker is Linear now", ("Confluence", "Linear"), ("Jira",)),
    ("The parser supports YAML and rejects tabs", "The parser no longer rejects tabs", ("YAML",), ("rejects tabs and",)),
    ("Quinn drives a Mazda and lives in Turin", "Quinn moved to Milan", ("Mazda", "Milan"), ("Turin",)),
    ("Uploads are limited to 5 MB and expire after a day", "Uploads are limited to 20 MB", ("20 MB", "day"), ("5 MB",)),
    ("The mobile app is written in Kotlin and talks to GraphQL", "The mobile app is written in Swift now", ("Swift", "GraphQL"), ("Kotlin",)),
    ("Rita studies at MIT and plays the violin", "Rita studies at Yale now", ("Yale", "violin"), ("MIT",)),
    ("Vivo en Cádiz y trabajo en Indra", "Ahora trabajo en Telefónica", ("Cádiz", "Telefónica"), ("Indra",)),
    ("The job runs at midnight and sends a report to Slack", "The job sends a report to Teams now", ("midnight", "Teams"), ("Slack",)),
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
    ("I drink tea at work", "I don't drink tea at work"),
    ("We deploy on Heroku", "We deploy on Fly.io instead of Heroku"),
    ("Grace is vegetarian", "Grace is not vegetarian"),
    ("The office is in Leeds", "The office moved to York"),
    ("Always rebase before pushing", "Never rebase before pushing"),
    ("Hugo works at Siemens", "Hugo left Siemens"),
    ("My favourite colour is green", "My favourite colour is blue"),
    ("The standup is at 9:30", "The standup is at 10:00"),
    ("Releases need a changelog entry", "Releases no longer need a changelog entry"),
    ("The primary region is eu-west-1", "The primary region is now eu-central-1"),
    ("Ich trinke gern Kaffee", "Ich trinke keinen Kaffee mehr"),
    ("The build requires Java 17", "The build does not require Java 17"),
    ("Use double quotes in Python", "Use single quotes in Python"),
    ("I take sugar in my coffee", "I no longer take sugar in my coffee"),
    ("I enjoy pair programming", "I don't enjoy pair programming"),
    ("We host on AWS", "We no longer host on AWS"),
    ("Karl is left-handed", "Karl is not left-handed"),
    ("The warehouse is in Genoa", "The warehouse moved to Trieste"),
    ("Always pin dependencies", "Never pin dependencies"),
    ("Olga works at Nokia", "Olga joined Ericsson"),
    ("My favourite framework is Vue", "My favourite framework is Svelte"),
    ("The demo is on Tuesday", "The demo is on Thursday"),
    ("Pull requests require two reviews", "Pull requests require one review"),
    ("The timeout is 30 seconds", "The timeout is now 45 seconds"),
    ("Yo bebo café", "Ya no bebo café"),
    ("The API allows anonymous access", "The API does not allow anonymous access"),
    ("Use spaces for indentation", "Use tabs for indentation"),
    ("The budget is 4000 euros", "The budget was raised to 6000 euros"),
)  # fmt: skip
WEAK = (
    (("Alice lives in Berlin", "The API listens on port 8080"), "Which car does Bob drive?"),
    (("The user likes green tea", "The user works at Stripe"), "What is the user's shoe size?"),
    (("Deploys run on Fridays", "The tests run on Jenkins"), "Which sauna does the team run to?"),
    (("Carla teaches maths", "Dan plays chess"), "Who holds the key of the vault?"),
    (("We use Postgres", "We use Redis"), "What insurance do we use for lorries?"),
    (("Nora lives in Oslo", "The gateway listens on port 7000"), "What breed is Nora's dog?"),
    (("The user prefers dark mode", "The user works at Bosch"), "What is the user's blood type?"),
    (("Builds run on Ubuntu", "The cron runs at night"), "Which marathon does the team run in?"),
    (("We use Kafka", "We use Terraform"), "Which airline do we use for travel?"),
    (("Ivy manages the data team", "Tom speaks French"), "Who feeds the office cat?"),
    (("The staging password is rotated monthly", "The staging server is in Leeds"), "Who painted the staging area mural?"),
    (("Lea lives in Kiel", "Uploads are limited to 5 MB"), "What instrument does Lea's brother play?"),
    (("The user prefers tea", "The user lives in Turin"), "What is the user's passport number?"),
    (("The job runs at midnight", "The app is written in Kotlin"), "Who runs the cafeteria job board?"),
    (("We use Celery", "We use Jira"), "Which florist do we use for weddings?"),
    (("Karl is left-handed", "Rita studies at MIT"), "How tall is Karl's sister?"),
    (("The demo is on Tuesday", "The warehouse is in Genoa"), "What colour is the warehouse roof?"),
)  # fmt: skip
AGAIN = (
    ("Alice lives in Berlin", "FYI, Alice resides in Berlin now."),
    ("Bob works at Globex", "Note: Bob is employed at Globex."),
    ("Our queue is Redis", "Remember that Redis is our queue."),
    ("Nora lives in Oslo", "FYI, Nora resides in Oslo."),
    ("Tom works at Bosch", "Note: Tom is employed by Bosch."),
    ("Our broker is Kafka", "Remember that we use Kafka as our broker."),
    ("The gateway listens on port 7000", "Remember: the gateway is listening on port 7000."),
    ("Lea lives in Kiel", "FYI, Lea is based in Kiel."),
    ("Olga works at Nokia", "Note: Olga is employed at Nokia."),
    ("Our tracker is Jira", "Remember that Jira is our tracker."),
    ("The app is written in Kotlin", "Remember that the app is built in Kotlin."),
)  # fmt: skip

FITS = (
    (("Nora lives in Oslo", "The gateway listens on port 7000"), "Where does Nora live?", "Nora lives in Oslo"),
    (("The user prefers dark mode", "The user works at Bosch"), "Which company does the user work for?", "The user works at Bosch"),
    (("We use Kafka for events", "We use Terraform for infrastructure"), "What do we use for events?", "We use Kafka for events"),
    (("Builds run on Ubuntu", "The cron runs at night"), "When does the cron run?", "The cron runs at night"),
    (("Our queue is Redis", "Our database is Postgres"), "what is our database", "Our database is Postgres"),
    (("Lea lives in Kiel", "Uploads are limited to 5 MB"), "How large may uploads be?", "Uploads are limited to 5 MB"),
    (("The user prefers tea", "The user lives in Turin"), "Which city does the user live in?", "The user lives in Turin"),
    (("We use Celery for jobs", "We use Jira for tickets"), "Where do we keep tickets?", "We use Jira for tickets"),
    (("The demo is on Tuesday", "The warehouse is in Genoa"), "when is the demo", "The demo is on Tuesday"),
)  # fmt: skip


_PARTS = (Path(__file__).parent / "replacements.txt").read_text("utf-8").split("\n[")[1:]
REPLACEMENTS = {kind: lines.splitlines() for kind, _, lines in (part.partition("]\n") for part in _PARTS)}
STANDING_BY = (
    "Backups are kept for thirty days",
    "Ask Ines before touching the billing module",
    "The docs live in the wiki folder",
)


def replaced(run: Run) -> list[str]:
    return _in_turn(run, "replaced", both=False)


def stays(run: Run) -> list[str]:
    return _in_turn(run, "stays", both=True)


def named(run: Run) -> list[str]:
    return _in_turn(run, "named", both=False, others=STANDING_BY)


def unnamed(run: Run) -> list[str]:
    return _in_turn(run, "unnamed", both=True, others=STANDING_BY)


def _in_turn(run: Run, kind: str, *, both: bool, others: tuple[str, ...] = ()) -> list[str]:
    failed = []
    for pair in REPLACEMENTS[kind]:
        known, *meant, new = pair.split(" | ")
        with run.home():
            for text in (*others[:2], known, *others[2:]):
                run("remember", text)
            run("remember", new, *(word for one in meant for word in ("--replaces", one)))
            left = [known, new, *others] if both else [new, *others]
            good = sorted(row["text"] for row in run("list")) == sorted(left)
            run.count(kind, good)
            failed += [] if good else [pair]
    return failed


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


def fits(run: Run) -> list[str]:
    failed = []
    for facts, question, best in FITS:
        with run.home():
            for fact in facts:
                run("remember", fact)
            found = run("search", question)
            good = bool(found) and found[0]["text"] == best and not found[0]["weak"]
            run.count("fits", good)
            failed += [] if good else [f"{question}: {[row['text'] for row in found]}"]
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
    failed = {
        probe.__name__: probe(run) for probe in (spelling, half, opposite, weak, fits, again, replaced, stays, named, unnamed)
    }
    os.chdir("/")
    for kind, number in run.tried.items():
        print(f"{kind:10}{run.held[kind]:3} of {number}")
    print(f"all       {run.held.total():3} of {run.tried.total()}")
    for kind, found in failed.items() if "--show" in words else ():
        for one in found:
            print(f"  {kind}: {one}")


if __name__ == "__main__":
    main(sys.argv[1:])
