"""A tiny encoder with made-up weights: enough to run every step, too small to understand anything."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

WORDS = "[PAD] [UNK] [CLS] [SEP] deploy ##ment app shoe ##s sneaker cat , the".split()
WIDTH, LAYERS, HEADS = 8, 2, 2


def encoder_in(folder: Path, width: int = WIDTH) -> Path:
    """The folder, with the three files of a model."""
    folder.mkdir(parents=True)
    chance = np.random.default_rng(7)
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), width),
        "embeddings.position_embeddings.weight": (16, width),
        "embeddings.token_type_embeddings.weight": (2, width),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part, size in {"attention.self.query": (width, width), "attention.self.key": (width, width), "attention.self.value": (width, width),
                           "attention.output.dense": (width, width), "intermediate.dense": (2 * width, width), "output.dense": (width, 2 * width)}.items():  # fmt: skip
            shapes |= {f"{name}{part}.weight": size, f"{name}{part}.bias": (size[0],)}
        norms += [f"{name}attention.output.LayerNorm", f"{name}output.LayerNorm"]
    tensors = {name: chance.normal(0, 0.5, shape).astype("<f4") for name, shape in shapes.items()}
    for name in norms:
        tensors |= {f"{name}.weight": np.ones(width, "<f4"), f"{name}.bias": np.zeros(width, "<f4")}
    table, data = {}, b""
    for name, tensor in tensors.items():
        table[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + tensor.nbytes]}
        data += tensor.tobytes()
    head = json.dumps(table).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + data)
    (folder / "config.json").write_text(
        json.dumps({"model_type": "bert", "num_attention_heads": HEADS, "num_hidden_layers": LAYERS})
    )
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    (folder / "tokenizer.json").write_text(json.dumps({"model": {"type": "WordPiece", "vocab": vocabulary}}))
    return folder
