"""From a message to verdicts: what in it is a statement worth keeping, by phrases, structure and four gates. Pure. Begin with `sweep.sweep`."""
