"""PsychMem: a memory for coding agents. This module owns the version.

Modules that hooks load begin with `TYPE_CHECKING = False` and import what only annotations need under `if TYPE_CHECKING:`. Type checkers
take that name for true whatever its value; importing the real one would load `typing`, 5 ms of CPU in each hook.
"""

__version__ = "0.1.0"
