"""From memories to what is told: a query taken apart, a ranking, a choice within a budget, lines and files as text. Pure.

May import: `memory`, `text`, `model`, `safety`. Begin with `selection.select` (what a brief says) or `query.parsed` and `ranking.scored`
(what a search finds); `memory_line`, `brief_text` and `memory_index` turn memories into text.
"""
