"""Removes a text so that no byte of it stays in any file of the store (rows, index, log, copies); or rewrites every text."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from typing import Any, NamedTuple

from psychmem_py.home.light_json import parsed
from psychmem_py.home.places import StrPath, names_in
from psychmem_py.memory.admission import OTHER_WORDS
from psychmem_py.memory.mentions import Subject
from psychmem_py.model.light_record import KEPT
from psychmem_py.store import change_log, episodes, rows
from psychmem_py.store.connection import SIDE_FILES, transaction, why_foreign
from psychmem_py.store.sqlite import among, column, meta, value
from psychmem_py.text.tokenizer import content_words, digest, normalised, words

_TRIES, _READER_MS = 2, 5_000  # a hook reads for some milliseconds; who does not let go of the log by then is told of
_WORDS_IN_A_ROW = 3  # of a purged text that make another text a copy of part of it
_THESE = "(select value from json_each(?1))"  # ids, as JSON
# Fields that name a thing of ours: drawn at random, as a secret is.
_IDS = frozenset({"id", "memory_id", "session", "message_id", "project", "source", "target", "hlc", "batch"})


class Receipt(NamedTuple):
    """What a purge removed, in numbers, and what it could not."""

    memories: int
    rows: int  # of all tables, rewritten log lines included
    copies: tuple[str, ...] = ()  # checkpoints and backups that were cleaned too
    still_in: tuple[str, ...] = ()  # ids of other memories whose own text contains it
    unclean: tuple[str, ...] = ()  # files that could not be rewritten; remove them by hand, but for the store itself
    may_remain: tuple[str, ...] = ()  # files that are not ours and in which it was said: transcripts


class PurgeTarget(NamedTuple):
    """What to look for."""

    ids: frozenset[str]
    texts: tuple[str, ...]
    hashes: frozenset[str]
    rare: frozenset[str]  # words that no other memory uses
    runs: frozenset[tuple[str, ...]]  # words in a row; all of a text that has fewer
    spared: frozenset[str] = frozenset()  # ids of memories in use that say such words of their own
    subject: Subject | None = None  # of whom or what nothing is to stay, in whatever spelling
    theirs: bool = False  # another person takes theirs back: what was said here, in whatever words, stays

    def touches(self, text: str) -> bool:
        """Whether a text holds a part of what is purged."""
        if self.theirs:
            return any(_holds(text, one) for one in self.texts)
        tokens = words(text) if text else []
        runs = (_runs(tokens, length) for length in range(1, _WORDS_IN_A_ROW + 1))
        return self.tells(text) or not self.rare.isdisjoint(tokens) or not self.runs.isdisjoint(chain.from_iterable(runs))

    def shows(self, quote: str) -> bool:
        """Whether a quote of another memory shows what is purged; a few words in a row that it shares are its own."""
        return self.tells(quote) or any(_holds(quote, text) for text in self.texts) or not self.rare.isdisjoint(words(quote))

    def tells(self, text: str) -> bool:
        """Whether a text speaks of the subject."""
        return self.subject is not None and self.subject.is_in(text)


def _runs(tokens: Sequence[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)} if length else set()


def removed(db: sqlite3.Connection, trail: PurgeTarget, now: float) -> Receipt:
    """Removes the trail from the store, in the caller's transaction; whoever has read before must start again."""
    sessions = f"select session from evidence where memory_id in {_THESE} union select session from memory where id in {_THESE}"
    paths = column(db, f"select distinct transcript from session where id in ({sessions}) order by 1", json.dumps([*trail.ids]))
    rows = _rewrite(db, trail)
    change_log.add_tombstones(db, () if trail.theirs else trail.texts, now)
    change_log.note_purge(db, now)
    return Receipt(len(trail.ids), rows, may_remain=tuple(path for path in paths if path and os.path.exists(path)))


def cleaned_copies(path: StrPath, trail: PurgeTarget) -> tuple[list[str], list[str]]:
    """The copies of the store that the trail was taken out of, and those that could not be cleaned."""
    return rewritten_copies(path, lambda copy: _rewrite(copy, trail))


def cleaned(db: sqlite3.Connection, path: StrPath, trail: PurgeTarget, gone: Receipt) -> Receipt:
    """Leaves no byte of what was removed in the store's files and their copies."""
    unclean = [] if compacted(db) else [os.fspath(path)]
    copies, not_copies = cleaned_copies(path, trail)
    every = db.execute("select id, text from memory").fetchall()
    still = tuple(key for key, other in every if any(_holds(other, text) for text in trail.texts))
    return gone._replace(copies=tuple(copies), still_in=still, unclean=(*unclean, *not_copies))


