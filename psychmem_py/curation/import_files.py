"""What other programs' databases and a person's Markdown files hold: hostile text, only taken apart; `imports` decides."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.errors import PsychMemError
from psychmem_py.home import files, places
from psychmem_py.home.light_json import parsed
from psychmem_py.safety.control_chars import clean
from psychmem_py.safety.secrets import redact_typed
from psychmem_py.safety.suspicion import without_our_blocks
from psychmem_py.text.front_matter import parted
from psychmem_py.text.tokenizer import clip

JSON_LINES = "jsonl"
DATABASES = ("psychmem-opencode", "true-mem", "claude-mem")
MARKDOWN = ("instructions", "markdown")
PROGRAMS = (JSON_LINES, *DATABASES, *MARKDOWN)
_WHICH = f"--from says which of {', '.join(PROGRAMS)} it is"
# Whose words they are, behind "brought in from".
SAID = {"psychmem-opencode": "PsychMem for OpenCode", "instructions": "an instruction file", "markdown": "a Markdown file"}
_CONTEXT_CHARS, _NOTE_BYTES = 300, 1 << 20
_LEAST_CHARS, _MOST_CHARS = 8, 600
_POINTER = re.compile(r"^(?:.{0,60}\[\[[^\]]+\]\](?:[ \t]*\([^()]*\))?|\[[^\]]*\]\([^()]*\).{0,120})")  # where something stands
_CUT_OUT = re.compile(r"\[(?:private|REDACTED[^\]]{0,40})\]")
_NOTE = re.compile(r'---\nid: "[^"\n]+"\nclass: ')  # of our own in a vault, see `exports`
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MOST_S = 30.0  # for all of a file: what its tables and views do is its maker's program
_TEXT_CHARS = 600  # of what claude-mem noted
_TABLES = {  # which rows are read, in which order; no program has those of another
    "memory_units": "where status in ('active', 'pinned') order by created_at, id",
    "observations": "order by created_at_epoch, id",
    "session_summaries": "order by created_at_epoch, id",
    "directives": "where status = 'active' order by id",
}
# What claude-mem calls what it saw, by the class it is nearest to; the rest merely happened.
_OBSERVED = {"decision": "decision", "bugfix": "bugfix", "discovery": "learning"}


class ImportLine(NamedTuple):
    """What a JSON line of `psychmem import` holds, and what no such line may say of itself."""

    given: dict[str, Any]
    by_person: bool = False  # a person's own words, as the place where it stood shows
    fault: str = ""  # why it cannot be taken


def made(text: str, by_person: bool = False, /, **fields: object) -> ImportLine:
    """A line of a text and those of its fields that say something; `kind` stands for the class."""
    given: dict[str, Any] = {"text": text.strip()}
    given |= {"class" if name == "kind" else name: value for name, value in fields.items() if value not in ("", None, [], {})}
    return ImportLine(given, by_person)


def opened(path: Path, program: str, env: Mapping[str, str]) -> tuple[str, Iterator[ImportLine] | None]:
    """Whose memory a path holds, by its content if `program` is "", and its lines; None for JSON lines. Raises PsychMemError."""
    if path.is_dir():
        stores = [path / name for name in ("memory.db", "claude-mem.db") if (path / name).is_file()]
        if program in MARKDOWN or not (program or stores):
            return _folder(path, program, env)
        return opened(stores[0] if stores else path / "memory.db", program, env)
    if not path.is_file():
        raise PsychMemError(f"there is no file {path}; name the file or folder that holds the memories")
    with path.open("rb") as file:
        is_database = file.read(16) == b"SQLite format 3\0"
    if is_database or program in DATABASES:
        if whose := _program_of(str(path)):
            return whose, _rows(str(path), whose)
        raise PsychMemError(f"{path} is no database of {program or 'a memory program we know'}; {_WHICH}")
    if program in MARKDOWN or (not program and path.suffix.lower() in (".md", ".markdown", ".mdx")):
        kind = program or _kind_of(path.name)
        return kind, _one_file(path, kind, env)
    return JSON_LINES, None


def _folder(path: Path, program: str, env: Mapping[str, str]) -> tuple[str, Iterator[ImportLine] | None]:
    """What the Markdown files below a folder hold, in order of their paths; never through a link."""
    found = (name for name in sorted(files.files_below(str(path))) if name.lower().endswith((".md", ".markdown")))
    if not (names := [name for name in found if not (path / name).is_symlink()]):
        raise PsychMemError(f"{path} holds no Markdown file; {_WHICH}")

    def lines(name: str) -> Iterator[ImportLine]:
        try:
            return _one_file(path / name, program or _kind_of(name), env)
        except PsychMemError as exc:  # one that cannot be read costs itself
            return iter([ImportLine({}, fault=str(exc))])

    whole = "instructions" if "instructions" in map(_kind_of, names) else "markdown"
    return program or whole, chain.from_iterable(map(lines, names))


def _kind_of(name: str) -> str:
    return "instructions" if os.path.basename(name) in ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md") else "markdown"


def _one_file(path: Path, kind: str, env: Mapping[str, str]) -> Iterator[ImportLine]:
    """The statements of a file, in the project that it speaks of; in every one where it is the person's own instructions."""
    if (raw := files.content(os.path.realpath(path), _NOTE_BYTES)) is None:
        raise PsychMemError(f"{path} cannot be read, or holds more than {_NOTE_BYTES >> 20} MB; split it")
    text = raw.decode("utf-8-sig", "replace")
    if kind != "instructions":
        return lines_of_file(text)
    folder, named = os.path.dirname(os.path.realpath(path)), os.path.realpath(os.path.dirname(path))  # which may be a link
    own = os.path.realpath(claude_memory.claude_folder(env)), os.path.join(places.home(env), ".config", "opencode")
    around = os.path.dirname(folder) if os.path.basename(folder) == ".claude" else folder
    by_person = folder in own or named in own
    return lines_of_file(text, project="" if by_person else around, by_person=by_person)


