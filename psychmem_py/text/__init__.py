"""Words, spellings and dates of a text: what the index holds, queries ask for, two texts share. Pure. Begin with `tokenizer`."""
