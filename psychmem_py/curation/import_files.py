"""What a file or folder of another program or a person holds, by content or as it is said to be; and the statements in Markdown:
bullets and short paragraphs, no code, tables, comments or quotations, and nothing that we wrote there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.curation.import_programs import CONTEXT_CHARS, ImportLine, lines_of_database, made, program_of_database
from psychmem_py.errors import PsychMemError
from psychmem_py.home import files, places
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.text.front_matter import parted
from psychmem_py.text.tokenizer import clip

JSON_LINES = "jsonl"
DATABASES = ("psychmem-opencode", "true-mem", "claude-mem")
MARKDOWN = ("instructions", "markdown")
PROGRAMS = (JSON_LINES, *DATABASES, *MARKDOWN)
_WHICH = f"--from says which of {', '.join(PROGRAMS)} it is"
SAID = {  # whose words they are, behind "brought in from"
    "psychmem-opencode": "PsychMem for OpenCode",
    "instructions": "an instruction file",
    "markdown": "a Markdown file",
}
_NOTE_BYTES = 1 << 20
_MOST_FILES = 2_000  # of a folder
Opened = tuple[str, Iterator[ImportLine] | None]


def opened(path: Path, program: str, env: Mapping[str, str]) -> Opened:
    """Whose memory a path holds, and its lines, None for JSON lines of our own, which are read as they come; the content tells
    the program where that is "". Raises PsychMemError for what cannot be read.
    """
    if path.is_dir():
        if program in ("", *MARKDOWN):
            return _folder(path, program, env)
        return opened(path / ("claude-mem.db" if program == "claude-mem" else "memory.db"), program, env)
    if not path.is_file():
        raise PsychMemError(f"there is no file {path}; name the file or folder that holds the memories")
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(b"SQLite format 3\0") or program in DATABASES:
        whose = program_of_database(str(path))
        is_other = program in DATABASES and program != whose and {program, whose} - {"true-mem", "psychmem-opencode"}
        if not whose or is_other:
            raise PsychMemError(f"{path} is no database of {program or 'a memory program we know'}; {_WHICH}")
        return program or whose, lines_of_database(str(path), whose)
    if program in MARKDOWN or (not program and path.suffix.lower() in (".md", ".markdown", ".mdx")):
        kind = program or _kind_of(path.name)
        return kind, _one_file(path, _text(path), kind, env)
    if head[:2] in (b"PK", b"\x1f\x8b"):
        raise PsychMemError(f"{path} is an archive; unpack it and name the file in it that holds the memories")
    return JSON_LINES, None


def _text(path: Path) -> str:
    raw = files.content(os.path.realpath(path), _NOTE_BYTES)
    if raw is None:
        raise PsychMemError(f"{path} cannot be read, or holds more than {_NOTE_BYTES >> 20} MB; split it")
    return raw.decode("utf-8-sig", "replace")


def _folder(path: Path, program: str, env: Mapping[str, str]) -> Opened:
    """What the Markdown files below a folder hold, in order of their paths; never through a link."""
    found = (name for name in sorted(files.files_below(str(path))) if name.lower().endswith((".md", ".markdown")))
    names = [name for name in found if not (path / name).is_symlink()]
    if len(names) > _MOST_FILES:
        raise PsychMemError(f"{path} holds more than {_MOST_FILES} Markdown files; name a folder in it")
    if not names:
        raise PsychMemError(f"{path} holds no Markdown file; {_WHICH}")

    def lines(name: str) -> Iterator[ImportLine]:
        try:
            return _one_file(path / name, _text(path / name), program or _kind_of(name), env)
        except PsychMemError as exc:  # one that cannot be read costs itself
            return iter([ImportLine({}, fault=str(exc))])

    whole = "instructions" if "instructions" in map(_kind_of, names) else "markdown"
    return program or whole, chain.from_iterable(map(lines, names))


def _kind_of(name: str) -> str:
    return "instructions" if os.path.basename(name) in INSTRUCTIONS else "markdown"


def _one_file(path: Path, text: str, program: str, env: Mapping[str, str]) -> Iterator[ImportLine]:
    """The statements of a file, in the project that it speaks of; in every one where it is the person's own instructions."""
    if program != "instructions":
        return lines_of_file(text)
    folder = os.path.dirname(os.path.realpath(path))
    own = os.path.realpath(claude_memory.claude_folder(env)), os.path.join(places.home(env), ".config", "opencode")
    around = os.path.dirname(folder) if os.path.basename(folder) == ".claude" else folder
    return lines_of_file(text, project="" if folder in own else around, by_person=folder in own)


def usual(program: str, cwd: str, env: Mapping[str, str]) -> list[Path]:
    """Where a program keeps its memory, there or not; [] for one without a usual place."""
    home = Path(places.home(env))
    data = Path(env.get("CLAUDE_MEM_DATA_DIR") or home / ".claude-mem")
    places_of = {
        "psychmem-opencode": [home / ".psychmem" / "opencode" / "memory.db", home / ".psychmem" / "claude-code" / "memory.db"],
        "true-mem": [home / ".config" / "opencode" / "true-mem" / "memory.db", home / ".true-mem" / "memory.db"],
        "claude-mem": [data / "claude-mem.db"],
        "instructions": [Path(claude_memory.claude_folder(env)) / "CLAUDE.md", Path(cwd) / "CLAUDE.md", Path(cwd) / "AGENTS.md"],
    }
    return places_of.get(program, [])


INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")
_LEAST_CHARS, _MOST_CHARS = 8, 600
_DOT = re.compile(r"^([ \t]*)•(?=[ \t])", re.MULTILINE)  # a bullet that Markdown does not know
_BOX = re.compile(r"^\[[ xX]\][ \t]+")
# Says where something stands.
_POINTER = re.compile(r"^(?:.{0,60}\[\[[^\]]+\]\](?:[ \t]*\([^()]*\))?|\[[^\]]*\]\([^()]*\).{0,120})")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def lines_of_file(text: str, *, project: str = "", by_person: bool = False) -> Iterator[ImportLine]:
    """The statements of one file; `project` is the folder it speaks of, "" for none."""
    about: dict[str, object] = {"project": project, "scope": "user" if by_person else "project" if project else ""}
    for told, heading in _paragraphs(text) if not text.startswith(claude_topics.MARK) else ():
        statement = " ".join(_BOX.sub("", told).replace("**", "").split())
        whole = _LEAST_CHARS <= len(statement) <= _MOST_CHARS and not statement.endswith(":") and any(map(str.isalpha, statement))
        if whole and not _POINTER.fullmatch(statement):
            yield made(statement, by_person, context=clip(heading, CONTEXT_CHARS), **about)


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Each bullet and each paragraph, with the headings it stands under."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  # 30 ms that other imports do without

    plain = _COMMENT.sub("", without_our_blocks(parted(text.replace("\r\n", "\n"))[1]))
    tokens = MarkdownIt().disable("inline").parse(_DOT.sub(r"\1-", plain))
    headings: list[str] = []
    quotations = 0
    for at, token in enumerate(tokens):
        quotations += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type == "inline" and tokens[at - 1].type == "heading_open":
            headings = [*headings[: int(tokens[at - 1].tag[1]) - 1], token.content]
        elif token.type == "inline" and not quotations and not token.content.startswith("|"):
            yield token.content, " > ".join(filter(None, headings))
