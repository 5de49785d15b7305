"""Which memories answer a question, by number, and how well: FTS5 finds, `recall.ranking` decides, hard filters hold."""

from __future__ import annotations

import math
from _collections_abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate

from psychmem_py.model.light_record import LIVE, NamedTuple
from psychmem_py.recall import ranking
from psychmem_py.recall.query import Query, parsed, unasked
from psychmem_py.store.sqlite import among, column, sqlite3, value
from psychmem_py.text.likeness import LONGEST_ENDING, nearest, unstemmed

MOST_OPENED = 1000  # rows one question may open; its commonest words only count in rows that rarer ones opened
_STEEPER = 2.4  # FTS5's k1 is 1.2; weights times 2.4 make it 0.5: which words are there says more than how often
_FEW = 240  # rows that are ordered exactly without asking FTS5 which are the best: 20 µs each
# Spec Kit's boosts; what is deprecated is not found at all. A prompt that asks nothing is answered by fit alone.
TIER_FACTOR = {"constitutional": 3.0, "critical": 2.0, "important": 1.5, "temporary": 0.5}
_Condition = tuple[str, list[object]]  # SQL on `memory`, and its values


class Question(NamedTuple):
    """What is looked for, where, and how many answers at most. Filters in the text (`class:`, `after:`) narrow it further."""

    text: str
    project: str | None  # the user's own memories and this project's
    now: float
    all_projects: bool = False
    statuses: Collection[str] = LIVE
    kinds: Collection[str] = ()  # () for all
    after: float | None = None  # made then or later
    limit: int = 10
    asked: bool = True  # False for a text that is no question to the memory: its quotes and colons are no filters


class Match(NamedTuple):
    """A memory that answers a question, by its number in the index."""

    seq: int
    id: str
    score: float  # higher is better; comparable within one answer
    words: ranking.Scored  # which words of the question are in it, and where
    beyond: float  # nats by which it fits better than chance would have it; see `recall.ranking`


def matches(db: sqlite3.Connection, question: Question) -> list[Match]:
    """At most `question.limit` memories that answer it, best first, scores falling. Filters in the text: see `recall.query`."""
    query, question = _narrowed(question)
    if not query.terms and not query.phrases:
        # A word, if only of grammar, or a filter. Signs alone ask for nothing.
        asks = any(map(str.isalnum, question.text)) or query.kinds or question.kinds or query.file or question.after is not None
        if not (question.asked and asks):
            return []
        conditions, values = _conditions(query, question)
        newest = f"select seq, id from memory where {conditions} order by created_at desc, seq desc limit ?"
        rows = db.execute(newest, [*values, question.limit])
        return [Match(seq, id_, 1.0 / rank, ranking.NO_WORD, math.inf) for rank, (seq, id_) in enumerate(rows, 1)]
    if not (made := index_query(db, query)).sought:
        return []
    few = made.rows <= _FEW and not query.phrases  # then all that the filters allow, else the best by bm25
    most = _FEW if few else max(60, 2 * question.limit)
    return _ordered(db, best_rows(db, made.sought, _conditions(query, question), most, ranked=not few), made, question)


class IndexQuery(NamedTuple):
    """A question's words as an index knows them."""

    sought: str  # the FTS5 query; "" when no word is known
    rows: int  # that it opens, at most
    weights: Mapping[str, float]  # of its words: rarity times importance
    surprises: Mapping[str, float]
    total: int


def index_query(db: sqlite3.Connection, query: Query, table: str = "memory") -> IndexQuery:
    """What to look for in the index of `table`, which is "memory" or "episode", and what each word is worth there."""
    total, terms = last_number(db, table), dict(query.terms)
    holding = holders(db, terms, table)
    if not query.phrases and (slips := _typo_fixes(db, holding, table)):
        terms = {slips.get(term, term): weight for term, weight in terms.items()}
        holding = holders(db, terms, table)
    weights = {term: weight * ranking.rarity(total, holding[term]) for term, weight in terms.items()}
    surprises = {term: ranking.surprise(total, rows) for term, rows in holding.items()}
    opened_by = rarest_terms(holding)
    sought = _expression(query.phrases, holding, opened_by)
    weights |= {word: weights.get(word, 1.0) for phrase in query.phrases for word in phrase.split()}
    return IndexQuery(sought, sum(holding[term] for term in opened_by), weights, surprises, total)


def _narrowed(question: Question) -> tuple[Query, Question]:
    """The question's text taken apart, and the question under the filters that stood in it."""
    query = parsed(question.text) if question.asked else unasked(question.text)
    return query, question if query.after is None else question._replace(after=query.after)


def allowed(db: sqlite3.Connection, question: Question, ids: Sequence[str]) -> list[str]:
    """Those of the memories that the question's hard filters let through, in their order."""
    query, question = _narrowed(question)
    conditions, values = _conditions(query, question)
    permitted = {key for (key,) in among(db, f"select id from memory where id in ({{keys}}) and {conditions}", ids, *values)}
    return [one for one in ids if one in permitted]


def last_number(db: sqlite3.Connection, table: str = "memory") -> int:
    """The number of the latest row, which is about how many there are."""
    return int(value(db, f"select ifnull(max(seq), 0) from {table}"))


def holders(db: sqlite3.Connection, terms: Iterable[str], table: str = "memory") -> dict[str, int]:
    """How many memories, or exchanges, hold each term, counted up to 10,000 (0.1 µs each)."""
    counted = f"select count(*) from (select 1 from {table}_fts where {table}_fts match ? limit ?)"
    return {term: value(db, counted, quoted(term), 10_000) for term in terms}


