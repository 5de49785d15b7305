"""The database: the only package that speaks SQL to it. Nothing is decided here: what is to change comes in as `Change`s. Begin with
`schema.sql`, then `change_log.apply`.
"""
