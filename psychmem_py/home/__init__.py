"""This machine's files that are PsychMem's or tell where it is. Begin with `surroundings` (what an event is given), `places`."""
