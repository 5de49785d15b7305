"""Takes operations in: reads the lines, keeps what is one, and makes the memories what the fold of all operations says."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from psychmem_py.curation.act import Act
from psychmem_py.curation.rule_wording import RULE, commands, speaks_for_the_user
from psychmem_py.errors import NotFoundError, RefusedError
from psychmem_py.home.light_json import encoded
from psychmem_py.memory.admission import AUTHOR, OTHER_WORDS
from psychmem_py.model.light_record import KEPT, LIVE
from psychmem_py.model.records import HUMAN, RULES, Change, ChangeType, Link, LinkType, Memory, Status, Store
from psychmem_py.safety.secrets import redact
from psychmem_py.store import change_log, operations, rows
from psychmem_py.store.operations import DeadLetter, LaneMark, Ranked
from psychmem_py.store.purge import inside
from psychmem_py.store.search import neighbours
from psychmem_py.store.sqlite import meta, set_meta
from psychmem_py.sync import op as ops
from psychmem_py.sync.incoming import TWICE, Source, changes, is_own, memory_of
from psychmem_py.sync.op import OTHERS_RANK, Delivery, OpError, OpKind, Reach, State, rank
from psychmem_py.sync.remote import THIS_DEVICE, device_name
from psychmem_py.text.tokenizer import digest

_SAYING = ("text", "kind", "status", "scope", "project")
_PERSONS = frozenset(
    "i me my you your user human owner admin system psychmem assistant agent claude ich du nutzer toi vous moi yo tu usted".split()
)
_HANDLE = re.compile(r"[\w.@+-]{1,60}")


def receive(act: Act, remote: str, deliveries: Iterable[Delivery]) -> tuple[int, int, int, tuple[str, ...]]:
    """Keeps what was delivered. How many operations and dead letters came, how many memories changed, those that have to go."""
    db, marks = act.db, operations.marks(act.db, remote)
    dead, every = 0, list[Ranked]()
    room = operations.room_for_dead_letters(db)
    for delivery in deliveries:
        seq = known = marks[delivery.lane].seq if delivery.lane in marks else 0
        for number, line in delivery.records:
            if number <= seq:
                continue
            if number != seq + 1:
                break  # a gap: the lane waits
            seq = number
            try:
                every.append(_read(line, delivery, seq))
            except OpError as exc:
                dead += 1
                text = line if exc.newer and len(line) <= ops.LINE_BYTES and dead <= room else ""
                operations.add_dead_letter(db, DeadLetter(remote, delivery.lane, seq, str(exc), text), act.now)
        if seq > known:
            operations.set_mark(db, remote, delivery.lane, LaneMark(seq, delivery.author, delivery.mine, act.now))
    operations.add(db, remote, _without_purged(db, every))
    changed, purged = fold_in(act, list(dict.fromkeys(op.memory for op, _ in every)))
    return len(every), dead, len(changed), purged


def is_accepted(db: sqlite3.Connection, named: operations.RemoteEntry, delivery: Delivery) -> bool:
    """Whether a lane is taken in: of shared places; of every project where only the person's own machines write."""
    in_project = delivery.lane.scope == Reach.PROJECT
    return (in_project and named.mine) or ((in_project or delivery.mine) and operations.may_go(db, delivery.lane, named))


def _read(text: str, delivery: Delivery, seq: int) -> Ranked:
    """The operation on a line, kept without secrets in what it puts. Raises OpError."""
    if (op := ops.parsed(text)).lane != delivery.lane or op.seq != seq:
        raise OpError("a line of another lane")
    named = [op.memory, *([str(op.value)] if op.kind in (OpKind.LINK, OpKind.UNLINK) and not op.emptied else [])]
    if not delivery.mine and not all(map(ops.DEVICE.fullmatch, named)):
        raise OpError("a memory's id is 32 hex digits")
    safe = op._replace(value=inside(op.value, redact)) if op.kind == OpKind.PUT else op
    return safe, rank(op.origin, mine=delivery.mine)


