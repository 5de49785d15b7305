"""The acts that rules speak of, as the commands they are: one language, the shell's. How people call them is in `patterns/_acts.toml`.

A line is `program verb word …`; alternatives stand between bars. `run:deploy` is any script or task with that word in its name,
`write:`, `delete:`, `create:`, `name:` are what is done to a file that the rule names, `-x` is an option that must be given, `!-x` one that
must not.
"""

from __future__ import annotations

from collections.abc import Iterable

from psychmem_py.guards.trigger import Trigger

_PACKAGES = "npm|pnpm|yarn|bun"
ACTS: dict[str, tuple[str, ...]] = {
    "push": ("git push",),
    "force_push": ("git push -f|--force|--force-with-lease|+",),
    "commit": ("git commit",),
    "amend": ("git commit --amend",),
    "merge": ("git merge", "gh pr|mr merge"),
    "merge_commit": ("git merge !--squash|--ff-only|--abort|--continue", "gh pr merge --merge"),
    "rebase": ("git rebase", "git pull --rebase", "gh pr --rebase"),
    "squash": ("git merge --squash", "gh pr --squash"),
    "tag": ("git tag +name",),
    "push_tags": ("git push --tags|--follow-tags|tag",),
    "pull": ("git pull",),
    "browse": ("open|xdg-open|start|google-chrome|firefox|chromium",),
    "cherry_pick": ("git cherry-pick",), "worktree": ("git worktree !list",), "bisect": ("git bisect",), "submodule": ("git submodule",),
    "revert": ("git revert|restore", "git checkout --"), "discard": ("git restore|reset|clean", "git checkout --"),
    "switch": ("git switch", "git checkout !--"), "login": ("ssh|mosh|telnet",),
    "stash": ("git stash !list|show|pop|apply",),
    "reset": ("git reset", "git clean"),
    "add": ("git add", "git stage"),
    "branch": ("git branch +name", "git checkout -b", "git switch -c"),
    "delete_branch": ("git branch -d|-D|--delete", "git push -d|--delete"),
    "clone": ("git clone",),
    "pull_request": ("gh pr create", "glab mr create"),
    "close_issue": ("gh|glab issue|pr|mr close",),
    "comment_issue": ("gh|glab issue|pr|mr comment|review|note",),
    "open_issue": ("gh|glab issue create|new",),
    "skip_checks": ("git commit|push|merge --no-verify", "git commit -n"),
    "install": (
        f"{_PACKAGES} install|add|i|ci", "pip|uv|poetry|pipenv|conda|pdm|mamba install|add", "uv pip install", "cargo add|install", "go get|install",
        "gem|bundle install|add", "composer require|install", "dotnet add", "brew|apt|apt-get|dnf|yum|apk|snap install|add",
    ),
    "dependency": (
        f"{_PACKAGES} install|add|i +package", "pip|uv|poetry|pipenv|conda|pdm install|add +package", "cargo|dotnet add +package",
        "go get +package", "gem|bundle add +package", "composer require +package",
    ),
    "uninstall": (f"{_PACKAGES} uninstall|remove|rm|un", "pip|uv|poetry|cargo|pdm|composer|gem|dotnet uninstall|remove"),
    "upgrade": (f"{_PACKAGES} update|upgrade|up", "poetry|cargo|bundle|composer|brew|gem update|upgrade", "apt|apt-get upgrade|dist-upgrade", "uv lock --upgrade"),
    "bump": (f"{_PACKAGES}|poetry|hatch|uv|cargo version", "bumpversion|bump2version|bump-my-version", "run:version|bump"),
    "deploy": ("run:deploy|deployment", "kubectl apply|rollout", "helm upgrade|install", "terraform|tofu|pulumi|cdk apply|up|deploy", "vercel --prod", "gcloud app|run|functions deploy",
        "heroku container:release", "git push heroku|dokku", "railway|amplify up|push|publish", "cap production|staging deploy", "docker stack deploy"),
    "publish": (
        f"{_PACKAGES} publish", "cargo publish", "twine upload", "hatch|uv|poetry publish", "gh release create|upload|edit", "run:publish|release", "gem push", "docker|podman push",
    ),
    "upload": ("twine upload", "aws|gsutil|gcloud cp|sync|mv|rsync|s3|storage cp|sync|mv|rsync", "rclone copy|sync|move", "scp|rsync", "curl -T|--upload-file|-F|--form"),
    "test": (
        "pytest|jest|vitest|mocha|ava|tox|nox|rspec|phpunit|ctest|gotestsum|unittest|playwright|cypress|behave|pest|karma|minitest",
        "run:test|tests|check|spec|e2e|ci|verify", "cargo nextest", "node --test", "coverage run",
    ),
    "lint": (
        "ruff|eslint|flake8|pylint|clippy|rubocop|shellcheck|golangci-lint|biome|stylelint|oxlint|ktlint|swiftlint|hadolint|standard",
        "run:lint|check|clippy|vet|linter|ci|ktlint|checkstyle", "phpstan|psalm", "pre-commit run",
    ),
    "format": ("prettier|black|gofmt|rustfmt|isort|dprint|shfmt|clang-format|yapf", "ruff|biome|dart|terraform format|fmt", "run:format|fmt|prettier"),
    "types": ("mypy|pyright|tsc|pyre|ty", "run:typecheck|types|tsc|type|mypy|pyright", "cargo check"),
    "build": (
        "run:build|compile|dist|package", "webpack|rollup|esbuild|ninja", "tsc -p|-b|--build", "cmake --build", "cargo|go|docker|podman|vite|next|astro|nuxt build",
        "docker|podman compose build",
    ),
    "migrate": ("run:migrate|migration|migrations|migrator", "alembic upgrade|downgrade|stamp", "flyway|liquibase migrate|update|rollback|undo",
        "goose|dbmate up|down|migrate|rollback|reset|redo", "prisma migrate|db", "knex migrate:latest|migrate:up|migrate:down|migrate:rollback",
        "sequelize db:migrate|db:migrate:undo", "flask db", "dotnet ef"),
    "backup": ("pg_dump|mysqldump|pg_dumpall|restic|borg|mongodump", "run:backup|dump|snapshot"),
    "drop": ("psql|mysql|sqlite3|mariadb drop|truncate", "dropdb", "run:drop"),
    "reset_database": ("run:reset|wipe|fresh|flush", "prisma|supabase migrate|db reset", "dropdb", "psql|mysql|sqlite3|mariadb drop|truncate"),
    "seed": ("run:seed|seeds|seeder", "artisan|rails|knex|prisma db:seed|seed:run"),
    "serve": ("run:dev|serve|start|server|runserver", "vite", "next|nuxt|astro|ng|hugo|jekyll|remix|expo dev|serve|start|server", "uvicorn|nodemon|live-server|http-server",
        "rails|artisan|flask|fastapi|django server|s|serve|run|dev"),
    "write_data": ("psql|mysql|sqlite3|mariadb|mongosh|duckdb|redis-cli update|insert|delete|drop|truncate|alter|set|del|flushall",),
    "restart": ("systemctl|service|docker|pm2|supervisorctl restart|stop", "run:restart|stop", "kill|pkill|killall|reboot|shutdown"),
    "edit": ("write:",),
    "delete": ("delete:",),
    "create": ("create:",),
    "read": ("name:",),
}  # fmt: skip

