"""The commands of `psychmem`, one family a file, named after what the family is about.

A command reads its arguments, calls one use case of the packages below and prints what came of it with `cli.output`; it decides
nothing else. `cli/commands.tsv` says which file holds which command. Begin with `change`.
"""
