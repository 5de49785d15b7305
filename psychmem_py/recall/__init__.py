"""From memories to what is told. Pure. Begin with `selection.select` (what a brief says) or `ranking.scored` (search results)."""
