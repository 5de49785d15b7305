"""What tells a changed statement from a similar one, in fifteen languages: polarity, words of change, words that announce a
value, rival choices. Words are folded as `tokenizer.index_form` does; tables and small tests on them, no decisions.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from psychmem_py.text.tokenizer import index_form, words


def _set(text: str) -> frozenset[str]:
    return frozenset(index_form(text).split())


# A statement that holds one of these forbids or denies.
NEGATIVE = _set("""
    never not no dont don doesnt doesn cannot cant can't don't doesn't isn't won't avoid forbid forbidden prohibited without stop
    against nunca jamas no sin evita evitar prohibido jamais ne pas sans eviter interdit nie niemals nicht kein keine keinen ohne
    vermeide vermeiden verboten nunca jamais nao sem evite evitar proibido mai non senza evitare vietato nooit niet geen zonder
    vermijd verboden asla hicbir degil yasak kacin etme yapma kullanma nigdy nie bez unikaj zabronione никогда не нельзя без нет
    избегай запрещено ابدا لا لن بدون تجنب ممنوع कभी नहीं मत बिना न
""")
NEGATIVE_SIGNS = tuple(
    "不 别 別 勿 禁止 没有 沒有 避免 ない ません なく しな するな 禁じ 避け 금지 마라 마세요 하지 않 없".split()
)  # fmt: skip

# A statement that holds one of these replaces an earlier one.
CHANGE = _set("""
    instead anymore longer switched switch changed replaced replaces migrated moved now meanwhile formerly actually rather
    ahora cambiamos cambiado lugar maintenant desormais plutot lieu change remplace jetzt stattdessen nunmehr umgestellt ersetzt
    gewechselt agora vez mudamos trocamos substituido adesso ora invece cambiato sostituito nu voortaan plaats vervangen
    overgestapt artik yerine degisti gectik teraz zamiast zmieniono przeszlismy теперь вместо больше заменили перешли сменили
    الان بدلا اصبح अब बजाय बदल
""")
CHANGE_SIGNS = (
    "改为",
    "改為",
    "改用",
    "不再",
    "换成",
    "換成",
    "现在",
    "現在",
    "而不是",
    "今は",
    "代わりに",
    "変更",
    "やめて",
    "もう",
    "이제",
    "대신",
    "더 이상",
    "변경",
)

# Words after which a value of choice stands: what follows may change, the subject before stays.
VALUE = _set("""
    use uses using used prefer prefers preferred choose chose chosen pick picked is are was be equals equal to version port
    default defaults require requires required need needs set runs run with via called named
    usa usamos usar uses prefiero preferimos elegimos es son esta version puerto requiere necesita se utilise utilisons utiliser
    prefere preferons choisi est sont port exige nutze nutzen benutzen verwende verwenden verwendet bevorzuge bevorzugen gewahlt
    ist sind braucht usamos use prefiro preferimos escolhemos e sao porta requer precisa usiamo usare usa preferisco preferiamo
    scelto sono porta richiede gebruik gebruiken kiezen voorkeur is zijn poort vereist kullan kullaniyoruz tercih sec olmali port
    uzywamy uzywaj wole wybralismy jest sa wymaga используем использую используй предпочитаю выбрали это порт версия требуется
    работает نستخدم استخدم افضل اخترنا هو هي उपयोग पसंद चुना है हैं पोर्ट
""")
# What stands before a circumstance, not before a value: "in staging", "for the frontend", "when it rains".
CIRCUMSTANCE = _set("""
    in on at for during when if unless until before after while except only within under inside from by per
    en para durante cuando si antes despues solo dans pour pendant quand avant apres seulement sauf im in an am fur bei wenn
    wahrend vor nach nur auf em no na para quando se antes depois apenas nel nella per quando prima dopo solo voor bij als tijdens
    na alleen op icin zaman once sonra sadece w na dla gdy przed po tylko в на для когда если перед после только في على عند قبل
    بعد فقط में पर लिए जब पहले बाद केवल
""")
REASON = _set(
    "because since as which so weil da porque que parce car perche poiche omdat want cunku poniewaz bo потому чтобы لان क्योंकि"
)
# What a number after it only names: "phase 2" is another phase, not a new value of the first.
LABEL = _set("""
    phase step issue ticket pr sprint milestone part chapter task option table bug case test service worker stage wave figure
    appendix level item section story epic rule point question fase paso etape schritt teil aufgabe passo etapa stap deel adim
    krok этап шаг задача
""")

# Choices that exclude each other when both are wanted for the same thing.
_RIVALS = """
    opus sonnet haiku
    tabs spaces
    npm pnpm yarn bun
    pip poetry uv conda pipenv
    postgres postgresql mysql mariadb sqlite mongodb
    pytest unittest nose
    jest vitest mocha
    vim emacs
    camelcase snake_case
    rest graphql grpc
    docker podman
    eslint biome
    prettier biome
    webpack vite rollup esbuild parcel
    react vue svelte angular
    black ruff yapf
    mypy pyright
    redis memcached
    kafka rabbitmq
    terraform pulumi
    gitlab github bitbucket
"""


@cache
def _rivals() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in _RIVALS.strip().splitlines():
        group = line.split()
        for word in group:
            found.setdefault(word, set()).update(group)
    return found


_WORD = re.compile(r"[\w'’]+")


def words_with_apostrophes(text: str) -> list[str]:
    """The words of a folded text with their apostrophes, so that "don't" stays one."""
    return [word.replace("’", "'") for word in _WORD.findall(index_form(text))]


def is_negative(text: str) -> bool:
    """Whether the statement forbids or denies something."""
    return not NEGATIVE.isdisjoint(words_with_apostrophes(text)) or any(sign in text for sign in NEGATIVE_SIGNS)


def affirmed(text: str) -> str:
    """The statement without the signs by which scripts without spaces deny: what it is about, yes or no."""
    for sign in NEGATIVE_SIGNS:
        text = text.replace(sign, " ")
    return text


def gives_reason(longer: str, extra: Collection[str]) -> bool:
    """Whether the words a longer statement has more come after a word like "because"."""
    every = words_with_apostrophes(longer)
    after = next((place for place, word in enumerate(every) if place and word in REASON), len(every))
    return set(every[:after]).isdisjoint(extra) and after < len(every)


def tells_change(text: str) -> bool:
    """Whether the statement says of itself that it replaces another."""
    return not CHANGE.isdisjoint(words_with_apostrophes(text)) or any(sign in text for sign in CHANGE_SIGNS)


def rivals(text: str) -> list[str]:
    """Words that compete with a choice named in the text: what to look for when asking whether it contradicts something known."""
    table = _rivals()
    named = [word for word in words(text) if word in table]
    return sorted({rival for word in named for rival in table[word]} - set(named))


_TURN = frozenset({"not", "instead", "over", "than", "no"}) | (NEGATIVE - {"no"})


def stance(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The rival choices a statement wants, and those it turns down. In "use pnpm, not npm" that is pnpm and npm."""
    table = _rivals()
    wanted: set[str] = set()
    unwanted: set[str] = set()
    turned = False
    for word in words_with_apostrophes(text):
        if word in table:
            (unwanted if turned else wanted).add(word)
        elif word in _TURN:
            turned = True
    return frozenset(wanted), frozenset(unwanted)


def clash(one: str, other: str) -> bool:
    """Whether two statements want rival things, or one wants what the other turns down."""
    wants, turns = stance(one)
    others, turned = stance(other)
    if wants & turned or others & turns:
        return not wants & others
    table = _rivals()
    return any(table[a] & others - {a} for a in wants) and not wants & others
