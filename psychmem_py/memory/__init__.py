"""What a memory is worth, how it fades, what new statements do to known ones. Pure; docs/model.md. Begin with `reconcile`."""
