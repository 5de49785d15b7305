"""The door for agents that ask: tools over the Model Context Protocol. What a tool writes counts as the agent's own word. Begin with `desk`."""
