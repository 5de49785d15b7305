"""What is done to a text before anything else may see it, and to what we say before an agent does. Pure; imports nothing of ours.

`secrets` takes secrets out (rules as data: `secret_rules`), `control_chars` what is invisible; `suspicion` blanks our own words and
recognises orders to the agent; `fence` marks what we put into a conversation.
"""
