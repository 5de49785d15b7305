"""Rules at the act: which tool calls a rule speaks of, and whether a call is one of them. Pure."""
