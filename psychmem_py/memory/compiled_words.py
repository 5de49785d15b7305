"""Words of the language files: denial, change, and what stands before a value, a circumstance, a reason. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

NEGATIVE = frozenset("""
    ابدا لا لن بدون تجنب ممنوع nie niemals nicht kein keine keinen ohne vermeide vermeiden verboten never not no dont don doesnt
    doesn cannot cant can't don't doesn't isn't won't avoid forbid forbidden prohibited without stop against nunca jamas sin
    evita evitar prohibido jamais ne pas sans eviter interdit कभी नहीं मत बिना न mai non senza evitare vietato nooit niet geen
    zonder vermijd verboden nigdy bez unikaj zabronione nao sem evite proibido никогда не нельзя без нет избегаи запрещено asla
    hicbir degil yasak kacin etme yapma kullanma
""".split())
NEGATIVE_SIGNS = (
    'ない', 'ません', 'なく', 'しな', 'するな', '禁じ', '避け', '금지', '마라', '마세요', '하지', '않', '없', '不', '别', '別', '勿', '禁止', '没有', '沒有',
    '避免',
)
CHANGE = frozenset("""
    بدلا اصبح stattdessen nunmehr umgestellt ersetzt gewechselt instead anymore longer switched switch changed replaced replaces
    migrated moved meanwhile formerly actually rather cambiamos cambiado lugar plutot lieu change remplace बजाय बदल invece
    cambiato sostituito plaats vervangen overgestapt zamiast zmieniono przeszlismy vez mudamos trocamos substituido вместо
    больше заменили перешли сменили yerine degisti gectik
""".split())
CHANGE_SIGNS = (
    '代わりに', '変更', 'やめて', 'もう', '대신', '더 이상', '변경', '改为', '改為', '改用', '不再', '换成', '換成', '而不是',
)
NOW = frozenset("الان jetzt now ahora maintenant desormais अब adesso ora nu voortaan teraz agora теперь artik".split())
NOW_SIGNS = (
    '今は', '이제', '现在', '現在',
)
VALUE = frozenset("""
    نستخدم استخدم افضل اخترنا هو هي nutze nutzen benutzen verwende verwenden verwendet bevorzuge bevorzugen gewahlt ist sind
    braucht use uses using used prefer prefers preferred choose chose chosen pick picked is are was be equals equal to version
    port default defaults require requires required need needs set runs run with via called named usa usamos usar prefiero
    preferimos elegimos es son esta puerto requiere necesita se utilise utilisons utiliser prefere preferons choisi est sont
    exige उपयोग पसंद चुना है हैं पोर्ट usiamo usare preferisco preferiamo scelto sono porta richiede gebruik gebruiken kiezen
    voorkeur zijn poort vereist uzywamy uzywaj wole wybralismy jest sa wymaga prefiro escolhemos e sao requer precisa используем
    использую используи предпочитаю выбрали это порт версия требуется работает kullan kullaniyoruz tercih sec olmali
""".split())
CIRCUMSTANCE = frozenset("""
    في علي عند قبل بعد فقط im in an am fur bei wenn wahrend vor nach nur auf on at for during when if unless until before after
    while except only within under inside from by per en para durante cuando si antes despues solo dans pour pendant quand avant
    apres seulement sauf में पर लिए जब पहले बाद केवल nel nella quando prima dopo voor bij als tijdens na alleen op w dla gdy
    przed po tylko em no se depois apenas в на для когда если перед после только icin zaman once sonra sadece
""".split())
REASON = frozenset("لان weil da because since as which so porque que parce car क्योंकि perche poiche omdat want poniewaz bo потому чтобы cunku".split())
LABEL = frozenset("""
    schritt teil aufgabe phase step issue ticket pr sprint milestone part chapter task option table bug case test service worker
    stage wave figure appendix level item section story epic rule point question fase paso etape stap deel krok etap passo etapa
    этап шаг задача adim
""".split())
ARTICLES = frozenset("der die das ein eine a an the el la un una lo le les il de het een o um uma".split())
NEVER = frozenset("nie niemals never nunca jamais mai nooit nigdy никогда".split())
ALWAYS = frozenset("دايما immer always alway must siempre toujours हमेशा sempre altijd zawsze всегда her".split())
RIVALS = (
    "opus sonnet haiku".split(),
    "tabs spaces".split(),
    "npm pnpm yarn bun".split(),
    "pip poetry uv conda pipenv".split(),
    "postgres postgresql mysql mariadb sqlite mongodb".split(),
    "pytest unittest nose".split(),
    "jest vitest mocha".split(),
    "vim emacs".split(),
    "camelcase snake_case".split(),
    "rest graphql grpc".split(),
    "docker podman".split(),
    "eslint biome".split(),
    "prettier biome".split(),
    "webpack vite rollup esbuild parcel".split(),
    "react vue svelte angular".split(),
    "black ruff yapf".split(),
    "mypy pyright".split(),
    "redis memcached".split(),
    "kafka rabbitmq".split(),
    "terraform pulumi".split(),
    "gitlab github bitbucket".split(),
    "british american".split(),
    "british us_english".split(),
    "british us_spelling".split(),
    "british en_us".split(),
    "uk_english american".split(),
    "uk_english us_english".split(),
    "en_gb american".split(),
    "en_gb en_us".split(),
)
TURNING_DOWN = frozenset("not instead over than no".split())
EVERYTHING = (
    'alles', 'alle Informationen über', 'Informationen über', 'alle Daten über', 'Daten über', 'everything', 'anything',
    'all', 'all information about', 'information about', 'all data about', 'data about', 'all details about',
    'details about', 'todo', 'toda la información sobre', 'información sobre', 'todos los datos sobre', 'tout',
    'toutes les informations sur', 'informations sur', 'toutes les données sur',
)
ABOUT = (
    'über', 'about', 'on', 'of', 'sobre', 'sur',
)
ANOTHER_NAME = (
    'genannt', 'auch bekannt als', 'known as', 'called', 'named', 'aka', 'a.k.a.', 'alias', 'nicknamed', 'nickname is',
    'nickname', 'goes by', 'short for', 'stands for', 'formerly', 'apodado', 'apodada', 'también llamado', 'también llamada',
    'conocido como', 'conocida como', 'née', 'surnommé', 'surnommée', 'dit',
)
