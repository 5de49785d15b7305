"""What a remote is: somewhere that holds lanes of operations, takes ours and gives everybody's. `folder` is one, a hub another.

A remote decides nothing about memories. It may be read by any number of devices at once, be cut off in any step and asked again; each step
done twice does what it does once. Whoever reads a lane keeps his own mark in it, one for each lane: marks over several lanes lose what is
committed out of order.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from psychmem_py.sync.op import Lane, Op

PAGE_OPS = 2_000  # of one pull


class Letter(NamedTuple):
    """One line of a lane as it came, not yet read: a bad one must not stop the others."""

    seq: int
    line: str  # what `op.parsed` takes


class Delivery(NamedTuple):
    """A stretch of one lane, without a gap, beginning right after the mark that was given."""

    lane: Lane
    author: str  # whose device it is, as the remote knows it
    mine: bool  # whether that is the person who asks
    letters: tuple[Letter, ...]


class Page(NamedTuple):
    deliveries: tuple[Delivery, ...]
    more: bool  # whether another pull with the new marks would bring something


class Remote(Protocol):
    """Raises RemoteError (see `errors`) with a sentence when it cannot be reached or refuses."""

    def held(self, device: str) -> dict[Lane, int]:
        """The greatest seq it holds of each lane of this device. Greater than what the device knows: the device was restored or copied."""

    def push(self, lane: Lane, ops: Sequence[Op]) -> int:
        """Takes operations of one lane, in order, and gives the greatest seq it holds then.

        What it holds already is skipped, so an answer that got lost does no harm; a gap, and another operation under a known seq, are
        refused.
        """

    def pull(self, have: Mapping[Lane, int], limit: int = PAGE_OPS) -> Page:
        """At most `limit` operations beyond these marks, of every lane that may be read and is not in `have` as a lane of one's own.

        A lane that is not in `have` is read from its beginning.
        """

    def empty(self, memories: Collection[str]) -> int:
        """Takes the values out of everything it lets this device change about purged memories; the number of operations emptied."""

    def close(self) -> None: ...
