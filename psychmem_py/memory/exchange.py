"""What a statement says took the place of what, by name, in any of the sixteen languages: "from A to B", "B instead of A".

Known are only the words around the two names; whatever the names are, a statement that holds the former one is out of date.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from psychmem_py.memory.change_cues import ALWAYS, CHANGE, CIRCUMSTANCE, FROM_NOW, NEGATIVE, NOW, VALUE
from psychmem_py.text.tokenizer import ENGLISH, LATIN_SETS, OTHER, content_words, index_form


class Exchange(NamedTuple):
    """Two names, folded: the first stood where the second stands now; and the words before, which say of what."""

    former: str
    later: str  # "" where it is not told apart: "instead of Gulp we bundle with Vite"
    front: str = ""


_A, _B = r"(?P<a>[^\s,.;:!?()]{2,30}(?:[ ][^\s,.;:!?()]{1,20}){0,2}?)", r"(?P<b>[^\s,;:!?()]{2,30}(?:[ ][^\s,;:!?()]{1,20}){0,2})"
_A1, _B1 = r"(?P<a>[^\s,.;:!?()'’]{2,30}?)", r"(?P<b>[^\s,;:!?()'’]{2,30}?)"
_END = r"(?= |$|[,.;])"
# what it is used for; "on port 9090" is the value itself
_OF = r"(?: (?:in|on|for|as|im|fur|als|en|para|como|pour|dans|em|no|na|per|nel|nella|voor|op) (?:[^\s,.;]{1,20} ){0,2}(?!\d)[^\s,.;]{2,20})?"
# Without spaces a name is what is written in one kind of letters.
_SIGNS = r"[A-Za-z0-9][A-Za-z0-9.+#_-]{1,30}|[ァ-ヶー]{2,20}|[一-鿿]{2,4}"
_UA, _UB = rf"(?P<a>{_SIGNS})", rf"(?P<b>{_SIGNS})"
# Of each: what must stand somewhere (parts of words, one of them), a word that tells of a change ("" where the form itself does), and the
# form, folded. A form is compiled when something of it is there.
FORMS = (
    (" from | off ", r"\b(?:mov|switch|migrat|chang|went|upgrad|downgrad|relocat|transfer|convert|port|transition|rais|lower|increas|reduc|cut|rename)", rf"\b(?:from|off|away from) {_A} (?:to|onto) {_B}"),
    ("replac", "", rf"\breplac(?:ed|ing) {_A} (?:with|by) {_B}"), ("replaced", "", rf"{_A} (?:was|were|is|has been|have been|got) replaced (?:with|by) {_B}"),
    (" for | favo", "", rf"\b(?:drop|ditch|abandon|swapp)\w{{1,4}} {_A} (?:for|in favou?r of) {_B}"), (" of ", "", rf"{_B1}{_OF} (?:instead|in place) of {_A}{_END}"),
    ("replace|took over|succeed", "", rf"{_B1} (?:replaces|replaced|took over from|succeeds|succeeded) {_A}{_END}"),
    (" von | vom ", "gewechselt|umgestellt|umgestiegen|umgezogen|migriert|geandert|gezogen|gewandert|wechsel", rf"\bv(?:on|om) {_A} (?:auf|zu|zum|nach|in) {_B}"),
    ("ersetzt|abgelost|getauscht", "", rf"{_A} (?:wurde |wird |haben wir |habe ich )?(?:durch|gegen) {_B}"), ("statt|anstelle", "", rf"{_B1}{_OF} (?:statt|anstatt|anstelle von) {_A}{_END}"),
    (" de | du | d'| d’", r"\b(?:pass|migr|demenag|chang|bascul)", rf"\bd[eu'’] ?{_A} (?:a|vers|pour) {_B}"), ("remplace", "", rf"remplace\w{{0,3}} {_A} par {_B}"),
    ("au lieu|la place", "", rf"{_B1}{_OF} (?:au lieu|a la place) d[eu'’] ?{_A}{_END}"),
    (" de ", r"\b(?:cambi|pas|migr|mud)", rf"\bde {_A} a {_B}"), ("reemplaz", "", rf"reemplaz\w{{1,6}} {_A} (?:por|con) {_B}"), ("en lugar|en vez", "", rf"{_B1}{_OF} en (?:lugar|vez) de {_A}{_END}"),
    (" de | do | da ", r"\b(?:mud|migr|troc|pass)", rf"\bd[eoa] {_A} (?:para|pra|por|pelo|pela) (?:o |a )?{_B}"), ("vez|lugar|inves", "", rf"{_B1}{_OF} (?:em vez|no lugar|ao inves) d[eoa] {_A}{_END}"),
    (" da ", r"\b(?:passat|migrat|spostat|cambiat|trasferit|passiamo)", rf"\bda {_A} a {_B}"), ("sostituit", "", rf"sostituit\w? {_A} con {_B}"), ("invece|al posto", "", rf"{_B1}{_OF} (?:invece di|al posto di) {_A}{_END}"),
    (" van ", r"\b(?:overgestapt|gemigreerd|verhuisd|overgegaan|gewisseld|stapten over)", rf"\bvan {_A} (?:naar|op) {_B}"), ("vervangen", "", rf"{_A} (?:is |wordt |hebben we )?vervangen door {_B}"),
    ("in plaats", "", rf"{_B1}{_OF} in plaats van {_A}{_END}"),
    (" z ", r"\b(?:przesz|przenie|zmieni|migrow|przeprowad|przesiad)", rf"\bz {_A} (?:na|do) {_B}"), ("zamiast", "", rf"{_B1} zamiast {_A}{_END}"),
    (" с | со | из ", r"\b(?:переш|перех|мигрир|переех|перенес|перевел|смени)", rf"\b(?:с|со|из) {_A} (?:на|в) {_B}"), ("замени", "", rf"замени\w{{1,4}} {_A} на {_B}"), ("вместо", "", rf"{_B1} вместо {_A}{_END}"),
    ("gec|tasin|don|degis", "", rf"{_A1}['’]?(?:dan|den|tan|ten) {_B1}['’]?(?:ya|ye|na|ne|a|e) (?=\w{{0,4}}(?:gec|tasin|don|degis))"), ("yerine", "", rf"{_A1} yerine {_B1}{_END}"),
    ("من", "انتقل|غير|تحول|بدل|نقل", rf"من {_A} (?:الي|إلى|الى) {_B}"), ("بدلا", "", rf"{_B1} بدلا من {_A}{_END}"),
    (" से ", "बदल|स्विच|माइग्रेट|शिफ्ट|आ गए|चले गए", rf"{_A1} से {_B1} (?:पर|में)"), ("जगह|बजाय", "", rf"{_A1} (?:की जगह|के बजाय) {_B1}{_END}"),
    (" se ", r"\b(?:shift|switch|migrat|move|badal|aa gaye|chale gaye)", rf"{_A1} se {_B1} (?:par|pe|me|mein) "), ("jagah", "", rf"{_A1} ki jagah {_B1}{_END}"),
    ("から", "移行|切り替|変更|乗り換|引っ越|移り|移し", rf"{_UA}から(?:は)?{_UB}[にへ]"), ("代わり|やめて|代えて|ではなく", "", rf"{_UA}(?:の代わりに|をやめて|に代えて|ではなく){_UB}"),
    ("从|由", "", rf"[从由]{_UA}(?:换|切换|迁移|改|搬|转|升级|转移)(?:到|成|为|至|用|向|去)?了?{_UB}"), ("代替|替换|取代", "", rf"用{_UB}(?:代替|替换|取代)了?{_UA}"),
    ("而不是|代替了|取代了", "", rf"{_UB}(?:而不是|代替了|取代了){_UA}"), ("不再", "", rf"不再(?:用|使用){_UA}.{{0,6}}?(?:改用|换成){_UB}"),
    ("에서", "이전|변경|전환|이사|옮|바꿨|바꾸|교체|갈아", rf"{_A1}에서 {_B1}(?:으로|로){_END}"), ("대신", "", rf"{_A1} 대신 {_B1}(?:을|를|이|가)?{_END}"),
    ("instead of|statt |en lugar|en vez|au lieu|em vez|invece di|in plaats|zamiast|вместо", "", rf"^(?:instead of|statt|anstatt|en (?:lugar|vez) de|au lieu d[eu'’]|em vez d[eoa]|invece di|in plaats van|zamiast|вместо) ?{_A1}{_END}"),
)  # fmt: skip


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@lru_cache(256)
def exchange(text: str) -> Exchange | None:
    """The two names of the first exchange a statement tells; None where it tells none."""
    folded = " ".join(word for word in FROM_NOW.sub(" ", index_form(text[:_LONGEST])).split() if word not in NOW)
    for parts, verb, form in FORMS:
        if not any(part in folded for part in parts.split("|")) or not (told := _compiled(verb).search(folded)):
            continue
        if match := _compiled(form).search(folded):
            former, later = _name(match["a"]), _name(match.groupdict().get("b", ""))
            if former and former != later and (later or "b" not in match.groupdict()):
                front = folded[: match.start()]
                if verb and told.start() < match.start():  # "we moved the docs from": the verb says nothing of what
                    front = f"{folded[: told.start()]} {folded[told.end() : match.start()].partition(' ')[2]}"
                return Exchange(former, later, front.strip())
    return None


_LONGEST = 300

LITTLE = ENGLISH.union(OTHER, *LATIN_SETS.values())  # articles, pronouns, prepositions
_ENDS = frozenset(
    "last this next since ersetzt umgestellt umgestiegen gewechselt migriert overgestapt verhuisd gaye gaya".split()
)


def _name(words: str) -> str:
    """The name in what stands between the words of a form: without articles before it, and only to the next word that ends a value."""
    kept: list[str] = []
    for word in words.strip(" .").split():
        if kept and (word in LITTLE or word in CIRCUMSTANCE or word in CHANGE or word in NOW or word in _ENDS):
            break
        if kept or word not in LITTLE:
            kept.append(word)
    return " ".join(kept)


_BESIDES = 2  # words that a statement may hold besides a name for it to be of the name alone: "We use Gulp for our assets"
_ABBREVIATION = 3  # letters: "CI", "API" are no names
_BARE = 2  # words of a statement that may begin with the name: "Jenkins kullanıyoruz"
FIRST_UNSPACED = "\u3000"
_GERMAN = frozenset("ist sind der die das wir ich unser unsere unseren nutzen nutze verwenden verwende und nicht".split())

# "No longer", "not any more", folded.
_ENDED = re.compile(
    r"n['’]t .{1,60} any ?more|\b(?:no longer|not any ?more|stopped|nicht mehr|ya no|n(?:e |['’]).{1,40} plus|non .{1,40} piu|"
    r"niet (?:langer|meer)|geen .{1,40} meer|juz nie|nao .{1,60} mais|больше не)\b|不再|もう.{1,30}ない|더 이상"
)


def says_change(text: str) -> bool:
    """Whether a statement says of itself, by name, that something stands no more."""
    return exchange(text) is not None or bool(_ENDED.search(index_form(text[:_LONGEST])))


_TAIL = re.compile(
    r"[ ,](?:and |und |y |et |e |en |i |и )?(?:not|nicht|no|pas|non|niet|nao|nie|не) (?:(?:at|in|on|with|mit|bei|con|com|avec|met|с) )?(\S+)$"
)


def _put_right(new: str, known: str) -> bool:
    """Whether `new` says all that `known` says but one value, which it denies at its end: "..., not 80"."""
    tail = _TAIL.search(index_form(new[:_LONGEST]).strip(" .!"))
    line = index_form(known).strip(" .!").split()
    if not tail or tail[1] not in line or not NEGATIVE.isdisjoint(line):
        return False
    return _said(known) - {_bare(tail[1])} <= _said(new[: -len(tail[0])])


def replaced_by(new: str, known: str) -> str:
    """Why a known statement no longer holds once `new` does: "value", "ended"; "" when both may hold."""
    if outdated(new, known) or _put_right(new, known):
        return "value"
    of, was = _said(new), _said(known)
    ended = _ENDED.search(index_form(new[:_LONGEST])) and not _ENDED.search(index_form(known[:_LONGEST]))
    denied = not NEGATIVE.isdisjoint(index_form(known).split())
    return "ended" if ended and was and was <= of and not denied and _names_no_other(new, known) else ""


def _names_no_other(new: str, known: str) -> bool:
    """Whether a statement names nobody whom the new one leaves out, though the name is a word like "kim" or "will" elsewhere."""
    mine, theirs = ([word.strip(",.;:!") for word in index_form(text).split()] for text in (new, known))
    first = {theirs[0]} if known[0].isupper() and theirs[0] in LITTLE and theirs[0] in content_words(known) else set()
    turned = theirs[0] not in mine and mine[0] not in theirs and new[0].isupper() and known[0].isupper()
    in_its_place = turned and mine[1:2] == theirs[1:2] and not LITTLE.isdisjoint(mine[1:2])  # "Noor is", "Will is"
    return (_names(known) | first) <= set(mine) and not in_its_place


_SAYS_NOTHING = VALUE | ALWAYS | CHANGE | NOW | NEGATIVE | LITTLE


def _said(text: str) -> frozenset[str]:
    """The words that tell what a statement is of, without those that only say that it is, always, or no more."""
    return frozenset(_bare(word) for word in content_words(text) if word not in _SAYS_NOTHING)


def _bare(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.isascii() and word.endswith("s") and not word.endswith("ss") else word


_DENYING = NEGATIVE - {"no"}  # "in the" in Portuguese


def outdated(new: str, known: str) -> bool:
    """Whether `new` says by name that something took the place of what `known` says, and `known` says nothing besides."""
    stated = exchange(new)
    if stated is None or _DENYING & set(index_form(known).split()):
        return False
    line = f" {' '.join(index_form(known).strip(' .!').split())} "
    at = line.find(stated.former if max(line) >= FIRST_UNSPACED else f" {stated.former} ")
    if at < 0 or (at == 0 and len(line.split()) > _BARE and max(line) < FIRST_UNSPACED):
        return False  # not of it, or of the thing itself
    if stated.later and stated.later in line:
        return False
    former = tuple(stated.former.split())
    besides = {name for name in _names(known) - _names(new) if not name.startswith(former)}
    more = [word for word in _said(known) - _said(new) if not word.startswith(former)]
    most = _BESIDES * (3 if max(known) >= FIRST_UNSPACED else 1)  # there, a word is two or three pairs of signs
    same = _of_the_same(new, known, stated.former) and not _of_another(stated, line)
    return not besides and len(more) <= most and same


_SPEAKERS = frozenset(
    "we i i'm we've i've wir ich man nous je j'ai on yo nosotros noi io eu nos wij ik ja мы я biz ben hum main".split()
)


def _of_another(stated: Exchange, line: str) -> bool:
    """Whether an exchange is told of something else than a known statement is of: "the users API", "the orders API"; "my brother", "I"."""
    front, known = stated.front.split(), [word.strip(",;:") for word in line.split()]
    if max(line) >= FIRST_UNSPACED:
        return False
    ours = [at for at, word in enumerate(front) if word in _SPEAKERS]
    front = front[ours[-1] + 1 :] if ours else front
    at = next((at for at, word in enumerate(known) if word.startswith(stated.former.split(maxsplit=1)[0])), len(known))
    while at > 0 and known[at - 1] in LITTLE and known[at - 1] not in VALUE:
        at -= 1
    told = {_bare(word.strip(",;:")) for word in front if word not in _SAYS_NOTHING}
    own = {_bare(word) for index, word in enumerate(known) if index != at - 1 and word not in _SAYS_NOTHING}  # without its verb
    own -= {_bare(word) for word in stated.former.split()}
    strangers = told - own - {_bare(known[at - 1])}
    return bool(strangers) and ((known[0] in _SPEAKERS and not ours) or not own <= told)


def _names(text: str) -> set[str]:
    """The folded words that are written as names are, the first word left out; German writes every noun like one."""
    written = text.split()
    german = not _GERMAN.isdisjoint(index_form(text).split())
    return {
        index_form(word).strip(",.;:")
        for word in written[1:]
        if not (word.isupper() and len(word.strip(".,;:")) <= _ABBREVIATION)
        if any(char.isupper() for char in word[german:]) or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
    }


_OF_OTHERS = frozenset(
    "other another andere anderen anderes otro otra autre outro outra altro altra ander drugi inny другой другая diger".split()
)

_OURS = re.compile("(?:[aei]mos|iamo|[aei]my|[аеи]м|iyoruz)$")  # "we" that stands in the verb


def _of_the_same(new: str, known: str, former: str) -> bool:
    """Whether both speak of one subject: of us, or of whoever is named at the beginning of the older one."""
    if not _OF_OTHERS.isdisjoint(index_form(new).split()):
        return False
    first = index_form(known.split(maxsplit=1)[0]).strip(",.;:")
    if max(known) >= FIRST_UNSPACED or first in LITTLE or first in ALWAYS or not known[0].isupper() or _OURS.search(first):
        return True
    return first in index_form(new).split() or former.split(maxsplit=1)[0] in index_form(known).split()[:2]
