"""From memories to what is told: a query taken apart, a ranking, a choice within a budget, lines and files as text. Pure. Begin with
`selection.select` (what a brief says) or `ranking.scored` (what a search finds).
"""
