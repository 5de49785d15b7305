"""What Claude Code and OpenCode send, write and read, turned into our words. Begin with `event`: what holds for each event, and what every
client's bytes become.
"""
