"""The full-text index of the memories, kept in step by hand with every change."""

from __future__ import annotations

from psychmem_py.model.records import Memory
from psychmem_py.store.rows import SELECT, memory
from psychmem_py.store.sqlite import sqlite3
from psychmem_py.text.dates import date_words
from psychmem_py.text.tokenizer import search_terms

INDEXED = frozenset({"text", "names", "tags", "context", "created_at"})


def enter(db: sqlite3.Connection, seq: int | None, columns: tuple[str, str, str, str]) -> None:
    db.execute("insert into memory_search (seq, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))
    db.execute("insert into memory_fts (rowid, text, names, dates, context) values (?,?,?,?,?)", (seq, *columns))


def remove(db: sqlite3.Connection, seq: int) -> None:
    old = db.execute("select text, names, dates, context from memory_search where seq = ?", (seq,)).fetchone()
    if old:
        # An external-content index must be told the words that were there.
        db.execute(
            "insert into memory_fts (memory_fts, rowid, text, names, dates, context) values ('delete',?,?,?,?,?)", (seq, *old)
        )
        db.execute("delete from memory_search where seq = ?", (seq,))


def rebuild_index(db: sqlite3.Connection) -> None:
    """Indexes every memory anew, after the tokeniser has changed or the index is damaged."""
    db.execute("delete from memory_search")
    for line in db.execute(f"select {SELECT}, memory.seq from memory order by memory.seq").fetchall():
        db.execute(
            "insert into memory_search (seq, text, names, dates, context) values (?,?,?,?,?)",
            (line[-1], *index_text(memory(line))),
        )
    db.execute("insert into memory_fts (memory_fts) values ('rebuild')")


def index_text(memory: Memory) -> tuple[str, str, str, str]:
    """The four columns of the index: text, names, dates, context."""
    names = " ".join([*memory.names, *memory.tags])
    return search_terms(memory.text), search_terms(names), date_words(memory.created_at), search_terms(memory.context)
