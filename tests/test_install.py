"""install.sh from end to end in a home of its own: what it makes works, and taking it back leaves nothing."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from psychmem_py.agents import claude_memory, claude_topics
from psychmem_py.installation import registration

ROOT = Path(__file__).resolve().parent.parent
Done = subprocess.CompletedProcess[str]
SETTINGS = '{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(git *)"]}\n}'
pytestmark = pytest.mark.skipif(os.name != "posix", reason="install.sh is for POSIX")


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file, link and folder below `folder`: mode and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (stat.S_IMODE(about.st_mode), content)
    return found


def environment(home: Path, **more: str) -> dict[str, str]:
    """What a person's shell has on a fresh machine, and where packages come from here."""
    passed = ("PIP_", "SSL_", "HTTP", "http", "no_proxy", "NO_PROXY")
    kept = {name: value for name, value in os.environ.items() if name.startswith(passed)}
    return {**kept, "HOME": str(home), "PATH": os.environ["PATH"], **more}


def install(home: Path, *words: str, **more: str) -> Done:
    more.setdefault("PYTHON", sys.executable)
    return ran([ROOT / "install.sh", *words], environment(home, **more), cwd=home)


def ran(words: Sequence[str | Path], env: dict[str, str], stdin: str = "", cwd: Path | None = None) -> Done:
    """A command line run to its end with nothing but this environment."""
    return subprocess.run(words, env=env, cwd=cwd, input=stdin, text=True, capture_output=True, timeout=600, check=False)


@pytest.fixture
def newcomer(tmp_path: Path) -> Path:
    """A home with Claude Code in it and nothing else."""
    place = tmp_path / "a home"
    (place / ".claude").mkdir(parents=True)
    (place / ".claude" / "settings.json").write_text(SETTINGS)
    return place


@pytest.mark.long
def test_the_whole_life_of_an_installation(newcomer: Path) -> None:
    before = tree(newcomer)

    first = install(newcomer)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "then say there: From now on run the tests before every commit." in first.stdout
    settings = json.loads((newcomer / ".claude" / "settings.json").read_text())
    launcher = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert settings["model"] == "opus"
    assert os.path.isabs(launcher)

    once = tree(newcomer / ".claude")
    second = install(newcomer)
    assert second.returncode == 0, second.stdout + second.stderr
    assert tree(newcomer / ".claude") == once

    linked = newcomer / ".local" / "bin" / "psychmem-hook"
    for command in (launcher, linked):  # with a PATH that holds nothing of ours, and through the link
        payload = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "source": "compact", "cwd": str(newcomer)})
        bare = {"HOME": str(newcomer), "PATH": "/usr/bin:/bin", "PSYCHMEM_HOME": str(newcomer.parent / "elsewhere")}
        done = ran([command, "inject"], bare, payload)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    gone = install(newcomer, "--uninstall")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    assert tree(newcomer) == before


@pytest.mark.long
def test_a_place_of_ones_own_without_agents_where_somebody_else_s_command_stays(newcomer: Path) -> None:
    before = tree(newcomer)
    prefix = newcomer.parent / "opt"
    other = prefix / "bin" / "psychmem-hook"
    other.parent.mkdir(parents=True)
    other.write_text("#!/bin/sh\necho other\n")
    there = tree(prefix)
    done = install(newcomer, "--no-agents", "--prefix", str(prefix))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "somebody else's" in done.stdout
    assert other.read_text().endswith("echo other\n")
    assert tree(newcomer) == before
    assert ran([prefix / "bin" / "psychmem", "--version"], dict(os.environ)).stdout.startswith("psychmem ")
    assert install(newcomer, "--uninstall", "--prefix", str(prefix)).returncode == 0
    assert (tree(prefix), tree(newcomer)) == (there, before)


OPTIONS = {"--help": (0, "Usage: ./install.sh"), "--dry-run": (0, "/.local/share/psychmem/venv"), "--nonsense": (2, "unknown option --nonsense"),
           "--prefix": (2, "Usage"), "--uninstall": (1, "PsychMem is not installed in")}  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS)
