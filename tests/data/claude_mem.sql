create table sdk_sessions (id integer primary key, memory_session_id text, project text);
create table observations (
    id integer primary key, project text, text text, type text, title text, subtitle text, facts text, narrative text,
    concepts text, files_modified text, merged_into_project text, created_at text, created_at_epoch integer
);
create table session_summaries (
    id integer primary key, project text, request text, learned text, merged_into_project text, created_at text,
    created_at_epoch integer
);
create table directives (
    id integer primary key, scope text, project text, content text, status text, source text, created_at text
);
