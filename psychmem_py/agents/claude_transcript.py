"""Claude Code's transcript as Messages and ToolUses: who said what, by the records' marks, never by what a text claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from psychmem_py.agents.tool_traces import answered, objects, questions_in, use_row
from psychmem_py.home.light_json import object_in
from psychmem_py.model.records import Message, Origin, Role, ToolUse

HEAD_BYTES = 2048
_WRAPPERS = tuple(
    "<command-|<local-command-|<bash-|<system-reminder>|[Request interrupted|Caveat:|<task-notification|<teammate-message|"
    "<user-prompt-submit-hook|<user-memory-input|<ide_|<ci-monitor-event|Operation stopped by hook|"
    "Implement the following plan:".split("|")
)
_NOT_TYPED = tuple(
    "isMeta isSidechain isSynthetic agentId isCompactSummary isVisibleInTranscriptOnly repeatsCompactSummary toolUseResult "
    "sourceToolAssistantUUID".split()
)
# What the client says of a refusal.
_REJECTED, _BY_PERSON = ("The user doesn't want to proceed with this tool use.", ["user-rejected", "User rejected tool use"])
_SAID, _NOTE = "the user said:", "\n\nNote: The user's next message"


class TranscriptPart(NamedTuple):
    """What a stretch of transcript says."""

    messages: tuple[Message, ...]
    uses: tuple[ToolUse, ...]
    consumed: int  # bytes, up to the end of the last whole line


def read(raw: bytes, before: bytes = b"", not_typed: Collection[str] = ()) -> TranscriptPart:
    """The messages and tool uses of whole lines in `raw`; a half-written last line is left for next time. `before` is the stretch
    just before it, read only for what the assistant had said; no person entered the prompts of the turns `not_typed`.
    """
    consumed = _end_of_records(raw)
    records = list(_records(raw[:consumed]))
    earlier = reversed(read(before).messages if before else ())  # its first line may be cut
    last_words = next((message.text for message in earlier if message.role is Role.ASSISTANT), "")
    messages: list[Message] = []
    places: dict[str, int] = {}  # parent of a typed message -> its place: a second one takes back the first
    calls = (block for _, block in _blocks(records, "assistant", "tool_use") if block.get("name") == "AskUserQuestion")
    asked = {str(block.get("id")): block.get("input") for block in calls}
    for record in records:
        message = _message(record)
        messages += _answers(record, asked) if message is None and asked else ()
        if message is None or (record.get("type") == "user" and record.get("promptId") in not_typed):
            continue
        if message.role is Role.ASSISTANT:
            if messages and (messages[-1].role, messages[-1].id) == (message.role, message.id):  # another block of one answer
                message = message._replace(text=f"{messages.pop().text}\n\n{message.text}")
            messages.append(message)
            last_words = message.text
            continue
        parent = record.get("parentUuid") if record.get("type") == "user" else None
        if isinstance(parent, str) and places.get(parent) == len(messages) - 1 and messages:
            messages.pop()  # an interrupted prompt, put back and sent again
        messages.append(message._replace(previous=last_words))
        if isinstance(parent, str):
            places[parent] = len(messages) - 1
    return TranscriptPart(tuple(messages), _uses(records), consumed)


def _end_of_records(raw: bytes) -> int:
    """How many bytes of `raw` are whole records; some programs write no line end behind the last."""
    end = raw.rfind(b"\n") + 1
    return len(raw) if (rest := raw[end:].strip()).endswith(b"}") and next(_records(rest), None) else end


def head_hash(first: bytes) -> str:
    """The fingerprint of a file's beginning: "length:hash". A file that has grown still has it, one written anew has not."""
    first = first[:HEAD_BYTES]
    return f"{len(first)}:{sha256(first).hexdigest()[:24]}"


def same_file(head: str, first: bytes) -> bool:
    """Whether a file that begins with `first` is the one `head` was made of; true for no head."""
    length = int(head.partition(":")[0] or 0)
    return not head or (len(first) >= length and head_hash(first[:length]) == head)


def cwd_of(first: bytes) -> str:
    """Where the conversation began, by its first record that says so: transcripts of different places may stand in one folder."""
    folders = (record.get("cwd") for record in _records(first[: _end_of_records(first)]))
    return next((folder for folder in folders if isinstance(folder, str)), "")


def words_key(text: str) -> str:
    """A hash of a text, equal for copies that differ in spaces."""
    return sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()[:32]


def _records(raw: bytes) -> Iterator[dict[str, Any]]:
    for line in raw.split(b"\n"):
        if line and (record := object_in(line)):  # a damaged line is no reason to lose the others
            yield record


