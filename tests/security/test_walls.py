"""Projects see only themselves, a repository can only tighten, and nothing is read or run from where an attacker may write."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from psychmem_py.errors import ConfigError
from psychmem_py.home.project import project_of
from tests.forks import ROOT, psychmem, told
from tests.hooks import QUIET, Conversation, context, holding, repository, run, settle

CANARY = "kumquat"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return repository(tmp_path / "mine", "git@example.org:team/mine.git")


@pytest.fixture
def told_mine(mine: Path) -> str:
    told("remember", f"The {CANARY} ledger settles on the first Monday", "--class", "semantic", "--project", ".", cwd=mine)
    rule = f"Never touch the {CANARY} tables by hand"
    return str(told("remember", rule, "--class", "constraint", "--project", ".", "--pin", cwd=mine)["id"])


def readers(other: Path, home: Path) -> str:
    """Everything that anything of ours says about the canary when one stands in `other`."""
    one = Conversation(other, "other-1", folder=home / "transcripts")
    said = [one.begins(**QUIET)]
    asked = f"What about the {CANARY} ledger and the {CANARY} tables?"
    said.append(one.asks(asked, **QUIET))
    task = one.payload("SubagentStart", agent_id="a", agent_type="x", prompt=asked)
    said.append(context(run("subagent-start", task, **QUIET), "SubagentStart"))
    one.typed(f"Where is the {CANARY} ledger described?", last="I do not know.")
    said.append(one.begins("compact", **QUIET))
    settle()
    for words in (["list"], ["list", "--json", "--status", "all"], ["search", CANARY], ["search", CANARY, "--json", "--status", "all"],
                  ["inject"], ["inject", "--query", CANARY, "--explain"], ["review"], ["explain", "--last"], ["stats"], ["why", "--not", "ledger"]):  # fmt: skip
        done = psychmem(*words, cwd=other)
        own = done.stdout.replace(f"What about the {CANARY}", "")  # typed here, and an exchange of this place
        said.append(own.replace(f"Where is the {CANARY}", ""))
    folders = [folder for folder in (home / ".claude").glob("projects/*/memory") if "mine" not in folder.parent.name]
    assert holding(folders, CANARY) == []
    return "\n".join(said)


def test_two_projects_are_apart_in_every_reader(mine: Path, told_mine: str, tmp_path: Path, home: Path) -> None:
    for place in (repository(tmp_path / "other", "git@example.org:team/other.git"), home):
        assert CANARY not in readers(place, home).lower()


def test_an_agent_that_leaves_where_its_client_stands_sees_no_other_project(mine: Path, told_mine: str, tmp_path: Path) -> None:
    other = repository(tmp_path / "other")
    assert CANARY in Conversation(mine, "mine-1").begins(**QUIET)
    settle()
    for words in (["context", "--last"], ["context", "--session", "mine-1"]):
        assert CANARY not in psychmem(*words, cwd=other, CLAUDECODE="1").stdout
    below = repository(other / "vendor" / "lib", "git@example.org:x/lib.git")
    claims = repository(other / "vendor" / "mine", "https://example.org/team/mine")
    with subprocess.Popen(["sleep", "600"], cwd=other) as client:
        for env in ({"OPENCODE": "1", "OPENCODE_SESSION_FOLDER": str(other)}, {"CLAUDECODE": "1", "CLAUDE_PID": str(client.pid)}):
            for place in (mine, claims) if "OPENCODE" in env or sys.platform == "linux" else ():
                done = psychmem("list", cwd=place, **env)
                assert (done.returncode, done.stdout) == (1, "")
            assert psychmem("list", cwd=other, **env).returncode == psychmem("list", cwd=below, **env).returncode == 0
        client.kill()


MARKERS = (
    'id = "git:example.org/team/mine"', 'project = "git:example.org/team/mine"', '[project]\nid = "../mine"', 'id = "mine"', 'id = "user"',
    'id = "%"', 'id = "\' or 1=1 --"', 'id = "*"',
)  # fmt: skip


def test_a_repository_cannot_name_its_way_into_another(mine: Path, told_mine: str, tmp_path: Path) -> None:
    """Whoever finds the project's id is told its memories: one that reads them is enough for each."""
    hostile = repository(tmp_path / "hostile", "https://evil.example/x")
    for number, marker in enumerate(MARKERS):
        (hostile / ".psychmem.toml").write_text(marker)
        seen = psychmem("list", "--json", "--status", "all", cwd=hostile).stdout
        assert CANARY not in (seen + Conversation(hostile, f"h{number}").begins(**QUIET)).lower(), marker
    settle()


