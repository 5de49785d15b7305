"""Operations as rows of the store, and back."""

from __future__ import annotations

import json

from psychmem_py.store.operations import Row
from psychmem_py.sync.op import Op


def op_of(row: Row) -> Op:
    return Op(*row[:9], json.loads(row.value) if row.value is not None else None, row.origin, bool(row.emptied))


def row_of(op: Op, worth: int) -> Row:
    written = None if op.value is None else json.dumps(op.value, ensure_ascii=False, separators=(",", ":"))
    return Row(*op[:9], written, op.origin, int(op.emptied), worth)
