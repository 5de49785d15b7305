"""What people and upkeep do to memories: remember, edit, forget, pin, vote, link, undo, import, export, erase, explain.

Each use case takes an `Act` (who, when, on which store), checks whether it may be done, and writes one batch that can be undone.
It may import `store`, `briefing` and everything below them, and prints nothing. Begin with `act`, then `remember` and `actions`.
"""
