"""Which statuses of a memory count for what, each set once.

Plain values, as every prompt loads them and none loads the enum (`terms.Status`); its members are equal to them.
"""

from __future__ import annotations

RECALLABLE = ("active", "promoted")  # put before an agent unasked; it fades and moves between the stores
LIVE = (*RECALLABLE, "decayed")  # found by a search: fading lowers the rank only
KEPT = ("active", "quarantined", "promoted", "decayed")  # a statement is kept once among these; as the index memory_once has it
KNOWN = (*KEPT, "forgotten")  # what a new statement is compared with: what was forgotten is not learned again
