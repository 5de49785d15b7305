"""Beyond words: vectors of memories by a small encoder that the person put beside the database, for searches that were asked for.

Never on a hook, never downloaded; without the folder or without `onnxruntime` none of this is loaded.
"""

import os

# Before anything here loads numpy: on short texts threads that wait for each other took 281 ms of CPU where one takes 15.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
