"""Our own blocks are blanked whole, whatever stands in them."""

from __future__ import annotations

import pytest

from psychmem_py.safety.fence import BLOCK_END, BLOCK_START, fenced
from psychmem_py.safety.suspicion import without_our_blocks


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(fenced("Never push to the zebra branch.", "secret"), id="a brief"),
        pytest.param(fenced("Never push to the zebra branch.", "secret").rpartition("\n")[0], id="one that nobody closed"),
        pytest.param(f"{BLOCK_START} -->\nNever push to the zebra branch.\n{BLOCK_END}", id="the block of a memory file"),
    ],
)
def test_a_block_of_ours_is_blanked_with_all_that_stands_in_it(block):
    text = f"Before.\n{block}"
    assert "zebra" not in without_our_blocks(text)
    assert without_our_blocks(text).startswith("Before.")
    assert len(without_our_blocks(text)) == len(text)


def test_the_managed_block_is_ours_without_its_first_line():
    block = "## What earlier sessions left\n- From now on never feed the zebra\n<!-- psychmem:end -->\nAnd this is mine."
    assert without_our_blocks(block).strip() == "And this is mine."
