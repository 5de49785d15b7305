"""The class and scope of a statement entered without them, as the extractor would see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from psychmem_py.curation.act import Who
from psychmem_py.extraction.classify import claims_everywhere
from psychmem_py.extraction.mask import masked
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.wording import names_in
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.matcher import Hit, Matcher
from psychmem_py.model.classes import kind_of
from psychmem_py.model.records import Candidate, Kind, Message, Origin, Role, Scope
from psychmem_py.text.folding import fold


def class_and_scope(text: str, name: str, who: Who, matcher: Callable[[], Matcher]) -> tuple[Kind, Scope]:
    """Class as given, else as the extractor would see it, else an observation; scope as the words claim it, whatever the class."""
    role = Role.ASSISTANT if who.origin is Origin.ASSISTANT else Role.USER
    ways = (text, f"Remember that {text}") if role is Role.USER else (text,)  # as it stands, then as what it is
    judged = next((verdicts for way in ways if (verdicts := sweep([Message("", role, who.origin, way)], matcher()))), [])
    heard = judged[0].candidate if judged else None
    if name:
        kind = kind_of(name)
    elif heard and heard.kind is not Kind.SEMANTIC:
        kind = heard.kind
    elif way := _own_way(text, heard, matcher()):
        kind = way
    else:
        kind = Kind.SEMANTIC
    return kind, Scope.USER if holds_everywhere(text, matcher()) else Scope.PROJECT


def _own_way(text: str, heard: Candidate | None, matcher: Matcher) -> Kind | None:
    """What a statement of how the speakers work is, in the plain present: what they use or do instead of something else was chosen, how
    they write, name or order something in the code binds the work; None where it is neither. "We use port 8080" tells a fact.
    """
    folded = fold(text)
    hits = matcher.hits(folded, _codes(folded, matcher), "own way", lambda group, name: (group, name) in _OF_WAYS)
    own = [hit for hit in hits if hit.name != "code"]
    if own and heard and any(signal.family == "use_not" for signal in heard.signals):
        return Kind.DECISION
    done = [hit for hit in own if hit.name == "own_way"]
    on_code = any(hit.name == "code" and hit.end != one.end for one in done for hit in hits)  # "we commit" has no object yet
    return Kind.CONSTRAINT if on_code else None


_OF_WAYS = {("lexicon", "own_use"), ("lexicon", "own_way"), ("lexicon", "code")}


def speaks_of_a_project(text: str, matcher: Matcher) -> bool:
    """Whether the words tie a statement to the project at hand: "in this repo"."""
    return any(hit.name == "project" for hit in _scope_cues(fold(text), matcher))


def holds_everywhere(text: str, matcher: Matcher) -> bool:
    """Whether the words claim every project: "in all my projects", "in general"."""
    folded = fold(masked(text).text)
    return claims_everywhere(_scope_cues(folded, matcher), folded, names_in(text))


def _scope_cues(folded: str, matcher: Matcher) -> list[Hit]:
    return matcher.hits(folded, _codes(folded, matcher), "scope", lambda group, _name: group == "scope")


def _codes(folded: str, matcher: Matcher) -> Sequence[str]:
    return languages_of(folded, tuple(matcher.languages.values()))