def test_options_that_install_nothing_say_why_and_so_does_a_machine_without_a_python(newcomer: Path, option: str) -> None:
    (newcomer / "python").symlink_to(sys.executable)
    before, (code, said) = tree(newcomer), OPTIONS[option]
    done = install(newcomer, option, PYTHON=str(newcomer / "python"), XDG_DATA_HOME="below")
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)
    done = install(newcomer, PYTHON="no-such-python")
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (1, 1)
    assert done.stderr.startswith("install.sh: no Python 3.11 or newer")
    assert tree(newcomer) == before


@pytest.mark.long
def test_without_a_network_it_says_so_in_a_sentence_and_leaves_nothing_half_done(newcomer: Path) -> None:
    before = tree(newcomer)
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": os.devnull}
    nowhere |= {"PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
    done = install(newcomer, **nowhere)
    assert ("there is no network" in done.stderr, "nothing was installed" in done.stderr) == (True, True)
    assert (done.returncode, len(done.stderr.strip().splitlines())) == (1, 1)
    place = newcomer / ".local" / "share" / "psychmem"
    assert not (place / "venv").exists()
    assert stat.S_IMODE((place / "install.log").stat().st_mode) == 0o600  # `doctor` looks for what others can read
    assert install(newcomer, "--uninstall").returncode == 0
    assert tree(newcomer) == before


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """The package as it is built for an index."""
    words = ["wheel", "--quiet", "--no-deps", "--disable-pip-version-check", "--wheel-dir", str(tmp_path / "dist"), str(ROOT)]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True, capture_output=True, timeout=600)
    [built] = (tmp_path / "dist").glob("*.whl")
    return built


