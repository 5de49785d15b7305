"""Every error a person may meet. Each message is one sentence that says what is wrong and how to mend it."""

from __future__ import annotations


class PsychMemError(Exception):
    """Something a person can mend; `str(exc)` is the sentence to print."""


class PayloadError(PsychMemError):
    """A hook's stdin is not a JSON object."""


class PatternError(PsychMemError):
    """A language file is wrong; the message names file and place."""


class LateError(Exception):
    """An event's time is over. No OSError: whoever catches those goes on."""


class StoreError(PsychMemError):
    """The database cannot be opened, read or written."""


class BusyError(StoreError):
    """Another process held the database for too long; trying again helps."""


class DamagedError(StoreError):
    """The database's file is damaged; it is set aside, never deleted."""


class UnwritableError(StoreError):
    """The database cannot be written, as on a full or read-only disk; reading what it holds may still do."""


class OvertakenError(StoreError):
    """What was read is no longer so: another process took it up, or a purge came between. Whoever read it begins anew."""


class NewerSchemaError(StoreError):
    """The database was written by a newer PsychMem; it is left alone."""


class ConfigError(PsychMemError):
    """A setting is unknown or has a value it cannot take."""


class NotFoundError(PsychMemError):
    """No memory, or more than one, answers to an id or prefix."""


class RefusedError(PsychMemError):
    """The request breaks a promise: a symlink, a foreign file, an untrusted origin."""


class JudgeError(PsychMemError):
    """The judge could not be started, took too long, failed or said nothing that can be read."""


class RemoteError(PsychMemError):
    """A remote cannot be reached, refuses, or holds what cannot be read."""


def refuse_if(wrong: object, sentence: str) -> None:
    """Raises RefusedError with this sentence if something is wrong."""
    if wrong:
        raise RefusedError(sentence)
