"""The acts that a part of a sentence speaks of, narrowed by what it names; nothing where that is not understood."""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.guards.acts import ACTS, FILTERS, PROGRAM_OF, SUBCOMMANDS, is_rival, rivals_of, triggers
from psychmem_py.guards.call import command
from psychmem_py.guards.shell import PIPED, commands
from psychmem_py.guards.trigger import Trigger
from psychmem_py.guards.words import DAYS, RulePart, Thing

FILE_ACTS = frozenset({"edit", "delete", "create", "read"})
# Also nouns: beside another act they say of what.
NOUNS = frozenset("test build migrate backup format types lint publish deploy branch tag read".split())
_REFS = {"production": ("production", "prod", "live"), "prod": ("production", "prod", "live"), "staging": ("staging", "stage")}
_SAME_OPTION = {
    "--force": ("--force", "-f"), "--no-verify": ("--no-verify", "-n"), "--signoff": ("--signoff", "-s"), "-A": ("-A", "--all"),
    "--all": ("-A", "--all", "-a"), "-f": ("-f", "--force"), "--recursive": ("-r", "-R", "--recursive"), "-r": ("-r", "-R", "--recursive"),
}  # fmt: skip
# Words of no weight beside a program, but to delete them is no deletion of a file.
_NO_FILES = frozenset(
    "database db table tables code dependencies packages comments lines hooks tasks rules content contents calls docs tests".split()
)
_GLOBALLY = ("-g", "--global")
_GIT_ADDS = Trigger(programs=("git",), verbs=("add", "commit", "stage"))


_SPECIAL = (("force", "push", "force_push"), ("squash", "merge", "squash"), ("amend", "commit", "amend"))


class SentencePart:
    """A part of a sentence, and whether it forbids."""

    def __init__(self, words: Sequence[RulePart] = (), forbids: bool = False) -> None:
        self.words, self.forbids = list(words), forbids

    def has(self, *keys: str) -> bool:
        return any(key in word.keys for word in self.words for key in keys)

    @property
    def things(self) -> list[Thing]:
        """What is named. Two words with a slash between them are a path where something is done to files, else a choice of two."""
        is_path = self.has("edit", "delete", "create", "read", "commit", "add")
        named = [word.thing for word in self.words if word.thing]
        return [
            thing._replace(kind="path") if thing.kind == "pair" else thing for thing in named if is_path or thing.kind != "pair"
        ]

    @property
    def acts(self) -> list[str]:
        keys = list(dict.fromkeys(key for word in self.words for key in sorted(word.keys) if key in ACTS))
        for mark, general, special in _SPECIAL:
            if self.has(mark) and general in keys:
                keys = [special, *(one for one in keys if one not in (general, special))]
        if self.has("fresh") and self.has("packages"):
            keys = ["dependency"]
        if "delete" in keys and self.has("branches") and not any(thing.kind == "path" for thing in self.things):
            keys = ["delete_branch", *(one for one in keys if one not in ("delete", "branch", "push"))]
        return keys

    @property
    def days(self) -> tuple[int, ...]:
        return tuple(sorted({int(key.removeprefix(DAYS)) for word in self.words for key in word.keys if key.startswith(DAYS)}))

    @property
    def says(self) -> bool:
        return bool(self.acts or self.things)

    def is_clear(self) -> bool:
        """Whether nothing unknown narrows what the part speaks of: what stands behind act and object is a circumstance."""
        acts = [n for n, word in enumerate(self.words) if word.keys & ACTS.keys()]
        objects = [n for n, word in enumerate(self.words) if word.thing]
        tool = any(thing.kind in ("tool", "ordinary") for thing in self.things)
        unknown = [n for n, word in enumerate(self.words) if word.is_unknown and not (tool and word.text in SUBCOMMANDS)]
        if not objects:
            return not unknown
        reached = max(objects[0], acts[0]) if acts else objects[0]
        compound = objects[0] + 1 in unknown
        return (
            not compound
            and all(n > reached for n in unknown)
            and not any(map(self._is_elsewhere, range(reached + 1, len(self.words))))
        )

    def _is_elsewhere(self, at: int) -> bool:
        """Whether the word at `at` begins a circumstance that no call shows: "on port 80", "for local development"."""
        named = next((word for word in self.words[at + 1 :] if "soft" not in word.keys), None)
        return "within" in self.words[at].keys and named is not None and (named.is_unknown or bool(named.keys & NOUNS))


