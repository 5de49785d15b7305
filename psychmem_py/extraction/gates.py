"""What a clause says about itself that keeps it from being a memory (second gate), or lets it wait; a reason code each. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from psychmem_py.extraction.clause_evidence import ADDRESSED, STANDING, ClauseEvidence, says_besides
from psychmem_py.extraction.clauses import QUESTION_MARKS, letters_said
from psychmem_py.extraction.structure import LANGUAGES
from psychmem_py.extraction.weights import BOOSTER
from psychmem_py.languages.matcher import Hit
from psychmem_py.memory.change_cues import is_negative
from psychmem_py.model.records import Candidate, Gate, Kind, Role, Verdict
from psychmem_py.text.folding import late
from psychmem_py.text.own_subject import has_own_subject
from psychmem_py.text.tokenizer import content_words
from psychmem_py.words import word_list

_RULE = STANDING | {"always", "must", "ensure", "should", "want", "choice", "use_not"}
ORDERS = frozenset({"always", "never", "forever", "ban"})
_QUESTION = late(r"[?？؟]+[\s\"')」』”!]*$")
_TAG_QUESTION = late(r"[,;]\s*[\p{L}']+(?:\s[\p{L}']+)?\s*[?？؟]+\s*$")
_LAUGHTER = late(
    rf"(?i)(?<![\p{{L}}])(?:{'|'.join(word_list('laughter'))})(?![\p{{L}}])|{'|'.join(word_list('laughter_signs'))}|[😂🤣]|(?<!\S)[:;]-?D(?!\w)"
)
_OPTION = late(r"(?<!\S)[ABab][.!)]*$")  # "let's go with A": what A is stands in the answer before; C and D are languages too
LAYOUT_DOUBT, SYMPTOM_DOUBT = 0.15, 0.2
_PART_ENDS = late(r"[,،]\s|[，、]|\s[-–—]{1,2}\s")
_ANSWER = late(rf"(?i)(?<!\p{{L}})(?:{'|'.join(word_list('answers_no'))})\s*[,.;:!،、。।–—]")
REMEMBER_NEAR = 24  # signs that may stand between "remember" and the nearer end of its sentence
# In these words people ask for what they want to see next just as they state what shall hold for good.
_ASKED_TOO = frozenset("must should ensure want choice always use_not fact limit universal same_as because important".split())
# Words by which something is to last, whatever it is about, or which no look of a page can be meant by.
_LASTING = frozenset({"forever", "remember", "habit", "complaint", "dislike", "cause"})
LONGEST_TEXT = 240  # signs of a memory: a brief's line is read at a glance
_LEAST_WORDS = 2  # of a statement
UNENDING_CHARS = 140  # a text of so many signs without an end was cut
_PAIRS = ("()", "[]", "{}", "（）", "「」", "【】")
_SMILE_OR_NUMBER = re.compile(r"[:;=][-']?[()]|(?:^|(?<=[\s;,]))(?:[a-zA-Z]|\d{1,2})\)\s")
_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）")
_DANGLING = (":", "：", ",", "，", "、", ";", "-", "–", "—", "=", "(", *QUESTION_MARKS)
_BROKEN_OFF = (*_DANGLING, "…", "...")  # in what a person types a pause
_RELEASE = re.compile(r"(?<![\w.])v?\d+\.\d+|\b(?:19|20)\d\d\b")  # of a platform or another's program: that will not change
_TOLD_AS_LASTING = frozenset({"remember", "again", "forever", "complaint"})
_REASONED = frozenset({"ensure", "never", "ban", "dont_want"})  # who gives the reason of these means more than the task at hand
# A polite rule ("please never …") is no task where it opens its message and is most of it; else it is the limit of one.
_GENERAL, _MOST, OPENING_CHARS = frozenset({"always", "never", "ban"}), 0.5, 24
_FORBIDS, _OWN_LETTERS = frozenset({"ban", "dont_want"}), 20  # what is forbidden in fewer letters leans on the request around it
_TASTE = frozenset({"prefer", "dislike", "dont_want"})  # "I think I don't like …" is politeness, no guess
# Beside these what is to be made sure is a rule; else it is what the request of the moment is to bring about.
_BINDING = frozenset({"must", "should", "always", "never", "prefer", "dislike", "dont_want"})
# To be brought about once, unless all of a kind are meant; outside English, where no table weighs it, any duty beside other text.
_WISHES, _ALL_OF_A_KIND = frozenset({"want", "should"}), frozenset({"universal", "important"})
_DUTIES = _WISHES | {"must", "ensure", "use_not"}
_LONG_CHARS = 600  # who writes so much describes a task, a page or a plan, or pasted it
_DECIDED = frozenset({"choice", "label"})  # what was chosen is settled wherever it stands
_NOTE_CHARS = 160  # who states a plain fact of his own needs no more
# A fact that anybody may state: a person's own message says whose it is ("our", "I"), a pasted review or manual does not.
_FACTS, _BESIDE_FACTS = frozenset({"fact", "limit"}), frozenset({"universal", "important", "same_as", "because"})


class Filtered(NamedTuple):
    """A `gate` ends it; `adjustment` is added to the confidence; `void` are hits that an idiom has taken the meaning from."""

    gate: Gate | None = None
    reason: str = ""
    adjustment: float = 0.0
    void: tuple[Hit, ...] = ()


def filtered(text: str, signals: Sequence[Hit], filters: Sequence[Hit], role: Role, words: Collection[str] = ()) -> Filtered:
    """What the filters make of a clause's signals: what says the opposite, what states nothing, what is not to last."""
    idioms = [hit for hit in filters if hit.name == "smalltalk"]
    void = tuple(hit for hit in signals if _is_void(text, hit, idioms))
    families = {hit.name for hit in signals if hit not in void}
    complaints = [hit for hit in signals if hit.name == "complaint"]  # "I told you that": what, stands elsewhere
    if not families or (families == {"complaint"} and not says_besides(text, complaints)):
        return Filtered(Gate.FILTER, "smalltalk", void=void)
    names = {hit.name for hit in filters if _counts(text, hit, signals)}
    reason = _refusal(text, families, names, role)
    gate = Gate.QUESTION if reason == "question" else Gate.FILTER if reason else None
    return Filtered(gate, reason, _doubt(families, names, role, words), void)


