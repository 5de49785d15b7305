"""Settings and classes by their names, and the light records they are kept in."""

import enum
import json
import typing
from pathlib import Path

import pytest

from psychmem_py.errors import ConfigError, RefusedError
from psychmem_py.home import config
from psychmem_py.home.config import NOTES, RENAMED
from psychmem_py.model import light_record
from psychmem_py.model.light_record import StrEnum
from psychmem_py.model.records import Kind
from psychmem_py.model.settings import ALIASES, DEFAULTS, POLICIES, SCHEMAS, SETTABLE, Settings, keys, kind_of, metadata_faults
from tests.data import cases


def surroundings(home: Path, text: str = "", **more: str) -> dict[str, str]:
    """An environment whose config file says this."""
    (home / "config").mkdir(exist_ok=True)
    (home / "config" / "config.toml").write_text(text, "utf-8")
    return {"PSYCHMEM_HOME": str(home), **more}


def test_every_setting_has_a_note_and_a_name_of_its_own() -> None:
    names = [name for group in Settings._fields[:-1] for name in getattr(DEFAULTS, group)._fields]
    assert (len(names), set(names)) == (len(set(names)), set(NOTES) - set(SETTABLE))
    assert set(RENAMED.values()) <= set(names)


def test_environment_over_file_over_default(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "[stores]\nstm_half_life_d = 4\n[scoring]\nw_recency = 0.1\n", PSYCHMEM_STM_HALF_LIFE_D="5")
    settings = config.load(env)
    assert (settings.stores.stm_half_life_d, settings.scoring.w_recency, settings.scoring.w_utility) == (5, 0.1, 0.20)
    told = {one.key: one.origin for one in config.origins(env)}
    assert told["stores.stm_half_life_d"] == "PSYCHMEM_STM_HALF_LIFE_D"
    assert (told["scoring.w_recency"], told["scoring.w_utility"]) == (str(tmp_path / "config" / "config.toml"), "default")


# The variables of the seeds, each with what stands in it and what that means.
VARIABLES = """AGENT_TYPE opencode, DB_PATH ~/x/{agentType}/memory.db, INJECT_ON_COMPACTION false, EXTRACT_ON_COMPACTION 0,
    EXTRACT_ON_MESSAGE no, MAX_COMPACTION_MEMORIES 3, MAX_SESSION_MEMORIES 7, MESSAGE_WINDOW_SIZE 5, MESSAGE_IMPORTANCE_THRESHOLD 0.25"""


def test_every_variable_is_read(tmp_path: Path) -> None:
    given = dict(one.split() for one in VARIABLES.split(","))
    settings = config.load(surroundings(tmp_path, **{f"PSYCHMEM_{name}": text for name, text in given.items()}))
    meant = {"false": False, "0": False, "no": False, "3": 3, "7": 7, "5": 5, "0.25": 0.25}
    for name, text in given.items():
        assert getattr(getattr(settings, keys()[name.lower()]), name.lower()) == meant.get(text, text), name


def test_other_systems_names_are_read_from_the_file(tmp_path: Path) -> None:
    ours = 'stmDecayRate = 0.1\nmaxMemoriesPerStop = 3\napplyDecayOnlyToEpisodic = false\nautoPromoteToLtm = ["semantic"]\ndbPath = "/m"\n'
    theirs = "DUPLICATE = 0.9\nCONFLICT = 0.75\nMIN_RELEVANT = 0.5\nCONFIDENCE_THRESHOLD = 0.65\n"
    settings = config.load(surroundings(tmp_path, f"{ours}{theirs}[scoringWeights]\nnovelty = 0.3\n"))
    similar = settings.reconcile
    assert (similar.duplicate_threshold, similar.deduplication_threshold, similar.related_threshold) == (0.9, 0.75, 0.5)
    assert (settings.extraction.confidence_threshold, settings.extraction.max_memories_per_stop) == (0.65, 3)
    assert (settings.scoring.w_novelty, settings.general.db_path) == (0.3, "/m")
    assert [kind for kind in Kind if settings.stores.at_once(kind)] == [Kind.SEMANTIC]


def test_a_class_can_be_given_other_rights(tmp_path: Path) -> None:
    text = '[classes.episodic]\nttl_d = "never"\nhalf_life_d = 3\n'
    settings = config.load(surroundings(tmp_path, text, PSYCHMEM_CLASS_DECISION_TTL_D="90"))
    assert (settings.policy(Kind.EPISODIC)[1:3], settings.policy(Kind.DECISION).ttl_d) == ((3.0, None), 90)


