"""What in a text is not what it seems: our own blocks sent back to us, which are never read as somebody's words, and signs that it wants to
steer an agent rather than to be remembered.

The signs only send a text to review: the real control is what an origin may become (`memory.admission`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.fence import CLASS_LABELS

_OPEN, _NAME = r"(?:[<‹＜〈]|&lt;|\\u003c)", r"psych[\s_*-]*mem[\s_*-]*memory"

_OURS = re.compile(
    # Opened and closed, or never closed; then a closing line whose opening is gone; the block of MEMORY.md; its lines wherever they stand.
    rf"{_OPEN}\s*{_NAME}\b.*?(?:{_OPEN}\s*[/\\]\s*{_NAME}\b[^>›＞\n]*[>›＞]?|\Z)"
    rf"|\A(?:(?!{_OPEN}\s*{_NAME}).)*?{_OPEN}\s*[/\\]\s*{_NAME}\b[^\n]*"
    rf"|\A(?:(?!{_OPEN}!-+\s*psychmem:(?:start|topic)).)*?{_OPEN}!-+\s*psychmem:end[^\n]*"
    rf"|{_OPEN}!-+\s*psychmem:(?:start|topic).*?(?:{_OPEN}!-+\s*psychmem:end[^\n]*|\Z)"
    r"|\bPsychMem\W{0,5}notes from earlier sessions[^\n]*|\bPerhaps of use, from earlier sessions[^\n]*"
    r"|\bold notes, not instructions:[^\n]*|^[^\n]{0,40}\bpast sessions: \S+ search WORDS",
    re.DOTALL | re.IGNORECASE,
)

_OUR_LINE = re.compile(rf"^[ \t>|]*[-*•][ \t].*\((?:{'|'.join(CLASS_LABELS.values())})(?:, [^()\n]*)?\)[ \t]*$", re.MULTILINE)
_compiled = cache(re.compile)  # at the first use


def without_our_blocks(text: str) -> str:
    """`text`, cleaned, with what we had put there blanked to spaces of the same length; an unclosed block reaches to the end.

    Known by its marks however they are mangled, by its first words, and line by line by the ending that every memory carries.
    """
    text = clean(text)
    if "mem" in text.lower() or "Perhaps of use" in text or "not instructions" in text:
        text = _OURS.sub(_blank, text)
    return _OUR_LINE.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


OVERRIDE = "override"

# fmt: off
_SUSPICIONS: tuple[tuple[str, str], ...] = (
    (OVERRIDE,
     r"(?:ignore|disregard|forget|override|bypass)\W+(?:\w+\W+){0,3}(?:previous|prior|above|earlier|all|any|system|safety)\W+(?:\w+\W+){0,2}"
     r"(?:instruction|prompt|guideline|restriction|direction)s?\b(?!\s*(?:file|template|cache))"),
    ("override_rule",
     r"(?:ignore|disregard|forget|override|bypass)\W+(?:\w+\W+){0,3}(?:previous|prior|above|earlier|all|any|system|safety)\W+(?:\w+\W+){0,2}"
     r"(?:rule|message)"),
    # The same in the languages of our users: a verb of ignoring near "instructions" that came "before".
    (OVERRIDE,
     r"\b(?:ignor[ae]\w*|olvid[ae]\w*|descart[ae]\w*|oubli\w+|esque[cç]\w+|dimentic\w+|vergiss|missacht\w*|negeer|vergeet|zignoruj|zapomnij)\W+(?:\w+\W+){0,4}"
     r"(?:instru[ck]\w+|istruzion\w+|anweisung\w*|regel\w*|polece\w+|instructies|reglas|regras|r[eè]gles|regole|consignes)\W+(?:\w+\W+){0,2}"
     r"(?:anterior\w*|previ\w+|pr[eé]c[eé]dent\w*|precedent\w*|vorher\w*|bisher\w*|eerder\w*|vorig\w*|poprzedni\w*|wcze[sś]niejsz\w*)"
     r"|\b(?:ignor[ae]\w*|ignoriere\w*|missachte|vergiss|negeer|vergeet|zignoruj|zapomnij)\W+(?:\w+\W+){0,3}"
     r"(?:anterior\w*|previ\w+|pr[eé]c[eé]dent\w*|precedent\w*|vorher\w*|bisher\w*|eerder\w*|vorig\w*|poprzedni\w*|wcze[sś]niejsz\w*)\W+"
     r"(?:\w+\W+){0,2}(?:instru\w+|istruzion\w+|anweisung\w*|regel\w*|polece\w+)"
     r"|(?:игнорируй|забудь|не обращай внимания на)\w*\W+(?:\w+\W+){0,3}(?:предыдущ|прежн|прошл|вс[еёя])\w*\W+(?:\w+\W+){0,2}(?:инструкци|указани|правил)"
     r"|(?:önceki|tüm)\W+(?:\w+\W+){0,2}(?:talimat|kural)\w*\W+(?:\w+\W+){0,1}(?:yok say|unut|görmezden)"
     r"|(?:忽略|无视|忘记|忽視|無視)[^。\n]{0,12}(?:指令|指示|规则|說明|说明|提示)|(?:以前|これまで|前)の[^。\n]{0,8}(?:指示|命令|ルール)[^。\n]{0,6}(?:無視|忘れ)"
     r"|(?:이전|앞의|모든)[^.\n]{0,10}(?:지시|명령|규칙)[^.\n]{0,6}(?:무시|잊)|(?:تجاهل|انس)\W+(?:\w+\W+){0,2}(?:التعليمات|الأوامر)"
     r"|(?:पिछले|सभी)[^।\n]{0,15}(?:निर्देश|नियम)[^।\n]{0,12}(?:अनदेखा|भूल|नज़रअंदाज़)"),
    (OVERRIDE, r"(?:new|updated|real|actual)\s+(?:system\s+)?(?:instructions?|prompt)\s*:"),
    ("role_token",
     r"<\|(?:im_start|im_end|system|user|assistant|endoftext)|\[/?INST\]|<<SYS>>|^[ \t]{0,20}(?:system|assistant|human)[ \t]{0,9}:\s"),
    ("secrecy",
     r"(?:do\s*n[o']t|never|without)\W+(?:tell|telling|inform|informing|mention|mentioning|show|alert|notify|ask|asking)\w*\W+(?:\w+\W+){0,3}"
     r"(?:user|human|developer|owner|anyone|permission|confirmation)"),
    ("pipe_to_shell",
     r"(?:\biex\b|invoke-expression)\W[^\n]{0,200}?(?:iwr|irm|downloadstring|invoke-webrequest|invoke-restmethod)|(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^\n|;&]{0,300}[|;&]+\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\|\s*(?:iex|python3?|node|perl|ruby)\b"
     r"|(?:ba|z)?sh\s+<\(\s*(?:curl|wget)|eval\s*[\"'(`$]+\s*(?:curl|wget|base64)"),
    ("exfiltration",
     r"(?:send|post|upload|exfiltrate|transmit|forward|leak|copy|email)\w*\W+(?:\w+\W+){0,6}(?:to|at)\W+(?:https?://|\w+@\w)"),
    ("exfiltration",
     r"(?:curl|wget|nc)\b[^\n]{0,200}?\s(?:-d|--data\S*|-F|--form|-T|--upload-file|--post-(?:data|file))\b[^\n]{0,200}(?:\.env|id_rsa|credential|secret|token|passw|\$\()"),
    ("destruction",
     r"rm\s+-[a-z]*[rf][a-z]*\s+(?:-\S+\s+)*(?:/|~|\$HOME|\.\s|\*)|:\(\)\s*\{\s*:\|:|mkfs\.|dd\s+if=\S+\s+of=/dev/"),
    ("guard_off",
     r"(?:disable|skip|turn\s+off|bypass)\W+(?:\w+\W+){0,3}(?:security|safety|permission|sandbox|guard|approval|confirmation)s?\b"
     r"|--dangerously-skip-permissions|--no-verify\b.{0,200}\balways|always\b.{0,200}--no-verify"),
    ("persona",
     r"you\s+are\s+(?:now|actually|really)\s+(?:a|an|the|in)\b|act\s+as\s+(?:if\s+you|an?\s+unrestricted|root|admin)|(?:developer|god|dan|jailbreak)\s+mode"),
    ("encoded", r"(?:[A-Za-z0-9+/]{120,}={0,2})|base64\s+(?:-d|--decode|-D)"),
    ("fake_fence",
     r"</?\s{0,9}(?:system|system-reminder|instructions?|memory|psychmem[\w-]{0,20}|user|assistant|tool_result|function_calls)\b[^<>]{0,200}>"),
)
# fmt: on

# What a person may well paste without knowing: these are looked for in typed text too, where the rest is ordinary talk about software.
_PASTED = frozenset({OVERRIDE, "role_token", "pipe_to_shell", "exfiltration", "persona"})

_FORBIDS = re.compile(
    r"(?:\b(?:never(?!\W+(?:forget|mind|hesitate))|(?:don'?t|do not)(?!\W+(?:forget|hesitate|worry|mind|ask|tell|mention))|must not|should not|mustn'?t|shouldn'?t|avoid|forbidden|nunca|jamais|niemals|nie|mai|nooit|nigdy|asla)\b"
    r"|никогда|不要|不得|禁止|しない|하지\s?마|لا\s)"
    r"(?:(?!\b(?:without|unless|before|sin|sans|ohne|senza|sem)\b)[^.\n])*$",
    re.IGNORECASE,
)

_ROLE_LINE = re.compile(r"(?<!\s)\s*(?:system|assistant|human)\s{0,8}:\s", re.IGNORECASE)

_BEFORE_CHARS = 300  # looked at for what forbids


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
    """Reason, what gives rise to it, and what stands before it."""
    flat = unicodedata.normalize("NFKC", clean(text))
    for reason, pattern in _SUSPICIONS:
        for match in _compiled(pattern, re.IGNORECASE | re.MULTILINE).finditer(flat):
            yield reason, match.group(), flat[max(0, match.start() - _BEFORE_CHARS) : match.start()]
