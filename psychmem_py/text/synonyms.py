"""Words of the trade that people use for one another. The first word of a line is how all of them are indexed and asked for.

One spelling in the index, and not more words in the query: a query of many synonyms counts the same evidence twice and touches
more rows. Only words that can stand for each other in nearly every sentence of a developer belong here.
"""

from __future__ import annotations

_LINES = """
    authentication auth authn
    authorization authz
    login signin logon
    signup registration
    database db databases
    repository repo repos
    configuration config configs conf cfg
    environment env envs
    directory dir dirs folder folders
    dependency dep deps
    development dev
    production prod
    kubernetes k8s kube
    javascript js
    typescript ts
    python py
    postgresql postgres psql pg
    mongodb mongo
    elasticsearch elastic
    documentation docs
    specification spec specs
    parameter param params
    argument arg args
    function func fn
    variable var vars
    message msg msgs
    information info
    implementation impl
    application app apps
    administrator admin
    reference ref refs
    request req
    response resp
    package pkg pkgs
    library lib libs
    version ver
    maximum max
    minimum min
    number num
    temporary tmp
    statistics stats
    synchronization sync
    asynchronous async
    initialization init
    internationalization i18n
    localization l10n
    accessibility a11y
    observability o11y
    performance perf
    credentials creds
    certificate cert certs
    infrastructure infra
    identifier id ids
    kilobyte kb
    megabyte mb
    gigabyte gb
    milliseconds ms
    seconds sec secs
    graphql gql
    react reactjs
    vue vuejs
    node nodejs
"""

SAME: dict[str, str] = {}
for _line in _LINES.split("\n"):
    _first, *_others = _line.split() or [""]
    SAME.update(dict.fromkeys(_others, _first))

# Names that look like camelCase but are one word: their pieces ("type", "hub", "stack") would answer other questions.
WHOLE = frozenset(
    """javascript typescript coffeescript github gitlab bitbucket mongodb postgresql mysql mariadb dynamodb couchdb rocksdb duckdb
    graphql fastapi nodejs nextjs vuejs reactjs nestjs expressjs tanstack tailwindcss styledcomponents youtube linkedin facebook
    whatsapp macos ios ipados iphone ipad openai chatgpt openapi oauth websocket websockets webassembly wordpress phpstorm pycharm
    webstorm intellij vscode powershell dockerhub circleci teamcity sonarqube playwright jetbrains rabbitmq zeromq activemq
    elasticsearch opensearch cloudflare cloudfront cloudformation digitalocean bigquery pytorch tensorflow numpy scikit opencv
    latex readme changelog todo jquery redux openssl libressl letsencrypt websphere sharepoint onedrive dropbox devops devtools
    localhost opencode psychmem""".split()
)
