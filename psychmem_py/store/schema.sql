-- The schema and its history: PRAGMA user_version is the number of migrations applied. A released one is never edited; a change is a new one at
-- the end, and SCHEMA in sqlite.py. Times are UTC seconds; all tables are STRICT. A semicolon at the end of a line ends a statement: a
-- trigger stands on one line.

-- migration 1
create table meta (
    key text primary key,                -- device_id, nonce_secret, hlc, created_at
    value text not null
) strict;
create table project (
    id text primary key,                 -- "id:…" from .psychmem.toml, "git:host/path", "dir:/abs/common/dir"
    name text not null,                  -- shown to people: last part of the path or remote
    root text not null,                  -- main work tree where it was last seen
    seen_at real not null
) strict;
create table session (
    id text primary key,                 -- the agent's own session id
    agent text not null,                 -- "claude-code", "opencode"
    project text,                        -- project id
    transcript text not null default '', -- path, or "" when the text comes otherwise
    watermark integer not null default 0,-- bytes (Claude Code) or messages (OpenCode) already extracted
    head text not null default '',       -- hash of the transcript's first bytes: tells rotation from growth
    failed_from integer,                 -- watermark of a span whose extraction failed once; null: none
    failed_to integer,
    failed_times integer not null default 0, -- how often it was begun and not finished
    last_message text not null default '',  -- hash of the last assistant text taken from the event, before the file had it
    stops integer not null default 0,    -- extractions run
    started_at real not null,
    seen_at real not null
) strict;
create table seen_message (
    key text primary key,                -- record uuid, or content hash where ids are copied (fork): nothing is extracted twice
    session text not null,
    at real not null
) strict, without rowid;

create table memory (
    seq integer primary key,             -- rowid of the index
    id text not null unique,
    text text not null,
    class text not null,
    scope text not null check (scope in ('user', 'project')),
    project text,                        -- project id; null exactly when scope is user
    store text not null check (store in ('stm', 'ltm')),
    tier text not null,
    status text not null,
    pinned integer not null default 0,
    origin text not null,
    importance real not null,
    utility real not null,
    novelty real not null,
    confidence real not null,
    interference real not null,
    strength real not null,              -- at anchor_at, in [0, 1]
    use_count integer not null default 0,
    session_count integer not null default 1,
    created_at real not null,
    updated_at real not null,
    anchor_at real not null,             -- forgetting counts from here
    expires_at real,                     -- null: never
    hash text not null,                  -- of the normalised text
    language text not null default '',
    agent text not null default '',
    session text not null default '',
    tags text not null default '[]',     -- JSON list
    names text not null default '[]',    -- JSON list: files, identifiers, people
    context text not null default '',    -- at most 160 characters of each neighbouring message
    metadata text not null default '{}', -- JSON object of strings
    check ((scope = 'user') = (project is null))
) strict;
create unique index memory_once on memory (hash, class, ifnull(project, ''))
    where status in ('active', 'quarantined', 'promoted', 'decayed');
create index memory_hash on memory (hash);
create index memory_place on memory (project, status, class, strength);   -- the strongest of a class, for the brief
create index memory_latest on memory (project, status, class, anchor_at); -- the latest of a class
create index memory_always on memory (project) where pinned = 1 or tier = 'constitutional';

