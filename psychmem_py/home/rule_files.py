"""Rules that a repository brings in files of its own, shared by git: `.psychmem/rules/*.md`, `CONSTITUTION.md`, and Spec Kit's
`.opencode/skill/*/constitutional/*.md`.

Above the text may stand `title`, `triggers` and `tier` between two lines of `---`. What is read here is hostile text until a person
has let this repository's rules count (`psychmem share trust --rules`). Links and anything that is no plain small file are no rules.
"""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from psychmem_py.home import files
from psychmem_py.home.instructions import paths
from psychmem_py.model.terms import Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.text.front_matter import front, parted
from psychmem_py.text.tokenizer import clip

MOST_BYTES = 16_384  # of one file; a longer one is a document
MOST_CHARS = 480  # of one rule as it is told; the file holds the rest


class RuleFile(NamedTuple):
    """One file's rule as it would be told."""

    path: str  # below the repository's root, with "/"
    title: str
    text: str  # title and body on one line, at most MOST_CHARS
    triggers: tuple[str, ...]  # phrases that call for it; () for a rule that always holds
    tier: Tier
    digest: str  # of the whole file


def rule_files(root: str) -> list[RuleFile]:
    """The rules of a repository that say something; [] where it has none."""
    return [rule for path in paths(root) if (rule := _parsed(path, _content(root, path))) is not None]


def _content(root: str, path: str) -> str:
    """The text of a plain file; "" for anything else, and for one that a link leads to."""
    whole = os.path.join(root, path)
    if os.path.realpath(os.path.dirname(whole)) != os.path.join(os.path.realpath(root), os.path.dirname(path)).rstrip(os.sep):
        return ""
    return (files.content(whole, MOST_BYTES) or b"").decode("utf-8", "replace")


def _parsed(path: str, content: str) -> RuleFile | None:
    head, body = parted(content)
    given = front(head)
    lines = [line.strip() for line in body.splitlines() if line.strip(" \t-#*`")]
    heading = lines[0].lstrip("# ") if lines and lines[0].startswith("#") else ""
    text_lines = " ".join(line for line in lines if not line.startswith("#"))
    title = _told(given.title or heading)
    text = clip(": ".join(part for part in (title.rstrip(".:"), _told(text_lines)) if part), MOST_CHARS)
    if not text:
        return None
    return RuleFile(
        path.replace(os.sep, "/"),
        title,
        text,
        tuple(part for part in map(_told, given.triggers) if part),
        Tier(given.tier) if given.tier in set(Tier) else Tier.CONSTITUTIONAL,
        hashlib.sha256(content.encode()).hexdigest()[:32],
    )


def _told(text: str) -> str:
    return redact(" ".join(clean(text).split()))
