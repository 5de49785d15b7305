"""What waits: a sentence that would not be understood alone (cut off, dangling, naming nothing), and a person's statement that
speaks for the task at hand, or for a guess, rather than for something lasting. Pure.

Measured on real conversations: of an assistant's statements that name no file, piece of code or product, one in four touches what
a reader would keep; of those that name one, two in three.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from psychmem_py.extraction.clause_evidence import ADDRESSED, ClauseEvidence
from psychmem_py.extraction.clauses import QUESTION_MARKS, breaks_off, letters_said
from psychmem_py.extraction.likelihood import LANGUAGES
from psychmem_py.extraction.weights import BOOSTER
from psychmem_py.model.records import Candidate, Kind, Role, Verdict
from psychmem_py.text.own_subject import has_own_subject
from psychmem_py.text.tokenizer import content_words

LONGEST_TEXT = 240  # signs of a memory: a brief's line is read at a glance
_LEAST_WORDS = 2  # of a statement
UNENDING_CHARS = 140  # a text of so many signs without an end was cut
_PAIRS = ("()", "[]", "{}", "（）", "「」", "【】")
_SMILE_OR_NUMBER = re.compile(r"[:;=][-']?[()]|(?:^|(?<=[\s;,]))(?:[a-zA-Z]|\d{1,2})\)\s")
_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）")
_DANGLING = (":", "：", ",", "，", "、", ";", "-", "–", "—", "=", "(", *QUESTION_MARKS)
_BROKEN_OFF = (*_DANGLING, "…", "...")  # in what a person types a pause


def why_unclear(candidate: Candidate, words: Collection[str], *, leaning: bool = False) -> str:
    """Why a candidate would not be understood alone, else "": "cut", "bare" ("Always."), "dangling", "long", "pointing" (at
    "it") and, of an assistant's statements, "unnamed" and "aside" (all its evidence is in brackets). A person's statement points
    only if it is `leaning`: neither its family nor the sentence before it makes up for the subject.

    `words` are the lexicon lists that some word of it is in; a tool's name is enough for a cause or a fix.
    """
    text = candidate.text.rstrip()
    by_assistant = candidate.role is Role.ASSISTANT
    pointing = {
        "cut": _is_cut(text, candidate.language),
        "bare": len(text.split()) < _LEAST_WORDS and len(content_words(text)) < _LEAST_WORDS,
        "dangling": text.endswith(_BROKEN_OFF if by_assistant else _DANGLING) or candidate.quote.rstrip().endswith((":", "：")),
        "long": len(text) > LONGEST_TEXT,
        "pointing": "pronoun" in words if by_assistant else leaning,
        "unnamed": by_assistant and not candidate.names and not ("tool" in words and candidate.kind is Kind.BUGFIX),
    }
    reason = next((reason for reason, holds in pointing.items() if holds), "")
    return reason or ("aside" if by_assistant and _is_aside(candidate) else "")


def _is_aside(candidate: Candidate) -> bool:
    """Whether all that makes it worth keeping stands in brackets: "merged into A (sections it lacked)"."""
    strong = [one for one in candidate.signals if one.category and one.weight > BOOSTER]
    brackets = [match.span() for match in _BRACKETED.finditer(candidate.quote)] if strong else []
    return bool(brackets) and all(any(start <= one.start - candidate.start < end for start, end in brackets) for one in strong)


def why_weak(candidate: Candidate, words: Collection[str], *, item: bool) -> str:
    """What speaks against an assistant's statement even where something confirms it, else "": it points to the sentence before,
    tells what the assistant or the person did ("you widened the gradient"), is a remedy without the trouble, the trouble without
    its cause ("symptom"), a bug told in the present ("unmended": its fix confirms it, so it is false next time), or an item
    of a list and no cause.
    """
    if candidate.role is not Role.ASSISTANT:
        return ""
    is_bug = candidate.kind is Kind.BUGFIX
    telling = {
        **{name: name in words for name in ("pointer", "self", ADDRESSED)},
        "remedy": is_bug and "remedy" in words and all(one.family != "because" for one in candidate.signals),
        "unmended": is_bug and "unmended" in words and not _RELEASE.search(candidate.text),
        "symptom": is_bug and "symptom" in words and all(one.family != "fixed" for one in candidate.signals),
        "item": item and not is_bug,
    }
    return next((name for name, holds in telling.items() if holds), "")


_RELEASE = re.compile(r"(?<![\w.])v?\d+\.\d+|\b(?:19|20)\d\d\b")  # of a platform or another's program: that will not change


def _is_cut(text: str, language: str) -> bool:
    """Whether something was opened and not closed or closed and not opened, or the text just stops."""
    bare = _SMILE_OR_NUMBER.sub("", text)
    if any(bare.count(pair[0]) != bare.count(pair[1]) for pair in _PAIRS) or text.count("`") % 2 or breaks_off(text, language):
        return True
    # Who ends other sentences would have ended this one.
    return len(text) > UNENDING_CHARS and text[-1].isalnum() and ". " in text


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


def deferred(
    verdict: Verdict, evidence: ClauseEvidence, clause_chars: int, message_chars: int, *, asked_of: bool = False
) -> Verdict:
    """The verdict on a person's clause, waiting where it is an "example" of another, a "wish", bans something of one thing ("at
    hand"), is a bare ban in a longer request ("limit"), asked for now ("task"), a "guess", one weak statement in a long message
    ("passage"), or a plain fact that speaks of nobody ("unowned"), of "it" ("pointing") or of what is asked next ("asked of").
    """
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
        "at hand": "at_hand" in filters and not verdict.candidate.names and not lasting,
        "limit": "ban" in evidence.families and banned_only and not mostly and not lasting,
        "task": "task_request" in filters and not general and not lasting and not forbids,
        "guess": "hedge" in filters and _TASTE.isdisjoint(evidence.families) and not lasting,
        "passage": alone and message_chars >= _LONG_CHARS and _DECIDED.isdisjoint(evidence.families) and not lasting,
    }
    why = next((reason for reason, holds in reasons.items() if holds), "")
    return verdict._replace(waiting=True, reason=why) if why else verdict
