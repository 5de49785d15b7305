"""A person's answer to the rules that a repository brings in files: they count from now on, or they never do."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.briefing.repository_rules import FIELD
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.extraction import weights
from psychmem_py.home.project import Project
from psychmem_py.home.rule_files import RuleFile
from psychmem_py.memory.admission import new_memory
from psychmem_py.memory.strength import rescored
from psychmem_py.model.records import Change, Evidence, Memory
from psychmem_py.model.terms import ChangeType, Kind, Origin, Scope, Status, Store
from psychmem_py.store import rows
from psychmem_py.store.connection import transaction
from psychmem_py.store.standing_rules import Answers, Trusted, answers, set_answers
from psychmem_py.text.tokenizer import digest


def let_in(act: Act, project: Project, rules: Sequence[RuleFile]) -> list[Outcome]:
    """Makes a memory of every rule file, in the tier it asks for, and of one that changed the same memory in its new words."""
    with transaction(act.db):
        given = answers(act.db, project.id)
        trusted, done = dict(given.trusted), []
        for rule in rules:
            before = rows.get(act.db, trusted[rule.path].memory_id) if rule.path in trusted else None
            outcome = _let_in(act, project, rule, before)
            trusted[rule.path] = Trusted(rule.digest, outcome.memory.id, rule.triggers)
            done.append(outcome)
        declined = {path: mark for path, mark in given.declined.items() if path not in trusted}
        set_answers(act.db, project.id, Answers(trusted, declined), act.now)
    return done


def turned_down(act: Act, project: Project, rules: Sequence[RuleFile]) -> list[Outcome]:
    """Forgets what was made of this repository's rule files, and asks no more about them until they change."""
    with transaction(act.db):
        given, done = answers(act.db, project.id), []
        for known in given.trusted.values():
            before = rows.get(act.db, known.memory_id)
            if before is not None and FIELD in dict(before.metadata) and before.status is not Status.FORGOTTEN:
                after = before._replace(status=Status.FORGOTTEN, updated_at=act.now)
                change = Change(ChangeType.STATUS, before.id, before, after, "its repository's rules were turned down")
                act.apply([change])
                done.append(Outcome(after, (change,)))
        set_answers(act.db, project.id, Answers({}, {rule.path: rule.digest for rule in rules}), act.now)
    return done


def _let_in(act: Act, project: Project, rule: RuleFile, before: Memory | None) -> Outcome:
    if before is None or before.text != rule.text:
        rules = rows.listed(act.db, project=project.id, kinds=[Kind.CONSTRAINT])
        own = (one for one in rules if one.project == project.id)
        same = next((one for one in own if digest(one.text) == digest(rule.text)), None)
        if same is not None and (before is None or same.id != before.id):
            return Outcome(same, (), (f"{rule.path}: {same.id[:8]} says this already",))
    fields = dict(before.metadata if before else ()) | {FIELD: rule.path}
    base = before or _new(act, project, rule)
    after = rescored(
        base._replace(
            text=rule.text,
            tier=rule.tier,
            names=rule.triggers,
            metadata=tuple(fields.items()),
            status=Status.ACTIVE,
            store=Store.LTM,
            updated_at=act.now,
        ),
        act.settings.scoring,
    )
    type_ = ChangeType.EDIT if before else ChangeType.ADD
    evidence = Evidence(after.id, act.now, "import", Origin.FILE, act.who.session, quote=rule.path)
    change = Change(type_, after.id, before, after, f"let in from {rule.path}", evidence)
    act.apply([change])
    return Outcome(after, (change,))


def _new(act: Act, project: Project, rule: RuleFile) -> Memory:
    return new_memory(
        rule.text,
        id_=next(rows.fresh_ids()),
        kind=Kind.CONSTRAINT,
        policy=act.settings.policy(Kind.CONSTRAINT),
        scope=Scope.PROJECT,
        project=project.id,
        origin=Origin.FILE,
        importance=weights.IMPORTANCE["explicit_remember"],
        confidence=weights.ENTERED,
        created_at=act.now,
        updated_at=act.now,
        anchor_at=act.now,
    )
