"""Which memories answer a question, by number, and how well: FTS5 finds, `recall.ranking` decides, hard filters hold. No row cap,
but work is capped: of a question's words in over `MOST_OPENED` rows the commonest count only in rows that rarer ones open.
"""

from __future__ import annotations

import math
from _collections_abc import Collection, Iterable, Mapping, Sequence

from psychmem_py.model.light_record import LIVE, NamedTuple
from psychmem_py.recall import ranking
from psychmem_py.recall.query import INTENT_FACTOR, Query, parsed, unasked
from psychmem_py.recall.ranking import NO_WORD, Marked, Scored, rarity
from psychmem_py.store.sqlite import among, column, sqlite3, value
from psychmem_py.text.likeness import LONGEST_ENDING, family, nearest, unstemmed

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
_FAMILY_SHARE = 0.5  # of a word's weight, for another word of its family


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
    worth: float = -math.inf  # nats beyond chance; words that cannot make so many need not be looked for by themselves
    related: bool = False  # also by other words of a word's family


class Match(NamedTuple):
    """A memory that answers a question, by its number in the index."""

    seq: int
    id: str
    score: float  # higher is better; comparable within one answer
    words: Scored  # which words of the question are in it, and where
    beyond: float  # nats by which it fits better than chance would have it; see `recall.ranking`


def matches(db: sqlite3.Connection, question: Question) -> list[Match]:
    """At most `question.limit` memories that answer it, best first, scores falling. Filters in the text: see `recall.query`."""
    query, question = _narrowed(question)
    if not query.terms and not query.phrases:
        # A word, if only of grammar, or a filter. Signs alone ask for nothing.
        asks = any(map(str.isalnum, question.text)) or query.kinds or query.file or question.after is not None
        return _newest(db, query, question) if question.asked and asks else []
    made = index_query(db, query, question)
    if not made.sought:
        return []
    condition = _conditions(query, question)
    few, pool = (_FEW, _POOL) if question.asked else (_FEW_UNASKED, _POOL_UNASKED)
    rows: list[Marked] | None = None  # all that the filters allow while these are few, else the best by bm25
    if question.asked or made.rows <= few:
        rows = best_rows(db, made.sought, condition, few + 1)
    if rows is None or len(rows) > few:
        rows = best_rows(db, made.sought, condition, max(pool, 2 * question.limit), COLUMN_WEIGHTS)
    return [
        match._replace(beyond=ranking.beyond_chance(match.words, made.surprises, made.total))
        for match in _ordered(db, ranking.scored(rows, made.weights, COLUMN_WEIGHTS), query.favoured, question)
    ]


class IndexQuery(NamedTuple):
    """A question's words as an index knows them."""

    sought: str  # the FTS5 query; "" when no word is known
    rows: int  # that it opens, at most
    weights: Mapping[str, float]  # of its words: rarity times importance
    surprises: Mapping[str, float]
    total: int


def index_query(db: sqlite3.Connection, query: Query, question: Question, table: str = "memory") -> IndexQuery:
    """What to look for in the index of `table`, which is "memory" or "episode", and what each word is worth there."""
    total = last_number(db, table)
    terms = dict(query.terms)
    holding = holders(db, terms, table)
    enough = table == "episode" and sum(map(bool, holding.values())) > _ENOUGH
    if not (query.phrases or enough) and (slips := _typo_fixes(db, holding, table)):
        terms = {slips.get(term, term): weight for term, weight in terms.items()}
        holding = holders(db, terms, table)
    if not question.asked:
        holding = {term: count for term, count in holding.items() if count < _most(total)}
    if table == "episode":
        # Without the words that an eighth of the rows hold, where rarer ones are enough: bm25 would read each of those rows.
        rarer = {term: rows for term, rows in holding.items() if rows < max(_FEW, total / 8)}
        holding = rarer if sum(map(bool, rarer.values())) >= _ENOUGH else holding
    weights = {term: weight * rarity(total, holding[term]) for term, weight in terms.items() if term in holding}
    if question.related:  # also known words of the same family, each for less than the word itself
        others = {other: term for term in holding for other in family(term) if other not in holding}
        known = {other: rows for other, rows in holders(db, others, table).items() if rows}
        holding |= known
        weights |= {other: _FAMILY_SHARE * min(weights[others[other]], rarity(total, rows)) for other, rows in known.items()}
    surprises = {term: ranking.surprise(total, rows) for term, rows in holding.items()}
    telling = ranking.required_terms(surprises, total, question.worth)
    opened_by = rarest_terms({term: count for term, count in holding.items() if term in telling})
    sought = _expression(query.phrases, holding, opened_by)
    for phrase in query.phrases:
        weights |= {word: weights.get(word, 1.0) for word in phrase.split()}
    return IndexQuery(sought, sum(holding[term] for term in opened_by), weights, surprises, total)


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
    """The number of the latest row, which is about how many there are."""
    return int(value(db, f"select ifnull(max(seq), 0) from {table}"))


