"""Tables behind `memory.assertions`: which verbs say one thing of a subject at a time, which values exclude each other, which words turn
a statement round. English, German, Spanish, French; folded as `tokenizer.index_form` does.
"""

from __future__ import annotations

# Relations with one value at a time. `a|b c` is every way to say "a c", "b c"; several phrases are parted by commas.
ONE_VALUE = {
    "home": """live|lives|lived|living in, live|lives at, reside|resides|residing in, based in, relocated|relocates|relocating to, moved|moves|relocated from,
        moved|moves|moving to, wohne|wohnt|lebe|lebt in, wohnhaft in, gezogen nach, ziehe|zieht|zog nach, nach,
        vivo|vive|vivimos en, resido|reside en, mude|mudo a, habite|habitons|vis|vit|vivons a, demenage a, installe|installee a""",
    "employer": """work|works|worked|working at, work|works|worked|working for, employed at, employed by, joined|joins, hired by,
        started|starts|starting at, job at, arbeite|arbeitet bei, arbeite|arbeitet fur, angestellt bei, gewechselt zu, wechselt zu,
        wechselte zu, trabajo|trabaja en, trabajo|trabaja para, travaille|travaillons chez, travaille pour, rejoint, embauche chez,
        embauchee chez, quit, left, leaves, verliess, quitte""",
    "study": "study|studies|studying at, enrolled at, enrolled in, studiere|studiert an, estudio|estudia en, etudie a",
    "superior": "report|reports|reporting to, managed by, supervised by, berichte|berichtet an, reporto|reporta a, reporte a",
    "spouse": "married to, engaged to, dating, verheiratet mit, casado con, casada con, marie a, mariee a",
    "vehicle": "drive|drives|driving, fahre|fahrt einen, fahre|fahrt ein, conduzco|conduce, conduis|conduit",
    "owner": """owned by, maintained by, led by, run by, gehort, gewartet von, geleitet von, mantenido por, mantenida por, dirigido por,
        dirigida por, maintenu par, dirige par""",
    "name": "named, called, heisse|heisst, llamo|llama, appelle|appelles, goes by",
    "host": """hosted on, hosted at, hosted in, deployed on, deployed to, deploys|deploy to, runs|run|running on, lauft auf, lauft bei,
        gehostet bei, gehostet auf, alojado en, alojada en, desplegado en, corre en, heberge chez, hebergee chez, tourne sur, deploye sur""",
    "port": "listen|listens|listening on, hort auf, lauscht auf, escucha en, ecoute sur",
    "price": "cost|costs|costing, priced at, kostet|kosten, cuesta|cuestan, coute|coutent",
    "start": "start|starts|begin|begins at, beginnt um, startet um, empieza a, comienza a, commence a",
    "end": "end|ends|close|closes|finish|finishes at, endet um, schliesst um, termina a, cierra a, ferme a, finit a",
    "time": """scheduled for, scheduled on, planned for, happens|happen on, meet|meets on, takes place on, due on, due, rescheduled to,
        postponed to, findet statt am, geplant fur, verschoben auf, programado para, programada para, aplazado a, prevu|prevue pour,
        reporte|reportee au""",
    "medium": "written in, built with, built in, implemented in, geschrieben in, escrito en, escrita en, ecrit en, ecrite en",
    "place": "stored in, kept in, located in, located at, saved in, liegt in, liegen in, guardado en, guarda en, stocke dans, situe a",
    "expiry": "expires|expire on, expires|expire in, expires|expire after, lauft ab am, caduca el, expire le",
    "birth": "born in, born on, geboren in, geboren am, nacio en, nacida en, nacido en, ne a, nee a",
    "sleep": "wake|wakes up at, get|gets up at, go|goes to bed at",
}
# Choices: another one replaces the first where both are of a group below, or where the new statement names the old choice.
CHOICE = """use|uses|using|used, prefer|prefers|preferred, chose|choose|chooses, picked|pick|picks, switched|switch|switches to, switched|migrated|changed from, migrated|migrates to,
    adopted|adopt, opted for, went with, go with, went back to, changed to, nutze|nutzt|nutzen, verwende|verwendet|verwenden, benutze|benutzt|benutzen,
    bevorzuge|bevorzugt|bevorzugen, umgestellt auf, umgestiegen auf, setzen auf, uso|usa|usamos|usar|usad, prefiero|prefiere|preferimos,
    cambiamos a, cambie a, cambio a, pasamos a, migramos a, utilise|utilisons|utiliser|utilisez, prefere|preferons, passe a, passes a, passons a,
    migre vers, drink|drinks, order|orders, trinke|trinkt, bebo|bebe, bois|boit"""
