"""A tool call as far as a rule may speak of it: the commands it runs, the files it changes, the text it writes."""

from __future__ import annotations

from itertools import pairwise

from psychmem_py.guards.shell import HARMLESS, LEFT, READERS, RUNNERS, Simple, base, commands, joined
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.tools import REMOVED, SHELL_TOOLS, WRITING_TOOLS, files_in, patched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_TEXT_KEYS = ("content", "new_string", "newString", "new_source")
_TEXT_CHARS = 100_000
_WORD_CHARS = 300
_MEANT_ALONE = {"yarn": ["install"], "make": ["build"]}  # what such a program does when nothing is said to it
_ABOUT_ITSELF = frozenset({"--version", "-v", "-V", "--help", "-h", "-n", "--dry-run"})
_SHORT_NAMES = {"t": "test", "tst": "test"}  # of npm
_MANY_GOALS = frozenset("make mvn mvnw gradle gradlew sbt rake invoke inv just task".split())
_RUN_WORDS = frozenset({"run", "run-script", "--workspace", "-w", "exec"})
_INSTALLS = frozenset({"install", "add", "i", "require", "get"})
NEW_PACKAGE = "+package"  # in the words of a command that installs a named one, not those that are listed
NEW_NAME = "+name"  # of a branch or tag that is made
IN_PART = "+part"  # in the words of a command that names files or cases: not all tests are run
LOOKS = "+looks"  # in the words of a command that changes nothing: "kubectl get", "aws ec2 describe-instances"
_LOOKING = frozenset(
    "get describe list ls log logs show status top version diff plan explain help cat head view search query blame whoami validate output ps inspect"
    " events history info checks images stats fetch read find retrieve".split()
)
_ASKING = {"git": ("--get", "--get-all", "--list"), "crontab": ("-l",), "iptables": ("-L", "-S")}
# At which of its plain words a program's verb stands at the latest.
_BEHIND_A_SERVICE = {"aws": 2, "gh": 2, "glab": 2, "gcloud": 4, "az": 4}
# "docker image ls"
_GROUPS = frozenset("container image volume network system compose context stack service state workspace repo".split())
_PARTS = frozenset("-k -t -m --filter --grep --spec --testNamePattern --tests -p --package --project -run --run".split())
_LISTING = frozenset(
    "-l --list --all -r --remotes -v -vv --contains --merged --no-merged --points-at -n --verify -d -D --delete -m -M".split()
)
_LEADING = frozenset("-C --prefix --cwd --dir --directory --manifest-path --project-directory".split())  # into a folder
_RUN_NOTHING = HARMLESS | READERS | frozenset("git gh glab ls rm cp mv ln find fd tree stat file du touch chmod chown".split())
_PLACES = frozenset("production prod live staging stage".split())
OF_PATHS = frozenset("/.")  # in a path or the name of a machine rather than in that of a command
SQL_CLIENTS = frozenset({"psql", "mysql", "sqlite3", "mongosh", "mariadb", "clickhouse-client", "duckdb", "redis-cli", "sqlcmd"})
OPTIONS_WITH_VALUE = {
    "git": ("-C", "-c", "--git-dir", "--work-tree"),
    "kubectl": ("-n", "--context", "--namespace"),
    "docker": ("--context",),
    "make": ("-C", "-f", "-j"),
    "npm": ("--prefix", "-w", "--workspace"),
    "pnpm": ("--filter", "-F", "-C", "--dir"),
    "yarn": ("--cwd",),
    "gh": ("-R", "--repo"),
    "aws": ("--profile", "--region"),
    "flask": ("--app", "-A"),
    "xcodebuild": ("-scheme", "-project", "-workspace", "-destination", "-configuration", "-sdk"),
}
# Programs that change the files named to them; the value says what happens to these.
_CHANGING = {"rm": "delete", "unlink": "delete", "rmdir": "delete", "shred": "delete", "trash": "delete", "touch": "write", "tee": "write",
             "truncate": "write", "mv": "write", "cp": "last", "install": "last", "rsync": "last", "patch": "write", "ln": "last", "dd": "write",
             "chmod": "write", "chown": "write", "ffmpeg": "last", "sox": "last", "convert": "last", "magick": "last"}  # fmt: skip
