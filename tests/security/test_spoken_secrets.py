"""Secrets named in ordinary words go, in sixteen languages; what people write about passwords, keys and tokens stays."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from benchmarks import secrets as draws
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Message
from psychmem_py.model.terms import Origin, Role
from psychmem_py.safety.secrets import redact, tells_only_a_secret

ALNUM = string.ascii_letters + string.digits
# {p}: a password as people make them or a program draws them; {k}: a key.
SAID = (
    "password for staging: {p}", "the root pw is {p}", "password -> {p}", "password - {p}", "| password | {p} |", "password ({p})", "db_pass: {p}",
    "login is admin / {p}", "credentials: admin:{p}", "ssh deploy:{p}@db.internal", "the db password's {p}", "user: admin, pass: {p}",
    "Passwort für die Testdatenbank: {p}", "Zugangsdaten: admin / {p}", "das Kennwort lautet {p}", "mot de passe de la base de test : {p}", "identifiants : admin / {p}",
    "contraseña para la base de datos: {p}", "la clave es {p}", "senha do banco: {p}", "a senha é {p}", "la password del server: {p}", "la parola d'ordine è {p}",
    "wachtwoord voor staging: {p}", "hasło do bazy testowej: {p}", "hasło to {p}", "пароль от тестовой базы: {p}", "пароль — это {p}", "sunucunun şifresi {p}",
    "veritabanı parolası: {p}", "数据库的密码是{p}", "密码：{p}", "テスト環境のパスワードは{p}です", "パスワード：{p}", "비밀번호는 {p} 입니다", "비번: {p}",
    "كلمة المرور للخادم: {p}", "كلمة السر هي {p}", "सर्वर का पासवर्ड {p} है", "पासवर्ड: {p}", "server ka password {p} hai",
    "api key: {k}", "my api key is {k}", "access key: {k}", "secret key -> {k}", "private key: {k}", "api.key={k}", "access.key: {k}", "| API key | {k} |", "client secret: {k}",
    "clé d'api : {k}", "API-Schlüssel: {k}", "ключ api: {k}", "токен: {k}", "密钥是{k}", "APIキーは{k}", "토큰 token: {k}", "the token is {k}", "HEROKU_API_KEY={u}", "client_secret={u}", "token: {u}",
)  # fmt: skip
HONEST = """
password hashing uses argon2id|we use Shamir 3-of-5 for the secret|tokens are counted with tiktoken cl100k_base|token rotation is in RFC6749|token=expired|secret=undefined|password=required|key=required
github.com/spf13/cobra v1.8.0 h1:7aJaZx1B85qltLMc546zn58BxxfZdR/W22ej9CFoEf0=|the host key is SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDcHhwEHmmKQrXvIBc|https://www.gravatar.com/avatar/205e460b479e2e5b48aec07710c08d50?s=80
https://cdn.example.com/assets/index-BxK3f9Qz7aLm2PqR5tYw.js|use ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx as a placeholder|pk_test_placeholder|run the migration 1740250000000-AddSharesTables.ts|1740250000000-AddSharesTables
token: uuid|api_key: string|the request id 3f2b8c1e-9d4a-4f6b-8e2a-1c5d7e9f0a3b failed|the jwt secret is read from env|the password must have at least 12 characters|the token endpoint is /oauth2/token|password reset came in v2.3
secret santa 2024|token bucket with 100rps|the secret is in vault v2|rotate the access key every 90d|password policy: NIST800-63b|our token is a JWT (RS256)|private key: ed25519|private key (ed25519)|api key - required|password | varchar(255)
| password | string ||| token | JWT ||password (min 8)|password -> bcrypt|password for staging: see 1Password|pass: 213 fail: 0|builds and passes `npm run test:e2e2` on its own|tests pass on node18x64|login: github / SSO|login is admin / reader
Zugangsdaten: im Tresor|session key is HKDF-SHA256|salt: 16 bytes|clave primaria: user_id2|cache key: user:42:v2|sort key = created_at|max_tokens=4096|the token limit is 128k|password fields use type="password"|the passphrase is asked for at start
we decided that access tokens live 15 minutes and refresh tokens 30 days|store the api key in the keychain, never in .env|the secret key comes from AWS Secrets Manager|Passwort: mindestens 12 Zeichen|das Passwort wird mit bcrypt gehasht|das Token läuft nach 15min ab
la contraseña debe tener 8 caracteres|le mot de passe doit contenir 12 caractères|la clave es obligatoria|senha: mínimo 8 caracteres|la password è obbligatoria|het wachtwoord is verplicht|hasło musi mieć 12 znaków|пароль должен содержать 12 символов
пароль хранится в виде хеша argon2id|şifre en az 8 karakter olmalı|密码至少8位|密码用bcrypt加密|パスワードは8文字以上|パスワードはbcryptで保存する|비밀번호는 8자 이상|비밀번호는 bcrypt로 해시한다|كلمة المرور يجب أن تكون 8 أحرف|पासवर्ड कम से कम 8 अक्षर का हो
the login page is at /auth/login|login: 3 attempts, then a captcha|login with OAuth2 only|credentials: see the wiki|credentials are in 1Password|the log is in /var/log/app-2024.log|keyboard shortcut: ctrl+shift+k|primary key: uuid_v7|foreign key -> users.id
the idempotency key is sha256(body)|the partition key is tenant_id#date|signing key: RS256 from the JWKS endpoint|encryption key: AES-256-GCM, rotated yearly|the api key header is X-Api-Key|auth token in localStorage is forbidden|csrf token: double submit cookie
tokenizer: o200k_base for gpt-4o|the token count of claude-3 differs|token pricing changed on 2024-06-01|the password column is varchar(60)|password_hash: text not null|passwordless login via WebAuthn|secretName: app-tls|secretKeyRef in k8s
pin the version: 3.11.4|the pin code has 4 digits|otp: 6 digits, 30s|salt rounds = 12|session id in a cookie named sid|session key expires after 24h|bearer auth on port 8443|the docker image is app:v1.2.3-alpine@sha256:abc|yarn resolves alias:react18@latest
email admin2@example.com for access|ssh deploy@10.0.0.12|git@github.com:acme/api.git|postgres runs on db1.internal:5432|commit 3f9a2c1d9e fixes the token refresh|the token bug was fixed in 8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e|see issue ABC-1234 on password reset
password strength: zxcvbn score 3|the password meter uses zxcvbn4|the key insight is O(n log n)|a key part is step2b|the secret ingredient is HTTP2 push|secret scanning with gitleaks8|token ring from 1985|the clave rhythm is 3-2|salt the hash with 32 random bytes
the passport-jwt strategy reads the header|pass the flag --no-verify=false|it passes 32 of 33 checks|we pass user_id42 to the worker|bypass the cache with ?nocache=1|compass heading: 270deg|login takes 300ms|log in as reader first|login -> dashboard
parola: obbligatoria|parola cheie: refactor2|senha: obrigatória|wachtwoord: verplicht|hasło: wymagane|пароль: обязательно|şifre: zorunlu|密码：必填|パスワード：必須|비밀번호: 필수|كلمة المرور: مطلوبة|पासवर्ड: अनिवार्य|clave: única|mdp : obligatoire|Kennwort: Pflichtfeld
keys are sorted: a1, b2, c3|the access key rotation job runs at 03:00|the private key never leaves the HSM|api key scopes: read:user2|the api key is per tenant|secret: managed by sops|secrets are encrypted with age1|auth key - see docs/auth.md|token -> /api/v2/token
the password rule says 3 of 4 classes|password length: 12-64|password expiry: 90 days|we store passwords as pbkdf2_sha256 hashes|passwords older than 2020-01-01 are reset|use passkeys (FIDO2) instead of passwords|the password prompt uses ES2022 modules
https://example.com/blog/2024/why-we-left-passwords-behind|https://api.example.com/v1/users/3f2b8c1e-9d4a-4f6b-8e2a-1c5d7e9f0a3b/tokens|https://fonts.example.com/s/inter/v13/UcCO3FwrK3iLTeHuS_fvQtMwCp50KnMw2boKoduKmMEVuLyfAZ9hiA.woff2
the password field is labelled field3|tokens in the lexer are enum32 values|a key press sends code 13|the secret manager is on port 8200|api keys start with the prefix ak_ and are 40 long|use key2value for the map|token budget: 4k per turn
the keystore is in PKCS12 format|private keys in PEM (PKCS8)|access keys older than 90 days|the access token is opaque|refresh token -> httpOnly cookie|login uses SAML2|the login form posts to /api/v1/session|credentials come from ~/.aws/credentials
der Schlüssel ist zusammengesetzt aus id und datum|das Geheimnis ist Geduld|la clave primaria es compuesta|le jeton expire après 15min|chiave primaria: id_utente|sleutel: samengesteld|klucz główny: id_klienta|первичный ключ: user_id
anahtar: birincil|密钥放在环境变量里|キーは環境変数に置く|키는 환경 변수에 둔다|المفتاح في متغير البيئة|कुंजी env में रखो|token ko header mein bhejo|password ko hash karo bcrypt se
https://github.com/acme/api/commit/205e460b479e2e5b48aec07710c08d50aabbccdd|20240115093000_add_password_hash_to_users|20240115093000-CreateAccessTokenTable|migrations/0042_secret_rotation.py|2024_01_15_093000_create_tokens_table
""".replace("|| token | JWT ||", "|").strip().replace("\n", "|").split("|")  # fmt: skip
DRAWS = 20


def _password(chance: random.Random) -> str:
    word = chance.choice(("hunter", "dragon", "Summer", "sunshine", "letMeIn", "Tiger"))
    return chance.choice((
        lambda: "".join(chance.choice(ALNUM) for _ in range(chance.randint(12, 20))) + chance.choice(string.digits),
        lambda: f"{word}{chance.randint(0, 9)}secret",
        lambda: f"{word}{chance.choice('!@#$%&*')}{chance.randint(10, 9999)}x",
        lambda: f"{word.title()}-{chance.randint(1000, 99999)}!",
        lambda: "".join(chance.choice(ALNUM + "!#%*+?") for _ in range(10)) + "!7q",
    ))()  # fmt: skip


def _key(chance: random.Random) -> str:
    return "".join(chance.choice(ALNUM) for _ in range(chance.choice((22, 32, 40)))) + chance.choice(string.digits)


def _uuid(chance: random.Random) -> str:
    return "-".join("".join(chance.choice("0123456789abcdef") for _ in range(size)) for size in (8, 4, 4, 4, 12))


def left_standing(seed: int) -> tuple[list[str], int]:
    """The texts whose secret survived redaction, and how many were tried."""
    chance = random.Random(seed)
    missed, tried = [], 0
    for template in SAID:
        for _ in range(DRAWS):
            secret = {"p": _password(chance), "k": _key(chance), "u": _uuid(chance)}
            text = template.format(**secret)
            tried += 1
            if any(secret[name] in redact(text) for name in secret if f"{{{name}}}" in template):
                missed.append(text)
    return missed, tried


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_at_least_99_of_100_secrets_in_ordinary_words_go(seed: int) -> None:
    missed, tried = left_standing(seed)
    assert len(missed) <= 0.01 * tried, missed


def test_at_most_one_honest_sentence_in_a_hundred_is_cut() -> None:
    honest = [text for text in HONEST if text.strip()]
    assert len(honest) >= 200
    cut = {text: redact(text) for text in honest if redact(text) != text}
    assert len(cut) <= 0.01 * len(honest), cut


@pytest.mark.parametrize("draw", draws.FITTED, ids=lambda path: path.stem)
def test_the_draws_lose_their_secrets_and_keep_the_honest_sentences(draw: Path) -> None:
    found = draws.outcome(draw, seed=1)
    assert len(found.missed) <= 0.01 * found.tried, found.missed
    assert not found.cut


ONLY = (
    "the API key is {r}", "Remember: my password is {r}.", "das Root-Passwort wurde auf {r} geändert", "パスワードは{r}です", "密码是{r}",
    "비밀번호는 {r} 입니다", "पासवर्ड {r} है", "We decided that the admin password is {r}!",
)  # fmt: skip
MORE = (
    "staging listens on port 5433 and its password is {r}", "never commit the key {r} to the repository", "密码是{r}，每月更换一次",
    "The API key is {r}, rotate it every month", "We rotate {r} every Friday", "the API key is kept in Vault",
)  # fmt: skip


def test_a_text_of_which_only_the_name_of_a_secret_is_left_tells_nothing() -> None:
    cut = "[REDACTED:assignment]"
    assert not tells_only_a_secret("nothing was cut here")
    assert [text for text in ONLY if not tells_only_a_secret(text.format(r=cut))] == []
    assert [text for text in MORE if tells_only_a_secret(text.format(r=cut))] == []


@pytest.mark.parametrize("said", ["Remember: the API key of the wiki is {r}", "Remember that our database password is {r}"])
def test_a_secret_that_was_said_leaves_no_memory_of_its_name(said: str) -> None:
    text = redact(said.format(r="kd93Jx7pQm2zR8vB4nW6tY1s"))
    assert "[REDACTED" in text
    verdicts = sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], files.matcher())
    assert verdicts
    assert {verdict.reason for verdict in verdicts} == {"secret"}
