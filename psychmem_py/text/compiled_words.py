"""Words of the language files: stop words, months, endings, particles, numbers. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

ENGLISH = frozenset("""
    a about above after again against all am an and any are aren as at be because been before being below between both but by
    can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have
    haven having he her here hers herself him himself his how i if in into is isn it its itself just let ll m me might more most
    mustn my myself no nor not now o of off on once only or other our ours ourselves out over own please re s same shan she
    should shouldn so some such t tell than that the their theirs them themselves then there these they this those through to
    too under until up us ve very was wasn we were weren what when where which while who whom whose why will with won would
    wouldn y you your yours yourself yourselves know also get got really gonna wanna ok okay hey hi hello thanks thank yes yeah
    hmm oh well dont doesnt didnt cant wont im ive id youre thats whats lets isnt arent
""".split())
LATIN_SETS: dict[str, frozenset[str]] = {
    "de": frozenset("""
    aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist bitte da damit dann
    das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine
    einem einen einer eines einfach er es etwas euch euer fur gegen habe haben hat hatte hier hin hinter ich ihm ihn ihnen ihr
    ihre im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinen konnen konnte mach machen mal
    man mein meine mich mir mit muss nach nein nicht nichts noch nun nur ob oder ohne schon sehr sein seine seit sich sie sind
    so soll sollen sollte sondern sonst uber um und uns unser unsere unter vom von vor wann war waren warum was weg weil welche
    welchem welchen welcher wenn wer werde werden wie wieder will wir wird wo wollen wurde wurden zu zum zur zwar zwischen danke
    hallo
""".split()),
    "es": frozenset("""
    a al algo algun alguna algunas algunos ante antes aqui asi aun aunque cada como con cual cuales cuando de del desde donde
    dos e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estar estas este esto estos estoy fue
    fueron ha habia hace hacer han has hasta hay he la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros o os
    otra otras otro otros para pero poco por porque puede pueden pues que quien se sea ser si sido siempre sin sobre solo son su
    sus tal tambien te tengo tiene tienen toda todas todo todos tu tus un una unas uno unos usted ustedes va vamos voy y ya yo
    porfa favor gracias hola quiero
""".split()),
    "fr": frozenset("""
    a ai ainsi alors as au aucun aussi autre autres aux avait avant avec avez avoir avons bon c ca car ce ceci cela ces cet
    cette ceux chaque ci comme comment d dans de des donc du elle elles en encore entre es est et etait ete etre eu fait faire
    faut il ils j je juste l la le les leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par parce
    pas peu peut peux plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur t
    ta te tes toi ton tous tout toute toutes tres tu un une va vais veux voir vos votre vous vraiment y merci bonjour salut stp
""".split()),
    "it": frozenset("""
    a abbiamo ad agli ai al alla alle allo anche ancora avere c che chi ci cio come con contro cosa cosi da dagli dai dal dalla
    dalle davanti degli dei del della delle dello dentro di dopo dove e ed era erano essere fa fare fatto fino fra gia gli ha
    hai hanno ho i il in io l la le lei li lo loro lui ma mai me mi mia mie miei mio molto ne nei nel nella nelle no noi non
    nostra nostro o ogni oppure per perche pero piu poi puo qual quale quali quando quanto quel quella quelle quelli quello
    questa queste questi questo qui se sempre senza si sia siamo siete solo sono sopra sta stata stato sto su sua sue sugli sui
    sul sulla suo suoi te ti tra tu tua tuo tutta tutte tutti tutto un una uno va vi voglio voi vorrei grazie ciao favore
""".split()),
    "nl": frozenset("""
    aan al alle alleen als altijd ander andere ben bij daar dan dat de deze die dit doch doen door dus een eens en er even ge
    geen haar had heb hebben heeft hem het hier hij hoe hun iets ik in is ja je jij jou jouw jullie kan kun kunnen kunt maar mag
    me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat ons onze ook op over te tegen toch toen tot u uit
    uw van veel voor waar waarom wanneer want was wat we wel welke werd wie wij wil worden wordt zal ze zei zelf zich zij zijn
    zo zonder zou graag bedankt hallo alsjeblieft
""".split()),
    "pl": frozenset("""
    a aby ale am ani az bardzo bez bo by byc byl byla bylo byly bym chce ci cie co czy czyli da dla do gdy gdzie go i ich ile im
    inne ja jak jaki jako je jednak jego jej jest jestem jeszcze jesli juz kazdy kiedy kto ktora ktore ktory lub ma mam mi mial
    mnie moj moja moje moze mozna my na nad nam nas nasz nie niech nim niz no o od on ona one oni oraz po pod poniewaz prosze
    przed przez przy sa sie skad sobie swoj ta tak taki tam te tego tej ten teraz to tu tutaj twoj ty tych tylko tym u w wam was
    we wiec wszystko z za zawsze ze zeby dzieki czesc
