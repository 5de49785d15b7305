"""What acts a rule can be held to: from its words to triggers, or nothing where it speaks of no act that can be seen in a call.

A sentence falls into parts at its punctuation. A part that forbids says what breaks the rule; a part that says what is right
("use pnpm") makes its rivals wrong; what must come before stands on one side of "before", "without", "only after".
"""

from __future__ import annotations

from collections.abc import Sequence

from psychmem_py.guards.acts import ACTS, ORDINARY, RIVALS, triggers
from psychmem_py.guards.conditions import SAME_OPTION, of_acts, of_code, of_command, of_files, programs_of
from psychmem_py.guards.shell import PIPED
from psychmem_py.guards.things import Thing
from psychmem_py.guards.trigger import Rule, Trigger
from psychmem_py.guards.vocabulary import DAYS, RulePart, Vocabulary

FILE_ACTS = frozenset({"edit", "delete", "create", "read"})
# Also nouns: beside an act on files they say which files.
_NOUNS = frozenset(
    {
        "test",
        "build",
        "migrate",
        "backup",
        "format",
        "types",
        "lint",
        "publish",
        "deploy",
        "changelog",
        "branch",
        "tag",
        "read",
        "production",
        "staging",
    }
)
_FOLDERS = frozenset(
    "migrations migration vendor generated dist build node_modules tests docs fixtures snapshots proto legacy public config secrets assets scripts infra"
    " terraform locales third_party specs examples generiert".split()
)
_REFS = {
    "production": ("production", "prod", "live"),
    "prod": ("production", "prod", "live"),
    "staging": ("staging", "stage"),
    "release": ("release", "releases"),
}
FILTERS = frozenset("grep rg ripgrep ag ack sed awk cat bat perl".split())
GLOBALLY = ("-g", "--global")
_CONNECTORS = ("before", "without", "after", "then")
_CHECKS = frozenset("test lint format types build backup".split())  # what comes first, where a rule tells an order
_TOLD = frozenset(
    "apply destroy init exec up down pull rm start stop prune scale drain rollout checkout prod reset clean audit link sync lock"
    " delete remove destroy destroyed".split()
)


class _Part:
    """A part of a rule and whether it forbids."""

    def __init__(self, items: Sequence[RulePart] = (), forbids: bool = False) -> None:
        self.items, self.forbids = list(items), forbids

    def has(self, key: str) -> bool:
        return any(key in item.keys for item in self.items)

    @property
    def things(self) -> list[Thing]:
        return [item.thing for item in self.items if item.thing]

    @property
    def acts(self) -> list[str]:
        keys = list(dict.fromkeys(key for item in self.items for key in sorted(item.keys) if key in ACTS))
        if "force" in self.keys and "push" in keys:
            keys = ["force_push", *(one for one in keys if one != "push")]
        if "squash" in keys and "merge" in keys:
            keys.remove("merge")
        if "amend" in keys and "commit" in keys:
            keys.remove("commit")
        if "delete" in keys and "branches" in self.keys and not self.things:
            keys = ["delete_branch", *(one for one in keys if one not in ("delete", "branch", "push"))]
        return keys

    @property
    def keys(self) -> set[str]:
        return {key for item in self.items for key in item.keys}

    @property
    def days(self) -> tuple[int, ...]:
        return tuple(sorted(int(key.removeprefix(DAYS)) for key in self.keys if key.startswith(DAYS)))

    def words(self) -> list[str]:
        return [item.word for item in self.items if item.word and not item.keys]


def rule(key: str, text: str, vocabulary: Vocabulary) -> Rule | None:
    """The rule in a memory's text as acts that break it; None where no act of a tool can."""
    items = vocabulary.items(text)
    parsed = _in_order(items) or _by_parts(items)
    broken, needs = parsed or ((), ())
    return Rule(key, tuple(dict.fromkeys(broken)), tuple(dict.fromkeys(needs))) if broken else None


_Found = tuple[Sequence[Trigger], Sequence[Trigger]]


def _in_order(items: list[RulePart]) -> _Found | None:
    """What must come before what."""
    for at, item in enumerate(items):
        for kind in _CONNECTORS:
            for side in ("next", "prev"):
                if f"{kind}_{side}" not in item.keys:
                    continue
                near, rest = _sides(items, at, side)
                parsed = _ordered(kind, near, rest)
                if parsed:
                    return parsed
    return None