RIVALS = tuple(
    frozenset(line.split())
    for line in (
        "npm pnpm yarn bun", "pip uv poetry pipenv conda pdm rye mamba", "jest vitest mocha ava jasmine", "pytest unittest nose nose2", "docker podman",
        "black yapf autopep8", "eslint biome oxlint tslint", "flake8 pylint ruff", "prettier biome dprint", "make just task", "grep rg ripgrep ag ack", "find fd",
        "curl wget httpie xh", "webpack vite rollup parcel esbuild", "mypy pyright pyre", "terraform tofu pulumi", "alembic flyway liquibase", "cat bat",
        "maven mvn gradle", "vim nano", "docker-compose podman-compose", "cypress playwright", "node deno bun", "ls eza exa",
        "brew apt snap flatpak", "psql pgcli", "screen tmux", "nvm fnm volta", "helm kustomize", "gh glab",
    )
)  # fmt: skip
TOOLS = frozenset(tool for family in RIVALS for tool in family) | frozenset(
    "git gh glab npx bunx uvx pipx sudo kubectl systemctl rm mv cp sed awk perl ssh scp rsync heroku vercel netlify firebase aws gcloud az flyctl ansible"
    " cargo rustc rustup gofmt composer php artisan rails rake bundle gem cmake ninja bazel sbt lein dotnet nuget swift xcodebuild pod flutter dart tsc"
    " tsx ts-node nx turbo lerna rspec phpunit tox nox twine isort rustfmt clippy golangci-lint shellcheck hadolint pkill killall chmod chown dd"
    " crontab nginx redis-cli mysql sqlite3 mongosh dropdb createdb pg_dump telnet nc nohup xargs tee ffmpeg choco winget scoop apt-get dnf yum apk snap"
    " prisma knex sequelize dbmate supabase wrangler pre-commit phpstan psalm twine gotestsum uvicorn gunicorn rclone semantic-release"
    " cd virtualenv venv pip3 python python3 python2 node nodejs ruby deno java javac kotlin gradlew mvnw".split()
)
# Programs that are also ordinary words: a tool only in backticks, or beside a tool of the same kind.
ORDINARY = frozenset(
    "make just task find cat cd ls go black rake screen ava nose ack ag node service watch time tee dart swift rollup"
    " pod volta rye parcel exa az stack java python ruby nano make perl karma goose gem snap bat".split()
)
PROGRAM_OF = {
    "maven": ("mvn", "mvnw"),
    "gradle": ("gradle", "gradlew"),
    "pip": ("pip", "pip3"),
    "ripgrep": ("rg",),
    "node": ("node", "nodejs"),
    "python": ("python", "python3"),
}

