"""Which shown memories came back in later work. Being shown is not being used; saying it again in one's own words is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from psychmem_py.model.records import Memory
from psychmem_py.text.tokenizer import content_words

_LEAST_WORDS = 2  # rare words that must come back
_LEAST_SHARE = 0.5  # of a memory's rare words
_COMMON = 3  # a word in so many of the shown memories tells none of them apart


def echoed(shown: Sequence[Memory], texts: Iterable[str], asked: Iterable[str] = ()) -> list[Memory]:
    """The memories whose telling words come back in `texts`, written after they were shown.

    Words of `asked`, the prompts, do not count: they are why the memory was shown.
    """
    said_words = {word for text in texts for word in content_words(text)} - {
        word for text in asked for word in content_words(text)
    }
    every = {memory.id: set(content_words(memory.text)) for memory in shown}
    spread = Counter(word for words in every.values() for word in words)
    repeated = []
    for memory in shown:
        rare = {
            word
            for word in every[memory.id]
            if spread[word] < _COMMON and (len(word) > 3 or not word.isascii() or word.isdigit())
        }
        back = rare & said_words
        if len(back) >= _LEAST_WORDS and len(back) >= _LEAST_SHARE * len(rare):
            repeated.append(memory)
    return repeated
