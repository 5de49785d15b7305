"""The report as one HTML file: no network, no frames, nothing but what is in it. Every text of the store is escaped.

The style and the script are in files beside this one; a content security policy lets that script run and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from psychmem_py.curation import pending
from psychmem_py.memory.forgetting import would_confirm
from psychmem_py.model.light_values import LIVE
from psychmem_py.model.records import Memory
from psychmem_py.model.terms import LinkType, Status, Store
from psychmem_py.recall import brief_text
from psychmem_py.report.contents import BY_AGENT, BY_IMPORT, BY_ITSELF, BY_YOU, CURVE_D, SOON_D, Contents, Shown
from psychmem_py.safety.control_chars import line
from psychmem_py.text import moments
from psychmem_py.text.dates import DAY_S

_BESIDE = Path(__file__).parent
_AGES = (("today", 1), ("this week", 7), ("this month", 30), ("this year", 365))
_EACH = 60  # of fading, ties and turned down at most
_SECTIONS = (
    ("inbox", "Needs your approval"),
    ("memories", "Memories"),
    ("told", "What is told"),
    ("fading", "About to fade"),
    ("curves", "Forgetting"),
    ("sessions", "Conversations"),
    ("ties", "Links"),
    ("not", "Not kept"),
)
_SAMPLES = 5  # of what a conversation left


def html(found: Contents, *, acting: bool = False) -> str:
    """The page; with `acting` it has buttons, for the server that answers them."""
    style, script = ((_BESIDE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; connect-src 'self'" if acting else ""
    parts = (
        *(_summary(found, acting=acting), _inbox(found, acting=acting), _table(found, acting=acting), _told(found)),
        *(_fading(found), _classes(found), _timeline(found), _links(found), _turned_down(found)),
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>PsychMem: what is remembered</title><style>{style}</style></head>"
        f'<body data-acting="{"yes" if acting else "no"}"><a class="skip" href="#memories">To the memories</a>'
        f"<main>{''.join(parts)}</main>"
        f'<p id="said" role="status" aria-live="polite"></p><script>{script}</script></body></html>\n'
    )


def _summary(found: Contents, *, acting: bool) -> str:
    live = found.live
    by = Counter(one.by for one in live)
    bar = share_bar({name: by[name] for name in (BY_ITSELF, BY_YOU, BY_AGENT, BY_IMPORT) if by[name]}, "Saved")
    everywhere = sum(one.memory.project is None for one in live)
    tiles = (
        ("remembered", len(live)),
        ("told everywhere", everywhere),
        ("said once", sum(one.memory.store.value == "stm" for one in live)),
        ("about to fade", len(found.fading)),
        ("wait for you", len(found.inbox) + len(found.waiting)),
    )
    boxes = "".join(f"<div><dt>{name}</dt><dd>{number}</dd></div>" for name, number in tiles)
    ways = "".join(f'<a href="#{anchor}">{name}</a>' for anchor, name in _SECTIONS if anchor != "inbox" or _waits(found))
    undo = '<button type="button" id="undo">Undo the last click</button>' if acting else ""
    return (
        f"<header><h1>What is remembered</h1><p>{_day(found.now)} UTC{f', in {_e(found.project)}' if found.project else ''}</p></header>"
        f'<nav aria-label="Parts of this page">{ways}{undo}</nav>'
        f'<dl class="tiles">{boxes}</dl><section aria-labelledby="saved"><h2 id="saved">Saved by itself, saved by you</h2>{bar}</section>'
    )


def _waits(found: Contents) -> bool:
    return bool(found.inbox or found.waiting)


def _inbox(found: Contents, *, acting: bool) -> str:
    """What waits for a person's word: proposed rules and what looks planted, then what was too uncertain to be kept."""
    if not _waits(found):
        return ""
    items = [
        (
            one.memory.id,
            one.memory.text,
            f"{one.memory.kind.value}, {one.where}, {_day(one.memory.created_at)}",
            pending.why_it_waits(one.memory),
            "forget",
        )
        for one in found.inbox
    ]
    items += [
        (
            one.key,
            one.candidate.text,
            f"{one.candidate.kind.value}, {_day(one.at)}",
            "uncertain until it is said again",
            "drop",
        )
        for one in found.waiting
    ]
    rows = ""
    for key, text, kind, why, away in items[:_EACH]:
        buttons = ""
        if acting:
            named = (("keep", "Keep"), (away, away.capitalize()))
            buttons = "".join(
                f'<button type="button" data-deed="{deed}" aria-label="{name}: {_e(text[:60])}">{name}</button>'
                for deed, name in named
            )
        doubt = f' <span class="mark">{_e(why)}</span>' if why else ""
        rows += f'<li data-id="{_e(key)}"><span class="text">{_e(text)}</span>{doubt} <span class="dim">{_e(kind)}</span><span class="deeds">{buttons}</span></li>'
    more = (
        f'<li class="dim">and {len(items) - _EACH} more: <code>psychmem review --waiting</code></li>'
        if len(items) > _EACH
        else ""
    )
    how = "" if acting else "<p><code>psychmem review</code> asks about each, one key an answer.</p>"
    return (
        f'<section aria-labelledby="inbox"><h2 id="inbox">Needs your approval ({len(items)})</h2>{how}'
        f'<ul class="plain inbox">{rows}{more}</ul></section>'
    )


