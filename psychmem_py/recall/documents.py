"""Markdown files as documents: their sections, by heading or `<!-- ANCHOR:name -->` marks, and which answer a question. Pure."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.model.records import Tier
from psychmem_py.recall.ranking import rarity
from psychmem_py.text.front_matter import front, parted
from psychmem_py.text.tokenizer import content_words, stem

_OPENED = re.compile(r"<!--[ \t]*ANCHOR:[ \t]*([\w.-]{1,80})[ \t]*-->", re.IGNORECASE)
_CLOSED = re.compile(r"<!--[ \t]*/ANCHOR:[ \t]*([\w.-]{1,80})[ \t]*-->", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
# Spec Kit's multipliers: of a kind of document (others 1.0), of a tier, of a question. Its own tier counts up to "critical".
_KIND_FACTOR = {"constitutional": 2.0, "spec": 1.4, "plan": 1.3, "memory": 1.0, "readme": 0.8, "scratch": 0.6}
_TIER_FACTOR = {Tier.CONSTITUTIONAL: 2.0, Tier.CRITICAL: 2.0, Tier.IMPORTANT: 1.5, Tier.TEMPORARY: 0.5, Tier.DEPRECATED: 0.0}
_BEGINNING, _FORM = 4, 0.75  # letters of a word that a longer one may begin with; share of a word that another form of it shares
_INTENT_KINDS = {
    "add_feature": ("spec", "plan", "tasks"),
    "fix_bug": ("memory", "implementation_summary", "handover"),
    "refactor": ("plan", "decision_record", "implementation_summary"),
    "security_audit": ("constitutional", "checklist", "decision_record"),
    "understand": ("readme", "research", "spec"),
    "find_spec": ("spec", "plan", "decision_record"),
    "find_decision": ("decision_record", "plan"),
}
_OF_A_SPEC = "spec plan tasks checklist decision-record implementation-summary research handover".split()
OF_A_SPEC = {name: name.replace("-", "_") for name in _OF_A_SPEC}  # kinds of document, by the name of a file


class Section(NamedTuple):
    """A part of a document that is found and given alone."""

    anchor: str  # "" for one that only a heading marks
    heading: str
    text: str
    words: Mapping[str, float]  # how often each stands there


class Document(NamedTuple):
    path: str  # below the project's root, with "/"
    kind: str  # "spec", "plan", "readme", …; "document" for any other
    title: str
    sections: tuple[Section, ...]
    faults: tuple[str, ...]  # anchors that are opened and not closed, or opened twice
    tier: Tier = Tier.NORMAL
    triggers: tuple[str, ...] = ()
    at: float = 0.0  # when the file was written

    @property
    def folder(self) -> str:
        """The spec folder of a memory file; "" for another document."""
        folders = self.path.split("/")[:-1]
        specs = folders.index("specs") if "specs" in folders else len(folders)
        inner = folders[specs + 1 : folders.index("memory", specs)] if "memory" in folders[specs:] else []
        return inner[-1] if inner else ""


class DocumentHit(NamedTuple):
    document: Document
    section: Section
    score: float


def parsed(path: str, text: str, at: float = 0.0) -> Document:
    head, text = parted(text)
    named, own_tier, triggers = front(head)
    plain = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)  # a heading within code is none
    heading = _HEADING.search(plain)
    title = named or (heading.group(1) if heading else posixpath.basename(path))
    anchored, faults, rest = _anchored(text, plain)
    kind = kind_of(path)
    tier = Tier(own_tier) if own_tier in set(Tier) else Tier.CONSTITUTIONAL if kind == "constitutional" else Tier.NORMAL
    return Document(path, kind, title, (*anchored, *_headed(rest)), tuple(faults), tier, triggers, at)


def kind_of(path: str) -> str:
    *folders, name = path.lower().split("/")
    folder = next((one for one in ("constitutional", "memory", "scratch") if one in folders), "")
    named = OF_A_SPEC.get(name.removesuffix(".md"), "document") if name.endswith(".md") else "document"
    return folder or ("readme" if name.startswith("readme.") else named)


def in_folder(path: str, folder: str) -> bool:
    """Whether a file stands in a folder of exactly this name or path: `003-memory` is not `003-memory-and-spec-kit`."""
    parts, wanted = path.split("/")[:-1], folder.removeprefix("skill:").strip("/").split("/")
    return any(parts[at : at + len(wanted)] == wanted for at in range(len(parts)))


def meets(document: Document, concepts: Sequence[str]) -> bool:
    """Whether all words of every concept stand somewhere in a document."""
    there = {stem(word) for one in document.sections for word in one.words}
    return all(there.issuperset(map(stem, content_words(one))) for one in concepts)


def found(
    documents: Sequence[Document],
    query: str,
    *,
    folder: str = "",
    anchors: Collection[str] = (),
    intent: str = "",
    tier: str = "",
    limit: int = 10,
) -> list[DocumentHit]:
    """The sections that answer a query, best first; of one folder, of one tier, of these anchors; of a document whose whole text
    holds a third of the query's weight. Where none does, a folder is asked for any of the words, and anchors for themselves.
    """
    wanted = list(dict.fromkeys(content_words(query)))
    told = [(one, [_mentions(section, wanted) for section in one.sections]) for one in documents]
    every = [mentions for _, sections in told for mentions in sections]
    # What stands nowhere says no more than what stands once: "OAuth implementation" finds what speaks of OAuth.
    weights = {word: rarity(len(every), max(1, sum(word in mentions for mentions in every))) for word in wanted}
    there = [one for one in told if (not folder or in_folder(one[0].path, folder)) and tier in ("", one[0].tier)]
    loose = (0.0,) if anchors else (min(weights.values(), default=1.0),) if folder else ()
    for least in (sum(weights.values()) / 3 or 1.0, *loose):
        hits = [hit for one, sections in there for hit in _hits(one, sections, weights, least, anchors)]
        hits = [hit._replace(score=hit.score * _factor(hit.document, intent, tier)) for hit in hits]
        if hits := [hit for hit in hits if hit.score]:
            return sorted(hits, key=lambda hit: (-hit.score, -hit.document.at, hit.document.path))[:limit]
    return []


def _mentions(section: Section, wanted: Sequence[str]) -> dict[str, float]:
    """How often a section says each wanted word; one that begins so, or is another form of it, counts half."""
    mentions = {word: section.words[word] for word in wanted if word in section.words}
    heads = {word[:_BEGINNING] for word in wanted}
    for own in (own for own in section.words if own[:_BEGINNING] in heads):
        for word in wanted:
            same = len(posixpath.commonprefix((word, own)))
            if word != own and same >= max(_BEGINNING, min(len(word), _FORM * len(own))):
                mentions[word] = mentions.get(word, 0) + 0.5
    return mentions


def _hits(
    document: Document, told: Sequence[Mapping[str, float]], weights: Mapping[str, float], least: float, anchors: Collection[str]
) -> list[DocumentHit]:
    """The sections of a document whose whole text holds so much of the words' weights, each with its score."""
    if not told or sum(weights[word] for word in set().union(*told)) < least:
        return []
    held = [sum(weights[word] for word in mentions) for mentions in told]
    fits = [sum(weights[word] * n / (n + 0.4) for word, n in mentions.items()) for mentions in told]
    if anchors:
        return [DocumentHit(document, one, max(fits) or 1.0) for one in document.sections if one.anchor in anchors]
    found = zip(document.sections, held, fits, strict=True)
    return [DocumentHit(document, one, fit) for one, share, fit in found if share >= min(least, max(held))]


