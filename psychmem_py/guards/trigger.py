"""What a rule waits for, and whether a tool call is it. Loaded before every tool call, so it imports next to nothing."""

from __future__ import annotations

from psychmem_py.guards.call import OF_PATHS, SCRATCH
from psychmem_py.guards.shell import base, joined
from psychmem_py.home.places import matches_glob
from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from psychmem_py.guards.call import Call, Command


_HOMES = ("/home/", "/users/", "/root/")
_SAMPLES = frozenset({"example", "sample", "template", "dist", "defaults"})


class Trigger(NamedTuple):
    """A kind of act. A part that is empty asks for nothing; an act must have all the others."""

    programs: tuple[str, ...] = ()  # one of them runs
    verbs: tuple[str, ...] = ()  # one of them is its first argument
    runs: tuple[str, ...] = ()  # one of them is in the name of the script or task that runs
    words: tuple[tuple[str, ...], ...] = ()  # one of each group stands in the command; a star is for any letters
    lacks: tuple[str, ...] = ()  # none of them stands in the command
    paths: tuple[str, ...] = ()  # names, folders ("migrations/") or globs; one fits a file of the act
    does: str = ""  # to that file: "write" (or delete), "change" (one that is there), "delete", "create", "name"
    text: tuple[str, ...] = ()  # one of them is in what is written to a file, or in the message of a commit
    days: tuple[int, ...] = ()  # of the week, Monday is 0
    outside: tuple[str, ...] = ()  # files that are not meant, told like `paths`
    manner: str = ""  # what is wrong with the message of a commit, or with a comment that is written: `manner.is_so`

    def without(self, words: Iterable[str]) -> Trigger:
        """The act where none of these stands in the command, either."""
        return self._replace(lacks=(*self.lacks, *words))


class Rule(NamedTuple):
    """An actionable rule: acts that break it, and what must have happened before them for it not to be broken."""

    id: str
    triggers: tuple[Trigger, ...]
    needs: tuple[Trigger, ...] = ()  # all of them, earlier in the session


def packed(rules: Iterable[Rule]) -> list[list[Any]]:
    """Rules as plain lists, for a file."""
    return [[one.id, [_sparse(t) for t in one.triggers], [_sparse(t) for t in one.needs]] for one in rules]


def _sparse(trigger: Trigger) -> dict[str, object]:
    return {name: value for name, value in zip(Trigger._fields, trigger, strict=True) if value}


def unpacked(value: object) -> list[Rule]:
    """The rules in such lists. Raises ValueError, TypeError or KeyError for anything else."""
    if not isinstance(value, list):
        raise TypeError("no list of rules")
    return [Rule(str(key), tuple(map(_whole, triggers)), tuple(map(_whole, needs))) for key, triggers, needs in value]


def _whole(given: dict[str, object]) -> Trigger:
    return Trigger(**{name: _frozen(value) for name, value in given.items()})  # type: ignore[arg-type]


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def files_named(rule: Rule) -> list[str]:
    """The files and folders that a rule wants left alone, as it names them."""
    bare = (one for one in rule.triggers if one.does in ("write", "delete", "create") and not (one.programs or one.words))
    return [path if "/" in path.strip("/") else f"**/{path}" for one in bare for path in one.paths]


def broken(
    rules: Sequence[Rule], call: Call, *, root: str = "", weekday: int = -1, exists: bool = True
) -> list[tuple[Rule, int]]:
    """The rules whose act the call is, each with its command's number (0 for an edit); `root`: what paths are told from."""

    def at(rule: Rule) -> int:
        numbers = (act(one, call, root=root, weekday=weekday, exists=exists) for one in rule.triggers)
        return next((number for number in numbers if number >= 0), -1)

    return [(rule, number) for rule in rules if (number := at(rule)) >= 0]


def act(trigger: Trigger, call: Call, *, root: str = "", weekday: int = -1, exists: bool = True) -> int:
    """The number of the command in the call that is the act, 0 for an edit; -1 when there is none."""
    if trigger.days and weekday not in trigger.days:
        return -1
    edited = bool(call.edits) and _is_edit(trigger, call, root=root, exists=exists)
    done = (number for number, command in enumerate(call.commands) if is_act(trigger, command, root=root, exists=exists))
    return next(done, 0 if edited else -1)


def is_act(trigger: Trigger, command: Command, *, root: str = "", exists: bool = False) -> bool:
    """Whether a command is the act."""
    fitting = (
        (not (trigger.text or trigger.manner) or (bool(trigger.programs) and _says(trigger, command.message, str.lower)))
        and (not trigger.programs or _has_program(trigger, command))
        and (not trigger.verbs or command.verb in trigger.verbs)
        and not (trigger.runs and command.runs.isdisjoint(trigger.runs))
        and all(_has_word(trigger, command, group, root) for group in trigger.words)
        and not _has_word(trigger, command, trigger.lacks, root)
    )
    is_dry = "--dry-run" in command.words and bool(trigger.verbs or trigger.runs) and "--dry-run" not in str(trigger.words)
    if not fitting or is_dry or (trigger.paths == ("*",) and command.program == "mv"):  # what is moved is still there
        return False
    if trigger.paths:
        files = [joined(command.at, path) for path in _files(trigger.does, command)]
        return not (trigger.does == "create" and exists) and _is_meant(trigger, files, root)
    return not trigger.does and bool(trigger.programs or trigger.runs or trigger.words)


