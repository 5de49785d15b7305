"""What a secret looks like: one rule a kind, and the words that wake it."""

from __future__ import annotations

import re
from typing import NamedTuple


class Rule(NamedTuple):
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


def _prefixed(kind: str, *pairs: tuple[str, str]) -> tuple[Rule, ...]:
    """One rule for each (literal prefix, rest as a pattern)."""
    return tuple(Rule(kind, (prefix.lower(),), _START + re.escape(prefix) + rest) for prefix, rest in pairs)


RULES: tuple[Rule, ...] = (
    Rule(
        "private_key",
        ("-----begin",),
        r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|SECRET)[A-Z0-9 ]*-----.*?(?:-----END [A-Z0-9 ]*-----|\Z)",
        re.DOTALL,
    ),
    Rule("age_key", ("age-secret-key",), r"AGE-SECRET-KEY-1[A-Z0-9]{20,}"),
    Rule("putty_key", ("private-lines",), r"Private-Lines: \d+\s+(?P<secret>(?:[A-Za-z0-9+/=]+\s*)+)"),
    Rule("jwt", ("eyj",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    Rule(
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
    Rule("gitlab_token", ("gl",), _START + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w.-]{18,}"),
    Rule("slack_token", ("xox", "xapp-"), _START + r"(?:xox[abceoprs]|xapp|xoxe\.xox[bp])-[\w-]{10,}"),
    Rule(
        "webhook",
        ("hooks.slack.com", "discord", "webhook.office", "hooks.zapier", "chat.googleapis"),
        r"https://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/|[\w.-]*webhook\.office\.com/|hooks\.zapier\.com/hooks/|"
        r"chat\.googleapis\.com/v1/spaces/)[^\s\"'<>]{8,}",
    ),
    Rule("stripe_key", ("k_live_", "k_test_", "whsec_"), _START + r"(?:(?:sk|rk|pk)_(?:live|test)_\w{10,}|whsec_\w{16,})"),
    Rule("openai_key", ("sk-",), _START + r"sk-(?:proj-|svcacct-|admin-|ant-[\w]+-|or-v1-|None-|lf-)?[\w-]{16,}"),
    Rule(
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
    Rule("terraform_token", (".atlasv1.",), r"\w{10,}\.atlasv1\.[\w=-]{30,}"),
    Rule("airtable_token", ("pat",), _START + r"pat\w{14}\.[a-f0-9]{40,}"),
    Rule("sendgrid_key", ("sg.",), _START + r"SG\.[\w-]{16,}\.[\w-]{16,}"),
    Rule("mailchimp_key", ("-us",), _START + r"[a-f0-9]{32}-us\d{1,2}" + _END),
    Rule("twilio_key", ("sk",), _START + r"SK[a-f0-9]{32}" + _END),
    Rule("telegram_token", (":aa",), _START + r"\d{8,10}:AA[\w-]{30,}"),
    Rule("discord_token", ("m", "n", "o"), _START + r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    Rule(
        "azure_key",
        ("accountkey=", "sharedaccesskey=", "sig="),
        r"(?:AccountKey|SharedAccessKey|SharedAccessSignature|[?&]sig)=(?P<secret>[A-Za-z0-9+/=%_-]{20,})",
        re.I,
    ),
    Rule("url_password", ("://",), r"[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]*:(?P<secret>[^\s/@\"'<>]{2,})@", re.I),
    Rule("url_token", ("://",), r"https?://(?P<secret>[A-Za-z0-9_-]{16,})@[\w.-]+", re.I),
    Rule(
        "query_token",
        ("token=", "key=", "secret=", "password=", "signature=", "auth=", "code="),
        r"[?&#](?:[\w.-]*(?:token|key|secret|passw(?:or)?d|signature|auth)|code)=(?P<secret>[^\s&#\"'<>]{6,})",
        re.I,
    ),
    Rule(
        "authorization",
        ("authorization", "bearer", "basic ", "token "),
        r"(?:authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token|digest|apikey|aws4-hmac-sha256)?\s*|(?<![\w-])bearer\s+|\"basic\s+)(?P<secret>[^\s\"',;<>]{8,})",
        re.I,
    ),
    Rule(
        "header",
        ("x-", "api-key", "cookie"),
        r"(?:x-(?:[\w-]{0,40}-)?(?:api-?key|auth[\w-]{0,30}|token|secret|access[\w-]{0,30})|api-key|private-token)[\"']?\s*[:=]\s*[\"']?(?P<secret>[^\s\"',;]{6,})",
        re.I,
    ),
    Rule("cookie", ("cookie",), r"(?:set-)?cookie[\"']?\s*:\s*[\"']?(?P<secret>[^\n\"']{6,})", re.I),
    Rule(
        "basic_login",
        ("-u ", "--user", "-p", "sshpass", "pgpassword"),
        r"(?<!\S)(?:-u|--user)[\s=]+[\"']?[\w.@-]+:(?P<secret>[^\s\"']{3,})",
        re.I,
    ),
    Rule(
        "password_option",
        ("mysql", "mongo", "redis-cli", "sshpass", "docker login", "--password", "-p"),
        r"(?:\b(?:mysql|mariadb|sshpass|redis-cli|mongo|docker\s+login)\w{0,20}\b[^\n|;&]{0,200}?\s-(?:p|a)\s?|--(?:password|passwd|pass|token|secret|api-key|auth)[=\s]+)[\"']?(?P<secret>[^\s\"'-][^\s\"']{2,})",
    ),
    Rule("netrc", ("machine ",), r"machine\s+\S+\s+login\s+\S+\s+password\s+(?P<secret>\S+)", re.I),
    Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?P<tail>(?:{_SECRET_NAMES})[\w.-]{{0,80}})[\"'\]`)*]*\s*\s*(?P<sign>\s?(?:=>|:=|=|:|：|＝))\s*{_VALUE}",
        re.I,
    ),
    Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?P<name>{_SECRET_NAMES})[\"'`*]*\s*(?P<sign>(?:is|was|are|es|est|ist|è|é|jest|to|это|=|是|为|為|は|は、|는|은|هو|هي|है)\s*(?:now|now:|jetzt|ahora|:)?\s*)\s*{_VALUE}",
        re.I,
    ),
    Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?:{_SECRET_NAMES})[\"'](?:\s*,|\s+value\s*=)\s*(?=[^\s]*\d)(?P<secret>\"[^\"\n]{{4,}}\"|'[^'\n]{{4,}}')",
        re.I,
    ),
    Rule("assignment", ("pass", "identified by"), r"(?:password|passwd|identified\s+by)\s+(?P<secret>'[^'\n]{4,}')", re.I),
    Rule(
        "assignment",
        ("pw", "pass", "رمز", "السري"),
        r"(?<![\w-])(?:pw|pword|رمز(?:\s+المرور)?|الرقم\s+السري)\s*[:=]\s*(?P<secret>[^\s\"',;]{4,})",
        re.I,
    ),
    Rule(
        "stdin_password",
        ("--password-stdin",),
        r"(?:echo|printf)\s+(?:-n\s+)?[\"']?(?P<secret>[^\s\"'|]{4,})[\"']?\s*\|[^|\n]*--password-stdin",
    ),
    Rule(
        "login",
        ("login", "creds", "credentials", "acceso", "zugang"),
        r"(?:login|creds|credentials|acceso|zugang)\s*[:=]\s*[\w.@-]+\s*[/:]\s*(?P<secret>(?=[^\s]*\d)[^\s\"',;]{6,})",
        re.I,
    ),
    # No sign at all ("and password X", "the password for staging is X", "пароль от базы X"): only a value that is clearly no word.
    Rule(
        "assignment",
        _NAME_WORDS,
        rf"(?P<name>{_SECRET_NAMES})(?P<sign>\s+)(?:[^\W\d]+\s+){{0,4}}?(?P<secret>[^\s\"'`,;)\]}}]*\d[^\s\"'`,;)\]}}]*)",
        re.I,
    ),
)
