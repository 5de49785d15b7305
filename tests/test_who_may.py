"""The table of who may do what, and that no command, option or tool goes round it."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from psychmem_py.briefing.repository_rules import FIELD
from psychmem_py.cli import app as deeds
from psychmem_py.cli.app import whole
from psychmem_py.curation import repository
from psychmem_py.errors import RefusedError
from psychmem_py.mcp_door import server, spec_kit, stm_server
from psychmem_py.memory.admission import AUTHOR, DOUBT
from psychmem_py.memory.forgetting import JUDGED, NOTE_GONE
from psychmem_py.model.permission import MARKS, MAY, Actor, Deed, refusal
from psychmem_py.model.records import Kind, Origin, Scope
from psychmem_py.store.read_only import GUARD, ON, REFUSED
from tests.cli.test_every_command import LEAVES
from tests.memories_made import made

# Options that choose, word or print what their command may do anyway, and other names of those that say more.
HARMLESS = set(
    """--after --alike --batch --class --conversations --debug --figures --file --follow --from-sessions --heard --said-once --history
    --limit --link --list --offset --pinned --query --session --sort --status --store --tag --tier --today --user --waiting -n
    --all --last --not --explain --budget --metadata --until --quote --replaces --text --good --bad --vote --touch --unlink --type
    --drop --merge --from --since --format --secrets --dry-run --json --project --yes -y --transcript --origin --apply --below
    --mine --as --with --personal --role --team --rules --no-rules --claude-code --opencode --mcp --tools --off --ask --help
    --serve --port --output -o --remind -e --unpin --to --no-next""".split()
)


def test_every_command_says_what_it_does_and_every_option_was_thought_of() -> None:
    assert set(deeds.COMMANDS) == set(LEAVES) - {"share"}  # short for `share start`
    options = {path: {one for one in LEAVES[path] if one.startswith("-")} for path in deeds.COMMANDS}
    unknown = {path: options[path] - HARMLESS - set(more) for path, (_, more) in deeds.COMMANDS.items()}
    assert {path: found for path, found in unknown.items() if found} == {}
    assert {path: set(more) - LEAVES[path] for path, (_, more) in deeds.COMMANDS.items() if set(more) - LEAVES[path]} == {}


def asked(path: str, option: str) -> list[str]:
    """A use of the command with this option and what it cannot do without."""
    tree: Any = __import__("typer").main.get_command(whole())
    for word in path.split():
        tree = tree.commands[word]
    words = [*path.split()]
    for param in tree.params:
        named = option in (*param.opts, *param.secondary_opts)
        if named or (param.required and param.param_type_name == "option"):
            words += [option if named else param.opts[0], *([] if getattr(param, "is_flag", False) else ["x"])]
    return words + ["x" for param in tree.params if param.required and param.param_type_name == "argument"]


USES = [(path, option) for path, (_, more) in deeds.COMMANDS.items() for option in ("", *more)]


@pytest.mark.parametrize(("agent", "uses"), [("CLAUDECODE", USES), ("OPENCODE", USES[::9])], ids=["all", "some"])
def test_an_agent_gets_as_far_as_the_table(agent: str, uses: list[tuple[str, str]], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for path, option in uses:
        wanted = deeds.asked_of(path, {option})
        assert refusal(Actor.PERSON, wanted[-1]) == ""
        refused = next(filter(None, (refusal(Actor.AGENT, deed) for deed in wanted)), "")
        if refused:  # what is not refused might act
            done = CliRunner().invoke(whole(), asked(path, option), env={agent: "1"})
            assert isinstance(done.exception, RefusedError), (path, option, done.output)
            assert str(done.exception) == refused


def test_a_command_a_tool_or_a_mark_that_nobody_thought_of_is_refused() -> None:
    with pytest.raises(RefusedError, match="who may run"):
        deeds.asked_of("explode", ())
    tools = {function.__name__: deed for function, deed in (*server.TOOLS, *stm_server.TOOLS, *spec_kit.TOOLS)}
    assert {name for name, deed in tools.items() if deed not in MAY[Actor.AGENT]} == set()
    assert {AUTHOR, DOUBT, GUARD, JUDGED, NOTE_GONE, ON, REFUSED, repository.FIELD, FIELD} == MARKS


HERE, ELSEWHERE = "git:here", "git:elsewhere"
THINGS = {
    "a rule of the person's": made("It is so", kind=Kind.CONSTRAINT, project=HERE, origin=Origin.USER_PROMPT),
    "what the person said of themselves": made("It is so", scope=Scope.USER, project=None, origin=Origin.USER_CLI),
    "a decision of the person's": made("It is so", kind=Kind.DECISION, project=HERE, origin=Origin.USER_PROMPT),
    "its own": made("It is so", kind=Kind.DECISION, project=HERE, origin=Origin.ASSISTANT),
    "its own, pinned since": made("It is so", project=HERE, origin=Origin.ASSISTANT, pinned=True),
    "another project's": made("It is so", project=ELSEWHERE, origin=Origin.ASSISTANT),
}
AN_AGENT_MAY = {
    Deed.LOOK: set(THINGS) - {"another project's"},
    Deed.RATE: set(THINGS) - {"another project's"},
    Deed.CHANGE: {"its own"},
    Deed.SETTLE: {"its own"},
    Deed.RESTORE: {"its own"},
    Deed.FORGET: {"its own", "a decision of the person's"},
}


@pytest.mark.parametrize("deed", list(Deed))
def test_how_far_an_agent_reaches(deed: Deed) -> None:
    reached = {name for name, one in THINGS.items() if not refusal(Actor.AGENT, deed, one, HERE)}
    assert reached == ({"its own"} if deed is Deed.SAY else AN_AGENT_MAY.get(deed, set()))


@pytest.mark.parametrize("actor", [Actor.PEER, Actor.FILE, Actor.READER])
def test_nobody_but_a_person_rules(actor: Actor) -> None:
    assert set(MAY[actor]) <= {Deed.SAY, Deed.CHANGE, Deed.FORGET, Deed.SETTLE}
    assert (Deed.SETTLE in MAY[actor]) == (actor is Actor.READER)
