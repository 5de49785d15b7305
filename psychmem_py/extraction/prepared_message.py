"""A message ready to be read clause by clause: masked, folded, with the languages it may be in; and what the language files say
of a clause besides signals: whose words follow, what it points at, what a person wants forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from psychmem_py.extraction import passages, structure
from psychmem_py.extraction.clause_evidence import ClauseEvidence, evidence_in
from psychmem_py.extraction.clauses import Clause
from psychmem_py.extraction.mask import masked
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.matcher import Chooser, Hit, Matcher
from psychmem_py.model.records import CONTEXT_CHARS, Message, Role
from psychmem_py.model.settings import Settings
from psychmem_py.safety.secrets import redact, redact_typed
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.text.folding import fold

_MESSAGE_CHARS = 100_000  # of one message that are read; whoever says more has pasted it
_LONG_RUN = 64
_RUN = re.compile(rf"(\S|[^\S\n])\1{{{_LONG_RUN},}}")
_ROUND = re.compile(rf"([^\n]{{2,8}}?)\1{{{_LONG_RUN},}}")
_SHORT_CHARS = 2_000


def cleaned(message: Message) -> Message:
    """The message without secrets, invisible characters and what we ourselves had put there."""
    cut = redact_typed if message.role is Role.USER else redact
    return message._replace(text=cut(own_words(message.text)), previous=redact(own_words(message.previous)))


def own_words(text: str) -> str:
    """The text without our blocks and without 64 equal signs or groups in a row, which nobody says and patterns pay for."""
    text = text[:_MESSAGE_CHARS]
    for long in (_RUN, _ROUND) if len(text) >= _SHORT_CHARS else ():
        text = long.sub(lambda match: match.group()[: len(match.group(1)) * _LONG_RUN], text)
    return without_our_blocks(text)


class PreparedMessage(NamedTuple):
    """A message made ready to be read clause by clause."""

    message: Message
    around: structure.Neighbourhood
    matcher: Matcher
    settings: Settings
    text: str  # masked
    folded: str
    codes: tuple[str, ...]  # languages it may be in
    structure: structure.MessageStructure

    @property
    def by_person(self) -> bool:
        return self.message.role is Role.USER

    @property
    def length(self) -> int:
        """Letters and signs of the message."""
        return len(self.message.text.strip())

    def folded_in(self, clause: Clause) -> str:
        return self.folded[clause.start : clause.end]

    def written_in(self, clause: Clause) -> str:
        return self.message.text[clause.start : clause.end]

    def evidence(self, clause: Clause, announced: Sequence[Hit] = (), *, faint: bool = False) -> ClauseEvidence | None:
        """See `clause_evidence.evidence_in`."""
        return evidence_in(self.folded_in(clause), self.matcher, self.codes, self.message.role, announced, faint=faint)

    def hits(self, clause: Clause, part: str, asked: Chooser) -> list[Hit]:
        """See `languages.matcher.Matcher.hits`."""
        return self.matcher.hits(self.folded_in(clause), self.codes, part, asked)


def prepared_message(message: Message, around: structure.Neighbourhood, matcher: Matcher, settings: Settings) -> PreparedMessage:
    """The message as the gates need it."""
    by_person = message.role is Role.USER
    text = masked(message.text, from_human=by_person)
    folded = fold(text)
    codes = languages_of(folded, tuple(matcher.languages.values()))
    shape = structure.message_structure(message.text, around) if by_person else structure.MessageStructure()
    return PreparedMessage(message, around, matcher, settings, text, folded, codes, shape)


_BACK, _ABOUT = ("filters", "back"), ("filters", "forget_about")
MIN_SUBJECT_CHARS = 2
_MARKS = " \n.,;:!?。，、！？।؟\"'“”「」"


def regard(prepared: PreparedMessage) -> passages.Regard:
    """Finds whether a folded text asks about another or says where that comes from."""
    matcher = prepared.matcher
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

    return words


def _is_work(group: str, name: str) -> bool:
    return group == "lexicon" and name in passages.WORK


def _is_regard(group: str, name: str) -> bool:
    if group == "lexicon":
        return name in passages.REGARD or name == passages.AGENT or _is_work(group, name)
    return group == "scope" or (group.startswith("signals") and name in passages.SPOKEN)


POINTING_CHARS = 90  # "Remember that for this project, please." is no longer


def pointing_back(prepared: PreparedMessage, clause: Clause) -> list[Hit]:
    """What a clause says that only points at the sentence before it: the hit, and where it is to hold; nothing for another."""
    if len(clause.text) > POINTING_CHARS:
        return []
    hits = prepared.hits(clause, "pointing", lambda group, name: group == "scope" or (group, name) == _BACK)
    return hits if any((hit.group, hit.name) == _BACK for hit in hits) else []


def subject_to_forget(prepared: PreparedMessage, clause: Clause) -> tuple[str, list[Hit]]:
    """The subject of which a person wants everything forgotten, and the words that say so; "" for another clause."""
    hits = prepared.hits(clause, "wish", lambda group, name: (group, name) == _ABOUT)
    around = (clause.text[: hits[0].start], clause.text[hits[-1].end :]) if hits else ("", "")
    subject = max(around, key=len).strip(_MARKS)
    return (subject, hits) if len(subject) >= MIN_SUBJECT_CHARS else ("", [])


def context_of(messages: Sequence[Message], index: int) -> str:
    """At most `CONTEXT_CHARS` of each neighbouring message."""
    neighbours = [
        messages[at].text for at in (index - 1, index + 1) if 0 <= at < len(messages) and messages[at].role is not Role.TOOL
    ]
    return " … ".join(" ".join(text.split())[:CONTEXT_CHARS] for text in neighbours)
