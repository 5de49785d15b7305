"""Exchanges cut out of a stretch of conversation: what was typed, how the answer ended, what was edited, what failed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from psychmem_py.extraction.mask import without_pastes
from psychmem_py.guards.call import WRITING_TOOLS
from psychmem_py.model.records import Message, Origin, Role, ToolUse
from psychmem_py.safety.control_chars import line
from psychmem_py.store.episodes import Episode
from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import digest, query_terms

_TYPED, _ANSWER = (400, 200), (200, 300)  # characters kept of the beginning and of the end
_FILES, _FAILED, _COMMAND_CHARS = 12, 3, 80
_LITTLE_CHARS, _ASKING_WORDS = 100, 3  # a shorter answer to a prompt with fewer words that ask is nothing to be found again
_LINK = late(r"\[([^\]\n]{1,200})\]\([^)\n]{1,500}\)")


def exchanges(
    messages: Sequence[Message], uses: Iterable[ToolUse], *, project: str | None, session: str, now: float
) -> list[Episode]:
    """What is worth finding again of messages without secrets; the first has no message where an earlier stretch began it."""
    parts: list[tuple[Message | None, list[str]]] = [(None, [])]
    for message in messages:
        if message.role is Role.ASSISTANT:
            parts[-1][1].append(message.text)
        elif message.origin is Origin.USER_PROMPT:
            parts.append((message, []))
    done: list[list[ToolUse]] = [[] for _ in parts]
    begun = sorted((typed.at, number) for number, (typed, _) in enumerate(parts) if typed and typed.at is not None)
    for use in uses:
        before = bisect_right(begun, (use.at, len(parts)))
        done[begun[before - 1][1] if before else 0].append(use)
    return [
        _exchange(typed, answers, calls, project=project, session=session, now=now)
        for (typed, answers), calls in zip(parts, done, strict=True)
        if _is_worth_it(typed, answers)
    ]


def _is_worth_it(typed: Message | None, answers: Sequence[str]) -> bool:
    answer = sum(map(len, answers))
    if typed is None:
        return answer > 0
    return answer >= _LITTLE_CHARS or len(query_terms(typed.text, grammar=False)) >= _ASKING_WORDS


def _exchange(
    typed: Message | None, answers: Sequence[str], calls: Sequence[ToolUse], *, project: str | None, session: str, now: float
) -> Episode:
    key = typed.id if typed else ""
    edited = (path for call in calls if call.ok and call.tool.lower() in WRITING_TOOLS for path in call.paths)
    failed = (call.command[:_COMMAND_CHARS] for call in calls if not call.ok and call.command)
    return Episode(
        id=digest(f"exchange {key}")[:32],
        project=project,
        session=session,
        message_id=key,
        at=(typed.at if typed else None) or now,
        typed=_cut(without_pastes(typed.text), *_TYPED) if typed else "",
        answer=_cut(_LINK.sub(r"\1", _without_code(next((text for text in reversed(answers) if text.strip()), ""))), *_ANSWER),
        files=tuple(dict.fromkeys(path.replace("\\", "/").rpartition("/")[2] for path in edited))[:_FILES],
        failed=tuple(dict.fromkeys(failed))[:_FAILED],
    )


def _cut(text: str, head: int, tail: int) -> str:
    text = line(" ".join(text.split()))
    return text if len(text) <= head + tail + 3 else f"{text[:head]} … {text[-tail:]}"


def _without_code(text: str) -> str:
    """The text without fenced blocks; one that nobody closes goes on to the end."""
    out, fenced = [], False
    for one in text.split("\n"):
        if one.lstrip().startswith("```"):
            fenced = not fenced and "```" not in one.lstrip()[3:]
        elif not fenced:
            out.append(one)
    return "\n".join(out)
