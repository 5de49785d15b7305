"""The door for agents that ask: tools over the Model Context Protocol, on the official SDK.

Only `psychmem mcp` loads it, and only `server` imports the SDK. What a tool writes counts as the agent's own word. Begin with `desk`.
"""
