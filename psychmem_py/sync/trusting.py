"""Whose rules need no review: what waited of them is let in."""

from __future__ import annotations

from psychmem_py.curation.act import Act
from psychmem_py.errors import NotFoundError
from psychmem_py.store import operations, remotes
from psychmem_py.store.connection import transaction
from psychmem_py.sync.receive import settle


def trusted(act: Act, name: str, *, trusting: bool = True) -> tuple[str, ...]:
    """The memories of an author that were let in. Raises NotFoundError for one from whom nothing ever came."""
    with transaction(act.db):
        others = {device: author for (device, mine), author in operations.authors(act.db).items() if not mine}
        devices = [device for device, author in others.items() if author == name]
        if not devices and name not in remotes.trusted(act.db):
            authors = ", ".join(sorted(set(others.values()))) or "nobody has sent anything yet"
            raise NotFoundError(f"nothing ever came from {name!r}; known: {authors}")
        remotes.trust(act.db, name, act.now, trusting=trusting)
        if not trusting or not devices:
            return ()
        return settle(
            act.db, operations.memories_of(act.db, devices), settings=act.settings, now=act.now, batch=f"sync-{act.batch}"
        ).changed