def test_a_name_belongs_to_the_project_that_used_it_first(tmp_path: Path, home: Path) -> None:
    mine = repository(tmp_path / "mine", "git@example.org:team/mine.git")
    clone = repository(tmp_path / "clone", "https://example.org/team/mine")
    hostile = repository(tmp_path / "hostile", "https://evil.example/x")
    for place in (mine, clone, hostile):
        (place / ".psychmem.toml").write_text('id = "billing"')
    told("remember", f"Never touch the {CANARY} tables by hand", "--project", ".", cwd=mine)
    assert len(told("list", cwd=clone)) == 1
    assert CANARY not in readers(hostile, home)
    for session in ("h2", "h3", "h4"):  # with a brief made ready, too
        assert "psychmem share trust" in Conversation(hostile, session).begins(**QUIET)
        settle()
    assert psychmem("trust", cwd=hostile, CLAUDECODE="1").returncode == 1  # an agent may not
    assert told("list", cwd=hostile) == []
    assert psychmem("trust", cwd=hostile).returncode == 0  # a person may
    assert len(told("list", cwd=hostile)) == 1
    assert "psychmem share trust" not in Conversation(hostile, "h5").begins(**QUIET)


@pytest.mark.parametrize("points_to", ["{mine}/.git", "{mine}/.git/worktrees/w", ".made"])
def test_a_git_file_cannot_point_into_another_repository(points_to: str, mine: Path, told_mine: str, tmp_path: Path) -> None:
    tree = mine / ".git" / "worktrees" / "w"
    tree.mkdir(parents=True)
    (tree / "commondir").write_text("../..\n")
    (tree / "gitdir").write_text(f"{tmp_path}/real/.git\n")
    hostile = tmp_path / "hostile"
    (hostile / ".made").mkdir(parents=True)
    (hostile / ".made" / "commondir").write_text("../../mine/.git\n")
    (hostile / ".made" / "gitdir").write_text(f"{hostile}/.git\n")
    (hostile / ".git").write_text(f"gitdir: {points_to.format(mine=mine)}\n")
    assert told("list", cwd=hostile) == []


def test_a_remote_is_never_an_id_of_another_kind(tmp_path: Path) -> None:
    explicit = repository(tmp_path / "a")
    (explicit / ".psychmem.toml").write_text('id = "git:x/y"')
    with pytest.raises(ConfigError, match="may hold"):
        project_of(explicit, os.environ)
    found = project_of(repository(tmp_path / "b", "x:y"), os.environ)
    assert found
    assert found.id.startswith("git:")


def test_what_a_repository_sets_changes_nothing_of_ours(mine: Path, told_mine: str, tmp_path: Path) -> None:
    evil = '[general]\ndb_path = "/tmp/evil.db"\n'
    (mine / ".psychmem.toml").write_text(evil + "[extraction]\nmax_memories_per_stop = 1000\n[redact]\noff = true\n")
    (mine / "config.toml").write_text(evil)
    assert (len(told("list", cwd=mine)), told("config", "show", cwd=mine)) == (2, told("config", "show", cwd=tmp_path))
    target = tmp_path / "target"
    target.mkdir()
    (mine / ".claude").mkdir()
    (mine / ".claude" / "settings.json").write_text(f'{{"autoMemoryDirectory": "{target}"}}')
    Conversation(mine, "s1").says("Always write the changelog before you tag a release.")
    assert list(target.iterdir()) == []
    (mine / ".claude" / "settings.json").unlink()
    (mine / ".claude" / "settings.json").symlink_to("/dev/zero")
    assert CANARY in Conversation(mine, "s2").begins()
    (mine / ".psychmem.toml").write_text("id = [broken")
    one = Conversation(mine, "s1")
    assert CANARY not in one.begins(**QUIET)
    settle()