def copies_of(name: str) -> list[str]:
    """The other database files of this store: checkpoints, backups before migrations, files set aside."""
    folder, base = os.path.split(os.path.abspath(name))
    ours = (f"{base}.before-", f"{base}.corrupt-")
    copies = [os.path.join(folder, entry) for entry in os.listdir(folder) if entry.startswith(ours)]
    kept = os.path.join(folder, "checkpoints")
    beside = [os.path.join(kept, entry) for entry in names_in(kept) if entry.endswith(".db") and not os.path.islink(kept)]
    copies += [path for path in beside if not why_foreign(path)]  # where `db_path` leads, others may have such a folder
    return sorted(path for path in copies if not path.endswith(SIDE_FILES[1:]) and not os.path.islink(path))


def target_of(db: sqlite3.Connection, ids: Sequence[str], subject: Subject | None = None, *, theirs: bool = False) -> PurgeTarget:
    """What to look for when these memories are purged: take it before, for afterwards they are gone."""
    # Every text that a memory ever had, and the words it was taken from.
    said_as = (
        "select text from memory where id = ?1 union select quote from evidence where memory_id = ?1"
        " union select json_extract(value, '$.text') from change, json_each(json_array(before, after)) where memory_id = ?1 and value != ''"
    )
    beside = f"select id from memory where json_extract(metadata, '$.doubt') in (select ?2 || value from {_THESE})"
    ids = [*ids, *(() if theirs else column(db, beside, json.dumps([*ids]), OTHER_WORDS))]
    wordings = tuple(sorted({text for key in ids for text in column(db, said_as, key) if text.strip()}))
    if theirs:
        return PurgeTarget(frozenset(ids), wordings, frozenset(), frozenset(), frozenset(), theirs=True)
    hashes = frozenset(map(digest, wordings))
    alike = [*among(db, f"select id, hash, project, {rows.status_in(KEPT)} from memory where hash in ({{keys}})", [*hashes])]
    own = {(said, place) for key, said, place, _ in alike if key in ids}
    spared = frozenset(key for key, said, place, in_use in alike if in_use and key not in ids and (said, place) not in own)
    every = {*ids, *(one[0] for one in alike)} - spared
    said = [words(text) for text in wordings]
    runs = frozenset[tuple[str, ...]]().union(*(_runs(tokens, min(_WORDS_IN_A_ROW, len(tokens))) for tokens in said))
    rare = {word for text in wordings for word in content_words(text)}
    others = column(db, f"select text from memory where id not in {_THESE}", json.dumps([*every]))
    rare.difference_update(*map(words, others))
    return PurgeTarget(frozenset(every), wordings, hashes, frozenset(rare), runs, spared, subject)


@contextmanager
def log_unlocked(db: sqlite3.Connection) -> Iterator[None]:
    """Lets lines of the log be changed: the triggers that keep it as it is are away meanwhile."""
    triggers = db.execute("select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'change'").fetchall()
    for trigger, _ in triggers:
        db.execute(f'drop trigger "{trigger}"')
    yield
    for _, sql in triggers:
        db.execute(sql)


def rewritten_copies(path: StrPath, rewrite: Callable[[sqlite3.Connection], object]) -> tuple[list[str], list[str]]:
    """The copies of the store that `rewrite` was done in, and those it could not be done in."""
    done, unclean = [], []
    for path_of_copy in copies_of(os.fspath(path)):
        made_at = os.stat(path_of_copy).st_mtime
        try:
            with closing(sqlite3.connect(path_of_copy, isolation_level=None)) as copy:
                with transaction(copy):
                    rewrite(copy)
                compacted(copy)
            os.utime(path_of_copy, (made_at, made_at))  # which tells when it was made
            done.append(path_of_copy)
        except sqlite3.Error:
            unclean.append(path_of_copy)
    return done, unclean


def _rewrite(db: sqlite3.Connection, trail: PurgeTarget) -> int:
    """Takes the trail out of every table: how many rows it touched. A copy may be of an older schema, which lacks some."""
    said = db.execute("select id, text, hash from memory")  # a copy may have more of these words
    alike = (key for key, text, own in said if (own in trail.hashes and key not in trail.spared) or trail.tells(text))
    trail = trail._replace(ids=trail.ids.union(alike))
    ids = (json.dumps([*trail.ids]),)
    there = set(column(db, "select name from sqlite_master"))
    touched = 0
    if "episode" in there and not trail.theirs:
        touched = episodes.forget(db, exchanges_of(db, trail))
        db.execute("insert into episode_fts (episode_fts) values ('rebuild')")
    with log_unlocked(db):
        db.execute(f"delete from memory_search where seq in (select seq from memory where id in {_THESE})", ids)
        touched += sum(db.execute(f"delete from {table} where {of} in {_THESE}", ids).rowcount for table, of in _OF_MEMORY)
        for table, text, cleaning in _SHOWING:
            if table in there and (table == "dead_letter" or not trail.theirs):
                shows = trail.shows if table == "evidence" else trail.touches
                gone = [(shown,) for shown in column(db, f"select distinct {text} from {table}") if shows(shown)]
                touched += max(0, db.executemany(f"{cleaning.format(table)} where {text} = ?", gone).rowcount)
        db.execute("update memory_search set context = '' where seq in (select seq from memory where context = '')")
        touched += _scrub_log(db, trail) + (_scrub_operations(db, trail) if "operation" in there else 0)
    db.execute("insert into memory_fts (memory_fts) values ('rebuild')")  # no word stays behind in an old segment
    return touched


