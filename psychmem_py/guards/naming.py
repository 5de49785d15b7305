"""The words of a sentence with things in place of names: files of the work tree, folders, branches, command lines, packages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

import regex

from psychmem_py.guards.acts import ACTS, GIT_VERBS, LIBRARY_RIVALS, RIVALS, SUBCOMMANDS, verbs
from psychmem_py.guards.parts import FILE_ACTS, NOUNS, WHO, SentencePart
from psychmem_py.guards.shell import RUNNERS, RUNS
from psychmem_py.guards.words import FOLDERS, KINDS_OF_FILES, NAME_PIECES, RulePart, Thing

Named = Callable[[Sequence[str]], Sequence[str]]  # the files and folders of the work tree that go by these words
_IN_NAMES = frozenset(
    "soft folder whole within it holder module script database issue draft browser tags migrations served".split()
)  # what may stand in the name of a file
_NAMES = ("tool", "ordinary", "identifier")
_OF_NOUNS = ("ment", "ments", "tion", "tions", "ing")  # "no vercel deployment yet"
_TARGETS = frozenset("dev start serve test build lint format fmt check deploy release publish install vet run".split())


def with_things(words: list[RulePart], named: Named | None) -> list[RulePart]:
    """The words of a sentence with all that is named in them."""
    if [word.text for word in words[1:2]] == [":"] and words[0].thing and words[0].thing.kind == "tool":
        words = [words[0], *words[2:]]  # "prisma: db push is forbidden"
    for at, (word, behind) in enumerate(pairwise(words)):
        is_called = at and word.is_unknown and word.text[-1:] in "s_" and "not" in words[at - 1].keys  # not "no empty folders"
        if "folder" in behind.keys and (is_called or (word.thing and word.thing.kind in ("code", "identifier"))):
            folder = Thing("path", (word.thing.text if word.thing else word.text).rstrip("/") + "/")
            words = [*words[:at], RulePart(thing=folder), *words[at + 1 :]]
        is_branch = at > 0 and "or" in word.keys and behind.text in ("release", "hotfix", "feature")
        if is_branch and (before := words[at - 1].thing) and before.kind == "ref":  # "to main or release"
            words = [*words[: at + 1], RulePart(thing=Thing("ref", behind.text)), *words[at + 2 :]]
    if named:
        ends = [at for at, word in enumerate(words) if word.ends]
        pieces = [words[at:end] for at, end in zip([0, *ends], [*ends, len(words)], strict=True)]
        words = [word for piece in pieces for word in _with_files(piece, named)]
    return _with_names(joined(_with_lines(words)))


def joined(words: Sequence[RulePart]) -> list[RulePart]:
    """The words with an "or" for each comma in a list of things, or of acts before an "or": "open, edit, or delete"."""
    linked = list(words)
    for at in range(len(words) - 2, 0, -1):
        if words[at].text not in (",", "、", "，", "،"):
            continue
        behind = at + 1 + next((n for n, word in enumerate(words[at + 1 :]) if "or" not in word.keys), 0)
        item, last = words[behind], next((word for word in reversed(words[:at]) if "soft" not in word.keys), RulePart())
        then = next((word for word in linked[behind + 1 :] if "soft" not in word.keys or word.ends), RulePart(ends=2))
        goes_on = "or" in then.keys or any("or" in word.keys for word in words[at + 1 : behind])
        goes_on = goes_on or (behind < len(words) - 1 and linked[behind + 1].text == "," and "or" in linked[behind + 1].keys)
        is_third = at > 2 and words[at - 2].text == words[at].text and bool(words[at - 3].thing)  # "`a`, `b`, `c` are mine"
        are_things = last.thing and item.thing and (then.ends or goes_on or is_third)
        are_acts = last.keys & ACTS.keys() and item.keys & ACTS.keys() and goes_on
        if "like" in last.keys or are_things or are_acts:  # "e.g., `npm start`"
            linked[at] = RulePart(frozenset({"or"}), text=",")
    return linked


def with_folders(words: list[RulePart]) -> list[RulePart]:
    """The words with a path in the place of a folder's name beside the word folder: "the snapshots folder", "Ordner legacy"."""
    for at, word in enumerate(words):
        near = [n for n in (at - 1, at + 1) if "folder" in word.keys and 0 <= n < len(words) and _may_be_folder(words[n])]
        near.sort(key=lambda n: (not words[n].is_unknown, not words[n].keys & NOUNS, -len(words[n].text)))
        if near:
            first, name = min(at, near[0]), words[near[0]].text
            return [*words[:first], RulePart(thing=Thing("path", "~/" if name == "home" else f"{name}/")), *words[first + 2 :]]
    return words


