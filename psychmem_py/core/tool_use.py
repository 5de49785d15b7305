"""What is worth knowing about a tool call, picked from its input and error; whole inputs and outputs are never kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from psychmem_py.core.model import ToolUse
from psychmem_py.core.redact import redact

LINE_CHARS = 200
_PATH_KEYS = ("file_path", "filePath", "notebook_path", "path")


def tool_use(
    *, id: str, tool: str, input: object, at: float, error: str = "", ok: bool = True
) -> ToolUse:  # the words of the payload
    """The use with its paths, the first line of its command and the telling line of its error."""
    fields: Mapping[str, Any] = input if isinstance(input, dict) else {}
    command = fields.get("command")
    return ToolUse(
        id=id,
        tool=tool[:64],
        at=at,
        ok=ok and not error,
        paths=tuple(str(fields[key])[:1000] for key in _PATH_KEYS if isinstance(fields.get(key), str) and fields[key]),
        command=first_line(command) if isinstance(command, str) else "",
        error_class=error_class(error),
        error_line=telling_line(error),
    )


def redacted(use: ToolUse) -> ToolUse:
    """The use without secrets, ready for the disk."""
    paths = tuple(redact(path) for path in use.paths)
    return use._replace(paths=paths, command=redact(use.command), error_line=redact(use.error_line))


def first_line(text: str) -> str:
    """The first line with something in it, at most 200 characters."""
    for line in text[:4000].splitlines():
        if line.strip():
            return line.strip()[:LINE_CHARS]
    return ""


def error_class(error: str) -> str:
    """The name of the error in a text: "TypeError", "exit 1", or "error" when it has none."""
    if not error:
        return ""
    head = error[:20_000]
    named = re.search(r"\b([A-Z]\w{0,60}(?:Error|Exception|Warning|Failure))\b", head)
    if named:
        return named.group(1)
    code = re.match(r"\s*(?:Error:\s*)?Exit code (\d+)", head)
    return f"exit {code.group(1)}" if code else "error"


def telling_line(error: str) -> str:
    """The line of an error that says most: the one that names the error's type, else the first after the exit code."""
    lines = [line.strip() for line in error[:20_000].splitlines() if re.search(r"\w", line)]
    lines = [line for line in lines if not re.match(r"(?:Error:\s*)?Exit code \d+$|Traceback \(", line)] or lines
    named = [line for line in lines if re.match(r"(?:\w+\.)*\w*(?:Error|Exception|Failure)\b", line)]
    return (named or lines or [""])[0][:LINE_CHARS]
