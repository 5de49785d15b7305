"""Looking after the database as a whole. Begin with `purge` for what leaves no byte behind, with `slices` for upkeep."""
