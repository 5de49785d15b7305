"""What a rule waits for: its words as acts that a tool call shows, or nothing.

Only what a sentence names as an act's object counts, and only where all that narrows it is understood: "never commit secrets"
would take a look at the content, so it waits for nothing. A part that forbids says what breaks the rule; one that says what is
right ("use pnpm") makes its rivals wrong; what must come first stands on one side of "before", "without", "only after".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import dropwhile, pairwise, takewhile

from psychmem_py.guards.acts import ACTS, FILTERS, rivals_of, triggers
from psychmem_py.guards.binding import breaking, narrowed, of_line, options_in, paths_of, piped, programs_of, texts, with_bare
from psychmem_py.guards.call import IN_PART
from psychmem_py.guards.naming import Named, with_folders, with_things
from psychmem_py.guards.parts import FILE_ACTS, NOUNS, OF_FILES, SentencePart, cut_at, parts_of
from psychmem_py.guards.plain import in_container, in_writing, of_thing, plainly
from psychmem_py.guards.shell import RUNS, commands
from psychmem_py.guards.trigger import Rule, Trigger
from psychmem_py.guards.words import KINDS_OF_FILES, RulePart, Thing, Vocabulary

_FILE = re.compile(r"[\w-]{1,80}\.[a-z]{2,5}")
_CHECKS = frozenset("test lint format types build backup".split())  # what comes first, where a rule tells an order
_FEW_WORDS = 5  # a sentence of no more of them says what not to do with what the one before it names
_RUN = frozenset("sh py js mjs ts rb pl ps1 bat".split())  # endings of files that are run
_THERE = ("there", "those", "these")
_CONNECTORS = ("before", "without", "after", "then")
_PLAIN_WORDS = frozenset("task just go find time watch make screen service kill stack".split())  # no programs by themselves
_AROUND = {*(name for name, (between, *_) in RUNS.items() if between), *"npx bunx make just docker nix".split()}  # run others
_QUESTIONS = ("?", "？", "؟")
_Found = tuple[Sequence[Trigger], Sequence[Trigger]]  # the acts that break it, and what must have come before them
_NOTHING: _Found = ([], ())  # understood, and no call shows it


def rule(key: str, text: str, vocabulary: Vocabulary, named: Named | None = None) -> Rule | None:
    """The rule in a memory's text as acts that break it; None where no tool's act can, or a condition is not understood."""
    parted = [_without_excepted(sentence) for sentence in _sentences(vocabulary.words(text))]
    sentences, spared = [sentence for sentence, _ in parted], tuple(path for _, paths in parted for path in paths)
    if any(_is_excepted(sentence) and not _only_there(sentence) for sentence in sentences):
        return None
    broken: list[Trigger] = []
    plain: list[Trigger] = []  # what is said plainly by sentences that are not understood
    for before, sentence in pairwise([[], *sentences]):
        if len(sentence) <= _FEW_WORDS and SentencePart(before).has("if") and not SentencePart(sentence).things:
            continue  # "If you notice dead code, mention it. Don't delete it."
        known = with_things(_completed(sentence, before), named)
        if told := in_container(known):
            broken += told
            continue
        if literal := [*in_writing(sentence), *(_only_there(sentence) or _only_there(known))]:
            broken += literal
            if not SentencePart(sentence).named("tool"):  # "conventional commits please, use pnpm"
                continue
        for read in (_in_order, _by_parts):
            parsed = read(known)
            if read is _by_parts and not (parsed and parsed[0]):
                plain += plainly(sentence, known)
            if parsed:
                if (parsed[1] or read is _in_order) and not broken:
                    return _made(key, parsed, spared)
                broken += () if parsed[1] else parsed[0]  # an order holds for all acts of a rule
                break
    return _made(key, (broken or plain, ()), spared)


def _without_excepted(sentence: list[RulePart]) -> tuple[list[RulePart], tuple[str, ...]]:
    """A sentence without the files that it excepts, and these: "no `print` outside of tests", "except for legacy/README.md"."""
    at = next((n for n, word in enumerate(sentence) if n and "except" in word.keys), len(sentence))
    end = next((n for n, word in enumerate(sentence) if n > at and word.ends), len(sentence))
    excepted = sentence[at:end]
    things = [word.thing or Thing("path", KINDS_OF_FILES["test"]) for word in excepted if word.thing or "test" in word.keys]
    told = all(word.thing or word.keys <= {*"soft or except within inside_next purpose test".split()} for word in excepted)
    is_plain = told and {one.kind for one in things} == {"path"} and not _only_there(sentence)
    return (sentence[:at] + sentence[end:], with_bare(paths_of(things))) if is_plain else (sentence, ())


def _completed(sentence: list[RulePart], before: list[RulePart]) -> list[RulePart]:
    """A sentence with what it leaves out and the one before it names, and with the names of folders as paths."""
    known = with_folders(sentence) if OF_FILES.intersection(SentencePart(sentence).acts) else sentence
    acts = ("edit", "delete", "commit", "add", "read")
    # Only the first part that says anything: else "it" is what the sentence begins with.
    forbids = next(dropwhile(lambda part: part.is_bare, _split(known)), SentencePart())
    is_told = forbids.has("not") and forbids.has(*acts) and not forbids.things and forbids.is_known
    if is_told and (SentencePart(known).has("it") or len(known) <= _FEW_WORDS):
        named = (word.thing for word in with_folders(before) if word.thing)
        files = (one.text for one in named if one.kind in ("path", "pair") or (one.kind == "code" and _FILE.fullmatch(one.text)))
        known = [*(RulePart(thing=Thing("path", one)) for one in files), *known]
    return known


def _only_there(sentence: list[RulePart]) -> list[Trigger]:
    """Edits of other files than the only ones that may be changed, "only edit files in src/", "touch nothing outside src/"; and
    code written elsewhere than in the only place that it may stand in, "console.log is only allowed in scripts/".
    """
    part = SentencePart(with_folders(sentence))
    at = next((n for n, word in enumerate(part.words) if word.thing), len(part.words))
    is_told = any("only" in one.keys and "edit" in two.keys for one, two in pairwise(part.words))  # "only edit the README"
    is_only = part.has("only") and not part.has("not") and (is_told or part.has("inside_next", "inside_prev", "folder"))
    is_only = is_only or (part.has("not") and (SentencePart(part.words[:at]).has("except") or part.has("outside_prev")))
    is_of_files = FILE_ACTS.issuperset(part.acts) and (bool(part.acts) or part.has("work")) and part.is_known
    paths = with_bare(paths_of([thing._replace(kind="path") for thing in part.things if thing.kind in ("path", "pair")]))
    is_plain = is_of_files and bool(part.things) and len(part.named("path", "pair")) == len(part.things)
    coded = [one for one in part.things if one.kind in ("code", "construct", "identifier")]
    if is_only and coded and paths and len(coded) + 1 == len(part.things) and not part.acts and part.is_known:
        return [one._replace(outside=paths) for thing in coded for one in of_thing(part, thing) if one.text]
    return [Trigger(paths=("*",), does="write", outside=paths)] if is_only and is_plain else []


def _is_excepted(sentence: Sequence[RulePart]) -> bool:
    """Whether what a sentence says has an exception that no call shows, behind it or as all there is."""
    said = False
    if any(word.thing and word.thing.kind == "summary" for word in sentence):  # "no markdown summary after every task"
        return False
    for at, part in enumerate(_split(sentence)):
        said = said or (at == 0 and "except" in part.words[0].keys) or part.has("not", "use", "only")
        behind = dropwhile(lambda word: "except" not in word.keys, part.words)
        narrows = any(word.thing or word.is_unknown for word in takewhile(lambda word: "ask" not in word.keys, behind))
        is_narrow = part.has("not") and part.has("narrow")
        if part.has("defines") or is_narrow or (said and part.has("except") and (narrows or not part.has("ask"))):
            return True
    return False


def _made(key: str, parsed: _Found, spared: tuple[str, ...]) -> Rule | None:
    acts = parsed[0] if all(one.paths or one.text for one in parsed[0]) or not spared else ()
    broken = tuple(dict.fromkeys(one._replace(outside=(*one.outside, *spared)) for one in acts))
    return Rule(key, broken, tuple(dict.fromkeys(parsed[1]))) if broken else None


def _sentences(words: Iterable[RulePart]) -> Iterable[list[RulePart]]:
    """Each sentence without the reasons that it gives; no question, but "never …, ok?" and "can you …?" are none."""
    sentence: list[RulePart] = []
    reason = False
    for word in [*words, RulePart(ends=2)]:
        is_order = bool(sentence) and ("asked_back" in sentence[-1].keys or "request" in sentence[0].keys)
        if word.ends == 2 and sentence and (is_order or word.text not in _QUESTIONS):
            yield sentence
        if word.ends == 2:
            sentence, reason = [], False
            continue
        begins = "because" in word.keys and bool(sentence) and "or" not in sentence[-1].keys
        by_me = "i_do" in word.keys and any("not" in one.keys for one in sentence)  # "never X, I'll do it once I've looked"
        reason = "hence" not in word.keys and (reason or begins or by_me)
        if not reason:
            sentence.append(word)


def _split(words: Sequence[RulePart]) -> list[SentencePart]:
    return [part for part in cut_at(words) if part.words]


def _in_order(words: list[RulePart]) -> _Found | None:  # noqa: PLR0911  # each connector is read in its own way
    """What must come before what."""
    is_lifted = SentencePart(words).has("lifted") or (SentencePart(words).has("skip") and not SentencePart(words).has("not"))
    for at, word in enumerate(words):
        if "before_next" in word.keys:  # "run X before you commit, unless I say so" is about X
            unless = next((n for n, one in enumerate(words) if n > at and "after_next" in one.keys), len(words))
            if words[unless:] and not SentencePart(words[unless:]).has("ask"):
                return _NOTHING  # "…, unless it's only docs": nobody can look at that
            words = words[:unless]
        told = [(kind, side) for kind in _CONNECTORS for side in ("next", "prev") if f"{kind}_{side}" in word.keys]
        for kind, side in told:
            if is_lifted:  # "no need to lint before a commit any more"
                return _NOTHING
            if outright := _outright(words, at):
                return _by_parts(outright)
            near, rest = _sides(words, at, side)
            if word.text == "after" and rest.has("not"):  # "stop pushing after every commit"
                return _by_parts(list(rest.words) if near.acts else [])
            if kind == "after" and rest.has("only") and not (near.acts or near.things or near.has("ask")):
                return _NOTHING  # "we only push after review"
            shows = near.is_known and (set(near.acts) - FILE_ACTS or near.named("code", "tool", "path"))
            if kind == "after" and side == "next" and not SentencePart(words[:at]).says and not rest.has("not", "only"):
                return _NOTHING  # "after a pull run the migrations": what comes behind may come without
            if word.text == "unless" and not near.has("ask") and not shows:
                return _NOTHING  # what nobody can look at
            if "ask" in word.keys:  # "not unless I say so"
                near.words.append(RulePart(frozenset({"ask"})))
            if parsed := _ordered(kind, near, rest):
                return parsed
    return None


def _outright(words: list[RulePart], at: int) -> list[RulePart]:
    """What is forbidden by itself before the order at `at`: "never push to main, and always lint before you commit"."""
    cut = max((n for n, word in enumerate(words[:at]) if word.ends), default=0)
    head, orders = SentencePart(words[:cut]), any("use" in word.keys for word in words[cut + 1 : cut + 3])
    return words[:cut] if orders and head.has("not") and head.done() and head.things else []


def _sides(words: list[RulePart], at: int, side: str) -> tuple[SentencePart, SentencePart]:
    """The part that belongs to the connector at `at`, and all the others."""
    edges = [n for n, word in enumerate(words) if word.ends]
    if side == "next":
        edge = min((n for n in edges if n > at), default=len(words))
        near, rest = words[at + 1 : edge], words[:at] + words[edge:]
    else:
        edge = max((n for n in edges if n < at), default=-1)
        near, rest = words[edge + 1 : at], words[: edge + 1] + words[at + 1 :]
    acts = [n for n, one in enumerate(near) if one.keys & ACTS.keys()]
    if not (SentencePart(rest).says or SentencePart(rest).has("ask")):  # no comma between: "before committing run the tests"
        named = [n for n, one in enumerate(near) if one.thing and one.thing.kind in ("code", "tool")]
        said = sorted({*(n for n in acts if near[n].keys & ACTS.keys() - {"read"}), *named})
        kept = bool(said) and near[said[0]].keys & {"delete", "edit"}  # "before you delete tests"
        more = {n for n in said[1:] if not (kept and near[n].keys & NOUNS)}
        more |= {n for n, one in enumerate(near) if said and n > said[0] and "always" in one.keys}
        cut = next((n for n, one in enumerate(near) if n in more or (n and "ask" in one.keys)), 0)
        near, rest = (near[:cut], near[cut:] + rest) if cut else (near, rest)
    return SentencePart(near), SentencePart(rest)


def _ordered(kind: str, near: SentencePart, rest: SentencePart) -> _Found | None:
    forbids = rest.has("not") and not rest.has("skip")
    checks = {*rest.acts, *(word for code in texts(rest.things, "code") for word in code.split())}
    is_none = forbids or near.has("not") or not _CHECKS & checks or set(near.acts) <= FILE_ACTS
    if (kind == "then" and is_none) or (kind == "without" and not rest.has("not")):
        return None  # "if the build fails then clean it" tells no order
    options = texts(near.things, "option")
    if kind == "without" and options and not near.has("ask"):  # "never pull without --rebase"
        return [one.without(options_in(near)) for one in breaking(rest, by_name=False)], ()
    late, first = (near, rest) if kind in ("before", "then") and not forbids else (rest, near)
    split = [part for part in parts_of(late.words) or () if part.forbids]
    broken = [one for part in split or [late] for one in breaking(part, by_name=False) if not one.text]
    if not broken or (broken[0].paths == ("*",) and not first.has("ask")):  # "never write code without tests"
        return _NOTHING if broken else None
    needed = [] if first.has("ask") and not texts(first.things, "code") else _needed(first)
    if needed or first.has("ask"):  # not "follow the guide for PRs before you open one"
        return _NOTHING if needed and {*needed} <= {*broken} else (broken, needed)
    return _NOTHING if kind == "without" and any("soft" not in word.keys for word in near.words) else None  # "its down file"


def _needed(part: SentencePart) -> list[Trigger]:
    """The acts of which one must have happened."""
    things = part.things
    if lines := [one for code in texts(things, "code") if (one := of_line(code))]:
        return lines
    paths = paths_of(things)
    tools = [tool for tool in texts(things, "tool", "ordinary") if tool not in _PLAIN_WORDS]
    acts = [act for act in part.acts if act not in FILE_ACTS]
    if tools:
        return [Trigger(programs=programs_of(tools[0]))]
    if acts:
        return list(triggers(acts[0]))
    name = paths[0].rpartition("/")[2].lower() if paths else ""
    return [Trigger(words=((name,),))] if name.rpartition(".")[2] in _RUN else []


def _by_parts(words: list[RulePart]) -> _Found | None:
    parts = parts_of(words)
    if parts is None:
        return None
    broken: list[Trigger] = []
    allowed, forbidden = ([part for part in parts if part.forbids is forbids] for forbids in (False, True))
    things = [thing for part in allowed for thing in part.things]
    right, codes = set(texts(things, "tool")), texts(things, "code")
    named = {word for code in codes for word in code.split()[1:]}
    around = {name for code in codes if " " in code for one in commands(code) for name in one.by}  # "use `uv run pytest`"
    around |= {code.split()[0] for code in codes if code.endswith((" run", " exec"))}
    if any(word.text in ("directly", "bare") for word in words):
        wrong = [one for part in forbidden for code in texts(part.things, "code") for one in commands(code)]
        around |= _AROUND - {name for one in wrong for name in one.by}  # "build with the scripts, not by `npx tsc` directly"
    edits = any(part.has("edit") and part.has("use", "with") for part in allowed)  # "use the Edit tool instead of sed"
    for part in forbidden:
        in_full = part.has("whole") and set(part.acts) <= NOUNS  # who runs a part of the tests runs not all of them
        acts = [one.without((IN_PART,)) if in_full else one for one in breaking(part)]
        alike = [one for code in texts(part.things, "code") for one in commands(code) if one.by and {*one.words[:1]} & named]
        for one in [Trigger(programs=one.by) for one in alike] or acts:  # "`bun run x.js`, not `node x.js`"
            is_edit = edits and FILTERS.issuperset(one.programs) and not one.paths
            broken.append(one._replace(paths=("*",), does="write") if is_edit else one)
    options, banned = set(texts(things, "option")), {one for part in forbidden for one in texts(part.things, "option")}
    broken = [way for one in broken for way in ([one] if one.programs else _ways(one, options))]
    broken = [
        _but_for(one, right, around | ((options | _options(codes, one)) - banned if one.programs else set())) for one in broken
    ]
    if broken:
        return broken, ()
    for part in parts:
        is_review = any(word.text.startswith(("review", "sign")) for word in part.words)
        is_asked = part.has("only") or (part.has("demand") and not is_review)
        if part.has("ask") and is_asked and not texts(part.things, "option"):  # "gets an explicit --seed"
            return breaking(part, by_name=False), ()
    used = {tool for part in allowed if part.has("use") for tool in texts(part.things, "tool")}
    return [one for part in allowed for one in _wrong_instead(part, used)], ()


def _ways(one: Trigger, right: Collection[str]) -> list[Trigger]:
    """The acts of which an option is one way and the right one another: "`--force-with-lease`, never `--force`"."""
    said = {word for group in one.words for word in group}
    acts = [way for name in ACTS for way in triggers(name) if right] if said else []
    ways = [way for way in acts if any(said & {*group} and {*right} & {*group} for group in way.words)]
    return [way._replace(words=one.words) for way in ways] or [one]


def _options(codes: Sequence[str], trigger: Trigger) -> set[str]:
    """The options that set command lines apart from their program's act: "`git commit --amend` instead of new commits"."""
    lines = (code.split() for code in codes)
    return {word for first, *rest in lines if first in trigger.programs for word in rest if word.startswith("-")}


