"""Work handed from a hook to a later process: the journal, the detached child, locks and claims between processes.

May import: `home`, `text`, `model`, `errors`. Begin with `journal` (what hooks write down) and `journal_reader` (how it is taken
up); `detach` starts the child.
"""
