"""What a person or a prompt asks for: weighted words, phrases in quotes, filters and the intent behind them. Pure."""

from __future__ import annotations

from _collections_abc import Mapping, Sequence

from psychmem_py.model.light_record import NamedTuple
from psychmem_py.text.dates import moment
from psychmem_py.text.tokenizer import phrase_terms, query_terms
from psychmem_py.words import lists_by_key, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Words about the asking itself. At a third of their weight: dropped they cost 1 point on chats where people recommend and like
# things, kept whole they cost 2 to 4 where questions are long (BEAM, MADial; R@10).
_WORDS_OF_ASKING = word_set("words_of_asking")

# The intents of a question (in the order of their words) and the classes that answer them, by name.
ANSWERS: dict[str, frozenset[str]] = {
    "find_decision": frozenset({"decision"}),
    "fix_bug": frozenset({"bugfix", "learning"}),
    "security_audit": frozenset({"constraint"}),
    "refactor": frozenset({"constraint", "preference", "decision"}),
    "find_spec": frozenset({"decision", "semantic", "objective"}),
    "add_feature": frozenset({"procedural", "constraint", "preference"}),
    "understand": frozenset({"semantic", "learning"}),
}

_TERMS = 64  # of a long prompt; more touch rows without changing the first ten
_LAST_TERMS = 44  # of these, so many from its end: what is asked mostly stands there


class Query(NamedTuple):
    """One question, taken apart. Every term is lower-case and free of FTS syntax."""

    terms: tuple[tuple[str, float], ...]  # word, weight in (0, 1]
    phrases: tuple[str, ...] = ()  # words in order; all of them must be there
    kinds: frozenset[str] = frozenset()
    scope: str | None = None
    tags: frozenset[str] = frozenset()
    tier: str = ""  # "": every one but deprecated
    metadata: tuple[tuple[str, str], ...] = ()  # field, value, in small letters
    after: float | None = None  # UTC seconds
    file: str = ""  # base name in small letters: of what is named, or was edited
    intent: str = ""


def unasked(text: str) -> Query:
    """The query of a text that is no question to the memory: content words only, none of them required."""
    return _worded(text, _terms(text, grammar=False))


def parsed(text: str) -> Query:
    """`text` as a query, its filters and phrases taken out; an unknown value makes plain words of a filter."""
    rest, filters = text, Query(())
    for word in text.split():
        name, _, value = word.lower().partition(":")
        if value and (narrowed := _narrowed(filters, name, value)) is not None:
            rest, filters = rest.replace(word, " ", 1), narrowed
    asked = _worded(rest, _terms(rest))
    quoted = (part for row in rest.split("\n") for part in row.split('"')[1:-1:2] if 2 <= len(part) <= 200)
    phrases = tuple(phrase for part in quoted if (phrase := phrase_terms(part)))
    return filters._replace(terms=asked.terms, phrases=phrases, intent=asked.intent)


def _worded(text: str, terms: Sequence[str]) -> Query:
    """A query of these words of a text alone, with the first intent that one of them shows."""
    said = frozenset(terms) | frozenset(text.lower().split())
    intent = next((name for name, cues in lists_by_key("intents").items() if not said.isdisjoint(cues)), "")
    return Query(tuple((term, 0.33 if term in _WORDS_OF_ASKING else 1.0) for term in terms), intent=intent)


def _narrowed(query: Query, name: str, value: str) -> Query | None:
    """The query with one filter more; None where there is no such filter or value."""
    given: dict[str, Any] = {}
    if name in ("scope", "tier") and value in _values(name):
        given = {name: value}
    elif name == "class" and value in _values(name):
        given = {"kinds": query.kinds | {str(_values(name)[value])}}
    elif name == "tag":
        given = {"tags": query.tags | {value}}
    elif name == "file":
        given = {"file": value.replace("\\", "/").rstrip("/").rpartition("/")[2]}
    elif name == "after":
        try:
            given = {"after": moment(value)}
        except ValueError:
            return None
    elif name == "meta" and all(pair := value.partition("=")):
        given = {"metadata": (*query.metadata, (pair[0], pair[2]))}
    elif name in _fields():
        given = {"metadata": (*query.metadata, (name, value))}
    return query._replace(**given) if given else None


def identifier(text: str) -> str:
    """The words of a text that is one name with a number in it (a ticket, a version, an error code); "" for any other."""
    name = text.strip()
    return phrase_terms(name) if any(map(str.isdigit, name)) and not any(map(str.isspace, name)) and parsed(name).terms else ""


def _terms(text: str, *, grammar: bool = True) -> list[str]:
    """What to ask for; of a long text the end before the beginning. `grammar`: its words too when there are no others."""
    terms = query_terms(text, grammar=grammar)
    return terms if len(terms) <= _TERMS else [*terms[-_LAST_TERMS:], *terms[: _TERMS - _LAST_TERMS]]


def _fields() -> frozenset[str]:
    from psychmem_py.model.settings import SCHEMAS  # noqa: PLC0415  # as below

    return frozenset(field for schema in SCHEMAS.values() for field in schema)


def _values(name: str) -> Mapping[str, str]:
    """What a filter of classes, scopes or tiers may ask for, by its names here and elsewhere."""
    from psychmem_py.model.records import Scope, Tier  # noqa: PLC0415  # 4 ms of CPU that only filters need
    from psychmem_py.model.settings import NAMES  # noqa: PLC0415  # as below

    return NAMES if name == "class" else {one: one for one in (Scope if name == "scope" else Tier)}
