"""Secrets taken out of a text before its first byte is written anywhere.

Rules are data: a kind, the literal words of which one must be present, and a pattern; a pattern is compiled only when one of its
words is in the text, so a text without secrets costs a few substring searches. Hashes, UUIDs, versions and placeholders stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class Secret(NamedTuple):
    """A secret's place in a text."""

    kind: str
    start: int
    end: int


class _Rule(NamedTuple):
    kind: str
    words: tuple[str, ...]  # lower case; one of them must be in the text
    pattern: str  # the group "secret", or the whole match, is the secret
    flags: int = 0


_END = r"(?![A-Za-z0-9])"
_START = r"(?<![A-Za-z0-9])"
_VALUE = r"(?P<secret>\"[^\"\n]{3,}\"|'[^'\n]{3,}'|`[^`\n]{3,}`|[^\s\"'`,;)\]}]{3,})"
# Words for a secret in the languages of our users; inside identifiers too (DB_PASSWORD, api.secretKey, spring.datasource.password).
_SECRET_NAMES = (
    r"pass(?:word|wd|phrase|code)?s?|pwd|secret(?:s|[_-]?key)?|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|private[_-]?key|"
    r"signing[_-]?key|encryption[_-]?key|client[_-]?secret|credentials?|creds|bearer|session[_-]?(?:id|key)|sessionid|salt|pin[_-]?code|otp|"
    r"contrase(?:ñ|n)a|clave|mot[\s_-]de[\s_-]passe|mdp|passwort|kennwort|senha|parola(?:[\s_-]d'ordine)?|wachtwoord|has(?:ł|l)o|şifre|sifre|"
    r"пароль|пароля|паролем|ключ|токен|секрет|密码|密碼|口令|密钥|密鑰|パスワード|暗証番号|秘密鍵|비밀번호|비번|암호|"
    r"كلمة[\s_](?:السر|المرور)|الباسورد|पासवर्ड|कुंजी"
)
_NAME_WORDS = (
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "cred",
    "bearer",
    "session",
    "salt",
    "pin",
    "otp",
    "contrase",
    "clave",
    "mot de",
    "mdp",
    "kennwort",
    "senha",
    "parola",
    "wachtwoord",
    "hasł",
    "hasl",
    "şifre",
    "sifre",
    "парол",
    "ключ",
    "токен",
    "секрет",
    "密码",
    "密碼",
    "口令",
    "密钥",
    "密鑰",
    "パスワード",
    "暗証番号",
    "秘密鍵",
    "비밀번호",
    "비번",
    "암호",
    "كلمة",
    "الباسورد",
    "पासवर्ड",
    "कुंजी",
)


def _prefixed(kind: str, *pairs: tuple[str, str]) -> tuple[_Rule, ...]:
    """One rule for each (literal prefix, rest as a pattern)."""
    return tuple(_Rule(kind, (prefix.lower(),), _START + re.escape(prefix) + rest) for prefix, rest in pairs)


