"""The filters of the second gate: what a clause says about itself that keeps it from being a memory. One reason code each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from psychmem_py.languages.matcher import Hit
from psychmem_py.memory.change_cues import is_negative
from psychmem_py.model.records import Gate, Role
from psychmem_py.text.folding import late
from psychmem_py.words import word_list

# Rules in these words stay rules inside a request, a complaint or a rhetorical question.
STANDING = frozenset({"never", "ban", "forever", "remember", "note", "complaint", "prefer", "dont_want", "dislike", "habit"})
_RULE = STANDING | {"always", "must", "ensure", "should", "want", "choice", "use_not"}
_QUESTION = late(r"[?？؟]+[\s\"')」』”!]*$")
_TAG_QUESTION = late(r"[,;]\s*[\p{L}']+(?:\s[\p{L}']+)?\s*[?？؟]+\s*$")

_LAUGHTER = late(
    rf"(?i)(?<![\p{{L}}])(?:{'|'.join(word_list('laughter'))})(?![\p{{L}}])|{'|'.join(word_list('laughter_signs'))}|[😂🤣]|(?<!\S)[:;]-?D(?!\w)"
)
# "let's go with A": what A is stands in the answer before; C and D are languages too.
_OPTION = late(r"(?<!\S)[ABab][.!)]*$")
LAYOUT_DOUBT = 0.15
SYMPTOM_DOUBT = 0.2


class Refusal(NamedTuple):
    gate: Gate
    reason: str


class Filtered(NamedTuple):
    """`refusal` ends it; `adjustment` is added to the confidence; `void` are hits that an idiom has taken the meaning from."""

    refusal: Refusal | None
    adjustment: float = 0.0
    void: tuple[Hit, ...] = ()


def filtered(text: str, signals: Sequence[Hit], filters: Sequence[Hit], role: Role, words: Collection[str] = ()) -> Filtered:
    """What the filters make of a clause's signals: what says the opposite, what states nothing, what is not to last."""
    idioms = [hit for hit in filters if hit.name == "smalltalk"]
    void = tuple(hit for hit in signals if _is_void(text, hit, idioms))
    families = {hit.name for hit in signals if hit not in void}
    if not families:
        return Filtered(Refusal(Gate.FILTER, "smalltalk"), void=void)
    names = {hit.name for hit in filters if hit.name != "negation" or _reaches(text, hit, signals)}
    refusal = _refusal(text, families, names, role)
    return Filtered(refusal, _doubt(families, names, role, words), void)


_PART_ENDS = late(r"[,،]\s|[，、]|\s[-–—]{1,2}\s")


def _reaches(text: str, negation: Hit, signals: Sequence[Hit]) -> bool:
    """Does a negation share a part of the sentence with any evidence? In "I don't mind that, but we must …" it does not."""
    between = ((min(negation.end, hit.end), max(negation.start, hit.start)) for hit in signals)
    return any(not _PART_ENDS.search(text, start, end) for start, end in between)


_ANSWER = late(rf"(?i)(?<!\p{{L}})(?:{'|'.join(word_list('answers_no'))})\s*[,.;:!،、。।–—]")
REMEMBER_NEAR = 24  # signs that may stand between "remember" and the nearer end of its sentence


def _is_void(text: str, hit: Hit, idioms: Sequence[Hit]) -> bool:
    """Whether a signal means nothing: the "always" of "as always"; a "remember" in the midst of a sentence, which tells of
    remembering; the ban of "não, use tabs", which is a no to what was said, and a wish.
    """
    told_of = hit.name == "remember" and hit.start > REMEMBER_NEAR and len(text) - hit.end > REMEMBER_NEAR
    no = _ANSWER.search(text, hit.start, hit.end) if hit.name in ("never", "ban") else None
    answers = no is not None and not is_negative(text[no.end() : hit.end])
    return told_of or answers or any(idiom.start <= hit.start and hit.end <= idiom.end for idiom in idioms)


