"""What a memory is worth, how it fades, what a new statement does to what is known. Pure; docs/model.md. Begin with `reconcile.plan`."""
