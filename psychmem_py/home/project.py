"""Which project a directory belongs to, from its files and git's, without git. `/` and the home are nobody's project."""

from __future__ import annotations

import os
from _collections_abc import Collection, Iterator, Mapping

from psychmem_py.errors import ConfigError, RefusedError
from psychmem_py.home.places import append, folder_of, home, own_folder, read_small, toml_in
from psychmem_py.model.light_record import NamedTuple

MARKER = ".psychmem.toml"
_NAME_BYTES, _TOKEN_CHARS = 100, 20


class Project(NamedTuple):
    """A project: `id` is the same on every machine that has the same remote."""

    id: str  # "id:…", "git:host/path", "dir:/abs"
    name: str  # for people
    root: str  # the main work tree, or the directory


def project_of(cwd: str | os.PathLike[str], env: Mapping[str, str]) -> Project | None:
    """The project `cwd` is in; None for `/`, the home directory and what lies directly in neither's. Raises ConfigError."""
    return resolved(cwd, env)[0]


def resolved(cwd: str | os.PathLike[str], env: Mapping[str, str]) -> tuple[Project | None, str]:
    """The project, and the name in `.psychmem.toml` that does not count here because another had it first; "" for none."""
    here = os.fsencode(os.path.realpath(cwd)).decode("utf-8", "replace")  # as a client writes a folder's name that is not UTF-8
    nobodys = {os.path.realpath("/"), os.path.realpath(home(env))}
    repository = repository_of(here, nobodys)
    folder, name = _explicit(here, nobodys, repository)
    own = _own(here if repository or not name else folder, repository, nobodys)
    named = Project(id=f"id:{name}", name=name, root=repository.root if repository else folder)
    counts = name and _is_theirs(named, own.id if own else f"dir:{folder}", env)
    return (named, "") if counts else (own, name if own else "")


def _own(here: str, repository: Repository | None, nobodys: set[str]) -> Project | None:
    """The project of `here` by its path and git remote, which no file in it can choose."""
    if (root := repository.root if repository else here) in nobodys:
        return None
    # An unpacked archive can hold what is only laid out as a repository, without a `.git` that git itself made.
    remote = _remote(repository) if repository and repository.top != repository.common else ""
    if remote:
        return Project(id=f"git:{remote}", name=remote.rpartition("/")[2], root=root)
    return Project(f"dir:{repository.common if repository else here}", os.path.basename(root).removesuffix(".git"), root)


def id_before(project: Project) -> tuple[str, float]:
    """The id a directory's project had without the remote or name it has now, and when it began; "" where it is that one."""
    repository = repository_of(project.root)
    if (former := f"dir:{repository.common if repository else project.root}") == project.id:
        return "", 0.0
    # git writes the first when it makes a repository, and never again; templates of one's own may leave it out.
    marks = (os.path.join(repository.common, name) for name in ("description", "refs/tags", "objects/info")) if repository else ()
    made = next(filter(os.path.exists, marks), "")
    return former, os.stat(made).st_mtime if made else 0.0


def trust(cwd: str | os.PathLike[str], env: Mapping[str, str]) -> Project | None:
    """Lets the name in `.psychmem.toml` count here too; the project `cwd` is in from now on."""
    own, name = resolved(cwd, env)
    if name and own:
        append(_claim(name, env), f"{own.id}\n".encode(), 1 << 20)
    return project_of(cwd, env)


def _claim(name: str, env: Mapping[str, str]) -> str:
    return os.path.join(folder_of("data", env), "ids", name.encode().hex())


def _is_theirs(named: Project, own: str, env: Mapping[str, str]) -> bool:
    """Whether project `own` owns a name: it used it first, maybe under another remote, or a person trusted it."""
    from psychmem_py.home.journal import locked  # noqa: PLC0415  # where there is a name

    path, (former, began) = _claim(named.name, env), id_before(named)
    made = f"{former} {began}" if former else own
    try:
        own_folder(os.path.dirname(path))
        if not read_small(path):  # new, or of a process that was killed before it wrote
            with locked(path, os.O_RDWR | os.O_CREAT) as file:
                if not os.fstat(file).st_size:
                    os.write(file, f"{own}\n".encode())
        if own in (claims := read_small(path).splitlines()) and made not in claims:
            append(path, f"{made}\n".encode(), 1 << 20)
        return own in claims or made in claims
    except (OSError, RefusedError):
        return False


def input_files(cwd: str | os.PathLike[str]) -> list[str]:
    """The files, existing or not, that decide the project of `cwd`."""
    here = os.path.realpath(cwd)
    folders = upwards(here, repository.top if (repository := repository_of(here)) else "")
    names = [os.path.join(folder, name) for folder in folders for name in (MARKER, os.path.join(".git", "HEAD"))]
    return [*names, os.path.join(repository.common, "config")] if repository else names


def _explicit(here: str, nobodys: set[str], repository: Repository | None) -> tuple[str, str]:
    """Folder and id of the nearest `.psychmem.toml` from `here` to the top of the work tree, then in the main one; or ""."""
    folders = list(upwards(here, repository.top if repository else ""))
    end = next((at for at, folder in enumerate(folders) if folder in nobodys), len(folders))
    for folder in [*folders[:end], *([repository.root] if repository and repository.root not in folders else [])]:
        if name := _marked(os.path.join(folder, MARKER)):
            return folder, name
    return "", ""


