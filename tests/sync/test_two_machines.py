"""One person, two machines, one folder: what is said on one is known on the other, whatever happened in between."""

import gzip
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from psychmem_py.curation import actions, erasure, exports, history, imports
from psychmem_py.curation.act import PERSON, Who
from psychmem_py.model.records import Kind, Scope, Status, Tier
from psychmem_py.store import change_log, operations
from psychmem_py.store.connection import open_store, set_aside
from psychmem_py.store.copies import create, salvage
from psychmem_py.store.sqlite import meta, value
from psychmem_py.sync import exchange
from psychmem_py.sync.op import Lane, Op
from psychmem_py.sync.remote import FolderRemote
from tests.memories_made import killed
from tests.sync.devices import AGENT, DAY_S, IN_SHOP, NOW, SHOP, Machine, rounds

RULE = "Never push to the release branch by hand"


def test_what_one_says_the_other_knows_as_it_is(laptop: Machine, tower: Machine) -> None:
    rule = laptop.says(RULE, tags=["release"], metadata={"severity": "never"}, pinned=True)
    with laptop.acting() as act:
        actions.set_tier(act, rule, Tier.CRITICAL)
    taste = laptop.says("I prefer tabs over spaces", Kind.PREFERENCE, user=True)
    rounds(laptop, tower, times=1)
    came, was = tower.memory(rule), laptop.memory(rule)
    for field in "text kind scope project tier status pinned origin store tags metadata created_at".split():
        assert getattr(came, field) == getattr(was, field), field
    assert tower.memory(taste).scope is Scope.USER
    assert tower.memory(taste).project is None


def test_nothing_leaves_before_it_is_shared_and_then_all_that_was_said(tmp_path: Path, tower: Machine, folder: Path) -> None:
    laptop = Machine(tmp_path, "laptop")
    rule = laptop.says("Never push to main")
    laptop.edits(rule, RULE)
    laptop.forgets(laptop.says("Deploy on Mondays", Kind.DECISION))
    laptop.joins(folder, places=())
    assert (laptop.meets().sent, list(folder.rglob("*.gz"))) == (0, [])
    with laptop.acting() as act:
        operations.share(act.db, IN_SHOP, "hub")
    rounds(laptop, tower, times=1)
    assert tower.texts(*Status) == [RULE]
    assert not any("Mondays" in path.read_text(errors="replace") for path in folder.rglob("*.json"))


def test_a_week_apart_and_then_merged(laptop: Machine, tower: Machine) -> None:
    both = laptop.says("The API listens on port 8080", Kind.SEMANTIC)
    kept = laptop.says("Deploys are frozen in December", Kind.DECISION)
    rounds(laptop, tower)
    laptop.edits(both, "The API listens on port 9090")
    laptop.says("We use pnpm in this repository", Kind.DECISION)
    tower.now += 3 * DAY_S
    tower.edits(both, "The API listens on port 7070")
    tower.says("Billing runs on the first of the month", Kind.SEMANTIC)
    tower.forgets(kept)
    laptop.now += 7 * DAY_S
    rounds(laptop, tower, times=3)
    told = ["Billing runs on the first of the month", "The API listens on port 7070", "We use pnpm in this repository"]
    assert laptop.texts() == tower.texts() == told
    assert laptop.memory(kept).status is tower.memory(kept).status is Status.FORGOTTEN


def test_a_person_s_edit_after_the_other_machine_forgot_it_keeps_it(laptop: Machine, tower: Machine) -> None:
    rule = laptop.says(RULE)
    rounds(laptop, tower)
    laptop.forgets(rule)
    tower.now += DAY_S
    tower.edits(rule, RULE + ", ever")
    rounds(laptop, tower, times=3)
    assert laptop.texts() == tower.texts() == [RULE + ", ever"]