def quoted(term: str) -> str:
    """A word or phrase as FTS5 takes it literally."""
    return '"' + term.replace('"', "") + '"'


def rarest_terms(holding: Mapping[str, int], most: int = MOST_OPENED) -> list[str]:
    """The words whose rows are read: the rarest, up to `most` rows together; always at least one."""
    terms = _rarest_first(holding)
    together = accumulate(holding[term] for term in terms)
    return [term for at, (term, rows) in enumerate(zip(terms, together, strict=True)) if not at or rows <= most]


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
    return f"({' OR '.join(map(quoted, opened))}) AND ({every})"


def best_rows(
    db: sqlite3.Connection, sought: str, condition: _Condition, most: int, *, ranked: bool = False, table: str = "memory"
) -> list[ranking.Marked]:
    """At most `most` allowed rows with a mark before each matched word; if `ranked` the best by bm25."""
    conditions, values = condition
    fts = f"{table}_fts"
    weights = ", ".join(str(_STEEPER * weight) for weight in ranking.COLUMN_WEIGHTS)
    best, order = (f"and {fts}.rank match 'bm25({weights})'", f"order by {fts}.rank") if ranked else ("", "")
    marks = ", ".join(f"highlight({fts}, {column}, '{ranking.MARK}', '')" for column in range(4))
    joined = f"{fts} cross join {table} on {table}.seq = {fts}.rowid"
    found = f"select {fts}.rowid, {marks} from {joined} where {fts} match ? {best} and {conditions} {order} limit ?"
    return db.execute(found, [sought, *values, most]).fetchall()


def _conditions(query: Query, question: Question) -> _Condition:
    statuses = list(map(str, question.statuses))
    names = "select value from json_each(memory.names) union all select value from json_each(memory.metadata) where key = 'file'"
    named = f"exists (select 1 from ({names}) where '/' || lower(value) like '%/' || ?)"
    an_item = "instr(', ' || lower(value) || ', ', ', ' || ? || ', ')"
    field = f"exists (select 1 from json_each(memory.metadata) where lower(key) = ? and {an_item})"
    given: list[tuple[object, str, Sequence[object]]] = [
        (True, f"+memory.status in ({', '.join('?' * len(statuses))})", statuses),
        (not question.all_projects, "(memory.project is null or +memory.project = ?)", [question.project]),
        (query.scope, "+memory.scope = ?", [query.scope]),
        (question.after is not None, "memory.created_at >= ?", [question.after]),
        (query.tier, "+memory.tier = ?", [query.tier]),
        (not query.tier, "+memory.tier != 'deprecated'", []),
        (query.file, f"({named} or instr(lower(memory.text), ?))", [query.file, query.file]),
        *((kinds, f"+memory.class in ({', '.join('?' * len(kinds))})", sorted(kinds)) for kinds in (query.kinds, question.kinds)),
        *((True, field, pair) for pair in query.metadata),
        *((True, "exists (select 1 from json_each(memory.tags) where lower(value) = ?)", [tag]) for tag in sorted(query.tags)),
    ]
    chosen = [(condition, values) for wanted, condition, values in given if wanted]
    return " and ".join(condition for condition, _ in chosen), [value for _, values in chosen for value in values]


def _ordered(db: sqlite3.Connection, found: Sequence[ranking.Marked], made: IndexQuery, question: Question) -> list[Match]:
    """The final order: exact scores with priors of strength and age; if asked also of tier, constitutional first."""
    candidates = ranking.scored(found, made.weights, dated=question.asked)
    query = "select seq, id, strength, created_at, tier, status from memory where seq in ({keys})"
    rows = {seq: row for seq, *row in among(db, query, [words.seq for words in candidates])}
    answer, always = list[Match](), list[Match]()
    for words in candidates:
        id_, strength, created_at, tier, status = rows[words.seq]
        factor = ranking.prior(strength, question.now - created_at)
        if question.asked:
            factor *= (1.2 if status == "promoted" else 1.0) * TIER_FACTOR.get(tier, 1.0)
        match = Match(words.seq, id_, words.score * factor, words, ranking.beyond_chance(words, made.surprises, made.total))
        (always if tier == "constitutional" and question.asked else answer).append(match)
    best = max((match.score for match in answer), default=0.0)
    answer += [match._replace(score=match.score + best) for match in always]
    return sorted(answer, key=lambda match: (-match.score, match.id))[: question.limit]


def _typo_fixes(db: sqlite3.Connection, terms: Mapping[str, int], table: str) -> dict[str, str]:
    """For unknown words among `terms` (with how many rows hold each) the known words they may be slips of."""
    texts = {}
    for term, holding in terms.items() if len(terms) <= 12 else ():  # a longer question has words enough without
        if not holding and len(term) >= 5 and term.isascii() and term.isalpha():
            alike = f"select term from {table}_terms where term >= ?1 and term < ?1 || char(0x10ffff) and length(term) between ?2 and ?3"
            stems = nearest(term, column(db, alike, term[:2], len(term) - LONGEST_ENDING - 1, len(term) + 1))
            words = (word for stem in stems for word in unstemmed(stem)[:4])  # of each stem a word that the index finds by it
            if meant := next((word for word in words if holders(db, [word], table)[word]), None):
                texts[term] = meant
    return texts
