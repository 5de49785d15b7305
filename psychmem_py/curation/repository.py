"""A repository's rules, both ways: a person's answers to those that it brings; and ours, written there to be committed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress

from psychmem_py.briefing import brief
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.curation.actions import apply_change, confirmed_by
from psychmem_py.errors import RefusedError, refuse_if
from psychmem_py.extraction import weights
from psychmem_py.home import files
from psychmem_py.home.instructions import RULES_FILE, RuleFile
from psychmem_py.home.light_json import encoded
from psychmem_py.home.project import Project
from psychmem_py.memory import admission, forgetting
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.permission import Action
from psychmem_py.model.records import ENFORCED, HUMAN, Change, ChangeType, Evidence, Kind, Memory, Origin, Status, Store
from psychmem_py.safety.control_chars import line
from psychmem_py.store import change_log, rows, sessions
from psychmem_py.store.read_only import REFUSED, REPOSITORY, Answers, Trusted, answers
from psychmem_py.store.sqlite import set_meta
from psychmem_py.text.tokenizer import digest

_START, _END = "<!-- psychmem:start rules that were kept in PsychMem -->", "<!-- psychmem:end -->"
_SIGNS = ('"', "\\", ", ", "<!--", "-->")  # not in a glob: they end it, or the line


def offered(db: sqlite3.Connection, project: str) -> list[tuple[Memory, int]]:
    """A project's rules that may go into its repository because their reminders were right, with how often; most often first."""
    right = {key: times for key, times in sessions.right_at_calls(db, project).items() if times >= 3}
    known = (one for one in rows.several(db, sorted(right)).values() if not {REPOSITORY, REFUSED} & dict(one.metadata).keys())
    return sorted(((one, right[one.id]) for one in known if _may_go(one)), key=lambda pair: (-pair[1], pair[0].id))


def _may_go(memory: Memory) -> bool:
    return memory.kind in ENFORCED and memory.status in LIVE and memory.origin in HUMAN


def put(act: Act, memory_id: str, here: Project | None, *, dry_run: bool) -> Outcome:
    """Writes a rule into the repository at hand, with the files that it is bound to."""
    before = act.who.find(act.db, memory_id, Action.WRITE)
    root = here.root if here and before.project in (None, here.id) else ""
    refuse_if(not _may_go(before), f"{before.id[:8]} is no rule in use that a person stated; only such go into a repository")
    refuse_if(not root, f"{before.id[:8]} holds in another project; run this in its repository")
    globs = _globs(act.db, before, root)
    name, rule = RULES_FILE if globs else _instructions(root), _line(before)
    if (stands_in := dict(before.metadata).get(REPOSITORY, name)) != name:
        _rewrite(root, stands_in, rule, "", dry_run=dry_run)
    _rewrite(root, name, rule if globs else "", rule + globs, dry_run=dry_run)
    return apply_change(act, ChangeType.EDIT, before, confirmed_by(act, before.marked({REPOSITORY: name})), f"written to {name}")


def _globs(db: sqlite3.Connection, memory: Memory, root: str) -> str:
    """What stands behind a rule for the files that it is bound to; "" for one that always holds. Raises RefusedError."""
    from psychmem_py.briefing.actionable import files_of  # noqa: PLC0415  # brings `regex`

    bound_to = files_of(db, memory, root)
    globs = [one for one in bound_to if one.isprintable() and not any(sign in one for sign in _SIGNS)]
    refuse_if(bound_to and not globs, f"{memory.id[:8]} is bound to files whose names cannot be written into {RULES_FILE}")
    return f" <!-- {', '.join(globs)} -->" if globs else ""


def follow(db: sqlite3.Connection, steps: Iterable[Change], here: Project | None = None) -> None:
    """Takes out of repositories what these steps took out of use, words anew what is in use still, puts back what is again."""
    roots: dict[str | None, str] = {key: seen.root for key, seen in sessions.projects(db).items()}
    roots |= {None: here.root, here.id: here.root} if here else {}
    for step in steps:
        sides = (step.before, step.after)
        held = [one for one in sides if one and REPOSITORY in dict(one.metadata)]
        if not held or not step.before or step.reason == change_log.UNIMPORTED:
            continue
        name, root = dict(held[0].metadata)[REPOSITORY], roots.get(held[0].project, "")
        path = os.path.join(root, name)
        old, new = (_line(one) if one in held and one.status in LIVE else "" for one in sides)
        if root and old and old != new and old in map(_rule_of, _text(path).split("\n")):
            _rewrite(root, name, old, new)
        elif root and new and not old and os.path.exists(root if name == RULES_FILE else path):
            _rewrite(root, name, "", new + (_globs(db, held[-1], root) if name == RULES_FILE else ""))


