"""Every language file against its own example sentences, and against all the others."""

import json
import re
from pathlib import Path

import pytest

from psychmem_py.errors import PatternError
from psychmem_py.extraction.passages import REGARD
from psychmem_py.extraction.sweep_lines import check
from psychmem_py.extraction.weights import FAMILIES
from psychmem_py.languages import files
from psychmem_py.languages.matcher import Matcher
from psychmem_py.text.folding import fold

pytestmark = pytest.mark.slow
LOADED = files.load()
NAMES = files.shared()["list_names"]
FILTERS = {
    "question", "negation", "hedge", "hypothetical", "meta_talk", "recall", "forget", "task_request",
    "quotation", "list_choice", "narration", "observation", "smalltalk", "temporary", "pastime", "back", "forget_about",
    "at_hand", "example",
}  # fmt: skip
LEXICON = {
    "code", "agent", "tool", "product", "person", "verb_request", "resolution", "pronoun", "layout", "agreement", "reserve",
    "self", "pointer", "remedy", "symptom", "unmended", "two_names", "rulebook", "own_use", "own_way", *REGARD,
}  # fmt: skip


def test_language_files_keep_their_own_examples():
    """Every phrase is readable and matches its example, no family matches what it rejects, everyday sentences leave nothing."""
    wrong = [str(problem) for problem in check(LOADED, files.neutral(), names=NAMES)]
    assert not wrong, "\n".join(wrong)


def test_language_files_have_known_families_each_under_a_heading_and_short_lines() -> None:
    known = {(f"signals.{category}", family) for category, family in FAMILIES}
    for table, names in (("filters", FILTERS), ("scope", {"user", "general", "project"}), ("lexicon", LEXICON)):
        known |= {(table, name) for name in names}
    assert [(language.code, key) for language in LOADED for key in set(language.families) - known] == []
    texts = {path.name: path.read_text("utf-8") for path in files.SHIPPED.glob("*.toml")}
    families = [found for language in LOADED for found in _FAMILY_LINE.findall(texts[language.source])]
    assert len(families) > 40 * len(LOADED)
    assert not [family for before, family in families if not before.startswith("# ")]
    assert [(name, line) for name, text in texts.items() for line in text.split("\n") if len(line) > 160] == []


def own(folder: Path, lines: str, code: str = "en") -> Path:
    """A language file of a person's own."""
    path = folder / f"{code}.toml"
    path.write_text(f'language = "{code}"\nname = "{code}"\nscript = "Latin"\n{lines}\n', "utf-8")
    return path


def test_a_persons_own_file_adds_to_the_shipped_one_and_only_the_languages_of_a_text_are_read(tmp_path) -> None:
    own(tmp_path, '[signals.constraint.never]\nphrases = ["verboten is"]')
    for matcher in (files.matcher(tmp_path), Matcher(files.load(tmp_path))):
        assert [hit.name for hit in matcher.hits("verboten is", ["en"])] == ["never"]
        assert matcher.hits("never push to main", ["en"])
    files.matcher(None, tmp_path / "languages").hits("never push to main", ["en"])
    assert [path.stem for path in (tmp_path / "languages").iterdir()] == ["en"]
    assert [list(files.matcher(only=codes).languages) for codes in ("xx, EN", "de")] == [["en"], ["de"]]
    assert files.matcher(only="english").languages.keys() == files.matcher().languages.keys()  # it would keep nothing


@pytest.mark.parametrize(
    "text", ["not toml [", 'language = "en"\n[signals.x]\ny = 1', 'language = "en"\n[signal.constraint.never]\nphrases = ["x"]']
)
def test_a_file_of_the_wrong_shape_is_named(tmp_path, text: str):
    (tmp_path / "en.toml").write_text(text, "utf-8")
    with pytest.raises(PatternError, match=r"en\.toml"):
        files.load(tmp_path)


def test_what_everyday_sentences_leave_is_a_problem() -> None:
    found = check([one for one in LOADED if one.code == "nl"], {"nl": ["Push nooit naar main."]})
    assert [(one.table, one.sentence) for one in found] == [("neutral", "Push nooit naar main.")]


DUTCH = next(one for one in LOADED if one.code == "nl")
NEVER = ("signals.constraint", "never")


def grown(phrase: str, *sentences: str, words: dict[str, tuple[str, ...]] | None = None) -> list[str]:
    """What the check says of Dutch with one more phrase."""
    there, examples = DUTCH.families[NEVER], [(phrase, sentence) for sentence in sentences]
    more = there._replace(phrases=(*there.phrases, phrase), examples=(*there.examples, *examples))
    more = DUTCH._replace(families={**DUTCH.families, NEVER: more}, words={**DUTCH.words, **(words or {})})
    return [problem.what for problem in check([more], names={*NAMES, "qwerty"})]


