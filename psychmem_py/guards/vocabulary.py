"""Which words of a rule mean what, in its own language: a sentence becomes a row of marks, things and plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import regex

from psychmem_py.guards.things import FIRST_MARK, Thing, things
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.text.folding import fold

DAYS = "days"
_NOT_MEANINGS = frozenset({"boundary", "glued", "by_hand"})
_TOKEN = regex.compile(rf"[{FIRST_MARK}-\uf8ff]|[\p{{L}}\p{{M}}\p{{N}}_]+'?|[.,;:!?()\[\]|—–。、，；：！？\n]")
_ENDS = frozenset(".,;:!?()[]|—–。、，；：！？\n")
_SIGNS = regex.compile(r"[A-Za-z0-9_]+|[\p{L}\p{M}]+")


def _entries(value: str) -> list[str]:
    return [entry.strip() for entry in value.split(",") if entry.strip()]


class RulePart(NamedTuple):
    """A piece of a rule: what its words mean (`keys`), a thing it names, or a word of no known meaning."""

    keys: frozenset[str] = frozenset()
    thing: Thing | None = None
    word: str = ""
    ends: bool = False  # a mark that ends a part of the sentence


class Vocabulary:
    """The words of a rule's language, of English, and of all."""

    def __init__(self, tables: Iterable[Mapping[str, str]], stop_words: Collection[str] = ()) -> None:
        self._words: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
        self._stems: dict[str, set[str]] = {}
        self._endings: dict[str, set[str]] = {}
        self._signs: dict[str, set[str]] = {}
        self._stop = frozenset(stop_words)
        self._glued: list[str] = []  # words that are written as one with the next
        self._by_hand: list[str] = []  # what stands before "main" where it is a hand
        entries: dict[tuple[str, bool], set[str]] = {}
        for table in tables:
            unspaced = table.get("boundary") == "none"
            self._glued += _entries(table.get("glued", ""))
            self._by_hand += _entries(table.get("by_hand", ""))
            for key, value in table.items():
                if key not in _NOT_MEANINGS:
                    for number, entry in enumerate(value.split(",")):
                        name = f"{DAYS}{number}" if key == DAYS else key
                        entries.setdefault((fold(entry).strip(), unspaced), set()).add(name)
        for (entry, unspaced), keys in entries.items():
            self._enter(entry, keys, unspaced=unspaced)
        self._longest = max(map(len, self._stems), default=0)

    def _enter(self, entry: str, keys: set[str], *, unspaced: bool) -> None:
        if not entry:
            return
        if unspaced:
            self._signs.setdefault(entry, set()).update(keys)
            return
        if entry.startswith("*"):
            self._endings.setdefault(entry[1:], set()).update(keys)
            return
        words = tuple(_TOKEN.findall(entry))
        if len(words) == 1 and entry.endswith("*"):
            self._stems.setdefault(words[0], set()).update(keys)
        elif words:
            last = words[-1] + "*" * entry.endswith("*")
            self._words.setdefault(words[0], []).append(((*words[:-1], last), frozenset(keys)))

    def items(self, text: str) -> list[RulePart]:
        """What the sentence is made of, in its order."""
        marked, all_things = things(text, self._by_hand)
        folded = fold(marked)
        return self._of_signs(folded, all_things) if self._signs else self._of_words(_TOKEN.findall(folded), all_things)

    def _of_words(self, tokens: list[str], all_things: list[Thing]) -> list[RulePart]:
        items: list[RulePart] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token >= FIRST_MARK and len(token) == 1 and ord(token) - ord(FIRST_MARK) < len(all_things):
                items.append(RulePart(thing=all_things[ord(token) - ord(FIRST_MARK)]))
                at += 1
                continue
            if token in _ENDS:
                items.append(RulePart(ends=True))
                at += 1
                continue
            keys, width = self._keys(tokens, at)
            if keys:
                items.append(RulePart(keys=keys, word=token))
            elif token.rstrip("'") not in self._stop and (len(token) > 2 or not token.isascii()):
                items.append(RulePart(word=token.rstrip("'")))
            at += width
        return items

    def _keys(self, tokens: list[str], at: int) -> tuple[frozenset[str], int]:
        """What the words that begin at `at` mean, the longest entry first, and how many they are."""
        width, keys = 0, frozenset[str]()
        for token in self._forms(tokens[at]):
            for words, meaning in self._words.get(token, ()):
                if len(words) >= max(width, 1) and _same(words, tokens[at : at + len(words)]):
                    keys = meaning if len(words) > width else keys | meaning
                    width = len(words)
            if width <= 1:
                for length in range(min(self._longest, len(token)), 1, -1):
                    if token[:length] in self._stems:
                        keys |= self._stems[token[:length]]
                keys = keys.union(*(meaning for ending, meaning in self._endings.items() if token.endswith(ending)))
            if keys:
                break
        return keys, max(width, 1)

    def _forms(self, token: str) -> list[str]:
        if not self._glued or token.isascii():
            return [token]
        return [token, *(token[len(one) :] for one in self._glued if token.startswith(one) and len(token) > len(one) + 2)]

    def _of_signs(self, folded: str, all_things: list[Thing]) -> list[RulePart]:
        """Signs without spaces: the longest entries take their places first, what is left is read as words."""
        taken: dict[int, tuple[int, frozenset[str]]] = {}
        free = [True] * len(folded)
        for entry in sorted(self._signs, key=len, reverse=True):
            at = folded.find(entry)
            while at >= 0:
                end = at + len(entry)
                if all(free[at:end]) and not (entry.isascii() and entry[0].isalpha() and _inside(folded, at, end)):
                    taken[at] = (end, frozenset(self._signs[entry]))
                    free[at:end] = [False] * len(entry)
                at = folded.find(entry, at + 1)
        items: list[RulePart] = []
        at = 0
        while at < len(folded):
            if at in taken:
                end, keys = taken[at]
                items.append(RulePart(keys=keys, word=folded[at:end]))
            else:
                end = at + 1
                while end < len(folded) and end not in taken:
                    end += 1
                rest = [
                    token for token in _TOKEN.findall(folded[at:end]) if token in _ENDS or len(token) > 1 or token >= FIRST_MARK
                ]
                items += self._of_words([part for token in rest for part in _parts(token)], all_things)
            at = end
        return items


def _parts(token: str) -> list[str]:
    return _SIGNS.findall(token) or [token]


def _inside(text: str, at: int, end: int) -> bool:
    before, behind = text[at - 1 : at], text[end : end + 1]
    return (before.isascii() and before.isalnum()) or (behind.isascii() and behind.isalnum())


def _same(words: tuple[str, ...], tokens: list[str]) -> bool:
    if len(words) != len(tokens) or words[:-1] != tuple(tokens[:-1]):
        return False
    last = words[-1]
    return tokens[-1].startswith(last[:-1]) if last.endswith("*") else tokens[-1] == last