def _line(memory: Memory) -> str:
    return f"- {line(memory.text).replace('<!--', '').replace('-->', '')}"


def _rule_of(text: str) -> str:
    return text.partition(" <!-- ")[0].rstrip("\r")


def _instructions(root: str) -> str:
    there = [name for name in ("CLAUDE.md", "AGENTS.md") if os.path.isfile(os.path.join(root, name))]
    refuse_if(not there, "this repository has neither AGENTS.md nor CLAUDE.md; make the one you want, then say it again")
    return there[-1] if "@AGENTS.md" in _text(os.path.join(root, there[0])) else there[0]


def _in_rules_file(text: str, gone: str, new: str) -> str:
    """The file-bound rules without one and with another: each line has its globs, and the client reads them all at the top."""
    rules = {_rule_of(one): one for one in text.split("\n") if one.startswith("- ")}
    files = rules.pop(gone, "").removeprefix(gone)
    rules |= {_rule_of(new): new if " <!-- " in new else f"{new}{files}"} if new and _rule_of(new) not in rules else {}
    globs = (glob for one in rules.values() for glob in one.partition(" <!-- ")[2].removesuffix(" -->").split(", ") if glob)
    head = ["---", "paths:", *(f'  - "{glob}"' for glob in dict.fromkeys(globs)), "---", ""]
    return "\n".join([*head, *rules.values(), ""]) if rules else ""


def _in_block(text: str, gone: str, new: str) -> str:
    """Instructions without a rule between our marks, and with a new one where no line says it yet."""
    before, _, rest = text.partition(_START)
    inside, end, behind = rest.partition(_END)
    new = "" if new in {_rule_of(one) for one in text.split("\n")} - {gone} else new
    if not end:
        gap = "\n" if text else ""  # taken out with the block, so that what was there ends as it did
        return f"{text}{gap}{_START}\n{new}\n{_END}\n" if new else text
    kept = [one for one in inside.split("\n") if not gone or _rule_of(one) != gone]
    kept[-1:-1] = [new] if new else []
    if not any(map(str.strip, kept)):
        return before.removesuffix("\n").removesuffix("\r") + behind.removeprefix("\r").removeprefix("\n")
    return before + _START + "\n".join(kept) + _END + behind


def _text(path: str) -> str:
    if (raw := files.content(path, 1 << 20) if os.path.lexists(path) else b"") is None:
        raise RefusedError(f"{path} is a link, no plain file or too long; nothing was written")
    return raw.decode("utf-8", "surrogateescape")


def _rewrite(root: str, name: str, gone: str, new: str, *, dry_run: bool = False) -> None:
    """Takes one rule out of a file and puts another in; an empty one of ours goes. Raises RefusedError for a link."""
    path, folder = os.path.join(root, name), os.path.dirname(os.path.join(root, name))
    changed = (_in_rules_file if name == RULES_FILE else _in_block)(text := _text(path), gone, new)
    if name == RULES_FILE and text and _in_rules_file(text, "", "") != text.replace("\r\n", "\n"):
        raise RefusedError(f"{path} holds lines that PsychMem did not write; nothing was written there")
    if changed == text or dry_run:
        return
    if os.path.realpath(folder) != os.path.join(os.path.realpath(root), os.path.dirname(name)).rstrip(os.sep):
        raise RefusedError(f"{folder} is a link; nothing was written")
    if changed or name != RULES_FILE:
        os.makedirs(folder, exist_ok=True)
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
        files.replace(path, changed.encode("utf-8", "surrogateescape"), mode)
    else:
        os.unlink(path)
        with suppress(OSError):  # other files stand there
            os.rmdir(folder)
            os.rmdir(os.path.dirname(folder))


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
        if before is not None and brief.RULE_FILE in dict(before.metadata) and before.status is not Status.FORGOTTEN:
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
    known = before or admission.new_memory(
        rule.text, id_=next(rows.fresh_ids()), kind=Kind.CONSTRAINT, policy=act.settings.policy(Kind.CONSTRAINT), project=project.id,
        origin=Origin.FILE, importance=weights.IMPORTANCE["explicit_remember"], confidence=weights.ENTERED, now=act.now,
    )  # fmt: skip
    after = known.marked({brief.RULE_FILE: rule.path})._replace(text=rule.text, tier=rule.tier, names=rule.triggers)
    after = forgetting.rescored(after._replace(status=Status.ACTIVE, store=Store.LTM, updated_at=act.now), act.settings.scoring)
    evidence = Evidence(after.id, act.now, "import", Origin.FILE, act.who.session, quote=rule.path)
    change = Change(ChangeType.EDIT if before else ChangeType.ADD, after.id, before, after, f"let in from {rule.path}", evidence)
    act.apply([change])
    return Outcome(after, (change,))
