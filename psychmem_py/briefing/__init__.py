"""What an agent is told at a start, a prompt and a call. Begin with `brief`; `at_prompt`, `at_call` reply with it."""
