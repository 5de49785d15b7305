"""A message made ready to be read clause by clause: masked, folded, with the languages it may be in."""

from __future__ import annotations

from typing import NamedTuple

from psychmem_py.extraction import structure
from psychmem_py.extraction.mask import masked
from psychmem_py.languages.identify import languages_of
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Role
from psychmem_py.text.folding import fold


class PreparedMessage(NamedTuple):
    """A message made ready to be read clause by clause."""

    message: Message
    around: structure.Neighbourhood
    text: str  # masked
    folded: str
    codes: tuple[str, ...]  # languages it may be in
    pasted: float
    length: int  # letters and signs of the message
    structure: structure.MessageStructure


def prepared_message(message: Message, matcher: Matcher, around: structure.Neighbourhood) -> PreparedMessage:
    """The message as the gates need it."""
    mask = masked(message.text, from_human=message.role is Role.USER)
    folded = fold(mask.text)
    return PreparedMessage(
        message=message,
        around=around,
        text=mask.text,
        folded=folded,
        codes=languages_of(folded, tuple(matcher.languages.values())),
        pasted=mask.pasted,
        length=len(message.text.strip()),
        structure=structure.message_structure(message.text, around)
        if message.role is Role.USER
        else structure.MessageStructure(),
    )
