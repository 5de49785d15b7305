"""Markdown files as documents: their sections, by heading or between `<!-- ANCHOR:name -->` marks, and which of them answer a question.

Pure. A document is no memory: it is not told unasked, not stored, and does not fade.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from psychmem_py.recall.ranking import rarity
from psychmem_py.text.tokenizer import content_words

_OPENED = re.compile(r"<!--[ \t]*ANCHOR:[ \t]*([\w.-]{1,80})[ \t]*-->", re.IGNORECASE)
_CLOSED = re.compile(r"<!--[ \t]*/ANCHOR:[ \t]*([\w.-]{1,80})[ \t]*-->", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
# Spec Kit's multipliers; its other kinds of specification documents count as what they are beside: 1.0.
FACTOR = {"constitutional": 2.0, "spec": 1.4, "plan": 1.3, "memory": 1.0, "readme": 0.8, "scratch": 0.6}
_BY_NAME = {
    "spec.md": "spec",
    "plan.md": "plan",
    "tasks.md": "tasks",
    "checklist.md": "checklist",
    "decision-record.md": "decision_record",
    "implementation-summary.md": "implementation_summary",
    "research.md": "research",
    "handover.md": "handover",
}
_BY_FOLDER = ("constitutional", "memory", "scratch")


class Section(NamedTuple):
    """A part of a document that is found and given alone."""

    anchor: str  # "" for one that only a heading marks
    heading: str
    text: str
    words: Counter[str]


class Document(NamedTuple):
    path: str  # below the project's root, with "/"
    kind: str  # "spec", "plan", "readme", …; "document" for any other
    title: str
    sections: tuple[Section, ...]
    faults: tuple[str, ...]  # anchors that are opened and not closed, or opened twice


class DocumentHit(NamedTuple):
    document: Document
    section: Section
    score: float


def parsed(path: str, text: str) -> Document:
    """The document in a Markdown text."""
    plain = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)  # a heading within code is none
    heading = _HEADING.search(plain)
    title = heading.group(1) if heading else posixpath.basename(path)
    anchored, faults, rest = _anchored(text, plain)
    return Document(path, kind_of(path), title, (*anchored, *_headed(rest)), tuple(faults))


def kind_of(path: str) -> str:
    """What sort of document a path names."""
    *folders, name = path.lower().split("/")
    folder = next((one for one in _BY_FOLDER if one in folders), "")
    return folder or ("readme" if name.startswith("readme.") else _BY_NAME.get(name, "document"))


def in_folder(path: str, folder: str) -> bool:
    """Whether a file stands in a folder of exactly this name or path: `003-memory` is not `003-memory-and-spec-kit`."""
    parts, wanted = path.split("/")[:-1], folder.strip("/").split("/")
    return any(parts[at : at + len(wanted)] == wanted for at in range(len(parts)))


def found(
    documents: Sequence[Document], query: str, *, folder: str = "", anchors: Collection[str] = (), limit: int = 10
) -> list[DocumentHit]:
    """The sections that answer a query, best first; of one folder, of these anchors.

    Words weigh by how rare they are among all sections, and more in a heading; a section must hold a third of the query's weight.
    """
    wanted = dict.fromkeys(content_words(query))
    every = [section for one in documents for section in one.sections]
    weights = {word: rarity(len(every), sum(word in section.words for section in every)) for word in wanted}
    whole = sum(weights.values()) or 1.0
    answer = []
    for one in documents:
        if folder and not in_folder(one.path, folder):
            continue
        for section in one.sections:
            if anchors and section.anchor not in anchors:
                continue
            counts = {word: section.words[word] for word in wanted if section.words[word]}
            share = sum(weights[word] for word in counts) / whole
            if share < 1 / 3:
                continue
            fit = sum(weights[word] * number / (number + 0.4) for word, number in counts.items())
            answer.append(DocumentHit(one, section, fit * FACTOR.get(one.kind, 1.0)))
    return sorted(answer, key=lambda hit: (-hit.score, hit.document.path, hit.section.heading))[:limit]


def _anchored(text: str, plain: str) -> tuple[list[Section], list[str], str]:
    """The sections between anchors, what is wrong with them, and the text that stands in none."""
    made: list[Section] = []
    faults: list[str] = []
    rest = list(plain)
    for opened in _OPENED.finditer(text):
        name = opened.group(1)
        closed = next((one for one in _CLOSED.finditer(text, opened.end()) if one.group(1) == name), None)
        if closed is None:
            faults.append(f"anchor {name} is opened and never closed")
            continue
        if any(one.anchor == name for one in made):
            faults.append(f"anchor {name} stands twice; the first one counts")
            continue
        inner = text[opened.end() : closed.start()]
        made.append(_section(name, name, inner))
        rest[opened.start() : closed.end()] = " " * (closed.end() - opened.start())
    return made, faults, "".join(rest)


def _headed(text: str) -> Iterable[Section]:
    """The sections that headings begin, and what stands before the first one."""
    starts = [(match.start(), match.end(), match.group(1)) for match in _HEADING.finditer(text)]
    yield from _told("", text[: starts[0][0] if starts else len(text)])
    for at, (_, end, heading) in enumerate(starts):
        yield from _told(heading, text[end : starts[at + 1][0] if at + 1 < len(starts) else len(text)])


def _told(heading: str, text: str) -> Iterable[Section]:
    if text.strip():
        yield _section("", heading, text)


def _section(anchor: str, heading: str, text: str) -> Section:
    counted = Counter(content_words(text))
    counted.update(content_words(heading) * 2)
    return Section(anchor, heading, text.strip(), counted)
