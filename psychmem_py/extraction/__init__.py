"""From a message to verdicts: which statements to keep, by phrases, structure and four gates. Pure. Begin with `sweep.sweep`."""