def test_undo_takes_back_what_the_person_did_and_never_what_came(laptop: Machine, tower: Machine) -> None:
    tower.says("We use pnpm", Kind.DECISION)
    laptop.says(RULE)
    rounds(laptop, tower, times=1)
    with tower.acting() as act:
        history.undo(act, None)
    assert tower.texts() == [RULE]
    former = laptop.says("The staging database is on port 5432", Kind.SEMANTIC)
    newer = laptop.says("The staging database is on port 6543", Kind.SEMANTIC)
    rounds(laptop, tower)
    with laptop.acting() as act:
        history.undo(act, "#" + str(value(act.db, "select seq from change where type = 'supersede'")))
    rounds(laptop, tower)
    for machine in (laptop, tower):
        assert {former, newer} <= {one.id for one in machine.memories(Status.ACTIVE)}, "who made both says which of them stand"


def test_an_import_of_the_other_s_export_taken_back_leaves_theirs(laptop: Machine, tower: Machine) -> None:
    laptop.says(RULE)
    with laptop.acting() as maker, tower.acting() as act:
        imports.ImportRun(act, None, imports.ImportSource(), exact=True).take_in(exports.export(maker.db))
    rounds(laptop, tower)
    with tower.acting() as act:
        history.undo(act, None)
    rounds(laptop, tower)
    assert (laptop.texts(), tower.texts()) == ([RULE], [])


@pytest.mark.parametrize("how", ["undone", "undone in part", "said anew", "words passed on", "crossed"])
def test_what_stands_does_not_depend_on_the_order_of_ids(laptop: Machine, tower: Machine, how: str) -> None:
    for name in "kiosk depot vault ferry crane".split():  # under random ids
        old = laptop.says(said := f"The {name} deploys with npm", Kind.DECISION)
        if how != "crossed":
            rounds(laptop, tower)
        if how.startswith("undone"):
            tower.says(f"The {name} deploys with bun", Kind.DECISION, replaces=old)
            rounds(tower, laptop)
            with tower.acting() as act:
                line = value(act.db, "select max(seq) from change where type = 'supersede'")
                history.undo(act, f"#{line}" if how == "undone in part" else None)
        elif how == "crossed":
            tower.now += 60
            newer = tower.says(f"The {name} deploys with bun", Kind.DECISION)
            rounds(tower, laptop, times=1)
            tower.forgets(newer)
        else:
            tower.forgets(old) if how == "said anew" else tower.edits(old, f"Whales sing at the {name}")
            tower.says(said, Kind.DECISION)
        rounds(tower, laptop)
        assert laptop.texts() == tower.texts()
        assert said in laptop.texts()


@pytest.mark.parametrize("synced", [True, False])
def test_what_is_brought_back_whole_comes_back_on_the_other_machine(laptop: Machine, tower: Machine, synced: bool) -> None:
    with open_store(laptop.database, now=laptop.now) as db:
        create(db, laptop.database, "before")
    for who in (laptop, tower):
        who.says(f"{who.name} counts whales", Kind.SEMANTIC)
    rounds(laptop, tower)
    with laptop.acting() as act:
        actions.restore(act, laptop.database, "before")
    if synced:
        rounds(laptop, tower)
        assert tower.texts() == []
    with laptop.acting() as act:
        history.undo(act, None)
    rounds(laptop, tower)
    assert laptop.texts() == tower.texts() == ["laptop counts whales", "tower counts whales"]


def test_each_change_is_told_under_the_machine_that_made_it(laptop: Machine, tower: Machine) -> None:
    rule = laptop.says(RULE)
    rounds(laptop, tower)
    with tower.acting() as act:
        actions.edit(act, rule, actions.Edit(tags=["release"]))
    rounds(tower, laptop)
    with laptop.acting() as act:
        assert [(one.who, one.change.type) for one in change_log.history(act.db, rule)] == [("", "add"), ("sync:tower", "edit")]