def _without_purged(db: sqlite3.Connection, came: Sequence[Ranked]) -> list[Ranked]:
    """The operations, emptied where they bring back what was purged here; the person's other machines are to follow then."""
    puts = [(worth, op) for op, worth in came if (op.kind, op.field) == (OpKind.PUT, "text") and op.value]
    gone = change_log.erased(db, [op.value for _, op in puts], in_order=True)
    last = {key: (text, worth) for worth, _, key, text in sorted((worth, op.hlc, op.memory, op.value) for worth, op in puts)}
    back = {key: worth for key, (text, worth) in last.items() if text in gone and rows.get(db, key) is None}
    never = operations.purged_here(db, [op.memory for op, _ in came], [key for key, worth in back.items() if worth > OTHERS_RANK])
    never |= back.keys()
    return [(ops.emptied(op) if op.memory in never or str(op.value) in gone else op, worth) for op, worth in came]


def retry_dead(act: Act) -> list[str]:
    """Keeps the dead letters that can be read after all, since this PsychMem is a newer one; the memories that they are about."""
    touched: list[str] = []
    mine_in = {(device, remote) for (device, mine), claims in operations.authors(act.db).items() if mine for remote, _ in claims}
    for record in operations.dead_letters(act.db):
        mine = (record.lane.device, record.remote) in mine_in
        try:
            ranked = _read(record.line, Delivery(record.lane, "", mine, ()), record.seq)
        except OpError:
            continue
        operations.add(act.db, record.remote, _without_purged(act.db, [ranked]))
        operations.remove_dead_letter(act.db, record)
        touched.append(ranked[0].memory)
    return touched


