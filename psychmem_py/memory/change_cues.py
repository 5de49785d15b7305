"""What tells a changed statement from a similar one, and what it says took the place of what: "from A to B", "B instead of A"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from psychmem_py.text.tokenizer import ENGLISH, LATIN_SETS, OTHER, content_words, index_form, stem, words
from psychmem_py.words import word_list, word_set

NEGATIVE, NEGATIVE_SIGNS = word_set("negations"), word_list("negations_signs")
CHANGE, CHANGE_SIGNS = word_set("words_of_change"), word_list("words_of_change_signs")
NOW, NOW_SIGNS = word_set("words_of_now"), word_list("words_of_now_signs")
VALUE, CIRCUMSTANCE, REASON = (word_set(f"words_before_a_{what}") for what in ("value", "circumstance", "reason"))
ALWAYS, TURNING_DOWN = word_set("always"), word_set("words_that_turn_down")
RIVALS = [group.split() for group in word_list("rivals")]
_EXCLUDING: dict[str, set[str]] = {}  # word -> the choices that exclude each other when both are wanted for the same thing
for _group in RIVALS:
    for _choice in _group:
        _EXCLUDING.setdefault(_choice, set()).update(_group)
_WORD = re.compile(r"[\w'’]+")
_DENYING = NEGATIVE - {"no"}  # "in the" in Portuguese
_TURN = TURNING_DOWN | _DENYING
# Without spaces a name is what is written in one kind of letters.
_SIGNS = r"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9.+#_-]{1,30}|[ァ-ヶー]{2,20}|[一-鿿]{2,4}"
_AT_A_WORD = r"(?<!\S)"
_compiled = cache(re.compile)  # at the first use
_LONGEST = 300
GRAMMAR = ENGLISH.union(OTHER, *LATIN_SETS.values())  # articles, pronouns, prepositions
_AROUND_A_CHOICE = GRAMMAR.union(CHANGE, NOW, ALWAYS, CIRCUMSTANCE, NEGATIVE, " ".join(word_list("spelled_numbers")).split())
_BEHIND_A_CHOICE = _AROUND_A_CHOICE.union(VALUE, _TURN, _EXCLUDING)
_ENDS, _SPEAKERS = word_set("behind_a_name"), word_set("speakers")
_ARTICLES, POINTING = word_set("articles"), word_set("pointing_words") - word_set("articles")
_BESIDES = 2  # words that a statement may hold besides what another says no longer holds: "We use Gulp for our assets"
FIRST_UNSPACED = "\u3000"
_HIRAGANA = re.compile("[ぁ-ゟ]")  # endings and particles
_BESIDE_SIGNS = re.compile(r"(?<=[ぁ-鿿]) | (?=[ぁ-鿿])")
_ENDS_CLAUSE, _BECAUSE = r"[,;。、，；] ?|\.\s", rf"\b(?:{'|'.join(sorted(REASON))})\b"
CLAUSE, REASONED = re.compile(f"{_ENDS_CLAUSE}|{_BECAUSE}"), re.compile(f" ?{_BECAUSE}.*?(?={_ENDS_CLAUSE}|$)")
_BEFORE_A_USE = word_list("before_a_use")
_USE = re.compile(rf"\b(?:{'|'.join(_BEFORE_A_USE)}) ([^,;:.]{{2,40}})")
_OF_OTHERS, _OURS = word_set("of_another"), word_list("we_in_the_verb")
_ENDED = re.compile("|".join(word_list("no_longer")))
_TELLS_END = frozenset(word for word in words(" ".join(word_list("no_longer")).replace("\\b", " ")) if word.isalpha())
_SAYS_NOTHING = VALUE | ALWAYS | CHANGE | NOW | NEGATIVE | GRAMMAR | _TELLS_END


def words_with_apostrophes(text: str) -> list[str]:
    """The words of a folded text with their apostrophes, so that "don't" stays one."""
    return [word.replace("’", "'") for word in _WORD.findall(index_form(text))]


def _holds(text: str, telling: frozenset[str], signs: Sequence[str]) -> bool:
    return not telling.isdisjoint(words_with_apostrophes(text)) or any(sign in text for sign in signs)


def is_negative(text: str) -> bool:
    """Whether the statement forbids or denies something."""
    return _holds(text, NEGATIVE, NEGATIVE_SIGNS)


def has_change_word(text: str) -> bool:
    """Whether the statement says of itself that it replaces another: "instead", "no longer"."""
    return _holds(text, CHANGE, CHANGE_SIGNS)


def any_of(phrases: Iterable[str]) -> str:
    """An expression for any of these, the longest first, however their words are spaced."""
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in sorted(phrases, key=len, reverse=True))


FROM_NOW = re.compile(rf"\b(?:{any_of(word_list('from_now'))})\b", re.IGNORECASE)


def is_from_now(text: str) -> bool:
    """Whether the statement says that it holds from now on: it may give a new value, or be a new rule beside the old."""
    return bool(FROM_NOW.search(index_form(text))) or _holds(text, NOW, NOW_SIGNS)


def without_now(text: str) -> str:
    """The folded text without "from now on"."""
    return FROM_NOW.sub(" ", index_form(text))


def without_change(text: str) -> list[str]:
    """The words of a text in order, without those that tell of a change or of now."""
    for sign in CHANGE_SIGNS + NOW_SIGNS:
        text = text.replace(sign, "")
    return [word for word in words(without_now(text)) if word not in CHANGE and word not in NOW]


def rivals(text: str) -> list[str]:
    """Words that compete with a choice named in the text: what to look for when asking whether it contradicts something known."""
    spoken = words(text)
    choices = {*spoken, *map("_".join, pairwise(spoken))}  # "us english" is a choice that neither word is
    named = choices & _EXCLUDING.keys()
    return sorted({part for word in named for rival in _EXCLUDING[word] - named for part in rival.split("_")})


def clash(one: str, other: str) -> bool:
    """Whether two statements want rival things, or one wants what the other turns down."""
    (wants, turns), (others, turned) = _stance(one), _stance(other)
    return not wants & others and bool(wants & turned or others & turns or any(_EXCLUDING[a] & others - {a} for a in wants))


def agree(one: str, other: str) -> bool:
    """Whether two statements want the same of rival things: "always use yarn", "don't use npm, use yarn"."""
    return bool(_stance(one)[0] & _stance(other)[0])


def _stance(text: str) -> tuple[set[str], set[str]]:
    """The rival choices a statement wants, and those it turns down. In "use pnpm, not npm" that is pnpm and npm.
    What other verbs are said of is neither: "never delete the redis volume".
    """
    wanted, unwanted, turns, chooses = set[str](), set[str](), False, False
    for clause in CLAUSE.split(text):
        spoken = words_with_apostrophes(clause)
        if not (turns and spoken and spoken[0] in _EXCLUDING):  # "never npm, yarn or bun"
            turns, chooses = False, True
        denies = turns
        for word, behind in zip_longest(spoken, spoken[1:], fillvalue=""):
            if name := next((one for one in (f"{word}_{behind}", word) if one in _EXCLUDING), ""):
                of_it = bool(behind) and behind < FIRST_UNSPACED and not {behind, f"{word}_{behind}"} & _BEHIND_A_CHOICE
                if turns and not of_it:
                    unwanted.add(name)
                    denies = False
                elif not turns and (chooses or behind in VALUE):
                    wanted.add(name)
            elif word in _TURN:
                turns = chooses = denies = True
            elif word in VALUE:
                turns, chooses = denies, True
            elif word < FIRST_UNSPACED and word not in _AROUND_A_CHOICE and not word.isdigit():
                turns = chooses = False
    former = stated.former if (stated := exchange(text)) else ""  # "we switched from npm to pnpm"
    gone = wanted.intersection(words(f"{former} {_clause_of_end(text)}"))
    return wanted - gone, unwanted | gone


class Exchange(NamedTuple):
    """Two names, folded: the first stood where the second stands now; and the words before, which say of what."""

    former: str
    later: str  # "" where it is not told apart: "instead of Gulp we bundle with Vite"
    front: str = ""


# What the forms of the language files call the two names: of up to three words, of one, and in scripts without spaces.
_PARTS = {
    "{A}": r"(?P<a>[^\s,.;:!?()]{2,30}(?:[ ][^\s,.;:!?()]{1,20}){0,2}?)",
    "{B}": r"(?P<b>[^\s,;:!?()]{2,30}(?:[ ][^\s,;:!?()]{1,20}){0,2})",
    "{A1}": r"(?P<a>[^\s,.;:!?()'’]{2,30}?)",
    "{B1}": r"(?P<b>[^\s,;:!?()'’]{2,30}?)",
    "{UA}": rf"(?P<a>{_SIGNS})",
    "{UB}": rf"(?P<b>{_SIGNS})",
    "{OF}": rf"(?: (?:{'|'.join(word_list('before_a_use'))}) (?:[^\s,.;]{{1,20}} ){{0,2}}(?!\d)[^\s,.;]{{2,20}})?",
    "{END}": r"(?= |$|[,.;])",
}


def _form(entry: str) -> tuple[str, str, str]:
    """A form: what must stand somewhere (one of these), a word that tells of a change ("": the form does), the expression."""
    parts, told, form = entry.split(" :: ")
    form = f"(?={_AT_A_WORD if form.startswith(('{A', '{B')) else ''}{form})"  # found from every word on
    for name, expression in _PARTS.items():
        form = form.replace(name, expression)
    return parts, told, form


FORMS = tuple(map(_form, word_list("exchanges")))


@lru_cache(256)
def exchange(text: str) -> Exchange | None:
    """The two names of the first exchange a statement tells; None where it tells none."""
    names = _capitals(text)
    folded = _BESIDE_SIGNS.sub("", " ".join(word for word in without_now(text[:_LONGEST]).split() if word not in NOW))
    for parts, verb, form in FORMS:
        told = _compiled(verb).search(folded) if any(part in folded for part in parts.split("|")) else None
        for match in _compiled(form).finditer(folded) if told else ():
            former, later = _name(match["a"], names), _name(match.groupdict().get("b", ""), names)
            if former and former != later and (later or "b" not in match.groupdict()):
                front = folded[: match.start()]
                if verb and told and told.start() < match.start():  # "we moved the docs from": the verb says nothing of what
                    front = f"{folded[: told.start()]} {folded[told.end() : match.start()].partition(' ')[2]}"
                return Exchange(former, later, front.strip())
    return None


def _clause_of_end(text: str) -> str:
    """The clause of a text that says of something that it is no more, without "in this project"; "" for none."""
    clause = next((part for part in CLAUSE.split(text[:_LONGEST]) if _ENDED.search(index_form(part))), "")
    return _HERE.sub("", clause).strip()


def _name(words: str, names: Collection[str]) -> str:
    """The name in what stands between the words of a form: without articles before it, to the next word that ends a value."""
    kept: list[str] = []
    for word in words.strip(" .").split():
        if kept and (word in GRAMMAR or word in CIRCUMSTANCE or word in _ENDS):
            break
        if word not in GRAMMAR or word in names or word in _EXCLUDING:  # "jest"
            kept.append(word)
    return " ".join(kept)


_HERE = re.compile(rf"(?:\b(?:{'|'.join(_BEFORE_A_USE)}) )?\b(?:{any_of(word_list('ours'))})\b", re.IGNORECASE)
_AND, _NOT = ("|".join(word_list(f"denied_behind_{what}")) for what in ("and", "not"))
_LISTS = "|".join(word for word in word_list("denied_behind_and") if word not in ("en", "i"))  # "in", "the" elsewhere
_TAIL = re.compile(
    rf"[ ,](?:(?:{_AND}) )?(?:{_NOT}) (?!only |before |after |until )(?:\w{{1,6}} )?(\S+)(?: any ?more| mehr| plus)?$"
)


def _put_right(new: str, known: str) -> bool:
    """Whether `new` says all that `known` says but one value, which it denies at its end: "..., not 80"."""
    tail = _TAIL.search(index_form(new[:_LONGEST]).strip(" .!"))
    line = index_form(known).strip(" .!").split()
    if not tail or tail[1] not in line or not NEGATIVE.isdisjoint(line):
        return False
    return telling_stems(known) - {stem(tail[1])} <= telling_stems(new[: -len(tail[0])])


def without_denial(text: str) -> str:
    """A text without the value that it denies at its end, folded where there is one: "..., not 80"."""
    line = index_form(text).strip(" .!")
    return line[: tail.start()] if (tail := _TAIL.search(line)) else text


def _is_listed(name: str, line: str) -> bool:
    """Whether a name is one of several in a statement: "Redis, Postgres and Kafka"."""
    return bool(re.search(rf"\b{re.escape(name)}(?:, [^\s,]+)*,? (?:{_LISTS}) |\b(?:{_LISTS}) {re.escape(name)}\b", line))


def is_of_here(text: str) -> bool:
    """Whether a statement says that it is of the project at hand: "in this repo", "here"."""
    return any(_compiled(form).search(index_form(text)) for form in word_list("of_here"))


def why_replaced(new: str, known: str) -> str:
    """Why `known`, which says little else, no longer holds once `new` tells its end or successor: "ended", "value"; else ""."""
    if _put_right(new, known):
        return "value"
    stated, ended, whole = exchange(new), _clause_of_end(new), index_form(known)
    if not (stated or ended) or not _OF_OTHERS.isdisjoint(index_form(new).split()):
        return ""
    known = next(filter(telling_stems, (known[: part.start()] for part in CLAUSE.finditer(known))), known)  # not by what reasons
    line, unspaced = index_form(known).strip(" .!"), max(known) >= FIRST_UNSPACED
    chosen = exchange(known)  # "use uv instead of pip" is of uv
    denies = _DENYING & set(line.split()) or line.startswith("no ") or (unspaced and not chosen and is_negative(known))
    if denies or _clause_of_end(known):
        return ""
    gone = telling_stems(chosen.former) if chosen else frozenset()
    own, besides = telling_stems(known) - gone, _BESIDES * (3 if unspaced else 1)
    if stated:
        is_there = stated.former in line if unspaced else f" {stated.former} " in f" {line} "
        is_apart = _is_listed(stated.former, whole) or (chosen and chosen.former == stated.former)
        if not is_there or is_apart or not _of_the_same(new, stated, known):
            return ""
        more = [word for word in own - telling_stems(new) - telling_stems(stated.former) if not word.isdigit()]
        return "value" if len(more) <= besides else ""
    told = telling_stems(ended)
    ends = told and told <= own and len(own - told) < besides and placed(ended) <= placed(known)
    return "ended" if ends and not any(_is_listed(word, whole) for word in content_words(whole) if stem(word) in told) else ""


def _of_the_same(new: str, stated: Exchange, known: str) -> bool:
    """Whether an exchange is told of what a known statement is of: "the users API", "the orders API"; "my brother", "we"."""
    front, line = stated.front.split(), index_form(known).split()
    ours = [at for at, word in enumerate(front) if word in _SPEAKERS]
    told = telling_stems(" ".join(front[ours[-1] + 1 :] if ours else front))
    own = telling_stems(known)
    by_another = stem(line[0]) in own - telling_stems(new) and known[0].isupper() and not line[0].endswith(_OURS)
    if by_another and stated.former.split()[0] not in line[:2]:
        return False
    besides = own - telling_stems(stated.former)
    if told - own - telling_stems(stated.later) and (not besides <= told or (line[0] in _SPEAKERS and not ours)):
        return False
    texts = (index_form(new).rpartition(stated.later or stated.former)[2], index_form(known))
    uses, known_uses = (telling_stems(" ".join(_USE.findall(text))) for text in texts)
    return not uses or not known_uses or bool(uses & own)


def placed(text: str) -> frozenset[str]:
    """The stems of what narrows a statement: the first telling word behind each "in", "for", "when"."""
    found, narrows = set[str](), False
    for word in words(text):
        if narrows and word not in _SAYS_NOTHING:
            found.add(stem(word))
        narrows = word in CIRCUMSTANCE - NEGATIVE or (narrows and word in _SAYS_NOTHING)
    return frozenset(found)


def telling_stems(text: str) -> frozenset[str]:
    """The words that tell what a statement is of, without those that only say that it is, always, or no more."""
    said = (word for word in content_words(" ".join(without_change(text))) if not _HIRAGANA.search(word))
    telling = {word for word in said if word not in _SAYS_NOTHING or word in _EXCLUDING}
    return frozenset(map(stem, telling | _capitals(text)))


def _capitals(text: str) -> set[str]:
    """The folded words with a capital inside a text: names, also those that are words of grammar elsewhere, "Jest", "Go"."""
    return {index_form(word) for word in _WORD.findall(text)[1:] if word[0].isupper() and len(word) > 1}