def _sides(items: list[RulePart], at: int, side: str) -> tuple[_Part, _Part]:
    """The part that belongs to the connector at `at`, and all the others."""
    if side == "next":
        end = next((n for n in range(at + 1, len(items)) if items[n].ends or "but" in items[n].keys), len(items))
        near, rest = items[at + 1 : end], items[:at] + items[end:]
        if near and not _Part(rest).acts and not _Part(rest).things:  # no comma between: "before committing run the tests"
            acts = [n for n, item in enumerate(near) if item.keys & ACTS.keys() or _is_said_to_run(item, near[n + 1 : n + 2])]
            if len(acts) > 1:
                near, rest = near[: acts[1]], near[acts[1] :] + rest
    else:
        start = next((n + 1 for n in range(at - 1, -1, -1) if items[n].ends), 0)
        near, rest = items[start:at], items[:start] + items[at + 1 :]
        if near and not _Part(rest).acts and not _Part(rest).things:
            last = max((n for n, item in enumerate(near) if item.keys & ACTS.keys()), default=0)
            near, rest = near[last:], near[:last] + rest
    return _Part(near), _Part(rest)


def _is_said_to_run(item: RulePart, behind: Sequence[RulePart]) -> bool:
    """Whether an item names a whole command: code, or a tool that is not merely the first word of the act behind it."""
    if item.thing is None or item.thing.text == "git":
        return False
    return item.thing.kind == "code" or (item.thing.kind == "tool" and not any(one.keys & ACTS.keys() for one in behind))


def _ordered(kind: str, near: _Part, rest: _Part) -> _Found | None:
    forbids = rest.has("not") and not rest.has("skip")
    if kind == "then" and (forbids or near.has("not") or not (_CHECKS & set(rest.acts)) or set(near.acts) <= FILE_ACTS):
        return None  # "if the build fails then clean it" tells no order
    trigger, need = (near, rest) if kind in ("before", "then") and not forbids else (rest, near)
    if kind == "without" and not (rest.has("not") or near.has("not")):
        return None
    broken = [one for one in _breaking(trigger, by_name=False) if not one.text]
    if not broken:
        return None
    if need.has("ask"):
        return broken, ()
    return broken, _needed(need)


def _needed(part: _Part) -> list[Trigger]:
    """The acts of which one must have happened: nothing where none can be seen, so that the rule is said whatever happened."""
    commands_named = [of_command(thing.text) for thing in part.things if thing.kind == "code" and " " in thing.text]
    if commands_named:
        return [one for one in commands_named if one]
    if part.has("changelog"):
        return [Trigger(does="write", paths=("CHANGELOG*", "CHANGES*", "HISTORY*"))]
    tools = [thing.text for thing in part.things if thing.kind in ("tool", "ordinary")]
    acts = [act for act in part.acts if act not in FILE_ACTS]
    if acts:
        return list(triggers(acts[0]))
    if tools:
        return [Trigger(programs=programs_of(tools[0]))]
    paths = tuple(thing.text for thing in part.things if thing.kind == "path")
    if paths and part.has("edit"):
        return [Trigger(does="write", paths=paths)]
    return [Trigger(words=((paths[0].rpartition("/")[2].lower(),),))] if paths else []


def _by_parts(items: list[RulePart]) -> _Found | None:
    parts = _parts(items)
    broken: list[Trigger] = []
    for at, part in enumerate(parts):
        if part.forbids:
            whole = part
            if not part.things and set(part.acts) & FILE_ACTS and at:
                whole = _Part([*parts[at - 1].items, *part.items], forbids=True)
            broken += _breaking(whole)
    if broken:
        return broken, ()
    for part in parts:
        if not part.forbids and part.has("ask") and (part.has("only") or part.has("use")) and part.acts:
            return _breaking(part, by_name=False), ()
    return [one for at, part in enumerate(parts) if not part.forbids for one in _rivals(_with_occasion(parts, at))], ()


def _with_occasion(parts: Sequence[_Part], at: int) -> _Part:
    """A part with the act that the one before it names: "when installing, pass --frozen-lockfile"."""
    part, before = parts[at], parts[at - 1] if at else _Part()
    named = any(thing.kind == "option" for thing in part.things)
    return _Part([*before.items, *part.items]) if named and not part.acts and before.acts and not before.things else part


