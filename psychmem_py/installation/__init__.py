"""Registers PsychMem with the agents on this machine, takes it out again, and tries whether it works.

May import: `agents`, `home` and what lies below; every change of somebody's file goes through `patches`, which can undo it.
Begin with `registration`; `claude_code` and `opencode` know their client's files.
"""
