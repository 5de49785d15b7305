"""Vectors of memories by a small encoder that the person put beside the database, for searches that were asked for; never on a hook."""

import os

# Before anything here loads numpy: on short texts threads that wait for each other took 281 ms of CPU where one takes 15.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
