"""JSON as a text, where adding or removing a value leaves every other byte alone; with comments and trailing commas."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from psychmem_py.errors import RefusedError, refuse_if

_SKIP = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_DECODER = json.JSONDecoder()


class Node(NamedTuple):
    """A value and its place: `text[start:end]`. Children are in order; `keys` are those of an object, else empty."""

    start: int
    end: int
    value: Any
    keys: tuple[str, ...] = ()
    children: tuple[Node, ...] = ()
    starts: tuple[int, ...] = ()  # where each child begins with its key; equal to child.start in an array

    def get(self, key: str) -> Node | None:
        """The member named `key` of an object; the last one if it is there twice, as JSON readers take it."""
        return dict(zip(self.keys, self.children, strict=False)).get(key)


class Insertion(NamedTuple):
    """A piece of text put in at an offset of the text as it was before."""

    offset: int
    text: str

    def into(self, text: str) -> str:
        return text[: self.offset] + self.text + text[self.offset :]


def parse(text: str) -> Node:
    """The whole document. Raises ValueError, with line and column, when it is not JSON or nested without end."""
    try:
        node = _value(text, _skip(text, 0))
    except RecursionError:
        raise json.JSONDecodeError("nested too deep", text, 0) from None
    if _skip(text, node.end) != len(text):
        raise json.JSONDecodeError("more text after the end", text, _skip(text, node.end))
    return node


def added(text: str, path: Path, group: str, key: str, value: object) -> Insertion:
    """What to insert so that `group.key` is or holds `value`. Raises RefusedError where another thing stands there."""
    root = object_in(text, path)
    if (parent := root.get(group)) is None:
        return addition(text, root, group, {key: value})
    then = "correct it, then run `psychmem setup install` again"
    refuse_if(not isinstance(parent.value, dict), f"{path}: `{group}` is not an object; {then}")
    if (there := parent.get(key)) is None or not isinstance(value, list):
        return addition(text, parent, key, value)
    refuse_if(not isinstance(there.value, list), f"{path}: `{group}.{key}` is not a list; {then}")
    return addition(text, there, "", value[0])


def cut(text: str, places: Sequence[tuple[Node, int]]) -> str:
    """The text without the first of these children (inside out) that has siblings, else the last; with its comma."""
    parent, index = next(((parent, index) for parent, index in places if len(parent.children) > 1), places[-1])
    if index:  # from the end of the one before: our comma stays for the next
        return text[: parent.children[index - 1].end] + text[parent.children[index].end :]
    if len(parent.children) > 1:  # the next one takes its place
        return text[: parent.starts[0]] + text[parent.starts[1] :]
    return text[: parent.start + 1] + text[parent.end - 1 :]


def _value(text: str, at: int) -> Node:
    if text[at : at + 1] in ("{", "["):
        return _container(text, at, "}" if text[at] == "{" else "]")
    value, end = _DECODER.raw_decode(text, at)
    return Node(at, end, value)


def _container(text: str, start: int, close: str) -> Node:
    keys, children, starts = list[str](), list[Node](), list[int]()
    at = _skip(text, start + 1)
    while text[at : at + 1] != close:
        starts.append(at)
        if close == "}":
            key, end = _DECODER.raw_decode(text, at)
            if not isinstance(key, str) or text[_skip(text, end) : _skip(text, end) + 1] != ":":
                raise json.JSONDecodeError("a name and a colon are missing", text, at)
            keys.append(key)
            at = _skip(text, _skip(text, end) + 1)
        children.append(_value(text, at))
        at = _skip(text, children[-1].end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != close:
            raise json.JSONDecodeError("a comma or a closing bracket is missing", text, at)
    values = [child.value for child in children]
    value: object = dict(zip(keys, values, strict=True)) if close == "}" else values
    return Node(start, at + 1, value, tuple(keys), tuple(children), tuple(starts))


def _skip(text: str, at: int) -> int:
    return match.end() if (match := _SKIP.match(text, at)) else at


def addition(text: str, parent: Node, key: str, value: object) -> Insertion:
    """The insertion that gives an object one more member, or an array (no key) one more element, in the file's own style."""
    prefix = json.dumps(key, ensure_ascii=False) + ": " if key else ""
    newline = "\r\n" if "\r\n" in text else "\n"
    match = re.search(r"[\[{]\r?\n([ \t]+)\S", text)
    if not (unit := match[1] if match else "") and parent.children:  # a file on one line stays on one line
        return _after_last(text, parent, " " + prefix + json.dumps(value, ensure_ascii=False))
    outer = _margin(text, parent.start)
    inner = _margin(text, parent.starts[-1]) if parent.children else outer + (unit or "  ")
    lines = json.dumps(value, ensure_ascii=False, indent=unit or "  ").split("\n")
    block = newline + inner + prefix + (newline + inner).join(lines)
    if parent.children:
        return _after_last(text, parent, block)
    return Insertion(parent.start + 1, block + ("" if "\n" in text[parent.start + 1 : parent.end - 1] else newline + outer))


def _after_last(text: str, parent: Node, block: str) -> Insertion:
    end = parent.children[-1].end
    return Insertion(comma + 1, block + ",") if text[comma := _skip(text, end)] == "," else Insertion(end, "," + block)


def _margin(text: str, at: int) -> str:
    """The blank at the beginning of the line that holds `at`."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def object_in(text: str, path: Path) -> Node:
    """The JSON object that is the whole of a file's text. Raises RefusedError, naming `path`, for anything else."""
    try:
        root = parse(text)
    except ValueError as exc:
        raise RefusedError(f"{path} is not valid JSON ({exc}); correct it, then run this again") from exc
    refuse_if(not isinstance(root.value, dict), f"{path} does not hold a JSON object; correct it, then run this again")
    return root
