"""Records docs/push.svg from the real Claude Code: the same `git push` without PsychMem and with it. `python docs/recording.py`.

The client is installed from npm by the tests' helpers and runs in a terminal of tmux; its model is a script that asks for the
push both times, so that only the memory differs. What the picture shows is the terminal's own screen, cell by cell.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.e2e import claude  # noqa: E402

PICTURE = ROOT / "docs" / "push.svg"
RULE = "From now on never push to main, open a pull request instead."
PROMPT = "Publish the price list."
PUSH = {
    "text": "I'll publish it.",
    "tool_use": {"name": "Bash", "input": {"command": "git push origin main", "description": "Publish the price list"}},
}
COLUMNS, ROWS, CELL, LINE, TOP = 84, 26, 8.4, 18, 44
FRAMES = (  # title, how long it stays in seconds
    ("A new session, without PsychMem", 2.0),
    ("A new session, without PsychMem", 4.5),
    ("The same with PsychMem: earlier you said “never push to main”", 2.0),
    ("The same with PsychMem: earlier you said “never push to main”", 6.5),
)
_STYLE = re.compile(r"\x1b\[([\d;]*)m")
_BASIC = ("#000", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dcdfe4")


def recorded(root: Path) -> list[list[str]]:
    """The screens of FRAMES, each as lines with their escapes."""
    bare = root / "without"
    bare.mkdir()
    screens = list[list[str]]()
    with claude.Machine(root) as machine:
        for command in (("init", "-q", "--bare", "../remote.git"), ("remote", "add", "origin", "../remote.git")):
            subprocess.run(["git", *command], cwd=machine.shop, check=True)
        machine.run(RULE)
        (rule,) = machine.listed()
        machine.psychmem("edit", rule["id"], "--ask")
        for plugin, shown in ((bare, "is on main"), (machine.plugin, "Do you want to proceed")):
            machine.flags = ("--plugin-dir", str(plugin))
            machine.model.turns = [PUSH, "Done: the price list is on main."]
            allowed = ("--permission-mode", "default", "--allowedTools", "Bash(git push:*)")
            off = {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}  # else the one without us would read our block
            with machine.terminal(*allowed, columns=COLUMNS, **off) as terminal:
                terminal.shows(r"❯")
                terminal.type(PROMPT, "Left")
                screens.append(_lines(terminal.coloured(), machine.shop))
                terminal.type("", "Enter")
                terminal.shows(shown)
                screens.append(_lines(terminal.coloured(), machine.shop))
    return screens


def _lines(screen: str, project: Path) -> list[str]:
    """The lines of a screen; the project's path, made for this, is called ~/shop."""
    return [line.replace(str(project), "~/shop") for line in screen.rstrip().splitlines()][:ROWS]


def picture(screens: list[list[str]]) -> str:
    """The screens one after the other, for ever; the last alone for who wants nothing that moves."""
    wide, high = COLUMNS * CELL + 32, ROWS * LINE + TOP + 16
    whole = sum(stays for _, stays in FRAMES)
    styles, groups, begins = "", "", 0.0
    for number, ((title, stays), lines) in enumerate(zip(FRAMES, screens, strict=True)):
        start, end = 100 * begins / whole, 100 * (begins + stays) / whole
        begins += stays
        hidden = f"0%,{start - 0.01:.2f}%{{visibility:hidden}}" if start else ""
        styles += f"@keyframes f{number}{{{hidden}{start:.2f}%,{end - 0.01:.2f}%{{visibility:visible}}{end:.2f}%,100%{{visibility:hidden}}}}"
        styles += f"#f{number}{{visibility:hidden;animation:f{number} {whole}s step-end infinite}}"
        rows = "".join(_row(line, TOP + 14 + LINE * row) for row, line in enumerate(lines) if line.strip())
        groups += f'<g id="f{number}"><text x="16" y="28" class="title">{escape(title)}</text>{rows}</g>'
    last = len(FRAMES) - 1
    still = f"@media (prefers-reduced-motion:reduce){{g{{animation:none!important}}#f{last}{{visibility:visible!important}}}}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high}" width="{wide:.0f}" height="{high}" role="img">'
        "<title>The same git push in Claude Code: without PsychMem it runs; with it the client asks first, in the user's words</title>"
        f"<style>text{{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#dcdfe4;white-space:pre}}"
        f".title{{font:600 15px system-ui,sans-serif;fill:#fff}}{styles}{still}</style>"
        f'<rect width="100%" height="100%" rx="8" fill="#1b1e24"/><rect width="100%" height="{TOP - 4}" rx="8" fill="#2b303a"/>{groups}</svg>\n'
    )


def _row(line: str, y: int) -> str:
    """One line of a terminal as text, each run of cells of one style where it stands."""
    spans, style, column, at = "", "", 0, 0
    for match in (*_STYLE.finditer(line), None):
        run = line[at : match.start() if match else len(line)]
        if run.strip():
            spans += f'<tspan x="{16 + column * CELL:.1f}" textLength="{len(run) * CELL:.1f}"{style}>{escape(run)}</tspan>'
        column += len(run)
        if match:
            at, style = match.end(), _styled(match[1], style)
    return f'<text y="{y}">{spans}</text>'


def _styled(codes: str, before: str) -> str:
    """The attributes that a change of colour or weight leads to; backgrounds are left out."""
    parts = codes.split(";")
    if parts[:2] == ["38", "5"]:
        return re.sub(r' fill="[^"]*"', "", before) + f' fill="{_colour(int(parts[2]))}"'
    if codes in ("", "0"):
        return ""
    if codes == "39":
        return re.sub(r' fill="[^"]*"', "", before)
    if codes == "1":
        return before + ' font-weight="bold"' if "bold" not in before else before
    if codes == "2":
        return before + ' opacity=".6"' if "opacity" not in before else before
    return before


def _colour(number: int) -> str:
    """A colour of the 256 of a terminal."""
    if number < 16:
        return _BASIC[number % 8]
    if number > 231:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    cube = number - 16
    return "#" + "".join(f"{(55 + 40 * part if part else 0):02x}" for part in (cube // 36, cube // 6 % 6, cube % 6))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        PICTURE.write_text(picture(recorded(Path(folder))), "utf-8")
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size} bytes")
