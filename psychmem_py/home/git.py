"""What git keeps about a worktree, read from its files without starting git."""

from __future__ import annotations

import os

from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Repository(NamedTuple):
    """A git repository as its files show it."""

    top: str  # the work tree one stands in
    common: str  # what linked worktrees share: objects, refs, config
    root: str  # the main work tree, or the bare repository itself

    @property
    def is_bare(self) -> bool:
        """Whether one stands in a folder that is only laid out as a repository, without a `.git` that git itself made."""
        return self.top == self.common


def main_root(cwd: str | os.PathLike[str]) -> str:
    """The main work tree of the repository around `cwd` (a bare one itself), or `cwd` outside git; symlinks resolved."""
    here = os.path.realpath(cwd)
    repository = repository_of(here, set())
    return repository.root if repository else here


def top_of(cwd: str | os.PathLike[str]) -> str:
    """The work tree `cwd` is in, or `cwd` outside git; symlinks resolved."""
    here = os.path.realpath(cwd)
    repository = repository_of(here, set())
    return repository.top if repository else here


def head_of(cwd: str | os.PathLike[str]) -> str:
    """The file that names the branch checked out around `cwd`, "" outside git."""
    top = top_of(cwd)
    mark = os.path.join(top, ".git")
    if os.path.isdir(mark):
        return os.path.join(mark, "HEAD")
    line = read_small(mark).strip()
    return os.path.join(top, line.removeprefix("gitdir:").strip(), "HEAD") if line.startswith("gitdir:") else ""


_NOT_WRITTEN_HERE = frozenset("node_modules vendor target venv dist build __pycache__".split())
_MOST_FILES = 20_000


def files_below(top: str) -> list[str]:
    """The files of a work tree, told from its top, as far as they are looked at: none in hidden folders and in those of others."""
    files: list[str] = []
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _NOT_WRITTEN_HERE)
        inside = os.path.relpath(folder, top)
        files += names if inside == os.curdir else [os.path.join(inside, name) for name in names]
        if len(files) >= _MOST_FILES:
            break
    return files[:_MOST_FILES]


def branch_of(cwd: str | os.PathLike[str]) -> str:
    """The branch checked out around `cwd`; "" outside git and on a detached head."""
    file = head_of(cwd)
    head = read_small(file).strip() if file else ""
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def upwards(here: str) -> Iterator[str]:
    while True:
        yield here
        parent = os.path.dirname(here)
        if parent == here:
            return
        here = parent


def repository_of(here: str, nobodys: set[str]) -> Repository | None:
    """The repository around `here`; None outside git.

    An enclosing work tree comes before a folder that is laid out like a bare repository: a clone can bring such a folder along.
    """
    bare: Repository | None = None
    for folder in upwards(here):
        if folder in nobodys:
            return bare  # a repository of dot files around everything is not the project of what lies below
        mark = os.path.join(folder, ".git")
        if os.path.isdir(mark):
            return Repository(folder, mark, folder)
        if os.path.isfile(mark):
            return _linked(folder, mark)
        if not bare and os.path.isfile(os.path.join(folder, "HEAD")) and os.path.isdir(os.path.join(folder, "objects")):
            bare = Repository(folder, folder, folder)
    return bare


def _linked(folder: str, mark: str) -> Repository | None:
    """A `.git` file: a linked worktree has `commondir`; a submodule or separate directory has not."""
    line = read_small(mark).strip()
    if not line.startswith("gitdir:"):
        return None
    directory = os.path.realpath(os.path.join(folder, line.removeprefix("gitdir:").strip()))
    shared = read_small(os.path.join(directory, "commondir")).strip()
    if not shared:
        # A file may point anywhere, but the `.git` of another work tree belongs to that one.
        foreign = os.path.basename(directory) == ".git" and os.path.dirname(directory) != folder
        return Repository(folder, mark, folder) if foreign else Repository(folder, directory, folder)
    if os.path.realpath(os.path.join(directory, read_small(os.path.join(directory, "gitdir")).strip())) != mark:
        return Repository(folder, mark, folder)  # a repository knows its linked work trees; this one it does not
    common = os.path.realpath(os.path.join(directory, shared))
    return Repository(folder, common, os.path.dirname(common) if os.path.basename(common) == ".git" else common)


def read_small(path: str) -> str:
    """A small file's text, or "" where there is none to read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""
