"""The acts that rules speak of, as the commands they are: one language, the shell's. How people call them is in `patterns/_acts.toml`.

Each way to do it, between commas, is `program verb word …`; alternatives stand between bars, `*` is any verb. `run:deploy` is any script or
task with that word in its name, `write:`, `delete:`, `create:`, `name:` are what is done to a file that the rule names, `-x` is an option that
must be given, `!-x` one that must not.
"""

from __future__ import annotations

from collections.abc import Iterable

from psychmem_py.guards.trigger import Trigger

_NODE = "npm|pnpm|yarn|bun"
_COMPOSE = "docker|podman compose"
ACTS: dict[str, str] = {
    "push": "git push",
    "force_push": "git push -f|--force|--force-with-lease|+",
    "commit": "git commit, jj commit",
    "amend": "git commit --amend",
    "merge": "git merge, gh|glab pr|mr merge",
    "merge_commit": "git merge !--squash|--ff-only|--abort|--continue, gh pr merge --merge",
    "rebase": "git rebase, git pull --rebase, gh pr --rebase",
    "squash": "git merge --squash, gh pr --squash",
    "tag": "git tag +name",
    "push_tags": "git push --tags|--follow-tags|tag",
    "pull": "git pull",
    "browse": "open|xdg-open|start|google-chrome|firefox|chromium",
    "cherry_pick": "git cherry-pick", "worktree": "git worktree !list", "bisect": "git bisect", "submodule": "git submodule",
    "revert": "git revert|restore, git checkout --|., git reset --hard", "discard": "git restore|reset|clean, git checkout --|.",
    "switch": "git switch, git checkout !--|.", "login": "ssh|mosh|telnet",
    "stash": "git stash !list|show|pop|apply",
    "reset": "git reset, git clean",
    "add": "git add, git stage",
    "branch": "git branch +name, git checkout -b|-B, git switch -c|-C|--create, git worktree -b",
    "delete_branch": "git branch -d|-D|--delete, git push -d|--delete|:, gh pr merge --delete-branch|-d",
    "clone": "git clone, gh repo clone",
    "pull_request": "gh pr create|new, glab mr create|new, hub pull-request",
    "close_issue": "gh|glab issue|pr|mr close",
    "comment_issue": "gh|glab issue|pr|mr comment|review|note, gh api comments|reviews|replies -f|-F|-X|--field|--raw-field|--method|--input",
    "open_issue": "gh|glab issue create|new",
    "skip_checks": "git commit|push|merge --no-verify, git commit -n, git commit|push husky|skip",
    "install": f"{_NODE} install|add|i|ci, pip|uv|poetry|pipenv|conda|pdm|mamba|pipx install|add|sync, uv pip install|sync, cargo add|install,"
    " go get|install, go mod download, gem|bundle|pod|luarocks|opam|cabal|deno|choco|winget|scoop|playwright install|add, flutter|dart pub add|get,"
    " composer require|install, dotnet add|restore, mix deps.get, brew|apt|apt-get|dnf|yum|apk|snap|zypper install|add, pacman -S|-Sy|-Syu",
    "dependency": f"{_NODE} install|add|i +package, pip|uv|poetry|pipenv|conda|pdm install|add +package, uv pip install +package, deno|gem|bundle add|install +package,"
    " cargo|dotnet add +package, dotnet add package, go get +package, composer require +package, flutter|dart pub add",
    "uninstall": f"{_NODE} uninstall|remove|rm|un, pip|uv|poetry|cargo|pdm|composer|gem|dotnet|pipenv uninstall|remove, uv pip uninstall,"
    " brew|apt|apt-get|dnf|yum|apk|snap|choco uninstall|remove|purge|del, flutter|dart pub remove",
    "upgrade": f"{_NODE} update|upgrade|up, poetry|cargo|bundle|composer|brew|gem|pod|pipenv|pdm|conda update|upgrade, apt|apt-get upgrade|dist-upgrade,"
    " pip install -U|--upgrade, uv lock|sync|pip -U|--upgrade|--upgrade-package, pip-compile -U|--upgrade, go get -u, npm audit fix, ncu|npm-check-updates -u,"
    " flutter|dart pub upgrade, mix deps.update",
    "bump": f"{_NODE}|poetry|hatch|uv|cargo|lerna|changeset version +name, uv version --bump, changeset version, cargo set-version,"
    " bumpversion|bump2version|bump-my-version|standard-version, mvn|mvnw versions:set, run:bump",
    "deploy": "run:deploy|deployment|redeploy, kubectl apply|replace|scale|patch, kubectl rollout restart|undo, helm upgrade|install|rollback, helmfile apply|sync,"
    " terraform|tofu|terragrunt|pulumi|cdk|cdktf apply|up|deploy, vercel --prod|--production, wrangler publish, gh-pages|surge|fastlane, eas submit|update,"
    " gcloud app|run|functions|builds deploy|submit, aws cloudformation|ecs|lambda|s3 sync|deploy|update-service|update-function-code|create-stack|update-stack,"
    " az webapp|functionapp|containerapp up|deploy|deployment|update, heroku container:release, git push heroku|dokku, gh workflow run, railway|amplify up|push|publish,"
    " supabase functions deploy, cap production|staging deploy, docker stack deploy, argocd app sync, nomad job run, doctl apps create-deployment|update, skaffold run",
    "publish": f"{_NODE} publish, yarn npm publish, cargo publish, twine upload, hatch|uv|poetry publish, gh release create|upload|edit, run:publish|release,"
    " gem push, docker|podman push, mvn|mvnw deploy|release:perform, dotnet nuget push, pod trunk push, flutter|dart pub publish, np",
    "push_image": "docker|podman push, docker|podman image push, docker buildx --push, docker compose push",
    "upload": "twine upload, aws|gsutil|gcloud cp|sync|mv|rsync|s3|storage cp|sync|mv|rsync, rclone copy|sync|move, scp|rsync, curl -T|--upload-file|-F|--form",
    "test": "pytest|jest|vitest|mocha|ava|tox|nox|rspec|phpunit|ctest|gotestsum|unittest|playwright|cypress|behave|pest|karma|minitest,"
    " run:test|tests|check|spec|e2e|ci|verify !ruff|biome, cargo nextest, node --test, coverage run, xcodebuild * test|test-without-building, zig build test",
    "e2e": "playwright|cypress|detox|maestro|testcafe|nightwatch|wdio test|run|open, run:e2e|playwright|cypress|detox|maestro,"
    " pytest|jest|vitest|mocha|phpunit|rspec|go|cargo * e2e",
    "lint": "ruff !format, biome !format, eslint|flake8|pylint|clippy|rubocop|shellcheck|golangci-lint|stylelint|oxlint|ktlint|swiftlint|hadolint|standard|phpstan|psalm,"
    " run:lint|check|clippy|vet|linter|ci|ktlint|checkstyle|credo|analyze|eslint !format, pre-commit run",
    "format": "prettier|black|gofmt|goimports|rustfmt|isort|dprint|shfmt|clang-format|yapf|autopep8|swiftformat|stylua|pint|php-cs-fixer|google-java-format,"
    " ruff|biome|dart|terraform format|fmt, rubocop -a|-A|--autocorrect, run:format|fmt|prettier|spotless|black",
    "types": "mypy|pyright|tsc|vue-tsc|svelte-check|pyre|ty, run:typecheck|types|tsc|type|mypy|pyright, cargo check",
    "build": "run:build|compile|dist|package|assemble, webpack|rollup|esbuild|ninja|msbuild, tsc -p|-b|--build, cmake --build, cargo|go|docker|podman|vite|next|astro|nuxt build,"
    f" {_COMPOSE} build, mvn|mvnw * install|package, make all, dotnet publish|msbuild, hugo !server|new|version, xcodebuild !test|clean|-list|-version|-showsdks",
    "migrate": "run:migrate|migration|migrations|migrator !status|version|history|list|make:migration|migrate:make|create|generate|new|add, alembic upgrade|downgrade|stamp,"
    " flyway|liquibase|goose|dbmate * migrate|update|up|down|rollback|undo|reset|redo, prisma migrate dev|deploy|reset|resolve, prisma|supabase db push|execute,"
    " drizzle-kit push|up, wrangler * migrations, knex migrate:latest|migrate:up|migrate:down|migrate:rollback, sequelize|sequelize-cli db:migrate|db:migrate:undo,"
    " flask db upgrade|downgrade|stamp, dotnet ef update, rails|rake db:rollback",
    "make_migration": "run:makemigrations, alembic revision, rails g|generate migration, prisma migrate dev, knex migrate:make, dotnet ef add, artisan make:migration,"
    " mix ecto.gen.migration, supabase|diesel migration|db new|generate|diff, typeorm migration:generate|migration:create, sqlx|goose|dbmate * add|create|new, flask db migrate|revision,"
    " drizzle-kit generate",
    "backup": "pg_dump|mysqldump|pg_dumpall|restic|borg|mongodump, run:backup|dump|snapshot",
    "drop": "psql|mysql|sqlite3|mariadb drop|truncate, dropdb, run:drop",
    "reset_database": "run:reset|wipe|fresh|flush|drop|nuke|recreate db|database|migrate|ecto|data|manage.py, prisma migrate reset, prisma db --force-reset, supabase|sqlx|diesel db|database reset|drop,"
    " dotnet ef drop, dropdb, psql|mysql|sqlite3|mariadb drop|truncate, mongosh|mongo db.dropdatabase, redis-cli flushall|flushdb,"
    f" alembic downgrade base, {_COMPOSE} -v|--volumes",
    "seed": "run:seed|seeds|seeder|seeders|loaddata, artisan|rails|knex|prisma db:seed|seed:run, prisma db seed",
    "serve": "run:dev|serve|start|server|runserver|preview|phx, run:tauri|expo|electron dev|start|run, vite !build|optimize, next|nuxt|astro|ng|hugo|jekyll|remix|expo dev|serve|start|server,"
    " uvicorn|gunicorn|hypercorn|nodemon|live-server|http-server|air, rails|artisan|flask|fastapi|django|streamlit server|s|serve|run|dev, make|just|task|cargo|dotnet|flutter run,"
    " dotnet watch, go run .|main.go, app.py|server.py|server.js|app.js, gradle|gradlew|mvn|mvnw bootrun|spring-boot:run, docker|podman compose up",
    "start_container": "docker|podman run|start|create, docker|podman compose|container up|start|run",
    "stop_container": "docker|podman stop|kill|rm|restart, docker|podman compose|container down|stop|kill|rm|restart",
    "volumes": "docker|podman volume rm|prune|remove, docker|podman system prune, docker|podman compose -v|--volumes",
    "write_data": "psql|mysql|sqlite3|mariadb|mongosh|duckdb|redis-cli update|insert|delete|drop|truncate|alter|set|del|flushall",
    "reach": "psql|mysql|mariadb|mongosh|mongo|redis-cli|sqlcmd|pg_dump|pg_restore|mysqldump|ssh|scp|rsync|kubectl|helm|curl|wget|http|aws|gcloud|az|heroku|fly|flyctl,"
    " run:migrate|seed|db|console|shell|script",
    "restart": "systemctl|service|docker|pm2|supervisorctl restart|stop|kill, docker|podman compose restart|stop|down, run:restart|stop, kill|pkill|killall|kill-port|fuser|reboot|shutdown",
    "move": "mv, git mv", "chmod": "chmod|chown|chgrp", "sudo": "sudo|doas|su",
    "download": "curl|wget|http|https|xh|aria2c !localhost|127.0.0.1|0.0.0.0|--version",
    "edit": "write:",
    "delete": "delete:",
    "create": "create:",
    "read": "name:",
}  # fmt: skip

