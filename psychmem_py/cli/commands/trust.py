"""trust: what a directory or a repository brings along and what a person must let in before it counts."""

from __future__ import annotations

import os
import sqlite3
from typing import Annotated

from psychmem_py.briefing.repository_rules import unanswered
from psychmem_py.cli import output
from psychmem_py.cli.app import argument, examples, option, share
from psychmem_py.cli.context import Workspace, Yes, ask, workspace_of
from psychmem_py.cli.outcomes import refresh
from psychmem_py.curation.repository import let_in, turned_down
from psychmem_py.errors import RefusedError
from psychmem_py.home.instructions import rule_files
from psychmem_py.home.project import Project, refused_name
from psychmem_py.home.project import trust as share_name
from psychmem_py.model.records import Status
from psychmem_py.store import rows
from psychmem_py.store.standing_rules import Answers, answers

Rules = Annotated[
    bool | None,
    option(
        "--rules/--no-rules",
        "Show the rules this repository brings in .psychmem/rules/*.md and CONSTITUTION.md and let them count, or never.",
    ),
]


@share.command(
    epilog=examples("share trust", "share trust --rules", "share trust --no-rules", "share trust kim"),
    writes=True,
)
def trust(
    author: Annotated[str | None, argument("[NAME]", "A person from whom memories come by sync.")] = None,
    rules: Rules = None,
    with_: Annotated[str, option("--with REMOTE", "With NAME: where they write, if the name comes by several.")] = "",
    not_: Annotated[bool, option("--not", "With NAME: their rules are pending again.")] = False,
    yes: Yes = False,
) -> None:
    """Trust this repository's rules, or a person's, by NAME. Or the name in its .psychmem.toml although another project had it
    first; NAME is somebody whose memories come by sync.
    """
    workspace = workspace_of()
    if author is not None:
        return _author(workspace, author, with_, trusting=not not_)
    if rules is not None:
        if workspace.project is None:
            raise RefusedError("this directory belongs to no project; go into the repository whose rules you mean")
        return _rules(workspace, workspace.project, wanted=rules, yes=yes)
    name = refused_name(os.getcwd(), workspace.env)
    found = workspace.project if workspace.dry_run else share_name(os.getcwd(), workspace.env)
    told = {"project": found.id if found else None, "shares": name or None, "dry_run": workspace.dry_run}
    if workspace.json:
        return output.print_json(told)
    if not name:
        rules_here = len(rule_files(workspace.project.root)) if workspace.project else 0
        more = (
            f" It brings {output.counted(rules_here, 'rule')}: `psychmem share trust --rules` shows and asks."
            if rules_here
            else ""
        )
        return output.say((f"Nothing to do: this is {found.id}." if found else "This directory belongs to no project.") + more)
    output.say(
        f"This directory would share the memories of {name}."
        if workspace.dry_run
        else f"This directory is {told['project'] or name} from now on."
    )


def _author(workspace: Workspace, name: str, remote: str, *, trusting: bool) -> None:
    from psychmem_py.sync.receive import trusted  # noqa: PLC0415  # only for what comes by sync

    with workspace.acting() as act:
        released = trusted(act, name, remote=remote, trusting=trusting)
    refresh(workspace)
    if workspace.json:
        return output.print_json({"author": name, "trusted": trusting, "memories": list(released), "dry_run": workspace.dry_run})
    told = f"{workspace.word('count', 'count')} from now on" if trusting else "are pending again"
    output.say(f"Rules of {name} {told}" + (f"; {len(released)} that were pending do too." if released else "."))


def _rules(workspace: Workspace, project: Project, *, wanted: bool, yes: bool) -> None:
    there = rule_files(project.root)
    with workspace.store() as db:
        given = _living(db, answers(db, project.id))
    waiting = unanswered(there, given)
    asked = waiting if wanted else there
    if not workspace.json:
        for rule in there:
            known = given.trusted.get(rule.path)
            state = "new" if known is None else "counts" if known.digest == rule.digest else "changed"
            when = f"when {', '.join(rule.triggers)} comes up" if rule.triggers else "always"
            output.say(f"{rule.path} ({state}; {rule.tier.value}; {when})")
            output.say(f"  {rule.text}")
    if wanted and waiting and not (yes or workspace.dry_run):
        ask(f"Let {output.counted(len(waiting), 'rule')} count in {project.name}?")
    with workspace.acting() as act:
        done = let_in(act, project, asked) if wanted else turned_down(act, project, asked)
    refresh(workspace)
    if workspace.json:
        rules = [output.picked(rule, "title tier triggers text", file=rule.path) for rule in asked]
        memories = [output.row(one.memory) for one in done]
        return output.print_json({"dry_run": workspace.dry_run, "rules": rules, "memories": memories})
    for one in done:
        for warning in one.warnings:
            output.warn(warning)
    prefix = "dry run: " if workspace.dry_run else ""
    if not there:
        output.say(
            f"{prefix}This repository brings no rules: no CONSTITUTION.md, nothing in .psychmem/rules/ or .opencode/skill/*/constitutional/."
        )
    elif not wanted:
        output.say(f"{prefix}None of them counts here, and nobody asks again until they change.")
    elif not waiting:
        output.say("All of them count here already.")
    else:
        output.say(
            f"{prefix}{output.counted(len(waiting), 'rule')} {'counts' if len(waiting) == 1 else 'count'} here from now on; `psychmem undo` takes it back."
        )


def _living(db: sqlite3.Connection, given: Answers) -> Answers:
    """The answers without those whose memory was undone or forgotten: they may be given again."""
    known = rows.several(db, [one.memory_id for one in given.trusted.values()])
    gone = {one for one in known if known[one].status is Status.FORGOTTEN}
    trusted = {path: one for path, one in given.trusted.items() if one.memory_id in known and one.memory_id not in gone}
    return given._replace(trusted=trusted)
