"""What a rule waits for: its words as acts that a tool call shows, or nothing.

Only what a sentence names as the object of an act counts, and only where all that narrows it is understood: "never commit secrets" would
take a look at the content, so it waits for nothing. A part that forbids says what breaks the rule; one that says what is right
("use pnpm") makes its rivals wrong; what must come first stands on one side of "before", "without", "only after".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from psychmem_py.guards.acts import ACTS, SUBCOMMANDS, triggers
from psychmem_py.guards.binding import breaking, forms_of, of_line, paths_of, programs_of, texts, wrong_instead
from psychmem_py.guards.call import RUNNERS
from psychmem_py.guards.naming import Named, with_folders, with_things
from psychmem_py.guards.parts import FILE_ACTS, NOUNS, SentencePart
from psychmem_py.guards.shell import commands
from psychmem_py.guards.trigger import Rule, Trigger
from psychmem_py.guards.words import RulePart, Vocabulary

_CHECKS = frozenset("test lint format types build backup".split())  # what comes first, where a rule tells an order
_CONNECTORS = ("before", "without", "after", "then")
_PLAIN_WORDS = frozenset(
    "task just go find time watch make screen service kill stack".split()
)  # no programs unless something says so
_QUESTIONS = ("?", "？", "؟")
_CARRIED_WORDS = 4  # "please, never ever, …": in a part with more of them the "not" has something to stand by that is not known
_Found = tuple[Sequence[Trigger], Sequence[Trigger]]


def rule(key: str, text: str, vocabulary: Vocabulary, named: Named | None = None) -> Rule | None:
    """The rule in a memory's text as acts that break it; None where no act of a tool can, or where a condition is not understood."""
    sentences = list(_sentences(vocabulary.words(text)))
    if any(
        SentencePart(part).has("except") and not SentencePart(part).has("ask")
        for sentence in sentences
        for part in _split(sentence)
    ):
        return None
    broken: list[Trigger] = []
    for before, sentence in zip([[], *sentences], sentences, strict=False):
        known = with_folders(sentence) if SentencePart(sentence).acts else sentence
        refers = SentencePart(known).has("it") or len(known) <= _CARRIED_WORDS
        if refers and not SentencePart(known).things and SentencePart(known).has("edit", "delete"):
            known = [*(word for word in with_folders(before) if word.thing and word.thing.kind == "path"), *known]
        known = with_things(known, named)
        for read in (_in_order, _by_parts):
            parsed = read(known)
            if parsed and parsed[0]:
                if parsed[1] or read is _in_order:
                    return _made(key, parsed)
                broken += parsed[0]
                break
    return _made(key, (broken, ())) if broken else None


def _made(key: str, parsed: _Found) -> Rule:
    return Rule(key, tuple(dict.fromkeys(parsed[0])), tuple(dict.fromkeys(parsed[1])))


def _sentences(words: Iterable[RulePart]) -> Iterable[list[RulePart]]:
    """Each sentence without the reasons that it gives; no question."""
    sentence: list[RulePart] = []
    reason = False
    for word in [*words, RulePart(ends=2)]:
        if word.ends == 2 and sentence and word.text not in _QUESTIONS:
            yield sentence
        if word.ends == 2:
            sentence, reason = [], False
            continue
        reason = reason or ("because" in word.keys and bool(sentence))
        if not reason:
            sentence.append(word)


def _split(words: Sequence[RulePart]) -> list[list[RulePart]]:
    parts: list[list[RulePart]] = [[]]
    for word in words:
        if word.ends:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _in_order(words: list[RulePart]) -> _Found | None:
    """What must come before what."""
    for at, word in enumerate(words):
        if "before_next" in word.keys:  # "run X before you commit, unless I say so" is about X
            unless = next((n for n, one in enumerate(words) if n > at and "after_next" in one.keys), len(words))
            words = words[:unless] if SentencePart(words[unless:]).has("ask") else words
        for kind in _CONNECTORS:
            for side in ("next", "prev"):
                if f"{kind}_{side}" not in word.keys:
                    continue
                near, rest = _sides(words, at, side)
                if word.text == "after" and rest.has("not"):  # "stop pushing after every commit"
                    continue
                if "ask" in word.keys:  # "not unless I say so"
                    near.words.append(RulePart(frozenset({"ask"})))
                if parsed := _ordered(kind, near, rest, strict="only_after" in word.keys):
                    return parsed
    return None


