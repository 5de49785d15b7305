"""A message made ready to be read clause by clause: masked, folded, with the languages it may be in; and what the language files say of a
clause besides signals: whose words follow, what it points at, what a person wants forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from psychmem_py.extraction import passages, structure
from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.mask import masked
from psychmem_py.languages.identify import languages_of, tongue_of
from psychmem_py.languages.matcher import Hit, Matcher
from psychmem_py.model.records import CONTEXT_CHARS, Message, Role
from psychmem_py.text.folding import fold


class PreparedMessage(NamedTuple):
    """A message made ready to be read clause by clause."""

    message: Message
    around: structure.Neighbourhood
    text: str  # masked
    folded: str
    codes: tuple[str, ...]  # languages it may be in
    length: int  # letters and signs of the message
    structure: structure.MessageStructure


def prepared_message(message: Message, matcher: Matcher, around: structure.Neighbourhood) -> PreparedMessage:
    """The message as the gates need it."""
    text = masked(message.text, from_human=message.role is Role.USER)
    folded = fold(text)
    return PreparedMessage(
        message=message,
        around=around,
        text=text,
        folded=folded,
        codes=languages_of(folded, tuple(matcher.languages.values())),
        length=len(message.text.strip()),
        structure=structure.message_structure(message.text, around)
        if message.role is Role.USER
        else structure.MessageStructure(),
    )


_BACK, _ABOUT = ("filters", "back"), ("filters", "forget_about")
MIN_SUBJECT_CHARS = 2
_MARKS = " \n.,;:!?。，、！？।؟\"'“”「」"


def regard(prepared: PreparedMessage, matcher: Matcher) -> passages.Regard:
    """What tells of a folded text whether it asks about another, or says where that comes from, and in which tongue it is."""

    languages = tuple(matcher.languages.values())

    @cache  # a clause is asked about as a sentence of its own and as a question behind another
    def words(folded: str) -> list[Hit]:
        codes = dict.fromkeys((*prepared.codes, *languages_of(folded, languages)))
        hits = matcher.hits(folded, codes, "regard", _is_regard)
        if "en" in codes or "en" not in matcher.languages:
            return hits
        little = {word for code in codes for word in matcher.languages[code].function_words}  # "comment" is "how" in French
        english = matcher.hits(folded, ["en"], "work", _is_work)
        return [*hits, *(hit for hit in english if folded[hit.start : hit.end] not in little)]

    return passages.Regard(words, lambda folded: tongue_of(folded, languages))


def _is_work(group: str, name: str) -> bool:
    return group == "lexicon" and name in passages.WORK


def _is_regard(group: str, name: str) -> bool:
    if group == "lexicon":
        return name in passages.REGARD or name == passages.AGENT or _is_work(group, name)
    return group.startswith("signals") and name in passages.SPOKEN


POINTING_CHARS = 90  # "Remember that for this project, please." is no longer


def pointing_back(prepared: PreparedMessage, clause: Clause, folded: str, matcher: Matcher) -> list[Hit]:
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


def context_of(messages: Sequence[Message], index: int) -> str:
    """At most `CONTEXT_CHARS` of each neighbouring message."""
    neighbours = [
        messages[at].text for at in (index - 1, index + 1) if 0 <= at < len(messages) and messages[at].role is not Role.TOOL
    ]
    return " … ".join(" ".join(text.split())[:CONTEXT_CHARS] for text in neighbours)
