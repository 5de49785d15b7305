CREATE TABLE meta (
    key text primary key,                -- device_id, nonce_secret, hlc, created_at
    value text not null
) strict;
CREATE TABLE project (
    id text primary key,                 -- "id:…" from .psychmem.toml, "git:host/path", "dir:/abs/common/dir"
    name text not null,                  -- shown to people: last part of the path or remote
    root text not null,                  -- main work tree where it was last seen
    seen_at real not null
) strict;
CREATE TABLE session (
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
CREATE TABLE seen_message (
    key text primary key,                -- record uuid, or content hash where ids are copied (fork): nothing is extracted twice
    session text not null,
    at real not null
, unread integer not null default 0) strict, without rowid;
CREATE TABLE memory (
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
CREATE UNIQUE INDEX memory_once on memory (hash, class, ifnull(project, ''))
    where status in ('active', 'quarantined', 'promoted', 'decayed');
CREATE INDEX memory_hash on memory (hash);
CREATE INDEX memory_place on memory (project, status, class, strength);
CREATE INDEX memory_latest on memory (project, status, class, anchor_at);
CREATE INDEX memory_always on memory (project) where pinned = 1 or tier = 'constitutional';
CREATE TABLE memory_search (             -- derived text of the index, cut for CJK and identifiers
    seq integer primary key references memory (seq) on delete cascade,
    text text not null,
    names text not null,
    dates text not null,
    context text not null
) strict;
CREATE VIRTUAL TABLE memory_fts using fts5 (
    text, names, dates, context,
    content = 'memory_search', content_rowid = 'seq',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE memory_terms using fts5vocab (memory_fts, 'row');
CREATE TABLE evidence (
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
CREATE INDEX evidence_of on evidence (memory_id, at);
CREATE INDEX evidence_in on evidence (session, method) where method = 'echo';
CREATE TABLE link (
    source text not null,
    target text not null,
    type text not null,
    created_at real not null,
    primary key (source, target, type)
) strict, without rowid;
CREATE INDEX link_back on link (target);
CREATE TABLE change (                    -- append-only: what happened to every memory
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
CREATE INDEX change_of on change (memory_id, seq);
CREATE INDEX change_batch on change (batch);
CREATE INDEX change_undoes on change (undoes) where undoes is not null;
CREATE TRIGGER change_stays before delete on change begin select raise(abort, 'the change log cannot be altered'); end;
CREATE TABLE candidate (                 -- waiting (uncertain) and rejected ones, for a few days
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
CREATE INDEX candidate_hash on candidate (hash);
CREATE INDEX candidate_age on candidate (at);
CREATE TABLE shown (                     -- the ledger of what each session has been shown; shown is not used
    session text not null,
    memory_id text not null,
    generation integer not null default 0,  -- rises with every compaction or resume, which may show again
    place text not null,                 -- brief, memory_md, prompt, subagent, edit, compaction
    at real not null,
    primary key (session, memory_id, generation)
) strict, without rowid;
CREATE TABLE event (                     -- drained tool uses, kept for a while
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
CREATE INDEX event_of on event (session, at);
CREATE TABLE tombstone (                 -- purged texts: never learned again; keyed hashes only, no text
    digest text primary key,
    at real not null
) strict, without rowid;
CREATE TABLE workday (                   -- days on which a project was worked in: what is only heard fades by them
    project text not null,
    day integer not null,                -- days since 1970, UTC
    primary key (project, day)
) strict, without rowid;
CREATE TABLE remote (
    name text primary key,
    url text not null,                   -- "file:///path", "postgresql://…"
    mine integer not null,               -- 1: all that write there are the person's own devices
    failed_times integer not null default 0, -- in a row
    tried_at real,                       -- null: never
    synced_at real,                      -- null: never
    fault text not null default ''       -- why the last time failed
) strict;
CREATE TABLE share (                     -- what may leave, and where to
    scope text not null check (scope in ('personal', 'project', 'team')),
    team text not null default '',
    project text not null default '',    -- project id; "" unless scope is project
    remote text not null,
    primary key (scope, team, project, remote)
) strict, without rowid;
CREATE TABLE operation (                 -- sent and received: a shared memory is the fold of its operations
    remote text not null,                -- where it came from; "" for this store's own
    device text not null,
    scope text not null,
    team text not null,
    project text not null,
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
CREATE INDEX operation_of on operation (memory);
CREATE TABLE lane (                      -- how far a lane was read from a remote, or written to it
    remote text not null,
    device text not null,
    scope text not null,
    team text not null,
    project text not null,
    seq integer not null,
    author text not null default '',     -- whose device it is, as the remote says
    mine integer not null default 0,
    at real not null,                    -- when that last moved
    latest text not null default '',     -- the greatest hybrid time in it
    primary key (remote, device, scope, team, project)
) strict, without rowid;
CREATE TABLE dead_letter (               -- what came and could not be understood; it stops nobody
    remote text not null,
    device text not null,
    scope text not null,
    team text not null,
    project text not null,
    seq integer not null,
    why text not null,
    line text not null default '',       -- kept where a newer version may understand it
    at real not null,
    told integer not null default 0,     -- in a brief
    primary key (remote, device, scope, team, project, seq)
) strict, without rowid;
CREATE TABLE purged (                    -- which shared memories were purged here, for the others to follow
    memory text primary key,
    hlc text not null,
    sent integer not null default 0
) strict, without rowid;
CREATE TRIGGER change_is_final before update on change begin select raise(abort, 'the change log cannot be altered'); end;
CREATE TABLE touched (                   -- files that tools changed between one thing a person typed and the next
    seq integer primary key,
    message text not null,               -- key of what was typed
    path text not null,                  -- from the top of the work tree
    project text not null,
    session text not null,
    at real not null,                    -- of the last change
    unique (message, path)
) strict;
CREATE INDEX touched_in on touched (project, path, at);
CREATE TABLE failed_call (               -- commands called wrongly
    seq integer primary key,
    project text not null,
    form text not null,                  -- the words by which such a call is known
    session text not null,
    at real not null,
    fault text not null,                 -- "unrecognized subcommand"
    worked text not null default '',     -- what was run in its place; "" where nothing is known
    unique (project, form, session)
) strict;
CREATE TABLE call_count (                -- shell calls by program and subcommand
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
CREATE TABLE command (
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
CREATE INDEX command_undoes on command (undoes) where undoes != '';
CREATE TABLE candidate_was (             -- how a candidate stood before a batch answered it
    batch text not null,
    seq integer not null,
    gate text,                           -- as in `candidate`
    reason text not null,
    hash text not null,                  -- of its text: the number may be another one's by now
    primary key (batch, seq)
) strict, without rowid;
CREATE INDEX seen_unread on seen_message (session) where unread = 1;
CREATE TABLE episode (
    seq integer primary key, id text not null unique,
    project text,                        -- project id; null: said in no project
    session text not null,
    message_id text not null,            -- of what was typed: a reverted message takes its exchange along
    at real not null, typed text not null,
    answer text not null,                -- how the agent's answer ended
    files text not null, failed text not null,  -- JSON lists: base names of files edited, commands that failed
    opened_at real                       -- when a person or an agent last looked at it; null: never
) strict;
CREATE INDEX episode_of on episode (session, seq);
CREATE INDEX episode_in on episode (project, at);
CREATE TABLE episode_search (            -- derived text of the index, as in memory_search
    seq integer primary key references episode (seq) on delete cascade,
    text text not null, names text not null, dates text not null, context text not null
) strict;
CREATE VIRTUAL TABLE episode_fts using fts5 (
    text, names, dates, context, content = 'episode_search', content_rowid = 'seq',
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
CREATE VIRTUAL TABLE episode_terms using fts5vocab (episode_fts, 'row');
CREATE TABLE "trusted_author" (                   -- whose rules need no review
    remote text not null,
    name text not null,
    at real not null,
    primary key (remote, name)
) strict, without rowid;
insert into meta values ('device_id', '336b9b54');
insert into meta values ('nonce_secret', 'f5bf948fcb2f040ae4ab133de17bafc6');
insert into meta values ('created_at', '1795274019.771158');
insert into meta values ('index_version', '3');
insert into meta values ('hlc', '1795274021402-000000-336b9b54');
insert into project values ('dir:/home/dev/shop', 'p', '/home/dev/shop', 1.79527402140230011944e+09);
insert into memory values (1, 'a9066d8e0866a3f4308730ed18d0afc5', 'Never commit directly to the main branch', 'constraint', 'project', 'dir:/home/dev/shop', 'ltm', 'normal', 'active', 0, 'user_cli', 0.9, 0.7, 1.0, 0.95, 0.0, 8.05154499349597152502e-01, 0, 1, 1.79527401977115797998e+09, 1.79527401977115797998e+09, 1.79527401977115797998e+09, NULL, '99c6f5d165a00ac6730ee4502af7b6d6', '', '', '', '[]', '[]', '', '{}');
insert into memory values (2, 'd2319cc0a1dfa12e65225a68fcb37885', 'We decided to store invoices in PostgreSQL', 'decision', 'project', 'dir:/home/dev/shop', 'ltm', 'normal', 'active', 0, 'user_cli', 0.9, 0.55, 1.0, 0.95, 0.0, 7.75154499349597125856e-01, 0, 1, 1.79527402140230011944e+09, 1.79527402140230011944e+09, 1.79527402140230011944e+09, NULL, 'f0ad0b8905fe0621f5f99df842f82db6', '', '', '', '[]', '[]', '', '{}');
insert into memory_search values (1, 'never commit directly to the main branch', '', '2026 november november2026 november21', '');
insert into memory_search values (2, 'we decided to store invoices in postgresql', '', '2026 november november2026 november21', '');
insert into evidence values (1, 'a9066d8e0866a3f4308730ed18d0afc5', 1.79527401977115797998e+09, 'cli', 'user_cli', '', '', 'Never commit directly to the main branch', '[]');
insert into evidence values (2, 'd2319cc0a1dfa12e65225a68fcb37885', 1.79527402140230011944e+09, 'cli', 'user_cli', '', '', 'We decided to store invoices in PostgreSQL', '[]');
insert into change values (1, '1795274019771-000000-336b9b54', '336b9b54', '10a883ffed824c249861373e8b49a098', 1.79527401977115797998e+09, 'add', 'a9066d8e0866a3f4308730ed18d0afc5', NULL, '{"id":"a9066d8e0866a3f4308730ed18d0afc5","text":"Never commit directly to the main branch","class":"constraint","scope":"project","project":"dir:/home/dev/shop","store":"ltm","origin":"user_cli","importance":0.9,"utility":0.7,"novelty":1.0,"confidence":0.95,"interference":0.0,"strength":0.8051544993495972,"created_at":1795274019.771158,"updated_at":1795274019.771158,"anchor_at":1795274019.771158}', '', '{"evidence":["a9066d8e0866a3f4308730ed18d0afc5",1795274019.771158,"cli","user_cli","","","Never commit directly to the main branch",[]]}', NULL);
insert into change values (2, '1795274021402-000000-336b9b54', '336b9b54', 'ac28cc5445b04585991a99158e62c63a', 1.79527402140230011944e+09, 'add', 'd2319cc0a1dfa12e65225a68fcb37885', NULL, '{"id":"d2319cc0a1dfa12e65225a68fcb37885","text":"We decided to store invoices in PostgreSQL","class":"decision","scope":"project","project":"dir:/home/dev/shop","store":"ltm","origin":"user_cli","importance":0.9,"utility":0.55,"novelty":1.0,"confidence":0.95,"interference":0.0,"strength":0.7751544993495971,"created_at":1795274021.4023001,"updated_at":1795274021.4023001,"anchor_at":1795274021.4023001}', '', '{"evidence":["d2319cc0a1dfa12e65225a68fcb37885",1795274021.4023001,"cli","user_cli","","","We decided to store invoices in PostgreSQL",[]]}', NULL);
insert into memory_fts (memory_fts) values ('rebuild');
insert into episode_fts (episode_fts) values ('rebuild');
pragma user_version = 9;