# Verbs of which many things hold at once; known so that clauses can be told apart.
VERBS = frozenset("""
    has have owns own plays play speaks speak likes like loves love hates hate enjoys enjoy eats eat wants want needs need knows know
    writes write teaches teach manages manage leads lead collects collect supports support wears wear takes take keeps keep follows
    follow reads read visits visit studies study trains train runs run hat besitzt spielt spricht mag liebt isst braucht kennt schreibt
    leitet sammelt tiene juega habla gusta ama come necesita conoce escribe dirige toca a possede joue parle aime mange connait ecrit
    smokes smoke practices practise practises attends attend volunteers volunteer commutes commute allergic
        add adds allow allows answer answers ask asks assume assumes avoid avoids back bake bakes bind binds block blocks bring brings build
    builds buy buys cache caches call calls carry carries cause causes check checks choose clean cleans compile compiles connect connects
    consume consumes contain contains control controls convert converts cook cooks copy copies count counts cover covers create creates
    deliver delivers depend depends describe describes dislike dislikes draw draws drop drops emit emits encrypt encrypts expect expects
    export exports expose exposes fail fails fetch fetches flush flushes forward forwards generate generates give gives go goes grow grows
    handle handles ignore ignores import imports include includes index indexes keep lack lacks learn learns listen listens load loads
    lock locks log logs maintain maintains measure measures meet meets merge merges monitor monitors name names notify notifies offer
    offers organise organises organize organizes pack packs paint paints parse parses pay pays poll polls post posts print prints process
    processes produce produces provide provides publish publishes pull pulls push pushes raise raises reach reaches receive receives
    refresh refreshes reject rejects release releases rely relies render renders replace replaces request requests require requires
    restart restarts retry retries return returns review reviews rotate rotates save saves scan scans schedule schedules sell sells
    send sends serve serves share shares ship ships show shows sign signs sing sings skip skips sleep sleeps split splits spend spends
    stay stays store stores stream streams subscribe subscribes swim swims sync syncs talk talks target targets test tests throw throws
    track tracks translate translates treat treats trigger triggers trust trusts update updates validate validates verify verifies
    view views volunteer wait waits walk walks watch watches
""".split())  # fmt: skip
IS = "am is are was were be bin ist sind es son soy esta estoy suis est sont".split()
# What stands behind a verb of the tables without being a value of it: "runs on every push", "works at home".
OCCASIONS = frozenset("home every each demand schedule once time request hause jedem jeder cada casa chaque maison".split())
# Verbs of change that say what something is now.
BECAME = {
    tuple(phrase.split())
    for phrase in """went up to, went down to, increased to, raised to, rose to, grew to, dropped to, fell to, lowered to, reduced to,
    pushed to, changed to, set to, became, gestiegen auf, gesunken auf, subio a, bajo a, passe de""".replace("\n", " ").split(
        ", "
    )
}
# What one is of a thing at a time: "the deadline is Friday".
ATTRIBUTES = frozenset("""
    favorite favourite deadline port name email phone number address birthday owner manager boss lead leader budget price limit timeout
    version default password timezone zone region branch color colour capital title role job salary age size language database
    framework editor ceo cto cfo wife husband partner girlfriend boyfriend doctor dentist date day time hour rate username nickname
    hometown plan host endpoint url interval threshold maximum minimum quota contact target priority status lieblingsfarbe
    lieblingsessen frist termin abgabetermin hauptstadt chef chefin name geburtstag adresse telefonnummer grenze zeitlimit
    standardsprache datenbank besitzer preis version color favorito favorita plazo puerto nombre correo telefono direccion cumpleanos
    jefe jefa dueno duena presupuesto precio limite version base couleur preferee prefere echeance nom adresse anniversaire
    patron patronne proprietaire prix limite delai mot
    """.split())  # fmt: skip
