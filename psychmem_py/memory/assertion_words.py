"""Words of the language files: which verbs say one thing of a subject at a time, which values exclude each other, what turns a statement round. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

RELATIONS: dict[str, tuple[str, ...]] = {
    "home": ('wohne|wohnt|lebe|lebt in', 'wohnhaft in', 'gezogen nach', 'ziehe|zieht|zog nach', 'nach',
        'live|lives|lived|living in', 'live|lives at', 'reside|resides|residing in', 'based in',
        'relocated|relocates|relocating to', 'moved|moves|relocated from', 'moved|moves|moving to', 'vivo|vive|vivimos en',
        'resido|reside en', 'mude|mudo a', 'habite|habitons|vis|vit|vivons a', 'demenage a', 'installe|installee a',),
    "employer": ('arbeite|arbeitet bei', 'arbeite|arbeitet fur', 'angestellt bei', 'gewechselt zu', 'wechselt zu', 'wechselte zu',
        'verliess', 'work|works|worked|working at', 'work|works|worked|working for', 'employed at', 'employed by',
        'joined|joins', 'hired by', 'started|starts|starting at', 'hired at', 'got hired at', 'got hired by', 'job at',
        'quit', 'left', 'leaves', 'took|accepted|got|landed|started a job at', 'took|accepted|got|landed|started a job with',
        'took|accepted|got|landed|started a position at', 'took|accepted|got|landed|started a position with',
        'took|accepted|got|landed|started a role at', 'took|accepted|got|landed|started a role with', 'trabajo|trabaja en',
        'trabajo|trabaja para', 'travaille|travaillons chez', 'travaille pour', 'rejoint', 'embauche chez', 'embauchee chez',
        'quitte',),
    "study": ('studiere|studiert an', 'study|studies|studying at', 'enrolled at', 'enrolled in', 'estudio|estudia en', 'etudie a',),
    "superior": ('berichte|berichtet an', 'report|reports|reporting to', 'managed by', 'supervised by', 'reporto|reporta a',
        'reporte a',),
    "spouse": ('verheiratet mit', 'married to', 'engaged to', 'dating', 'casado con', 'casada con', 'marie a', 'mariee a',),
    "vehicle": ('fahre|fahrt einen', 'fahre|fahrt ein', 'drive|drives|driving', 'conduzco|conduce', 'conduis|conduit',),
    "owner": ('gehort', 'gewartet von', 'geleitet von', 'owned by', 'maintained by', 'led by', 'run by', 'mantenido por',
        'mantenida por', 'dirigido por', 'dirigida por', 'maintenu par', 'dirige par',),
    "name": ('heisse|heisst', 'named', 'called', 'goes by', 'llamo|llama', 'appelle|appelles',),
    "host": ('lauft auf', 'lauft bei', 'gehostet bei', 'gehostet auf', 'hosted on', 'hosted at', 'hosted in', 'deployed on',
        'deployed to', 'deploys|deploy to', 'runs|run|running on', 'alojado en', 'alojada en', 'desplegado en', 'corre en',
        'heberge chez', 'hebergee chez', 'tourne sur', 'deploye sur',),
    "port": ('hort auf', 'lauscht auf', 'listen|listens|listening on', 'escucha en', 'ecoute sur',),
    "price": ('kostet|kosten', 'cost|costs|costing', 'priced at', 'cuesta|cuestan', 'coute|coutent',),
    "start": ('beginnt um', 'startet um', 'start|starts|begin|begins at', 'empieza a', 'comienza a', 'commence a',),
    "end": ('endet um', 'schliesst um', 'end|ends|close|closes|finish|finishes at', 'termina a', 'cierra a', 'ferme a',
        'finit a',),
    "time": ('findet statt am', 'geplant fur', 'verschoben auf', 'scheduled for', 'scheduled on', 'planned for',
        'happens|happen on', 'meet|meets on', 'takes place on', 'due on', 'due', 'rescheduled to', 'postponed to',
        'programado para', 'programada para', 'aplazado a', 'prevu|prevue pour', 'reporte|reportee au',),
    "medium": ('geschrieben in', 'rewritten in', 'ported to', 'written in', 'built with', 'built in', 'implemented in',
        'escrito en', 'escrita en', 'ecrit en', 'ecrite en',),
    "place": ('liegt in', 'liegen in', 'stored in', 'stored on', 'stored at', 'kept in', 'kept on', 'go|goes to', 'sent to',
        'saved to', 'uploaded to', 'located in', 'located at', 'saved in', 'guardado en', 'guarda en', 'stocke dans',
        'situe a',),
    "expiry": ('lauft ab am', 'expires|expire on', 'expires|expire in', 'expires|expire after', 'caduca el', 'expire le',),
    "birth": ('geboren in', 'geboren am', 'born in', 'born on', 'nacio en', 'nacida en', 'nacido en', 'ne a', 'nee a',),
    "sleep": ('wake|wakes up at', 'get|gets up at', 'go|goes to bed at',),
    "choice": ('nutze|nutzt|nutzen', 'verwende|verwendet|verwenden', 'benutze|benutzt|benutzen', 'bevorzuge|bevorzugt|bevorzugen',
        'umgestellt auf', 'umgestiegen auf', 'setzen auf', 'trinke|trinkt', 'use|uses|using|used',
        'prefer|prefers|preferred', 'chose|choose|chooses', 'picked|pick|picks', 'switched|switch|switches to',
        'switched|migrated|changed from', 'migrated|migrates to', 'adopted|adopt', 'opted for', 'went with', 'go with',
        'went back to', 'changed to', 'drink|drinks', 'order|orders', 'uso|usa|usamos|usar|usad',
        'prefiero|prefiere|preferimos', 'cambiamos a', 'cambie a', 'cambio a', 'pasamos a', 'migramos a', 'bebo|bebe',
        'utilise|utilisons|utiliser|utilisez', 'prefere|preferons', 'passe a', 'passes a', 'passons a', 'migre vers',
        'bois|boit',),
}
VERBS_OF_MANY = frozenset("""
    hat besitzt spielt spricht mag liebt isst braucht kennt schreibt leitet sammelt have has owns own plays play speaks speak
    likes like loves love hates hate enjoys enjoy eats eat wants want needs need knows know writes write teaches teach manages
    manage leads lead collects collect supports support wears wear takes take keeps keep follows follow reads read visits visit
    studies study trains train runs run smokes smoke practices practise practises attends attend volunteers volunteer commutes
    commute allergic add adds allow allows answer answers ask asks assume assumes avoid avoids back bake bakes bind binds block
    blocks bring brings build builds buy buys cache caches call calls carry carries cause causes check checks choose clean
    cleans compile compiles connect connects consume consumes contain contains control controls convert converts cook cooks copy
    copies count counts cover covers create creates deliver delivers depend depends describe describes dislike dislikes draw
    draws drop drops emit emits encrypt encrypts expect expects export exports expose exposes fail fails fetch fetches flush
    flushes forward forwards generate generates give gives go goes grow grows handle handles ignore ignores import imports
    include includes index indexes lack lacks learn learns listen listens load loads lock locks log logs maintain maintains
    measure measures meet meets merge merges monitor monitors name names notify notifies offer offers organise organises
    organize organizes pack packs paint paints parse parses pay pays poll polls post posts print prints process processes
    produce produces provide provides publish publishes pull pulls push pushes raise raises reach reaches receive receives
    refresh refreshes reject rejects release releases rely relies render renders replace replaces request requests require
    requires restart restarts retry retries return returns review reviews rotate rotates save saves scan scans schedule
    schedules sell sells send sends serve serves share shares ship ships show shows sign signs sing sings skip skips sleep
    sleeps split splits spend spends stay stays store stores stream streams subscribe subscribes swim swims sync syncs talk
    talks target targets test tests throw throws track tracks translate translates treat treats trigger triggers trust trusts
    update updates validate validates verify verifies view views wait waits walk walks watch watches works worked hold holds
    held tiene juega habla gusta ama come necesita conoce escribe dirige toca a possede joue parle aime mange connait ecrit
