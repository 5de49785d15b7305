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
    from psychmem_py.agents import claude_code, claude_transcript, opencode
    from psychmem_py.errors import PsychMemError
    from psychmem_py.extraction import mask
    from psychmem_py.extraction.sweep import sweep
    from psychmem_py.installation import json_edit
    from psychmem_py.languages import files, grammar
    from psychmem_py.model.records import Message
    from psychmem_py.model.terms import Origin, Role
    from psychmem_py.safety import control_chars, own_blocks, secrets, suspicion
    from psychmem_py.text.folding import fold

SLOW_S = 2.0
EVENTS = ("inject", "tool-after", "stop", "prompt", "before", "subagent-start", "pre-compact", "session-end")
MATCHER = files.matcher()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def of_transcript(raw: bytes) -> None:
    half = len(raw) // 2
    claude_transcript.read(raw[half:], raw[:half])
    claude_transcript.cwd_of(raw)


def of_payload(raw: bytes) -> None:
    for event in EVENTS:
        claude_code.parse(event, raw, 1.0)
        opencode.parse(event, raw, 1.0)


def of_redact(raw: bytes) -> None:
    text = _text(raw)
    once = secrets.redact(text)
    assert secrets.redact(once) == once


def of_sanitize(raw: bytes) -> None:
    text = _text(raw)
    once = control_chars.clean(text)
    assert control_chars.clean(once) == once
    own_blocks.without_our_blocks(text)
    suspicion.suspicion(text)


def of_mask(raw: bytes) -> None:
    text = _text(raw)
    assert len(mask.masked(text).text) == len(text)


def of_sweep(raw: bytes) -> None:
    text = control_chars.clean(_text(raw))
    for role, origin in ((Role.USER, Origin.USER_PROMPT), (Role.ASSISTANT, Origin.ASSISTANT)):
        sweep([Message("m", role, origin, text)], MATCHER)


def of_phrase(raw: bytes) -> None:
    grammar.Reader({"list": ("one", "two (three|four)?")}, fold, spaced=True).read(_text(raw), "here")


def of_json(raw: bytes) -> None:
    text = _text(raw)
    try:
        root = json_edit.parse(text)
    except (ValueError, RecursionError):
        return
    if root.keys and isinstance(root.value, dict):
        assert json_edit.parse(json_edit.member(text, root, "added", 1).into(text)).get("added")


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