def _told(found: Contents) -> str:
    text = found.brief.text
    if not text:
        body = "<p>Nothing: there is nothing that a session here would be told.</p>"
    else:
        known = {one.memory.id: one.memory for one in found.memories}
        why = "".join(
            f"<tr><td>{_e(known[key].text)}</td><td>{_e(found.reasons.get(key, ''))}</td></tr>"
            for key in found.brief.shown
            if key in known
        )
        body = (
            f"<p>{len(text)} characters, about {brief_text.tokens(text)} tokens, word for word:</p>"
            f'<pre tabindex="0" aria-label="The brief, word for word">{escape(text)}</pre>'
            f"<details><summary>Why each line</summary><table><thead><tr><th>line</th><th>why</th></tr></thead><tbody>{why}</tbody></table></details>"
        )
    where = f" in {_e(found.project)}" if found.project else ""
    return f'<section aria-labelledby="told"><h2 id="told">What the next session{where} is told</h2>{body}</section>'


def _table(found: Contents, *, acting: bool) -> str:
    ages = [name for name, _ in _AGES] + ["older"]
    choices = (
        ("where", "told in", sorted({one.where for one in found.memories}, key=lambda name: (name != "everywhere", name))),
        ("kind", "class", sorted({one.memory.kind.value for one in found.memories})),
        (
            "by",
            "saved",
            [name for name in (BY_ITSELF, BY_YOU, BY_AGENT, BY_IMPORT) if any(one.by == name for one in found.memories)],
        ),
        ("age", "age", ages),
        ("store", "store", ["ltm", "stm"]),
        ("status", "status", sorted({one.memory.status.value for one in found.memories})),
    )
    filters = "".join(_select(name, label, values) for name, label, values in choices)
    rows = "".join(_row(one, found, acting=acting) for one in found.memories)
    heads = "".join(
        f'<th scope="col"><button type="button" class="sort" data-column="{number}">{name}</button></th>'
        for number, name in enumerate(("memory", "class", "told in", "saved", "age", "left"))
    )
    return (
        f'<section aria-labelledby="memories"><h2 id="memories">Memories</h2>'
        f'<form id="filters" role="search"{" data-asks" if acting else ""}><label>Search <input type="search" id="words" autocomplete="off"></label>{filters}</form>'
        f'<p id="count" role="status" aria-live="polite">{len(found.memories)} memories</p>'
        f'<table id="table" class="cards"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table><div id="earlier" aria-label="Earlier conversations"></div></section>'
    )


def _select(name: str, label: str, values: Iterable[str]) -> str:
    options = "".join(f'<option value="{_e(value)}">{_e(value)}</option>' for value in values)
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _row(one: Shown, found: Contents, *, acting: bool) -> str:
    memory = one.memory
    days = (found.now - memory.created_at) / DAY_S
    age = next((name for name, most in _AGES if days < most), "older")
    marks = [*(["pinned"] if memory.pinned else []), *(["said once"] if memory.store.value == "stm" else [])]
    marks += [memory.status.value] if memory.status.value != "active" else []
    marked = "".join(f' <span class="mark">{mark}</span>' for mark in marks)
    live = memory.status in LIVE
    return (
        f'<tr data-id="{_e(memory.id)}" data-where="{_e(one.where)}" data-kind="{memory.kind.value}" data-by="{one.by}" data-age="{age}"'
        f' data-store="{memory.store.value}" data-status="{memory.status.value}">'
        f'<td><details><summary><span class="text">{_e(memory.text)}</span>{marked}</summary>{_more(one, found, acting=acting)}</details></td>'
        f'<td data-label="class">{memory.kind.value}</td><td data-label="told in">{_e(one.where)}</td>'
        f'<td data-label="saved">{one.by}</td><td data-label="age" data-sort="{days:.3f}">{_ago(days)}</td>'
        f'<td data-label="left" data-sort="{one.curve[0] if live else -1:.4f}">{left_bar(one.curve[0]) if live else "–"}</td></tr>'
    )


