"""The vectors of a store's memories beside it, eight bits a number: made in the background, dropped and remade after a purge."""

from __future__ import annotations

import io
import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias
from zipfile import BadZipFile

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from psychmem_py.errors import PsychMemError
from psychmem_py.home import files, places
from psychmem_py.store import sessions

_SCALE = 127.0
Matrix: TypeAlias = NDArray[np.float32]
Vectors: TypeAlias = dict[str, tuple[float, NDArray[np.int8]]]  # by memory the moment of the wording it was made of, and it


def nearness(vectors: Vectors, vector: Matrix) -> dict[str, float]:
    """The cosine to each memory by id, in [-1, 1]."""
    cosines = np.array([row for _, row in vectors.values()], np.float32) @ vector / _SCALE if vectors else ()
    return dict(zip(vectors, map(float, cosines), strict=True))


def read(database: str, encoder: str) -> Vectors:
    """The vectors beside a database; none for a file that is missing, cannot be read, or was made by another encoder."""
    with suppress(OSError, ValueError, KeyError, EOFError, BadZipFile), open(places.vectors_of(database), "rb") as file:
        if str((held := np.load(io.BytesIO(file.read()), allow_pickle=False))["made_by"]) == _mark(encoder):
            return {str(key): (at, row) for key, at, row in zip(held["ids"], held["updated_at"], held["eighths"], strict=True)}
    return {}


def fill(db: sqlite3.Connection, database: str, data: str, *, most: int = 500) -> int:
    """Gives at most `most` memories without a vector one, drops vectors of memories that are gone; how many were made."""
    folder = places.encoder_folder(data)
    known, made_by, old = sessions.wordings(db), _mark(folder), read(database, folder)
    vectors = {key: made for key, made in old.items() if known.get(key, (None,))[0] == made[0]}
    if not (lacking := [key for key in known if key not in vectors][:most]) and len(vectors) == len(old):
        return 0
    try:
        made = Encoder(folder).eighths([vector_text(*known[key][1:]) for key in lacking]) if lacking else ()
    except EncoderError:
        return 0  # the search that needs it says what is wrong
    vectors |= {key: (known[key][0], row) for key, row in zip(lacking, made, strict=True)}
    file, rows = io.BytesIO(), np.array([row for _, row in vectors.values()], np.int8)
    times = np.array([at for at, _ in vectors.values()], np.float64)
    np.savez(file, made_by=np.array(made_by), ids=np.array(list(vectors), "U32"), updated_at=times, eighths=rows)
    files.leave(places.vectors_of(database), file.getvalue())
    if not vectors.keys() <= sessions.wordings(db).keys():
        with suppress(FileNotFoundError):  # a purge meanwhile removed the file already: what it took may not come back
            os.unlink(places.vectors_of(database))
    return len(lacking)


def vector_text(text: str, names: Sequence[str]) -> str:
    """What a vector is made of: the names that the text lacks (who said it, say), then the text, as words find it by both."""
    return f"{others}: {text}" if (others := ", ".join(name for name in names if name not in text)) else text


def _mark(encoder: str) -> str:
    return f"3 {places.stamp(os.path.join(encoder, WEIGHTS))}"  # raised when the same memory would get another vector


WEIGHTS, _TOKENIZER = places.ENCODER_FILES
_AT_ONCE = 16  # texts; more only make the short ones as wide as the longest


class EncoderError(PsychMemError):
    """A folder that holds no encoder."""


class Encoder:
    """Texts to vectors. Raises EncoderError for a folder that holds no such model."""

    def __init__(self, folder: str) -> None:
        options = onnxruntime.SessionOptions()
        # Threads that wait for each other cost more than they bring.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            self._tokenizer = Tokenizer.from_file(os.path.join(folder, _TOKENIZER))
            self._session = onnxruntime.InferenceSession(os.path.join(folder, WEIGHTS), options, ["CPUExecutionProvider"])
        except Exception as exc:  # both raise what their compiled halves raise: plain Exception, or kinds of their own
            raise EncoderError(f"{folder} is no encoder PsychMem can read ({exc}); it needs {WEIGHTS} and {_TOKENIZER}") from exc
        self._tokenizer.enable_truncation(128)
        self._tokenizer.enable_padding()
        self._asks_for = {given.name for given in self._session.get_inputs()}

    def eighths(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """`vectors` of any number of texts, in eight bits a number, as `Vectors` holds them."""
        parts = [self.vectors(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
        rows: NDArray[np.int8] = np.rint(np.concatenate(parts) * _SCALE).astype(np.int8)
        return rows

    def reads(self, text: str) -> bool:
        """Whether the vocabulary covers a text's language: of another most is unknown, or falls into single letters."""
        pieces = self._tokenizer.encode(text, add_special_tokens=False).tokens
        scraps = sum(piece in ("[UNK]", "<unk>") or (piece.startswith("##") and len(piece) == 3) for piece in pieces)
        # Of 1,400 English questions at most 0.33 are with a vocabulary of English, of Chinese ones at least 0.49.
        return scraps <= 0.4 * len(pieces)

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 for each text."""
        read = self._tokenizer.encode_batch(list(texts))
        given = {
            "input_ids": np.array([one.ids for one in read], np.int64),
            "attention_mask": np.array([one.attention_mask for one in read], np.int64),
            "token_type_ids": np.array([one.type_ids for one in read], np.int64),
        }
        last = self._session.run(None, {name: value for name, value in given.items() if name in self._asks_for})[0]
        counts = given["attention_mask"][:, :, None].astype(np.float32)
        mean = (last * counts).sum(axis=1) / np.maximum(counts.sum(axis=1), 1.0)
        rows: Matrix = (mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-9)).astype(np.float32)
        return rows