RIVALS = tuple(
    frozenset(line.split())
    for line in (
        "npm pnpm yarn bun", "pip uv poetry pipenv conda pdm rye mamba", "jest vitest mocha ava jasmine", "pytest unittest nose nose2", "docker podman",
        "black yapf autopep8", "eslint biome oxlint tslint", "flake8 pylint ruff", "prettier biome dprint", "make just task", "grep rg ripgrep ag ack", "find fd",
        "curl wget httpie xh", "webpack vite rollup parcel esbuild", "mypy pyright pyre", "terraform tofu pulumi", "alembic flyway liquibase", "cat bat",
        "maven mvn gradle", "vim nano", "docker-compose podman-compose", "cypress playwright", "node deno bun", "ls eza exa",
        "brew apt snap flatpak", "rm trash", "psql pgcli", "screen tmux", "nvm fnm volta", "helm kustomize", "gh glab",
    )
)  # fmt: skip
TOOLS = frozenset(tool for family in RIVALS for tool in family) | frozenset(
    "git gh glab npx bunx uvx pipx sudo kubectl systemctl rm mv cp sed awk perl ssh scp rsync heroku vercel netlify firebase aws gcloud az flyctl ansible cargo rustc rustup gofmt composer php artisan rails rake bundle gem cmake ninja bazel"
    " sbt lein dotnet nuget swift xcodebuild pod flutter dart tsc tsx ts-node nx turbo lerna rspec phpunit tox nox twine isort rustfmt clippy golangci-lint shellcheck hadolint pkill killall chmod chown dd crontab nginx redis-cli mysql"
    " sqlite3 mongosh dropdb createdb pg_dump telnet nc nohup xargs tee ffmpeg choco winget scoop apt-get dnf yum apk snap prisma knex sequelize dbmate supabase wrangler pre-commit phpstan psalm twine gotestsum uvicorn gunicorn rclone"
    " semantic-release cd virtualenv venv pip3 python python3 python2 node nodejs ruby deno java javac kotlin gradlew mvnw".split()
)
# Programs that are also ordinary words: a tool only in backticks, or beside a tool of the same kind.
ORDINARY = frozenset(
    "make just task find cat cd ls go black rake screen ava nose ack ag node service watch time tee dart swift rollup"
    " pod volta rye parcel exa az stack java python ruby nano make perl karma goose gem snap bat".split()
)
PROGRAM_OF = {
    "maven": ("mvn", "mvnw"), "gradle": ("gradle", "gradlew"), "pip": ("pip", "pip3"), "ripgrep": ("rg",), "node": ("node", "nodejs"),
    "python": ("python", "python3"),
}  # fmt: skip

