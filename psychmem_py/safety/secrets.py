"""Secrets taken out of a text before its first byte is written anywhere; what one looks like is data (`secrets.tsv`)."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from psychmem_py.safety.told_values import FIRST_SIGN, is_harmless, spans_in
from psychmem_py.words import rows

_END = r"(?![A-Za-z0-9])"
_START = r"(?<![A-Za-z0-9])"
_VALUE = r"(?P<secret>\"[^\"\n]{3,}(?:\"|\Z)|'[^'\n]{3,}(?:'|\Z)|`[^`\n]{3,}`|[^\s\"'`,;)\]}]{3,})"
# Names of a secret in our users' languages, inside identifiers too (DB_PASSWORD), by a word in each; which of them are passwords.
_NAMED = [(*row, "", "")[:3] for row in rows("secret_names.tsv")]
_NAMES = {word: form or word for word, form, _ in _NAMED}
_PASSWORD_WORDS = tuple(word for word, _, kind in _NAMED if kind)
_SIGN = re.compile("<[A-Z]+>")


class SecretRule(NamedTuple):
    """One form of secret. Rules that differ in form only share a name: it is what stands for the secret in a redacted text."""

    name: str
    words: tuple[str, ...]  # lower case; one of them must be in the text
    pattern: str  # the group "secret", or the whole match, is the secret
    flags: int


def _rules() -> Iterator[SecretRule]:
    """The rows of `secrets.tsv`: name, words, pattern, flags, source, texts caught, texts left; ¦ parts several, ⏎ ends a line.
    Signs in angle brackets stand for what is above. A pattern that begins with … follows one of the words, as they are written.
    """
    words = {"<NAMES>": tuple(_NAMES), "<PASSWORDS>": _PASSWORD_WORDS}
    signs = {"<NAMES>": "|".join(_NAMES.values()), "<PASSWORDS>": "|".join(_NAMES[word] for word in _PASSWORD_WORDS)}
    signs |= {"<VALUE>": _VALUE, "<START>": _START, "<END>": _END}
    for name, starts, written, flags, *_ in rows("secrets.tsv"):
        behind = f"{_START}(?:{'|'.join(map(re.escape, starts.split('¦')))}){written[1:]}" if written[0] == "…" else ""
        pattern = behind or _SIGN.sub(lambda sign: signs[sign.group()], written)
        looked_for = words.get(starts) or tuple(starts.lower().replace("⏎", "\n").split("¦"))
        yield SecretRule(name, looked_for, pattern, {"": 0, "i": re.I, "s": re.DOTALL}[flags])


RULES = tuple(_rules())
_PLACEHOLDER = re.compile(
    r"^(?:<.*>|\[.*\]|\{.*\}|\$\{?.*|%.*%|\*+|x{3,}|\.{3,}|…+|#+|_+|-+|(?:your|my|the|some|example|sample|dummy|fake|test|changeme|change[_-]me|replace|insert|enter|todo|redacted|placeholder|"
    r"put)(?:[_-][\w-]*|(?-i:[a-z]*|[A-Z]*|(?:[A-Z][a-z]+)*))(?:here|key|token|secret|password|value)?|process\.env.*|os\.(?:environ|getenv).*|env[(.:].*|import\.meta.*|getenv.*|config\..*|settings\..*|secrets\..*|vault:.*|"
    r"ref:.*|!secret.*|\(.*|.*\(.*\)?|.*\[\w+|@\w+)$",
    re.IGNORECASE,
)
_PROSE = frozenset(  # what stands behind "password:" and is no secret: types, states, words of prose
    "string str text varchar char int integer number bool boolean any object none null nil undefined true false required optional missing empty invalid valid expired wrong correct incorrect "
    "not set unset stored saved hashed encrypted plain plaintext secret password token key keys value field input type public private process env default here there the a an and or in on of "
    "for to it its from with without that this must should will can cannot may is was are be been being has have had does too very only also now then when if where what which who whose used using "
    "varchar2 uuid jwt bearer basic oauth sha256 sha512 md5 bcrypt argon2 scrypt base64 utf8 utf-8 json yaml function const let var return await async new self cls request response header headers body "
    "prompt ask stdin manual auto vault keychain keyring literal budget budgets count counts limit limits usage used per max min total length size expiry lifetime rotation refresh access management manager provider service auth authentication reset "
    "es un una el la los las le du de des une et ou oder und ein eine der die das nicht non pas не и это в на по".split()
)
_COUNTED = re.compile(  # names that count or describe secrets: max_tokens, tokenLimit, password_length, keyboard, sort_key
    r"(?i:(?:max|min|num|total|input|output|prompt|completion|public|primary|foreign|sort|partition|cache|object|dict|unique|index|group|order|map|hot|short|arrow|row|column|i18n|"
    r"translation|csrf|css)[_.\s-]*(?:pass|key|token)|tokens$|(?:token|key|pass\w*|secret|session)[_.-]?(?:count|limit|length|size|type|name|id|ttl|expir\w*|budget|usage|field|path|file|"
    r"url|uri|prefix|hash|header|policy|min|max|manager|service|provider|store|storage)s?$|keyboard|keyword|keyframe|monkey|turkey|donkey|hockey|compass|bypass|passing|tokeniz|tokenis|"
    r"spinner|pinned|mapping|pincode_required|cred[io]t|saltbox)|[a-z](?:Count|Limit|Length|Size|Type|Name|Ttl|Url|Path|File)$"
)
_REFERENCE = re.compile(  # what stands for a value in code and prose: attributes, calls, colours, paths, mentions, markup
    r"^(?:[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+|#[0-9A-Fa-f]{3,8}|~?/[\w./@-]*|\.{1,2}/.*|@[\w./-]+|[<\[{(&|].*|\d{1,3}(?:\.\d+)?%?|[A-Z]{2,}(?:_[A-Z]+)+|https?://.*)$"
)
_CODE = re.compile(r"^(?!.*\d\D*\d\D*\d)[A-Za-z_]\w{0,30}$")  # an identifier with at most two digits
_PASSWORD = re.compile(r"(?i)(?:pass(?:word|wd|phrase)?|pwd)$")
_WORD_AND_DIGITS = re.compile(r"(?!(?i:pass|pwd))[A-Za-z]{4,30}\d{1,4}$")  # behind such a name no identifier
_NAMELIKE = re.compile(  # versions, files, paths, identifiers, units: what may follow the word "password" in prose
    r"^(?:v?\d[\d.]*\w{0,3}|[\w-]*/.*|[\w-]+\.[a-z]{1,5}|[a-z]+\d?|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?|[a-z]+(?:[_-][a-z]+)*\d?|[A-Z][A-Z_-]*\d{0,3}|#\d+|.*\(.*)$"
)
_HEXISH = re.compile(
    r"^(?:(?:sha(?:1|256|384|512)|md5)[-:]?)?[0-9a-f]{7,128}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    re.IGNORECASE,
)
_INTEGRITY = re.compile(r"^sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}$")
_LONG = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_=-])")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[+/_-]")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_PRIVATE = re.compile(r"(?i)[<＜]\s*(?P<ends>/?)\s*private\b(?P<more>[^<>＜＞]*)[>＞]")
_TRIGGERS = frozenset(word for rule in RULES for word in rule.words)
_compiled = cache(re.compile)  # at the first use
_IN_QUOTES = re.compile(r"""(["'])(?=[^\n]{0,99}?[^\x00-\u2e7f]|(?:[^\s"'`]+\s){2})[^\n]*?\1""")
# Until nothing changes, so that twice is the same as once: "pass=http://:p" is a URL's password first, then all of it is one.
_LOOKS = 12
PRIVATE = "[private]"  # in the place of such a block
CUT = "[REDACTED:"
_HEAD = re.compile(r"[\w.$@/-]{1,120}$")
# What agents number messages, sessions and calls with, and programs requests and orders: a ULID of our days begins with 01.
_OF_A_CLIENT = re.compile(
    r"^(?:01[0-9A-HJKMNP-TV-Z]{24}|(?:msg|ses|prt|req|toolu|call|evt)_[A-Za-z0-9]{8,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[-_]\w{1,12})$"
)
# A migration: 1740250000000-AddShares, V2024_03_11__drop_column, 2024_01_15_093000_create_tokens.
_DATED = re.compile(r"^[vV]?(?:\d{8,17}(?:T\d{4,6})?|\d{4}(?:[_-]\d\d){2}(?:[_-]\d{2,6})?)[-_]{1,2}[A-Za-z][A-Za-z_-]+$")
_ASSET = re.compile(r"\.(?:m?jsx?|css|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|webm|pdf|wasm|json|html?)\b")
_ADDRESS = re.compile(r"https?://\S*$", re.IGNORECASE)
_ADDRESS_CHARS, _FOLDER = 300, re.compile(r"[^/]{24,}")
_WIDE = {ord(sign) + 0xFEE0: sign for sign in string.ascii_letters + string.digits}  # letters and digits of full width


class Secret(NamedTuple):
    """A secret's place in a text."""

    kind: str
    start: int
    end: int


def redact_call(field: str, text: str) -> str:
    """A field of a tool call: errors, and sentences quoted in a command, are taken as typed."""
    if field == "error_line":
        return redact_typed(text)
    return _IN_QUOTES.sub(lambda part: redact_typed(part[0]), redact(text)) if field == "command" else redact(text)


def redact_typed(text: str) -> str:
    """`redact` for what a person typed, in which a drawn value has to say that it is harmless: a commit, an invoice, a port."""
    return redact(text, typed=True)


def redact(text: str, *, typed: bool = False) -> str:
    """`text` with every secret replaced by `[REDACTED:kind]` and every `<private>` block by `[private]`."""
    if "private" in text.lower():
        text = _without_private(text)
    for _ in range(_LOOKS):
        out, at = [], 0
        for secret in found(text, typed=typed):
            out += [text[at : secret.start], f"[REDACTED:{secret.kind}]"]
            at = secret.end
        if (cut := "".join(out) + text[at:]) == text:
            break
        text = cut
    return text


def _without_private(text: str) -> str:
    """`text` without what private tags enclose; an open one goes to the end, but with words (`<private key>`) it is none."""
    tags = list(_PRIVATE.finditer(text))
    closed = max((tag.start() for tag in tags if tag["ends"]), default=-1)
    out, at, depth = "", 0, 0
    for tag in tags:
        if tag["ends"] and depth:
            depth, at = depth - 1, tag.end()
        elif not tag["ends"] and (depth or not tag["more"].strip() or "=" in tag["more"] or tag.start() < closed):
            out += "" if depth else text[at : tag.start()] + PRIVATE
            depth += 1
    return out + ("" if depth else text[at:])


def found(text: str, *, typed: bool = False) -> list[Secret]:
    text = text if text.isascii() else text.translate(_WIDE)
    by_word = (Secret("assignment", *place) for place in spans_in(text, typed=typed) if not _is_placeholder(text[slice(*place)]))
    spans = {*_by_rule(text), *by_word, *_by_entropy(text)}
    kept: list[Secret] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, s.kind == "high_entropy", s.kind)):
        if kept and span.start < kept[-1].end:
            kept[-1] = kept[-1]._replace(end=max(span.end, kept[-1].end))
        else:
            kept.append(span)
    return kept


