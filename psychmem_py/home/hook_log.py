"""One line for each piece of background work and for each failure, with times and numbers and never with what anybody said.

Kept in two files of at most half a megabyte: `hooks.log`, and `hooks.log.1` with what came before.
"""

from __future__ import annotations

import os
import time

from psychmem_py.home.places import append, log_folder, own_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "hooks.log"
FORMER = FILE + ".1"
MOST_BYTES = 524_288
_LINE_CHARS = 400


def write(env: Mapping[str, str], line: str, now: float) -> None:
    """Appends a line with its time, in UTC. A log that cannot be written to is no reason to fail."""
    path = os.path.join(log_folder(env), FILE)
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    text = f"{moment} {' '.join(line.split())[:_LINE_CHARS]}\n"
    try:
        own_folder(os.path.dirname(path))
        append(path, text.encode("utf-8", "replace"), MOST_BYTES)
    except Exception:  # noqa: S110  # a full disk, a link in its place: the health record tells what matters
        pass