def _marked(path: str) -> str:
    """The id that a `.psychmem.toml` gives; "" for none. Raises ConfigError."""
    if not os.path.exists(path):
        return ""
    from unicodedata import category  # noqa: PLC0415  # only where such a file stands

    table = toml_in(read_small(path), path, 'write id = "name"')
    given = table.get("id") or (inner.get("id") if isinstance(inner := table.get("project"), dict) else inner)
    name = " ".join(given.split()) if isinstance(given, str) else ""
    # A name and nothing else: whoever writes a repository writes it into the agent's brief.
    if len(name.encode()) > _NAME_BYTES or not all(char in " ._-/@+" or category(char)[0] in "LMN" for char in name):
        raise ConfigError(f"the id in {path} may hold letters, digits, spaces and . _ - / @ + only, at most {_NAME_BYTES} bytes")
    return name


def _remote(repository: Repository) -> str:
    remotes, section = dict[str, str](), ""
    for text in map(str.strip, read_small(os.path.join(repository.common, "config")).splitlines()):
        if text.startswith("["):
            section = text.partition('"')[2].rpartition('"')[0] if text.lower().startswith("[remote ") else ""
        elif section and text.partition("=")[0].strip().lower() == "url":
            remotes.setdefault(section, text.partition("=")[2].strip().strip('"'))
    return normalised_remote(remotes.get("origin") or next(iter(remotes.values()), ""), repository.root)


def normalised_remote(url: str, root: str) -> str:
    """host/path of a remote ("github.com/acme/api"), however scheme, user, password, port, `.git`, case of the host are spelt."""
    if not (url := url.partition("?")[0].partition("#")[0]):  # behind them stand tokens
        return ""
    scheme, separator, rest = url.partition("://")
    if separator and scheme.lower() != "file":
        host, _, path = rest.partition("/")
    else:
        rest = rest if separator else url
        user, at, behind = rest.partition("/")[0].rpartition("@")
        host, colon, path = rest[len(user + at) * (":" in behind) :].partition(":")  # of kim:password@host:path
        if not colon or "/" in host:  # a path of this machine
            return os.path.realpath(os.path.join(root, rest)).rstrip("/").removesuffix(".git")
    host = host.rpartition("@")[2].lower()
    name, _, port = host.rpartition(":")
    host = name if name and port.isdigit() else host
    parts = path.partition(";")[0].strip("/").removesuffix(".git").split("/")  # behind the sign a token may stand
    if any(len(part) >= _TOKEN_CHARS and any(map(str.isdigit, part)) for part in parts):
        from psychmem_py.safety.secrets import redact  # noqa: PLC0415  # 15 ms of CPU that few remotes need

        parts = list(map(redact, parts))
    return "/".join((host, *parts))


class Repository(NamedTuple):
    """A git repository as its files show it."""

    top: str  # the work tree one stands in
    common: str  # what linked worktrees share: objects, refs, config
    root: str  # the main work tree, or the bare repository itself


def repository_around(cwd: str | os.PathLike[str]) -> Repository:
    """The repository around `cwd`, symlinks resolved; outside git as if it were one itself."""
    return repository_of(here := os.path.realpath(cwd)) or Repository(here, here, here)


def head_of(cwd: str | os.PathLike[str]) -> str:
    """The file that names the branch checked out around `cwd`, "" outside git."""
    mark = os.path.join(repository_around(cwd).top, ".git")
    folder = mark if os.path.isdir(mark) else _gitdir_of(mark)
    return os.path.join(os.path.dirname(mark), folder, "HEAD") if folder else ""


def branch_of(cwd: str | os.PathLike[str]) -> str:
    """The branch checked out around `cwd`; "" outside git and on a detached head."""
    before, ref, branch = read_small(head_of(cwd)).strip().partition("ref: refs/heads/")
    return branch if ref and not before else ""


def upwards(here: str, top: str = "") -> Iterator[str]:
    """A folder and those above it, as far as `top` where that is one of them."""
    yield here
    while here != top and (parent := os.path.dirname(here)) != here:
        yield (here := parent)


def repository_of(here: str, nobodys: Collection[str] = ()) -> Repository | None:
    """The repository around `here`; None outside git. A work tree comes before a bare one: a clone can bring one along."""
    bare: Repository | None = None
    for folder in upwards(here):
        if folder in nobodys:
            return bare  # a repository of dot files around everything is not the project of what lies below
        if os.path.isdir(mark := os.path.join(folder, ".git")):
            return Repository(folder, mark, folder)
        if os.path.isfile(mark):
            return _linked(folder, mark)
        if not bare and os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects")):
            bare = Repository(folder, folder, folder)
    return bare


def _linked(folder: str, mark: str) -> Repository | None:
    """A `.git` file: a linked worktree has `commondir`; a submodule or separate directory has not."""
    if not (told := _gitdir_of(mark)):
        return None
    directory = os.path.realpath(os.path.join(folder, told))
    if not (shared := read_small(os.path.join(directory, "commondir")).strip()):
        # A file may point anywhere, but the `.git` of another work tree belongs to that one.
        foreign = os.path.basename(directory) == ".git" and os.path.dirname(directory) != folder
        return Repository(folder, mark, folder) if foreign else Repository(folder, directory, folder)
    common = os.path.realpath(os.path.join(directory, shared))
    knows = os.path.realpath(os.path.join(directory, read_small(os.path.join(directory, "gitdir")).strip())) == mark
    if not knows or os.path.dirname(directory) != os.path.join(common, "worktrees"):
        return Repository(folder, mark, folder)  # a repository knows its linked work trees, within itself; this one not
    return Repository(folder, common, os.path.dirname(common) if os.path.basename(common) == ".git" else common)


def _gitdir_of(mark: str) -> str:
    return line.removeprefix("gitdir:").strip() if (line := read_small(mark).strip()).startswith("gitdir:") else ""
