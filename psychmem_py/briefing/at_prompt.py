"""The reply when a prompt is typed, a sub-agent begins or a file is about to be edited.

A person waits: the store is only read, and what was shown is noted in the journal, for the detached child of the next stop to file.
Writing the ledger here would cost a transaction, a checkpoint and what opening for writing loads, 25 ms of CPU together.
"""

from __future__ import annotations

from psychmem_py.agents.claude_memory import folder_of, loaded_text
from psychmem_py.agents.event import CLAUDE_CODE
from psychmem_py.briefing import prompt
from psychmem_py.handover import journal
from psychmem_py.home.project import project_of
from psychmem_py.model.light_values import Retrieval
from psychmem_py.store.read_only import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.agents.event import Request
    from psychmem_py.home.surroundings import Surroundings
    from psychmem_py.store.read_only import ReadOnlyStore


_CHANNELS = {"prompt": "prompt", "subagent-start": "subagent", "before": "edit"}  # in the ledger


def answer(request: Request, around: Surroundings) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be opened."""
    retrieval = _retrieval(around)
    if request.event == "before" and not (retrieval.edit_notes and _edited(request)):
        return ""
    session = f"{request.session}/{request.subagent}" if request.event == "subagent-start" else request.session
    store = opened(around.database_file(request.agent), around.now)
    try:
        ledger = prompt.Ledger(session, tuple(journal.lately_shown(around.data, request.session, session)))
        aside = _aside(store, request, ledger, retrieval, around)
    finally:
        store.db.close()
    if aside.shown:
        _note(aside, request, session, around)
    return aside.text


def _note(aside: prompt.Aside, request: Request, session: str, around: Surroundings) -> None:
    try:
        shown = {_CHANNELS[request.event]: aside.shown}
        journal.shown(around.data, request, shown, at=around.now, generation=aside.generation, to=session)
    except OSError:  # told once more than needed rather than not at all; the brief says that the disk takes nothing
        return


def _aside(
    store: ReadOnlyStore, request: Request, ledger: prompt.Ledger, retrieval: Retrieval, around: Surroundings
) -> prompt.Aside:
    project = project_of(request.cwd, around.env) if request.cwd else None
    situation = prompt.Situation(project, ledger, around.now, retrieval)
    if request.event == "before":
        return prompt.for_edit(store, _edited(request), situation)
    if request.event == "subagent-start":
        return prompt.for_subagent(store, request.prompt, situation)
    return prompt.for_prompt(store, request.prompt, situation, memory_md=lambda: _memory_md(request, around))


def _edited(request: Request) -> str:
    """The file a tool is about to change; "" when it does not say."""
    given = request.use.get("input") if request.use else None
    path = given.get("file_path") or given.get("filePath") or given.get("notebook_path") if isinstance(given, dict) else None
    return path if isinstance(path, str) else ""


def _retrieval(around: Surroundings) -> Retrieval:
    """The settings of this group alone: those of all would cost 20 ms of CPU."""
    values = around.differing()
    return Retrieval(**{name: values[name] for name in Retrieval._fields if name in values})  # type: ignore[arg-type]  # checked


def _memory_md(request: Request, around: Surroundings) -> str:
    """The MEMORY.md this conversation reads; "" in an agent that does not read it."""
    if request.agent != CLAUDE_CODE or not request.cwd:
        return ""
    return loaded_text(folder_of(request.cwd, around.env))
