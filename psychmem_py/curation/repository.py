"""A person's answers to the rules that a repository brings in files."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.briefing import repository_rules
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.curation.actions import apply_change
from psychmem_py.extraction import weights
from psychmem_py.home.instructions import RuleFile
from psychmem_py.home.light_json import encoded
from psychmem_py.home.project import Project
from psychmem_py.memory.admission import new_memory
from psychmem_py.memory.strength import rescored
from psychmem_py.model.records import Change, ChangeType, Evidence, Kind, Memory, Origin, Status, Store
from psychmem_py.store import change_log, rows
from psychmem_py.store.read_only import Answers, Trusted, answers
from psychmem_py.store.sqlite import set_meta
from psychmem_py.text.tokenizer import digest


def approve_rules(act: Act, project: Project, rules: Sequence[RuleFile]) -> list[Outcome]:
    """Makes a memory of every rule file, in the tier it asks for, and of one that changed the same memory in its new words."""
    given = answers(act.db, project.id)
    trusted, done = dict(given.trusted), []
    for rule in rules:
        before = rows.get(act.db, trusted[rule.path].memory_id) if rule.path in trusted else None
        outcome = _approve_rule(act, project, rule, before)
        trusted[rule.path] = Trusted(rule.digest, outcome.memory.id, rule.triggers)
        done.append(outcome)
    _set_answers(act, project.id, Answers(trusted, {path: mark for path, mark in given.declined.items() if path not in trusted}))
    return done


def reject_rules(act: Act, project: Project, rules: Sequence[RuleFile]) -> list[Outcome]:
    """Forgets what was made of this repository's rule files, and asks no more about them until they change."""
    given, done = answers(act.db, project.id), []
    for known in given.trusted.values():
        before = rows.get(act.db, known.memory_id)
        if before is not None and repository_rules.FIELD in dict(before.metadata) and before.status is not Status.FORGOTTEN:
            after = before._replace(status=Status.FORGOTTEN)
            done.append(apply_change(act, ChangeType.STATUS, before, after, "its repository's rules were rejected"))
    _set_answers(act, project.id, Answers({}, {rule.path: rule.digest for rule in rules}))
    return done


def _set_answers(act: Act, project: str, given: Answers) -> None:
    """Keeps the answers, in the caller's transaction, and makes briefs stale that ask for them."""
    trusted = {path: [one.digest, one.memory_id, list(one.triggers)] for path, one in given.trusted.items()}
    set_meta(act.db, f"rule_files {project}", encoded({"trusted": trusted, "declined": dict(given.declined)}))
    change_log.move_clock(act.db, act.now)


def _approve_rule(act: Act, project: Project, rule: RuleFile, before: Memory | None) -> Outcome:
    if before is None or before.text != rule.text:
        own = (one for one in rows.listed(act.db, project=project.id, kinds=[Kind.CONSTRAINT]) if one.project == project.id)
        same = next((one for one in own if digest(one.text) == digest(rule.text)), None)
        if same and same.id != (before and before.id):
            return Outcome(same, (), (f"{rule.path}: {same.id[:8]} says this already",))
    known = before or new_memory(
        rule.text, id_=next(rows.fresh_ids()), kind=Kind.CONSTRAINT, policy=act.settings.policy(Kind.CONSTRAINT), project=project.id,
        origin=Origin.FILE, importance=weights.IMPORTANCE["explicit_remember"], confidence=weights.ENTERED, now=act.now,
    )  # fmt: skip
    after = known.marked({repository_rules.FIELD: rule.path})._replace(text=rule.text, tier=rule.tier, names=rule.triggers)
    after = rescored(after._replace(status=Status.ACTIVE, store=Store.LTM, updated_at=act.now), act.settings.scoring)
    evidence = Evidence(after.id, act.now, "import", Origin.FILE, act.who.session, quote=rule.path)
    change = Change(ChangeType.EDIT if before else ChangeType.ADD, after.id, before, after, f"let in from {rule.path}", evidence)
    act.apply([change])
    return Outcome(after, (change,))
