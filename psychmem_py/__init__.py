"""PsychMem: a memory for coding agents. This module owns the version and nothing else."""

__version__ = "0.1.0"
