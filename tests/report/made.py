"""A store with something of everything that the report shows."""

from pathlib import Path

from psychmem_py.curation import actions
from psychmem_py.curation.act import PERSON, Act
from psychmem_py.curation.remember import Entry, remember
from psychmem_py.home.project import Project
from psychmem_py.model.records import Candidate, Gate, Kind, LinkType, Origin, Role, Scope, Verdict
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.report.contents import Contents, contents
from psychmem_py.store import candidates, episodes, overview, sessions
from psychmem_py.store.connection import open_store
from psychmem_py.store.episodes import Episode

NOW = 1_800_000_000.0
SHOP = Project("dir:/shop", "shop", "/shop")
HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror=alert(1)> "quoted" \x1b[31m\u202e'


def filled(folder: Path) -> Contents:
    """What the report of such a store says."""
    with open_store(folder / "memory.db", now=NOW) as db:
        act = Act(db, DEFAULTS, NOW, "made", PERSON)
        overview.see_project(db, *SHOP, NOW)
        overview.see_project(db, "dir:/harbour", "harbour <b>", "/harbour", NOW)
        sessions.begin(db, "c0ffee01", agent="claude-code", project=SHOP.id, now=NOW)
        tabs = remember(act, Entry("Use tabs in the Makefile", Kind.CONSTRAINT, Scope.PROJECT, SHOP.id)).memory
        spaces = remember(act, Entry("Use spaces in the Makefile", Kind.CONSTRAINT, Scope.PROJECT, "dir:/harbour")).memory
        remember(act, Entry("I like short answers", Kind.PREFERENCE, Scope.USER, tags=("style",)))
        remember(act, Entry(HOSTILE, Kind.SEMANTIC, Scope.PROJECT, SHOP.id, context=HOSTILE))
        remember(act._replace(now=NOW - 86_400), Entry("The deploy went out at noon", Kind.EPISODIC, Scope.PROJECT, SHOP.id))
        gone = remember(act, Entry("The port is 8080", Kind.SEMANTIC, Scope.PROJECT, SHOP.id)).memory
        actions.forget(act, [gone.id])
        actions.pin(act, tabs.id)
        actions.link(act, tabs.id, spaces.id, LinkType.CONTRADICTS)
        asked = "Which port does the shop listen on?"
        episodes.add(db, [Episode("ex1", SHOP.id, "c0ffee01", "m1", NOW, asked, "It is 8080.", (), ())])
        sessions.mark_shown(db, "c0ffee01", [tabs.id], "brief", NOW, 0)
        said = Candidate(HOSTILE, HOSTILE, Kind.DECISION, Scope.PROJECT, 0.5, 0.5, (), Role.USER, Origin.USER_PROMPT, "m", 0, 1)
        turned = [Verdict(said, Gate.QUESTION, "question"), Verdict(said._replace(text="Perhaps Redis"), waiting=True)]
        candidates.keep_verdicts(db, turned, session="c0ffee01", project=SHOP.id, batch="made", now=NOW)
        return contents(db, SHOP, DEFAULTS, NOW)
