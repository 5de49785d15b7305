"""Which memories answer a question, and how well: FTS5 finds and pre-orders, `recall.ranking` decides, hard filters hold.

Says which by number alone, so that a prompt is answered without what makes memories of rows; `store.search` brings the memories.
No row cap. What is capped is work: when a question's words are in more than `MOST_OPENED` rows, the commonest of them no longer
open rows; they still count in the rows that rarer words opened.
"""

from __future__ import annotations

import math

from psychmem_py.model.light_record import LIVE, NamedTuple
from psychmem_py.recall.query import INTENT_FACTOR, parsed, unasked
from psychmem_py.recall.ranking import (
    MARK,
    UNASKED,
    MarkedColumns,
    beyond_chance,
    prior,
    rarity,
    scored,
    surprise,
    without_the_idle,
)
from psychmem_py.store.sqlite import among
from psychmem_py.text.spelling import LONGEST_ENDING, family, nearest, unstemmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from psychmem_py.recall.query import Query
    from psychmem_py.recall.ranking import Scored

COLUMN_WEIGHTS = (1.0, 1.5, 0.7, 0.35)  # of text, names, date words, context in bm25: docs/recall.md
MOST_OPENED = 3000  # rows one question may open; its commonest words only count in rows that rarer ones opened
_STEEPER = 2.4  # FTS5's k1 is 1.2; weights times 2.4 make it 0.5: which words are there says more than how often
_FEW = 240  # rows that are ordered exactly without asking FTS5 which are the best: 20 µs each
_POOL = 60  # of more rows, so many
_POOL_UNASKED = 30
_FEW_UNASKED = 120  # rows in all, other projects' too: which of them the filters let through is not looked up first
# Spec Kit's boosts; what is deprecated is not found at all. A prompt that asks nothing is answered by fit alone.
TIER_FACTOR = {"constitutional": 3.0, "critical": 2.0, "important": 1.5, "temporary": 0.5}
ALWAYS_FIRST = "constitutional"
_PROMOTED = 1.2
_KIN = 0.5  # of a word's weight, for another word of its family


class Question(NamedTuple):
    """What is looked for, where, and how many answers at most. Filters in the text (`class:`, `after:`) only narrow it further."""

    text: str
    project: str | None  # the user's own memories and this project's
    now: float
    all_projects: bool = False
    statuses: Collection[str] = LIVE
    kinds: Collection[str] = ()  # () for all
    after: float | None = None  # made then or later
    limit: int = 10
    asked: bool = True  # False for a text that is no question to the memory: its quotes and colons are no filters
    worth: float = -math.inf  # nats beyond chance; words that cannot make so many need not be looked for by themselves
    kin: bool = False  # also by other words of a word's family


class Match(NamedTuple):
    """A memory that answers a question, by its number in the index."""

    seq: int
    id: str
    score: float  # higher is better; comparable within one answer
    words: Scored  # which words of the question are in it, and where
    beyond: float  # nats by which it fits better than chance would have it; see `recall.ranking`


def matches(db: sqlite3.Connection, question: Question) -> list[Match]:
    """At most `question.limit` memories that answer it, best first, scores falling. For filters in the text see `recall.query`."""
    query, question = _narrowed(question)
    if not query.terms and not query.phrases:
        return _newest(db, query, question) if question.asked and _is_question(query, question) else []
    made = weighed(db, query, asked=question.asked, kin=question.kin, worth=question.worth)
    if not made.sought:
        return []
    condition = _conditions(query, question)
    if question.asked:
        rows = _pool(db, made.sought, condition, max(_POOL, 2 * question.limit), COLUMN_WEIGHTS)
    else:
        few = made.rows <= _FEW_UNASKED
        size = _FEW_UNASKED if few else max(_POOL_UNASKED, 2 * question.limit)
        rows = best_rows(db, made.sought, condition, size, () if few else COLUMN_WEIGHTS)
    return [
        match._replace(beyond=beyond_chance(match.words, made.surprises, made.total))
        for match in _ordered(db, scored(rows, made.weights, COLUMN_WEIGHTS), query.favoured, question)
    ]