def _parts(items: list[RulePart]) -> list[_Part]:
    """The rule's parts, each with whether it forbids."""
    parts: list[_Part] = []
    now = _Part()
    carried = False  # a "not" that had nothing to stand by

    def close() -> None:
        nonlocal now, carried
        if not now.items:
            return
        forbids = now.forbids or (now.has("not") and not now.has("skip"))
        says = bool(now.acts or now.things)
        if carried and says and not now.has("use"):
            forbids, carried = True, False
        if forbids and not says:
            carried = True
        if not forbids and says and parts and parts[-1].forbids and now.has("or") and not now.has("use") and not now.has("ask"):
            forbids = True
            if not now.acts:
                now.items = [*(item for item in parts[-1].items if item.keys & ACTS.keys()), *now.items]
        now.forbids = forbids
        parts.append(now)
        now = _Part()

    for item in items:
        if item.ends or ("but" in item.keys and not item.keys & {"instead_prev", "instead_next"}):
            close()
            if "use" in item.keys:
                now.items.append(item)
        elif "instead_next" in item.keys:
            close()
            now.forbids = True
        elif "use" in item.keys and now.forbids and now.things and not now.has("not"):  # "instead of npm use pnpm"
            close()
            now.items.append(item)
        elif "instead_prev" in item.keys and (now.things or now.acts):
            now.forbids = True
            close()
        else:
            now.items.append(item)
    close()
    return parts


def _breaking(part: _Part, *, by_name: bool = True) -> list[Trigger]:
    """The acts that a part speaks of, with the things it names as their conditions."""
    acts, things, words = _settled(part)
    of = {
        kind: [thing.text for thing in things if thing.kind == kind]
        for kind in ("code", "path", "option", "tool", "ref", "ordinary")
    }
    tools = of["tool"] or (
        [] if acts or not by_name else [one for one in of["ordinary"] if part.has("use") or part.has("not") or part.forbids][:1]
    )
    if any(_kin(one, two) for one in of["ordinary"] for two in of["tool"]):
        tools += of["ordinary"]
    broken_by: list[Trigger] = []
    for code in of["code"]:
        broken_by += [one._replace(paths=tuple(of["path"])) if one.text else one for one in of_code(code)]
    options = tuple(SAME_OPTION.get(one, (one,)) for one in of["option"])
    options += (GLOBALLY,) if part.has("globally") else ()
    refs = tuple(_REFS.get(one, (one,)) for one in of["ref"])
    days = part.days
    if broken_by and not (tools or options or (of["path"] and not broken_by[0].text)):
        return [one._replace(days=days) for one in broken_by]
    file_acts = [act for act in acts if act in FILE_ACTS]
    other = [act for act in acts if act not in FILE_ACTS]
    if other:
        broken_by += of_acts(
            other, tools, of["path"], options + ((tuple(x for group in refs for x in group),) if refs else ()), words
        )
    elif tools:
        for tool in tools:
            does, verbs = "name" if of["path"] else "", _verbs(part, tool)
            broken_by.append(
                Trigger(programs_of(tool), verbs, words=options + refs, paths=tuple(of["path"]), does=does, lacks=_lacks([tool]))
            )
    elif options:
        broken_by.append(Trigger(words=options))
    elif refs and by_name and not of["path"]:  # "main is off limits"
        broken_by += of_acts(["push", "commit"], [], [], (tuple(x for group in refs for x in group),), words)
    elif of["path"] and (by_name or file_acts):
        broken_by += of_files(file_acts, of["path"])
    elif file_acts:
        names = (_beside_folder(part) or [word for word in words if word.isascii() and (word in _FOLDERS or part.has("folder"))])[
            :2
        ]
        broken_by += of_files(file_acts, [name + "/" for name in names])
        if not names and not words and not of["ref"] and "delete" in file_acts:
            broken_by.append(Trigger(does="delete", paths=("*",)))
    return [one._replace(days=days) if days else one for one in broken_by]


