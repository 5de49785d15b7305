"""Secrets and look-alikes drawn at random from a seed: none of them ever belonged to anyone, and none stands in this repository."""

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

from tests.data import cases

ALNUM = string.ascii_letters + string.digits
HEX, CAPS = "0123456789abcdef", string.ascii_uppercase + string.digits
Draw = Callable[[random.Random], str]


def texts(name: str) -> list[str]:
    return [case.values[0] for case in cases("security", name)]


def run(alphabet: str, length: int) -> Draw:
    return lambda r: "".join(r.choice(alphabet) for _ in range(length))


def some(words: str, length: int, between: str = "") -> Draw:
    return lambda r: between.join(r.choice(words.split()) for _ in range(length))


def _jwt(r: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': str(r.random()), 'iat': r.randrange(10**9)})}.{run(ALNUM + '-_', 43)(r)}"


def _pem(r: random.Random) -> str:
    kinds = "RSA PRIVATE KEY|PRIVATE KEY|OPENSSH PRIVATE KEY|EC PRIVATE KEY|ENCRYPTED PRIVATE KEY|PGP PRIVATE KEY BLOCK"
    kind = r.choice(kinds.split("|"))
    body = "\n".join(run(ALNUM + "+/", 64)(r) for _ in range(r.randint(3, 12)))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"


def _password(r: random.Random) -> str:
    base = r.choice(["Summer", "hunter", "Tr0ub4dor", "correct", "Qwerty", "admin", "letme", "dragon", "S3cure", "pa55"])
    return base + r.choice("!@#$%&*_-") + str(r.randint(10, 99999)) + r.choice(["", "!", "x", "Zq"])


# kind -> the secret itself, as its provider shapes it
PROVIDER: dict[str, Draw] = {
    "aws_access": lambda r: r.choice(["AKIA", "ASIA"]) + run(string.ascii_uppercase + "234567", 16)(r),
    "github_classic": lambda r: r.choice(["ghp_", "gho_", "ghs_", "ghu_"]) + run(ALNUM, 36)(r),
    "github_fine": lambda r: "github_pat_" + run(ALNUM, 22)(r) + "_" + run(ALNUM, 59)(r),
    "gitlab": lambda r: "glpat-" + run(ALNUM + "-_", 20)(r),
    "slack": lambda r: f"xoxb-{r.randrange(10**11, 10**12)}-{r.randrange(10**11, 10**12)}-{run(ALNUM, 24)(r)}",
    "slack_hook": lambda r: f"https://hooks.slack.com/services/T{run(CAPS, 8)(r)}/B{run(CAPS, 8)(r)}/{run(ALNUM, 24)(r)}",
    "stripe": lambda r: r.choice(["sk_live_", "rk_live_", "sk_test_"]) + run(ALNUM, 24)(r),
    "openai": lambda r: r.choice(["sk-proj-", "sk-"]) + run(ALNUM, 48)(r),
    "anthropic": lambda r: "sk-ant-api03-" + run(ALNUM + "-_", 93)(r) + "AA",
    "google_api": lambda r: "AIza" + run(ALNUM + "-_", 35)(r),
    "google_oauth": lambda r: "ya29." + run(ALNUM + "-_", 60)(r),
    "npm": lambda r: "npm_" + run(ALNUM, 36)(r),
    "pypi": lambda r: "pypi-AgEIcHlwaS5vcmc" + run(ALNUM + "-_", 70)(r),
    "huggingface": lambda r: "hf_" + run(string.ascii_letters, 34)(r),
    "sendgrid": lambda r: "SG." + run(ALNUM + "-_", 22)(r) + "." + run(ALNUM + "-_", 43)(r),
    "mailgun": lambda r: "key-" + run(HEX, 32)(r),
    "twilio": lambda r: "SK" + run(HEX, 32)(r),
    "telegram": lambda r: f"{r.randrange(10**8, 10**10)}:AA{run(ALNUM + '-_', 33)(r)}",
    "digitalocean": lambda r: "dop_v1_" + run(HEX, 64)(r),
    "databricks": lambda r: "dapi" + run(HEX, 32)(r),
    "vault": lambda r: "hvs." + run(ALNUM + "-_", 90)(r),
    "linear": lambda r: "lin_api_" + run(ALNUM, 40)(r),
    "figma": lambda r: "figd_" + run(ALNUM + "-_", 40)(r),
    "shopify": lambda r: "shpat_" + run(HEX, 32)(r),
    "grafana": lambda r: "glsa_" + run(ALNUM, 32)(r) + "_" + run(HEX, 8)(r),
    "docker": lambda r: "dckr_pat_" + run(ALNUM + "-_", 27)(r),
    "jwt": _jwt,
    "pem": _pem,
    "aws_secret": run(ALNUM + "+/", 40),
    "azure_key": lambda r: "AccountKey=" + run(ALNUM + "+/", 86)(r) + "==",
    "random_base62": run(ALNUM, 40),
}

# What a person or a program writes around a secret without a telling prefix: {s} is the secret.
CARRIERS = texts("what is written around a secret")

LOOKALIKE: dict[str, Draw] = {
    "commit": run(HEX, 40),
    "short_commit": lambda r: "fixed in " + run(HEX, 7)(r),
    "uuid": lambda r: str(uuid.UUID(int=r.getrandbits(128))),
    "sha256": lambda r: "sha256:" + run(HEX, 64)(r),
    "md5": run(HEX, 32),
    "integrity": lambda r: '"integrity": "sha512-' + run(ALNUM + "+/", 86)(r) + '=="',
    "version": lambda r: f"v{r.randrange(30)}.{r.randrange(90)}.{r.randrange(90)}-beta.{r.randrange(9)}",
    "placeholder": lambda r: r.choice(texts("placeholders")),
    "prose": lambda r: r.choice(texts("sentences about secrets")),
    "identifier": some("Get User Order By Id And Handler Factory With Cache V2 Http Response", 8),
    "path": lambda r: some("src components billing v1 InvoiceTable tests utils2 index", 6, "/")(r) + ".tsx",
    "url": lambda r: (
        f"https://example.com/{run(string.ascii_lowercase, 8)(r)}/{r.randrange(9999)}?page={r.randrange(20)}&sort=asc"
    ),
    "kebab": some("feature billing export 2024 fix login page retry", 6, "-"),
    "image": lambda r: "ghcr.io/acme/api@sha256:" + run(HEX, 64)(r),
    "date": lambda r: (
        f"2026-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}T{r.randrange(24):02}:{r.randrange(60):02}:00.{r.randrange(1000):03}Z"
    ),
    "constant": lambda r: f"{some('MAX RETRY COUNT HTTP2 DEFAULT TIMEOUT MS', 5, '_')(r)}={r.randrange(10000)}",
}
