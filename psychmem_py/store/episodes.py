"""A project's short-term memory: its conversations by exchange, found by words like memories; never a rule, evidence or trust."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from math import log
from typing import Any, NamedTuple

from psychmem_py.extraction.clauses import QUESTION_MARKS, Clause, clauses
from psychmem_py.home.light_json import encoded
from psychmem_py.memory.change_cues import any_of, exchange, is_from_now, is_negative
from psychmem_py.memory.compare import stems
from psychmem_py.recall.query import parsed
from psychmem_py.recall.ranking import beyond_chance, is_weak, scored
from psychmem_py.store import change_log, matches, rows
from psychmem_py.store.sqlite import among, column, from_json, insert
from psychmem_py.text.dates import DAY_S
from psychmem_py.text.folding import late
from psychmem_py.text.tokenizer import normalised
from psychmem_py.words import word_list

_LITTLE_CHARS = 100  # a shorter end may be that of a prompt between, which was not kept


class Episode(NamedTuple):
    """One exchange, redacted and cut."""

    id: str
    project: str | None  # None: said in no project
    session: str
    message_id: str  # of what was typed; "" for the end of an exchange that began in an earlier stretch
    at: float
    typed: str
    answer: str  # how the agent's answer ended
    files: tuple[str, ...]  # base names of those edited
    failed: tuple[str, ...]  # commands

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that was said or done in it."""
        return (self.typed, self.answer, *self.files, *self.failed)


class Found(NamedTuple):
    """An exchange that answers a question."""

    episode: Episode
    score: float  # higher is better; comparable within one answer
    weak: bool  # it fits hardly better than chance would have it


_COLUMNS = ", ".join(Episode._fields)


def _episode(row: Sequence[Any]) -> Episode:
    *fields, files, failed = row
    return Episode._make([*fields, tuple(from_json(files)), tuple(from_json(failed))])


def _where(db: sqlite3.Connection, condition: str, *values: object) -> list[Episode]:
    return [_episode(row) for row in db.execute(f"select {_COLUMNS} from episode where {condition}", values)]


def kept(db: sqlite3.Connection, **of: str | None) -> list[Episode]:
    """All exchanges, oldest first; only those of a `session` or a `project` if one is named."""
    named = "".join(f" and {column} is ?" for column in of)
    return _where(db, f"true{named} order by at, seq", *of.values())


def typed_last(db: sqlite3.Connection, session: str, most: int) -> list[str]:
    """What was typed last in a conversation, in its order."""
    return column(db, "select typed from episode where session is ? order by at desc, seq desc limit ?", session, most)[::-1]


def add(db: sqlite3.Connection, exchanges: Iterable[Episode]) -> int:
    """Stores exchanges, given oldest first, except purged ones: how many are new."""
    added = 0
    for one in exchanges:
        if not one.message_id:
            _proceed(db, one)
        elif not change_log.erased(db, [one.id]):
            if not rows.has_exchanges(db, one.project):
                change_log.move_clock(db, one.at)  # a brief says that one can ask now
            before = db.total_changes
            insert(db, "episode", _COLUMNS, [(*one[:-2], encoded(one.files), encoded(one.failed))])
            if db.total_changes > before:
                _index(db, one.id)
                added += 1
    return added


def _proceed(db: sqlite3.Connection, rest: Episode) -> None:
    """Continues the conversation's last exchange: the end of its answer is what is kept."""
    for begun in kept(db, session=rest.session)[-1:]:
        answer = rest.answer if len(rest.answer) >= _LITTLE_CHARS or not begun.answer else begun.answer
        files, failed = ([*dict.fromkeys(before + more)] for before, more in zip(begun[-2:], rest[-2:], strict=True))
        changed = "update episode set answer = ?, files = ?, failed = ? where id = ?"
        db.execute(changed, (answer, encoded(files), encoded(failed), begun.id))
        _index(db, begun.id)


def _index(db: sqlite3.Connection, key: str) -> None:
    for seq, words in rows.exchange_words(db, "id = ?", key):
        rows.index(db, seq, words, "episode")