def _may_be_folder(word: RulePart) -> bool:
    if not word.text.isascii() or len(word.text) <= 2 or "separate" in word.keys or " " in word.text:
        return False
    return word.is_unknown or bool(word.keys & NOUNS) or len(word.text) > 6 or word.text in FOLDERS or word.text == "home"


def _with_files(words: list[RulePart], named: Named) -> list[RulePart]:
    """The words with the files of the work tree in the place of what they are called: "the full schema"."""
    part = SentencePart(words)
    if not part.has("edit", "delete", "commit", "add") or part.named("path"):
        return words
    for width in (4, 3, 2, 1):
        for at in range(len(words) - width + 1):
            run = words[at : at + width]
            told = [word.thing.text if word.thing and word.thing.kind in _NAMES else word.text for word in run]
            said = [piece.lower() for one in told for piece in NAME_PIECES.findall(one) or [one]]
            is_name = all(said) and WHO.isdisjoint(said) and not any(word.keys - NOUNS - _IN_NAMES for word in run)
            is_name = is_name and any(_is_new(word) or (width > 1 and (word.thing or word.keys & NOUNS)) for word in run)
            behind_one = at and words[at - 1].thing and run[0].text in SUBCOMMANDS
            is_told = behind_one or (run[0].thing and run[-1].text in SUBCOMMANDS)
            beside = [word.thing for word in (*words[max(0, at - 1) : at], *words[at + width : at + width + 1])]
            is_name = is_name and not (width == 1 and any(one and one.kind == "tool" for one in beside))  # "the git config"
            is_name = is_name and not (is_told and "files" not in [*words, RulePart()][at + width].keys)
            paths = named(said) if is_name else ()
            if width == 1 and not part.has("edit", "delete"):
                paths = [path for path in paths if path.endswith("/")]
            if paths:
                return [*words[:at], RulePart(thing=Thing("path", "|".join(paths))), *words[at + width :]]
    return words


def _is_new(word: RulePart) -> bool:
    return word.is_unknown or bool(word.thing and word.thing.kind == "identifier")


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


def _line_at(words: Sequence[RulePart], at: int) -> list[str]:  # a form of line each
    """The words of a command line that begins with the program at `at`; none where it is only named."""
    program = words[at].thing
    assert program
    known = {"database", *ACTS} - FILE_ACTS
    also = _TARGETS if program.text in RUNNERS else ()  # "make check"

    def is_argument(one: RulePart) -> bool:
        is_act = bool(one.keys & known) and not one.text.endswith(_OF_NOUNS)
        return one.text.isascii() and (one.text in SUBCOMMANDS or one.text in also or is_act)

    said = [one.text for one in takewhile(is_argument, words[at + 1 :])]
    rest = words[at + 1 + len(said) :]
    target = [one.text for one in rest[:1] if one.text.isascii() and not (one.ends or one.keys - {"soft"})]
    given = [one.thing for one in takewhile(lambda one: one.thing, rest) if one.thing]
    if given and given[0].kind == "code" and " " not in given[0].text and ":" not in given[0].text:  # "mix ecto.reset"
        return [program.text, *said, given[0].text]
    is_run_alone = at and "run" in words[at - 1].keys and not (at > 1 and words[at - 2].thing)  # not "terraform apply sam"
    if program.kind == "ordinary" and is_run_alone:  # a program for once, and its target
        return [program.text, *(said or target)]
    is_told = bool(rest) and rest[0].is_unknown and (_ends(rest, 1) or not rest[1].text.isascii())
    if target and ((program.text in RUNNERS and said == ["run"]) or (said and is_told and target[0][-1] != "s")):
        return [program.text, *said, *target]  # "npm run dev", "prisma migrate dev"
    if said == ["run"] and program.text in RUNS:
        return [program.text, *said]
    options = [thing.text for thing in takewhile(lambda thing: thing.kind == "option", given)]
    is_aimed = any(one.thing and one.thing.kind == "ref" for one in words)  # "git push --force to main"
    runs = _TARGETS if program.text in RUNNERS else GIT_VERBS if program.text == "git" and not (is_aimed or options) else ()
    begins = not at or bool(words[at - 1].ends or words[at - 1].keys & {"with", "not", "use", "run", "or", "instead_next"})
    is_run = bool(said) and said[0] in runs and begins  # "make build, not go build", "mit make test"
    is_run = is_run or (bool(said) and program.kind == "ordinary" and (program.text, said[0]) in verbs())  # "pod update is mine"
    is_line = len(said) > 1 or (program.text == "git" and said and options and not is_aimed)
    return [program.text, *said, *options] if (program.kind == "tool" and is_line) or is_run else []


