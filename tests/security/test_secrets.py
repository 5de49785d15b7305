"""Secrets never reach a byte on disk: what is caught and what stays, on strings drawn at random that never belonged to anyone."""

import base64
import json
import os
import random
import re
import string
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import secrets as draws
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Message, Origin, Role
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log
from psychmem_py.store.connection import open_store
from tests.data import cases
from tests.forks import psychmem, told
from tests.hooks import Conversation, holding, run, settle
from tests.memories_made import NOW, made

ALNUM = string.ascii_letters + string.digits
ALPHABETS = {
    "": ALNUM, "-": ALNUM + "-_", "/": ALNUM + "+/", "x": "0123456789abcdef", "d": string.digits, "L": string.ascii_letters,
    "A": string.ascii_uppercase + string.digits, "B": string.ascii_uppercase + "234567", "a": string.ascii_lowercase + string.digits,
}  # fmt: skip
DRAWN = re.compile(r"\{(\d+)([-/xdLABa]?)\}")  # how many signs of which alphabet
Draw = Callable[[random.Random], str]


def texts(name: str) -> list[str]:
    return [case.values[0] for case in cases("security", name)]


def drawn(shape: str, chance: random.Random | None = None) -> tuple[str, list[str]]:
    """The shape with its signs filled in, and what they were filled with."""
    r = chance or random.Random(shape)
    filled = ["".join(r.choice(ALPHABETS[signs[2]]) for _ in range(int(signs[1]))) for signs in DRAWN.finditer(shape)]
    left = iter(filled)
    return DRAWN.sub(lambda _: next(left), shape), filled


def shaped(table: str) -> dict[str, Draw]:
    """kind -> a text in one of the shapes that it has."""
    return {case.id: lambda r, shapes=case.values[0]: drawn(r.choice(shapes), r)[0] for case in cases("security", table)}


def some(words: str, length: int, between: str = "") -> Draw:
    return lambda r: between.join(r.choice(words.split()) for _ in range(length))


