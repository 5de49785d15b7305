#!/bin/sh
# Installs PsychMem from this checkout into an environment of its own and registers it with the agents it finds.
# Changes nothing it does not record: `./install.sh --uninstall` puts every file back as it was.
set -eu

usage() {
    cat <<'END'
Usage: ./install.sh [--prefix DIR] [--no-agents | --environment] [--dry-run]
       ./install.sh --uninstall [--prefix DIR] [--dry-run]

Installs PsychMem for you alone; needs Python 3.11 or newer and no administrator.

  --prefix DIR   put the environment into DIR/venv and the commands into DIR/bin
                 (usual: ~/.local/share/psychmem/venv and ~/.local/bin)
  --no-agents    do not register with Claude Code or OpenCode
  --environment  make the environment and nothing else (what the plugin of Claude Code does by itself)
  --dry-run      say what would be done and do nothing
  --uninstall    take everything back; your memories stay where they are
  --help         this text

PYTHON=/path/to/python ./install.sh chooses the interpreter.
END
}

say() { printf '==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}
run() { # run COMMAND...: or only show it
    if [ "$dry_run" ]; then note "would run: $*"; else "$@"; fi
}

dry_run='' uninstall='' no_agents='' only_environment='' prefix=''
while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry_run=1 ;;
        --environment) only_environment=1 ;;
        --uninstall) uninstall=1 ;;
        --no-agents) no_agents=1 ;;
        --prefix) [ $# -ge 2 ] || { usage >&2; exit 2; }; prefix=$2; shift ;;
        --prefix=*) prefix=${1#*=} ;;
        -h | --help) usage; exit 0 ;;
        *) printf 'install.sh: unknown option %s\n\n' "$1" >&2; usage >&2; exit 2 ;;
    esac
    shift
done

[ -n "${HOME:-}" ] || fail 'HOME is not set; set it to your home directory and run this again.'
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
[ -f "$here/pyproject.toml" ] || fail "this is not a checkout of PsychMem: $here/pyproject.toml is missing; clone the repository and run its install.sh."
if [ "$prefix" ]; then
    case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
    bin=$prefix/bin