# Which rows are a memory's own.
_OF_MEMORY = (
    ("link", "source"), ("link", "target"), ("memory", "id"), ("evidence", "memory_id"), ("shown", "memory_id"), ("change", "memory_id"),
)  # fmt: skip
# Where else it may show, and what is done about it: context of its neighbours, quotes, candidates, tool uses, unreadable lines.
_SHOWING = (
    ("memory", "context", "update {} set context = ''"),
    ("evidence", "quote", "update {} set quote = ''"),
    ("candidate", "text || char(10) || quote", "delete from {}"),
    ("event", "paths || ' ' || command || ' ' || error_line", "update {} set paths = '[]', command = '', error_line = ''"),
    ("touched", "path", "delete from {}"),
    ("failed_call", "form || ' ' || worked", "delete from {}"),
    ("call_count", "key || ' ' || reason", "delete from {}"),
    ("dead_letter", "line", "update {} set line = ''"),
)


def _scrub_log(db: sqlite3.Connection, trail: PurgeTarget) -> int:
    hit = 0
    for seq, before, after, reason, detail in db.execute("select seq, before, after, reason, detail from change").fetchall():
        kept = "" if trail.touches(reason) else reason
        changed = (_scrubbed(before, trail), _scrubbed(after, trail), kept, _scrubbed(detail, trail))
        if changed != (before, after, reason, detail):
            db.execute("update change set before = ?, after = ?, reason = ?, detail = ? where seq = ?", (*changed, seq))
            hit += 1
    return hit


def _scrubbed(text: str | None, trail: PurgeTarget) -> str | None:
    """A state or detail of another memory without the quotes and context that show the purged text; its own text stays."""
    if not text or text == "{}" or trail.theirs or not trail.touches(text):
        return text
    state: dict[str, Any] = json.loads(text)
    if trail.touches(state.get("context", "")):
        state["context"] = ""
    if trail.tells(state.get("text", "")):  # a former wording: the memory does not say it any more
        state["text"] = "(purged)"
    if "evidence" in state and trail.touches(state["evidence"][6]):
        state["evidence"][6] = ""
    if "link" in state and not trail.ids.isdisjoint(state["link"][:2]):
        del state["link"]
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def _scrub_operations(db: sqlite3.Connection, trail: PurgeTarget) -> int:
    """What was sent or received about it; and a note that it was purged, for the other devices to follow."""
    unkept = "select memory, json_extract(value, '$') from operation where kind = 'put' and field = 'text' and value is not null"
    said = db.execute(f"{unkept} and memory not in (select id from memory)").fetchall()
    ids = json.dumps([*trail.ids, *(key for key, text in said if digest(text) in trail.hashes or trail.tells(text))])
    untold = f"memory in {_THESE} group by memory having sum(kind = 'purge' and rank > 0) = 0 on conflict do nothing"
    db.execute(f"insert into purged (memory, hlc) select memory, ?2 from operation where {untold}", (ids, meta(db, "hlc")[:20]))
    # The log may have lost its end: what comes under those numbers now is still to be looked at.
    last = "min(cast(value as integer), (select ifnull(max(seq), 0) from change))"
    db.execute(f"update meta set value = cast({last} as text) where key = 'sync_read'")
    emptied = f"update operation set value = null, emptied = 1 where memory in {_THESE} and kind != 'purge' and emptied = 0"
    return db.execute(emptied, (ids,)).rowcount


def exchanges_of(db: sqlite3.Connection, trail: PurgeTarget) -> list[str]:
    """Ids of the exchanges of earlier conversations in which it was said; they go whole."""
    stated = set(column(db, f"select message_id from evidence where memory_id in {_THESE}", json.dumps([*trail.ids])))
    every = episodes.kept(db)
    said = {one.id: trail.rare.intersection(words("\n".join(one.texts))) for one in every}
    held = Counter(chain.from_iterable(said.values()))
    # A rare word in more than five exchanges is a technical term: purging by it would take half of a project's conversations.
    rare = frozenset(word for word, holding in held.items() if holding <= 5)
    exact, least = trail._replace(rare=frozenset()), 1 if len(trail.rare) < 3 else 2  # one of many says little: "checkout"
    telling = {key for key, own in said.items() if len(rare & own) >= least}
    return [one.id for one in every if one.message_id in stated or one.id in telling or any(map(exact.touches, one.texts))]


