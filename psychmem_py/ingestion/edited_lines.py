"""Takes over what a person changed in the client's memory files: a line of ours changed is an edit, one taken out is forgotten.

Never a line that was not ours, nor a wording that looks planted; nothing when a tool of an agent may have written there since; and never many lines gone at once,
which is how a client tidies up and not how a person forgets. `undo` takes each back.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from psychmem_py.agents import claude_topics
from psychmem_py.briefing import written_lines, written_marks
from psychmem_py.briefing.written_lines import Written, hash_of, hashes_of
from psychmem_py.curation import actions
from psychmem_py.curation.act import Act, Outcome
from psychmem_py.curation.actions import Edit
from psychmem_py.errors import RefusedError
from psychmem_py.handover import journal_reader, locks
from psychmem_py.memory.admission import doubt
from psychmem_py.model.records import Memory, ToolUse
from psychmem_py.model.settings import Settings
from psychmem_py.model.statuses import LIVE
from psychmem_py.model.terms import Origin
from psychmem_py.recall.memory_line import LINE_CHARS
from psychmem_py.safety.control_chars import line as one_line_of
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import rows, sessions
from psychmem_py.store.connection import transaction

_LOCK_S = 1.0  # an agent may be waiting
_FEW = 5  # lines of a file that may go at once, whatever their share of it
_SHARE = 0.5  # of a file's lines that may go at once
_ALIKE = 0.4  # of the old text that a changed line still has; less is another sentence
_READERS = frozenset({"read", "grep", "glob", "ls", "webfetch", "websearch", "todowrite", "list"})
_LABEL = re.compile(rf"\((?:{'|'.join(map(re.escape, CLASS_LABELS.values()))})(?:, [^()]*)?\)$")


class Wish(NamedTuple):
    """What a change of a file asks for."""

    memory_id: str
    text: str | None  # None: it was taken out
    file: str


def take_over(
    db: sqlite3.Connection, folder: claude_topics.MemoryFolder, settings: Settings, data: str, *, now: float
) -> list[Outcome]:
    """What became of the lines a person changed or took out since we wrote them; nothing for most folders at most times, and while
    another process writes there.
    """
    with locks.lock(data, folder.path, _LOCK_S, kind="folder") as alone:
        written = written_lines.read(data, folder.path) if alone and folder.loaded else None
        if written is None:
            return []
        marked = written_lines.marks(folder)
        done = _taken_over(db, folder, written, settings, data, now) if written_lines.changed(data, folder) else []
        written_marks.note(data, folder.path, marked)  # what is changed from here on nobody has looked at
        return done


def _taken_over(  # noqa: PLR0917
    db: sqlite3.Connection, folder: claude_topics.MemoryFolder, written: Written, settings: Settings, data: str, now: float
) -> list[Outcome]:
    if _by_agent(db, data, folder, written.at):
        return []
    ids = {identity for pairs in written.lines.values() for _, identity in pairs}
    act = Act(db, settings, now, next(rows.fresh_ids()))
    done = []
    with transaction(db):
        known = {key: one for key, one in rows.several(db, sorted(ids)).items() if one.status in LIVE}
        wished = {wish.memory_id: wish for wish in reversed(wishes(written, written_lines.current(folder), known))}
        for wish in wished.values():
            try:
                done += [_followed(act, wish)]
            except RefusedError:
                continue  # no text left of it, or another memory says it already
    return done


def wishes(written: Written, there: dict[str, list[str]], known: dict[str, Memory]) -> list[Wish]:
    """What the differences between lines as written and as they stand ask for; a memory changed since by other ways is left alone."""
    all_wishes = []
    for name, pairs in written.lines.items():
        ours = [pair for pair in pairs if pair[1] in known and pair[0] in hashes_of(known[pair[1]])]
        if name not in there or not ours:
            continue
        lines = [line for line in there[name] if line.strip()]
        standing = {hash_of(line) for line in lines}
        wanted = []
        for old, new in _replaced([one for one, _ in pairs], lines):
            gone = [identity for one, identity in pairs if one in old and one not in standing and (one, identity) in ours]
            wanted += _matched(gone, [line for line in new if line.startswith("- ")], known, name)
        removed = sum(wish.text is None for wish in wanted)
        if removed <= max(_FEW, _SHARE * len(pairs)):
            all_wishes += wanted
    return all_wishes


def _replaced(old: list[str], lines: list[str]) -> list[tuple[list[str], list[str]]]:
    """The stretches that differ: hashes as written, and the lines that stand there now."""
    matcher = SequenceMatcher(None, old, [hash_of(line) for line in lines], autojunk=False)
    return [(old[a:b], lines[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag in ("replace", "delete")]


def _matched(gone: Sequence[str], lines: Sequence[str], known: dict[str, Memory], file: str) -> list[Wish]:
    """Each memory of a stretch with the line that is most like it; what has none was taken out, and what is like none is foreign."""
    rest, pairs = [_text(line) for line in lines], []
    for identity in gone:
        alike = [(SequenceMatcher(None, known[identity].text, text, autojunk=False).ratio(), text) for text in rest]
        share, text = max(alike, default=(0.0, ""))
        if share >= _ALIKE:
            rest.remove(text)
            whole = len(one_line_of(known[identity].text)) <= LINE_CHARS  # of a longer one the line shows a part
            if whole and text != known[identity].text and not doubt(text, Origin.FILE):
                pairs.append(Wish(identity, text, file))
        else:
            pairs.append(Wish(identity, None, file))
    return pairs


def _text(line: str) -> str:
    """A line's sentence without its dash and its label."""
    return _LABEL.sub("", line.removeprefix("- ").rstrip()).strip()


def _followed(act: Act, wish: Wish) -> Outcome:
    if wish.text is None:
        return actions.forget(act, [wish.memory_id], reason=f"taken out of {wish.file}")[0]
    return actions.edit(act, wish.memory_id, Edit(text=wish.text), reason=f"changed in {wish.file}")


def _by_agent(db: sqlite3.Connection, data: str, folder: claude_topics.MemoryFolder, since: float) -> bool:
    """Whether a tool of an agent may have written into the folder since; then what stands there is no person's word."""
    waiting = [journal_reader.read(data, name).uses for name in journal_reader.left(data, but="")]
    uses = [*sessions.uses_since(db, since), *(use for uses_waiting in waiting for use in uses_waiting if use.at >= since)]
    return any(use.tool.lower() not in _READERS and _speaks_of(use, folder.path) for use in uses)


def _speaks_of(use: ToolUse, folder: str) -> bool:
    names = (claude_topics.INDEX, *claude_topics.FILES)
    inside = any(os.path.normpath(path).startswith(folder) or os.path.basename(path) in names for path in use.paths)
    parts = (folder, os.path.basename(os.path.dirname(folder)), "/memory", *names)
    return inside or any(part in use.command for part in parts)