@pytest.mark.parametrize(("text", "sentence", "wrong"), cases("tests", "settings that cannot be followed"))
def test_what_cannot_be_followed_is_told_and_all_else_holds(text: str, sentence: str, wrong: bool, tmp_path: Path) -> None:
    env = surroundings(tmp_path, f"max_prompt_memories = 2\n{text}")
    (notice,) = config.given(env).notices
    assert (sentence in notice.sentence, notice.wrong) == (True, wrong), notice.sentence
    assert config.load(env) == config.load({**env, "PSYCHMEM_COLOUR": "1"}) == config.with_values({"max_prompt_memories": 2})


@pytest.mark.parametrize("text", ["broken", "x = " + "[" * 5000])
def test_a_file_that_is_not_toml_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        config.load(surroundings(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_wrong_variable_leaves_what_the_file_says_where_directories_to_ignore_may_be_a_list(tmp_path: Path) -> None:
    assert config.load(surroundings(tmp_path, 'ignore = ["/a/*", "/b/*"]')).general.ignore == "/a/*, /b/*"
    env = surroundings(tmp_path, "max_prompt_memories = 2\n", PSYCHMEM_MAX_PROMPT_MEMORIES="many")
    assert config.load(env).retrieval.max_prompt_memories == 2
    assert ["max_prompt_memories is a whole number" in notice.sentence for notice in config.given(env).notices] == [True]


def test_every_class_name_of_another_system_is_understood_and_an_unknown_one_is_refused() -> None:
    assert {kind_of(alias) for alias in (*ALIASES, *Kind, "Decisions", "BUGFIXES", "preferences")} == {*POLICIES}
    with pytest.raises(RefusedError):
        kind_of("vibe")


def test_metadata_is_checked_against_its_class() -> None:
    assert metadata_faults(Kind.OBJECTIVE, {"deadline": "2026-12-31", "status": "blocked"}) == []
    assert len(metadata_faults(Kind.OBJECTIVE, {"deadline": "soon", "mood": "good"})) == 2
    assert set(SCHEMAS) == set(Kind)


class Ours(light_record.NamedTuple):
    """A record."""

    first: int
    second: str = "b"

    def both(self) -> str:
        return f"{self.first}{self.second}"


class Theirs(typing.NamedTuple):
    """A record."""

    first: int
    second: str = "b"


def test_fields_defaults_and_methods_are_there() -> None:
    made = Ours(first=1)
    assert made == (1, "b") == Theirs(1)
    assert (Ours._fields, Ours._field_defaults, Ours.__doc__) == (Theirs._fields, Theirs._field_defaults, Theirs.__doc__)
    assert made._replace(second="c").both() == "1c"
    assert repr(made) == "Ours(first=1, second='b')"
    assert made._asdict() == {"first": 1, "second": "b"}


@pytest.mark.parametrize(("values", "named"), [((), {}), ((1, "b", 3), {}), ((1,), {"first": 2}), ((), {"first": 1, "third": 2})])
def test_too_few_too_many_and_other_values_are_an_error(values: tuple[object, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Ours(*values, **named)  # type: ignore[arg-type]


class Ours_light_enum(StrEnum):
    """Two colours."""

    RED = "red"
    DEEP_BLUE = "deep blue"  # of two words

    def is_short(self) -> bool:
        return len(self) < 5


class Theirs_light_enum(enum.StrEnum):
    """Two colours."""

    RED = "red"
    DEEP_BLUE = "deep blue"

    def is_short(self) -> bool:
        return len(self) < 5


@pytest.mark.parametrize("colours", [Ours_light_enum, Theirs_light_enum])
def test_members_are_texts_and_one_of_a_kind_and_what_is_none_is_refused(colours: type[Ours_light_enum]) -> None:
    for none in ("green", ["red"]):
        with pytest.raises(ValueError, match=r" is not a valid (Ours_light_enum|Theirs_light_enum)$"):
            colours(none)  # type: ignore[arg-type]
    assert colours("deep blue") is colours.DEEP_BLUE
    assert colours(colours.RED) is colours.RED
    assert list(colours) == ["red", "deep blue"]
    assert (colours.RED.name, colours.RED.value, str(colours.RED), f"{colours.RED:>5}") == ("RED", "red", "red", "  red")
    assert type(colours.RED.value) is type(str(colours.RED)) is str
    assert {colours.RED: 1}["red"] == 1
    assert json.dumps([colours.RED]) == '["red"]'
    assert (isinstance(colours.RED, colours), colours.RED.is_short(), colours.DEEP_BLUE.is_short()) == (True, True, False)
    assert colours.__doc__ == "Two colours."