class Weighed(NamedTuple):
    """A question's words as an index knows them."""

    sought: str  # the FTS5 query; "" when no word is known
    rows: int  # that it opens, at most
    weights: Mapping[str, float]  # of its words: rarity times importance
    surprises: Mapping[str, float]
    total: int


def weighed(
    db: sqlite3.Connection,
    query: Query,
    *,
    asked: bool = True,
    kin: bool = False,
    worth: float = -math.inf,
    table: str = "memory",
) -> Weighed:
    """What to look for in the index of `table`, which is "memory" or "episode", and what each word is worth there."""
    total = last_number(db, table)

    def holding_of(words: Sequence[str]) -> dict[str, int]:
        return holders(db, words, total, table)

    terms = dict(query.terms)
    holding = holding_of(list(terms))
    enough = table == "episode" and sum(map(bool, holding.values())) > _ENOUGH
    if not (query.phrases or enough) and (slips := mended(db, holding, lambda word: holding_of([word])[word], table)):
        terms = {slips.get(term, term): weight for term, weight in terms.items()}
        holding = holding_of(list(terms))
    if not asked:
        holding = {term: count for term, count in holding.items() if count < _most(total)}
    if table == "episode":
        holding = _telling(holding, total)
    weights = {term: weight * rarity(total, holding[term]) for term, weight in terms.items() if term in holding}
    if kin:
        family_of = of_the_family(holding, lambda word: holding_of([word])[word])
        holding |= holding_of(list(family_of))
        weights |= {other: _KIN * min(weights[term], rarity(total, holding[other])) for other, term in family_of.items()}
    surprises = {term: surprise(total, rows) for term, rows in holding.items()}
    telling = without_the_idle(surprises, total, worth)
    opened_by = opening({term: count for term, count in holding.items() if term in telling})
    sought = _expression(query.phrases, holding, opened_by)
    for phrase in query.phrases:
        weights |= {word: weights.get(word, 1.0) for word in phrase.split()}
    return Weighed(sought, sum(holding[term] for term in opened_by), weights, surprises, total)


def _narrowed(question: Question) -> tuple[Query, Question]:
    """The question's text taken apart, and the question under the filters that stood in it."""
    query = parsed(question.text) if question.asked else unasked(question.text)
    kinds = frozenset(question.kinds)
    if kinds:
        query = query._replace(kinds=query.kinds & kinds if query.kinds else kinds)
    return query, question if query.after is None else question._replace(after=query.after)


def allowed(db: sqlite3.Connection, question: Question, ids: Sequence[str]) -> list[str]:
    """Those of the memories that the question's hard filters let through, in their order."""
    query, question = _narrowed(question)
    conditions, values = _conditions(query, question)
    permitted = {key for (key,) in among(db, f"select id from memory where id in ({{keys}}) and {conditions}", ids, *values)}
    return [one for one in ids if one in permitted]


def last_number(db: sqlite3.Connection, table: str = "memory") -> int:
    return int(db.execute(f"select ifnull(max(seq), 0) from {table}").fetchone()[0])


