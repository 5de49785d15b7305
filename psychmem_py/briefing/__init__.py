"""What an agent is told: the brief of a session, the few lines behind a prompt, the client's memory files. Begin with `brief`; `at_start`,
`at_prompt` and `at_call` answer events with it.
"""