def fold_in(act: Act, ids: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Makes these memories what all operations say of them; those changed here, and those that are here and have to go."""
    db, there = act.db, rows.several(act.db, list(ids))
    speakers = Authors(operations.authors(db), operations.trusted(db), device_name(db), meta(db, THIS_DEVICE))
    every = operations.of_memories(db, ids)
    stated, beside = _of_makers(every, there, speakers), _beside(every, there)
    there |= rows.several(db, [*beside])
    states = ops.states_of([*stated, *(one for _, said in beside.values() for one in said)])
    changed, gone, linked = [], list[str](), []
    for key, state in sorted(states.items(), key=lambda one: (_turn(one[1], there.get(one[0])), one[0])):
        before = there.get(key)
        if state.purged is not None and state.is_purged:
            says_it = any(op.memory == key and not op.emptied and op.kind == OpKind.PUT for op, _ in stated)
            if (before or says_it) and not (state.purged.rank == OTHERS_RANK and is_own(before)):
                gone.append(key)
            continue
        source = speakers.source(state)
        source = source._replace(approved=_approved(db, before)) if source.author else source
        source = source._replace(doubt=OTHER_WORDS + beside[key][0]) if key in beside else source
        after = memory_of(state, before, key, source, act.settings, act.now)
        if after is None or after == before or (before is None and change_log.erased(db, [after.text])):
            continue
        around: Iterable[Memory] = ()
        if before is None or any(getattr(before, one) != getattr(after, one) for one in _SAYING):
            around = neighbours(db, [after.text], project=after.project, limit=50)
            judges = operations.judges(db, [key, *(one.id for one in around)])
            source = source._replace(judged=[one for one, by in judges.items() if by & judges.get(key, set())])
        made = changes(before, after, source, around, act.settings, act.now)
        if made and _applied(act, [*made, *_quotes(db, key, made)], source):
            there |= {one.memory_id: one.after for one in made if one.after}
            changed.append(key)
        linked.append((key, state, source))
    for key, state, source in linked:
        _applied(act, _link_changes(act, key, state), source)
    return tuple(changed), tuple(gone)


def _turn(state: State, known: Memory | None) -> tuple[bool, bool, float]:
    """Its turn: first what goes, lest it stand against what comes; then what changes; then what comes, the older first."""
    goes = state.is_forgotten or state.value("status", Status.ACTIVE) != Status.ACTIVE
    return not goes, known is None or known.status.value not in KEPT, state.value("created_at", 0.0)


def _beside(stated: Iterable[Ranked], there: Mapping[str, Memory]) -> dict[str, tuple[str, list[Ranked]]]:
    """What other people put in place of one's own words, as statements of theirs about it: the last of each device stands."""
    made, last = dict[str, tuple[str, list[Ranked]]](), dict[tuple[str, str], str]()
    theirs = [one for one in stated if one[1] == OTHERS_RANK and is_own(there.get(one[0].memory)) and not one[0].emptied]
    makers = {(op.memory, op.device) for op, _ in theirs if op.field == "created_at"}  # whose words were changed here
    for op, worth in sorted(theirs, key=lambda one: one[0].hlc):
        own, by, ends = there[op.memory], (op.memory, op.device), op.kind in (OpKind.FORGET, OpKind.PURGE)
        if by in makers or not (ends or op.field == "text"):
            continue
        if former := last.pop(by, ""):
            made[former][1].append((op._replace(memory=former, kind=OpKind.FORGET.value, field="", value=None), worth))
        if not ends and op.value != own.text:
            last[by] = key = digest(f"{op.memory} {op.device} {op.value}")
            fields = {"text": op.value, "class": own.kind.value, "created_at": ops.milliseconds(op.hlc) / 1000}
            made[key] = op.memory, [(op._replace(memory=key, field=field, value=value), worth) for field, value in fields.items()]
    return made


def _approved(db: sqlite3.Connection, known: Memory | None) -> bool:
    """Whether a memory in use was let in by a person: by a step for it alone, in these words."""
    if known is None or known.status not in LIVE or known.store is Store.STM:
        return False
    by_one = f"memory_id = ? and undoes is null and {operations.LOCAL} and batch not like 'upkeep-%'"
    steps = ((one.change, one.who) for one in change_log.log(db, by_one, [known.id]) if not one.undone)
    made = (step.after for step, who in steps if not who or (step.evidence and step.evidence.origin in HUMAN))
    words = known.text, known.kind, Store.LTM
    return any(one and (one.text, one.kind, one.store) == words and one.status in LIVE for one in made)


def _of_makers(stated: Sequence[Ranked], there: Mapping[str, Memory], speakers: Authors) -> list[Ranked]:
    """The operations without those of other people on a memory whose author is a third one: known here, or its first maker."""
    makers: dict[str, tuple[bool, str, str]] = {}
    for op, worth in stated:
        if worth == OTHERS_RANK and (op.kind, op.field) == (OpKind.PUT, "created_at"):
            known, name = there.get(op.memory), speakers.called(op.device)
            made = known is not None and dict(known.metadata).get(AUTHOR) != name, op.hlc, name
            makers[op.memory] = min(made, makers.get(op.memory, made))
    theirs = {memory: name for memory, (_, _, name) in makers.items()}
    return [one for one in stated if one[1] > OTHERS_RANK or theirs.get(one[0].memory) in (None, speakers.called(one[0].device))]


class Authors(NamedTuple):
    """The authors: devices as the remotes know them (by device and whether it is one's own), and whose words are trusted."""

    authors: Mapping[tuple[str, bool], Sequence[tuple[str, str]]]
    trusted: frozenset[tuple[str, str]]
    own: str
    device: str  # this one

    def called(self, device: str, *, mine: bool = False) -> str:
        """What a device is called here: one's own as it calls itself."""
        name = self.authors.get((device, mine), [("", "")])[0][1]
        return name if mine else _handle(name, device, self.own)

    def source(self, state: State) -> Source:
        """Whose words these are. A device known to several remotes is trusted if every one is: others can claim any device."""
        if (text := state.put("text")) is None:
            return Source()
        heard = state.latest(but=self.device) or text
        teller = self.called(heard.device, mine=heard.rank > OTHERS_RANK)
        if text.rank > OTHERS_RANK:
            return Source(name=teller, device=heard.device)
        claimed, name = self.authors.get((text.device, False), []), self.called(text.device)
        by_trusted = bool(claimed) and self.trusted.issuperset(claimed)
        called_no_rule = not by_trusted and state.value("class", None) not in (None, *RULES)
        binds = speaks_for_the_user(str(text.value)) or (called_no_rule and commands(str(text.value)))
        return Source(name, by_trusted, teller, heard.device, RULE if binds else "")


def _handle(called: str, device: str, own: str) -> str:
    """The name of another person's device: its own where that is one word and cannot be mistaken, else its number."""
    handle = "-".join(called.split())
    word = handle.casefold()
    mistaken = word in {own.casefold(), own.partition("@")[0].casefold()} or not _PERSONS.isdisjoint(re.split(r"[\W_]+", word))
    return handle if _HANDLE.fullmatch(word) and not mistaken else device[:8]


def _applied(act: Act, made: Sequence[Change], source: Source) -> bool:
    """Whether the changes could be written; where a statement of these words is kept already it stays as it is."""
    by = f"sync:{source.name or source.device[:8]}"
    # That the other of two with the same words stays, all are told: it may be edited or forgotten where this one is not known.
    told = [one for one in made if (one.type, one.reason) == (ChangeType.SUPERSEDE, TWICE) and is_own(one.before)]
    act.db.execute("savepoint settling")
    try:
        for batch, some in ((f"upkeep-{act.batch}", told), (act.batch, [one for one in made if one not in told])):
            change_log.apply(act.db, some, batch=batch, now=act.now, agent=by, device=source.device)
    except sqlite3.IntegrityError:
        act.db.execute("rollback to settling")
        return False
    finally:
        act.db.execute("release settling")
    return bool(made)


def _quotes(db: sqlite3.Connection, key: str, made: Sequence[Change]) -> list[Change]:
    """What was heard here of what a memory replaces, since both say the same, as evidence of it."""
    kept = next((one.after for one in reversed(made) if one.memory_id == key), None)
    replaced = (one.memory_id for one in made if (one.type, one.reason) == (ChangeType.SUPERSEDE, TWICE))
    heard = (proof for twin in replaced for proof in rows.evidence(db, twin) if proof.quote)
    return [Change(ChangeType.REINFORCE, key, kept, kept, TWICE, proof._replace(memory_id=key)) for proof in heard]


def _link_changes(act: Act, key: str, state: State) -> list[Change]:
    """The links that the operations have and the store has not, where both ends are here; and those that are taken away."""
    if (memory := rows.get(act.db, key)) is None:
        return []
    there = {(link.type.value, link.target): link for link in rows.links(act.db, key) if link.source == key}
    links = state.links
    new = [ends for ends in sorted(links) if links[ends] and ends not in there and rows.get(act.db, ends[1]) is not None]
    changed = [(ChangeType.LINK, Link(key, target, LinkType(kind), act.now)) for kind, target in new]
    changed += [(ChangeType.UNLINK, there[ends]) for ends in sorted(there) if not links.get(ends, True)]
    return [Change(kind, key, memory, memory, "from another device", link=link) for kind, link in changed]


def trusted(act: Act, name: str, *, remote: str = "", trusting: bool = True) -> tuple[str, ...]:
    """The memories of an author that were let in, or wait again; noted for an undo. Raises NotFoundError, RefusedError."""
    _ = operations.remote(act.db, remote) if remote else None  # which says so where there is none of this name
    authors, trusts, own = operations.authors(act.db), operations.trusted(act.db), device_name(act.db)
    others = [(by, author, device) for (device, mine), claimed in authors.items() if not mine for by, author in claimed]
    chosen = [one for one in others if name in (one[1], _handle(one[1], one[2], own)) and remote in ("", one[0])]
    if not (known := {one[:2] for one in chosen} | {one for one in trusts if name == one[1] and remote in ("", one[0])}):
        called = ", ".join(sorted({_handle(one[1], one[2], own) for one in others})) or "nobody has sent anything yet"
        raise NotFoundError(f"nothing ever came from {name!r}; known: {called}")
    if len({by for by, _ in known}) > 1:
        raise RefusedError(f"{name} comes by {', '.join(sorted({by for by, _ in known}))}; say which with --with REMOTE")
    for by, author in known:
        operations.trust(act.db, by, author, act.now, trusting=trusting)
        if ((by, author) in trusts) is not trusting:
            set_meta(act.db, f"trust {act.batch}", encoded([name, by, not trusting]))
    ids = operations.memories_of(act.db, [device for _, _, device in chosen])
    return fold_in(act._replace(batch=f"sync-{act.batch}"), ids)[0]
