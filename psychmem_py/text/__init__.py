"""Words, spellings and dates of a text: what the index holds, what a query asks for, what two texts share. Pure.

May import: `model` and `safety`. Begin with `tokenizer`: every word that is indexed, asked for or compared is cut there. `folding` keeps
offsets true for matching; most modules are on the path of every prompt and import as little as they can.
"""
