"""What a statement's words make of it: its class and scope where none was given, and whether it commands, whatever its class."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from psychmem_py.curation.act import Who
from psychmem_py.model.records import RULES, Candidate, Kind, Message, Origin, Role, Scope
from psychmem_py.model.settings import kind_of
from psychmem_py.text.folding import fold
from psychmem_py.words import package_file

if TYPE_CHECKING:
    from psychmem_py.languages.matcher import Hit, Matcher

RULE = "reads as a rule, whatever it is called"
# What passes for a person's rule; of these "must", "use_not" and "habit" also tell how things are: "the docs are built with".
_BINDING = frozenset({"always", "never", "ban", "must", "use_not", "habit"})
_COMMANDING = frozenset({"always", "never", "ban", "forever", "ensure", "complaint", "dont_want"})


@cache
def _speaking_for_the_user() -> re.Pattern[str]:
    """Third-person reports of the user's wishes or words, which bind like commands; a form for each language."""
    forms = package_file("speaking_for_the_user.txt").decode().rstrip("\n").replace("\n\t", "").replace("\n", "|")
    return re.compile(forms.replace("<ADVERBS>", r"(?:\S+\s+){0,2}?"), re.IGNORECASE)  # "always", "a toujours"


@cache
def _shipped(kept: Path | None) -> Matcher:
    """The languages as shipped, whatever a person changed in theirs; in the folder `kept` what was read of them may wait."""
    from psychmem_py.languages import files  # noqa: PLC0415  # 20 ms that an act without a statement does without

    return files.matcher(None, kept, keep=False)


def rule_in(text: str, kept: Path | None = None) -> Kind | None:
    """The class of the rule or preference for which the extraction would take `text` if a person had typed it."""
    binding = (one.kind for one in _heard(text, _shipped(kept)) if one.kind in RULES or _families(one) & _BINDING)
    return next((kind if kind in RULES else Kind.CONSTRAINT for kind in binding), None)


def speaks_for_the_user(text: str) -> bool:
    """Whether `text` tells in the third person what the user wants or said: "the user prefers …"."""
    return _speaking_for_the_user().search(text) is not None


def commands(text: str, kept: Path | None = None) -> bool:
    """Whether `text` tells somebody what to do or what the user wants; milder than `rule_in`: agents mostly state facts."""
    if speaks_for_the_user(text):
        return True
    matcher = _shipped(kept)
    heard = _heard(text, matcher)
    if any(one.kind is Kind.PREFERENCE for one in (*heard, *_heard(f"Remember that {text}", matcher))):  # "I like tabs"
        return True
    if any(said & _COMMANDING or ("universal" in said and said & {"must", "should"}) for said in map(_families, heard)):
        return True
    # A verb that opens it and asks for something to be done: "push …", "füge …".
    requests = _hits(fold(text.lstrip()), matcher, "requests", lambda group, name: (group, name) == ("lexicon", "verb_request"))
    return any(hit.start == 0 and matcher.languages[hit.language].boundary == "word" for hit in requests)


def _heard(
    text: str, matcher: Matcher, role: Role = Role.USER, origin: Origin = Origin.USER_PROMPT, *, faint: bool = True
) -> list[Candidate]:
    from psychmem_py.extraction.sweep import sweep  # noqa: PLC0415  # as above

    return [verdict.candidate for verdict in sweep([Message("", role, origin, text)], matcher, faint=faint)]


def _families(candidate: Candidate) -> frozenset[str]:
    return frozenset(signal.family for signal in candidate.signals)


def class_and_scope(text: str, name: str, who: Who, matcher: Callable[[], Matcher], kept: Path | None) -> tuple[Kind, Scope]:
    """The class as given, else as the extractor sees it, a command's as if a person gave it; scope as the words claim it."""
    role = Role.ASSISTANT if who.origin is Origin.ASSISTANT else Role.USER
    ways = (text, f"Remember that {text}") if role is Role.USER else (text,)  # as it stands, then as what it is
    heard = next((found[0] for way in ways if (found := _heard(way, matcher(), role, who.origin, faint=False))), None)
    if name:
        kind = kind_of(name)
    elif heard and heard.kind is not Kind.SEMANTIC:
        kind = heard.kind
    else:
        told = _heard(text, matcher()) if role is Role.ASSISTANT and commands(text, kept) else []
        kind = _own_way(text, heard, matcher()) or next((one.kind for one in told if one.kind in RULES), Kind.SEMANTIC)
        if kind is Kind.SEMANTIC and role is Role.USER:
            from psychmem_py.briefing.actionable import is_order  # noqa: PLC0415  # as above

            kind = Kind.CONSTRAINT if is_order(text) else kind  # "kubectl is read-only here"
    return kind, Scope.USER if holds_everywhere(text, matcher()) else Scope.PROJECT


def _own_way(text: str, heard: Candidate | None, matcher: Matcher) -> Kind | None:
    """The class of a choice or work rule stated as the speakers' practice; None for neither: "we use port 8080" is a fact."""
    ways = {("lexicon", "own_use"), ("lexicon", "own_way"), ("lexicon", "code")}
    hits = _hits(fold(text), matcher, "own way", lambda group, name: (group, name) in ways)
    if heard and "use_not" in _families(heard) and any(hit.name != "code" for hit in hits):
        return Kind.DECISION
    done = [hit.end for hit in hits if hit.name == "own_way"]
    on_code = any(hit.name == "code" and hit.end != end for end in done for hit in hits)  # "we commit" has no object yet
    return Kind.CONSTRAINT if on_code else None


def speaks_of_a_project(text: str, matcher: Matcher) -> bool:
    """Whether the words tie a statement to the project at hand: "in this repo"."""
    return any(hit.name == "project" for hit in _hits(fold(text), matcher, "scope", lambda group, _name: group == "scope"))


def holds_everywhere(text: str, matcher: Matcher) -> bool:
    """Whether the words claim every project: "in all my projects", "in general"."""
    from psychmem_py.extraction.classify import claims_everywhere  # noqa: PLC0415  # as above
    from psychmem_py.extraction.mask import masked  # noqa: PLC0415
    from psychmem_py.extraction.wording import names_in  # noqa: PLC0415

    return claims_everywhere(_hits(fold(masked(text)), matcher, "scope", lambda group, _name: group == "scope"), names_in(text))


def _hits(folded: str, matcher: Matcher, what: str, wanted: Callable[[str, str], bool]) -> list[Hit]:
    from psychmem_py.languages.matcher import hits_in  # noqa: PLC0415  # as above

    return hits_in(folded, matcher, what, wanted)
