from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory.clusters import LINK, clusters
from psychmem_py.model.terms import Kind, Scope
from psychmem_py.text.tokenizer import overlap, subject
from tests.memories_made import made

WORDS = "import nightly dump bucket staging deploy queue cache index table column worker".split()
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=12)


def test_near_duplicates_are_a_group_and_others_are_in_none() -> None:
    first = made("The nightly importer reads its dump from the staging bucket", Kind.SEMANTIC, strength=0.4)
    again = made("The nightly importer reads the dump from our staging bucket", Kind.SEMANTIC, strength=0.6)
    other = made("Deploys go out on Mondays", Kind.SEMANTIC)
    (found,) = clusters([first, again, other])
    assert found.memories == (again, first)
    assert found.cohesion >= LINK


def test_another_class_and_another_project_say_it_for_themselves() -> None:
    text = "The nightly importer reads its dump from the staging bucket"
    kinds = [made(text, Kind.SEMANTIC), made(text, Kind.DECISION)]
    places = [made(text, Kind.SEMANTIC, scope=Scope.PROJECT, project=name) for name in ("dir:/a", "dir:/b")]
    assert clusters(kinds) == clusters(places) == []


@given(TEXTS)
def test_groups_are_those_that_looking_at_every_pair_would_give(texts: list[str]) -> None:
    memories = [made(text, Kind.SEMANTIC) for text in texts]
    groups = {memory.id: {memory.id} for memory in memories}
    for one, other in combinations(memories, 2):
        if overlap(subject(one.text), subject(other.text)) >= LINK:
            joined = groups[one.id] | groups[other.id]
            for key in joined:
                groups[key] = joined
    wanted = {frozenset(group) for group in groups.values() if len(group) > 1}
    assert {frozenset(one.id for one in found.memories) for found in clusters(memories)} == wanted