def _but_for(trigger: Trigger, right: set[str], around: set[str]) -> Trigger:
    """The act, as long as it is not run by what is said to be right: "use python3, not python", "use `uv run pytest`"."""
    longer = [tool for tool in sorted(right) if tool.startswith(trigger.programs) and not trigger.verbs]
    wrong = tuple(program for program in trigger.programs if program not in longer)
    act = trigger._replace(programs=wrong or trigger.programs)
    return act.without((*sorted(around - {*wrong}), *(longer if wrong else ())))


def _doing(acts: Collection[str]) -> set[str]:
    """The programs and scripts that do one of these acts."""
    return {name for act in acts for one in triggers(act) for name in (*one.programs, *one.runs)}


def _own_word(code: str, acts: Collection[str]) -> str:
    """What sets a command line apart from other ways to do an act: its program, or the argument where others share that."""
    program, *told = [word.rpartition("/")[2].lower() for word in code.split()]
    others = _doing(acts)
    if program in others and (options := [word for word in told if word.startswith("-")]):  # "with `gh pr merge --squash`"
        return options[0]
    named = [word for word in told if word not in others and word.isalpha() and word != "run"]
    return named[0] if program == "cargo" and named else program


def _wrong_instead(part: SentencePart, right: Collection[str] = ()) -> list[Trigger]:
    """What a part that says what is right makes wrong: other tools than the `right` ones, an act without its option."""
    if branches := _to_other_branches(part):
        return branches
    things, acts = part.things, [act for act in part.acts if act not in FILE_ACTS]
    codes, tools = [code for code in texts(things, "code") if " " in code], texts(things, "tool")
    runs_others = any(code.split()[1:] in (["run"], ["exec"]) for code in codes)  # and has no rivals
    if runs_others or not _says_what_is_right(part):
        return []
    if texts(things, "option"):
        base = [one for code in codes if (one := of_line(code))] or narrowed(part, acts, tools, [])
        return [one._replace(lacks=tuple(options_in(part))) for one in base]
    return [] if _is_of_a_feature(part) else _rivals(part, acts, tools, right) or _in_other_ways(part, acts, tools, codes)


