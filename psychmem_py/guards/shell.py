"""A shell line as the simple commands it runs, each a list of words, without quotes, wrappers, loops and redirections.

Loaded before every tool call, so it does without `re` and `shlex`. It reads what agents write, not all of the shell: what it
cannot read it leaves out, and a command it does not see breaks no rule.
"""

from __future__ import annotations

from itertools import pairwise

from psychmem_py.model.light_record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

LIMIT_CHARS = 20_000
PIPED = "|"  # in `by` of what reads another command's output
LEFT = "&"  # and of what is left to run
_ENDS = frozenset(";|&\n()")
_INTERPRETERS = ("python", "node", "ruby", "php", "perl", "deno")
_DEPTH = 4  # of shells within shells
_IN_ENVIRONMENT = ("--with", "-p", "--python", "--group", "--extra", "-n")
# What runs another command: what stands between it and that, a word of these if there are any, and its options that take a value.
RUNS: dict[str, tuple[str, ...]] = {
    "sudo": ("", "-u", "-g", "-C", "-h", "-p"), "doas": ("", "-u"), "env": ("", "-u", "-C", "-S"), "time": ("", "-f", "-o"), "nice": ("", "-n"),
    "ionice": ("", "-c", "-n"), "exec": ("", "-a"), "stdbuf": ("", "-o", "-i", "-e"), "timeout": ("", "-s", "-k", "--signal", "--kill-after"),
    "watch": ("", "-n"), "xargs": ("", "-n", "-I", "-P", "-L", "-d", "-a"), "npx": ("", "-p", "--package"), "uvx": ("", "--from", "--with"),
    "dotenv": ("", "-e", "-f"), "strace": ("", "-o", "-e"),
    **dict.fromkeys("nohup command builtin setsid bunx corepack cross-env unbuffer caffeinate".split(), ("",)),
    **dict.fromkeys("uv poetry pipenv pdm hatch rye conda pipx".split(), ("run", *_IN_ENVIRONMENT)), "pnpm": ("dlx exec", "-p"), "yarn": ("dlx exec", "-p"),
    "npm": ("exec", "-p"), "bun": ("x",), "bundle": ("exec",), "direnv": ("exec",), "mise": ("exec",), "asdf": ("exec",),
}  # fmt: skip
_FETCHING = {"npx", "bunx", "uvx", "corepack"}  # a program that is nowhere yet
# Of packages, which `yarn jest` runs where no script is called so.
_BINARIES = frozenset(
    "jest vitest mocha eslint prettier biome tsc vue-tsc prisma drizzle-kit knex typeorm sequelize-cli cypress playwright next vite astro nuxt"
    " turbo nx tsx ts-node wrangler vercel expo lerna changeset webpack rollup storybook stylelint".split()
)
STARTERS = frozenset(name for name, (between, *_) in RUNS.items() if not between and name not in _FETCHING)
_COUNTED = frozenset({"timeout"})  # their first plain word is no command
# Programs that run something by its name.
RUNNERS = frozenset(
    "npm pnpm yarn bun make just task rake rails mix cargo go mvn gradle gradlew mvnw dotnet deno"
    " flutter dart swift bazel nx turbo lerna invoke inv fab cap artisan composer sbt stack zig tox".split()
)
# Commands that only lead to another one or say something, and those that read what another one wrote.
HARMLESS = frozenset("cd echo printf export set unset source . true false sleep pwd test [ mkdir which type read".split())
READERS = frozenset("tail head grep egrep rg sort uniq wc sed awk cut tr cat less more tee jq xargs column nl".split())
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "fish"})
_CONTAINERS = frozenset({"docker", "podman", "kubectl", "docker-compose"})
_WORDS_OF_SHELL = frozenset({"if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "time"})


class Simple(NamedTuple):
    """One command that a shell line runs."""

    words: tuple[str, ...]  # the program first
    into: tuple[str, ...] = ()  # files that its output is put into
    by: tuple[str, ...] = ()  # what it was wrapped in: sudo, npx, ENV=prod
    at: str = ""  # the folder into which `cd` led before it


def commands(line: str, depth: int = 0) -> list[Simple]:
    """The commands in a shell line, in their order; those inside `bash -c`, `$(…)`, `ssh`, `find -exec` included."""
    simple_commands: list[Simple] = []
    feeders: list[str] = []  # the programs that wrote what a command is fed
    places = [""]  # of the shell, and of the one in each open bracket
    for one in _Line(line[:LIMIT_CHARS]).pieces():
        places = (places + places[-1:] * one.depth)[: one.depth + 1]
        made = [inner for text in one.inner if depth < _DEPTH for inner in commands(text, depth + 1)]
        own = _unwrapped(one.words, tuple(one.into), depth)
        fed = (PIPED, *(f"{PIPED}{feeder}" for feeder in feeders)) if one.is_piped else ()
        marks = fed + (LEFT,) * one.is_left
        feeders = [*(feeders if one.is_piped else ()), *(base(simple.words[0]) for simple in own if simple.words)]
        made += [each._replace(by=each.by + marks) for each in own]
        simple_commands += [each._replace(at=joined(places[-1], each.at)) for each in made] if places[-1] else made
        if one.words[:1] in (["cd"], ["pushd"]):
            places[-1] = joined(places[-1], "".join(one.words[-1:]))
    return simple_commands


def joined(folder: str, inner: str) -> str:
    """A path told from a folder that is told from another one itself."""
    if not folder or inner.startswith(("/", "~", "$")):
        return inner
    while folder and (inner == ".." or inner.startswith("../")):
        folder, inner = folder.rpartition("/")[0], inner[3:]
    return f"{folder}/{inner}" if folder and inner else inner or folder


def written(line: str) -> list[tuple[list[str], bool]]:
    """The commands of a line as written, each with whether it reads another's output; those inside others are left out."""
    return [(one.words, one.is_piped) for one in _Line(line[:LIMIT_CHARS]).pieces() if one.words]


class _Piece:
    """One command of a line as it is written."""

    __slots__ = ("depth", "inner", "into", "is_left", "is_piped", "words")

    def __init__(self, depth: int = 0) -> None:
        self.depth = depth  # of brackets
        self.words: list[str] = []
        self.into: list[str] = []  # targets of `>`
        self.inner: list[str] = []  # text of `$(…)`
        self.is_piped = self.is_left = False


class _Line:
    """A shell line, read sign by sign."""

    def __init__(self, line: str) -> None:
        self.line, self.at = line, 0
        self.found: list[_Piece] = []
        self.piece = _Piece()
        self.word: str | None = None  # None: between two words
        self.target = ""  # the redirection whose target comes next
        self.heredocs: list[str] = []  # the words that end them

    def pieces(self) -> list[_Piece]:
        while self.at < len(self.line):
            char = self.line[self.at]
            if char in "\\'\"`" or self.line.startswith("$(", self.at):
                self._quoted(char)
            elif char == "#" and self.word is None:
                self.at += len(self._rest_of_line())
            elif char in "<>" or self.line.startswith("&>", self.at):
                self._redirection()
            elif char in _ENDS:
                self._end()
                self.piece.depth += (char == "(") - (char == ")" and self.piece.depth > 0)
                is_one = char not in (self.line[self.at - 1 : self.at], self.line[self.at + 1 : self.at + 2])
                self.piece.is_piped = char == "|" and is_one
                for one in self.found[-1:] if char == LEFT and is_one else ():
                    one.is_left = True
                self.at += 1
                if char == "\n" and self.heredocs:
                    self._skip_heredocs()
            elif char in " \t\r":
                self._close()
                self.at += 1
            else:
                self._add(char)
                self.at += 1
        self._end()
        return self.found

    def _add(self, text: str) -> None:
        self.word = (self.word or "") + text

    def _quoted(self, char: str) -> None:
        """Takes what is quoted, by a backslash, quotes or as a command, into the word."""
        if char == "\\":
            following = self.line[self.at + 1 : self.at + 2]
            if following != "\n":
                self._add(following)
            self.at += 2
        elif char == "'":
            text = self.line[self.at + 1 :].partition("'")[0]
            self._add(text)
            self.at += len(text) + 2
        elif char == '"':
            text, self.at = _double(self.line, self.at + 1, self.piece.inner)
            self._add(text)
        else:
            text, self.at = _inner(self.line, self.at)
            self.piece.inner.append(text)
            self._add("$()")

    def _redirection(self) -> None:
        if self.word and self.word.isdigit():
            self.word = None  # the number of a descriptor
        self._close()
        rest = self.line[self.at :]
        mark = rest[: len(rest) - len(rest.lstrip("<>&|"))]
        self.at += len(mark)
        self.target = "<<" if mark == "<<" else ">" if mark in (">", ">>", ">|", "&>", "&>>") else "<"

    def _close(self) -> None:
        """Ends a word."""
        if self.word is None:
            return
        if self.target == ">":
            self.piece.into.append(self.word)
        elif self.target == "<<":
            self.heredocs.append(self.word.lstrip("-"))
        elif not self.target:
            self.piece.words.append(self.word)
        self.target, self.word = "", None

    def _end(self) -> None:
        """Ends a command."""
        self._close()
        if self.piece.words or self.piece.into:
            self.found.append(self.piece)
            self.piece = _Piece(self.piece.depth)

    def _rest_of_line(self) -> str:
        return self.line[self.at :].partition("\n")[0]

    def _skip_heredocs(self) -> None:
        while self.heredocs and self.at < len(self.line):
            if (row := self._rest_of_line()).strip() == self.heredocs[0]:
                self.heredocs.pop(0)
            self.at += len(row) + 1
        self.heredocs.clear()


def _double(line: str, at: int, inner: list[str]) -> tuple[str, int]:
    """The text of a double-quoted word that begins at `at`, and where it ends; `$(…)` in it goes to `inner`."""
    chars: list[str] = []
    while at < len(line) and line[at] != '"':
        if line[at] == "\\" and at + 1 < len(line):
            chars.append(line[at + 1])
            at += 2
        elif line.startswith("$(", at) or line[at] == "`":
            text, at = _inner(line, at)
            if text.lstrip().startswith("cat <<"):  # a message written as a heredoc
                chars.append(text)
            else:
                inner.append(text)
        else:
            chars.append(line[at])
            at += 1
    return "".join(chars), at + 1


def _inner(line: str, at: int) -> tuple[str, int]:
    """The command in `$(…)` or backticks that begins at `at`, and where it ends."""
    if line[at] == "`":
        text = line[at + 1 :].partition("`")[0]
        return text, at + len(text) + 2
    depth, start = 1, at + 2
    at = start
    while at < len(line) and depth:
        depth += (line[at] == "(") - (line[at] == ")")
        at += 1
    return line[start : at - (not depth)], at


def _unwrapped(words: list[str], into: tuple[str, ...], depth: int) -> list[Simple]:
    """What a command really runs."""
    words, by = without_wrappers(words)
    if not words:
        return [Simple((), into, by)] if into or by else []
    name = base(words[0])
    inner = _of_shell(name, words) if depth < _DEPTH else None
    if inner is not None:
        where = words[:3] if name == "ssh" else [name] if name in _CONTAINERS else ()
        by = (*by, *(word for word in where if " " not in word))
        return [one._replace(by=by + one.by) for one in commands(inner, depth + 1)]
    script = _script(name, words)
    by = by if script[0] == words[0] else (*by, name)
    simple_commands = [Simple(tuple(script), into, by)]
    if name == "find" and depth < _DEPTH:
        for mark in ("-exec", "-execdir"):
            if mark in words:
                rest = words[words.index(mark) + 1 :]
                simple_commands += _unwrapped([word for word in rest if word not in (";", "+", "{}")] + words[1:2], (), depth + 1)
    return simple_commands


def without_wrappers(words: list[str], wrappers: Collection[str] = RUNS) -> tuple[list[str], tuple[str, ...]]:
    """The command without what only runs it, of these `wrappers`, and the names of that."""
    by: list[str] = []
    while words:
        name = base(words[0])
        between, *valued = RUNS.get(name, ("",))
        skipped = 2 if between and words[1:2] and words[1] not in _BINARIES else 1
        if words[0] in _WORDS_OF_SHELL or _is_assignment(words[0]):
            by += [words[0]] if _is_assignment(words[0]) else []
            words = words[1:]
        elif name in wrappers and len(words) > skipped and (not between or words[1] in between.split() or skipped == 1):
            by.append(name)
            words = _behind_options(words[skipped:], valued)
            words = words[1:] if name in _COUNTED else words
        else:
            break
    return words, tuple(by)


def _script(name: str, words: list[str]) -> list[str]:
    """The script or module that an interpreter runs, with its arguments; other commands as they are."""
    if name in _SHELLS:
        at = next((at for at, word in enumerate(words) if at and not word.startswith("-")), 0)
        return words[at:]
    if name.startswith("python") and "-m" in words[1:3]:
        return words[words.index("-m") + 1 :] or words
    if (name.startswith(_INTERPRETERS) or name in ("tsx", "ts-node")) and len(words) > 1:
        return words[1:] if not words[1].startswith("-") and "." in words[1] else words
    return words


def _of_shell(name: str, words: list[str]) -> str | None:
    """The line that a command gives to another shell; None when it gives none."""
    if name in _SHELLS:
        given = pairwise(words[1:])
        return next((line for word, line in given if word[:1] == "-" and word[:2] != "--" and word[-1] == "c"), None)
    if name == "eval":
        return " ".join(words[1:])
    if name in ("ssh", "su"):
        rest = _behind_options(words[1:], ("-i", "-p", "-l", "-o", "-F", "-J"))
        return " ".join(rest[1:]) or (words[-1] if " " in words[-1] else None)
    within = "exec" if "exec" in words[1:3] else "run" if words[1:3] == ["compose", "run"] else ""
    if name in _CONTAINERS and within:
        rest = _behind_options(words[words.index(within) + 1 :], ("-u", "-e", "-w", "-n", "-c", "--user"))
        return " ".join(quoted(word) for word in rest[1:] if word != "--") if len(rest) > 1 else None
    return None


def quoted(word: str) -> str:
    """A word as a shell takes it, whatever it holds."""
    return "'" + word.replace("'", "'\\''") + "'"


def _behind_options(words: list[str], valued: Sequence[str]) -> list[str]:
    at = 0
    while at < len(words) and (words[at].startswith("-") or _is_assignment(words[at])):
        at += 2 if words[at] in valued else 1
    return words[at:]


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.replace("_", "a").isalnum() and not name[0].isdigit()


def base(path: str) -> str:
    """The name of a program, without its folder."""
    return path.rpartition("/")[2] or path
