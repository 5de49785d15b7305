"""The language files a command reads sentences with. Apart, because loading them is dearer than most commands."""

from __future__ import annotations

from pathlib import Path

from psychmem_py.cli.context import Workspace
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher


def overlay(workspace: Workspace) -> Path:
    """Where a person's own language files are."""
    return files.overlay_of(workspace.directories)


def matcher(workspace: Workspace, *, keep: bool = True) -> Matcher:
    """All languages, the person's own over those shipped; each is read when a text is in it."""
    return files.own_matcher(workspace.directories, keep=keep)