# Values of which a thing has one.
EXCLUSIVE = [
    frozenset(line.split())
    for line in """
    monday tuesday wednesday thursday friday saturday sunday
    montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags
    lunes martes miercoles jueves viernes sabado domingo
    lundi mardi mercredi jeudi vendredi samedi dimanche
    january february march april may june july august september october november december
    red blue green yellow purple orange black white pink grey gray brown teal
    rot blau grun gelb schwarz weiss rosa grau braun
    rojo azul verde amarillo negro blanco morado
    rouge bleu vert jaune noir blanc violet
    vegetarian vegan pescatarian omnivore carnivore
    vegetarier vegetarierin veganer veganerin vegetariano vegetariana vegano vegana vegetarien vegetarienne vegane
    single married engaged divorced widowed
    ledig verheiratet geschieden soltero soltera casado casada divorciado divorciada celibataire marie mariee divorce divorcee
    engineer developer designer manager director teacher doctor nurse lawyer student intern analyst architect consultant accountant
    chef plumber ceo cto cfo coo vp lead retired unemployed freelancer contractor
    morning afternoon evening night
    coffee tea
    dark light
    mac macos windows linux
    daily weekly monthly quarterly yearly annually hourly biweekly
    taglich wochentlich monatlich
    remote onsite hybrid
    online offline
    small medium large
    metric imperial
    celsius fahrenheit
    weekly fortnightly
    """.strip().splitlines()
]
# The second of a pair says the opposite of the first.
OPPOSITES = dict(
    pair.split("/")
    for pair in """
    hate/like hates/like loathe/like loathes/like dislike/like dislikes/like disliked/like detest/like detests/like despises/like
    disable/enable disabled/enable disables/enable disabling/enable forbidden/allow forbid/allow forbids/allow banned/allow
    disallowed/allow prohibited/allow unsafe/safe disconnected/connect closed/open close/open private/public optional/require
    off/on incorrect/correct false/true wrong/right manually/automatic manual/automatic broken/work deny/accept rejects/accept
    rejected/accept reject/accept refuses/accept absent/present impossible/possible unavailable/available inactive/active
    unsupported/support hasse/mag hasst/mag deaktiviert/aktiviert verboten/erlaubt geschlossen/offen odio/gusta odia/gusta
    desactivado/activado desactivada/activado prohibido/permitido cerrado/abierto deteste/aime detestes/aime desactive/active
    desactivee/active interdit/permis interdite/permis ferme/ouvert
    """.split()
)
SAME_POLE = dict(
    pair.split("/")
    for pair in """
    likes/like love/like loves/like enjoy/like enjoys/like liked/like adore/like adores/like fond/like enabled/enable enables/enable
    enabling/enable allowed/allow allows/allow permitted/allow permit/allow opened/open opens/open required/require requires/require
    mandatory/require must/require automatically/automatic works/work working/work accepts/accept accepted/accept supports/support
    supported/support liebe/mag liebt/mag mogen/mag gern/mag encanta/gusta encantan/gusta gustan/gusta adore/aime aiment/aime
    """.split()
)
STOPPED = frozenset(
    "stop stopped stops quit quits ceased gave dropped abandoned left leaves verliess quitte verlassen aufgehort deje dejo dejado arrete cesse".split()
)
ENDED = ("no longer", "not anymore", "not any more", "used to", "formerly", "previously", "nicht mehr", "kein mehr", "keine mehr", "fruher",
         "ya no", "antes", "ne plus", "n plus", "plus", "autrefois")  # fmt: skip
# Words that may stand anywhere and say nothing of who, what or which.
PASSING = frozenset("""
    new newly neu neue neuer nuevo nueva nouveau nouvelle now currently actually recently just also still finally officially already today nowadays lately instead anymore meanwhile
    correction update fyi note btw well so ok okay please yes jetzt nun aktuell inzwischen mittlerweile neuerdings ab sofort stattdessen
    ahora actualmente ultimamente ya hoy recien maintenant desormais actuellement recemment dorenavant
    always immer siempre toujours really very plus mehr longer more
    """.split())  # fmt: skip
ARTICLES = frozenset("""
    the a an this that these those der die das den dem des ein eine einen einem einer el la los las un una unos unas le les du de
    his her its their has have had been being been will would shall get got gets s is are was were am be bin ist sind hat habe
    haben wurde es son soy esta estoy suis est sont ha he han a ai me se m nous of von del al au aux
    """.split())  # fmt: skip
DETERMINERS = frozenset(
    "the a an this that these those our my your his her its their each every no der die das unser unsere mein el la los las un una nuestro nuestra le les nos notre mon ma".split()
)
SPEAKER = frozenset("i my me mine user ich mein meine meiner meinem mir yo mi mis je j mon ma mes moi".split())
GROUP = frozenset("we our us team project wir unser unsere uns nosotros nuestro nuestra nous notre nos on everyone".split())
# What a value keeps when it goes elsewhere: "writes to GCS now".
DIRECTIONS = frozenset("to into from through via with zu nach mit hacia con vers avec".split())
# Where a value ends, and where the circumstances begin in which it holds.
STOPS = frozenset(
    "and but because since as while although und aber weil seit als y pero porque desde como et mais car depuis comme , ; .".split()
)
CIRCUMSTANCES = frozenset(
    "for in on when during at if unless within with fur bei wenn wahrend im am mit para en cuando durante con pour dans quand lors avec".split()
)
INSTEAD = ("instead of", "rather than", "not", "no longer", "statt", "anstatt", "anstelle von", "nicht mehr", "nicht", "en lugar de", "en vez de", "no", "au lieu de", "plutot que", "pas")  # fmt: skip
