"""Registers PsychMem with the agents on this machine and takes it out again: every change of somebody's file goes through
`patches`, which can undo it. Begin with `registration`.
"""
