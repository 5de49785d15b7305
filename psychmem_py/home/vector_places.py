"""Where a person puts the weights of an encoder, and where the vectors made by it stand."""

from __future__ import annotations

import os


def encoder_folder(data: str) -> str:
    """The folder of weights in the data directory: its being there switches searching by meaning on."""
    return os.path.join(data, "encoder")


def vectors_of(database: str | os.PathLike[str]) -> str:
    """The file of vectors beside a database."""
    return os.fspath(database) + ".vectors"
