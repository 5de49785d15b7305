"""One event of an agent served: the reply in the foreground, the rest in a detached child.

May import everything but the doors `hooks` and `cli`. Begin with `serve`; `child` is the other half.
"""
