"""The report as one HTML file. Reads only; no network; every stored text is escaped; only the script beside this file may run."""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import NamedTuple

from psychmem_py.briefing.brief import Brief, Occasion, compose
from psychmem_py.curation import history, pending
from psychmem_py.curation.pending import InboxItem, items
from psychmem_py.home.project import Project
from psychmem_py.memory import admission, forgetting
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import HUMAN, Memory, Origin, Status, Store
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text
from psychmem_py.safety import control_chars, fence
from psychmem_py.store import candidates, rows, sessions
from psychmem_py.text import dates, tokenizer

EVERYWHERE = "every project"
SPEAKERS = {**admission.SPEAKERS, **dict.fromkeys(HUMAN, "you")}
_REJECTED, _TURNED_DOWN, _AROUND_CHARS = 200, 240, 240
_FOLDER = Path(__file__).parent


class Shown(NamedTuple):
    memory: Memory
    where: str  # EVERYWHERE or a project's name
    left: float  # share that is left now
    left_later: float  # in half a year
    live: bool


class Contents(NamedTuple):
    project: str  # where we stand; "" for in no project
    now: float
    memories: Sequence[Shown]  # newest first, behind them what is forgotten or replaced
    brief: Brief
    turned_down: Sequence[candidates.NotKept]  # and before them what is pending until said again
    pending: Sequence[InboxItem]
    names: Mapping[str, str]  # of projects, by id


def contents(
    db: sqlite3.Connection, project: Project | None, settings: Settings, now: float, occasion: Occasion | None = None
) -> Contents:
    """The store's contents now, with the brief of a new session in `project`, at `occasion` if given."""
    names = sessions.project_names(db)
    shown = list[Shown]()
    for one in rows.listed(db, all_projects=True, statuses=tuple(Status)):
        left, later = (forgetting.retrievability_in(one, days, now, settings) for days in (0, 182))
        shown.append(Shown(one, history.place_name(one.project, names, EVERYWHERE), left, later, one.status in LIVE))
    turned_down = list(candidates.waiting(db, project=None, all_projects=True))
    turned_down += [one for one in candidates.rejected(db, limit=_REJECTED) if one.gate is not None]
    made, asked = compose(db, occasion or Occasion(project, now, settings)), items(db, project=None, all_projects=True)
    memories = sorted(shown, key=lambda one: not one.live)
    return Contents(project.name if project else "", now, memories, made, turned_down, asked, names)


