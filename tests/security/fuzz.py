"""Coverage-guided fuzzing of what reads foreign bytes: python tests/security/fuzz.py TARGET [libFuzzer options] [folders of samples]

Needs `pip install atheris`; not part of the test run. A target fails on any exception but the project's own errors, and on an
input that takes over two seconds. `python tests/security/fuzz.py transcript -max_total_time=300 tests/payloads`
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

with atheris.instrument_imports(include=["psychmem_py"]):
    from psychmem_py import languages
    from psychmem_py.agents import claude_code, opencode
    from psychmem_py.core import jsontext, mask, phrase, redact, sanitize, transcript
    from psychmem_py.core.model import Message, Origin, Role
    from psychmem_py.core.phrases import fold
    from psychmem_py.core.sweep import sweep
    from psychmem_py.errors import PsychMemError

SLOW_S = 2.0
EVENTS = ("inject", "tool-after", "stop", "prompt", "edit", "subagent-start", "pre-compact", "session-end")
MATCHER = languages.matcher()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def of_transcript(raw: bytes) -> None:
    half = len(raw) // 2
    transcript.read(raw[half:], raw[:half])
    transcript.cwd_of(raw)


def of_payload(raw: bytes) -> None:
    for event in EVENTS:
        claude_code.parse(event, raw, 1.0)
        opencode.parse(event, raw, 1.0)


def of_redact(raw: bytes) -> None:
    text = _text(raw)
    once = redact.redact(text)
    assert redact.redact(once) == once


def of_sanitize(raw: bytes) -> None:
    text = _text(raw)
    once = sanitize.clean(text)
    assert sanitize.clean(once) == once
    sanitize.without_our_blocks(text)
    sanitize.suspicion(text)


def of_mask(raw: bytes) -> None:
    text = _text(raw)
    assert len(mask.masked(text).text) == len(text)


def of_sweep(raw: bytes) -> None:
    text = sanitize.clean(_text(raw))
    for role, origin in ((Role.USER, Origin.USER_PROMPT), (Role.ASSISTANT, Origin.ASSISTANT)):
        sweep([Message("m", role, origin, text)], MATCHER)


def of_phrase(raw: bytes) -> None:
    phrase.Reader({"list": ("one", "two (three|four)?")}, fold, spaced=True).read(_text(raw), "here")


def of_json(raw: bytes) -> None:
    text = _text(raw)
    try:
        root = jsontext.parse(text)
    except (ValueError, RecursionError):
        return
    if root.keys and isinstance(root.value, dict):
        assert jsontext.parse(jsontext.member(text, root, "added", 1).into(text)).get("added")


TARGETS: dict[str, Callable[[bytes], None]] = {
    name.removeprefix("of_"): target for name, target in list(globals().items()) if name.startswith("of_")
}


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"give one of {', '.join(TARGETS)}")
    target = TARGETS[sys.argv.pop(1)]

    def once(raw: bytes) -> None:
        began = time.process_time()
        with contextlib.suppress(PsychMemError):
            target(raw)
        spent = time.process_time() - began
        assert spent < SLOW_S, f"{spent:.1f} s"

    atheris.Setup(sys.argv, once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