""".split())
FORMS_OF_BE = frozenset("bin ist sind am is are was were be es son soy esta estoy suis est sont".split())
OCCASIONS = frozenset("hause jedem jeder home every each demand schedule once time request casa cada chaque maison".split())
ATTRIBUTES = frozenset("""
    lieblingsfarbe lieblingsessen frist termin abgabetermin hauptstadt chef chefin name geburtstag adresse telefonnummer grenze
    zeitlimit standardsprache datenbank besitzer preis version favorite favourite deadline port email phone number address
    birthday owner manager boss lead leader budget price limit timeout default password timezone zone region branch color colour
    capital title role job salary age size language database framework editor ceo cto cfo wife husband partner girlfriend
    boyfriend doctor dentist date day time hour rate username nickname hometown plan host endpoint url interval threshold
    maximum minimum quota contact target priority status base favorito favorita plazo puerto nombre correo telefono direccion
    cumpleanos jefe jefa dueno duena presupuesto precio limite couleur preferee prefere echeance nom anniversaire patron
    patronne proprietaire prix delai mot
""".split())
STOPPED = frozenset("""
    verliess verlassen aufgehort stop stopped stops quit quits ceased gave dropped abandoned left leaves deje dejo dejado quitte
    arrete cesse
""".split())
IN_PASSING = frozenset("""
    neu neue neuer jetzt nun aktuell inzwischen mittlerweile neuerdings ab sofort stattdessen immer mehr new newly now currently
    actually recently just also still finally officially already today nowadays lately instead anymore meanwhile correction
    update fyi note btw well so ok okay please yes always really very longer more nuevo nueva ahora actualmente ultimamente ya
    hoy recien siempre nouveau nouvelle maintenant desormais actuellement recemment dorenavant toujours plus
