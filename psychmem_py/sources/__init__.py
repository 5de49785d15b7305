"""What other memory programs and people's own files remember, read as lines to bring in.

Everything here is hostile text: it is only taken apart, `curation.imports` cleans it and decides what it may become.
"""