def test_a_phrase_needs_an_example_and_a_list_a_user_and_a_known_name() -> None:
    assert grown("qwerty asdf", "Qwerty asdf.") == []
    (alone,) = grown("qwerty asdf")
    assert "has no example" in alone
    (beside,) = grown("qwerty asdf", "Push nooit naar main.")
    assert "does not match the phrase 'qwerty asdf'" in beside
    words = {"qwerty": ("qwerty asdf", "azerty")}
    assert grown("{qwerty}", "Qwerty asdf.", words=words) == []
    (unused,) = grown("qwerty asdf", "Qwerty asdf.", words=words)
    assert "used by no phrase" in unused
    (unnamed,) = grown("{hmm}", "Qwerty asdf.", words={"hmm": ("qwerty asdf",)})
    assert "[list_names]" in unnamed
    assert grown("{qwerty_2}", "Azerty.", words={"qwerty_2": ("azerty",)}) == []
    assert grown("{qwerty}", "Qwerty.", words={"qwerty": ("qwerty", "azerty")}) == []


def test_a_list_may_stand_in_the_family_that_uses_it(tmp_path):
    lines = (
        '[signals.constraint.never]\nrejects = ["Qwerty."]\n[signals.constraint.never.lists]\n"qwérty_enz" = ["qwérty", "azerty"]\n'
        '[signals.constraint.never.fixed]\nphrases = [["{qwérty_enz} asdf", "Azerty asdf."]]\n'
    )
    language = files.read(own(tmp_path, lines, "nl"))
    assert [problem for problem in check([language], names=NAMES) if problem.table != "words"] == []
    with pytest.raises(PatternError, match="two lists"):
        files.read(own(tmp_path, lines + '[words]\n"qwérty_enz" = ["qwerty"]', "nl"))


_FAMILY_LINE = re.compile(r"^(.*)\n\[((?:signals\.\w+|filters|scope)\.\w+)\]$", re.MULTILINE)


def test_a_phrase_of_ones_own_file_is_found_there_and_is_one_over_several_lines(tmp_path):
    phrases = 'phrases = [\n  ["""\n   verboten (is|\n   was)\n   here""",\n   "verboten is here"],\n]'
    own(tmp_path, f"[signals.constraint.never.fixed]\n{phrases}")
    (hit,) = files.matcher(tmp_path).hits("verboten was here", ["en"])
    assert hit.phrase == "verboten (is|was) here"


def test_the_shape_of_before_is_still_read(tmp_path):
    before = 'phrases = ["qwerty asdf"]\nmatches = ["Qwerty asdf."]\nrejects = ["Qwerty."]'
    language = files.read(own(tmp_path, f"[signals.constraint.never]\n{before}", "nl"))
    assert language.families[NEVER].phrases == ("qwerty asdf",)
    assert [problem for problem in check([language]) if "list_names" not in problem.what and problem.table != "words"] == []


README = (files.SHIPPED / "README.md").read_text("utf-8")


def test_the_walk_of_the_readme_mends_a_false_hit(tmp_path):
    """Steps 1 to 4 of "Mend a sentence", with the sentence that stands there."""
    named = re.findall(r"`(\w+/\w+\.py)`", README)  # modules that hold words
    assert len(named) > 1
    assert not [name for name in named if not (Path(files.__file__).parent.parent / name).is_file()]
    (sentence,) = re.findall(r'\$ psychmem patterns why "([^"]+)"', README)
    german = files.read(files.SHIPPED / "de.toml")
    (hit,) = [hit for hit in Matcher([german]).hits(fold(sentence), ["de"]) if hit.name == "never"]
    assert "de  signals.constraint.never" in README
    assert hit.phrase in README
    copy = tmp_path / "de.toml"
    lines = (files.SHIPPED / "de.toml").read_text("utf-8").split("\n")
    family = lines.index("[signals.constraint.never]")
    lines[family + 1] = lines[family + 1].replace("rejects = [", f"rejects = [{json.dumps(sentence, ensure_ascii=False)},")
    copy.write_text("\n".join(lines), "utf-8")
    (wrong,) = check([files.read(copy)])
    assert (wrong.sentence, wrong.what) == (sentence, "matches in de, and must not")

    at = next(number for number, line in enumerate(lines) if line.startswith('  ["(bleibt|bleiben)'))
    lines[at] = lines[at].replace("(bleibt", "!(lampe|licht) (bleibt", 1)
    copy.write_text("\n".join(lines), "utf-8")
    assert check([files.read(copy)]) == []
