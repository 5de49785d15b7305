"""A clause in the order in which the tables of assertions read it. Words only, folded."""

from __future__ import annotations

from psychmem_py.memory import assertion_words as table

# "Two approvals are required for merges" says what merges need.
TURNED = (("are", "required", "for"), ("is", "required", "for"), ("are", "needed", "for"), ("is", "needed", "for"))
# "Omar took over as backend lead" says who the backend lead is; only of an attribute.
TAKING_A_PART = (("took", "over", "as"), ("takes", "over", "as"), ("is", "now", "our"), ("is", "now", "the"), ("became", "our"), ("became", "the"), ("became", "my"), ("is", "our", "new"), ("is", "the", "new"))  # fmt: skip
PARTICIPLES_AT_THE_END = frozenset("gewechselt gezogen umgezogen umgestiegen umgestellt gewandert".split())
# "We migrated production to Postgres" says what we use there.
MOVES = frozenset("moved migrated switched ported upgraded converted".split())
CHANGES_ITS = frozenset("changed changes renamed renames updated updates".split())
SAME_VERB = dict.fromkeys(("need", "needs", "require", "requires"), "need")
# Nouns that say what a verb says: "my boss is Omar", "I report to Omar".
RELATION_OF = {
    noun: relation
    for relation, nouns in {
        "superior": "manager boss supervisor chef chefin vorgesetzter jefe jefa patron patronne",
        "employer": "employer arbeitgeber empleador employeur",
        "spouse": "wife husband partner fiancee spouse",
        "name": "name surname nickname username nachname apellido",
        "time": "deadline date due frist termin abgabetermin plazo echeance",
        "home": "hometown residence wohnort",
    }.items()
    for noun in nouns.split()
}
EMPTY_OF_ATTRIBUTE = frozenset("last first family full new current".split())


def in_order(tokens: list[str]) -> list[str]:
    """A clause as the tables read it: subject, verb, value. "Two approvals are required for merges", "Omar is the lead of QA", "Ich habe zu
    Acme gewechselt" say their value or their verb elsewhere.
    """
    for turned in TURNED:
        index = next((at for at in range(1, len(tokens)) if tuple(tokens[at : at + len(turned)]) == turned), 0)
        if index:
            return [*_to_its_end(tokens[index + len(turned) :]), "needs", *tokens[:index]]
    for phrase in TAKING_A_PART:
        index = next((at for at in range(1, len(tokens)) if tuple(tokens[at : at + len(phrase)]) == phrase), 0)
        role = _to_its_end(tokens[index + len(phrase) :])
        if index and role and not table.ATTRIBUTES.isdisjoint(role):
            return [*role, "is", *tokens[:index]]
    if len(tokens) > 3 and tokens[-1] in PARTICIPLES_AT_THE_END:
        index = next((at for at in range(len(tokens) - 2, 0, -1) if tokens[at] in ("zu", "nach", "auf", "bei")), 0)
        if index:
            return [*tokens[:index], tokens[-1], *tokens[index:-1]]
    for at in range(1, len(tokens) - 3):
        if tokens[at] in MOVES and "to" in tokens[at + 2 :] and "from" not in tokens and tokens[0] in table.GROUP | table.SPEAKER:
            to = tokens.index("to", at + 2)
            return [*tokens[:at], "use", *tokens[to + 1 :], "in", *tokens[at + 1 : to]]
        if tokens[at] in CHANGES_ITS and tokens[at + 1] in table.DETERMINERS and "to" in tokens[at + 2 :]:
            to = tokens.index("to", at + 2)
            return [*tokens[:at], *tokens[at + 2 : to], "is", *tokens[to + 1 :]]
    return tokens


def _to_its_end(tokens: list[str]) -> list[str]:
    """What a clause is about: up to "from now on", without words that only say when."""
    end = next((at for at, token in enumerate(tokens) if at and token in table.ENDS_OF_A_VALUE | {"from", "since"}), len(tokens))
    return [token for token in tokens[:end] if token not in table.IN_PASSING]
