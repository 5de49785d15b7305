"""Everything on one page, for a person's browser: `contents` gathers, `page` and `charts` write, `server` answers clicks.

Begin with `contents.contents`.
"""
