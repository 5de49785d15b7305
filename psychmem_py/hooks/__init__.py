"""The agents' door: the program `psychmem-hook`, in the foreground and in the detached child. Begin with `entry`, then `serve` and `child`."""
