"""Rules in sixteen languages, a call that breaks each, one that comes near, and the commands that a line of shell runs."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.guards import made_of, spoken
from psychmem_py.briefing.actionable import actionable, with_calls
from psychmem_py.guards.acts import trigger_text, triggers
from psychmem_py.guards.call import _words, call_of
from psychmem_py.guards.forms import keys, usage_form, variant
from psychmem_py.guards.globs import glob_triggers
from psychmem_py.guards.shell import commands
from psychmem_py.guards.trigger import Rule, act, broken, fits, packed, unpacked
from psychmem_py.guards.words import Names
from tests.data import cases, holds

COMMIT, TESTED = "git commit -m 'done'", "pytest -q && git commit -m 'done'"


def is_broken(found: Rule | None, given: str) -> bool:
    """Whether a call, a shell line or the path of an edit, breaks the rule; what ran before in the same line counts."""
    assert found is not None
    return bool(spoken([found], made_of(given), []))


def read(text: str) -> Rule:
    found = actionable("r", text, "en")
    assert found
    return found


def judged(rule: Rule | None, breaks: str, keeps: str) -> tuple[object, object]:
    """Whether it is broken by the one and kept by the other, beside what should be."""
    return (is_broken(rule, breaks), is_broken(rule, keeps)), (True, False)


def told(text: str) -> str:
    return trigger_text(found) if (found := actionable("r", text, "en")) else ""


def acts(name: str, line: str) -> bool:
    return any(act(one, call_of("Bash", {"command": line})) >= 0 for one in triggers(name))


def changes(line: str) -> tuple[set[str], set[str]]:
    (command,) = call_of("Bash", {"command": line}).commands
    return set(command.writes), set(command.deletes)


def other(rule: Rule | None, given: str) -> bool:
    return rule is not None and is_broken(rule, given)


test_a_rule = holds("guards", {
    "a rule waits for what breaks it and for nothing near": lambda language, text, *calls: judged(actionable("r", text, language), *calls),
    "other wordings of the same kinds of rule": lambda language, text, *calls: judged(actionable("r", text, language), *calls),
    "a rule is read as it is meant": lambda text, *calls: judged(actionable("r", text, "en"), *calls),
    "lists and second halves are read": lambda text, *calls: judged(actionable("r", text, "en"), *calls),
    "what only looks like the act is let be": lambda text, *calls: judged(actionable("r", text, "en"), *calls),
    "a glob of a call means the calls that fit it": lambda glob, *calls: judged(Rule("r", glob_triggers(glob)), *calls),
    "calls that the reader names take the place of what the words say": lambda text, glob, *calls: judged(
        with_calls(actionable("r", text, "en"), "r", [glob]), *calls
    ),
    "a rule about no act waits for nothing": lambda text: (actionable("r", text, "en"), None),
    "what no call shows waits for nothing": lambda text: (actionable("r", text, "en"), None),
    "a wording of another meaning waits for no such call": lambda text, call: (other(actionable("r", text, "en"), call), False),
    "a path fits from the project on": lambda glob, path, root, fit: (fits(glob, path, root), fit),
    "people are told what a rule waits for": lambda text, wanted: (told(text), wanted),
    "a line is the commands it runs": lambda line, run: ([" ".join(one.words) for one in commands(line)], run),
    "letters behind one dash are options each unless it is a word": lambda option, forms: (
        _words("git", (option,)) - {"git"}, {*forms},
    ),
    "a command says which files it changes and which it deletes": lambda line, *files: (changes(line), tuple(map(set, files))),
    "the same act by other programs": lambda name, line: (acts(name, line), True),
    "what comes near is another act": lambda name, line: (acts(name, line), False),
})  # fmt: skip


def test_a_rule_of_a_branch_a_day_or_what_is_there_waits_for_it() -> None:
    found = read("Never push to main")
    push = {"command": "git push"}
    assert broken([found], call_of("Bash", push, lambda: "main"))
    assert broken([found], call_of("Bash", {"command": "git push origin"}, lambda: "main"))
    assert not broken([found], call_of("Bash", push, lambda: "feature"))
    found = read("Never deploy on Fridays")
    call = call_of("Bash", {"command": "npm run deploy"})
    assert [bool(broken([found], call, weekday=day)) for day in (4, 1)] == [True, False]
    found = read("Never edit existing migrations")
    call = call_of("Write", {"file_path": "db/migrations/1.sql", "content": ""})
    assert broken([found], call, exists=True)
    assert not broken([found], call, exists=False)


@pytest.mark.parametrize(("text", "breaks", "keeps"), cases("guards", "what is written is looked at literally"))
def test_what_is_written_is_looked_at_literally(text: str, breaks: str, keeps: str) -> None:
    found = read(text)

    def has(content: str) -> bool:
        commit = call_of("Bash", {"command": f'git commit -m "{content}"'})
        return bool(broken([found], call_of("Write", {"file_path": "a.ts", "content": content}))) or bool(broken([found], commit))

    assert has(breaks)
    assert not has(keeps)


def test_a_name_of_more_than_six_files_means_none_of_them() -> None:
    paths = [f"{number}/PriceTable.ts" for number in range(7)]
    assert (Names(paths[:6]).called(["price", "table"]), Names(paths).called(["price", "table"])) == (paths[:6], [])


def test_rules_come_back_from_a_file_as_they_were_and_a_word_for_an_act_is_no_folder() -> None:
    rules = [read(text) for text in ("Never push to main", "Run the tests before committing")]
    assert unpacked(json.loads(json.dumps(packed(rules)))) == rules
    assert not is_broken(actionable("r", "Run the tests before you commit", "en", ["tests/test_a.py"]), TESTED)


@pytest.mark.parametrize("glob", ["", "*", "* | *", "* <<< x"])
def test_a_glob_of_no_program_or_one_letter_is_none(glob: str) -> None:
    with pytest.raises(ValueError, match="no program"):
        glob_triggers(glob)


@given(st.text(alphabet="git push'\"`$()<>|&;\\\n -=#{}*!@.", max_size=80))
def test_whatever_is_written_is_read(line: str) -> None:
    for one in commands(line):
        assert all(isinstance(word, str) for word in one.words)
    with suppress(ValueError):
        assert trigger_text(Rule("r", glob_triggers(line)))


def test_a_call_is_known_by_what_acts_and_by_what_is_like_it() -> None:
    assert (keys("sudo timeout -s KILL 30 npm run build | tail"), keys('"$(cat run.txt)"')) == (["npm run build"], [])
    assert keys("git push --force -u origin x") == ["git push", "git push --force", "git push -u"]
    assert usage_form("deployer --fast", "deployer: unknown command") == "deployer --fast"
    assert variant("a b c d", "a", "x b c d") == "x b c d"
    assert variant("a b c", "a", "v b c y z") == ""  # 2 of 6 words
    assert (variant("a b c", "a", "x y z"), variant("npm run build:docs", "npm run build:docs", "npm run test:docs")) == ("", "")


def test_an_escaped_space_ends_no_word_and_an_interpreter_alone_runs_nothing_else() -> None:
    assert [one.words for one in commands("rm my\\ file x")] == [("rm", "my file", "x")]
    assert [one.words for one in commands("python; python app/run.py")] == [("python",), ("app/run.py",)]
