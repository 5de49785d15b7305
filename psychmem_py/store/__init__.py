"""The database: the only package that speaks SQL to it, and the only one that knows its tables.

`schema` holds the tables and their migrations, `connection` opens the file, `change_log` writes every change of a memory with
its line in the log, `rows` reads memories, `matches` and `search` find them by words. It may import the pure packages and `home`.
Nothing is decided here: what is to change comes in as `Change`s. Begin with `schema`, then `change_log.apply`.
"""
