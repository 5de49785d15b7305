"""The vectors of a store's memories beside it, eight bits a number: made in the background, dropped at any purge, made again from the store."""

from __future__ import annotations

import io
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from psychmem_py.home import files
from psychmem_py.home.places import encoder_folder, mark, vectors_of
from psychmem_py.memory.clusters import BY_COSINE, Nearness
from psychmem_py.store import overview
from psychmem_py.vectors.encoder import WEIGHTS, Encoder, EncoderError, Matrix

_FORM = 3  # raised when the same memory would get another vector
AT_ONCE = 500  # memories given a vector by one run: 7 to 15 s of CPU with 22 million weights
_SCALE = 127.0


class Vectors(NamedTuple):
    """Vectors of memories, each with the moment of the wording it was made of."""

    ids: NDArray[np.str_]
    updated_at: NDArray[np.float64]
    eighths: NDArray[np.int8]

    def nearness(self, vector: Matrix) -> dict[str, float]:
        """The cosine to each memory by id, in [-1, 1]."""
        if not len(self.ids):
            return {}
        cosines = self.eighths.astype(np.float32) @ vector / _SCALE
        return dict(zip(map(str, self.ids), map(float, cosines), strict=True))

    def among(self, ids: Sequence[str]) -> Nearness:
        """The cosines of these memories to each other, all of which have a vector; below 0 counts as 0."""
        row_of = {str(key): row for row, key in enumerate(self.ids)}
        rows = self.eighths[[row_of[key] for key in ids]].astype(np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        row_at = {key: row for row, key in enumerate(ids)}

        def pairs(least: float) -> Iterator[tuple[str, str]]:
            for start in range(0, len(ids), AT_ONCE):
                near = np.argwhere(rows[start : start + AT_ONCE] @ rows.T >= least)
                yield from ((ids[start + one], ids[other]) for one, other in near if other > start + one)

        return Nearness(BY_COSINE, pairs, lambda one, other: max(0.0, float(rows[row_at[one]] @ rows[row_at[other]])))


NONE = Vectors(np.zeros(0, "U32"), np.zeros(0), np.zeros((0, 0), np.int8))


def read(database: str, encoder: str) -> Vectors:
    """The vectors beside a database; none where there is no such file, one that cannot be read, or one that another encoder made."""
    try:
        with open(vectors_of(database), "rb") as file:
            held = np.load(io.BytesIO(file.read()), allow_pickle=False)
        if str(held["made_by"]) != _mark(encoder):
            return NONE
        return Vectors(held["ids"], held["updated_at"], held["eighths"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return NONE


def fill(db: sqlite3.Connection, database: str, data: str, *, most: int = AT_ONCE) -> int:
    """Gives at most `most` memories that lack one a vector, drops those of memories that are gone, and says how many were made."""
    folder = encoder_folder(data)
    if not os.path.isdir(folder):
        return 0
    known, made_by = overview.wordings(db), _mark(folder)
    old = read(database, folder)
    kept = [row for row, (key, at) in enumerate(zip(old.ids, old.updated_at, strict=True)) if _is_current(known, str(key), at)]
    have = {str(old.ids[row]) for row in kept}
    lacking = [(key, at, meant(text, names)) for key, (at, text, names) in known.items() if key not in have][:most]
    if not lacking and len(kept) == len(old.ids):
        return 0
    try:
        new = made(Encoder(folder), lacking) if lacking else NONE
    except EncoderError:
        return 0  # the search that needs it says what is wrong
    parts = [Vectors(old.ids[kept], old.updated_at[kept], old.eighths[kept])] if kept else []
    parts += [new] if lacking or not kept else []
    file = io.BytesIO()
    np.savez(
        file,
        made_by=np.array(made_by),
        ids=np.concatenate([part.ids for part in parts]),
        updated_at=np.concatenate([part.updated_at for part in parts]),
        eighths=np.concatenate([part.eighths for part in parts]),
    )
    files.leave(vectors_of(database), file.getvalue())
    if not {*have, *(key for key, _, _ in lacking)} <= overview.wordings(db).keys():
        with suppress(FileNotFoundError):  # a purge meanwhile removed the file already: what it took may not come back
            os.unlink(vectors_of(database))
    return len(lacking)


def made(encoder: Encoder, wordings: Sequence[tuple[str, float, str]]) -> Vectors:
    """The vectors of memories, of each its id, the moment of its wording, and what it means."""
    ids, updated_at, texts = zip(*wordings, strict=True)
    eighths = np.rint(encoder.vectors(texts) * _SCALE).astype(np.int8)
    return Vectors(np.array(ids), np.array(updated_at), eighths)


def meant(text: str, names: Sequence[str]) -> str:
    """What a vector is made of: the text, behind the names that do not stand in it (who said it, say), as words find it by both."""
    others = ", ".join(name for name in names if name not in text)
    return f"{others}: {text}" if others else text


def _mark(encoder: str) -> str:
    return f"{_FORM} {mark(os.path.join(encoder, WEIGHTS))}"


def _is_current(known: Mapping[str, tuple[float, str, tuple[str, ...]]], key: str, at: float) -> bool:
    return key in known and known[key][0] == at
