"""The reader: what it keeps of what was typed, in whose words, and what a bad one cannot do."""

import json
import shlex
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.judging import protocol, understood
from psychmem_py.judging.protocol import Asked, TypedTurn
from psychmem_py.judging.rewording import KnownWords, supported
from psychmem_py.judging.said import written_out
from psychmem_py.languages import files
from psychmem_py.model.records import Message, Origin, Role
from tests.cli.test_review import typed
from tests.data import cases, holds
from tests.forks import psychmem, told
from tests.hooks import QUIET, Conversation, eventually, run, settle
from tests.test_rules_at_calls import before

STEP = "We always use pnpm in this repository."  # rules keep it, and it says that it lasts
PASSING = "the export files should live in the .cache folder"  # rules keep it, a proposal in a task
HALF = "no, one cache per branch please, while you're at it"
QUOTE, TEXT = "one cache per branch", "There is one cache for each branch."
READ = """import json, sys
asked = json.load(sys.stdin)
turns = [t for t in asked["turns"] if "cache" in t["typed"]]
def say(*keep, **more): print(json.dumps({"keep": list(keep), **more}))
"""
KEEP = f"say(*({{'n': t['n'], 'quote': {QUOTE!r}, 'text': {TEXT!r}, 'class': 'decision', 'scope': 'user'}} for t in turns))"


def reader(home: Path, code: str) -> str:
    """A command that reads with a few lines of Python."""
    file = home / "a reader.py"
    file.write_text(READ + code)
    return f'"{sys.executable}" "{file}"'


@pytest.fixture
def talk(home: Path) -> Conversation:
    (home / "shop").mkdir()
    made = Conversation(home / "shop", "s")
    made.at = f"{datetime.now(UTC) + timedelta(minutes=5):%Y-%m-%dT%H:%M:%S.000Z}"  # said after a reader was switched on
    return made


def ends(talk: Conversation, *said: str) -> None:
    for one in said:
        talk.says(one)
    run("session-end", talk.payload("SessionEnd", reason="other"))
    settle()


def switched_on(home: Path, code: str) -> None:
    told("judge", "--with", reader(home, code), cwd=home)


def known(home: Path) -> dict[str, tuple[str, ...]]:
    return {text: tuple(rest) for text, *rest in stored(home, "text, status, store, origin, scope from memory")}


def stored(home: Path, query: str) -> list[Any]:
    with sqlite3.connect(home / "psychmem" / "memory.db") as db:
        return db.execute(f"select distinct {query}").fetchall()


def state(home: Path) -> Any:
    return told("judge", cwd=home)


def read_at_the_end(home: Path, talk: Conversation, *said: str) -> dict[str, tuple[str, ...]]:
    """What is known once a session in which this was said has been read."""
    ends(talk, *said)
    eventually(lambda: state(home)["calls"] == 1)
    settle()
    return known(home)


def test_nobody_reads_until_switched_on_then_what_is_typed_since_once_and_for_good(home: Path, talk: Conversation) -> None:
    ends(Conversation(home / "shop", "before"), HALF)
    assert not list((home / "psychmem").glob("judge*"))
    switched_on(home, KEEP)
    assert told("judge", "--now", cwd=home)["asked"] == 0
    after = read_at_the_end(home, talk, STEP, PASSING, HALF)
    assert after[TEXT] == ("active", "ltm", "user_prompt", "project")  # nobody typed that it holds everywhere
    assert after[PASSING][0] == "archived"  # read, and not kept
    assert after[STEP][0] == "active"  # a careless reader costs no rule
    assert stored(home, "quote, origin from evidence where method = 'reader' and quote != ''") == [(QUOTE, "user_prompt")]
    ends(talk)
    assert state(home)["calls"] == 1
    ((batch,),) = stored(home, "batch from change where reason = 'read: drop'")
    psychmem("undo", batch, cwd=home / "shop")
    assert known(home)[PASSING][0] == "active"


