"""Rules that a repository brings in files of its own: `.psychmem/rules/*.md` and `CONSTITUTION.md`, shared by git.

Above the text may stand `title`, `triggers` and `tier` between two lines of `---`. What is read here is hostile text until a person
has let this repository's rules count (`psychmem share trust --rules`). Links and anything that is no plain small file are no rules.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import NamedTuple

from psychmem_py.home import files
from psychmem_py.home.instructions import paths
from psychmem_py.model.terms import Tier
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact
from psychmem_py.text.front_matter import parted
from psychmem_py.text.tokenizer import clip

MOST_BYTES = 16_384  # of one file; a longer one is a document
MOST_CHARS = 480  # of one rule as it is told; the file holds the rest
_FIELD = re.compile(r"^(title|triggers|tier|importanceTier)[ \t]*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_ITEM = re.compile(r"^[ \t]*-[ \t]+(.+)$", re.MULTILINE)
_MOST_TRIGGERS, _TRIGGER_CHARS = 20, 60


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
    fields = {name.lower(): value.strip().strip("\"'") for name, value in _FIELD.findall(head)}
    lines = [line.strip() for line in body.splitlines() if line.strip(" \t-#*`")]
    heading = lines[0].lstrip("# ") if lines and lines[0].startswith("#") else ""
    text_lines = " ".join(line for line in lines if not line.startswith("#"))
    title = _told(fields.get("title", "") or heading)
    text = clip(": ".join(part for part in (title.rstrip(".:"), _told(text_lines)) if part), MOST_CHARS)
    if not text:
        return None
    tier = fields.get("tier", "") or fields.get("importancetier", "")
    triggers = tuple(part for part in (_told(one) for one in _triggers(head, fields.get("triggers", ""))) if part)
    return RuleFile(
        path.replace(os.sep, "/"),
        title,
        text,
        triggers[:_MOST_TRIGGERS],
        Tier(tier) if tier in set(Tier) else Tier.CONSTITUTIONAL,
        hashlib.sha256(content.encode()).hexdigest()[:32],
    )


def _triggers(head: str, inline: str) -> list[str]:
    """`triggers: [deploy, release]`, `triggers: deploy, release`, or one on each line below."""
    given = inline.strip("[]").split(",") if inline else []
    if not given:
        given = _ITEM.findall(re.split(r"^triggers[ \t]*:.*$", head, maxsplit=1, flags=re.MULTILINE | re.IGNORECASE)[-1])
        given = given if "triggers" in head.lower() else []
    return [one.strip(" \t\"'")[:_TRIGGER_CHARS] for one in given]


def _told(text: str) -> str:
    return redact(" ".join(clean(text).split()))
