"""Whether a text surely holds no secret, told without the redaction's patterns and their 15 ms of CPU; in doubt it is asked."""

from __future__ import annotations

_SIGNS = frozenset("=@<\\")
_WORDS = (  # of every word the redaction looks for, a part; what has none of them can only be caught by its shape
    "wi fi",
    "zip -p",
    "sudo -s",
    "rar ",
    *"pass pwd secret token key cred bearer session salt pin otp contrase clave mot mdp kennwort senha parola wachtwoord "
    "hasl sifre auth basic cookie access hook discord begin eyj mysql maria mongo redis docker private machine x- pw login zugang anmelde identif acceso credenc inlog logowania "
    "cod kod wifi wi-fi wlan wireless seed mnemon recover backup unlock cvv cvc iban combin keypad voicemail psk "
    "crypt cifr chiff cypher panel seal portal network modem router box hotspot wallet ledger phrase words sim lock gate door safe vault garage alarm "
    "root admin jeton klucz anahtar sleutel chiave chave sign logged 7z ldap sqlcmd openssl smbclient rclone rzp_ mosquitto usermod sqlplus "
    "useradd lftp snmp supabase vercel codecov netlify nuget rabbitmq".split(),
)
_RUN = 14  # letters and digits in one run: the shortest token of a known provider has 15
_WORD = 15  # small letters alone: few words are longer


def is_plain(text: str) -> bool:
    """True only when `redact` would leave the text as it is, but for digits that one of its rarer words calls a code."""
    lower = text.lower()
    if not text.isascii() or not _SIGNS.isdisjoint(text) or any(word in lower for word in _WORDS):
        return False
    words = text.split()
    may_log_in = "-p" in words and (" -u" in lower or "-user" in lower)  # with the password behind it
    return not may_log_in and all(map(_is_plain_word, words))


def _is_plain_word(word: str) -> bool:
    is_path = word[0] in "/~." and word == word.lower()  # what is drawn by lot has capitals, or is one long run
    if ":" in word[:-1] or (len(word) > 23 and any(map(str.isdigit, word)) and not is_path):
        return False
    for run in "".join(char if char.isalnum() or char in "-_" else " " for char in word).split():
        if len(run) > _RUN:
            parts = run.replace("-", " ").replace("_", " ").split()
            if run != run.lower() or not all(part.isalpha() and len(part) <= _WORD for part in parts):
                return False
        # A password as "kx9vq2mzt7" or "Tulpen44feld" has digits inside, wherever that stands.
        elif len(run) >= 8 and run.isalnum() and not run.isdigit() and any(map(str.isdigit, run.strip("0123456789"))):
            return False
    return True


def is_plain_call(field: str, text: str) -> bool:
    """True only when `redact_call` would leave the text as it is."""
    told = any(map(str.isdigit, text)) and (field == "error_line" or (field == "command" and ('"' in text or "'" in text)))
    return not told and is_plain(text)
