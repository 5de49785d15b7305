"""Coverage-guided fuzzing of what reads foreign bytes: python tests/security/fuzz.py TARGET [libFuzzer options] [sample folders]

A target fails on any exception but the project's own errors, and on an input that takes over two seconds.
`python tests/security/fuzz.py transcript -max_total_time=300 tests/payloads`; `python tests/security/fuzz.py all SECONDS` gives
every target its part of so many seconds, each in its own process: ten in `.ci/run`, six hundred in `.ci/nightly`.
"""

import contextlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

with atheris.instrument_imports(include=["psychmem_py"]):
    from psychmem_py.agents import claude_code, claude_transcript, opencode, tool_traces
    from psychmem_py.briefing.actionable import vocabulary
    from psychmem_py.curation import import_files, imports
    from psychmem_py.curation.act import Act, Who
    from psychmem_py.errors import PsychMemError
    from psychmem_py.extraction import mask
    from psychmem_py.extraction.sweep import sweep
    from psychmem_py.guards.call import call_of
    from psychmem_py.guards.reading import rule
    from psychmem_py.home import config, journal, project
    from psychmem_py.installation import json_edit
    from psychmem_py.judging import protocol
    from psychmem_py.languages import files, grammar
    from psychmem_py.memory.compare import compared
    from psychmem_py.model.records import Kind, Message, Origin, Role
    from psychmem_py.model.settings import DEFAULTS
    from psychmem_py.recall import query
    from psychmem_py.safety import control_chars, secrets, suspicion
    from psychmem_py.store.connection import open_store
    from psychmem_py.sync import op
    from psychmem_py.sync.op import states_of
    from psychmem_py.text.folding import fold

SLOW_S = 2.0
LOADING_S = 6.0  # where an input may be the first in its language, whose file is then read by instrumented code
EVENTS = ("inject", "tool-after", "stop", "prompt", "before", "subagent-start", "pre-compact", "session-end")
MATCHER = files.matcher()  # read when first asked


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
    suspicion.without_our_blocks(text)
    suspicion.suspicion(text)


def of_mask(raw: bytes) -> None:
    text = _text(raw)
    assert len(mask.masked(text)) == len(text)


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
        assert json_edit.parse(json_edit.addition(text, root, "added", 1).into(text)).get("added")


def of_hits(raw: bytes) -> None:
    folded = fold(_text(raw)[:2000])
    for hit in MATCHER.hits(folded, tuple(MATCHER.languages)):
        assert 0 <= hit.start < hit.end <= len(folded)


SCRATCH = Path(tempfile.mkdtemp(prefix="psychmem-fuzz-"))


def of_toml(raw: bytes) -> None:
    marker, settings = SCRATCH / ".psychmem.toml", SCRATCH / "config" / "config.toml"
    settings.parent.mkdir(exist_ok=True)
    for file in (marker, settings):
        file.write_bytes(raw)
    env = {"PSYCHMEM_HOME": str(SCRATCH), "HOME": str(SCRATCH.parent)}
    for read in (lambda: config.load(env), lambda: project.project_of(SCRATCH, env)):
        with contextlib.suppress(PsychMemError):
            read()


def of_import(raw: bytes) -> None:
    lines = [line for line in _text(raw).split("\n") if line]
    wrapped = [json.dumps({"text": _text(raw).encode("utf-8", "replace").decode(), "class": "semantic"})]
    with open_store(SCRATCH / "memory.db", now=1.8e9) as db:
        act = Act(db, DEFAULTS, 1.8e9, "fuzz", Who(Origin.IMPORT, "", ""))
        for exact in (False, True):
            found = imports.ImportRun(act, "p", imports.ImportSource(), exact=exact, dry_run=True).take_in(lines + wrapped)
            assert found.added + found.known + len(found.faults) <= len(lines) + 1


