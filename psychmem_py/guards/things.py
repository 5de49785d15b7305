"""The things a rule names that are the same in every language: files, folders, globs, options, tools, branches, code."""

from __future__ import annotations

import re
from collections.abc import Collection

import regex

from psychmem_py.guards.acts import ORDINARY, TOOLS
from psychmem_py.model.light_record import NamedTuple

FIRST_MARK = "\ue000"  # stands for the first thing of a text, the next sign for the second
_MOST = 40


class Thing(NamedTuple):
    """Something named in a rule."""

    kind: str  # code, path, option, tool, ref
    text: str


_EXTENSIONS = (
    "md py ts tsx js jsx mjs cjs json yaml yml toml lock sql proto css scss html txt csv xml sh rb go rs java kt swift php c h cpp cs ipynb snap"
    " graphql vue svelte tf lua ini cfg conf env po properties gradle svg png pem key crt"
).split()
_NAMED = "README LICENSE CHANGELOG Makefile Dockerfile CLAUDE AGENTS Gemfile Procfile Justfile CODEOWNERS node_modules".split()
_REFS = "main master develop trunk production staging prod"
_BOUND = r"(?<![A-Za-z0-9_/.\-])"
_END = r"(?![A-Za-z0-9_/\-])"
_TOOL = "|".join(sorted(map(regex.escape, TOOLS - ORDINARY), key=len, reverse=True))
_COMMON = "|".join(sorted(map(regex.escape, ORDINARY), key=len, reverse=True))
_PIECES = regex.compile(
    "|".join((
        r"(?<!`)`{1,3}(?P<code>[^`\n]{1,120})`{1,3}",
        r"[\"'“„«「『‘](?P<quoted>(?:[\w.@~*-]*[/*._-][\w./@*~-]*|(?:git|npm|pnpm|yarn|pip|docker|kubectl|rm|make) [^\"'”“»」』’\n]{1,60}))[\"'”“»」』’]",
        rf"(?<![\w/])(?P<option>--?[A-Za-z][\w-]*(?:=\w+)?){_END}",
        rf"(?<!\*){_BOUND}(?P<path>(?:~|\.{{1,2}})?/?(?:[\w@*.\-]{{1,80}}/)+[\w@*.\-]{{0,80}}|(?<!\*)\*{{1,8}}\.[\w.]+|[\w.\-]+\*[\w.*]*|/(?:etc|usr|var|opt|srv)\b)",
        rf"{_BOUND}(?P<file>\.?[\w\-]+(?:\.[\w\-]+)*\.(?:{'|'.join(_EXTENSIONS)})|\.(?:env|gitignore|npmrc|editorconfig|github|vscode|husky)[\w.]*){_END}",
        rf"(?<![\w/])\.(?P<ending>{'|'.join(_EXTENSIONS)}){_END}",
        rf"{_BOUND}(?P<named>{'|'.join(_NAMED)}){_END}",
        rf"(?P<ref>{_BOUND}(?:release(?=[ -][Bb]ranch)|(?:{'|'.join(_REFS.split())})(?![A-Za-z0-9_/])(?!-?\s?reason)))",
        rf"{_BOUND}(?P<tool>{_TOOL})(?![A-Za-z0-9_/.])",
        rf"{_BOUND}(?P<ordinary>{_COMMON}){_END}",
    )),
    regex.ASCII,
)  # fmt: skip


def things(text: str, by_hand: Collection[str] = ()) -> tuple[str, list[Thing]]:
    """`text` with a mark for each thing in it, and the things in the order of their marks; behind `by_hand` "main" is a hand."""
    all_things: list[Thing] = []

    def mark(match: regex.Match[str]) -> str:
        thing = None if _is_hand(match, by_hand) else _thing(match)
        if thing is None or len(all_things) >= _MOST:
            return match[0]
        all_things.append(thing)
        return f" {chr(ord(FIRST_MARK) + len(all_things) - 1)} "

    return _PIECES.sub(mark, text), all_things


def _is_hand(match: regex.Match[str], by_hand: Collection[str]) -> bool:
    """Whether "main" is French here: "à la main"."""
    before = match.string[: match.start()].lower()
    return match[0] == "main" and any(re.search(rf"\b{re.escape(words)} $", before[-20:]) for words in by_hand)


def _thing(match: regex.Match[str]) -> Thing | None:
    kind, text = match.lastgroup or "", match[match.lastgroup or 0]
    if kind in ("code", "quoted"):
        return _code(text.strip())
    if kind == "path":
        return _path(text)
    if kind == "ref":
        return Thing("ref", text.lower())
    if kind == "named":
        return Thing("path", f"{text}*" if text.isupper() else f"{text}/" if text == "node_modules" else text)
    name = {"file": "path", "ending": "path"}.get(kind, kind)
    return Thing(name, {"option": text.partition("=")[0], "file": text, "ending": f"*.{text}"}.get(kind, text.lower()))


def _path(text: str) -> Thing | None:
    bare = text.strip(".")
    if (
        not any(map(str.isalpha, bare))
        or "://" in text
        or text.lower() in ("and/or", "i/o", "ci/cd", "tcp/ip", "n/a", "client/server", "und/oder")
    ):
        return None
    return Thing("path", text.rstrip(".") if not text.startswith(".") else text)


def _code(text: str) -> Thing | None:
    if not text:
        return None
    first = text.split(maxsplit=1)[0]
    if " " not in text:
        whole = _PIECES.fullmatch(text)
        kind = whole.lastgroup if whole else ""
        if kind in ("path", "file", "ending", "named", "option"):
            return _thing(whole) if whole else None
        if kind == "ref":
            return Thing("ref", text.lower())
        if text.lower() in TOOLS:
            return Thing("tool", text.lower())
        return Thing("path", text) if text.startswith(("/", "~/", "./")) else Thing("code", text)
    return Thing("code", text) if first[:1].isalnum() or first[:1] in "./-" else None
