"""PsychMem: a memory for coding agents. This module owns the version.

Modules that hooks load begin with `TYPE_CHECKING = False` and import under `if TYPE_CHECKING:` what only annotations need. Type
checkers take that name for true whatever its value; importing the real one loads `typing`: 5 ms of CPU in each hook.
"""

__version__ = "0.1.0"
