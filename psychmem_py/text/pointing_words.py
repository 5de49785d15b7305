"""Words of the language files: what points to something said before. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

POINTING = frozenset("""
    هذا ذلك هذه تلك هولاء das dies dieses it its they them their these those that this esto eso ello aquello lo mismo misma
    mismos mismas ca cela ceci celui celle ceux celles यह इसे उसे यही वही questo cio quello dit deze tego temu isso isto aquilo
    mesmo mesma mesmos mesmas это этого он она они ним него bunu sunu bu
""".split())
POINTING_SIGNS = (
    'これ', 'それ', 'この', 'その', 'こう', 'そう', '上記', '前述', '이것', '그것', '이건', '그건', '이걸', '그걸', '이거', '그거', '이런', '그런', '저런', '这',
    '那', '它', '此', '该', '上述',
)
POINTING_BEFORE_VERBS = frozenset("""
    هذا ذلك هذه تلك هولاء das dies dieses these those that this lo mismo misma mismos mismas यह questo quello dit deze mesmo
    mesma mesmos mesmas это bu
""".split())
VERBS_BEHIND_POINTING = frozenset("""
    ist war muss soll sind sollte darf kann wird gehort bleibt is was are were should must will would has have had can could
    means needs does did do cannot isn wasn shouldn shall may might aren es era debe deberia esta deben deberan deberian tiene
    tienen son estan puede pueden est etait doit doivent sont peut deve sarebbe dovrebbe devono puo sono moet moeten mag mogen
    wordt blijft jest bylo musi powinno powinien powinna musza e devem deveria sao pode podem должно было будет надо нужно очень
    olmali olmamali gerekiyor kalmali
""".split())
VERBS_BEHIND_A_SUBJECT = frozenset("""
    muss mussen must should shall debe deben deberia deberian debera deberan doit doivent devrait devraient deve devono dovrebbe
    dovrebbero moet moeten powinno powinien powinna powinny musi musza devem deveria deveriam должен должна должно должны
""".split())
PERSONS = frozenset("it its they them their he she он она они него".split())
POINTING_BEFORE_NOUNS = frozenset("""
    هذا ذلك هذه تلك هولاء dieser diese dieses diesen diesem jener jene jenes solche solcher solches solchen derartige derartigen
    beide beiden this these those such esta este ese esa estos estas esos esas aquel aquella aquellos aquellas dicho dicha
    dichos dichas tal tales ambos ambas cette ces cet इस उस इन उन ऐसा ऐसे ऐसी questa questo questi queste quella quel quei
    quegli quelle tali suddetto suddetta entrambi entrambe deze zulke dergelijke zo'n tej tych tym takie taki taka takich obie
    oba essa esse essas esses estes aquele aquela tais dito dita эта эти этот этого этои этом этих та тот те такои такая такое
    такие таком таких оба обе bu boyle
""".split())
PLACES_ONE_IS_IN = frozenset("""
    المشروع التطبيق المستودع الفريق الشركه المره الاسبوع projekt anwendung repo repository team dienst firma mal woche monat
    project codebase app application package library module service site branch file folder directory user company machine time
    way year week month proyecto repositorio equipo aplicacion empresa vez semana mes projet depot equipe appli entreprise fois
    semaine प्रोजेक्ट परियोजना रेपो टीम बार progetto applicazione azienda volta settimana applicatie keer maand bedrijf
    projekcie projektu repozytorium aplikacji zespole firmie tygodniu razem projeto aplicacao проект проекта проекте репозитории
    приложении команде раз неделе projede projenin proje uygulamada uygulama ekipte takim hafta kez
""".split())