def _counts(text: str, one: Hit, signals: Sequence[Hit]) -> bool:
    """Does a filter speak of the evidence? Not a "not" in another part, "I don't mind, but …", nor "always explain why"."""
    if one.name == "question":
        return not any(hit.name in ORDERS and hit.start < one.start for hit in signals)
    between = ((min(one.end, hit.end), max(one.start, hit.start)) for hit in signals)
    return one.name != "negation" or any(not _PART_ENDS.search(text, start, end) for start, end in between)


def _is_void(text: str, hit: Hit, idioms: Sequence[Hit]) -> bool:
    """Whether a signal means nothing: in an idiom ("as always"), a "remember" told of, a ban that is a no: "não, use tabs"."""
    told_of = hit.name == "remember" and hit.start > REMEMBER_NEAR and len(text) - hit.end > REMEMBER_NEAR
    no = _ANSWER.search(text, hit.start, hit.end) if hit.name in ("never", "ban") else None
    answers = no is not None and not is_negative(text[no.end() : hit.end])
    return told_of or answers or any(idiom.start <= hit.start and hit.end <= idiom.end for idiom in idioms)


def _refusal(text: str, families: set[str], names: set[str], role: Role) -> str:
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
    return next((reason for reason, holds in reasons.items() if holds), "")


def _asks(text: str, families: Collection[str], names: Collection[str]) -> bool:
    """A question, unless it is a rule dressed as one: "why do you keep …?", "never …, ok?", "can you please never … again?"."""
    marked = _QUESTION.search(text) is not None
    if "complaint" in families or not (marked or "question" in names):
        return False
    dressed = _TAG_QUESTION.search(text) or ("task_request" in names and "question" not in names)
    return not (marked and dressed and not STANDING.isdisjoint(families))


def _doubt(families: Collection[str], names: Collection[str], role: Role, words: Collection[str]) -> float:
    """What soft filters take from the confidence, and the look of a page where nothing says that it is to last."""
    if role is not Role.USER:  # a present cause may only tell the symptom again
        present = "cause_present" in families and {"cause", "fixed", "choice"}.isdisjoint(families)
        return -SYMPTOM_DOUBT if "observation" in names and present else 0.0
    doubt = 0.0
    standing = not STANDING.isdisjoint(families)
    if "layout" in words and not ("always" in families and "code" in words):  # "Always use the Button component."
        # A ban says that it is to last where it is no part of a request.
        lasting = (_LASTING if "task_request" in names else _LASTING | {"never"}) - ({"dislike"} if "at_hand" in names else set())
        named = not lasting.isdisjoint(families) or not {"code", "tool"}.isdisjoint(words)
        doubt -= LAYOUT_DOUBT * (_ASKED_TOO.issuperset(families) or not named)
    if "hedge" in names:
        doubt -= 0.1 if standing else 0.4 if {"cause", "cause_present"} & set(families) else 0.2  # twice guessed is not found
    if "task_request" in names and not standing and not {"always", "again"} & set(families):
        doubt -= 0.05 if {"ensure", "must"} & set(families) else 0.15
    if "observation" in names and not {"cause", "fixed", "learned"} & set(families):  # a cause or lesson tells the symptom too
        doubt -= 0.1 if standing else 0.25
    return doubt


