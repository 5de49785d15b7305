"""The agents' door: the program `psychmem-hook`. May import `serving` alone. Begin with `entry`."""
