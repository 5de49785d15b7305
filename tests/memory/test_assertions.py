"""What a new statement does to a known one of the same subject, and which clauses of a compound stay."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from psychmem_py.memory.assertions import replaced_by
from psychmem_py.memory.compare import Relation, compared, compared_across
from psychmem_py.memory.compound import left_over
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind

_PAIRS = (Path(__file__).parent.parent / "data" / "pairs.txt").read_text("utf-8")
_REPLACED, _TOGETHER = _PAIRS.partition("[replaced]\n")[2].split("[together]\n")
REPLACED = [tuple(line.split(" | ")) for line in _REPLACED.splitlines()]
GROUPS = [group.splitlines() for group in _TOGETHER.strip().split("\n\n")]


@pytest.mark.parametrize(("known", "new"), REPLACED)
def test_a_new_value_of_the_same_subject_ends_the_old_one(known: str, new: str) -> None:
    assert replaced_by(new, known)


def test_what_holds_together_is_not_told_as_a_contradiction() -> None:
    pairs = [pair for group in GROUPS for pair in permutations(group, 2)]
    flagged = []
    for new, known in pairs:
        found = [compared(new, known, kind, DEFAULTS.reconcile).relation for kind in (Kind.SEMANTIC, Kind.CONSTRAINT)]
        found.append(compared_across(new, known, (Kind.CONSTRAINT, Kind.DECISION), DEFAULTS.reconcile).relation)
        if {Relation.CHANGED, Relation.OPPOSITE} & set(found):
            flagged.append((new, known))
    assert len(pairs) >= 400  # 200 pairs, each both ways
    assert len(flagged) <= 0.02 * len(pairs), flagged


@pytest.mark.parametrize(
    ("known", "new"),
    [
        pytest.param("Dana lives in Oslo", "Omar moved to Bergen", id="another person"),
        pytest.param("Dana's manager is Omar", "Priya's manager is Ines", id="of another"),
        pytest.param("I prefer dark mode", "I prefer tabs now", id="another matter"),
        pytest.param("The standup is at 9:30", "The standup is at the office", id="a time and a place"),
        pytest.param("Use pnpm, not npm", "Never use npm", id="they agree"),
        pytest.param("The build runs on Linux", "The build runs on every push", id="a place and an occasion"),
        pytest.param("The cache is Redis", "The cache is warm now", id="a name and a state"),
        pytest.param("The build requires Java 17", "The build requires Maven now", id="no direction"),
        pytest.param("Omar works at Hooli", "Omar turned down a job at Initech", id="a job not taken"),
        pytest.param("Omar works at Hooli", "Omar got an offer from Initech", id="an offer"),
        pytest.param("Omar works at Hooli", "Omar took a part-time job at Initech", id="a second job"),
        pytest.param("We work at Hooli", "We accepted an offer from Hetzner", id="an offer of goods"),
    ],
)
def test_another_matter_ends_nothing(known: str, new: str) -> None:
    assert not replaced_by(new, known)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        pytest.param("The index is Lucene", "The index is Tantivy now", id="a name for a name"),
        pytest.param("Our index is Lucene", "We use Tantivy as our index now", id="chosen as it"),
        pytest.param("The exporter writes to S3", "The exporter writes to GCS now", id="elsewhere"),
        pytest.param("The check requires Java 17", "The check does not require Java 17", id="a noun that may be a verb"),
        pytest.param("Omar works at Hooli", "Omar no longer works at Hooli", id="ended"),
    ],
)
def test_what_changed_ends_what_was(known: str, new: str) -> None:
    assert Relation.CHANGED in {
        compared(new, known, Kind.SEMANTIC, DEFAULTS.reconcile).relation,
        compared_across(new, known, (Kind.CONSTRAINT, Kind.DECISION), DEFAULTS.reconcile).relation,
    }


@pytest.mark.parametrize(
    ("known", "new", "stays"),
    [
        pytest.param("Dana lives in Oslo and works at Contoso", "Dana works at Acme now", ["Dana lives in Oslo"], id="the first"),
        pytest.param("Dana lives in Oslo and works at Contoso", "Dana moved to Rome", ["Dana works at Contoso"], id="the second"),
        pytest.param("I live in Leeds, work at Acme and speak Welsh", "I live in York", ["I work at Acme", "I speak Welsh"], id="of three"),
        pytest.param("Dana wohnt in Graz und arbeitet bei Zeiss", "Dana wohnt jetzt in Linz", ["Dana arbeitet bei Zeiss"], id="German"),
        pytest.param("Vivo en Toledo y trabajo en Repsol", "Ahora vivo en Cuenca", ["trabajo en Repsol"], id="nobody is named"),
        pytest.param("The log is Loki and the index is Lucene", "The index is Tantivy now", ["The log is Loki"], id="what is what"),
        pytest.param("The crawler obeys robots.txt and retries four times", "The crawler retries six times", [], id="a verb unknown"),
        pytest.param("The sender signs mails and retries four times", "The sender retries six times", ["The sender signs mails"], id="a number in words"),
        pytest.param("Omar works at Hooli and plays darts", "Omar no longer works at Hooli", ["Omar plays darts"], id="one that ended"),
        pytest.param("Dana lives in Oslo", "Dana lives in Bergen", [], id="one clause"),
        pytest.param("Dana lives in Oslo and works at Contoso", "Priya plays the cello", [], id="another person"),
        pytest.param("Salt and pepper stay on the table", "Salt goes into the cupboard", [], id="no two statements"),
    ],
)  # fmt: skip
def test_the_clauses_of_which_a_new_statement_does_not_speak_stay(known: str, new: str, stays: list[str]) -> None:
    assert left_over(known, new) == stays


@pytest.mark.parametrize(
    ("known", "new", "kinds", "relation"),
    [
        pytest.param("Use the British spelling", "US English everywhere", (Kind.DECISION, Kind.PREFERENCE), Relation.OPPOSITE, id="a pair of words"),
        pytest.param("American English in the docs", "Write en-GB in the docs", (Kind.CONSTRAINT, Kind.DECISION), Relation.OPPOSITE, id="a locale"),
        pytest.param("I prefer tabs for indentation", "We indent with spaces", (Kind.DECISION, Kind.PREFERENCE), Relation.OPPOSITE, id="a decision against a taste"),
        pytest.param("Use the British spelling", "Tell us English names of the fields", (Kind.CONSTRAINT, Kind.SEMANTIC), Relation.OTHER, id="a fact chooses nothing"),
        pytest.param("Use the British spelling", "UK English in the docs", (Kind.DECISION, Kind.PREFERENCE), Relation.OTHER, id="the same in other words"),
        pytest.param("Redis holds the sessions", "Memcached holds the pages", (Kind.DECISION, Kind.SEMANTIC), Relation.OTHER, id="two facts"),
    ],
)  # fmt: skip
def test_a_choice_of_another_class_is_a_contradiction_where_one_is_a_rule(
    known: str, new: str, kinds: tuple[Kind, Kind], relation: Relation
) -> None:
    found = compared_across(new, known, kinds, DEFAULTS.reconcile).relation
    assert (found is Relation.OPPOSITE) == (relation is Relation.OPPOSITE)