def _sides(words: list[RulePart], at: int, side: str) -> tuple[SentencePart, SentencePart]:
    """The part that belongs to the connector at `at`, and all the others."""
    step = 1 if side == "next" else -1
    edge = at + step
    while 0 <= edge < len(words) and not words[edge].ends and not (side == "next" and "but" in words[edge].keys):
        edge += step
    near, rest = (
        (words[at + 1 : edge], words[:at] + words[edge:])
        if side == "next"
        else (words[edge + 1 : at], words[: edge + 1] + words[at + 1 :])
    )
    if side == "next" and SentencePart(rest).says:  # "before you commit and make sure that they pass"
        acts = [n for n, one in enumerate(near) if one.keys & ACTS.keys()]
        ends = [n for n, one in enumerate(near) if acts and n > acts[0] and "or" in one.keys and not _goes_on(near[n + 1 :])]
        near = near[: ends[0]] if ends else near
    if near and not SentencePart(rest).says:  # no comma between: "before committing run the tests"
        acts = [
            n
            for n, one in enumerate(near)
            if (one.keys & ACTS.keys()) - {"read"}
            or (one.thing and one.thing.kind in ("code", "tool") and one.thing.text != "git")
        ]
        if side == "prev" and acts:
            near, rest = near[acts[-1] :], near[: acts[-1]] + rest
        elif len(acts) > 1:
            cut = next((n for n, one in enumerate(near) if n > acts[0] and one.keys & {"ask"}), acts[1])
            near, rest = near[: min(cut, acts[1])], near[min(cut, acts[1]) :] + rest
        elif ask := next((n for n, one in enumerate(near) if "ask" in one.keys), 0):
            near, rest = near[:ask], near[ask:] + rest
    elif (
        near and "ask" in near[0].keys and not SentencePart(rest).acts
    ):  # the verb stands last: "X nur nach Rücksprache anfassen"
        near, rest = near[:1], rest + near[1:]
    return SentencePart(near), SentencePart(rest)


def _goes_on(words: Sequence[RulePart]) -> bool:
    """Whether a list goes on behind an "and": with another act, or something named."""
    first = next((word for word in words if "soft" not in word.keys), RulePart())
    return bool(first.thing or first.keys & ACTS.keys())


def _ordered(kind: str, near: SentencePart, rest: SentencePart, *, strict: bool) -> _Found | None:
    forbids = rest.has("not") and not rest.has("skip")
    if kind == "then" and (forbids or near.has("not") or not _CHECKS & set(rest.acts) or set(near.acts) <= FILE_ACTS):
        return None  # "if the build fails then clean it" tells no order
    if kind == "without" and not (rest.has("not") or near.has("not")):
        return None
    options = texts(near.things, "option")
    if kind == "without" and options and not (near.acts or near.has("ask")):  # "never pull without --rebase"
        return [one._replace(lacks=(*one.lacks, *forms_of(options))) for one in breaking(rest, by_name=False)], ()
    late, first = (near, rest) if kind in ("before", "then") and not forbids else (rest, near)
    if kind == "after" and not (strict or forbids or late.has("only") or near.has("not")):
        return None
    broken = [one for one in breaking(late, by_name=False) if not one.text]
    if not broken:
        return None
    needed = [] if first.has("ask") else _needed(first)
    return (broken, needed) if (needed and needed != broken) or first.has("ask") else None


def _needed(part: SentencePart) -> list[Trigger]:
    """The acts of which one must have happened."""
    things = part.things
    if lines := [one for code in texts(things, "code") if (one := of_line(code))]:
        return lines
    paths = paths_of(things)
    if paths and part.has("edit", "upgrade"):
        return [Trigger(does="write", paths=paths)]
    tools = [tool for tool in texts(things, "tool", "ordinary") if tool not in _PLAIN_WORDS]
    acts = [act for act in part.acts if act not in FILE_ACTS]
    if tools and not (acts and tools[0] in RUNNERS):  # `npm run lint` is linting
        return [Trigger(programs=programs_of(tools[0]))]
    if acts:
        return list(triggers(acts[0]))
    return [Trigger(words=((paths[0].rpartition("/")[2].lower(),),))] if paths else []


