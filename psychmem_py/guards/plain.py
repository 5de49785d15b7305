"""What a sentence says plainly where its grammar is not understood, and how messages, comments, branch names must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from psychmem_py.guards.acts import AIMS, CONSTRUCTS, USES, triggers
from psychmem_py.guards.binding import narrowed, of_line, options_in, programs_of, texts, with_bare, written
from psychmem_py.guards.call import LOOKS
from psychmem_py.guards.manner import CAPITAL, LETTERS, OWN, SUBJECT, TICKETLESS, TYPELESS, is_ticket
from psychmem_py.guards.parts import FILE_ACTS, SentencePart, cut_at
from psychmem_py.guards.trigger import Trigger
from psychmem_py.guards.words import RulePart, Thing

WRAPPERS = ("fvm", "npx", "bunx", "uvx", "sudo", "rtk", "direnv")  # run another program
# A part with one of these says when, or what instead.
_NARROWS = {"if", "except", "after_next", "only", "only_after", "before_next", "before_prev", "without_next", "without_prev", "then_next",
            "ask", "instead_next", "instead_prev", "like", "defines", "mention", "skip"}  # fmt: skip
# What an option may belong to without a program's name.
_OF_REPOSITORY = frozenset(("commit", "push", "pull_request", "merge", "tag"))
_NOT_WRITTEN = ("delete", "move", "publish", "upload", "install")  # "Don't remove the TODO comments": what is named is to stay
# Between a "not" and the code that must not be written, or behind both.
_OF_WRITING = {"soft", "use", "run", "import", "introduce", "put", "edit", "with", "fresh", "either", "or", "bump", "anything", "always", "not",
               "later", "asked_back", "within", "inside_next", "types", "message", "upgrade", "folder", "files", "whole", "speaker", "it", "served", "module"}  # fmt: skip
_CONTAINERS = ("docker", "podman", "docker-compose", "devcontainer", "nerdctl")
_LENGTHS = range(40, 101)  # of a commit's subject
_FEW_WORDS = 7  # a sentence of no more of them need not say that it is an order
_COMMIT = Trigger(programs=("git",), verbs=("commit",))


def plainly(sentence: Sequence[RulePart], known: Sequence[RulePart]) -> list[Trigger]:
    """The acts that break a sentence, as told and as `known` with what its words name."""
    parts = cut_at(sentence, "but")
    return (
        _but_looking(SentencePart(sentence))
        or _without_option(cut_at(known, "but"))
        or _unwrapped(known)
        or _at_another(cut_at(known))
        or _unsquashed(parts[0])
        or list(_named(parts))
    )


def in_container(words: Sequence[RulePart]) -> list[Trigger]:
    """What is run outside of a container though a sentence wants it in one: "run the tests in docker, not on the host"."""
    places = [n for n, word in enumerate(words) if "container" in word.keys or (word.thing and word.thing.text in _CONTAINERS)]
    at = next((n for n in places if any("inside_next" in word.keys for word in words[max(n - 3, 0) : n])), 0)
    told = SentencePart(words[:at])
    narrows = told.has("not") or SentencePart(words).has(*_NARROWS - {"only", "instead_next"})
    if narrows or not told.has("run", "use", "always", "only"):
        return []
    runs = [Trigger(programs_of(tool)) for tool in texts(told.things, "tool")]
    runs += [line for code in texts(told.things, "code") if (line := of_line(code))]
    runs = runs or [way for act in told.acts if act not in FILE_ACTS for way in triggers(act)]
    return [one.without(_CONTAINERS) for one in runs]


def denies(words: Sequence[RulePart]) -> bool:
    """Whether a text denies something of a thing, "the README has no screenshots", and forbids nothing: "npm is not allowed"."""
    for part in cut_at(words, "but"):
        at = next((n for n, word in enumerate(part.words) if "not" in word.keys and "kept" not in word.keys), -1)
        is_of_thing = any(word.thing or word.is_unknown or "it" in word.keys for word in part.words[: max(at, 0)])
        if is_of_thing and not all(word.keys & {"soft", "ask", "asked_back"} for word in part.words[at + 1 :]):
            return True
    return False


def _but_looking(whole: SentencePart) -> list[Trigger]:
    """What a program changes that is only to look: "terraform is read-only for you", not "kubectl is not read-only"."""
    tools, is_denied = texts(whole.things, "tool"), any("not" in word.keys and "kept" not in word.keys for word in whole.words)
    is_told = whole.has("kept") and not is_denied and len(tools) == len(whole.things) == 1
    said = [word for word in whole.words if "asked_back" not in word.keys and not word.ends]
    banned = options_in(whole) if tools and len(said) == 3 and "without_next" in said[1].keys else []
    if banned:  # "rsync without --delete please"
        return [Trigger(programs_of(tools[0]), words=(tuple(banned),))]
    return [Trigger(programs_of(tools[0]), lacks=(LOOKS,))] if is_told else []


def _without_option(parts: Sequence[SentencePart]) -> list[Trigger]:
    """A program, or an act, without the option that a sentence demands: "every aws call needs --profile sandbox"."""
    runs: list[Trigger] = []
    acts: list[str] = []
    options: list[str] = []
    is_due = False
    for part in parts:
        runs += narrowed(part, [], texts(part.things, "tool"), [])
        runs += [line for code in texts(part.things, "code") if " " in code and code[0] != "-" and (line := of_line(code))]
        acts += [act for act in part.acts if act in _OF_REPOSITORY]
        is_due = is_due or part.has("use", "demand", "only", "always") or (part.has("run") and part.has("with"))
        is_due = is_due or ("as", "--draft") in [(one.text, two.thing and two.thing.text) for one, two in pairwise(part.words)]
        options = [*(options if part.is_bare else ()), *options_in(part)]  # "as draft, always"
        if part.has("not", "except") or (part.has("if") and not part.has("when")) or len(set(runs)) > 1 or len(set(acts)) > 1:
            return []
        if options and is_due:
            return [one._replace(lacks=tuple(options)) for one in runs or [way for act in acts for way in triggers(act)]]
    return []


def _unwrapped(words: Sequence[RulePart]) -> list[Trigger]:
    """A program that is not run by another one as a sentence demands: "prefix python commands with `uv run`"."""
    whole = SentencePart(words)
    tools, codes = texts(whole.things, "tool", "ordinary"), texts(whole.things, "code", "tool")
    around = {code.split()[0] for code in codes if code.endswith((" run", " exec")) or code in WRAPPERS or " exec " in code}
    is_due = whole.has("use", "demand", "always") or (whole.has("run") and whole.has("with", "inside_next"))
    if not is_due or len(around) != 1 or whole.has(*_NARROWS):
        return []
    tools = [*tools, *(code.split()[0] for code in codes if code.endswith(" scripts"))]  # "run Python scripts with `uv run`"
    runs = [Trigger(programs_of(tool)) for tool in tools if tool not in around]
    runs = runs or [way for act in whole.acts if act in ("test", "e2e", "lint", "types") for way in triggers(act)]
    return [one.without(around) for one in runs]


def _at_another(parts: Sequence[SentencePart]) -> list[Trigger]:
    """A program that is given another profile or project than a sentence demands: "only use the aws profile sandbox"."""
    for part in parts:
        tools, at = texts(part.things, "tool"), next((n for n, word in enumerate(part.words) if word.text in AIMS), 0)
        beside = (*part.words[at + 1 : at + 2], *part.words[max(at - 1, 0) : at])
        near = [word for word in beside if word.is_unknown or (word.thing and word.thing.text not in tools)]
        is_last = all("soft" in word.keys for word in part.words[at + 2 :])  # not "… prod only for reads"
        if at and len(tools) == 1 and near and is_last and part.has("only", "use", "always") and not part.has("not"):
            name = near[0].thing.text if near[0].thing else near[0].text
            return [Trigger(programs_of(tools[0]), words=((f"--{part.words[at].text}",),), lacks=(f"*{name}*",))]
    return []


def _unsquashed(whole: SentencePart) -> list[Trigger]:
    """A pull request that is merged otherwise than a sentence demands: "only squash merges"."""
    is_way = "squash" in whole.acts and {"squash", "merge", "pull_request"}.issuperset(whole.acts) and whole.is_known
    is_said = any("squash" in one.keys and "merge" in two.keys for one, two in pairwise(whole.words))  # "PRs are squash-merged"
    is_due = is_way and (is_said or whole.has("only", "always", "use", "demand", "with"))
    ways = (way for way in triggers("merge") if "git" not in way.programs)
    return [way._replace(lacks=("--squash",)) for way in ways] if is_due and not whole.has("not", *_NARROWS - {"only"}) else []


def _named(parts: Sequence[SentencePart]) -> Iterator[Trigger]:
    """Calls with what is written like code in a part that forbids, or in brackets behind it; in the file named beside it."""
    forbids = False
    for part in parts:
        keys = {key for word in part.words if "asked_back" not in word.keys for key in word.keys}
        at, used = (next((n for n, word in enumerate(part.words) if key in word.keys), -1) for key in ("not", "use"))
        is_told = at >= 0 and not -1 < used < at  # "don't use A", not "use A not B"
        narrows = _NARROWS - ({"if"} if "when" in keys else set())
        is_beside = forbids and len(part.words) == 1
        forbids = is_beside or (is_told and keys.isdisjoint(narrows))
        named = [word.thing for word in part.words[max(at, 0) :] if word.thing] or part.things
        files = [path for path in texts(part.things, "path") if ("/" in path or "." in path[1:]) and "|" not in path]
        written = [act for one in named if one.kind != "path" for act in of_thing(part, one)]
        if written and forbids and (is_beside or _is_ban(part, at)):
            yield from (one._replace(paths=with_bare(tuple(files))) if one.text else one for one in written)


def _is_ban(part: SentencePart, at: int) -> bool:
    """Whether a part says of nothing else than the agent what is not to be written: not "FooClient never retries"."""
    before, behind = part.words[:at], part.words[at + 1 :]
    named = next((n for n, word in enumerate(behind) if word.thing), -1)
    if part.is_of_one_use:
        return False
    is_name = all(one.text.isidentifier() for one in part.things)
    if named < 0:  # "GlobalScope не использовать"
        is_bare = all(word.thing or word.keys & _OF_WRITING for word in part.words)
        last = max((n for n, word in enumerate(before) if word.thing), default=0)
        is_next = all("soft" in word.keys for word in before[last + 1 :])  # "`SELECT *` is forbidden"
        is_told = texts(part.things, "option") and not any(word.is_unknown for word in before[last + 1 :])
        return is_bare or bool(is_told) or (not is_name and (part.has("use") or is_next))
    is_addressed = not any(word.is_unknown or word.thing or "it" in word.keys for word in before)
    is_host = bool(texts(part.things, "host"))  # "never download from a.com"
    if not is_host and any(word.is_unknown for word in behind[:named]):  # "never shorten it to `x-y`"
        return False
    return not is_name or (is_addressed and all(word.keys & _OF_WRITING for word in behind[:named]))


def of_thing(part: SentencePart, thing: Thing) -> Iterator[Trigger]:
    """The calls and edits with a thing that is written like code, where a part does not run or move it."""
    is_run = part.has("run") and thing.text.isidentifier()
    if part.has(*_NOT_WRITTEN) or is_run:
        return
    if thing.kind in ("option", "script", "host") and len(thing.text) > len("-rf"):
        yield Trigger(words=((thing.text,),))
    elif thing.kind == "library":
        yield Trigger(text=tuple(form.format(thing.text) for form in USES))
    elif thing.kind == "construct":
        yield Trigger(text=tuple(CONSTRUCTS[thing.text]))
    elif thing.kind == "code" and (line := of_line(thing.text)):
        yield line
    elif thing.kind in ("code", "identifier") and not (thing.text.isalpha() and thing.text.islower()):
        yield written(thing.text)


def in_writing(words: Sequence[RulePart]) -> list[Trigger]:
    """The commits, edits and new branches that are not written as a sentence says."""
    keys = {key for word in words for key in word.keys}
    longest = next((int(word.text) for word in words if word.text.isdecimal() and "message" in keys), 0)
    is_short = longest in _LENGTHS and any(word.text.startswith(("char", "zeichen", "caract", "letter")) for word in words)
    short = [_COMMIT._replace(manner=SUBJECT.format(longest))] if is_short else []
    if short and not any(one in keys for one in (*LETTERS, *OWN)):
        return short
    if keys & {"not", "if", "except", "after_next"}:
        return []
    is_of_commits = "commit" in keys or any("commit" in word.text for word in words)
    is_message = is_of_commits and ("message" in keys or not keys & {"remarks", "branches"})
    named = [one.title() for one in (*LETTERS, *OWN) if one in keys]
    is_asked = bool(keys & {"use", "demand", "only", "always"}) or {"run", "with"} <= keys
    is_plain = keys.isdisjoint(("without_next", "without_prev", "skip", "delete", "may"))
    if is_plain and (ways := _message_ways(words, keys, is_asked)):
        return ways
    if len(named) != 1 or not (is_message or "remarks" in keys) or {"message", "remarks"} <= keys:
        return []
    if is_message:
        return [_COMMIT._replace(manner=f"any message not in {named[0]}"), *short]
    return [Trigger(manner=f"any comment not in {named[0]}", outside=("*.md", "*.txt"))]


def _message_ways(words: Sequence[RulePart], keys: set[str], is_asked: bool) -> list[Trigger]:
    """The commits without what their messages must name, and the branches that are not called as they must be."""
    has_ticket = any("issue" in word.keys or is_ticket(word.text) for word in words)
    is_order = is_asked or "message" in keys or len(words) <= _FEW_WORDS
    if is_order and any(word.thing and word.thing.text == TYPELESS for word in words):
        return [_COMMIT._replace(manner=TYPELESS)]
    if {"message", "lowercase"} <= keys:
        return [_COMMIT._replace(manner=CAPITAL)]
    is_of_commits = "message" in keys or SentencePart(words).acts == ["commit"]
    if is_of_commits and has_ticket and is_asked:
        return [_COMMIT._replace(manner=TICKETLESS)]
    is_of_names = keys.isdisjoint(("work", "tags")) and (FILE_ACTS | {"branch"}).issuperset(SentencePart(words).acts)
    if "branches" in keys and "message" not in keys and (is_asked or "with" in keys) and is_of_names:
        heads = [f"{one.text.partition('/')[0]}/*" for word in words if (one := word.thing) and "/" in one.text]
        heads += ["*[a-z]-[0-9]*"] if has_ticket else []
        return [one._replace(lacks=tuple(heads)) for one in triggers("branch")] if heads else []
    return []