def _with_names(words: list[RulePart]) -> list[RulePart]:
    """The words as taken beside others: a program beside its rival ("Bun instead of Node"), a draft, what is installed."""
    keys = frozenset(key for word in words for key in word.keys)
    of_code = bool(SentencePart(words).named("code", "construct", "library"))
    is_foreign = any(ord(char) > 0x370 for word in words for char in word.text)
    tools = [word.thing.text for word in words if word.thing and word.thing.kind == "tool"]
    rivals = {other for family in RIVALS if not family.isdisjoint(tools) for other in family}
    libraries = [word.thing.text for word in words if word.thing and word.thing.kind == "library"]
    kin = {other for family in LIBRARY_RIVALS if not family.isdisjoint(libraries) for other in family}
    named = []
    for at, word in enumerate(words):
        before, behind = words[at - 1] if at else RulePart(ends=1), words[at + 1] if words[at + 1 :] else RulePart(ends=1)
        is_rival = word.text in kin and (before.ends or before.keys & {"not", "instead_next", "use", "or", "without_next"})
        is_kept = before.text == "into" or before.keys & {"within", "inside_next", "either"}
        is_git = word.thing and word.thing.text == "git" and not SentencePart(words).named("option")
        is_latin = is_foreign and word.is_unknown and word.text.isascii() and word.text.isalpha() and len(word.text) > 3
        is_means = "with" in before.keys and _ends(words, at + 1)  # "install nothing via snap"
        thing = _other(word.thing, before, behind, keys) if word.thing else _of_word(word, before, behind, keys, of_code=of_code)
        if word.thing and word.thing.kind == "ordinary" and (word.thing.text in rivals or is_means):
            thing = Thing("tool", word.thing.text)
        is_kind = word.thing and word.thing.text in tools and [one.text for one in words[at + 2 : at + 3]] == ["that"]
        if is_rival or (is_latin and "use" in before.keys):  # "httpx, not requests"; a name in a sentence of another script
            named.append(RulePart(thing=Thing("library", word.text)))
        elif is_kept and is_git:  # "nothing in data/ goes into git"
            named.append(RulePart(frozenset({"add"})))
        elif is_kind and any(one.thing for one in words[:at]):  # "`git restore` or any git command that overwrites"
            named.append(RulePart(frozenset({"soft"})))
        else:
            named.append(RulePart(thing=thing) if thing else word)
    return named


def _other(thing: Thing, before: RulePart, behind: RulePart, keys: frozenset[str]) -> Thing:
    """What a thing is between two words, and among all of its sentence."""
    if thing.kind in ("tool", "ordinary") and before.keys & {"install", "upgrade"} and "packages" not in behind.keys:
        return Thing("name", thing.text)
    if thing.kind in ("tool", "ordinary") and "holder" in behind.keys and "restart" in keys:  # "kill all Node processes"
        return Thing("name", thing.text)
    if thing.kind == "code" and keys & {"edit", "delete"}:
        # `billing-core` is a folder, `cv.pdf` a file, and no word that is written.
        written = "" if keys & {"put", "mention"} else r"|[\w-]+\.[a-z]\w{1,8}"
        thing = Thing("path", thing.text) if regex.fullmatch(rf"[a-z0-9]+(?:-[a-z0-9]+)+{written}", thing.text) else thing
    if thing.kind == "code" and "remarks" not in keys and regex.fullmatch(r"[a-z][\w-]*(?::[\w*-]+)+", thing.text):
        return Thing("script", thing.text)  # `db:seed`
    return thing


def _of_word(  # a table of kinds
    word: RulePart, before: RulePart, behind: RulePart, keys: frozenset[str], *, of_code: bool
) -> Thing | None:
    """The same of a word."""
    if not word.text.isascii() or word.ends:
        return None
    place = KINDS_OF_FILES["test"] if "test" in word.keys else f"{word.text}/" if word.text in FOLDERS else ""
    if place and "inside_next" in before.keys and "run" not in keys and of_code:  # "no `sleep()` in tests", "… in src"
        return Thing("path", place)
    if "draft" in word.keys and "pull_request" in keys:
        return Thing("option", "--draft")
    if word.is_unknown and behind.ends and before.keys & {"install", "upgrade", "restart"}:
        return Thing("name", word.text)
    return None


def _ends(words: Sequence[RulePart], at: int) -> bool:
    """Whether a member of a list, or all that is said, ends before `at`."""
    return at >= len(words) or bool(words[at].ends or "or" in words[at].keys)
