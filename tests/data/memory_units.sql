create table sessions (id text primary key, project text not null, started_at text not null);
create table memory_units (
    id text primary key, session_id text, store text, classification text, summary text, source_event_ids text,
    project_scope text, created_at text, tags text, status text{more}
);
