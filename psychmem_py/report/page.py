"""The report as one HTML file: no network, no frames, nothing but what is in it. Every text of the store is escaped.

The style and the script are in files beside this one; a content security policy lets that script run and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from psychmem_py.curation import pending
from psychmem_py.memory.forgetting import would_confirm
from psychmem_py.model.records import Memory, Status, Store
from psychmem_py.recall import brief_text
from psychmem_py.report.contents import EVERYWHERE, SPEAKERS, Contents, Shown, TimelineEntry, place_of
from psychmem_py.safety.control_chars import line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.text import dates
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import clip

_BESIDE = Path(__file__).parent
_TURNED_DOWN = 240
_SAID_CHARS, _AROUND_CHARS = 300, 240
_UNCERTAIN = "you said it; uncertain whether it should last"


def html(found: Contents, *, acting: bool = False) -> str:
    """The page; with `acting` it has buttons, for the server that answers them."""
    style, script = ((_BESIDE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; connect-src 'self'" if acting else ""
    live = sum(one.live for one in found.memories)
    parts = (
        ("memories", f"Memories ({live})", _memories(found, acting=acting)),
        ("pending", f"Pending ({len(found.pending)})", _pending(found, acting=acting)),
        ("timeline", "Timeline", _timeline(found)),
        ("next", "Next session", _next_session(found)),
        ("not", "Not kept", _turned_down(found)),
    )
    tabs = "".join(f'<a href="#{name}">{title}</a>' for name, title, _ in parts)
    section = '<section id="{0}" aria-labelledby="{0}-title"><h2 id="{0}-title" tabindex="-1">{1}</h2>{2}</section>'
    body = "".join(section.format(*part) for part in parts)
    undo = '<button type="button" id="undo">Undo</button>' if acting else ""
    where = f", in {_e(found.project)}" if found.project else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
        f"<title>PsychMem: what is remembered</title><style>{style}</style></head>"
        f'<body><a class="skip" href="#memories-title">To the memories</a><header><h1>What is remembered</h1><p>{_day(found.now)} UTC{where}</p>'
        f'<form id="filters" role="search"{" data-asks" if acting else ""}><label>Search <input type="search" id="words" autocomplete="off"></label>'
        f"{_select('where', 'Project', _places(found))}{undo}</form>"
        f'<nav aria-label="Parts of this page">{tabs}</nav></header><main>{body}</main>'
        f'<p id="said" role="status" aria-live="polite"></p><script>{script}</script></body></html>\n'
    )


def _places(found: Contents) -> list[str]:
    places = {one.where for one in found.memories} | {one.where for one in found.sessions}
    places |= {place_of(one.project, found.names, EVERYWHERE) for one in found.pending}
    return sorted(places, key=lambda name: (name != EVERYWHERE, name))


def _select(name: str, label: str, values: Iterable[str]) -> str:
    options = "".join(f'<option value="{_e(value)}">{_e(value)}</option>' for value in values)
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _memories(found: Contents, *, acting: bool) -> str:
    choices = (
        ("kind", "What", [_kind(one.memory) for one in found.memories]),
        ("by", "Said by", [SPEAKERS[one.memory.origin] for one in found.memories]),
        ("state", "State", [_state(one) for one in found.memories]),
    )
    filters = "".join(_select(name, label, sorted(set(values))) for name, label, values in choices)
    linked: dict[str, list[str]] = {}
    texts = {one.memory.id: one.memory.text for one in found.memories}
    for link in found.links:
        if link.source in texts and link.target in texts:
            how = link.type.value.replace("_", " ")
            linked.setdefault(link.source, []).append(f"{how} “{texts[link.target]}”")
            linked.setdefault(link.target, []).append(f"“{texts[link.source]}” {how} this")
    rows = "".join(_row(one, linked.get(one.memory.id, ()), found.now, acting=acting) for one in found.memories)
    heads = "".join(
        f'<th scope="col"><button type="button" class="sort" data-column="{number}">{name}</button></th>'
        for number, name in enumerate(("memory", "what", "holds in", "said by", "said", "left"))
    )
    return (
        f'<form class="filters">{filters}</form><p id="count" role="status" aria-live="polite">{len(found.memories)} memories</p>'
        f'<table id="table" class="cards"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
        '<div id="earlier" aria-label="Earlier conversations"></div>'
    )


def _kind(memory: Memory) -> str:
    """Its class in the word that agents are shown."""
    return CLASS_LABELS[memory.kind.value]


def _state(one: Shown) -> str:
    if not one.live:
        return "pending" if one.memory.status is Status.QUARANTINED else one.memory.status.value
    return "said once" if one.memory.store is Store.STM else "confirmed"


def _row(one: Shown, linked: Sequence[str], now: float, *, acting: bool) -> str:
    memory, state = one.memory, _state(one)
    days = (now - memory.created_at) / DAY_S
    marks = [*(["pinned"] if memory.pinned else []), *([state] if state != "confirmed" else [])]
    marks += [f"fades in {one.fades_d} days"] if one.fades_d is not None else []
    against = any(how.startswith("contradicts") or how.endswith("contradicts this") for how in linked)
    marks += ["contradicted"] if one.live and against else []
    marked = "".join(f' <span class="mark">{mark}</span>' for mark in marks)
    return (
        f'<tr data-id="{_e(memory.id)}" data-where="{_e(one.where)}" data-kind="{_kind(memory)}" data-by="{SPEAKERS[memory.origin]}" data-state="{state}">'
        f'<td><details><summary><span class="text">{_e(memory.text)}</span>{marked}</summary>{_more(one, linked, acting=acting)}</details></td>'
        f'<td data-label="what">{_kind(memory)}</td><td data-label="holds in">{_e(one.where)}</td>'
        f'<td data-label="said by">{SPEAKERS[memory.origin]}</td><td data-label="said" data-sort="{days:.3f}">{_ago(days)}</td>'
        f'<td data-label="left" data-sort="{one.left if one.live else -1:.4f}">{_left(one.left) if one.live else "–"}</td></tr>'
    )


def _more(one: Shown, linked: Sequence[str], *, acting: bool) -> str:
    memory = one.memory
    facts = [
        f"<code>{_e(memory.id[:8])}</code> said {_day(memory.created_at)} UTC, {'noticed in a conversation' if one.by_itself else 'kept by hand'}",
        *([f"around it: “{_e(memory.context)}”"] if memory.context else []),
        *([_e(would_confirm(memory))] if memory.store is Store.STM else []),
        *([f"{one.left:.0%} left now, {one.left_later:.0%} in half a year if nobody says or uses it again"] if one.live else []),
        *map(_e, linked),
    ]
    if acting:
        deeds = [("keep", "Approve")] if memory.status is Status.QUARANTINED or memory.store is Store.STM else []
        deeds += [("edit", "Edit"), *([("unpin", "Unpin")] if memory.pinned else [("pin", "Pin")]), ("forget", "Forget")]
        facts.append(_buttons(deeds, memory.text))
    else:
        facts.append(f"<code>psychmem edit {_e(memory.id[:8])}</code> <code>psychmem forget {_e(memory.id[:8])}</code>")
    return "".join(f"<p>{fact}</p>" for fact in facts)


def _buttons(deeds: Iterable[tuple[str, str]], text: str) -> str:
    label = _e(text[:60])
    made = (f'<button type="button" data-act="{deed}" aria-label="{name}: {label}">{name}</button>' for deed, name in deeds)
    return f'<span class="buttons">{"".join(made)}</span>'


def _pending(found: Contents, *, acting: bool) -> str:
    """What a person is asked about: suggestions that need approval, and what they said and the rules are not sure of."""
    if not found.pending:
        return "<p>Nothing is pending.</p>"
    rows = ""
    for one in found.pending:
        kind = one.memory.kind if one.memory else one.candidate.candidate.kind if one.candidate else None
        why = f"contradicts “{one.against[0].text}”, which approving this replaces" if one.is_pair else _UNCERTAIN
        why = pending.why_it_waits(one.memory) if one.memory and not one.is_pair else why
        where = place_of(one.project, found.names, EVERYWHERE)
        box = f'<input type="checkbox" aria-label="Choose: {_e(one.text[:60])}">' if acting else ""
        around = f'<p class="dim">“{_e(clip(one.words_around, _AROUND_CHARS))}”</p>' if one.words_around else ""
        marked = "" if why == _UNCERTAIN else f' <span class="mark">{_e(why)}</span>'
        drop = "forget" if one.memory else "drop"
        rows += (
            f'<li data-id="{_e(one.id)}" data-where="{_e(where)}" data-days="{(found.now - one.said_at) / DAY_S:.1f}"><label class="choice">{box}'
            f'<span class="text">{_e(one.text)}</span></label>{marked}<p class="dim">{CLASS_LABELS[kind.value] if kind else ""}, {_e(where)},'
            f" said {_day(one.said_at)}</p>{around}{_buttons([('keep', 'Approve'), (drop, 'Drop')], one.text) if acting else ''}</li>"
        )
    uncertain = "<p>You said these, and the rules are not sure that they should last. What nobody answers expires.</p>"
    how = "<p><code>psychmem review</code> asks about each, one key an answer.</p>"
    bulk = (
        '<p class="buttons bulk"><button type="button" data-choose="all">Choose all shown</button><button type="button" data-choose="old">Choose older than a month</button>'
        '<button type="button" data-many="keep">Approve chosen</button><button type="button" data-many="drop">Drop chosen</button></p>'
    )
    return f'{uncertain}{bulk if acting else how}<ul class="plain inbox">{rows}</ul>'


def _timeline(found: Contents) -> str:
    items = "".join(_session(one, found.now) for one in found.sessions)
    about = "<p>Each conversation that left something, the latest first: what was said, what was kept, and what it was shown.</p>"
    return f'{about}<ol class="plain timeline">{items}</ol>' if items else "<p>No conversation was read yet.</p>"


def _session(one: TimelineEntry, now: float) -> str:
    talk = one.talk
    at = one.said[0].at if one.said else talk.started_at
    first = f" {_e(clip(one.said[0].typed, 90))}" if one.said else ""
    agent = '<br><span class="dim">agent: {}</span>'
    answers = (agent.format(_e(each.answer[-_SAID_CHARS:])) if each.answer else "" for each in one.said)
    typed = (f"<b>{_day(each.at)[11:]}</b> {_e(clip(each.typed, _SAID_CHARS))}" for each in one.said)
    said = "".join(f"<li>{words}{answer}</li>" for words, answer in zip(typed, answers, strict=True))
    kept, shown = ("".join(f"<li>{_e(memory.text)}</li>" for memory in those) for those in (one.kept, one.shown))
    parts = (("Said", said), (f"Kept {len(one.kept)}", kept), (f"Shown {len(one.shown)}", shown))
    inner = "".join(f"<h3>{name}</h3><ul>{items}</ul>" for name, items in parts if items)
    return (
        f'<li data-where="{_e(one.where)}"><details><summary><b>{_day(at)[:10]}</b> {_e(one.where)} <span class="dim">{_ago((now - at) / DAY_S)},'
        f" {_e(talk.agent)}, {len(one.said)} said, {len(one.kept)} kept, {len(one.shown)} shown</span>{first}</summary>{inner}</details></li>"
    )


def _next_session(found: Contents) -> str:
    """Everything of ours that a session starting now would see."""
    known = {one.memory.id: one.memory for one in found.memories}
    there = "".join(f"<li>{_e(known[key].text)}</li>" for key in found.brief.in_memory_md if key in known)
    first = f"<h3>In MEMORY.md, which Claude Code reads by itself</h3><ul>{there}</ul>" if there else ""
    text = found.brief.text
    if not text:
        return first or "<p>Nothing: there is nothing that a session here would be shown.</p>"
    lines = ((known[key].text, found.reasons.get(key, "")) for key in found.brief.shown if key in known)
    why = "".join(f"<tr><td>{_e(said)}</td><td>{_e(reason)}</td></tr>" for said, reason in lines)
    return (
        f"{first}<h3>The brief, word for word</h3><p>{len(text)} characters, about {brief_text.tokens(text)} tokens:</p>"
        f'<pre tabindex="0" aria-label="The brief, word for word">{escape(text)}</pre>'
        f'<h3>Why each line</h3><table class="cards"><thead><tr><th scope="col">line</th><th scope="col">why</th></tr></thead><tbody>{why}</tbody></table>'
    )


def _turned_down(found: Contents) -> str:
    waiting = [(one, "pending until said again", one.reason) for one in found.waiting]
    turned = [(one, one.gate or "", one.reason) for one in found.turned_down]
    rows = "".join(
        f"<tr><td>{_e(one.candidate.text)}</td><td data-label='why'>{_e(gate)}{f': {_e(reason)}' if reason else ''}</td>"
        f"<td data-label='when'>{_day(one.at)}</td></tr>"
        for one, gate, reason in (*waiting, *turned)[:_TURNED_DOWN]
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("sentence", "why not", "when"))
    table = f'<table class="cards"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    return table if rows else "<p>Nothing was rejected in the last days.</p>"


def _e(text: str) -> str:
    """Stored text for HTML: on one line, without control characters, nothing in it markup."""
    return escape(line(text))


def _day(at: float) -> str:
    return dates.iso(float(int(at)))[:16].replace("T", " ")


def _ago(days: float) -> str:
    units = ((365, "y"), (30, "mon"), (7, "w"), (1, "d"))
    return next((f"{int(days // size)} {unit}" for size, unit in units if days >= size), "today")


def _left(share: float) -> str:
    """How much of a memory is left, as a bar with its number."""
    return (
        f'<span class="left"><svg aria-hidden="true" viewBox="0 0 40 6" width="40" height="6"><rect class="rest" width="40" height="6" rx="3"/>'
        f'<rect class="full" width="{40 * share:.1f}" height="6" rx="3"/></svg> {share:.0%}</span>'
    )
