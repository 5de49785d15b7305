"""Where a setting is in force, and what is looked at in it."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from psychmem_py.curation.act import Act
from psychmem_py.home import config
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Memory, Message, Origin, Role
from psychmem_py.model.settings import Settings
from psychmem_py.store.connection import open_store
from tests.memories_made import NOW, act, store
from tests.shipped_languages import MATCHER


@dataclass
class World:
    """A fresh place with the setting in force."""

    root: Path
    env: dict[str, str]
    patch: pytest.MonkeyPatch
    stack: ExitStack
    settings: Settings = field(init=False)

    def __post_init__(self) -> None:
        self.root.mkdir()
        self.env["PSYCHMEM_HOME"] = str(self.root)
        self.settings = config.load(self.env)

    def db(self, memories: Iterable[Memory] = ()) -> Any:
        db = self.stack.enter_context(open_store(self.root / "memory.db", now=NOW))
        store(db, memories)
        return db

    def act(self) -> Act:
        return act(self.db(), settings=self.settings)


class Row(NamedTuple):
    """What shows that a setting matters."""

    value: str
    look: Callable[[World], object]
    besides: Mapping[str, str] = {}  # settings that must be so for this one to act


def message(number: int, role: str, text: str) -> Message:
    origin = Origin.USER_PROMPT if role == "user" else Origin.ASSISTANT
    return Message(f"m{number}", Role(role), origin, text)


def matcher() -> Matcher:
    return MATCHER


def seen(row: Row, root: Path, settings: Mapping[str, str]) -> object:
    """What is seen with these settings in the environment."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        env = {f"PSYCHMEM_{key.upper()}": value for key, value in settings.items()}
        return row.look(World(root, {"HOME": str(root.parent)} | env, patch, stack))


_USUAL: dict[tuple[Callable[[World], object], frozenset[tuple[str, str]]], object] = {}


def usual(row: Row, folder: Path) -> object:
    """What is seen without the row's own value; looked at twice, and once for all rows that look so at the same settings."""
    same = row.look, frozenset(row.besides.items())
    if same not in _USUAL:
        _USUAL[same] = seen(row, folder / "usual", row.besides)
        assert _USUAL[same] == seen(row, folder / "again", row.besides), "what is seen must depend on the settings alone"
    return _USUAL[same]