def why_unclear(candidate: Candidate, words: Collection[str], *, leaning: bool = False) -> str:
    """Why a candidate, with words of these lists, is not understood alone, else ""; `leaning`: nothing tells its subject."""
    text, quote = candidate.text.rstrip(), candidate.quote
    by_assistant = candidate.role is Role.ASSISTANT
    bare = _SMILE_OR_NUMBER.sub("", text)
    open_in = [any(one.count(pair[0]) != one.count(pair[1]) for pair in _PAIRS) for one in (bare, text)]  # "(feat:, fix:)"
    unpaired = all(open_in) or text.count("`") % 2 == 1
    # "merged into A (sections it lacked)": all that makes it worth keeping stands in brackets.
    strong = [one.start - candidate.start for one in candidate.signals if one.category and one.weight > BOOSTER]
    brackets = [match.span() for match in _BRACKETED.finditer(quote)] if by_assistant else []
    pointing = {
        # One sentence has an end and the last has none.
        "cut": unpaired or (len(text) > UNENDING_CHARS and text[-1].isalnum() and ". " in text),
        "bare": len(text.split()) < _LEAST_WORDS and len(content_words(text)) < _LEAST_WORDS,
        "dangling": text.endswith(_BROKEN_OFF if by_assistant else _DANGLING) or quote.rstrip().endswith((":", "：")),
        "long": len(text) > LONGEST_TEXT,
        "pointing": "pronoun" in words if by_assistant else leaning,
        # Of those that name nothing one in four touches what a reader would keep, of the others two in three.
        "unnamed": by_assistant and not candidate.names and not ("tool" in words and candidate.kind is Kind.BUGFIX),
        "aside": bool(strong and brackets) and all(any(start <= at < end for start, end in brackets) for at in strong),
    }
    return next((reason for reason, holds in pointing.items() if holds), "")


def why_weak(candidate: Candidate, words: Collection[str], *, item: bool) -> str:
    """What speaks against an assistant's statement even where something confirms it, else ""."""
    if candidate.role is not Role.ASSISTANT:
        return ""
    is_bug = candidate.kind is Kind.BUGFIX
    telling = {
        **{name: name in words for name in ("pointer", "self", ADDRESSED)},  # "this was it", "you widened the gradient"
        "remedy": is_bug and "remedy" in words and all(one.family != "because" for one in candidate.signals),
        "unmended": is_bug and "unmended" in words and not _RELEASE.search(candidate.text),  # a fix makes it false
        "symptom": is_bug and "symptom" in words and all(one.family != "fixed" for one in candidate.signals),
        "item": item and not is_bug,
    }
    return next((name for name, holds in telling.items() if holds), "")


def deferred(verdict: Verdict, evidence: ClauseEvidence, clause_chars: int, message_chars: int, *, asked_of: bool) -> Verdict:
    """The verdict on a person's clause, which waits where it may be about the task at hand alone, or is unsure."""
    filters = {hit.name for hit in evidence.filters}
    reasoned = "because" in evidence.families and not _REASONED.isdisjoint(evidence.families)
    told = reasoned or not _TOLD_AS_LASTING.isdisjoint(evidence.families)
    lasting = told or "habit" in evidence.families
    opens_with = {hit.name for hit in evidence.signals if hit.start <= OPENING_CHARS}
    mostly = clause_chars >= _MOST * message_chars
    general = "rulebook" in evidence.words or (mostly and not _GENERAL.isdisjoint(opens_with))
    strong = sum(signal.weight > BOOSTER for signal in verdict.candidate.signals if signal.category)
    alone = strong < 2 and not verdict.candidate.names and not evidence.cues
    ensured = "ensure" in evidence.families and ("want" in evidence.families or "universal" not in evidence.families)
    core = evidence.families - _BESIDE_FACTS
    fact = bool(core) and core <= _FACTS
    banned_only = strong - ({"ban", "never"} <= evidence.families) < 2  # "do not change" is both, in the same words
    forbids = not _FORBIDS.isdisjoint(evidence.families) and letters_said(verdict.candidate.text) >= _OWN_LETTERS
    foreign = LANGUAGES.isdisjoint(hit.language for hit in evidence.signals)
    of_one = core <= (_DUTIES if foreign and not mostly else _WISHES) and (foreign or "person" not in evidence.words)
    wished = core == {"want"} or (of_one and _ALL_OF_A_KIND.isdisjoint(evidence.families))
    answers = any(signal.family == "short_reply" for signal in verdict.candidate.signals)
    reasons = {
        "unowned": fact and "person" not in evidence.words and message_chars >= _NOTE_CHARS,
        "asked of": fact and asked_of,
        "pointing": fact and not has_own_subject(verdict.candidate.text),
        "example": "example" in filters,
        "wish": ((ensured and _BINDING.isdisjoint(evidence.families)) or (wished and not answers)) and not told,
        "at hand": "at_hand" in filters and not verdict.candidate.names and not lasting,  # something about one thing is banned
        "limit": "ban" in evidence.families and banned_only and not mostly and not lasting,
        "task": "task_request" in filters and not general and not lasting and not forbids,
        "guess": "hedge" in filters and _TASTE.isdisjoint(evidence.families) and not lasting,
        "passage": alone and message_chars >= _LONG_CHARS and _DECIDED.isdisjoint(evidence.families) and not lasting,
    }
    why = next((reason for reason, holds in reasons.items() if holds), "")
    return verdict._replace(waiting=True, reason=why) if why else verdict
