"""Secrets that a person names in ordinary words: "the password for staging: …", "api key - …", "login is admin / …", in a table or brackets.

A name, at most five words, perhaps a sign, a value. The weaker the sign, the more the value itself must look drawn and not like a word,
a version, an algorithm or a file. Every part of a pattern has an upper bound, so a search costs no more than its text is long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from psychmem_py.safety.secret_rules import is_a_usual_shape

_PASSWORDS = (
    r"pass(?:word|wd|phrase|code|wort|)s?|pwd|pw|mot[ _-]de[ _-]passe|mdp|kennwort|contrase(?:ñ|n)a|clave|senha|parola|wachtwoord|has[łl][oa]|şifre|sifre"
    r"|парол|密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|암호|كلمة[ _](?:ال)?(?:سر|مرور)|الباسورد|पासवर्ड|auth[ _-]string"
)
_KEYS = (
    r"(?:api|access|secret|private|auth|signing|encryption|client|subscription|licen[cs]e|deploy|webhook|consumer|shared|master|app|service|account)[ ._-]?(?:key|secret|token)|token|secret"
    r"|clé[ ](?:d['’](?:api|accès)|secrète|privée)|jeton|(?:api[ -]|geheim|zugriffs|zugangs)schlüssel|klucz(?:a|em)?[ ](?:api|tajny|prywatny|dostępu)|(?:api|gizli|özel|erişim)[ -]anahtar"
    r"|api[ -]?sleutel|(?:chiave|chave)[ ](?:di[ ]|de[ ])?(?:api|segreta|secreta|privata|privada|accesso|acesso)|ключ[ ](?:api|доступа)|(?:api[ -]|секретный[ ]|приватный[ ])ключ"
    r"|токен|секрет|密钥|密鑰|令牌|秘密鍵|api[ ]?キー|トークン|api[ ]?키|토큰|مفتاح|कुंजी"
)
_LOGINS = r"log[ -]?in|creds|credentials|credenciais|credenciales|credenziali|zugangsdaten|anmeldedaten|zugang|identifiants|acceso|inloggegevens|dane[ ]logowania|giriş[ ]bilgileri|логин|账号|帳號|アカウント|계정|basic[ ]auth|logged[ ]in|sign[ -]?in"
# What must be in a text, in lower case, for any of it to be looked for.
WORDS = tuple(
    "pass pwd pw mdp kennwort contrase clave senha parola wachtwoord hasł hasl hasła şifre sifre парол 密码 密碼 口令 パスワード 暗証番号 비밀번호 비번 암호 كلمة الباسورد पासवर्ड "
    "key secret token schlüssel clé jeton klucz anahtar sleutel chiave chave ключ токен секрет 密钥 密鑰 令牌 秘密鍵 キー トークン 키 토큰 مفتاح कुंजी log sign auth creds credenc credent credenz zugang anmelde identif acceso inlog giriş логин "
    "账号 帳號 アカウント 계정".split()
)
_REMARK = r"(?:[ \t]?[(（\[][^()（）\[\]\n]{1,40}[)）\]](?=[ \t]{0,3}(?:[:：=→|]|->)))?"
_SIGN = r"[ \t]{0,3}(?P<sign>[:：=]|[-=]>|→|[|(（\[]|>(?=\S)|,(?=[ \t])|(?<=[ \t])[-–—](?=[ \t])|)"
_OPENING = r"[ \t|\"'`*(]{0,4}(?:это[ \t]{1,3})?"
_VALUE = r"(?P<secret>[^\s\"'`,;|()\[\]{}<>（）、。，「」]{4,200})"
_BETWEEN = r"(?P<between>(?:[ \t]{1,3}[^\W\d_]{1,20}(?:['’@.-]\w{1,20})?(?=[\s:：=|(（→]|[-=]>)){0,8})"


@cache
def _named() -> re.Pattern[str]:
    # A script without spaces writes the particle directly behind the name: 密码是X, パスワードはX, 비밀번호는 X.
    return re.compile(
        rf"(?:(?P<password>{_PASSWORDS})|(?P<key>{_KEYS}))(?P<ending>[^\W\d_a-z]{{0,4}}|[a-zа-яşıçğüö_]{{0,8}})(?:['’]s)?[\"'`*\])]{{0,3}}"
        rf"{_BETWEEN}{_REMARK}{_SIGN}{_OPENING}{_VALUE}",
        re.IGNORECASE,
    )


@cache
def _login() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_LOGINS})\w{{0,4}}(?:[ \t]{{1,3}}[^\W\d_]{{1,20}}(?=[\s:：=])){{0,4}}{_REMARK}[ \t]{{0,3}}[:：=]?[ \t\"'`]{{0,3}}[\w.@+-]{{1,40}}(?:[ \t]{{0,2}}[/:|,]|[ \t]{{1,3}}(?:with|mit|avec|con|com|met|z))[ \t\"'`]{{0,2}}{_VALUE}",
        re.IGNORECASE,
    )


@cache
def _at_host() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w./@:-])(?!npm:|yarn:|patch:)[\w.-]{1,40}:(?P<secret>[^\s:@/\"'<>]{6,80})@(?!sha256|latest|next|beta|\d(?!\d{0,2}(?:\.\d{1,3}){3}\b))[\w.-]{2,80}"
    )


@cache
def _admin() -> re.Pattern[str]:
    return re.compile(r"(?<![\w./@-])(?:root|admin)[ ]?/[ ]?(?P<secret>[^\s\"'`,;|()\[\]{}<>/]{6,80})(?![^\s.,;])", re.IGNORECASE)


@cache
def _as_the() -> re.Pattern[str]:
    return re.compile(
        rf"(?<=[\s\"'`])(?:as|is|als|ist|como|es|comme|est|come|é|è|jako|jest|как|это)[ \t]{{1,3}}(?:[^\W\d_]{{1,12}}[ \t]{{1,3}}){{0,3}}(?:{_PASSWORDS})\b",
        re.IGNORECASE,
    )


_AHEAD_CHARS = 80
_LAST = re.compile(r"(?<!\S)[\"'`*]{0,3}(?P<secret>[^\s\"'`]{5,70})[\"'`*]{0,3}\s$")
_IS = frozenset(
    "is was are be being to's c'est es era ist war lautet est était è era é jest brzmi to это hai है는 هو هي olarak now jetzt ahora set".split()
)

_NAMELIKE = re.compile(
    r"^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d{0,2}|[a-z]+(?:[_-][a-z]+)*[_-]?\d{0,2}|[A-Z]+(?:[_-][A-Z]+)*[_-]?\d{0,3})$"
)
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z0-9]")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_COLOUR = re.compile(r"^#[0-9A-Fa-f]{3,8}$|^#\d+$|^\$\w+$")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FIRST_UNSPACED = "\u3000"  # what stands in scripts without spaces is a sentence: 至少12位
_MARKS = frozenset("!@#$%^&*+?~=")
_WORDY = 0.5
_WORDY_LONG = 0.65


def spoken(text: str) -> Iterator[tuple[int, int]]:
    """First and last offset of every secret that `text` names in words."""
    lower = text.lower()
    if any(word in lower for word in WORDS):
        yield from _values(text, _named(), _is_named)
        yield from _values(text, _login(), lambda match: _looks_like_password(_bare(match)))
        yield from _said_before(text)
        if text.count("|") > 3:
            yield from _in_columns(text)
    if "/" in text and ("root" in lower or "admin" in lower):
        yield from _values(text, _admin(), lambda match: _looks_like_password(_bare(match)))
    if "@" in text:
        yield from _values(text, _at_host(), lambda match: _looks_like_password(_bare(match)))


def _values(text: str, pattern: re.Pattern[str], holds: object) -> Iterator[tuple[int, int]]:
    at = 0
    while match := pattern.search(text, at):
        if holds(match):  # type: ignore[operator]
            start = match.start("secret")
            yield start, start + len(_bare(match))
            at = match.end()
        else:
            at = match.end("password") if pattern.groupindex.get("password") and match["password"] else match.start() + 2


def _said_before(text: str) -> Iterator[tuple[int, int]]:
    """A password in front of its name: "use X as the password"."""
    for match in _as_the().finditer(text):
        before = text[max(0, match.start() - _AHEAD_CHARS) : match.start()]
        if (last := _LAST.search(before)) and _looks_like_password(last["secret"]) and not _NAMELIKE.match(last["secret"]):
            start = match.start() - len(before) + last.start("secret")
            yield start, start + len(last["secret"])


def _in_columns(text: str) -> Iterator[tuple[int, int]]:
    """Passwords in a table whose first row names the column."""
    named: list[int] = []
    at = 0
    for line in text.splitlines(keepends=True):
        cells = line.split("|")
        if len(cells) < 3:
            named = []
        elif not named:
            named = [column for column, cell in enumerate(cells) if _heading_names().fullmatch(cell)]
        else:
            for column in named:
                value = cells[column].strip(" \t`\r\n").removeprefix("**").removesuffix("**") if column < len(cells) else ""
                if " " not in value and _looks_like_password(value):
                    start = at + len("|".join(cells[:column])) + (column > 0) + cells[column].index(value)
                    yield start, start + len(value)
        at += len(line)


@cache
def _heading_names() -> re.Pattern[str]:
    return re.compile(rf"[ \t*]{{0,5}}(?:\w{{1,12}}[ _-])?(?:{_PASSWORDS}|{_KEYS})[ \t*]{{0,5}}", re.IGNORECASE)


def _bare(match: re.Match[str]) -> str:
    """The value without the marks of the sentence or of emphasis behind it; one mark behind a digit is the password's own: "marble58!"."""
    whole = match["secret"].rstrip(".,:;_。")
    bare = whole.rstrip("!?*")
    return whole if len(whole) == len(bare) + 1 and bare[-1:].isdigit() else bare.rstrip(".,:;_。")


