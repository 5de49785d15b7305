"""A meeting that is cut off, or during which a person changes their mind: nothing purged stays, nothing goes where it no longer may."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from psychmem_py.store import operations
from psychmem_py.store.connection import open_store
from psychmem_py.store.sqlite import meta
from psychmem_py.sync import exchange, identity
from psychmem_py.sync.op import Lane, Op
from psychmem_py.sync.remote import FolderRemote
from tests.sync.devices import IN_SHOP, Machine

RULES = ["Never push to the release branch by hand", "Always run the linter twice", "Deploy the kiosk from the depot"]


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def device(machine: Machine) -> str:
    with open_store(machine.database, now=machine.now) as db:
        return meta(db, "sync_device")


def test_a_purge_that_came_before_the_process_was_killed_is_followed_at_the_next_meeting(
    laptop: Machine, tower: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = laptop.says(RULES[0])
    laptop.meets()
    tower.meets()
    laptop.purges(key)
    laptop.meets()
    with monkeypatch.context() as half_way:
        half_way.setattr(Machine, "desk", lambda self, db: desk(self, db)._replace(erase=killed))
        with pytest.raises(KeyboardInterrupt):
            tower.meets()
    assert tower.texts() == [RULES[0]]
    tower.meets()
    assert tower.memories() == []
    assert tower.bytes_with("release branch") == []


desk = Machine.desk


def test_a_meeting_killed_after_reading_its_own_log_makes_no_other_device_of_the_store(
    laptop: Machine, tower: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop.meets()
    before = device(laptop)
    laptop.says(RULES[0])
    wrote = identity.wrote

    def then_killed(*given: object) -> None:
        wrote(*given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as half_way:
        half_way.setattr(identity, "wrote", then_killed)
        with pytest.raises(KeyboardInterrupt):
            laptop.meets()
    laptop.meets()
    assert device(laptop) == before
    tower.meets()
    assert tower.texts() == [RULES[0]]


@pytest.mark.parametrize("how", ["unshare", "remove", "another url"])
def test_what_is_taken_back_during_a_meeting_goes_no_further(
    how: str, laptop: Machine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in RULES:
        laptop.says(text)
    push, pushed = FolderRemote.push, list[int]()

    def meanwhile(self: FolderRemote, lane: Lane, ops: Sequence[Op]) -> int:
        if not pushed:
            with laptop.acting() as act:
                if how == "unshare":
                    operations.unshare(act.db, IN_SHOP, "hub")
                else:
                    operations.remove_remote(act.db, "hub")
                if how == "another url":
                    operations.add_remote(act.db, "hub", f"file://{folder}-other", mine=True)
                    operations.share(act.db, IN_SHOP, "hub")
        pushed.append(len(ops))
        return push(self, lane, ops)

    monkeypatch.setattr(exchange, "PAGE_OPS", 2)
    monkeypatch.setattr(FolderRemote, "push", meanwhile)
    laptop.meets()
    assert pushed == [2]
    with open_store(laptop.database, now=laptop.now) as db:
        assert bool(operations.marks(db, "hub")) == (how == "unshare")


def test_nothing_is_read_from_a_remote_that_was_removed_meanwhile(
    laptop: Machine, tower: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    tower.says(RULES[0])
    tower.meets()
    pull = FolderRemote.pull

    def meanwhile(self: FolderRemote, *given: object) -> object:
        page = pull(self, *given)  # type: ignore[arg-type]
        with laptop.acting() as act:
            operations.remove_remote(act.db, "hub")
        return page

    monkeypatch.setattr(FolderRemote, "pull", meanwhile)
    laptop.meets()
    assert laptop.memories() == []
    with open_store(laptop.database, now=laptop.now) as db:
        assert operations.marks(db, "hub") == {}
