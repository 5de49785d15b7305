"""The report as one HTML file: everything it shows, gathered from the store as plain values, and the page that shows them. Reads
only; no network, no frames, nothing but what is in it. Every text of the store is escaped.

The frame, the style and the script are in files beside this one; a content security policy lets that script run and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import NamedTuple

from psychmem_py.briefing.brief import Brief, Occasion, compose, reasons
from psychmem_py.curation import pending
from psychmem_py.curation.history import place_name
from psychmem_py.curation.pending import InboxItem, items
from psychmem_py.home.project import Project
from psychmem_py.memory.admission import SPEAKERS as SAID_BY_OTHERS
from psychmem_py.memory.forgetting import retrievability_in, would_confirm
from psychmem_py.model.light_record import LIVE
from psychmem_py.model.records import HUMAN, Link, Memory, Origin, Status, Store
from psychmem_py.model.settings import Settings
from psychmem_py.recall import brief_text
from psychmem_py.recall.selection import FADED
from psychmem_py.safety.control_chars import line
from psychmem_py.safety.fence import CLASS_LABELS
from psychmem_py.store import candidates, episodes, rows, sessions
from psychmem_py.text import dates
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.tokenizer import clip

SOON_D = 30  # what falls below FADED within so many days is about to fade
HALF_YEAR_D = 182
EVERYWHERE = "every project"
SPEAKERS = {**SAID_BY_OTHERS, **dict.fromkeys(HUMAN, "you")}
_SESSIONS, _REJECTED, _TURNED_DOWN = 100, 200, 240
_SAID_CHARS, _AROUND_CHARS = 300, 240
_UNCERTAIN = "you said it; uncertain whether it should last"
_FOLDER = Path(__file__).parent


class Shown(NamedTuple):
    memory: Memory
    where: str  # EVERYWHERE or a project's name
    left: float  # share that is left now
    left_later: float  # in half a year
    fades_d: int | None  # days until it has faded; None: not within SOON_D

    @property
    def live(self) -> bool:
        return self.memory.status in LIVE


class TimelineEntry(NamedTuple):
    """A conversation with what was said, kept and shown in it."""

    talk: sessions.Conversation
    where: str
    said: Sequence[episodes.Episode]
    kept: Sequence[Memory]
    shown: Sequence[Memory]


class Contents(NamedTuple):
    project: str  # where we stand; "" for in no project
    now: float
    memories: Sequence[Shown]  # newest first, behind them what is forgotten or replaced
    brief: Brief
    sessions: Sequence[TimelineEntry]  # the latest first, those that left nothing not among them
    links: Sequence[Link]
    turned_down: Sequence[candidates.NotKept]  # and before them what is pending until said again
    pending: Sequence[InboxItem]
    names: Mapping[str, str]  # of projects, by id


def contents(
    db: sqlite3.Connection, project: Project | None, settings: Settings, now: float, occasion: Occasion | None = None
) -> Contents:
    """The store's contents now, with the brief of a new session in `project`, at `occasion` if given."""
    names = sessions.project_names(db)
    found = rows.listed(db, all_projects=True, statuses=tuple(Status))
    seen_in = defaultdict[str, set[str]](set)
    for _, session, memory, _ in sessions.shown_to(db):
        seen_in[session].add(memory)
    talks = list[TimelineEntry]()
    for talk in sessions.conversations(db, limit=_SESSIONS):
        kept, seen = [one for one in reversed(found) if one.session == talk.id], seen_in[talk.id]
        those = [one for one in found if one.id in seen]
        where = place_name(talk.project, names, "no project")
        talks.append(TimelineEntry(talk, where, episodes.kept(db, session=talk.id), kept, those))
    rejected = [one for one in candidates.rejected(db, limit=_REJECTED) if one.gate is not None]
    return Contents(
        project=project.name if project else "",
        now=now,
        memories=sorted((_shown(one, names, settings, now) for one in found), key=lambda one: not one.live),
        brief=compose(db, occasion or Occasion(project, now, settings)),
        sessions=[one for one in talks if one.said or one.kept or one.shown],
        links=rows.links(db)[::-1],
        turned_down=[*candidates.waiting(db, project=None, all_projects=True), *rejected],
        pending=items(db, project=None, all_projects=True),
        names=names,
    )


