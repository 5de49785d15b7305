"""The agents' conversations of the past, read for `psychmem import --conversations`. Apart, because it loads the extraction."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from psychmem_py.agents import claude_transcript, opencode_database
from psychmem_py.agents.claude_memory import claude_folder
from psychmem_py.agents.event import Request
from psychmem_py.cli import output
from psychmem_py.cli.commands.brief import extracted, taken_up
from psychmem_py.cli.context import Workspace, day
from psychmem_py.cli.outcomes import refresh
from psychmem_py.cli.progress import progress_bar
from psychmem_py.errors import PsychMemError
from psychmem_py.home import project
from psychmem_py.ingestion import opencode_spans
from psychmem_py.ingestion.settling import SpanResult
from psychmem_py.model.terms import ChangeType, Status
from psychmem_py.safety.control_chars import line
from psychmem_py.store import episodes
from psychmem_py.text.tokenizer import digest


def backfill(workspace: Workspace, since: str) -> None:
    """Reads each conversation once, into the project it was about, and says what came of it."""
    least = day(since, "--since") if since else 0.0
    chosen = [one for one in sorted((*_transcripts(workspace), *_opencode(workspace)), key=lambda one: one.at) if one.at >= least]
    told = _Told()
    with progress_bar("reading", len(chosen), lambda: f"{told.counts['kept']} kept") as step:
        for number, one in enumerate(chosen, 1):
            try:
                about = workspace._replace(project=_project(one.folder, workspace))
                told.add(about, one.take_up(about))
            except KeyboardInterrupt:
                output.warn(f"stopped after {number - 1} of {len(chosen)}; run it again, it goes on where it stopped")
                raise
            except (PsychMemError, OSError, ValueError) as exc:  # one conversation that cannot be read costs itself
                output.warn(f"a conversation of {one.folder or 'no folder'} was left out: {exc}")
            step(number)
    if not workspace.dry_run:
        refresh(workspace)
    if workspace.json:
        counts = {name.replace(_FOR_REVIEW, "quarantined"): number for name, number in told.counts.items()}
        with workspace.store() as db:
            exchanges = episodes.count(db)
        counts |= {"conversations": len(chosen), "read": told.read, "exchanges": exchanges}
        return output.print_json({**counts, "by_project": told.by_project})
    known = len(chosen) - told.read
    before = f", {known} {'was' if known == 1 else 'were'} known already" if known else ""
    output.say(
        f"{'dry run: ' if workspace.dry_run else ''}{output.counted(told.read, 'conversation')} read{before}: "
        + ", ".join(f"{number} {name.replace('waiting', 'uncertain')}" for name, number in told.counts.items())
    )
    output.details((name, f"{number} kept") for name, number in sorted(told.by_project.items(), key=lambda pair: -pair[1])[:10])
    for text in list(told.samples.values())[-_SAMPLES:]:
        output.say(f"for example: {text}")
    for sentence in () if workspace.dry_run else (*told.next_steps(), *_to_ask(workspace)):
        output.say(sentence)


def _to_ask(workspace: Workspace) -> list[str]:
    """What can be asked now, with one real example."""
    with workspace.store() as db:
        count, example = episodes.count(db), episodes.example(db)
    if example is None:
        return []
    date, where = (output.iso(example.at) or "")[:10], output.last_part(example.project) if example.project else "no project"
    return [
        f"{output.counted(count, 'exchange')} can be found again, by you and by your agents, for example:",
        f'    psychmem search "{example.typed}"  (in {where})',
        f"    finds {date}: …{example.answer[-200:]}",
    ]


_SAMPLES = 3
_FOR_REVIEW = "pending"


class _Told:
    """What a backfill read and kept, each statement of a project counted once."""

    def __init__(self) -> None:
        self.read = 0
        self.counts = dict.fromkeys(("kept", _FOR_REVIEW, "waiting", "rejected"), 0)
        self.by_project: dict[str, int] = {}
        self.elsewhere: dict[str, None] = {}  # projects of another system
        self.samples: dict[str, str] = {}  # by what they say
        self.seen: set[tuple[str, str, str]] = set()

    def add(self, about: Workspace, found: list[SpanResult]) -> None:
        self.read += bool(found)
        added = [change.after for span in found for change in span.changes if change.type is ChangeType.ADD and change.after]
        quarantined = {memory.text for memory in added if memory.status is Status.QUARANTINED}
        for became in ("kept", "waiting", "rejected"):
            for text in dict.fromkeys(one.candidate.text for span in found for one in getattr(span, became)):
                name = _FOR_REVIEW if became == "kept" and text in quarantined else became
                statement = (name, digest(text), about.project_id or "")
                if statement not in self.seen:
                    self.seen.add(statement)
                    self.counts[name] += 1
                    if name == "kept":
                        self._keep(about, text)

    def next_steps(self) -> list[str]:
        """What a person does with it, in sentences."""
        steps = (
            ("kept", "`psychmem list --all-projects` shows what was kept."),
            (_FOR_REVIEW, "`psychmem review --all-projects` asks about what no person said, or said in no project."),
            ("waiting", "`psychmem review` asks, in each project, about the best of what is uncertain; the rest goes by itself."),
        )
        home = (
            f"`psychmem project merge {name} DIRECTORY` brings home what was said in {name}, which is not here."
            for name in self.elsewhere
        )
        return [*(sentence for name, sentence in steps if self.counts[name]), *home]

    def _keep(self, about: Workspace, text: str) -> None:
        where = about.project.name if about.project else "no project"
        self.by_project[where] = self.by_project.get(where, 0) + 1
        if about.project and not about.project.root:
            self.elsewhere[where] = None
        if self.by_project[where] == 1 or len(self.by_project) < _SAMPLES:  # of different projects where there are some
            self.samples.setdefault(digest(text), f"{line(text)} ({where})")


def _project(folder: str, workspace: Workspace) -> project.Project | None:
    """The project of the directory in which a conversation was led, also of one that is on another system."""
    return project.project_of(folder, workspace.env) if os.path.isabs(folder) else project.elsewhere(folder)


class _Past(NamedTuple):
    """A conversation of some time ago, of whichever agent."""

    at: float  # when it went on last
    folder: str  # where it was led
    take_up: Callable[[Workspace], list[SpanResult]]


def _transcripts(workspace: Workspace) -> list[_Past]:
    """Claude Code's."""
    found = []
    for path in Path(claude_folder(workspace.env), "projects").glob("*/*.jsonl"):
        try:
            if not path.is_file():  # a pipe would be waited for
                continue
            with path.open("rb") as file:
                folder = claude_transcript.cwd_of(file.read(1 << 18))
            found.append(_Past(path.stat().st_mtime, folder, partial(_from_file, path)))
        except OSError as exc:
            output.warn(f"{path} was left out: {exc.strerror}")
    return found


def _from_file(path: Path, workspace: Workspace) -> list[SpanResult]:
    return extracted(workspace, path)


def _opencode(workspace: Workspace) -> list[_Past]:
    """OpenCode's."""
    past = opencode_database.past(opencode_database.database(workspace.env))
    return [_Past(one.updated_at, one.folder, partial(_from_opencode, one)) for one in past]


def _from_opencode(one: opencode_database.Past, workspace: Workspace) -> list[SpanResult]:
    request = Request("stop", "opencode", one.session, one.folder)
    return taken_up(workspace, one.session, lambda known: opencode_spans.spans_of(known, request, workspace.env, ()))
