"""psychmem stats: the store in figures, and whether what it told was of use."""

from __future__ import annotations

from collections import Counter

from psychmem_py.cli import output
from psychmem_py.cli.app import LOOKING, app, examples
from psychmem_py.cli.context import AllProjects, Json, ProjectOption, here
from psychmem_py.judging import calls
from psychmem_py.store import rows
from psychmem_py.store.usefulness import Usefulness, usefulness

_DAYS = 30


@app.command(rich_help_panel=LOOKING, epilog=examples("psychmem stats", "psychmem stats --all-projects"))
def stats(project: ProjectOption = None, all_projects: AllProjects = False, json_: Json = False) -> None:
    """How many memories there are, by class, scope, store and status, and how much of what was shown came up again."""
    place = here(project)
    with place.store() as db:
        counts = rows.counts(db, project=place.project_id, all_projects=all_projects)
        helped = usefulness(db, now=place.now, days=_DAYS, project=place.project_id, all_projects=all_projects)
    by: dict[str, Counter[str]] = {name: Counter() for name in ("status", "class", "scope", "store")}
    for key, number in counts.items():
        for name, value in zip(by, key, strict=True):
            by[name][value] += number
    total = sum(counts.values())
    judged = calls.read(place.directories.data).totals(or_none=not place.settings.judge.by)
    if json_:
        told = {"total": total, **{f"by_{name}": dict(found) for name, found in by.items()}}
        told["helped"] = {"days": _DAYS, **helped._asdict()}
        return output.print_json({**told, "judge": judged} if judged else told)
    output.say(f"{total} memories")
    output.details(
        (name, ", ".join(f"{value} {number}" for value, number in found.most_common()) or "none") for name, found in by.items()
    )
    output.details([(f"{_DAYS} days", _told(helped))])
    if judged:
        output.details([("judge", ", ".join(f"{name} {number}" for name, number in judged.items()))])


def _told(helped: Usefulness) -> str:
    if not helped.shown:
        return "nothing shown"
    ways = f"restated {helped.restated}, echoed in work {helped.echoed}, praised or touched {helped.voted}"
    cost = f"; a brief costs about {helped.brief_chars} characters ({helped.briefs} told)" if helped.briefs else ""
    return f"{helped.shown} shown in {helped.sessions} conversations, {round(100 * helped.again / helped.shown)} % came up again ({ways}){cost}"
