"""Two commands at once, and a command while somebody else writes: neither loses what the other did."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from psychmem_py.cli.commands import agents, config
from psychmem_py.curation import actions, pending
from psychmem_py.curation.actions import Edit
from psychmem_py.errors import BusyError, RefusedError
from psychmem_py.home import locks, pauses
from psychmem_py.home.pauses import ALL, Pause
from psychmem_py.installation import claude_code, patches, registration
from psychmem_py.model.records import Kind, Status
from psychmem_py.store.connection import open_store
from tests.memories_made import NOW, act, made, store
from tests.test_cli import remembered, run, told


def registered() -> None:
    registration.register([claude_code.OWNER], os.environ, Path(os.environ["PSYCHMEM_HOME"]), command=["/bin/hook"])


def unregistered() -> None:
    registration.unregister([claude_code.OWNER], os.environ, Path(os.environ["PSYCHMEM_HOME"]))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(lambda: config.pause(all_=True), id="pause"),
        pytest.param(lambda: config.resume(all_=True), id="resume"),
        pytest.param(lambda: config.set_("small_model", "haiku"), id="config set"),
        pytest.param(lambda: agents.judge(off=True), id="judge --off"),
        pytest.param(registered, id="install"),
        pytest.param(unregistered, id="uninstall"),
    ],
)
def test_a_file_is_changed_by_one_at_a_time(command: Callable[[], None], shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shop)
    monkeypatch.setattr(locks, "_PATIENCE_S", 0.0)
    with locks.one_command(os.environ), pytest.raises(BusyError, match="try again"):
        command()
    command()
    assert not [name for name in os.listdir(os.environ["HOME"]) if "lock" in name]


def test_settings_that_the_client_writes_meanwhile_are_not_overwritten(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = claude_code.settings_file(os.environ)
    settings.parent.mkdir()
    settings.write_text('{"model": "old"}\n')
    installing = claude_code.installing

    def meanwhile(*given: object) -> list[patches.FileEdit]:
        edits = installing(*given)  # type: ignore[arg-type]
        settings.write_text('{"model": "new"}\n')
        return edits

    with monkeypatch.context() as at_once:
        at_once.setattr(claude_code, "installing", meanwhile)
        with pytest.raises(RefusedError, match="run this again"):
            registered()
    assert settings.read_text() == '{"model": "new"}\n'
    registered()
    unregistered()
    assert settings.read_text() == '{"model": "new"}\n'


@pytest.mark.parametrize("before", [None, "{}", '{\n  "hooks": {},\n  "model": "x"\n}\n'])
@pytest.mark.parametrize("writes", [1, 2, 3, 4])
def test_a_killed_install_is_taken_back(before: str | None, writes: int, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = claude_code.settings_file(os.environ)
    if before is not None:
        settings.parent.mkdir()
        settings.write_text(before)
    write, done = patches.write, list[Path]()

    def killed(path: Path, text: str, mode: int | None = None) -> None:
        if len(done) == writes:
            raise KeyboardInterrupt
        done.append(path)
        write(path, text, mode)

    with monkeypatch.context() as half_way:
        half_way.setattr(patches, "write", killed)
        with pytest.raises(KeyboardInterrupt):
            registered()
    unregistered()
    assert (settings.read_text() if settings.exists() else None) == before


def test_a_wording_is_not_put_over_one_that_was_given_while_the_editor_was_open(shop: Path, tmp_path: Path) -> None:
    key = remembered(shop, "The port is 8080", "--project", ".")
    editor = tmp_path / "ed.sh"
    other = f'{sys.executable} -c "from psychmem_py.cli import main; main()" edit {key} "The port is 9090"'
    editor.write_text(f'#!/bin/sh\n{other} > /dev/null || exit 9\necho "The port is 7070" > "$1"\n')
    editor.chmod(0o755)
    done = run("edit", key, cwd=shop, EDITOR=str(editor))
    assert done.returncode == 1
    assert "7070" in done.stderr
    assert told("show", key, cwd=shop)["text"] == "The port is 9090"


def test_an_answer_is_for_what_was_shown(tmp_path: Path) -> None:
    waits = made("Deploy on fridays", Kind.CONSTRAINT, status=Status.QUARANTINED)
    with open_store(tmp_path / "memory.db", now=NOW) as db:
        store(db, [waits])
        shown = pending.item_of(db, waits.id)
        assert pending.as_shown(db, shown) == shown
        actions.edit(act(db), waits.id, Edit(text="Never deploy on fridays"))
        with pytest.raises(RefusedError, match="Never deploy"):
            pending.as_shown(db, shown)


def test_what_is_paused_stays_so_when_the_clock_is_set_back(home: Path) -> None:
    data = os.environ["PSYCHMEM_HOME"]
    pauses.write(data, [Pause(ALL, "", NOW, 0.0)])
    assert pauses.now_paused(data, "s", "/p", NOW - 3_600)
    pauses.write(data, [Pause(ALL, "", NOW, NOW - 3_600)])  # resumed by that clock
    assert not pauses.now_paused(data, "s", "/p", NOW - 3_599)
