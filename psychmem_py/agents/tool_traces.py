"""What is worth knowing about a tool call, picked from its input and error; whole inputs and outputs are never kept.

Loaded with every tool event, so it does without `re` and without types that need importing.
"""

from __future__ import annotations

LINE_CHARS = 200
HEAD_CHARS = 20_000  # of an error that is looked at
_PATH_KEYS = ("file_path", "filePath", "notebook_path", "path")
_ENDINGS = ("Error", "Exception", "Warning", "Failure")


def traces(*, id: str, tool: str, input: object, at: float, error: str = "", ok: bool = True) -> dict[str, object]:
    """The fields of a ToolUse: paths, the first line of the command, the telling line of the error."""
    fields = input if isinstance(input, dict) else {}
    command = fields.get("command")
    return {
        "id": id,
        "tool": tool[:64],
        "at": at,
        "ok": ok and not error,
        "paths": tuple(fields[key][:1000] for key in _PATH_KEYS if isinstance(fields.get(key), str) and fields[key]),
        "command": first_line(command) if isinstance(command, str) else "",
        "error_class": error_class(error),
        "error_line": telling_line(error),
    }


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
    head = error[:HEAD_CHARS]
    if any(ending in head for ending in _ENDINGS):
        for word in "".join(char if char.isalnum() or char == "_" else " " for char in head).split():
            if word[0].isupper() and word.endswith(_ENDINGS) and word not in _ENDINGS and len(word) < 70:
                return word
    code = _exit_code(head.strip().removeprefix("Error:").strip().partition("\n")[0])
    return f"exit {code}" if code else "error"


def _exit_code(line: str) -> str:
    """The number in the client's "Exit code 1", else ""."""
    code = line.strip().removeprefix("Error:").strip().removeprefix("Exit code ")
    return code if code.isdigit() and "Exit code" in line else ""


def telling_line(error: str) -> str:
    """The line of an error that says most: the one that names the error's type, else the first after the exit code."""
    lines = [line.strip() for line in error[:HEAD_CHARS].splitlines()]
    lines = [line for line in lines if any(map(str.isalnum, line))]
    lines = [line for line in lines if not _exit_code(line) and not line.startswith("Traceback (")] or lines
    named = [line for line in lines if _names_error(line)]
    return (named or lines or [""])[0][:LINE_CHARS]


def _names_error(line: str) -> bool:
    """Whether a line begins with the type of an error: "TypeError: …", "http.client.HTTPException"."""
    name = line.partition(":")[0].partition(" ")[0]
    return name.endswith(_ENDINGS) and name.replace(".", "").replace("_", "").isalnum()
