"""`python -m psychmem_py.hooks EVENT`: the agents' door where the shell launcher cannot be used, Windows above all."""

from psychmem_py.hooks.entry import main

if __name__ == "__main__":
    main()
