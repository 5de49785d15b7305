"""A part of a sentence of a rule: the acts and things it speaks of, and whether it is clear what it means."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.guards.acts import ACTS, SUBCOMMANDS
from psychmem_py.guards.words import DAYS, RulePart, Thing

FILE_ACTS = frozenset({"edit", "delete", "create", "read", "change"})
# Also nouns: beside another act they say of what.
NOUNS = frozenset("test build migrate backup format types lint publish deploy branch tag read serve".split())
_PLAIN = frozenset("amend rebase pull_request skip_checks".split())
_SPECIAL = (  # two words, and the act that they are together
    ("force", "push", "force_push"), ("squash", "merge", "squash"), ("amend", "commit", "amend"), ("merge", "commit", "merge_commit"), ("merge", "pull_request", "merge"),
    ("close", "issue", "close_issue"), ("close", "pull_request", "close_issue"), ("comment", "issue", "comment_issue"),
    ("comment", "pull_request", "comment_issue"), ("edit", "database", "write_data"), ("delete", "database", "drop"),
    ("create", "issue", "open_issue"), ("create", "branch", "branch"), ("push", "tags", "push_tags"), ("read", "browser", "browse"),
    ("squash", "commit", "squash"), ("rebase", "commit", "rebase"), ("push", "commit", "push"),
)  # fmt: skip


class SentencePart:
    """A part of a sentence, and whether it forbids."""

    def __init__(self, words: Sequence[RulePart] = (), forbids: bool = False) -> None:
        self.words, self.forbids = list(words), forbids

    def has(self, *keys: str) -> bool:
        return any(key in word.keys for word in self.words for key in keys)

    @property
    def things(self) -> list[Thing]:
        """What is named. Two words with a slash between them are a path where something is done to files, else a choice of two."""
        is_path = self.has("edit", "delete", "read")
        named = [word.thing for word in self.words if word.thing]
        return [
            thing._replace(kind="path") if thing.kind == "pair" else thing for thing in named if is_path or thing.kind != "pair"
        ]

    @property
    def acts(self) -> list[str]:
        keys = list(dict.fromkeys(key for word in self.words for key in sorted(word.keys) if key in ACTS))
        names_path = any(thing.kind == "path" for thing in self.things)
        for mark, general, special in _SPECIAL:
            is_other = (general == "commit" and self.has("or")) or (general == "database" and names_path)
            if all(word in keys if word in ACTS else self.has(word) for word in (mark, general)) and not is_other:
                keys = [special, *(one for one in keys if one not in (mark, general, special))]
        if self.has("fresh") and self.has("packages"):
            keys = ["dependency"]
        if "bump" in keys:  # "the version number in package.json"
            keys = ["bump", *(key for key in keys if key not in ("bump", *FILE_ACTS))]
        if "delete" in keys and self.has("branches") and not any(thing.kind == "path" for thing in self.things):
            keys = ["delete_branch", *(one for one in keys if one not in ("delete", "branch", "push"))]
        return keys

    @property
    def days(self) -> tuple[int, ...]:
        return tuple(sorted({int(key.removeprefix(DAYS)) for word in self.words for key in word.keys if key.startswith(DAYS)}))

    @property
    def says(self) -> bool:
        return bool(self.acts or self.things)

    def is_clear(self) -> bool:
        """Whether nothing unknown narrows what the part speaks of: what stands behind act and object is a circumstance."""
        acts = [n for n, word in enumerate(self.words) if word.keys & ACTS.keys()]
        objects = [n for n, word in enumerate(self.words) if word.thing]
        tool = any(thing.kind in ("tool", "ordinary") for thing in self.things)
        unknown = [n for n, word in enumerate(self.words) if word.is_unknown and not (tool and is_told(word))]
        if not objects:
            return not [n for n in unknown if not acts or n < acts[0] or not self._is_plain(acts[0])]
        if (
            any(thing.kind == "path" for thing in self.things)
            and FILE_ACTS.intersection(self.acts)
            and FILE_ACTS.issuperset(set(self.acts) - NOUNS)
        ):
            unknown = [n for n in unknown if n > objects[0] or self.has("put")]  # "the translations in locales/"
        reached = max(objects[0], acts[0]) if acts else objects[0]
        compound = objects[0] + 1 in unknown
        return (
            not compound
            and all(n > reached for n in unknown)
            and not any(map(self._is_elsewhere, range((objects[0] if tool else reached) + 1, len(self.words))))
        )

    def _is_plain(self, at: int) -> bool:
        """Whether the word at `at` is an act of which nobody speaks otherwise: what stands behind it is a circumstance."""
        return any(not word.keys.isdisjoint(_PLAIN) for word in self.words[at:]) or self.has("force")

    def _is_elsewhere(self, at: int) -> bool:
        """Whether the word at `at` begins a circumstance that no call shows: "on port 80", "for local development"."""
        named = next((word for word in self.words[at + 1 :] if "soft" not in word.keys), None)
        if named is None or "within" not in self.words[at].keys:
            return False
        of_tool = self.words[at].text == "that" and any(
            thing.kind == "tool" for thing in self.things
        )  # "git commands that rewrite"
        return named.is_unknown or bool(named.keys & NOUNS) or (of_tool and not named.thing)


def is_told(word: RulePart) -> bool:
    """Whether a word behind a program is one that it is told: a subcommand, or a number."""
    return word.text in SUBCOMMANDS or word.text.isdigit()
