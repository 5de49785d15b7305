"""`psychmem mcp`: the six tools, and with `--tools all` the STM server's and Spec Kit's calls, verbatim, by the SDK's client."""

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client, StdioServerParameters

from psychmem_py.home import config
from psychmem_py.home.project import project_of
from psychmem_py.installation.registration import Tools
from psychmem_py.mcp_door.desk import Desk
from psychmem_py.mcp_door.server import answer, schema, tools_of
from tests import forks
from tests.data import json_values, written
from tests.hooks import repository

COMMAND = ["-c", "import sys; from psychmem_py.cli import main; sys.argv[0] = 'psychmem'; main()", "mcp"]


class Asking(NamedTuple):
    """One conversation with the tools in this process; that a client starts it and speaks over stdio is looked at in three."""

    desk: Desk
    tools: Tools

    def answered(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
        result: dict[str, Any] = json.loads(answer(self.desk, self.tools, json.dumps(asked).encode()))["result"]
        return result


def begun(project: Path, tools: Tools = Tools.ALL) -> Asking:
    here = project_of(str(project), os.environ)
    assert here
    desk = Desk(os.environ, config.load(os.environ), here, "", f"mcp-{uuid4().hex}", [], [])
    return Asking(desk, tools)


@pytest.fixture
def client(project: Path) -> Asking:
    """A conversation with all tools."""
    return begun(project)


@pytest.fixture
def six(project: Path) -> Asking:
    return begun(project, Tools.SIX)


def call(client: Asking, tool: str, **arguments: Any) -> Any:
    """What a tool tells, read from its JSON; an error fails the test."""
    result = client.answered(tool, arguments)
    assert not result["isError"], result
    return json.loads(result["content"][0]["text"])


def refusal(client: Asking, tool: str, **arguments: Any) -> str:
    """The sentence a tool refuses with."""
    result = client.answered(tool, arguments)
    assert result["isError"]
    return str(result["content"][0]["text"])


def talk(project: Path, conversation: Callable[[Client], Awaitable[None]], *arguments: str) -> None:
    """One whole conversation with a server of its own, as a client in `project` starts it."""
    started = StdioServerParameters(command=sys.executable, args=[*COMMAND, *arguments], env={**os.environ}, cwd=project)

    async def run() -> None:
        async with Client(started) as client:
            await conversation(client)

    anyio.run(run)


STM = ["save_memory", "search_memory", "touch_memory", "gc", "promote_memory", "cluster_memories", "consolidate_memories"]
SPEC_KIT = """memory_context memory_search memory_match_triggers memory_save memory_list memory_stats memory_health memory_delete memory_update
memory_validate checkpoint_create checkpoint_list checkpoint_restore checkpoint_delete memory_drift_why
memory_causal_link memory_causal_stats memory_causal_unlink memory_index_scan""".split()
SPEC = written("spec.txt")


def kept(project: Path, text: str, *words: str) -> str:
    return str(psychmem(project, "remember", text, *words)["id"])


def test_both_sets_are_there_under_their_names_with_their_parameters_and_defaults(client: Asking, project: Path) -> None:
    shown = json.loads(answer(client.desk, client.tools, b'{"id": 1, "method": "tools/list"}'))["result"]["tools"]
    tools = {tool["name"]: tool["inputSchema"]["properties"] for tool in shown}
    assert set(tools) == {*SIX, *STM, *SPEC_KIT}
    assert tools["gc"]["dry_run"]["default"] is True
    assert tools["search_memory"]["top_k"]["default"] == 10
    search = tools["memory_search"]
    usual = [search[name]["default"] for name in ("limit", "useDecay", "includeConstitutional", "includeContent")]
    assert usual == [10, True, True, False]
    scan = ("force", "includeConstitutional", "includeReadmes", "includeSpecDocs", "incremental")
    assert [tools["memory_index_scan"][name]["default"] for name in scan] == [False, True, True, True, True]
    assert tools["memory_list"]["limit"]["default"] == 20


@pytest.mark.parametrize(("tools", "names"), [("stm", STM), ("speckit", SPEC_KIT)])
def test_one_set_comes_without_the_other(project: Path, tools: str, names: list[str]) -> None:
    async def conversation(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == {*SIX, *names}

    talk(project, conversation, "--tools", tools)


def test_a_parameter_that_changes_nothing_is_no_error_and_ours_are_taken_as_before(client: Asking, project: Path) -> None:
    saved = call(client, "save_memory", content="The cache is Redis 7")
    assert call(client, "touch_memory", memory_id=saved["memory_id"], boost_strength=True)["use_count"] == 1
    assert call(client, "gc", archive_instead=True)["dry_run"]
    one = call(client, "memory_save", text="Decided on Kafka for the order events", kind="decision")
    found = call(client, "memory_search", query="Kafka order events")
    assert [row["id"] for row in found["data"]["results"]] == [one["kept"]]
    assert call(client, "memory_get", ids=[one["kept"]])["memories"][0]["class"] == "decision"
    assert call(client, "memory_update", id=one["kept"], helped=True)["changed"] == one["kept"]


def test_the_stm_server_s_day(client: Asking, project: Path) -> None:
    about = {"source": "chat", "context": "design talk", "meta": {"subject": "cache"}}
    saved = call(client, "save_memory", content="The cache is Redis 7", tags=["cache"], **about)
    assert (saved["success"], "warnings" in saved) == (True, False)
    (found,) = call(client, "search_memory", query="which cache", tags=["cache"])["results"]
    assert (found["id"], found["use_count"]) == (saved["memory_id"], 0)
    touched = call(client, "touch_memory", memory_id=saved["memory_id"])
    assert touched["new_score"] > touched["old_score"]
    assert touched["use_count"] == 1
    collected = call(client, "gc")
    assert (collected["dry_run"], collected["memory_ids"]) == (True, [])
    promoted = call(client, "promote_memory", memory_id=saved["memory_id"])
    assert promoted["promoted_ids"] == [saved["memory_id"]]
    assert "--vault" in promoted["message"]
    (found,) = call(client, "search_memory", tags=["cache"], status="promoted")["results"]
    assert (found["status"], "promoted_at" in found) == ("promoted", True)
    assert call(client, "promote_memory", memory_id=saved["memory_id"])["promoted_ids"] == []
    newer = call(client, "save_memory", content="The cache is no longer Redis 7 but Redis 8")
    assert newer["replaces"] == [saved["memory_id"]]
    assert "superseded" in refusal(client, "promote_memory", memory_id=saved["memory_id"], dry_run=True)
    assert "out of use" in refusal(client, "touch_memory", memory_id=saved["memory_id"])
    assert call(client, "search_memory", tags=["cache"])["results"][0]["id"] == newer["memory_id"]
    assert "memory_id or set auto_detect" in refusal(client, "promote_memory")


def test_a_search_of_the_stm_server_goes_by_what_is_left_of_each(client: Asking, project: Path) -> None:
    one = call(client, "save_memory", content="The export job writes Parquet files at night")
    other = call(client, "save_memory", content="The export job reads its limits from the ledger")
    for _ in range(3):
        call(client, "touch_memory", memory_id=other["memory_id"])
    found = call(client, "search_memory", query="export job")["results"]
    assert [row["id"] for row in found] == [other["memory_id"], one["memory_id"]]
    assert found[0]["score"] > found[1]["score"]
    none = call(client, "search_memory", query="export job", min_score=99)
    assert none["count"] == 0


def test_the_agent_s_promotion_leaves_its_note_where_the_person_s_vault_is(client: Asking, project: Path) -> None:
    notes = project / "Notes"
    notes.mkdir()
    psychmem(project, "promote", kept(project, "The mirror is synced hourly"), "--vault", str(notes))
    saved = call(client, "save_memory", content="The cache is Redis 7")
    done = call(client, "promote_memory", memory_id=saved["memory_id"])
    assert Path(done["notes"][0]).read_text().startswith("---\nid: ")
    assert len(list(notes.rglob("*.md"))) == 2


def test_near_duplicates_are_a_group_that_can_be_made_one(client: Asking, project: Path) -> None:
    text, file = "The nightly export of invoices is written to the archive bucket", project / "rows.jsonl"
    rows = [{"id": key * 8, "text": text + more, "class": "semantic"} for key, more in (("a", ""), ("b", " today"))]
    file.write_text("\n".join(map(json.dumps, rows)))
    psychmem(project, "import", str(file))
    assert len(psychmem(project, "list")) == 2  # not made one on the way in
    (group,) = call(client, "cluster_memories", threshold=0.8)["clusters"]
    assert group["suggested_action"] in ("auto-merge", "llm-review")
    before = call(client, "consolidate_memories", cluster_id=group["id"])
    assert len(before["memories"]) == 2
    call(client, "consolidate_memories", cluster_id=group["id"], mode="apply")
    assert call(client, "cluster_memories", threshold=0.8)["clusters_found"] == 0


def test_what_has_no_sense_here_answers_with_the_reason(client: Asking, project: Path) -> None:
    assert "E040" in refusal(client, "memory_search", specFolder="007-auth")
    assert "2-5" in refusal(client, "memory_search", concepts=["one"])
    one = call(client, "memory_save", text="The cache is Redis 7", kind="semantic")
    assert "only a person" in refusal(client, "memory_update", id=one["kept"], importanceTier="constitutional")
    assert "importance follows" in refusal(client, "memory_update", id=one["kept"], importanceWeight=0.9)


def test_documents_are_found_by_section_in_their_folder_alone(client: Asking, project: Path) -> None:
    for name in ("007-auth", "007-auth-v2"):
        (project / "specs" / name).mkdir(parents=True)
        (project / "specs" / name / "spec.md").write_text(SPEC)
    (project / "node_modules" / "x").mkdir(parents=True)
    (project / "node_modules" / "x" / "README.md").write_text("# Sessions in Redis last for ever\n")
    (project / "link.md").symlink_to("none.md")  # cannot be read, and is not counted
    scan = call(client, "memory_index_scan")["data"]
    assert (scan["scanned"], scan["indexed"], scan["byType"]) == (2, 2, {"spec": 2})
    found = call(client, "memory_search", query="how long sessions last", specFolder="007-auth")["data"]["documents"]
    assert [(one["path"], one["anchor"]) for one in found] == [("specs/007-auth/spec.md", "summary")]
    assert "content" not in found[0]
    asked = {"query": "what signs cookies", "anchors": ["decisions"], "specFolder": "007-auth"}
    (one,) = call(client, "memory_search", **asked)["data"]["documents"]
    assert one["content"] == "- Cookies are signed with the ledger key."
    (one,) = call(client, "memory_search", **{**asked, "anchors": ["summary"], "query": "resume work"})["data"]["documents"]
    assert one["content"].startswith("Sessions live in Redis")  # found by its whole text
    assert len(call(client, "memory_search", query="recent changes", anchors=["summary"])["data"]["documents"]) == 2
    loose = {"query": "ledger sprocket gadget widget", "specFolder": "007-auth"}  # a third of it is nowhere
    assert len(call(client, "memory_search", **loose)["data"]["documents"]) == 1
    again = call(client, "memory_index_scan")["data"]
    assert (again["indexed"], again["unchanged"]) == (0, 2)


def test_a_document_is_checked_and_its_change_is_seen_by_the_next_search(client: Asking, project: Path) -> None:
    notes = project / "notes.md"
    notes.write_text(SPEC)
    saved = call(client, "memory_save", filePath=str(notes))["data"]
    assert (saved["status"], saved["anchors"]) == ("indexed", ["summary", "decisions"])
    notes.write_text(SPEC.replace("nine hours", "twelve hours"))
    (one,) = call(client, "memory_search", query="how long sessions last", anchors=["summary"])["data"]["documents"]
    assert "twelve hours" in one["content"]
    notes.write_text(SPEC.replace("<!-- /ANCHOR:summary -->", ""))
    assert "anchor summary is opened and never closed" in refusal(client, "memory_save", filePath="notes.md")
    assert "no Markdown file of this project" in refusal(client, "memory_save", filePath="../../etc/passwd.md")
    assert psychmem(project, "list") == []


MEMORY_FILE = written("memory_file.txt")


def test_spec_kit_s_memory_files_are_memories_of_its_tools(client: Asking, project: Path) -> None:
    folder = project / "specs" / "007-auth" / "memory"
    folder.mkdir(parents=True)
    (folder / "week2.md").write_text(MEMORY_FILE)
    (folder / "old.txt").write_text("Heron sessions were cookies once.\n")
    os.utime(folder / "old.txt", (1_700_000_000, 1_700_000_000))
    path = "specs/007-auth/memory/week2.md"
    (project / "README.md").write_text("# Heron\n\nThe heron team keeps sessions.\n")
    listed = call(client, "memory_list", specFolder="007-auth")["data"]["results"]
    assert [(one["id"], one["title"], one["importanceTier"]) for one in listed] == [
        (path, "Sign-in, second week", "important"),
        ("specs/007-auth/memory/old.txt", "old.txt", "normal"),
    ]
    assert call(client, "memory_list", specFolder="007")["data"]["results"] == []
    (hit,) = call(client, "memory_match_triggers", prompt="why nine hours?")["data"]["results"]
    assert (hit["id"], hit["matchedPhrases"]) == (path, ["nine hours"])
    # found by its whole text, cut to the sections that are asked for, without the secret in them
    asked = {"query": "heron sessions", "anchors": ["next-steps", "state"]}
    (cut,) = call(client, "memory_search", **asked)["data"]["results"]
    assert cut["id"] == path
    assert cut["content"].startswith("next-steps\nRevoke old cookies.")
    assert "sk-ant" not in cut["content"]
    whole = call(client, "memory_search", query="heron sessions", includeContent=True)["data"]
    assert [one["id"] for one in whole["results"]] == [path]  # the other file is two years old: archived
    assert [one["path"] for one in whole["documents"]] == ["README.md"]
    tiered = call(client, "memory_search", query="heron sessions", tier="important")["data"]
    assert ([one["id"] for one in tiered["results"]], tiered["documents"]) == ([path], [])
    once = {"query": "heron sessions", "sessionId": "s1"}
    assert call(client, "memory_search", **once)["data"]["count"] == 1
    again = call(client, "memory_search", **once)["data"]
    assert (again["count"], again["documents"]) == (0, [])
    assert "file of this project" in refusal(client, "memory_update", id=path, title="Mine")
    assert psychmem(project, "list") == []


def test_an_intent_ranks_documents_and_memories(client: Asking, project: Path) -> None:
    for name in ("spec.md", "decision-record.md"):
        (project / name).write_text("# Ledger\n\nThe ledger is append only.\n")
    kept(project, "The ledger was append only from the start", "--class", "semantic")
    kept(project, "Decided that the ledger is append only", "--class", "decision")

    def first(intent: str) -> tuple[str, str]:
        data = call(client, "memory_search", query="ledger append only", intent=intent)["data"]
        return data["documents"][0]["path"], data["results"][0]["contextType"]

    assert first("find_decision") == ("decision-record.md", "decision")
    assert first("understand") == ("spec.md", "semantic")


def test_a_named_session_has_a_context_of_its_own_and_no_document_is_told_unasked(client: Asking, project: Path) -> None:
    kept(project, "Always run make lint before a commit", "--class", "constraint")
    told = [call(client, "memory_context", input="commit", sessionId=name).get("brief") for name in ("s1", "s1", "s2")]
    assert ["make lint" in one for one in told] == [True, False, True]
    assert "make lint" in call(client, "memory_context", about="commit")["brief"]
    again = call(client, "memory_context", input=" ")
    assert (again["brief"], again["note"].startswith("no further memory of the 1 ")) == ("", True)
    (project / "README.md").write_text(SPEC)
    assert "Redis" not in json.dumps(call(client, "memory_context"))


def test_constitutional_rules_come_first_whatever_is_asked_and_can_be_left_out(client: Asking, project: Path) -> None:
    rule = kept(project, "Ask for the spec folder before you change a file", "--class", "constraint", "--project", str(project))
    psychmem(project, "edit", rule, "--tier", "constitutional")
    kept(project, "The staging host is called heron", "--class", "semantic")
    for tool, asked in (("memory_search", "query"), ("memory_context", "input")):
        found = call(client, tool, **{asked: "staging host"})["data"]["results"]
        assert [(one["importanceTier"], one["importanceWeight"]) for one in found] == [("constitutional", 1.0), ("normal", 0.5)]
    without = call(client, "memory_search", query="staging host", includeConstitutional=False)
    assert [one["title"] for one in without["data"]["results"]] == ["The staging host is called heron"]
    by_tier = call(client, "memory_search", query="spec folder staging", tier="normal")
    assert [one["importanceTier"] for one in by_tier["data"]["results"]] == ["normal"]


def test_all_concepts_must_be_met_once_a_session_and_phrases_call_without_a_search(client: Asking, project: Path) -> None:
    kept(project, "Login tokens are kept in the session store", "--class", "semantic")
    kept(project, "Login goes through the gateway", "--class", "semantic")
    both = {"concepts": ["logins", "store of sessions"], "sessionId": "s1"}
    assert call(client, "memory_search", **both)["data"]["count"] == 1
    assert call(client, "memory_search", **both)["data"]["count"] == 0
    (project / "README.md").write_text("# Login\n\nLogin is done by the gateway's store.\n")
    told = call(client, "memory_search", **{**both, "enableDedup": False})["data"]
    assert (told["count"], told["documents"]) == (1, [])  # the file knows no session
    one = call(client, "memory_save", text="The release is cut on Tuesdays", kind="decision")
    assert call(client, "memory_match_triggers", prompt="ship the release candidate")["data"]["count"] == 0
    call(client, "memory_update", id=one["kept"], triggerPhrases=["release candidate", "cut a tag"])
    (hit,) = call(client, "memory_match_triggers", prompt="Ship the release candidate!")["data"]["results"]
    assert (hit["matchedPhrases"], hit["triggerPhrases"][0]) == (["release candidate"], "release candidate")


def test_a_chain_of_causes_is_walked_linked_counted_and_cut(client: Asking, project: Path) -> None:
    one = call(client, "memory_save", text="The outage came from a full disk", kind="bugfix")
    other = call(client, "memory_save", text="Decided to rotate the logs daily", kind="decision")
    made = call(client, "memory_causal_link", sourceId=one["kept"], targetId=other["kept"], relation="caused", strength=0.9)
    why = call(client, "memory_drift_why", memoryId=other["kept"])["data"]["byRelation"]["caused"]
    assert [edge["id"] for edge in why] == [made["data"]["edgeId"]]
    assert call(client, "memory_causal_stats")["data"]["coveragePercent"] == 100.0
    call(client, "memory_causal_unlink", edgeId=made["data"]["edgeId"])
    assert call(client, "memory_causal_stats")["data"]["totalEdges"] == 0
    assert "memory_drift_why gives the ids" in refusal(client, "memory_causal_unlink", edgeId="17")
    rule, fact = kept(project, "Never push on Fridays", "--class", "constraint"), kept(project, "Pushes take an hour")
    for ends, name in (((one["kept"], rule), "supersedes"), ((fact, rule), "contradicts")):
        assert "only a person" in refusal(client, "memory_causal_link", sourceId=ends[0], targetId=ends[1], relation=name)
    call(client, "memory_causal_link", sourceId=one["kept"], targetId=rule, relation="contradicts")
    assert "warnings" in call(client, "memory_save", text="Always push on Fridays", kind="constraint")
    assert "Always push" not in str(call(client, "memory_drift_why", memoryId=rule))  # it is pending


def test_lists_counts_feedback_and_deletion(client: Asking, project: Path) -> None:
    keys = [call(client, "memory_save", text=f"Port {n} is the {w} one", kind="semantic", tags=["ports"])["kept"]
            for n, w in ((8080, "public"), (8081, "inner"), (8082, "metrics"))]  # fmt: skip
    page = call(client, "memory_list", limit=2, offset=1, specFolder="ports")["data"]
    assert (page["total"], [one["id"] for one in page["results"]]) == (3, [keys[1], keys[0]])
    stats = call(client, "memory_stats")["data"]
    assert (stats["totalMemories"], stats["byTier"]) == (3, {"normal": 3})
    assert all(0 < one["score"] <= 1 for one in stats["topMemories"])
    assert call(client, "memory_health")["data"]["status"] == "healthy"
    first = call(client, "memory_validate", id=keys[0], wasUseful=True)
    assert 0 < first["utility"] <= 1
    assert "confirm" in refusal(client, "memory_delete", specFolder="ports")
    call(client, "memory_delete", id=keys[0])
    call(client, "memory_delete", specFolder="ports", confirm=True)
    assert call(client, "memory_list")["data"]["total"] == 0
    call(client, "memory_forget", undo=True)
    assert call(client, "memory_list")["data"]["total"] == 2


def test_going_back_to_a_checkpoint_changes_the_agent_s_own_words_alone(client: Asking, project: Path) -> None:
    call(client, "checkpoint_create", name="before")
    call(client, "memory_save", text="The cache is Redis 7", kind="semantic")
    assert call(client, "checkpoint_restore", name="before")["data"]["restored"] == 1
    assert call(client, "memory_list")["data"]["total"] == 0
    kept(project, "The staging host is called heron", "--class", "semantic")
    assert "only a person may" in refusal(client, "checkpoint_restore", name="before")
    assert call(client, "memory_list")["data"]["total"] == 1
    assert [one["name"] for one in call(client, "checkpoint_list")["data"]["checkpoints"]] == ["before"]
    assert "did not make" in refusal(begun(project), "checkpoint_delete", name="before")


ODD = {"nul": "a\0b", "high": "a\ud800b", "low": "\udfff", "path": "../\0", "long": "x" * 100_000}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_odd_words_get_a_sentence_from_every_tool(client: Asking, odd: str) -> None:
    for name, (function, _) in tools_of(Tools.ALL).items():
        kinds = {one: about["type"] for one, about in schema(function)["properties"].items() if "enum" not in about}
        given = {one: [odd] if kind == "array" else odd for one, kind in kinds.items() if kind in ("array", "string")}
        told = str(client.answered(name, given)["content"])
        assert len(told) < 20_000
        assert "it failed" not in told


def test_all_that_was_asked_before_the_end_is_answered(project: Path) -> None:
    """As in `psychmem mcp <requests`. What is no message is answered as JSON-RPC says, and ends nothing."""
    who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    texts = [f"Service {number} of the shop listens on port {8000 + number}" for number in range(5)]
    asked = [{"id": 0, "method": "initialize", "params": who}, {"method": "notifications/initialized"}]
    saves = ({"name": "memory_save", "arguments": {"text": text, "kind": "decision"}} for text in texts)
    asked += [{"id": number, "method": "tools/call", "params": one} for number, one in enumerate(saves, 1)]
    asked.insert(1, {"method": "notifications/cancelled", "params": [1]})
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    wrong = ["[" * 200_000, "", '{"id": 7}', "[1]", '{"id": null, "method": "ping"}', '{"id": 8, "result": {}}']
    done = forks.psychmem("mcp", cwd=project, stdin="\n".join([*wrong, lines]))
    faults, answers = list[tuple[int | None, int]](), list[int]()
    for told in map(json.loads, done.stdout.splitlines()):
        faults += [(told["id"], told["error"]["code"])] if "error" in told else []
        answers += [] if "error" in told else [told["id"]]
    assert (done.returncode, sorted(answers)) == (0, list(range(6)))
    assert faults == [(None, -32700), (7, -32600), (None, -32600), (None, -32600)]


def test_arguments_are_taken_as_models_write_them_or_refused_by_their_name(six: Asking, project: Path) -> None:
    kept = call(six, "memory_save", text="The cache is Redis 7", kind="semantic", tags='["cache"]', limit=3)
    assert len(call(six, "memory_search", query="cache", limit="5")["memories"]) == 1
    assert call(six, "memory_get", ids=[kept["kept"]])["memories"][0]["tags"] == ["cache"]
    assert refusal(six, "memory_search") == "query is missing"
    for odd in ({"limit": [1]}, {"limit": "many"}, {"limit": True}, {"limit": "[" * 100_000}):
        assert refusal(six, "memory_search", query="cache", **odd) == "limit has to be integer"
    assert refusal(six, "memory_get", ids={"a": 1}) == "ids has to be array"
    assert "at most 200000 are read" in refusal(six, "memory_search", query="cache " * 40_000)
    for odd in ("NaN", "Infinity", -float("inf"), 10**400):
        assert refusal(begun(project), "cluster_memories", threshold=odd) == "threshold has to be number"
    assert call(begun(project), "cluster_memories", threshold=1e308)["clusters_found"] == 0
    assert refusal(six, "explode") == "there is no tool explode"


def test_whatever_stands_in_a_message_it_is_answered_on_one_line_or_not_at_all(client: Asking) -> None:
    @settings(max_examples=150, deadline=None)
    @given(json_values("query", "ids", "name"), st.sampled_from("id method params name arguments query limit".split()))
    def asked(value: object, key: str) -> None:
        params = {"name": "memory_search", "arguments": {"query": "x"} | {key: value}} | {key: value}
        line = answer(*client, json.dumps({"id": 1, "method": "tools/call", "params": params} | {key: value}).encode())
        assert line.count(b"\n") == bool(line)
        assert not line or {"result", "error"} & json.loads(line).keys()
        assert b"it failed" not in line

    asked()


def test_a_client_that_goes_away_ends_it_quietly(project: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, *COMMAND], cwd=project, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdout
        server.stdout.close()
        _, told = server.communicate(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n' * 9)
    assert (told, server.returncode) == (b"", 0)


SIX = ["memory_search", "memory_get", "memory_save", "memory_update", "memory_forget", "memory_context"]


def psychmem(project: Path, *words: str) -> Any:
    """What a person's command prints as JSON."""
    return forks.told(*words, cwd=project)


def test_a_client_finds_six_tools_with_what_they_do_in_a_thousand_tokens(project: Path) -> None:
    async def conversation(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == SIX
        assert all(tool.annotations is not None and tool.description for tool in tools)
        size = sum(len(json.dumps(tool.model_dump(by_alias=True, exclude_none=True))) for tool in tools)
        assert size <= 4_000  # characters: four to a token
        assert client.instructions is not None
        assert "search what was agreed" in client.instructions
        hints = {tool.name: tool.annotations for tool in tools}
        assert [name for name, hint in hints.items() if hint and hint.destructive_hint] == ["memory_forget"]
        readers = {name for name, hint in hints.items() if hint and hint.read_only_hint}
        assert readers == {"memory_search", "memory_get", "memory_context"}

    talk(project, conversation)


def test_what_a_tool_saves_is_the_agents_word_and_a_later_conversation_finds_it(six: Asking, project: Path) -> None:
    said = "Decided on Kafka for the order events"
    assert call(six, "memory_save", text=said, kind="decision", tags=["queue"])["class"] == "decision"
    (row,) = psychmem(project, "list")
    assert (row["origin"], row["tags"], row["agent"]) == ("assistant", ["queue"], "mcp")

    async def asking(client: Client) -> None:
        assert said in str((await client.call_tool("memory_search", {"query": "which queue for order events"})).content)

    talk(project, asking)


def test_where_a_person_wants_nothing_kept_no_tool_keeps_anything(six: Asking, project: Path) -> None:
    for env, why in (({"PSYCHMEM_IGNORE": "*"}, "general.ignore names it"), ({}, "`psychmem resume` ends that")):
        forks.psychmem("pause", cwd=project)
        closed = Asking(six.desk._replace(env={**os.environ, **env}), six.tools)
        assert why in refusal(closed, "memory_save", text="The cache is Redis 7")
    assert psychmem(project, "list") == []


def test_a_rule_from_a_tool_waits_for_a_person_and_says_what_it_contradicts(six: Asking, project: Path) -> None:
    known = kept(project, "I prefer Sonnet for reviews")
    made = call(six, "memory_save", text="Always use Opus for reviews")
    assert ("psychmem review" in made["waits"], made["class"]) == (True, "constraint")
    assert made["warnings"] == [f"contradicts {known[:8]} (rivals): I prefer Sonnet for reviews"]
    assert call(six, "memory_search", query="Opus for reviews")["memories"][0]["id"] == known[:12]
    assert "is pending" in refusal(six, "memory_get", ids=[made["kept"]])
    assert [one["id"] for one in psychmem(project, "list")] == [known]


def test_forgetting_is_soft_and_can_be_taken_back(six: Asking, project: Path) -> None:
    kept = psychmem(project, "remember", "The staging host is called heron", "--class", "semantic")
    call(six, "memory_forget", ids=[kept["id"][:12]])
    assert call(six, "memory_search", query="staging host")["memories"] == []
    call(six, "memory_forget", undo=True)
    assert len(call(six, "memory_search", query="staging host")["memories"]) == 1
    assert "forgotten nothing" in refusal(six, "memory_forget", undo=True)
    assert [row["status"] for row in psychmem(project, "list")] == ["active"]


def test_what_a_conversation_has_seen_comes_short_and_to_the_next_whole(project: Path) -> None:
    long = "The invoice service keeps its totals in cents because the ledger rounds half to even on every export"
    psychmem(project, "remember", long, "--class", "semantic")
    for one in (begun(project, Tools.SIX), begun(project, Tools.SIX)):
        first, second = (call(one, "memory_search", query="invoice totals")["memories"][0] for _ in range(2))
        assert first["text"] == long
        assert second["seen"]
        assert len(second["text"]) < len(long)
        assert call(one, "memory_get", ids=[first["id"]])["memories"][0]["text"] == long


def test_an_update_corrects_the_agents_word_and_not_a_persons(six: Asking, project: Path) -> None:
    persons = psychmem(project, "remember", "The staging host is called heron", "--class", "semantic")
    kept = call(six, "memory_save", text="The cache is Redis 6", kind="semantic")
    changed = call(six, "memory_update", id=kept["kept"], text="The cache is Redis 7")
    assert changed["text"] == "The cache is Redis 7"
    assert "only a person" in refusal(six, "memory_update", id=persons["id"], text="It is called egret")
    call(six, "memory_update", id=persons["id"], helped=True)
    assert psychmem(project, "show", persons["id"])["use_count"] == 1


def test_another_projects_memory_and_an_empty_question_are_refused_in_one_sentence(six: Asking, project: Path) -> None:
    other = repository(project.parent / "blog")
    kept = psychmem(other, "remember", "The blog is built with Hugo", "--class", "semantic")
    assert "no memory has an id" in refusal(six, "memory_get", ids=[kept["id"]])
    assert "no memory has an id" in refusal(six, "memory_forget", ids=[kept["id"]])
    assert call(six, "memory_search", query="blog Hugo")["memories"] == []
    assert (refusal(six, "memory_search", query=" ")).startswith("say what to look for")