def _to_other_branches(part: SentencePart) -> list[Trigger]:
    """Pushes and commits to other branches than the only ones: "only push to develop"."""
    refs, acts = texts(part.things, "ref"), part.acts
    is_plain = part.is_known and not (part.days or part.has("ask", "if", "when", "after_next", "before_next", "with"))
    is_told = refs and part.has("only") and acts in (["push"], ["commit"]) and is_plain
    return [one.without(refs) for one in triggers(acts[0])] if is_told else []


def _says_what_is_right(part: SentencePart) -> bool:
    if part.has("not", "after_next"):
        return False
    words = [word for word in part.words if not word.keys & {"soft", "only", "run"}]
    begins = words[0].keys & (NOUNS | {"commit", "push", "merge", "install"}) if words else ()
    is_way = bool(begins and part.has("with") and words[-1].thing)  # "test with vitest", "commit with -s"
    told = {key for word in part.words for key in word.keys}
    is_fact = "it" in told <= {"it", "soft", "packages", "later"} and part.is_known  # "this repo is pnpm", not "there is npm"
    is_fact = is_fact and bool(part.words[-1].thing) and not any(word.text in _THERE for word in part.words)
    return part.has("use") or is_way or is_fact


def _is_of_a_feature(part: SentencePart) -> bool:
    """Whether only a use of the tool is meant: "use pnpm workspaces", "pip install only inside a venv"."""
    at = next((n for n, word in enumerate(part.words) if word.thing and word.thing.kind == "tool"), len(part.words))
    between = dropwhile(lambda word: "only" not in word.keys, part.words[:at])  # "only dry runs with terraform"
    is_named_alone = at == 0 and not any(word.thing for word in part.words[1:])  # "conda only in this repo"
    rest = part.words[2:] if is_named_alone else part.words[at:-1]
    return any(word.is_unknown for word in (*part.words[at:], *between)) or any("only" in word.keys for word in rest)


