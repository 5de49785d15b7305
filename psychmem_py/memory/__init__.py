"""What a memory is worth, how it fades, and what a new statement does to what is known. Pure; formulas: docs/model.md. Begin with
`reconcile.plan`.
"""
