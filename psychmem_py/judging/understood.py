"""What the reader's words become: a candidate in a person's name, quoted from what was typed, whose sentence adds nothing
telling, holds everywhere only if the quote says so and waits where others said it. Pure; `read` does so without a store.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence

from psychmem_py.errors import JudgeError
from psychmem_py.extraction import classify, mask, passages, weights
from psychmem_py.extraction.clauses import QUESTION_MARKS, clauses
from psychmem_py.extraction.sweep import sweep
from psychmem_py.extraction.wording import names_in, trimmed
from psychmem_py.ingestion.proof import rank
from psychmem_py.judging import protocol, said
from psychmem_py.judging.rewording import KnownWords, is_mere_question, is_supported, supported
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher, languages_of
from psychmem_py.memory.admission import DOUBT, PASTED, doubt
from psychmem_py.memory.forgetting import JUDGED, OF_A_TASK, WHEN_ASKED
from psychmem_py.model.records import CONTEXT_CHARS, ENFORCED, Candidate, Gate, Kind, Memory, Message, Role, Scope, Store, Verdict
from psychmem_py.model.settings import DEFAULTS, Settings
from psychmem_py.store.read_only import CALLS
from psychmem_py.text.folding import fold
from psychmem_py.text.own_subject import VERBS_BEHIND_A_SUBJECT

REASON = "read"
_OWN_SHARE, _OWN_WORDS = 0.5, 4  # of a quotation's signs that must be the speaker's own running text, or so many words
_ARGUMENT = re.compile(r'(?s)^(\s*/[\w:-]+\s*)"(.*)"(?=\s*$)')  # of a command: in quotation marks, and one's own
_IMPORTANCE = weights.IMPORTANCE["explicit_remember"]
# Parts, and what is not in the sentence.
_NOT_ALONE = frozenset({"bare", "cut", "dangling", "pointing", "pointer", "self", "at hand", "task"})
_COMMAS, _TAG = (",", "，", "、", "،"), re.compile(r"[,，、،]\s*\w+\W*$")  # "…, right?"
_SHORT_CHARS = 40  # of a statement that waits
Ask = Callable[[str], str]  # gives the answer to one request, or raises JudgeError


def candidate(keep: protocol.Keep, message: Message, matcher: Matcher, around: str = "") -> Candidate | None:
    """The candidate of something kept, long-term, with a doubt where others may have said it; None where it says nothing. Its
    text is the reader's sentence as far as quote and what was said before and `around` bear it out, else the quote.
    """
    start = max(0, message.text.find(keep.quote))
    end = start + len(keep.quote)
    codes = languages_of(fold(message.text), tuple(matcher.languages.values()))
    cues = matcher.hits(fold(keep.quote), codes, "scope", lambda group, _: group == "scope") if keep.everywhere and codes else []
    before, known = message.previous, KnownWords(*files.everyday(codes), nouns_are_capital="de" in codes)
    text = supported(keep.text, keep.quote, before, around, known)
    asked_in = _question_around(message.text, end)
    text = text or ("" if asked_in else trimmed(said.written_out(keep.quote, before)))
    if not text or text.endswith(QUESTION_MARKS) or is_mere_question(asked_in):
        return None
    why = doubt_of(message, start, end)
    calls = ((CALLS, "\n".join(keep.calls)),) if keep.calls and keep.kind in ENFORCED else ()
    scope = Scope.USER if classify.claims_everywhere(cues, kind=Kind.PREFERENCE) else Scope.PROJECT
    return Candidate(
        text=text, quote=keep.quote, kind=keep.kind, scope=scope, importance=_IMPORTANCE, confidence=weights.ENTERED, signals=(),
        role=Role.USER, origin=message.origin, message_id=message.id, start=start, end=end, at=message.at, names=names_in(text),
        language=codes[0] if codes else "", store=Store.LTM,
        context=" ".join(before.split())[:CONTEXT_CHARS],
        metadata=((JUDGED, "keep" if keep.at_start else WHEN_ASKED), *(((DOUBT, why),) if why else ()), *calls),
    )  # fmt: skip


def _question_around(text: str, end: int) -> str:
    """The clause that asks what a quotation up to `end` is about; "" for none, and for what is stated before ", ok?"."""
    inner = end - len(text[:end]) + len(text[:end].rstrip("".join(QUESTION_MARKS)))
    clause = next((one for one in clauses(text) if one.start < inner <= one.end), None)
    if clause is None or not clause.text.rstrip().endswith(QUESTION_MARKS):
        return ""
    is_tag = text[inner:].lstrip()[:1] in _COMMAS or _TAG.search(clause.text)
    return "" if is_tag and VERBS_BEHIND_A_SUBJECT.isdisjoint(said.plain_words(clause.text)[:1]) else clause.text


def better(text: str, spoken: str, before: str) -> str:
    """The reader's `text` for a statement of the agent where that and what was said before support it, else the statement."""
    return text if text and is_supported(text, spoken, before) else spoken


