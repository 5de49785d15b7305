"""What people and upkeep do to memories: each use case takes an `Act` and writes a batch that can be undone. Begin with `act`."""
