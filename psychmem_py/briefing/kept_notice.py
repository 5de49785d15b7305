"""What a conversation's last stretch came to, left in a file by the detached child for one notice to the person."""

from __future__ import annotations

import os

from psychmem_py.briefing.rule_index import FOLDER
from psychmem_py.home.journal import name_of
from psychmem_py.home.light_json import decoded

PREFIX = "kept-"
_SHORT = 90  # characters of a memory in a notice


def path_of(database: str, session: str) -> str:
    """Where it is left."""
    return os.path.join(os.path.dirname(database), FOLDER, f"{PREFIX}{name_of(session)}.json")


def taken(database: str, session: str) -> str:
    """The notice, "" for none; whoever takes it removes it, so that it is given once."""
    path = path_of(database, session)
    try:
        with open(path, "rb") as file:
            record = decoded(file.read())
        os.unlink(path)
    except (OSError, ValueError, RecursionError):
        return ""
    kept = record.get("kept") if isinstance(record, dict) else None
    kept_rows = (
        [one for one in kept if isinstance(one, dict) and one.get("text") and one.get("id")] if isinstance(kept, list) else []
    )
    if not kept_rows:
        return ""
    text = str(kept_rows[0]["text"])
    more = f" and {len(kept_rows) - 1} more" if len(kept_rows) > 1 else ""
    known_as = f" ({kept_rows[0]['as']})" if kept_rows[0].get("as") else ""
    short = text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"
    return f"kept: {short}{known_as}{more} · undo: psychmem forget {str(kept_rows[0]['id'])[:8]}"