def _by_rule(text: str) -> Iterator[Secret]:
    lower = text.lower()
    seen = {word for word in _TRIGGERS if word in lower}  # one look for all rules: 48 -> 22 µs for a text that holds none
    for rule in RULES if seen else ():
        if seen.isdisjoint(rule.words):
            continue
        for match in _compiled(rule.pattern, rule.flags).finditer(text):
            group = "secret" if match.re.groupindex.get("secret") else 0
            named = match.groupdict()
            if "tail" in named:  # the head of the name is found backwards, as a pattern for it would try every possible start
                head = _HEAD.search(text[max(0, match.start() - 120) : match.start()])
                named["name"] = (head.group() if head else "") + match["tail"]
            if rule.name == "assignment" and "sign" in named and not _assigned(named["name"], match["sign"], match["secret"]):
                continue
            token = match.group()  # of a known form; one sign over and over, as in "ghp_xxxx…", makes an example of it
            if _is_placeholder(match["secret"]) if group else max(map(token.count, set(token))) > 0.6 * len(token):
                continue
            if rule.name == "login" and (_NAMELIKE.match(match["secret"]) or is_harmless(match["secret"].rstrip("!?"))):
                continue
            yield Secret(rule.name, *match.span(group))


def _is_placeholder(value: str) -> bool:
    return (bare := value.strip("\"'`.,;:!)")).startswith("[REDACTED") or bool(_PLACEHOLDER.match(bare)) or len(set(bare)) < 2


