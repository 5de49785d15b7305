"""What a secret looks like: rules as data, each with where its form comes from, texts it catches and texts it leaves.

A rule's pattern is compiled only when one of its words is in the text (`secrets`). A test holds every rule to its own examples, alone and
in what people write around them; the signs for drawn characters in them (`{36}`, `{32x}`) are drawn by `tests/safety/test_secret_rules.py`.
And what people write about passwords and keys that is none.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

RuleRow = tuple[str, tuple[str, ...], str, str, tuple[str, ...], tuple[str, ...]]

# fmt: off
TOKENS: tuple[RuleRow, ...] = (
    ("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\w{30,}", "GitHub", ("ghp_{36}", "ghs_{36}"), ("ghp_token_name",)),
    ("github_token", ("github_pat_",), r"\w{20,}", "GitHub, fine-grained", ("github_pat_{22}_{59}",), ("github_pat_old",)),
    ("npm_token", ("npm_",), r"[A-Za-z0-9]{30,}", "npm", ("npm_{36}",), ("npm_config_registry", "npm_lifecycle_event")),
    ("pypi_token", ("pypi-AgE",), r"[\w-]{30,}", "PyPI", ("pypi-AgEIcHlwaS5vcmc{70}",), ("pypi-server", "pypi-publish")),
    ("huggingface_token", ("hf_",), r"[A-Za-z0-9]{30,}", "Hugging Face", ("hf_{34}",), ("hf_hub_download", "hf_transfer")),
    ("digitalocean_token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"[a-f0-9]{40,}", "DigitalOcean", ("dop_v1_{64x}", "dor_v1_{64x}"), ("dop_v1_name",)),
    ("doppler_token", ("dp.pt.",), r"\w{30,}", "Doppler, personal", ("dp.pt.{43}",), ("dp.pt.name",)),
    ("doppler_token", ("dp.st.",), r"[\w.-]{30,}", "Doppler, service", ("dp.st.dev.{43}",), ("dp.st.name",)),
    ("linear_token", ("lin_api_",), r"\w{30,}", "Linear", ("lin_api_{40}",), ("lin_api_client",)),
    ("notion_token", ("ntn_",), r"\w{30,}", "Notion", ("ntn_{46}",), ("ntn_page",)),
    ("notion_token", ("secret_",), r"[A-Za-z0-9]{32,}", "Notion, older", ("secret_{43}",), ("secret_name", "secret_manager_path")),
    ("figma_token", ("figd_",), r"[\w-]{30,}", "Figma", ("figd_{40}",), ("figd_file",)),
    ("shopify_token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"\w{24,}", "Shopify", ("shpat_{32x}", "shpss_{32x}"), ("shpat_name",)),
    ("square_token", ("sq0atp-",), r"[\w-]{20,}", "Square, access", ("sq0atp-{22}",), ("sq0atp-old",)),
    ("square_token", ("sq0csp-",), r"[\w-]{30,}", "Square, application", ("sq0csp-{43}",), ("sq0csp-old",)),
    ("planetscale_token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), r"[\w.=-]{24,}", "PlanetScale", ("pscale_tkn_{43}", "pscale_pw_{43}"), ("pscale_tkn_id",)),
    ("databricks_token", ("dapi",), r"[a-f0-9]{32}", "Databricks", ("dapi{32x}",), ("dapi-client",)),
    ("vault_token", ("hvs.", "hvb."), r"[\w-]{20,}", "HashiCorp Vault", ("hvs.{90}", "hvb.{90}"), ("hvs.go",)),
    ("postman_token", ("PMAK-",), r"[\w-]{30,}", "Postman", ("PMAK-{24x}-{34x}",), ("PMAK-1",)),
    ("grafana_token", ("glc_",), r"[\w+/=-]{30,}", "Grafana Cloud", ("glc_{60}",), ("glc_name",)),
    ("grafana_token", ("glsa_",), r"\w{30,}", "Grafana, service account", ("glsa_{32}_{8x}",), ("glsa_name",)),
    ("newrelic_token", ("NRAK-",), r"\w{20,}", "New Relic, user", ("NRAK-{27A}",), ("NRAK-1",)),
    ("newrelic_token", ("NRII-",), r"[\w-]{20,}", "New Relic, insert", ("NRII-{32}",), ("NRII-1",)),
    ("newrelic_token", ("NRJS-",), r"\w{15,}", "New Relic, browser", ("NRJS-{19x}",), ("NRJS-1",)),
    ("sentry_token", ("sntrys_",), r"[\w+/=-]{30,}", "Sentry, organisation", ("sntrys_eyJ{60}",), ("sntrys_name",)),
    ("sentry_token", ("sntryu_",), r"\w{30,}", "Sentry, user", ("sntryu_{64x}",), ("sntryu_name",)),
    ("supabase_token", ("sbp_",), r"\w{30,}", "Supabase, personal", ("sbp_{40x}",), ("sbp_name",)),
    ("supabase_token", ("sb_secret_",), r"\w{20,}", "Supabase, project", ("sb_secret_{31}",), ("sb_secret_name",)),
    ("netlify_token", ("nfp_",), r"\w{30,}", "Netlify", ("nfp_{36}",), ("nfp_site",)),
    ("fly_token", ("fo1_",), r"[\w-]{30,}", "Fly.io", ("fo1_{43}",), ("fo1_app",)),
    ("fly_token", ("FlyV1 fm",), r"[\w+/=,-]{30,}", "Fly.io, macaroon", ("FlyV1 fm2_{60}",), ("FlyV1 fm",)),
    ("atlassian_token", ("ATATT3", "ATCTT3"), r"[\w=-]{40,}", "Atlassian", ("ATATT3{60}", "ATCTT3{60}"), ("ATATT3-1",)),
    ("bitbucket_token", ("ATBB",), r"\w{24,}", "Bitbucket, app password", ("ATBB{32}",), ("ATBB-1",)),
    ("dropbox_token", ("sl.",), r"[\w-]{60,}", "Dropbox", ("sl.{130}",), ("sl.exe",)),
    ("clojars_token", ("CLOJARS_",), r"\w{30,}", "Clojars", ("CLOJARS_{60x}",), ("CLOJARS_USER",)),
    ("rubygems_token", ("rubygems_",), r"\w{30,}", "RubyGems", ("rubygems_{48x}",), ("rubygems_mirror",)),
    ("docker_token", ("dckr_pat_",), r"[\w-]{20,}", "Docker Hub", ("dckr_pat_{27}",), ("dckr_pat_name",)),
    ("replicate_token", ("r8_",), r"\w{30,}", "Replicate", ("r8_{37}",), ("r8_model",)),
    ("groq_token", ("gsk_",), r"\w{30,}", "Groq", ("gsk_{52}",), ("gsk_client",)),
    ("perplexity_token", ("pplx-",), r"\w{30,}", "Perplexity", ("pplx-{48}",), ("pplx-70b",)),
    ("xai_token", ("xai-",), r"\w{30,}", "xAI", ("xai-{80}",), ("xai-sdk",)),
    ("tavily_token", ("tvly-",), r"[\w-]{20,}", "Tavily", ("tvly-{32}",), ("tvly-sdk",)),
    ("firecrawl_token", ("fc-",), r"[a-f0-9]{32}", "Firecrawl", ("fc-{32x}",), ("fc-list", "fc-cache")),
    ("resend_token", ("re_",), r"[A-Za-z0-9]{8,}_[A-Za-z0-9]{16,}", "Resend", ("re_{8}_{24}",), ("re_compile", "re_export_all")),
    ("mailgun_token", ("key-",), r"[a-f0-9]{32}", "Mailgun", ("key-{32x}",), ("key-value", "key-bindings")),
    ("alibaba_token", ("LTAI",), r"[A-Za-z0-9]{16,}", "Alibaba Cloud", ("LTAI{20}",), ("LTAI-1",)),
    ("tencent_token", ("AKID",), r"[A-Za-z0-9]{28,}", "Tencent Cloud", ("AKID{32}",), ("AKID-1",)),
    ("yandex_token", ("AQVN",), r"[\w-]{30,}", "Yandex Cloud", ("AQVN{36}",), ("AQVN-1",)),
    ("yandex_token", ("y0_",), r"[\w-]{40,}", "Yandex OAuth", ("y0_{55}",), ("y0_max",)),
    ("heroku_token", ("HRKU-",), r"[\w-]{30,}", "Heroku", ("HRKU-{60}",), ("HRKU-1",)),
    ("vercel_token", ("vercel_",), r"\w{20,}", "Vercel", ("vercel_{24}",), ("vercel_json", "vercel_build")),
    ("cloudflare_token", ("cfut_",), r"\w{30,}", "Cloudflare, user", ("cfut_{40}",), ("cfut_name",)),
    ("posthog_token", ("phc_", "phx_"), r"\w{30,}", "PostHog", ("phc_{43}", "phx_{43}"), ("phc_project",)),
    ("mapbox_token", ("sk.eyJ",), r"[\w.-]{20,}", "Mapbox, secret", ("sk.eyJ{60}.{22}",), ("sk.eyJ",)),
    ("meta_token", ("EAA",), r"[A-Za-z0-9]{80,}", "Meta Graph API", ("EAA{160}",), ("EAA-1",)),
    ("shippo_token", ("shippo_live_",), r"\w{30,}", "Shippo", ("shippo_live_{40x}",), ("shippo_live_mode",)),
    ("dynatrace_token", ("dt0c01.",), r"[\w.]{60,}", "Dynatrace", ("dt0c01.{24A}.{64A}",), ("dt0c01.id",)),
    ("astra_token", ("AstraCS:",), r"[\w:]{40,}", "DataStax Astra", ("AstraCS:{24}:{64x}",), ("AstraCS:id",)),
    ("typeform_token", ("tfp_",), r"\w{30,}", "Typeform", ("tfp_{44}",), ("tfp_form",)),
    ("onepassword_token", ("ops_eyJ",), r"[\w-]{40,}", "1Password, service account", ("ops_eyJ{200}",), ("ops_eyJ",)),
    ("preshared_token", ("PSK-",), r"\w{30,}", "keys labelled as pre-shared", ("PSK-{40}",), ("WPA-PSK-AES",)),
    ("langsmith_token", ("lsv2_pt_",), r"\w{30,}", "LangSmith", ("lsv2_pt_{32x}_{10x}",), ("lsv2_pt_name",)),
    ("buildkite_token", ("bkua_",), r"\w{30,}", "Buildkite", ("bkua_{40x}",), ("bkua_name",)),
    ("pulumi_token", ("pul-",), r"[a-f0-9]{40}", "Pulumi", ("pul-{40x}",), ("pul-up",)),
    ("easypost_token", ("EZAK",), r"\w{40,}", "EasyPost", ("EZAK{54}",), ("EZAK-1",)),
    ("duffel_token", ("duffel_live_",), r"[\w-]{30,}", "Duffel", ("duffel_live_{43}",), ("duffel_live_mode",)),
    ("infracost_token", ("ico-",), r"\w{30,}", "Infracost", ("ico-{32}",), ("ico-arrow-left",)),
    ("brevo_token", ("xkeysib-",), r"[\w-]{40,}", "Brevo", ("xkeysib-{64x}-{16}",), ("xkeysib-old",)),
    ("nuget_token", ("oy2",), r"[a-z0-9]{43}", "NuGet", ("oy2{43a}",), ("oy2-old",)),
)
# fmt: on


class SecretRule(NamedTuple):
    """One form of secret. Rules that differ in form only share a name: it is what stands for the secret in a redacted text."""

    name: str
    words: tuple[str, ...]  # lower case; one of them must be in the text
    pattern: str  # the group "secret", or the whole match, is the secret
    source: str  # who issues it, or what writes it so
    catches: tuple[str, ...]
    leaves: tuple[str, ...]
    flags: int = 0


_END = r"(?![A-Za-z0-9])"
_START = r"(?<![A-Za-z0-9])"
_VALUE = r"(?P<secret>\"[^\"\n]{3,}\"|'[^'\n]{3,}'|`[^`\n]{3,}`|[^\s\"'`,;)\]}]{3,})"
# Names of a secret in the languages of our users, by a word that stands in each; inside identifiers too (DB_PASSWORD, api.secretKey,
# spring.datasource.password).
_NAMES: dict[str, str] = {
    "pass": r"pass(?:word|wd|phrase|code)?s?|mot[\s_-]de[\s_-]passe|passwort",
    "secret": r"secret(?:s|[_-]?key)?|client[_-]?secret",
    "key": r"api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key",
    "cred": r"credentials?|creds",
    "session": r"session[_-]?(?:id|key)",
    "pin": r"pin[_-]?code",
    "contrase": r"contrase(?:ñ|n)a",
    "parola": r"parola(?:[\s_-]d'ordine)?",
    "hasł": r"hasło",
    "hasl": r"haslo",
    "парол": r"пароль|пароля|паролем",
    "كلمة": r"كلمة[\s_](?:السر|المرور)",
} | {
    word: word
    for word in (
        "pwd token bearer salt otp clave mdp kennwort senha wachtwoord şifre sifre ключ токен секрет "
        "密码 密碼 口令 密钥 密鑰 パスワード 暗証番号 秘密鍵 비밀번호 비번 암호 الباسورد पासवर्ड कुंजी"
    ).split()
}
_NAME_WORDS, _SECRET_NAMES = tuple(_NAMES), "|".join(_NAMES.values())
_PASSWORD_WORDS = tuple("pass contrase parola hasł hasl парол pwd clave mdp kennwort senha wachtwoord şifre sifre".split())
_PASSWORDS = "|".join(_NAMES[word] for word in _PASSWORD_WORDS)


def _beginning_with(starts: tuple[str, ...], rest: str) -> str:
    return f"{_START}(?:{'|'.join(map(re.escape, starts))}){rest}"


# fmt: off
RULES: tuple[SecretRule, ...] = (
    SecretRule("private_key", ("-----begin",),
        r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|SECRET)[A-Z0-9 ]*-----.*?(?:-----END [A-Z0-9 ]*-----|\Z)",
        "PEM, RFC 7468", ("-----BEGIN RSA PRIVATE KEY-----\n{64}\n{64}\n-----END RSA PRIVATE KEY-----",),
        ("-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----"), re.DOTALL),
    SecretRule("age_key", ("age-secret-key",), r"AGE-SECRET-KEY-1[A-Z0-9]{20,}", "age", ("AGE-SECRET-KEY-1{58A}",), ("AGE-SECRET-KEY-1 file",)),
    SecretRule("putty_key", ("private-lines",), r"Private-Lines: \d+\s+(?P<secret>(?:[A-Za-z0-9+/=]+\s*)+)",
        "PuTTY .ppk", ("Private-Lines: 8\n{64}",), ("Public-Lines: 4",)),
    SecretRule("jwt", ("eyj",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        "RFC 7519", ("eyJ{30}.{40}.{43}", "eyJ{30}.{40}"), ("eyJ.x",)),
    SecretRule("aws_key", ("akia", "asia", "abia", "acca", "aroa", "aida"),
        _START + r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}" + _END,
        "AWS IAM", ("AKIA{16A}", "ASIA{16A}"), ("AIDA-1", "Asia-Pacific")),
    *(
        SecretRule(name, tuple(start.lower() for start in starts), _beginning_with(starts, rest), source, catches, leaves)
        for name, starts, rest, source, catches, leaves in TOKENS
    ),
    SecretRule("gitlab_token", ("gl",), _START + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[\w.-]{18,}",
        "GitLab", ("glpat-{20}", "gldt-{20}"), ("global", "glrt-1")),
    SecretRule("slack_token", ("xox", "xapp-"), _START + r"(?:xox[abceoprs]|xapp|xoxe\.xox[bp])-[\w-]{10,}",
        "Slack", ("xoxb-{12d}-{12d}-{24}", "xapp-1-{11A}-{13d}-{64x}"), ("xoxo", "xapp-1")),
    SecretRule("webhook", ("hooks.slack.com", "discord", "webhook.office", "hooks.zapier", "chat.googleapis"),
        r"https://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|(?:\w+\.)?discord(?:app)?\.com/api/webhooks/"
        r"|[\w.-]*webhook\.office\.com/|hooks\.zapier\.com/hooks/|chat\.googleapis\.com/v1/spaces/)[^\s\"'<>]{8,}",
        "incoming webhooks: the address is the secret", ("https://hooks.slack.com/services/T{8A}/B{8A}/{24}", "https://discord.com/api/webhooks/{18d}/{68}"),
        ("https://api.slack.com/messaging/webhooks", "https://discord.com/developers/docs")),
    SecretRule("stripe_key", ("k_live_", "k_test_", "whsec_"), _START + r"(?:(?:sk|rk|pk)_(?:live|test)_(?!placeholder|example|your_)\w{10,}|whsec_\w{16,})",
        "Stripe", ("sk_live_{24}", "whsec_{32}"), ("sk_test_mode", "whsec_name")),
    SecretRule("openai_key", ("sk-",), _START + r"sk-(?:proj-|svcacct-|admin-|ant-[\w]+-|or-v1-|None-|lf-)?[\w-]{16,}",
        "OpenAI, Anthropic, OpenRouter, Langfuse", ("sk-proj-{48}", "sk-ant-api03-{93}AA", "sk-{48}"), ("sk-learn", "task-queue")),
    SecretRule("google_key", ("aiza", "ya29.", "gocspx-", "1//"),
        r"AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|(?<!\w)1//0[\w-]{30,}",
        "Google APIs and OAuth", ("AIza{35}", "ya29.{60}", "GOCSPX-{28}", "1//0{40}"), ("http://1//0", "ya29.go")),
    SecretRule("terraform_token", (".atlasv1.",), r"(?<!\w)\w{10,40}\.atlasv1\.[\w=-]{30,}", "HCP Terraform", ("{14}.atlasv1.{67}",), ("x.atlasv1.go",)),
    SecretRule("airtable_token", ("pat",), _START + r"pat\w{14}\.[a-f0-9]{40,}", "Airtable", ("pat{14}.{64x}",), ("pattern.abc",)),
    SecretRule("sendgrid_key", ("sg.",), _START + r"SG\.[\w-]{16,}\.[\w-]{16,}", "SendGrid", ("SG.{22}.{43}",), ("msg.text",)),
    SecretRule("mailchimp_key", ("-us",), _START + r"[a-f0-9]{32}-us\d{1,2}" + _END, "Mailchimp", ("{32x}-us12",), ("en-us", "re-use-us1")),
    SecretRule("twilio_key", ("sk",), _START + r"SK[a-f0-9]{32}" + _END, "Twilio", ("SK{32x}",), ("SKU-1", "SKIP")),
    SecretRule("telegram_token", (":aa",), _START + r"\d{8,10}:AA[\w-]{30,}", "Telegram bots", ("{9d}:AA{33}",), ("1:AA", "00:aa:bb:cc:dd:ee")),
    SecretRule("discord_token", ("m", "n", "o"), _START + r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}", "Discord bots", ("M{23}.{6}.{38}",), ("Module.method.name",)),
    SecretRule("azure_key", ("accountkey=", "sharedaccesskey=", "sig="),
        r"(?:AccountKey|SharedAccessKey|SharedAccessSignature|[?&]sig)=(?P<secret>[A-Za-z0-9+/=%_-]{20,})",
        "Azure connection strings", ("AccountKey={86}==", "https://x.blob.core.windows.net/a?sig={44}%3D"), ("sig=1", "AccountKey=..."), re.I),
    SecretRule("url_password", ("://",), r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s/:@\"'<>]{0,200}:(?P<secret>[^\s/@\"'<>]{2,300})@",
        "RFC 3986, userinfo", ("postgres://admin:{16}@db.internal:5432/app", "redis://:{16}@cache:6379/0"), ("http://localhost:8080/a@b", "postgres://db.internal:5432/app"), re.I),
    SecretRule("url_token", ("://",), r"https?://(?P<secret>[A-Za-z0-9_-]{16,})@[\w.-]+", "git remotes", ("https://{40}@github.com/acme/shop.git",), ("https://git@github.com/acme/shop.git",), re.I),
    SecretRule("query_token", ("token=", "key=", "secret=", "password=", "signature=", "auth=", "code="),
        r"[?&#](?:[\w.-]*(?:token|key|secret|passw(?:or)?d|signature|auth)|code)=(?P<secret>[^\s&#\"'<>]{6,})",
        "addresses with a key in them", ("https://api.example.com/v1?api_key={32}&x=1", "/callback?code={20}"), ("/list?page=2&sort=key", "?code=404"), re.I),
    SecretRule("authorization", ("authorization", "bearer", "basic ", "token "),
        r"(?:authorization[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token|digest|apikey|aws4-hmac-sha256)?\s*|(?<![\w-])bearer\s+|\"basic\s+)(?P<secret>[^\s\"',;<>]{8,})",
        "RFC 9110, Authorization", ("Authorization: Bearer {40}", "authorization: Basic {24}=="), ("Authorization: <TOKEN>", "we use bearer auth"), re.I),
    SecretRule("header", ("x-", "api-key", "private-token"),
        r"(?:x-(?:[\w-]{0,40}-)?(?:api-?key|auth[\w-]{0,30}|token|secret|access[\w-]{0,30})|api-key|private-token)[\"']?\s*[:=]\s*[\"']?(?P<secret>[^\s\"',;]{6,})",
        "HTTP headers with a key", ("X-Api-Key: {32}", "PRIVATE-TOKEN: {20}"), ("X-Request-Id: 12", "x-axis: 3"), re.I),
    SecretRule("cookie", ("cookie",), r"(?:set-)?cookie[\"']?\s*:\s*[\"']?(?P<secret>[^\n\"']{6,})",
        "RFC 6265", ("Cookie: session={32}", "Set-Cookie: sid={32}; Path=/"), ("the cookie banner", "cookies: two"), re.I),
    SecretRule("basic_login", ("-u ", "--user", "-p", "sshpass", "pgpassword"),
        r"(?<!\S)(?:-u|--user)[\s=]+[\"']?[\w.@-]+:(?P<secret>[^\s\"']{3,})",
        "curl -u", ("curl -u admin:{12} https://example.com", "curl --user me:{12} https://example.com"), ("curl -u admin https://example.com", "pip install --user x"), re.I),
    SecretRule("password_option", ("mysql", "mongo", "redis-cli", "sshpass", "docker login", "--password", "-p"),
        r"(?:\b(?:mysql|mariadb|sshpass|redis-cli|mongo|docker\s+login)\w{0,20}\b[^\n|;&]{0,200}?\s-(?:p|a)\s?|--(?:password|passwd|pass|token|secret|api-key|auth)[=\s]+)[\"']?(?P<secret>[^\s\"'-][^\s\"']{2,})",
        "options of command line clients", ("mysql -u root -p{12} app", "docker login -u me -p {12}", "deploy --password {12}"), ("mysql --version", "npm test -- -p 3", "tool --password-file x")),
    SecretRule("netrc", ("machine ",), r"machine\s+\S+\s+login\s+\S+\s+password\s+(?P<secret>\S+)",
        ".netrc", ("machine api.example.com login me password {12}",), ("machine learning login page",), re.I),
    SecretRule("assignment", _NAME_WORDS,
        rf"(?P<tail>(?:{_SECRET_NAMES})[\w.-]{{0,80}})[\"'\]`)*]{{0,8}}\s{{0,8}}(?P<sign>\s?(?:=>|:=|=|:|：|＝))\s{{0,40}}{_VALUE}",
        "NAME = value, in code and settings", ("DB_PASSWORD=hunter{5d}", 'export API_KEY="{32}"', "spring.datasource.password={12}", "şifre: hunter{5d}"),
        ('password: "string"', "max_tokens=4096", "sort_key = created_at", "password=${DB_PASSWORD}", "token: YOUR_TOKEN_HERE"), re.I),
    SecretRule("assignment", _NAME_WORDS,
        rf"(?P<name>{_SECRET_NAMES})[\"'`*]{{0,8}}\s{{0,8}}(?P<sign>(?:(?<!\w)(?:is|was|are|es|est|ist|è|é|jest|to|это)|=|是|为|為|は|は、|는|은|هو|هي|है)\s{{0,8}}(?:now|now:|jetzt|ahora|:)?\s{{0,8}}){_VALUE}",
        "a sentence that names the value", ("my password is hunter!{5d}", "das Passwort ist hunter!{5d}", "密码是hunter!{5d}"),
        ("the password is required", "das Passwort ist falsch", "the token is expired", "密码是必填的"), re.I),
    SecretRule("assignment", _PASSWORD_WORDS,
        rf"(?P<name>{_PASSWORDS})[\"'`*]{{0,3}}(?:[ \t]{{1,3}}[^\W\d_]{{1,20}}){{0,3}}?(?P<sign>[ \t]{{1,3}})(?P<secret>(?=[^\s]{{1,40}}\d\d)[^\s\"'`,;|()\[\]{{}}]{{6,80}})",
        "a sentence that names a password's value", ("use the password hunter-{5d} to log in", "пароль от базы hunter_{5d}"),
        ("the password hash is sha-256", "passwords of 2024", "the password for the users"), re.I),
    SecretRule("login", _PASSWORD_WORDS,
        rf"(?:{_PASSWORDS})[\"'`*]{{0,3}}[ \t]{{0,3}}[:：][ \t]{{1,3}}(?P<secret>(?=[^\s]{{1,40}}\d)[^\s\"'`,;|()\[\]{{}}<>=/]{{6,80}})",
        "a password that reads as an identifier", ("password: hunter2hunter2{2d}",), ("password: varchar2", "password: the 2nd one"), re.I),
    SecretRule("login", ("@",), r"(?<![\w./@:-])(?!npm:|yarn:|patch:)[\w.-]{1,40}:(?P<secret>(?=[^@\s]{0,80}\d)(?=[^@\s]{0,80}[A-Za-z])[^\s:@/\"'<>]{6,80})@(?!sha256|latest|next|beta|\d(?!\d{0,2}(?:\.\d{1,3}){3}\b))[\w.-]{2,80}",
        "ssh and the like: user:password@host", ("ssh deploy:hunter!{5d}@db.internal",), ("npm:react18@latest", "10:30@office")),
    SecretRule("login", ("root", "admin"), r"(?<![\w./@-])(?:root|admin)[ ]?/[ ]?(?P<secret>(?=[^\s]{0,80}\d)(?=[^\s]{0,80}[A-Za-z])[^\s\"'`,;|()\[\]{}<>/]{6,80})(?![^\s.,;`)\"'])",
        "user / password", ("root/hunter!{5d}",), ("root/reader", "admin/v2"), re.I),
    SecretRule("assignment", _NAME_WORDS,
        rf"(?:{_SECRET_NAMES})[\"'](?:\s{{0,8}},|\s{{1,8}}value\s{{0,8}}=)\s{{0,40}}(?=[^\s]{{0,200}}\d)(?P<secret>\"[^\"\n]{{4,}}\"|'[^'\n]{{4,}}')",
        "pairs in calls and XML", ('setenv("DB_PASSWORD", "hunter!{5d}")', '<add key="ApiKey" value="{20}7"/>'), ('setenv("DB_PASSWORD", value)', '("password", "text")'), re.I),
    SecretRule("assignment", ("pass", "identified by"), r"(?:password|passwd|identified\s+by)\s+(?P<secret>'[^'\n]{4,}')",
        "SQL", ("CREATE USER me IDENTIFIED BY 'hunter!{5d}'",), ("identified by its id", "password 'x'"), re.I),
    SecretRule("assignment", ("pw", "pass", "رمز", "السري"),
        r"(?<![^\W_])(?<!-)(?:pw|pword|رمز(?:\s+المرور)?|الرقم\s+السري)\s*[:=]\s*(?P<secret>[^\s\"',;]{4,})",
        "short names", ("pw: hunter!{5d}", "رمز المرور: hunter!{5d}"), ("pwm: 400Hz", "pw?"), re.I),
    SecretRule("stdin_password", ("--password-stdin",),
        r"(?:echo|printf)\s+(?:-n\s+)?[\"']?(?P<secret>[^\s\"'|]{4,})[\"']?\s*\|[^|\n]*--password-stdin",
        "docker login --password-stdin", ("echo hunter!{5d} | docker login -u me --password-stdin",), ("docker login --password-stdin < file",)),
)
# fmt: on


@cache
def _usual() -> re.Pattern[str]:
    # Algorithms, encodings, protocols, versions, units.
    return re.compile(
        r"^(?i:argon2\w{0,3}(?:\$[a-z]=\d{1,6}){0,2}|b?s?crypt\w{0,3}(?:\$\w{1,3})?|pbkdf2[\w-]*|sha-?\d[\w-]*|md[45]|blake[23]\w{0,3}|aes[\w-]*|rsa-?\d*|[rehp]s\d{3}|ed25519\w*|x25519|secp\d\w*|p-?256|p-?384|curve25519|k256"
        r"|base\d\d\w{0,6}|utf-?\d+\w{0,4}|oauth-?\d\S*|openid\S*|rfc-?\d+|iso-?\d+\S*|nist\S*|fips\S*|pci\S*|https?\d?|ipv\d|cl\d+k\w*|o\d+k\w*|gpt-?\d\S*|claude-?\d\S*"
        r"|node-?\d\S*|python-?\d\S*|py\d+|java\d+|es\d{1,4}|ec2|s3|k8s|k3s|i18n|l10n|a11y|x86\S*|arm64\S*|amd64|win32|win64|varchar\d*|u?int\d+|float\d+|web3|log4j\d?|1password|e2e\d?|auth0|okta\d?"
        r"|gen\d+|vault\d?|tls\S*|ssl\S*|x509|x\.509|jwt\S*|hmac\S*|hkdf\S*|totp\S*|2fa|mfa|u2f|webauthn\d?|pkcs#?\d+|ssh-?\d?|\d+-of-\d+|\d+[a-z]{1,6}|\d+(?:[.,:/x-]\d+)*|v\d+(?:\.\d+)*(?:[-.]?(?:alpha|beta|rc|pre|dev)\S{0,8})?|user_?\w{0,6}\d{0,3}"
        r"|step\S*|line\S*|issue\S*|version\S*|section\S*|chapter\S*|test\S{0,8}|\S+\.[a-z]{1,5}|\S*/\S*|\S*\(.*|\w+\.\w+(?:\.\w+)*|(?-i:[A-Z]{2,}-\d+)|[a-z]+[_-]id\d?|h1:.*|sha256:.*|v?\d{4}-\d\d-\d\d\S*|[A-Za-z_-]+=[A-Za-z_-]*\d{0,5})$"
    )


_BEFORE_UNSPACED = re.compile(r"[!-~]{1,200}(?=[぀-ヿ㐀-鿿가-힣])")


def is_a_usual_shape(value: str) -> bool:
    """Whether a value names an algorithm, encoding, version, file or unit: what people write about passwords, and no password.

    In a script without spaces the sentence goes on behind it: "argon2idでハッシュする".
    """
    head = _BEFORE_UNSPACED.match(value)
    return bool(_usual().match(head.group() if head else value.lstrip("#")))