# What programmers call pieces of code, and how these are written.
CONSTRUCTS = {
    "default export": ("export default",), "wildcard import": ("import *",), "star import": ("import *",), "any type": (": any", "as any", "<any>"),
    "type any": (": any", "as any", "<any>"), "print statement": ("print(",), "print call": ("print(",), "console statement": ("console.",),
    "console log": ("console.log",), "debugger statement": ("debugger",), "inline style": ("style={", 'style="'), "bare except": ("except:",),
    "non-null assertion": ("!.", "!;", "!)"), "todo comment": ("TODO",), "fixme comment": ("FIXME",), "unwrap call": (".unwrap()",),
    "em dash": ("—",), "em-dash": ("—",), "em/en dash": ("—", "–"), "en dash": ("–",), "var keyword": ("var ",), "eval call": ("eval(",), "eslint comment": ("eslint-disable",), "type assertion": (" as ",),
}  # fmt: skip
# Libraries of which people say that they are not to be used, and how the use of one is written.
LIBRARIES = frozenset(
    "lodash dayjs luxon date-fns axios jquery redux mobx zustand rxjs fastify koa nestjs styled-components tailwindcss bootstrap chakra-ui formik yup zod ramda bluebird sinon chai cheerio puppeteer selenium mongoose typeorm drizzle aiohttp"
    " httpx pandas polars numpy sqlalchemy pydantic celery pytz pendulum dateutil argparse loguru structlog beautifulsoup4 lombok guava jackson gson mockito hibernate okhttp reqwest tokio serde_json anyhow thiserror gorm logrus cobra".split()
)
_TOUCHES = r"(?<=\b(?:touch|edit|modify|change|off|from|with|alter|break)(?:ing)? (?:the |our |my )?)"
_CREATES = r"(?<=\b(?:creat|writ|generat|add)(?:e|ing)? (?:new |any |extra |more )?)"
# What files and tools of a client are called, whatever the language around it; `{0}` is the first word of that.
CALLED = {
    r"generated (?:with|by) (?:\[?(?:claude|ai|codex|copilot|cursor|gemini)\b(?: code)?\]?|\.\.\.)": "code:Generated with",
    r"(?:ai|claude|llm|agent|copilot|codex)(?: code)?[ -](?:attribution|signature|credit|info|footer|trailer|byline|watermark|branding)s?|(?:\w+ )?co-?authors?": "code:Co-authored-by",
    r"(?:markdown|md) summar(?:y|ies)|summar(?:y|ies) (?:(?:in|as) )?\.?(?:markdown|md)s?(?: (?:file|doc)s?)?": "summary:*.md",
    rf"{_CREATES}(?:docs|documentation|(?:plan|report|documentation|doc|design)s? (?:file|doc|document)s?)(?! (?:for|to|in)\b)": "summary:*.md",
    r"changelogs?": "CHANGELOG*|CHANGES*|HISTORY*", r"readmes?": "README*", r"licenses?": "LICENSE*", r"markdowns?(?=[ -](?:file|doc))": "*.md|*.mdx",
    r"package-?locks?": "package-lock.json", r"lock[ -]?files?": "*.lock|package-lock.json|pnpm-lock.yaml|npm-shrinkwrap.json|bun.lockb|go.sum",
    rf"github (?:workflow|action)s?|workflow files?|(?:ci|pipeline) (?:config\w*|workflow|pipeline|file)s?|{_TOUCHES}(?:ci|pipelines?|workflows?)(?=[.,;!\n]|$| (?:unless|without|before)\b)":
        ".github/workflows/|.github/actions/|.gitlab-ci*|.circleci/|Jenkinsfile|azure-pipelines*|.travis.yml|bitbucket-pipelines*|.buildkite/",
    r"(?:auto-?)?generated (?:file|code|source|output)s?": "generated/|__generated__/|gen/|*.generated.*|*_generated.*|*.gen.*|*.g.dart|*.pb.go|*_pb2.py",
    r"(?:eslint|prettier|vite|webpack|jest|vitest|tailwind|babel|rollup|biome|ruff|mypy|next|nuxt|astro|playwright|cypress|postcss|stylelint|rubocop|phpstan|turbo|nx)"
    r" (?:config\w*|rules|settings)": "{0}.config.*|.{0}rc*|{0}.json|{0}.toml|.{0}ignore",
    r"tsconfigs?": "tsconfig*.json", r"(?:docker[ -])?compose files?": "docker-compose*.y*ml|compose*.y*ml", r"dockerfiles?": "Dockerfile|Dockerfile.*",
    r"makefiles?": "Makefile", r"codeowners": "CODEOWNERS", r"gitignores?": ".gitignore", r"node_modules": "node_modules/", r"third_party": "third_party/",
    r"(?-i:CLAUDE|AGENTS)": "{0}*", r"(?-i:Gemfile|Procfile|Justfile|Podfile)": "{0}",
    r"search(?:ing)? (?:the web|online|the internet)|brows(?:e|ing) the (?:web|internet)|google (?:things|stuff|anything|it)": "client:websearch|webfetch",
    r"web[ -]?search(?:es)?": "client:websearch", r"web[ -]?fetch(?:es)?": "client:webfetch", r"(?-i:TodoWrite|NotebookEdit|MultiEdit)": "client:{0}",
    r"sub-?agents?(?! (?:never|must|may|should|do|can|are)\b)|task tool|(?<=\b(?:spawn|launch|start)(?:ing)? )agents?": "client:task|agent",
}  # fmt: skip
USES = (
    "from '{}", 'from "{}', "require('{}", 'require("{}', "import '{}", 'import "{}', "import {}", "from {} import", "from {}.", "use {}::",
)  # fmt: skip

