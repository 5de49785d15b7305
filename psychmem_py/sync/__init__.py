"""One memory for several machines and a team: operations, their fold (`op`, `fold`: pure, the same on every machine), and the remotes that
carry them.
"""
