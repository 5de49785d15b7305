"""Files made from other things, and used only while those are as they were: without them everything is made anew, only slower.

The first line says what a file was made from, the second holds what was made. Read in hooks, so it imports nothing worth naming.
"""

from __future__ import annotations

from psychmem_py.home.light_json import decoded, encoded
from psychmem_py.home.places import checksum, mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def read(path: str, made_from: str) -> dict[str, object] | None:
    """What was made from exactly this, while every file it watches is as it was; None for none, and for a file that is not whole."""
    try:
        with open(path, "rb") as file:
            first, _, second = file.read().partition(b"\n")
        head = decoded(first)
        if not isinstance(head, dict) or head.get("made_from") != made_from or head.get("sum") != checksum(second):
            return None
        watched = head.get("watched")
        if not isinstance(watched, dict) or any(mark(name) != was for name, was in watched.items()):
            return None
        payload = decoded(second)
    except (OSError, ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def write(path: str, made_from: str, payload: Mapping[str, object], watched: Mapping[str, str] | None = None) -> None:
    """Leaves what was made where `read` finds it; `watched` are files, there or not, by the marks they had. Raises OSError."""
    from psychmem_py.home import files  # noqa: PLC0415  # hooks mostly read

    second = encoded(payload).encode()
    head = {"made_from": made_from, "sum": checksum(second), "watched": watched or {}}
    files.leave(path, encoded(head).encode() + b"\n" + second)
