"""What each command does, and what its options add, in the words of `model.permission`; asked before a command runs.

Which memories it may do that to is asked where they are changed. A command that is not here is refused to everybody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from psychmem_py.agents.event import CLAUDE_CODE, calling_agent
from psychmem_py.curation.act import PERSON, Who
from psychmem_py.errors import RefusedError
from psychmem_py.model.permission import Deed
from psychmem_py.model.terms import Origin

_Row = tuple[Deed, dict[str, Deed]]  # what the command does, and what an option of it does


def _each(deed: Deed, *paths: str) -> dict[str, _Row]:
    """Commands that do this, and nothing else by any option."""
    return dict.fromkeys(paths, (deed, {}))


COMMANDS: dict[str, _Row] = {
    **_each(Deed.LOOK, "show", "why", "context", "inject", "mcp", "checkpoint list", "config get", "config path", "config show"),
    **_each(Deed.LOOK, "patterns check", "patterns why", "setup completion", "setup demo", "setup statusline"),
    **_each(Deed.ELSEWHERE, "report", "project forget", "project merge"),
    **_each(Deed.CONFIGURE, "config set", "config unset"),
    **_each(Deed.INSTALL, "setup install", "setup uninstall", "setup upgrade"),
    **_each(Deed.RESTORE, "checkpoint create", "checkpoint restore"),
    **_each(Deed.PURGE, "checkpoint delete"),
    **_each(Deed.RATE, "link", "unlink"),
    **_each(Deed.SAY, "extract", "log"),
    **_each(Deed.SHARE, "share add", "share list", "share now", "share remove", "share start", "share stop", "share trust"),
    **_each(Deed.SHARE, "share hub grant", "share hub init", "share hub revoke"),
    **_each(Deed.TEND, "decay", "gc"),
    **_each(Deed.WIDEN, "move"),
    "list": (Deed.LOOK, {"--all-projects": Deed.ELSEWHERE, "--projects": Deed.ELSEWHERE}),
    "sessions": (Deed.LOOK, {"--all-projects": Deed.ELSEWHERE}),
    "remember": (Deed.SAY, {"--pin": Deed.TIER}),
    "edit": (
        Deed.RATE,
        {"--editor": Deed.RUN, "--user": Deed.WIDEN, "--to": Deed.WIDEN, "--tier": Deed.TIER, "--pin": Deed.TIER}
        | {"--ask": Deed.GUARD, "--remind": Deed.GUARD, "--off": Deed.GUARD, "--on": Deed.GUARD, "--to-repository": Deed.WRITE},
    ),
    "forget": (Deed.FORGET, {"--about": Deed.ELSEWHERE, "--purge": Deed.PURGE}),
    "undo": (Deed.CHANGE, {"--all-projects": Deed.ELSEWHERE}),
    "review": (Deed.LOOK, {"--accept": Deed.APPROVE, "--all-projects": Deed.ELSEWHERE}),
    "import": (Deed.SAY, {"--conversations": Deed.ELSEWHERE, **dict.fromkeys(("--exact", "--trusted", "--vouch"), Deed.VOUCH)}),
    "export": (Deed.LOOK, {"--output": Deed.WRITE}),
    **dict.fromkeys(("pause", "resume"), (Deed.LOOK, {"--all": Deed.CONFIGURE, "--project": Deed.CONFIGURE})),
    "judge": (
        Deed.LOOK,
        {"--with": Deed.CONFIGURE, "--model": Deed.CONFIGURE, "--off": Deed.CONFIGURE, "--now": Deed.RUN}
        | {"--verdicts": Deed.APPROVE, "--dry-run": Deed.ELSEWHERE},
    ),
    "doctor": (Deed.LOOK, {"--fix": Deed.TEND, "--upkeep": Deed.TEND}),
    "promote": (Deed.TEND, {"--vault": Deed.WRITE}),
    **dict.fromkeys(("eval", "sweep"), (Deed.LOOK, {"--judge": Deed.RUN})),
}


def caller(env: Mapping[str, str], here: str | None = None) -> Who:
    """On whose behalf we act: a person's in a terminal, an agent's own inside of one."""
    agent = calling_agent(env)
    if not agent:
        return PERSON
    session = env.get("CLAUDE_CODE_SESSION_ID" if agent == CLAUDE_CODE else "OPENCODE_SESSION_ID", "")
    return Who(Origin.ASSISTANT, agent, session, here)


def asked_of(path: str, options: Collection[str]) -> list[Deed]:
    """What a command with these options does. Raises RefusedError for one of which that is not known."""
    if path not in COMMANDS:
        raise RefusedError(f"nobody has said who may run `{path}`; the table of permissions lacks it")
    deed, more = COMMANDS[path]
    return [deed, *(more[option] for option in options if option in more)]
