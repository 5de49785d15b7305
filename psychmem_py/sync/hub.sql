-- The hub of a team: one schema, four tables, four functions, one trigger. Made by `psychmem share hub init`, safe to run again.
-- Row-level security is the only authorisation: the functions run as whoever calls them, and plain SQL meets the same policies.
-- A member is a login role in the group role psychmem_member; what he is comes from session_user alone, so a pooler that hands
-- connections round between transactions changes nothing as long as it connects each member under his own name.

create schema if not exists psychmem;

create table if not exists psychmem.membership (
    team text not null default '',
    project text not null,                  -- '' for the team as a whole
    member name not null,
    role text not null check (role in ('reader', 'writer', 'admin')),
    primary key (team, project, member)
);

create table if not exists psychmem.lane (  -- what one device says about one place
    id bigint generated always as identity primary key,
    device text not null check (device ~ '^[0-9a-f]{32}$'),
    scope text not null check (scope in ('personal', 'project', 'team')),
    team text not null default '',
    project text not null default '',
    owner name not null default session_user,
    last_seq bigint not null default 0,
    unique (device, scope, team, project),
    check ((scope = 'project') = (project <> ''))
);
create index if not exists lane_place on psychmem.lane (scope, team, project);
create index if not exists lane_owner on psychmem.lane (owner);

create table if not exists psychmem.op (
    lane bigint not null references psychmem.lane,
    seq bigint not null check (seq > 0),
    memory text not null,
    line text not null check (octet_length(line) <= 32768),
    digest bytea,                           -- of the line as it came; null once it was emptied
    primary key (lane, seq)
);
create index if not exists op_memory on psychmem.op (memory);

create table if not exists psychmem.purged ( -- what may never be said again, and by whom
    scope text not null,
    team text not null,
    project text not null,
    memory text not null,
    owner name not null,                    -- '' : by anybody, an admin purged it
    primary key (memory, scope, team, project, owner)
);

-- What a member is in a place: 'admin', 'writer', 'reader', or null. Reads memberships whoever asks, and tells only about the asker.
create or replace function psychmem.my_role(p_team text, p_project text) returns text
language sql stable security definer set search_path = psychmem, pg_temp as $$
    select role from membership
    where member = session_user and team = p_team and project in (p_project, '')
    order by case role when 'admin' then 0 when 'writer' then 1 else 2 end limit 1
$$;

-- Whether no other member writes as this device: whoever reads a lane knows its device, and could bar it from every other place.
create or replace function psychmem.is_mine(p_device text) returns boolean
language sql stable security definer set search_path = psychmem, pg_temp as $$
    select not exists (select from lane where device = p_device and owner <> session_user)
$$;

create or replace function psychmem.emptied(line text) returns text
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
    return (line::jsonb || '{"value": null, "emptied": true}'::jsonb)::text;
exception when others then
    return '{}';
end $$;

-- Holds a line to its lane, and to what was purged. The only code that runs with more rights than the caller's, besides `empty`.
create or replace function psychmem.op_arrives() returns trigger
language plpgsql security definer set search_path = psychmem, pg_temp as $$
declare
    place lane;
    said jsonb := new.line::jsonb;
    everybody boolean;
begin
    select * into strict place from lane where id = new.lane;
    if said->>'device' is distinct from place.device or said->>'scope' is distinct from place.scope
       or said->>'team' is distinct from place.team or said->>'project' is distinct from place.project
       or said->>'seq' is distinct from new.seq::text or said->>'memory' is distinct from new.memory then
        raise exception 'operation % does not belong into its lane', new.seq using errcode = 'check_violation';
    end if;
    if said->>'kind' = 'purge' then
        everybody := place.scope <> 'personal' and my_role(place.team, place.project) = 'admin';
        insert into purged values (place.scope, place.team, place.project, new.memory, case when everybody then '' else session_user end)
        on conflict do nothing;
        update op set line = emptied(op.line), digest = null
        from lane l
        where l.id = op.lane and op.memory = new.memory and op.digest is not null
          and (l.scope, l.team, l.project) = (place.scope, place.team, place.project)
          and (everybody or l.owner = session_user) and op.line::jsonb->>'kind' <> 'purge';
    elsif exists (select from purged p where p.memory = new.memory and p.owner in ('', place.owner)
                  and (p.scope, p.team, p.project) = (place.scope, place.team, place.project)) then
        new.line := emptied(new.line);
        new.digest := null;
    end if;
    return new;
end $$;

drop trigger if exists op_arrives on psychmem.op;
create trigger op_arrives before insert on psychmem.op for each row execute function psychmem.op_arrives();

-- Takes operations of one lane, in order, and gives the greatest seq it holds then. What it holds already is skipped, so an answer that
-- got lost does no harm; a gap, and another operation under a known seq, are refused.
create or replace function psychmem.push(
    p_device text, p_scope text, p_team text, p_project text, p_seqs bigint[], p_memories text[], p_lines text[]
) returns bigint language plpgsql security invoker set search_path = psychmem, pg_temp as $$
declare
    held lane;
    most bigint;
