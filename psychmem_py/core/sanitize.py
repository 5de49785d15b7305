"""Hostile text made harmless: invisible and steering characters out, our own blocks out, instructions to the agent recognised.

The real control is what an origin may become (DESIGN 7.3); `suspicion` is only a signal that sends a text to review.
"""

from __future__ import annotations

import re
import unicodedata

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\|$)|[P^_X][^\x1b]*(?:\x1b\\|$)|[ -/]*[0-~]?)|\x9b[0-?]*[ -/]*[@-~]")
# Controls but tab and newline, soft hyphen, fillers, zero width, bidi, invisible operators, variation supplements, tags, surrogates.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_OURS = re.compile(
    r"<\s*/?\s*psych[\s_-]*mem[\s_-]*memory\b.*?(?:<\s*/\s*psych[\s_-]*mem[\s_-]*memory\b[^>\n]*>?|\Z)"
    r"|<!--\s*psychmem:start.*?(?:<!--\s*psychmem:end\s*-->|\Z)",
    re.DOTALL | re.IGNORECASE,
)


def clean(text: str) -> str:
    """`text` in NFC without escape sequences, control, bidi, zero-width, tag and filler characters; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = _INVISIBLE.sub("", _ANSI.sub("", text))
    return unicodedata.normalize("NFC", text)


def line(text: str) -> str:
    """`clean` text on a single line, runs of white space as one space."""
    return " ".join(clean(text).split())


def without_our_blocks(text: str) -> str:
    """`text` with everything between our marks blanked to spaces of the same length; an unclosed block reaches to the end."""
    if "psych" not in text.lower():
        return text
    return _OURS.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


_SUSPICIONS: tuple[tuple[str, str], ...] = (
    ("override", r"(?:ignore|disregard|forget|override|bypass)\W+(?:\w+\W+){0,3}(?:previous|prior|above|earlier|all|any|system|safety)\W+(?:\w+\W+){0,2}"
                 r"(?:instruction|prompt|rule|message|guideline|restriction|direction)"),
    ("override", r"(?:new|updated|real|actual)\s+(?:system\s+)?(?:instructions?|prompt)\s*:"),
    ("role_token", r"<\|(?:im_start|im_end|system|user|assistant|endoftext)|\[/?INST\]|<<SYS>>|^\s*(?:system|assistant|human)\s*:\s"),
    ("secrecy", r"(?:do\s*n[o']t|never|without)\W+(?:tell|telling|inform|informing|mention|mentioning|show|alert|notify|ask|asking)\w*\W+(?:\w+\W+){0,3}"
                r"(?:user|human|developer|owner|anyone|permission|confirmation)"),
    ("pipe_to_shell", r"(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^\n|;&]*[|;&]+\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\|\s*(?:iex|python3?|node|perl|ruby)\b"
                      r"|(?:ba|z)?sh\s+<\(\s*(?:curl|wget)|eval\s*[\"'(`$]+\s*(?:curl|wget|base64)"),
    ("exfiltration", r"(?:send|post|upload|exfiltrate|transmit|forward|leak|copy|email)\w*\W+(?:\w+\W+){0,6}(?:to|at)\W+(?:https?://|\w+@\w)"),
    ("exfiltration", r"(?:curl|wget|nc)\b[^\n]*(?:-d|--data\S*|-F|--form|-T|--upload-file|--post-(?:data|file))\b[^\n]*(?:\.env|id_rsa|credential|secret|token|passw|\$\()"),
    ("destruction", r"rm\s+-[a-z]*[rf][a-z]*\s+(?:-\S+\s+)*(?:/|~|\$HOME|\.\s|\*)|:\(\)\s*\{\s*:\|:|mkfs\.|dd\s+if=\S+\s+of=/dev/"),
    ("guard_off", r"(?:disable|skip|turn\s+off|bypass)\W+(?:\w+\W+){0,3}(?:security|safety|permission|sandbox|guard|approval|confirmation)s?\b"
                  r"|--dangerously-skip-permissions|--no-verify\b.*\balways|always\b.*--no-verify"),
    ("persona", r"you\s+are\s+(?:now|actually|really)\s+(?:a|an|the|in)\b|act\s+as\s+(?:if\s+you|an?\s+unrestricted|root|admin)|(?:developer|god|dan|jailbreak)\s+mode"),
    ("encoded", r"(?:[A-Za-z0-9+/]{120,}={0,2})|base64\s+(?:-d|--decode|-D)"),
    ("fake_fence", r"</?\s*(?:system|system-reminder|instructions?|memory|psychmem\S*|user|assistant|tool_result|function_calls)\b[^>]*>"),
)


def suspicion(text: str) -> str:
    """Why a text looks like an instruction planted for the agent ("override", "pipe_to_shell", …), or "" when it does not."""
    flat = clean(text)
    for reason, pattern in _SUSPICIONS:
        if re.search(pattern, flat, re.IGNORECASE | re.MULTILINE):
            return reason
    return ""
