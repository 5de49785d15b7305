"""What people and upkeep do to memories. Each use case takes an `Act` (who, when, on which store), checks whether it may be done, and writes one
batch that can be undone. Begin with `act`, then `remember` and `actions`.
"""