else
    case ${XDG_DATA_HOME:-} in /*) prefix=$XDG_DATA_HOME/psychmem ;; *) prefix=$HOME/.local/share/psychmem ;; esac # a relative one is none
    bin=$HOME/.local/bin
fi
venv=$prefix/venv
log=$prefix/install.log
made=$prefix/install-made # folders that were not there before us, in the order they were made

is_taken() { [ -e "$venv" ] || [ -h "$venv" ] || [ -e "$log" ]; }
is_ours() { [ -e "$made" ] || [ -e "$venv/commit" ] || [ -e "$venv/being-made" ]; }

make_folder() {
    [ -d "$1" ] && return
    make_folder "$(dirname -- "$1")"
    mkdir -- "$1" || fail "cannot make the folder $1; choose another place with --prefix DIR."
    new_folders="$new_folders$1
"
}

usable() { # usable PYTHON [MODULE...]: new enough, with SQLite's full-text index, and these modules
    candidate=$1
    shift
    "$candidate" -I -c '
import sys
assert sys.version_info >= (3, 11)
import sqlite3
sqlite3.connect(":memory:").execute("create virtual table t using fts5 (x)")
[__import__(name) for name in sys.argv[1:]]' "$@" >/dev/null 2>&1
}

find_python() { # sets $python to a usable interpreter; prefers one that can make environments with pip in them
    if [ "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3.13 python3.12 python3.11 python3.14 python3 python; fi
    for modules in 'venv ensurepip' ''; do
        for name in "$@"; do
            path=$(command -v "$name" 2>/dev/null) || continue
            # shellcheck disable=SC2086  # a list of module names
            if usable "$path" $modules; then
                python=$("$path" -I -c 'import sys; print(sys.executable)')
                return
            fi
        done
    done
    fail "no Python 3.11 or newer with SQLite FTS5 was found${PYTHON:+ at $PYTHON}; install one (Debian, Ubuntu: sudo apt install python3 python3-venv) and run this again."
}

make_environment() { # with uv, else with venv; the result is the same
    if [ -x "$venv/bin/python" ] && usable "$venv/bin/python"; then
        note "the environment is there already: $venv"
        return
    fi
    rm -rf -- "$venv"
    if command -v uv >/dev/null 2>&1 && uv --no-cache --quiet venv --python "$python" "$venv" 2>/dev/null; then return; fi
    rm -rf -- "$venv"
    if usable "$python" venv ensurepip && "$python" -I -m venv "$venv" 2>/dev/null; then return; fi
    rm -rf -- "$venv"
    "$python" -I -m venv --without-pip "$venv" 2>/dev/null && pip --version >/dev/null 2>&1 && return
    rm -rf -- "$venv"
    version=$("$python" -I -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    fail "$python cannot make environments with pip in them; on Debian and Ubuntu run: sudo apt install python$version-venv, then run this again."
}

pip() { # a pip that works on the environment: its own, the system's, pipx's
    if "$venv/bin/python" -I -c 'import pip' 2>/dev/null; then
        "$venv/bin/python" -I -m pip "$@"
    elif "$python" -I -c 'import pip' 2>/dev/null; then
        "$python" -I -m pip --python "$venv/bin/python" "$@"
    elif shared=$(pipx environment --value PIPX_SHARED_LIBS 2>/dev/null) && [ -x "$shared/bin/python" ]; then
        "$shared/bin/python" -I -m pip --python "$venv/bin/python" "$@"
    else
        return 1
    fi
}

installed_version() { # what stands in the environment: "0.1.0 (25dd550)", or nothing
    version=$("$venv/bin/psychmem" --version 2>/dev/null | sed -n 's/^psychmem //p')
    [ -z "$version" ] || printf '%s%s' "$version" "$([ -s "$venv/commit" ] && printf ' (%s)' "$(cat "$venv/commit")")"
}

install_packages() {
    if command -v uv >/dev/null 2>&1 && uv --no-cache --quiet pip install --reinstall-package psychmem --python "$venv/bin/python" "$here" 2>/dev/null; then return; fi
    PIP_DISABLE_PIP_VERSION_CHECK=1 pip install --quiet --no-cache-dir --no-input "$here" >"$log" 2>&1
}

fill_environment() {
    old=$(installed_version)
    (umask 077 && : >"$log")
    : >"$venv/being-made" # hooks/run leaves alone what is half there
    if install_packages; then
        rm -f -- "$log" "$venv/being-made"
        git -C "$here" rev-parse --short HEAD >"$venv/commit" 2>/dev/null || : >"$venv/commit"
        new=$(installed_version)
        case $old in
            '') note "PsychMem $new is installed" ;;
            "$new") note "PsychMem $new was installed already; it is now what this checkout holds" ;;
            *) note "PsychMem $old became $new" ;;
        esac
        return
    fi
    if [ "$old" ] && [ "$(installed_version)" = "$old" ]; then
        rm -f -- "$venv/being-made"
        left="PsychMem $old stays as it was"
    else
        rm -rf -- "$venv"
        left='nothing was installed'
    fi
    if grep -q -i -e 'name resolution' -e 'getaddrinfo' -e 'unreachable' -e 'NewConnectionError' -e 'timed out' -e 'connection refused' -e 'from versions: none' "$log"; then
        fail "the packages that PsychMem needs could not be fetched: there is no network, or it does not reach pip's package index; $left (what pip said: $log)."
    fi
    tail -n 5 "$log" >&2
    fail "pip could not install PsychMem and the packages it needs; $left; pip's last words are above, all of them in $log."
}

link() { # link NAME: puts a command of the environment into $bin
    if [ -h "$bin/$1" ] && [ "$(readlink "$bin/$1")" = "$venv/bin/$1" ]; then return; fi
    if [ -e "$bin/$1" ] || [ -h "$bin/$1" ]; then
        note "$bin/$1 is somebody else's and stays; ours is $venv/bin/$1"
        return
    fi
    ln -s -- "$venv/bin/$1" "$bin/$1"
}

do_install() {
    if is_taken && ! is_ours; then fail "$prefix holds an environment, or a log, that is not ours and stays as it is; choose another place with --prefix DIR."; fi
    say 'Looking for Python'
    find_python
    note "$("$python" -I -c 'import platform; print("Python", platform.python_version())') at $python"

    say "Making an environment in $venv"
    if [ "$dry_run" ]; then
        note "would make $venv and install PsychMem from $here into it"
        if [ "$only_environment" ]; then return; fi
        say "Putting psychmem and psychmem-hook into $bin"
        note "would link $bin/psychmem and $bin/psychmem-hook"
        [ "$no_agents" ] || { say 'Registering with your agents'; note 'would run: psychmem setup install'; }
        say 'Checking'
        note 'would run: psychmem doctor'
        return
    fi
    [ -d "$HOME/.rustup" ] || export RUSTUP_HOME="${RUSTUP_HOME:-$venv}" # pip asks for rustc's version, and a rustup would make ~/.rustup
    new_folders=''
    make_folder "$prefix"
    case $new_folders in *"$prefix
"*) chmod 700 -- "$prefix" ;; esac # memories will stand in it
    [ "$only_environment" ] || make_folder "$bin"
    printf '%s' "$new_folders" >>"$made"
    make_environment
    note 'installing PsychMem and the packages it needs; this takes up to a minute, and the network'
    fill_environment
    if [ "$only_environment" ]; then return; fi

    say "Putting psychmem and psychmem-hook into $bin"
    link psychmem
    link psychmem-hook

    if [ -z "$no_agents" ]; then
        say 'Registering with your agents'
        "$venv/bin/psychmem" install --no-next
    fi
    say 'Checking'
    "$venv/bin/psychmem" doctor
}

undo_folders() { # removes the folders that were not there before us and are empty now
    [ "$dry_run" ] && return
    folders=''
    if [ -f "$made" ]; then
        while IFS= read -r folder; do
            folders="$folder
$folders"
        done <"$made"
        rm -f -- "$made"
    fi
    printf '%s' "$folders" | while IFS= read -r folder; do rmdir -- "$folder" 2>/dev/null || :; done
    rmdir -- "$prefix" 2>/dev/null || :
}

calls_us() { # whether an agent still calls this environment
    grep -qsF "$venv/bin/psychmem" "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json" "${XDG_CONFIG_HOME:-$HOME/.config}/opencode/plugins/psychmem.js"
}

remove_links() {
    for name in psychmem psychmem-hook; do
        if [ -h "$bin/$name" ] && [ "$(readlink "$bin/$name")" = "$venv/bin/$name" ]; then run rm -f -- "$bin/$name"; fi
    done
}

take_out() { # what `psychmem uninstall --all` does, by this checkout
    if [ "$dry_run" ]; then return; fi
    find_python
    "$python" -I -B -c '
import os, sys
sys.path.insert(0, sys.argv[1])
from psychmem_py.home import files
from psychmem_py.installation import registration as ours
data = files.directories(os.environ).data
for folder in ours.with_ours(os.environ, ()):
    if why := ours.clear_folder(folder, str(data)):
        print("   ", why)
for edit in ours.unregister(list(ours.NAMES), os.environ, data):
    print("   ", "removed" if edit.after is None else "changed back", edit.path)
for path in ours.leftovers(os.environ):
    ours.remove_leftover(path)' "$here" || fail 'your agents still call PsychMem; run ./install.sh, then this again.'
}

do_uninstall() {
    if [ ! -e "$venv" ] && { calls_us || [ "$(readlink "$bin/psychmem")" = "$venv/bin/psychmem" ]; }; then
        say 'The environment is gone; taking PsychMem out of your agents'
        if calls_us; then take_out; fi
        remove_links
        undo_folders
        return
    fi
    is_ours || fail "PsychMem is not installed in $prefix; name the place with --prefix DIR."
    if [ ! -x "$venv/bin/psychmem" ] && { [ -d "$venv" ] || [ -e "$log" ]; }; then # what an installation that failed or was stopped has left
        run rm -rf -- "$venv" "$log"
        undo_folders
        note 'an unfinished installation was taken away'
        return
    fi
    [ -d "$venv" ] || fail "PsychMem is not installed in $prefix; name the place with --prefix DIR."
    say 'Taking PsychMem out of your agents'
    if [ "$dry_run" ]; then
        "$venv/bin/psychmem" uninstall --all --dry-run
    else
        "$venv/bin/psychmem" uninstall --all || fail 'your agents still call PsychMem; fix what the line above says (if nothing runs: ./install.sh first), then run this again.'
    fi
    say "Removing $venv"
    remove_links
    run rm -rf -- "$venv" "$log"
    undo_folders
    [ "$dry_run" ] && return
    if [ -d "$prefix" ]; then note "your memories stay in $prefix; remove that folder to forget everything"; fi
    say 'Done'
}

if [ "$uninstall" ]; then do_uninstall; else do_install; fi