_RULES: tuple[_Rule, ...] = (
    _Rule(
        "private_key",
        ("-----begin",),
        r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|SECRET)[A-Z0-9 ]*-----.*?(?:-----END [A-Z0-9 ]*-----|\Z)",
        re.DOTALL,
    ),
    _Rule("age_key", ("age-secret-key",), r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    _Rule("putty_key", ("private-lines",), r"Private-Lines: \d+\s+(?P<secret>(?:[A-Za-z0-9+/=]+\s*)+)"),
    _Rule("jwt", ("eyj",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    _Rule(
        "aws_key",
        ("akia", "asia", "abia", "acca", "aroa", "aida"),
        _START + r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}" + _END,
    ),
    *_prefixed(
        "github_token",
        ("ghp_", r"\w{30,}"),
        ("gho_", r"\w{30,}"),
        ("ghu_", r"\w{30,}"),
        ("ghs_", r"\w{30,}"),
        ("ghr_", r"\w{30,}"),
        ("github_pat_", r"\w{20,}"),
    ),
    _Rule("gitlab_token", ("gl",), _START + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w.-]{18,}"),
    _Rule("slack_token", ("xox", "xapp-"), _START + r"(?:xox[abceoprs]|xapp|xoxe\.xox[bp])-[\w-]{10,}"),
    _Rule(
        "webhook",
        ("hooks.slack.com", "discord", "webhook.office", "hooks.zapier", "chat.googleapis"),
        r"https://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/|[\w.-]*webhook\.office\.com/|hooks\.zapier\.com/hooks/|"
        r"chat\.googleapis\.com/v1/spaces/)[^\s\"'<>]{8,}",
    ),
    _Rule("stripe_key", ("k_live_", "k_test_", "whsec_"), _START + r"(?:(?:sk|rk|pk)_(?:live|test)_\w{10,}|whsec_\w{16,})"),
    _Rule("openai_key", ("sk-",), _START + r"sk-(?:proj-|svcacct-|admin-|ant-[\w]+-|or-v1-|None-|lf-)?[\w-]{16,}"),
    _Rule(
        "google_key",
        ("aiza", "ya29.", "gocspx-", "1//"),
        r"AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|(?<!\w)1//0[\w-]{30,}",
    ),
    *_prefixed(
        "api_token",
        ("npm_", r"[A-Za-z0-9]{30,}"),
        ("pypi-AgE", r"[\w-]{30,}"),
        ("hf_", r"[A-Za-z0-9]{30,}"),
        ("dop_v1_", r"[a-f0-9]{40,}"),
        ("doo_v1_", r"[a-f0-9]{40,}"),
        ("dor_v1_", r"[a-f0-9]{40,}"),
        ("dp.pt.", r"\w{30,}"),
        ("dp.st.", r"[\w.-]{30,}"),
        ("lin_api_", r"\w{30,}"),
        ("ntn_", r"\w{30,}"),
        ("secret_", r"[A-Za-z0-9]{32,}"),
        ("figd_", r"[\w-]{30,}"),
        ("shpat_", r"\w{24,}"),
        ("shpca_", r"\w{24,}"),
        ("shppa_", r"\w{24,}"),
        ("shpss_", r"\w{24,}"),
        ("sq0atp-", r"[\w-]{20,}"),
        ("sq0csp-", r"[\w-]{30,}"),
        ("pscale_tkn_", r"[\w.=-]{24,}"),
        ("pscale_pw_", r"[\w.=-]{24,}"),
        ("pscale_oauth_", r"[\w.=-]{24,}"),
        ("dapi", r"[a-f0-9]{32}"),
        ("hvs.", r"[\w-]{20,}"),
        ("hvb.", r"[\w-]{20,}"),
        ("PMAK-", r"[\w-]{30,}"),
        ("glc_", r"[\w+/=-]{30,}"),
        ("glsa_", r"\w{30,}"),
        ("NRAK-", r"\w{20,}"),
        ("NRII-", r"[\w-]{20,}"),
        ("NRJS-", r"\w{15,}"),
        ("sntrys_", r"[\w+/=-]{30,}"),
        ("sntryu_", r"\w{30,}"),
        ("sbp_", r"\w{30,}"),
        ("sb_secret_", r"\w{20,}"),
        ("nfp_", r"\w{30,}"),
        ("fo1_", r"[\w-]{30,}"),
        ("FlyV1 fm", r"[\w+/=,-]{30,}"),
        ("ATATT3", r"[\w=-]{40,}"),
        ("ATCTT3", r"[\w=-]{40,}"),
        ("ATBB", r"\w{24,}"),
        ("sl.", r"[\w-]{60,}"),
        ("CLOJARS_", r"\w{30,}"),
        ("rubygems_", r"\w{30,}"),
        ("dckr_pat_", r"[\w-]{20,}"),
        ("r8_", r"\w{30,}"),
        ("gsk_", r"\w{30,}"),
        ("pplx-", r"\w{30,}"),
        ("xai-", r"\w{30,}"),
        ("tvly-", r"[\w-]{20,}"),
        ("fc-", r"[a-f0-9]{32}"),
        ("re_", r"[A-Za-z0-9]{8,}_[A-Za-z0-9]{16,}"),
        ("key-", r"[a-f0-9]{32}"),
        ("LTAI", r"[A-Za-z0-9]{16,}"),
        ("AKID", r"[A-Za-z0-9]{28,}"),
        ("AQVN", r"[\w-]{30,}"),
        ("y0_", r"[\w-]{40,}"),
        ("HRKU-", r"[\w-]{30,}"),
        ("vercel_", r"\w{20,}"),
        ("cfut_", r"\w{30,}"),
        ("phc_", r"\w{30,}"),
        ("phx_", r"\w{30,}"),
        ("sk.eyJ", r"[\w.-]{20,}"),
        ("EAA", r"[A-Za-z0-9]{80,}"),
        ("shippo_live_", r"\w{30,}"),
        ("dt0c01.", r"[\w.]{60,}"),
        ("AstraCS:", r"[\w:]{40,}"),
        ("tfp_", r"\w{30,}"),
        ("ops_eyJ", r"[\w-]{40,}"),
        ("PSK-", r"[\w]{30,}"),
        ("lsv2_pt_", r"\w{30,}"),
        ("bkua_", r"\w{30,}"),
        ("pul-", r"[a-f0-9]{40}"),
        ("EZAK", r"\w{40,}"),
        ("duffel_live_", r"[\w-]{30,}"),
        ("ico-", r"\w{30,}"),
        ("xkeysib-", r"[\w-]{40,}"),
        ("oy2", r"[a-z0-9]{43}"),
    ),
    _Rule("terraform_token", (".atlasv1.",), r"\w{10,}\.atlasv1\.[\w=-]{30,}"),
    _Rule("airtable_token", ("pat",), _START + r"pat\w{14}\.[a-f0-9]{40,}"),
    _Rule("sendgrid_key", ("sg.",), _START + r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    _Rule("mailchimp_key", ("-us",), _START + r"[a-f0-9]{32}-us\d{1,2}" + _END),
    _Rule("twilio_key", ("sk",), _START + r"SK[a-f0-9]{32}" + _END),
    _Rule("telegram_token", (":aa",), _START + r"\d{8,10}:AA[\w-]{30,}"),
    _Rule("discord_token", ("m", "n", "o"), _START + r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    _Rule(
        "azure_key",
        ("accountkey=", "sharedaccesskey=", "sig="),
        r"(?:AccountKey|SharedAccessKey|SharedAccessSignature|[?&]sig)=(?P<secret>[A-Za-z0-9+/=%_-]{20,})",
        re.I,
    ),
    _Rule("url_password", ("://",), r"[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]*:(?P<secret>[^\s/@\"'<>]{2,})@", re.I),
    _Rule("url_token", ("://",), r"https?://(?P<secret>[A-Za-z0-9_-]{16,})@[\w.-]+", re.I),
    _Rule(
        "query_token",
        ("token=", "key=", "secret=", "password=", "signature=", "auth=", "code="),
        r"[?&#](?:[\w.-]*(?:token|key|secret|passw(?:or)?d|signature|auth)|code)=(?P<secret>[^\s&#\"'<>]{6,})",
        re.I,
    ),
    _Rule(
        "authorization",
        ("authorization", "bearer", "basic ", "token "),
        r"(?:authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token|digest|apikey|aws4-hmac-sha256)?\s*|(?<![\w-])bearer\s+|\"basic\s+)(?P<secret>[^\s\"',;<>]{8,})",
        re.I,
    ),
    _Rule(
        "header",
        ("x-", "api-key", "cookie"),
        r"(?:x-(?:[\w-]{0,40}-)?(?:api-?key|auth[\w-]{0,30}|token|secret|access[\w-]{0,30})|api-key|private-token)[\"']?\s*[:=]\s*[\"']?(?P<secret>[^\s\"',;]{6,})",
        re.I,
    ),
    _Rule("cookie", ("cookie",), r"(?:set-)?cookie[\"']?\s*:\s*[\"']?(?P<secret>[^\n\"']{6,})", re.I),
    _Rule(
        "basic_login",
        ("-u ", "--user", "-p", "sshpass", "pgpassword"),
        r"(?<!\S)(?:-u|--user)[\s=]+[\"']?[\w.@-]+:(?P<secret>[^\s\"']{3,})",
        re.I,
    ),
    _Rule(
        "password_option",
        ("mysql", "mongo", "redis-cli", "sshpass", "docker login", "--password", "-p"),
        r"(?:\b(?:mysql|mariadb|sshpass|redis-cli|mongo|docker\s+login)\w{0,20}\b[^\n|;&]{0,200}?\s-(?:p|a)\s?|--(?:password|passwd|pass|token|secret|api-key|auth)[=\s]+)[\"']?(?P<secret>[^\s\"'-][^\s\"']{2,})",
    ),
    _Rule("netrc", ("machine ",), r"machine\s+\S+\s+login\s+\S+\s+password\s+(?P<secret>\S+)", re.I),
    _Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?P<tail>(?:{_SECRET_NAMES})[\w.-]{{0,80}})[\"'\]`)*]*\s*\s*(?P<sign>\s?(?:=>|:=|=|:|：|＝))\s*{_VALUE}",
        re.I,
    ),
    _Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?P<name>{_SECRET_NAMES})[\"'`*]*\s*(?P<sign>(?:is|was|are|es|est|ist|è|é|jest|to|это|=|是|为|為|は|は、|는|은|هو|هي|है)\s*(?:now|now:|jetzt|ahora|:)?\s*)\s*{_VALUE}",
        re.I,
    ),
    _Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?:{_SECRET_NAMES})[\"'](?:\s*,|\s+value\s*=)\s*(?=[^\s]*\d)(?P<secret>\"[^\"\n]{{4,}}\"|'[^'\n]{{4,}}')",
        re.I,
    ),
    _Rule("assignment", ("pass", "identified by"), r"(?:password|passwd|identified\s+by)\s+(?P<secret>'[^'\n]{4,}')", re.I),
    _Rule(
        "assignment",
        ("pw", "pass", "رمز", "السري"),
        r"(?<![\w-])(?:pw|pword|رمز(?:\s+المرور)?|الرقم\s+السري)\s*[:=]\s*(?P<secret>[^\s\"',;]{4,})",
        re.I,
    ),
    _Rule(
        "stdin_password",
        ("--password-stdin",),
        r"(?:echo|printf)\s+(?:-n\s+)?[\"']?(?P<secret>[^\s\"'|]{4,})[\"']?\s*\|[^|\n]*--password-stdin",
    ),
    _Rule(
        "login",
        ("login", "creds", "credentials", "acceso", "zugang"),
        r"(?:login|creds|credentials|acceso|zugang)\s*[:=]\s*[\w.@-]+\s*[/:]\s*(?P<secret>(?=[^\s]*\d)[^\s\"',;]{6,})",
        re.I,
    ),
    # No sign at all ("and password X", "the password for staging is X", "пароль от базы X"): only a value that is clearly no word.
    _Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?P<name>{_SECRET_NAMES})(?P<sign>\s+)(?:[^\W\d]+\s+){{0,4}}?(?P<secret>[^\s\"'`,;)\]}}]*\d[^\s\"'`,;)\]}}]*)",
        re.I,
    ),
)

