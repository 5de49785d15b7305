"""The languages as they are shipped: one matcher for all tests of a process, which reads a language when the first text is in it."""

from psychmem_py.languages import files

MATCHER = files.matcher()
