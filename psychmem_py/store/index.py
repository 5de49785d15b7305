"""The full-text index of the memories, kept in step by hand with every change."""

from __future__ import annotations

from psychmem_py.model.records import CONTEXT_CHARS, Memory
from psychmem_py.store.rows import SELECT, from_json, memory
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.dates import date_words
from psychmem_py.text.tokenizer import search_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

INDEXED = frozenset({"text", "names", "tags", "context", "created_at"})


def enter(db: sqlite3.Connection, seq: int | None, columns: tuple[str, str, str, str], table: str = "memory") -> None:
    db.execute(f"insert into {table}_search (seq, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))
    db.execute(f"insert into {table}_fts (rowid, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))


def remove(db: sqlite3.Connection, seq: int, table: str = "memory") -> None:
    old = db.execute(f"select text, names, dates, context from {table}_search where seq = ?", (seq,)).fetchone()
    if old:
        # An external-content index must be told the words that were there.
        db.execute(
            f"insert into {table}_fts ({table}_fts, rowid, text, names, dates, context) values ('delete',?,?,?,?,?)", (seq, *old)
        )
        db.execute(f"delete from {table}_search where seq = ?", (seq,))


def rebuild_index(db: sqlite3.Connection) -> None:
    """Indexes every memory and exchange anew, after the tokeniser has changed or the index is damaged."""
    db.execute("delete from memory_search")
    for line in db.execute(f"select {SELECT}, memory.seq from memory order by memory.seq").fetchall():
        db.execute(
            "insert into memory_search (seq, text, names, dates, context) values (?,?,?,?,?)",
            (line[-1], *index_text(memory(line))),
        )
    db.execute("insert into memory_fts (memory_fts) values ('rebuild')")
    if not db.execute("select 1 from sqlite_master where name = 'episode'").fetchone():
        return  # a copy of an older schema
    db.execute("delete from episode_search")
    last: dict[str, tuple[str, str]] = {}  # exchange of each conversation
    query = "select seq, session, typed, answer, files, failed, at from episode order by seq"
    for seq, session, typed, answer, files, failed, at in db.execute(query).fetchall():
        names = (*from_json(files), *from_json(failed))
        columns = exchange_text(typed, answer, names, at, last.get(session, ("", "")))
        db.execute("insert into episode_search (seq, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))
        last[session] = (typed, answer)
    db.execute("insert into episode_fts (episode_fts) values ('rebuild')")


def index_text(memory: Memory) -> tuple[str, str, str, str]:
    """The four columns of the index: text, names, dates, context."""
    names = " ".join([*memory.names, *memory.tags])
    return search_terms(memory.text), search_terms(names), date_words(memory.created_at), search_terms(memory.context)


def exchange_text(typed: str, answer: str, names: Sequence[str], at: float, before: tuple[str, str]) -> tuple[str, str, str, str]:
    """The same of an exchange; its context is the beginning and the end of the one before."""
    context = search_terms(f"{before[0][:CONTEXT_CHARS]} {before[1][-CONTEXT_CHARS:]}")
    return search_terms(f"{typed}\n{answer}"), search_terms(" ".join(names)), date_words(at), context
