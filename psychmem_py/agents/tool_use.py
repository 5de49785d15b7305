"""Tool calls as values, without secrets."""

from __future__ import annotations

from psychmem_py.agents.tool_traces import traces
from psychmem_py.model.records import ToolUse


def tool_use(
    *, id: str, tool: str, input: object, at: float, error: str = "", ok: bool = True, reason: str | None = None
) -> ToolUse:
    """The use with its paths, the first line of its command and the telling line of its error; `reason` as `traces` takes it."""
    return ToolUse(**traces(id=id, tool=tool, input=input, at=at, error=error, ok=ok, reason=reason))  # type: ignore[arg-type]


def redacted(use: ToolUse) -> ToolUse:
    """The use without secrets, ready for the disk."""
    from psychmem_py.safety.secrets import redact  # noqa: PLC0415  # 8 ms of CPU that readers of a client's database do without

    paths = tuple(redact(path) for path in use.paths)
    return use._replace(paths=paths, command=redact(use.command), error_line=redact(use.error_line))
