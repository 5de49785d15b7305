"""Words of the language files: which matter of a life or a project's work a word belongs to. Made by patterns/compile_words.py; mend the files in patterns/."""

# fmt: off
from __future__ import annotations

MATTERS: dict[str, frozenset[str]] = {
    "home": frozenset("""
    wohne wohnt wohnen wohnort lebe lebt leben stadt adresse umgezogen umzug ziehe zieht zog gezogen wohnung haus home live
    lives lived living reside resides resided residence residing city town hometown relocate relocates relocated relocating move
    moves moved moving address apartment flat house neighborhood neighbourhood household renting rents rented settled emigrated
    vivo vive vivir resido reside residencia ciudad direccion mude mudo mudado casa piso habite habitons vit vivre domicile
    ville adresse demenage demenage appartement maison
""".split()),
    "work": frozenset("""
    arbeite arbeitet arbeiten arbeitgeber job beruf stelle firma angestellt gewechselt kundigte gekundigt rente work works
    worked working job jobs employer employed employment employee company occupation profession career position joined joins
    hired quit quits resigned retired fired promoted role internship freelances freelancing engineer developer programmer
    scientist researcher surgeon journalist editor chef pilot professorship analyst consultant teacher nurse lawyer architect
    designer industry startup firm manager director trabajo trabaja trabajar empleo empleador empresa puesto contratado
    contratada dejo renuncio travaille travailler emploi employeur entreprise poste embauche embauchee quitte demissionne metier
""".split()),
    "superior": frozenset("""
    berichtet berichte chef chefin vorgesetzter vorgesetzte report reports reported reporting manager boss supervisor supervised
    supervises line
""".split()),
    "diet": frozenset("""
    ernahrung esse isst essen vegan veganer veganerin vegetarisch vegetarier vegetarierin fleisch fisch diet dietary diets eat
    eats eating ate vegan vegetarian pescatarian omnivore keto paleo carnivore meat fish food meals gluten lactose kosher halal
    dieta comer vegano vegana vegetariano vegetariana carne pescado regime mange manger vegetarien vegetarienne vegane viande
    poisson
""".split()),
    "family": frozenset("""
    verheiratet ledig geschieden scheidung verlobt ehefrau ehemann heiratete geheiratet familienstand marital married marries
    marry single engaged engagement divorce divorced divorcing separated widowed spouse wife husband fiance fiancee partner
    wedding relationship dating casado casada soltero soltera divorciado divorciada divorcio esposa esposo marido boda marie
    mariee celibataire divorce divorcee divorce epouse epoux mari mariage
""".split()),
    "vehicle": frozenset("""
    auto wagen fahre fahrt fahren fahrrad motorrad fahrzeug vehicle vehicles car cars drive drives driving drove truck pickup
    suv sedan van motorcycle motorbike scooter bike bicycle leases leasing leased hatchback convertible coche auto conduce
    conduzco bicicleta moto vehiculo voiture conduis conduit velo moto vehicule
""".split()),
    "pet": frozenset("""
    haustier haustiere hund hunde katze katzen kater welpe pet pets dog dogs cat cats puppy kitten hamster parrot rabbit
    goldfish retriever collie terrier poodle beagle greyhound labrador dachshund bulldog spaniel shepherd siamese persian breed
    veterinarian mascota mascotas perro perra gato gata animal animaux chien chienne chatte chiot
""".split()),
    "telephone": frozenset("telefon handy smartphone phone phones smartphone iphone android mobile handset telefono movil celular telephone portable".split()),
    "computer": frozenset("laptop workstation desktop computer macbook thinkpad os macos windows linux ubuntu fedora debian".split()),
    "browser": frozenset("browser browsers chrome firefox safari brave edge opera vivaldi".split()),
    "tongue": frozenset("""
    sprache sprachen spricht spreche fliessend language languages speak speaks speaking spoke fluent fluently bilingual native
    idioma idiomas lengua habla hablo langue langues parle parlons
""".split()),
    "code": frozenset("""
    programming programs program code codes coding backend services microservices written writes rewrote rebuilt rust python
    golang java kotlin typescript javascript ruby scala
""".split()),
    "plan": frozenset("""
    tarif abo abonnement abonniert gekundigt plan plans subscription subscribes subscribed subscribe tier tiers upgraded
    downgraded cancelled canceled membership premium enterprise suscripcion suscrito suscrita abonnement abonne abonnee forfait
""".split()),
    "payment": frozenset("""
    zahlt zahle bezahlt zahlung rechnung lastschrift uberweisung karte pay pays paid paying payment payments invoice billing
    billed wire transfer card paypal cash debit cheque paga pago tarjeta factura transferencia paie paye paiement carte facture
    virement
""".split()),
    "study": frozenset("""
    studium studiert studiere universitat abschluss promotion degree phd doctorate bachelor bachelors masters mba graduate
    graduated graduates university college school major majored majors majoring education educational studies studied studying
    thesis enrolled estudia estudio universidad carrera grado etudie etudes universite diplome
""".split()),
    "hobby": frozenset("""
    hobby hobbys spielt spiele instrument gitarre klavier sport hobby hobbies plays play playing instrument guitar piano cello
    violin drums sport sports climbing chess tennis football running runs cycling swimming yoga gym workout training aficion
    aficiones toca juega instrumento deporte loisir loisirs joue instrument sport
""".split()),
    "drink": frozenset("trinke trinkt kaffee tee drink drinks drinking drank coffee tea espresso beverage latte matcha bebe bebo cafe bois boit cafe".split()),
    "health": frozenset("""
    allergie allergisch diagnose medikament allergy allergic allergies anaphylaxis intolerance intolerant diagnosed diagnosis
    condition medication prescribed alergia alergico alergica allergie allergique
""".split()),
    "chat": frozenset("slack discord teams messenger messaging communication communicates chat whatsapp telegram signal".split()),
    "editor": frozenset("editor editors ide vim neovim emacs vscode jetbrains pycharm intellij helix zed".split()),
    "property": frozenset("property properties rental rents landlord mortgage house condo cottage".split()),
    "politics": frozenset("political politics registered registration democrat republican independent libertarian party vote votes voter".split()),
    "faith": frozenset("religion religious faith christian muslim jewish buddhist hindu atheist agnostic church mosque".split()),
    "temper": frozenset("temperament introvert introverted extrovert extroverted outgoing shy social sociable quiet gatherings personality".split()),
    "schedule": frozenset("schedule scheduled meeting meetings standup weekly biweekly monthly mornings afternoons evenings timezone hours shift shifts".split()),
    "deadline": frozenset("""
    frist termin abgabe abgabetermin deadline due milestone launch release shipping ships postponed delayed plazo fecha entrega
    echeance delai
""".split()),
    "size": frozenset("weight weighs height tall size shoe".split()),
    "store": frozenset("datenbank database databases db postgres postgresql mysql mariadb sqlite mongodb dynamodb cockroachdb redis".split()),
    "sleep": frozenset("sleep sleeps sleeping slept asleep bed bedtime insomnia nap naps riser owl".split()),
    "packages": frozenset("npm pnpm yarn pip pipenv poetry uv conda cargo maven gradle bundler nuget homebrew".split()),
    "testing": frozenset("pytest unittest jest vitest mocha jasmine junit cypress playwright selenium".split()),
    "linting": frozenset("eslint flake8 ruff pylint prettier biome rubocop clippy".split()),
    "pipeline": frozenset("jenkins travis circleci buildkite teamcity".split()),
    "licence": frozenset("gpl agpl lgpl bsd mpl apache".split()),
    "indentation": frozenset("indent indents indented tabs spaces".split()),
    "shell": frozenset("bash zsh powershell nushell".split()),
    "tracker": frozenset("jira linear trello asana youtrack redmine bugzilla".split()),
    "queue": frozenset("kafka rabbitmq nats sqs celery sidekiq activemq".split()),
    "framework": frozenset("react vue svelte angular nextjs nuxt django flask fastapi rails express laravel".split()),
    "cache": frozenset("redis memcached varnish".split()),
    "login": frozenset("sso oauth oidc jwt saml passkeys".split()),
    "theme": frozenset("dark".split()),
    "versions": frozenset("git svn subversion mercurial".split()),
    "watching": frozenset("sentry rollbar bugsnag datadog grafana prometheus loki".split()),
    "infrastructure": frozenset("terraform opentofu pulumi ansible puppet cloudformation".split()),
    "containers": frozenset("docker podman containerd".split()),
    "design": frozenset("figma sketch penpot".split()),
    "hosting": frozenset("hosting hosted hosts deployed deploys deployment cloud aws azure gcp heroku kubernetes region datacenter".split()),
    "budget": frozenset("budget budgets funding cost costs price priced salary salaries compensation rate".split()),
    "reading": frozenset("reading reads read genre book books novel novels fiction literary literature author authors poetry".split()),
    "music": frozenset("music genre band jazz rock listens listening playlist".split()),
    "smoking": frozenset("smoke smokes smoking smoker cigarettes vapes vaping".split()),
}
NOUNS: dict[str, frozenset[str]] = {
    "packages": frozenset("package packages dependency dependencies".split()),
    "testing": frozenset("test tests testing".split()),
    "linting": frozenset("lint linter linters linting formatter formatters formatting".split()),
    "pipeline": frozenset("ci cd pipeline pipelines".split()),
    "licence": frozenset("licence license licences licenses".split()),
    "indentation": frozenset("indentation indenting".split()),
    "shell": frozenset("shell shells terminal".split()),
    "tracker": frozenset("tracker trackers issue issues ticket tickets bug bugs backlog".split()),
    "queue": frozenset("queue queues broker brokers messaging".split()),
    "framework": frozenset("framework frameworks frontend frontends".split()),
    "cache": frozenset("cache caches caching".split()),
    "login": frozenset("login logins auth authentication authorization".split()),
    "theme": frozenset("theme themes appearance".split()),
    "versions": frozenset("vcs".split()),
    "watching": frozenset("monitoring observability alerting metrics".split()),
    "infrastructure": frozenset("infrastructure provisioning".split()),
    "containers": frozenset("container containers".split()),
    "design": frozenset("design designs mockup mockups wireframe wireframes".split()),
}
