"""Pauses: hooks do nothing, and what is said then is never read. One line a pause: kind, since, until, of what."""

from __future__ import annotations

import os

from psychmem_py.errors import RefusedError
from psychmem_py.home.places import read_small
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.model.light_record import NamedTuple

FILE, _MOST_BYTES = "pauses", 1 << 24
ALL, FOLDER, SESSION, OWN = "all", "folder", "session", "own"  # OWN: a conversation, by its agent, who may end no other pause


class Pause(NamedTuple):
    """A time in which nothing is shown and nothing kept."""

    kind: str  # ALL, FOLDER, SESSION or OWN
    key: str  # a directory or a conversation's id; "" for ALL
    since: float
    until: float  # 0: until it is resumed; negative: it was resumed then, and holds no more whatever a clock says

    def holds(self, at: float) -> bool:
        return self.since <= at and (not self.until or at < abs(self.until))

    def lasts(self, now: float) -> bool:
        """Whether it has not ended yet; it has begun, whatever a clock says that was set back since."""
        return not self.until or now < self.until

    def is_for(self, session: str, folder: str) -> bool:
        if self.kind == FOLDER:
            return folder == self.key or folder.startswith(self.key.rstrip(os.sep) + os.sep)
        return self.kind == ALL or (self.kind in (SESSION, OWN) and session == self.key)


def read(data: str) -> list[Pause]:
    """All pauses there ever were; a line that cannot be read is none."""
    pauses = []
    for line in read_small(os.path.join(data, FILE), _MOST_BYTES).split("\n"):
        try:
            kind, since, until, key = line.split("\t", 3)
            pauses.append(Pause(kind, key, float(since), float(until)))
        except ValueError:
            continue
    return pauses


def now_paused(data: str, session: str, folder: str, now: float) -> bool:
    """Whether an event of this conversation in this directory is paused."""
    folder = os.path.realpath(folder) if folder else ""
    return any(pause.lasts(now) and pause.is_for(session, folder) for pause in read(data))


def must_be_open(around: Surroundings, session: str, folder: str) -> None:
    """Raises RefusedError where the person wants nothing kept, of an agent's words either: they hold what was said here."""
    if around.ignores(folder):
        raise RefusedError("nothing is kept of this directory: the setting general.ignore names it")
    if now_paused(around.data, session, folder, around.now):
        raise RefusedError("it is paused here and nothing is kept; `psychmem resume` ends that")


def write(data: str, pauses: list[Pause]) -> None:
    """Puts these in the place of what was there."""
    from psychmem_py.home import files, places  # noqa: PLC0415  # people's commands alone

    text = "".join(f"{one.kind}\t{one.since!r}\t{one.until!r}\t{one.key}\n" for one in pauses)
    files.replace(os.path.join(places.own_folder(data), FILE), text.encode("utf-8", "replace"))
