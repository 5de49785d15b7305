"""What an agent is told: the brief of a session, the few lines behind a prompt, the client's memory files.

May import: `store`, `agents`, `recall`, `home` and what lies below. Begin with `brief` (what a session is told) and
`prompt` (what a prompt calls for); `at_start` and `at_prompt` answer events with them, `brief_cache` saves doing it twice.
"""
