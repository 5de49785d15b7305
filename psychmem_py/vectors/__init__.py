"""Beyond words: vectors of memories by a small encoder that the person put beside the database, for searches that were asked for.

Never on a hook, never downloaded; without the folder or without numpy none of this is loaded.
"""