begin
    if not is_mine(p_device) then
        raise exception 'this device belongs to another member' using errcode = 'insufficient_privilege';
    end if;
    insert into lane (device, scope, team, project) values (p_device, p_scope, p_team, p_project) on conflict do nothing;
    select * into strict held from lane l
    where (l.device, l.scope, l.team, l.project) = (p_device, p_scope, p_team, p_project) and l.owner = session_user for update;
    if exists (select from unnest(p_seqs, p_lines) as given(seq, line) join op on op.lane = held.id and op.seq = given.seq
               where op.digest <> sha256(convert_to(given.line, 'UTF8'))) then
        raise exception 'another operation stands under a known number' using errcode = 'unique_violation';
    end if;
    select count(*) into most from unnest(p_seqs) as given(seq) where seq > held.last_seq;
    if most > 0 and (select min(seq) <> held.last_seq + 1 or max(seq) <> held.last_seq + most or count(distinct seq) <> most
                     from unnest(p_seqs) as given(seq) where seq > held.last_seq) then
        raise exception 'a gap after %', held.last_seq using errcode = 'check_violation';
    end if;
    insert into op (lane, seq, memory, line, digest)
    select held.id, seq, memory, line, sha256(convert_to(line, 'UTF8'))
    from unnest(p_seqs, p_memories, p_lines) as given(seq, memory, line) where seq > held.last_seq order by seq;
    update lane set last_seq = held.last_seq + most where id = held.id and most > 0;
    return held.last_seq + most;
end $$;

-- The operations beyond these marks of every lane the caller may read but his own device's, lane by lane without a gap. The marks are one
-- object, seq by device, scope, team and project with chr(31) between; a lane without one is read from its beginning. There is no cursor over lanes: one would
-- lose what is committed out of order.
create or replace function psychmem.pull(p_device text, p_have jsonb, p_limit int)
returns table (device text, scope text, team text, project text, owner name, mine boolean, seq bigint, line text)
language sql stable security invoker set search_path = psychmem, pg_temp as $$
    with behind as materialized (
        select l.*, coalesce((p_have ->> concat_ws(chr(31), l.device, l.scope, l.team, l.project))::bigint, 0) as mark
        from lane l where l.device <> p_device
    )
    select l.device, l.scope, l.team, l.project, l.owner, l.owner = session_user, o.seq, o.line
    from behind l
    cross join lateral (
        select op.seq, op.line from op where op.lane = l.id and op.seq > l.mark order by op.seq limit p_limit
    ) o
    where l.last_seq > l.mark
    order by l.id, o.seq
    limit p_limit
$$;

create or replace function psychmem.held(p_device text)
returns table (scope text, team text, project text, last_seq bigint)
language sql stable security invoker set search_path = psychmem, pg_temp as $$
    select l.scope, l.team, l.project, l.last_seq from lane l where l.device = p_device and l.owner = session_user
$$;

-- Takes the values out of what the caller's own devices said about these memories; how many operations.
create or replace function psychmem.empty(p_memories text[]) returns bigint
language plpgsql security definer set search_path = psychmem, pg_temp as $$
declare
    number bigint;
begin
    update op set line = emptied(op.line), digest = null
    from lane l
    where l.id = op.lane and l.owner = session_user and op.memory = any (p_memories) and op.digest is not null
      and op.line::jsonb->>'kind' <> 'purge';
    get diagnostics number = row_count;
    return number;
end $$;

alter table psychmem.membership enable row level security;
alter table psychmem.lane enable row level security;
alter table psychmem.op enable row level security;
alter table psychmem.purged enable row level security; -- no policy: nobody but the trigger

drop policy if exists membership_seen on psychmem.membership;
create policy membership_seen on psychmem.membership for select
    using (member = session_user or psychmem.my_role(team, project) = 'admin');
drop policy if exists membership_given on psychmem.membership;
create policy membership_given on psychmem.membership for all
    using (psychmem.my_role(team, project) = 'admin') with check (psychmem.my_role(team, project) = 'admin');

drop policy if exists lane_read on psychmem.lane;
create policy lane_read on psychmem.lane for select using (
    owner = session_user
    or (scope <> 'personal' and (team, project) in (select m.team, m.project from psychmem.membership m where m.member = session_user))
    or (scope <> 'personal' and team in (select m.team from psychmem.membership m where m.member = session_user and m.project = ''))
);
drop policy if exists lane_made on psychmem.lane;
create policy lane_made on psychmem.lane for insert with check (
    owner = session_user and last_seq = 0 and psychmem.is_mine(device)
    and (scope = 'personal' or psychmem.my_role(team, project) in ('writer', 'admin'))
);
drop policy if exists lane_moved on psychmem.lane;
create policy lane_moved on psychmem.lane for update using (owner = session_user) with check (
    owner = session_user and (scope = 'personal' or psychmem.my_role(team, project) in ('writer', 'admin'))
);

drop policy if exists op_read on psychmem.op;
create policy op_read on psychmem.op for select using (lane in (select id from psychmem.lane));
drop policy if exists op_said on psychmem.op;
create policy op_said on psychmem.op for insert with check (
    exists (select from psychmem.lane l where l.id = lane and l.owner = session_user
            and (l.scope = 'personal' or psychmem.my_role(l.team, l.project) in ('writer', 'admin')))
);

revoke all on schema psychmem from public;
revoke all on all tables in schema psychmem from public;
revoke all on all functions in schema psychmem from public;
grant usage on schema psychmem to psychmem_member;
grant select, insert, update, delete on psychmem.membership to psychmem_member;
grant select, insert on psychmem.lane, psychmem.op to psychmem_member;
grant update (last_seq) on psychmem.lane to psychmem_member;
grant execute on function psychmem.push(text, text, text, text, bigint[], text[], text[]), psychmem.pull(text, jsonb, int),
    psychmem.held(text), psychmem.empty(text[]), psychmem.my_role(text, text),
    psychmem.is_mine(text) to psychmem_member;