def test_what_each_said_is_kept_once_and_of_two_values_the_newer_stands(laptop: Machine, tower: Machine, folder: Path) -> None:
    (late := Machine(folder.parent, "clock at 1975", 1.6e8)).joins(folder)
    first = laptop.says(RULE)
    laptop.says("The staging database is on port 5432", Kind.SEMANTIC)
    tower.now += 60
    second = tower.says(RULE)
    newer = tower.says("The staging database is on port 6543", Kind.SEMANTIC)
    rounds(laptop, tower, times=1)
    laptop.edits(first, "Never push to main or to stable")  # and has not heard that the other said it, too
    rounds(laptop, tower, late, times=3)
    for one in (laptop, tower, late):
        assert {memory.id for memory in one.memories(Status.ACTIVE)} == {first, newer}
        assert one.memory(second).status is Status.SUPERSEDED
        assert one.memory(first).created_at == pytest.approx(NOW, abs=60)


@pytest.mark.parametrize("case", ["waits", "local-only", "secret", "too long"])
def test_what_may_not_leave_stays(laptop: Machine, tower: Machine, folder: Path, case: str) -> None:
    if case == "waits":
        laptop.says("Never use yarn here", who=AGENT)
        doubted = laptop.says("Never deploy on a Friday", Kind.SEMANTIC, who=AGENT)
        assert len(laptop.texts(Status.QUARANTINED)) == 2
    elif case == "local-only":
        laptop.says(RULE, tags=["local-only"])
    elif case == "secret":
        laptop.says("The staging bucket is called blue", Kind.SEMANTIC)
        with laptop.acting() as act:  # as an older version might have let it in
            act.db.execute("update memory set text = 'deploy with password: hunter2hunter2x'")
            act.db.execute("drop trigger change_is_final")
            act.db.execute("""update change set after = json_set(after, '$.text', 'deploy with password: hunter2hunter2x')""")
    else:
        laptop.says("The list: " + ", ".join(f"item{number}" for number in range(1_500)), Kind.SEMANTIC)
    assert laptop.memories()
    rounds(laptop, tower)
    assert tower.memories() == []
    assert list(folder.rglob("*.gz")) == []
    if case == "waits":  # until the person approves it, or says the same elsewhere
        with laptop.acting() as act:
            actions.accept(act, doubted)
        tower.says("Never use yarn here")
        rounds(tower, laptop, times=3)
        assert laptop.texts() == tower.texts(*Status) == ["Never deploy on a Friday", "Never use yarn here"]


@pytest.mark.parametrize("who", [PERSON, AGENT], ids=["person", "agent"])
def test_what_moves_to_the_person_goes_along_and_what_is_local_only_goes_away(laptop: Machine, tower: Machine, who: Who) -> None:
    rule = laptop.says(said := "We use pnpm", Kind.DECISION, who=who)
    rounds(laptop, tower)
    back = {"scope": Scope.PROJECT, "project": SHOP}
    for more in ({"scope": Scope.USER}, back, {"scope": Scope.USER}, {"tags": ["local-only"]}):
        with laptop.acting() as act:
            actions.edit(act, rule, actions.Edit(**more))  # type: ignore[arg-type]
        rounds(laptop, tower)
        moved = [(one.scope, one.project) for one in tower.memories(Status.ACTIVE)]
        assert moved == ([(more["scope"], more.get("project"))] if "scope" in more else [])
    assert laptop.texts() == [said]


def test_what_moves_to_where_the_other_machine_says_it_already_is_kept_once(laptop: Machine, tower: Machine) -> None:
    here = laptop.says("We use pnpm", Kind.DECISION)
    rounds(laptop, tower)
    tower.says("We use pnpm", Kind.DECISION, user=True)
    with laptop.acting() as act:
        actions.edit(act, here, actions.Edit(scope=Scope.USER))
    rounds(laptop, tower, times=3)
    assert all([(one.id, one.scope) for one in each.memories(Status.ACTIVE)] == [(here, Scope.USER)] for each in (laptop, tower))


