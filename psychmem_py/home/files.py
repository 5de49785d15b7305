"""Files of others and ours: read without following links, replaced whole or not at all; and the Markdown files of a project."""

from __future__ import annotations

import os
import stat

from psychmem_py.home.places import folder_of, names_in, stamp
from psychmem_py.model.light_record import FILE_FIELD, NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from psychmem_py.model.records import Memory

MARK = ".psychmem-"  # between the name of a file and the process that writes it anew
MOST_FILES = 2_000
MOST_BYTES = 262_144  # of one file
_NOT_OURS = frozenset({"node_modules", "vendor", "target", "build", "dist", "venv", "env", "__pycache__", "site-packages"})
_SHOWN = frozenset({".opencode", ".claude", ".github", ".psychmem"})  # hidden folders in which people keep documents
_MOST_LOOKED_AT = 20_000
_IDENTIFIERS, _LEAST_CHARS = 3, 3  # of one file that are watched; a shorter one stands in too many places
OWN = (  # what we make below our data folder, beside `memory.db`; in one that PSYCHMEM_HOME names other things may stand
    "briefs", "cache/languages", "checkpoints", "claims", "config/config.toml", "config/patterns", "encoder", "health", "ids",
    "install.log", "installed.json", "journals", "judge", "judge.json", "left-claude-code", "locks", "log/hooks.log", "log/hooks.log.1", "pauses",
    "plugin-environment.json", "plugin-setup", "settings.compiled.json",
)  # fmt: skip
PUBLIC = ("install-made", "venv")  # ours too, and no secret


def content(path: str, most_bytes: int) -> bytes | None:
    """The bytes of a plain file of at most `most_bytes`; else None. Whether a folder above is a link is the caller's matter."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            raw = file.read(most_bytes + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None
    except OSError:
        return None
    return raw if raw is not None and len(raw) <= most_bytes else None


def replace(path: str, content: bytes, mode: int = 0o600) -> None:
    """Makes `content` the file at `path`, in this mode, whole or not at all, never through a link. Raises OSError."""
    if os.path.lexists(fresh := f"{path}{MARK}{os.getpid()}"):  # of a process that was killed
        os.unlink(fresh)
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode), "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), mode)
        os.replace(fresh, path)
    except BaseException:
        remove(fresh)
        raise


def leave(path: str, content: bytes) -> None:
    """Writes a file, or nothing if a purge has just removed its folder."""
    try:
        replace(path, content)
    except FileNotFoundError:
        return  # with the half of it that was written


def remove_stale(folder: str | os.PathLike[str]) -> None:
    """Removes temporary files of killed processes from a folder."""
    for name in names_in(folder):
        _, mark, writer = name.rpartition(MARK)
        try:
            if mark:
                os.kill(int(writer.removesuffix(".md")), 0)
        except ProcessLookupError:
            remove(os.path.join(folder, name))
        except (OSError, ValueError, OverflowError):  # somebody else's process lives; or it is no number of one
            continue


def remove(path: str) -> bool:
    """Whether it was we who removed a file."""
    try:
        os.unlink(path)
    except OSError:
        return False  # another process was quicker
    return True


def files_below(top: str, hidden: Collection[str] = ()) -> list[str]:
    """A work tree's files from its top, with "/", up to a limit; none in others' folders, of hidden ones only those named."""
    found: list[str] = []
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if (name in hidden if name.startswith(".") else name not in _NOT_OURS))
        inside = os.path.relpath(folder, top).replace(os.sep, "/")
        found += names if inside == os.curdir else [f"{inside}/{name}" for name in names]
        if len(found) >= _MOST_LOOKED_AT:
            break
    return found[:_MOST_LOOKED_AT]


def markdown_files(root: str) -> list[tuple[str, str]]:
    """Path below the root, with "/", and a mark that changes with the file. In order of the path."""
    documents = [*filter(_is_document, sorted(files_below(root, _SHOWN)))][:MOST_FILES]
    return [(path, stamp(os.path.join(root, path))) for path in documents]


def _is_document(path: str) -> bool:
    folder, _, name = (path := path.lower()).rpartition("/")
    return path.endswith((".md", ".mdx")) or name == "readme.txt" or (f"/{folder}".endswith("/memory") and name.endswith(".txt"))


def text_of(root: str, path: str, most_bytes: int = MOST_BYTES) -> str | None:
    """The text of a file below the root; None for a link or what lies behind one, for no plain file, and for one too long."""
    whole = os.path.join(root, path)
    if os.path.realpath(os.path.dirname(whole)) != os.path.normpath(os.path.join(os.path.realpath(root), os.path.dirname(path))):
        return None
    return None if (raw := content(whole, most_bytes)) is None else raw.decode("utf-8", "replace")


def versions(root: str, names: Iterable[str], below: Callable[[str], Sequence[str]] = files_below) -> tuple[tuple[str, str], ...]:
    """Metadata for the files under `root` among `names` (or that alone end so): git's hash, and the identifiers in them."""
    named = list(names)
    identifiers = [one for name in named if (one := name.removesuffix("()")).isidentifier() and len(one) >= _LEAST_CHARS]
    found: dict[str, str] = {}
    for name in (one for one in named if "." in one or "/" in one):
        path, raw = name, _below(root, name)
        if raw is None:
            ending = [path for path in below(root) if path.endswith(f"/{name}")]
            path, raw = (ending[0], _below(root, ending[0])) if len(ending) == 1 else (name, None)
        if raw is not None:
            inside = [one for one in identifiers if _stands_in(one, raw)]
            found[FILE_FIELD + path] = " ".join((_version(raw), *inside[:_IDENTIFIERS]))
    return tuple(found.items())[:5]


def changed(root: str, memories: Sequence[Memory]) -> dict[str, tuple[str, str]]:
    """By memory id the first file that changed or vanished since it was noted, and the identifier it lost, "" for none."""
    fields = [(memory.id, *field) for memory in memories for field in memory.metadata if field[0].startswith(FILE_FIELD)]
    now = {key: _below(root, key.removeprefix(FILE_FIELD)) for key in {key for _, key, _ in fields}}
    stale = {}
    for one, key, then in reversed(fields):
        raw, (version, *inside) = now[key], then.split(" ")
        if raw is None or _version(raw) != version:
            gone = next((name for name in inside if raw is not None and not _stands_in(name, raw)), "")
            stale[one] = key.removeprefix(FILE_FIELD), gone
    return stale


def _stands_in(identifier: str, raw: bytes) -> bool:
    import re  # noqa: PLC0415  # the detached child and people's commands alone

    return re.search(rb"(?<![\w$])%s(?![\w$])" % re.escape(identifier.encode()), raw) is not None


def _below(root: str, name: str) -> bytes | None:
    """What is in a file; None for what is not a small regular file under `root`."""
    path = os.path.normpath(os.path.join(root, name))
    return content(path, 1 << 20) if path.startswith(os.path.join(os.path.normpath(root), "")) else None


def _version(raw: bytes) -> str:
    from hashlib import sha1  # noqa: PLC0415  # 4 ms that only memories naming files need

    return sha1(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()


class Directories(NamedTuple):
    """Our four directories; none of them need exist."""

    data: Path
    config: Path
    cache: Path
    log: Path

    @property
    def languages(self) -> Path:
        """Where what was read of the language files waits for the next process."""
        return self.cache / "languages"


def directories(env: Mapping[str, str]) -> Directories:
    """Where they are for this environment; see `places.folder_of`."""
    from pathlib import Path  # noqa: PLC0415  # hooks read and write files without

    return Directories(*(Path(folder_of(kind, env)) for kind in Directories._fields))
