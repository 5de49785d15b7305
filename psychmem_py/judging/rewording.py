"""Whether another wording says nothing that was not said. Pure, in every script, and in doubt no: what was said then stays. Names
and numbers must stand in the sources, what is denied be denied there; other words may be everyday ones, and not most.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from psychmem_py.extraction.clauses import QUESTION_MARKS, clauses
from psychmem_py.judging import said
from psychmem_py.languages.matcher import Matcher, hits_in
from psychmem_py.memory.change_cues import CHANGE, NEGATIVE_SIGNS, RIVALS
from psychmem_py.safety.suspicion import suspicion
from psychmem_py.text.folding import fold
from psychmem_py.text.likeness import VOUCHED, shares_enough
from psychmem_py.text.tokenizer import content_words, index_form, normalised, stem
from psychmem_py.words import word_list, word_set

_NEW_SHARE, _NEW_SIGNS = 0.6, 0.25  # of the telling words that may be new; of the signs of scripts without spaces
_REFUSED = 0.6  # of a question's telling words that a sentence may not state after a no
_EVERY, _REMOVING, _BETWEEN = word_set("every"), word_set("removing"), word_set("between")
_POINTING, _INSTEAD, _WISHING = word_set("pointing_before_nouns"), word_set("instead_of"), word_set("wishing")
_OPPOSITES = [set(map(stem, row.split())) for row in word_list("opposites")]
_FREE_SIGNS = frozenset("".join((*word_list("building_signs"), *NEGATIVE_SIGNS)))
_NUMBER_SIGNS = frozenset("".join(word_list("number_signs")))
_MIXED = re.compile(r"(?<![^\W_])(?=[^\W_]*\d)(?=[^\W_]*[^\W\d_])[^\W_]+")
_ASIDE = re.compile(r" ?\([^()]{0,200}\)")
_CONDITIONS = ("once ", "when ", "if ", "unless ")
_JOINT = re.compile(r"[,;:]\s|\s[–—-]\s")
_UNSPACED = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_EAST_ASIAN = re.compile(r"[\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_BEFORE_A_SENTENCE = re.compile(r"(?:^|[.!?;:。！？«\"“(])\s*$")
_SAYS_NO = re.compile(rf"\s{{0,9}}(?:{said.NO})(?!\w)", re.IGNORECASE)
_RIVALS = {name for kind in RIVALS for name in kind}
_LEAST_WORDS = 2  # a quote of less than this could be found anywhere
_UNSURE = frozenset({"hedge", "hypothetical", "negation", "question", "quotation", "recall"})
_HELD = word_set("conditions_and_reports")


class KnownWords(NamedTuple):
    """What the languages at hand are made of, see `languages.files.everyday`, and so what names something in them."""

    everyday: Set[str] = frozenset()  # stems of words that name nothing
    software: Set[str] = frozenset()  # names of software, written small too
    nouns_are_capital: bool = False  # in German a capital tells no name

    def is_everyday(self, folded: str) -> bool:
        """Whether a word is an everyday one in some form."""
        return not self.everyday.isdisjoint((stem(folded), stem(folded.removesuffix("er"))))  # an installer installs

    def named(self, text: str, around: str) -> list[str]:
        """What names something: words of code, words with a digit, names of software, words written with a capital."""
        code = [one.strip(said.AROUND_CODE) for one in map(index_form, said.CODE.findall(text))]
        software = said.folded_words(text) & (self.software | _RIVALS)
        return [*code, *_MIXED.findall(index_form(text)), *software, *self._capitals(text, around)]

    def _capitals(self, text: str, around: str) -> list[str]:
        """Words written with a capital: all but ordinary ones at the head of a sentence, in capitals or, in German, anywhere."""
        names = []
        for match in said.WORD.finditer(text):
            word = match.group()
            may_be_none = self.nouns_are_capital or word.isupper() or _BEFORE_A_SENTENCE.search(text[: match.start()])
            parts = re.split(r"['’-]", word)
            capital = [part for part in parts if part[:1].isupper() and len(part) > 1] if parts[1:] else parts  # "L'utilisateur"
            if word[0].isupper() and not (may_be_none and all(self._is_ordinary(part, around) for part in capital)):
                names.append(word)
        return names

    def _is_ordinary(self, word: str, around: str) -> bool:
        """Whether a word names nothing: a common one, an everyday one in some form, or one that was written small."""
        folded = index_form(word)
        if content_words(f"{folded} qzx") == ["qzx"]:
            return True
        return not (word.isupper() and len(word) > 1) and (self.is_everyday(folded) or folded in _small(around))

    def is_said(self, name: str, sources: str) -> bool:
        """Whether a name stands in the sources, whole or as its parts: "created_at" for "created at", a file for its path."""
        folded, (there, codes) = index_form(name), said.parts_of(sources)
        if folded in there or folded in codes:
            return True
        base, parts = folded.removesuffix("s").rstrip("'’"), said.words_in(folded)
        return base in there or f"{base}s" in there or (" " in parts.strip() and parts in said.words_in(sources))


NO_WORDS = KnownWords()


def is_supported(text: str, quote: str, previous: str = "", around: str = "", lexicon: KnownWords = NO_WORDS) -> bool:
    """Whether `text` may stand for `quote`, an answer to `previous`; names and other words may come from `around`, too."""
    return (
        0 < len(text) <= said.LIMIT_CHARS
        and _numbers_known(text, quote, previous)
        and _names_known(text, quote, previous, around, lexicon)
        and _signs_known(text, quote, previous, around)
        and _words_known(text, quote, previous, around)
        and not _is_turned(text, quote, previous)
        and not _is_another_answer(text, quote, previous)
        and _same_denials(text, quote, previous)
    )


def supported(text: str, quote: str, previous: str = "", around: str = "", lexicon: KnownWords = NO_WORDS) -> str:
    """`text`, or the supported part of it (without its asides, or its end); "" if that is too little."""
    whole = _ASIDE.sub("", text)
    heads = (whole[: match.start()].strip() for match in reversed([*_JOINT.finditer(whole)]))
    parts = [text, whole, *(() if text.lower().startswith(_CONDITIONS) else heads)]  # a condition alone says nothing
    long_enough = (part for part in parts if len(part) >= 0.4 * len(text))  # less does not stand for the whole
    return next((part for part in long_enough if is_supported(part, quote, previous, around, lexicon)), "")


def source_message(text: str, quote: str, typed_texts: Sequence[str], matcher: Matcher) -> str:
    """The message in which `quote` stands; "" where `text` says more than it, the opposite of the words around, or for sure what
    they weigh, ask or report. A true quote under another's text ("yes" to what a tool planted) vouches for nothing.
    """
    words, wanted = set(content_words(text)), normalised(quote)
    if len(set(content_words(quote))) < _LEAST_WORDS or not words or suspicion(text):
        return ""
    for message in typed_texts:
        if wanted in normalised(message) and shares_enough(words, set(content_words(message)), VOUCHED):
            around = [one.text for one in clauses(message) if wanted in normalised(one.text)] or [quote]
            as_sure = _is_unsure(text, matcher) or not all(_is_unsure(one, matcher) for one in around)
            before = " ".join(normalised(one).partition(wanted)[0] for one in around)
            whole = _HELD.intersection(said.plain_words(before)) <= set(said.plain_words(text))
            return message if as_sure and whole and any(_same_denials(text, one, "") for one in around) else ""
    return ""


def sentence_around(message: str, start: int, end: int) -> str:
    """The sentence, or the sentences, in which a passage of a message stands; "" for an empty one."""
    around = [one for one in clauses(message) if one.start < end and start < one.end]
    return message[around[0].start : around[-1].end] if around else ""


def _is_unsure(text: str, matcher: Matcher) -> bool:
    asks = text.rstrip().endswith(QUESTION_MARKS)
    return asks or bool(hits_in(fold(text), matcher, "unsure", lambda group, name: group == "filters" and name in _UNSURE))


def _numbers_known(text: str, quote: str, previous: str) -> bool:
    """Whether each number was said, and none of `previous` takes the place of one that was typed."""
    mine, own = said.numbers_in(text), said.numbers_in(quote)
    unquoted = mine - own - {"1"}  # "one" is an article, too
    return unquoted <= said.numbers_in(previous) and (not unquoted or own <= mine)


def _names_known(text: str, quote: str, previous: str, around: str, lexicon: KnownWords) -> bool:
    """Whether each name was said in the quote, or elsewhere without taking another's place, as what the quote is about."""
    unquoted = [name for name in lexicon.named(text, around) if not lexicon.is_said(name, quote)]
    if not unquoted or not all(lexicon.is_said(name, f"{previous}\n{around}") for name in unquoted):
        return not unquoted
    if said.picked_of(quote, previous) and all(lexicon.is_said(name, previous) for name in unquoted):
        return True
    own = said.telling_words(said.plain_words(quote))
    return (
        all(lexicon.is_said(name, text) for name in lexicon.named(quote, around))
        and all(lexicon.is_everyday(word) for word in said.missing_from(own, text))
        and all(
            index_form(name) not in lexicon.software | _RIVALS and said.missing_from(own, text.rpartition(name)[2]) != own
            for name in unquoted
            if not lexicon.is_said(name, previous)
        )
    )


