"""Rules in sixteen languages, a call that breaks each, and one that comes near and does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from psychmem_py.briefing.actionable import actionable
from psychmem_py.guards.binding import on_call
from psychmem_py.guards.call import _words, call_of
from psychmem_py.guards.trigger import Rule, broken, fits, packed, unpacked
from psychmem_py.guards.wording import waits_for

PUSH, FEATURE = "git push origin HEAD:main", "git push origin feature/login"
NPM, PNPM = "npm install left-pad", "pnpm add left-pad"
COMMIT, TESTED = "git commit -m 'done'", "pytest -q && git commit -m 'done'"
MIGRATION, MODEL = "db/migrations/0007_users.sql", "db/models/user.py"


def is_broken(found: Rule | None, given: str) -> bool:
    """Whether a call, a shell line or the path of an edit, breaks the rule; what ran before in the same line counts."""
    assert found is not None
    call = call_of("Edit", {"file_path": given}) if "/" in given and " " not in given else call_of("Bash", {"command": given})
    for one, place in broken([found], call):
        earlier = call._replace(commands=call.commands[:place])
        if not one.needs or not any(broken([Rule("", (need,))], earlier) for need in one.needs):
            return True
    return False


@pytest.mark.parametrize(
    ("language", "text", "breaks", "keeps"),
    [
        ("en", "Please never push to main", PUSH, FEATURE),
        ("en", "We install with pnpm here, not npm", NPM, PNPM),
        ("en", "Run the tests before you commit", COMMIT, TESTED),
        ("en", "Hands off anything under migrations/", MIGRATION, MODEL),
        ("de", "Bitte niemals direkt nach main pushen", PUSH, FEATURE),
        ("de", "Hier nehmen wir pnpm statt npm", NPM, PNPM),
        ("de", "Vor jedem Commit müssen die Tests laufen", COMMIT, TESTED),
        ("de", "Dateien im Ordner migrations nicht anfassen", MIGRATION, MODEL),
        ("fr", "Ne pousse jamais sur main", PUSH, FEATURE),
        ("fr", "On utilise pnpm au lieu de npm", NPM, PNPM),
        ("fr", "Lance toujours les tests avant de committer", COMMIT, TESTED),
        ("es", "Nunca hagas push a main", PUSH, FEATURE),
        ("es", "Usa pnpm en vez de npm", NPM, PNPM),
        ("es", "Ejecuta las pruebas antes de hacer commit", COMMIT, TESTED),
        ("it", "Non fare mai push su main", PUSH, FEATURE),
        ("it", "Usa pnpm al posto di npm", NPM, PNPM),
        ("pt", "Nunca faça push na main", PUSH, FEATURE),
        ("pt", "Rode os testes antes de commitar", COMMIT, TESTED),
        ("nl", "Push nooit naar main", PUSH, FEATURE),
        ("nl", "Gebruik pnpm in plaats van npm", NPM, PNPM),
        ("pl", "Nigdy nie pushuj na main", PUSH, FEATURE),
        ("pl", "Używaj pnpm zamiast npm", NPM, PNPM),
        ("ru", "Никогда не пушь в main", PUSH, FEATURE),
        ("ru", "Используй pnpm вместо npm", NPM, PNPM),
        ("ru", "Перед коммитом всегда запускай тесты", COMMIT, TESTED),
        ("tr", "main dalına asla push yapma", PUSH, FEATURE),
        ("tr", "npm yerine pnpm kullan", NPM, PNPM),
        ("tr", "Commit etmeden önce testleri çalıştır", COMMIT, TESTED),
        ("ar", "لا تدفع إلى main أبدا", PUSH, FEATURE),
        ("ar", "استخدم pnpm بدلا من npm", NPM, PNPM),
        ("hi", "main पर कभी push मत करो", PUSH, FEATURE),
        ("hi", "npm की जगह pnpm इस्तेमाल करो", NPM, PNPM),
        ("hi-Latn", "main pe kabhi push mat karo", PUSH, FEATURE),
        ("hi-Latn", "commit karne se pehle tests chalao", COMMIT, TESTED),
        ("ja", "mainには絶対にプッシュしないでください", PUSH, FEATURE),
        ("ja", "npmではなくpnpmを使ってください", NPM, PNPM),
        ("ja", "コミットする前に必ずテストを実行すること", COMMIT, TESTED),
        ("ja", "migrations/ 以下は触らないで", MIGRATION, MODEL),
        ("ko", "main에는 절대 푸시하지 마", PUSH, FEATURE),
        ("ko", "npm 대신 pnpm을 사용해", NPM, PNPM),
        ("ko", "커밋하기 전에 반드시 테스트를 돌려", COMMIT, TESTED),
        ("zh", "不要推送到 main", PUSH, FEATURE),
        ("zh", "用 pnpm，不要用 npm", NPM, PNPM),
        ("zh", "提交之前必须先跑测试", COMMIT, TESTED),
        ("zh", "不要修改 migrations/ 目录下的文件", MIGRATION, MODEL),
    ],
)
def test_a_rule_waits_for_what_breaks_it_and_for_nothing_near(language: str, text: str, breaks: str, keeps: str) -> None:
    found = actionable("r", text, language)
    assert is_broken(found, breaks)
    assert not is_broken(found, keeps)


@pytest.mark.parametrize(
    "text",
    [
        "Keep your answers short",
        "I prefer dark mode",
        "Don't skip the tests",
        "We decided to make the cache smaller",
        "Names of tables are plural",
        "Explain things just once",
        "Comments are written in English",
    ],
)
def test_a_rule_about_no_act_waits_for_nothing(text: str) -> None:
    assert actionable("r", text, "en") is None


@pytest.mark.parametrize(
    ("text", "breaks", "keeps"),
    [
        ("Never run terraform apply by yourself", "terraform apply", "terraform plan"),
        ("Instead of npm use pnpm", NPM, PNPM),
        ("Never force push", "git push -fu origin x", "git push -u origin x"),
        ("Never use `git push --force`", "git push origin x --force", "git push --force-with-lease"),
        ("Never use --no-verify", "git commit --no-verify -m x", "git commit -m 'no --no-verify here'"),
        ("Always commit with --signoff", "git commit -m x", "git commit -s -m x"),
        ("Don't use sudo", "sudo make install", "make install"),
        ("Never edit package-lock.json by hand", "app/package-lock.json", "app/package.json"),
        ("*.snap files are not to be edited", "src/a.snap", "src/a.test.ts"),
        ("Never commit .env files", "git add .env", "git add .env.example"),
        ("Ask me before deploying to production", "make deploy-prod", "make deploy-staging"),
        ("Never commit without running the linter", "git commit -m x", "ruff check && git commit -m x"),
        ("Use `make test` to run the tests", "pytest -q", "make test"),
        ("Never run npm install, yarn or bun; we are on pnpm", "yarn add x", "pnpm add x"),
        ("Rebase instead of merging", "git merge main", "git rebase main"),
        ("Never drop tables in production", "psql prod -c 'DROP TABLE users'", "psql prod -c 'select 1'"),
        ("Back up the database before running migrations", "alembic upgrade head", "pg_dump app > a.sql && alembic upgrade head"),
        ("The generated/ folder is off limits", "src/generated/api.ts", "src/generator/api.ts"),
        ("Update the changelog before you publish", "npm publish", "npm pack"),
    ],
)
def test_a_rule_is_read_as_it_is_meant(text: str, breaks: str, keeps: str) -> None:
    found = actionable("r", text, "en")
    assert is_broken(found, breaks)
    assert not is_broken(found, keeps)


def test_a_branch_that_is_not_named_is_the_one_checked_out() -> None:
    found = actionable("r", "Never push to main", "en")
    assert found
    push = {"command": "git push"}
    assert broken([found], call_of("Bash", push, lambda: "main"))
    assert broken([found], call_of("Bash", {"command": "git push origin"}, lambda: "main"))
    assert not broken([found], call_of("Bash", push, lambda: "feature"))


def test_a_rule_of_a_day_waits_for_that_day() -> None:
    found = actionable("r", "Never deploy on Fridays", "en")
    assert found
    call = call_of("Bash", {"command": "npm run deploy"})
    assert broken([found], call, weekday=4)
    assert not broken([found], call, weekday=1)


def test_a_code_word_is_looked_for_in_what_is_written() -> None:
    found = actionable("r", "Never use `console.log` in src/", "en")
    assert found

    def written(path: str, text: str) -> Any:
        return broken([found], call_of("Write", {"file_path": path, "content": text}), root="/p")

    assert written("/p/src/a.ts", "console.log(1)")
    assert not written("/p/src/a.ts", "myconsole.logger(1)")
    assert not written("/p/scripts/a.ts", "console.log(1)")


@pytest.mark.parametrize(
    ("glob", "path", "root", "fit"),
    [
        ("migrations/", "/p/db/migrations/1.sql", "/p", True),
        ("migrations/", "/home/migrations/app/1.sql", "/home/migrations/app", False),
        ("db/migrations/", "migrations/1.sql", "", False),
        ("*.lock", "a/yarn.lock", "", True),
        (".env", "/p/.env.local", "/p", True),
        (".env", "/p/.env.production.local", "/p", True),
        (".env", "/p/.env.example", "/p", False),
        (".env", "/p/.envrc", "/p", False),
        ("config.yml", "/p/config.yml.bak", "/p", False),
        ("src/**/*.gen.ts", "src/a/b.gen.ts", "", True),
        ("/etc/", "/etc/hosts", "/p", True),
        ("config.yml", "deploy/config.yml", "", True),
    ],
)
def test_a_path_fits_from_the_project_on(glob: str, path: str, root: str, fit: bool) -> None:
    assert fits(glob, path, root) is fit


def test_rules_come_back_from_a_file_as_they_were() -> None:
    rules = [
        found for text in ("Never push to main", "Run the tests before committing") if (found := actionable("r", text, "en"))
    ]
    assert unpacked(json.loads(json.dumps(packed(rules)))) == rules


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Never push to main", "git push main"),
        ("Use rg, not grep", "grep"),
        ("Never merge into main", "git merge into main or gh pr|mr merge into main"),
        ("The .env files are off limits", "edits of .env"),
        ("Never add new packages with pip", "pip|pip3 install|add a new package"),
        ("Never mention Copilot in commits", "git commit saying copilot"),
        ("Run the tests before you tag", "git tag, unless there was pytest|jest|vitest|… or a script called test|tests|check|… or cargo nextest or the like before"),
    ],
)  # fmt: skip
def test_people_are_told_what_a_rule_waits_for(text: str, told: str) -> None:
    found = actionable("r", text, "en")
    assert found
    assert waits_for(found) == told


def test_a_word_for_an_act_is_no_folder_of_that_name() -> None:
    found = actionable("r", "Run the tests before you commit", "en", ["tests/test_a.py"])
    assert not is_broken(found, TESTED)


@pytest.mark.parametrize(
    ("glob", "fitting", "other"),
    [
        ("git push * main", "git push -u origin main", "git push origin x"),
        ("git push --force *", "git push --force x", "git push x"),
        ("npm run deploy:*", "npm run deploy:prod", "npm run build"),
        ("docker *", "docker ps", "podman ps"),
        ("ops/", "ops/a/b.yml", "devops/a.yml"),
        ("*.sql", "db/1.sql", "db/1.py"),
    ],
)
def test_a_glob_of_a_call_means_the_calls_that_fit_it(glob: str, fitting: str, other: str) -> None:
    found = Rule("r", (on_call(glob),))
    assert is_broken(found, fitting)
    assert not is_broken(found, other)


@pytest.mark.parametrize("glob", ["", "*", "gi*t push", "git pu*sh"])
def test_a_glob_that_says_no_whole_word_is_none(glob: str) -> None:
    with pytest.raises(ValueError, match="no program"):
        on_call(glob)


@pytest.mark.parametrize(
    ("text", "breaks", "keeps"),
    [
        pytest.param(
            "Always use rg instead of grep", "grep -rn x src", "make 2>&1 | grep error", id="a filter searches no files"
        ),
        pytest.param("Always use rg instead of grep", "false || grep -rn x src", "make | grep a", id="an alternative is no pipe"),
        pytest.param("Ask me before deleting files", "rm notes.md", "rm -f /tmp/probe.txt", id="what is made to be thrown away"),
        pytest.param("Don't install anything globally", "npm i -g x", "npm i x", id="for the whole machine"),
        pytest.param("Never delete remote branches", "git push origin --delete x", "git push origin x", id="a branch is no file"),
        pytest.param("I prefer pnpm to npm", NPM, PNPM, id="the first of two is right"),
        pytest.param("Never publish without asking", "npm publish", "curl https://x.io/publish/a", id="an address runs nothing"),
    ],
)
def test_what_only_looks_like_the_act_is_let_be(text: str, breaks: str, keeps: str) -> None:
    found = actionable("r", text, "en")
    assert is_broken(found, breaks)
    assert not is_broken(found, keeps)


@pytest.mark.parametrize(
    ("language", "text", "breaks", "keeps"),
    [
        pytest.param("en", "All package management goes through pnpm", NPM, PNPM, id="by what a kind of work is done"),
        pytest.param("de", "Paketverwaltung läuft über uv", "pip install x", "uv add x", id="the same in German"),
        pytest.param("en", "Run the linter, then commit", COMMIT, "ruff check . && git commit -m x", id="an order told by then"),
        pytest.param("de", "Erst testen, dann committen", COMMIT, TESTED, id="the same in German"),
        pytest.param("en", "Deployments are mine", "npm run deploy", "npm run build", id="what a person keeps to themselves"),
        pytest.param("fr", "C'est moi qui déploie", "npm run deploy", "npm run build", id="the same in French"),
        pytest.param("es", "Los despliegues los hago yo", "npm run deploy", "npm run build", id="the same in Spanish"),
        pytest.param("en", "main is protected", PUSH, FEATURE, id="a branch with no act beside it"),
        pytest.param("pt", "A pasta migrations é intocável", MIGRATION, MODEL, id="what must stay as it is"),
        pytest.param("en", "When installing, pass --frozen-lockfile", "pnpm install", "pnpm install --frozen-lockfile", id="an option for an occasion"),
        pytest.param("en", "kubectl delete is something only I do", "kubectl delete pod x", "kubectl get pods", id="a tool's own verb"),
        pytest.param("en", "The snapshots folder comes from the test run, don't edit it", "tests/snapshots/a.snap", "tests/a.py", id="the folder that is named as one"),
        pytest.param("en", "Leave package-lock.json out of your edits", "app/package-lock.json", "app/package.json", id="left out of something"),
        pytest.param("de", "Hör auf, direkt auf main zu pushen", PUSH, FEATURE, id="a stop before a comma"),
        pytest.param("ru", "Хватит пушить в main", PUSH, FEATURE, id="the same in Russian"),
        pytest.param("en", "Releases are cut by CI so never push to main", PUSH, FEATURE, id="a rule behind its reason"),
        pytest.param("en", "Push only after my approval", "git push", "git diff", id="only after forbids by itself"),
        pytest.param("de", "Die Datei db/seed.sql nur nach Rücksprache ändern", "db/seed.sql", "db/new.sql", id="the verb stands last"),
        pytest.param("fr", "Ne pousse pas sur main, même si les tests passent", PUSH, FEATURE, id="what is conceded is no condition"),
        pytest.param("pt", "antes de abrir um PR roda o lint", "gh pr create", "ruff check . && gh pr create", id="to open is no reading"),
        pytest.param("en", "Never run prisma migrate deploy", "prisma migrate deploy", "prisma migrate dev", id="a whole command line"),
        pytest.param("en", "Please never run make docs", "make docs", "make test", id="a program that is a word"),
        pytest.param("en", "Don't commit anything from .idea/runs", "git add .idea/runs/a.xml", "git add a.xml", id="a folder without its slash"),
        pytest.param("en", "Never mention Copilot in commits", "git commit -m 'by Copilot'", "git commit -m done", id="whom a message must not name"),
        pytest.param("en", "Never push to the branch kim/preview", "git push origin kim/preview", "git push origin kim/x", id="a branch with a slash"),
        pytest.param("en", "Don't publish to PyPI", "twine upload dist/*", "python -m build", id="a registry narrows nothing"),
    ],
)  # fmt: skip
def test_other_wordings_of_the_same_kinds_of_rule(language: str, text: str, breaks: str, keeps: str) -> None:
    rule = actionable("r", text, language)
    assert is_broken(rule, breaks)
    assert not is_broken(rule, keeps)


@pytest.mark.parametrize(
    ("text", "breaks", "keeps"),
    [
        pytest.param("Never tag, merge, or rebase", "git rebase x", "git log", id="a list of acts"),
        pytest.param("Do not touch `lib/`, `bin/`, or `etc/` here", "bin/run.py", "src/run.py", id="a list of folders"),
        pytest.param("Never publish packages from here", "npm publish", "npm install zod", id="a package that is not new"),
        pytest.param("Run the tests before you commit and push", "git push", "pytest && git push", id="an and that goes on"),
        pytest.param("Never push to main, commit to a branch", "git push origin main", "git commit -m x", id="a second half that is right"),
        pytest.param("Never rebase, use merges, or push a fix", "git rebase x", "git push origin x", id="no list behind what is right"),
        pytest.param("Never delete data/raw/, logs/, or LICENSE", "rm -rf logs/x", "logs/x.txt", id="the act of a list's head"),
        pytest.param("Never use pip, poetry, conda", "conda install x", "uv add x", id="a list without its or"),
        pytest.param("Never force-push to main/master", "git push -f origin master", "git push -f origin fix", id="two branches with a slash"),
        pytest.param("Don't use `git restore --`", "git restore -- a.py", "git restore --staged a.py", id="two dashes are an option"),
        pytest.param("Never mention `Signed-off-by: Bot` or the like in commit messages", "git commit -m 'x\n\nSigned-off-by: Bot'", "git commit -m 'bot'", id="what a message must not say"),
        pytest.param("Please no more `git add .`", "git add .", "git add a.py", id="all that is there"),
        pytest.param("use yarn not npm", "npm install", "yarn install", id="not without a comma"),
        pytest.param("Use `poetry run mypy` and not bare mypy", "mypy src", "poetry run mypy src", id="what wraps it is right"),
        pytest.param("Always merge to a release branch, never directly to main", "git merge x # main", "git merge main # x", id="the branch that is merged into"),
        pytest.param("Make sure to run npm run lint before you tag", "git tag v1", "npm run lint && git tag v1", id="make sure is no make"),
        pytest.param("Run `tox` before tagging anything and check that it passes", "git tag v1", "tox && git tag v1", id="what follows an and"),
        pytest.param("Run the linter before pushing, unless I say otherwise", "git push", "ruff check . && git push", id="an exception of one's own"),
        pytest.param("specs/ (drafts and minutes) must not be committed", "git add specs/a.md", "git add src/a.py", id="an aside in brackets"),
        pytest.param("protos/ is generated. Never edit anything in there", "protos/a.py", "src/a.py", id="there is what the sentence before names"),
        pytest.param("`cargo build` is what we run - never `cargo build --release`", "cargo build --release", "cargo build", id="a dash ends a part"),
        pytest.param("No new dependencies without asking", "pnpm add zod", "pnpm install", id="a package that is named"),
        pytest.param("Do not create or change any Dockerfile.prod", "ops/Dockerfile.prod", "ops/Dockerfile.dev", id="two acts on a file"),
        pytest.param("Don't edit `billing-core`, read only", "libs/billing-core/a.rs", "libs/billing/a.rs", id="a folder in code marks"),
    ],
)  # fmt: skip
def test_lists_and_second_halves_are_read(text: str, breaks: str, keeps: str) -> None:
    rule = actionable("r", text, "en")
    for given, expected in ((breaks, True), (keeps, False)):
        line, _, branch = given.partition(" # ")
        if branch:
            assert rule
            assert bool(broken([rule], call_of("Bash", {"command": line}, lambda branch=branch: branch))) is expected
        else:
            assert is_broken(rule, line) is expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The integration tests must not run in CI", id="a place that no call shows"),
        pytest.param("A check means a smoke test here, not the unit tests", id="what a word means"),
        pytest.param("I don't think unit tests help here", id="a doubt"),
        pytest.param("Don't commit generated files", id="a kind of file that no name tells"),
        pytest.param("Never run the whole test suite", id="all of it, not a part"),
        pytest.param("Don't restart the service on host seven", id="at one place"),
        pytest.param("Never use `node.moveX/moveY` for dragging", id="a choice of two members"),
        pytest.param("Do not run `RebuildEverything`", id="a name that is run, not written"),
        pytest.param("Don't delete any database tables", id="no file"),
        pytest.param("entire/main is out of date", id="out of date is not out"),
        pytest.param("Don't choose light/dark for me", id="a choice of two words"),
        pytest.param("Why adding a flag and not just deleting the option?", id="a question"),
        pytest.param(
            "Write the tests first, then the code, then see that the tests pass", id="what would have to come before itself"
        ),
        pytest.param(
            "Each unit test has expected rows on data/rows/v2 that should be directly checked",
            id="a path that is no way to run tests",
        ),
        pytest.param("I like tests next to the parser rather than in a separate tree", id="a folder that has no name"),
        pytest.param("Never push the build", id="what is pushed is no act here"),
        pytest.param("Not finished, don't publish it", id="an it that nothing explains"),
    ],
)
def test_what_no_call_shows_waits_for_nothing(text: str) -> None:
    assert actionable("r", text, "en") is None


@pytest.mark.parametrize(
    ("text", "call"),
    [
        pytest.param("Use pnpm as it is faster", "pnpm install", id="as it is"),
        pytest.param("The tests run in CI and then the image is built", "docker build .", id="a story told by then"),
        pytest.param("If the build fails then clean it first", "npm run clean", id="a condition"),
    ],
)
def test_a_wording_of_another_meaning_waits_for_no_such_call(text: str, call: str) -> None:
    rule = actionable("r", text, "en")
    assert rule is None or not is_broken(rule, call)


@pytest.mark.parametrize(
    ("option", "forms"),
    [
        ("-vm", {"-vm", "-v", "-m"}),
        ("-vxyz", {"-vxyz", "-v", "-x", "-y", "-z"}),
        ("-chdir", {"-chdir"}),
        ("-n5", {"-n5"}),
        ("--all", {"--all"}),
        ("--tags=v1", {"--tags=v1", "--tags"}),
    ],
)
def test_letters_behind_one_dash_are_options_each_unless_it_is_a_word(option: str, forms: set[str]) -> None:
    assert _words("git", (option,)) - {"git"} == forms
