"""Language files and the matching of their phrases: the files read and checked, phrases as a grammar and a machine, which languages a text may
be in, and the matcher that finds every phrase in a clause. `files` and `cache` read the disk, the rest is pure. May import text, home, model and safety.
Begin with `matcher`.
"""
