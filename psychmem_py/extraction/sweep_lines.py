"""`psychmem sweep`, line by line; how well it does on labelled messages; whether language files keep their examples."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from psychmem_py.errors import PayloadError
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.extraction.prepared_message import cleaned
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.weights import beyond
from psychmem_py.languages.matcher import Hit, Language, Matcher, languages_of
from psychmem_py.model.records import Gate, Message, Origin, Role, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.text.folding import fold

_ORIGINS = {Role.USER: Origin.USER_PROMPT, Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL}


def results(lines: Iterable[str], matcher: Matcher, settings: Settings = DEFAULTS) -> Iterator[str]:
    """One line of JSON for each non-empty line of `lines`, in order. Raises PayloadError for a line that is no message."""
    for entry in entries_in(lines):
        yield result(entry, sweep([message_of(entry)], matcher, settings), settings)


def entries_in(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The object of each non-empty line. Raises PayloadError for a line that is no message."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as exc:
            raise PayloadError(f"line {number} is not JSON: {exc}; give one object per line") from exc
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
            raise PayloadError(f'line {number} has no "text"; give {{"id", "role", "text", "prev_assistant"}}')
        yield entry


def result(entry: Mapping[str, Any], verdicts: Iterable[Verdict], settings: Settings = DEFAULTS) -> str:
    """The line of JSON for a message, under the id it came with."""
    line = json.dumps(as_json(entry.get("id", ""), verdicts, settings), ensure_ascii=False)
    return line.encode("utf-8", "replace").decode("utf-8")  # half a sign, which JSON can hold and no stream takes


def message_of(entry: Mapping[str, Any]) -> Message:
    """The message in {"id","role","text","prev_assistant"}; an unknown role counts as a tool's, which says nothing."""
    role = Role(entry["role"]) if entry.get("role") in set(Role) else Role.TOOL
    text, previous = (str(entry.get(name) or "") for name in ("text", "prev_assistant"))
    return cleaned(Message(str(entry.get("id", "")), role, _ORIGINS[role], text, previous=previous))


def as_json(identity: object, verdicts: Iterable[Verdict], settings: Settings = DEFAULTS) -> dict[str, Any]:
    """What was kept and what was rejected, waiting candidates among the rejected with the reason "waiting"."""
    decided = limited(list(verdicts), settings.extraction.max_memories_per_stop)
    kept = [v.candidate for v in decided if v.is_kept]
    named = ("text", "quote", "class", "scope", "confidence", "store")
    told = ((c.text, c.quote, c.kind, c.scope, round(c.confidence, 2), c.store) for c in kept)
    refused = [(v.candidate.text, v.gate or Gate.EVIDENCE, v.reason if v.gate else "waiting") for v in decided if not v.is_kept]
    return {
        "id": identity,
        "memories": [dict(zip(named, values, strict=True)) for values in told],
        "rejected": [{"text": text, "gate": gate, "reason": reason} for text, gate, reason in refused],
    }


def limited(verdicts: Sequence[Verdict], most: int = DEFAULTS.extraction.max_memories_per_stop) -> list[Verdict]:
    """The same verdicts with only the best kept ones of a stop still kept; the rest is rejected at the gate `limit`."""
    over = beyond((v.candidate for v in verdicts if v.is_kept), most)
    return [v._replace(gate=Gate.LIMIT, reason="limit") if v.is_kept and v.candidate.text in over else v for v in verdicts]


def counted(found_in: Iterable[tuple[dict[str, Any], Sequence[Verdict]]]) -> dict[str, dict[str, float]]:
    """The figures for labelled messages with the verdicts on their clauses: for all, for each role and for each language."""
    by_name: dict[str, Counter[tuple[bool, bool]]] = {"all": Counter()}
    for row, verdicts in found_in:
        if (labels := row.get("labels") or []) and all(label.get("strength") == "should" for label in labels):
            continue  # may be kept, need not
        for group in filter(None, ("all", str(row.get("role", "")), str(row.get("lang", "")))):
            by_name.setdefault(group, Counter())[bool(labels), any(v.is_kept for v in verdicts)] += 1
    return {name: _figures(count) for name, count in by_name.items()}


def _figures(count: Mapping[tuple[bool, bool], int]) -> dict[str, float]:
    hits, misses, false, quiet = (count[both] for both in ((True, True), (True, False), (False, True), (False, False)))

    def share(part: int, rest: int) -> float:
        return part / (part + rest) if part else 0.0

    shares = {"precision": share(hits, false), "recall": share(hits, misses), "f1": share(2 * hits, false + misses)}
    shares["false_per_100"] = 100 * share(false, quiet)
    return {**shares, "hits": hits, "misses": misses, "false": false, "quiet": quiet}


