"""Looking after the database as a whole: walking it in slices, checkpoints, purging, taking secrets out, salvaging damaged files.

May import `store` and what `store` may. Begin with `purge` for what leaves no byte behind, with `slices` for upkeep.
"""
