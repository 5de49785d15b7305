"""From a stretch of conversation to changes of the store.

May import: `curation`, `store`, `agents`, `extraction` and what lies below. Begin with `spans` (what is still unread), then
`extract` (what becomes of it); `settling` compares it with what is known.
"""
