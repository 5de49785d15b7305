"""What tells a changed statement from a similar one, and what it says took the place of what: "from A to B", "B instead of A"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from psychmem_py.text.tokenizer import ENGLISH, LATIN_SETS, OTHER, content_words, index_form, stem, words
from psychmem_py.words import word_list, word_set

NEGATIVE, NEGATIVE_SIGNS = word_set("negations"), word_list("negations_signs")
CHANGE, CHANGE_SIGNS = word_set("words_of_change"), word_list("words_of_change_signs")
NOW, NOW_SIGNS = word_set("words_of_now"), word_list("words_of_now_signs")
VALUE, CIRCUMSTANCE, REASON = (word_set(f"words_before_a_{what}") for what in ("value", "circumstance", "reason"))
ALWAYS, TURNING_DOWN = word_set("always"), word_set("words_that_turn_down")
RIVALS = [group.split() for group in word_list("rivals")]
# word -> the choices that exclude each other when both are wanted for the same thing
_EXCLUDING: dict[str, set[str]] = {}
for _group in RIVALS:
    for _choice in _group:
        _EXCLUDING.setdefault(_choice, set()).update(_group)
_WORD = re.compile(r"[\w'’]+")


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
    named = [word for word in _with_pairs(words(text)) if word in _EXCLUDING]
    return sorted({part for word in named for rival in _EXCLUDING[word] - set(named) for part in rival.split("_")})


def _with_pairs(spoken: Sequence[str]) -> Iterator[str]:
    """The words in their order, each followed by the pair it begins: "us english" is a choice that neither word is."""
    for word, following in zip_longest(spoken, spoken[1:], fillvalue=""):
        yield word
        yield f"{word}_{following}"


_WHY = word_set("asking_why")
_DENYING = NEGATIVE - {"no"}  # "in the" in Portuguese
_TURN = TURNING_DOWN | _DENYING
_TURNS_WORDS = 2 * 6  # so far it reaches; of each word a pair is looked at too


def stance(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The rival choices a statement wants, and those it turns down. In "use pnpm, not npm" that is pnpm and npm."""
    wanted, unwanted = set[str](), set[str]()
    spoken = words_with_apostrophes(text)
    turned = blamed = spoken[0] in _WHY if spoken else False  # "why are you still using npm?", "why aren't you using pnpm?"
    last = 0
    for at, word in enumerate(_with_pairs(spoken)):
        if word in _EXCLUDING:  # "never edit those by hand, they come from pnpm" turns no pnpm down
            (unwanted if turned and (blamed or at - last <= _TURNS_WORDS) else wanted).add(word)
        elif word in _TURN:
            turned, last = not blamed, at
    return frozenset(wanted), frozenset(unwanted)


def clash(one: str, other: str) -> bool:
    """Whether two statements want rival things, or one wants what the other turns down."""
    wants, turns = stance(one)
    others, turned = stance(other)
    return not wants & others and bool(wants & turned or others & turns or any(_EXCLUDING[a] & others - {a} for a in wants))


class Exchange(NamedTuple):
    """Two names, folded: the first stood where the second stands now; and the words before, which say of what."""

    former: str
    later: str  # "" where it is not told apart: "instead of Gulp we bundle with Vite"
    front: str = ""


# Without spaces a name is what is written in one kind of letters.
_SIGNS = r"(?<![A-Za-z0-9])[A-Za-z0-9][A-Za-z0-9.+#_-]{1,30}|[ァ-ヶー]{2,20}|[一-鿿]{2,4}"
_AT_A_WORD = r"(?<!\S)"
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
_compiled = cache(re.compile)  # at the first use


