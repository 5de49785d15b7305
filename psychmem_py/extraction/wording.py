"""The text of a memory: clean, on one line, and understandable without the conversation around it."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from psychmem_py.extraction.clauses import QUESTION_MARKS
from psychmem_py.safety.secrets import PRIVATE
from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import content_words
from psychmem_py.words import word_list


def any_of(words: Iterable[str]) -> str:
    """An expression for any of the words, as they are."""
    return "|".join(map(regex.escape, words))


_NAMES = late(
    r"`([^`\n]{2,80})`|(?<![\w/.@-])((?:[\w.@-]++/)+[\w.*@-]*|[\w-]+\.(?:py|js|jsx|ts|tsx|json|ya?ml|toml|md|html?|css|sql|sh|go|rs|java|cs|php|vue|env)\b)"
    r"|\b([a-z]+(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Z]{2}[A-Z0-9_]*+)\b"
)
_ADDRESS = late(r"\b\w{2,10}://\S+")
_LEAD = late(
    rf"^(?:[\s\-*•>#.)(:,;]+|\d{{1,2}}[.)]\s+|(?i:(?:{any_of(word_list('leading_words'))})(?=[\s,:.!]))[\s,:.!]*"
    rf"|(?i:{any_of(word_list('by_the_way'))})(?=[\s,:.，、])[\s,:.，、]*|(?i:stop|{any_of(word_list('answers_no'))}),\s*)+"
)
_COURTESIES = [word for word in word_list("closing_courtesies") if word[0] != ","]
_ASSENTS = [word[1:].lstrip() for word in word_list("closing_courtesies") if word[0] == ","]  # "that is ok" says something
_TAIL = late(
    rf"(?i:(?<![\s,])(?:[\s,]++(?:{any_of(_COURTESIES)})|\s*+,\s*+(?:{any_of(_ASSENTS)}))[\s.!?…]*)+$|(?<![\s,;:\-–—→⇒])(?:[-=]>|[\s,;:\-–—→⇒])++$"
)
_MARKUP = late(r"\*\*|^#+\s+|\s+")
_UNDERLINED = late(r"(?<!\w)__(?=\S)([^_\n]*\s[^_\n]*)(?<=\S)__(?!\w)")  # of several words: `__init__` is a name
_STRESSED = late(r"(?<![\w*/.-])([*_])(\p{L}[\p{L}'’ ]{0,40})\1(?![\w*/.-])")
_ENCLOSED = late(r"^[(（]\s*+([^()（）]{8,}?)\s*[)）][.。]?$")
_ITEM = late(r"(?<!\s)(?<=([:：])?)\s*\n[ \t]*+(?:[-*•–]|\d{1,2}[.)])[ \t]+")
_ADMITTED = late(
    rf"(?i)(?:(?:{any_of(word_list('leading_words'))}|no)[\s,]+)?(?:(?:{'|'.join(word_list('admissions'))})\s?(?:[,;:،，、：—–]|-(?=\s))\s*)+"
)
_SENTENCE = late(r"[^\n.!?。！？]+(?:\.(?=\S)[^\n.!?。！？]*)*[.!?。！？]?")
_VALUE = late(
    r"(?P<code>`[^`\n]+`)|(?P<path>(?<![\w.~-])[\w.~-]*+/[\w./-]+|(?<![\w-])[\w-]++\.(?:py|js|tsx?|json|ya?ml|toml|md|css|html|sql|sh|go|rs|env)\b)|(?P<number>(?<![\w.])v?\d{1,20}(?:[.,:]\d{1,20}){0,6}%?(?![\w]))"
)
SHORT_WORDS = 8  # a correction of at most so many words leans on what it corrects
FOREIGN_WORDS = 1  # of a correction beside its value that the corrected sentence does not have: "use", "switch"
LONGEST_LEAD_CHARS = 140
_CHOSEN = late(r"(?<!\p{L})(?P<word>\p{L}+)[ #]{0,2}(?P<label>\d|[A-Ha-h])[.!)。！]*$")
_OFFERED = r"(?im)^[\s#>*•-]*(?P<word>\p{L}+)?[ #]{0,2}\(?%s\)?\**\s*[.):：–—-]+\s*\**\s*(?P<title>[^\n]*\p{L}[^\n]*)$"
_GLUED = late(r"(?<=\d)(?=[\p{Han}\p{Hangul}])|(?<=[\p{Han}\p{Hangul}\p{Hiragana}])(?=\d)")
_DOTTED = late(r"(?<!\w)[^\W\d]\w*(?:[._]\w+)+")
_COLON = late(r":(?!\w)|：")  # not that of "node:fs"
# The words by which a language hangs a sentence on "remember": nothing of what is to be remembered stands before them.
_ELIDED = [f"{word[:-1]}(?=['’])" if word.endswith("'") else word for word in word_list("that")]  # "qu'il" ends at the mark
_THAT = late(rf":(?!\w)|：|(?<![\w-])(?:{'|'.join(_ELIDED)})(?![\w-])")
WRAPPER_CHARS, NEAR_CHARS, REST_CHARS = 60, 6, 12
_JOINS, _IN_CASE = (any_of(word_list(name)) for name in ("joins_clauses", "words_before_a_circumstance"))
_COORDINATOR = late(rf"(?:[,;:]\s{{0,8}}|\s{{1,8}}|^)(?:{_JOINS})\s{{1,8}}(?:(?:{any_of(word_list('joins_also'))})\s{{1,8}})?$")
# Where one part of a sentence ends and another begins: "add a retry | and | we keep Redis".
PART = late(rf"(?i:[,;]\s{{1,8}}(?:(?:{_JOINS})\s{{1,8}})?|\s{{1,8}}(?!i\s)(?:{_JOINS})\s{{1,8}})")  # "i test" in Italian
_AND, _WHEN = late(rf"(?i:{_JOINS})"), late(rf"\W{{0,20}}(?i:{_IN_CASE})\b")
MIN_CUT_CHARS = 12
# Where a sentence may end early, the best first: what stands behind a dash or a semicolon is added, behind a comma it goes on.
_ENDS_EARLY = (late(r"\s[-–—]{1,2}\s|;\s|；|——"), late(r",\s|，"))
LEAST_CHARS, LEAST_TAIL_CHARS = 60, 30  # of a sentence that was ended early, or begun late
# "…, and for this window" opens what would follow behind the next comma.
_AHEAD = late(rf",\s(?:(?i:{_JOINS})\s)?(?i:{_IN_CASE})\s[^,]{{1,30}}$")
# What takes back or narrows what was said stays with it.
_CONTRAST = late(rf"[,;，、；]\s?(?i:{any_of(word_list('words_of_contrast'))})(?=[\s,]|[^\x00-\u2e7f])")
# Where a sentence goes on with a statement of its own.
_BEGINS_AGAIN = late(rf"\s[-–—]{{1,2}}\s|;\s|；|——|[,，、]\s?(?=(?i:{any_of(word_list('by_the_way'))})[\s,:，、])")


def names_in(text: str) -> tuple[str, ...]:
    """Files, identifiers and proper names of code in `text`, each once, at most 12; a web address names nothing."""
    text = _ADDRESS.sub(" ", text) if "://" in text else text
    return tuple(dict.fromkeys(next(filter(None, match.groups())) for match in _NAMES.finditer(text)))[:12]


def trimmed(text: str) -> str:
    """`text` on one line, without list marks, openers, politeness, emphasis and outer brackets; never empty where it was not."""
    text = _STRESSED.sub(r"\2", _UNDERLINED.sub(r"\1", text))
    text = _ITEM.sub(lambda match: " " if match.group(1) else "; ", text)
    out = _MARKUP.sub(lambda match: " " if match.group().isspace() else "", text).strip().removeprefix(PRIVATE).strip()
    out = _ENCLOSED.sub(r"\1", out)
    for pattern in (_LEAD, _TAIL):
        shorter = pattern.sub("", out)
        out = shorter if len(shorter) >= 8 or len(shorter) * 2 >= len(out) else out
    return out.strip()


def admission_end(text: str) -> int:
    """Where what is right begins behind "I was wrong," "sorry," and the like; 0 where nothing is taken back."""
    match = _ADMITTED.match(text)
    return match.end() if match and match.end() < len(text) else 0


def resolved(text: str, previous: str) -> str:
    """The sentence of `previous` as a short correction puts it right: by "use 8081" it is "It listens on 8081."; "" for none."""
    if len(values := list(_VALUE.finditer(text))) != 1 or len(text.split()) > SHORT_WORDS:
        return ""
    new, sort = values[0].group(), values[0].lastgroup
    own = _telling_words(text.replace(new, " "))
    for sentence in reversed([match.group().strip() for match in _SENTENCE.finditer(previous)]):
        same = {match.group() for match in _VALUE.finditer(sentence) if match.lastgroup == sort}
        # It may speak of something else that has a value of the same sort.
        if sentence.endswith(QUESTION_MARKS) or len(own - _telling_words(sentence)) > FOREIGN_WORDS or len(same) != 1:
            continue
        if (old := same.pop()) != new and len(sentence) > len(old) + 8:
            return trimmed(sentence.replace(old, new))
    return ""


def chosen(text: str, previous: str) -> str:
    """ "let's go with option 2" with what the answer before offers under that; "" where it offers nothing, or several things."""
    if not (choice := _CHOSEN.search(text)):
        return ""
    offers = regex.finditer(_OFFERED % choice["label"], previous)
    word = choice["word"].lower()
    titles = {trimmed(offer["title"]).rstrip(":：") for offer in offers if offer["word"] and word.endswith(offer["word"].lower())}
    return f"{text[: choice.end('label')]}: {titles.pop()}" if len(titles) == 1 else ""


def is_new_value(text: str) -> bool:
    """Is `text` short, and gives one thing that it names one value: "the port is 8081", "the port is 8081, not 8080"?"""
    text = _GLUED.sub(" ", _DOTTED.sub("0", text))  # a host or a file counts as a number
    values = list(_VALUE.finditer(text))
    named = 0 < len(values) <= 2 and len({one.lastgroup for one in values}) == 1 and len(text.split()) <= SHORT_WORDS
    return named and any(len(word.encode()) > 2 for word in content_words(_VALUE.sub(" ", text)))


def _telling_words(text: str) -> set[str]:
    return {word for word in content_words(text) if len(word) > 2}


def unwrapped(text: str, until: int, *, only_colon: bool = False) -> int:
    """Where the sentence begins that words ending near `until` wrap; 0 for none: "keep in mind that CI is slow" at "CI"."""
    last = 0
    for match in (_COLON if only_colon else _THAT).finditer(text[: until + NEAR_CHARS]):
        if not last or match.end() <= until or match.group() in ":：":
            last = match.end()
    rest = text[last:].lstrip(" ,’'")
    return len(text) - len(rest) if 0 < last <= WRAPPER_CHARS and len(rest.encode()) >= REST_CHARS else 0


def rule_start(text: str, at: int) -> int:
    """Where the rule with its words `at` begins in a request: at "never" in "add a toggle and never …"; 0 to cut nothing."""
    if inside := _COORDINATOR.match(text[at:].split(" ", 1)[0] + " "):
        return at + inside.end()
    return at if at > MIN_CUT_CHARS and _COORDINATOR.search(text[:at]) else 0


def is_joined(text: str, end: int, begin: int) -> bool:
    """Whether an "and" stands between two parts, and the first is no circumstance: "when you test, …"."""
    return bool(_AND.search(text, end, begin)) and not _WHEN.match(text)


def shortened(text: str, evidence: tuple[int, int], most: int) -> str:
    """`text` of over `most` signs without what follows its `evidence`, or comes before; unchanged where no cut leaves a whole."""
    if len(text) <= most:
        return text
    for pattern in _ENDS_EARLY:
        for match in reversed(list(pattern.finditer(text, max(evidence[1], LEAST_CHARS), most + 1))):
            if _closed(head := _AHEAD.sub("", text[: match.start()].rstrip())) and not _CONTRAST.search(text, match.start()):
                return head
    for match in reversed(list(_BEGINS_AGAIN.finditer(text, 0, evidence[0]))):
        if LEAST_TAIL_CHARS <= len(tail := trimmed(text[match.end() :])) <= most and _closed(tail):
            return tail
    return text


def _closed(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("`") % 2 == 0


def with_lead(text: str, before: str, most: int) -> str:
    """`text` behind the sentence it refers to, if that is short, whole, no question, and both have at most `most` characters."""
    lead = trimmed(before)
    if not lead or len(lead) > LONGEST_LEAD_CHARS or lead.endswith((*QUESTION_MARKS, ":")) or not _closed(lead):
        return text
    both = f"{lead} {text}" if lead[-1] in ".!。！…" else f"{lead}. {text}"
    return both if len(both) <= most else text
