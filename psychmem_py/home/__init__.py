"""The files of this machine that belong to PsychMem or tell where it stands: directories, settings, project, health, and work
handed to a later process (`journal`).

May import: the pure packages `text` and `model`, `safety`, `errors`. Begin with `surroundings` (what one event is given) and
`places` (where our directories are); `config` reads settings, `project` says whose memories a directory sees.
"""