create table memory_search (             -- derived text of the index, cut for CJK and identifiers
    seq integer primary key references memory (seq) on delete cascade,
    text text not null,
    names text not null,
    dates text not null,
    context text not null
) strict;
-- Marks (Mn, Mc) are letters here: without them Devanagari words fall apart at every vowel sign.
create virtual table memory_fts using fts5 (
    text, names, dates, context,
    content = 'memory_search', content_rowid = 'seq',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
create virtual table memory_terms using fts5vocab (memory_fts, 'row');

create table evidence (
    seq integer primary key,
    memory_id text not null,
    at real not null,
    method text not null,                -- sweep, agent_quote, cli, tool, import, vote, touch, echo, review
    origin text not null,
    session text not null default '',
    message_id text not null default '',
    quote text not null default '',
    signals text not null default '[]'   -- JSON list of family names
) strict;
create index evidence_of on evidence (memory_id, at);
create index evidence_in on evidence (session, method) where method = 'echo';

create table link (
    source text not null,
    target text not null,
    type text not null,
    created_at real not null,
    primary key (source, target, type)
) strict, without rowid;
create index link_back on link (target);

create table change (                    -- append-only: what happened to every memory
    seq integer primary key,
    hlc text not null,                   -- hybrid logical clock: "<milliseconds>-<counter>-<device>"
    device text not null,
    batch text not null,                 -- one id for everything one command or extraction did
    at real not null,
    type text not null,
    memory_id text not null,
    before text,                         -- JSON of the row; null: it did not exist
    after text,                          -- JSON of the row; null: it does not exist any more
    reason text not null default '',
    detail text not null default '{}',   -- JSON: link, evidence method, who
    undoes integer                       -- seq of the change this one undoes
) strict;
create index change_of on change (memory_id, seq);
create index change_batch on change (batch);
create index change_undoes on change (undoes) where undoes is not null;
create trigger change_is_final before update on change begin select raise(abort, 'the change log cannot be altered'); end;
create trigger change_stays before delete on change begin select raise(abort, 'the change log cannot be altered'); end;

create table candidate (                 -- waiting (uncertain) and rejected ones, for a few days
    seq integer primary key,
    session text not null,
    project text,
    text text not null,
    quote text not null,
    class text not null,
    scope text not null,
    origin text not null,
    gate text,                           -- null: waiting for a second mention
    reason text not null default '',
    importance real not null,
    confidence real not null,
    signals text not null default '[]',
    message_id text not null default '',
    hash text not null,
    language text not null default '',
    at real not null,
    batch text not null
) strict;
create index candidate_hash on candidate (hash);
create index candidate_age on candidate (at);

create table shown (                     -- the ledger of what each session has been shown; shown is not used
    session text not null,
    memory_id text not null,
    generation integer not null default 0,  -- rises with every compaction or resume, which may show again
    place text not null,                 -- brief, memory_md, prompt, subagent, edit, compaction
    at real not null,
    primary key (session, memory_id, generation)
) strict, without rowid;

create table event (                     -- drained tool uses, kept for a while
    id text primary key,
    session text not null,
    at real not null,
    tool text not null,
    ok integer not null,
    paths text not null default '[]',
    command text not null default '',
    error_class text not null default '',
    error_line text not null default ''
) strict;
create index event_of on event (session, at);

create table tombstone (                 -- purged texts: never learned again; keyed hashes only, no text
    digest text primary key,
    at real not null
) strict, without rowid;

-- migration 2
-- Until now nothing told what was heard once from what had been borne out: settled is what a person touched, what was said in two
-- conversations, and what was entered with words that code had found in what the person typed.
alter table memory add column standing text not null default 'heard' check (standing in ('heard', 'settled'));
create table workday (                   -- days on which a project was worked in: what is only heard fades by them
    project text not null,
    day integer not null,                -- days since 1970, UTC
    primary key (project, day)
) strict, without rowid;
insert or ignore into workday (project, day)
    select project, cast(seen_at / 86400 as integer) from session where project is not null;
update memory set standing = 'settled' where
    origin = 'user_cli' or pinned = 1 or tier not in ('normal', 'temporary') or session_count >= 2
    or id in (select memory_id from evidence where method in ('agent_quote', 'cli', 'vote', 'review'));

-- migration 3
-- What travels between machines. The operations of this store are read out of `change` when they are sent: that log is written with every
-- change anyway, so that nothing is written twice, and a hook costs the same whatever waits.
create table remote (
    name text primary key,
    url text not null,                   -- "file:///path", "postgresql://…"
    mine integer not null,               -- 1: all that write there are the person's own devices
    failed_times integer not null default 0, -- in a row
    tried_at real,                       -- null: never
    synced_at real,                      -- null: never
    fault text not null default ''       -- why the last time failed
) strict;
create table share (                     -- what may leave, and where to
    scope text not null check (scope in ('personal', 'project', 'team')),
    team text not null default '',
    project text not null default '',    -- project id; "" unless scope is project
    remote text not null,
    primary key (scope, team, project, remote)
) strict, without rowid;
create table operation (                 -- sent and received: a shared memory is the fold of its operations
    remote text not null,                -- where it came from; "" for this store's own
    device text not null,
    scope text not null, team text not null, project text not null,
    seq integer not null,                -- dense within (device, scope, team, project)
    hlc text not null,
    memory text not null,
    kind text not null,
    field text not null,
    value text,                          -- JSON; null where there is none, or it was purged
    origin text not null,
    emptied integer not null default 0,
    rank integer not null,               -- what it is worth here
    primary key (remote, device, scope, team, project, seq)
) strict, without rowid;
create index operation_of on operation (memory);
create table lane (                      -- how far a lane was read from a remote, or written to it
    remote text not null,
    device text not null,
    scope text not null, team text not null, project text not null,
    seq integer not null,
    author text not null default '',     -- whose device it is, as the remote says
    mine integer not null default 0,
    at real not null,                    -- when that last moved
    latest text not null default '',     -- the greatest hybrid time in it
    primary key (remote, device, scope, team, project)
) strict, without rowid;
create table dead_letter (               -- what came and could not be understood; it stops nobody
    remote text not null,
    device text not null,
    scope text not null, team text not null, project text not null,
    seq integer not null,
    why text not null,
    line text not null default '',       -- kept where a newer version may understand it
    at real not null,
    told integer not null default 0,     -- in a brief
    primary key (remote, device, scope, team, project, seq)
) strict, without rowid;
create table trusted_author (            -- whose rules need no review
    name text primary key,
    at real not null
) strict, without rowid;
create table purged (                    -- which shared memories were purged here, for the others to follow
    memory text primary key,
    hlc text not null,
    sent integer not null default 0
) strict, without rowid;

-- migration 4
-- Two words were one idea: `standing` said whether a memory was confirmed, and `store` said next to nothing. Now `store` says it. Rows of
-- the log are rewritten too, for an undo puts them back as they stand there.
update memory set store = case standing when 'settled' then 'ltm' else 'stm' end;
alter table memory drop column standing;
drop trigger if exists change_is_final;
update change set
    before = case when json_valid(before) then json_remove(json_set(before, '$.store',
        iif(json_extract(before, '$.standing') = 'heard', 'stm', 'ltm')), '$.standing') else before end,
    after = case when json_valid(after) then json_remove(json_set(after, '$.store',
        iif(json_extract(after, '$.standing') = 'heard', 'stm', 'ltm')), '$.standing') else after end;
create trigger change_is_final before update on change begin select raise(abort, 'the change log cannot be altered'); end;
update operation set field = 'store',
    value = case value when '"settled"' then '"ltm"' when '"heard"' then '"stm"' else value end
    where kind = 'put' and field = 'standing';

-- migration 5
-- What is known of the calls in a project: where a rule was said, what fails there by the way it is called, what is refused there.
create table touched (                   -- files that tools changed between one thing a person typed and the next
    seq integer primary key,
    message text not null,               -- key of what was typed
    path text not null,                  -- from the top of the work tree
    project text not null,
    session text not null,
    at real not null,                    -- of the last change
    unique (message, path)
) strict;
create index touched_in on touched (project, path, at);
create table failed_call (               -- commands called wrongly
    seq integer primary key,
    project text not null,
    form text not null,                  -- the words by which such a call is known
    session text not null, at real not null,
    fault text not null,                 -- "unrecognized subcommand"
    worked text not null default '',     -- what was run in its place; "" where nothing is known
    unique (project, form, session)
) strict;
create table call_count (                -- shell calls by program and subcommand
    seq integer primary key,
    project text not null,
    key text not null,                   -- "git push"
    ran integer not null,
    refused integer not null,
    sessions integer not null,           -- in which it was refused
    session text not null default '',    -- the last of them
    reason text not null default '',     -- the last one given that has the words of a rule
    memory text not null default '',     -- id of the rule that came of it
    unique (project, key)
) strict;

-- migration 6
-- A plain undo takes back a person's last command where they stand, so it must be known which batch was whose, and where. A candidate that
-- was answered stays, or nothing could put it back.
create table command (
    seq integer primary key,
    batch text not null unique,          -- of the changes it made, if any
    name text not null,                  -- "review": no word of a person's
    project text,                        -- id of the project where it was typed; null: in none
    who text not null,                   -- "claude-code", "opencode", "" for people
    session text not null,
    at real not null,
    undoes text not null,                -- the batch that an undo took back; "#12": a line of the log; "" for what is no undo
    after integer not null               -- the last line of the log before it
) strict;
create index command_undoes on command (undoes) where undoes != '';
create table candidate_was (             -- how a candidate stood before a batch answered it
    batch text not null,
    seq integer not null,
    gate text,                           -- as in `candidate`
    reason text not null,
    hash text not null,                  -- of its text: the number may be another one's by now
    primary key (batch, seq)
) strict, without rowid;

-- migration 7
-- What a person typed and no reader has seen yet, by its key alone: the words are read again where the agent keeps them.
alter table seen_message add column unread integer not null default 0; -- 1: typed, and not read yet
create index seen_unread on seen_message (session) where unread = 1;

-- migration 8
-- The short-term memory of a project: what was said, cut, with an index of the same columns as the memories' one.
create table episode (
    seq integer primary key, id text not null unique,
    project text,                        -- project id; null: said in no project
    session text not null,
    message_id text not null,            -- of what was typed: a reverted message takes its exchange along
    at real not null, typed text not null,
    answer text not null,                -- how the agent's answer ended
    files text not null, failed text not null,  -- JSON lists: base names of files edited, commands that failed
    opened_at real                       -- when a person or an agent last looked at it; null: never
) strict;
create index episode_of on episode (session, seq);
create index episode_in on episode (project, at);
create table episode_search (            -- derived text of the index, as in memory_search
    seq integer primary key references episode (seq) on delete cascade,
    text text not null, names text not null, dates text not null, context text not null
) strict;
create virtual table episode_fts using fts5 (
    text, names, dates, context, content = 'episode_search', content_rowid = 'seq',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
create virtual table episode_terms using fts5vocab (episode_fts, 'row');

-- migration 9
-- A name is whatever its writer calls itself, so whose rules need no review is said of a name at one remote.
create table trusted (remote text not null, name text not null, at real not null, primary key (remote, name)) strict, without rowid;
insert or ignore into trusted (remote, name, at)
    select lane.remote, name, trusted_author.at from trusted_author join lane on lane.author = name and not lane.mine;
drop table trusted_author;
alter table trusted rename to trusted_author;
