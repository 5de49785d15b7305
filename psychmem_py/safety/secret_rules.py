"""What a secret looks like: rules as data (`secrets.tsv`), each with its form's source, texts it catches and texts it leaves.

A rule's pattern is compiled only when one of its words is in the text (`secrets`). A test holds every rule to its own examples,
alone and in what people write around them; `tests/safety/test_secret_rules.py` draws the characters for signs (`{36}`, `{32x}`).
And what people write about passwords and keys that is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from psychmem_py.words import rows

_BEFORE_UNSPACED = re.compile(r"[!-~]{1,200}(?=[぀-ヿ㐀-鿿가-힣])")


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
# Names of a secret in the languages of our users, by a word that stands in each; inside identifiers too (DB_PASSWORD,
# api.secretKey, spring.datasource.password). Which of them are passwords, a person's word for getting in.
_NAMED = [(*row, "", "")[:3] for row in rows("secret_names.tsv")]
_NAMES = {word: form or word for word, form, _ in _NAMED}
_PASSWORD_WORDS = tuple(word for word, _, kind in _NAMED if kind)
_SIGN = re.compile("<[A-Z]+>")


def _rules() -> Iterator[SecretRule]:
    """The rows of `secrets.tsv`: name, words, pattern, flags, source, texts caught, texts left; ¦ parts several, ⏎ ends a line.

    Signs in angle brackets stand for what is above. A pattern that begins with … follows one of the words, as they are written.
    """
    words = {"<NAMES>": tuple(_NAMES), "<PASSWORDS>": _PASSWORD_WORDS}
    signs = {"<NAMES>": "|".join(_NAMES.values()), "<PASSWORDS>": "|".join(_NAMES[word] for word in _PASSWORD_WORDS)}
    signs |= {"<VALUE>": _VALUE, "<START>": _START, "<END>": _END}
    for name, starts, written, flags, source, *examples in rows("secrets.tsv"):
        behind = f"{_START}(?:{'|'.join(map(re.escape, starts.split('¦')))}){written[1:]}" if written[0] == "…" else ""
        pattern = behind or _SIGN.sub(lambda sign: signs[sign.group()], written)
        catches, leaves = (tuple(one.replace("⏎", "\n").split("¦")) for one in examples)
        looked_for = words.get(starts) or tuple(starts.lower().replace("⏎", "\n").split("¦"))
        yield SecretRule(name, looked_for, pattern, source, catches, leaves, {"": 0, "i": re.I, "s": re.DOTALL}[flags])


RULES = tuple(_rules())


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


def is_harmless(value: str) -> bool:
    """Whether a value names an algorithm, encoding, version, file or unit, and is no password;
    a script without spaces may go on behind it: "argon2idでハッシュする".
    """
    head = _BEFORE_UNSPACED.match(value)
    return bool(_usual().match(head.group() if head else value.lstrip("#")))