def _refusal(text: str, families: set[str], names: set[str], role: Role) -> Refusal | None:
    """The first reason for which a clause is none to keep."""
    bound, plain = _RULE & families, {name: name in names for name in ("negation", "hypothetical", "quotation")}
    reasons = {"forget": "forget" in names, "recall": "recall" in names, "question": _asks(text, families, names), **plain}
    if role is Role.ASSISTANT:
        reasons |= {name: name in names for name in ("meta_talk", "hedge")}
        reasons["narration"] = "narration" in names and "cause" not in families  # "Found it: the lock was never released"
    else:
        answers = "list_choice" in names or ("choice" in families and _OPTION.search(text))
        found_out = {"cause", "fixed"} & families
        reasons |= {
            "smalltalk": "pastime" in names or (not found_out and _LAUGHTER.search(text) is not None),  # "lesson learned lol"
            "temporary": "temporary" in names and not {"choice", "milestone", "note"} & families,
            "list_choice": bool(answers) and len(text) < 60 and not STANDING & families,
            "observation": "observation" in names and not bound and not (found_out | {"learned", "limit"} & families),
            "meta_talk": "meta_talk" in names and not bound,
        }
    reason = next((reason for reason, holds in reasons.items() if holds), "")
    return Refusal(Gate.QUESTION if reason == "question" else Gate.FILTER, reason) if reason else None


def _asks(text: str, families: Collection[str], names: Collection[str]) -> bool:
    """A question, unless it is a rule dressed as one: "why do you keep …?", "never …, ok?", "can you please never … again?"."""
    marked = _QUESTION.search(text) is not None
    if not marked and "question" not in names:
        return False
    standing = STANDING & set(families)
    if "complaint" in families:
        return False
    if marked and standing and _TAG_QUESTION.search(text):
        return False
    return not (marked and standing and "task_request" in names and "question" not in names)


# In these words people ask for what they want to see next just as they state what shall hold for good.
_ASKED_TOO = frozenset("must should ensure want choice always use_not fact limit universal same_as because important".split())

# Words by which something is to last, whatever it is about, or which no look of a page can be meant by.
_LASTING = frozenset({"forever", "remember", "habit", "complaint", "dislike", "cause"})


def _asks_for_a_look(families: Collection[str], names: Collection[str], words: Collection[str]) -> bool:
    """Is it about the look of a page, with nothing that says it is to last? A ban says so where it is no part of a request."""
    if "layout" not in words or ("always" in families and "code" in words):  # "Always use the Button component."
        return False
    lasting = (_LASTING if "task_request" in names else _LASTING | {"never"}) - ({"dislike"} if "at_hand" in names else set())
    return _ASKED_TOO.issuperset(families) or not (lasting & set(families) or {"code", "tool"} & set(words))


def _doubt(families: Collection[str], names: Collection[str], role: Role, words: Collection[str]) -> float:
    """What soft filters take from the confidence, and the look of a page where nothing says that it is to last."""
    if role is not Role.USER:
        present = "cause_present" in families and not {"cause", "fixed", "choice"} & set(
            families
        )  # which may only tell the symptom again
        return -SYMPTOM_DOUBT if "observation" in names and present else 0.0
    doubt = 0.0
    standing = bool(STANDING & set(families))
    if _asks_for_a_look(families, names, words):
        doubt -= LAYOUT_DOUBT
    if "hedge" in names:
        doubt -= 0.1 if standing else 0.4 if {"cause", "cause_present"} & set(families) else 0.2  # twice guessed is not found
    if "task_request" in names and not standing and not {"always", "again"} & set(families):
        doubt -= 0.05 if {"ensure", "must"} & set(families) else 0.15
    if "observation" in names and not {"cause", "fixed", "learned"} & set(families):  # a cause or lesson tells the symptom too
        doubt -= 0.1 if standing else 0.25
    return doubt
