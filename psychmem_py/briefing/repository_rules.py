"""Compares a repository's rule files with those a person approved: a changed rule no longer counts, and is reported."""

from __future__ import annotations

import os

from psychmem_py.home.instructions import RuleFile, paths, rule_files
from psychmem_py.home.project import Project
from psychmem_py.model.records import Change, ChangeType, Memory, Status
from psychmem_py.store.read_only import Answers, answers
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.tokenizer import words

FIELD = "rule_file"  # of a memory's metadata: the file it was made of
_ASIDE = Status.ARCHIVED
_CHANGED, _BACK = "its rule file changed since it was trusted", "its rule file is again as it was trusted"


def refresh_rules(db: sqlite3.Connection, project: Project | None, now: float) -> str:
    """Sets aside the rules whose file is gone or changed, and brings back those whose file is as it was. What to tell, or ""."""
    if project is None or not has_rules(db, project):
        return ""
    from contextlib import suppress  # noqa: PLC0415  # most repositories bring no rules

    from psychmem_py.store import change_log  # noqa: PLC0415
    from psychmem_py.store.connection import transaction  # noqa: PLC0415

    there = rule_files(project.root)
    given = answers(db, project.id)
    if _due(db, there, given, now):
        with transaction(db):  # a person may have answered since
            given = answers(db, project.id)
            with suppress(sqlite3.IntegrityError):  # somebody said the same meanwhile, and that stands
                change_log.apply(db, _due(db, there, given, now), batch=f"upkeep-rules-{int(now * 1000)}", now=now)
    return notice(unanswered(there, given), known=bool(given.trusted))


def has_rules(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a repository brings rules, or a person let some in that it brought."""
    there = (os.path.join(project.root, path) for path in paths(project.root))
    return any(map(os.path.lexists, there)) or bool(answers(db, project.id).trusted)


def unanswered(there: list[RuleFile], given: Answers) -> list[RuleFile]:
    """The rule files that are new, or not as they were let in or turned down."""
    answered = {path: one.digest for path, one in given.trusted.items()} | dict(given.declined)
    return [rule for rule in there if answered.get(rule.path) != rule.digest]


def notice(waiting: list[RuleFile], *, known: bool) -> str:
    """One sentence about rules that wait for a person; "" for none. It holds nothing that stands in the files."""
    if not waiting:
        return ""
    one = len(waiting) == 1
    number = "1 rule" if one else f"{len(waiting)} rules"
    count = "counts" if one else "count"
    state = "new or changed since the person trusted its rules" if known else f"that {count} only when the person says so"
    return f"This repository brings {number} {state}: `psychmem share trust --rules` shows {'it' if one else 'them'}."


def is_untriggered(memory: Memory, given: Answers, focus: frozenset[str]) -> bool:
    """Whether a rule has trigger phrases and none of them is in this session's focus."""
    path = dict(memory.metadata).get(FIELD)
    known = given.trusted.get(path) if path else None
    return bool(known and known.triggers) and not any(frozenset(words(one)) <= focus for one in known.triggers)  # type: ignore[union-attr]


def _due(db: sqlite3.Connection, there: list[RuleFile], given: Answers, now: float) -> list[Change]:
    """What becomes of the memories of rule files, the files being as they are."""
    from psychmem_py.store import rows  # noqa: PLC0415  # most repositories bring no rules

    digests, changes = {rule.path: rule.digest for rule in there}, list[Change]()
    for path, known in given.trusted.items():
        memory, same = rows.get(db, known.memory_id), digests.get(path) == known.digest
        if memory is None or FIELD not in dict(memory.metadata) or memory.status is not (_ASIDE if same else Status.ACTIVE):
            continue  # nothing to do, or a person forgot it
        status, reason = (Status.ACTIVE, _BACK) if same else (_ASIDE, _CHANGED)
        after = memory._replace(status=status, updated_at=now)
        changes.append(Change(ChangeType.STATUS, memory.id, memory, after, reason))
    return changes
