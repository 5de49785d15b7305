"""What an agent is told when a prompt is typed, a sub-agent begins or a file is about to be edited.

A person waits: the store is only read, and what was shown is noted in the journal, for the detached child of the next stop to file.
Writing the ledger here would cost a transaction, a checkpoint and what opening for writing loads, 25 ms of CPU together.
"""

from __future__ import annotations

from psychmem_py.agents.claude_memory import folder_of, loaded_text
from psychmem_py.briefing import prompt
from psychmem_py.errors import StoreError
from psychmem_py.handover import journal
from psychmem_py.home import early_settings, places
from psychmem_py.home.project import project_of
from psychmem_py.model.recall_settings import Retrieval
from psychmem_py.store.read_only import reading
from psychmem_py.store.state import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from psychmem_py.agents.event import Request
    from psychmem_py.store.read_only import Reading


def asked(request: Request, env: Mapping[str, str], now: float) -> str:
    """The text to put into the conversation, "" for nothing. Raises StoreError for a store that cannot be opened."""
    retrieval = _retrieval(env)
    if request.event == "edit" and not retrieval.edit_notes:
        return ""
    data = places.data_folder(env)
    session = f"{request.session}/{request.subagent}" if request.event == "subagent-start" else request.session
    store = _opened(early_settings.database_file(env, request.agent), now)
    try:
        ledger = prompt.Ledger(session, tuple(journal.lately_shown(data, request.session, session)))
        made = _aside(store, request, ledger, retrieval=retrieval, env=env, now=now)
    finally:
        store.db.close()
    if made.shown:
        place = request.event.removesuffix("-start")
        journal.shown(
            data, request.session, {place: made.shown}, agent=request.agent, at=now, generation=made.generation, to=session
        )
    return made.text


def _aside(
    store: Reading, request: Request, ledger: prompt.Ledger, *, retrieval: Retrieval, env: Mapping[str, str], now: float
) -> prompt.Aside:
    here = project_of(request.cwd, env) if request.cwd else None
    if request.event == "edit":
        path = _edited(request)
        return prompt.edit(store, path=path, project=here, ledger=ledger, retrieval=retrieval, now=now)
    if request.event == "subagent-start":
        return prompt.subagent(store, text=request.prompt, project=here, ledger=ledger, retrieval=retrieval, now=now)
    return prompt.prompt(
        store,
        text=request.prompt,
        project=here,
        ledger=ledger,
        retrieval=retrieval,
        now=now,
        memory_md=lambda: _memory_md(request, env),
    )


def _edited(request: Request) -> str:
    """The file a tool is about to change; "" when it does not say."""
    paths = request.use.get("paths") if isinstance(request.use, dict) else None
    return str(paths[0]) if paths and isinstance(paths, tuple) else ""


def _retrieval(env: Mapping[str, str]) -> Retrieval:
    if not early_settings.is_configured(env):
        return Retrieval()
    from psychmem_py.home import config, paths  # noqa: PLC0415  # 20 ms of CPU, and most people change nothing

    return config.load(env, paths.places(env)).retrieval


def _opened(database: str, now: float) -> Reading:
    try:
        store = reading(database)
    except Error:
        store = None
    if store is None:  # missing, of an older schema, damaged: opening for writing makes it or says what is wrong
        from psychmem_py.store.connection import open_store  # noqa: PLC0415

        with open_store(database, now=now, timeout_s=1.0):
            store = reading(database)
    if store is None:
        raise StoreError(f"{database} is a symbolic link; PsychMem does not read through links")
    return store


def _memory_md(request: Request, env: Mapping[str, str]) -> str:
    """The MEMORY.md this conversation reads; "" in an agent that does not read it."""
    if request.agent != "claude-code" or not request.cwd:
        return ""
    return loaded_text(folder_of(request.cwd, env))