def usual(cwd: str, env: Mapping[str, str]) -> dict[str, list[Path]]:
    """Where programs keep their memory, there or not."""
    home = Path(places.home(env))
    return {
        "psychmem-opencode": [home / ".psychmem" / "opencode" / "memory.db", home / ".psychmem" / "claude-code" / "memory.db"],
        "true-mem": [home / ".config" / "opencode" / "true-mem" / "memory.db", home / ".true-mem" / "memory.db"],
        "claude-mem": [Path(env.get("CLAUDE_MEM_DATA_DIR") or home / ".claude-mem") / "claude-mem.db"],
        "instructions": [Path(claude_memory.claude_folder(env)) / "CLAUDE.md", Path(cwd) / "CLAUDE.md", Path(cwd) / "AGENTS.md"],
    }


def lines_of_file(text: str, *, project: str = "", by_person: bool = False) -> Iterator[ImportLine]:
    """The statements of one file; `project` is the folder it speaks of, "" for none."""
    about: dict[str, object] = {"project": project, "scope": "user" if by_person else "project" if project else ""}
    ours = text.startswith(claude_topics.MARK) or _NOTE.match(text)
    whole_text = "" if ours else redact_typed(clean(text))  # a secret may stand below its name
    for told, heading in _paragraphs(whole_text):
        statement = " ".join(told.replace("**", "").split())
        says = any(map(str.isalpha, _CUT_OUT.sub("", statement)))
        whole = _LEAST_CHARS <= len(statement) <= _MOST_CHARS and not statement.endswith(":") and says
        if whole and not _POINTER.fullmatch(statement):
            yield made(statement, by_person, context=clip(heading, _CONTEXT_CHARS), **about)


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    from markdown_it import MarkdownIt  # noqa: PLC0415  # 30 ms that other imports do without

    tokens = MarkdownIt().disable("inline").parse(_COMMENT.sub("", without_our_blocks(parted(text.replace("\r\n", "\n"))[1])))
    headings, quotations = list[str](), 0
    for at, token in enumerate(tokens):
        quotations += (token.type == "blockquote_open") - (token.type == "blockquote_close")
        if token.type == "inline" and tokens[at - 1].type == "heading_open":
            headings = [*headings[: int(tokens[at - 1].tag[1]) - 1], token.content]
        elif token.type == "inline" and not quotations and not token.content.startswith("|"):
            yield token.content, " > ".join(filter(None, headings))