# Services of which people speak, and by which words their tools say what they do there.
SERVICES = frozenset(
    "linear jira notion slack asana trello confluence gmail sentry figma datadog airtable hubspot clickup stripe discord zendesk".split()
)
WRITES = {
    "create": "create add new insert save", "edit": "edit set patch write move assign transition update", "delete": "delete remove archive trash",
    "send": "send post reply publish", "comment": "comment",
}  # fmt: skip
FILTERS = frozenset("grep rg ripgrep ag ack sed awk cat bat perl".split())
# What one tells tools to do, where no word of a language is meant.
SUBCOMMANDS = frozenset(
    "issue pr apply destroy init submodule worktree exec up down pull rm start stop prune scale drain rollout checkout prod reset clean audit fix link sync lock delete remove system volume volumes update upgrade edit state import taint"
    " workspace context compose cache config use run push install add publish create get set fmt generate gen codegen bisect stash tag restore cherry-pick logs ps downgrade stamp rollback revision describe patch cordon uncordon expose"
    " annotate untaint refresh unpublish deprecate dedupe outdated vet tidy uninstall template purge autoremove freeze emulators studio introspect plan validate unlink daemon-reload mask port-forward".split()
)


def is_rival(one: str, other: str) -> bool:
    """Whether two tools do the same."""
    return any(one in family and other in family for family in RIVALS)


