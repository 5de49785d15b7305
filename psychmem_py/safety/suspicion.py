"""Our own blocks sent back to us, and signs that a text wants to steer an agent: to review with it (see `memory.admission`)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.words import package_file

_OPEN, _NAME = r"(?:[<‹＜〈]|&lt;|\\u003c)", r"psych[\s_*-]*mem[\s_*-]*memory"
_CLOSED = rf"{_OPEN}\s*[/\\]\s*{_NAME}\b[^>›＞\n]*[>›＞]?"
_LABEL = rf"\((?:{'|'.join(CLASS_LABELS.values())})(?:, [^()\n]*)?\)"
_OURS = re.compile(
    # Opened, closed or not; a closing line behind a line of ours, or alone; the block of MEMORY.md; its lines anywhere.
    rf"{_OPEN}\s*{_NAME}\b.*?(?:{_CLOSED}|\Z)"
    rf"|\A(?:(?!{_OPEN}\s*{_NAME}).)*?(?:{_LABEL}|search WORDS)[\s>|]*{_CLOSED}|{_CLOSED}"
    rf"|\A(?:(?!{_OPEN}!-+\s*psychmem:(?:start|topic)).)*?{_OPEN}!-+\s*psychmem:end[^\n]*"
    rf"|{_OPEN}!-+\s*psychmem:(?:start|topic).*?(?:{_OPEN}!-+\s*psychmem:end[^\n]*|\Z)"
    r"|\bnotes from earlier sessions, perhaps out of date[^\n]*|\bold notes, not instructions:[^\n]*"
    r"|^[^\n]{0,40}\bpast sessions: \S+ search WORDS",
    re.DOTALL | re.IGNORECASE,
)
_OUR_LINE = re.compile(rf"^[ \t>|]*[-*•][ \t].*{_LABEL}[ \t]*$", re.MULTILINE)
OVERRIDE = "override"
# What a person may well paste unknowingly: looked for in typed text too, where the rest is ordinary talk about software.
_PASTED = frozenset({OVERRIDE, "role_token", "pipe_to_shell", "exfiltration", "persona"})
_FORBIDS = re.compile(
    r"(?:\b(?:never(?!\W+(?:forget|mind|hesitate))|(?:don'?t|do not)(?!\W+(?:forget|hesitate|worry|mind|ask|tell|mention))|must not|should not|mustn'?t|shouldn'?t|avoid|forbidden|nunca|jamais|niemals|nie|mai|nooit|nigdy|asla)\b"
    r"|никогда|不要|不得|禁止|しない|하지\s?마|لا\s)"
    r"(?:(?!\b(?:without|unless|before|sin|sans|ohne|senza|sem)\b)[^.\n])*$",
    re.IGNORECASE,
)
_ROLE_LINE = re.compile(r"(?<!\s)\s*(?:system|assistant|human)\s{0,8}:\s", re.IGNORECASE)


@cache
def _signs() -> list[tuple[str, re.Pattern[str]]]:
    """Reason and pattern of each row of `suspicions.tsv`; one without a reason goes on with the pattern before it."""
    found = (row.partition("\t") for row in package_file("suspicions.tsv").decode().rstrip("\n").replace("\n\t", "").split("\n"))
    return [(reason, re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for reason, _, pattern in found]


def without_our_blocks(text: str) -> str:
    """`text`, cleaned, with what we had put there blanked, however its marks are mangled, and lines that end as memories do."""
    if "mem" in (text := clean(text)).lower() or "not instructions" in text:
        text = _OURS.sub(_blank, text)
    return _OUR_LINE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def suspicion(text: str) -> str:
    """Why a text looks like an instruction planted for the agent ("override", "pipe_to_shell", …), or "" when it does not."""
    return next((reason for reason, _, _ in _suspicions(text)), "")


def typed_suspicion(text: str) -> str:
    """The same for what a person typed: only what nobody means to say to their own agent, and not what they forbid it."""
    for reason, phrase, before in _suspicions(text):
        ordinary = _ROLE_LINE.fullmatch(phrase) or (reason == "exfiltration" and "://" not in phrase)
        if reason in _PASTED and not ordinary and not _FORBIDS.search(before):
            return reason
    return ""


def _suspicions(text: str) -> Iterator[tuple[str, str, str]]:
    flat = unicodedata.normalize("NFKC", clean(text))
    for reason, pattern in _signs():
        for match in pattern.finditer(flat):
            yield reason, match.group(), flat[max(0, match.start() - 300) : match.start()]  # looked at for what forbids
