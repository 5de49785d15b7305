"""Each module registers its commands at the tree in `app`; how one is added: CONTRIBUTING.md."""