def _signs_known(text: str, quote: str, previous: str, around: str) -> bool:
    """Whether enough signs of scripts without spaces were typed or answered somewhere, those of numbers in the sources."""
    signs, there = _UNSPACED.findall(text), _FREE_SIGNS.union(quote, previous, around)
    new = sum(sign not in there for sign in signs)
    return new <= _NEW_SIGNS * len(signs) and _NUMBER_SIGNS.intersection(signs) <= {*quote, *previous}


@cache
def _small(text: str) -> frozenset[str]:
    """The words of a text that are written small, folded."""
    return frozenset(index_form(word) for word in said.WORD.findall(text) if word[0].islower())


def _words_known(text: str, quote: str, previous: str, around: str) -> bool:
    """Whether enough telling words stand in the sources in some form; in scripts without capitals all but signs of East Asia."""
    telling = [word for word in content_words(text) if word not in said.DENYING]
    new = said.missing_from(telling, f"{quote}\n{previous}")
    if any(not word[0].isascii() and word[0].upper() == word[0].lower() for word in new):
        return all(map(_EAST_ASIAN.fullmatch, new))
    if (little := said.says_little(quote)) and not (said.questions_in(previous) or said.offered_in(previous)):
        new = said.missing_from(telling, f"{quote}\n{around}")  # nothing was asked
    own = said.words_that_carry(quote)
    has_own = little or len(own) - len(said.missing_from(own, text)) >= (2 if len(own) > said.FEW else min(1, len(own)))
    return has_own and len(new) <= _NEW_SHARE * len(telling)