def breaking(part: SentencePart, *, by_name: bool = True) -> list[Trigger]:
    """The acts that a part speaks of, with the things it names as their conditions; none where it is not clear."""
    if not part.is_clear() or (part.has("only") and not part.has("ask", "use") and part.acts):
        return []
    acts, things = _settled(part)
    codes, options, tools, ordinary, refs = (texts(things, kind) for kind in ("code", "option", "tool", "ordinary", "ref"))
    paths = paths_of(things)
    if part.has("message") or (codes and acts and {"commit", "amend"}.issuperset(acts) and not any(map(of_line, codes))):
        return [Trigger(programs=("git",), verbs=("commit",), text=tuple(codes))] if codes else []
    if clients := texts(things, "client"):
        return [Trigger(programs=tuple(map(str.lower, clients)))]
    days, folders = part.days, _folders(codes) if part.has("edit", "delete") else []
    literal, lines = _of_code(codes, acts)
    if folders or part.has("run"):
        literal = []
    tools = [tool for tool in tools if all(tool not in one.programs for one in lines)]  # else said again in general
    if (literal or lines) and not (tools or options):
        return [one._replace(days=days) for one in [*(one._replace(paths=paths) for one in literal), *lines]]
    tools += [one for one in ordinary if any(is_rival(one, tool) for tool in tools)]
    tools = tools or (ordinary[:1] if by_name and not acts and part.has("use", "not") else [])
    groups = [group for option in options for group in (_option(option) if acts or tools else [(option,)])]
    groups += [(name,) for name in texts(things, "name", "host")]
    groups += [_GLOBALLY] if part.has("globally") else []
    groups += [tuple(form for ref in refs for form in _REFS.get(ref, (ref,)))] if refs else []
    only_refs = groups == groups[-1:] and bool(refs)
    broken = _narrowed(part, acts, tools, (*paths, *folders), tuple(groups), by_name=by_name, only_refs=only_refs)
    return [one._replace(days=days) for one in broken] if days else broken


def texts(things: Sequence[Thing], *kinds: str) -> list[str]:
    return [thing.text for thing in things if thing.kind in kinds]


def paths_of(things: Sequence[Thing]) -> tuple[str, ...]:
    return tuple(path for text in texts(things, "path") for path in text.split("|"))


def _folders(codes: Sequence[str]) -> list[str]:
    """What stands in code marks and is to be left alone: `legacy-api` is a folder or a file, no word that is written."""
    names = [code for code in codes if code.islower() and "-" in code.strip("-")]
    return [name for name in names if name.replace("-", "a").replace("_", "a").isalnum()]


def _narrowed(
    part: SentencePart,
    acts: list[str],
    tools: list[str],
    paths: tuple[str, ...],
    groups: tuple[tuple[str, ...], ...],
    *,
    by_name: bool,
    only_refs: bool,
) -> list[Trigger]:
    """The acts as commands and changes of files, with what is named as their conditions."""
    file_acts = [act for act in acts if act in FILE_ACTS]
    other = [act for act in acts if act not in FILE_ACTS]
    if other:
        return _of_acts(other, tools, paths, groups)
    if tools:
        does = "name" if paths else ""
        return [
            Trigger(programs_of(tool), verbs, words=(*more, *groups), paths=paths, does=does, lacks=_lacks([tool]))
            for tool in tools
            for verbs, more in [_subcommands(part, tool)]
        ]
    if only_refs and by_name and not paths and not file_acts:  # "main is off limits"
        return _of_acts(["push", "commit"], [], (), groups)
    if groups and not paths:
        return [Trigger(words=groups)] if by_name and not file_acts and not only_refs else []
    does = {"delete": "delete", "create": "create", "read": "name"}.get("".join(file_acts), "write")
    if file_acts and not paths:
        is_any = does == "delete" and not part.has("branches") and all(word.text not in _NO_FILES for word in part.words)
        paths = ("*",) if is_any else ()
    if not paths or not (by_name or file_acts):
        return []
    bare = tuple(path + "/" for path in paths if not path.endswith("/") and "*" not in path and "." not in path.lstrip("."))
    return [Trigger(paths=(*paths, *bare), does=does)]


