"""What holds for every command: JSON, dry runs, odd places and streams, and that none goes round the table of who may do what."""

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from psychmem_py.briefing.brief import RULE_FILE
from psychmem_py.cli import app as deeds
from psychmem_py.cli import unalias
from psychmem_py.cli.app import whole
from psychmem_py.curation import exports, upkeep
from psychmem_py.errors import RefusedError
from psychmem_py.installation.registration import Tools
from psychmem_py.mcp_door import server
from psychmem_py.memory.admission import AUTHOR, DOUBT
from psychmem_py.memory.forgetting import JUDGED, NOTE_GONE, OF_A_TASK
from psychmem_py.model.permission import MAY, RESERVED, Action, Actor, refusal
from psychmem_py.model.records import Kind, Origin, Scope
from psychmem_py.store.read_only import CALLS, GUARD, ON, REFUSED, REPOSITORY
from tests.forks import COMMAND, ROOT
from tests.memories_made import made
from tests.test_cli import checks, remembered, run, told

# What prints a script, or serves somebody.
PLAIN = {"setup completion", "log", "mcp"}
CHANGES = """remember edit forget undo pin unpin accept good bad vote touch link unlink import backfill install uninstall pause resume
    decay consolidate promote gc maintain scan sort trust move merge project_merge project_forget config_set
    config_unset remote_add remote_remove share_start unshare sync judge checkpoint_create checkpoint_restore checkpoint_delete"""


def leaves(tree: Any, path: str = "") -> dict[str, set[str]]:
    """Every command by its path with the options it takes."""
    inner = getattr(tree, "commands", None)
    if inner is None:
        return {path.strip(): {option for param in tree.params for option in (*param.opts, *param.secondary_opts)}}
    return {name: options for key, leaf in inner.items() for name, options in leaves(leaf, f"{path} {key}").items()}


LEAVES = leaves(typer.main.get_command(whole()))
BEFORE = dict(line.split(":") for line in (Path(__file__).parent / "commands_before.txt").read_text("utf-8").splitlines())


def now(name: str, options: set[str]) -> str:
    """What an older name leads to today, when these options are given."""
    today = f"{' '.join(unalias([*name.split(), *options]))} "
    return next(path for path in sorted(LEAVES, key=len, reverse=True) if today.startswith(f"{path} "))


def test_every_command_prints_json_every_writer_can_be_tried_and_older_names_take_their_options() -> None:
    taken = [(name, option) for name, options in BEFORE.items() for option in options.split()]
    assert [(name, option) for name, option in taken if option not in LEAVES[now(name, {option})]] == []
    assert {name for name, options in LEAVES.items() if "--json" not in options} == PLAIN
    assert {name for name in CHANGES.split() if "--dry-run" not in LEAVES[now(name.replace("_", " "), set())]} == set()


def test_links_checkpoints_and_upkeep_say_in_json_what_they_did_or_would(shop: Path, home: Path) -> None:
    one, other = remembered(shop, "The port is 8080"), remembered(shop, "The host is kiwi")
    assert told("link", one, other, cwd=shop)["type"] == "relates_to"
    assert [tie["target"] for tie in told("unlink", one, other, cwd=shop)] == [other]
    told("checkpoint", "create", "x", "--dry-run", cwd=shop)
    assert told("checkpoint", "list", cwd=shop) == []
    told("checkpoint", "create", "x", cwd=shop)
    told("checkpoint", "delete", "x", "--dry-run", cwd=shop)
    assert told("checkpoint", "restore", "x", "--dry-run", cwd=shop)["name"] == "x"
    assert len(told("checkpoint", "list", cwd=shop)) == 1
    assert set(told("maintain", "--dry-run", cwd=shop)) >= {"decay", "gc"}
    assert told("uninstall", "--dry-run", cwd=shop)["paths"] == []
    (damaged := home / "psychmem" / "memory.db").write_bytes(b"no database" * 999)
    run("doctor", "--fix", "--dry-run", cwd=shop)
    assert damaged.read_bytes() == b"no database" * 999


