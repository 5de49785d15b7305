"""Language files and the matching of their phrases: `files` reads the disk, the rest is pure. Begin with `matcher`."""