# What lies there is made to be thrown away: to delete it is no deletion that anybody forbids, and what is put there no new file.
SCRATCH = ("/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/",  # noqa: S108  # mere names
           "$tmp", "${tmp", "$temp", "${temp", "$scratch", "${scratch")  # fmt: skip
# `go test -run`: one option, not three
_WORD_OPTIONS = frozenset("go find java javac terraform tofu xcodebuild ffmpeg openssl".split())
_TOOLS_NOW = {"agent": "task"}  # one tool under two names
_NAMESAKES = frozenset({"grep", "ls", "read"})  # tools of clients
_IN_PLACE = ("sed", "perl", "ruby")
_SEPARATORS = str.maketrans(":/=,@+.-_", "         ")
_LOOSE = str.maketrans(":/=,@+", "      ")


class Command(NamedTuple):
    """A simple command, taken apart."""

    program: str
    verb: str  # its first plain argument: "push" of git push; "" for none
    words: frozenset[str]  # its words and their parts, in lower case; options also as written
    runs: frozenset[str]  # parts of the name of the script or task that it runs
    paths: tuple[str, ...]  # words that may be files
    writes: tuple[str, ...] = ()  # files it changes
    deletes: tuple[str, ...] = ()
    by: tuple[str, ...] = ()  # sudo, npx, ENV=prod
    message: str = ""  # the text that it is given: of a commit
    at: str = ""  # the folder in which it runs, where that is known
    given: tuple[str, ...] = ()  # what a glob with a star is held against, in lower case: `_given`


class Call(NamedTuple):
    """A tool call."""

    commands: tuple[Command, ...] = ()
    edits: tuple[str, ...] = ()  # files that an editing tool changes
    text: str = ""  # that it writes there


def call_of(tool: str, given: object, branch: Callable[[], str] = str, at: str = "") -> Call:
    """A call of a client's tool in the folder `at`; `branch` gives the current branch, for commands that leave it out."""
    fields = given if isinstance(given, dict) else {}
    name = tool.lower()
    if name in SHELL_TOOLS:
        line = fields.get("command")
        at = joined(at, str(fields.get("workdir") or ""))
        line = f"{line} {LEFT}" if fields.get("run_in_background") is True else line
        return Call(tuple(_in_turn(commands(line), branch, at))) if isinstance(line, str) else Call()
    paths = tuple(files_in(fields))
    if name not in WRITING_TOOLS:
        told = tuple(value for value in fields.values() if isinstance(value, str) and len(value) <= _WORD_CHARS)
        pieces = _pieces(tool)
        words = {*_words(name, told), *name.split("__"), *pieces}
        if not _LOOKING.isdisjoint(pieces):
            words.add(LOOKS)
        if "_" in name and not name.startswith("plan_"):  # OpenCode's name of a server's tool: "linear_create_issue"
            words.add("mcp")
        given_words = tuple(map(str.lower, told))
        return Call((Command(tool_name(name), "", frozenset(words), frozenset(), paths, given=given_words),))
    edits = fields.get("edits")
    parts = [fields, *(one for one in (edits if isinstance(edits, list) else ()) if isinstance(one, dict))]
    texts = [part[key] for part in parts for key in _TEXT_KEYS if isinstance(part.get(key), str)]
    texts += [line[1:] for line in str(fields.get("patchText")).splitlines() if line[:1] == "+"]
    gone = tuple(patched(fields, (REMOVED,)))
    removals = (Command("", "", frozenset(), frozenset(), gone, deletes=gone, at=at),) if gone else ()
    return Call(removals, (*paths, *(joined(at, path) for path in patched(fields))), "\n".join(texts)[:_TEXT_CHARS])


def _in_turn(line: Iterable[Simple], branch: Callable[[], str], at: str) -> Iterator[Command]:
    """The commands of a line, each on the branch that one before it went to: `git checkout main && git merge x`."""
    for simple in line:
        yield (one := command(simple, branch, at))
        name = simple.words[-1] if one.program == "git" and one.verb in ("checkout", "switch") and simple.words[2:] else "."
        if "." not in name and "--" not in simple.words:  # no file
            branch = name.__str__


def tool_name(name: str) -> str:
    """A client's tool as a program; those that share their name with one have a mark before it: Grep is no grep."""
    return f"@{name}" if name in _NAMESAKES else _TOOLS_NOW.get(name, name)


