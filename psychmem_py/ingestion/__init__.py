"""From a stretch of conversation to changes of the store. Begin with `spans` (what is still unread), then `extract` (what becomes of it)."""
