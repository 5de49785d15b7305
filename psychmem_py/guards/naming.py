"""The words of a sentence with things in the place of what they are called there: files of the work tree, folders, branches, command
lines, packages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

import regex

from psychmem_py.guards.acts import ACTS, SUBCOMMANDS, is_rival
from psychmem_py.guards.call import RUNNERS
from psychmem_py.guards.parts import FILE_ACTS, NOUNS, SentencePart
from psychmem_py.guards.words import FOLDERS, RulePart, Thing

Named = Callable[[Sequence[str]], Sequence[str]]  # the files and folders of the work tree that go by these words
_IN_NAMES = frozenset(
    "soft folder whole within it holder module script database issue draft browser tags migrations".split()
)  # what may stand in the name of a file
_DOT_FILES = frozenset(".env .git .npmrc .ssh .aws .husky .github .vscode .idea".split())
_TARGETS = frozenset("test build lint format fmt check deploy release publish install vet run".split())


def with_things(words: list[RulePart], named: Named | None) -> list[RulePart]:
    """The words of a sentence with all that is named in them."""
    return _with_names(_with_lines(_with_branches(_with_files(words, named) if named else words)))


def with_folders(words: list[RulePart]) -> list[RulePart]:
    """The words with a path in the place of a folder's name beside the word folder: "the snapshots folder", "Ordner legacy"."""
    for at, word in enumerate(words):
        named = words[at - 1].thing if at and (word.keys & {"folder", "packages", "module"}) else None
        if named and named.kind == "code" and named.text.replace("-", "a").replace("_", "a").isalnum():  # "the `legacy` package"
            return [*words[: at - 1], RulePart(thing=Thing("path", named.text + "/")), *words[at + 1 :]]
        if at and "module" in word.keys and words[at - 1].is_unknown and words[at - 1].text.isascii():  # "the billing module"
            name = words[at - 1].text
            return [*words[: at - 1], RulePart(thing=Thing("path", f"{name}/|{name}.*")), *words[at + 1 :]]
        if at and "folder" in word.keys and words[at - 1].text == "home":
            return [*words[: at - 1], RulePart(thing=Thing("path", "~/")), *words[at + 1 :]]
        if "folder" in word.keys and not any(one.thing for one in words[max(0, at - 1) : at + 2]):
            near = [n for n in (at - 1, at + 1) if 0 <= n < len(words) and words[n].text.isascii() and len(words[n].text) > 2]
            near = [n for n in near if "separate" not in words[n].keys]
            near.sort(key=lambda n: (not words[n].is_unknown, not words[n].keys & NOUNS, -len(words[n].text)))
            if near and (
                words[near[0]].is_unknown
                or words[near[0]].keys & NOUNS
                or len(words[near[0]].text) > 6
                or words[near[0]].text in FOLDERS
            ):
                first = min(at, near[0])
                return [*words[:first], RulePart(thing=Thing("path", words[near[0]].text + "/")), *words[first + 2 :]]
    return words


def _with_files(words: list[RulePart], named: Named) -> list[RulePart]:
    """The words with the files of the work tree in the place of what they are called: "the full schema"."""
    if not SentencePart(words).has("edit", "delete", "commit", "add") or any(
        word.thing and word.thing.kind == "path" for word in words
    ):
        return words
    for width in (4, 3, 2, 1):
        for at in range(len(words) - width + 1):
            run = words[at : at + width]
            is_name = all(word.text and not word.keys - NOUNS - _IN_NAMES for word in run) and any(
                w.is_unknown or (width > 1 and w.keys & NOUNS)
                for w in run  # "run the tests" means no folder of that name
            )
            is_name = is_name and not (at and words[at - 1].thing and run[0].text in SUBCOMMANDS)
            paths = named([word.text for word in run]) if is_name else ()
            if width == 1 and not SentencePart(words).has("edit", "delete"):
                paths = [path for path in paths if path.endswith("/")]
            if paths:
                return [*words[:at], RulePart(thing=Thing("path", "|".join(paths))), *words[at + width :]]
    return words


def _with_branches(words: list[RulePart]) -> list[RulePart]:
    """The words with a branch in the place of what stands behind that word and looks like a path: "the branch anna/checkout"."""
    return [
        word._replace(thing=Thing("ref", word.thing.text))
        if at and word.thing and word.thing.kind in ("path", "pair") and "branches" in words[at - 1].keys
        else word
        for at, word in enumerate(words)
    ]


def _with_lines(words: list[RulePart]) -> list[RulePart]:
    """The words with a command line in the place of a program and what is told to it: "prisma migrate deploy", "run make all"."""
    lined: list[RulePart] = []
    behind = 0  # the last line taken
    for at, word in enumerate(words):
        if at < behind:
            continue
        line = _line_at(words, at) if word.thing and word.thing.kind in ("tool", "ordinary") else []
        lined.append(RulePart(thing=Thing("code" if len(line) > 1 else "tool", " ".join(line))) if line else word)
        behind = at + len(line)
    return lined


