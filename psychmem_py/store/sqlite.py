"""The `sqlite3` that a start loads: the compiled half of it, without `datetime` and the converters that the other half adds (3 ms of CPU).

Errors and connections are the same objects, so whoever imports the whole of `sqlite3` catches what is raised here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:  # another interpreter
        import sqlite3

__all__ = ["sqlite3"]