def _more(one: Shown, found: Contents, *, acting: bool) -> str:
    memory = one.memory
    label = f"{one.curve[0]:.0%} left now, {one.curve[CURVE_D.index(180)]:.0%} in half a year, {one.curve[-1]:.0%} in a year"
    facts = [
        f"<code>{_e(memory.id[:8])}</code> said {_day(memory.created_at)} UTC, {memory.origin.value.replace('_', ' ')}",
        *([f"in its words: “{_e(memory.context)}”"] if memory.context else []),
        *([_e(would_confirm(memory))] if memory.store.value == "stm" else []),
        f"{curve(one.curve, label)} {label}",
    ]
    if acting:
        waits = memory.status is Status.QUARANTINED or memory.store is Store.STM
        buttons = [("keep", "Keep")] if waits else []
        buttons += [("forget", "Forget"), ("edit", "Edit"), ("pin", "Unpin" if memory.pinned else "Pin")]
        wanted = "".join(
            f'<button type="button" data-deed="{"unpin" if deed == "pin" and memory.pinned else deed}"'
            f' aria-label="{name}: {_e(memory.text[:60])}">{name}</button>'
            for deed, name in buttons
        )
        facts.append(f'<span class="deeds">{wanted}</span>')
    else:
        short = _e(memory.id[:8])
        facts.append(f"<code>psychmem edit {short}</code> <code>psychmem forget {short}</code>")
    return "".join(f"<p>{fact}</p>" for fact in facts)


def _fading(found: Contents) -> str:
    items = "".join(
        f'<li><b>{one.fades_d} days</b> {_e(one.memory.text)} <span class="dim">{one.memory.kind.value}, {_e(one.where)}</span></li>'
        for one in found.fading[:_EACH]
    )
    body = f'<ol class="plain">{items}</ol>' if items else "<p>Nothing fades from the briefs within the next weeks.</p>"
    return f'<section aria-labelledby="fading"><h2 id="fading">About to fade, within {SOON_D} days</h2>{body}</section>'


def _classes(found: Contents) -> str:
    """A curve for each class: what is left of its memories on average, over the coming year."""
    sorted_in: dict[str, list[Shown]] = {}
    for one in found.live:
        sorted_in.setdefault(one.memory.kind.value, []).append(one)
    figures = ""
    for kind, some in sorted(sorted_in.items(), key=lambda pair: -len(pair[1])):
        mean = [sum(one.curve[at] for one in some) / len(some) for at in range(len(CURVE_D))]
        label = f"{kind}, {len(some)}: {mean[0]:.0%} left now, {mean[-1]:.0%} in a year"
        figures += f"<figure>{curve(mean, label, wide=180, high=60)}<figcaption>{label}</figcaption></figure>"
    body = f'<div class="figures">{figures}</div>' if figures else "<p>Nothing is remembered yet.</p>"
    return f'<section aria-labelledby="curves"><h2 id="curves">How each class fades over a year</h2>{body}</section>'


def _timeline(found: Contents) -> str:
    left: dict[str, list[Memory]] = {}
    for one in found.memories:
        left.setdefault(one.memory.session, []).append(one.memory)
    items = ""
    for talk in found.conversations:
        kept = left.get(talk.id, [])
        texts = "".join(f"<li>{_e(memory.text)}</li>" for memory in kept[:_SAMPLES])
        more = f'<li class="dim">and {len(kept) - _SAMPLES} more</li>' if len(kept) > _SAMPLES else ""
        where = found.names.get(talk.project or "", "no project")
        items += (
            f'<li><b>{_day(talk.seen_at)}</b> {_e(where)} <span class="dim">{_e(talk.agent)}, {len(kept)} kept, {talk.shown} told</span>'
            f"<ul>{texts}{more}</ul></li>"
        )
    body = f'<ol class="plain">{items}</ol>' if items else "<p>No conversation was read yet.</p>"
    return f'<section aria-labelledby="sessions"><h2 id="sessions">Conversations</h2>{body}</section>'