def _is_named(match: re.Match[str]) -> bool:
    """Whether what is named is a secret. The costliest question comes last: most values are refused before it."""
    value = _bare(match)
    return _may_be_named(match, value) and not is_a_usual_shape(value.rstrip("!?*"))


def _may_be_named(match: re.Match[str], value: str) -> bool:
    sign, between = match["sign"], match["between"].lower().split()
    if value.startswith(("${", "%(", "<", "@", "-", "\\")) or _COLOUR.match(value):
        return False
    if match["password"] is None:
        strong = bool(sign) or (between and between[-1] in _IS) or not match["ending"].isascii()
        return bool(strong and sign not in ("(", "（") and (_UUID.fullmatch(value) or _is_drawn(value)))
    if match["password"].lower() in ("pass", "pw", "pwd", "clave") and not sign and (not between or between[-1] not in _IS):
        return False
    if sign in (":", "：", "=", "->", "=>", "→", "|") or (between and between[-1] in _IS):
        return bool(_UUID.fullmatch(value)) or _looks_like_password(value)
    if sign or not between:  # brackets, a dash, nothing at all
        return len(value) >= 7 and _looks_like_password(value)
    value = value.rstrip("!?*")
    numbered = not _MARKS.isdisjoint(value) or sum(map(str.isdigit, value)) >= 4
    return _is_drawn(value) or (len(value) >= 8 and numbered and _looks_like_password(value) and "@" not in value)


def _looks_like_password(value: str) -> bool:
    """Letters with digits or marks, and neither a name with a number nor a thing of the trade."""
    if len(value) < 5 or value.isalpha() or not any(char.isalpha() and char < FIRST_UNSPACED for char in value):
        return False  # of letters alone it has neither digit nor mark
    marked = not _MARKS.isdisjoint(value)
    telling = marked or (any(map(str.isdigit, value)) and not _NAMELIKE.match(value))
    return telling and not is_a_usual_shape(value.rstrip("!?*"))


def _is_drawn(value: str) -> bool:
    """At least ten signs, letters and digits, of which less than half stand in pronounceable pieces, of long ones less than two thirds."""
    digits = sum(map(str.isdigit, value))
    if len(value) < 10 or not digits or not any(map(str.isalpha, value)):
        return False
    pieces = [piece for piece in _PIECE.findall(value) if len(piece) >= 3 and piece.isalpha() and _VOWEL.search(piece)]
    return sum(map(len, pieces)) / len(value) < (_WORDY_LONG if len(value) >= 20 + 4 * (digits < 3) else _WORDY)
