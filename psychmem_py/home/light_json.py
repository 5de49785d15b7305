"""JSON for hooks: the C code of `json` without its 8 ms import. And files valid only while their sources are unchanged."""

from __future__ import annotations

from _json import encode_basestring as _quoted
from _json import make_encoder, make_scanner  # the compiled halves of `json`

from psychmem_py.home.places import checksum, read_small, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class _Rules:
    """What the scanner asks for: the defaults of `json`."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012  # the scanner's own


_scan = make_scanner(_Rules())  # type: ignore[arg-type]  # the stubs know only the whole decoder as rules
_encode = make_encoder(
    None, repr, lambda text: _quoted(text.encode("utf-8", "replace").decode()), None, ":", ",", False, False, True
)
_MOST_BYTES = 1 << 24  # of an object; a repository may hold a link to an endless file


def decoded(raw: bytes) -> object:
    """The value in one JSON text. Raises ValueError (or RecursionError) for anything else."""
    text = raw.decode("utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else "utf-8").strip(" \t\r\n")
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError) as exc:  # without `json` the scanner has no error of its own to raise
        raise ValueError("no JSON value") from exc
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value


def parsed(raw: bytes) -> object:
    """The value in one JSON text; None for text that is none, or nested too deep."""
    try:
        return decoded(raw)
    except (ValueError, RecursionError):
        return None


def object_in(raw: bytes) -> dict[str, Any]:
    """The object in one JSON text; {} for anything else."""
    return value if isinstance(value := parsed(raw), dict) else {}


def read_object(path: str) -> dict[str, Any]:
    """The object in a JSON file; {} for none, and for one that cannot be read."""
    return object_in(read_small(path, _MOST_BYTES).encode())


def encoded(value: object) -> str:
    """Text, numbers, booleans, lists and objects as one line of JSON; lone surrogates become question marks."""
    return "".join(_encode(value, 0))


def read_cached(path: str, made_from: str) -> dict[str, object] | None:
    """What was made from exactly this while its watched files are unchanged; None for none, and for a file that is not whole."""
    try:
        with open(path, "rb") as file:
            first, _, second = file.read(_MOST_BYTES).partition(b"\n")
    except OSError:
        return None
    head = object_in(first)
    watched = head.get("watched")
    if head.get("made_from") != made_from or head.get("sum") != checksum(second) or not isinstance(watched, dict):
        return None
    return None if any(stamp(name) != was for name, was in watched.items()) else object_in(second)


def write_cached(path: str, made_from: str, payload: Mapping[str, object], watched: Mapping[str, str] | None = None) -> None:
    """Leaves what was made where `read_cached` finds it; `watched` are files, there or not, with their marks. Raises OSError."""
    from psychmem_py.home import files  # noqa: PLC0415  # hooks mostly read

    second = encoded(payload).encode()
    head = {"made_from": made_from, "sum": checksum(second), "watched": watched or {}}
    files.leave(path, encoded(head).encode() + b"\n" + second)
