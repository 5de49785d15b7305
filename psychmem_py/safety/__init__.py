"""What is done to a text before anything else may see it, and to what we say before an agent does. Pure; imports nothing of ours.

`secrets` takes secrets out (rules as data: `secret_rules`, `provider_tokens`), `control_chars` what is invisible, `own_blocks` our own
words; `suspicion` recognises orders to the agent; `fence` marks what we put into a conversation.
"""
