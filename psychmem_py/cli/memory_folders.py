"""What the client and its hooks read, brought up to date after a command has changed something."""

from __future__ import annotations

import os
import sqlite3

from psychmem_py.agents import claude_topics
from psychmem_py.agents.event import Request
from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.errors import PsychMemError
from psychmem_py.home.project import Project, project_of
from psychmem_py.home.surroundings import Surroundings
from psychmem_py.installation import memory_folders
from psychmem_py.store import projects


def refresh(workspace: Workspace) -> None:
    """Brings the memory folders that hold something of ours up to date, and the rules for tool calls; a folder that cannot be written
    is told and left.
    """
    with workspace.store() as db:
        try:
            _prepare_rules(workspace, db)
        except (OSError, PsychMemError) as exc:
            output.warn(f"rules before tool calls are what they were until the next session: {exc}")
        for seen in projects.projects(db).values():
            folder = claude_topics.folder_of(seen.root, workspace.env)
            try:
                if memory_folders.holds_ours(folder):
                    from psychmem_py.briefing import memory_files  # noqa: PLC0415  # 15 ms that many do without

                    project = Project(seen.id, seen.name, seen.root)
                    memory_files.refresh(db, project, workspace.settings, workspace.env, cwd=seen.root, now=workspace.now)
            except (OSError, PsychMemError) as exc:
                output.warn(f"{folder.path} still shows what it showed before: {exc}")


def _prepare_rules(workspace: Workspace, db: sqlite3.Connection) -> None:
    """For where we stand and for the top of the project at hand: what a person types, or an agent keeps in the middle of a turn, holds
    from the next call on.
    """
    if not workspace.settings.retrieval.act_reminders:
        return
    from psychmem_py.briefing import fill_rule_index  # noqa: PLC0415  # 5 ms that commands which only look do without

    around = Surroundings(workspace.env, workspace.now)
    for directory in {os.getcwd(), workspace.project.root if workspace.project else ""} - {""}:
        request = Request("before", workspace.agent or "claude-code", workspace.session, directory)
        fill_rule_index.fill(db, request, project_of(directory, workspace.env), around)
