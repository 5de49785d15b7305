"""What the people's door says is so: why a list is empty, what an undo takes back, whose a memory is, and fields to ask for."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.cli import output
from psychmem_py.text.dates import moment
from tests.data import cases
from tests.hooks import Conversation, data, settle
from tests.test_cli import remembered, run, told

PORT = "The port is 8080"


@pytest.fixture
def port(shop: Path) -> str:
    """The id of what is remembered about the shop, at a terminal."""
    return remembered(shop, PORT, "--class", "semantic", "--project", ".")


def test_an_empty_list_says_why_and_a_sentence_that_shares_one_word_is_not_said_to_be_kept(shop: Path, other: Path) -> None:
    assert "Nothing is remembered yet" in run("list", cwd=shop).stdout
    assert "none" in run("stats", cwd=shop).stdout
    remembered(shop, "please use this layout for reports", "--class", "semantic", "--project", ".")
    for words in (["--class", "decision"], ["--tag", "x"], ["--pinned"], ["--after", "2099-01-01"], ["--offset", "5"]):
        assert "Nothing fits what you asked for" in run("list", *words, "--all-projects", cwd=shop).stdout
    assert "Nothing is remembered here; --all-projects shows what is elsewhere" in run("list", cwd=other).stdout
    answers = [
        run("why", "--not", text, cwd=shop).stdout for text in ("use pnpm", "layout!!", f"{PORT}. Use this layout for reports")
    ]
    assert ["It is kept" in answer for answer in answers] == [False, False, True]


def test_what_is_known_is_not_kept_twice_and_signs_without_a_word_find_nothing(port: str, shop: Path, tmp_path: Path) -> None:
    assert told("search", "!?", cwd=shop) == []
    assert json.loads(run("search", "--batch", "-", cwd=shop, stdin='{"id": 1, "query": ""}').stdout)["results"] == []
    assert [told("search", only, cwd=shop)[0]["weak"] for only in ("class:fact", "after:2026-01-01")] == [False, False]
    assert "known already" in run("remember", PORT, "--project", ".", cwd=shop).stdout
    run("forget", remembered(shop, "The host is kiwi", "--project", "."), cwd=shop)
    file = tmp_path / "own.jsonl"
    file.write_text(run("export", cwd=shop).stdout)
    done = told("import", "--exact", str(file), cwd=shop)
    assert (done["added"], done["known"], done["faults"]) == (0, 2, [])


def test_all_projects_are_listed_with_whose_each_is_and_an_undo_stays_in_its_own(port: str, shop: Path, other: Path) -> None:
    remembered(other, "The port is 9090", "--project", ".")
    remembered(other, "I like short answers", "--user")
    lines = run("list", "--all-projects", cwd=shop).stdout.splitlines()
    whose = {line.rstrip().split("  ")[-1].strip(): line for line in lines[1:]}
    for text, place in ((PORT, "shop"), ("The port is 9090", "waterfront"), ("I like short answers", "everywhere")):
        assert f" {place} " in whose[text]
    run("forget", port, cwd=shop)
    remembered(other, "The host is kiwi", "--project", ".")
    assert {run(*words.split(), cwd=shop).returncode for words in ("resume", "share now", "share status")} == {0}  # nothing done
    back = run("undo", cwd=shop).stdout
    assert [text for text in ("what you did just now (forgotten)", "The port is 8080") if text not in back] == []
    run("bad", port, cwd=shop)
    assert "(voted bad)" in run("undo", cwd=shop).stdout
    assert "gone: The port is 8080" in run("undo", cwd=shop).stdout
    assert "nothing to undo here" in run("undo", cwd=shop).stderr
    assert "gone: The host is kiwi" in run("undo", "--all-projects", cwd=shop).stdout


@pytest.mark.parametrize("word", ["forget", "pin"])
def test_doing_it_twice_is_no_second_step(port: str, shop: Path, word: str) -> None:
    run(word, port, cwd=shop)
    assert "nothing to do" in run(word, port, cwd=shop).stdout
    refused = run("undo", cwd=shop).stderr
    assert "did nothing that can be undone" in refused
    run("undo", refused.rpartition("`psychmem undo ")[2].partition("`")[0], cwd=shop)
    row = told("show", port, cwd=shop)
    assert (row["status"], row["pinned"]) == ("active", False)


def test_an_ambiguous_id_lists_its_candidates(shop: Path, tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    rows = [{"id": f"abc{n}", "text": text} for n, text in enumerate(("The port is 8080", "The host is kiwi"))]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("import", str(file), cwd=shop)
    done = run("show", "abc", cwd=shop).stderr
    assert [row for row in rows if f"{row['id']} {row['text']}" not in done] == []


def test_explain_speaks_plainly_and_history_says_what_an_edit_changed(port: str, shop: Path) -> None:
    shown = run("explain", port, cwd=shop).stdout
    assert all(words in shown for words in ("you, at the command line", "in the project shop", "in 30 days"))
    assert not any(word in shown for word in ("user_cli", "role:", "gate", "True", "0d "))
    run("edit", port, "--class", "decision", "--tag", "net", cwd=shop)
    changed = told("history", port, cwd=shop)[-1]["changed"]
    assert changed == "class semantic → decision, tags none → net"
    for command, words in (("pin", "pinned"), ("unpin", "no longer pinned")):
        run(command, port, cwd=shop)
        assert told("history", port, cwd=shop)[-1]["changed"] == words
    run("forget", port, cwd=shop)
    run("undo", cwd=shop)
    steps = run("show", port, "--history", cwd=shop).stdout
    assert all(said in steps for said in ("[active]", "[status active → forgotten]", "[status forgotten → active]"))
    run("edit", port, "--user", "--until", "2031-05-06", cwd=shop)
    assert "→ every project, ends never → 2031-05-0" in told("history", port, cwd=shop)[-1]["changed"]


def test_explain_names_no_word_that_nobody_said_and_the_timeline_goes_by_that_name_too(shop: Path, home: Path) -> None:
    backfilled(shop, home, "From now on use pnpm for the web shop.", str(shop))
    (kept,) = told("list", cwd=shop)
    shown = run("explain", kept["id"], cwd=shop).stdout
    assert ("support it: lasting time" in shown, "forever" in shown) == (True, False)
    assert run("timeline", cwd=shop).stdout == run("sessions", cwd=shop).stdout != ""
    assert output.conversation("ses_df8790716ffe1vXAbCdEfGhIjK") != output.conversation("ses_df8790fa2ffe9QbXyZaBcDeFgH")


def past(home: Path, folder: str, *sentences: str, first: int = 1) -> None:
    """Conversations of before, in each of which one sentence was said."""
    for number, text in enumerate(sentences, first):
        Conversation(Path(folder), f"c0ffee0{number}", home / ".claude" / "projects" / "-past").types(text)


def backfilled(shop: Path, home: Path, said: str, folder: str, first: int = 1) -> str:
    """What `backfill` prints of a conversation in which one sentence was said."""
    past(home, folder, said, first=first)
    return run("backfill", cwd=shop).stdout


def test_a_reminder_at_a_call_belongs_to_its_conversation(shop: Path) -> None:
    key = remembered(shop, "Never run npm install", "--class", "constraint", "--project", ".")
    talk = Conversation(shop, "s1")
    talk.begins()
    assert "Never run npm install" in run("context", "--last", cwd=shop).stdout  # whether or not our child has filed it
    assert "npm install" in talk.reminder("Bash", command="npm install x")
    talk.says("Thanks.")
    (one,) = told("sessions", "--all-projects", cwd=shop)
    assert (one["id"], one["project"] is None, one["shown"]) == ("s1", False, 1)
    assert run("context", "--last", cwd=shop).stdout.count("Never run npm install") == 2
    run("forget", key, cwd=shop)
    assert "fades" not in run("show", key, cwd=shop).stdout


def test_what_was_said_in_no_project_waits_and_is_not_called_kept(shop: Path, home: Path) -> None:
    said = "Never touch generated/ by hand in this project."
    shown = backfilled(shop, home, said, str(home))
    assert [text for text in ("0 kept, 1 pending", "`psychmem review --all-projects` asks") if text not in shown] == []
    assert "0 kept, 1 pending" in backfilled(shop, home, said.replace("generated", "vendor"), "D:\\work\\till", first=2)
    assert (len(told("review", "--all-projects", cwd=shop)), told("list", "--all-projects", cwd=shop)) == (2, [])


def test_where_memory_md_tells_all_nobody_says_that_nothing_is_remembered(shop: Path) -> None:
    remembered(shop, "The port is 8080", "--class", "decision", "--project", ".")
    folder = claude_memory.folder_of(str(shop), dict(os.environ))
    Path(folder.path).mkdir(parents=True)
    claude_topics.write(folder, ["Here:", "- The port is 8080 (decision)"], {})
    for command in (run("inject", "--project", ".", cwd=shop).stderr, run("context", cwd=shop).stdout):
        assert "MEMORY.md holds all of it" in command
    assert "The port is 8080" in run("inject", "--project", ".", cwd=shop, OPENCODE="1").stdout  # which does not read it


def test_a_folder_that_cannot_be_cleaned_is_named_and_keeps_us_in_no_other_file(shop: Path, home: Path) -> None:
    place, settings = home / ".claude" / "projects" / "-linked" / "memory", home / ".claude" / "settings.json"
    place.mkdir(parents=True)
    claude_topics.write(claude_memory.MemoryFolder(str(place), loaded=True), [], {"decisions.md": "- We deploy on Mondays\n"})
    (place / "MEMORY.md").symlink_to(home / "elsewhere.md")
    run("install", "--claude-code", cwd=shop)
    for words, calls in ((["--dry-run"], True), ([], False)):
        done = run("uninstall", *words, cwd=shop)
        assert (done.returncode, "MEMORY.md cannot be read" in done.stderr) == (1, True)
        assert (settings.exists() and "psychmem-hook" in settings.read_text()) == calls
    assert os.listdir(place) == ["MEMORY.md"]


def test_an_editor_that_is_named_needs_no_terminal_and_no_agent_starts_it(port: str, shop: Path) -> None:
    run("edit", port, cwd=shop, EDITOR="sed -i 's/.* 8080/#port is 8081/'")
    run("edit", port, cwd=shop, EDITOR="sed -i s/8081/8082/")
    assert told("show", port, cwd=shop)["text"] == "#port is 8082"
    run("edit", port, cwd=shop, EDITOR="sh -c 'kill -9 $PPID'")  # as by a terminal that is closed
    assert len(left := [*Path(os.environ["PSYCHMEM_HOME"]).glob("edit-*")]) == 1
    run("forget", remembered(shop, "The host is kiwi"), "--purge", "--yes", cwd=shop)
    assert not left[0].exists()
    for place in ({"EDITOR": "false", "CLAUDECODE": "1"}, {"EDITOR": "", "VISUAL": ""}):
        assert run("edit", port, cwd=shop, **place).returncode == 2


def test_a_backfill_counts_what_it_read_and_not_what_is_there(shop: Path, home: Path) -> None:
    past(home, str(shop), *["From now on always run the migrations with make migrate, never by hand."] * 2)
    dry = told("backfill", "--dry-run", cwd=shop)
    assert told("backfill", "--dry-run", "--project", str(home), cwd=shop)["conversations"] == 0
    assert (dry["conversations"], dry["read"], dry["kept"], dry["by_project"]) == (2, 2, 1, {"shop": 1})
    assert "shop  1 kept" in run("backfill", cwd=shop).stdout
    again = told("backfill", cwd=shop)
    assert (again["conversations"], again["read"], again["kept"]) == (2, 0, 0)


def test_what_waits_is_sorted_in_one_step(shop: Path) -> None:
    texts = ("Always squash before merging", "Never use tabs in the Makefile")
    run("import", "-", cwd=shop, stdin="".join(json.dumps({"text": text, "class": "constraint"}) + "\n" for text in texts))
    keep, drop = (row["id"] for row in told("review", cwd=shop))
    assert run("sort", keep, "--drop", drop, cwd=shop, CLAUDECODE="1").returncode == 1
    assert run("sort", keep, "--drop", "ffffffff", cwd=shop).returncode == 1
    assert len(told("review", cwd=shop)) == 2  # all or none
    done = told("sort", keep, "--drop", drop, cwd=shop)
    assert ([one["id"] for one in done["kept"]], [one["id"] for one in done["dropped"]]) == ([keep], [drop])
    assert told("review", cwd=shop) == []
    run("undo", cwd=shop)
    assert len(told("review", cwd=shop)) == 2


def test_context_is_what_the_next_session_gets_and_what_has_no_room_is_told(port: str, shop: Path) -> None:
    found = told("context", cwd=shop)
    assert found["text"] == told("inject", "--project", ".", cwd=shop)["brief"]
    (line,) = found["lines"]
    assert (line["id"], line["why"]) == (port, "decisions")
    assert 0 < line["tokens"] < found["tokens"]
    assert "does not fit so few characters" in run("inject", "--budget", "20", cwd=shop).stderr
    assert "max_session_memories is 0" in run("inject", cwd=shop, PSYCHMEM_MAX_SESSION_MEMORIES="0").stderr
    assert run("inject", "--budget", "-5", cwd=shop).returncode == 2


@pytest.mark.parametrize("words", cases("cli", "options that do not go together"))
def test_options_that_do_not_go_together_are_refused(words: list[str], shop: Path) -> None:
    assert run(*words, cwd=shop).returncode == 2


def test_a_search_is_narrowed_like_a_list_and_ordered_by_what_is_left_where_asked_for(shop: Path) -> None:
    for number in range(4):
        remembered(shop, f"The port of shard {number} is 80{number:02}", "--project", ".")
    tagged = remembered(shop, "The port of the gateway is 443", "--project", ".", "--tag", "net")
    pinned = remembered(shop, "Every port is written down in ports.md", "--user")
    run("pin", pinned, cwd=shop)
    for option, expected in ((["--tag", "net"], tagged), (["--user"], pinned), (["--pinned"], pinned)):
        assert [row["id"] for row in told("search", "port", "-n", "1", *option, cwd=shop)] == [expected]
    weak = remembered(shop, "Kites fly over the kite field with kites", "--class", "semantic")
    strong = remembered(shop, "A kite needs wind", "--class", "semantic")
    for _ in range(3):
        told("good", strong, cwd=shop)
    assert [row["id"] for row in told("search", "kite field", "--sort", "strength", cwd=shop)] == [strong, weak]


def test_what_was_forgotten_and_is_said_again_is_not_told_as_kept(shop: Path, home: Path) -> None:
    rule = "We deploy the shop on Fridays only."
    tried = Conversation(shop, "s0")
    tried.types(rule)
    assert "kept: 1 (dry run" in run("extract", "--dry-run", cwd=shop, stdin=json.dumps(tried.payload("Stop"))).stdout
    used = tried.payload("PostToolUse", tool_name="Bash", tool_input={"command": "true"})
    assert run("log", "--dry-run", cwd=shop, stdin=json.dumps(used)).stdout == "would note a call of Bash\n"
    settle()
    assert told("list", cwd=shop) == []
    for session, kept in (("s1", 1), ("s2", 0)):
        talk = Conversation(shop, session)
        talk.types(rule)
        found = told("extract", "--transcript", str(talk.transcript), cwd=shop)
        assert len(found["kept"]) == kept
        for row in told("list", cwd=shop):
            run("forget", row["id"], cwd=shop)
    assert [row["reason"] for row in found["rejected"]] == ["forgotten"]
    assert "forgotten" in run("why", "--not", rule, cwd=shop).stdout
    (memory,) = told("list", "--status", "all", cwd=shop)
    run("forget", memory["id"], "--purge", "--yes", cwd=shop)
    assert rule.encode() not in b"".join(path.read_bytes() for path in (home / "psychmem").rglob("*") if path.is_file())


def test_what_would_be_said_of_a_remote_or_a_judge_is_said_in_json_too(shop: Path, tmp_path: Path) -> None:
    assert "There is no remote" in run("sync", "--dry-run", cwd=shop).stdout
    assert told("remote", "add", "home", str(tmp_path), "--dry-run", cwd=shop)["dry_run"]
    assert (told("remote", "list", cwd=shop), told("judge", "--dry-run", cwd=shop)) == ([], {})
    assert run("sync", cwd=shop).returncode == 0
    assert not list(data().glob("*.device"))  # without remotes this is no device, and no hook looks for any
    assert told("judge", "--with", "true", "--dry-run", cwd=shop)["dry_run"]
    assert (told("judge", "--with", "true", cwd=shop)["by"], told("judge", "--off", cwd=shop)["by"]) == ("command", "")
    run("remote", "add", "gone", f"file://{tmp_path}/none", cwd=shop)
    done = run("sync", "--json", cwd=shop)
    assert (done.returncode, done.stderr) == (1, f"gone: {json.loads(done.stdout)[0]['fault']}\n")


def test_what_is_tried_out_goes_by_the_settings_of_the_hooks(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps({"id": "m", "role": "user", "text": "Never push to the release branch."})

    def tried() -> tuple[list[str], str]:
        (swept,) = run("sweep", "-", cwd=shop, stdin=line).stdout.splitlines()
        return [one["store"] for one in json.loads(swept)["memories"]], run("why", "--not", "never push to main", cwd=shop).stdout

    stores, judged = tried()
    assert stores == ["stm"]
    assert "it would be kept (rule)" in judged
    monkeypatch.setenv("PSYCHMEM_LONG_TERM_CLASSES", "constraint")
    assert tried()[0] == ["ltm"]
    monkeypatch.setenv("PSYCHMEM_CONFIDENCE_THRESHOLD", "0.9")
    stores, judged = tried()
    assert stores == []
    assert "it would be pending until said again" in judged


def days(row: dict[str, Any]) -> float:
    """How long a memory lives from its making."""
    return round((moment(row["expires_at"]) - moment(row["created_at"])) / 86_400, 1)


def test_a_restatement_brings_its_metadata_and_an_import_checks_them(tmp_path: Path) -> None:
    goal = ("remember", "Finish the auth refactor", "--class", "objective", "--user")
    first = told(*goal, "--metadata", "status=pending", cwd=tmp_path)["id"]
    again = run("remember", goal[1], "--user", "--metadata", "status=done", PSYCHMEM_STRICT_METADATA="yes", cwd=tmp_path)
    assert (again.stderr, told("show", first, cwd=tmp_path)["metadata"]["status"]) == ("", "done")
    assert [one["id"] for one in told("list", "status:done", cwd=tmp_path)] == [first]
    fields = {"status": "nope", "blockers": ["design", "keys"]}
    row = {"text": "Ship the mirror", "class": "objective", "metadata": fields, "scope": "user"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    done = run("import", str(tmp_path / "rows.jsonl"), cwd=tmp_path)
    assert ("status cannot be 'nope'" in done.stderr, len(told("list", "blockers:keys", cwd=tmp_path))) == (True, 1)


def test_a_type_of_the_roadmap_stays_known_under_its_name_and_brings_its_life_span(tmp_path: Path) -> None:
    for name, span in (("context", 7.0), ("history", 60.0), ("objective", 30.0)):
        assert days(told("remember", f"Reading the importer, a {name}", "--class", name, "--project", ".", cwd=tmp_path)) == span
    for name, text in (("history", "Fixed the mirror"), ("context", "Working on the search page")):
        run("remember", text, "--class", name, "--user", cwd=tmp_path)
    row = {"text": "The mirror was moved", "class": "context", "scope": "user"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    run("import", str(tmp_path / "rows.jsonl"), cwd=tmp_path)
    rows = told("list", "tag:context", cwd=tmp_path)
    texts = {"Working on the search page", "The mirror was moved", "Reading the importer, a context"}
    assert ({one["text"] for one in rows}, {days(one) for one in rows}) == (texts, {7.0})


def test_metadata_that_was_entered_is_searched_for_and_edited_a_field_at_a_time_and_so_is_an_end(shop: Path) -> None:
    told("remember", "Prefer Sonnet for reviews", "--class", "preference", "--metadata", "domain=model", cwd=shop)
    told("remember", "Prefer short functions", "--class", "preference", "--metadata", "domain=style", cwd=shop)
    assert [row["text"] for row in told("search", "meta:domain=model", cwd=shop)] == ["Prefer Sonnet for reviews"]
    assert [row["metadata"] for row in told("search", "prefer meta:domain=style", cwd=shop)] == [{"domain": "style"}]
    fields = ("--metadata", "status=pending", "--metadata", "blockers=review")
    kept = told("remember", "Ship the importer", "--class", "objective", *fields, cwd=shop)
    edited = told("edit", kept["id"], "--metadata", "status=done", cwd=shop)["metadata"]
    assert edited == {"status": "done", "blockers": "review"}
    assert told("edit", kept["id"], "--metadata", "blockers=", cwd=shop)["metadata"] == {"status": "done"}
    kept = told("remember", "The staging host is down", "--class", "semantic", "--until", "3 days", cwd=shop)
    assert (days(kept), days(told("edit", kept["id"], "--until", "5 days", cwd=shop))) == (3.0, 5.0)
    done = run("remember", "It is over", "--until", "2020-01-01", cwd=shop)
    assert (done.returncode, "over already" in done.stderr) == (2, True)


def test_tiers_count_in_search_and_lists_are_sorted_paged_and_kept_to_one(shop: Path) -> None:
    words = ("red", "blue", "old", "new")
    kept = {word: remembered(shop, f"The {word} kite flies on Mondays", "--class", "semantic") for word in words}
    told("edit", kept["old"], "--tier", "deprecated", cwd=shop)
    told("edit", kept["blue"], "--tier", "constitutional", cwd=shop)
    assert [row["id"] for row in told("search", "red kite Mondays", cwd=shop)][:2] == [kept["blue"], kept["red"]]
    assert [row["id"] for row in told("search", "kite tier:deprecated", cwd=shop)] == [kept["old"]]
    assert [row["id"] for row in told("list", "--tier", "constitutional", cwd=shop)] == [kept["blue"]]
    assert [row["id"] for row in told("list", "--sort", "updated", "--limit", "1", cwd=shop)] == [kept["blue"]]
    sizes = (["-n", "0"], ["--offset", "1", "-n", "2"], ["-n", str(10**20)], ["--offset", str(10**20)])
    fitting = [[row["id"] for row in told("list", "kite", *words, cwd=shop)] for words in sizes]
    assert fitting[1:] == [fitting[0][1:3], fitting[0], []]
    assert told("sessions", "-n", str(10**20), cwd=shop) == []
    page = run("list", "--offset", "1", "--limit", "2", cwd=shop).stdout.splitlines()
    assert (len(page), page[-1]) == (4, "1 more; `-n 0` shows all.")


def test_a_touch_tells_the_score_before_and_after(shop: Path) -> None:
    kept = told("remember", "The kite flies on Mondays", "--class", "semantic", cwd=shop)
    touched = told("touch", kept["id"], cwd=shop)
    assert 0 < touched["old_score"] < touched["new_score"]
    assert "->" in run("touch", kept["id"], cwd=shop).stdout


def test_a_search_follows_links_one_step_and_what_was_built_on_a_forgotten_memory_is_named(shop: Path) -> None:
    cause = told("remember", "The importer wrote each row on its own", "--class", "learning", cwd=shop)
    fix = told("remember", "Batched inserts made nightly loads fast", "--class", "bugfix", cwd=shop)
    assert run("link", cause["id"], fix["id"], "--type", "caused", cwd=shop).returncode == 0
    assert [row["id"] for row in told("search", "batched inserts", cwd=shop)] == [fix["id"]]
    followed = told("search", "batched inserts", "--follow", cwd=shop)
    assert [(row["id"], row.get("linked")) for row in followed] == [(fix["id"], None), (cause["id"], "caused by")]
    ground = told("remember", "The shop runs on one server", "--class", "semantic", cwd=shop)
    built = told("remember", "Sessions are kept in memory", "--class", "decision", cwd=shop)
    assert run("link", built["id"], ground["id"], "--type", "derives_from", cwd=shop).returncode == 0
    done = run("forget", ground["id"], "--dry-run", cwd=shop)
    assert f"{built['id'][:8]} was built on it and stays" in done.stderr


def test_settings_under_another_program_s_names_are_understood_and_what_nothing_reads_is_told(shop: Path, home: Path) -> None:
    config = home / "psychmem" / "config" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[sweep]\nmaxMemoriesPerStop = 3\nscoringWeights = { recency = 0.1 }\n")
    rows = {row["key"].split(".")[-1]: row["value"] for row in told("config", cwd=shop)}
    assert rows == {"max_memories_per_stop": 3, "w_recency": 0.1}
    looked = run("doctor", cwd=shop, PSYCHMEM_TYPO="1", HOT_THRESHOLD="0.8", PATH_THRESHOLD="1").stdout
    named = {"PSYCHMEM_TYPO", "HOT_THRESHOLD"}
    assert {name for name in (*named, "PATH_THRESHOLD") if name in looked} == named
    assert "no such setting" not in run("doctor", cwd=shop, PSYCHMEM_STM_HALF_LIFE_D="5").stdout
