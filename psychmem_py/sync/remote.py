"""Remotes by URL: somewhere that holds lanes of operations, takes ours and gives everybody's. A folder is one, a hub another.

`held(device)` is the greatest seq of each lane of a device; `push` takes operations of one lane in order and gives the greatest seq it holds
then, skipping what it has and refusing a gap; `pull` gives what lies beyond the marks of lanes that may be read; `empty` takes the values
of purged memories out. Each raises RemoteError with a sentence, decides nothing about memories, and done twice does what it does once.
"""

from __future__ import annotations

import os
import re

from psychmem_py.errors import RemoteError
from psychmem_py.store.operations import RemoteEntry
from psychmem_py.sync.folder import FolderRemote
from psychmem_py.sync.identity import Device

TYPE_CHECKING = False
if TYPE_CHECKING:
    from psychmem_py.sync.hub import Hub

    Remote = FolderRemote | Hub

_HUB = ("postgresql", "postgres")
SCHEMES = ("file", *_HUB)


def checked(url: str) -> str:
    """The URL, whole: a path becomes `file://`. Raises RemoteError for what no remote can be at."""
    if not url.strip():
        raise RemoteError("the place is missing; name a folder, or a hub as postgresql://NAME@host/database")
    if "://" not in url:
        if re.match(
            r"\s*\w+\s*=|[^/]*:[^/]*@|//", url
        ):  # "host=… password=…", as PostgreSQL's own programs take it; "kim:…@host"
            raise RemoteError("a hub is written postgresql://NAME@host/database, its password in ~/.pgpass")
        url = "file://" + os.path.abspath(os.path.expanduser(url)).replace("%", "%25")
    from urllib.parse import urlsplit  # noqa: PLC0415  # 12 ms that only naming a remote needs

    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise RemoteError(f"{parts.scheme}:// is no kind of remote; use {', '.join(f'{one}://' for one in SCHEMES)}")
    if parts.scheme in _HUB:
        from psychmem_py.sync import hub  # noqa: PLC0415  # as above

        return hub.checked(url)
    if parts.netloc not in ("", "localhost") or not parts.path.startswith("/") or parts.query or parts.path.startswith("//"):
        raise RemoteError("a folder is written file:///its/whole/path")
    if os.path.exists(path_of(url)) and not os.path.isdir(path_of(url)):
        raise RemoteError(f"{path_of(url)} is no folder; name the one that is carried to the other machines")
    return url


def path_of(url: str) -> str:
    """The folder of a `file://` URL."""
    path = "/" + url.removeprefix("file://").partition("/")[2]
    if "%" in path:
        from urllib.parse import unquote  # noqa: PLC0415  # as above

        return unquote(path)
    return path


def opened(named: RemoteEntry, device: Device) -> Remote:
    """The remote, ready. Raises RemoteError when it is not there."""
    if keeps_apart(named.url):
        from psychmem_py.sync import hub  # noqa: PLC0415  # an extra

        return hub.Hub(named.url, device.id)
    return FolderRemote(path_of(named.url), device.id, device.name, mine=named.mine)


def keeps_apart(url: str) -> bool:
    """Whether the remote itself keeps what is one person's from the others."""
    return url.partition("://")[0] in _HUB