def search(
    db: sqlite3.Connection,
    words: str,
    project: str | None,
    *,
    all_projects: bool = False,
    after: float | None = None,
    besides: Iterable[str] = (),
    limit: int = 3,
) -> list[Found]:
    """At most `limit` exchanges that match `words`, best first, without those that the memories `besides` came from."""
    query = parsed(words)
    since = query.after if query.after is not None else after
    given: list[tuple[str, object]] = [] if all_projects else [("episode.project is ?", project)]
    given += [("episode.at >= ?", since)] if since is not None else []
    given += [("exists (select 1 from json_each(episode.files) where lower(value) = ?)", query.file)] if query.file else []
    condition, values = " and ".join(["true", *(one for one, _ in given)]), [value for _, value in given]
    if not (asked := matches.index_query(db, query, "episode")).sought:
        if query.terms or query.phrases or not (query.file or since is not None):
            return []
        latest = _where(db, f"{condition} order by at desc, seq desc limit ?", *values, limit)
        return [Found(one, 1.0 / rank, weak=False) for rank, one in enumerate(latest, 1)]
    rows = matches.best_rows(db, asked.sought, (condition, values), max(12, 2 * limit), ranked=True, table="episode")
    hits = scored(rows, asked.weights)
    covered = {message for (message,) in among(db, "select message_id from evidence where memory_id in ({keys})", list(besides))}
    fetched = among(db, f"select seq, {_COLUMNS} from episode where seq in ({{keys}})", [hit.seq for hit in hits])
    by_seq = {seq: one for seq, *row in fetched if (one := _episode(row)).message_id not in covered}
    newest = {normalised(one.typed): one for one in sorted(by_seq.values(), key=lambda one: one.at)}  # what was asked again
    best = {normalised(by_seq[hit.seq].typed): hit for hit in reversed(hits) if hit.seq in by_seq}
    return [
        Found(newest[typed], hit.score, is_weak(hit, beyond_chance(hit, asked.surprises, asked.total, usual_words=60)))
        for typed, hit in sorted(best.items(), key=lambda pair: -pair[1].score)[:limit]
    ]


def around(db: sqlite3.Connection, key: str, *, seen_from: tuple[str | None] | None = None) -> list[Episode]:
    """The exchange whose id begins so, then its conversation; [] for none or several. `seen_from` limits the project."""
    here = "id >= ?1 and id < ?1 || char(0x10ffff) and (?2 or project is ?3) limit 2"
    asked = _where(db, here, key, seen_from is None, *(seen_from or (None,)))
    return [*asked, *kept(db, session=asked[0].session, project=asked[0].project)] if len(asked) == 1 and key else []


def move(db: sqlite3.Connection, ids: Sequence[str], project: str) -> None:
    """Puts exchanges into a project."""
    db.execute("update episode set project = ? where id in (select value from json_each(?))", (project, encoded([*ids])))


def drop(db: sqlite3.Connection, ids: Sequence[str]) -> int:
    """Deletes exchanges with their words in the index, those at their neighbours too: how many."""
    held = list(among(db, "select seq, session from episode where id in ({keys})", ids))
    for seq, _ in held:
        rows.index(db, seq, None, "episode")
        db.execute("delete from episode where seq = ?", (seq,))
    for one in (one for session in {session for _, session in held} for one in kept(db, session=session)):
        _index(db, one.id)
    if held:
        db.execute("insert into episode_fts (episode_fts) values ('optimize')")  # no word stays behind in an old segment
    return len(ids)


def forget(db: sqlite3.Connection, ids: Sequence[str]) -> int:
    """The same, with tombstones: they do not come back when they are read again."""
    change_log.add_tombstones(db, ids, 0.0)
    return drop(db, ids)


def expire(db: sqlite3.Connection, now: float) -> int:
    """Deletes what is older than 180 days on which its project was worked on, or beyond the newest 5,000 of it: how many."""
    # The day before which there are so many of work; outside of projects every day is one.
    day = "select day from workday where workday.project = known.project order by day desc limit 1 offset ?1"
    ranked = "select id, project, at, row_number() over (partition by project order by at desc) as number from episode"
    gone = f"number > ?2 or at < iif(project is null, ?3 - ?1 * ?4, ifnull(({day}), 0) * ?4)"
    return drop(db, column(db, f"select id from ({ranked}) as known where {gone}", 180, 5_000, now, DAY_S))


# What two messages share: the weight of the shared words, times its share of all their words' weight.
AGAIN, AGAIN_HERE = 3.6, 4.2  # said elsewhere; earlier in the same conversation, whose subject comes back with every turn
_SHARED_WORDS = 3
_PATH = re.compile(  # a link, a command of the client, or a path
    r"https?://\S+|(?<!\S)[/@][\w:-]+(?!\S)|(?<!\w)(?:[@~]?/|@)[\w.-]+/\S*|(?<![\w/.$-])[\w.$-]+/[\w./-]+\.[a-z]{1,5}\b"
)
_ONE_PLACE = re.compile(r"^\s*https?://|\w\.\w+:\d")  # a message that opens with a link or names a line is about that place alone
_CONTRAST = late(rf"(?:[,;，、；]\s?|\s)(?i:{any_of(word_list('words_of_contrast'))})(?:\s|(?=[^\x00-\u2e7f]))")
_THING = re.compile(r"https?://\S+|(?<![\w-])[\w-]++\.[a-zA-Z]{1,5}\b")  # a link or a file