# What programmers call pieces of code, and how these are written.
CONSTRUCTS = {
    "default export": ("export default",), "wildcard import": ("import *",), "star import": ("import *",), "any type": (": any", "as any", "<any>"),
    "type any": (": any", "as any", "<any>"), "print statement": ("print(",), "print call": ("print(",), "console statement": ("console.",),
    "console log": ("console.log",), "debugger statement": ("debugger",), "inline style": ("style={", 'style="'), "bare except": ("except:",),
    "non-null assertion": ("!.", "!;", "!)"), "todo comment": ("TODO",), "fixme comment": ("FIXME",), "unwrap call": (".unwrap()",),
    "co-author": ("Co-authored-by",), "em dash": ("—",), "em-dash": ("—",), "em/en dash": ("—", "–"), "en dash": ("–",), "var keyword": ("var ",), "eval call": ("eval(",), "eslint comment": ("eslint-disable",), "type assertion": (" as ",),
}  # fmt: skip
# Libraries of which people say that they are not to be used, and how the use of one is written.
LIBRARIES = frozenset(
    "lodash dayjs luxon date-fns axios jquery redux mobx zustand rxjs fastify koa nestjs styled-components tailwindcss bootstrap"
    " chakra-ui formik yup zod ramda bluebird sinon chai cheerio puppeteer selenium mongoose typeorm drizzle aiohttp httpx pandas"
    " polars numpy sqlalchemy pydantic celery pytz pendulum dateutil argparse loguru structlog beautifulsoup4 lombok guava jackson gson mockito hibernate"
    " okhttp reqwest tokio serde_json anyhow thiserror gorm logrus cobra".split()
)
USES = (
    "from '{}",
    'from "{}',
    "require('{}",
    'require("{}',
    "import '{}",
    'import "{}',
    "import {}",
    "from {} import",
    "from {}.",
    "use {}::",
)

FILTERS = frozenset("grep rg ripgrep ag ack sed awk cat bat perl".split())
# What one tells tools to do, where no word of a language is meant.
SUBCOMMANDS = frozenset(
    "issue pr apply destroy init submodule worktree exec up down pull rm start stop prune scale drain rollout checkout prod reset clean audit fix link sync lock delete remove"
    " system volume volumes update upgrade edit state import taint workspace context compose cache config use run push install add publish create get set fmt generate gen codegen bisect stash tag restore cherry-pick logs ps"
    " downgrade stamp rollback revision describe patch cordon uncordon expose annotate untaint refresh unpublish deprecate dedupe outdated"
    " vet tidy uninstall template purge autoremove freeze emulators studio introspect plan validate unlink daemon-reload mask port-forward".split()
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
    return tuple(map(_trigger, ACTS[name]))


def _trigger(line: str) -> Trigger:
    first, *rest = line.split()
    kind, separator, names = first.partition(":")
    if separator and kind == "run":
        return Trigger(runs=tuple(names.split("|")))
    if separator:
        return Trigger(does=kind)
    lacks = tuple(name for word in rest if word.startswith("!") for name in word[1:].split("|"))
    groups = [tuple(word.split("|")) for word in rest if not word.startswith("!")]
    verbs = groups.pop(0) if groups and not groups[0][0].startswith(("-", "+")) and first.split("|")[0] not in _SQL else ()
    return Trigger(programs=tuple(first.split("|")), verbs=verbs, words=tuple(groups), lacks=lacks)


_SQL = frozenset({"psql", "mysql", "sqlite3", "mariadb"})
# What is told to git, and to it alone where an option follows: `push --force`.
GIT_VERBS = frozenset(verb for name in ACTS for one in triggers(name) if one.programs == ("git",) for verb in one.verbs)