def _by_parts(words: list[RulePart]) -> _Found | None:
    parts = _parts(words)
    if parts is None:
        return None
    broken: list[Trigger] = []
    right = {tool for part in parts if not part.forbids for tool in texts(part.things, "tool")}
    codes = [code for part in parts if not part.forbids for code in texts(part.things, "code")]
    around = {name for code in codes if " " in code for one in commands(code) for name in one.by}  # "use `uv run pytest`"
    for at, whole in enumerate(parts):
        part = whole
        if not part.forbids:
            continue
        before = parts[at - 1] if at else None
        if (
            not part.says
            and len(part.words) <= _CARRIED_WORDS
            and at + 1 == len(parts)
            and before
            and not before.forbids
            and not any(one.is_unknown for one in part.words)
        ):
            part = SentencePart(
                [*before.words, *part.words], forbids=True
            )  # "git add -A is a no-go", "you push to main, stop that"
        elif (
            before
            and not part.things
            and (set(part.acts) & FILE_ACTS or (part.has("it") and part.acts and _named(before, part)))
            and not any(one.is_unknown for one in part.words)
        ):
            part = SentencePart([*_named(before, part), *part.words], forbids=True)  # "src/gen is generated, don't edit it"
        elif before and before.things and not part.says and (told := [one for one in part.words if one.text in SUBCOMMANDS]):
            part = SentencePart(
                [*(word for word in before.words if word.thing and word.thing.kind == "tool"), *told], forbids=True
            )
        elif (
            before and part.has("it") and before.has("pull_request", "issue") and part.acts
        ):  # "I review every PR, so don't merge them"
            part = SentencePart([word for word in (*before.words, *part.words) if word.keys - {"it"}], forbids=True)
        elif (
            before
            and not (before.forbids or part.acts)
            and not any(one.is_unknown for one in before.words)
            and {thing.kind for thing in part.things} & {"path", "ref"}
        ):
            part = SentencePart([*(word for word in before.words if word.keys & ACTS.keys()), *part.words], forbids=True)
        in_full = part.has("whole") and set(part.acts) <= NOUNS  # who runs a part of the tests runs not all of them
        broken += [] if in_full else breaking(part)
    options = {option for part in parts if not part.forbids for option in texts(part.things, "option")}
    broken = [_but_for(one, right, around | (options if one.programs else set())) for one in broken]
    if broken:
        return broken, ()
    for part in parts:
        if not part.forbids and part.has("ask") and part.has("only", "use") and part.acts:
            return breaking(part, by_name=False), ()
    used = {tool for part in parts if part.has("use") and not part.forbids for tool in texts(part.things, "tool")}
    return [
        one for at, part in enumerate(parts) if not part.forbids for one in wrong_instead(_with_occasion(parts, at), used)
    ], ()


def _but_for(trigger: Trigger, right: set[str], around: set[str]) -> Trigger:
    """The act, as long as it is not run by what is said to be right: "use python3, not python", "use `uv run pytest`"."""
    longer = [tool for tool in sorted(right) if tool.startswith(trigger.programs) and tool not in trigger.programs]
    return trigger._replace(lacks=(*trigger.lacks, *sorted(around), *longer)) if trigger.programs else trigger


def _named(before: SentencePart, part: SentencePart) -> list[RulePart]:
    """What "it" means: a file that was named before, or a library that is not to be installed."""
    kinds = ("library", "name") if part.has("install") else ("path",)
    return [word for word in before.words if word.thing and word.thing.kind in kinds]


def _with_occasion(parts: Sequence[SentencePart], at: int) -> SentencePart:
    """A part with the act that the one before it names: "when installing, pass --frozen-lockfile"."""
    part, before = parts[at], parts[at - 1] if at else SentencePart()
    named = any(thing.kind == "option" or (thing.kind == "code" and " -" in thing.text) for thing in part.things)
    return SentencePart([*before.words, *part.words]) if named and not part.acts and before.acts and not before.things else part


