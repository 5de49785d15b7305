"""What Claude Code and OpenCode send, write and read: their events, transcripts, databases and memory files, turned into our words.

May import: `home`, `recall` and the pure packages below. Begin with `event`: EVENTS says what holds for each event, Request is what
every client's bytes become; `claude_code` and `opencode` do that.
"""
