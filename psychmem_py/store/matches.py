"""Which memories answer a question, and how well: FTS5 finds and pre-orders, `core.ranking` decides, hard filters hold.

Says which by number alone, so that a prompt is answered without what makes memories of rows; `store.search` brings the memories.
No row cap. What is capped is work: when a question's words are in more than `pruned_rows` rows, the commonest of them no longer
open rows; they still count in the rows that rarer words opened.
"""

from __future__ import annotations

from psychmem_py.model.light_record import NamedTuple
from psychmem_py.model.recall_settings import Retrieval
from psychmem_py.recall.query import INTENT_FACTOR, parsed
from psychmem_py.recall.ranking import MARK, UNASKED, Row, prior, rarity, scored
from psychmem_py.text.light_json import decoded
from psychmem_py.text.spelling import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from psychmem_py.recall.query import Query
    from psychmem_py.recall.ranking import Scored

FOUND = ("active", "promoted", "decayed")  # statuses; fading lowers rank only: what has decayed is still found
DEFAULTS = Retrieval()

_STEEPER = 2.4  # FTS5's k1 is 1.2; weights times 2.4 make it 0.5: which words are there says more than how often
_FEW = 240  # rows that are ordered exactly without asking FTS5 which are the best: 20 µs each
_POOL = 60  # of more rows, so many
_CHUNK = 500  # parameters of one statement
_TYPED_CHARS = 5  # shorter unknown words are not looked up in other spellings


class Match(NamedTuple):
    """A memory that answers a question, by its number in the index."""

    seq: int
    id: str
    score: float  # higher is better; comparable within one answer
    found: Scored  # which words of the question are in it, and where


class Told(NamedTuple):
    """A memory as far as it is told."""

    id: str
    text: str
    kind: str
    updated_at: float
    names: tuple[str, ...]
    metadata: tuple[tuple[str, str], ...]


class _Place(NamedTuple):
    """Where an answer may come from."""

    project: str | None
    all_projects: bool
    statuses: Collection[str]
    query: Query
    after: float | None


def matches(
    db: sqlite3.Connection,
    query: str,
    *,
    project: str | None,
    all_projects: bool = False,
    statuses: Collection[str] = FOUND,
    kinds: Collection[str] = (),
    after: float | None = None,
    limit: int = 10,
    now: float,
    retrieval: Retrieval = DEFAULTS,
) -> list[Match]:
    """At most `limit` memories that answer `query`, best first, scores falling. For filters in the text see `core.query`."""
    asked = parsed(query)
    if kinds:
        asked = asked._replace(kinds=asked.kinds & set(kinds) if asked.kinds else frozenset(kinds))
    place = _Place(project, all_projects, tuple(map(str, statuses)), asked, after if asked.after is None else asked.after)
    if not asked.terms and not asked.phrases:
        return _newest(db, place, limit)
    total, rows = _total(db), retrieval.pruned_rows
    holding = holders(db, [term for term, _ in asked.terms], total, rows)
    if not any(holding.values()) and not asked.phrases:
        asked = asked._replace(terms=_respelled(db, asked.terms))
        holding = holders(db, [term for term, _ in asked.terms], total, rows)
    weights = {term: weight * rarity(total, holding[term]) for term, weight in asked.terms}
    expression = _expression(asked.phrases, holding, rows)
    if not expression:
        return []
    weigh = (retrieval.weight_text, retrieval.weight_names, retrieval.weight_dates, retrieval.weight_context)
    pool = _pool(db, expression, place, max(_POOL, 2 * limit), weigh)
    for phrase in asked.phrases:
        weights |= {word: weights.get(word, 1.0) for word in phrase.split()}
    return _ordered(db, scored(pool, weights, weigh), asked.favoured, limit=limit, now=now, retrieval=retrieval)


def told(db: sqlite3.Connection, found: Sequence[Match]) -> list[Told]:
    """What is told of these memories, in their order."""
    marks = ", ".join("?" * len(found))
    query = f"select seq, id, text, class, updated_at, names, metadata from memory where seq in ({marks})"
    rows = {seq: _told(row) for seq, *row in db.execute(query, [one.seq for one in found])}
    return [rows[one.seq] for one in found]


def _told(row: Sequence[Any]) -> Told:
    key, text, kind, updated_at, names, metadata = row
    found: Any = decoded(names.encode()), decoded(metadata.encode())
    return Told(key, text, kind, updated_at, tuple(found[0]), tuple(found[1].items()))


def _total(db: sqlite3.Connection) -> int:
    return int(db.execute("select ifnull(max(seq), 0) from memory").fetchone()[0])


