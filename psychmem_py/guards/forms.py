"""What identifies a shell line again: the key of refusals and runs, the form of a usage error. Without `re`, to load fast."""

from __future__ import annotations

LINE_CHARS = 160  # of a form, and of what worked in its place
_TOLD, _MOST_KEYS = frozenset("-m -am --message -c -C -F --title --body".split()), 4  # options whose value is what matters
NEAR = 0.4  # of their words that a failed command and what worked in its place share
# Of which none is another.
_TASKS = frozenset("build test lint format deploy publish release start dev serve migrate seed clean watch preview".split())
_RUN = frozenset("run exec run-script x dlx tool".split())
_NESTED = frozenset("gh glab docker podman aws gcloud az".split())  # `gh pr create`: two words say what is done
_FLAGS = ("unknown option", "unrecognized option", "unrecognized argument", "unexpected argument", "unknown flag", "invalid option",
          "no such option", "illegal option", "unknown shorthand flag", "unknown argument", "bad option")  # fmt: skip
_COMMANDS = ("unrecognized subcommand", "unknown command", "no such command", "unknown subcommand", "no such subcommand", "missing script",
             "is not a git command", "unrecognized command", "task not found", "unknown task", "script not found", "no rule to make target",
             "invalid choice")  # fmt: skip
_NOT_FOUND, _NO_MODULE, _USAGE = "command not found", "no module named", "usage:"


def usage_fault(line: str) -> str:
    """The words in a report's line that say a command was called wrongly: "unrecognized subcommand"; "" where there are none."""
    folded = line.lower()
    for mark in (_NOT_FOUND, _NO_MODULE, *_COMMANDS, *_FLAGS):
        if mark in folded:
            return mark
    if folded.endswith(": not found"):
        return _NOT_FOUND
    return _USAGE if folded.startswith(_USAGE) else ""


def acting(line: str) -> list[list[str]]:
    """The commands of a line that do something, as written: without those that lead there, read their output or wrap them."""
    from psychmem_py.guards.shell import HARMLESS, READERS, STARTERS, without_wrappers, written  # noqa: PLC0415  # few fail again

    commands = []
    for words, is_piped in written(line):
        plain = " ".join(without_wrappers(words, STARTERS)[0]).split()  # none of `"$(cat run)"` alone
        if plain and plain[0] not in HARMLESS and not (is_piped and plain[0] in READERS):
            commands.append(plain)
    return commands


def is_filtered(line: str) -> bool:
    """Whether what reads the output gives the exit status: then a success says nothing."""
    from psychmem_py.guards.shell import written  # noqa: PLC0415

    return any(is_piped for _, is_piped in written(line))


def keys(line: str) -> list[str]:
    """What the last command that does something is called, "git push", alone and with each option: "git push --force"."""
    if not (commands := acting(line)):
        return []
    name = " ".join(_named(commands[-1]))
    options = dict.fromkeys(word.partition("=")[0] for word in commands[-1] if word.startswith("-") and word.strip("-"))
    return [name, *(f"{name} {option}" for option in options if option not in _TOLD)][:_MOST_KEYS]


def _named(words: list[str]) -> list[str]:
    """The program and the words that say what it is to do."""
    from psychmem_py.guards.call import plain_words  # noqa: PLC0415

    name = [words[0].rpartition("/")[2]]
    depth = 2 if name[0] in _NESTED else 1
    for word in plain_words(name[0], words[1:]):
        if len(name) > depth or not _is_name(word):
            break
        name.append(word)
        depth += word in _RUN
    return name


def _is_name(word: str) -> bool:
    return word[0].isalpha() and len(word) <= 40 and word.replace("-", "").replace("_", "").replace(":", "").isalnum()


def usage_form(line: str, error: str) -> str:
    """The words of a call that fails in the same way, "git log --onelin"; "" for no usage fault or if it is open which."""
    fault = usage_fault(error)
    blamed = _blamed(acting(line), error, fault) if fault else None
    if not blamed:
        return ""
    name = blamed[:1] + _named(blamed)[1:]
    flags = [word for word in blamed if word.startswith("-") and _names(error, word.partition("=")[0])]
    if fault == _NOT_FOUND:
        form = blamed[:1]
    elif fault in _COMMANDS and len(name) > 1:
        form = name
    elif fault in _FLAGS and flags:
        form = [word for word in name if word in blamed[: blamed.index(flags[0])]] + flags[:1]
    elif fault == _NO_MODULE:
        module = error[error.lower().index(_NO_MODULE) + len(_NO_MODULE) :].strip(" '\"`.").partition("'")[0]
        form = [blamed[0], module] if module in blamed else blamed
    else:
        form = blamed
    return " ".join(form)[:LINE_CHARS]


def _blamed(commands: list[list[str]], error: str, fault: str) -> list[str] | None:
    """The command that the report is about: the one it names, else the only one."""
    if fault == _NOT_FOUND:  # a program that another one looked for is nobody's wrong call
        return next((words for words in commands if _names(error, words[0])), None)
    named = [words for words in commands if any(_names(error, word) for word in (words[0], *_named(words)[1:]))]
    return named[0] if len(named) == 1 else commands[0] if len(commands) == 1 else None


def _names(error: str, word: str) -> bool:
    """Whether a word stands in a report by itself."""
    bare = (part.strip("'\"`‘’“”:;,.()[]") for part in error.replace("=", " ").split())
    return word in bare


def has_form(line: str, form: str) -> bool:
    """Whether a call is of a form: its program, and the other words in their order."""
    return any(_is_of(words, form.split()) for words in acting(line))


def _is_of(words: list[str], form: list[str]) -> bool:
    rest = iter(words)
    return words[:1] == form[:1] and all(word in rest for word in form)


def variant(failed: str, form: str, worked: str) -> str:
    """What of a line that worked stands for the one that failed: the command most like it, of another form; "" for none."""
    wanted = [_parts(words) for words in acting(failed) if _is_of(words, form.split())]
    others = [words for words in acting(worked) if not _is_of(words, form.split())]
    shared = [(len(want & (parts := _parts(words))) / len(want | parts), words) for want in wanted for words in others]
    best, words = max(shared, key=lambda one: one[0], default=(0.0, []))
    does, did = (_TASKS & _parts(one) for one in (form.split(), words))
    return " ".join(words)[:LINE_CHARS] if best >= NEAR and not (does and did and does.isdisjoint(did)) else ""


def _parts(words: list[str]) -> set[str]:
    """What is run and on what: `npm run lint` and `npm run test` share the program, `pnpm lint:all` and `pnpm run lint` more."""
    return {part for word in words if word not in _RUN for part in (word.rpartition("/")[2] or word).split(":")}
