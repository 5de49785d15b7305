"""Registers PsychMem with the agents on this machine and takes it out again. Begin with `registration`."""
