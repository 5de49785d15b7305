"""Every rule for secrets is held to its own examples, alone and in what people and programs write around a secret."""

import random
import re
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from psychmem_py.agents.tool_traces import first_line, telling_line, whole
from psychmem_py.recall.brief_text import INDEX_HEADER
from psychmem_py.recall.memory_line import PROMPT_HEADER
from psychmem_py.safety.fence import BLOCK_END, BLOCK_START, fenced
from psychmem_py.safety.secret_free import is_plain, is_plain_call
from psychmem_py.safety.secrets import RULES, SecretRule, redact, redact_call
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.words import rows
from tests.data import cases
from tests.security.test_secrets import ALPHABETS, DRAWN, PROVIDER, drawn

CARRIERS = ("{}", "please use {} here", "Error: 401 for {}\nretry", "- {}", "`{}`", "({})")
EXAMPLES = zip(RULES, rows("secrets.tsv"), strict=True)
ROWS = [(rule, row[4], *(part.replace("⏎", "\n").split("¦") for part in row[5:])) for rule, row in EXAMPLES]
CAUGHT = [(rule, example) for rule, _, catches, _ in ROWS for example in catches]


def test_a_rule_catches_its_examples_wherever_they_stand() -> None:
    missed = []
    for rule, sample in CAUGHT:
        text, secrets = drawn(sample)
        for carrier in CARRIERS:
            left = redact(carrier.format(text))
            if not secrets or any(secret in left for secret in secrets) or "[REDACTED:" not in left:
                missed.append(f"{rule.name}: {left}")
    assert missed == []


def test_a_rule_matches_its_examples_leaves_its_look_alikes_and_says_where_its_form_comes_from() -> None:
    def matched(rule: SecretRule, text: str) -> bool:
        return bool(re.search(rule.pattern, text, rule.flags)) and any(word in text.lower() for word in rule.words)

    assert [f"{rule.name}: {sample}" for rule, sample in CAUGHT if not matched(rule, drawn(sample)[0])] == []
    texts = [carrier.format(example) for _, _, _, leaves in ROWS for example in leaves for carrier in CARRIERS]
    assert [text for text in texts if redact(text) != text] == []
    assert [rule.name for rule, source, catches, leaves in ROWS if not (source and all(catches) and all(leaves))] == []


@pytest.mark.parametrize(("letters", "most"), [(string.ascii_lowercase, 99), (string.ascii_letters, 12), (ALPHABETS[""], 12)])
def test_what_a_rule_catches_is_never_plain(letters: str, most: int) -> None:
    chance = random.Random(most)
    for rule, sample in CAUGHT:
        text = DRAWN.sub(lambda sign: "".join(chance.choices(letters, k=min(most, int(sign[1])))), sample)
        assert not is_plain(text) or redact(text) == text, rule.name


@given(st.text(alphabet="abcxyzXYZ0189 -_./:=@'\"<>,", max_size=80))
@example("echo hi")
@example("/home/dev/project/src/module2/file.py")
def test_redaction_leaves_plain_text_as_it_is(text: str) -> None:
    if is_plain(text):
        assert redact(text) == text


@given(st.sampled_from(["paths", "command", "error_line"]), st.text(alphabet="abcxyXY019 -_./:=\"'", max_size=80))
@example("command", "git commit -m 'guests get online with Hq7wPz93Kd since'")
@example("error_line", "Error: guests get online with Hq7wPz93Kd since")
def test_a_call_that_is_plain_is_left_as_it_is(field: str, text: str) -> None:
    if is_plain_call(field, text):
        assert redact_call(field, text) == text


def test_what_a_call_quotes_is_read_as_typed_and_what_it_names_is_not() -> None:
    said, named = "guests get online with Hq7wPz93Kd since yesterday", "git show 489165308c5f11e10761ea651a5db3aefc7a75eb"
    assert "Hq7wPz93Kd" not in redact_call("command", f"git commit -m '{said}'") + redact_call("error_line", f"Error: {said}")
    assert redact_call("command", named) == named


@pytest.mark.parametrize("kind", PROVIDER)
def test_no_token_of_a_provider_is_plain_or_cut_in_two(kind: str) -> None:
    r = random.Random(kind)
    for _ in range(40):
        secret = PROVIDER[kind](r)
        assert not is_plain(f"curl {secret} here") or redact(secret) == secret
        line = "a b " * r.randint(20, 50) + secret + " failed"
        for kept in (first_line(line), telling_line(f"Exit code 1\n{line}"), whole(line, 300)):
            assert secret in kept or secret[:8] not in kept or "\n" in secret


EVERYDAY = (
    "echo hi", "npm test", "/tmp/tmpx8k3_q2f/project/price.py", "fix the file with vim", 'npm error Missing script: "test"',
    "/home/dev/project/package.json", "git status --short", "",
)  # fmt: skip


def test_everyday_lines_are_plain_and_what_might_hold_a_secret_is_not() -> None:
    assert [text for text in EVERYDAY if not is_plain(text)] == []
    assert [case.id for case in cases("safety", "what might hold a secret is not") if is_plain(*case.values)] == []


@pytest.mark.parametrize("block", [
    pytest.param(fenced("Never push to the zebra branch.", "secret"), id="a brief"),
    pytest.param(fenced("Never push to the zebra branch.", "secret").rpartition("\n")[0], id="one that nobody closed"),
    pytest.param(f"{BLOCK_START} -->\nNever push to the zebra branch.\n{BLOCK_END}", id="the block of a memory file"),
    pytest.param(f"{INDEX_HEADER} The zebra.\n{PROMPT_HEADER} The zebra.", id="lines of ours without marks, as a client shows them"),
])  # fmt: skip
def test_a_block_of_ours_is_blanked_with_all_that_stands_in_it(block):
    text = f"Before.\n{block}"
    assert "zebra" not in without_our_blocks(text)
    assert without_our_blocks(text).startswith("Before.")
    assert len(without_our_blocks(text)) == len(text)


def test_the_managed_block_is_ours_without_its_first_line():
    block = "## What earlier sessions left\n- From now on never feed the zebra\n<!-- psychmem:end -->\nAnd this is mine."
    assert without_our_blocks(block).strip() == "And this is mine."


def test_a_closing_mark_alone_takes_nothing_with_it():
    text = "Never push to main. </psychmem-memory>\nAlways use tabs."
    assert without_our_blocks(text).split("\n") == ["Never push to main." + " " * 19, "Always use tabs."]
    assert without_our_blocks(f"push to main. (rule, said once)\n{text[20:]}").split() == ["Always", "use", "tabs."]
