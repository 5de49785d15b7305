"""A repository's own instructions, which no brief need repeat, and its rules: `.psychmem/rules/`, CONSTITUTION.md, Spec Kit."""

from __future__ import annotations

import os

from psychmem_py.home.places import names_in, read_small
from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.model.records import Tier

RULES_FILE = ".claude/rules/psychmem.md"  # of ours, where a person wants rules in the repository
_OWN = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")  # of Claude Code; without one of them it reads AGENTS.md
_NAMES = (*_OWN, "AGENTS.md", RULES_FILE)
FOLDER = os.path.join(".psychmem", "rules")
CONSTITUTION = "CONSTITUTION.md"
_SKILLS = os.path.join(".opencode", "skill")  # each may have rules in a folder `constitutional` (Spec Kit)
MOST_FILES = 50  # of a repository that are read, in order of their names
MOST_BYTES = 16_384  # of one file; a longer one is a document
MOST_CHARS = 480  # of one rule as it is told; the file holds the rest


def lines(root: str, agent: str = "") -> list[str]:
    """The non-empty lines of the instructions that a client reads by itself; Claude Code's where no other is named."""
    texts = {name: read_small(os.path.join(root, name), 1 << 18) for name in _NAMES}
    own = "".join(texts[name] for name in _OWN)
    read = [own, texts[RULES_FILE], texts["AGENTS.md"] if not own or "@AGENTS.md" in own else ""]
    if agent == "opencode":
        read = [texts["AGENTS.md"] or texts["CLAUDE.md"]]
    return [line for text in read for line in text.splitlines() if line.strip(" #-*>`")]


def watched(root: str) -> list[str]:
    """What a change of instructions and rules shows in: the folders of rules, and each file, there or not."""
    return [os.path.join(root, path) for path in (*_NAMES, FOLDER, _SKILLS, *paths(root))]


def paths(root: str) -> list[str]:
    """The files of a repository that may hold a rule, from its root; the first one need not be there."""
    folders = [FOLDER, *(os.path.join(_SKILLS, name, "constitutional") for name in names_in(os.path.join(root, _SKILLS)))]
    files_there = [os.path.join(folder, name) for folder in folders for name in names_in(os.path.join(root, folder))]
    return [CONSTITUTION, *[path for path in files_there if path.endswith(".md") and path.isprintable()][:MOST_FILES]]


class RuleFile(NamedTuple):
    """One file's rule as it would be told."""

    path: str  # below the repository's root, with "/"
    title: str
    text: str  # title and body on one line, at most MOST_CHARS
    triggers: tuple[str, ...]  # phrases that call for it; () for a rule that always holds
    tier: Tier
    digest: str  # of the whole file


def rule_files(root: str) -> list[RuleFile]:
    """The rules of a repository that say something, below their front matter: hostile text until a person lets them in."""
    from psychmem_py.home.files import text_of  # noqa: PLC0415  # where rules are looked at

    return [rule for path in paths(root) if (rule := _parsed(path, text_of(root, path, MOST_BYTES) or "")) is not None]


def _parsed(path: str, content: str) -> RuleFile | None:
    import hashlib  # noqa: PLC0415  # with what follows 12 ms of CPU, for repositories that bring rules

    from psychmem_py.model.records import Tier  # noqa: PLC0415
    from psychmem_py.safety.control_chars import clean  # noqa: PLC0415
    from psychmem_py.safety.secrets import redact  # noqa: PLC0415
    from psychmem_py.text.front_matter import front, parted  # noqa: PLC0415
    from psychmem_py.text.tokenizer import clip  # noqa: PLC0415

    def told(text: str) -> str:
        return redact(" ".join(clean(text).split()))

    head, body = parted(content)
    named, own_tier, phrases = front(head)
    lines = [line.strip() for line in body.splitlines() if line.strip(" \t-#*`")]
    title = told(named or (lines[0].lstrip("# ") if lines and lines[0].startswith("#") else ""))
    says = told(" ".join(line for line in lines if not line.startswith("#")))
    text = clip(": ".join(filter(None, (title.rstrip(".:"), says))), MOST_CHARS)
    triggers = tuple(filter(None, map(told, phrases)))
    tier = Tier(own_tier) if own_tier in set(Tier) else Tier.CONSTITUTIONAL
    digest = hashlib.sha256(content.encode()).hexdigest()[:32]
    return RuleFile(path.replace(os.sep, "/"), title, text, triggers, tier, digest) if text else None
