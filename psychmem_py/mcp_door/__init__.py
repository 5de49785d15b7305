"""The door for agents that ask: tools over the Model Context Protocol. A tool writes as the agent. Begin with `desk`."""
