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
    ("memories", "Memories"),
    ("inbox", "Pending"),
    ("told", "What is shown"),
    ("fading", "About to fade"),
    ("weeks", "Weeks"),
    ("sessions", "Conversations"),
    ("ties", "Links"),
    ("not", "Not kept"),
)
_WEEKS = 12
_SAMPLES = 5  # of what a conversation left


def html(found: Contents, *, acting: bool = False) -> str:
    """The page; with `acting` it has buttons, for the server that answers them."""
    style, script = ((_BESIDE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; connect-src 'self'" if acting else ""
    parts = (
        *(_summary(found, acting=acting), _table(found, acting=acting), _inbox(found, acting=acting), _told(found)),
        *(_fading(found), _weeks(found), _timeline(found), _links(found), _turned_down(found)),
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
        ("in every project", everywhere),
        ("said once", sum(one.memory.store.value == "stm" for one in live)),
        ("about to fade", len(found.fading)),
        ("pending", len(found.pending)),
    )
    boxes = "".join(f"<div><dt>{name}</dt><dd>{number}</dd></div>" for name, number in tiles)
    ways = "".join(f'<a href="#{anchor}">{name}</a>' for anchor, name in _SECTIONS if anchor != "inbox" or found.pending)
    undo = '<button type="button" id="undo">Undo the last click</button>' if acting else ""
    return (
        f"<header><h1>What is remembered</h1><p>{_day(found.now)} UTC{f', in {_e(found.project)}' if found.project else ''}</p></header>"
        f'<nav aria-label="Parts of this page">{ways}{undo}</nav>'
        f'<dl class="tiles">{boxes}</dl><section aria-labelledby="saved"><h2 id="saved">Saved by itself, saved by you</h2>{bar}</section>'
    )


def _inbox(found: Contents, *, acting: bool) -> str:
    """What a person is asked about: suggestions that need approval, and what they said and the rules are not sure of."""
    if not found.pending:
        return ""
    rows = ""
    for one in found.pending:
        kind = one.memory.kind if one.memory else one.candidate.candidate.kind if one.candidate else None
        why = pending.why_it_waits(one.memory) if one.memory else "you said it; uncertain whether it should last"
        why = f"contradicts “{one.against[0].text}”, which keeping this puts away" if one.is_pair else why
        where = found.names.get(one.project or "", "everywhere")
        buttons = ""
        if acting:
            buttons = "".join(
                f'<button type="button" data-deed="{deed}" aria-label="{deed.capitalize()}: {_e(one.text[:60])}">{deed.capitalize()}</button>'
                for deed in ("keep", "forget" if one.memory else "drop")
            )
        around = f'<span class="dim">“{_e(one.words_around)}”</span> ' if one.words_around else ""
        rows += (
            f'<li data-id="{_e(one.id)}"><span class="text">{_e(one.text)}</span> <span class="mark">{_e(why)}</span> {around}'
            f'<span class="dim">{kind.value if kind else ""}, {_e(where)}, {_day(one.said_at)}</span><span class="deeds">{buttons}</span></li>'
        )
    how = "" if acting else "<p><code>psychmem review</code> asks about each, one key an answer.</p>"
    return (
        f'<section aria-labelledby="inbox"><h2 id="inbox">Pending ({len(found.pending)})</h2>{how}'
        f'<ul class="plain inbox">{rows}</ul></section>'
    )


def _told(found: Contents) -> str:
    text = found.brief.text
    if not text:
        body = "<p>Nothing: there is nothing that a session here would be shown.</p>"
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
    return f'<section aria-labelledby="told"><h2 id="told">What the next session{where} is shown</h2>{body}</section>'


def _table(found: Contents, *, acting: bool) -> str:
    ages = [name for name, _ in _AGES] + ["older"]
    choices = (
        ("where", "holds in", sorted({one.where for one in found.memories}, key=lambda name: (name != "everywhere", name))),
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
        for number, name in enumerate(("memory", "class", "holds in", "saved", "age", "left"))
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
        f'<td data-label="class">{memory.kind.value}</td><td data-label="holds in">{_e(one.where)}</td>'
        f'<td data-label="saved">{one.by}</td><td data-label="age" data-sort="{days:.3f}">{_ago(days)}</td>'
        f'<td data-label="left" data-sort="{one.curve[0] if live else -1:.4f}">{left_bar(one.curve[0]) if live else "–"}</td></tr>'
    )


def _more(one: Shown, found: Contents, *, acting: bool) -> str:
    memory = one.memory
    label = f"{one.curve[0]:.0%} left now, {one.curve[CURVE_D.index(180)]:.0%} in half a year, {one.curve[-1]:.0%} in a year"
    facts = [
        f"<code>{_e(memory.id[:8])}</code> said {_day(memory.created_at)} UTC, {memory.origin.value.replace('_', ' ')}",
        *([f"around it: “{_e(memory.context)}”"] if memory.context else []),
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


def _weeks(found: Contents) -> str:
    """How many memories were kept in each of the last weeks: is it still listening, and to what extent?"""
    kept = Counter(int((found.now - one.memory.created_at) // (7 * DAY_S)) for one in found.memories)
    most = max((kept[week] for week in range(_WEEKS)), default=0)
    if not most:
        body = f"<p>Nothing was kept in the last {_WEEKS} weeks.</p>"
    else:
        rows = "".join(
            f'<tr><th scope="row">{_day(found.now - (week + 1) * 7 * DAY_S)[:10]}</th>'
            f"<td>{left_bar(kept[week] / most, str(kept[week]))}</td></tr>"
            for week in range(_WEEKS)
        )
        body = f'<table class="weeks"><thead><tr><th scope="col">week from</th><th scope="col">kept</th></tr></thead><tbody>{rows}</tbody></table>'
    return f'<section aria-labelledby="weeks"><h2 id="weeks">Kept each week</h2>{body}</section>'


def _timeline(found: Contents) -> str:
    left: dict[str, list[Memory]] = {}
    for one in found.memories:
        left.setdefault(one.memory.session, []).append(one.memory)
    items = ""
    for talk in found.conversations:
        kept = left.get(talk.id, [])
        if not kept and not talk.shown:
            continue
        texts = "".join(f"<li>{_e(memory.text)}</li>" for memory in kept[:_SAMPLES])
        more = f'<li class="dim">and {len(kept) - _SAMPLES} more</li>' if len(kept) > _SAMPLES else ""
        where = found.names.get(talk.project or "", "no project")
        items += (
            f'<li><b>{_day(talk.seen_at)}</b> {_e(where)} <span class="dim">{_e(talk.agent)}, {len(kept)} kept, {talk.shown} shown</span>'
            + (f"<details><summary>what was kept</summary><ul>{texts}{more}</ul></details></li>" if kept else "</li>")
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


def left_bar(share: float, number: str = "") -> str:
    """A share, such as how much of a memory is left, as a bar with its number."""
    return (
        f'<span class="left"><svg aria-hidden="true" viewBox="0 0 40 6" width="40" height="6"><rect class="rest" width="40" height="6" rx="3"/>'
        f'<rect class="full" width="{40 * share:.1f}" height="6" rx="3"/></svg> {number or f"{share:.0%}"}</span>'
    )
