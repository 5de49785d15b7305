"""What the language files find in one clause, sorted by what it is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psychmem_py.extraction import weights, wording
from psychmem_py.extraction.clauses import letters_said
from psychmem_py.extraction.passages import REGARD
from psychmem_py.languages.matcher import Hit, Matcher
from psychmem_py.memory.change_cues import GRAMMAR
from psychmem_py.model.records import Category, Role, Signal
from psychmem_py.text.tokenizer import content_words

# Families by which only a person can bind the agent; in the assistant's text they are shown as refused.
BINDING = frozenset({"never", "remember", "prefer", "forever"})
# Rules in these words stay rules inside a request, a complaint or a rhetorical question.
STANDING = frozenset({"never", "ban", "forever", "remember", "note", "complaint", "prefer", "dont_want", "dislike", "habit"})
_NEAR_START = 3  # letters before a pronoun that still opens the clause
_LABEL = 40  # letters before a colon; "this is important: …" points to what stands behind it
# Beside the lists of the lexicon: the person is spoken to near the start, behind a label at most ("Cause: you widened …").
ADDRESSED, _ADDRESSED_CHARS = "addressed", 16
# Families that may open a list, "From now on:"; beside a statement, "We use these:", they are of one with it.
OPENING = frozenset({"label", "choice", "learned", "note", "remember", "correction", "cause", "forever"})
_STATING = frozenset({"fact", "habit", "never", "must", "prefer"})
_OPENING_LETTERS, _OTHER_LETTERS = 24, 9  # in all, as a hit may have a gap; and beside the hits
STATEMENT_BYTES = 16  # a script without spaces says in six signs what takes others sixteen letters
_WRAPPERS = {"remember": False, "note": False, "label": True, "learned": True}  # name -> does only a colon end it?
WRAPPER_START = 20
# What the wrapper's own words say of the sentence in it does not count: "please remember that" asks for nothing else.
_WRAPPERS_OWN = frozenset({"task_request", "narration"})
_DEONTIC = frozenset({"must", "never", "always", "ensure"})
# What is told without a class, and whose words they are: asked for by `rule_wording` and `passages` alone.
_ELSEWHERE = frozenset({"own_use", "own_way", *REGARD})
# Beside these words a statement about the project describes the moment or asks for a change.
PASSING = frozenset({"task_request", "observation", "hedge", "narration", "meta_talk", "list_choice", "smalltalk", "temporary"})


class ClauseEvidence(NamedTuple):
    """The hits of a clause, sorted by what they are evidence for."""

    signals: tuple[Hit, ...]
    filters: tuple[Hit, ...] = ()
    cues: tuple[Hit, ...] = ()  # of scope
    words: frozenset[str] = frozenset()  # lexicon lists that some word of the clause is in
    opens_with_pronoun: bool = False
    faint: bool = False  # nothing but boosters

    @property
    def families(self) -> frozenset[str]:
        return frozenset(hit.name for hit in self.signals)


def evidence_in(
    folded: str, matcher: Matcher, codes: Sequence[str], role: Role, announced: Sequence[Hit] = (), *, faint: bool = False
) -> ClauseEvidence | None:
    """The evidence in a folded clause by `role` and `announced` outside; None for none. With `faint` boosters alone are some."""

    def booster(group: str, name: str) -> bool:
        return 0 < weights.weight_of(group, name, role) <= weights.BOOSTER

    def primary(group: str, name: str) -> bool:
        binding = role is Role.ASSISTANT and group.startswith("signals.") and name in BINDING
        return binding or weights.weight_of(group, name, role) > weights.BOOSTER

    primaries = [*announced, *matcher.hits(folded, codes, f"primary/{role}", primary)]
    if role is Role.USER and not primaries:  # "in all my projects write it in English"
        places = matcher.hits(folded, codes, "everywhere", lambda group, name: (group, name) == ("scope", "user"))
        begins = [hit for hit in places if hit.start == 0 and says_besides(folded, [hit])]
        primaries = [hit._replace(group="signals.emphasis_cue", name="always") for hit in begins[:1]]
    boosters = matcher.hits(folded, codes, f"booster/{role}", booster) if primaries or faint else []
    if not primaries and not boosters:
        return None
    rest = matcher.hits(folded, codes, "others", lambda group, name: not group.startswith("signals.") and name not in _ELSEWHERE)
    near = 0 if 0 < folded.find(": ") < _LABEL else _NEAR_START
    return ClauseEvidence(
        signals=tuple(sorted(primaries + boosters, key=lambda hit: (hit.start, hit.end))),
        filters=tuple(hit for hit in rest if hit.group == "filters"),
        cues=tuple(hit for hit in rest if hit.group == "scope"),
        words=frozenset(hit.name for hit in rest if hit.group == "lexicon")
        | ({ADDRESSED} if any(hit.name == "agent" and hit.start <= _ADDRESSED_CHARS for hit in rest) else set()),
        opens_with_pronoun=any(hit.name == "pronoun" and hit.start < near for hit in rest),
        faint=not primaries,
    )


def said_of_a_list(evidence: ClauseEvidence, text: str) -> tuple[Hit, ...]:
    """What a clause that says nothing itself says of each item of the list that it opens."""
    hits = [hit for hit in evidence.signals if hit.name in OPENING]
    others = [char for at, char in enumerate(text) if char.isalpha() and not any(hit.start <= at < hit.end for hit in hits)]
    short = letters_said(text) <= _OPENING_LETTERS and len(others) <= _OTHER_LETTERS
    opens = short and text.endswith((":", "：")) and not evidence.families & _STATING
    return tuple(hit._replace(start=-1, end=0) for hit in hits) if opens else ()


def says_enough(text: str) -> bool:
    """Is `text` long enough for a statement, and does it not announce another one?"""
    return len(text.encode()) >= STATEMENT_BYTES and not text.endswith((":", "："))


def says_besides(text: str, hits: Iterable[Hit]) -> bool:
    """Whether a clause, or its beginning, says anything besides the words that were found in it."""
    for hit in hits:
        text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
    return not GRAMMAR.issuperset(content_words(text))


def shifted(hits: Sequence[Hit], by: int) -> tuple[Hit, ...]:
    """The hits as seen from `by` characters further on; those before it have negative offsets."""
    return tuple(hit._replace(start=hit.start - by, end=hit.end - by) for hit in hits)


def wrapper_end(text: str, evidence: ClauseEvidence) -> int:
    """Where the sentence begins that "remember that", "note:" and the like wrap; 0 where nothing does."""
    for hit in evidence.signals:
        if hit.name in _WRAPPERS and 0 <= hit.start <= WRAPPER_START:
            # A phrase with room for other words is a sentence of its own: in "this is a tool that counts calories" nothing wraps.
            only_colon = _WRAPPERS[hit.name] or (hit.name == "note" and ".." in hit.phrase.rstrip(" ."))
            return wording.unwrapped(text, hit.end, only_colon=only_colon)
    return 0


def evidence_behind(evidence: ClauseEvidence, cut: int, inside: ClauseEvidence) -> ClauseEvidence:
    """The evidence of the sentence from `cut` on, with what its wrapper and the clause as a whole say of it."""
    kept = shifted([hit for hit in evidence.filters if hit.start >= cut or hit.name not in _WRAPPERS_OWN], cut)
    cues = dict.fromkeys((*shifted(evidence.cues, cut), *inside.cues))
    return inside._replace(filters=tuple(dict.fromkeys((*kept, *inside.filters))), cues=tuple(cues))


def without_doubles(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits without "should" where a stronger rule rests on the same words: one piece of evidence, not two."""
    strong = [hit for hit in hits if hit.name in _DEONTIC]
    doubled = [hit for hit in hits if hit.name == "should" and any(hit.start < one.end and one.start < hit.end for one in strong)]
    return tuple(hit for hit in hits if hit not in doubled)