_PLACEHOLDER = re.compile(
    r"^(?:<.*>|\[.*\]|\{.*\}|\$\{?.*|%.*%|\*+|x{3,}|\.{3,}|…+|#+|_+|-+|(?:your|my|the|some|example|sample|dummy|fake|test|changeme|change[_-]me|replace|insert|enter|todo|redacted|placeholder|"
    r"put)[\w-]*(?:here|key|token|secret|password|value)?|process\.env.*|os\.(?:environ|getenv).*|env\(.*|env\..*|import\.meta.*|getenv.*|config\..*|settings\..*|secrets\..*|vault:.*|"
    r"ref:.*|!secret.*|\(.*|.*\(.*\)?|.*\[\w+|@\w+)$",
    re.IGNORECASE,
)
_WORDS = frozenset(
    "string str text varchar char int integer number bool boolean any object none null nil undefined true false required optional missing empty invalid valid expired wrong correct incorrect "
    "not set unset stored saved hashed encrypted plain plaintext secret password token key keys value field input type public private process env default here there the a an and or in on of "
    "for to it its from with without that this must should will can cannot may is was are be been being has have had does too very only also now then when if where what which who whose used using "
    "uuid jwt bearer basic oauth sha256 sha512 md5 bcrypt argon2 scrypt base64 utf8 utf-8 json yaml function const let var return await async new self cls request response header headers body "
    "budget budgets count counts limit limits usage used per max min total length size expiry lifetime rotation refresh access management manager provider service auth authentication reset "
    "es un una el la los las le du de des une et ou oder und ein eine der die das nicht non pas не и это в на по".split()
)
# Names that count or describe secrets: max_tokens, tokenLimit, password_length, keyboard, sort_key, public_key.
_COUNTED = re.compile(
    r"(?i:(?:max|min|num|total|input|output|prompt|completion|public|primary|foreign|sort|partition|cache|object|dict|unique|index|group|order|map|hot|short|arrow|row|column|i18n|"
    r"translation|csrf|css)[_.\s-]*(?:pass|key|token)|tokens$|(?:token|key|pass\w*|secret|session)[_.-]?(?:count|limit|length|size|type|name|id|ttl|expir\w*|budget|usage|field|path|file|"
    r"url|uri|prefix|hash|header|policy|min|max|manager|service|provider|store|storage)s?$|keyboard|keyword|keyframe|monkey|turkey|donkey|hockey|compass|bypass|passing|tokeniz|tokenis|"
    r"spinner|pinned|mapping|pincode_required|cred[io]t|saltbox)|[a-z](?:Count|Limit|Length|Size|Type|Name|Ttl|Url|Path|File)$"
)
# What stands for a value in code and prose: attributes, calls, colours, paths, mentions, markup.
_REFERENCE = re.compile(
    r"^(?:[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+|#[0-9A-Fa-f]{3,8}|~?/[\w./@-]*|\.{1,2}/.*|@[\w./-]+|[<\[{(&|].*|\d{1,3}(?:\.\d+)?%?|[A-Z]{2,}(?:_[A-Z]+)+|https?://.*)$"
)
_CODE = re.compile(r"^(?!.*\d\D*\d\D*\d)[A-Za-z_]\w{0,30}$")  # an identifier with at most two digits
# Versions, files, paths, identifiers, units: what may follow the word "password" in prose.
_NAMELIKE = re.compile(
    r"^(?:v?\d[\d.]*\w{0,3}|[\w-]*/.*|[\w-]+\.[a-z]{1,5}|[a-z]+\d?|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?|[a-z]+(?:[_-][a-z]+)*\d?|[A-Z]+(?:[_-]?[A-Z]*)*\d{0,3}|#\d+|.*\(.*)$"
)
_HEXISH = re.compile(
    r"^(?:(?:sha(?:1|256|384|512)|md5)[-:]?)?[0-9a-f]{7,128}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    re.IGNORECASE,
)
_INTEGRITY = re.compile(r"^sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}$")
_LONG = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_=-])")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[+/_-]")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)


