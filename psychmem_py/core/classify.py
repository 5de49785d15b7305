"""The class of a clause by its grammar (who states what about which subject), its scope, and its clean text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import regex

from psychmem_py.core.model import Kind, Role, Scope
from psychmem_py.core.phrases import Hit

DEFAULT_SCOPE = {
    Kind.CONSTRAINT: Scope.USER,
    Kind.PREFERENCE: Scope.USER,
    Kind.LEARNING: Scope.USER,
    Kind.PROCEDURAL: Scope.USER,
    Kind.DECISION: Scope.PROJECT,
    Kind.BUGFIX: Scope.PROJECT,
    Kind.SEMANTIC: Scope.PROJECT,
    Kind.EPISODIC: Scope.PROJECT,
    Kind.OBJECTIVE: Scope.PROJECT,
}
# What decides alone, in this order: the first family present names the class.
_TELLING = (
    (("cause", "fixed", "cause_present"), Kind.BUGFIX),
    (("habit",), Kind.PROCEDURAL),
    (("prefer", "dislike"), Kind.PREFERENCE),
    (("learned", "limit"), Kind.LEARNING),
    (("milestone",), Kind.EPISODIC),
)
_RULES = frozenset({"never", "always", "forever", "must", "ensure", "should", "complaint", "same_as"})


def kind_of(families: Collection[str], lexicon: Collection[str], role: Role) -> Kind:
    """The class of a clause with these families of evidence and these words in it."""
    found = set(families)
    words = set(lexicon)
    for names, kind in _TELLING:
        if found & set(names):
            return kind
    if found & {"choice", "label"}:
        return Kind.DECISION
    if role is Role.ASSISTANT:
        return Kind.DECISION if "use_not" in found else Kind.LEARNING if "tool" in words and "fact" not in found else Kind.SEMANTIC
    if found & {"want", "dont_want"} and not found & {"never", "forever"}:
        return Kind.DECISION if "product" in words and not words & {"code", "agent"} else Kind.PREFERENCE
    if found & _RULES:
        return _rule(found, words)
    if "use_not" in found:
        return Kind.DECISION
    if found & {"remember", "note"} and "verb_request" in words and "fact" not in found:
        return Kind.PROCEDURAL
    return Kind.SEMANTIC


def _rule(families: Collection[str], words: Collection[str]) -> Kind:
    """A rule about the product settles how it behaves: a decision. A rule about code, files or the agent binds the work: a constraint."""
    if "product" in words and not set(words) & {"code", "agent"} and not set(families) & {"forever", "complaint"}:
        return Kind.DECISION
    return Kind.CONSTRAINT


def scope_of(kind: Kind, cues: Sequence[Hit], names: Sequence[str]) -> Scope:
    """The class's scope, unless the words say otherwise: cues win, and a named path belongs to a project."""
    said = {hit.name for hit in cues}
    if "project" in said:
        return Scope.PROJECT
    if "user" in said:
        return Scope.USER
    if any("/" in name or "\\" in name for name in names):
        return Scope.PROJECT
    return DEFAULT_SCOPE[kind]


_NAMES = regex.compile(r"`([^`\n]{2,80})`|(?<![\w/])((?:[\w.@-]+/)+[\w.*@-]*|[\w-]+\.(?:py|js|jsx|ts|tsx|json|ya?ml|toml|md|html?|css|sql|sh|go|rs|java|cs|php|vue|env)\b)"
                       r"|\b([a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Z]{2,}[A-Z0-9_]*)\b")


def names_in(text: str) -> tuple[str, ...]:
    """Files, identifiers and proper names of code in `text`, each once, at most 12."""
    found = dict.fromkeys(next(group for group in match.groups() if group) for match in _NAMES.finditer(text))
    return tuple(found)[:12]


_LEAD = regex.compile(
    r"^(?:[\s\-*•>#.)(:,;]+|\d{1,2}[.)]\s+|(?i:(?:ok(?:ay)?|alright|all right|right|great|nice|perfect|good|cool|thanks|thank you|yes|yeah|yep|well|so|and|but|also|then|oh|ah|hmm|hey|hi|hello|please|pls"
    r"|pero|vale|bueno|et|mais|donc|bon|und|aber|gut|bitte|però|então|maar|dus|ale|więc|но|так|ну|ладно|хорошо|ve|ama|tamam)(?=[\s,:.!]))[\s,:.!]*)+"
)
_TAIL = regex.compile(r"(?i:[\s,]+(?:please|pls|plz|ok(?:ay)?|thanks|thank you|por favor|gracias|s'il (?:te|vous) pla[iî]t|bitte|danke|per favore|grazie|alsjeblieft|proszę|пожалуйста|lütfen)[\s.!?…]*)+$|[\s,;:\-–—]+$")
_MARKUP = regex.compile(r"\*\*|__(?=\w)|(?<=\w)__|^#+\s+|\s+")


def clean(text: str) -> str:
    """`text` without list marks, openers, politeness and emphasis marks, on one line; never empty where `text` was not."""
    out = _MARKUP.sub(lambda found: " " if found.group().isspace() else "", text).strip()
    for pattern in (_LEAD, _TAIL):
        shorter = pattern.sub("", out)
        out = shorter if len(shorter) >= 8 or len(shorter) * 2 >= len(out) else out
    return out.strip()
