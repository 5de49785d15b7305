"""What Claude Code and OpenCode send, write and read, in our words. Begin with `event`: what holds for each event."""