@pytest.mark.parametrize("code", cases("judging", "a reader that fails or lies"))
def test_a_reader_that_fails_or_lies_changes_nothing_and_is_asked_again(
    code: str, home: Path, talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PSYCHMEM_CALL_TIMEOUT_S", "1")
    switched_on(home, code)
    ends(talk, STEP, HALF)
    eventually(lambda: state(home)["failed"] == 1)
    settle()
    assert (known(home)[STEP][0], TEXT in known(home)) == ("active", False)
    done = psychmem("judge", "--now", "--json", cwd=home)
    assert (done.returncode, done.stderr) == (1, f"psychmem: {json.loads(done.stdout)['why']}\n")
    switched_on(home, KEEP)
    assert told("judge", "--now", cwd=home)["keep"] == 1
    assert psychmem("undo", cwd=home).returncode == 0  # it was the last thing this person did
    assert TEXT not in known(home)


def test_installation_asks_once_who_reads_and_says_what_it_costs(home: Path) -> None:
    for name in ("claude", "bin"):
        (home / name).mkdir()
    client = home / "bin" / "claude"
    client.write_text("#!/bin/sh\n")
    client.chmod(0o755)
    path = {"PATH": f"{client.parent}:/usr/bin:/bin"}

    def install(*keys: str) -> bool:
        shown = typed(keys, "install", "--claude-code", cwd=home, asks=b"[Y/n/later]", **path)
        assert "about 1,000 tokens a session, by your own `claude`" in shown or "later]" not in shown
        return "later]" in shown

    assert psychmem("install", "--claude-code", cwd=home, **path).returncode == 0  # unattended: no
    assert state(home)["by"] == ""
    assert (install("later\n"), state(home)["by"]) == (True, "")
    assert (install("n\n"), state(home)["by"]) == (True, "")
    assert not install()  # the person has answered
    assert psychmem("config", "unset", "judge.by", cwd=home).returncode == 0
    assert (install("\n"), state(home)["by"]) == (True, "claude")
    named = [told(one, cwd=home, **path) for one in ("status", "doctor")]
    assert named[0]["reader"] == "claude"
    assert [one["found"] for one in named[1]["checks"] if one["name"] == "reader"] == [f"claude reads what you typed: {client}"]


def test_what_rules_left_pending_is_no_longer_once_it_was_read(home: Path, talk: Conversation) -> None:
    switched_on(home, KEEP)
    talk.says("To answer your questions:\n1. no need for parcels\n2. we always keep the label of the first parcel, to be sure")
    pending = {one["text"] for one in told("review", cwd=home / "shop")}
    assert pending
    after = read_at_the_end(home, talk, HALF)
    assert {text: row[0] for text, row in after.items()} == {**dict.fromkeys(pending, "archived"), TEXT: "active"}
    assert told("review", cwd=home / "shop") == []


def test_commands_and_short_confirmations_alone_ask_nobody(home: Path, talk: Conversation) -> None:
    switched_on(home, KEEP)
    talk.says("yes please", answer="The root cause is that `orders.py` closes the pool before the last row was read.")
    ends(talk, "ok")
    assert state(home)["calls"] == 0


def test_what_is_known_is_confirmed_or_replaced_by_its_id(home: Path, talk: Conversation) -> None:
    shop = home / "shop"
    for text in ("The cache lies beside the repository.", "One cache serves every branch."):
        psychmem("remember", text, "--project", ".", "--class", "decision", cwd=shop)
    everywhere = "Never put a cache under version control, whatever the repository."
    psychmem("remember", everywhere, "--user", "--class", "constraint", cwd=shop)
    code = """ids = {k["text"]: k["id"] for k in asked["known"]}
say(*({"n": t["n"], "quote": "one cache per branch", "class": "decision", "replaces": ids["One cache serves every branch."]} for t in turns),
    *({"n": t["n"], "quote": "beside the repository", "same_as": ids["The cache lies beside the repository."],
       "calls": ["mv * cache"]} for t in turns),
    *({"n": t["n"], "quote": "stays beside the repository", "text": "The cache of the repository stays.", "class": "semantic",
       "replaces": next(k["id"] for k in asked["known"] if "version" in k["text"])} for t in turns))"""
    switched_on(home, code)
    after = read_at_the_end(home, talk, "no, one cache per branch please, and it stays beside the repository")
    assert after["One cache serves every branch."][0] == "superseded"
    assert after["One cache per branch" if "One cache per branch" in after else "one cache per branch"][:2] == ("active", "ltm")
    assert (state(home)["same"], state(home)["replace"]) == (1, 1)
    assert after[everywhere][0] == "active"  # a fact of one project replaces no rule for all of them
    assert "reminded at mv cache, as the reader understood it" in psychmem("list", "--rules", cwd=shop).stdout


def test_what_replaces_lives_as_what_it_replaces_and_comes_undone(home: Path, talk: Conversation) -> None:
    shop, old = home / "shop", "Share one cache among all branches until 2099-01-01."
    psychmem("remember", old, "--project", ".", "--class", "constraint", cwd=shop)
    (row,) = told("list", cwd=shop)
    assert psychmem("edit", row["id"], "--tier", "critical", cwd=shop).returncode == 0
    code = """say(*({"n": t["n"], "quote": "one cache per branch", "class": "preference", "replaces": asked["known"][0]["id"]} for t in turns))"""
    switched_on(home, code)
    read_at_the_end(home, talk, HALF)
    (new,) = told("list", cwd=shop)
    assert (new["text"], new["class"], new["scope"], new["tier"]) == (QUOTE, "constraint", "project", "critical")
    ends_at = dict(stored(home, "text, expires_at from memory"))
    ((batch,),) = stored(home, "batch from change where type = 'supersede'")
    assert ends_at[QUOTE] == ends_at[old]
    psychmem("undo", batch, cwd=shop)
    assert known(home)[old][0] == "active"


def test_the_opposite_of_a_rule_entered_by_hand_waits_beside_it(home: Path, talk: Conversation) -> None:
    rule = "Never share one cache among branches"
    psychmem("remember", rule, "--project", ".", "--class", "constraint", cwd=home / "shop")
    switched_on(home, 'say({"n": 0, "quote": "share one cache among branches", "replaces": asked["known"][0]["id"]})')
    after = read_at_the_end(home, talk, "share one cache among branches is what we talked about, think of it")
    assert {one[0]: text for text, one in after.items()} == {"active": rule, "quarantined": "share one cache among branches"}
    both = told("review", told("review", cwd=home / "shop")[0]["id"], cwd=home / "shop")  # are asked about now
    assert both["dropped"] == []


def test_what_is_said_twice_in_one_request_is_one_memory(home: Path, talk: Conversation) -> None:
    said = ("one cache file per branch, please, under var", "and again: under var each branch gets its cache file")
    texts = ("There is one cache file for each branch under var.", "Each branch has its own cache file under var.")
    code = f"say(*({{'n': t['n'], 'quote': t['typed'], 'text': {texts!r}[t['n']], 'class': 'decision'}} for t in turns))"
    switched_on(home, code)
    assert [text for text, row in read_at_the_end(home, talk, *said).items() if row[1] == "ltm"] == [texts[0]]
    assert (state(home)["keep"], state(home)["same"]) == (1, 1)


def test_what_rules_made_long_term_at_once_the_reader_words_anew_and_doubles_not(home: Path, talk: Conversation) -> None:
    code = "say(*({'n': t['n'], 'quote': t['typed'], 'text': 'The cache is emptied each Monday.', 'class': 'semantic'} for t in turns))"
    switched_on(home, code)
    said = "Remember that the cache gets emptied every Monday."
    assert [row[:2] for row in read_at_the_end(home, talk, said).values()] == [("active", "ltm")]


@pytest.mark.parametrize(
    ("entered", "said", "command", "field", "stands"), cases("judging", "a reading beside a person's own acts")
)
def test_what_a_person_entered_or_has_settled_outlives_a_reading_and_no_statement_is_lost(
    home: Path, talk: Conversation, entered: str, said: str, command: str, field: str, stands: str
) -> None:
    code = """say(*({"n": t["n"], "quote": t["typed"], "text": t["typed"], "class": "constraint", "scope": "project",
        **{field: one["id"] for field in %r for one in asked["known"]}} for t in asked["turns"]))"""
    if entered:
        psychmem("remember", *shlex.split(entered), "--class", "constraint", cwd=home / "shop")
    switched_on(home, code % (field.split(),))
    for one in said.split(" | "):
        talk.says(one)
    for row in told("list", cwd=home / "shop") if "ID" in command else [{"id": ""}] * bool(command):
        psychmem(*shlex.split(command.replace("ID", row["id"])), cwd=home / "shop")
    after = read_at_the_end(home, talk)
    assert {text for text, row in after.items() if row[0] == "active"} == set(filter(None, stands.split(" | ")))


@pytest.mark.parametrize(
    ("known", "status"), [("Every Monday the cache gets emptied by cron.", "archived"), ("The port is 8080.", "active")]
)
def test_what_rules_settled_goes_only_where_the_memory_says_it_that_the_reader_names(
    home: Path, talk: Conversation, known: str, status: str
) -> None:
    psychmem("remember", known, "--project", ".", cwd=home / "shop")
    code = (
        "say(*({'n': t['n'], 'quote': t['typed'], 'same_as': k['id']} for t in turns for k in asked['known'] if k['text'] == %r))"
    )
    switched_on(home, code % known)
    said = "Remember that the cache gets emptied every Monday."
    after = read_at_the_end(home, talk, said, "fix the cache of the page, please")
    assert [row[0] for text, row in after.items() if text != known] == [status]


def test_what_the_reader_keeps_for_when_it_comes_up_begins_no_session_and_is_found_and_what_it_doubts_is_not_kept(
    home: Path, talk: Conversation
) -> None:
    texts = ("We never round the vat in rates.py.", "All images live in Cloudinary.", "The footer looks fine for now.")
    says: list[dict[str, bool]] = [{"start": True}, {"start": False}, {"sure": False}]
    keeps = [{"n": 0, "quote": text, "text": text, "class": "decision", **one} for text, one in zip(texts, says, strict=True)]
    switched_on(home, f"say(*{keeps!r})")
    read_at_the_end(home, talk, f"Mend the tests. {' '.join(texts)}")
    brief = psychmem("inject", cwd=home / "shop", **QUIET).stdout
    assert [text in brief for text in texts] == [True, False, False]
    assert [text in str(told("list", cwd=home / "shop")) for text in texts] == [True, True, False]  # it was not sure of that
    assert texts[1] in str(told("search", "Cloudinary", cwd=home / "shop"))


def test_a_rule_the_reader_kept_is_said_at_its_file_and_at_the_calls_it_named(home: Path, talk: Conversation) -> None:
    shop = home / "shop"
    (shop / "rates.py").write_text("vat = 19\n")
    for session in "abcd":
        other = Conversation(shop, session)
        other.calls("Bash", command="make all")
        other.typed()
    rule, calls = "vat stays a whole number in rates.py", ["npm|just round-vat *", "* | *", "make *"]
    switched_on(home, f"""say({{"n": 0, "quote": {rule!r}, "text": {rule!r}, "class": "constraint", "calls": {calls!r}}})""")
    read_at_the_end(home, talk, f"mend the tests, {rule} by the way")
    assert rule in str(before(shop, "at once", command="just round-vat"))  # no session need begin first
    assert rule in Conversation(shop, "later").uses("Read", file_path=str(shop / "rates.py"))
    assert [rule in str(before(shop, command=line)) for line in ("just round-vat", "make all")] == [True, False]  # done in most
    (row,) = told("list", cwd=shop)
    waits = "the agent is reminded at npm|just round-vat, as the reader understood it"
    assert waits in psychmem("show", row["id"], cwd=shop).stdout
    psychmem("edit", row["id"], "--on", "make deploy", cwd=shop)
    assert [rule in str(before(shop, "x", command=line)) for line in ("just round-vat", "make deploy")] == [False, True]


def test_the_client_is_believed_only_for_the_request_it_was_given(home: Path, talk: Conversation) -> None:
    told("judge", "--with", "client", cwd=home)
    ends(talk, STEP, HALF)
    dry = psychmem("judge", "--dry-run", cwd=home).stdout
    reply = json.dumps({"keep": [{"n": 1, "quote": QUOTE, "text": TEXT, "class": "decision"}]})
    for request, kept in ((dry, False), (psychmem("judge", "--verdicts", cwd=home, stdin="").stdout, True)):
        done = psychmem("judge", "--verdicts", cwd=home, stdin=json.dumps({"request": request.strip(), "reply": reply}))
        assert (done.returncode == 0, TEXT in known(home)) == (kept, kept), done.stderr


def test_sweep_reads_the_lines_of_a_session_together(tmp_path: Path) -> None:
    lines = [
        {"id": str(n), "role": "user", "text": text, "session": session}
        for n, (text, session) in enumerate([(STEP, "a"), (HALF, "a"), (STEP, "b")])
    ]
    code = f"{KEEP} if turns else sys.exit(1)"
    done = psychmem("sweep", "-", "--judge", reader(tmp_path, code), cwd=tmp_path, stdin="\n".join(map(json.dumps, lines)))
    swept = [json.loads(line) for line in done.stdout.splitlines()]
    kept = [[one["text"] for one in entry["memories"]] for entry in swept]
    assert kept == [[STEP], [TEXT], [STEP]]  # session b had no answer: the rules' own verdict stands
    assert not any(entry["rejected"] for entry in swept)  # what a reader keeps in its words is not turned down, too
    assert (done.returncode, done.stderr.count("; the rules' own verdicts stand\n")) == (1, 1)


ASKED = Asked([TypedTurn("1) Redis 2) Kafka", "2, and  “stay” with it.\nNever edit dist/")])


test_a_reply = holds("judging", {
    "a quotation is found in what was typed or not": lambda quote, found: (protocol.found_in(quote, ASKED.turns[0].typed), found),
    "words of a command are its person's, what is quoted is not": lambda typed, quote, why: (dict(made_of(quote, "", typed).metadata).get("doubt"), why),
    "a quotation reaches over what denies it": lambda quote, typed, found: (protocol.found_in(quote, typed), found or ""),
    "a bare answer is written out with what it answers": lambda said, previous, text: (written_out(said, previous), text),
    "a call is known by a glob that says one": lambda given, *known: (protocol.calls_of(given), known),
    "a sentence that lies is not let in": lambda code, text, *said: (str(said[-1]).lower() in let_in(code, text, *said[:-1]).lower(), False),
    "what is asked is kept in a sentence that stands alone": lambda quote, said, typed, kept: (getattr(made_of(quote, said, typed), "text", None), kept),
    "an answer in another form says the same": lambda reply: (quoted(reply), ["stay", "Never edit dist/"]),
    "an honest sentence is let in": lambda code, text, *said: (let_in(code, text, *said), text),
})  # fmt: skip


def test_an_answer_is_read_alone_in_a_fence_and_behind_thoughts() -> None:
    entry = '{"keep": [{"n": 0, "quote": "stay", "class": "rule", "same_as": "ff"}]}'
    unlisted = entry.replace("[", "").replace("]", "")
    for reply in (entry, unlisted, f"```json\n{entry}\n```", f'Perhaps {{"keep": []}}? No:\n{entry}'):
        answer = protocol.answer(reply, ASKED)
        assert answer is not None
        assert [(one.quote, one.kind.value, one.same_as) for one in answer.keeps] == [("stay", "constraint", "")]
    for reply in ("", "[]", '{"keep": 3}', '{"keep": [NaN, 1]}', '{"keep": [', "{" * 999, f'{{"nonce": "x", "keep": [{entry}]}}'):
        assert protocol.answer(reply, ASKED) is None


def test_a_turn_that_was_counted_wrongly_is_found_by_a_long_quotation_only() -> None:
    asked = Asked([TypedTurn("", "one cache for each branch of ours"), TypedTurn("", "fix the test")])
    quotes = ("one cache for each branch", "one cache")
    long, short = (protocol.answer(json.dumps({"keep": [{"n": 1, "quote": quote}]}), asked) for quote in quotes)
    assert (long and [one.n for one in long.keeps], short and short.untrue) == ([0], 1)


def test_a_paste_is_sent_by_its_ends_secrets_not_at_all_and_the_instructions_keep_to_their_price() -> None:
    log = "\n".join(f"[2026-01-01 10:00:{n:02}] GET /api/{n} -> 500" for n in range(30))
    sent = protocol.turn(f"look at this\n{log}\nand never log bodies", "x" * 900)
    assert (len(sent.previous), sent.typed.count("GET"), sent.typed[-20:]) == (500, 2, "and never log bodies")
    code = "\n".join(f"row{n} = 1;" for n in range(30))
    assert protocol.turn(f"why?\n```c\n{code}\n```\n", "").typed == "why?\n```c\nrow0 = 1;\n[… 28 lines]\nrow29 = 1;\n```"
    assert "hunter2horse" not in protocol.turn("the password is hunter2horse", "").typed
    assert len(protocol.turn("word " * 900, "").typed) <= protocol.TYPED_CHARS
    assert len(protocol.instructions()) <= 700 * 4


ENGLISH = KnownWords(*files.everyday(("en",)))
AROUND = "the exporter sends one mail per invoice\nkeep the archive as it is"


def test_what_only_its_end_is_invented_of_stands_without_it() -> None:
    said, whole = "one mail per invoice", "There is one mail for each invoice (RFC 9999), never a digest."
    assert supported(whole, said, "", AROUND, ENGLISH) == "There is one mail for each invoice"
    assert not supported("Mail each invoice by Sendgrid, never a digest.", said, "", AROUND, ENGLISH)


def quoted(reply: str) -> list[str]:
    answer = protocol.answer(reply, ASKED)
    return [one.quote.strip("”") for one in answer.keeps] if answer else []


def made_of(quote: str, text: str, typed: str) -> Any:
    keep = protocol.Keep(0, protocol.found_in(quote, typed), text)
    return understood.candidate(keep, Message("", Role.USER, Origin.USER_PROMPT, typed), files.matcher(), typed)


def let_in(code: str, text: object, *said: object) -> str:
    words = KnownWords(*files.everyday((code,)), nouns_are_capital=code == "de")
    quote, previous, elsewhere = (str(one) for one in said)
    return supported(str(text), quote, previous, f"{quote}\n{elsewhere}", words)
