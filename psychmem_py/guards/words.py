"""A rule's words in its language: names of things, words with a meaning; and files by what people call them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise

import regex

from psychmem_py.guards.acts import BRANDS, CALLED, CONSTRUCTS, GIT_VERBS, LIBRARIES, ORDINARY, SUBCOMMANDS, TOOLS
from psychmem_py.guards.shell import LEFT
from psychmem_py.home.places import matches_glob
from psychmem_py.model.light_record import NamedTuple
from psychmem_py.text.folding import fold

FIRST_MARK = "\ue000"  # stands for the first thing of a text, the next sign for the second
_MOST = 40
_FRAMEWORKS = frozenset("node.js next.js vue.js nuxt.js express.js three.js d3.js react.js deno.js".split())
# Beside "files"; "lock files" end otherwise.
_FULL_NAMES = frozenset("json yaml toml java html scss swift dart prisma graphql gradle".split())
_ALONE = {"any": "any type", "var": "var keyword", "eval": "eval call", "new": "raw new", "auto": "auto keyword", "goto": "goto", "debugger": "debugger statement", "latest": "latest tag", ".only": "focused test", "only": "focused test"}  # fmt: skip
_PHRASES = frozenset("w/ w/o and/or i/o ci/cd tcp/ip n/a client/server und/oder".split())
FOLDERS = frozenset(  # folders that a path without any sign of one begins with
    "src lib app apps packages pkg cmd internal tests test docs doc config scripts script tools bin db migrations public vendor api server client web"
    " frontend backend core examples benchmarks build dist generated legacy infra deploy assets static include modules services components".split()
)
KINDS_OF_FILES = {  # files that go by what is done with them
    "test": "tests/|test/|spec/|__tests__/|test_*|*_test.*|*.test.*|*.spec.*|*_spec.*|*Test.java|*Test.kt|*Tests.cs|*Tests.swift",
    "migrate": "migrations/|migration/|migrate/|alembic/versions/",
}
_EXTENSIONS = (
    "md mdx mdc py pyi ts tsx js jsx mjs cjs json yaml yml toml lock sql proto prisma graphql css scss html txt csv xml sh rb go rs java kt swift php c h cpp"
    " cs ipynb snap vue svelte tf lua ini cfg conf env po properties gradle svg png pem key crt tsv ps1 bat gen sum mod"
    " plist pbxproj xcconfig storyboard xib entitlements csproj fsproj sln resx xaml razor cshtml dart exs scala clj zig nix jl sol tscn gd prefab"
    " uxml asmdef tfvars tfstate hcl j2 tmpl erb haml hbs twig sass astro mts cts gql avsc thrift xsd rst adoc tex bak orig backup"
).split()
# Said alone: ".log files".
_ENDINGS = (*_EXTENSIONS, *"log tmp zip pdf db sqlite jar map parquet pkl npy bin gz jpg jpeg gif".split())


class Thing(NamedTuple):
    """Something named in a rule."""

    # code, identifier, path, option, tool, ordinary (a tool, or a word), client (a tool of the agent's), host, ref, name
    kind: str
    text: str


class RulePart(NamedTuple):
    """A piece of a rule: what its words mean (`keys`), a thing it names, or a word of no known meaning."""

    keys: frozenset[str] = frozenset()
    thing: Thing | None = None
    text: str = ""
    ends: int = 0  # 1: a mark that ends a part of the sentence, 2: one that ends the sentence

    @property
    def is_unknown(self) -> bool:
        return not (self.keys or self.thing or self.ends) or bool(self.keys & {"separate", "draft"})


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(regex.escape, names), key=len, reverse=True))


def _called(names: str) -> str:
    """An expression for what is called so."""
    return rf"(?i:{names}){_END}(?!\.\w)"


_BRANCH_NAMES = frozenset("main master develop trunk production staging prod release next stable dev gh-pages".split())
_BOUND, _END = r"(?<![A-Za-z\u00c0-\u024f0-9_/.\-])", r"(?![A-Za-z\u00c0-\u024f0-9_/\-])"
_PIECES = regex.compile(
    "|".join((
        rf"{_BOUND}(?P<called>{_called('|'.join(CALLED))})",
        r"(?<!`)`{1,3}(?P<code>[^`\n]{1,120})`{1,3}",
        rf"[\"'“„«「『‘](?P<quoted>(?:[\w.@~*-]*[/*._-][\w./@*~-]*|(?:{_any(TOOLS)}) [^\"'”“»」』’\n]{{1,60}}))[\"'”“»」』’]",
        r"\b(?P<code>(?:DROP|TRUNCATE|DELETE|ALTER|UPDATE|INSERT|FLUSHALL|FLUSHDB)(?: TABLE| DATABASE| COLUMN| INDEX| SCHEMA| VIEW| INTO| FROM)?)\b",
        r"(?P<code>\b(?:curl|wget)\b[^`\n|]{0,60}\|\s*(?:sudo )?(?:ba|z)?sh\b|\bpython3? -m [a-z][\w.]*\w|\bmanage\.py (?:migrate|makemigrations|test|flush|loaddata|shell|runserver))",
        rf"\b(?P<construct>(?i:{_any(CONSTRUCTS)}))(?:e?s)?\b",
        r"(?P<host>\b(?:\d{1,3}\.){3}\d{1,3}\b|(?:https?://)?(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|internal|local|corp|ai|cloud)(?![\w-])(?:/[\w./-]*)?)",
        rf"(?<![\w/\u00c0-\uffff])(?P<option>(?<=checkout )--(?!\S)|(?<=restore )--(?!\S)|--?[A-Za-z][\w-]*(?:=[\w.@-]*\w)?{_END}|(?<=\bgit (?:add|restore|stage|checkout|checkout --) )\.(?![^\s,;)]))",
        rf"(?<!\*){_BOUND}@?(?P<path>~/[\w.\-]+(?![\w/])|(?:~|\.{{1,2}})?/?(?:[\w*.\-@]{{1,80}}/)+(?:[\w@*.\-]{{0,79}}[\w@*\-])?|(?<!\*)\*{{1,8}}\.[\w.*]+|[\w.\-]+\*[\w.*]*|/(?:etc|usr|var|opt|srv|{_any(FOLDERS)})\b)",
        rf"{_BOUND}@?(?P<file>(?:Dockerfile|Makefile)\.\w+|(?!(?:process|import\.meta|Bun)\.env\b)\.?[\w\-]+(?:\.[\w\-]+)*\.(?:{_any(_EXTENSIONS)})|\.(?:env|gitignore|npmrc|editorconfig|github|vscode|husky)(?:[\w.]*\w)?){_END}",
        rf"(?<![\w/])\.(?P<ending>{_any(_ENDINGS)}|[a-z]\w{{0,9}}(?=`? (?:files?|[dD]ateien?|bestand(?:en)?)\b)){_END}",
        rf"\b(?P<ending>(?!CI|AI|API|ENV|UI|OS)[A-Z]{{2,5}}|(?!env){_any(one for one in _EXTENSIONS if len(one) < 4 or one in _FULL_NAMES)})(?= files?\b)",
        r"(?<!\S)(?P<path>\.(?!NET)[A-Za-z][\w\-]{2,40})(?![\w/.(])",
        r"(?P<literal>(?<![\w@/.])@(?:[A-Z]\w+|v\d+)\b|!important\b|@?\bts-(?:ignore|nocheck|expect-error)|\b(?:eslint-disable(?:-[a-z-]+)?|type: ?ignore|noqa|nolint|nosec|pragma: no cover|(?i:co-authored-by|signed-off-by)|[a-z_]\w+=(?:True|False|None|true|false)|[a-z_]\w+(?:\.[A-Za-z_]\w+)+(?:\(\))?|[A-Z][a-z]\w+(?:\.[A-Za-z][a-z]\w+)+(?:\(\))?|[A-Z]{2,4}\.[a-z]{3,}(?:\(\))?|(?!iOS|iPhone|iPad|macOS)[a-z]+[A-Z]\w+(?:: (?:true|false))?|[a-z]+(?:_[a-z0-9]+)+|TODOs?|FIXMEs?)\b)",
        rf"(?<![\w./-])(?P<identifier>(?!(?:{_any(BRANDS)})\b)[A-Z]+[a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?![\w/-]|\.\w)",
        r"(?P<literal>(?<!\w)\.[a-z]\w+\(\))|(?<=\s)(?P<literal>!!)(?=\s)|(?<=\s)(?P<literal>\.(?!NET\b)[A-Z][a-z]\w+)|\b(?P<literal>[a-z_]\w+\(\))|(?<![\w/:.`-])(?P<literal>[a-z][a-z0-9-]+:[a-z][\w-]+)(?![\w:/])",
        r"(?<![\w-])(?P<mcp>mcp__[\w*]+|(?!(?i:the|any|no|an?|our|of|call|use|using|invoke|with|via|all|other|not) )[\w-]{1,40} (?i:mcp)\b|(?i:mcp (?:tools?|servers?)))",
        rf"(?P<ref>{_BOUND}(?<!@)(?:{_any(_BRANCH_NAMES)})(?![A-Za-z0-9_/]|\.\w)(?!-?\s?reason))",
        rf"{_BOUND}(?P<tool>(?i:{_any(TOOLS - ORDINARY)})|python[23](?:\.\d+)?)(?![A-Za-z0-9_/]|\.\w|[- ]hooks?\b)",
        rf"{_BOUND}(?P<library>{_any(LIBRARIES)}|(?i:{_any(one for one in LIBRARIES if len(one) > 5)})){_END}",
        rf"{_BOUND}(?P<ordinary>(?!make (?:sure|it|them|no|any|the|a)\b|go (?:through|thru|via|over|ahead|beyond|back|into|on)\b)(?:{_any(ORDINARY)}|Node|Python)){_END}",
        rf"{_BOUND}(?P<name>(?=[a-z-]*\d)[a-z]+(?:-?[a-z0-9]+)*|integration|smoke|unit|upstream|mainnet|testnet|uat)(?<!e2e){_END}",
    )),
    regex.ASCII,
)  # fmt: skip
_BRANCHES = ("release", "next", "stable", "dev")  # of `ref`: words but beside the word for a branch, and in code marks
_MARKUP = regex.compile(  # of a note: bold, the sign of a list; what is done by itself is done
    r"(?<![\w/`])\*\*(?=[^\s/*.])|(?<=[^\s/*])\*\*(?![\w/.*`])|^[^\S\n]*(?:[-*+•]|\d+[.)])\s+"
    r"|(?<![\w-])(?i:auto)-(?!generat)(?=[A-Za-z])|\b(?i:not just)\b|(?<=\w|\w/)\.{3}",
    regex.ASCII | regex.MULTILINE,
)
_LEFT_TO_OTHERS = regex.compile(  # "leave the CI config to the platform team", "the frontend is Bob's"
    r"(?i:\bleave) (?P<what>(?:[^.;!?\n]|\.(?=\w)){2,80}?) (?:up )?to (?:me|us|(?-i:CI|[A-Z][a-z]+|the [\w ]{2,30} team))\b"
    r"|(?<=^|[.;,] )(?:the [\w ]{2,20}|(?!You|We|They)[A-Z][a-z]+|I) owns? (?P<owned>(?:[^.;,!?\n]|\.(?=\w)){2,60}?)(?=[.,;!]|$)"
    r"|(?<=^|[.;,] )(?P<theirs>(?:the |all )?(?:[^.;,!?\n]|\.(?=\w)){2,60}?) (?:(?:is|are|belongs? to) (?:[A-Z][a-z]+'s(?: (?:code|files|stuff|area|job))?|the [\w ]{2,30} team(?:'s)?)|(?:is|are) (?:changed|edited|managed|maintained|written|owned) by (?:me|(?:the|another) (?:[\w ]{2,30} )?team))(?: only)?(?=[.,;!]|$)",
    regex.MULTILINE,
)
_SLASHED = regex.compile(r"(?<![\w/.`*-])[\w.-]+(?:/[\w.-]+)+(?![\w/`*-])|(?<=`)/(?=`)", regex.ASCII)

_TOLD = regex.compile(rf"(?<![\w/.`-])(?P<program>{_any(TOOLS)}) (?P<acts>[a-z-]+(?:/[a-z-]+)+)(?![\w/`.])", regex.ASCII)


def _listed(match: regex.Match[str]) -> str:
    """Programs or files with slashes between them, one by one: "npm/yarn", "setup.py/setup.cfg"."""
    pieces = match[0].rstrip(".").split("/")
    are_tools = sum(one.lower() in TOOLS | ORDINARY for one in pieces) > len(pieces) / 2
    is_list = are_tools or all((found := _PIECES.fullmatch(one)) and found.lastgroup == "file" for one in pieces)
    return match[0].replace("/", " or ") if match[0] == "/" or is_list else match[0]


def _told(match: regex.Match[str]) -> str:
    """What a program is told with slashes between, one by one: "kubectl apply/patch", "git commit/push"."""
    pieces = match["acts"].split("/")
    lines = [f"`{match['program']} {one}`" for one in pieces]
    return " or ".join(lines) if GIT_VERBS.union(SUBCOMMANDS).issuperset(pieces) else match[0]


def _things(text: str, by_hand: Collection[str], branches: regex.Pattern[str]) -> tuple[str, list[Thing]]:
    """`text` with a mark for each thing in it, and the things in the order of their marks; behind `by_hand` "main" is a hand."""
    parsed: list[Thing] = []

    def mark(match: regex.Match[str]) -> str:
        before, behind = text[max(0, match.start() - 20) : match.start()].lower(), fold(text[match.end() : match.end() + 20])
        thing = None if match[0] == "main" and f" {before}".endswith(tuple(f" {word} " for word in by_hand)) else _thing(match)
        beside = match.lastgroup == "code" or branches.search(fold(before)) or branches.search(behind)
        if thing is None or len(parsed) >= _MOST or (thing.kind == "ref" and thing.text in _BRANCHES and not beside):
            return match[0]
        parsed.append(thing)
        return f" {chr(ord(FIRST_MARK) + len(parsed) - 1)} "

    return _PIECES.sub(mark, text), parsed


def _thing(match: regex.Match[str]) -> Thing | None:  # noqa: PLR0911  # a table of kinds
    kind, text = match.lastgroup or "", match[match.lastgroup or 0]
    if kind == "called":
        means = next(way for one, way in CALLED.items() if regex.match(_called(one), match.string, regex.ASCII, match.start()))
        of, separator, what = means.format(regex.split("[ -]", text)[0]).rpartition(":")
        return Thing(of if separator else "path", what)
    if kind in ("code", "quoted"):
        return _code(regex.sub(r"\s+(?:\.{3}|…)$", "", text.strip()))
    if kind == "host":
        return Thing("host", text.partition("://")[2].partition("/")[0] or text.partition("/")[0])
    if kind == "path":
        return _path(text)
    if kind == "mcp":
        return Thing("mcp", regex.sub("mcp|__|[*]| ?(?i:mcp|tools?|servers?)", " ", text).split("  ")[0].strip())
    if kind == "file":
        return None if text.lower() in _FRAMEWORKS else Thing("path", text)
    if kind == "literal":
        if text in TOOLS:
            return Thing("tool", text)  # pg_dump
        is_library, is_plural = text.lower() in LIBRARIES, text.endswith((".logs", "TODOs", "FIXMEs"))  # "jQuery"
        return Thing("library", text.lower()) if is_library else Thing("code", text.removesuffix("s") if is_plural else text)
    if kind == "identifier" and text.lower() in TOOLS | LIBRARIES:  # MySQL, Lombok
        return Thing("tool" if text.lower() in TOOLS else "library", text.lower())
    lower = text.lower()
    if kind == "ending":
        return Thing("path", f"*.{lower}" + (f"|*.{lower}x" if lower in ("ts", "js") else ""))
    return Thing(kind, text if kind in ("option", "identifier") else lower)


def _path(text: str) -> Thing | None:
    """What is written like a path: one, branches, or a choice of two words."""
    if text.startswith("/") and text.split("/")[1].lower() in FOLDERS:  # told from the top of the work tree
        text = text[1:]
    bare = text.strip(".")
    steps = bare.lower().split("/")
    is_path = any(map(str.isalpha, bare)) and "://" not in text and text.lower() not in _PHRASES
    is_code = "*" not in text and any(map(str.isupper, text.partition(".")[2].partition("/")[0]))  # `view.scrollX/scrollY`
    if not is_path or is_code:
        return None
    if steps[0] == "origin":
        steps = steps[1:]
    if _BRANCH_NAMES.issuperset(steps):
        return Thing("ref", "|".join(steps))
    if all(map(str.isalpha, steps)) and bare == text and FOLDERS.isdisjoint(steps):  # "headed/headless"; "src/api" is a folder
        return Thing("pair", text)
    return Thing("path", text if text.startswith(".") else text.rstrip("."))


def _code(text: str) -> Thing | None:
    """What stands in code marks."""
    if text in _ALONE or text.lower() in CONSTRUCTS:
        return Thing("construct", _ALONE.get(text) or text.lower())
    whole = _PIECES.fullmatch(text)
    if whole and whole.lastgroup in ("path", "file", "ending", "called", "option", "ref", "mcp", "host"):
        return _thing(whole)
    if text.lower() in TOOLS | LIBRARIES:
        return Thing("tool" if text.lower() in TOOLS else "library", text.lower())
    if text.startswith(("/", "~/", "./")) and " " not in text:
        return Thing("path", text)
    return Thing("code", text)


DAYS = "days"
_NOT_MEANINGS = ("boundary", "glued", "by_hand")
_OF_PLACE = {"inside_next", "inside_prev", "outside_prev", "later", "speaker", "may", "purpose"}
_MARKS = "[" + FIRST_MARK + "-\uf8ff]"
_OF_ADVERBS = ("ly", "lich", "mente", "iquement", "ellement")
_SENTENCE_ENDS = ".!?;\n。！？；؟।"
_PART_ENDS = ",:()[]|—–─→、，：،"


def _entries(value: str) -> list[str]:
    return [folded for entry in value.split(",") if (folded := " ".join(fold(entry).split()))]


class Vocabulary:
    """The words of a rule's language, of English, and of all."""

    def __init__(self, tables: Iterable[Mapping[str, str]], stop_words: Collection[str] = ()) -> None:
        self._keys: dict[str, set[str]] = {}
        self._stop = frozenset(stop_words)
        unspaced: set[str] = set()
        glued: list[str] = []  # words that are written as one with the next
        self._by_hand: list[str] = []  # what stands before "main" where it is a hand
        for table in tables:
            glued += _entries(table.get("glued", ""))
            self._by_hand += table.get("by_hand", "").split(", ")
            for key in table.keys() - set(_NOT_MEANINGS):
                for number, entry in enumerate(_entries(table[key])):
                    keys = ("lifted", "not") if key == "lifted" else (f"{DAYS}{number}" if key == DAYS else key,)
                    self._keys.setdefault(entry, set()).update(keys)
                    if table.get("boundary") == "none" and not entry.isascii():
                        unspaced.add(entry)
        in_word, inside, unknown = _IN_WORD, "", r"[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_-]*'?"
        if unspaced:  # Latin words are written as one with those of a script without spaces
            known = "|".join(map(regex.escape, _longest_first(unspaced)))
            in_word, inside = "A-Za-z0-9_", f"|(?P<inside>{known})"
            unknown = rf"[A-Za-z0-9_]+'?|(?:(?!{known})\p{{Hiragana}})+|(?:(?!{known})\p{{Han}}){{2,}}|[\p{{Katakana}}ー]+|."
        spaced = _any_word(_longest_first(self._keys.keys() - unspaced), in_word)
        prefix = f"(?:{_any(glued)})?"
        self._token = regex.compile(
            rf"(?P<mark>{_MARKS})|(?<![{in_word}]){prefix}(?P<word>{spaced}){inside}"
            rf"|(?P<end>[{regex.escape(_SENTENCE_ENDS + _PART_ENDS)}])|(?P<unknown>{unknown})"
        )
        self._known: dict[str, frozenset[str]] = {}
        self._starred: dict[int, list[str]] = {}  # by the number of spaces
        for entry in self._keys:
            if "*" in entry:
                self._starred.setdefault(entry.count(" "), []).append(entry)
        nouns = _longest_first(entry for entry, keys in self._keys.items() if "branches" in keys)
        self._branches = regex.compile(_any_word(nouns, _IN_WORD))

    def words(self, text: str) -> list[RulePart]:
        """What the sentences are made of, in their order; Go's word for all that is below ends none."""
        bare = _MARKUP.sub("", regex.sub(rf"\s*{_MARKS}+\s*", " ", text))  # the icons of a terminal's font are no things of ours
        bare = _LEFT_TO_OTHERS.sub(lambda found: f"never {found['what'] or 'touch ' + (found['theirs'] or found['owned'])}", bare)
        bare = _SLASHED.sub(_listed, _TOLD.sub(_told, bare))
        bare = regex.sub(r"(?<=\.\w{1,12})`?-(?=(?i:datei|bestand)|\s)", " ", bare)
        bare = regex.sub("[-=]>", "→", bare.replace(" - ", " – "))
        marked, things = _things(bare, self._by_hand, self._branches)
        words: list[RulePart] = []
        for match in self._token.finditer(fold(marked)):
            kind, token = match.lastgroup, match[match.lastgroup or 0]
            if kind == "mark":
                words.append(RulePart(thing=things[ord(token) - ord(FIRST_MARK)]))
            elif kind == "end":
                words.append(RulePart(ends=2 if token in _SENTENCE_ENDS else 1, text=token))
            elif kind == "unknown" and token.strip():
                is_soft = token.rstrip("'") in self._stop or (len(token.rstrip("'")) <= 2 and token.isascii())
                is_soft = is_soft or (token.endswith(_OF_ADVERBS) and len(token) > 5)
                is_soft = is_soft or bool(regex.fullmatch(r"\p{Hiragana}+|[\p{Han}\p{Hangul}]", token))  # particles
                words.append(RulePart(keys=frozenset({"soft"}) if is_soft else frozenset(), text=token.rstrip("'")))
            elif kind != "unknown":
                keys = self._meaning(token)
                words.append(RulePart(thing=Thing("option", LEFT)) if "background" in keys else RulePart(keys=keys, text=token))
        for at, (word, behind) in enumerate(pairwise(words)):
            if at and word.text in ("please", "pls") and behind.is_unknown:  # "don't edit it pls it breaks every time"
                words[at] = word._replace(ends=1)
        return words

    def _meaning(self, token: str) -> frozenset[str]:
        if token not in self._known:
            alike = [self._keys[entry] for entry in self._starred.get(token.count(" "), ()) if matches_glob(token, entry)]
            known = frozenset(self._keys.get(token, ())).union(*alike)
            self._known[token] = known | {"soft"} if known <= _OF_PLACE else known
        return self._known[token]


