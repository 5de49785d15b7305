"""Words, spellings and dates of a text: what the index holds, what a query asks for, what two texts share. Pure. Begin with `tokenizer`."""