""".split()),
    "pt": frozenset("""
    a agora ainda alem algo alguem algum alguma ao aos apenas aqui as ate cada com como da das de dela dele deles depois do dos
    e ela elas ele eles em entao entre era essa essas esse esses esta estao estar estava este estes estou eu fazer foi for foram
    ha isso isto ja la lhe mais mas me mesmo meu meus minha minhas muito na nao nas nem no nos nossa nosso num numa o onde os ou
    para pela pelas pelo pelos pode por porque pra qual quando que quem quero sao se seja sem sempre ser seu seus so sobre sua
    suas tambem tem tenho ter toda todas todo todos tu tudo um uma umas uns vai vamos voce voces vou favor obrigado obrigada ola
""".split()),
    "tr": frozenset("""
    acaba ama artik asla aslinda az bana bazi belki ben beni benim bile bir biraz biri biz bize bizi bizim boyle bu buna bunu
    bunun burada cok cunku da daha de defa degil diye en fakat gibi gore hangi hem hep hepsi her hic icin ile ise iste kadar ki
    kim mi mu mi ne neden nasil nerede niye o olan olarak oldu olur olsun ona onu onun orada oyle sadece sana sen seni senin siz
    sonra su sunu tum uzere var ve veya ya yani yine yok zaten lutfen tesekkurler merhaba
""".split()),
}
OTHER = frozenset("""
    من في علي الي عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن انا انت انتم ان كان كانت يكون لا لم لن ما ماذا لماذا كيف
    متي اين هل او ثم قد كل بعض غير بين عند بعد قبل حتي اذا لو لكن ايضا فقط هناك هنا به له لها لهم فيه فيها منه منها عليه عليها
    اي كما و يا شكرا مرحبا में है हैं का की के को से पर और या यह वह ये वे था थी थे हो होता होती होते कर करना करने किया करें नहीं
    न भी ही तो जो कि एक इस उस इन उन मैं हम तुम आप मेरा मेरी मेरे हमारा हमारी हमारे आपका आपकी अपना अपनी अपने क्या क्यों कैसे कब
    कहाँ कहां कौन लिए साथ तक जब तब अगर लेकिन मगर कुछ सब बहुत अब फिर रहा रही रहे गया गई गए कृपया धन्यवाद です ます ました ません した して する
    ない こと この その あの これ それ あれ ここ そこ から まで ため もの よう など って では には とは のは のが のを ので いる ある れる られ たい だけ でも けど もし どう なに なぜ また てい いま さん くだ
    ださ さい 니다 습니 합니 입니 하는 하고 해서 해야 하지 에서 으로 에게 이다 있는 있다 없다 그리 리고 그러 러나 이것 그것 저것 우리 나는 너는 것이 것을 하면 무엇 어떻 떻게 해주 주세 세요 и в во не что
    он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему теперь
    когда даже ну ли если уже или ни быть был него до вас нибудь вам ведь там потом себя ничего еи может они тут где есть надо
    неи для мы тебя их чем была сам чтоб чтобы без будто чего раз тоже себе под будет ж тогда кто этот того потому этого какои
    этом один мои тем моя эта эти это почему при об хотя нам нас наш наша чтото пожалуиста спасибо привет даваи можно нужно 我们
    你们 他们 她们 什么 怎么 这个 那个 这些 那些 这样 那样 可以 没有 不是 就是 还是 但是 因为 所以 如果 的话 一个 一些 自己 已经 现在 非常 知道 觉得 时候 起来 出来 真的 是的 好的 谢谢 请问 我的 你的 他的 她的
    的是 了一 我是 是我 不会 也是 都是 還是 我們 你們 他們 什麼 怎麼 這個 那個 這些 這樣 沒有 因為 已經 現在 覺得 時候 謝謝
""".split())
MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr - jun jul aug sep oct nov dec",
    "- - - - - - - - sept - - -",
    "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik",
)
MONTHS_THAT_ARE_WORDS = frozenset("may march mar sept dec jan mai marco mart".split())
ENDINGS: dict[str, tuple[str, ...]] = {
    "ar": tuple("هما كما ات ون ين ان ها هم نا يه ه ي".split()),
    "hi": tuple("ियों ाओं ुओं ाएं ाएँ ियाँ ियां ों ें ओं एं ाँ ीं ो े ू ु ी ि ा".split()),
    "ru": tuple("""
    иями ями ами ыми ими ого его ому ему ать ять ить еть уть ает яет ует ают яют уют ешь ишь ете ите али или ела ила ало ило лся
    лась лись ться ией иям иях ия ие ии ию ов ев ей ой ый ий ая яя ое ее ые ие ую юю ом ем ым им ах ях ам ям ет ит ют ут ят ат
    ла ло ли ть а я о е ы и у ю ь й