def _any_word(entries: Iterable[str], in_word: str) -> str:
    """The first of these that stands as a word; one test for a word's end for all: it compiles ten times as fast."""
    runs: list[str] = []
    for is_elided, run in groupby(entries, lambda entry: entry.endswith("'")):
        forms = "|".join(regex.escape(entry).replace(r"\*", f"[{in_word}]*") for entry in run)
        runs.append(forms if is_elided else f"(?:{forms})(?![{in_word}])")
    return "|".join(runs)


_IN_WORD = r"\p{L}\p{M}\p{N}_"


def _longest_first(entries: Iterable[str]) -> list[str]:
    return sorted(entries, key=lambda entry: (entry.count(" "), len(entry)), reverse=True)


NAME_PIECES = regex.compile(r"\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+")
_MOST_FILES = 6  # files of one name: more of them nobody means
_LETTERS = 5  # of a name that is one word, which must be the only one


class Names:
    """The names in a work tree."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths: dict[tuple[str, ...], set[str]] = {}
        for path in paths:
            *folders, name = path.split("/")
            for called in {name.partition(".")[0] or name, name}:
                self._enter(called, path)
            for depth, folder in enumerate(folders, 1):
                self._enter(folder, "/".join(folders[:depth]) + "/")

    def _enter(self, name: str, path: str) -> None:
        pieces = tuple(piece.lower() for piece in NAME_PIECES.findall(name))
        for start in range(max(1, len(pieces) - 1)):  # a number or a prefix may stand before what it is called
            self._paths.setdefault(pieces[start:], set()).add(path)

    def called(self, words: Sequence[str]) -> list[str]:
        """The paths, folders with a slash behind them, that go by these words; none where they could mean too many."""
        parsed = sorted(self._paths.get(tuple(words), ()))
        if len(words) == 1 and (len(parsed) > 1 or len(words[0]) < _LETTERS):
            return []
        return parsed if len(parsed) <= _MOST_FILES else []