@lru_cache(256)
def exchange(text: str) -> Exchange | None:
    """The two names of the first exchange a statement tells; None where it tells none."""
    names = _names(text[:_LONGEST])
    folded = _BESIDE_SIGNS.sub("", " ".join(word for word in without_now(text[:_LONGEST]).split() if word not in NOW))
    for parts, verb, form in FORMS:
        told = _compiled(verb).search(folded) if any(part in folded for part in parts.split("|")) else None
        for match in _compiled(form).finditer(folded) if told else ():
            former, later = _name(match["a"], names), _name(match.groupdict().get("b", ""), names)
            front = folded[: match.start()]  # "we decided on Vite instead of Gulp": a verb is no name
            is_verb = later and match.start() == match.start("b") and front.rstrip().rpartition(" ")[2] in _SUBJECTS
            if former and former != later and not is_verb and (later or "b" not in match.groupdict()):
                if verb and told and told.start() < match.start():  # "we moved the docs from": the verb says nothing of what
                    front = f"{folded[: told.start()]} {folded[told.end() : match.start()].partition(' ')[2]}"
                return Exchange(former, later, front.strip())
    return _ended(_clause_of_end(text), names)


def _clause_of_end(text: str) -> str:
    """The clause of a text that says of something that it is no more, without "in this project"; "" for none."""
    clause = next((part for part in CLAUSE.split(text[:_LONGEST]) if _ENDED.search(index_form(part))), "")
    return _HERE.sub("", clause).strip()


def _ended(clause: str, names: set[str]) -> Exchange | None:
    """What is used no more: the one thing a clause names, "we no longer use Gulp", and not where, or what for."""
    spoken, unspaced = words(clause), max(clause, default="") >= FIRST_UNSPACED
    former, *more = {word for word in [*_telling(clause), *names.intersection(spoken)] if word.isascii() or not unspaced} or [""]
    if not former or more or not POINTING.isdisjoint(spoken):
        return None
    before = _before(f" {' '.join(spoken)} ".partition(f" {former} ")[0])
    placed = before in CIRCUMSTANCE or (before in GRAMMAR and before not in VALUE | _SPEAKERS | _TELLS_END)
    direct = re.search(rf"{re.escape(former)} ?(?:[はをが]|$)", index_form(clause)) if unspaced else not placed
    return Exchange(former, "") if direct else None


def _before(text: str) -> str:
    """The last word of a text that is no article."""
    return next((word for word in reversed(text.split()) if word not in _ARTICLES), "")


_LONGEST = 300
GRAMMAR = ENGLISH.union(OTHER, *LATIN_SETS.values())  # articles, pronouns, prepositions
_ENDS, _SPEAKERS = word_set("behind_a_name"), word_set("speakers")
_ARTICLES, POINTING = word_set("articles"), word_set("pointing_words") - word_set("articles")


def _name(words: str, names: Collection[str]) -> str:
    """The name in what stands between the words of a form: without articles before it, if they are none of `names` ("Go"), and
    only to the next word that ends a value.
    """
    kept: list[str] = []
    for word in words.strip(" .").split():
        if kept and (word in GRAMMAR or word in CIRCUMSTANCE or word in CHANGE or word in NOW or word in _ENDS):
            break
        if kept or word not in GRAMMAR or word in names:
            kept.append(word)
    return " ".join(kept)