def _settled(part: _Part) -> tuple[list[str], list[Thing], list[str]]:
    """Acts, things and other words of a part, where words that are both are taken for what they must be here."""
    acts, things, words = part.acts, part.things, part.words()
    for key in ("production", "staging"):
        if part.has(key) and not any(thing.kind == "ref" for thing in things):
            things = [*things, Thing("ref", key)]
    named = [item.word for item in part.items if item.keys & _NOUNS and item.keys & ACTS.keys()]
    filed = [act for act in acts if act in FILE_ACTS and act != "read"]
    if filed and any(thing.kind == "path" for thing in things):
        return [act for act in acts if act in filed or (act not in _NOUNS and act not in FILE_ACTS)][:1], things, words
    if filed and len(acts) > len(filed):
        kept = [act for act in acts if act in filed or act not in _NOUNS]
        if len(kept) < len(acts):
            return kept, things, [*words, *named]
    strong = [act for act in acts if act not in _NOUNS and act not in FILE_ACTS]
    if strong and not part.has("or"):
        weak = {act for act in acts if act not in strong}
        extra = [item.word for item in part.items if item.keys & weak and not item.keys & set(strong)]
        return strong, things, [*words, *extra] if weak - FILE_ACTS else words
    if acts and all(act in FILE_ACTS for act in acts) and any(thing.kind in ("tool", "option") for thing in things):
        return [], things, words
    return acts, things, words


def _beside_folder(part: _Part) -> list[str]:
    """The names right before or behind the word folder: "the snapshots folder", "Ordner legacy"."""
    at = [n for n, item in enumerate(part.items) if "folder" in item.keys]
    near = [part.items[n] for index in at for n in (index - 1, index + 1) if 0 <= n < len(part.items)]
    return [item.word for item in near if item.word.isascii() and item.word and item.keys <= _NOUNS]


def _lacks(tools: Sequence[str]) -> tuple[str, ...]:
    """Who wants another tool for searching means files: what filters another command's output is no search of them."""
    return (PIPED,) if FILTERS.issuperset(tools) else ()


def _verbs(part: _Part, tool: str) -> tuple[str, ...]:
    """What is said right behind a tool, where that is something one tells tools to do: "apply" of "terraform apply"."""
    pairs = zip(part.items, part.items[1:], strict=False)
    return tuple(two.word for one, two in pairs if one.thing and one.thing.text == tool and two.word in _TOLD)


def _kin(one: str, two: str) -> bool:
    return any(one in family and two in family for family in RIVALS)


def _rivals(part: _Part) -> list[Trigger]:
    """What a part that says what is right makes wrong: other tools of the kind, the act without its option or by another command."""
    if not part.has("use") or part.has("not"):
        return []
    things, acts = part.things, [act for act in part.acts if act not in FILE_ACTS]
    options = [thing.text for thing in things if thing.kind == "option"]
    tools = [thing.text for thing in things if thing.kind == "tool"]
    tools += [
        thing.text
        for thing in things
        if thing.kind == "ordinary" and thing.text in ORDINARY and any(_kin(thing.text, one) for one in tools)
    ]
    codes = [thing.text for thing in things if thing.kind == "code" and " " in thing.text]
    if options:
        lacks = tuple(form for option in options for form in SAME_OPTION.get(option, (option,)))
        base = (
            [Trigger(programs=programs_of(tool)) for tool in tools]
            if tools
            else [one for act in acts[:1] for one in triggers(act)]
        )
        base = [trigger for code in codes if (trigger := of_command(code))] or base
        return [one._replace(lacks=lacks) for one in base]
    rivals = sorted({other for tool in tools for family in RIVALS if tool in family for other in family} - set(tools))
    if part.has("prefer") and len(tools) == 2 and _kin(*tools) and not part.has("or"):  # "prefer A to B"
        rivals = [tools[1]]
    if rivals:
        return [Trigger(programs=tuple(program for other in rivals for program in programs_of(other)), lacks=_lacks(rivals))]
    scripts = [
        thing.text.rpartition("/")[2].lower()
        for thing in things
        if thing.kind == "path" and "/" in thing.text and "*" not in thing.text
    ]
    own = [code.split()[0].rpartition("/")[2].lower() for code in codes] + [one for one in scripts if one]
    if own and acts and acts[0] in _NOUNS | {"install", "deploy", "publish"} and acts[0] not in ("production", "staging"):
        return [one._replace(lacks=(*one.lacks, *own)) for one in triggers(acts[0])]
    return []