def rivals_of(tools: Iterable[str]) -> list[str]:
    """The other tools of the same kinds."""
    named = set(tools)
    same = {other for other, programs in PROGRAM_OF.items() if named.intersection(programs)}
    same.update(program for tool in named for program in PROGRAM_OF.get(tool, ()))
    return sorted({other for tool in named for family in RIVALS if tool in family for other in family} - named - same)


def triggers(name: str) -> tuple[Trigger, ...]:
    """The acts that go by this name."""
    return tuple(map(_trigger, ACTS[name].split(", ")))


def _trigger(line: str) -> Trigger:
    first, *rest = line.split()
    kind, separator, names = first.partition(":")
    if separator and kind != "run":
        return Trigger(does=kind)
    lacks = tuple(name for word in rest if word.startswith("!") for name in word[1:].split("|"))
    groups = [tuple(word.split("|")) for word in rest if not word.startswith("!")]
    if separator:
        return Trigger(runs=tuple(names.split("|")), words=tuple(groups), lacks=lacks)
    programs = tuple(first.split("|"))
    verbs = groups.pop(0) if groups and groups[0][0][0] not in "-+" and _SQL.isdisjoint(programs) else ()
    return Trigger(programs=programs, verbs=() if verbs == ("*",) else verbs, words=tuple(groups), lacks=lacks)


_SQL = frozenset({"psql", "mysql", "sqlite3", "mariadb", "mongosh", "redis-cli"})
# What is told to git, and to it alone where an option follows: `push --force`.
GIT_VERBS = frozenset(verb for name in ACTS for one in triggers(name) if one.programs == ("git",) for verb in one.verbs)
