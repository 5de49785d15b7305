"""A sentence encoder as any is published: model.onnx and tokenizer.json in one folder, run by `onnxruntime` and `tokenizers`.

A vector is the mean of the last layer over the tokens that are text, of length 1.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from psychmem_py.errors import PsychMemError
from psychmem_py.home.places import ENCODER_FILES

Matrix: TypeAlias = NDArray[np.float32]
WEIGHTS, _TOKENIZER = ENCODER_FILES
_MOST_TOKENS = 128  # of a text that are read
_AT_ONCE = 16  # texts; more only make the short ones as wide as the longest
_UNKNOWN = ("[UNK]", "<unk>")
_MOST_SCRAPS = (
    0.4  # of its pieces; of 1,400 English questions at most 0.33 are with a vocabulary of English, of Chinese ones at least 0.49
)


class EncoderError(PsychMemError):
    """A folder that holds no encoder."""


class Encoder:
    """Texts to vectors. Raises EncoderError for a folder that holds no such model."""

    def __init__(self, folder: str) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = (
            1  # threads that wait for each other cost more than they bring
        )
        try:
            self._tokenizer = Tokenizer.from_file(os.path.join(folder, _TOKENIZER))
            self._session = onnxruntime.InferenceSession(os.path.join(folder, WEIGHTS), options, ["CPUExecutionProvider"])
        except Exception as exc:  # both raise what their compiled halves raise: plain Exception, or kinds of their own
            raise EncoderError(f"{folder} is no encoder PsychMem can read ({exc}); it needs {WEIGHTS} and {_TOKENIZER}") from exc
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self._tokenizer.enable_padding()
        self._asks_for = {given.name for given in self._session.get_inputs()}

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 for each text."""
        parts = [self._vectors(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)

    def reads(self, text: str) -> bool:
        """Whether a text is in a language the vocabulary was made of: of another most is unknown, or falls into single letters."""
        pieces = self._tokenizer.encode(text, add_special_tokens=False).tokens
        scraps = sum(piece in _UNKNOWN or (piece.startswith("##") and len(piece) == 3) for piece in pieces)
        return scraps <= _MOST_SCRAPS * len(pieces)

    def _vectors(self, texts: Sequence[str]) -> Matrix:
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
