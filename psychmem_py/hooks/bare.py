"""The agents' door where PsychMem is not installed, on whatever Python the machine has: has an environment made and says so.

`bare ROOT EVENT`; until the environment is there it takes notes, so that the next start can read what was said meanwhile. EVENT
may also be `people`, which tells a person how it stands, and `renew`, which makes the environment anew for a newer plugin.
"""

from __future__ import annotations

import os
import sys
import time
from importlib.util import find_spec

from psychmem_py.home.light_json import encoded, object_in
from psychmem_py.hooks import entry
from psychmem_py.hooks.serve import serve, within
from psychmem_py.installation import own_environment
from psychmem_py.installation.own_environment import Doing, Record

_NEEDED = ("regex",) if sys.platform == "linux" else ("regex", "platformdirs")


def main() -> int:
    """Returns 0; 1 for `people`, with the reason why their command did not run."""
    root, *arguments = sys.argv[1:]
    event = arguments[0] if arguments else ""
    if event == "people":
        print(f"psychmem: {_sentence(own_environment.record(os.environ))[1]}", file=sys.stderr)
        return 1
    if all(find_spec(name) for name in _NEEDED) and event != "renew":
        sys.argv[1:] = arguments
        return entry.main()
    if os.environ.get("PSYCHMEM_DISABLE") == "1":
        return 0
    try:
        if event == "renew":
            own_environment.begin(root, os.environ, time.time())
        else:
            _serve(root, arguments)
    except Exception:  # a hook must never stand in an agent's way, and there is nowhere to write yet
        return 0
    return 0


def _serve(root: str, arguments: list[str]) -> None:
    within(entry.INPUT_S)
    raw = entry.stdin()
    within(0)
    begun = _start_setup(root) if arguments[:1] == ["inject"] else ""
    reply = serve(arguments, raw, os.environ, instead=begun) if sys.platform == "linux" else b""
    if begun and (reply or sys.platform != "linux"):
        entry.write(encoded({"systemMessage": begun, **object_in(reply)}).encode())


def _start_setup(root: str) -> str:
    """Starts the setup in the background; the message for the session."""
    try:
        before = own_environment.begin(root, os.environ, time.time())
    except OSError as exc:
        return f"PsychMem keeps nothing: it cannot write {own_environment.prefix(os.environ)} ({exc.strerror}). Please tell the user."
    return _sentence(before)[0]


def _sentence(known: Record) -> tuple[str, str]:
    """The state of the setup: the message for a session, and for a person whose command did not run."""
    folder, why = os.path.join(own_environment.prefix(os.environ), "venv"), known.sentence.rstrip(".")
    if known.doing is Doing.FAILED:
        session = (
            f"PsychMem could not be set up: {why}. It is tried again at a later start; until then it only notes "
            "where conversations are, and reads them once it can. Please tell the user."
        )
        return session, f"it could not be set up: {why}; the next start of Claude Code tries again"
    if known.doing is Doing.MAKING:
        session = f"PsychMem is still being set up in {folder}; it works from a later start on and reads then what is said now."
        return session, "it is still being set up; try again in a minute"
    session = (
        f"PsychMem is setting itself up: once, in the background, about a minute, it makes a Python environment in {folder}. "
        "It works from the next start on, and reads then what is said now."
    )
    return session, "there is no command psychmem yet; the next start of Claude Code sets it up"
