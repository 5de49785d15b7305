"""Who said what in a transcript: by the records' marks, never by their text's claims."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.agents import claude_transcript
from psychmem_py.model.records import Origin, Role
from tests.data import cases


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def typed(text: object, uuid: str = "u1", **more: Any) -> dict[str, Any]:
    about = {"parentUuid": None, "uuid": uuid, "timestamp": "2026-11-21T00:36:21.866Z", "promptSource": "typed"}
    return {"type": "user", "message": {"role": "user", "content": text}, **about, "turnOrigin": "human", **more}


def said(text: str, message_id: str = "msg_1", **more: Any) -> dict[str, Any]:
    message = {"id": message_id, "role": "assistant", "model": "m", "content": [{"type": "text", "text": text}]}
    return {"type": "assistant", "message": message, "uuid": f"a-{text[:4]}", **more}


MADE: dict[str, Callable[..., dict[str, Any]]] = {"typed": typed, "said": said, "record": dict}


def texts(*records: dict[str, Any]) -> list[str]:
    return [message.text for message in claude_transcript.read(lines(*records)).messages]


@pytest.mark.parametrize(("how", "given"), cases("agents", "nobody said this"))
def test_nobody_said_this(how: str, given: str) -> None:
    assert claude_transcript.read(lines(MADE[how](**json.loads(given)))).messages == ()


@pytest.mark.parametrize(("how", "given"), cases("agents", "a person said this"))
def test_a_person_said_this(how: str, given: str) -> None:
    (message,) = claude_transcript.read(lines(MADE[how](**json.loads(given)))).messages
    assert (message.role, message.origin, message.text) == (Role.USER, Origin.USER_PROMPT, "Use pnpm.")


def test_blocks_of_one_answer_are_one_message_and_a_prompt_sent_again_is_said_once() -> None:
    assert len(claude_transcript.read(json.dumps(typed("Use pnpm.")).encode() + b"\n").messages) == 1
    found = texts(said("First."), {"type": "tools-used"}, said("Second."), said("Other.", "msg_2"))
    assert found == ["First.\n\nSecond.", "Other."]
    first, second = typed("Use np", "u1", parentUuid="p"), typed("Use pnpm.", "u2", parentUuid="p")
    assert texts(first, second) == ["Use pnpm."]


def test_a_correction_knows_what_it_corrects_before_the_watermark_too() -> None:
    reading = claude_transcript.read(lines(typed("Port?"), said("It listens on 8080."), typed("No, 8081.", "u2")))
    assert reading.messages[-1].previous == "It listens on 8080."
    before = lines(typed("Port?"), said("It listens on 8080."))
    (message,) = claude_transcript.read(lines(typed("No, 8081.", "u2")), before[7:]).messages
    assert message.previous == "It listens on 8080."


def test_a_failed_tool_call_brings_its_error() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "npm test\nmore"}}
    error = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "Exit code 1\nTypeError: no"}
    call = {"type": "assistant", "message": {"id": "m", "content": [use]}, "uuid": "a"}
    result = {"type": "user", "message": {"content": [error]}, "toolUseResult": "Error", "uuid": "r"}
    (found,) = claude_transcript.read(lines(call, result)).uses
    assert (found.ok, found.command, found.error_class, found.error_line) == (False, "npm test", "error", "TypeError: no")
    assert claude_transcript.read(lines(call)).uses == ()  # the person may be being asked about it


def test_a_half_written_line_is_left_for_next_time_and_a_damaged_one_spoils_only_itself() -> None:
    raw = lines(typed("Use pnpm."), typed("Never npm.", "u2"))
    reading = claude_transcript.read(raw[:-20])
    assert [message.text for message in reading.messages] == ["Use pnpm."]
    rest = claude_transcript.read(raw[reading.consumed :])
    assert [message.text for message in rest.messages] == ["Never npm."]
    raw = lines(typed("Use pnpm.")) + b'{"type":"user","mess\n\xff\xfe\n[]\n' + lines(typed("Never npm.", "u2"))
    assert len(claude_transcript.read(raw).messages) == 2


def test_a_last_record_without_an_end_of_line_is_whole() -> None:
    raw = lines(typed("Use pnpm."), typed("Never npm.", "u2"))
    reading = claude_transcript.read(raw[:-1])
    assert ([message.text for message in reading.messages], reading.consumed) == (["Use pnpm.", "Never npm."], len(raw) - 1)
    later = claude_transcript.read(b"\n" + lines(typed("Test first.", "u3")))
    assert [message.text for message in later.messages] == ["Test first."]
    only = lines(typed("Use pnpm."))[:-1]
    assert claude_transcript.cwd_of(only) == claude_transcript.cwd_of(only + b"\n")


def test_a_grown_file_is_the_same_and_one_written_anew_is_not() -> None:
    raw = lines(typed("Use pnpm."))
    head = claude_transcript.head_hash(raw)
    assert claude_transcript.same_file(head, raw + lines(typed("More.", "u2")))
    assert not claude_transcript.same_file(head, lines(typed("Another.")))
    assert not claude_transcript.same_file(head, raw[:-5])


@given(st.integers(0, 400))
def test_reading_in_two_parts_reads_the_same_messages(cut: int) -> None:
    raw = lines(typed("One."), said("Two.", "m1"), typed("Three.", "u2"), said("Four.", "m2"))
    first = claude_transcript.read(raw[: min(cut, len(raw))])
    second = claude_transcript.read(raw[first.consumed :], raw[: first.consumed])
    assert first.messages + second.messages == claude_transcript.read(raw).messages


@given(st.binary(max_size=300))
def test_no_bytes_are_too_strange(raw: bytes) -> None:
    assert claude_transcript.read(raw).consumed <= len(raw)


QUESTION = "Which database should the billing service use?"


def asks(tool: str = "AskUserQuestion") -> dict[str, Any]:
    questions = [{"question": QUESTION, "header": "DB", "options": [{"label": "Postgres (Recommended)"}, {"label": "SQLite"}]}]
    block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": {"questions": questions}}
    return {"type": "assistant", "message": {"id": "msg_2", "role": "assistant", "model": "m", "content": [block]}, "uuid": "a2"}


def answers(text: str) -> dict[str, Any]:
    result = {"answers": {QUESTION: text}, "questions": []}
    return typed([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "answered"}], toolUseResult=result)


def test_an_answer_in_the_agents_question_box_stands_behind_its_question_and_no_other_tools_result_looks_like_one() -> None:
    for answer, text, chosen in (
        ("Postgres (Recommended)", "Postgres", True),
        ("SQLite（推荐）", "SQLite", False),
        ("neither", "neither", False),
    ):
        (message,) = claude_transcript.read(lines(asks(), answers(answer))).messages
        assert (message.text, message.previous, message.chosen, message.origin) == (text, QUESTION, chosen, Origin.USER_PROMPT)
    assert (texts(asks("mcp__survey__ask"), answers("SQLite")), texts(answers("SQLite"))) == ([], [])