def test_nothing_is_imported_from_the_working_directory_or_the_environment(mine: Path) -> None:
    trap = "raise SystemExit(open('trapped', 'w').write('x') and 7)"
    for name in ("json", "sqlite3", "psychmem_py", "typer", "regex", "sitecustomize", "encodings", "tomllib", "_signal"):
        (mine / f"{name}.py").write_text(trap)
    payload = Conversation(mine, "s1").payload("SessionStart", source="startup")
    command = [ROOT / "hooks" / "psychmem-hook", "inject"]
    env = {**os.environ, "PYTHONPATH": str(mine), "PYTHONSTARTUP": str(mine / "json.py"), "PYTHONHOME": ""}
    registered = [sys.executable, "-E", "-P", "-m", "psychmem_py.hooks", "inject"]  # where no script can run
    for words in (command, [ROOT / "hooks" / "run", "inject"], registered):
        done = subprocess.run(
            words, cwd=mine, env={**env, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
            input=str(payload).replace("'", '"').encode(), capture_output=True, timeout=600, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
    run("inject", payload)
    run("stop", Conversation(mine, "s1").payload("Stop"))
    settle()
    assert not (mine / "trapped").exists()


def test_a_session_id_is_no_path_and_a_checkpoint_has_a_plain_name(mine: Path, tmp_path: Path, home: Path) -> None:
    before = {path for path in tmp_path.rglob("*")}
    one = Conversation(mine, "s1")
    call = one.after("Bash", command="ls")
    for session in ("../../../escape", "/etc/passwd", "CON", "nul", "a/b\\c", "x" * 5000, "..", ".", "\x00", "aux.jsonl"):
        run("tool-after", call | {"session_id": session})
        run("stop", one.payload("Stop") | {"session_id": session})
    settle()
    assert {path for path in tmp_path.rglob("*")} == before
    names = [path.name for path in (home / "psychmem" / "journals").glob("*")]
    assert all(len(name) < 80 and name.removesuffix(".jsonl").replace("-", "").isalnum() for name in names)
    for name in ("a:b", "../x", "x/../../y", "trailing.", " "):
        assert psychmem("checkpoint", "create", name, cwd=mine).returncode == 1, name
    assert list((home / "psychmem").glob("checkpoints/*")) == []


def test_links_in_our_directory_are_not_written_through(mine: Path, home: Path, tmp_path: Path) -> None:
    data, elsewhere = home / "psychmem", tmp_path / "elsewhere"
    data.mkdir()
    elsewhere.mkdir()
    for name in ("journals", "locks", "claims", "health", "briefs", "checkpoints"):
        (elsewhere / name).mkdir()
        (data / name).symlink_to(elsewhere / name)
    one = Conversation(mine, "s1")
    one.begins()
    one.uses("Bash", command="ls")
    one.typed("Always write the changelog before you tag a release.", last="Fine.")
    psychmem("checkpoint", "create", "x", cwd=mine)
    assert [path for path in elsewhere.rglob("*") if path.is_file()] == []


def test_what_is_said_at_home_of_a_project_is_told_in_none(tmp_path: Path, home: Path) -> None:
    one = Conversation(home, "s1")
    said = "In this project we decided to use the zorblax queue for all jobs."
    one.typed(said, "I prefer short answers in general, in all my projects.")
    told("remember", "The gateway runs on zorblax too", "--class", "decision", cwd=home)
    told("remember", "In this repo the zorblax tests are slow", cwd=home)
    told("remember", "My cat is called Zorro", cwd=home)
    shop = repository(tmp_path / "shop")
    told_there = [row["text"] for row in told("list", cwd=shop)]
    assert not [text for text in told_there if "zorblax" in text]
    assert [text for text in told_there if "short answers" in text or "Zorro" in text]
    waiting = told("review", cwd=home)
    assert sorted(row["metadata"]["doubt"] for row in waiting) == ["said in no project"] * 3
