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

    CSS = "DataTable { height: 1fr; } #about { height: auto; max-height: 8; padding: 0 1; color: $text-muted; } Input { display: none; }"

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
        self._all, self._done, self._filter = list[ScreenLine](), list[str](), ""
        for key, name in {**keys, "u": "undo"}.items():
            self.bind(key, f"press('{key}')", description=name)
        for key, action, name in (("slash", "ask", "filter"), ("escape", "leave", ""), ("q", "quit", "quit")):
            self.bind(key, action, description=name, show=bool(name), key_display={"slash": "/"}.get(key))

    def compose(self) -> ComposeResult:
        """The list, what is known of the line under the cursor, a field that shows when it is needed, and the keys."""
        yield DataTable(cursor_type="row", zebra_stripes=True)
        yield Static(id="about", markup=False)
        yield Input()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns(*self._heads, "text")
        self._all = self._lines()
        self._fill()

    def _fill(self) -> None:
        table = self.query_one(DataTable)
        at, words = table.cursor_row, self._filter.lower().split()
        table.clear()
        for one in self._all:
            if all(word in f"{one.text} {' '.join(one.cells)}".lower() for word in words):
                table.add_row(*map(line, (*one.cells, one.text)), key=one.id)
        table.move_cursor(row=min(at, max(0, table.row_count - 1)))
        if not table.row_count:
            self.query_one("#about", Static).update("Nothing is here.")

    def _here(self) -> ScreenLine | None:
        table = self.query_one(DataTable)
        if not table.row_count:
            return None
        key = table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value
        return next((one for one in self._all if one.id == key), None)

    def on_data_table_row_highlighted(self) -> None:
        if one := self._here():
            self.query_one("#about", Static).update(f"{line(one.text)}\n{one.about}")

    def action_press(self, key: str) -> None:
        """Does what a key says to the line under the cursor."""
        one = self._here()
        try:
            if key == "u":
                if not self._done:
                    raise RefusedError("nothing to undo yet")
                with self._workspace._replace(batch=uuid4().hex).acting() as act:
                    history.undo(act, self._done.pop())
                said = "taken back"
            elif one:
                batch, said = self._act(key, one.id)
                self._done += [batch] if batch else []
            else:
                return
            self._all = self._lines()
            self._fill()
            self.notify(line(said), markup=False)
        except PsychMemError as exc:
            self.notify(line(str(exc)), severity="error", markup=False)

    def action_ask(self) -> None:
        """Asks for words that the lines must hold."""
        field = self.query_one(Input)
        field.value, field.display = self._filter, True
        field.focus()

    def action_leave(self) -> None:
        """Leaves the field; where none is open, all lines are there again."""
        field = self.query_one(Input)
        if not field.display:
            self._filter = ""
            self._fill()
        self.on_input_submitted()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.display:
            self._filter = event.value
            self._fill()

    def on_input_submitted(self) -> None:
        self.query_one(Input).display = False
        self.query_one(DataTable).focus()


def memories(workspace: Workspace, *, all_projects: bool) -> FullScreen:
    """The memories here, to be pinned and forgotten."""

    def lines() -> list[ScreenLine]:
        with workspace.reading() as db:
            names = overview.project_names(db)
            found = rows.listed(db, project=workspace.project_id, all_projects=all_projects)
        return [
            ScreenLine(
                one.id,
                one.text,
                (one.kind.value, output.told_in(one, names), output.ago(one.created_at, workspace.now), "pinned" * one.pinned),
                f"{output.SAID_BY[one.origin]}; {'said once: ' + would_confirm(one) if one.store is Store.STM else 'confirmed'}",
            )
            for one in found
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

    def found() -> list[pending.InboxItem]:
        with workspace.reading() as db:
            listed = pending.items(db, project=workspace.project_id, all_projects=all_projects, heard=heard, waiting=waiting)
        return [one for one in listed if not one.is_pair]

    def lines() -> list[ScreenLine]:
        with workspace.reading() as db:
            names = overview.project_names(db)
        return [
            ScreenLine(
                one.id,
                one.text,
                (names.get(one.project or "", output.EVERYWHERE), output.minute(one.said_at)[:10]),
                "\n".join(f"{name}: {line(told)}" for name, told in answering.about(workspace, one, names)),
            )
            for one in found()
        ]

    def act(key: str, identity: str) -> tuple[str, str]:
        return answering.answered(workspace, [one for one in found() if one.id == identity], key)

    keys = {"k": "keep", "d": "drop", "a": "all projects", "p": "this project"}
    return FullScreen(workspace, ("project", "said"), lines, keys, act)
