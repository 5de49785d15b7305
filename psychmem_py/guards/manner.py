"""How a message or a comment must be written, as far as it can be checked literally: without emoji, in which language."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

EMOJI = "any emoji"
TYPELESS = "no type as in Conventional Commits"
TICKETLESS = "no ticket number"
CAPITAL = "a capital at its beginning"
SUBJECT = "a subject over {} characters"
_MADE_BY_GIT = ("merge ", "revert ", "fixup! ", "squash! ")
LETTERS = {  # of languages that are told from English by their letters
    "chinese": "\u4e00\u9fff", "japanese": "\u3040\u30ff\u4e00\u9fff", "korean": "\uac00\ud7a3", "russian": "\u0400\u04ff",
}  # fmt: skip
OWN = {  # words by which a message or a comment in Latin letters is told to be in one language
    name: frozenset(words)
    for name, words in {
        "english": "the and with from when this that add fix update remove rename".split(), "german": "der das und nicht mit wird ist auf eine".split(),
        "french": "les une dans avec du et".split(), "spanish": "los las una para con del".split(), "italian": "gli della nel una con di".split(),
        "portuguese": "os uma para com não ao".split(), "dutch": "het een voor niet bij".split(), "polish": "nie dla oraz jest przy".split(),
    }.items()
}  # fmt: skip
_MARKS = ("//", "#", "/*", "*", "--", "<!--")
_MARKS_OF_NUMBERS = str.maketrans(":()[],", "      ")
_LEAST = 2  # words in Latin letters: a name or an identifier is in no language
_LAST_LATIN = "\u024f"


def is_so(fault: str, text: str) -> bool:
    """Whether a text (a commit's command line, what is written to a file) has an emoji, or a message or comment the fault."""
    if fault == EMOJI:
        return any("\U0001f300" <= char <= "\U0001faff" or "\u2600" <= char <= "\u27bf" for char in text)
    said = _message(text)
    is_own = bool(said) and not said.startswith(_MADE_BY_GIT)
    if fault == TYPELESS:
        kind, colon, _ = said.partition(": ")
        return is_own and bool(kind) and not (colon and kind.removesuffix("!").partition("(")[0].isalpha())
    if fault == TICKETLESS:
        return is_own and not any(map(is_ticket, said.translate(_MARKS_OF_NUMBERS).split()))
    if fault == CAPITAL:
        return said.rpartition(": ")[2][:1].isupper()
    if fault.endswith(" characters"):
        return len(said.partition("\n")[0]) > int(fault.split()[-2])
    _, kind, *_, language = fault.lower().split()
    return any(_is_not_in(language, one) for one in (_comments(text) if kind == "comment" else [said]) if one)


def is_ticket(word: str) -> bool:
    """Whether a word is the number of a ticket, or stands for one: "ABC-123", "CR-nnnn", "#17"."""
    project, dash, number = word.lower().rpartition("-" if "-" in word else "#")
    return bool(dash and number) and (project.isalnum() or dash == "#") and not number.strip("0123456789nx")


def _is_not_in(language: str, text: str) -> bool:
    if language in OWN:
        words = {word for word in text.split() if word.islower() or any(char > _LAST_LATIN for char in word)}  # José is a name
        is_foreign = language == "english" and any(char.isalpha() and not char.isascii() for word in words for char in word)
        return is_foreign or (words.isdisjoint(OWN[language]) and not words.isdisjoint(frozenset().union(*OWN.values())))
    bounds = LETTERS[language]
    is_so_written = any(low <= char <= high for char in text for low, high in zip(bounds[::2], bounds[1::2], strict=True))
    return not is_so_written and sum(word.isascii() and word.isalpha() for word in text.split()) >= _LEAST


def _message(line: str) -> str:
    """What is told to `-m` on the command line of a commit, an argument a line."""
    rows = line.split("\n")
    is_given = (row == "--message" or (row[:1] == "-" and row[1:2] != "-" and row[-1:] == "m") for row in rows)
    start = next((n + 1 for n, is_option in enumerate(is_given) if is_option), len(rows))
    return "\n".join(row for row in rows[start:] if not row.startswith(("cat <<", "EOF", "-"))).strip()


def _comments(text: str) -> Iterator[str]:
    for line in map(str.strip, text.split("\n")):
        mark = next((mark for mark in _MARKS if line.startswith(f"{mark} ")), "")
        behind = line if mark else line.partition(" // ")[2] or line.partition("  # ")[2]
        yield behind.removeprefix(mark).strip(" */->")
