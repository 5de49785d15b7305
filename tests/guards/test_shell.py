"""What a shell line runs, whatever it is wrapped in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.guards.acts import triggers
from psychmem_py.guards.call import call_of
from psychmem_py.guards.shell import commands
from psychmem_py.guards.trigger import act


@pytest.mark.parametrize(
    ("line", "run"),
    [
        pytest.param('echo "git push"', ["echo git push"], id="words in quotes are run by nobody"),
        pytest.param("ls # git push", ["ls"], id="a comment"),
        pytest.param("cat > a.md <<EOF\ngit push\nEOF\nls", ["cat", "ls"], id="text behind a heredoc"),
        pytest.param(
            "git commit -m \"$(cat <<'EOF'\ngit push\nEOF\n)\"",
            ["git commit -m cat <<'EOF'\ngit push\nEOF\n"],
            id="a message written as a heredoc",
        ),
        pytest.param("cd x && git push; ls | wc -l", ["cd x", "git push", "ls", "wc -l"], id="one after the other"),
        pytest.param("sudo -u dev env A=1 B=2 git push", ["git push"], id="wrappers and variables"),
        pytest.param("bash -lc 'cd x && git push'", ["cd x", "git push"], id="a shell in a shell"),
        pytest.param("timeout 30 uv run pytest -q 2>&1 | tail -3", ["pytest -q", "tail -3"], id="runners"),
        pytest.param("if true; then pnpm install; fi", ["true", "pnpm install"], id="conditions"),
        pytest.param("docker compose exec -T web npm ci", ["npm ci"], id="inside a container"),
        pytest.param("python3 -m pip install x", ["pip install x"], id="a module"),
        pytest.param("echo $(git push)", ["git push", "echo $()"], id="a command in a command"),
        pytest.param("npx prettier --write src", ["prettier --write src"], id="npx"),
        pytest.param("ssh host 'systemctl restart nginx'", ["systemctl restart nginx"], id="on another machine"),
    ],
)
def test_a_line_is_the_commands_it_runs(line: str, run: list[str]) -> None:
    assert [" ".join(one.words) for one in commands(line)] == run


@pytest.mark.parametrize(
    ("line", "writes", "deletes"),
    [
        ("sed -i s/a/b/ db/schema.sql", {"s/a/b/", "db/schema.sql"}, set()),
        ("cat a > b.txt", {"b.txt"}, set()),
        ("rm -rf build/", set(), {"build/"}),
        ("cp a b", {"b"}, set()),
        ("mv a b", {"b"}, {"a"}),
        ("git rm old.py", set(), {"old.py"}),
        ("rm -f /tmp/a $TMPDIR/b c", set(), {"c"}),
        ("sed s/a/b/ x.txt", set(), set()),
        ("grep -r x src", set(), set()),
    ],
)
def test_a_command_says_which_files_it_changes(line: str, writes: set[str], deletes: set[str]) -> None:
    (command,) = call_of("Bash", {"command": line}).commands
    assert (set(command.writes), set(command.deletes)) == (writes, deletes)


@given(st.text(alphabet="git push'\"`$()<>|&;\\\n -=#{}", max_size=80))
def test_whatever_is_written_is_read(line: str) -> None:
    for one in commands(line):
        assert all(isinstance(word, str) for word in one.words)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("test", "php artisan test"),
        ("test", "npm t"),
        ("test", "cargo nextest run"),
        ("test", "yarn workspace app test"),
        ("test", "pnpm --filter app test"),
        ("test", "node --test"),
        ("test", "coverage run -m pytest"),
        ("test", "docker compose run --rm web npm test"),
        ("migrate", "flask db upgrade"),
        ("migrate", "dotnet ef database update"),
        ("deploy", "gcloud app deploy"),
        ("deploy", "git push heroku main"),
        ("deploy", "cap production deploy"),
        ("install", "yarn"),
        ("install", "corepack pnpm add left-pad"),
        ("lint", "pre-commit run --all-files"),
        ("build", "make"),
        ("build", "docker compose build"),
        ("types", "cargo check"),
    ],
)
def test_the_same_act_by_other_programs(name: str, line: str) -> None:
    call = call_of("Bash", {"command": line})
    assert any(act(one, call) >= 0 for one in triggers(name))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("test", "docker compose run --rm web npm start"),
        ("deploy", "git push origin main"),
        ("install", "yarn --version"),
        ("build", "make clean"),
        ("build", "tsc --noEmit"),
        ("types", "cargo run"),
    ],
)
def test_what_comes_near_is_another_act(name: str, line: str) -> None:
    call = call_of("Bash", {"command": line})
    assert not any(act(one, call) >= 0 for one in triggers(name))
