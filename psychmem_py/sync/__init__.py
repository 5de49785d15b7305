"""One memory for several machines and a team: operations, their fold (pure, the same everywhere), and remotes that carry them."""