def _parts(words: Sequence[RulePart]) -> list[SentencePart] | None:
    """The parts of a sentence, each with whether it forbids; None where a condition is not understood."""
    parts: list[SentencePart] = []
    now = SentencePart()
    carried = False  # a "not" that had nothing to stand by

    def close(*, right: bool = False) -> None:
        nonlocal now, carried
        if not now.words:
            return
        forbids = now.forbids or _forbids(now)
        if carried and now.says and not now.has("use"):
            forbids, carried = True, False
        is_bare = not now.says and len(now.words) <= _CARRIED_WORDS and not any(one.is_unknown for one in now.words)
        carried = carried or (forbids and is_bare)
        listed = _listed(parts, now) if now.says and not forbids else []
        for one in listed:
            one.forbids = forbids = True
            if set(one.acts) <= NOUNS:
                one.words = [*(word for word in parts[-1 - (len(listed) - 1)].words if word.keys & ACTS.keys()), *one.words]
        now.forbids = forbids
        parts.append(now)
        now = SentencePart()

    for at, word in enumerate(words):
        turns = word.keys & {"instead_prev", "instead_next"}
        if word.ends or ("but" in word.keys and not turns):
            close()
            if word.keys & {"use", "not"}:
                now.words.append(word)
        elif "instead_next" in word.keys:
            close(right=True)
            now.forbids = True
        elif (
            "not" in word.keys and now.says and not now.has("not") and "or" in now.words[-1].keys
        ):  # "keep A sorted and never edit B"
            close()
            now.words.append(word)
        elif (
            "not" in word.keys
            and (now.has("use") or (_is_tool(now.words[-1:]) and _is_tool(words[at + 1 : at + 2])))
            and now.things
            and not now.acts
            and any(one.thing for one in _rest(words, at))
        ):
            close(right=True)  # "use A not B"
            now.words.append(word)
        elif "use" in word.keys and now.forbids and now.things:  # "instead of npm use pnpm"
            close()
            now.words.append(word)
        elif "instead_prev" in word.keys and now.says:
            now.forbids = True
            close()
        else:
            now.words.append(word)
    close()
    for at, part in enumerate(parts):
        bare = list(takewhile(lambda one: one.things and len(one.words) == 1, parts[at + 1 :]))
        for one in bare if part.forbids and part.things and len(bare) > 1 else ():  # "never use pip, poetry, conda"
            one.words, one.forbids = [*(word for word in part.words if not word.thing), *one.words], True
    return parts if all(map(_is_occasion, parts)) else None


def _forbids(part: SentencePart) -> bool:
    """Whether a part says what not to do. To leave out is forbidden where an option does it: "never skip hooks with --no-verify"."""
    if part.has("skip") and not any(thing.kind == "option" for thing in part.things):
        return False
    return part.has("not") or (part.has("without_next") and part.has("emoji"))


def _is_tool(words: Sequence[RulePart]) -> bool:
    return any(word.thing and word.thing.kind == "tool" for word in words)


def _rest(words: Sequence[RulePart], at: int) -> Iterable[RulePart]:
    """What follows in the same part."""
    return takewhile(lambda word: not word.ends, words[at + 1 :])


def _listed(parts: Sequence[SentencePart], last: SentencePart) -> list[SentencePart]:
    """The parts of a list that a part which forbids begins and this one ends: "never commit, push, or publish"."""
    if not last.has("or") or last.has("use", "ask"):
        return []
    for back, part in enumerate(reversed(parts)):
        if part.forbids:
            return [*parts[len(parts) - back :], last]
        bare = part.says and not part.has("use", "ask", "not", "if", "run") and all(not one.is_unknown for one in part.words)
        if not bare or not (last.has("either") or not (part.acts or last.acts)):
            return []
    return []


def _is_occasion(part: SentencePart) -> bool:
    """Whether a part sets no condition but an act that itself shows: "when you commit"."""
    if not part.has("if"):
        return True
    if part.has("not") and len(part.acts) == 1 and part.is_clear():  # "do not squash when you merge"
        return True
    return bool(part.acts) and part.is_clear() and not part.has("skip", "not") and FILE_ACTS.isdisjoint(part.acts)
