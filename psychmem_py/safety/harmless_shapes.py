"""Values that name an algorithm, an encoding, a version, a file or a unit: what people write about passwords and keys, and no secret."""

from __future__ import annotations

import re
from functools import cache


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