def _most(total: int) -> int:
    """Rows up to which the holders of a word are counted. A word with so many is no reason to show anything to somebody who did not
    ask: bm25 would read each of its rows, 20 µs a word and 1,000 memories.
    """
    return max(MOST_OPENED, min(total // 10, 30_000))


def holders(db: sqlite3.Connection, terms: Sequence[str], total: int, table: str = "memory") -> dict[str, int]:
    """How many memories hold each term, counted up to a tenth of the store or `MOST_OPENED`, whichever is more: 0.1 µs a row."""
    most = _most(total)
    count = f"select count(*) from (select 1 from {table}_fts where {table}_fts match ? limit ?)"
    return {term: int(db.execute(count, (quoted(term), most)).fetchone()[0]) for term in terms}


_ENOUGH = 3  # known words of a question to exchanges, which hold four times the words of a memory


def _telling(holding: Mapping[str, int], total: int) -> dict[str, int]:
    """Without the words that an eighth of the rows hold, where rarer ones are enough: bm25 would read each of those rows."""
    rarer = {term: rows for term, rows in holding.items() if rows < max(_FEW, total / 8)}
    return rarer if sum(map(bool, rarer.values())) >= _ENOUGH else dict(holding)


def quoted(term: str) -> str:
    return '"' + term.replace('"', "") + '"'


def opening(holding: Mapping[str, int], most: int = MOST_OPENED) -> list[str]:
    """The words whose rows are looked at: the rarest, until they open more than so many rows; the very rarest always."""
    opened: list[str] = []
    rows = 0
    for term in _rarest_first(holding):
        rows += holding[term]
        if opened and rows > most:
            break
        opened.append(term)
    return opened


def _rarest_first(holding: Mapping[str, int]) -> list[str]:
    """The words that any memory holds."""
    return sorted((term for term, rows in holding.items() if rows), key=lambda term: (holding[term], term))


def _expression(phrases: Sequence[str], holding: Mapping[str, int], opened: Sequence[str]) -> str:
    """The FTS5 query: `opened` words open rows, all others count in them, phrases must be there. "" when no word is known."""
    known = _rarest_first(holding)
    if phrases:
        needed = " AND ".join(quoted(phrase) for phrase in phrases)
        return f"{needed} AND ({' OR '.join([*map(quoted, phrases), *map(quoted, known)])})"
    every = " OR ".join(map(quoted, known))
    if not opened or len(opened) == len(known):
        return every if opened else ""
    if len(opened) == 1 and holding[opened[0]] >= MOST_OPENED:  # only common words: where two of them meet
        return f"({quoted(known[0])} AND {quoted(known[1])}) AND ({every})"
    return f"({' OR '.join(map(quoted, opened))}) AND ({every})"


_Condition = tuple[str, list[object]]  # SQL on `memory`, and its values


def _pool(db: sqlite3.Connection, sought: str, condition: _Condition, size: int, weights: Sequence[float]) -> list[MarkedColumns]:
    """The rows to be ordered exactly: all that the filters allow while these are few, else the best `size` of them by bm25."""
    every = best_rows(db, sought, condition, _FEW + 1)
    return every if len(every) <= _FEW else best_rows(db, sought, condition, size, weights)


def best_rows(  # noqa: PLR0917
    db: sqlite3.Connection, sought: str, condition: _Condition, most: int, weights: Sequence[float] = (), table: str = "memory"
) -> list[MarkedColumns]:
    """At most `most` allowed rows with a mark before each matched word; with weights the best by bm25.

    bm25 reads every row of every word of the query, 8 ms where words are in all of 100,000 memories. Sorting by the hidden column
    `rank` keeps FTS5 in charge: filters and marks are worked out for the rows that come out of the sort, until there are enough,
    and not for all that match.
    """
    conditions, values = condition
    ranked = f"and {table}_fts.rank match 'bm25({', '.join(str(_STEEPER * weight) for weight in weights)})'" if weights else ""
    order = f"order by {table}_fts.rank" if weights else ""
    marks = ", ".join(f"highlight({table}_fts, {column}, '{MARK}', '')" for column in range(4))
    rows = db.execute(
        f"""
        select {table}_fts.rowid, {marks}
        from {table}_fts
        cross join {table} on {table}.seq = {table}_fts.rowid
        where {table}_fts match ?
          {ranked}
          and {conditions}
        {order}
        limit ?
        """,
        [sought, *values, most],
    )
    return [MarkedColumns(seq, (text, names, dates, context)) for seq, text, names, dates, context in rows]


def _conditions(query: Query, question: Question) -> _Condition:
    """The hard filters."""
    statuses = tuple(map(str, question.statuses))
    clauses, values = [f"+memory.status in ({', '.join('?' * len(statuses))})"], list[object](statuses)
    if not question.all_projects:
        clauses.append("(memory.project is null or +memory.project = ?)")
        values.append(question.project)
    if query.kinds:
        clauses.append(f"+memory.class in ({', '.join('?' * len(query.kinds))})")
        values += sorted(query.kinds)
    if query.scope:
        clauses.append("+memory.scope = ?")
        values.append(str(query.scope))
    if question.after is not None:
        clauses.append("memory.created_at >= ?")
        values.append(question.after)
    if query.tier:
        clauses.append("+memory.tier = ?")
        values.append(query.tier)
    else:
        clauses.append("+memory.tier != 'deprecated'")
    if query.file:
        named = (
            "exists (select 1 from (select value from json_each(memory.names) union all"
            " select value from json_each(memory.metadata) where key = 'file') where '/' || lower(value) like '%/' || ?)"
        )
        clauses.append(f"({named} or instr(lower(memory.text), ?))")
        values += [query.file, query.file]
    for field in query.metadata:
        clauses.append("exists (select 1 from json_each(memory.metadata) where lower(key) = ? and lower(value) = ?)")
        values += field
    for tag in sorted(query.tags):
        clauses.append("exists (select 1 from json_each(memory.tags) where lower(value) = ?)")
        values.append(tag)
    return " and ".join(clauses), values


def _is_question(query: Query, question: Question) -> bool:
    """Whether it holds anything: a word, if only of grammar, or a filter. Signs alone ask for nothing."""
    return any(map(str.isalnum, question.text)) or bool(query.kinds or query.file) or question.after is not None


def _newest(db: sqlite3.Connection, query: Query, question: Question) -> list[Match]:
    """What filters alone ask for, the newest first."""
    conditions, values = _conditions(query, question)
    rows = db.execute(
        f"select seq, id from memory where {conditions} order by created_at desc, seq desc limit ?", [*values, question.limit]
    )
    return [Match(seq, id_, 1.0 / rank, UNASKED, math.inf) for rank, (seq, id_) in enumerate(rows, 1)]


def _ordered(db: sqlite3.Connection, candidates: Sequence[Scored], favoured: Collection[str], question: Question) -> list[Match]:
    """The final order: exact scores with the priors of strength, age and intent; in answer to a question also of tier.

    A constitutional memory that answers at all stands before all that are not.
    """
    query = "select seq, id, class, strength, created_at, tier, status from memory where seq in ({keys})"
    rows = {seq: row for seq, *row in among(db, query, [words.seq for words in candidates])}
    answer: list[Match] = []
    always: list[str] = []
    for words in candidates:
        id_, kind, strength, created_at, tier, status = rows[words.seq]
        factor = prior(strength, question.now - created_at) * (INTENT_FACTOR if kind in favoured else 1.0)
        if question.asked:
            factor *= (_PROMOTED if status == "promoted" else 1.0) * TIER_FACTOR.get(tier, 1.0)
        answer.append(Match(words.seq, id_, words.score * factor, words, -math.inf))
        always += [id_] if tier == ALWAYS_FIRST and question.asked else []
    best = max((match.score for match in answer if match.id not in always), default=0.0)
    answer = [match._replace(score=match.score + best) if match.id in always else match for match in answer]
    return sorted(answer, key=lambda match: (-match.score, match.id))[: question.limit]


_TYPED_CHARS = 5  # shorter unknown words are not looked up in other spellings
_SLIPS = 12  # words of a question in which slips are mended; a longer one has words enough without


def mended(
    db: sqlite3.Connection, terms: Mapping[str, int], count: Callable[[str], int], table: str = "memory"
) -> dict[str, str]:
    """For unknown words among `terms` (with how many memories hold each) the known words they may be slips of.

    `count` tells how many memories hold a word.
    """
    if len(terms) > _SLIPS:
        return {}
    texts = {}
    for term, holding in terms.items():
        if not holding and len(term) >= _TYPED_CHARS and term.isascii() and term.isalpha():
            stems = db.execute(
                f"select term from {table}_terms where term >= ? and term < ? and length(term) between ? and ?",
                (term[:2], term[:2] + "\U0010ffff", len(term) - LONGEST_ENDING - 1, len(term) + 1),
            )
            if meant := next(_words(nearest(term, (stem for (stem,) in stems)), count), None):
                texts[term] = meant
    return texts


def _words(stems: Iterable[str], count: Callable[[str], int]) -> Iterator[str]:
    """Of each stem a word that the index finds by it."""
    for stem in stems:
        yield from (word for word in unstemmed(stem)[:4] if count(word))


def of_the_family(terms: Iterable[str], count: Callable[[str], int]) -> dict[str, str]:
    """Known words of the same family as one of `terms`, each with that one."""
    asked = dict.fromkeys(terms)
    return {other: term for term in asked for other in family(term) if other not in asked and count(other)}