def doubt_of(message: Message, start: int, end: int) -> str:
    """Why a quotation waits for the person: it lies in a pasted text, or its message looks planted; "" for no reason."""
    if why := doubt(message.text, message.origin):
        return why
    own = mask.masked(_ARGUMENT.sub(lambda found: f"{found[1]} {found[2]} ", message.text))
    mail = passages.mail_in(own)
    signs, words = len("".join(message.text[start:end].split())), own[start:end].split()
    is_own = len("".join(words)) >= _OWN_SHARE * signs or len(words) >= _OWN_WORDS
    return PASTED if (mail and start in mail) or not is_own else ""


def _turned_down(verdict: Verdict) -> Verdict:
    return verdict._replace(gate=Gate.JUDGE, reason=REASON, waiting=False)


def same_words(one: str, other: str) -> bool:
    """Whether one of two quotations of a message stands in the other."""
    one, other = fold(one), fold(other)
    return one in other or other in one


def outlives(kept: Candidate | Memory, quote: str, quoted: Iterable[str]) -> bool:
    """Whether what rules keep of a person's `quote` outlives a reading: told as lasting (docs/judge.md), in nothing `quoted`."""
    return OF_A_TASK not in dict(kept.metadata) and not any(same_words(quote, one) for one in quoted)


def of_agent(verdict: Verdict, ruling: protocol.Ruling | None) -> Verdict:
    """The rules' verdict on a statement of the agent as a ruling leaves it."""
    if ruling is None:
        return verdict
    if not ruling.keep:
        return _turned_down(verdict)
    one = verdict.candidate
    text = better(ruling.text, one.text, f"{one.quote}\n{one.context}")
    kept = one._replace(text=text, names=names_in(text), store=Store.LTM, metadata=(*one.metadata, (JUDGED, "keep")))
    return Verdict(kept, reason=REASON)


def is_proposed(verdict: Verdict) -> bool:
    """Whether it is kept by the rules without the person's word, or waits and can stand alone."""
    stands_alone = verdict.reason not in _NOT_ALONE and len(verdict.candidate.text) >= _SHORT_CHARS
    return verdict.is_kept or (verdict.waiting and stands_alone)


def read(
    messages: Sequence[Message], sessions: Sequence[Hashable], ask: Ask, matcher: Matcher, settings: Settings = DEFAULTS
) -> tuple[list[list[Verdict]], list[JudgeError]]:
    """The verdicts on each message after reading, those of one session together; and failures, where all is as rules have it."""
    verdicts, failures = [sweep([message], matcher, settings) for message in messages], list[JudgeError]()
    for session in dict.fromkeys(sessions):
        group = [at for at, one in enumerate(sessions) if one == session]
        typed = [at for at in group if messages[at].role is Role.USER]
        told = (at for at in group if messages[at].role is Role.ASSISTANT)
        stated = [(at, n) for at in told for n, verdict in enumerate(verdicts[at]) if is_proposed(verdict)]
        stated.sort(key=lambda place: rank(verdicts[place[0]][place[1]]))
        stated = stated[: protocol.MOST_PROPOSALS if session else None]
        while typed or stated:
            turns = [protocol.turn(messages[at].text, messages[at].previous) for at in typed]
            turns = turns[: protocol.fitting(turns, settings.judge.chars_per_call)]
            here, typed = typed[: len(turns)], typed[len(turns) :]
            proposed, stated = stated[: protocol.MOST_PROPOSALS], stated[protocol.MOST_PROPOSALS :]
            said = (verdicts[at][n].candidate for at, n in proposed)
            asked = protocol.Asked(turns, proposals=[protocol.proposal(one.text, one.kind) for one in said])
            if not asked.is_worth_it:
                continue
            try:
                answer = protocol.believed(ask(protocol.request(asked)), asked)
            except JudgeError as exc:
                failures.append(exc)
                continue
            for n, at in enumerate(here):
                message = messages[at]._replace(previous=turns[n].previous)
                keeps = (candidate(keep, message, matcher, asked.typed) for keep in answer.keeps if keep.n == n)
                verdicts[at] = _beside_rules([one for one in keeps if one], verdicts[at])
            for place, (at, n) in enumerate(proposed):
                verdicts[at][n] = of_agent(verdicts[at][n], answer.proposals.get(place))
    return verdicts, failures


def _beside_rules(made: Sequence[Candidate], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """What a reader made of a message, and those of the rules' verdicts that speak of other words of it."""
    kept = [Verdict(one, reason=REASON, waiting=DOUBT in dict(one.metadata)) for one in made]
    for one in verdicts:
        if not any(same_words(one.candidate.quote, own.quote) for own in made):
            stands = one.gate or (one.is_kept and OF_A_TASK not in dict(one.candidate.metadata))
            kept.append(one if stands else _turned_down(one))
    return kept
