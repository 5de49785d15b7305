"""What two statements are to each other, and groups of those that say the same."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.memory.compare import Relation, clusters, compared, repeated, taken_back
from psychmem_py.memory.mentions import subject_of
from psychmem_py.model.records import RULES, Kind, Scope
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.text.likeness import LINKED, overlap
from psychmem_py.text.tokenizer import subject
from tests.data import holds
from tests.memories_made import made

LIMITS = DEFAULTS.reconcile
KINDS = {"C": Kind.CONSTRAINT, "D": Kind.DECISION, "S": Kind.SEMANTIC}


BESIDE = (Relation.RELATED, Relation.OTHER, Relation.AGAIN)


def related(new: str, known: str, kind: Kind = Kind.SEMANTIC) -> Relation:
    return compared(new, known, kind, LIMITS).relation


def changed(row: str) -> Relation:
    known, new, kind = (text.strip() for text in row.split("|"))
    return related(new, known, KINDS[kind])


test_two_statements = holds("memory", {
    "similar statements that must both stay": lambda new, known, kind: (related(new, known, kind) in BESIDE, True),
    "a changed value is seen": lambda new, known, kind, cue: (
        (related(new, known, kind), compared(new, known, kind, LIMITS).cue), (Relation.CHANGED, cue),
    ),
    "the same in other letters": lambda new, known, kind: (related(new, known, kind), Relation.SAME),
    "a fuller wording is the same statement": lambda new, known, kind: (
        (related(new, known, kind), related(known, new, kind)), (Relation.WIDER, Relation.SAME),
    ),
    "one tells all of the other, among more": lambda new, known: (
        {related(*pair, kind) for kind in RULES for pair in ((new, known), (known, new))}, {Relation.AGAIN},
    ),
    "rules that cannot both be followed": lambda new, known, opposite: (
        related(new, known, Kind.PREFERENCE) is Relation.OPPOSITE, opposite,
    ),
    "rules that differ in an object or a circumstance are two": lambda one, other: (
        {related(*pair, kind) for kind in RULES for pair in ((one, other), (other, one))} - {*BESIDE}, set(),
    ),
    "a changed value replaces the old one": lambda row: (changed(row), Relation.CHANGED),
    "a sentence takes a rule back": lambda said, rule, ends: (bool(taken_back(said, [made(rule, project="p")])), ends),
    "a sentence says again what is known": lambda said, known, again: ([one.text for one in repeated(said, [made(known), made("The port is 8080")])] == [known], again),
    "statements about different names are two": lambda one, other: (
        {related(one, other), related(other, one)} & {Relation.SAME, Relation.WIDER, Relation.CHANGED}, set(),
    ),
})  # fmt: skip


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(list(Kind)))
def test_any_two_texts_can_be_compared(new: str, known: str, kind: Kind) -> None:
    assert 0 <= compared(new, known, kind, LIMITS).similarity <= 1


@given(st.text(min_size=1, max_size=80), st.sampled_from(list(Kind)))
def test_a_text_is_the_same_as_itself(text: str, kind: Kind) -> None:
    assert compared(text, text, kind, LIMITS).relation is Relation.SAME


def test_one_name_in_two_spellings_is_one() -> None:
    found = compared("the pre-commit hook is slow on Windows", "the precommit hook is slow on Windows", Kind.SEMANTIC, LIMITS)
    assert found.relation in (Relation.SAME, Relation.WIDER, Relation.RELATED)


WORDS = "import nightly dump bucket staging deploy queue cache index table column worker".split()
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=12)


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
    assert {frozenset(one.text for one in found.memories) for found in clusters(memories)} == set(map(frozenset, groups))


def test_near_duplicates_are_a_group_within_a_class_and_a_project() -> None:
    first = made("The nightly importer reads its dump from the staging bucket", Kind.SEMANTIC, strength=0.4)
    again = made("The nightly importer reads the dump from our staging bucket", Kind.SEMANTIC, strength=0.6)
    other = made("Deploys go out on Mondays", Kind.SEMANTIC)
    (found,) = clusters([first, again, other])
    assert found.memories == (again, first)
    assert found.cohesion >= LINKED
    text = "The nightly importer reads its dump from the staging bucket"
    kinds = [made(text, Kind.SEMANTIC), made(text, Kind.DECISION)]
    places = [made(text, Kind.SEMANTIC, scope=Scope.PROJECT, project=name) for name in ("dir:/a", "dir:/b")]
    assert clusters(kinds) == clusters(places) == []


@given(TEXTS)
def test_groups_are_those_that_looking_at_every_pair_would_give(texts: list[str]) -> None:
    memories = [made(text, Kind.SEMANTIC) for text in texts]
    groups = {memory.id: {memory.id} for memory in memories}
    for one, other in combinations(memories, 2):
        if overlap(subject(one.text), subject(other.text)) >= LINKED:
            joined = groups[one.id] | groups[other.id]
            for key in joined:
                groups[key] = joined
    wanted = {frozenset(group) for group in groups.values() if len(group) > 1}
    assert {frozenset(one.id for one in found.memories) for found in clusters(memories)} == wanted


def speaks(about: str, text: str, *others: str) -> bool:
    return subject_of(about, [text, *others]).is_in(text)


def speaking(about: str, texts: list[str]) -> list[str]:
    subject = subject_of(about, texts)
    return [text for text in texts if subject.is_in(text)]


test_a_text_that_may_speak_of_it = holds("memory", {
    "a text that speaks of it": lambda about, text: (speaks(about, text), True),
    "a text that does not": lambda about, text: (speaks(about, text), False),
    "which of several texts speak of it": lambda about, speak, others: (speaking(about, [*speak, *others]), speak),
    "words around a name are no part of it": lambda about, text: (speaks(about, text), True),
    "what is like a name is none": lambda about, text: (speaks(about, text), False),
    "however it is asked for": lambda about, text: (speaks(about, text, "Ole drives a lorry"), True),
})  # fmt: skip


def test_another_number_is_another_thing():
    assert not subject_of("invoice 2024-117", []).is_in("Invoice 2024-118 is paid")
    assert subject_of("invoice 2024-117", []).is_in("invoice 2024/117 went to Globex")