""".split()),
}
MORE_ENDINGS: dict[str, tuple[str, ...]] = {
    "ru": tuple("ся сь".split()),
}
BEGINNINGS: dict[str, tuple[str, ...]] = {
    "ar": tuple("وال بال كال فال لل ال".split()),
}
PARTICLES: dict[str, tuple[str, ...]] = {
    "ja": tuple("はがをにでとのもへやか".split()),
    "ko": tuple("에서는 으로는 에서 에게 으로 까지 부터 처럼 보다 하고 에는 이나 은 는 이 가 을 를 에 의 도 로 와 과 만".split()),
    "zh": tuple("的了是我你他她它们在和就都也不有没吗呢吧啊呀嘛哦这那哪么什怎谁很还把被让给跟与及或而但所从个之其得".split()),
}
WORDS_OF_ASKING = frozenset("""
    mention mentioned mentions mentioning discuss discussed discussing discussion discussions talk talked talking conversation
    conversations chat chats bring brought list order sequence walk item items throughout across aspect aspects different
    various specific specifically particular only give summarize summary explain describe said say saying told tell ask asked
    asking many much long often several current currently previously earlier based regarding related ensure help need want sure
    make think thing things way ways idea ideas kind type suggest recommend recommendation advice like good best use used using
    get going feel really
""".split())
INTENTS: dict[str, frozenset[str]] = {
    "find_decision": frozenset("decide decided decision decisions chose choose chosen why rationale".split()),
    "fix_bug": frozenset("bug error errors fix fails failing failed crash broken exception".split()),
    "security_audit": frozenset("security vulnerability audit secret secrets permission".split()),
    "refactor": frozenset("refactor restructure rename cleanup simplify".split()),
    "find_spec": frozenset("spec specification requirement requirements plan".split()),
    "add_feature": frozenset("add implement create build feature".split()),
    "understand": frozenset("explain understand how overview architecture".split()),
}
SYNONYMS = {
    'auth': 'authentication', 'authn': 'authentication', 'authz': 'authorization', 'signin': 'login', 'logon': 'login',
    'registration': 'signup', 'db': 'database', 'databases': 'database', 'repo': 'repository', 'repos': 'repository',
    'config': 'configuration', 'configs': 'configuration', 'conf': 'configuration', 'cfg': 'configuration',
    'env': 'environment', 'envs': 'environment', 'dir': 'directory', 'dirs': 'directory', 'folder': 'directory',
    'folders': 'directory', 'dep': 'dependency', 'deps': 'dependency', 'dev': 'development', 'prod': 'production',
    'k8s': 'kubernetes', 'kube': 'kubernetes', 'js': 'javascript', 'ts': 'typescript', 'py': 'python',
    'postgres': 'postgresql', 'psql': 'postgresql', 'pg': 'postgresql', 'mongo': 'mongodb', 'elastic': 'elasticsearch',
    'docs': 'documentation', 'spec': 'specification', 'specs': 'specification', 'param': 'parameter', 'params': 'parameter',
    'arg': 'argument', 'args': 'argument', 'func': 'function', 'fn': 'function', 'var': 'variable', 'vars': 'variable',
    'msg': 'message', 'msgs': 'message', 'info': 'information', 'impl': 'implementation', 'app': 'application',
    'apps': 'application', 'admin': 'administrator', 'ref': 'reference', 'refs': 'reference', 'req': 'request',
    'resp': 'response', 'pkg': 'package', 'pkgs': 'package', 'lib': 'library', 'libs': 'library', 'ver': 'version',
    'max': 'maximum', 'min': 'minimum', 'num': 'number', 'tmp': 'temporary', 'stats': 'statistics',
    'sync': 'synchronization', 'async': 'asynchronous', 'init': 'initialization', 'i18n': 'internationalization',
    'l10n': 'localization', 'a11y': 'accessibility', 'o11y': 'observability', 'perf': 'performance', 'creds': 'credentials',
    'cert': 'certificate', 'certs': 'certificate', 'infra': 'infrastructure', 'id': 'identifier', 'ids': 'identifier',
    'kb': 'kilobyte', 'mb': 'megabyte', 'gb': 'gigabyte', 'ms': 'milliseconds', 'sec': 'seconds', 'secs': 'seconds',
    'gql': 'graphql', 'reactjs': 'react', 'vuejs': 'vue', 'nodejs': 'node',
}
WHOLE_NAMES = frozenset("""
    javascript typescript coffeescript github gitlab bitbucket mongodb postgresql mysql mariadb dynamodb couchdb rocksdb duckdb
    graphql fastapi nodejs nextjs vuejs reactjs nestjs expressjs tanstack tailwindcss styledcomponents youtube linkedin facebook
    whatsapp macos ios ipados iphone ipad openai chatgpt openapi oauth websocket websockets webassembly wordpress phpstorm
    pycharm webstorm intellij vscode powershell dockerhub circleci teamcity sonarqube playwright jetbrains rabbitmq zeromq
    activemq elasticsearch opensearch cloudflare cloudfront cloudformation digitalocean bigquery pytorch tensorflow numpy scikit
    opencv latex readme changelog todo jquery redux openssl libressl letsencrypt websphere sharepoint onedrive dropbox devops
    devtools localhost opencode psychmem
""".split())