@pytest.mark.long
def test_in_an_environment_of_somebody_else_s_making_it_works_and_leaves_no_trace(newcomer: Path, wheel: Path) -> None:
    """As pipx does it: the wheel in an environment, `psychmem install` from there."""
    made = newcomer.parent / "pipx"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(made)], check=True)
    [packages] = (made / "lib").glob("python*/site-packages")
    ours = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "borrowed.pth").write_text("\n".join(ours) + "\n")  # what the package needs is here already
    pip = [sys.executable, "-m", "pip", "--python", str(made), "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    assert ran(pip, dict(os.environ)).returncode == 0
    env = {"HOME": str(newcomer), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    before = tree(newcomer)

    def people(*words: str, stdin: str = "") -> str:
        done = ran(words, env, stdin, newcomer.parent)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    psychmem = str(made / "bin" / "psychmem")
    people(psychmem, "install")
    hooks = json.loads((newcomer / ".claude" / "settings.json").read_text())["hooks"]

    def fired(event: str, **more: object) -> str:
        """What the registered line answers, run as the client runs it."""
        hook = hooks[event][0]["hooks"][0]
        shop = str(newcomer.parent / "shop")
        payload = {"hook_event_name": event, "session_id": "s", "cwd": shop, **more}
        assert os.path.commonpath([hook["command"], str(made)]) == str(made)  # and no other installation
        return people(hook["command"], *hook["args"], stdin=json.dumps(payload))

    (newcomer.parent / "shop").mkdir()
    people(psychmem, "remember", "Never push to main", "--class", "constraint", "--user")
    assert "Never push to main" in fired("SessionStart", source="startup")
    people(psychmem, "uninstall", "--all")
    shutil.rmtree(newcomer / ".local" / "share" / "psychmem")  # the memories, which are the person's to remove
    left = tree(newcomer)
    assert {name: left[name] for name in before} == before
    assert not [name for name, (_, content) in left.items() if name not in before and content]


def test_the_scripts_are_posix() -> None:
    shell = shutil.which("dash") or "/bin/sh"
    named = "install.sh hooks/run hooks/people bin/psychmem hooks/without-environment hooks/psychmem hooks/psychmem-hook .ci/run"
    for script in [ROOT / name for name in named.split()]:
        assert os.access(script, os.X_OK), script
        assert subprocess.run([shell, "-n", str(script)], check=False).returncode == 0, script
        assert "[[" not in script.read_text(), script


@pytest.mark.parametrize("path", [".", "", ":/opt/x", "{}"])
def test_the_command_imports_nothing_from_the_working_directory(tmp_path: Path, path: str) -> None:
    place, shop = tmp_path / "venv", tmp_path / "shop"
    (place / "bin").mkdir(parents=True)
    (place / "pyvenv.cfg").symlink_to(Path(sys.prefix) / "pyvenv.cfg")
    (place / "lib").symlink_to(Path(sys.prefix) / "lib")
    (place / "bin" / "python").symlink_to(sys.executable)
    shutil.copy(ROOT / "hooks" / "psychmem", place / "bin" / "psychmem")
    for name in ("typer/__init__.py", "psychmem_py/__init__.py", "re.py", "sitecustomize.py", "usercustomize.py"):
        (shop / name).parent.mkdir(parents=True, exist_ok=True)
        (shop / name).write_text(f"open({name.replace('/', '.')!r} + '.planted', 'w')\n")
    (tmp_path / "link").symlink_to("venv/bin/psychmem")
    env = {**os.environ, "PYTHONPATH": path.format(shop), "PYTHONSTARTUP": str(shop / "re.py"), "PYTHONHOME": ""}
    done = ran([tmp_path / "link", "list"], env, cwd=shop)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(shop.glob("*.planted")) == []


def test_the_plugin_s_launcher_is_short_and_silent_without_psychmem(tmp_path: Path) -> None:
    run = tmp_path / "plugin" / "hooks" / "run"
    run.parent.mkdir(parents=True)
    shutil.copy(ROOT / "hooks" / "run", run)
    assert len(run.read_text().splitlines()) <= 26
    done = ran(["/bin/sh", run, "stop"], {"HOME": str(tmp_path), "PATH": "/nowhere"}, "{}")
    assert (done.returncode, done.stdout) == (0, "")


def test_uninstall_cleans_memory_folders_and_agents_also_where_the_environment_is_gone(home: Path) -> None:
    data, settings = home / ".local" / "share" / "psychmem", home / ".claude" / "settings.json"
    shared, ours = (home / ".claude" / "projects" / name / "memory" for name in ("-shared", "-ours"))
    for place in (shared, ours):
        place.mkdir(parents=True)
    (shared / "MEMORY.md").write_text("# My own notes\n\nstay\n")
    (shared / "constraints.md").write_text("# mine, of the same name\n")
    (home / ".claude" / "skills").mkdir()
    settings.write_text(SETTINGS)
    before = tree(home)
    registration.register(["claude-code"], {"HOME": str(home)}, data, command=[str(data / "venv" / "bin" / "psychmem-hook")])
    for place in (shared, ours):
        folder = claude_memory.MemoryFolder(str(place), loaded=True)
        claude_topics.write(folder, ["- Never push by hand (rule)"], {"decisions.md": "- We deploy on Mondays\n"})
    assert ("psychmem:start" in (ours / "MEMORY.md").read_text(), "psychmem-hook" in settings.read_text()) == (True, True)
    shutil.rmtree(home / ".local")
    assert install(home, "--uninstall").returncode == 0
    gone = {name for name in before if name.startswith(".claude/projects/-ours")}  # empty folders, which the client makes anew
    assert tree(home) == {name: content for name, content in before.items() if name not in gone}


@pytest.mark.parametrize(
    "python", ["", "#!/bin/sh\necho noise >&2\nexit 3\n", "#!/nowhere\n"], ids=["none", "broken", "no program"]
)
def test_the_launcher_ends_well_whatever_is_broken(tmp_path: Path, python: str) -> None:
    place = tmp_path / "venv" / "bin"
    place.mkdir(parents=True)
    (place.parent / "pyvenv.cfg").write_text("")
    shutil.copy(ROOT / "hooks" / "psychmem-hook", place)
    if python:
        (place / "python").write_text(python)
        (place / "python").chmod(0o755)
    linked = tmp_path / "psychmem-hook"
    linked.symlink_to(place / "psychmem-hook")
    for command in (place / "psychmem-hook", linked):
        done = ran([command, "stop"], {"HOME": str(tmp_path), "PATH": "/nowhere"}, "{}")
        assert (done.returncode, done.stdout) == (0, "")
