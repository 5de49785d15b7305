"""The marks around everything we put into a conversation or a file; a fence's nonce is keyed by a secret of the store."""

from __future__ import annotations

from _blake2 import blake2b  # hashlib loads OpenSSL: 4 ms that every hook would pay

NAME = "psychmem-memory"
BLOCK_START = "<!-- psychmem:start"  # of the managed block in MEMORY.md; the comment goes on and ends with "-->"
BLOCK_END = "<!-- psychmem:end -->"
# What a memory's line calls its class, in brackets at its end. `suspicion` knows our lines by it when somebody sends them back.
CLASS_LABELS = {
    "constraint": "rule",
    "preference": "preference",
    "procedural": "how it is done",
    "learning": "learned",
    "decision": "decision",
    "bugfix": "fix",
    "semantic": "fact",
    "episodic": "happened",
    "objective": "goal",
}


def fenced(content: str, secret: str) -> str:
    """`content` between lines with a nonce that only who has the store's secret can compute; what looks so inside is defused."""
    safe = defused(content)
    mark = blake2b(safe.encode("utf-8", "replace"), key=secret.encode()[:64], digest_size=6).hexdigest()
    return f'<{NAME} nonce="{mark}">\n{safe}\n</{NAME} nonce="{mark}">'


def defused(content: str) -> str:
    """`content` with each angle bracket replaced by a harmless look-alike, so that no tag in it opens or closes anything."""
    return content.replace("<", "‹").replace(">", "›")
