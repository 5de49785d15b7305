"""The clients' tools by what they do, in lower case, and the files that a call names. Loaded with every tool event."""

from __future__ import annotations

from _collections_abc import Mapping

SHELL_TOOLS = frozenset({"bash", "shell"})
WRITING_TOOLS = frozenset({"edit", "write", "multiedit", "notebookedit", "patch", "apply_patch"})
_PATH_KEYS = ("file_path", "filePath", "notebook_path", "path")
REMOVED = "*** Delete File:"
_PATCHED = ("*** Add File:", "*** Update File:", "*** Move to:", REMOVED)


def files_in(given: Mapping[str, object]) -> list[str]:
    """The files that a call's input names by its fields."""
    return [value for key in _PATH_KEYS if isinstance(value := given.get(key), str) and value]


def patched(given: Mapping[str, object], heads: tuple[str, ...] = _PATCHED) -> list[str]:
    """The files that a patch in a call's input changes, or those below one of these heads."""
    lines = text.splitlines() if isinstance(text := given.get("patchText"), str) else ()
    return [line.partition(":")[2].strip() for line in lines if line.startswith(heads)]
