"""From a stretch of conversation to changes of the store. Begin with `spans` (what is unread), then `extract` (what it gives)."""