def _shown(memory: Memory, names: Mapping[str, str], settings: Settings, now: float) -> Shown:
    left, later, soon = (retrievability_in(memory, days, now, settings) for days in (0, HALF_YEAR_D, SOON_D))
    fades = None
    if memory.status in LIVE and soon < FADED <= left:
        fades = next(days for days in range(SOON_D + 1) if retrievability_in(memory, days, now, settings) < FADED)
    where = place_name(memory.project, names, EVERYWHERE)
    return Shown(memory, where, left, later, fades)


def html(found: Contents, *, acting: bool = False) -> str:
    """The page; with `acting` it has buttons, for the server that answers them."""
    frame, style, script = ((_FOLDER / f"page.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policy += "; connect-src 'self'" if acting else ""
    places = {one.where for one in found.memories} | {one.where for one in found.sessions}
    places |= {place_name(one.project, found.names, EVERYWHERE) for one in found.pending}
    return Template(frame).substitute(
        policy=policy, style=style, script=script, day=_day(found.now), number=len(found.memories), asked=len(found.pending),
        kinds=_select("kind", "What", sorted({CLASS_LABELS[one.memory.kind] for one in found.memories})),
        speakers=_select("by", "Said by", sorted({SPEAKERS[one.memory.origin] for one in found.memories})),
        states=_select("state", "State", sorted({_state(one) for one in found.memories})),
        memories=_memories(found, acting=acting), pending=_pending(found, acting=acting), timeline=_timeline(found),
        next=_next_session(found), turned_down=_turned_down(found),
        where=f", in {_e(found.project)}" if found.project else "", asks=" data-asks" if acting else "",
        projects=_select("where", "Project", sorted(places, key=lambda name: (name != EVERYWHERE, name))),
        undo='<button type="button" id="undo">Undo</button>' if acting else "",
    )  # fmt: skip


def _select(name: str, label: str, values: Iterable[str]) -> str:
    options = "".join(f'<option value="{_e(value)}">{_e(value)}</option>' for value in values)
    return f'<label>{label} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _table(heads: Iterable[str], lines: Iterable[str]) -> str:
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return f'<table class="cards"><thead><tr>{top}</tr></thead><tbody>{"".join(lines)}</tbody></table>'


def _memories(found: Contents, *, acting: bool) -> str:
    linked, texts = defaultdict[str, list[str]](list), {one.memory.id: one.memory.text for one in found.memories}
    for link in found.links:
        if link.source in texts and link.target in texts:
            how = link.type.value.replace("_", " ")
            linked[link.source].append(f"{how} “{texts[link.target]}”")
            linked[link.target].append(f"“{texts[link.source]}” {how} this")
    return "".join(_row(one, linked[one.memory.id], found.now, acting=acting) for one in found.memories)


def _state(one: Shown) -> str:
    if not one.live:
        return "pending" if one.memory.status is Status.QUARANTINED else one.memory.status.value
    return "said once" if one.memory.store is Store.STM else "confirmed"


def _row(one: Shown, linked: Sequence[str], now: float, *, acting: bool) -> str:
    memory, state = one.memory, _state(one)
    since = now - memory.created_at
    against = any(how.startswith("contradicts") or how.endswith("contradicts this") for how in linked)
    marks = ["pinned"] * memory.pinned + [state] * (state != "confirmed")
    marks += [f"fades in {one.fades_d} days"] * (one.fades_d is not None) + ["contradicted"] * (one.live and against)
    marked = "".join(f' <span class="mark">{mark}</span>' for mark in marks)
    return (
        f'<tr data-id="{_e(memory.id)}" data-where="{_e(one.where)}" data-kind="{CLASS_LABELS[memory.kind]}" data-by="{SPEAKERS[memory.origin]}" data-state="{state}">'
        f'<td><details><summary><span class="text">{_e(memory.text)}</span>{marked}</summary>{_more(one, linked, acting=acting)}</details></td>'
        f'<td data-label="what">{CLASS_LABELS[memory.kind]}</td><td data-label="holds in">{_e(one.where)}</td>'
        f'<td data-label="said by">{SPEAKERS[memory.origin]}</td><td data-label="said" data-sort="{since / DAY_S:.3f}">{dates.age(since)}</td>'
        f'<td data-label="left" data-sort="{one.left if one.live else -1:.4f}">{f"{one.left:.0%}" if one.live else "–"}</td></tr>'
    )


def _more(one: Shown, linked: Sequence[str], *, acting: bool) -> str:
    memory, key = one.memory, _e(one.memory.id[:8])
    by_hand = ", kept by hand" * (memory.origin is Origin.USER_CLI)
    facts = [f"<code>{key}</code> said {_day(memory.created_at)} UTC{by_hand}"]
    facts += [f"around it: “{_e(memory.context)}”"] if memory.context else []
    facts += [_e(would_confirm(memory))] if memory.store is Store.STM else []
    lasts = f"{one.left:.0%} left now, {one.left_later:.0%} in half a year if nobody says or uses it again"
    facts += [*([lasts] if one.live else []), *map(_e, linked)]
    deeds = [("keep", "Approve")] if memory.status is Status.QUARANTINED or memory.store is Store.STM else []
    deeds += [("edit", "Edit"), ("unpin", "Unpin") if memory.pinned else ("pin", "Pin"), ("forget", "Forget")]
    typed = f"<code>psychmem edit {key}</code> <code>psychmem forget {key}</code>"
    facts.append(_buttons(deeds, memory.text) if acting else typed)
    return "".join(f"<p>{fact}</p>" for fact in facts)


def _buttons(deeds: Iterable[tuple[str, str]], text: str) -> str:
    label = _e(text[:60])
    made = (f'<button type="button" data-act="{deed}" aria-label="{name}: {label}">{name}</button>' for deed, name in deeds)
    return f'<span class="buttons">{"".join(made)}</span>'


def _pending(found: Contents, *, acting: bool) -> str:
    """Pending items: suggestions that need approval, and the person's own statements the rules are not sure of."""
    if not found.pending:
        return "<p>Nothing is pending.</p>"
    uncertain = "<p>You said these, and the rules are not sure that they should last. What nobody answers expires.</p>"
    how = "<p><code>psychmem review</code> asks about each, one key an answer.</p>"
    bulk = (
        '<p class="buttons bulk"><button type="button" data-choose="all">Choose all shown</button><button type="button" data-choose="old">Choose older than a month</button>'
        '<button type="button" data-many="keep">Approve chosen</button><button type="button" data-many="drop">Drop chosen</button></p>'
    )
    listed = "".join(_asked_about(one, found, acting=acting) for one in found.pending)
    uncertain = uncertain if any(one.candidate for one in found.pending) else ""
    return f'{uncertain}{bulk if acting else how}<ul class="plain inbox">{listed}</ul>'


def _asked_about(one: InboxItem, found: Contents, *, acting: bool) -> str:
    kind = one.memory.kind if one.memory else one.candidate.candidate.kind if one.candidate else None
    why = f"contradicts “{one.against[0].text}”, which approving this replaces" if one.is_pair else ""
    why = why or (pending.why_it_waits(one.memory) if one.memory else _UNCERTAIN)
    where = _e(place_name(one.project, found.names, EVERYWHERE))
    box = f'<input type="checkbox" aria-label="Choose: {_e(one.text[:60])}">' if acting else ""
    around = f'<p class="dim">“{_e(clip(one.words_around, _AROUND_CHARS))}”</p>' if one.words_around else ""
    marked = "" if why == _UNCERTAIN else f' <span class="mark">{_e(why)}</span>'
    deeds = (("keep", "Approve"), ("forget" if one.memory else "drop", "Drop"))
    return (
        f'<li data-id="{_e(one.id)}" data-where="{where}" data-days="{(found.now - one.said_at) / DAY_S:.1f}"><label class="choice">{box}'
        f'<span class="text">{_e(one.text)}</span></label>{marked}<p class="dim">{CLASS_LABELS[kind] if kind else ""}, {where},'
        f" said {_day(one.said_at)}</p>{around}{_buttons(deeds, one.text) if acting else ''}</li>"
    )


def _timeline(found: Contents) -> str:
    listed = "".join(_session(one, found.now) for one in found.sessions)
    about = "<p>Each conversation that left something, the latest first: what was said, what was kept, and what it was shown.</p>"
    return f'{about}<ol class="plain timeline">{listed}</ol>' if listed else "<p>No conversation was read yet.</p>"


def _session(one: TimelineEntry, now: float) -> str:
    at = one.said[0].at if one.said else one.talk.started_at
    first = f" {_e(clip(one.said[0].typed, 90))}" if one.said else ""
    agent = '<br><span class="dim">agent: {}</span>'
    answers = (agent.format(_e(each.answer[-_SAID_CHARS:])) if each.answer else "" for each in one.said)
    typed = (f"<b>{_day(each.at)[11:]}</b> {_e(clip(each.typed, _SAID_CHARS))}" for each in one.said)
    said = [f"{words}{answer}" for words, answer in zip(typed, answers, strict=True)]
    kept, shown = ([_e(memory.text) for memory in those] for those in (one.kept, one.shown))
    parts = (("Said", said), (f"Kept {len(kept)}", kept), (f"Shown {len(shown)}", shown))
    inner = "".join(f"<h3>{name}</h3>{_list(listed)}" for name, listed in parts if listed)
    return (
        f'<li data-where="{_e(one.where)}"><details><summary><b>{_day(at)[:10]}</b> {_e(one.where)} <span class="dim">{dates.age(now - at)},'
        f" {_e(one.talk.agent)}, {len(said)} said, {len(kept)} kept, {len(shown)} shown</span>{first}</summary>{inner}</details></li>"
    )


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{one}</li>' for one in lines)}</ul>"


def _next_session(found: Contents) -> str:
    """Everything of ours that a session starting now would see."""
    known = {one.memory.id: one.memory.text for one in found.memories}
    there = [_e(known[key]) for key in found.brief.in_memory_md if key in known]
    first = f"<h3>In MEMORY.md, which Claude Code reads by itself</h3>{_list(there)}" if there else ""
    text, why = found.brief.text, reasons(found.brief)
    if not text:
        return first or "<p>Nothing: there is nothing that a session here would be shown.</p>"
    lines = (f"<tr><td>{_e(known[key])}</td><td>{_e(why.get(key, ''))}</td></tr>" for key in found.brief.shown if key in known)
    return (
        f"{first}<h3>The brief, word for word</h3><p>{len(text)} characters, about {brief_text.tokens(text)} tokens:</p>"
        f'<pre tabindex="0" aria-label="The brief, word for word">{escape(text)}</pre><h3>Why each line</h3>{_table(("line", "why"), lines)}'
    )


def _turned_down(found: Contents) -> str:
    if not found.turned_down:
        return "<p>Nothing was rejected in the last days.</p>"
    lines = (
        f"<tr><td>{_e(one.candidate.text)}</td><td data-label='why'>{_e(one.gate or 'pending until said again')}"
        f"{f': {_e(one.reason)}' if one.reason else ''}</td><td data-label='when'>{_day(one.at)}</td></tr>"
        for one in found.turned_down[:_TURNED_DOWN]
    )
    return _table(("sentence", "why not", "when"), lines)


def _e(text: str) -> str:
    """Stored text for HTML: on one line, without control characters, nothing in it markup."""
    return escape(line(text))


def _day(at: float) -> str:
    return dates.iso(at)[:16].replace("T", " ")