@pytest.mark.slow
def test_doctor_runs_the_launcher_that_is_registered_and_tells_that_it_is_broken(shop: Path, home: Path, tmp_path: Path) -> None:
    (home / ".claude").mkdir()
    told("install", "--claude-code", cwd=shop)
    good = checks(shop)["end to end"]
    assert (good["state"], "made a brief" in good["found"]) == ("ok", True)
    broken = tmp_path / "psychmem-hook"
    broken.write_text("#!/bin/sh\necho oops >&2; exit 3\n")
    broken.chmod(0o755)
    settings = home / ".claude" / "settings.json"
    command = json.loads(settings.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]
    settings.write_text(settings.read_text().replace(json.dumps(command), json.dumps(str(broken))))
    bad = checks(shop)["end to end"]
    assert (run("doctor", cwd=shop).returncode, bad["state"]) == (1, "bad")
    assert f"{broken} ended with 3: oops" in bad["found"]
    broken.with_name("psychmem").write_bytes(broken.read_bytes())
    broken.with_name("psychmem").chmod(0o755)  # a shell finds it since: the skills would be written anew, the hooks would not
    assert [checks(shop, PATH=path)["Claude Code"]["state"] for path in (os.environ["PATH"], str(tmp_path))] == ["ok", "ok"]
    settings.write_text(settings.read_text().replace("|mcp__.*", ""))
    assert checks(shop)["Claude Code"]["found"] == "its hooks are those of another version"


STREAMS = ("list", "show {}", "stats", "export", "sweep -")