@pytest.mark.parametrize("years", [1, 100])
def test_an_edit_behind_a_clock_that_is_years_ahead_still_counts(laptop: Machine, tower: Machine, years: int) -> None:
    laptop.now += years * 365 * DAY_S
    rule = laptop.says("The API listens on port 8080", Kind.SEMANTIC)
    laptop.meets()
    tower.meets()
    tower.edits(rule, "The API listens on port 9090")
    tower.meets()
    laptop.meets()
    assert laptop.texts() == tower.texts() == ["The API listens on port 9090"]


def test_a_purge_on_one_leaves_no_byte_on_the_other_or_in_the_folder(laptop: Machine, tower: Machine, folder: Path) -> None:
    canary = "The vault of Zyxwvut opens with Quorblesnatch"
    memory = laptop.says(canary, Kind.SEMANTIC)
    laptop.says(RULE)
    rounds(laptop, tower)
    tower.edits(memory, canary + " on Sundays")
    rounds(tower, laptop)
    assert laptop.bytes_with("Quorblesnatch")
    shutil.copy(tower.database, moved := Path(f"{tower.database}.moved"))  # to another disk: it becomes another device
    moved.replace(tower.database)
    tower.purges(memory)
    tower.says(later := "We use pnpm", Kind.DECISION)  # under a number that the purge took out of the log
    tower.purges(tower.says("Quorblesnatch is a word", Kind.SEMANTIC))  # of which the other has not heard,
    laptop.says("Quorblesnatch is a word", Kind.SEMANTIC)  # and says the same itself
    rounds(tower, laptop, times=3)
    for one in (laptop, tower):
        assert (one.texts(), one.bytes_with("Quorblesnatch")) == ([RULE, later], [])
    assert [path for path in folder.rglob("*.gz") if b"Quorblesnatch" in gzip.decompress(path.read_bytes())] == []


def test_a_restored_backup_becomes_a_device_of_its_own_and_loses_nothing(laptop: Machine, tower: Machine, tmp_path: Path) -> None:
    laptop.says(RULE)
    rounds(laptop, tower)
    backup = Path(laptop.database).read_bytes()
    laptop.says("We use pnpm", Kind.DECISION)
    rounds(laptop, tower)
    for suffix in ("-wal", "-shm"):
        Path(laptop.database + suffix).unlink(missing_ok=True)
    Path(laptop.database).write_bytes(backup)
    laptop.says("Deploys are frozen in December", Kind.DECISION)
    rounds(laptop, tower, times=3)
    assert laptop.texts() == tower.texts() == ["Deploys are frozen in December", RULE, "We use pnpm"]
    assert len([one for one in (tmp_path / "carried").iterdir() if one.is_dir()]) == 2  # the laptop's two; the tower never spoke


def test_a_store_salvaged_from_a_damaged_file_goes_on_sharing_with_the_others(laptop: Machine, tower: Machine) -> None:
    laptop.says(RULE)
    tower.says("We use pnpm", Kind.DECISION)
    rounds(laptop, tower)
    aside = set_aside(laptop.database, now=laptop.now)
    with laptop.acting() as act:
        salvage(act.db, aside)
    assert [one.name for one in laptop.remotes()] == ["hub"]
    laptop.says("Deploys are frozen in December", Kind.DECISION)
    tower.says("The queue is Redis", Kind.DECISION)
    rounds(laptop, tower, times=3)
    assert laptop.texts() == tower.texts() == ["Deploys are frozen in December", RULE, "The queue is Redis", "We use pnpm"]


def test_what_a_damaged_store_shared_goes_to_no_remote_named_anew(laptop: Machine, tower: Machine, tmp_path: Path) -> None:
    laptop.says(RULE)
    rounds(laptop, tower)
    aside = set_aside(laptop.database, now=laptop.now)
    laptop.joins(tmp_path / "another", places=())
    with laptop.acting() as act:
        salvage(act.db, aside)
    assert ([one.url for one in laptop.remotes()], laptop.meets().sent) == ([(tmp_path / "another").as_uri()], 0)


