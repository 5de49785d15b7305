"""Hostile sizes and texts: bounded time, bounded memory, and never an exception."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from psychmem_py.agents import claude_transcript
from psychmem_py.errors import PsychMemError
from psychmem_py.extraction.clauses import clauses
from psychmem_py.extraction.mask import masked
from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages.files import matcher
from psychmem_py.languages.matcher import Matcher
from psychmem_py.model.records import Message, Origin, Role
from psychmem_py.safety import control_chars, suspicion
from psychmem_py.safety.secrets import redact
from tests.data import json_values
from tests.forks import told
from tests.hooks import COMMAND, Conversation, cpu_s, run, settle

CHARS, CPU_S = 20_000, 0.25
PIECES = [
    "password ", "a=", "a.password.", "password = \"", "QWxhZGRpbjpvcGVuIHNlc2FtZQ", "'\"", "-----BEGIN PRIVATE KEY-----", "https://a:", "://", "eyJ",
    "eyJhbGciOiJIUzI1NiJ9.", "curl -u ", "curl a ", "mysql ", "mysql -p ", "x-api-key", "<private>", "<psychmem-memory ", "<!-- psychmem:start ", "`", "```\n",
    "cookie: ", "authorization: bearer ", " ", "\n", "a", "aA1", "_", "-", "ignore a b c ", "send to ", "\x1b[", "\x1b]", "> ", "|", "- ", "(", "key: ",
    "token is ", "password a b c d ", "sk-", "--password ", "- x (rule", "<system-reminder>", "<a-b>", "[INST", "비밀번호 ", "密码是", "\u202e\u200b",
]  # fmt: skip
READERS = [redact, control_chars.clean, suspicion.without_our_blocks, suspicion.suspicion, suspicion.typed_suspicion, clauses]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_no_text_takes_more_than_its_length(reader: object) -> None:
    slow = {}
    for piece in PIECES:
        text = (piece * (CHARS // len(piece) + 1))[:CHARS]
        if all((taken := _taken_s(reader, text)) > CPU_S for _ in range(3)):  # what else the machine does slows one of them
            slow[piece] = round(taken, 1)
    assert slow == {}


def _taken_s(reader: object, text: str) -> float:
    begun = time.process_time()
    reader(text)  # type: ignore[operator]
    return time.process_time() - begun


@pytest.fixture(scope="module")
def shipped() -> Matcher:
    """The languages as they are shipped, read once for all examples."""
    return matcher(Path("/nonexistent"))


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=400) | st.lists(st.sampled_from(PIECES), max_size=80).map("".join))
def test_no_text_breaks_a_reader(text: str, shipped: Matcher) -> None:
    for reader in READERS:
        reader(text)  # type: ignore[operator]
    assert len(masked(text)) == len(text)
    assert redact(redact(text)) == redact(text)
    assert control_chars.clean(control_chars.clean(text)) == control_chars.clean(text)
    for verdict in sweep([Message("m", Role.USER, Origin.USER_PROMPT, text)], shipped):
        assert verdict.candidate.text


RECORDS = json_values(*"type message content role uuid attachment timestamp text".split())


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600) | RECORDS.map(lambda value: json.dumps(value).encode() + b"\n"))
def test_no_transcript_breaks_the_reader(raw: bytes) -> None:
    found = claude_transcript.read(raw)
    assert 0 <= found.consumed <= len(raw)


@settings(max_examples=60, deadline=None)
@given(raw=st.binary(max_size=200) | st.text(max_size=200), phrase=st.booleans())
def test_no_language_file_breaks_the_loader(raw: bytes | str, phrase: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("patterns")
    text = f'language = "xx"\n[signals.preference.prefer]\nphrases = [{raw!r}]' if phrase else raw
    (folder / "xx.toml").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    try:
        matcher(folder)
    except PsychMemError:
        return


# A process starts with the peak of the one that forked it, so a small one stands between the test run and what is measured.
_BETWEEN = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, len(done.stdout), used.ru_utime + used.ru_stime, used.ru_maxrss // 1024]))
"""


@pytest.mark.parametrize("event", ["tool-after", "prompt", "stop"])
def test_a_payload_of_ten_megabytes_is_served_in_time(event: str, project: Path) -> None:
    one = Conversation(project, "s1")
    name = {"tool-after": "PostToolUse", "prompt": "UserPromptSubmit", "stop": "Stop"}[event]
    big = "password = hunter2 " * 550_000
    tool = {"tool_name": "Write", "tool_use_id": "t", "tool_input": {"content": big, "file_path": "/x"}}
    used_s = cpu_s()
    run(event, one.payload(name, prompt=big, last_assistant_message=big, **tool))
    assert cpu_s() - used_s < 10
    settle()


@pytest.mark.long
def test_a_transcript_of_fifty_megabytes_is_read_in_200_megabytes(project: Path) -> None:
    one = Conversation(project, "s1")
    one.types("Never commit directly to the main branch, always open a pull request.")
    one.types("x" * (5 << 20))  # one line of five megabytes
    message = {"role": "user", "content": [{"type": "tool_result", "content": "y" * 40_000}]}
    result = {"type": "user", "toolUseResult": {"stdout": "y" * 40_000}, "message": message, "uuid": "u"}
    line = json.dumps(result, separators=(",", ":")) + "\n"
    with one.transcript.open("a") as file:
        for _ in range((45 << 20) // len(line)):
            file.write(line)
    one.types("We decided to store invoices in PostgreSQL because the team knows it.")
    payload = json.dumps(one.payload("Stop", last_assistant_message="Fine.")).encode()
    for _ in range(2):  # more than one span
        command = [sys.executable, "-I", "-S", "-c", _BETWEEN, *COMMAND, "work", "stop"]
        done = subprocess.run(command, input=payload, capture_output=True, check=True, env=dict(os.environ))
        code, printed, cpu, peak = json.loads(done.stdout)
        assert (code, printed) == (0, 0)
        assert peak < 200, f"{peak} MB"
        assert cpu < 60, f"{cpu} s"
    texts = [row["text"] for row in told("list", "--all-projects", cwd=project)]
    assert any("pull request" in text for text in texts)
    assert any("PostgreSQL" in text for text in texts)
