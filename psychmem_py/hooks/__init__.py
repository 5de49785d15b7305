"""The agents' door: the program `psychmem-hook`, foreground and detached child. Begin with `entry`, then `serve` and `child`."""