def _line_at(words: Sequence[RulePart], at: int) -> list[str]:
    """The words of a command line that begins with the program at `at`; none where it is only named."""
    program = words[at].thing
    assert program
    known = ACTS.keys() - FILE_ACTS if program.text == "git" else NOUNS
    told = takewhile(lambda one: one.text.isascii() and (one.text in SUBCOMMANDS or one.keys & known), words[at + 1 :])
    said = [one.text for one in told]
    if program.kind == "ordinary" and at and "run" in words[at - 1].keys:  # a program for once, and its target
        target = words[at + 1] if at + 1 < len(words) else RulePart(ends=1)
        is_target = target.text.isascii() and not (target.ends or target.keys - {"soft"})
        return [program.text, *(said or ([target.text] if is_target else []))]
    given = [one.thing for one in takewhile(lambda one: one.thing, words[at + 1 + len(said) :]) if one.thing]
    options = [thing.text for thing in takewhile(lambda thing: thing.kind == "option", given)]
    if program.text.startswith("python") and options == ["-m"] and given[1:]:  # "python -m pytest"
        return [program.text, "-m", given[1].text]
    is_aimed = any(one.thing and one.thing.kind == "ref" for one in words)  # "git push --force to main"
    is_run = bool(said) and said[0] in _TARGETS and program.text in RUNNERS and _begins(words, at)
    is_line = len(said) > 1 or (program.text == "git" and said and options and not is_aimed)
    return [program.text, *said, *options] if (program.kind == "tool" and is_line) or is_run else []


def _with_names(words: list[RulePart]) -> list[RulePart]:
    """The words with what they are taken for beside others: a program that is a word beside one that does the same ("Bun instead of
    Node"), a pull request that is a draft, and the package that is installed or upgraded.
    """
    tools = [word.thing.text for word in words if word.thing and word.thing.kind == "tool"]
    of_pull_request = any("pull_request" in word.keys for word in words)
    is_of_one = any(word.keys & {"drop", "delete", "restart"} for word in words)
    of_files = any("files" in word.keys for word in words)
    is_changed = any(word.keys & {"edit", "delete"} for word in words)
    named = list(words)
    for at, word in enumerate(words):
        if (
            word.thing
            and word.thing.kind == "ordinary"
            and (any(is_rival(word.thing.text, tool) for tool in tools) or _is_beside_a_tool(words, at))
        ):
            named[at] = RulePart(thing=Thing("tool", word.thing.text))
        elif (
            word.thing
            and at
            and words[at - 1].keys & {"install", "upgrade"}
            and not (words[at + 1 :] and "packages" in words[at + 1].keys)
        ):
            named[at] = RulePart(thing=Thing("name", word.thing.text)) if word.thing.kind in ("tool", "ordinary") else word
        elif (
            is_changed
            and word.thing
            and word.thing.kind == "code"
            and regex.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)+", word.thing.text)
        ):
            named[at] = RulePart(thing=Thing("path", word.thing.text))  # `billing-core` is a folder, no word that is written
        elif word.is_unknown and word.text.isascii() and _is_beside_a_tool(words, at):
            named[at] = RulePart(thing=Thing("tool", word.text))
        elif word.thing and word.thing.kind == "code" and _is_client(words, at):
            named[at] = RulePart(thing=Thing("client", word.thing.text))
        elif (
            word.thing and of_files and regex.fullmatch(r"\.[a-z]\w{1,5}", word.thing.text) and word.thing.text not in _DOT_FILES
        ):
            named[at] = RulePart(thing=Thing("path", f"*{word.thing.text}"))
        elif "draft" in word.keys:
            named[at] = RulePart(thing=Thing("option", "--draft")) if of_pull_request else RulePart(text=word.text)
        elif at and word.is_unknown and word.text.isascii() and (at + 1 == len(words) or words[at + 1].ends):
            verb = words[at - 1]
            if verb.thing and verb.thing.text == "kill":
                verb = named[at - 1] = RulePart(frozenset({"restart"}))
            named[at] = RulePart(thing=Thing("name", word.text)) if verb.keys & {"install", "upgrade", "restart"} else word
        elif at and "script" in word.keys and _is_name(words[at - 1]):  # "the seed script"
            named[at - 1] = RulePart(thing=Thing("script", words[at - 1].text))
        elif at and "holder" in word.keys and words[at - 1].is_unknown and is_of_one:  # "drop the events table"
            named[at - 1] = RulePart(thing=Thing("name", words[at - 1].text))
    return named


def _is_client(words: Sequence[RulePart], at: int) -> bool:
    """Whether a name in code marks is a tool of the client's: "the `EnterWorktree` tool"."""
    name = words[at].thing
    return bool(
        name and name.text.isalpha() and name.text[0].isupper() and words[at + 1 :] and words[at + 1].text in ("tool", "tools")
    )


def _is_beside_a_tool(words: Sequence[RulePart], at: int) -> bool:
    """Whether a program that is also a word stands in a list with one that is none: "python or pip"."""
    near = [words[n : n + 2] if n > at else words[n - 1 : n + 1][::-1] for n in (at + 1, at - 1) if n > 0]
    return any(len(two) == 2 and "or" in two[0].keys and two[1].thing and two[1].thing.kind == "tool" for two in near)


def _is_name(word: RulePart) -> bool:
    return word.text.isascii() and (word.is_unknown or (word.text in SUBCOMMANDS and "run" not in word.keys))


def _begins(words: Sequence[RulePart], at: int) -> bool:
    """Whether what stands at `at` is named as something that is run: "make build, not go build", "mit make test"."""
    return not at or bool(words[at - 1].ends or words[at - 1].keys & {"with", "not", "use", "run", "instead_next"})
