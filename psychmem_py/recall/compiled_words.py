"""Words of the language files: what points to something said before. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

POINTING = frozenset("""
    هذا ذلك das dies dieses it its they them these those that this esto eso ello aquello lo ca cela ceci यह इसे questo cio
    quello dit tego isso isto aquilo это этого он она они ним него bunu sunu bu
""".split())
POINTING_SIGNS = (
    'これ', 'それ', 'この', 'その', '이것', '그것', '这', '那', '它', '此',
)
POINTING_BEFORE_VERBS = frozenset("هذا ذلك das dies dieses these those that this lo यह questo quello dit это bu".split())
VERBS_BEHIND_POINTING = frozenset("""
    ist war muss soll sind is was are were should must will would has have had can could means needs does did do cannot isn wasn
    shouldn es era debe deberia esta est etait doit deve sarebbe dovrebbe jest bylo musi e должно было будет надо нужно очень
    olmali
""".split())
PERSONS = frozenset("it its they them he she он она они него".split())
POINTING_BEFORE_NOUNS = frozenset("""
    dieser diese dieses diesen this these those such esta este ese esa estos estas esos esas aquel aquella cette ces questa
    questo questi queste quella quel essa esse эта эти этот этого этои та тот те bu
""".split())
PLACES_ONE_IS_IN = frozenset("""
    projekt anwendung project repo repository codebase app application package library module service site branch file folder
    directory user team company machine time way year week month proyecto repositorio projet depot progetto applicazione projeto
    проект проекта репозитории
""".split())
