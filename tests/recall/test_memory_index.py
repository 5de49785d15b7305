"""Our block in somebody else's file."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from psychmem_py.agents import claude_topics
from psychmem_py.agents.claude_memory import slug
from psychmem_py.text.front_matter import visible_lines, visible_text
from tests.data import holds

FOREIGN = [
    "", "# Mine\n\n- a line\n", "no newline at the end", "---\nname: x\n---\n# Mine\n", "---\nname: x\n---", "\ufeff# Mine\r\n- crlf\r\n",
    "<!-- a comment -->\n- line\n",
]  # fmt: skip


@pytest.mark.parametrize("foreign", FOREIGN)
def test_the_block_is_replaced_where_it_stands_and_taking_it_out_gives_the_file_back(foreign: str) -> None:
    written = claude_topics.with_block(foreign, ["- one", "- two"])
    assert written is not None
    assert "- one\n- two\n" in written
    assert claude_topics.with_block(written, []) == foreign
    once = claude_topics.with_block(foreign, ["- one"])
    assert claude_topics.with_block(once, ["- one"]) == once
    assert claude_topics.with_block(claude_topics.with_block(once, ["- two"]), ["- one"]) == once


@given(st.text(alphabet="-# \nab<!>\r", max_size=60), st.lists(st.text("ab-", min_size=1, max_size=8), max_size=4))
def test_foreign_text_is_never_touched(foreign: str, lines: list[str]) -> None:
    written = claude_topics.with_block(foreign, lines)
    assert claude_topics.with_block(written, []) == foreign


def test_text_cannot_close_the_block_and_without_its_end_mark_only_known_lines_are_ours() -> None:
    written = claude_topics.with_block("# Mine\n", ["- <!-- psychmem:end -->", "- two"])
    assert written is not None
    assert claude_topics.with_block(written, []) == "# Mine\n"
    written = claude_topics.with_block("- foreign\n", ["- one", "- two"]) or ""
    damaged = written.replace("<!-- psychmem:end -->\n", "")
    assert claude_topics.with_block(damaged, ["- one", "- two"]) == written


def test_blocks_that_somebody_copied_go_with_ours_however_many_and_so_do_end_marks_alone() -> None:
    copied = (claude_topics.with_block("", ["- one"]) or "") + "- more\n<!-- psychmem:end -->\n"
    assert claude_topics.with_block("# Mine\n" + copied * 3_000, []) == "# Mine\n" + "- more\n" * 3_000
    assert claude_topics.with_block("\ufeff<!-- psychmem:end -->\n# Mine\n", []) == "\ufeff# Mine\n"


def test_a_full_file_keeps_all_its_lines_and_one_of_ours_goes_when_nothing_is_left() -> None:
    foreign = "".join(f"- line {n}\n" for n in range(198))
    assert claude_topics.fitting(foreign, ["- one", "- two", "- three"]) == ["- one"]
    assert claude_topics.fitting("x" * 24_990, ["- one"]) == []
    assert claude_topics.with_block(claude_topics.with_block(None, ["- one"]), []) is None
    assert claude_topics.with_block(None, []) is None


def test_what_the_client_strips_is_not_visible_and_comments_that_never_end_are_gone_through_once() -> None:
    text = "---\nname: x\n---\n<!-- psychmem:start -->\n- one\n<!-- psychmem:end -->\n" + "- foreign\n" * 3
    assert visible_lines(text) == {"- one", "- foreign", ""}
    assert "- late" not in visible_lines("- x\n" * 200 + "- late\n")
    begun = time.process_time()
    assert visible_text("-->\n" + "<!-- x\n" * 200_000).count("<!--") == 200_000
    assert time.process_time() - begun < 5


test_a_folder = holds("recall", {"the clients folder name": lambda path, name: (slug(path), name)})


_FRONT = re.compile(r"\ufeff?(?:---[ \t]*\r?\n.*?\n---[ \t]*(?:\r?\n|\Z))?", re.DOTALL)
_COMMENT = re.compile(r"^[ ]{0,3}<!--.*?-->[^\n]*(?:\n|\Z)", re.MULTILINE | re.DOTALL)


PIECES = ["\ufeff", "---", "--", "\n", "\r", "\n---\n", "---\n", " ", "\t", "<!--", "-->", "<!-->", "x", "<"]


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_what_is_seen_is_what_the_client_strips_down_to(pieces: list[str]) -> None:
    text = "".join(pieces)
    front = _FRONT.match(text)
    assert visible_text(text) == _COMMENT.sub("", text[front.end() :] if front else text)
