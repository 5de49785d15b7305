"""Phrases of many languages matched against a clause: a small pattern language, its compiler, and an index by anchor words.

Nothing is compiled until its anchor (the longest fixed word of a phrase) is seen in a text, so the cost follows the text and not
the size of the language files.

The pattern language (one phrase a string, written in folded or natural spelling):

    never use               words in order, separated by space or light punctuation
    (must|has to) be        alternatives; (please )? or please? is optional
    prohib*                 a word that begins so; *ieren a word that ends so
    from .. on              up to 3 words between; ... up to 7 words
    ^let's                  only at the start of the clause (after bullets, numbers, "and", "but", "please" …)
    done$                   only at the end of the clause
    !(i|we) must            not directly after these words (before the first word), or
    must !(have|be due)     not directly followed by these (after a word)
    {deontic} be            a named list of the same file: [words] deontic = ["must", "has to"]
    ~\\bv\\d+               after a tilde: a raw regular expression (rare; runs under a time limit)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import regex

from psychmem_py.errors import PatternError

MATCH_TIMEOUT_S = 0.25  # for one phrase on one clause; language files may come from users
_LATIN_EXTRA = {"ß": "s", "æ": "a", "œ": "o", "ø": "o", "đ": "d", "ł": "l", "ı": "i", "ё": "е", "’": "'", "‘": "'", "ʼ": "'", "＇": "'", "`": "'",
                "“": '"', "”": '"', "„": '"', "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ـ": "ـ", "　": " ", "\u00a0": " "}
_FOLDED: dict[str, str] = {}


def _folded(char: str) -> str:
    """One character without case and accent, still one character, so that offsets stay true."""
    if char in _LATIN_EXTRA:
        return _LATIN_EXTRA[char]
    wide = unicodedata.normalize("NFKC", char)
    lower = (wide if len(wide) == 1 else char).lower()
    if lower in _LATIN_EXTRA:
        return _LATIN_EXTRA[lower]
    lower = lower[0] if lower else char  # "İ".lower() has two characters
    if lower > "\u02ff" and not "\u1e00" <= lower <= "\u1fff":  # accents mean another letter outside Latin and Greek
        return lower
    base = unicodedata.normalize("NFD", lower)[0]
    return base if base.isalpha() or not lower.isalpha() else lower


def fold(text: str) -> str:
    """`text` without case, Latin accents and full-width forms, of the same length."""
    if text.isascii():
        return text.lower().replace("`", "'")
    missing = set(text) - _FOLDED.keys()
    for char in missing:
        _FOLDED[char] = _folded(char)
    return "".join(map(_FOLDED.__getitem__, text))


class Language(NamedTuple):
    """One pattern file, parsed."""

    code: str
    name: str
    script: str  # "Latin", "Cyrillic", "Han", "Kana", "Hangul", "Arabic", "Devanagari"
    boundary: str  # "word", or "none" for scripts without spaces and endings glued to any stem
    function_words: tuple[str, ...]  # common short words that tell the language
    abbreviations: tuple[str, ...]  # "z.b.", "e.g.": their stops end no sentence
    words: Mapping[str, tuple[str, ...]]  # named lists for {name}
    groups: Mapping[tuple[str, str], tuple[str, ...]]  # ("signals.constraint", "never") -> phrases
    matches: Mapping[tuple[str, str], tuple[str, ...]]
    rejects: Mapping[tuple[str, str], tuple[str, ...]]
    source: str = ""  # file name, for errors


class Hit(NamedTuple):
    """A phrase found in a clause."""

    group: str  # "signals.constraint", "filters", "scope", "lexicon"
    name: str  # family or filter: "never", "question"
    language: str
    start: int
    end: int


class _Phrase(NamedTuple):
    group: str
    name: str
    language: str
    source: str  # regular expression
    where: str  # for errors


_WORD = regex.compile(r"[\w\p{M}]+(?:'[\w\p{M}]+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]")
_TOKEN = regex.compile(r"\s*(\.\.\.|\.\.|\^|\$|\(|\)|\||\?|\{\w+\}|[^\s()|?{}^$]+)")
# What may stand before a clause's first real word.
_OPENING = r"(?:^[\s\-*•>#\d.)(:,;\"'¿¡]*(?:(?:and|but|so|also|ok|okay|please|then|well|y|pero|et|mais|und|aber|bitte|e|ma|mas|en|maar|i|ale|и|а|но|ve|ama|و)[\s,]+)*)"
_JOINT = r"[\s,;:\-–—\"'*_(]+"
_GAP = {"..": 3, "...": 7}


class _Compiler:
    """Turns one phrase into a regular expression and its anchor keys."""

    def __init__(self, language: Language, where: str) -> None:
        self.words, self.spaced, self.where = language.words, language.boundary == "word", where
        self.tokens: list[str] = []
        self.at = 0

    def compile(self, phrase: str, depth: int = 0) -> tuple[str, frozenset[str]]:
        """The expression and the set of keys of which a text must hold one; an empty set: always try."""
        if phrase.startswith("~"):
            return phrase[1:], frozenset()
        self.tokens, self.at, self.depth = _TOKEN.findall(fold(phrase)), 0, depth
        expression, keys = self._alternatives()
        if self.at < len(self.tokens):
            raise PatternError(f"{self.where}: unbalanced ')' in {phrase!r}; close each group once")
        start = "" if expression.startswith(_OPENING) or not self.spaced else r"(?<![\w\p{M}])"
        return start + expression, keys

    def _alternatives(self) -> tuple[str, frozenset[str]]:
        parts = [self._sequence()]
        while self._peek() == "|":
            self.at += 1
            parts.append(self._sequence())
        keys = frozenset[str]() if any(not k for _, k in parts) else frozenset().union(*(k for _, k in parts))
        if len(parts) == 1:
            return parts[0][0], keys
        ordered = sorted((p for p, _ in parts), key=len, reverse=True)
        return f"(?:{'|'.join(ordered)})", keys

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _sequence(self) -> tuple[str, frozenset[str]]:
        out, best, pending, fresh = "", frozenset[str](), "", True  # fresh: no word yet that needs a space after it
        while self._peek() and self._peek() not in "|)":
            token = self.tokens[self.at]
            self.at += 1
            if token == "^":
                out += _OPENING
                continue
            if token == "$":
                out += r"[\s.!,;:…。！？)\"']*$"
                continue
            if token[0] == "!":
                forbidden, _ = self._piece(token[1:] or self._next())
                out += rf"(?!{self._joint()}{forbidden})" if out else rf"(?<!(?<![\w\p{{M}}]){forbidden}{self._joint()})"
                continue
            if token in _GAP:
                pending = rf"(?:{_JOINT}[\w\p{{M}}'./@-]+){{0,{_GAP[token]}}}?{_JOINT}" if self.spaced else f".{{0,{3 * _GAP[token]}}}?"
                continue
            piece, keys = self._piece(token)
            optional = self._peek() == "?"
            if optional:
                self.at += 1
            joint = pending or ("" if fresh else self._joint())
            if optional:
                out += f"(?:{joint}{piece})?" if joint else f"(?:{piece}{self._joint()})?"
                if not joint:
                    continue
            else:
                out += joint + piece
                if keys and (not best or min(map(len, keys)) > min(map(len, best))):
                    best = keys
            pending, fresh = "", False
        return out, best

    def _next(self) -> str:
        token = self._peek()
        self.at += 1
        return token

    def _joint(self) -> str:
        return _JOINT if self.spaced else r"\s*"

    def _piece(self, token: str) -> tuple[str, frozenset[str]]:
        if token == "(":
            found = self._alternatives()
            if self._peek() != ")":
                raise PatternError(f"{self.where}: a '(' is not closed")
            self.at += 1
            return f"(?:{found[0]})", found[1]
        if token.startswith("{"):
            name = token[1:-1]
            if name not in self.words:
                raise PatternError(f"{self.where}: {token} is not in [words]; add the list or mend the name")
            kept = self.tokens, self.at
            parts = []
            for word in self.words[name]:
                self.tokens, self.at = _TOKEN.findall(fold(word)), 0
                parts.append(self._alternatives())
            self.tokens, self.at = kept
            keys = frozenset[str]() if any(not k for _, k in parts) else frozenset().union(*(k for _, k in parts))
            return f"(?:{'|'.join(sorted((p for p, _ in parts), key=len, reverse=True))})", keys
        return self._word(token)

    def _word(self, token: str) -> tuple[str, frozenset[str]]:
        head, tail = token.startswith("*"), token.endswith("*") and len(token) > 1
        body = token.strip("*")
        expression = regex.escape(body, special_only=True)
        if not self.spaced:
            return expression, frozenset({_unspaced_key(body)})
        if head:
            expression = r"[\w\p{M}]*" + expression
        expression += r"[\w\p{M}]*" if tail else r"(?![\w\p{M}])" if body[-1:].isalnum() else ""
        first = _WORD.search(body)
        keys = frozenset({first.group()[:3] if tail or len(first.group()) >= 3 else first.group()}) if first and not head else frozenset()
        return expression, keys


def _unspaced_key(body: str) -> str:
    return body[:2] if len(body) > 1 else body


def _keys(folded: str) -> set[str]:
    """The index keys a text offers: the first three letters of its words, and pairs and single signs of unspaced scripts."""
    found: set[str] = set()
    for word in _WORD.findall(folded):
        found.add(word[:3])
        for part in word.split("'"):
            found.add(part[:3])
        if len(word) < 3:
            found.add(word)
    if not folded.isascii() and (_UNSPACED.search(folded)):
        found.update(folded[i : i + 2] for i in range(len(folded) - 1))
        found.update(folded)
    return found


class Matcher:
    """All phrases of the given languages, indexed by anchor."""

    def __init__(self, languages: Sequence[Language]) -> None:
        """Raises PatternError, naming file and phrase, for a phrase that cannot be read."""
        self.languages = {language.code: language for language in languages}
        self._index: dict[tuple[str, str], list[_Phrase]] = {}
        self._always: dict[str, list[_Phrase]] = {}
        self._compiled: dict[_Phrase, regex.Pattern[str]] = {}
        self._loaded: set[str] = set()

    def _load(self, code: str) -> None:
        language = self.languages[code]
        for (group, name), phrases in language.groups.items():
            for text in phrases:
                where = f"{language.source}: {group}.{name}: {text!r}"
                source, keys = _Compiler(language, where).compile(text)
                phrase = _Phrase(group, name, code, source, where)
                for key in keys:
                    self._index.setdefault((code, key), []).append(phrase)
                if not keys:
                    self._always.setdefault(code, []).append(phrase)
        self._loaded.add(code)

    def hits(self, folded: str, codes: Iterable[str], part: str = "") -> list[Hit]:
        """Every phrase of the languages `codes` found in `folded` (see `fold`), in order of position; overlapping ones included.

        `part` is "signals", "others" (filters, scope, lexicon) or "" for all.
        """
        keys = _keys(folded)
        found: list[Hit] = []
        for code in codes:
            if code not in self._loaded:
                self._load(code)
            tried: set[_Phrase] = set()
            for phrase in self._candidates(code, keys):
                if phrase in tried or (part and (phrase.group.startswith("signals")) != (part == "signals")):
                    continue
                tried.add(phrase)
                match = self._search(phrase, folded)
                if match:
                    found.append(Hit(phrase.group, phrase.name, code, match.start(), match.end()))
        return sorted(found, key=lambda hit: (hit.start, hit.end))

    def _candidates(self, code: str, keys: set[str]) -> Iterator[_Phrase]:
        for key in keys:
            yield from self._index.get((code, key), ())
        yield from self._always.get(code, ())

    def _search(self, phrase: _Phrase, folded: str) -> regex.Match[str] | None:
        pattern = self._compiled.get(phrase)
        if pattern is None:
            try:
                pattern = regex.compile(phrase.source)
            except regex.error as exc:
                raise PatternError(f"{phrase.where}: {exc}") from exc
            self._compiled[phrase] = pattern
        try:
            return pattern.search(folded, timeout=MATCH_TIMEOUT_S)
        except TimeoutError:
            return None  # a phrase that cannot decide in time says nothing

    def check(self) -> None:
        """Compiles every phrase; raises PatternError for the first that is wrong."""
        for code in self.languages:
            if code not in self._loaded:
                self._load(code)
        for phrases in (*self._index.values(), *self._always.values()):
            for phrase in phrases:
                try:
                    regex.compile(phrase.source)
                except regex.error as exc:
                    raise PatternError(f"{phrase.where}: {exc}") from exc


_SCRIPTS = {
    "Hangul": regex.compile(r"\p{Hangul}"),
    "Kana": regex.compile(r"[\p{Hiragana}\p{Katakana}]"),
    "Han": regex.compile(r"\p{Han}"),
    "Cyrillic": regex.compile(r"\p{Cyrillic}"),
    "Arabic": regex.compile(r"\p{Arabic}"),
    "Devanagari": regex.compile(r"\p{Devanagari}"),
    "Latin": regex.compile(r"\p{Latin}"),
}


def languages_of(folded: str, languages: Sequence[Language], default: Sequence[str] = ("en",)) -> tuple[str, ...]:
    """Codes of the languages a text may be in, likeliest first; empty only when no letters are in it.

    Script decides first; among languages that share one, the share of words that are function words of each. Everything within 60 % of
    the best stays; where no function word is seen, `default` languages of that script stay, or all of them.
    """
    found: list[str] = []
    counts = {name: len(pattern.findall(folded)) for name, pattern in _SCRIPTS.items()}
    letters = sum(counts.values())
    if not letters:
        return ()
    if counts["Kana"] >= 0.05 * letters and counts["Kana"] > 1:
        counts["Kana"] += counts.pop("Han")  # Japanese: its Han signs are not Chinese
    words = _WORD.findall(folded)
    for script, count in sorted(counts.items(), key=lambda item: -item[1]):
        # A few foreign words are names; a non-Latin script in small numbers still tells the language of the sentence around code words.
        if count == 0 or (script == "Latin" and count < 0.5 * letters) or (script != "Latin" and count < 0.1 * letters):
            continue
        same = [language for language in languages if language.script == script]
        if len(same) <= 1:
            found += [language.code for language in same]
            continue
        scores = {language.code: sum(word in language.function_words for word in words) for language in same}
        best = max(scores.values())
        if best == 0:
            found += [code for code in default if code in scores] or list(scores)
        else:
            found += [code for code, score in sorted(scores.items(), key=lambda item: -item[1]) if score >= 0.6 * best]
    return tuple(found)
