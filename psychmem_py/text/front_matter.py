"""The front matter of a Markdown file, and what of a MEMORY.md the client shows the model, as measured; hooks ask. Pure."""

from __future__ import annotations

from itertools import accumulate

_BLANKS = " \t"
_LISTS = ("triggers", "triggerphrases", "trigger_phrases")
_MOST_TRIGGERS, _TRIGGER_CHARS = 20, 60
FILE_LINES, FILE_UNITS = 200, 25_000  # the client's limits for the whole file


def parted(text: str) -> tuple[str, str]:
    """The lines of the front matter, "" for none, and the text behind it."""
    end = end_of_front(text)
    head = text[:end].removeprefix("\ufeff")
    return (head.partition("\n")[2].rstrip(_BLANKS + "\r\n").removesuffix("---") if head else ""), text[end:]


def fields(head: str) -> dict[str, str]:
    """What a front matter says, by lower-case names; the list items below a name are its value, a line each."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in map(str.strip, head.splitlines()):
        key, colon, value = line.partition(":")
        if line.startswith("- ") and name:
            found[name].append(line[2:])
        elif colon and not line.startswith("-"):
            name = key.strip().lower()
            found[name] = [value.strip().strip("\"'")]
    return {name: "\n".join(lines) for name, lines in found.items()}


def items(value: str) -> list[str]:
    """The items of a list in a front matter: `[deploy, release]`, `deploy, release`, or one on each line."""
    parts = value.split("\n") if "\n" in value else value.strip("[]").split(",")
    return [one for part in parts if (one := part.strip(" \t\"'"))]


def front(head: str) -> tuple[str, str, tuple[str, ...]]:
    """A front matter's `title`, `tier` (or `importanceTier`) as it stands there, and `triggers`: phrases that call for it."""
    given = fields(head)
    triggers = next((items(given[name]) for name in _LISTS if given.get(name)), [])[:_MOST_TRIGGERS]
    tier = given.get("tier", "") or given.get("importancetier", "")
    return given.get("title", ""), tier, tuple(one[:_TRIGGER_CHARS] for one in triggers)


def end_of_front(text: str) -> int:
    """Where the text begins behind a byte order mark and front matter."""
    begin = 1 if text.startswith("\ufeff") else 0
    first = after_line(text, begin)
    if not text[begin:first].endswith("\n") or text[begin : first - 1].removesuffix("\r").rstrip(_BLANKS) != "---":
        return begin
    at = after_line(text, first)  # an empty one is none
    while at < len(text):
        line_at, at = at, after_line(text, at)
        if text[line_at:at].removesuffix("\n").removesuffix("\r").rstrip(_BLANKS) == "---":
            return at
    return begin


def after_line(text: str, at: int) -> int:
    """Where the line ends that goes on at `at`, its end included."""
    return text.find("\n", at) + 1 or len(text)


def visible_lines(text: str) -> frozenset[str]:
    """The lines of a MEMORY.md that the client shows the model: no front matter or block comment, 200 lines, 25,000 units."""
    lines = visible_text(text).split("\n")[:FILE_LINES]
    ends = accumulate(units(line) + 1 for line in lines)
    return frozenset(line for line, end in zip(lines, ends, strict=True) if end <= FILE_UNITS)


def visible_text(text: str) -> str:
    kept, at = [], end_of_front(text)
    last = text.rfind("-->")  # behind it no comment ends, however many begin
    while at < len(text):
        opening = at
        while opening < at + 3 and text.startswith(" ", opening):
            opening += 1
        close = text.find("-->", opening + 4) if at < last and text.startswith("<!--", opening) else -1
        end = after_line(text, max(at, close))
        kept += [text[at:end]] if close < 0 else []
        at = end
    return "".join(kept)


def units(text: str) -> int:
    """Length in UTF-16 units; a sign beyond the basic plane counts two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