def command(simple: Simple, branch: Callable[[], str] = str, at: str = "") -> Command:
    """A simple command taken apart."""
    if not simple.words:
        return Command("", "", frozenset(simple.by), frozenset(), (), simple.into, (), simple.by, at=joined(at, simple.at))
    program = base(simple.words[0])
    program = program.partition("@")[0] or program  # `npx prettier@3`
    arguments = simple.words[1:]
    by = simple.by
    if program == "php" and arguments[:1] == ("artisan",):
        program, arguments = "artisan", arguments[1:]
    if program in ("docker-compose", "podman-compose"):
        by, program, arguments = (*by, program), program.partition("-")[0], ("compose", *arguments)
    plain = plain_words(program, arguments)
    if program == "yarn" and plain[:1] == ["workspace"]:
        plain = plain[2:]
    if not plain and _ABOUT_ITSELF.isdisjoint(arguments):
        plain = _MEANT_ALONE.get(program, [])
    verb = _verb(arguments, plain)
    words = _words(program, arguments) | _places(program, (*arguments, *by))
    makes = _LISTING.isdisjoint(arguments) or (verb == "tag" and "-m" in arguments)
    if verb in ("branch", "tag", "version") and len(plain) > 1 and makes:
        words.add(NEW_NAME)
    if verb in _INSTALLS and any(word[:1] not in "./" for word in plain[1:]) and "-r" not in arguments:
        words.add(NEW_PACKAGE)
    said = plain[: _BEHIND_A_SERVICE.get(program, 2 if _GROUPS.intersection(plain[:1]) else 1)]
    asking = {"--dry-run", "--help", *_ASKING.get(program, ())}
    if any(word.lower().partition("-")[0] in _LOOKING for word in said) or not asking.isdisjoint(arguments):
        words.add(LOOKS)
    named = (word for word in (*arguments, *by[1:]) if not word.startswith("-") and " " not in word)
    paths = tuple(one for word in named for one in (word, word[1:].partition("@")[2]) if one)  # the host of "root@db-1"
    if not _PARTS.isdisjoint(arguments) or any("::" in word or "." in base(word).strip(".") for word in plain):
        words.add(IN_PART)
    writes, deletes = _changed(program, verb, arguments, plain)
    deletes = tuple(path for path in deletes if not path.lower().startswith(SCRATCH))
    pushes = verb == "push" and (len(plain) <= 2 or plain[2:] == ["HEAD"])
    of_branch = program == "git" and (verb in ("commit", "merge", "rebase") or pushes)
    here = branch().lower() if of_branch else ""
    words |= {here, f"@{here}"} if here else set()
    runs = _runs(program, plain)
    led = ""
    for word, behind in pairwise((*arguments, "")):
        option, _, value = word.partition("=")
        led = (value or behind) if option in _LEADING else led
    return Command(
        program.lower(),
        verb,
        frozenset(words | runs | {part for one in by for part in (one, one.lower(), *one.lower().translate(_LOOSE).split())}),
        frozenset(runs),
        paths,
        tuple(path for path in (*simple.into, *writes) if not path.startswith("/dev/")),
        deletes,
        by,
        "\n".join(arguments) if verb == "commit" else "",
        joined(joined(at, simple.at), led),
        _given(simple.words[0], arguments, by, here),
    )


def plain_words(program: str, arguments: Sequence[str]) -> list[str]:
    """The arguments that are no options and no values of the options before the verb."""
    words: list[str] = []
    valued = OPTIONS_WITH_VALUE.get(program, ())
    rest = iter(arguments)
    for word in rest:
        if not word.startswith("-") or word == "-":
            words.append(word)
        elif not words and word in valued:
            next(rest, None)
    return words


def _given(program: str, arguments: Sequence[str], by: Sequence[str], here: str) -> tuple[str, ...]:
    """The arguments, their values, the branch the command is about, and what runs it, then with its name."""
    values = (word.partition("=")[2] for word in arguments if word.startswith("-"))
    pairs = (f"{option} {value}" for option, value in pairwise(arguments) if option.startswith("-") and " " not in value)
    refs = (word.lstrip("+").rpartition(":")[2] for word in arguments if " " not in word)  # "HEAD:main"
    named = (program,) if by or "/" in program else ()
    branch = (here, f"@{here}") if here else ()
    return tuple(one.lower() for one in (*named, *by, *arguments, *values, *pairs, *refs, *branch) if one)


