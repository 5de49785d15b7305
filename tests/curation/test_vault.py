"""Promotion that leaves something: a note in a vault, the memory told where it is, and an earlier place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.test_cli import run


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    place = tmp_path / "Notes"
    place.mkdir()
    return place


def kept(cwd: Path, *words: str) -> str:
    return str(json.loads(run("remember", *words, "--json", cwd=cwd).stdout)["id"])


def test_a_promoted_memory_becomes_a_note_with_links(tmp_path: Path, vault: Path) -> None:
    cause = kept(tmp_path, "The importer wrote each row: slowly", "--user")
    fix = kept(tmp_path, "Batched inserts made nightly loads fast", "--user", "--tag", "loads")
    assert run("link", cause, fix, "--type", "caused", cwd=tmp_path).returncode == 0
    assert "would write" in run("promote", fix, "--vault", str(vault), "--dry-run", cwd=tmp_path).stdout
    assert list(vault.rglob("*.md")) == []
    done = run("promote", fix, cause, "--vault", str(vault), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    notes = {path.stem[-8:]: path for path in (vault / "STM").glob("*.md")}
    text = notes[fix[:8]].read_text()
    assert text.startswith(f'---\nid: "{fix}"\n')
    assert '"loads"' in text
    assert f"- [[{notes[cause[:8]].stem}]] caused this" in text
    shown = json.loads(run("show", fix, "--json", cwd=tmp_path).stdout)
    assert shown["status"] == "promoted"
    assert shown["metadata"]["promoted_to"] == str(notes[fix[:8]])
    assert shown["metadata"]["promoted_at"]


def test_after_a_vault_was_named_once_whatever_is_promoted_gets_its_note_there(tmp_path: Path, vault: Path) -> None:
    first, second, third = (
        kept(tmp_path, text, "--user") for text in ("Loads run at night", "Heron hosts staging", "Flags are in YAML")
    )
    assert run("promote", first, cwd=tmp_path).returncode == 0
    assert list(vault.rglob("*.md")) == []
    assert run("promote", second, "--vault", str(vault), cwd=tmp_path).returncode == 0
    assert run("promote", third, cwd=tmp_path).returncode == 0
    assert run("promote", first, cwd=tmp_path).returncode == 0  # promoted before there was a vault
    assert {path.stem[-8:] for path in vault.rglob("*.md")} == {one[:8] for one in (first, second, third)}


def test_the_other_end_of_a_link_tells_it_from_its_side(tmp_path: Path, vault: Path) -> None:
    cause, effect = kept(tmp_path, "The importer wrote each row", "--user"), kept(tmp_path, "Nightly loads were slow", "--user")
    assert run("link", cause, effect, "--type", "caused", cwd=tmp_path).returncode == 0
    assert run("promote", cause, effect, "--vault", str(vault), cwd=tmp_path).returncode == 0
    notes = {path.stem[-8:]: path for path in vault.rglob("*.md")}
    assert f"- caused: [[{notes[effect[:8]].stem}]]" in notes[cause[:8]].read_text()
    assert f"- [[{notes[cause[:8]].stem}]] caused this" in notes[effect[:8]].read_text()


def test_what_is_not_our_note_is_never_written_to(tmp_path: Path, vault: Path) -> None:
    fact = kept(tmp_path, "Batched inserts made nightly loads fast", "--user")
    there = vault / "STM" / f"Batched inserts made nightly loads fast {fact[:8]}.md"
    there.parent.mkdir()
    there.write_text("mine")
    done = run("promote", fact, "--vault", str(vault), cwd=tmp_path)
    assert (done.returncode, there.read_text()) == (1, "mine")
    assert "not this memory's" in done.stderr
    assert json.loads(run("show", fact, "--json", cwd=tmp_path).stdout)["status"] == "active"


def test_an_undo_takes_back_the_promotion_and_where_its_note_is(tmp_path: Path, vault: Path) -> None:
    fact = kept(tmp_path, "Batched inserts made nightly loads fast", "--user")
    assert run("promote", fact, "--vault", str(vault), cwd=tmp_path).returncode == 0
    assert run("undo", cwd=tmp_path).returncode == 0
    shown = json.loads(run("show", fact, "--json", cwd=tmp_path).stdout)
    assert shown["status"] == "active"
    assert not {"promoted_to", "promoted_at"} & shown["metadata"].keys()


def test_a_text_full_of_signs_makes_a_plain_file_name(tmp_path: Path, vault: Path) -> None:
    fact = kept(tmp_path, "../../etc/passwd: [[link]] | never # read\tit", "--user")
    assert run("promote", fact, "--vault", str(vault), cwd=tmp_path).returncode == 0
    (note,) = vault.rglob("*.md")
    assert note.parent == vault / "STM"
    assert not set(note.name) & set("/[]|#:\t")


def test_what_was_promoted_comes_earlier_in_a_search(tmp_path: Path) -> None:
    first = kept(tmp_path, "Kites need wind to fly over fields", "--user")
    second = kept(tmp_path, "Kites need string to fly over hills", "--user")
    behind = json.loads(run("search", "kites fly", "--json", cwd=tmp_path).stdout)[1]["id"]
    assert behind in (first, second)
    run("promote", behind, cwd=tmp_path)
    assert json.loads(run("search", "kites fly", "--json", cwd=tmp_path).stdout)[0]["id"] == behind


def test_on_request_whatever_scores_low_is_collected_but_no_pin(tmp_path: Path) -> None:
    rule = kept(tmp_path, "Never deploy on a Friday", "--user", "--class", "constraint")
    pinned = kept(tmp_path, "Always write tests first", "--user", "--class", "constraint", "--pin")
    told = json.loads(run("gc", "--below", "9", "--json", cwd=tmp_path).stdout)
    assert [one["id"] for one in told["changed"]] == [rule]
    assert run("gc", "--below", "9", "--apply", cwd=tmp_path).returncode == 0
    left = [one["id"] for one in json.loads(run("list", "--json", cwd=tmp_path).stdout)]
    assert left == [pinned]
