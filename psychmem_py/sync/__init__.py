"""One memory for several machines and a team: operations, their fold, and the remotes that carry them.

`op`, `clock` and `fold` are pure and the same on every machine; the rest moves operations between a store and a remote. Nothing in here
is loaded by a hook.
"""
