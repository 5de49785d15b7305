"""Registering with the agents and taking it back: what is written into files that are not ours, and the record that undoes it."""