def lexical_signals(hits: Sequence[Hit], role: Role, offset: int) -> tuple[Signal, ...]:
    """One signal for each family, with offsets into the message."""
    signals: dict[tuple[str, str], Signal] = {}
    for hit in hits:
        category, weight = Category(hit.group.removeprefix("signals.")), weights.weight_of(hit.group, hit.name, role)
        said = Signal(hit.name, category, weight, offset + hit.start, offset + hit.end, hit.language)
        signals.setdefault((hit.group, hit.name), said)
    return tuple(signals.values())


def evidence_within(evidence: ClauseEvidence, role: Role, trimmed_chars: int) -> tuple[int, int]:
    """Where in a clause its evidence begins, at the earliest, and ends; what is worth no more than a booster may be left out."""
    weighed = ((weights.weight_of(hit.group, hit.name, role), hit) for hit in evidence.signals)
    if not (strong := [hit for weight, hit in weighed if weight > weights.BOOSTER]):
        return 0, max((hit.end for hit in evidence.signals), default=0)
    return max(0, min(hit.start for hit in strong) - trimmed_chars), max(hit.end for hit in strong)


def states_the_project(evidence: ClauseEvidence) -> bool:
    """Is it nothing but a fact about the project, its parts or its people?"""
    if "fact" not in evidence.families or "layout" in evidence.words or evidence.opens_with_pronoun:
        return False
    ours = any(hit.name == "project" for hit in evidence.cues) or "tool" in evidence.words
    return ours and not PASSING & {hit.name for hit in evidence.filters}