_BESIDES = 2  # words that a statement may hold besides a name for it to be of the name alone: "We use Gulp for our assets"
_ABBREVIATION = 3  # letters: "CI", "API" are no names
_BARE = 2  # words of a statement that may begin with the name: "Jenkins kullanıyoruz"
FIRST_UNSPACED = "\u3000"
_HIRAGANA = re.compile("[ぁ-ゟ]")  # endings and particles
_BESIDE_SIGNS = re.compile(r"(?<=[ぁ-鿿]) | (?=[ぁ-鿿])")
_ENDS_CLAUSE, _BECAUSE = r"[,;。、，；] ?|\.\s", rf"\b(?:{'|'.join(sorted(REASON))})\b"
CLAUSE, REASONED = re.compile(f"{_ENDS_CLAUSE}|{_BECAUSE}"), re.compile(f" ?{_BECAUSE}.*?(?={_ENDS_CLAUSE}|$)")
_BEFORE_A_USE = word_list("before_a_use")
_SUBJECTS = _SPEAKERS.difference(_BEFORE_A_USE)
_USE = re.compile(rf"\b(?:{'|'.join(_BEFORE_A_USE)}) ([^,;:.]{{2,40}})")
_GERMAN, _OF_OTHERS, _OURS = word_set("told_by_german"), word_set("of_another"), word_list("we_in_the_verb")
_HERE = re.compile(rf"(?:\b(?:{'|'.join(_BEFORE_A_USE)}) )?\b(?:{any_of(word_list('ours'))})\b", re.IGNORECASE)
_ENDED = re.compile("|".join(word_list("no_longer")))
_TELLS_END = frozenset(words(" ".join(word_list("no_longer")).replace("\\b", " ")))
_AND, _NOT, _AT = ("|".join(word_list(f"denied_behind_{what}")) for what in ("and", "not", "at"))
_TAIL = re.compile(rf"[ ,](?:(?:{_AND}) )?(?:{_NOT}) (?:(?:{_AT}) )?(\S+)$")


def _put_right(new: str, known: str) -> bool:
    """Whether `new` says all that `known` says but one value, which it denies at its end: "..., not 80"."""
    tail = _TAIL.search(index_form(new[:_LONGEST]).strip(" .!"))
    line = index_form(known).strip(" .!").split()
    if not tail or tail[1] not in line or not NEGATIVE.isdisjoint(line):
        return False
    return _said(known) - {stem(tail[1])} <= _said(new[: -len(tail[0])])


def why_replaced(new: str, known: str) -> str:
    """Why a known statement no longer holds once `new` does: "value", "ended"; "" when both may hold."""
    if outdated(new, known) or _put_right(new, known):
        return "value"
    ended, was = _clause_of_end(new), _said(" ".join(without_change(known)))
    # "Gulp is no longer free" ends no use of it, and "we don't use it on Windows any more" is not of Windows.
    of_others = not _OF_OTHERS.isdisjoint(index_form(ended).split())
    if not ended or of_others or _said(" ".join(without_change(ended))) != was or (len(was) == 1 and exchange(new) is None):
        return ""
    denied = is_negative(known) or _clause_of_end(known)
    mine, theirs = ({word.strip(",.;:!") for word in index_form(text).split()} for text in (ended, known))
    return "ended" if not denied and _names(known) <= mine and _names(ended) <= theirs else ""


_SAYS_NOTHING = VALUE | ALWAYS | CHANGE | NOW | NEGATIVE | GRAMMAR | _TELLS_END
_CALLED_ALIKE = GRAMMAR - _SPEAKERS - _ARTICLES - _TELLS_END - NEGATIVE  # may be a name where its language is not spoken


def _said(text: str) -> frozenset[str]:
    """The words that tell what a statement is of, without those that only say that it is, always, or no more."""
    return frozenset(map(stem, _telling(text)))


def _telling(text: str) -> list[str]:
    return [word for word in content_words(text) if word not in _SAYS_NOTHING and not _HIRAGANA.search(word)]


