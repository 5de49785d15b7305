"""What took the place of what, by name, in sixteen languages; and what only speaks of the same name."""

from __future__ import annotations

from pathlib import Path

import pytest

from psychmem_py.memory.compare import Relation, compared
from psychmem_py.memory.exchange import exchange, replaced_by
from psychmem_py.model.settings import DEFAULTS
from psychmem_py.model.terms import Kind

PAIRS = Path(__file__).parent.parent / "data" / "pairs.txt"

# known, what is said later
REPLACED = """
Our index is Lucene | We moved from Lucene to Tantivy
We profile with Valgrind | We replaced Valgrind with Perf
We use Gulp for assets | We dropped Gulp in favour of Vite
We use Jenkins for CI | We switched from Jenkins to GitHub Actions
Our queue is Celery | Dramatiq took over from Celery
Wir nutzen Redmine | Wir sind von Redmine auf Taiga umgestiegen
Unser Cache ist Varnish | Wir verwenden Nginx statt Varnish
Nous utilisons Redmine | Nous sommes passés de Redmine à Taiga
Nous utilisons Varnish | Nous avons remplacé Varnish par Nginx
Usamos Redmine para los errores | Pasamos de Redmine a Taiga
Usamos Varnish | Usamos Nginx en lugar de Varnish
Usamos Redmine no time | Migramos do Redmine para o Taiga
Usiamo Redmine | Siamo passati da Redmine a Taiga
We gebruiken Redmine | We zijn van Redmine naar Taiga overgestapt
Używamy Redmine | Przeszliśmy z Redmine na Taiga
Мы используем Redmine | Мы перешли с Redmine на Taiga
Мы используем Varnish | Мы взяли Nginx вместо Varnish
Redmine kullanıyoruz | Redmine'den Taiga'ya geçtik
我们用Redmine | 我们从Redmine换成了Taiga
チケットはRedmineです | RedmineからTaigaに移行しました
우리는 Redmine를 씁니다 | Redmine에서 Taiga로 이전했습니다
نستخدم Redmine للمهام | انتقلنا من Redmine إلى Taiga
हम Redmine इस्तेमाल करते हैं | हम Redmine से Taiga पर आ गए
hum Redmine use karte hain | hum Redmine se Taiga par shift ho gaye
Dana works at Zeiss | Dana no longer works at Zeiss
Wir nutzen Redmine | Wir nutzen Redmine nicht mehr
Usamos Redmine | Ya no usamos Redmine
Мы используем Redmine | Мы больше не используем Redmine
""".strip().splitlines()
TOGETHER = """
Lucene exports are kept for a year | We moved from Lucene to Tantivy
Jobs on our old Celery workers need a lock file per tenant | We moved from Celery to Dramatiq
Omar uses Redmine | We moved from Redmine to Taiga
The shop is open on Monday | The gate is open from Monday to Friday
The Redmine board of Contoso is public | We moved from Redmine to Taiga
Dana works at Zeiss and lives in Jena | Dana no longer works at Zeiss
Name queue handlers after their queue | From now on always name event listeners after their event
We never used Redmine | We moved from Redmine to Taiga
My boss is Dana | The boss of the lab is Omar
Merges need one approval | Two approvals are required for releases
The launch date is 3 March | The beta was postponed to 17 April
Dana is single | Dana went home
Wir nutzen Redmine | Das andere Team ist von Redmine auf Taiga umgestiegen
We use Redmine | The other office moved from Redmine to Taiga
The backend is written in Perl | Omar took over as lead of the backend
""".strip().splitlines()


@pytest.mark.parametrize("pair", REPLACED)
def test_what_took_the_place_of_another_ends_it(pair: str) -> None:
    known, new = pair.split(" | ")
    assert replaced_by(new, known)


@pytest.mark.parametrize("pair", TOGETHER)
def test_what_only_shares_a_name_or_a_word_stays(pair: str) -> None:
    known, new = pair.split(" | ")
    assert not replaced_by(new, known)


def test_a_name_of_several_words_is_read_to_its_end() -> None:
    assert exchange("We switched from Cloud Build to GitHub Actions last week") == ("cloud build", "github actions", "we")
    assert exchange("We ship every week") is None


def test_what_a_statement_says_it_replaces_goes_and_what_is_of_another_subject_stays() -> None:
    said, _, stays = PAIRS.read_text("utf-8").partition("[said]\n")[2].partition("[stays]\n")
    verdicts = [
        [
            compared(new, known, Kind.SEMANTIC, DEFAULTS.reconcile).relation is Relation.CHANGED
            for known, new in map(_pair, part.splitlines())
        ]
        for part in (said, stays)
    ]
    assert len(verdicts[0]) + len(verdicts[1]) >= 180
    assert sum(verdicts[0]) >= 0.9 * len(verdicts[0])
    assert sum(verdicts[1]) <= 0.03 * len(verdicts[1])


def _pair(line: str) -> tuple[str, str]:
    known, _, new = line.partition(" | ")
    return known, new
