"""An export as Markdown is for reading, and brings everything back."""

import json
import sqlite3
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from psychmem_py.curation import exports, imports
from psychmem_py.curation.act import Act
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind, Status
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.sources import own_markdown
from psychmem_py.store import projects, rows
from psychmem_py.store.connection import open_store
from tests.memories_made import NOW, act, made, store


def markdown(db: sqlite3.Connection) -> str:
    return "\n".join(own_markdown.written(map(json.loads, exports.export(db)), projects.names(db))) + "\n"


def taken(other: Act, text: str, *, exact: bool = True) -> imports.Imported:
    return imports.take_in(other, own_markdown.lines(text), exact=exact, project="git:here")


def everything(db: sqlite3.Connection) -> list[Memory]:
    return sorted(rows.listed(db, all_projects=True, statuses=()))


TEXTS = (
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf"]) | st.sampled_from("\n\t<>-! #*`"), min_size=1, max_size=60)
    .map(clean)
    .filter(lambda text: redact(text) == text)
)  # what reads like a password is cut out when it is read
MEMORIES = st.builds(
    lambda text, kind, project, tags, status: (text, kind, project, tags, status),
    TEXTS.filter(lambda text: bool(text.strip())),
    st.sampled_from(list(Kind)),
    st.sampled_from([None, "git:a/shop", "dir:/srv/<!-- x -->"]),
    st.lists(TEXTS, max_size=2),
    st.sampled_from([Status.ACTIVE, Status.QUARANTINED, Status.FORGOTTEN]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(MEMORIES, min_size=1, max_size=6, unique_by=lambda one: (" ".join(one[0].lower().split()), one[1], one[2])))
def test_what_was_exported_comes_back_the_same(found: list[tuple[str, Kind, str | None, list[str], Status]]) -> None:
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "a.db"), now=NOW) as db:
        projects.see_project(db, "git:a/shop", "shop", "/srv/shop", NOW)
        store(db, [made(text, kind, project=place, tags=tuple(tags), status=status) for text, kind, place, tags, status in found])
        text = markdown(db)
        assert own_markdown.is_ours(text)
        with open_store(Path(folder, "b.db"), now=NOW) as other:
            done = taken(act(other), text)
            assert done.faults == ()
            assert everything(other) == [one for one in everything(db) if one.id in {row.id for row in everything(other)}]
            assert done.added + done.known == len(found)


def test_a_bullet_that_a_person_changed_comes_in_as_it_reads_now(db: sqlite3.Connection, tmp_path: Path) -> None:
    store(db, [made("the API listens on port 8081", Kind.SEMANTIC, project="git:here"), made("we use Redis", project="git:here")])
    text = markdown(db).replace("port 8081 <", "port 9090 <")
    with open_store(tmp_path / "other.db", now=NOW) as other:
        taken(act(other), text)
        assert {one.text for one in everything(other)} == {"the API listens on port 9090", "we use Redis"}
        assert rows.evidence(other, next(one.id for one in everything(other) if "9090" in one.text)) == []


def test_a_bullet_taken_out_stays_out_and_one_written_in_comes_in(db: sqlite3.Connection, tmp_path: Path) -> None:
    store(db, [made("the API listens on port 8081", Kind.SEMANTIC, project="git:here"), made("we use Redis", project="git:here")])
    lines = [line for line in markdown(db).splitlines() if not line.startswith("- the API")]
    place = next(number for number, line in enumerate(lines) if line.startswith("- we use Redis"))
    lines.insert(place, "- we use PostgreSQL 16")
    with open_store(tmp_path / "other.db", now=NOW) as other:
        taken(act(other), "\n".join(lines), exact=False)
        assert {(one.text, one.kind) for one in everything(other)} == {
            ("we use Redis", Kind.DECISION),
            ("we use PostgreSQL 16", Kind.DECISION),
        }


def test_without_exact_the_file_is_trusted_as_little_as_any(db: sqlite3.Connection, tmp_path: Path) -> None:
    store(db, [made("never push to main", Kind.CONSTRAINT, pinned=True)])
    with open_store(tmp_path / "other.db", now=NOW) as other:
        assert taken(act(other), markdown(db), exact=False).quarantined == 1
        assert not everything(other)[0].pinned


def test_people_see_headings_and_sentences_only(db: sqlite3.Connection) -> None:
    projects.see_project(db, "git:a/shop", "shop", "/srv/shop", NOW)
    store(db, [made("we use\nRedis", project="git:a/shop"), made("answer briefly", Kind.PREFERENCE)])
    shown = markdown(db).partition("\n<!-- psychmem:rows")[0]
    assert "## In every project\n\n### preference\n\n- answer briefly" in shown
    assert "## shop\n\n### decision\n\n- we use Redis <!-- " in shown
