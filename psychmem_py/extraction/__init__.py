"""From a message to verdicts: what in it is a statement worth keeping, by phrases, structure and four gates. Pure.

May import: `languages`, `memory`, `text`, `model`, `safety`. Begin with `sweep.sweep`: it masks (`mask`), cuts (`clauses`), looks
(`clause_evidence`, `structure`), refuses (`gates`), weighs (`weights`), classes (`classify`) and words (`wording`).
"""