def _links(found: Contents) -> str:
    known = {one.memory.id: one.memory for one in found.memories}
    items = ""
    for link in sorted(found.links, key=lambda link: link.type is not LinkType.CONTRADICTS)[:_EACH]:
        if link.source in known and link.target in known:
            bad = ' class="against"' if link.type is LinkType.CONTRADICTS else ""
            items += (
                f"<li{bad}><span>{_e(known[link.source].text)}</span><b>{link.type.value.replace('_', ' ')}</b>"
                f"<span>{_e(known[link.target].text)}</span></li>"
            )
    body = f'<ul class="ties">{items}</ul>' if items else "<p>No two memories are linked.</p>"
    return f'<section aria-labelledby="ties"><h2 id="ties">Links and contradictions</h2>{body}</section>'


def _turned_down(found: Contents) -> str:
    waiting = [(one, "waits for a second mention", one.reason) for one in found.waiting]
    turned = [(one, one.gate or "", one.reason) for one in found.turned_down]
    rows = "".join(
        f"<tr><td>{_e(one.candidate.text)}</td><td data-label='why'>{_e(gate)}{f': {_e(reason)}' if reason else ''}</td>"
        f"<td data-label='when'>{_day(one.at)}</td></tr>"
        for one, gate, reason in (*waiting, *turned)[: 4 * _EACH]
    )
    table = f'<table class="cards"><thead><tr><th>sentence</th><th>why not</th><th>when</th></tr></thead><tbody>{rows}</tbody></table>'
    return f'<section aria-labelledby="not"><h2 id="not">Not kept, and why</h2>{table if rows else "<p>Nothing was turned down in the last days.</p>"}</section>'


def _e(text: str) -> str:
    """Stored text for HTML: on one line, without control characters, nothing in it markup."""
    return escape(line(text))


def _day(at: float) -> str:
    return moments.iso(float(int(at)))[:16].replace("T", " ")


def _ago(days: float) -> str:
    return next(
        (f"{int(days // size)} {unit}" for size, unit in ((365, "y"), (30, "mon"), (7, "w"), (1, "d")) if days >= size), "today"
    )


def curve(values: Sequence[float], label: str, *, wide: int = 120, high: int = 36) -> str:
    """A line of shares in [0, 1], from left to right, over a base line."""
    step = wide / max(1, len(values) - 1)
    points = " ".join(f"{number * step:.1f},{1 + (1 - value) * (high - 2):.1f}" for number, value in enumerate(values))
    return (
        f'<svg class="curve" role="img" aria-label="{escape(label)}" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<title>{escape(label)}</title>"
        f'<line x1="0" x2="{wide}" y1="{high - 1}" y2="{high - 1}" class="base"/>'
        f'<polyline points="{points}" class="line"/></svg>'
    )


def share_bar(parts: Mapping[str, int], label: str) -> str:
    """One bar, cut by how many there are of each, with a legend in words."""
    total = sum(parts.values())
    if not total:
        return ""
    pieces, at = [], 0.0
    for index, number in enumerate(parts.values()):
        width = 600 * number / total
        if number:
            pieces.append(f'<rect class="part{index}" x="{at:.1f}" y="0" width="{max(0.0, width - 2):.1f}" height="18" rx="3"/>')
        at += width
    told = ", ".join(f"{number} {name}" for name, number in parts.items())
    legend = "".join(
        f'<li><span class="dot part{index}"></span>{escape(name)} <b>{number}</b></li>'
        for index, (name, number) in enumerate(parts.items())
    )
    return (
        f'<svg role="img" aria-label="{escape(label)}: {escape(told)}" viewBox="0 0 600 18" width="100%" height="18"'
        f' preserveAspectRatio="none"><title>{escape(told)}</title>{"".join(pieces)}</svg><ul class="legend">{legend}</ul>'
    )


def left_bar(share: float) -> str:
    """How much of a memory is left, as a bar with its number."""
    return (
        f'<span class="left"><svg aria-hidden="true" viewBox="0 0 40 6" width="40" height="6"><rect class="rest" width="40" height="6" rx="3"/>'
        f'<rect class="full" width="{40 * share:.1f}" height="6" rx="3"/></svg> {share:.0%}</span>'
    )