def in_shell(line: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A line of sh in which `psychmem` is ours, started from nothing."""
    words = ["sh", "-c", f'psychmem() {{ {shlex.join(COMMAND)} "$@"; }}; {line}']
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "", **env}
    return subprocess.run(words, cwd=cwd, env=env, text=True, capture_output=True, check=False)


@pytest.mark.parametrize("words", ["list --json", *(pytest.param(one, marks=pytest.mark.long) for one in STREAMS)])
def test_a_stream_closed_or_read_no_further_breaks_nothing_and_a_full_disk_is_one_sentence(shop: Path, words: str) -> None:
    words = words.format(remembered(shop, "The port is 8080. " * 4_000))  # more than a pipe holds
    for stream in ("<&-", ">&-", "<&- >&- 2>&-", "|| echo failed >&2; } | { true"):
        done = in_shell(f"{{ psychmem {words} {stream}; }}", shop)
        assert (done.returncode, done.stderr) == (0, ""), stream
    if os.path.exists("/dev/full") and words != "sweep -":  # only Linux has a full device
        done = in_shell(f"psychmem {words} > /dev/full", shop)
        assert (done.returncode, done.stderr) == (1, "psychmem: No space left on device; free some space on the disk\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_json_is_utf_8_whatever_the_locale(shop: Path, encoding: str) -> None:
    remembered(shop, "Zur Prüfung → 試験")
    assert json.loads(in_shell("psychmem list --json", shop, PYTHONIOENCODING=encoding).stdout)[0]["text"] == "Zur Prüfung → 試験"


@pytest.mark.parametrize("words", ["list", "doctor", "list --project .", "undo", "sweep -", "inject", "trust"])
def test_a_directory_that_is_gone_is_named_as_what_is_wrong(tmp_path: Path, words: str) -> None:
    (tmp_path / "gone").mkdir()
    done = in_shell(f'cd gone && rmdir "$PWD" && psychmem {words}', tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the directory you stand in is gone" in done.stderr


def test_words_that_are_not_utf_8_are_told_as_such_and_in_a_folder_so_called_all_works(shop: Path) -> None:
    done = in_shell("psychmem remember $(printf 'caf\\351') ", shop)
    assert (done.returncode, done.stderr) == (1, "psychmem: what was given is not UTF-8; write it in that\n")
    done = in_shell(
        "mkdir $(printf 'caf\\351'); cd caf*; git init -q .; psychmem remember 'The port is 8080'; psychmem list --json", shop
    )
    assert (done.stderr, '"The port is 8080"' in done.stdout) == ("", True)


def test_a_message_is_swept_under_the_id_it_came_with(shop: Path) -> None:
    odd = r'{"id": "x", "role": "user", "text": "\ud800 Never push to main."}'
    lines = ['\ufeff{"id": 7, "text": "hi"}', '{"id": null, "text": "hi"}', odd]
    for more in ((), ("--judge", "true")):
        done = run("sweep", "-", *more, cwd=shop, stdin="\n".join(lines))
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert [one["id"] for one in found] == [7, None, "x"]
        assert "Never push to main." in found[2]["memories"][0]["text"]


# Options that choose, word or print what their command may do anyway, and other names of those that say more.
HARMLESS = set(
    """--after --alike --batch --class --conversations --debug --figures --follow --heard --said-once --history
    --limit --link --list --offset --pinned --query --session --sort --status --tag --tier --today --user --waiting -n
    --all --last --not --explain --budget --metadata --until --quote --replaces --text --good --bad --vote --touch --unlink --type
    --drop --merge --from --since --format --secrets --dry-run --json --project --yes -y --transcript --changed --apply --below
    --mine --as --with --personal --role --team --rules --no-rules --claude-code --opencode --mcp --tools --off --ask --help
    --serve --output -o --remind --unpin --to --no-next""".split()
)


def test_every_command_says_what_it_does_and_every_option_was_thought_of() -> None:
    assert {path for path, option in USES if not option} == set(LEAVES)
    named = {f"{path} {option}" for path in LEAVES for option in LEAVES[path] - HARMLESS if option.startswith("-")}
    assert named - set(deeds.ACTIONS) == set()
    assert {f"{path} {option}" for path, option in USES if option and option not in LEAVES[path]} == set()


def asked(path: str, option: str) -> list[str]:
    """A use of the command with this option and what it cannot do without."""
    tree: Any = __import__("typer").main.get_command(whole())
    for word in path.split():
        tree = tree.commands[word]
    words = [*path.split()]
    for param in tree.params:
        named = option in (*param.opts, *param.secondary_opts)
        if named or (param.required and param.param_type_name == "option"):
            words += [
                option if named else param.opts[0],
                *([] if getattr(param, "is_flag", False) else [param.metavar.split("|")[0]]),
            ]
    return words + ["x" for param in tree.params if param.required and param.param_type_name == "argument"]


USES = [(path, option and f"--{option}") for path, _, option in (asked.partition(" --") for asked in deeds.ACTIONS)]


@pytest.mark.parametrize(("agent", "uses"), [("CLAUDECODE", USES), ("OPENCODE", USES[::9])], ids=["all", "some"])
def test_an_agent_gets_as_far_as_the_table(agent: str, uses: list[tuple[str, str]], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for path, option in uses:
        wanted = deeds.actions_for(path, {option})
        assert refusal(Actor.PERSON, wanted[-1]) == ""
        refused = next(filter(None, (refusal(Actor.AGENT, deed) for deed in wanted)), "")
        if refused:  # what is not refused might act
            done = CliRunner().invoke(whole(), asked(path, option), env={agent: "1"})
            assert isinstance(done.exception, RefusedError), (path, option, done.output)
            assert str(done.exception) == refused


def test_a_command_a_tool_or_a_mark_that_nobody_thought_of_is_refused() -> None:
    with pytest.raises(RefusedError, match="who may run"):
        deeds.actions_for("explode", ())
    assert {name for name, (_, deed) in server.tools_of(Tools.ALL).items() if deed not in MAY[Actor.AGENT]} == set()
    marks = {AUTHOR, CALLS, DOUBT, GUARD, JUDGED, NOTE_GONE, ON, REFUSED, REPOSITORY, RULE_FILE, OF_A_TASK}
    assert marks | {upkeep.PROMOTED_AT, exports.PROMOTED_TO} == RESERVED


HERE, ELSEWHERE = "git:here", "git:elsewhere"
THINGS = {
    "a rule of the person's": made("It is so", kind=Kind.CONSTRAINT, project=HERE, origin=Origin.USER_PROMPT),
    "what the person said of themselves": made("It is so", scope=Scope.USER, project=None, origin=Origin.USER_CLI),
    "a decision of the person's": made("It is so", kind=Kind.DECISION, project=HERE, origin=Origin.USER_PROMPT),
    "its own": made("It is so", kind=Kind.DECISION, project=HERE, origin=Origin.ASSISTANT),
    "its own, pinned since": made("It is so", project=HERE, origin=Origin.ASSISTANT, pinned=True),
    "another project's": made("It is so", project=ELSEWHERE, origin=Origin.ASSISTANT),
}
AN_AGENT_MAY = {
    Action.LOOK: set(THINGS) - {"another project's"},
    Action.RATE: set(THINGS) - {"another project's"},
    Action.CHANGE: {"its own"},
    Action.SETTLE: {"its own"},
    Action.RESTORE: {"its own"},
    Action.FORGET: {"its own", "a decision of the person's"},
}


@pytest.mark.parametrize("deed", list(Action))
def test_how_far_an_agent_reaches(deed: Action) -> None:
    reached = {name for name, one in THINGS.items() if not refusal(Actor.AGENT, deed, one, HERE)}
    assert reached == ({"its own"} if deed is Action.SAY else AN_AGENT_MAY.get(deed, set()))


@pytest.mark.parametrize("actor", [Actor.PEER, Actor.FILE, Actor.READER])
def test_nobody_but_a_person_rules(actor: Actor) -> None:
    assert set(MAY[actor]) <= {Action.SAY, Action.CHANGE, Action.FORGET, Action.SETTLE}
    assert (Action.SETTLE in MAY[actor]) == (actor is Actor.READER)