_TRIGGERS = frozenset(word for rule in _RULES for word in rule.words)


@cache
def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def redact(text: str) -> str:
    """`text` with every secret replaced by `[REDACTED:kind]` and every `<private>` block by `[private]`."""
    if "<private>" in text.lower():
        text = _PRIVATE.sub("[private]", text)
    for _ in range(_LOOKS):
        spans = found(text)
        if not spans:
            break
        cut = _without(text, spans)
        if cut == text:
            break
        text = cut
    return text


# What one secret hides another may show: "pass=http://:p" is a password of a URL first, then all of it a password. Looking again until
# nothing changes makes redacting twice the same as once.
_LOOKS = 4


def _without(text: str, spans: list[Secret]) -> str:
    out, at = [], 0
    for secret in spans:
        out += [text[at : secret.start], f"[REDACTED:{secret.kind}]"]
        at = secret.end
    return "".join(out) + text[at:]


def found(text: str) -> list[Secret]:
    """The secrets in `text`, in order, not overlapping."""
    spans = sorted({*_by_rule(text), *_by_entropy(text)}, key=lambda s: (s.start, -s.end, s.kind == "high_entropy", s.kind))
    kept: list[Secret] = []
    for span in spans:
        if kept and span.start < kept[-1].end:
            if span.end > kept[-1].end:
                kept[-1] = kept[-1]._replace(end=span.end)
            continue
        kept.append(span)
    return kept


