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

_LOOK: tuple[Deed, dict[str, Deed]] = (Deed.LOOK, {})
_CONFIGURE: tuple[Deed, dict[str, Deed]] = (Deed.CONFIGURE, {})
_SHARE: tuple[Deed, dict[str, Deed]] = (Deed.SHARE, {})
_TEND: tuple[Deed, dict[str, Deed]] = (Deed.TEND, {})
_ELSEWHERE: tuple[Deed, dict[str, Deed]] = (Deed.ELSEWHERE, {})

COMMANDS: dict[str, tuple[Deed, dict[str, Deed]]] = {
    "list": (Deed.LOOK, {"--all-projects": Deed.ELSEWHERE, "--projects": Deed.ELSEWHERE}),
    "show": _LOOK,
    "why": _LOOK,
    "context": _LOOK,
    "sessions": (Deed.LOOK, {"--all-projects": Deed.ELSEWHERE}),
    "report": _ELSEWHERE,
    "remember": (Deed.SAY, {"--pin": Deed.TIER}),
    "edit": (
        Deed.RATE,
        {"--editor": Deed.RUN, "--user": Deed.WIDEN, "--to": Deed.WIDEN, "--tier": Deed.TIER, "--pin": Deed.TIER}
        | {"--ask": Deed.GUARD, "--remind": Deed.GUARD, "--off": Deed.GUARD, "--on": Deed.GUARD, "--to-repository": Deed.WRITE},
    ),
    "forget": (Deed.FORGET, {"--about": Deed.ELSEWHERE, "--purge": Deed.PURGE}),
    "undo": (Deed.CHANGE, {"--all-projects": Deed.ELSEWHERE}),
    "review": (
        Deed.LOOK,
        {"--keep-from": Deed.APPROVE, "--drop-from": Deed.APPROVE, "--accept": Deed.APPROVE, "--all-projects": Deed.ELSEWHERE},
    ),
    "import": (Deed.SAY, {"--conversations": Deed.ELSEWHERE, **dict.fromkeys(("--exact", "--trusted", "--vouch"), Deed.VOUCH)}),
    "export": (Deed.LOOK, {"--output": Deed.WRITE}),
    "pause": (Deed.LOOK, {"--all": Deed.CONFIGURE, "--project": Deed.CONFIGURE}),
    "resume": (Deed.LOOK, {"--all": Deed.CONFIGURE, "--project": Deed.CONFIGURE}),
    "judge": (
        Deed.LOOK,
        {"--with": Deed.CONFIGURE, "--model": Deed.CONFIGURE, "--off": Deed.CONFIGURE, "--now": Deed.RUN}
        | {"--verdicts": Deed.APPROVE, "--dry-run": Deed.ELSEWHERE},
    ),
    "doctor": (Deed.LOOK, {"--fix": Deed.TEND, "--upkeep": Deed.TEND}),
    "checkpoint create": (Deed.RESTORE, {}),
    "checkpoint delete": (Deed.PURGE, {}),
    "checkpoint list": _LOOK,
    "checkpoint restore": (Deed.RESTORE, {}),
    "config edit": _CONFIGURE,
    "config get": _LOOK,
    "config path": _LOOK,
    "config set": _CONFIGURE,
    "config show": _LOOK,
    "config unset": _CONFIGURE,
    "decay": _TEND,
    "eval": (Deed.LOOK, {"--judge": Deed.RUN}),
    "extract": (Deed.SAY, {}),
    "gc": _TEND,
    "inject": _LOOK,
    "link": (Deed.RATE, {}),
    "log": (Deed.SAY, {}),
    "mcp": _LOOK,
    "move": (Deed.WIDEN, {}),
    "patterns check": _LOOK,
    "patterns why": _LOOK,
    "project forget": _ELSEWHERE,
    "project merge": _ELSEWHERE,
    "project rename": _ELSEWHERE,
    "promote": (Deed.TEND, {"--vault": Deed.WRITE}),
    "setup completion": _LOOK,
    "setup demo": _LOOK,
    "setup install": (Deed.INSTALL, {}),
    "setup statusline": _LOOK,
    "setup uninstall": (Deed.INSTALL, {}),
    "setup upgrade": (Deed.INSTALL, {}),
    "share add": _SHARE,
    "share hub grant": _SHARE,
    "share hub init": _SHARE,
    "share hub members": _SHARE,
    "share hub revoke": _SHARE,
    "share list": _SHARE,
    "share now": _SHARE,
    "share remove": _SHARE,
    "share start": _SHARE,
    "share stop": _SHARE,
    "share trust": _SHARE,
    "sweep": (Deed.LOOK, {"--judge": Deed.RUN}),
    "unlink": (Deed.RATE, {}),
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
