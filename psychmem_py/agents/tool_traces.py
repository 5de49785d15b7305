"""What is worth knowing about a tool call; whole inputs and outputs are never kept. Does without `re`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from psychmem_py.model.records import Message, ToolUse

LINE_CHARS, COMMAND_CHARS, PATH_CHARS = 200, 4_000, 1_000
HEAD_CHARS = 20_000  # of an error that is looked at
_WORD_SIGNS = "".join(map(chr, range(33, 127)))
FILES = 50  # of one patch that are noted
FREE_TEXT = ("paths", "command", "error_line")  # fields of a tool call with free text
_ENDINGS = ("Error", "Exception", "Warning", "Failure")

USAGE, REFUSED = "usage", "refused"  # error classes: a command called wrongly, a call that the person did not allow; else "error"


def use_row(
    *, id: str, tool: str, input: object, at: float, error: str = "", ok: bool = True, output: str = "", reason: str | None = None
) -> dict[str, object]:
    """The fields of a ToolUse. `output` counts where a filter gave the exit status; `reason`: the person's, in refusing it."""
    fields = input if isinstance(input, dict) else {}
    command = fields.get("command")
    asked = reason is None and isinstance(command, str) and (error or (output and "|" in command))
    usage = _usage_line(error or "\n".join(output[:HEAD_CHARS].lstrip().split("\n")[:2])) if asked else ""
    failure = (USAGE, usage) if usage else ("error" if error else "", telling_line(error))
    class_, line = failure if reason is None else (REFUSED, first_line(reason))
    return {
        "id": id,
        "tool": tool[:64],
        "at": at,
        "ok": ok and not (error or usage) and reason is None,
        "paths": () if isinstance(command, str) else _paths(fields),
        "command": first_line(command) if isinstance(command, str) else "",
        "error_class": class_,
        "error_line": line,
    }


def _paths(fields: dict[str, object]) -> tuple[str, ...]:
    from psychmem_py.model.tools import files_in, patched  # noqa: PLC0415  # 0.3 ms of CPU; commands name no file in a field

    # A name with a line break would be a line of its own wherever it is told.
    return tuple(path for path in (*files_in(fields), *patched(fields)[:FILES]) if len(path) <= PATH_CHARS and path.isprintable())


def whole(text: str, limit: int) -> str:
    """At most `limit` signs of a text, without the unfinished word at their end: nobody would see that half a secret is one."""
    return text if len(text) <= limit else text[:limit].rstrip(_WORD_SIGNS)


def _usage_line(report: str) -> str:
    """The line of a report that says that a command was called wrongly; "" for none."""
    from psychmem_py.guards.forms import usage_fault  # noqa: PLC0415  # calls that failed alone

    faults = [line for line in map(str.strip, whole(report, HEAD_CHARS).splitlines()) if usage_fault(line)]
    named = [line for line in faults if not line.lower().startswith("usage:")]
    return whole((named or faults or [""])[0], LINE_CHARS)


def first_line(text: str) -> str:
    """The first line with something in it that is no remark, at most 200 characters."""
    lines = map(str.strip, whole(text, COMMAND_CHARS).splitlines())
    return whole(next((line for line in lines if line and not line.startswith("#")), ""), LINE_CHARS)


def telling_line(error: str) -> str:
    """The line of an error that says most: the one that names the error's type, else the first after the exit code."""
    lines = [line for line in map(str.strip, whole(error, HEAD_CHARS).splitlines()) if any(map(str.isalnum, line))]
    lines = [line for line in lines if not line.startswith(("Exit code ", "Error: Exit code ", "Traceback ("))] or lines
    begun = ((line, line.partition(":")[0].partition(" ")[0]) for line in lines)  # "TypeError: …", "http.client.HTTPException"
    named = [line for line, name in begun if name.endswith(_ENDINGS) and name.replace(".", "").replace("_", "").isalnum()]
    return whole((named or lines or [""])[0], LINE_CHARS)


def redacted(use: ToolUse) -> ToolUse:
    """The use without secrets, ready for the disk."""
    return use._replace(**{field: safe(field, getattr(use, field)) for field in FREE_TEXT})


def safe(field: str, value: object) -> Any:  # noqa: ANN401  # of the value's type
    """A field of a tool call that may hold free text, without secrets."""
    if isinstance(value, tuple):
        return tuple(safe(field, one) for one in value)
    from psychmem_py.safety.secret_free import is_plain_call  # noqa: PLC0415  # readers of a client's database need none

    if is_plain_call(field, str(value)):
        return value
    from psychmem_py.safety.secrets import redact_call  # noqa: PLC0415  # 15 ms of CPU; most lines are plainly harmless

    return redact_call(field, str(value))


# The dialog by which an agent asks the person: a tool call with questions, and the answers; alike in every client.
def questions_in(asked: object) -> list[dict[str, Any]]:
    return objects(asked.get("questions")) if isinstance(asked, dict) else []


def answered(one: dict[str, Any], answer: object, key: str, at: float | None) -> Iterator[Message]:
    """The answer to a question as a Message, `chosen` if all of it was among the options; nothing if there was none."""
    from psychmem_py.model.records import Message, Origin, Role  # noqa: PLC0415  # as above
    from psychmem_py.text.folding import late  # noqa: PLC0415
    from psychmem_py.words import word_list  # noqa: PLC0415

    if isinstance(question := one.get("question"), str) and isinstance(answer, str) and answer.strip():
        rest = answer  # of several labels, which may have commas, nothing is left but what joins them
        for label in sorted((str(option.get("label")).strip() for option in objects(one.get("options"))), key=len, reverse=True):
            rest = rest.replace(label, "")
        chosen = not rest.strip(" ,")
        text = late(rf"(?i)\s*[(（]\s*(?:{'|'.join(word_list('recommended'))})\s*[)）]").sub("", answer)
        yield Message(key, Role.USER, Origin.USER_PROMPT, text, at=at, previous=question, chosen=chosen)


def objects(value: object) -> list[dict[str, Any]]:
    """The objects in a list; none in anything else."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