def _of_acts(acts: list[str], tools: list[str], paths: tuple[str, ...], groups: tuple[tuple[str, ...], ...]) -> list[Trigger]:
    programs = tuple(program for tool in tools if tool != "git" for program in programs_of(tool))
    broken: list[Trigger] = []
    for act in acts:
        for kind in triggers(act):
            if programs and kind.programs and not set(programs) & set(kind.programs):
                continue
            one = kind._replace(programs=programs) if programs else kind
            if paths:
                one = (_GIT_ADDS if act in ("commit", "push", "add") else one)._replace(paths=paths, does="name")
            broken.append(one._replace(words=one.words + (tuple(map(_checked_out, groups)) if act in _AIMED else groups)))
    return broken or [Trigger(programs=programs_of(tool), words=groups) for tool in tools]


_AIMED = ("merge", "rebase", "squash")  # what is merged may be named; where to is the branch that is checked out


def _checked_out(group: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word if word.startswith("-") else f"@{word}" for word in group)


def _settled(part: SentencePart) -> tuple[list[str], list[Thing]]:
    """Acts and things of a part, where words that are both verbs and nouns are taken for what they must be here."""
    acts, things = part.acts, part.things
    for key in ("production", "staging"):
        if part.has(key) and not any(thing.kind == "ref" for thing in things):
            things = [*things, Thing("ref", key)]
    filed = [act for act in acts if act in FILE_ACTS and act != "read"]
    kinds = {thing.kind for thing in things}
    if filed and "path" in kinds:
        return [act for act in acts if act in filed] if acts[0] in filed or acts[0] in NOUNS else acts[:1], things
    if acts and all(act in FILE_ACTS for act in acts) and kinds & {"tool", "option", "host", "client"}:
        return [], things
    strong = [act for act in acts if act not in NOUNS and act not in FILE_ACTS]
    if strong and not part.has("or"):
        return (strong, things) if len(strong) == len(acts) or set(acts) - set(strong) <= FILE_ACTS else ([], [])
    if filed and len(acts) > len(filed):  # "never edit the tests": which files that are nobody says
        return [], []
    return acts, things