def labelled(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of a labelled file. Raises PayloadError naming the message that is none."""
    for number, row in enumerate(entries_in(lines), 1):
        if not isinstance(row.get("labels", []), list):
            raise PayloadError(f'message {number} has no list of labels; write "labels": [{{"span", "class"}}]')
        yield row


_NAME = re.compile(r"\{([^\s{}]+)\}")
_COUNTED = re.compile(r"_\d+$")  # a second list of the kind


class Problem(NamedTuple):
    language: str
    table: str  # "signals.constraint.never"
    sentence: str
    what: str

    def __str__(self) -> str:
        return f"{self.language}.toml [{self.table}] {self.what}: {self.sentence}"


def check(
    languages: Sequence[Language],
    neutral: Mapping[str, Sequence[str]] | None = None,
    step: Callable[[int], None] = lambda _done: None,
    *,
    names: Collection[str] = (),
) -> list[Problem]:
    """Everything wrong with these languages and `neutral` sentences; a list has one of `names`. `step` hears how many."""
    matcher = Matcher(languages)
    problems = [Problem("", "", problem, "cannot be read") for problem in matcher.check()]
    for done, language in enumerate(languages, 1):
        problems += [*_lists(language, names), *_families(language, matcher)]
        step(done)
    for code, sentences in (neutral or {}).items():
        for sentence in sentences:
            found = sweep([Message("", Role.USER, Origin.USER_PROMPT, sentence)], matcher)
            kept = [", ".join(signal.family for signal in verdict.candidate.signals) for verdict in found if verdict.is_kept]
            problems += [Problem(code, "neutral", sentence, f"is kept ({families})") for families in kept]
    return problems


def phrases(language: Language) -> int:
    """How many phrases a language has, the words of its lexicon not counted."""
    return sum(len(own.phrases) for (group, _), own in language.families.items() if group != "lexicon")


def _lists(language: Language, names: Collection[str]) -> Iterator[Problem]:
    phrases = (phrase for own in language.families.values() for phrase in own.phrases)
    used = set(_NAME.findall("\n".join((*phrases, *(entry for entries in language.words.values() for entry in entries)))))
    for name in language.words.keys() - used - {"tool_names", "code_names"}:  # shared; not every language needs them
        yield Problem(language.code, "words", name, "is used by no phrase; delete the list")
    unnamed = "is no name of [list_names] in _shared.toml: take one, or say there what it means"
    for name in (one for one in language.words if names and _COUNTED.sub("", one) not in names):
        yield Problem(language.code, "words", name, unnamed)


def _families(language: Language, matcher: Matcher) -> Iterator[Problem]:
    """Phrases that stand twice, or match no example; `matches` that their language does not find, `rejects` that any finds."""
    for key, own in language.families.items():
        wrong = partial(Problem, language.code, ".".join(key))
        for phrase in {phrase for phrase in own.phrases if own.phrases.count(phrase) > 1}:
            yield wrong(phrase, "stands twice")
        for phrase, sentence in own.examples:
            if phrase not in {hit.phrase for hit in _hits(key, sentence, (language.code,), matcher)}:
                yield wrong(sentence, f"does not match the phrase {phrase!r} beside it")
        shown = set[str]()
        for sentence in own.matches:
            hits = _hits(key, sentence, (language.code,), matcher)
            shown.update(hit.phrase for hit in hits)
            if not hits:
                yield wrong(sentence, "does not match")
        if key[0] != "lexicon":
            for phrase in sorted(set(own.phrases) - {phrase for phrase, _ in own.examples} - shown):
                yield wrong(phrase, 'has no example; write ["phrase", "a sentence it must match"]')
            if not (own.matches and own.rejects):
                yield wrong("", "needs a sentence in matches and one in rejects")
        for sentence in own.rejects:
            codes = {language.code, *languages_of(fold(masked(sentence)), tuple(matcher.languages.values()))}
            for hit in _hits(key, sentence, tuple(sorted(codes)), matcher):
                yield wrong(sentence, f"matches in {hit.language}, and must not")


@lru_cache(maxsize=4096)  # a sentence is asked for by its phrase, its family, and in each of its places
def _hits(key: tuple[str, str], sentence: str, codes: tuple[str, ...], matcher: Matcher) -> list[Hit]:
    """What one family finds: the phrases of the others cost most of the time."""
    text = masked(sentence)
    every = [clause.text for clause in clauses(text)] or [text]
    return [hit for one in every for hit in matcher.hits(fold(one), codes, ".".join(key), lambda *asked: asked == key)]
