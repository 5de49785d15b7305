"""What an origin may become: the one place that decides whose words may be a rule."""

from __future__ import annotations

from psychmem_py.model.terms import HUMAN, RULES, Kind, Origin, Scope, Status
from psychmem_py.safety.suspicion import suspicion, typed_suspicion

AUTHOR = "author"  # metadata: whose statement it is, where it came by sync from another person
NO_PROJECT = "said in no project"  # a doubt
FORGET_ABOUT = "forget_about"  # reason of a wish to forget all of a subject
DOUBT = "doubt"  # metadata: why a statement waits although its class and origin would let it in

# Reasons for which a statement waits: it would not be understood alone, which no proof heals; it was said for the task at hand or as a guess.
FAULTS = frozenset({"cut", "dangling", "long", "pointing", "unnamed", "aside", "pointer", "self", "addressed", "item"})
FOR_NOW = frozenset({"example", "wish", "at hand", "task", "guess", "passage", "unowned"})


def doubt(text: str, origin: Origin) -> str:
    """Why a statement looks planted, "" when it does not. People are believed more, but they paste too."""
    return typed_suspicion(text) if origin in HUMAN else suspicion(text)


def admitted(
    kind: Kind, scope: Scope, project: str | None, origin: Origin, *, doubted: bool = False
) -> tuple[Scope, str | None, Status]:
    """The scope, project and status in which a statement may enter.

    What no person typed never becomes a rule or holds everywhere by itself: rules wait in quarantine with the scope they propose,
    other statements belong to the project at hand. What belongs to a project and was said outside any waits, and what is doubted, whoever
    said it.
    """
    if doubted:
        return (
            (scope, project, Status.QUARANTINED) if scope is Scope.PROJECT and project else (Scope.USER, None, Status.QUARANTINED)
        )
    human = origin in HUMAN
    if scope is Scope.PROJECT and project is None:  # what was said at home of one place is not told in all
        return Scope.USER, None, Status.QUARANTINED
    if human:
        return scope, project if scope is Scope.PROJECT else None, Status.ACTIVE
    if kind in RULES:
        return scope, project if scope is Scope.PROJECT else None, Status.QUARANTINED
    return (Scope.PROJECT, project, Status.ACTIVE) if project else (Scope.USER, None, Status.QUARANTINED)
