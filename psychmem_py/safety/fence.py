"""The marks around everything we put into a conversation or a file, and the one way to make a nonce.

A fence opens and closes with one nonce, keyed by a secret of the store: equal for equal content, not to be guessed from outside.
"""

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


def nonce(secret: str, content: str) -> str:
    """Twelve hex digits that only someone with the store's secret can compute for this content."""
    return blake2b(content.encode("utf-8", "replace"), key=secret.encode()[:64], digest_size=6).hexdigest()


def fenced(content: str, secret: str) -> str:
    """`content` between an opening and a closing line with the same nonce; what looks like our fence inside is defused."""
    safe = defused(content)
    mark = nonce(secret, safe)
    return f'<{NAME} nonce="{mark}">\n{safe}\n</{NAME} nonce="{mark}">'


def defused(content: str) -> str:
    """`content` with each angle bracket replaced by a harmless look-alike, so that no tag in it opens or closes anything."""
    return content.replace("<", "‹").replace(">", "›")