def _assigned(name: str, sign: str, value: str) -> bool:
    """Whether what stands behind `password =` is a value and not prose, a type, a reference, code or a hash."""
    quoted = value[:1] in "\"'`"
    bare = value.strip("\"'`.,;:!?)*")
    if _COUNTED.search(name) or len(bare) < 3 or bare.lower() in _PROSE or _is_placeholder(bare) or _REFERENCE.match(bare):
        return False
    sentence = max(bare) >= FIRST_SIGN and not any(c.isascii() and c.isalpha() for c in bare)  # 密码规则：至少12位
    if sentence or ((" " in sign or not sign.strip().isascii()) and is_harmless(bare)):
        return False
    digits, letters = any(c.isdigit() for c in bare), any(c.isalpha() for c in bare)
    marks = any(not c.isalnum() and c not in "_-'" and c < "\u0300" for c in bare)  # vowel signs of many scripts are none
    if quoted:
        return (digits or marks or bare != bare.lower()) and not _NAMELIKE.match(bare) if " " in sign else len(bare) >= 4
    tight = sign.strip() == sign and sign in {"=", ":="}
    if sign.strip() in {"=", ":=", "=>", ":", "：", "＝"}:
        code = _CODE.match(bare) and not (_WORD_AND_DIGITS.match(bare) and _PASSWORD.search(name))
        return (digits and (letters or len(bare) >= 4) and (tight or not code)) or marks or (tight and len(bare) >= 6)
    if not sign.strip():
        return len(bare) >= 6 and digits and letters and not _NAMELIKE.match(bare)
    return digits or (marks and len(bare) >= 6 and bare.isascii())


