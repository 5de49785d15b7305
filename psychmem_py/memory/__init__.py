"""What a memory is worth, how it fades, and what a new statement does to what is known. Pure; formulas: docs/model.md.

May import: `text`, `model`, `safety`. Begin with `reconcile.plan`; `compare` says how two statements relate, `admission` what an origin
may become, `strength` and `forgetting` hold the formulas.
"""
