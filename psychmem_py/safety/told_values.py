"""Values that look drawn by lot: secret if words beside them (`patterns/_secrets.toml`) say so; typed, if nothing is harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from psychmem_py.words import word_list, word_set

NAME, CODE, OPENS, HARMLESS, NUMBER = "names", "codes", "opens", "harmless", "numbers"  # also what their words are called
_KINDS = (NAME, CODE, OPENS, NUMBER, HARMLESS)
_COMMON = word_set("common")
FIRST_SIGN = "\u2e80"  # from here on scripts write without spaces
SENTENCE_CHARS = 240  # looked at on each side of a value
# What says beside a value that it is harmless stands so near, in signs; a sign of a script without spaces counts three.
NEAR_BEFORE, NEAR_BEHIND, NEAR_UNIT = 14, 14, 5
AROUND = 28  # so near it stands to a typed value of which nothing says that it is a secret
NEAR_CODE = 8  # "the PIN is 1998": so near a word for a code stands to what may be a year
HEX_CHARS, DRAWN_CHARS, CODE_DIGITS, PHRASE_WORDS = 24, 8, 4, 12
LONGEST_OPENING = 8  # digits that open a gate; more of them are a number of something
PHRASE_LENGTHS = frozenset({12, 15, 18, 21, 24})  # words of a recovery phrase, BIP 39
_SIGNS = r"!#$%&*+\-./?@A-Z\\^_a-z~"
_VALUE = rf"(?<![0-9{_SIGNS}])(?:[{_SIGNS}]{{0,100}}+\d[0-9{_SIGNS}]{{3,200}}|[{_SIGNS}]{{3,100}}+\d[0-9{_SIGNS}]{{0,200}})"
_SENTENCE_END = r"[.!?](?=\s)|[\n。！？।؟]"
_WORD = rf"(?:[^\W\d_{FIRST_SIGN}-\uffff][\u0300-\u036f\u064b-\u065f\u0900-\u0903\u093a-\u094f]*)+"
_RUN = r"(?<![\w-])[a-z]{3,9}(?:(?:[ ]|, ?|-)[a-z]{3,9}){11,60}(?![\w-])"
_HEX = rf"[0-9a-fA-F]{{{HEX_CHARS},128}}"
_IS = r"\s{0,3}(?:[:=\uff1a\u2192]|[-=]>|is(?=\s))\s{0,3}"  # between a name and its value
_AT_HOST = r"(?!^)@(?![\d@])(?!$)"
_PIECE = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"
_YEAR = r"199\d|20[0-3]\d"
_FILE = r".*\.[a-z]{1,5}"
_JOINTS = r"[-_.:+]+"
_NAME = r"[A-Z]?[a-z]+\d{0,2}|[A-Z]+\d{0,2}|\d+[a-z]?"
_MADE_UP = r"[A-Za-z0-9]{4,}(?:[-_.][a-z]{3,})?[!$%&*#?]\d{0,4}"  # "marble58!", "Falcon-river!97"
_ASSIGNED = r"[^\W\d]\w*=\Z"
_INSIDE = r"[=?&(\[{<;:#]"  # of an address, of code
_MARKS = "#$%&*^~!?+"
_PIECES, _SPOKEN, _VOWELS, _MARKED_CHARS, _MIXED_CHARS, _LEET_CHARS = 3, 0.6, 0.3, 7, 10, 8
_re = cache(re.compile)  # at the first use: a hook that redacts nothing pays for none
_USUAL = (  # algorithms, encodings, protocols, versions, units
    r"^(?i:argon2\w{0,3}(?:\$[a-z]=\d{1,6}){0,2}|b?s?crypt\w{0,3}(?:\$\w{1,3})?|pbkdf2[\w-]*|sha-?\d[\w-]*|md[45]|blake[23]\w{0,3}|aes[\w-]*|rsa-?\d*|[rehp]s\d{3}|ed25519\w*|x25519|secp\d\w*|p-?256|p-?384|curve25519|k256"
    r"|base\d\d\w{0,6}|utf-?\d+\w{0,4}|oauth-?\d\S*|openid\S*|rfc-?\d+|iso-?\d+\S*|nist\S*|fips\S*|pci\S*|https?\d?|ipv\d|cl\d+k\w*|o\d+k\w*|gpt-?\d\S*|claude-?\d\S*"
    r"|node-?\d\S*|python-?\d\S*|py\d+|java\d+|es\d{1,4}|ec2|s3|k8s|k3s|i18n|l10n|a11y|x86\S*|arm64\S*|amd64|win32|win64|varchar\d*|u?int\d+|float\d+|web3|log4j\d?|1password|e2e\d?|auth0|okta\d?"
    r"|gen\d+|vault\d?|tls\S*|ssl\S*|x509|x\.509|jwt\S*|hmac\S*|hkdf\S*|totp\S*|2fa|mfa|u2f|webauthn\d?|pkcs#?\d+|ssh-?\d?|\d+-of-\d+|\d+[a-z]{1,6}|\d+(?:[.,:/x-]\d+)*|v\d+(?:\.\d+)*(?:[-.]?(?:alpha|beta|rc|pre|dev)\S{0,8})?|user_?\w{0,6}\d{0,3}"
    r"|step\S*|line\S*|issue\S*|version\S*|section\S*|chapter\S*|test\S{0,8}|\S+\.[a-z]{1,5}|\S*/\S*|\S*\(.*|\w+\.\w+(?:\.\w+)*|(?-i:[A-Z]{2,}-\d+)|[a-z]+[_-]id\d?|h1:.*|sha256:.*|v?\d{4}-\d\d-\d\d\S*|[A-Za-z_-]+=[A-Za-z_-]*\d{0,5})$"
)
_list = cache(word_list)


def is_harmless(value: str) -> bool:
    """Whether a value names an algorithm, version, file or unit, perhaps before a script without spaces: "argon2idで"."""
    head = _re(r"[!-~]{1,200}(?=[぀-ヿ㐀-鿿가-힣])").match(value)
    return bool(_re(_USUAL).match(head.group() if head else value.lstrip("#")))


class _Label(NamedTuple):
    kind: str
    start: int
    end: int


def spans_in(text: str, *, typed: bool = False) -> Iterator[tuple[int, int]]:
    """First and last offset of every secret value in `text`; in `typed` text a value must be called harmless to be none."""
    sentence: range = range(0)
    labels: list[_Label] = []
    for match in _re(_VALUE).finditer(text):
        ends = match.group().rfind("&") if text[match.end() : match.end() + 1] == "=" else -1  # "zip=90210&page=4"
        value = match.group()[: ends if ends > 0 else None]
        bare = value.rstrip(".!?-/")  # but one mark behind a digit is a password's own: "marble58!"
        owned = len(value) == len(bare) + 1 and bare[-1:].isdigit() and value[-1] in _MARKS
        start, end = match.start(), match.start() + len(value if owned else bare)
        if not (shape := _shape(text[start:end])):
            continue
        if start not in sentence:
            sentence = _sentence(text, start, end)
            labels = _labels(text[sentence.start : sentence.stop], sentence.start)
        if _is_secret(text, start, end, shape, labels, typed=typed):
            yield start, end
    yield from _phrases(text, typed=typed) if text.count(" ") >= PHRASE_WORDS else ()


def _phrases(text: str, *, typed: bool) -> Iterator[tuple[int, int]]:
    """Recovery phrases: twelve words or more that make no sentence, named as such; typed ones need no name."""
    for match in _re(_RUN).finditer(text):
        if len(set(match.group().split())) < PHRASE_WORDS // 2:  # one word over and over is no phrase
            continue
        run: list[int] = []  # where its words begin
        for word in (*re.finditer(r"[a-z]+", match.group()), None):
            if word and word.group() not in _COMMON:
                run.append(match.start() + word.start())
                end = match.start() + word.end()
                continue
            if len(run) >= PHRASE_WORDS:
                first = _sentence(text, run[0], end).start
                named = [label.end for label in _labels(text[first : run[-PHRASE_WORDS]], first) if label.kind == NAME]
                if named or (typed and len(run) in PHRASE_LENGTHS and len({*text[run[0] : end].split()}) == len(run)):
                    yield max(run[0], named[-1] + 1 if named else 0), end
            run = []


def _sentence(text: str, start: int, end: int) -> range:
    first, last = max(0, start - SENTENCE_CHARS), min(len(text), end + SENTENCE_CHARS)
    asked = first
    for stop in _re(_SENTENCE_END).finditer(text, first, start):
        asked, first = first if stop.group() in "?？؟" else stop.end(), stop.end()
    if not text[first:start].strip():  # "The safe? 4711."
        first = asked
    return range(first, ending.start() if (ending := _re(_SENTENCE_END).search(text, end, last)) else last)


def _shape(value: str) -> str:
    """ "digits", "drawn", "uuid", "marked" (a password as people make them: a word with digits and marks); "" for none."""
    if value.isdigit():
        return "digits" if CODE_DIGITS <= len(value) <= 19 else ""
    if _re(_HEX).fullmatch(value):
        return "drawn"
    bare = value.rstrip(_MARKS)
    place = "/" in value or "\\" in value or _re(_AT_HOST).search(value) or _re(_FILE).fullmatch(bare)
    if len(value) < _MARKED_CHARS or place or is_harmless(bare):
        return ""
    if _re(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}").fullmatch(bare):
        return "uuid"
    if is_drawn(bare):
        return "drawn"
    marked = any(mark in value for mark in _MARKS) and not all(map(_re(_NAME).fullmatch, value.split("#")))
    return "marked" if marked and any(map(str.isdigit, value)) and any(map(str.isalpha, value)) else ""


def is_drawn(value: str) -> bool:
    """Letters and digits by turns, of which less than half stand in pieces that can be spoken, and no names or numbers joined."""
    digits = sum(map(str.isdigit, value))
    if len(value) < DRAWN_CHARS or not 0 < digits < len(value) - 1 or all(map(_re(_NAME).fullmatch, _re(_JOINTS).split(value))):
        return False
    pieces = _re(_PIECE).findall(value)
    words = [piece for piece in pieces if len(piece) >= 3 and piece.isalpha()]
    spoken = sum(len(word) for word in words if sum(letter in "aeiouAEIOU" for letter in word) >= _VOWELS * len(word))
    return len(pieces) >= _PIECES and spoken / len(value) < _SPOKEN


def _is_secret(text: str, start: int, end: int, shape: str, labels: list[_Label], *, typed: bool) -> bool:
    gaps = [(start - label.end if label.end <= start else label.start - end, label.kind, label.end <= start) for label in labels]
    near = 5 if any(char >= FIRST_SIGN for char in text[max(0, start - 1) : start] + text[end : end + 1]) else 1
    reach = {(kind, before): NEAR_BEFORE if before else NEAR_BEHIND for _, kind, before in gaps} | {(NUMBER, False): NEAR_UNIT}
    beside = {kind for gap, kind, before in gaps if 0 <= gap <= reach[kind, before] // near}
    kinds = {kind for _, kind, _ in gaps}
    if shape == "digits":
        if beside & {HARMLESS, NUMBER}:
            return False
        own = _re(_ASSIGNED).search(text, max(0, start - 40), start)  # "zipCode=90210": what it is, its own name says
        if own or _re(_YEAR).fullmatch(text[start:end]):
            return any(gap <= (1 if own else NEAR_CODE) for gap, kind, _ in gaps if kind == CODE or (own and kind == OPENS))
        return CODE in kinds or (OPENS in kinds and end - start <= LONGEST_OPENING and HARMLESS not in kinds)
    named = bool(kinds & {NAME, CODE, OPENS})
    if shape == "uuid":  # most are ids
        named_by = (text[label.end : start] for label in labels if label.kind == NAME and label.end <= start)
        named = any(map(_re(_IS).fullmatch, named_by))
    if HARMLESS in beside or shape == "uuid":  # no commit looks like a password
        return named and shape in ("marked", "uuid")
    if named:
        return True
    around = any(gap <= AROUND // near for gap, kind, _ in gaps if kind == HARMLESS)
    is_set = bool(_re(r"(?:^|\s)[A-Z][A-Z0-9_]+=\Z").search(text, max(0, start - 60), start))  # a variable of the environment
    return not around and (
        (is_set and text[end - 1] in _MARKS) or ((typed or is_set) and _stands_alone(text, start, end, is_set=is_set))
    )


def _stands_alone(text: str, start: int, end: int, *, is_set: bool) -> bool:
    """Whether a value of which nothing is said is a word by itself, alphanumeric or like a made-up password, no short hash."""
    value = text[start:end]
    bare = value.rstrip("!?")
    spelled = len(bare) >= _LEET_CHARS and not _re(_NAME).fullmatch(bare) and bare.isalnum()  # "m4rbl3153!"
    exclaimed = value[-1] in "!?" and not text[end:].strip() and not spelled  # "we moved to postgres15!"
    whole = value.isalnum() and not _re(r"[0-9a-f]{0,23}").fullmatch(value)
    made_up = not exclaimed and bool(_re(_MADE_UP).fullmatch(value))
    # Letters of both cases, digits and marks by turns, as a program draws them, and no names joined by marks.
    classes = map(str.isupper, value), map(str.islower, value), map(str.isdigit, value), (mark in _MARKS for mark in value[:-1])
    pieces = [piece for piece in _re(f"[{re.escape(_MARKS)}]+").split(value) if piece]
    mixed = len(value) >= _MIXED_CHARS and all(map(any, classes)) and not all(map(_re(_NAME).fullmatch, pieces))
    return (whole or made_up or mixed) and (is_set or not _re(_INSIDE).search(text, max(0, start - 1), start))


def _labels(sentence: str, offset: int) -> list[_Label]:
    lower = sentence.lower() if len(sentence.lower()) == len(sentence) else sentence
    labels: list[_Label] = []
    spoken = list(_re(_WORD).finditer(lower))
    for at, match in enumerate(spoken):
        phrase, begin = match.group(), match.start()
        for back in range(4):
            labels += [_Label(kind, offset + begin, offset + match.end()) for kind in _kinds(phrase)]
            if (earlier := at - back - 1) < 0 or lower[spoken[earlier].end() : begin] not in (" ", "-", "'", "’"):
                break
            begin = spoken[earlier].start()
            phrase = f"{spoken[earlier].group()} {phrase}"
    if max(lower, default="") >= FIRST_SIGN:
        signs = ((kind, sign) for kind in _KINDS for sign in word_list(f"{kind}_signs"))
        spots = ((kind, found.span()) for kind, sign in signs for found in re.finditer(re.escape(sign), lower))
        labels += [_Label(kind, offset + start, offset + end) for kind, (start, end) in spots]
    return labels


@lru_cache(maxsize=4096)
def _kinds(phrase: str) -> tuple[str, ...]:
    """The kinds of words that a phrase is one of, begins or ends with, or has a part of."""

    def is_of(kind: str) -> bool:
        beginnings, ends, parts = (_list(f"{kind}_{where}") for where in ("beginnings", "ends", "parts"))
        whole = phrase in _list(kind) or phrase.startswith(beginnings) or phrase.endswith(ends)
        return whole or any(part in phrase for part in parts)

    return tuple(filter(is_of, _KINDS))