def _jwt(r: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': str(r.random()), 'iat': r.randrange(10**9)})}.{drawn('{43-}', r)[0]}"


def _pem(r: random.Random) -> str:
    kinds = "RSA PRIVATE KEY|PRIVATE KEY|OPENSSH PRIVATE KEY|EC PRIVATE KEY|ENCRYPTED PRIVATE KEY|PGP PRIVATE KEY BLOCK"
    kind = r.choice(kinds.split("|"))
    body = "\n".join(drawn("{64/}", r)[0] for _ in range(r.randint(3, 12)))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


def _password(r: random.Random) -> str:
    base = r.choice(["Summer", "hunter", "Tr0ub4dor", "correct", "Qwerty", "admin", "letme", "dragon", "S3cure", "pa55"])
    return base + r.choice("!@#$%&*_-") + str(r.randint(10, 99999)) + r.choice(["", "!", "x", "Zq"])


# kind -> the secret itself, as its provider shapes it
PROVIDER = shaped("a token as its provider shapes it") | {"jwt": _jwt, "pem": _pem}

# What a person or a program writes around a secret without a telling prefix: {s} is the secret.
CARRIERS = texts("what is written around a secret")

LOOKALIKE = shaped("what is shaped like a token and is none") | {
    "uuid": lambda r: str(uuid.UUID(int=r.getrandbits(128))),
    "version": lambda r: f"v{r.randrange(30)}.{r.randrange(90)}.{r.randrange(90)}-beta.{r.randrange(9)}",
    "placeholder": lambda r: r.choice(texts("placeholders")),
    "prose": lambda r: r.choice(texts("sentences about secrets")),
    "identifier": some("Get User Order By Id And Handler Factory With Cache V2 Http Response", 8),
    "path": lambda r: some("src components billing v1 InvoiceTable tests utils2 index", 6, "/")(r) + ".tsx",
    "url": lambda r: f"https://example.com/{drawn('{8x}', r)[0]}/{r.randrange(9999)}?page={r.randrange(20)}&sort=asc",
    "kebab": some("feature billing export 2024 fix login page retry", 6, "-"),
    "date": lambda r: f"{datetime.fromtimestamp(r.uniform(1.7e9, 1.8e9), UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z",
    "constant": lambda r: f"{some('MAX RETRY COUNT HTTP2 DEFAULT TIMEOUT MS', 5, '_')(r)}={r.randrange(10000)}",
}


ROUNDS = 40


def leaked(text: str, secret: str) -> bool:
    """Whether a telling part of the secret is still there."""
    left = redact(text)
    core = max(secret.split("\n"), key=len) if "\n" in secret else secret.removeprefix("AccountKey=").rsplit("/", 1)[-1]
    return core in left or core[: max(8, len(core) // 2)] in left


# Nothing but chance tells these from an identifier or a path, so some stay: at most this share.
BARE = {"aws_secret": 0.05, "random_base62": 0.03}


@pytest.mark.parametrize("kind", PROVIDER)
def test_a_providers_token_is_caught_wherever_it_stands(kind: str) -> None:
    r = random.Random(kind)
    made = [PROVIDER[kind](r) for _ in range(ROUNDS * 5)]
    missed = [s for s in made for text in (s, f"please use {s} here", f"Error: 401 for key={s}, retry") if leaked(text, s)]
    assert len(missed) <= 3 * len(made) * BARE.get(kind, 0.0)


def test_a_password_is_caught_by_what_is_written_around_it_and_a_look_alike_stays() -> None:
    for carrier in CARRIERS:
        r = random.Random(carrier)
        assert [t for s in (_password(r) for _ in range(ROUNDS)) if leaked(t := carrier.format(s=s), s)] == [], carrier
    for kind, draw in LOOKALIKE.items():
        r = random.Random(kind)
        assert [t for t in (draw(r) for _ in range(ROUNDS)) if redact(t) != t] == [], kind
    words = [*texts("a word of a schema is no secret")]
    assert [text for text in words if redact(text) != text] == []
    waking = ["password=session", 'pass="discord"', "password=telegram", 'client_secret: "bearerof"']  # may be a secret
    assert [text for text in waking if redact(text) == text] == []


def test_redacting_twice_changes_nothing_and_private_blocks_are_dropped() -> None:
    assert (redact("a <private>b\nc</private> d"), redact("a <PRIVATE>b\nc")) == ("a [private] d", "a [private]")
    marked = "＜private＞b＜/private＞", "< private >b< / private >", "<private\n>b</private >", '<private why="x">b</ private>'
    marked += "<private note>b</private>", "<private/>b</private>", "<private>b<private>c</private>b</private>"
    assert {redact(f"a {block} d") for block in marked} == {"a [private] d"}
    assert redact("ssh -i <private key> < private key> host") == "ssh -i <private key> < private key> host"
    r = random.Random(5)
    once = redact("=".join("".join(r.choices("ABCDEFGHKMabcdefghkm23456789", k=30)) for _ in range(8)))
    assert redact(once) == once
    r = random.Random(1)
    for carrier in CARRIERS:
        once = redact(carrier.format(s=_password(r)))
        assert redact(once) == once


OWN = Path(__file__).parents[1] / "data" / "secrets.txt"


@pytest.mark.parametrize("draw", [OWN, *draws.FITTED], ids=lambda path: path.stem)
def test_secrets_in_ordinary_words_go_and_honest_sentences_stay(draw: Path) -> None:
    found = draws.outcome(draw, seed=1)
    assert len(found.missed) <= 0.01 * found.tried, found.missed
    assert len(found.cut) <= (0.01 * found.honest if draw == OWN else 0), found.cut


@pytest.mark.parametrize("said", ["Remember: the API key of the wiki is {r}", "Remember that our database password is {r}"])
def test_a_secret_that_was_said_leaves_no_memory_of_its_name(said: str) -> None:
    text = redact(said.format(r="kd93Jx7pQm2zR8vB4nW6tY1s"))
    assert "[REDACTED" in text
    verdicts = sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], files.matcher())
    assert verdicts
    assert {verdict.reason for verdict in verdicts} == {"secret"}


# Without a mark of their own, or with slashes, these cannot be told from a folder's name inside a path.
KINDS = [kind for kind in PROVIDER if kind not in ("aws_secret", "random_base62", "azure_key", "pem", "slack_hook")]


def test_no_secret_of_a_conversation_reaches_the_disk(project: Path, home: Path) -> None:
    r = random.Random(11)
    drawn = [PROVIDER[kind](r) for kind in KINDS] + [_password(r) for _ in range(12)]
    one = Conversation(project, "s1")
    one.begins()
    for n, secret in enumerate(drawn):
        known = f"password={secret}" if n >= len(KINDS) else secret
        one.asks(f"Remember: the deploy key is {known}, always use it")
        one.types(f"Remember: the deploy key for area{n} is {known}, always use it for releases. Never restart area{n} by hand.")
        one.answers(f"I decided to store {known} in the vault because area{n} needs it.")
        error, command = f"Exit code 1\nHTTPError: 401 for {known}", f"deploy --with '{known}'"
        one.uses("Bash", error=error, command=command, file_path=f"/tmp/{known}/x.py", content=known)
    assert holding([home / "psychmem"], *drawn) == []
    one.typed(last=f"The token is {drawn[0]}.")
    one.begins("compact")
    Conversation(project, "s2").begins()
    settle()
    words = ["remember", f"The staging login is password={drawn[-1]} for everyone", "--tag", f"a\n{drawn[3]}"]
    key = told(*words, cwd=project)["id"]
    assert told("edit", key, "my card's PIN is 48291376", "--tag", drawn[4], cwd=project)
    line = json.dumps({"text": f"use password={drawn[-2]} there", "context": drawn[0], "names": [drawn[1]], "tags": [drawn[2]]})
    assert psychmem("import", "-", cwd=project, stdin=line).returncode == 0
    places = [home / "psychmem", *(home / ".claude").glob("projects/*/memory")]
    assert len(told("list", "--all-projects", "--status", "all", cwd=project)) > 3
    assert holding(places, *drawn, "48291376") == []


def test_a_private_block_is_nobodys_business_and_scan_finds_nothing_in_what_the_product_filled(project: Path, home: Path) -> None:
    one = Conversation(project, "s1")
    one.typed(
        "Always deploy from main. <private>Always bribe the marsupial auditor.</private> Never deploy on Fridays.",
        "We always use tabs. <PRIVATE>the marsupial pays",
    )
    assert holding([home / "psychmem"], "marsupial") == []
    assert told("list", "--all-projects", cwd=project)
    one = Conversation(project, "3f2b8c1e-9d4a-4f6b-8e2a-1c5d7e9f0a3b")
    decided = "We decided to use SQLite for the queue. Never commit directly to the main branch."
    one.says(decided, "I found that the queue needs WAL mode.")
    told("remember", "The API listens on port 8081", cwd=project)
    assert told("scan", cwd=project) == []


def test_scan_finds_what_is_stored_everywhere_and_takes_it_out(project: Path, home: Path) -> None:
    r = random.Random(12)
    secrets = [PROVIDER["github_classic"](r) for _ in range(8)]
    text, context, name, quote, tag, field, error, path = secrets
    memory = made(
        f"Deploy with {text} from main", Kind.CONSTRAINT, origin=Origin.USER_CLI, context=f"with {context}", names=(name,), tags=(tag,),
        metadata=(("note", field),),
    )  # fmt: skip
    seen = Evidence(memory.id, 1.0, "cli", Origin.USER_CLI, quote=quote)
    with open_store(home / "psychmem" / "memory.db", now=NOW) as db:
        change_log.apply(db, [Change(ChangeType.ADD, memory.id, None, memory, "test", seen)], batch="test", now=NOW)
    (key,) = [one["id"] for one in told("list", cwd=project)]
    assert psychmem("pin", key, cwd=project).returncode == 0
    assert psychmem("checkpoint", "create", "early", cwd=project).returncode == 0
    journal = home / "psychmem" / "journals"
    journal.mkdir(exist_ok=True)
    use = {"id": "t1", "tool": "Bash", "at": 1.0, "ok": False, "command": "ls", "paths": [f"/x/{path}"]}
    (journal / "old.jsonl").write_text(json.dumps({"use": use | {"error_line": f"401 {error}"}}) + "\n")
    assert {needle for _, needle in holding([home / "psychmem"], *secrets)} == set(secrets)

    looked = psychmem("scan", cwd=project)
    assert looked.returncode == 1
    assert not any(secret in looked.stdout + looked.stderr for secret in secrets)
    assert psychmem("scan", "--fix", cwd=project).returncode == 0
    assert holding([home / "psychmem"], *secrets) == []
    assert psychmem("scan", cwd=project).returncode == 0
    (after,) = told("list", cwd=project)
    assert (after["id"], after["pinned"], after["origin"]) == (key, True, "user_cli")
    assert after["text"] == "Deploy with [REDACTED:github_token] from main"
    assert told("search", "deploy main", cwd=project)


@pytest.mark.parametrize("globs", ["*/shop", "*/shop/**", "*/other, */sh?p"])
def test_an_ignored_project_leaves_no_trace(globs: str, project: Path, home: Path) -> None:
    before = os.environ.copy()
    one = Conversation(project, "unseen-talk")
    env = {"PSYCHMEM_IGNORE": globs}
    assert one.begins(**env) == ""
    run("tool-after", one.after("Bash", command="marsupial"), **env)
    one.asks("marsupial", **env)
    one.typed("Remember: never touch the marsupial tables.", last="The marsupial is fine.", **env)
    assert holding([home / "psychmem"], "marsupial", "unseen-talk") == [] if (home / "psychmem").exists() else True
    assert os.environ == before
    (home / "beside").mkdir()
    Conversation(home / "beside", "seen-talk").typed("Remember: the door of the shop is blue.", **env)
    one.types("Remember: never touch the marsupial tables.")  # its transcript lies in the folder of the others
    Conversation(home / "beside", "next-talk").begins(**env)
    settle()
    assert holding([home / "psychmem"], "marsupial", "unseen-talk") == []
