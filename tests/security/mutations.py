"""Breaks promises of docs/security.md, one at a time, in a copy of the tree, and says which no test holds.

    python -m tests.security.mutations [WORD...]        only those whose promise or file holds one of the words

Ends with 1 when a break goes unseen, or when the code to be broken is no longer there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TREE = ("psychmem_py", "patterns", "hooks", "tests", "benchmarks", "docs", "pyproject.toml", "README.md", ".claude-plugin")
AT_ONCE = 2
LONGEST_S = 600


class Break(NamedTuple):
    """A promise, the code that keeps it, what it is replaced by, and the tests that must then fail."""

    promise: str
    file: str
    code: str
    instead: str
    tests: str


BREAKS = tuple(
    starmap(
        Break,
        (
            ("rules that nobody typed wait", "memory/admission.py", "if kind in RULES:", "if False:", "tests/memory/test_reconcile.py"),
            ("what nobody typed does not hold everywhere", "memory/admission.py", "return (Scope.PROJECT, project, Status.ACTIVE) if project", "return (scope, project, Status.ACTIVE) if project", "tests/memory/test_reconcile.py"),
            ("what is doubted waits", "memory/admission.py", "if doubted:", "if False:", "tests/security/test_poison.py -k pasted"),
            ("what is said at home waits with its reason", "memory/reconcile.py", "why = NO_PROJECT", 'why = ""', "tests/security/test_walls.py -k said_at_home"),
            ("an assistant replaces no person's words", "memory/reconcile.py", "if TRUST[memory.origin] <= TRUST[draft.origin] and", "if", "tests/memory/test_reconcile.py"),
            ("what was forgotten is not heard again", "memory/reconcile.py", "if self._was_forgotten(draft, near):", "if False:", "tests/memory/test_reconcile.py"),
            ("a purged value is known in other words", "store/tombstones.py", "(values and known.issuperset(values))", "False", "tests/security/test_deletion.py -k other_words"),
            ("a purged text is not learned again", "store/tombstones.py", "if written in known or words in known", "if False", "tests/store/test_purge.py"),
            ("the log of changes is final", "store/schema.py", "create trigger change_is_final before update on change begin select raise(abort, 'the change log cannot be altered'); end;", "", "tests/store/test_changes.py"),
            ("the log of changes stays", "store/schema.py", "create trigger change_stays before delete on change begin select raise(abort, 'the change log cannot be altered'); end;", "", "tests/store/test_changes.py"),
            ("a newer store is refused", "store/connection.py", 'return int(db.execute("pragma user_version").fetchone()[0])', "return len(MIGRATIONS)", "tests/store/test_connection.py"),
            ("a foreign file is left as it is", "store/connection.py", "    if not made:\n        refuse_foreign(name)", "", "tests/store/test_connection.py"),
            ("a linked database is refused", "store/connection.py", "        refuse_link(name + suffix)", "        pass", "tests/store/test_connection.py"),
            ("another user's folder is refused", "store/connection.py", "    _refuse_others(os.path.dirname(os.path.abspath(name)))", "", "tests/store/test_connection.py"),
            ("a store left open is closed", "store/connection.py", "        os.chmod(name, 0o600)", "        pass", "tests/store/test_connection.py"),
            ("a folder of a clone is no repository", "home/git.py", "        if os.path.isdir(mark):\n            return Repository(folder, mark, folder)", "        if os.path.isdir(mark) and not bare:\n            return Repository(folder, mark, folder)", "tests/home/test_project.py"),
            ("a git file points into no other repository", "home/git.py", "return Repository(folder, mark, folder) if foreign else", "return", "tests/security/test_walls.py -k git_file"),
            ("a project's name is a name", "home/project.py", "    if not is_name(name):", "    if False:", "tests/home/test_project.py"),
            ("no token of a remote is kept", "home/project.py", 'url = url.partition("?")[0].partition("#")[0]', "url = url", "tests/home/test_project.py"),
            ("no password of a remote is kept", "home/project.py", 'host = host.rpartition("@")[2].lower()', "host = host.lower()", "tests/home/test_project.py"),
            ("text closes no fence", "safety/fence.py", 'return content.replace("<", "‹").replace(">", "›")', "return content", "tests/security/test_poison.py -k fence"),
            ("nothing invisible is stored", "safety/control_chars.py", 'text = invisible.sub("", ansi.sub("", text))', "text = text", "tests/security/test_poison.py -k invisible"),
            ("our own blocks are not learned", "safety/suspicion.py", "        text = _OURS.sub(_blank, text)", "        pass", "tests/safety/test_own_blocks.py"),
            ("an imperative for the agent is suspicious", "safety/suspicion.py", "            return reason\n    return \"\"", "            pass\n    return \"\"", "tests/security/test_poison.py -k imperative"),
            ("somebody else's words are quotation", "extraction/passages.py", "    if at <= passage.sure_until or verdict.waiting:", "    if False:", "tests/extraction/test_passages.py"),
            ("what may be somebody else's words waits", "extraction/passages.py", "    return verdict._replace(waiting=True, reason=PASTED)", "    return verdict", "tests/extraction/test_passages.py"),
            ("a message that takes too long is given up alone", "ingestion/extract.py", "            self.given_up += 1\n            return otherwise", "            raise", "tests/security/test_faults.py -k takes_too_long"),
            ("the name of a secret alone is no memory", "extraction/sweep.py", "if tells_only_a_secret(candidate.text):", "if False:", "tests/security/test_spoken_secrets.py -k memory_of_its_name"),
            ("what others changed ends nothing of ours", "memory/exchange.py", "if not _OF_OTHERS.isdisjoint(index_form(new).split()):", "if False:", "tests/memory/test_exchange.py"),
            ("a line too long is passed", "ingestion/spans.py", "_end_of_line(source.path, stop) if too_long else 0", "0", "tests/ingestion/test_spans.py"),
            ("a plain import trusts nothing", "curation/imports.py", "return RULE if kind not in RULES and reads_as_rule(text)", "return RULE if False", "tests/curation/test_imports.py"),
            ("a half-written file is never seen", "home/files.py", "        os.unlink(fresh)\n        raise", "        raise", "tests/home/test_atomic_write.py"),
            ("a file is its owner's alone", "home/files.py", "        os.fchmod(file, mode)", "        os.fchmod(file, 0o644)", "tests/home/test_atomic_write.py"),
            ("only a person forgets a pinned memory", "curation/actions.py", "if memory.pinned and not act.who.is_person:", "if False:", "tests/curation/test_actions.py"),
            ("a purge asks a person", "cli/context.py", "    if not sys.stdin.isatty():", "    if False:", "tests/security/test_deletion.py -k terminal"),
            ("a search stays in its project", "store/matches.py", "    if not question.all_projects:\n        clauses.append(", "    if False:\n        clauses.append(", "tests/security/test_walls.py -k two_projects"),
            ("a list stays in its project", "store/rows.py", "where, values = project_condition(project, all_projects=all_projects)", "where, values = project_condition(project, all_projects=True)", "tests/security/test_walls.py -k no_project"),
            ("a past day is told as it was", "store/change_log.py", "select max(seq) from change where at <= ?", "select max(seq) from change where 0 <= ?", "tests/store/test_changes.py"),
            ("a person reviews, no agent", "curation/actions.py", 'before = _for_person(act, memory_id, "review what waits")', "before = rows.by_id(act.db, memory_id)", "tests/curation/test_actions.py"),
            ("an agent's rule waits whatever it is called", "curation/remember.py", "fields[DOUBT] = RULE", "pass", "tests/curation/test_rule_wording.py"),
            ("an agent's edit makes no rule of a fact", "curation/actions.py", " or commands(after.text)", "", "tests/curation/test_rule_wording.py"),
            ("doctor leaves a foreign file alone", "cli/checks.py", " and not is_foreign(database)", "", "tests/test_cli.py -k doctor_leaves"),
            ("others' databases are no checkpoints", "store/care/checkpoints.py", " for path in paths if not is_foreign(path)", " for path in paths", "tests/store/test_checkpoints.py"),
            ("others' databases are not purged", "store/care/purge.py", "for path in beside if not is_foreign(path)", "for path in beside", "tests/store/test_checkpoints.py"),
            ("a prompt is answered from a full disk", "store/read_only.py", "            store = reading(database, still=True)", "            raise", "tests/security/test_faults.py -k full_disk"),
            ("people read from a disk that takes nothing", "cli/context.py", "                if not self.database.exists():\n                    raise", "                raise", "tests/security/test_faults.py -k takes_nothing"),
            ("brackets without end are a wrong line", "extraction/sweep_lines.py", "    except RecursionError:", "    except KeyError:", "tests/test_cli.py -k nested"),
            ("a linked journal is refused", "home/journal.py", "flags | os.O_NOFOLLOW | os.O_CLOEXEC", "flags | os.O_CLOEXEC", "tests/home/test_journal.py"),
        ),
    )
)  # fmt: skip


def seen(broken: Break) -> str:
    """ "seen", "UNSEEN", or why it could not be tried."""
    source = (ROOT / "psychmem_py" / broken.file).read_text("utf-8")
    if broken.code not in source:
        return "GONE: the code to be broken is not there"
    with tempfile.TemporaryDirectory(prefix="psychmem-broken-") as place:
        copy = Path(place)
        for name in TREE:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif (ROOT / name).exists():
                shutil.copy(ROOT / name, copy / name)
        (copy / "psychmem_py" / broken.file).write_text(source.replace(broken.code, broken.instead, 1), "utf-8")
        words = broken.tests.split(" -k ")
        asked = [words[0], *(["-k", words[1]] if len(words) > 1 else [])]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *asked],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": place, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            check=False,
        )
    return {0: "UNSEEN", 1: "seen", 2: "seen"}.get(done.returncode, f"NOT TRIED: {(done.stdout + done.stderr)[-200:]!r}")


def main(words: list[str]) -> int:
    chosen = [one for one in BREAKS if not words or any(word in one.promise or word in one.file for word in words)]
    bad = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for broken, result in zip(chosen, pool.map(seen, chosen), strict=True):
            bad += result != "seen"
            print(f"{result:8}{broken.promise} ({broken.file})", flush=True)
    print(f"{len(chosen) - bad} of {len(chosen)} breaks are seen by a test")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