def of_operation(raw: bytes) -> None:
    ops = []
    for line in raw.split(b"\n"):
        with contextlib.suppress(op.OpError):
            ops.append(op.parsed(line))
    assert [op.parsed(op.line(one)) for one in ops] == ops
    said = [(one, rank) for rank, one in enumerate(ops)]
    assert states_of(said) == states_of(said[::-1])


def of_call(raw: bytes) -> None:
    text = _text(raw)
    call_of("Bash", {"command": text})
    rule("k", text, vocabulary("en"))
    tool_traces.first_line(text), tool_traces.telling_line(text)


def of_reply(raw: bytes) -> None:
    text = _text(raw)
    half = len(text) // 2
    proposed = protocol.SentStatement("It is 80", Kind.SEMANTIC)
    asked = protocol.Asked([protocol.turn(text[:half], "Which port?")], proposals=[proposed])
    if found := protocol.answer(text[half:], asked):
        assert all(one.quote in asked.turns[one.n].typed for one in found.keeps)


def of_source(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    list(import_files.lines_of_file(text))


def of_question(raw: bytes) -> None:
    text = _text(raw)
    half = len(text) // 2
    query.parsed(text)
    compared(text[half:], text[:half], Kind.CONSTRAINT, DEFAULTS.reconcile)


def of_journal(raw: bytes) -> None:
    path = SCRATCH / "journals" / "s.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw)
    journal.pending(SCRATCH, "s")


Target = Callable[[bytes], None]
TARGETS: dict[str, Target] = {name[3:]: target for name, target in list(globals().items()) if name.startswith("of_")}


def _all(seconds: int) -> None:
    """Every target for its part of the time, as many at once as there are cores; the first that fails ends it."""
    share = max(1, seconds // len(TARGETS))
    with tempfile.TemporaryDirectory(prefix="psychmem-fuzz-") as said:
        names, running = list(TARGETS), {}
        while names or running:
            while names and len(running) < (os.cpu_count() or 1):
                name = names.pop(0)
                running[_forked(name, share, Path(said, name))] = name
            pid, status = os.wait()
            name = running.pop(pid)
            text = Path(said, name).read_text("utf-8", "replace")
            runs = [line.split()[-1] for line in text.splitlines() if "number_of_executed_units" in line]
            found = "FAILED" if status else "nothing found"
            print(f"{name:12}{runs[0] if runs else '?':>10} inputs in {share} s: {found}", flush=True)
            if status:
                for other in running:
                    os.kill(other, signal.SIGKILL)
                sys.exit(text[-4000:])


def _forked(name: str, share_s: int, said: Path) -> int:
    """A process that fuzzes a target and writes what it says to a file; it has loaded and instrumented our code already."""
    pid = os.fork()
    if not pid:
        os.chdir(SCRATCH)
        with said.open("wb") as file:
            for descriptor in (1, 2):
                os.dup2(file.fileno(), descriptor)
        try:
            _fuzz(name, [f"-max_total_time={share_s}", "-max_len=4096", "-verbosity=0", "-print_final_stats=1"])
        except SystemExit as end:
            failed = bool(end.code)
        except BaseException:
            traceback.print_exc()
            failed = True
        else:
            failed = False
        sys.stdout.flush()
        os._exit(failed)  # past what the process that forked has still to tidy
    return pid


def main() -> None:
    if len(sys.argv) == 3 and sys.argv[1] == "all":
        return _all(int(sys.argv[2]))
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"give `all SECONDS` or one of {', '.join(TARGETS)}")
    _fuzz(sys.argv[1], sys.argv[2:])


def _fuzz(name: str, options: list[str]) -> None:
    target = TARGETS[name]
    with contextlib.suppress(PsychMemError):
        target(b"Never push, always test.")  # reads the language files: seconds that are no input's fault

    def once(raw: bytes) -> None:
        began = time.process_time()
        with contextlib.suppress(PsychMemError):
            target(raw)
        spent = time.process_time() - began
        assert spent < (LOADING_S if target in (of_import, of_hits) else SLOW_S), f"{spent:.1f} s"

    atheris.Setup([sys.argv[0], *options], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