def _says(trigger: Trigger, text: str, fold: Callable[[str], str] = str) -> bool:
    """Whether a text is written as it must not be, or has one of the words."""
    if trigger.manner:
        from psychmem_py.guards.manner import is_so  # noqa: PLC0415  # few rules ask for more than words

        return is_so(trigger.manner, text)
    return any(stands_in(fold(one), fold(text)) for one in trigger.text)


def _has_program(trigger: Trigger, command: Command) -> bool:
    run = (command.program, *command.by)
    if command.program[-1:].isdigit():  # pip3, python3.12
        run = (command.program.rstrip("0123456789."), *run)
    return any(one in run or ("*" in one and any(matches_glob(name, one) for name in run)) for one in trigger.programs)


def _has_word(trigger: Trigger, command: Command, words: Sequence[str], root: str) -> bool:
    """Whether a command has one of these words; one with a star is a whole argument behind its verb, or a file that it names."""
    if not command.words.isdisjoint(words):
        return True
    globs = [glob for glob in words if "*" in glob or " " in glob]
    given = [one for one in command.given if one not in trigger.verbs] if globs else []
    return any(matches_glob(one, glob) or _is_file(glob, one, command.at, root) for glob in globs for one in given)


def _is_file(glob: str, word: str, at: str, root: str) -> bool:
    return not OF_PATHS.isdisjoint(glob) and not word.startswith("-") and " " not in word and fits(glob, joined(at, word), root)


def _files(does: str, command: Command) -> tuple[str, ...]:
    changed = command.writes + command.deletes
    return {"write": changed, "change": changed, "delete": command.deletes, "create": command.writes}.get(does, command.paths)


def _is_edit(trigger: Trigger, call: Call, *, root: str, exists: bool) -> bool:
    if trigger.programs or trigger.verbs or trigger.runs or trigger.words:
        return False
    of_text = bool(trigger.text or trigger.manner)
    is_done = of_text or {"write": True, "change": exists, "create": not exists}.get(trigger.does, False)
    return is_done and (not of_text or _says(trigger, f"{call.text}\n")) and _is_meant(trigger, call.edits, root)


def _is_meant(trigger: Trigger, paths: Iterable[str], root: str) -> bool:
    """Whether the act means one of the files. A new file, or one outside a folder, is in the work tree and no scratch folder."""
    here = [_told(path, root) for path in paths]
    if trigger.does == "create" or trigger.outside:
        away = ("/", "~", "$HOME")
        here = [one for one in here if not (one.startswith(away) or one[1:2] == ":" or one.lower().startswith(SCRATCH))]
    meant = [path for path in here if not trigger.paths or any(fits(glob, path) for glob in trigger.paths)]
    return not all(any(fits(glob, path) for glob in trigger.outside) for path in meant)


def _told(path: str, root: str) -> str:
    """A path, told from `root` where it lies there."""
    path, top = path.replace("\\", "/"), root.replace("\\", "/").rstrip("/") + "/"
    return path.removeprefix(top) if root else path


def stands_in(word: str, text: str) -> bool:
    """Whether a code word stands in a text and is no part of a longer one."""
    at = text.find(word)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if before.isdigit() and word[0].isalpha():  # "12px" is two words, "md5sum" one
            before = text[:at].rstrip("0123456789.")[-1:]
        if not (_is_word(before) and _is_word(word[:1])) and not (_is_word(behind) and _is_word(word[-1:])):
            return True
        at = text.find(word, at + 1)
    return False


def _is_word(char: str) -> bool:
    """Whether it is a part of a word; of a script without spaces each sign is a word."""
    return char == "_" or (char < "\u2e80" and char.isalnum())


def fits(glob: str, path: str, root: str = "") -> bool:
    """Whether a path is the one named, lies in the folder named, or is what the glob means; told from `root` where it lies there.

    >>> fits("migrations/", "/p/db/migrations/001.sql", "/p"), fits("*.lock", "yarn.lock"), fits(".env", "/p/.env.example")
    (True, True, False)
    >>> fits(".env", "/p/.env.local")
    True
    """
    if glob == "*":
        return True
    wanted, given = glob.removeprefix("./").lower(), _told(path, root).removeprefix("./").lower()
    if wanted.startswith("~/") and given.startswith(_HOMES):
        given = "~/" + given.split("/", 2 + given.startswith(_HOMES[:2]))[-1]
    if wanted.startswith(("/", "~")):
        return given == wanted or given.startswith(wanted.rstrip("/*") + "/")
    if "*" in wanted or "?" in wanted:
        return _globbed(wanted, given)
    steps, parts = wanted.strip("/").split("/"), given.strip("/").split("/")
    width = len(steps)
    if wanted.endswith("/"):
        return any(parts[at : at + width] == steps for at in range(len(parts) - width + 1))
    name, other = steps[-1], parts[-1]
    of_ending = width == 1 and name.startswith(".") and other.endswith(name)  # ".unity files"
    is_family = name.startswith(".") and "." not in name[1:] and other.startswith(f"{name}.") and parts[-width:-1] == steps[:-1]
    # `.env` means `.env.local` too. What is there to be copied (`.env.example`) holds nothing worth guarding.
    return parts[-width:] == steps or ((of_ending or is_family) and _SAMPLES.isdisjoint(other.split(".")))


def _globbed(glob: str, path: str) -> bool:
    if glob.endswith("/**"):
        glob = glob[:-1]
    patterns = (glob, "*/" + glob, glob.replace("**/", ""), "*/" + glob.replace("**/", ""))
    return any(matches_glob(path, pattern) for pattern in patterns) or ("/" not in glob and matches_glob(base(path), glob))
