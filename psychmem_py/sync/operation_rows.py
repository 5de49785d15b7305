"""Operations as rows of the store, and back."""

from __future__ import annotations

import json

from psychmem_py.store.operations import StoredOperation
from psychmem_py.sync.op import Op


def op_of(row: StoredOperation) -> Op:
    return Op(*row[:9], json.loads(row.value) if row.value is not None else None, row.origin, bool(row.emptied))


def row_of(op: Op, worth: int) -> StoredOperation:
    written = None if op.value is None else json.dumps(op.value, ensure_ascii=False, separators=(",", ":"))
    return StoredOperation(*op[:9], written, op.origin, int(op.emptied), worth)
