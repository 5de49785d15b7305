"""Paths of our directories, as text, and refusal of symbolic links: what every event needs, with hardly any import."""

from __future__ import annotations

import os
import sys
from _collections_abc import Mapping

from psychmem_py.errors import ConfigError, RefusedError

StrPath = str | os.PathLike[str]
DATABASE = "memory.db"
ENCODER_FILES = ("model.onnx", "tokenizer.json")  # that a person puts into the encoder's folder
MADE_ABOVE = ".made-above"
ON, OFF = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})
NO_SETTINGS = frozenset(f"PSYCHMEM_{name}" for name in "HOME DISABLE HOOK ANSWERED TYPED_BY APART".split())
FOLDER = "health"
NAME = "psychmem"
LEFT = "left-claude-code"  # a mark, for processes at work, that the client was taken out; gone where it is wanted again
_USUAL = {"data": ".local/share", "config": ".config", "cache": ".cache", "log": ".local/state"}


def home(env: Mapping[str, str]) -> str:
    """The home directory, also when HOME is not set."""
    if os.path.isabs(folder := env.get("HOME", "")):
        return folder
    import pwd  # noqa: PLC0415  # only where HOME is missing

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a container's user without an entry
        return "/"


def expanded(path: str, env: Mapping[str, str]) -> str:
    """A path with the home directory for a leading "~": settings files pass it on as it is, a shell would not."""
    return home(env) + path[1:] if path == "~" or path.startswith("~/") else path


def folder_of(kind: str, env: Mapping[str, str]) -> str:
    """Our directory for data, config, cache or log: PSYCHMEM_HOME=/x gives /x, /x/config, /x/cache, /x/log."""
    if not (named := env.get("PSYCHMEM_HOME", "")):
        return standard(kind, env)
    own = os.path.abspath(expanded(named, env))
    return own if kind == "data" else os.path.join(own, kind)


def config_file(env: Mapping[str, str]) -> str:
    """The path of config.toml, there or not; one in the folder of PSYCHMEM_HOME itself counts where there is no other."""
    path, plain = (os.path.join(folder_of(kind, env), "config.toml") for kind in ("config", "data"))
    return plain if env.get("PSYCHMEM_HOME") and os.path.isfile(plain) and not os.path.exists(path) else path


def toml_in(text: str, path: str, mend: str) -> dict[str, object]:
    """The table in a file's text. Raises ConfigError, with the mend, for a text that is no TOML."""
    if not text:
        return {}
    import tomllib  # noqa: PLC0415  # 6 ms, and most people have no such file

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))  # as editors of Windows begin a file
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        why = "nested too deep to be read" if isinstance(exc, RecursionError) else f"not valid TOML ({exc})"
        raise ConfigError(f"{path} is {why}; {mend}") from None


def own_folder(path: str) -> str:
    """The path of a folder of ours, made for its owner alone where it is missing. Raises RefusedError for a link."""
    refuse_link(path, "remove it, PsychMem makes the folder itself")
    if not os.path.isdir(path):
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)  # each by itself: a parent made on the way gets no mode
        os.makedirs(path, 0o700, exist_ok=True)
    return path


def own_base(path: str) -> str:
    """`own_folder` in a system folder such as ~/.cache. If that was made for us, a marker in ours says so: both are removed."""
    there = os.path.isdir(os.path.dirname(path))
    own_folder(path)
    if not there:
        os.close(os.open(os.path.join(path, MADE_ABOVE), os.O_CREAT | os.O_WRONLY, 0o600))
    return path


def refuse_link(path: str, mend: str = "put the real file there") -> None:
    """Raises RefusedError, with the mend, where `path` is a symbolic link: who made it decides what is written to."""
    if os.path.islink(path):
        raise RefusedError(f"{path} is a symbolic link, and PsychMem does not go through links; {mend}")


def below(path: str, top: str) -> str:
    """A path told from a folder that it is below; "" for one elsewhere."""
    absolute = (spelled for spelled in (path, os.path.realpath(path)) if spelled.startswith(top + os.sep))
    inside = next(absolute, "")[len(top) + 1 :] if os.path.isabs(path) else os.path.normpath(path)
    return "" if inside.startswith("..") else inside


