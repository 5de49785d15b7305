"""What the language files say of a clause besides signals: whose words follow, what it points at, what a person wants forgotten."""

from __future__ import annotations

from psychmem_py.extraction import passages
from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.prepared_message import PreparedMessage
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.language import Hit
from psychmem_py.languages.matcher import Matcher

_BACK, _ABOUT = ("filters", "back"), ("filters", "forget_about")
MIN_SUBJECT_CHARS = 2
_MARKS = " \n.,;:!?。，、！？।؟\"'“”「」"


def frames(prepared: PreparedMessage, matcher: Matcher) -> passages.NamesIn:
    """What finds the words in a folded text that announce somebody else's."""

    def names(folded: str) -> set[str]:
        # Who pastes a foreign text says so in a language of their own.
        own = languages_of(folded, tuple(matcher.languages.values()))
        codes = dict.fromkeys((*prepared.codes, *own))
        return {hit.name for hit in matcher.hits(folded, codes, "frames", _is_frame)}

    return names


def _is_frame(group: str, name: str) -> bool:
    return group == "filters" and name in passages.FRAMES


POINTING_CHARS = 90  # "Remember that for this project, please." is no longer


def pointing(prepared: PreparedMessage, clause: Clause, folded: str, matcher: Matcher) -> list[Hit]:
    """What a clause says that only points at the sentence before it: the hit, and where it is to hold; nothing for another."""
    if len(clause.text) > POINTING_CHARS:
        return []
    hits = matcher.hits(folded, prepared.codes, "pointing", lambda group, name: group == "scope" or (group, name) == _BACK)
    return hits if any((hit.group, hit.name) == _BACK for hit in hits) else []


def subject_to_forget(prepared: PreparedMessage, clause: Clause, folded: str, matcher: Matcher) -> tuple[str, list[Hit]]:
    """The subject of which a person wants everything forgotten, and the words that say so; "" for another clause."""
    hits = matcher.hits(folded, prepared.codes, "wish", lambda group, name: (group, name) == _ABOUT)
    around = (clause.text[: hits[0].start], clause.text[hits[-1].end :]) if hits else ("", "")
    subject = max(around, key=len).strip(_MARKS)
    return (subject, hits) if len(subject) >= MIN_SUBJECT_CHARS else ("", [])