def _factor(document: Document, intent: str, tier: str) -> float:
    """What the kind and the tier of a document count, for a question of this intent; nothing where a tier is asked for."""
    if tier:
        return 1.0
    factor = _KIND_FACTOR.get(document.kind, 1.0) * (1.5 if document.kind in _INTENT_KINDS.get(intent, ()) else 1.0)
    return factor * (_TIER_FACTOR.get(document.tier, 1.0) if document.kind != "constitutional" else 1.0)


def _anchored(text: str, plain: str) -> tuple[list[Section], list[str], str]:
    """The sections between anchors, what is wrong with them, and the text that stands in none."""
    made, faults, rest = list[Section](), list[str](), list(plain)
    for opened in _OPENED.finditer(text):
        name = opened.group(1)
        if (closed := next((one for one in _CLOSED.finditer(text, opened.end()) if one.group(1) == name), None)) is None:
            faults.append(f"anchor {name} is opened and never closed")
            continue
        if any(one.anchor == name for one in made):
            faults.append(f"anchor {name} stands twice; the first one counts")
            continue
        made.append(_section(name, name, text[opened.end() : closed.start()]))
        rest[opened.start() : closed.end()] = " " * (closed.end() - opened.start())
    return made, faults, "".join(rest)


def _headed(text: str) -> Iterator[Section]:
    headings = list(_HEADING.finditer(text))
    starts = [0, *(one.end() for one in headings)]
    ends = [*(one.start() for one in headings), len(text)]
    for heading, start, end in zip(["", *(one.group(1) for one in headings)], starts, ends, strict=True):
        if text[start:end].strip():
            yield _section("", heading, text[start:end])


def _section(anchor: str, heading: str, text: str) -> Section:
    counted = Counter(content_words(text))
    counted.update(content_words(heading) * 2)
    return Section(anchor, heading, text.strip(), counted)