def _subcommands(part: SentencePart, tool: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """What is said right behind a tool, where that is something one tells tools to do: "system prune" of "docker system prune"."""
    at = next((n for n, word in enumerate(part.words) if word.thing and word.thing.text == tool), len(part.words))
    chosen: list[str] = []
    for word in part.words[at + 1 :]:
        if word.text not in SUBCOMMANDS:
            break
        chosen.append(word.text)
    return tuple(chosen[:1]), tuple((one,) for one in chosen[1:])


def _lacks(tools: Sequence[str]) -> tuple[str, ...]:
    """Who wants another tool for searching means files: what filters another command's output is no search of them."""
    return (PIPED,) if FILTERS.issuperset(tools) else ()


def _option(option: str) -> list[tuple[str, ...]]:
    """An option as the groups of which a command has one each: "-rf" is -r and -f."""
    if option in _SAME_OPTION:
        return [_SAME_OPTION[option]]
    if option.startswith("-") and not option.startswith("--") and option[1:].isalpha() and 1 < len(option[1:]) <= 4:
        return [_SAME_OPTION.get(f"-{letter}", (f"-{letter}",)) for letter in option[1:]]
    return [(option,)]


def _of_code(codes: Sequence[str], acts: Sequence[str]) -> tuple[list[Trigger], list[Trigger]]:
    """What stands in code marks: literals that are written, and commands that are run."""
    lines = [line for code in codes if (line := of_line(code))]
    signs = [code for code in codes if not of_line(code) and len(code) >= 4 and not (code.isalpha() and code.islower())]
    literal = [Trigger(text=(code.removesuffix("()"),)) for code in signs] if FILE_ACTS.issuperset(acts) else []
    return literal, lines


def of_line(code: str) -> Trigger | None:
    """The act that a command line in code marks is: its program, verb and options."""
    simple = next((one for one in commands(code) if one.words), None) if " " in code else None
    if simple is None or not simple.words[0].replace("-", "a").replace(".", "a").replace("/", "a").replace("_", "a").isalnum():
        return None
    taken = command(simple)
    given = [word.partition("=")[0] for word in simple.words[1:] if word.startswith("-") and word.strip("-")]
    options = tuple(group for word in given for group in _option(word))
    plain = [word for word in simple.words[1:] if not word.startswith("-") and not any(sign in word for sign in "<>[]{}…$*")]
    verbs = (taken.verb,) if taken.verb and plain and taken.verb == plain[0].lower() else ()
    return Trigger(
        programs=(taken.program,), verbs=verbs, words=(*options, *((word.lower(),) for word in plain[1:] if word != "."))
    )


def on_call(glob: str) -> Trigger:
    """The act that a glob of a call means: "git push * main", "*.env", "docs/", "WebFetch". Raises ValueError for one that says nothing."""
    words = glob.split()
    if len(words) == 1 and (any(sign in glob for sign in "/.") or (glob.startswith("*") and glob.strip("*"))):
        return Trigger(paths=(glob, *([] if "." in glob or "*" in glob or glob.endswith("/") else [f"{glob}/"])), does="write")
    program, *rest = [word.strip("*").strip(":/") for word in words] or [""]
    if not program or "*" in "".join((program, *rest)):
        raise ValueError(f"{glob!r} begins with no program, or has a star inside a word")
    verb = rest[0].lower() if rest and words[1] == rest[0] and not rest[0].startswith("-") else ""
    groups = [(word if word.startswith("-") else word.lower(),) for word in rest[bool(verb) :] if word]
    return Trigger(programs=(program.lower(),), verbs=(verb,) if verb else (), words=tuple(groups))


def programs_of(tool: str) -> tuple[str, ...]:
    return PROGRAM_OF.get(tool, (tool,))


def wrong_instead(part: SentencePart) -> list[Trigger]:
    """What a part that says what is right makes wrong: other tools of the kind, the act without its option or by another command."""
    if not part.has("use") or part.has("not"):
        return []
    things, acts = part.things, [act for act in part.acts if act not in FILE_ACTS]
    options, tools, codes = (
        texts(things, "option"),
        texts(things, "tool"),
        [code for code in texts(things, "code") if " " in code],
    )
    tools += [one for one in texts(things, "ordinary") if any(is_rival(one, tool) for tool in tools)]
    if options:
        lacks = tuple(form for option in options for form in _SAME_OPTION.get(option, (option,)))
        base = [one for code in codes if (one := of_line(code))] or (
            _narrowed(part, acts, tools, (), (), by_name=True, only_refs=False)
            if tools
            else [one for act in acts[:1] for one in triggers(act)]
        )
        return [one._replace(lacks=lacks) for one in base]
    at = next((n for n, word in enumerate(part.words) if word.thing and word.thing.kind == "tool"), len(part.words))
    if at + 1 < len(part.words) and part.words[at + 1].is_unknown:  # "use pnpm workspaces"
        return []
    rivals = rivals_of(tools)
    if part.has("prefer") and len(tools) == 2 and is_rival(*tools) and not part.has("or"):  # "prefer A to B"
        rivals = [tools[1]]
    if rivals:
        return [Trigger(programs=tuple(program for other in rivals for program in programs_of(other)), lacks=_lacks(rivals))]
    own = [code.split()[0].rpartition("/")[2].lower() for code in codes]
    own += [path.rpartition("/")[2].lower() for path in texts(things, "path") if "/" in path and "*" not in path]
    if any(own) and acts and acts[0] in NOUNS | {"install"}:
        return [one._replace(lacks=(*one.lacks, *filter(None, own))) for one in triggers(acts[0])]
    return []