def _is_turned(text: str, quote: str, previous: str) -> bool:
    """Whether it says the opposite, states a mere question, tells of all what was said of one, or swaps two sides."""
    words, own, before = said.plain_words(text), said.plain_words(quote), said.plain_words(previous)
    mine, own_forms, there = ({*map(stem, plain), *_UNSPACED.findall("".join(plain))} for plain in (words, own, before))
    return (
        is_mere_question(quote)
        or any(mine & sides - own_forms - there and own_forms & sides - mine for sides in _OPPOSITES)
        or (_EVERY.isdisjoint({*own, *before}) and not _EVERY.isdisjoint(words) and not _POINTING.isdisjoint(own))
        or any(said.share(a - c, d) and said.share(c - a, b) for a, b in _sides(words) for c, d in _sides(own))
    )


def _is_another_answer(text: str, quote: str, previous: str) -> bool:
    """Whether a sentence tells of an option that the quote did not pick, or states what it refused."""
    words = [*takewhile(lambda word: not said.denies(word), said.plain_words(text))]
    if picked := said.picked_of(quote, previous):
        chosen, others = (set(said.plain_words(" ".join(lines))) for lines in (picked, said.offered_in(previous, picked)))
        return len((others - chosen).intersection(words)) > len((chosen - others).intersection(words))
    asked = said.telling_words(said.plain_words(" ".join(said.questions_in(previous)[-1:])))
    if not asked or not _SAYS_NO.match(quote) or len(words) < len(said.plain_words(text)):
        return False
    return len(asked) - len(said.missing_from(asked, text)) >= _REFUSED * len(asked)


def is_mere_question(quote: str) -> bool:
    """Whether a quotation only asks what is so; "shouldn't …?", "can we …?" and "why …?" ask for something."""
    words = said.plain_words(quote)
    return quote.rstrip().endswith(("?", "？", "؟")) and _WISHING.isdisjoint(words) and not any(map(said.denies, words))


def _sides(words: Sequence[str]) -> list[tuple[set[str], set[str]]]:
    """The telling words before and behind each word that sets two things against each other: "from A to B", "A over B"."""
    between = [at for at, word in enumerate(words) if word in _BETWEEN]
    return [(set(said.telling_words(words[:at])[-2:]), set(said.telling_words(words[at + 1 :])[:1])) for at in between]


def _same_denials(text: str, quote: str, previous: str) -> bool:
    """Whether only what is denied in the sources is denied, and nothing that is denied there is told as so."""
    sign, own_sign, any_sign = (any(sign in one for sign in NEGATIVE_SIGNS) for one in (text, quote, quote + previous))
    if (own_sign and not sign) or (sign and not (any_sign if said.says_little(quote) else own_sign)):
        return False
    both = f"{quote}\n{previous}"
    there = {word for denied in said.denied_in(both) for word in denied}
    there |= {word for denied in said.denied_in(both, CHANGE) for word in denied[: said.HEADS]}  # "instead of": as good as denied
    there |= {word for denied in said.denied_in(quote, _REMOVING) for word in denied[: said.HEADS]}  # "remove X": no X
    if _SAYS_NO.match(quote):
        there |= set(said.telling_words(said.plain_words(previous)))
    mine = said.denied_in(text)
    twice = any(said.denies(one) and said.denies(other) for one, other in pairwise(said.plain_words(text)))
    if twice or not all(said.share(denied[: said.FEW], there) for denied in mine if denied):
        return False
    mine += [denied[: said.HEADS] for denied in said.denied_in(text, _INSTEAD)]
    stated, denies = set(said.telling_words(said.plain_words(text))).difference(*mine), bool(mine)
    before = [] if said.words_that_carry(quote) else said.denied_in(previous)  # what a bare "yes" agrees to
    for one in sorted(said.denied_in(quote) + before, key=len):
        if kept := next((other for other in mine if said.share(one, other)), None):
            mine.remove(kept)
        elif said.share(one[: said.HEADS] if denies else one, stated):  # a wish without its "not" lets nothing of it stand
            return False
    return True