def _holds(text: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(normalised(part))}(?!\w)", normalised(text)) is not None


def compacted(db: sqlite3.Connection) -> bool:
    """Rewrites the file without its free pages and empties the write-ahead log; false when a reader did not let go of the log."""
    db.execute("pragma temp_store = memory")  # no copy in /tmp
    db.execute("pragma secure_delete = on")
    db.execute("vacuum")
    patience_ms = value(db, "pragma busy_timeout")
    db.execute(f"pragma busy_timeout = {min(_READER_MS, patience_ms)}")
    is_empty = any(not value(db, "pragma wal_checkpoint(truncate)") for _ in range(_TRIES))
    db.execute(f"pragma busy_timeout = {patience_ms}")
    return is_empty


# Where somebody's words stand, by table; the key tells the memory they belong to.
_TEXTS = {
    "memory": ("id", ("text", "tags", "names", "context", "metadata")),
    "evidence": ("memory_id", ("quote",)),
    "change": ("memory_id", ("before", "after", "reason", "detail")),
    "candidate": ("session", ("text", "quote", "reason")),
    "event": ("session", ("paths", "command", "error_class", "error_line")),
    "touched": ("session", ("path",)),
    "failed_call": ("session", ("form", "worked")),
    "call_count": ("memory", ("key", "reason")),
    "episode": ("id", ("typed", "answer", "files", "failed")),
}


class Occurrence(NamedTuple):
    """A row with something in it, and what: the kinds `kinds_in` told."""

    table: str
    owner: str  # memory id, or session
    kinds: tuple[str, ...]


def occurrences_of(db: sqlite3.Connection, kinds_in: Callable[[str], list[str]]) -> list[Occurrence]:
    """Every row in which `kinds_in` finds anything."""
    kinds, found = set[str](), list[Occurrence]()

    def noted(text: str) -> str:
        kinds.update(kinds_in(text))
        return text

    for table, owner, _, _ in _through(db, _TEXTS, noted):
        found += [Occurrence(table, str(owner), tuple(sorted(kinds)))] if kinds else []
        kinds.clear()
    return found


def rewrite(db: sqlite3.Connection, path: StrPath, without: Callable[[str], str], now: float) -> list[str]:
    """Puts every text through `without`, here and in the copies of the store; the copies that could not be rewritten."""
    with transaction(db):
        _reworded(db, without)
        change_log.note_purge(db, now)
    compacted(db)
    return rewritten_copies(path, lambda copy: _reworded(copy, without))[1]


def _reworded(db: sqlite3.Connection, without: Callable[[str], str]) -> None:
    there = set(column(db, "select name from sqlite_master"))  # a copy may be of an older schema
    with log_unlocked(db):
        for table, _, row, setting in _through(db, [table for table in _TEXTS if table in there], without):
            if "text" in setting and table in ("memory", "candidate"):
                setting["hash"] = digest(str(setting["text"]))
            if setting:
                named = ", ".join(f"{name} = ?" for name in setting)
                db.execute(f"update {table} set {named} where rowid = ?", (*setting.values(), row))
    rows.rebuild_index(db)


def _through(
    db: sqlite3.Connection, tables: Iterable[str], without: Callable[[str], str]
) -> Iterator[tuple[str, object, object, dict[str, str | None]]]:
    """Every row of the tables with its owner, its key, and the columns that `without` changes."""
    for table in tables:
        owner, columns = _TEXTS[table]
        for whose, row, *values in db.execute(f"select {owner}, rowid, {', '.join(columns)} from {table}").fetchall():
            cleaned = zip(columns, values, inside(values, without), strict=True)
            yield table, whose, row, {name: new for name, old, new in cleaned if new != old}


def inside(value: Any, without: Callable[[str], str]) -> Any:  # noqa: ANN401 - JSON of any shape
    """The value with each text in it cleaned by itself, also in a text that is JSON: as a whole a record's ids look drawn."""
    if isinstance(value, dict):
        return {without(key): inner if key in _IDS else inside(inner, without) for key, inner in value.items()}
    if isinstance(value, list):
        return [inside(inner, without) for inner in value]
    held = parsed(value.encode()) if isinstance(value, str) and value[:1] in ("[", "{") else None
    if not isinstance(held, (dict, list)):
        return without(value) if isinstance(value, str) else value
    return value if (clean := inside(held, without)) == held else json.dumps(clean, ensure_ascii=False, separators=(",", ":"))