def _message(record: dict[str, Any]) -> Message | None:
    kind, key, role, origin = record.get("type"), record.get("uuid"), Role.USER, Origin.USER_PROMPT
    if kind == "assistant":
        said, role, origin = record.get("message"), Role.ASSISTANT, Origin.ASSISTANT
        is_others = record.get("isSidechain") or record.get("isApiErrorMessage")
        if is_others or not isinstance(said, dict) or said.get("model") == "<synthetic>":
            return None
        key, text = said.get("id") or key, _text(said.get("content"))
    else:
        text = _typed(record) if kind == "user" else _queued(record) if kind == "attachment" else ""
    return Message(str(key or ""), role, origin, text, at=_at(record)) if text.strip() else None


def _typed(record: dict[str, Any]) -> str:
    """What a person typed in a user record, "" when nobody did."""
    if _is_others(record):
        return ""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) and message.get("role", "user") == "user" else None
    if any(block.get("type") == "tool_result" for block in objects(content)):
        return ""
    text = _text(content)
    source = record.get("promptSource")
    entered = source in ("typed", "queued", "sdk") or (source != "system" and _sender(record) == "human")
    if source is None:  # older clients only wrap what is not typed; those that know where it is from say so
        entered = "turnOrigin" not in record
    return text if entered and not text.lstrip().startswith(_WRAPPERS) else ""


def _is_others(record: dict[str, Any]) -> bool:
    """Whether a record's marks, or the sender it names (a peer, a channel, a schedule), say that no person entered it here."""
    return any(record.get(mark) for mark in _NOT_TYPED) or _sender(record) not in (None, "human")


def _sender(about: dict[str, Any]) -> object:
    return origin.get("kind") if isinstance(origin := about.get("origin"), dict) else origin


def _answers(record: dict[str, Any], asked: dict[str, Any]) -> Iterator[Message]:
    """What a person answered in the box by which the agent asks."""
    answers = result.get("answers") if isinstance(result := record.get("toolUseResult"), dict) else None
    calls = [asked.get(str(block.get("tool_use_id"))) for _, block in _blocks([record], "user", "tool_result")]
    if not calls or not isinstance(answers, dict):
        return
    for number, one in enumerate(questions_in(calls[0])):
        yield from answered(one, answers.get(str(one.get("question"))), f"{record.get('uuid') or ''}:{number}", _at(record))


def _queued(record: dict[str, Any]) -> str:
    """What a person typed while the agent was working."""
    attachment = record.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command" or _is_others(record):
        return ""
    human = attachment.get("humanTurn") is True or _sender(attachment) == "human"
    text = _text(attachment.get("prompt")) if human and not _is_others(attachment) else ""
    return "" if text.lstrip().startswith(_WRAPPERS) else text


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = [block.get("text") for block in objects(content) if block.get("type") == "text"]
    return "\n\n".join(part for part in parts if isinstance(part, str) and not part.lstrip().startswith(_WRAPPERS))


def _at(record: dict[str, Any]) -> float | None:
    timestamp = record.get("timestamp")
    try:
        return datetime.fromisoformat(timestamp.replace("Z", "+00:00")).timestamp() if isinstance(timestamp, str) else None
    except (ValueError, OverflowError):
        return None


def _uses(records: list[dict[str, Any]]) -> tuple[ToolUse, ...]:
    """The calls that have ended. For one that still runs or waits for the person's permission, the hook reports the outcome."""
    outcomes: dict[str, tuple[str, str | None]] = {}  # the error, and what the person said in refusing the call
    for record, block in _blocks(records, "user", "tool_result"):
        error = (_text(block.get("content")) or "error") if block.get("is_error") else ""
        by = record.get("toolDenialKind", record.get("toolUseResult"))  # a tool's own error may say that it was refused
        refused = error.startswith(_REJECTED) and by in _BY_PERSON
        reason = error.partition(_SAID)[2].partition(_NOTE)[0].strip() if refused else None
        outcomes[str(block.get("tool_use_id"))] = error, reason
    uses = []
    for record, block in _blocks(records, "assistant", "tool_use"):
        key, name, at = str(block.get("id")), str(block.get("name")), _at(record) or 0.0
        if outcome := outcomes.get(key):
            row = use_row(id=key, tool=name, input=block.get("input"), at=at, error=outcome[0], reason=outcome[1])
            uses.append(ToolUse(**row))  # type: ignore[arg-type]
    return tuple(uses)


def _blocks(records: Iterable[dict[str, Any]], kind: str, block_type: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for record in records:
        if record.get("type") == kind and not record.get("isSidechain") and isinstance(message := record.get("message"), dict):
            yield from ((record, block) for block in objects(message.get("content")) if block.get("type") == block_type)