def _rivals(part: SentencePart, acts: Sequence[str], tools: Sequence[str], right: Collection[str]) -> list[Trigger]:
    """Other tools of the same kind: "use pnpm"."""
    of_act = _doing(acts[:1])
    rivals = [one for one in rivals_of(tools) if one not in right] if not of_act or of_act.intersection(tools) else []
    if part.has("prefer") and len(tools) == 2 and not part.has("or"):  # "prefer A to B"
        rivals = [tools[1]]
    wrong = (program for other in rivals for program in programs_of(other) if program in rivals or program not in tools)
    return [Trigger(programs=tuple(wrong), lacks=piped(rivals))] if rivals else []


def _in_other_ways(part: SentencePart, acts: Sequence[str], tools: Sequence[str], codes: Sequence[str]) -> list[Trigger]:
    """An act without the program or script by which it is to be done: "run the tests with `make check`"."""
    first = triggers(acts[0])[0].programs if acts else ()
    own = [one for one in (*(_own_word(code, acts) for code in codes), *tools) if first != (one,)]
    files = (path.rpartition("/")[2].lower() for path in texts(part.things, "path") if "/" in path and "*" not in path)
    files_run = [name for name in files if "." not in name or name.rpartition(".")[2] in _RUN]
    own += files_run
    last = max((n for n, word in enumerate(part.words) if word.thing), default=0)
    reaches = any(own) and not any(word.is_unknown for word in part.words[:last])
    # `make fmt` may well run rustfmt
    ways = [one for act in acts[:1] for one in triggers(act) if codes or files_run or not one.runs]
    return [one.without(own) for one in ways] if reaches else []
