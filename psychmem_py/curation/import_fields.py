"""Fields of a JSON line that somebody else wrote: each is what it must be, cleaned and without secrets, or a fault of its line."""

from __future__ import annotations

from typing import Any

from psychmem_py.errors import RefusedError
from psychmem_py.memory.strength import clamped
from psychmem_py.model.terms import STORE_OF_STANDING, Store
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.text.moments import moment

_FIELD_CHARS = 300


def table(given: dict[str, Any], field: str) -> dict[str, Any]:
    value = given.get(field) or {}
    if not isinstance(value, dict):
        raise RefusedError(f"{field} is an object")
    return value


def safe(value: str) -> str:
    """A short field, cleaned and without secrets, on one line."""
    return redact(" ".join(clean(value).split()))[:_FIELD_CHARS]


def without_surrogates(value: Any) -> Any:  # noqa: ANN401  # what JSON holds
    """What JSON gave, with half signs that cannot be stored replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [without_surrogates(one) for one in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(one) for name, one in value.items()}
    return value


def without_secrets(value: Any) -> Any:  # noqa: ANN401  # what JSON holds
    """What JSON gave, with secrets taken out of its texts: an export of ours holds none, a row that somebody wrote may."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [without_secrets(one) for one in value]
    if isinstance(value, dict):
        return {name: without_secrets(one) for name, one in value.items()}
    return value


def store(given: dict[str, Any]) -> Store:
    """The store of an exported memory; older exports say it by `standing`, and their `store` meant something else."""
    return STORE_OF_STANDING[given["standing"]] if given.get("standing") else Store(given.get("store") or Store.LTM)


def text(given: dict[str, Any], field: str) -> str:
    value = given.get(field)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RefusedError(f"{field} is a text, not {type(value).__name__}")
    return value


def texts(given: dict[str, Any], field: str) -> list[str]:
    value = given.get(field) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RefusedError(f"{field} is a list of texts")
    return value


def time(given: dict[str, Any], field: str, default: float | None) -> float:
    value = given.get(field)
    if value is None:
        if default is None:
            raise RefusedError(f"{field} is missing")
        return default
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e11:
        return float(value)
    if isinstance(value, str):
        return moment(value)
    raise RefusedError(f"{field} is a time in ISO 8601")


def share(given: dict[str, Any], field: str, default: float) -> float:
    value = given.get(field)
    return default if value is None else clamped(float(value))