""".split())
WITHOUT_MEANING = frozenset("""
    der die das den dem des ein eine einen einem einer bin ist sind hat habe haben wurde von the a an this that these those his
    her its their has have had been being will would shall get got gets s is are was were am be me m of el la los las un una
    unos unas le es son soy esta estoy ha he han se del al les une du de suis est sont ai nous au aux
""".split())
DETERMINERS = frozenset("""
    der die das unser unsere mein the a an this that these those our my your his her its their each every no el la los las un
    una nuestro nuestra le les une nos notre mon ma
""".split())
SPEAKER = frozenset("ich mein meine meiner meinem mir i my me mine user yo mi mis je j mon ma mes moi".split())
GROUP = frozenset("wir unser unsere uns we our us team project everyone nosotros nuestro nuestra nos nous notre on".split())
DIRECTIONS = frozenset("zu nach mit to into from through via with hacia con vers avec".split())
ENDS_OF_A_VALUE = frozenset("und aber weil seit als and but because since as while although y pero porque desde como et mais car depuis comme".split())
CIRCUMSTANCES = frozenset("""
    fur bei wenn wahrend im am mit for in on when during at if unless within with para en cuando durante con pour dans quand
    lors avec
""".split())
WHAT_FOR = frozenset("als as como comme".split())
ALWAYS_OR_NEVER = frozenset("immer nie niemals always never siempre nunca toujours jamais".split())
CONTRACTED_NEGATIONS = frozenset("dont doesnt didnt isnt arent wasnt wont cant shouldnt hasnt havent".split())
PLACES_AND_TIMES = frozenset("before after with without on off under over in out".split())
BECAME = (
    'gestiegen auf', 'gesunken auf', 'went up to', 'went down to', 'increased to', 'raised to', 'rose to', 'grew to',
    'dropped to', 'fell to', 'lowered to', 'reduced to', 'pushed to', 'changed to', 'set to', 'became', 'went', 'turned',
    'got', 'subio a', 'bajo a', 'passe de',
)
ENDED = (
    'nicht mehr', 'fruher', 'used to', 'formerly', 'previously', 'no longer', 'ya no', 'autrefois',
)
INSTEAD_OF = (
    'statt', 'anstatt', 'anstelle von', 'nicht mehr', 'nicht', 'instead of', 'rather than', 'not', 'no longer',
    'en lugar de', 'en vez de', 'no', 'au lieu de', 'plutot que', 'pas',
)
JOINS_STATEMENTS = (
    'und', 'aber', 'and', 'but', 'y', 'pero', 'et', 'mais',
)
DAYS_AND_MONTHS = (
    "montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags".split(),
    "monday tuesday wednesday thursday friday saturday sunday".split(),
    "january february march april may june july august september october november december".split(),
    "lunes martes miercoles jueves viernes sabado domingo".split(),
    "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
)
ONE_OF_EACH = (
    "rot blau grun gelb schwarz weiss rosa grau braun".split(),
    "vegetarier vegetarierin veganer veganerin".split(),
    "ledig verheiratet geschieden".split(),
    "taglich wochentlich monatlich".split(),
    "red blue green yellow purple orange black white pink grey gray brown teal".split(),
    "vegetarian vegan pescatarian omnivore carnivore".split(),
    "single married engaged divorced widowed".split(),
    "engineer developer designer manager director teacher doctor nurse lawyer student intern analyst architect consultant accountant".split(),
    "chef plumber ceo cto cfo coo vp lead retired unemployed freelancer contractor".split(),
    "morning afternoon evening night".split(),
    "coffee tea".split(),
    "dark light".split(),
    "mac macos windows linux".split(),
    "daily weekly monthly quarterly yearly annually hourly biweekly".split(),
    "remote onsite hybrid".split(),
    "online offline".split(),
    "small medium large".split(),
    "metric imperial".split(),
    "celsius fahrenheit".split(),
    "weekly fortnightly".split(),
    "rojo azul verde amarillo negro blanco morado".split(),
    "vegetariano vegetariana vegano vegana".split(),
    "soltero soltera casado casada divorciado divorciada".split(),
    "rouge bleu vert jaune noir blanc violet".split(),
    "vegetarien vegetarienne vegane".split(),
    "celibataire marie mariee divorce divorcee".split(),
)
OPPOSITES = {
    'hasse': 'mag', 'hasst': 'mag', 'deaktiviert': 'aktiviert', 'verboten': 'erlaubt', 'geschlossen': 'offen',
    'hate': 'like', 'hates': 'like', 'loathe': 'like', 'loathes': 'like', 'dislike': 'like', 'dislikes': 'like',
    'disliked': 'like', 'detest': 'like', 'detests': 'like', 'despises': 'like', 'disable': 'enable', 'disabled': 'enable',
    'disables': 'enable', 'disabling': 'enable', 'forbidden': 'allow', 'forbid': 'allow', 'forbids': 'allow',
    'banned': 'allow', 'disallowed': 'allow', 'prohibited': 'allow', 'unsafe': 'safe', 'disconnected': 'connect',
    'closed': 'open', 'close': 'open', 'private': 'public', 'optional': 'require', 'off': 'on', 'incorrect': 'correct',
    'false': 'true', 'wrong': 'right', 'manually': 'automatic', 'manual': 'automatic', 'broken': 'work', 'deny': 'accept',
    'rejects': 'accept', 'rejected': 'accept', 'reject': 'accept', 'refuses': 'accept', 'absent': 'present',
    'impossible': 'possible', 'unavailable': 'available', 'inactive': 'active', 'unsupported': 'support', 'odio': 'gusta',
    'odia': 'gusta', 'desactivado': 'activado', 'desactivada': 'activado', 'prohibido': 'permitido', 'cerrado': 'abierto',
    'deteste': 'aime', 'detestes': 'aime', 'desactive': 'active', 'desactivee': 'active', 'interdit': 'permis',
    'interdite': 'permis', 'ferme': 'ouvert',
}
SAME_POLE = {
    'liebe': 'mag', 'liebt': 'mag', 'mogen': 'mag', 'gern': 'mag', 'likes': 'like', 'love': 'like', 'loves': 'like',
    'enjoy': 'like', 'enjoys': 'like', 'liked': 'like', 'adores': 'like', 'fond': 'like', 'enabled': 'enable',
    'enables': 'enable', 'enabling': 'enable', 'allowed': 'allow', 'allows': 'allow', 'permitted': 'allow',
    'permit': 'allow', 'opened': 'open', 'opens': 'open', 'required': 'require', 'requires': 'require',
    'mandatory': 'require', 'must': 'require', 'automatically': 'automatic', 'works': 'work', 'working': 'work',
    'accepts': 'accept', 'accepted': 'accept', 'supports': 'support', 'supported': 'support', 'encanta': 'gusta',
    'encantan': 'gusta', 'gustan': 'gusta', 'adore': 'aime', 'aiment': 'aime',
}
