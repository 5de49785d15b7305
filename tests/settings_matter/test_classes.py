"""The rights of a memory's class change what is seen, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.curation.remember import Entry, remember
from psychmem_py.extraction.sweep import sweep
from psychmem_py.memory import forgetting
from psychmem_py.model.classes import Policy
from psychmem_py.model.terms import Kind, Scope
from psychmem_py.store import search
from psychmem_py.store.matches import Question
from tests.memories_made import DAY_S, NOW
from tests.settings_matter.world import Row, World, matcher, message, seen

RIGHTS = {
    "scope": "project", "store": "ltm", "half_life_d": "2", "ttl_d": "3", "fades": "yes", "auto_promote": "yes", "utility": "0.1",
    "search_weight": "3",
}  # fmt: skip


def rights(world: World) -> tuple[object, float, list[Scope], float]:
    """What a new memory of the class gets, what is left of it later, and how well a search finds it."""
    act = world.act()
    one = remember(act, Entry("we like short names", Kind.PREFERENCE, project="dir:/w")).memory
    question = Question("short names", "dir:/w", NOW, class_weights=world.settings.search_weights)
    found = search.hits(act.db, question)[0].score
    later = NOW + 30 * DAY_S
    heard = sweep([message(0, "user", "I prefer short variable names.")], matcher(), world.settings)
    assert [verdict.candidate.kind for verdict in heard] == [Kind.PREFERENCE]
    return one._replace(id=""), forgetting.retrievability(one, later, world.settings), [v.candidate.scope for v in heard], found


def test_the_scope_of_a_class_counts_for_what_is_said_as_for_what_is_entered(tmp_path: Path) -> None:
    row = Row("project", lambda world: rights(world)[2])
    assert seen(row, tmp_path / "usual", {}) == [Scope.USER]
    assert seen(row, tmp_path / "other", {"class_preference_scope": "project"}) == [Scope.PROJECT]


@pytest.mark.parametrize("right", Policy._fields)
def test_a_class_s_right_changes_what_is_seen(right: str, tmp_path: Path) -> None:
    row = Row(RIGHTS[right], rights, {"model": "fsrs"} if right == "half_life_d" else {})
    usual = seen(row, tmp_path / "usual", row.besides)
    assert usual != seen(row, tmp_path / "other", {**row.besides, f"class_preference_{right}": row.value})