def test_a_copied_home_becomes_a_device_of_its_own(laptop: Machine, tower: Machine, tmp_path: Path) -> None:
    laptop.says(RULE)
    rounds(laptop, tower)
    shutil.copytree(laptop.root, tmp_path / "copy")
    copy = Machine(tmp_path, "copy", laptop.now)
    copy.says("We use pnpm", Kind.DECISION)
    laptop.says("Deploys are frozen in December", Kind.DECISION)
    rounds(copy, laptop, tower, times=3)
    assert laptop.texts() == tower.texts() == copy.texts() == ["Deploys are frozen in December", RULE, "We use pnpm"]


def test_what_was_taken_back_before_a_store_was_damaged_does_not_come_back_by_sync(laptop: Machine, tower: Machine) -> None:
    both = laptop.says("We use pnpm", Kind.DECISION)
    shutil.copy(laptop.database, tower.database)
    tower.forgets(both)  # before the first sync
    forgotten, purged = laptop.says(RULE), laptop.says("The vault opens with Quorblesnatch", Kind.SEMANTIC)
    rounds(laptop, tower)
    laptop.forgets(forgotten)
    laptop.purges(purged)  # of neither anybody has heard
    damaged = set_aside(laptop.database, now=laptop.now)
    with open_store(laptop.database, now=laptop.now) as db:
        salvage(db, damaged)
    rounds(laptop, tower, times=3)
    assert laptop.texts() == []
    assert tower.bytes_with("Quorblesnatch") == []


def test_unsharing_stops_what_comes_next_and_loses_nothing(laptop: Machine, tower: Machine) -> None:
    rule = laptop.says(RULE)
    rounds(laptop, tower)
    with laptop.acting() as act:
        assert operations.unshare(act.db, IN_SHOP, "hub")
    laptop.says("We use pnpm", Kind.DECISION)
    gone = laptop.says("Deploy on Mondays", Kind.DECISION)
    laptop.edits(rule, RULE + ", ever")
    rounds(laptop, tower)
    laptop.forgets(gone)
    with tower.acting() as act:
        actions.edit(act, rule, actions.Edit(tags=["release"]))
    rounds(tower, laptop)
    assert (laptop.memory(rule).text, tower.texts()) == (RULE + ", ever", [RULE])
    tower.now += DAY_S
    tower.edits(rule, RULE + ", at all")
    rounds(tower, laptop)
    with laptop.acting() as act:
        operations.share(act.db, IN_SHOP, "hub")
    rounds(laptop, tower)
    assert laptop.texts() == tower.texts(*Status) == [RULE + ", at all", "We use pnpm"]


RULES = [RULE, "Always run the linter twice", "Deploy the kiosk from the depot"]


def device(machine: Machine) -> str:
    with open_store(machine.database, now=machine.now) as db:
        return meta(db, "sync_device")


def test_a_purge_cut_off_is_followed_at_the_next_one(laptop: Machine, tower: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    key = laptop.says(RULE)
    laptop.meets()
    tower.meets()
    laptop.purges(key)
    laptop.meets()
    with monkeypatch.context() as half_way:
        half_way.setattr(erasure, "erase", killed)
        with pytest.raises(KeyboardInterrupt):
            tower.meets()
    assert tower.texts() == [RULE]
    tower.meets()
    assert (tower.memories(), tower.bytes_with("release branch")) == ([], [])


def test_a_killed_meeting_makes_no_other_device(laptop: Machine, tower: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    laptop.meets()
    before = device(laptop)
    laptop.says(RULE)
    wrote = exchange.wrote

    def then_killed(*given: object) -> None:
        wrote(*given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as half_way:
        half_way.setattr(exchange, "wrote", then_killed)
        with pytest.raises(KeyboardInterrupt):
            laptop.meets()
    laptop.meets()
    assert device(laptop) == before
    tower.meets()
    assert tower.texts() == [RULE]


@pytest.mark.parametrize("how", ["unshare", "remove", "another url"])
def test_what_is_taken_back_meanwhile_stops(how: str, laptop: Machine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_nothing_is_read_from_a_remote_removed_since(laptop: Machine, tower: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    tower.says(RULE)
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