def _by_entropy(text: str) -> Iterator[Secret]:
    """Long runs that look drawn at random: many changes between letters, capitals and digits, and no hash, path or identifier."""
    for match in _LONG.finditer(text):
        token = match.group()
        before = text[max(0, match.start() - 12) : match.start()].lower()
        if before.endswith(("sha1-", "sha256-", "sha384-", "sha512-", "base64,", " h1:", "sha256:", "sha512:")):
            continue
        if any(harmless.match(token) for harmless in (_HEXISH, _INTEGRITY, _DATED, _OF_A_CLIENT)):
            continue
        parts = [match]
        if _ADDRESS.search(text[max(0, match.start() - _ADDRESS_CHARS) : match.start()]):
            # Its folders by themselves, and not the hashed name of a file to load.
            parts = [] if _ASSET.match(text, match.end()) else [*_FOLDER.finditer(text, *match.span())]
        elif (token.count("/") > 2 and "+" not in token and not token.endswith("=")) or _HEXISH.match(token.rpartition("_")[2]):
            continue  # a path, or a prefixed id: req_7d62c1e9cc3d
        for part in parts:
            if not _HEXISH.match(part.group()) and _random(part.group()):
                yield Secret("high_entropy", *part.span())


def _random(token: str) -> bool:
    pieces = [piece for piece in _PIECE.findall(token) if piece[0].isalnum()]
    digits = sum(c.isdigit() for c in token)
    if not pieces or digits > 0.7 * len(token):
        return False
    wordy = sum(len(piece) for piece in pieces if len(piece) >= 3 and piece.isalpha() and _VOWEL.search(piece)) / len(token)
    if token == token.lower() or token == token.upper():
        return digits >= 5 and wordy < 0.35
    # Drawn from base62 at 40 characters 0.25 (99 %: 0.57); identifiers 0.79 (1 %: 0.44), and those rarely hold three digits.
    return digits >= 1 and wordy < (0.62 if digits >= 3 else 0.4)
