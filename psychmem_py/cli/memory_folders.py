"""The client's memory folders brought up to date after a command has changed something."""

from __future__ import annotations

from psychmem_py.agents import claude_topics
from psychmem_py.cli import output
from psychmem_py.cli.context import Workspace
from psychmem_py.errors import PsychMemError
from psychmem_py.home.project import Project
from psychmem_py.installation import memory_folders
from psychmem_py.store import projects


def refresh(workspace: Workspace) -> None:
    """Brings the memory folders that hold something of ours up to date; a folder that cannot be written is told and left."""
    with workspace.store() as db:
        for seen in projects.projects(db).values():
            folder = claude_topics.folder_of(seen.root, workspace.env)
            try:
                if memory_folders.holds_ours(folder):
                    from psychmem_py.briefing import memory_files  # noqa: PLC0415  # 15 ms that many do without
                    from psychmem_py.ingestion import edited_lines  # noqa: PLC0415

                    project = Project(seen.id, seen.name, seen.root)
                    edited_lines.take_over(db, folder, workspace.settings, str(workspace.directories.data), now=workspace.now)
                    memory_files.refresh(db, project, workspace.settings, workspace.env, cwd=seen.root, now=workspace.now)
            except (OSError, PsychMemError) as exc:
                output.warn(f"{folder.path} still shows what it showed before: {exc}")
