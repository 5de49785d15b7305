"""A list on the whole screen: arrows, a filter as one types, what each key does at the bottom. For `list --screen` and `review --screen`.

Needs the extra `psychmem[tui]`; these two alone load it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import uuid4

from textual.app import App, ComposeResult
from textual.widgets import DataTable, Footer, Input, Static

from psychmem_py.cli import output
from psychmem_py.cli.commands import inbox as answering
from psychmem_py.cli.context import Workspace
from psychmem_py.curation import actions, history, pending
from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.memory.forgetting import would_confirm
from psychmem_py.model.records import Store
from psychmem_py.safety.control_chars import line
from psychmem_py.store import overview, rows


class ScreenLine(NamedTuple):
    """One line of the list; `about` stands below it while the cursor is there."""

    id: str
    text: str
    cells: tuple[str, ...]
    about: str


class FullScreen(App[None]):
    """Keys act on the line under the cursor, u takes the last one back; after each the list is read anew."""

    CSS = "DataTable { height: 1fr; } #about { height: auto; max-height: 8; padding: 0 1; color: $text-muted; } Input { height: 1; border: none; }"
    AUTO_FOCUS = "DataTable"

    def __init__(
        self,
        workspace: Workspace,
        heads: Sequence[str],
        lines: Callable[[], list[ScreenLine]],
        keys: Mapping[str, str],
        act: Callable[[str, str], tuple[str, str]],  # what a key does to an id: the batch it is undone by, and a sentence
    ) -> None:
        super().__init__()
        self._workspace, self._heads, self._lines, self._act = workspace, heads, lines, act
        self._shown, self._done = list[ScreenLine](), list[str]()
        for key, name in {**keys, "u": "undo"}.items():
            self.bind(key, f"press('{key}')", description=name)
        self.bind("slash", "focus('filter')", description="filter", key_display="/")
        self.bind("escape", "leave", show=False)
        self.bind("q", "quit", description="quit")

    def compose(self) -> ComposeResult:
        """The list, what is known of the line under the cursor, the words its lines must hold, and the keys."""
        yield DataTable(cursor_type="row", zebra_stripes=True)
        yield Static(id="about", markup=False)
        yield Input(id="filter", placeholder="/ filters")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns(*self._heads, "text")
        self.on_input_changed()

    def on_input_changed(self) -> None:
        """Reads the list anew, with the lines that hold the words of the filter."""
        table, words = self.query_one(DataTable), self.query_one(Input).value.lower().split()
        at = table.cursor_row
        every = ((one, f"{one.text} {' '.join(one.cells)}".lower()) for one in self._lines())
        self._shown = [one for one, text in every if all(word in text for word in words)]
        table.clear()
        for one in self._shown:
            table.add_row(*map(line, (*one.cells, one.text)))
        table.move_cursor(row=min(at, max(0, table.row_count - 1)))
        if not self._shown:
            self.query_one("#about", Static).update("Nothing is here.")

    def on_input_submitted(self) -> None:
        self.query_one(DataTable).focus()

    def action_leave(self) -> None:
        """All lines are there again."""
        self.query_one(Input).value = ""
        self.on_input_submitted()

    def _here(self) -> ScreenLine | None:
        return next(iter(self._shown[self.query_one(DataTable).cursor_row :]), None)

    def on_data_table_row_highlighted(self) -> None:
        if one := self._here():
            self.query_one("#about", Static).update(f"{line(one.text)}\n{one.about}")

    def action_press(self, key: str) -> None:
        """Does what a key says to the line under the cursor."""
        one, said = self._here(), "taken back"
        try:
            if key != "u" and one:
                batch, said = self._act(key, one.id)
                self._done += [batch] if batch else []
            elif key == "u" and self._done:
                with self._workspace._replace(batch=uuid4().hex).acting() as act:
                    history.undo(act, self._done.pop())
            else:
                raise RefusedError("nothing to undo yet" if key == "u" else "nothing is here")
            self.on_input_changed()
            self.notify(line(said), markup=False)
        except PsychMemError as exc:
            self.notify(line(str(exc)), severity="error", markup=False)


def memories(workspace: Workspace, *, all_projects: bool) -> FullScreen:
    """The memories here, to be pinned and forgotten."""

    def lines() -> list[ScreenLine]:
        with workspace.reading() as db:
            names = overview.project_names(db)
            found = rows.listed(db, project=workspace.project_id, all_projects=all_projects)
        ages = (output.ago(one.created_at, workspace.now) for one in found)
        stores = (f"said once: {would_confirm(one)}" if one.store is Store.STM else "confirmed" for one in found)
        return [
            ScreenLine(
                one.id,
                one.text,
                (one.kind.value, output.told_in(one, names), age, "pinned" * one.pinned),
                f"{output.SAID_BY[one.origin]}; {store}",
            )
            for one, age, store in zip(found, ages, stores, strict=True)
        ]

    def act(key: str, identity: str) -> tuple[str, str]:
        fresh = workspace._replace(batch=uuid4().hex)
        with fresh.acting() as act:
            if key == "f":
                actions.forget(act, [identity])
            else:
                actions.pin(act, identity, pinned=not rows.by_id(act.db, identity).pinned)
        return fresh.batch, "forgotten; u brings it back" if key == "f" else "pinned or unpinned"

    return FullScreen(workspace, ("class", "holds in", "age", ""), lines, {"p": "pin, unpin", "f": "forget"}, act)


def inbox(workspace: Workspace, *, all_projects: bool, heard: bool, waiting: bool) -> FullScreen:
    """What is pending, to be kept or dropped; a pair that contradicts each other is left to the plain review."""
    items = dict[str, pending.InboxItem]()

    def lines() -> list[ScreenLine]:
        with workspace.reading() as db:
            names = overview.project_names(db)
            found = pending.items(db, project=workspace.project_id, all_projects=all_projects, heard=heard, waiting=waiting)
        items.update({one.id: one for one in found})
        cells = {one.id: (names.get(one.project or "", output.EVERYWHERE), output.minute(one.said_at)[:10]) for one in found}
        about = {one.id: answering.about(workspace, one, names) for one in found}
        return [
            ScreenLine(one.id, one.text, cells[one.id], "\n".join(f"{name}: {line(told)}" for name, told in about[one.id]))
            for one in found
            if not one.is_pair
        ]

    keys = {"k": "keep", "d": "drop", "a": "all projects", "p": "this project"}
    return FullScreen(
        workspace, ("project", "said"), lines, keys, lambda key, item: answering.answered(workspace, [items[item]], key)
    )