def outdated(new: str, known: str) -> bool:
    """Whether `new` says by name that something took the place of what `known` says, and `known` says nothing besides."""
    ends = (known[: part.start()] for part in CLAUSE.finditer(known))
    known = next(filter(_said, ends), known)  # not by what reasons, or what for
    line = f" {' '.join(index_form(known).strip(' .!').split())} "
    stated, unspaced = exchange(new), max(line) >= FIRST_UNSPACED
    if stated is None or _DENYING & set(line.split()) or line.startswith(" no "):
        return False
    gone = chosen.former if (chosen := exchange(known)) else ""  # "use uv instead of pip" is of uv
    former, later = (name if unspaced else f" {name} " for name in (stated.former, stated.later))
    at = line.find(former)
    if at < 0 or stated.former == gone or (unspaced and not gone and is_negative(known)):
        return False  # not of it, or of the thing itself
    back = stated.later == gone  # from X to the Y that X stood for
    if (
        (at == 0 and len(line.split()) > _BARE and not unspaced)
        or (stated.later and not back and later in line.replace(former, " "))
        or (stated.former in GRAMMAR and stated.former not in _names(known))
    ):
        return False
    parts = tuple(stated.former.split())
    besides = {name for name in _names(known) - _names(new) - set(gone.split()) if not name.startswith(parts)}
    more = [word for word in _said(without_now(known)) - _said(new) - _said(gone) if not word.startswith(parts)]
    same = _of_the_same(new, known, stated.former) and not _of_another(stated, line)
    behind = index_form(new).rpartition(stated.later or stated.former)[2]
    told, own = (_said(stated.front), set(more)) if unspaced else (_uses(behind), _uses(known))
    if not stated.later and not gone and _ENDED.search(index_form(new)):
        same = same and _before(line[:at]) in VALUE  # "rotate Vault tokens" is not of what is used
    same = same and (not told or not own or 2 * len(told & _said(known)) >= len(told))
    most = _BESIDES * (3 if unspaced else 1)  # there, a word is two or three pairs of signs
    return not besides and len(more) <= most and same


def _uses(text: str) -> frozenset[str]:
    """The words that say what something is used for, or where: "for the session store"."""
    return _said(" ".join(_USE.findall(index_form(text))))


def _of_another(stated: Exchange, line: str) -> bool:
    """Whether an exchange is told of another thing than a known statement: "the users API", "the orders API"; "my brother"."""
    front, known = stated.front.split(), [word.strip(",;:") for word in line.split()]
    if max(line) >= FIRST_UNSPACED:
        return False
    ours = [at for at, word in enumerate(front) if word in _SPEAKERS]
    front = front[ours[-1] + 1 :] if ours else front
    at = next((at for at, word in enumerate(known) if word.startswith(stated.former.split(maxsplit=1)[0])), len(known))
    while at > 0 and known[at - 1] in GRAMMAR and known[at - 1] not in VALUE:
        at -= 1
    told = {stem(word.strip(",;:")) for word in front if word not in _SAYS_NOTHING}
    own = {stem(word) for index, word in enumerate(known) if index != at - 1 and word not in _SAYS_NOTHING}  # without its verb
    own -= {stem(word) for word in stated.former.split()}
    return bool(told - own - {stem(known[at - 1])}) and ((known[0] in _SPEAKERS and not ours) or not own <= told)


def _names(text: str) -> set[str]:
    """The folded words that are written as names are; German writes every noun like one. The first word is one where it is a
    word of grammar elsewhere alone: "Kim", "Will".
    """
    written = text.split()
    german = not _GERMAN.isdisjoint(index_form(text).split())
    inside = {word: "".join(part[german:] for part in word.split("-")) for word in written[1:]}
    named = {
        index_form(word).strip(",.;:")
        for word in written[1:]
        if not (word.isupper() and len(word.strip(".,;:")) <= _ABBREVIATION)
        if any(map(str.isupper, inside[word])) or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    }
    first = {index_form(word).strip(",.;:") for word in written[:1] if word[0].isupper()}
    return named | (first & _CALLED_ALIKE).intersection(content_words(text))


def _of_the_same(new: str, known: str, former: str) -> bool:
    """Whether both speak of one subject: of us, or of whoever is named at the beginning of the older one."""
    if not _OF_OTHERS.isdisjoint(index_form(new).split()):
        return False
    first = index_form(known.split(maxsplit=1)[0]).strip(",.;:").partition("'")[0]  # "let's"
    plain = first in GRAMMAR or first in ALWAYS or not known[0].isupper() or first.endswith(_OURS)
    plain = plain or max(known) >= FIRST_UNSPACED or is_from_now(known)
    return (
        plain
        or first in index_form(new).replace("'", " ").split()
        or former.split(maxsplit=1)[0] in index_form(known).split()[:2]
    )