def _texts(value: object) -> list[str]:
    values = parsed(value.encode()) if isinstance(value, str) else None
    return [one.strip() for one in (values if isinstance(values, list) else []) if isinstance(one, str) and one.strip()][:20]


def _text(row: Mapping[str, Any], *names: str) -> str:
    return next((text for name in names if isinstance(value := row.get(name), str) and (text := value.strip())), "")


def _line(table: str, row: Mapping[str, Any]) -> ImportLine:
    """A memory of PsychMem for OpenCode's or true-mem's; a rule, a lesson or an observation of claude-mem's."""
    place, about = _text(row, "project_scope", "merged_into_project", "project"), ""
    if table == "memory_units":
        text, kind = _text(row, "summary"), _text(row, "classification")
    elif table == "directives":
        text, kind, place = _text(row, "content"), "constraint", "" if row.get("scope") == "global" else place
    elif table == "session_summaries":  # the rest of it was true that day
        text, kind, about = clip(" ".join(_text(row, "learned").split()), _TEXT_CHARS), "learning", _text(row, "request")
    else:
        facts, titles = _texts(row.get("facts")), (_text(row, "title").rstrip("."), _text(row, "subtitle").rstrip("."))
        text = clip(". ".join(filter(None, titles)) or next(iter(facts), "") or _text(row, "text", "narrative"), _TEXT_CHARS)
        kind, about = _OBSERVED.get(_text(row, "type"), "episodic"), " ".join(facts) or _text(row, "narrative")
        about = about if redact_typed(f"{text}\n\n{about}").endswith(about) else ""  # a secret whose name stands in the text
    lists = {"names": _texts(row.get("files_modified")), "tags": _texts(row.get("tags")) or _texts(row.get("concepts"))}
    fields = lists | {"kind": kind, "created_at": row.get("created_at"), "context": clip(about, _CONTEXT_CHARS)}
    return made(text, scope="project" if place else "user", project=place, **fields)


def _database(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(places.sqlite_address(path), uri=True, timeout=5.0)
    end = time.monotonic() + _MOST_S
    db.set_progress_handler(lambda: time.monotonic() > end, 10_000)  # steps of its machine between two looks
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    db.row_factory = sqlite3.Row
    return db


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in db.execute(f"pragma table_info({table})")]


def _program_of(path: str) -> str:
    with suppress(sqlite3.Error), closing(_database(path)) as db:  # one whose tables cannot be read is nobody's
        if _columns(db, "memory_units") and _columns(db, "sessions"):
            return "true-mem" if "embedding" in _columns(db, "memory_units") else "psychmem-opencode"
        if _columns(db, "observations") and _columns(db, "sdk_sessions"):
            return "claude-mem"
    return ""


def _rows(path: str, program: str) -> Iterator[ImportLine]:
    try:
        with closing(_database(path)) as db:
            for table, which in _TABLES.items():
                found = db.execute(f"select * from {table} {which}") if _columns(db, table) else ()
                yield from (line for row in found if (line := _line(table, dict(row))).given["text"])
    except sqlite3.Error as exc:
        why = f"it takes more than {_MOST_S:.0f} s" if "interrupted" in str(exc) else exc
        raise PsychMemError(f"{path} cannot be read as a database of {program}: {why}; export from {program} instead") from exc
