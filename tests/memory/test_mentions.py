"""Whether a text speaks of a subject: in other spellings, scripts and names, and not of its neighbours."""

from psychmem_py.memory.mentions import subject_of
from tests.data import holds


def speaks(about: str, text: str, *others: str) -> bool:
    return subject_of(about, [text, *others]).is_in(text)


def speaking(about: str, texts: list[str]) -> list[str]:
    subject = subject_of(about, texts)
    return [text for text in texts if subject.is_in(text)]


test_a_text = holds("memory", {
    "a text that speaks of it": lambda about, text: (speaks(about, text), True),
    "a text that does not": lambda about, text: (speaks(about, text), False),
    "which of several texts speak of it": lambda about, speak, others: (speaking(about, [*speak, *others]), speak),
    "words around a name are no part of it": lambda about, text: (speaks(about, text), True),
    "what is like a name is none": lambda about, text: (speaks(about, text), False),
    "however it is asked for": lambda about, text: (speaks(about, text, "Ole drives a lorry"), True),
})  # fmt: skip


def test_another_number_is_another_thing():
    assert not subject_of("invoice 2024-117", []).is_in("Invoice 2024-118 is paid")
    assert subject_of("invoice 2024-117", []).is_in("invoice 2024/117 went to Globex")
