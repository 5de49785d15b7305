"""Searches that go by words and by meaning: the encoder, tiny and of made-up weights, the file of vectors, the mixture."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from psychmem_py.curation import actions
from psychmem_py.curation.act import Workplace
from psychmem_py.curation.erasure import erase
from psychmem_py.home.places import vectors_of
from psychmem_py.model.records import Kind
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.store import search, vector_file
from psychmem_py.store.matches import Question
from psychmem_py.store.vector_file import Encoder, EncoderError
from tests.memories_made import NOW, act, made, store

WORDS = "[PAD] [UNK] [CLS] [SEP] deploy ##ment app shoe ##s sneaker cat , the".split()
WIDTH = 8


def encoder_in(folder: Path, width: int = WIDTH) -> Path:
    """The folder, with the two files: each word has a row of numbers of its own."""
    folder.mkdir(parents=True)
    table = np.random.default_rng(7).normal(0, 0.5, (len(WORDS), width)).astype(np.float32)
    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "encoder",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, width])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordPiece({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


SHOES = made("shoes are listed by size")
APP = made("the app listens on port 8081", Kind.CONSTRAINT, project="id:shop")
FOREIGN = made("cats own the other project", project="id:other")


@pytest.fixture
def database(path: Path) -> str:
    return str(path)


@pytest.fixture
def db(db: sqlite3.Connection) -> sqlite3.Connection:
    store(db, [SHOES, APP, FOREIGN])
    return db


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    """The folder of an encoder, where the store looks for it."""
    return encoder_in(tmp_path / "encoder")


def asked(db: sqlite3.Connection, text: str, database: str) -> list[search.Result]:
    return search.answers(db, Question(text, None, NOW), database=database, data=os.path.dirname(database))


def filled(db: sqlite3.Connection, database: str, **more: int) -> int:
    """How many vectors are made."""
    return vector_file.fill(db, database, os.path.dirname(database), **more)


def test_a_vector_has_length_one_and_is_that_of_the_text_and_the_names_that_do_not_stand_in_it(tmp_path: Path) -> None:
    encoder = Encoder(str(encoder_in(tmp_path / "encoder")))
    both = encoder.vectors(["the shoes", "deploy the app"])
    assert np.allclose(np.linalg.norm(both, axis=1), 1, atol=1e-5)
    assert np.allclose(both[1], encoder.vectors(["Deploy THE app"])[0], atol=1e-6)
    assert not np.allclose(both[0], both[1], atol=0.01)
    assert encoder.vectors(["the"] * 20).shape == (20, 8)
    assert vector_file.vector_text("shoes are listed", ("Dana", "shoes")) == "Dana: shoes are listed"
    assert vector_file.vector_text("shoes are listed", ("shoes",)) == "shoes are listed"
    with pytest.raises(EncoderError, match=r"model\.onnx"):
        Encoder(str(tmp_path))


def test_numpy_is_loaded_with_one_thread_whichever_of_us_loads_it() -> None:
    code = "import os, sys, psychmem_py.store.search; print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules)"
    env = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "False"]


def test_without_an_encoder_nothing_is_made_and_words_decide(db: sqlite3.Connection, database: str, tmp_path: Path) -> None:
    assert filled(db, database) == 0
    assert asked(db, "shoes", database) == search.hits(db, Question("shoes", None, NOW))


def test_vectors_are_made_once_and_again_for_another_wording(db: sqlite3.Connection, database: str, encoder: Path) -> None:
    assert [filled(db, database, most=2), filled(db, database), filled(db, database)] == [2, 1, 0]
    actions.edit(act(db, "e", NOW + 60), SHOES.id, actions.Edit(text="shoes are listed by colour"))
    assert filled(db, database) == 1
    actions.forget(act(db, "f", NOW + 90), [APP.id])
    filled(db, database)
    assert vector_file.read(database, str(encoder)).keys() == {SHOES.id, FOREIGN.id}


def test_what_is_near_in_meaning_is_found_without_a_common_word_but_never_from_elsewhere(db: sqlite3.Connection) -> None:
    near = {SHOES.id: 0.9, FOREIGN.id: 0.99, APP.id: 0.2}
    found = search.fused(db, Question("sneakers", "id:shop", NOW), near)
    assert ([hit.memory.id for hit in found], [hit.weak for hit in found]) == ([SHOES.id, APP.id], [False, True])
    assert search.fused(db, Question("sneakers", "id:shop", NOW), {APP.id: 0.1}) == []
    assert found[0].score == pytest.approx(search.SHARE)  # the nearest one, and no word of it
    only = search.fused(db, Question("sneakers class:constraint", "id:shop", NOW), near)
    assert [hit.memory.id for hit in only] == [APP.id]


def test_words_count_as_a_share_of_the_best_and_meaning_of_the_nearest(db: sqlite3.Connection) -> None:
    found = search.fused(db, Question("shoes size", "id:shop", NOW), {SHOES.id: 0.2, APP.id: 0.8, FOREIGN.id: 0.99})
    assert [(hit.memory.id, hit.score) for hit in found] == [
        (SHOES.id, pytest.approx(1 - search.SHARE + search.SHARE * 0.25)),
        (APP.id, pytest.approx(search.SHARE)),
    ]


def test_a_language_the_encoder_does_not_read_is_left_to_words(db: sqlite3.Connection, database: str, tmp_path: Path) -> None:
    encoder = Encoder(str(encoder_in(tmp_path / "encoder")))
    assert encoder.reads("deploy the app, the shoes")
    assert not encoder.reads("die Schuhe")
    filled(db, database)
    for text in ("Schuhe liegen shoes", "shoes-2"):  # and a single name with a number
        assert asked(db, text, database) == search.hits(db, Question(text, None, NOW))


def test_where_the_vectors_or_the_encoder_lost_a_part_words_decide(db: sqlite3.Connection, database: str, encoder: Path) -> None:
    filled(db, database)
    file = Path(vectors_of(database))
    whole = file.read_bytes()
    for rest in (whole[:-40], b""):
        file.write_bytes(rest)
        assert [hit.memory.id for hit in asked(db, "shoes", database)] == [SHOES.id]
    (encoder / "model.onnx").unlink()
    assert asked(db, "shoes", database) == search.hits(db, Question("shoes", None, NOW))


def test_vectors_of_another_encoder_do_not_count_and_are_made_anew(db: sqlite3.Connection, database: str, encoder: Path) -> None:
    filled(db, database)
    shutil.rmtree(encoder)
    encoder_in(encoder, width=16)
    assert [hit.memory.id for hit in asked(db, "shoes", database)] == [SHOES.id]
    assert (filled(db, database), filled(db, database)) == (3, 0)


def test_what_was_just_kept_has_a_vector_and_a_purge_leaves_none(
    db: sqlite3.Connection, database: str, encoder: Path, tmp_path: Path
) -> None:
    search.add_vectors(db, database=database, data=str(tmp_path))
    assert SHOES.id in vector_file.read(database, str(encoder))
    env = {"PSYCHMEM_HOME": str(tmp_path), "HOME": str(tmp_path)}
    erase(db, [SHOES.id], Workplace(database, str(tmp_path), env, DEFAULTS), NOW)
    assert not Path(vectors_of(database)).exists()
    filled(db, database)
    assert SHOES.id not in vector_file.read(database, str(encoder))