def _by_rule(text: str) -> Iterator[Secret]:
    lower = text.lower()
    seen = {word for word in _TRIGGERS if word in lower}  # one look for all rules: 48 -> 22 µs for a text that holds none
    for rule in _RULES if seen else ():
        if seen.isdisjoint(rule.words):
            continue
        for match in _compiled(rule.pattern, rule.flags).finditer(text):
            group = "secret" if match.re.groupindex.get("secret") else 0
            if (
                rule.kind == "assignment"
                and "sign" in match.re.groupindex
                and (_COUNTED.search(_name(match)) or not _assigned(match["sign"], match["secret"]))
            ):
                continue
            if group and _is_placeholder(match["secret"]):
                continue
            start, end = match.span(group)
            yield Secret(rule.kind, start, end)


def _name(match: re.Match[str]) -> str:
    """The name of what is assigned. A pattern that begins with what may stand before a word like "password" would try every such start."""
    if "tail" not in match.re.groupindex:
        return match["name"]
    head = match.string[max(0, match.start() - _HEAD_CHARS) : match.start()]
    before = _HEAD.search(head)
    return (before.group() if before else "") + match["tail"]


_HEAD_CHARS = 120
_HEAD = re.compile(r"[\w.$@/-]{1,120}$")


def _is_placeholder(value: str) -> bool:
    bare = value.strip("\"'`.,;:!)")
    return bare.startswith("[REDACTED") or bool(_PLACEHOLDER.match(bare)) or len(set(bare)) < 2


