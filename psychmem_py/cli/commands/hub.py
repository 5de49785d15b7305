"""psychmem share hub: for whoever runs the PostgreSQL server through which a team's devices meet."""

from __future__ import annotations

from typing import Annotated

import typer

from psychmem_py.cli import output
from psychmem_py.cli.app import examples, group, share
from psychmem_py.cli.context import workspace_of
from psychmem_py.sync import hub as server

_URL = "postgresql://admin@db.example/memory"
Url = Annotated[str, typer.Argument(metavar="URL", help="postgresql://NAME@host/database; passwords stand in ~/.pgpass.")]
Member = Annotated[str, typer.Argument(metavar="NAME", help="A login of the database.")]
HubProject = Annotated[
    str, typer.Option("--project", metavar="ID", help="As `psychmem status` shows it; usual: all of the team's.")
]
Team = Annotated[str, typer.Option("--team", metavar="NAME", help="Where one hub serves several teams.")]

hub = group("Run the PostgreSQL server through which a team's devices meet.")


@hub.command("init", epilog=examples(f"psychmem share hub init {_URL}"))
def init(url: Url) -> None:
    """Make the tables, functions, policies and the group role, or bring them up to date; then say what is left to do."""
    left = server.set_up(_checked(url))
    if workspace_of().json:
        return output.print_json({"ready": True, "left": left})
    output.say("The hub is ready. What is left to you:")
    for one in left:
        output.say(f"- {one}")


@hub.command("members", epilog=examples(f"psychmem share hub members {_URL}"))
def members(url: Url) -> None:
    """Who may read and write what, as far as you may know."""
    found = server.members(_checked(url))
    if workspace_of().json:
        rows = [{"member": name, "team": team, "project": project, "role": role} for name, team, project, role in found]
        return output.print_json(rows)
    if not found:
        return output.say("Nobody is a member yet; `psychmem share hub grant` makes somebody one.")
    for name, team, project, role in found:
        output.say(f"{name}: {role} of {project or 'every project'}{f' in {team}' if team else ''}")


@hub.command("grant", epilog=examples(f"psychmem share hub grant {_URL} kim --project git:github.com/acme/shop --role writer"))
def grant(
    url: Url,
    name: Member,
    project: HubProject = "",
    team: Team = "",
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="reader, writer, or admin, who may purge for all.")
    ] = "writer",
) -> None:
    """Make somebody a member of a project, or of all of a team's."""
    if role not in server.ROLES:
        raise typer.BadParameter(f"use {', '.join(server.ROLES)}", param_hint="--role")
    made = server.granted(_checked(url), name, project=project, team=team, role=role)
    if workspace_of().json:
        return output.print_json({"member": name, "team": team, "project": project, "role": role, "login_made": made})
    output.say(f"{name} is {role} of {project or 'every project'}.")
    if made:
        output.say(f"The login {name} is new and has no password; set one with \\password {name} in psql.")


@hub.command("revoke", epilog=examples(f"psychmem share hub revoke {_URL} kim --project git:github.com/acme/shop"))
def revoke(url: Url, name: Member, project: HubProject = "", team: Team = "") -> None:
    """End somebody's membership of a project, or all of the team's. What reached their machine before stays there."""
    gone = server.revoked(_checked(url), name, project=project or None, team=team)
    if workspace_of().json:
        return output.print_json({"member": name, "ended": gone})
    output.say(f"{gone} memberships of {name} ended; what reached their machine before stays there.")


share.add_typer(hub, name="hub")


def _checked(url: str) -> str:
    workspace_of().who.must_be_person("run a hub")
    return server.checked(url)
