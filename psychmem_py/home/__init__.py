"""The files of this machine that belong to PsychMem or tell where it stands. Begin with `surroundings` (what one event is given) and `places`."""
