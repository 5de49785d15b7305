"""Front matter: the lines between two of `---` with which a Markdown file may begin. Asked at prompts, so without regular expressions. Pure."""

from __future__ import annotations

_BLANKS = " \t"


def parted(text: str) -> tuple[str, str]:
    """The lines of the front matter, "" for none, and the text behind it."""
    end = end_of_front(text)
    head = text[:end].removeprefix("\ufeff")
    return (head.partition("\n")[2].rstrip(_BLANKS + "\r\n").removesuffix("---") if head else ""), text[end:]


def end_of_front(text: str) -> int:
    """Where the text begins behind a byte order mark and front matter."""
    begin = 1 if text.startswith("\ufeff") else 0
    first = after_line(text, begin)
    if not text[begin:first].endswith("\n") or text[begin : first - 1].removesuffix("\r").rstrip(_BLANKS) != "---":
        return begin
    close = text.find("\n---", first)
    while close >= 0:
        end = after_line(text, close + 1)
        line = text[close + 4 : end]
        if not (line[:-1].removesuffix("\r") if line.endswith("\n") else line).strip(_BLANKS):
            return end
        close = text.find("\n---", close + 1)
    return begin


def after_line(text: str, at: int) -> int:
    """Where the line ends that goes on at `at`, its end included."""
    return text.find("\n", at) + 1 or len(text)
