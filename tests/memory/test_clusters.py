from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory.clusters import BY_WORDS, Cluster, by_words, clusters
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import Kind, Scope
from psychmem_py.text.tokenizer import overlap, subject
from tests.memories_made import made

WORDS = "import nightly dump bucket staging deploy queue cache index table column worker".split()
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=12)


def grouped(memories: list[Memory]) -> list[Cluster]:
    return clusters(memories, by_words(memories))


def test_statements_that_say_the_same_in_other_words_are_groups_and_others_are_in_none() -> None:
    groups = [
        ["Feature flags live in flags.yaml", "flags.yaml holds the feature flags"],
        ["Invoices are rendered by wkhtmltopdf", "wkhtmltopdf renders our invoices"],
        ["Logs are kept for thirty days in Loki", "Loki keeps the logs thirty days"],
        ["The staging database runs on host heron", "heron is the host of the staging database"],
        ["The API answers in UTC timestamps", "All timestamps of the API are UTC"],
    ]
    alone = ["Invoices are numbered per year", "The API is versioned by header", "Logs of the worker go to stdout"]
    memories = [made(text, Kind.SEMANTIC) for text in [*(text for group in groups for text in group), *alone]]
    assert {frozenset(one.text for one in found.memories) for found in grouped(memories)} == set(map(frozenset, groups))


def test_near_duplicates_are_a_group_and_others_are_in_none() -> None:
    first = made("The nightly importer reads its dump from the staging bucket", Kind.SEMANTIC, strength=0.4)
    again = made("The nightly importer reads the dump from our staging bucket", Kind.SEMANTIC, strength=0.6)
    other = made("Deploys go out on Mondays", Kind.SEMANTIC)
    (found,) = grouped([first, again, other])
    assert found.memories == (again, first)
    assert found.cohesion >= BY_WORDS.link


def test_another_class_and_another_project_say_it_for_themselves() -> None:
    text = "The nightly importer reads its dump from the staging bucket"
    kinds = [made(text, Kind.SEMANTIC), made(text, Kind.DECISION)]
    places = [made(text, Kind.SEMANTIC, scope=Scope.PROJECT, project=name) for name in ("dir:/a", "dir:/b")]
    assert grouped(kinds) == grouped(places) == []


@given(TEXTS)
def test_groups_are_those_that_looking_at_every_pair_would_give(texts: list[str]) -> None:
    memories = [made(text, Kind.SEMANTIC) for text in texts]
    groups = {memory.id: {memory.id} for memory in memories}
    for one, other in combinations(memories, 2):
        if overlap(subject(one.text), subject(other.text)) >= BY_WORDS.link:
            joined = groups[one.id] | groups[other.id]
            for key in joined:
                groups[key] = joined
    wanted = {frozenset(group) for group in groups.values() if len(group) > 1}
    assert {frozenset(one.id for one in found.memories) for found in grouped(memories)} == wanted
