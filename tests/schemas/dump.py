"""Prints a store as SQL that any SQLite can read back: `python tests/schemas/dump.py memory.db > tests/schemas/v1.sql`."""

import sqlite3
import sys

FTS = ("memory_fts", "memory_terms", "episode_fts", "episode_terms")


def dump(path: str) -> str:
    """Schema and rows, without the shadow tables of the index, which is built anew."""
    db = sqlite3.connect(path)
    made = db.execute("select type, name, sql from sqlite_master where sql is not null order by rowid").fetchall()
    lines = [f"{sql};" for _, name, sql in made if name in FTS or not name.startswith(FTS)]
    for kind, name, _ in made:
        if kind == "table" and not name.startswith(FTS):
            for row in db.execute(f"select * from {name}"):
                values = ", ".join(db.execute("select quote(?)", (value,)).fetchone()[0] for value in row)
                lines.append(f"insert into {name} values ({values});")
    version = db.execute("pragma user_version").fetchone()[0]
    return "\n".join(
        [
            *lines,
            *(f"insert into {index} ({index}) values ('rebuild');" for index in ("memory_fts", "episode_fts")),
            f"pragma user_version = {version};",
            "",
        ]
    )


if __name__ == "__main__":
    sys.stdout.write(dump(sys.argv[1]))
