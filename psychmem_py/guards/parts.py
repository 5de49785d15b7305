"""The parts of a sentence of a rule: which acts and things each speaks of, whether it forbids them, whether its meaning is clear.

A sentence is cut at its marks and where it turns ("but", "instead of", "A, not B"); a part forbids by its own words or as one of
a list, and what it leaves out is in the parts before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile, pairwise, takewhile

from psychmem_py.guards.acts import ACTS, FILTERS, SUBCOMMANDS
from psychmem_py.guards.words import DAYS, RulePart, Thing

FILE_ACTS = frozenset({"edit", "delete", "create", "read", "change"})
OF_FILES = FILE_ACTS | {"commit", "add"}  # what is done to files names them
# Also nouns: beside another act they say of what.
NOUNS = frozenset("test e2e build migrate backup format types lint publish deploy branch tag read serve".split())
# Neither act nor thing.
OTHER = (
    "browser emoji message packages container volume database issue tags answers migrations production staging emulator".split()
)
MADE = frozenset("commit branch tag publish pull_request stash backup worktree".split())  # are created by doing them
_OUTWARD = frozenset("deploy publish tag push_tags merge bump push_image".split())  # of which others see something
_PLAIN = frozenset("amend rebase pull_request skip_checks flash".split())
_SPECIAL = tuple(  # two words, and the act that they are together
    tuple(line.split())
    for line in (
        "force push force_push", "squash merge squash", "amend commit amend", "merge commit merge_commit", "merge pull_request merge",
        "close issue close_issue", "close pull_request close_issue", "comment issue comment_issue", "comment pull_request comment_issue",
        "edit database write_data", "delete database reset_database", "drop database reset_database", "reset database reset_database",
        "seed database seed", "e2e test e2e", "restart serve restart", "restart container stop_container", "delete container stop_container",
        "run container start_container", "delete volume volumes", "push image push_image", "delete packages uninstall", "create issue open_issue", "read issue open_issue", "read pull_request pull_request", "create pull_request pull_request", "push tags push_tags", "read browser browse",
        "squash commit squash", "rebase commit rebase", "push commit push", "create branches branch", "create tags tag", "create packages dependency",
        "introduce packages dependency", "run emulator open_emulator", "read emulator open_emulator", "install packages dependency", "upload packages publish",
    )
)  # fmt: skip


# Are told what to do.
WHO = frozenset("agent agents subagent subagents assistant claude opencode gemini copilot cursor codex".split())


class SentencePart:
    """A part of a sentence, and whether it forbids."""

    def __init__(self, words: Sequence[RulePart] = (), forbids: bool = False) -> None:
        self.words, self.forbids = list(words), forbids
        self.is_turned = False  # it stands behind "instead of"

    def has(self, *keys: str) -> bool:
        return any(key in word.keys for word in self.words for key in keys)

    @property
    def things(self) -> list[Thing]:
        """What is named. Two words joined by a slash are a path where something is done to files, else a choice of two."""
        is_path = self.has("edit", "delete", "add", "commit", "read")
        named = (word.thing for word in self.words if word.thing)
        return [one._replace(kind="path") if one.kind == "pair" else one for one in named if is_path or one.kind != "pair"]

    @property
    def acts(self) -> list[str]:
        keys = list(dict.fromkeys(key for word in self.words for key in sorted(word.keys) if key in ACTS))
        names_path = any(thing.kind == "path" for thing in self.things)
        for mark, general, special in _SPECIAL:
            is_other = general == "database" and names_path
            if all(word in keys if word in ACTS else self.has(word) for word in (mark, general)) and not is_other:
                keys = [special, *(one for one in keys if one not in (mark, general, special))]
        of_hooks = self.has("hooks") and {"commit", "push", "merge"}.issuperset(keys)  # "the commit hooks"
        if self.has("skip") and (of_hooks or any(thing.text == "--no-verify" for thing in self.things)):
            return ["skip_checks"]
        if self.has("fresh") and self.has("packages"):
            keys = ["dependency"]
        if self.has("run") and self.has("migrations"):
            keys = ["migrate"]
        keys = [key for key in keys if key != "reach"]  # "run the seeds against prod"
        if not keys and self.has("fresh") and self.has("files", "migrations"):  # "no new files"
            keys = ["create"]
        spoken = [word.keys for word in self.words if not word.keys & {"soft", "fresh", "not"} or word.keys & {"served", "run"}]
        orders = (("run", "served"), ("served", "run_behind"))  # "don't launch the app", but "the app does not start"
        if any(first in one and last in other for one, other in pairwise(spoken) for first, last in orders):
            keys = ["serve", *keys]
        if MADE.intersection(keys):  # "create a commit"
            keys = [key for key in keys if key != "create"]
        if "delete" in keys and self.has("branches"):
            special = "delete_remote" if self.has("remote") else "delete_branch"
            keys = [special, *(one for one in keys if one not in ("delete", "branch", "push"))]
        return keys

    @property
    def days(self) -> tuple[int, ...]:
        return tuple(sorted({int(key.removeprefix(DAYS)) for word in self.words for key in word.keys if key.startswith(DAYS)}))

    @property
    def says(self) -> bool:
        return bool(self.acts or self.things)

    @property
    def is_known(self) -> bool:
        return not any(word.is_unknown for word in self.words)

    @property
    def ends_with_it(self) -> bool:
        """Whether its object was named before: "don't edit it any more"."""
        said = [word for word in self.words if "later" not in word.keys]
        return bool(said) and "it" in said[-1].keys

    @property
    def is_bare(self) -> bool:
        """Whether it says nothing but that something is to be, or not to be."""
        return not self.says and self.is_known and not self.has(*OTHER)

    def named(self, *kinds: str) -> list[RulePart]:
        return [word for word in self.words if word.thing and word.thing.kind in kinds]

    def done(self) -> list[RulePart]:
        """The words for its acts."""
        return [word for word in self.words if word.keys & ACTS.keys()]

    @property
    def is_of_one_use(self) -> bool:
        """Whether only a use of what it names is meant, of which a call shows nothing: "no `useEffect` for data fetching"."""
        behind = [word for word in self.words if "soft" not in word.keys or "purpose" in word.keys]
        named = ((two, three) for one, two, three in zip(behind, behind[1:], behind[2:], strict=False) if one.thing)
        unseen = [three for two, three in named if "purpose" in two.keys and (three.is_unknown or "database" in three.keys)]
        return any(not word.text.startswith(("debug", "log")) for word in unseen)

    def is_clear(self) -> bool:
        """Whether nothing unknown narrows what the part speaks of: what stands behind act and object is a circumstance."""
        acts = [n for n, word in enumerate(self.words) if word.keys & ACTS.keys()]
        objects = [n for n, word in enumerate(self.words) if word.thing]
        named = dropwhile(lambda word: not word.thing or word.thing.kind == "tool", self.words)
        is_told = any("not" in one.keys and two.is_unknown for one, two in pairwise(named))
        if self._is_of_another() or self.is_of_one_use or (is_told and not acts):  # "`core` never depends on `app`"
            return False
        if self.named("client", "mcp", "service") or (objects and self._is_run(self.words[: objects[0]], self.words[objects[0]])):
            return True
        tool = self.named("tool")
        begin = self._begin(acts, objects)
        served = {n for n, word in enumerate(self.words, -1) if "serve" in word.keys}  # "the admin dev server"
        unknown = [n for n in range(begin, len(self.words)) if self.words[n].is_unknown and not (tool and is_arg(self.words[n]))]
        unknown = [n for n in unknown if n not in served]
        if not objects:
            is_plain = bool(acts) and any(word.keys & _PLAIN for word in self.words[acts[0] :])  # nobody speaks of it otherwise
            return not [n for n in unknown if not is_plain or n < acts[0]]
        if FILE_ACTS.intersection(self.acts):
            unknown = [n for n in unknown if n > objects[0] or self.has("put")]  # "the translations in locales/"
        behind = range(objects[0] + 1, len(self.words))
        return all(n > behind.start for n in unknown) and not any(map(self._is_elsewhere, behind))

    def _is_of_another(self) -> bool:
        """Whether something else than an agent is what does not do it: "the function should never delete files"."""
        at = next((n for n, word in enumerate(self.words) if "not" in word.keys), 0)
        who = [word for word in self.words[:at] if "soft" not in word.keys and "use" not in word.keys]
        is_called = at == 1 and not self.words[0].text.endswith("s")  # "wait don't …"
        is_named = any(word.thing for word in who) or bool(SentencePart(who).acts)
        is_other = bool(who) and not is_called and who[0].is_unknown and who[0].text not in WHO and not is_named
        return is_other and bool(SentencePart(self.words[at:]).acts)

    def _is_run(self, before: Sequence[RulePart], named: RulePart) -> bool:
        """Whether the first thing named is a command line that is not to run, wherever and whatever for."""
        is_used = bool(before) and not before[-1].keys.isdisjoint(("use", "without_next"))  # "get it green without `@Ignore`"
        is_line = bool(named.thing and named.thing.kind == "code" and (" " in named.thing.text or is_used))
        return is_line and not any(word.keys & {"only", *FILE_ACTS} for word in before)

    def _begin(self, acts: Sequence[int], objects: Sequence[int]) -> int:
        """Where the part speaks of its act: behind who must not do it, or at the means: "no search by hand with `grep`"."""
        first = min((*acts, *objects), default=0)
        begin = next((n for n, word in enumerate(self.words[:first]) if "not" in word.keys), 0)
        until = self.words[: objects[0]] if objects else []
        named = max((n for n, word in enumerate(until) if word.keys & {"with", "like"}), default=-1)
        by = self.words[objects[0]].thing if objects else None
        is_means = named > 0 and "with" in until[named].keys and by and by.kind == "tool" and by.text not in FILTERS
        return begin if is_means else max(begin, named)  # "no screenshots with playwright"

    def _is_elsewhere(self, at: int) -> bool:
        """Whether the word at `at` begins a circumstance that no call shows: "on port 80", "for local development"."""
        named = next((word for word in self.words[at + 1 :] if "soft" not in word.keys), None)
        if named is None or "within" not in self.words[at].keys:
            return False
        of_tool = self.words[at].text == "that" and self.named("tool") and not named.thing  # "git commands that rewrite"
        rest = takewhile(lambda word: not word.ends, self.words[at + 1 :])
        is_any = self.named("code", "construct") and any("anything" in word.keys for word in rest)  # "in our TypeScript code"
        return (named.is_unknown and not is_any) or bool(named.keys & NOUNS) or bool(of_tool)


def cut_at(words: Sequence[RulePart], *keys: str) -> list[SentencePart]:
    """The parts between marks, and between words with one of these keys; some may be empty."""
    edges = [-1, *(at for at, word in enumerate(words) if word.ends or word.keys.intersection(keys)), len(words)]
    return [SentencePart(words[start + 1 : end]) for start, end in pairwise(edges)]


def is_arg(word: RulePart) -> bool:
    """Whether a word behind a program is one that it is told: a subcommand, or a number."""
    return word.text in SUBCOMMANDS or word.text.isdigit()


def parts_of(words: Sequence[RulePart]) -> list[SentencePart] | None:
    """The parts of a sentence, each with whether it forbids and what it leaves out; None where a condition is not understood."""
    parts = _cut(words)
    _judge(parts)
    if any(part.forbids for part in parts):  # "git stash is forbidden, make a branch if you must", "if you need a key ask me, …"
        asks = [one for one, other in pairwise(parts) if other.has("ask") and not other.forbids]
        of_all = [part for part in parts if "if" in part.words[0].keys and not part.has("ask") and part not in asks]
        parts = [part for part in parts if part.forbids or part in of_all or not part.has("if")]
    chooses = any(part.named("tool", "code") for part in parts)  # "when you move a file use git mv, not mv"
    if not all(_is_occasion(part) or (chooses and "when" in part.words[0].keys) for part in parts):
        return None
    return [_whole(parts, at) if part.forbids else part for at, part in enumerate(parts)]


def _cut(words: Sequence[RulePart]) -> list[SentencePart]:
    parts = [SentencePart()]
    for at, word in enumerate(words):
        now = parts[-1]
        ordered = {"instead_next", "not"} <= word.keys and bool(SentencePart(words[at + 1 : at + 4]).done())  # "y no toques …"
        turn = set() if ordered else word.keys & {"instead_next"}
        turn = turn or ({"instead_prev"} if "instead_prev" in word.keys and now.says else set())
        names = now.has("mention")  # "mention A, B, or C in a commit"
        ends = turn or ordered or ((word.ends or "but" in word.keys) and not names and not _goes_on(now, words, at))
        if "instead_prev" in turn:
            now.forbids = True
        if ends or _turns(now, words, at):
            parts.append(SentencePart())
        if "instead_next" in turn and now.has("not"):  # "never A instead of B"
            parts[-1].words.append(RulePart(frozenset({"use"})))
        elif "instead_next" in turn:
            parts[-1].forbids = parts[-1].is_turned = True
        elif not (ends or word.ends) or (not turn and word.keys & {"use", "not"}):
            parts[-1].words.append(word)
    return [part for part in parts if part.words]


def _goes_on(now: SentencePart, words: Sequence[RulePart], at: int) -> bool:
    """Whether a mark stands between an act and what is named for it: "never commit: `.env`", "the key files (*.pem)"."""
    if "like" in next((word.keys for word in words[at + 1 :] if word.keys != {"soft"}), ()):
        return True  # "nothing that destroys, for example `git clean`"
    behind = next((word for word in words[at + 1 :] if not word.keys & {"soft", "like", "or"}), words[at])
    return words[at].text in (":", "(") and not now.things and bool(behind.thing)


def _turns(now: SentencePart, words: Sequence[RulePart], at: int) -> bool:
    """Whether another part begins without a mark: "keep A sorted and never edit B", "use A not B", "instead of A use B"."""
    keys, rest = words[at].keys, list(takewhile(lambda word: not word.ends, words[at + 1 :]))
    if "use" in keys and now.forbids and now.things:
        return True
    if "not" not in keys:
        return False
    last = now.words[-1] if now.words else RulePart()
    if "or" in last.keys:
        return True
    if last.keys & {"use", *ACTS}:  # "it must never …", "コミットしないで"
        return False
    kinds = [word.thing.kind.replace("ordinary", "tool") for word in (last, *rest[:1]) if word.thing]
    is_of_refs = kinds == ["ref", "ref"] and (now.acts or now.has("work"))
    return bool(now.things and (now.has("use", "with") or kinds == ["tool", "tool"] or is_of_refs))


def _judge(parts: Sequence[SentencePart]) -> None:
    """Sets for each part whether it forbids."""
    carried = False  # a "not" that had nothing to stand by
    for part in parts:
        part.forbids = part.forbids or _forbids(part)
        if carried and part.says and (part.acts or not part.has("inside_next")):  # "don't, it's all in docs/"
            part.forbids, carried = part.forbids or not part.has("only"), False
        carried = carried or (part.forbids and part.is_bare and not (part.ends_with_it or part.has("import")))
    for one, other, last in zip(parts, parts[1:], [*parts[2:], SentencePart()], strict=False):
        if other.is_turned and other.has("not"):  # "using npm instead of pnpm is forbidden"
            one.forbids, other.forbids, last.forbids = True, False, False
    for at, part in enumerate(parts):
        for one in _listed(parts[at + 1 :]) if part.forbids and not part.ends_with_it else ():
            one.forbids = True


def _forbids(part: SentencePart) -> bool:
    """Whether a part says what not to do. Skipping is forbidden where an option does it: "never skip hooks with --no-verify"."""
    told = list(dropwhile(lambda word: not word.keys & {"not", "ask"}, part.words))
    asks = [word for word in told[1:] if "soft" not in word.keys][:1]  # "never ask whether to push"
    if (part.has("skip") and not (part.named("option") or part.has("hooks"))) or (asks and asks[0].text == "ask"):
        return False
    is_tool = bool(part.named("tool")) and NOUNS.isdisjoint({*part.acts} - _OUTWARD)  # "helm upgrade goes through CI"
    if part.has("elsewhere") and (is_tool or (part.acts and _OUTWARD.issuperset(part.acts))):
        return True  # "tags are pushed by CI"
    written = part.named("code", "construct", "library")  # "get it green without `eslint-disable`"
    return part.has("not") or (part.has("without_next") and bool(part.has("emoji") or written))


def _listed(parts: Sequence[SentencePart]) -> list[SentencePart]:
    """The parts of a list that the part before them begins: "never commit, push, or publish", "never use pip, poetry, conda"."""
    ends = (n for n, one in enumerate(parts, 1) if one.has("or") and one.says and not (one.forbids or one.has("use", "ask")))
    listed = parts[: next(ends, 0)]
    orders = [one for one in listed[-1:] if one.acts and one.things and not one.has("either")]  # "edit b.sql and run make c"
    return [] if orders else [*listed]


def _is_occasion(part: SentencePart) -> bool:
    """Whether a part sets no condition but a visible act ("when you commit"), or that somebody asks."""
    if not any("if" in word.keys for word in part.words[:-1]):  # "you just tell me when"
        return True
    if any(word.text in ("is", "are", "was", "were", "has", "been") for word in part.words):  # "if it is pushed already"
        return False
    if part.has("not") and len(part.acts) == 1:  # "do not squash when you merge"
        return True
    return part.is_clear() and not part.has("skip", "not")


def _whole(parts: Sequence[SentencePart], at: int) -> SentencePart:
    """A part that forbids, with what earlier ones say: the object of "don't edit it", the act of "not to main"."""
    part, earlier = parts[at], parts[:at]
    if not earlier:
        return part
    before = earlier[-1]
    lent: Sequence[RulePart] = ()
    if part.named("option") and not (part.acts or part.named("tool", "code")):  # "`compose down -v` wipes it, don't use -v"
        lent = before.named("tool", "code")[:1]
    elif part.is_bare and at + 1 == len(parts) and not (before.forbids or before.has("use")):
        last = max((n for n, word in enumerate(before.words) if word.thing or word.keys & ACTS.keys()), default=-1)
        lent = before.words[: last + 1]  # "the e2e suite burns credits, don't run it"
    elif not part.things and part.is_known:
        lent = _objects_of(earlier, part)
    elif not (part.acts or before.forbids or part.has("work", "use", "run")) and part.named("path", "ref", "name", "ordinary"):
        lent = before.done() if (before.is_known or part.named("name")) and not part.named("ordinary") else ()
    said = [word._replace(keys=word.keys - {"it"} | {"soft"}) if "it" in word.keys else word for word in part.words]
    if lent and len(said) == 2 and "not" in said[0].keys and is_arg(said[1]):  # "terraform plan is fine but never apply"
        return SentencePart([said[0], *lent, said[1]], forbids=True)
    return SentencePart([*lent, *said], forbids=True) if lent else part


def _objects_of(earlier: Sequence[SentencePart], part: SentencePart) -> list[RulePart]:
    """What a part's act is done to, among all that earlier parts name: "src/gen is generated from api.yaml, don't edit it"."""
    acts = set(part.acts)
    if part.has("it") and part.has("put"):  # "tests go under tests/, don't put them beside the code"
        return []
    kinds = ("library", "name") if part.has("install") else ("path", "ref", "service") if acts else ("code", "tool")
    is_aimed = acts == {"push"} and earlier[-1].has("only", "pull_request")  # "main only by merge requests, don't push directly"
    if acts & OF_FILES or is_aimed or (part.has("it") and (acts or part.has("run"))):
        for one in reversed(earlier):
            begin = next((word.keys for word in one.words if "soft" not in word.keys), frozenset())
            is_told = not one.forbids and acts.intersection(begin)  # "change the .proto, don't edit what comes out"
            if (first := one.named(*kinds)[:1]) and not is_told:
                listed = takewhile(lambda word: word.thing or "or" in word.keys, one.words[one.words.index(first[0]) :])
                return [word for word in listed if word.thing]
    nouns = ACTS.keys() | {"tags", "pull_request", "issue"}
    return [word for word in earlier[-1].words if word.keys & nouns] if part.has("it") and not earlier[-1].forbids else []
