"""What is ours on the disk and only its owner may read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from psychmem_py.cli.context import Workspace
from psychmem_py.home.files import OWN, PUBLIC
from psychmem_py.home.places import DATABASE
from psychmem_py.store.care.purge import copies_of
from psychmem_py.store.connection import SIDE_FILES, is_foreign


def open_to_others(workspace: Workspace) -> list[str]:
    """The files and folders of ours that somebody else may read."""
    modes = ((path, os.lstat(path).st_mode) for path in _private(workspace))
    return [path for path, mode in modes if not stat.S_ISLNK(mode) and stat.S_IMODE(mode) & 0o077]


def closed(paths: Sequence[str]) -> str:
    """Closes them to others, and says how many."""
    for path in paths:
        os.chmod(path, stat.S_IMODE(os.lstat(path).st_mode) & 0o700)
    return f"closed {len(paths)} to others"


def _private(workspace: Workspace) -> Iterator[str]:
    """What is ours to keep private: what we made in our folder, the folder too if nothing else stands in it, and a store put elsewhere,
    with its copies.

    A file that `db_path` names by mistake is not, nor what stands beside it.
    """
    data = workspace.directories.data
    there = os.listdir(data) if data.is_dir() else []
    stores = [name for name in there if name.startswith(DATABASE)]
    if there and {*there} <= {*stores, *PUBLIC, *(path.partition("/")[0] for path in OWN)}:
        yield str(data)
    for path in filter(os.path.lexists, (os.path.join(data, *name.split("/")) for name in (*stores, *OWN))):
        yield path
        for folder, folders, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in (*folders, *names))
    database = workspace.database
    if database.is_file() and not database.is_relative_to(workspace.directories.data) and not is_foreign(database):
        yield from filter(os.path.exists, (f"{database}{end}" for end in SIDE_FILES))
        yield from copies_of(str(database))
