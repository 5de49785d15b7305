"""What is done to a text before anything else may see it, and to what we say before an agent does. Pure. Begin with `secrets`."""