def holders(db: sqlite3.Connection, terms: Sequence[str], total: int, rows: int) -> dict[str, int]:
    """How many memories hold each term, counted up to a tenth of the store or `rows`, whichever is more: 0.1 µs a row."""
    most = max(rows, min(total // 10, 30_000))
    count = "select count(*) from (select 1 from memory_fts where memory_fts match ? limit ?)"
    return {term: int(db.execute(count, (_quoted(term), most)).fetchone()[0]) for term in terms}


def _quoted(term: str) -> str:
    return '"' + term.replace('"', "") + '"'


def _expression(phrases: Sequence[str], holding: Mapping[str, int], most: int) -> str:
    """The FTS5 query: rare words open rows, common ones count in them, phrases must be there. "" when no word is known."""
    known = sorted((term for term, rows in holding.items() if rows), key=lambda term: (holding[term], term))
    if phrases:
        needed = " AND ".join(_quoted(phrase) for phrase in phrases)
        return f"{needed} AND ({' OR '.join([*map(_quoted, phrases), *map(_quoted, known)])})"
    opening, rows = known[:1], holding[known[0]] if known else 0
    for term in known[1:]:
        rows += holding[term]
        if rows > most:
            break
        opening.append(term)
    every = " OR ".join(map(_quoted, known))
    if len(opening) == len(known):
        return every
    if len(opening) == 1 and holding[known[0]] >= most:  # only common words: where two of them meet
        return f"({_quoted(known[0])} AND {_quoted(known[1])}) AND ({every})"
    return f"({' OR '.join(map(_quoted, opening))}) AND ({every})"


def _pool(db: sqlite3.Connection, expression: str, place: _Place, size: int, weights: Sequence[float]) -> list[Row]:
    """The rows to be ordered exactly: all that the filters allow while these are few, else the best `size` of them by bm25."""
    few = _rows(db, expression, place, _FEW + 1)
    return few if len(few) <= _FEW else _rows(db, expression, place, size, weights)


def _rows(db: sqlite3.Connection, expression: str, place: _Place, most: int, weights: Sequence[float] = ()) -> list[Row]:
    """At most `most` allowed rows with a mark before each matched word; with weights the best by bm25.

    bm25 reads every row of every word of the query, 8 ms where words are in all of 100,000 memories. Sorting by the hidden column
    `rank` keeps FTS5 in charge: filters and marks are worked out for the rows that come out of the sort, until there are enough,
    and not for all that match.
    """
    conditions, values = _conditions(place)
    ranked = f"and memory_fts.rank match 'bm25({', '.join(str(_STEEPER * weight) for weight in weights)})'" if weights else ""
    order = "order by memory_fts.rank" if weights else ""
    marks = ", ".join(f"highlight(memory_fts, {column}, '{MARK}', '')" for column in range(4))
    rows = db.execute(
        f"""
        select memory_fts.rowid, {marks}
        from memory_fts
        cross join memory on memory.seq = memory_fts.rowid
        where memory_fts match ?
          {ranked}
          and {conditions}
        {order}
        limit ?
        """,
        [expression, *values, most],
    )
    return [Row(seq, (text, names, dates, context)) for seq, text, names, dates, context in rows]


def _conditions(place: _Place) -> tuple[str, list[object]]:
    """The hard filters as SQL on `memory`."""
    asked = place.query
    marks = ", ".join("?" * len(place.statuses))
    clauses, values = [f"+memory.status in ({marks})"], list[object](place.statuses)
    if not place.all_projects:
        clauses.append("(memory.project is null or +memory.project = ?)")
        values.append(place.project)
    if asked.kinds:
        clauses.append(f"+memory.class in ({', '.join('?' * len(asked.kinds))})")
        values += sorted(asked.kinds)
    if asked.scope:
        clauses.append("+memory.scope = ?")
        values.append(str(asked.scope))
    if place.after is not None:
        clauses.append("memory.created_at >= ?")
        values.append(place.after)
    for tag in sorted(asked.tags):
        clauses.append("exists (select 1 from json_each(memory.tags) where lower(value) = ?)")
        values.append(tag)
    return " and ".join(clauses), values


def _newest(db: sqlite3.Connection, place: _Place, limit: int) -> list[Match]:
    """What filters alone ask for, the newest first."""
    conditions, values = _conditions(place)
    rows = db.execute(
        f"select seq, id from memory where {conditions} order by created_at desc, seq desc limit ?", [*values, limit]
    )
    return [Match(seq, key, 1.0 / place_in, UNASKED) for place_in, (seq, key) in enumerate(rows, 1)]


def _ordered(
    db: sqlite3.Connection, found: Sequence[Scored], favoured: Collection[str], *, limit: int, now: float, retrieval: Retrieval
) -> list[Match]:
    """The final order: exact scores with the priors of strength, age and intent."""
    rows: dict[int, tuple[str, str, float, float]] = {}
    for some in _chunks([one.seq for one in found]):
        marks = ", ".join("?" * len(some))
        query = f"select seq, id, class, strength, created_at from memory where seq in ({marks})"
        rows |= {seq: row for seq, *row in db.execute(query, some)}
    answer = []
    for one in found:
        key, kind, strength, created_at = rows[one.seq]
        factor = prior(strength, now - created_at, retrieval) * (INTENT_FACTOR if kind in favoured else 1.0)
        answer.append(Match(one.seq, key, one.score * factor, one))
    return sorted(answer, key=lambda match: (-match.score, match.id))[:limit]


def _chunks(seqs: Sequence[int]) -> Iterator[Sequence[int]]:
    return (seqs[i : i + _CHUNK] for i in range(0, len(seqs), _CHUNK))


def _respelled(db: sqlite3.Connection, terms: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """The terms with unknown words replaced by words of the index that they may be slips of."""
    found: dict[str, float] = {}
    for term, weight in terms:
        near = list[str]()
        if len(term) >= _TYPED_CHARS:
            known = db.execute("select term from memory_terms where term >= ? and term < ?", (term[:2], term[:2] + "\U0010ffff"))
            near = nearest(term, (word for (word,) in known))
        found |= dict.fromkeys(near or [term], weight)
    return tuple(found.items())
