"""The agents' door: the program `psychmem-hook`, one event served, in the foreground and in the detached child.

Begin with `entry`, then `serve` and `child`.
"""
