"""A sample conversation, in the form Claude Code keeps its transcripts in; used to try PsychMem out."""

from __future__ import annotations

from pathlib import Path

CONVERSATION = Path(__file__).with_name("conversation.jsonl")
