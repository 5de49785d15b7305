"""What went wrong in hooks nobody watches, in small files, so that even a broken database can be reported; never with content."""

from __future__ import annotations

import os
import time
from _collections_abc import Mapping

from psychmem_py.errors import PsychMemError, RefusedError
from psychmem_py.home import files, light_json
from psychmem_py.home.places import FOLDER, StrPath, append, changed_at, folder_of, names_in, own_base, own_folder, refuse_link
from psychmem_py.model.light_record import NamedTuple

LOG, FORMER_LOG, LOG_BYTES = "hooks.log", "hooks.log.1", 524_288


class Failure(NamedTuple):
    """The last failure of one event."""

    event: str
    at: float
    error: str  # type of the exception
    sentence: str
    line: str  # "store/connection.py:41"
    mended: bool  # the event has succeeded since


def failed(data: StrPath, event: str, exc: BaseException, now: float) -> bool:
    """Records a failure; whether it could be written down."""
    record = {"at": now, "error": type(exc).__name__, "sentence": sentence(exc), "place": _line(exc)}
    try:
        own_folder(os.path.join(data, FOLDER))
        files.replace(_path(data, event, "failed"), light_json.encoded(record).encode())
    except (OSError, RefusedError):
        return False  # a full or read-only disk: only the event's own reply can say it
    return True


def sentence(exc: BaseException) -> str:
    """What went wrong, in a sentence without content; system errors name their file, others might quote some."""
    from psychmem_py.safety.control_chars import line  # noqa: PLC0415  # only when something is wrong

    if isinstance(exc, PsychMemError):
        return line(str(exc))
    if isinstance(exc, OSError) and exc.strerror:
        return line(f"{exc.strerror}: {exc.filename}") if exc.filename else exc.strerror
    return f"the database says: {exc}" if type(exc).__module__ == "sqlite3" else f"an unexpected {type(exc).__name__}"


def traced(exc: BaseException) -> str:
    """The failure's type, sentence and line, for the log."""
    return f"{type(exc).__name__}: {sentence(exc)} ({_line(exc)})"


def _line(exc: BaseException) -> str:
    trace, location = exc.__traceback__, ""
    while trace:
        if "psychmem_py" in (path := trace.tb_frame.f_code.co_filename):
            location = f"{path.rpartition('psychmem_py')[2].lstrip('/')}:{trace.tb_lineno}"
        trace = trace.tb_next
    return location


def _path(data: StrPath, event: str, ending: str) -> str:
    return os.path.join(data, FOLDER, f"{event}.{ending}")


def _with(data: StrPath, ending: str) -> list[str]:
    return [name.removesuffix(f".{ending}") for name in names_in(os.path.join(data, FOLDER)) if name.endswith(f".{ending}")]


def beats(data: StrPath) -> dict[str, float]:
    """When each event was last served."""
    return {event: changed_at(_path(data, event, "ok")) for event in _with(data, "ok")}


def failures(data: StrPath) -> list[Failure]:
    """The last failure of each event, newest first, without those that are over and told."""
    found, when = list[Failure](), beats(data)
    for event in _with(data, "failed"):
        record = light_json.read_object(_path(data, event, "failed"))
        error, told, line = (str(record.get(name, "")) for name in ("error", "sentence", "place"))
        at = float(record.get("at", 0) or 0)
        found.append(Failure(event, at, error, told, line, mended=when.get(event, 0.0) > at))
    return sorted(found, key=lambda one: -one.at)


def line_for_brief(data: StrPath) -> str:
    """One line for the next brief, "" if all is well; repeated while the failure lasts and once after it."""
    try:
        refuse_link(os.path.join(data, FOLDER), "remove it, PsychMem makes the folder itself")
    except RefusedError as exc:  # whatever failed could not be written down
        return line_for_failure("health", exc)
    ended = " (it works again since)"
    return "".join(line_for_failure(one.event, one.sentence, ended * one.mended) for one in failures(data)[:1])


def line_for_failure(event: str, what: BaseException | str, since: str = "") -> str:
    """The line on a failure, or on a sentence about one; paths of others stand in it, and no fence around it."""
    from psychmem_py.safety.fence import defused  # noqa: PLC0415  # only when something is wrong

    told = defused(what if isinstance(what, str) else sentence(what))[:300]
    return f"PsychMem failed in `{event}`{since}: {told}. Please tell the user to run `psychmem doctor`."


def mark_told(data: StrPath) -> None:
    """Ends the records of failures that are over, once a brief has told them: any record keeps one made ready from being used."""
    for failure in (one for one in failures(data) if one.mended):
        path, aside = _path(data, failure.event, "failed"), _path(data, failure.event, f"{os.getpid()}.told")
        try:
            os.rename(path, aside)  # where no other is written over it; one that has failed again just now stays
            if light_json.read_object(aside).get("at") != failure.at:
                os.link(aside, path)
        except OSError:  # another process was quicker, or it has failed once more
            continue
        finally:
            files.remove(aside)


def forget(data: StrPath) -> str:
    """Removes the records of failures, after a mend, and what killed processes left beside them; says what that means."""
    for path in (_path(data, event, ending) for ending in ("failed", "told") for event in _with(data, ending)):
        files.remove(path)
    return "off this list until the hook fails again"


def log(env: Mapping[str, str], line: str, now: float) -> None:
    """Logs a piece of work or a failure, with its time in UTC, never with what anybody said; it may fail."""
    text = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(now))} {' '.join(line.split())[:400]}\n"
    try:
        append(os.path.join(own_base(folder_of("log", env)), LOG), text.encode("utf-8", "replace"), LOG_BYTES)
    except Exception:  # a full disk, a link in its place: the health record tells what matters
        return