def _assigned(sign: str, value: str) -> bool:
    """Whether what stands behind `password =` is a value and not prose, a type, a reference, code or a hash."""
    quoted = value[:1] in "\"'`"
    bare = value.strip("\"'`.,;:!?)*")
    if len(bare) < 3 or bare.lower() in _WORDS or _is_placeholder(bare) or _uuid(bare) or _REFERENCE.match(bare):
        return False
    digits, letters = any(c.isdigit() for c in bare), any(c.isalpha() for c in bare)
    marks = any(not c.isalnum() and c not in "_-'" for c in bare)
    if quoted:
        return (digits or marks or bare != bare.lower()) and not _NAMELIKE.match(bare) if " " in sign else len(bare) >= 4
    tight = sign.strip() == sign and sign in {"=", ":="}
    if sign.strip() in {"=", ":=", "=>", ":", "：", "＝"}:
        return (
            (digits and (letters or len(bare) >= 4) and not (_CODE.match(bare) and not tight))
            or marks
            or (tight and len(bare) >= 6)
        )
    if not sign.strip():
        return len(bare) >= 6 and digits and letters and not _NAMELIKE.match(bare)
    return digits or (marks and len(bare) >= 6 and bare.isascii())


def _uuid(bare: str) -> bool:
    return bool(re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", bare, re.IGNORECASE))


def _by_entropy(text: str) -> Iterator[Secret]:
    """Long runs that look drawn at random: many changes between letters, capitals and digits, and no hash, path or identifier."""
    for match in _LONG.finditer(text):
        token = match.group()
        before = text[max(0, match.start() - 12) : match.start()].lower()
        if (
            _HEXISH.match(token)
            or _INTEGRITY.match(token)
            or before.endswith(("sha1-", "sha256-", "sha384-", "sha512-", "base64,"))
        ):
            continue
        if token.count("/") > 2 and "+" not in token and not token.endswith("="):
            continue  # a path
        if _HEXISH.match(token.rpartition("_")[2]):
            continue  # a prefixed id: req_7d62c1e9cc3d
        if _random(token):
            yield Secret("high_entropy", match.start(), match.end())


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