def _most(total: int) -> int:
    """Up to how many rows of a word are counted; a prompt does not look for commoner ones: bm25 would read each row."""
    return max(MOST_OPENED, min(total // 10, 30_000))


def holders(db: sqlite3.Connection, terms: Iterable[str], table: str = "memory") -> dict[str, int]:
    """How many memories hold each term, counted up to a tenth of the store or `MOST_OPENED`, whichever is more: 0.1 µs a row."""
    counted = f"select count(*) from (select 1 from {table}_fts where {table}_fts match ? limit ?)"
    most = _most(last_number(db, table))
    return {term: value(db, counted, quoted(term), most) for term in terms}


_ENOUGH = 3  # known words of a question to exchanges, which hold four times the words of a memory


def quoted(term: str) -> str:
    """A word or phrase as FTS5 takes it literally."""
    return '"' + term.replace('"', "") + '"'


def rarest_terms(holding: Mapping[str, int], most: int = MOST_OPENED) -> list[str]:
    """The words whose rows are read: the rarest, up to `most` rows together; always at least one."""
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


def best_rows(  # noqa: PLR0917
    db: sqlite3.Connection, sought: str, condition: _Condition, most: int, weights: Sequence[float] = (), table: str = "memory"
) -> list[Marked]:
    """At most `most` allowed rows with a mark before each matched word; with weights the best by bm25. Sorting by the hidden
    column `rank` keeps FTS5 in charge: filters and marks are worked out only for rows that come out of the sort.
    """
    conditions, values = condition
    fts = f"{table}_fts"
    ranked = f"and {fts}.rank match 'bm25({', '.join(str(_STEEPER * weight) for weight in weights)})'" if weights else ""
    marks = ", ".join(f"highlight({fts}, {column}, '{ranking.MARK}', '')" for column in range(4))
    return db.execute(
        f"select {fts}.rowid, {marks} from {fts} cross join {table} on {table}.seq = {fts}.rowid"
        f" where {fts} match ? {ranked} and {conditions} {f'order by {fts}.rank' if weights else ''} limit ?",
        [sought, *values, most],
    ).fetchall()


def _conditions(query: Query, question: Question) -> _Condition:
    statuses, kinds = list(map(str, question.statuses)), sorted(query.kinds)
    named = (
        "exists (select 1 from (select value from json_each(memory.names) union all"
        " select value from json_each(memory.metadata) where key = 'file') where '/' || lower(value) like '%/' || ?)"
    )
    an_item = "instr(', ' || lower(value) || ', ', ', ' || ? || ', ')"
    field = f"exists (select 1 from json_each(memory.metadata) where lower(key) = ? and {an_item})"
    given: list[tuple[object, str, Sequence[object]]] = [
        (True, f"+memory.status in ({', '.join('?' * len(statuses))})", statuses),
        (not question.all_projects, "(memory.project is null or +memory.project = ?)", [question.project]),
        (kinds, f"+memory.class in ({', '.join('?' * len(kinds))})", kinds),
        (query.scope, "+memory.scope = ?", [query.scope]),
        (question.after is not None, "memory.created_at >= ?", [question.after]),
        (query.tier, "+memory.tier = ?", [query.tier]),
        (not query.tier, "+memory.tier != 'deprecated'", []),
        (query.file, f"({named} or instr(lower(memory.text), ?))", [query.file, query.file]),
        *((True, field, pair) for pair in query.metadata),
        *((True, "exists (select 1 from json_each(memory.tags) where lower(value) = ?)", [tag]) for tag in sorted(query.tags)),
    ]
    chosen = [(condition, values) for wanted, condition, values in given if wanted]
    return " and ".join(condition for condition, _ in chosen), [value for _, values in chosen for value in values]


def _newest(db: sqlite3.Connection, query: Query, question: Question) -> list[Match]:
    conditions, values = _conditions(query, question)
    newest = f"select seq, id from memory where {conditions} order by created_at desc, seq desc limit ?"
    rows = db.execute(newest, [*values, question.limit])
    return [Match(seq, id_, 1.0 / rank, NO_WORD, math.inf) for rank, (seq, id_) in enumerate(rows, 1)]


def _ordered(db: sqlite3.Connection, candidates: Sequence[Scored], favoured: Collection[str], question: Question) -> list[Match]:
    """The final order: exact scores with priors of strength, age and intent; if asked also of tier, constitutional first."""
    query = "select seq, id, class, strength, created_at, tier, status from memory where seq in ({keys})"
    rows = {seq: row for seq, *row in among(db, query, [words.seq for words in candidates])}
    answer: list[Match] = []
    always: list[str] = []
    for words in candidates:
        id_, kind, strength, created_at, tier, status = rows[words.seq]
        factor = ranking.prior(strength, question.now - created_at) * (INTENT_FACTOR if kind in favoured else 1.0)
        if question.asked:
            factor *= (_PROMOTED if status == "promoted" else 1.0) * TIER_FACTOR.get(tier, 1.0)
        answer.append(Match(words.seq, id_, words.score * factor, words, -math.inf))
        always += [id_] if tier == ALWAYS_FIRST and question.asked else []
    best = max((match.score for match in answer if match.id not in always), default=0.0)
    answer = [match._replace(score=match.score + best) if match.id in always else match for match in answer]
    return sorted(answer, key=lambda match: (-match.score, match.id))[: question.limit]


_TYPED_CHARS = 5  # shorter unknown words are not looked up in other spellings
_SLIPS = 12  # words of a question in which slips are mended; a longer one has words enough without


def _typo_fixes(db: sqlite3.Connection, terms: Mapping[str, int], table: str) -> dict[str, str]:
    """For unknown words among `terms` (with how many rows hold each) the known words they may be slips of."""
    texts = {}
    for term, holding in terms.items() if len(terms) <= _SLIPS else ():
        if not holding and len(term) >= _TYPED_CHARS and term.isascii() and term.isalpha():
            alike = f"select term from {table}_terms where term >= ?1 and term < ?1 || char(0x10ffff) and length(term) between ?2 and ?3"
            stems = nearest(term, column(db, alike, term[:2], len(term) - LONGEST_ENDING - 1, len(term) + 1))
            # Of each stem a word that the index finds by it.
            words = (word for stem in stems for word in unstemmed(stem)[:4])
            if meant := next((word for word in words if holders(db, [word], table)[word]), None):
                texts[term] = meant
    return texts
