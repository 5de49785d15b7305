"""What was said while PsychMem was paused: never taken up, also when the conversation is read later."""

from __future__ import annotations

from psychmem_py.home import pauses
from psychmem_py.ingestion.spans import Span


def without_paused(span: Span, data: str, folder: str, now: float) -> Span:
    """The span with the messages and tool calls of paused times left out; its ends stay, so they are not looked at again."""
    known = [pause for pause in pauses.read(data) if pause.is_for(span.session, folder)]
    if not known:
        return span

    def ours(at: float | None) -> bool:
        return not any(pause.holds(now if at is None else at) for pause in known)

    return span._replace(
        messages=tuple(message for message in span.messages if ours(message.at)),
        uses=tuple(use for use in span.uses if ours(use.at)),
    )