def matches_glob(path: str, glob: str) -> bool:
    """Whether a whole path matches `glob`, as `fnmatchcase` says, without its 7 ms of CPU where there are only stars."""
    if "?" in glob or "[" in glob:
        from fnmatch import fnmatchcase  # noqa: PLC0415  # brings `re`

        return fnmatchcase(path, glob)
    first, *middle, last = glob.split("*") if "*" in glob else (glob, glob)
    if "*" not in glob or not path.startswith(first) or not path.endswith(last):
        return path == glob
    at = len(first)
    for part in middle:
        at = path.find(part, at) + len(part)
        if at < len(part):
            return False
    return at + len(last) <= len(path)


def checksum(text: str | bytes) -> str:
    """Sixteen hex digits and the length of a text, as its file name. Plain arithmetic: `zlib` costs each hook 0.5 ms of CPU."""
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return f"{int.from_bytes(raw) % (10**18 + 9):016x}{len(text):x}"


def stamp(path: str) -> str:
    """Time, in nanoseconds, and size of a file; "" where there is none."""
    try:
        return f"{(about := os.stat(path)).st_mtime_ns} {about.st_size}"
    except OSError:
        return ""


def changed_at(path: StrPath) -> float:
    """When a file was last written; 0 for one that another process has just removed."""
    try:
        return os.stat(path, follow_symlinks=False).st_mtime
    except OSError:
        return 0.0


def names_in(folder: StrPath) -> list[str]:
    """What stands in a folder, in order; [] where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def read_small(path: str, most_bytes: int = 1 << 16) -> str:
    """The text at the beginning of a file; "" where there is none to read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # a pipe would be waited for
            return file.read(most_bytes).decode("utf-8", "replace")
    except OSError:
        return ""


def sqlite_address(path: StrPath) -> str:
    """The address that opens a database for reading only; `&immutable=1` behind it promises that nobody writes meanwhile."""
    text = os.path.abspath(os.fspath(path))  # by hand: urllib.parse costs 2 ms of CPU
    return "file:" + text.replace("%", "%25").replace("?", "%3f").replace("#", "%23") + "?mode=ro"


def is_disabled(env: Mapping[str, str]) -> bool:
    """Whether all hooks are switched off."""
    return env.get("PSYCHMEM_DISABLE", "").lower() in ON


def standard(kind: str, env: Mapping[str, str], *, xdg: bool = False) -> str:
    """The system's own place for our data, config, cache or log; with `xdg` the one that the plugin's shell knows everywhere."""
    if sys.platform in ("win32", "darwin") and not xdg:
        import platformdirs  # noqa: PLC0415  # Linux does without: 11 ms of CPU

        return str(getattr(platformdirs, f"user_{kind}_dir")("psychmem", appauthor=False))
    base = env.get(f"XDG_{'STATE' if kind == 'log' else kind.upper()}_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home(env), _USUAL[kind]), "psychmem")


def encoder_folder(data: str) -> str:
    """The folder of weights in the data directory: its being there switches searching by meaning on."""
    return os.path.join(data, "encoder")


def vectors_of(database: StrPath) -> str:
    """The file of vectors beside a database."""
    return os.fspath(database) + ".vectors"


def beat(data: StrPath, event: str, now: float) -> None:
    """Notes that the event has been served; one empty file for each event, its date is the fact."""
    path = os.path.join(data, FOLDER, f"{event}.ok")
    try:
        if not os.path.lexists(path):  # the first one
            own_folder(os.path.dirname(path))
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        os.utime(path, (now, now))
    except (OSError, RefusedError):
        return  # read-only: a missing beat is what `doctor` will see


def append(path: str, raw: bytes, most_bytes: int) -> None:
    """Appends to a file, never through a link; one of more than `most_bytes` then becomes PATH.1, in place of the one before."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe would be waited for
    with open(os.open(path, flags, 0o600), "ab", 0) as file:
        file.write(raw)
        full = os.fstat(file.fileno()).st_size > most_bytes
    if full:
        os.replace(path, f"{path}.1")


def has_failures(data: StrPath) -> bool:
    """Whether there is a record of a failure that lasts or was not told."""
    folder = os.path.join(data, FOLDER)
    return os.path.islink(folder) or any(name.endswith(".failed") for name in names_in(folder))


def own_command(env: Mapping[str, str]) -> str:
    """`psychmem` where PATH finds it, else the path of the one beside our interpreter, quoted for a shell where it has to be."""
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    on_path = (os.path.join(folder, NAME) for folder in env.get("PATH", "").split(os.pathsep) if folder)
    if any(os.access(path, os.X_OK) for path in on_path) or not os.access(beside, os.X_OK):
        return NAME
    plain = all(char.isalnum() or char in "/._-+" for char in beside)
    return beside if plain else "'" + beside.replace("'", "'\\''") + "'"
