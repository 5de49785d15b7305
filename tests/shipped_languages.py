"""The languages as shipped: one matcher for all tests of a process, which reads a language when the first text is in it."""

from psychmem_py.extraction.sweep import sweep
from psychmem_py.languages import files
from psychmem_py.model.records import Kind, Message, Origin, Role, Verdict

MATCHER = files.matcher()
ORIGINS = {Role.USER: Origin.USER_PROMPT, Role.ASSISTANT: Origin.ASSISTANT, Role.TOOL: Origin.TOOL}


def swept(text: str, role: Role = Role.USER, **more: object) -> list[Verdict]:
    """What becomes of each clause of a message."""
    return sweep([Message("m", role, ORIGINS[role], text, **more)], MATCHER)  # type: ignore[arg-type]


def kept(text: str, role: Role = Role.USER, **more: object) -> list[tuple[Kind, str]]:
    """Class and text of what is kept of a message."""
    return [(one.candidate.kind, one.candidate.text) for one in swept(text, role, **more) if one.is_kept]


def texts_kept(text: str, role: Role = Role.USER, **more: object) -> list[str]:
    return [said for _, said in kept(text, role, **more)]