def _verb(arguments: Sequence[str], plain: Sequence[str]) -> str:
    """The first plain argument in lower case, without the value of an option before it: "flash" of `-p /dev/tty0 flash`."""
    before = dict(pairwise(reversed(("", *arguments))))
    for word in plain:
        is_name = OF_PATHS.isdisjoint(word) and word.lower() != word.upper()  # it holds a letter
        if is_name or not before.get(word, "").startswith("-"):
            return word.lower()
    return "".join(plain[:1]).lower()


def _words(program: str, arguments: tuple[str, ...]) -> set[str]:
    forms = {program.lower()}
    for word in arguments:
        if " " in word or "\n" in word:
            forms.update(part.partition("/")[0].lower() for part in word.split("://")[1:])
            if program in SQL_CLIENTS:
                forms.update(word.lower().replace(";", " ").replace("(", " ").split())
            continue  # a message speaks of things without doing them
        lower = word.lower()
        forms.add(lower)
        if word.startswith("-"):
            forms.update((word, word.partition("=")[0]))
            if lower in ("--tags", "--follow-tags"):
                forms.add("tags")
            if not word.startswith("--") and word[1:].isalpha() and len(word) <= 5 and program not in _WORD_OPTIONS:
                forms.update("-" + letter for letter in word[1:])
            if program != "git":
                forms.update(lower.translate(_LOOSE).lstrip("-").split(), lower.translate(_SEPARATORS).split())
        else:
            parts = [part for part in lower.translate(_LOOSE).split() if part != "."]
            forms.update(parts, (part.removeprefix("www.") for part in parts))
            if word[:1] in ("+", ":"):
                forms.add(word[0])
    return forms


def _places(program: str, arguments: tuple[str, ...]) -> set[str]:
    """The places in a command's words, also as part of one: {"prod"} of `--context prod-eu` or `DB=$PROD_URL`."""
    if program in ("git", "gh", "glab"):
        return set()
    told = " ".join(word for word in arguments if " " not in word).lower().translate(_LOOSE)
    pieces = (piece.partition(".")[0] for piece in told.split())  # of a host its first name
    return {part for piece in pieces for part in piece.strip("${}0123456789").replace("-", "_").split("_") if part in _PLACES}


def _runs(program: str, plain: list[str]) -> set[str]:
    """Parts of the name of what is run: {"deploy", "prod"} of `npm run deploy:prod`, `make deploy-prod`, `./deploy.sh prod`."""
    lower = program.lower()
    if lower in RUNNERS:
        named = [_SHORT_NAMES.get(word, word) for word in plain if word.lower() not in _RUN_WORDS] or plain
        named = named if lower in _MANY_GOALS else named[:1]
    elif plain[:1] == ["bin/console"]:
        named = plain[1:2]
    elif "." in program or "_" in program:  # a script
        named = [program, *plain[:1]]
    else:
        run = plain[1:2] if plain[:1] == ["run"] else [word for word in plain[:1] if "/" not in word]
        named = [] if lower in _RUN_NOTHING else [program, *map(base, run)]
    return {part for word in named for part in _pieces(word)}


def _pieces(name: str) -> list[str]:
    """The words of a name, its humps apart: ["connected", "android", "test"]."""
    humps = (f" {char}" if char.isupper() and before.islower() else char for before, char in zip(" " + name, name, strict=False))
    return "".join(humps).lower().translate(_SEPARATORS).split()


def _changed(program: str, verb: str, arguments: tuple[str, ...], plain: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files a command changes, and files it removes."""
    how, files, last = _CHANGING.get(program, ""), tuple(plain), tuple(plain[-1:])
    if program == "git":
        changes = verb in ("mv", "restore") or (verb == "checkout" and "--" in arguments)
        return (files[1:] if changes else (), files[1:] if verb == "rm" else ())
    if program == "find" and "-delete" in arguments:
        return (), files
    if program in _IN_PLACE:
        return (files if any(word.startswith(("-i", "--in-place", "-pi")) for word in arguments) else ()), ()
    if program == "mv":
        return last, files[:-1]
    return (last if how == "last" else files if how == "write" else ()), (files if how == "delete" else ())