def said_again(db: sqlite3.Connection, text: str, *, project: str, session: str, at: float) -> tuple[int, int]:
    """Where a sentence begins that says what was typed in another conversation or an hour ago, and in how many; else (-1, 0)."""
    if exchange(text):  # "we switched from X to Y" says nothing again
        return -1, 0
    mine = clauses(text, ())
    said = _statements(text, mine)
    if len(words := frozenset[str]().union(*said.values())) < _SHARED_WORDS:
        return -1, 0
    near = (found.episode for found in search(db, text, project, limit=20))
    earlier = [one for episode in near if (one := _earlier(episode, text, mine, words, session=session, at=at))]
    if not earlier:
        return -1, 0
    every = matches.last_number(db, "episode") + 30  # more, as if a young store held others
    holding = matches.holders(db, words.union(*(other for other, *_ in earlier)), "episode")
    weight = {word: max(0.0, log(every / max(1, count))) for word, count in holding.items()}  # nats: more in fewer exchanges

    def worth(some: Iterable[str]) -> float:
        return sum(weight[word] for word in some)

    fits = [
        (2 * worth(words & other) ** 2 / (worth(words) + worth(other)) / least, words & other, typed, where)
        for other, least, typed, where in earlier
    ]
    _, shared, typed, _ = max(fits)
    start = max(said, key=lambda start: worth(said[start] & shared))
    things = _THING.findall(next(clause.text for clause in mine if clause.start <= start < clause.end))
    of_another = things and not any(thing in typed for thing in things)  # what is asked of a file is asked of that one
    mostly = worth(said[start] & shared) >= 0.4 * worth(said[start])  # else something is asked beside what was asked before
    times = len({where for one, *_, where in fits if one >= 1}) if mostly and not of_another else 0
    return (start, times) if times else (-1, 0)


def _earlier(
    episode: Episode, text: str, mine: Sequence[Clause], words: frozenset[str], *, session: str, at: float
) -> tuple[frozenset[str], float, str, str] | None:
    """The words of an exchange that says the same as a text, the least worth of what they share, what was typed, and where."""
    theirs = clauses(episode.typed, ())
    other = frozenset[str]().union(*_statements(episode.typed, theirs).values())
    elsewhere = episode.session != session and episode.at <= at
    same = len(words & other) >= _SHARED_WORDS and is_negative(episode.typed) is is_negative(text)
    new, known = ([normalised(one.text).split() for one in every] for every in (mine, theirs))
    # It is sent again, or with another word in a place or two: a rule beside the one about main.
    of_one_form = new == known or any(_is_filled_otherwise(one, each) for one in new for each in known)
    if not same or of_one_form or not (elsewhere or episode.at <= at - 3_600.0):
        return None
    return other, AGAIN if elsewhere else AGAIN_HERE, episode.typed, episode.session


def is_brief(text: str) -> bool:
    """Whether a message says a thing or two; whoever types more describes or pastes something."""
    return len(text) <= 450 and text.count("\n") < 5


def _is_filled_otherwise(one: list[str], other: list[str]) -> bool:
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    same = sum(end - start for tag, start, end, _, _ in blocks if tag == "equal")
    filled = [(end - start, until - begin) for tag, start, end, begin, until in blocks if tag != "equal"]
    few = bool(filled) and all(min(pair) > 0 and max(pair) <= 3 for pair in filled)
    return few and 2 * same >= max(len(one), len(other))


def _statements(text: str, sentences: Sequence[Clause]) -> dict[int, frozenset[str]]:
    """By offset the telling words of each part of a short message's sentences; no links, questions and "the current" thing."""
    return {
        clause.start + at: frozenset(word for word in stems(_PATH.sub(" ", part)) if len(word) > 2)
        for clause in (sentences if is_brief(text) and not _ONE_PLACE.search(text) else ())
        if not clause.text.rstrip().endswith(QUESTION_MARKS) and not is_from_now(clause.text)
        for at, part in _parts(clause.text)
    }


def _parts(sentence: str) -> Iterator[tuple[int, str]]:
    """What a sentence asks and what it adds behind a "but", each with its offset: one may be of today, the other a habit."""
    at = 0
    for match in _CONTRAST.finditer(sentence):
        yield at, sentence[at : match.start()]
        at = match.end()
    yield at, sentence[at:]
