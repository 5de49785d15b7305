"""Metadata, ends, tiers and scores at the command line: what can be entered can be asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from psychmem_py.text.dates import moment
from tests.test_cli import run


def told(shop: Path, *words: str, **env: str) -> Any:
    done = run(*words, "--json", cwd=shop, **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def days(row: dict[str, Any]) -> float:
    """How long a memory lives from its making."""
    return round((moment(row["expires_at"]) - moment(row["created_at"])) / 86_400, 1)


def test_a_restatement_brings_its_metadata_and_an_import_checks_them(tmp_path: Path) -> None:
    goal = ("remember", "Finish the auth refactor", "--class", "objective", "--user")
    first = json.loads(run(*goal, "--metadata", "status=pending", "--json", cwd=tmp_path).stdout)["id"]
    run(*goal, "--metadata", "status=done", cwd=tmp_path)
    assert json.loads(run("show", first, "--json", cwd=tmp_path).stdout)["metadata"]["status"] == "done"
    assert [one["id"] for one in json.loads(run("list", "status:done", "--json", cwd=tmp_path).stdout)] == [first]
    row = {"text": "Ship the mirror", "class": "objective", "metadata": {"status": "nope"}, "scope": "user"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    done = run("import", str(tmp_path / "rows.jsonl"), cwd=tmp_path)
    assert "status cannot be 'nope'" in done.stderr


def test_a_type_of_the_roadmap_stays_known_under_its_name(tmp_path: Path) -> None:
    for name, text in (("history", "Fixed the mirror"), ("context", "Working on the search page")):
        run("remember", text, "--class", name, "--user", cwd=tmp_path)
    row = {"text": "The mirror was moved", "class": "context", "scope": "user"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    run("import", str(tmp_path / "rows.jsonl"), cwd=tmp_path)
    rows = json.loads(run("list", "tag:context", "--json", cwd=tmp_path).stdout)
    assert {one["text"] for one in rows} == {"Working on the search page", "The mirror was moved"}
    spans = {round((moment(one["expires_at"]) - moment(one["created_at"])) / 86_400) for one in rows}
    assert spans == {7}


def test_metadata_that_was_entered_is_searched_for(shop: Path) -> None:
    told(shop, "remember", "Prefer Sonnet for reviews", "--class", "preference", "--metadata", "domain=model")
    told(shop, "remember", "Prefer short functions", "--class", "preference", "--metadata", "domain=style")
    assert [row["text"] for row in told(shop, "search", "meta:domain=model")] == ["Prefer Sonnet for reviews"]
    assert [row["metadata"] for row in told(shop, "search", "prefer meta:domain=style")] == [{"domain": "style"}]


def test_an_edit_sets_one_field_and_leaves_the_others(shop: Path) -> None:
    kept = told(
        shop,
        "remember",
        "Ship the importer",
        "--class",
        "objective",
        "--metadata",
        "status=pending",
        "--metadata",
        "blockers=review",
    )
    assert told(shop, "edit", kept["id"], "--metadata", "status=done")["metadata"] == {"status": "done", "blockers": "review"}
    assert told(shop, "edit", kept["id"], "--metadata", "blockers=")["metadata"] == {"status": "done"}


def test_a_memory_with_an_end_expires_then(shop: Path) -> None:
    kept = told(shop, "remember", "The staging host is down", "--class", "semantic", "--until", "3 days")
    assert days(kept) == 3.0
    assert days(told(shop, "edit", kept["id"], "--until", "5 days")) == 5.0
    done = run("remember", "It is over", "--until", "2020-01-01", cwd=shop)
    assert (done.returncode, "over already" in done.stderr) == (2, True)


@pytest.mark.parametrize(("name", "span"), [("context", 7.0), ("history", 60.0), ("objective", 30.0)])
def test_a_name_of_the_roadmap_brings_its_life_span(shop: Path, name: str, span: float) -> None:
    assert days(told(shop, "remember", f"Reading the importer, a {name}", "--class", name)) == span


def test_tiers_count_in_search(shop: Path) -> None:
    kept = {
        word: told(shop, "remember", f"The {word} kite flies on Mondays", "--class", "semantic")["id"]
        for word in ("red", "blue", "old")
    }
    told(shop, "edit", kept["blue"], "--tier", "constitutional")
    told(shop, "edit", kept["old"], "--tier", "deprecated")
    assert [row["id"] for row in told(shop, "search", "red kite Mondays")] == [kept["blue"], kept["red"]]
    assert [row["id"] for row in told(shop, "search", "kite tier:deprecated")] == [kept["old"]]


def test_a_list_is_sorted_paged_and_kept_to_a_tier(shop: Path) -> None:
    kept = [
        told(shop, "remember", f"Kite number {name} flies", "--class", "semantic")["id"] for name in ("seven", "nine", "twelve")
    ]
    told(shop, "edit", kept[0], "--tier", "critical")
    assert [row["id"] for row in told(shop, "list", "--tier", "critical")] == [kept[0]]
    assert [row["id"] for row in told(shop, "list", "--sort", "updated", "--limit", "1")] == [kept[0]]
    assert len(told(shop, "list", "--offset", "1", "--limit", "5")) == 2


def test_a_touch_tells_the_score_before_and_after(shop: Path) -> None:
    kept = told(shop, "remember", "The kite flies on Mondays", "--class", "semantic")
    touched = told(shop, "touch", kept["id"])
    assert 0 < touched["old_score"] < touched["new_score"]
    assert "->" in run("touch", kept["id"], cwd=shop).stdout


def test_a_variable_that_nothing_reads_is_told(shop: Path) -> None:
    assert "PSYCHMEM_TYPO" in run("doctor", cwd=shop, PSYCHMEM_TYPO="1").stdout
    assert "no such setting" not in run("doctor", cwd=shop, PSYCHMEM_STM_HALF_LIFE_D="5").stdout


def test_a_search_follows_links_one_step(shop: Path) -> None:
    cause = told(shop, "remember", "The importer wrote each row on its own", "--class", "learning")
    fix = told(shop, "remember", "Batched inserts made nightly loads fast", "--class", "bugfix")
    assert run("link", cause["id"], fix["id"], "--type", "caused", cwd=shop).returncode == 0
    assert [row["id"] for row in told(shop, "search", "batched inserts")] == [fix["id"]]
    followed = told(shop, "search", "batched inserts", "--follow")
    assert [(row["id"], row.get("linked")) for row in followed] == [(fix["id"], None), (cause["id"], "caused by")]


def test_a_search_is_ordered_by_what_is_left(shop: Path) -> None:
    weak = told(shop, "remember", "Kites fly over the kite field with kites", "--class", "semantic")
    strong = told(shop, "remember", "A kite needs wind", "--class", "semantic")
    for _ in range(3):
        told(shop, "good", strong["id"])
    assert [row["id"] for row in told(shop, "search", "kite field", "--sort", "strength")] == [strong["id"], weak["id"]]


def test_what_was_built_on_a_forgotten_memory_is_named(shop: Path) -> None:
    ground = told(shop, "remember", "The shop runs on one server", "--class", "semantic")
    built = told(shop, "remember", "Sessions are kept in memory", "--class", "decision")
    assert run("link", built["id"], ground["id"], "--type", "derives_from", cwd=shop).returncode == 0
    done = run("forget", ground["id"], "--dry-run", cwd=shop)
    assert f"{built['id'][:8]} was built on it and stays" in done.stderr


def test_true_mem_s_table_of_settings_is_understood(shop: Path, home: Path) -> None:
    config = home / "psychmem" / "config" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[sweep]\nmaxMemoriesPerStop = 3\nscoringWeights = { recency = 0.1 }\n")
    rows = {row["key"].split(".")[-1]: row["value"] for row in told(shop, "config", "show")}
    assert (rows["max_memories_per_stop"], rows["w_recency"]) == (3, 0.1)