def html(found: Contents, *, acting: bool = False) -> str:
    """The page; with `acting` it has buttons, for the server that answers them."""
    frame, style, script = ((_FOLDER / f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; connect-src 'self'" if acting else ""
    places = {one.where for one in found.memories}
    places |= {history.place_name(one.project, found.names, EVERYWHERE) for one in found.pending}
    return Template(frame).substitute(
        policy=policy, style=style, script=script, day=_day(found.now), number=len(found.memories), asked=len(found.pending),
        kinds=_select("kind", "What", sorted({fence.CLASS_LABELS[one.memory.kind] for one in found.memories})),
        speakers=_select("by", "Said by", sorted({SPEAKERS[one.memory.origin] for one in found.memories})),
        states=_select("state", "State", sorted({_state(one) for one in found.memories})),
        memories="".join(_row(one, found.now, acting=acting) for one in found.memories), pending=_pending(found, acting=acting),
        next=_next_session(found), turned_down=_turned_down(found),
        where=f", in {_e(found.project)}" if found.project else "", asks=" data-asks" if acting else "",
        projects=_select("where", "Project", sorted(places, key=lambda name: (name != EVERYWHERE, name))),
        undo='<button type="button" id="undo">Undo</button>' if acting else "",
    )  # fmt: skip


def _select(name: str, label: str, values: Iterable[str]) -> str:
    options = "".join(f'<option value="{_e(value)}">{_e(value)}</option>' for value in values)
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _state(one: Shown) -> str:
    if not one.live:
        return "pending" if one.memory.status is Status.QUARANTINED else one.memory.status.value
    return "said once" if one.memory.store is Store.STM else "confirmed"


def _row(one: Shown, now: float, *, acting: bool) -> str:
    memory, state, since = one.memory, _state(one), now - one.memory.created_at
    marks = ["pinned"] * memory.pinned + [state] * (state != "confirmed")
    marked = "".join(f' <span class="mark">{mark}</span>' for mark in marks)
    return (
        f'<tr data-id="{_e(memory.id)}" data-where="{_e(one.where)}" data-kind="{fence.CLASS_LABELS[memory.kind]}" data-by="{SPEAKERS[memory.origin]}" data-state="{state}">'
        f'<td><details><summary><span class="text">{_e(memory.text)}</span>{marked}</summary>{_more(one, acting=acting)}</details></td>'
        f'<td data-label="what">{fence.CLASS_LABELS[memory.kind]}</td><td data-label="holds in">{_e(one.where)}</td>'
        f'<td data-label="said by">{SPEAKERS[memory.origin]}</td><td data-label="said" data-sort="{since / dates.DAY_S:.3f}">{dates.age(since)}</td>'
        f'<td data-label="left" data-sort="{one.left if one.live else -1:.4f}">{f"{one.left:.0%}" if one.live else "–"}</td></tr>'
    )


def _more(one: Shown, *, acting: bool) -> str:
    memory, key = one.memory, _e(one.memory.id[:8])
    facts = [f"<code>{key}</code> said {_day(memory.created_at)} UTC{', kept by hand' * (memory.origin is Origin.USER_CLI)}"]
    facts += [f"around it: “{_e(memory.context)}”"] if memory.context else []
    facts += [_e(forgetting.would_confirm(memory))] if memory.store is Store.STM else []
    facts += [f"{one.left:.0%} left now, {one.left_later:.0%} in half a year if nobody says or uses it again"] * one.live
    deeds = [("keep", "Approve")] if memory.status is Status.QUARANTINED or memory.store is Store.STM else []
    deeds += [("edit", "Edit"), ("unpin", "Unpin") if memory.pinned else ("pin", "Pin"), ("forget", "Forget")]
    facts += [_buttons(deeds, memory.text) if acting else f"<code>psychmem edit {key}</code> <code>psychmem forget {key}</code>"]
    return "".join(f"<p>{fact}</p>" for fact in facts)


def _buttons(deeds: Iterable[tuple[str, str]], text: str) -> str:
    label = _e(text[:60])
    made = (f'<button type="button" data-act="{deed}" aria-label="{name}: {label}">{name}</button>' for deed, name in deeds)
    return f'<span class="buttons">{"".join(made)}</span>'


def _pending(found: Contents, *, acting: bool) -> str:
    if not found.pending:
        return "<p>Nothing is pending.</p>"
    uncertain = "<p>You said these, and the rules are not sure that they should last. What nobody answers expires.</p>"
    how = "<p><code>psychmem review</code> asks about each, one key an answer.</p>"
    bulk = (
        '<p class="buttons bulk"><button type="button" data-choose="all">Choose all shown</button><button type="button" data-choose="old">Choose older than a month</button>'
        '<button type="button" data-many="keep">Approve chosen</button><button type="button" data-many="drop">Drop chosen</button></p>'
    )
    listed = "".join(_asked_about(one, found, acting=acting) for one in found.pending)
    first = uncertain * any(one.candidate for one in found.pending)
    return f'{first}{bulk if acting else how}<ul class="plain inbox">{listed}</ul>'


def _asked_about(one: InboxItem, found: Contents, *, acting: bool) -> str:
    said = one.memory or (one.candidate.candidate if one.candidate else None)
    why = pending.why_it_waits(one.memory) if one.memory else ""
    why = f"contradicts “{one.rivals[0].text}”, which approving this replaces" if one.rivals else why
    where = _e(history.place_name(one.project, found.names, EVERYWHERE))
    box = f'<input type="checkbox" aria-label="Choose: {_e(one.text[:60])}">' if acting else ""
    around = f'<p class="dim">“{_e(tokenizer.clip(one.words_around, _AROUND_CHARS))}”</p>' if one.words_around else ""
    marked = f' <span class="mark">{_e(why)}</span>' if why else ""
    deeds = (("keep", "Approve"), ("forget" if one.memory else "drop", "Drop"))
    return (
        f'<li data-id="{_e(one.id)}" data-where="{where}" data-days="{(found.now - one.said_at) / dates.DAY_S:.1f}"><label class="choice">{box}'
        f'<span class="text">{_e(one.text)}</span></label>{marked}<p class="dim">{fence.CLASS_LABELS[said.kind] if said else ""}, {where},'
        f" said {_day(one.said_at)}</p>{around}{_buttons(deeds, one.text) if acting else ''}</li>"
    )


def _next_session(found: Contents) -> str:
    known = {one.memory.id: one.memory.text for one in found.memories}
    there = [f"<li>{_e(known[key])}</li>" for key in found.brief.in_memory_md if key in known]
    first = f"<h3>In MEMORY.md, which Claude Code reads by itself</h3><ul>{''.join(there)}</ul>" if there else ""
    if not (text := found.brief.text):
        return first or "<p>Nothing: there is nothing that a session here would be shown.</p>"
    return (
        f"{first}<h3>The brief, word for word</h3><p>{len(text)} characters, about {brief_text.tokens(text)} tokens:</p>"
        f'<pre tabindex="0" aria-label="The brief, word for word">{escape(text)}</pre>'
    )


def _turned_down(found: Contents) -> str:
    if not found.turned_down:
        return "<p>Nothing was rejected in the last days.</p>"
    lines = (
        f"<tr><td>{_e(one.candidate.text)}</td><td data-label='why'>{_e(one.gate or 'pending until said again')}"
        f"{f': {_e(one.reason)}' if one.reason else ''}</td><td data-label='when'>{_day(one.at)}</td></tr>"
        for one in found.turned_down[:_TURNED_DOWN]
    )
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("sentence", "why not", "when"))
    return f'<table class="cards"><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def _e(text: str) -> str:
    """Stored text for HTML: on one line, without control characters, nothing in it markup."""
    return escape(control_chars.line(text))


def _day(at: float) -> str:
    return dates.iso(at)[:16].replace("T", " ")
