"""Draws docs/architecture.svg from the imports: `python docs/picture.py`, or `--check` to only say whether it is stale.

An arrow leads from a package to one it imports; it is left out where a longer way says the same. The rows are the floors of
`tests/test_architecture.py`.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.test_architecture import FLOOR, FLOORS, MODULES, PURE, imports, package, package_of  # noqa: E402

PICTURE = ROOT / "docs" / "architecture.svg"
WIDE, HIGH, BOX_WIDE, BOX_HIGH, TOP = 900, 74, 128, 36, 56
ROWS = [line.split("  ")[0].split() for line in FLOORS.strip().splitlines()]
Edge = tuple[str, str]
Node = tuple[str, ...]  # a package, or the place where an arrow passes a floor: (from, to)


def needs() -> dict[str, set[str]]:
    """What each package imports of the others."""
    found: dict[str, set[str]] = {name: set() for name in FLOOR}
    for path in MODULES:
        own = package_of(path)
        if own:
            ours = {package(name) for name in imports(path) if name.split(".")[0] == "psychmem_py"}
            found[own] |= ours - {"", own}
    return found


def arrows(found: dict[str, set[str]]) -> list[Edge]:
    """The imports that no longer way implies, in order."""

    def below(name: str) -> set[str]:
        return found[name].union(*(below(other) for other in found[name]))

    return sorted(
        (name, other)
        for name, others in found.items()
        for other in others
        if not any(other in below(between) for between in others - {other})
    )


def rows_of(edges: list[Edge]) -> tuple[list[list[Node]], list[list[Node]]]:
    """Every floor's nodes from left to right, and each arrow's way through them."""
    rows: list[list[Node]] = [[(name,) for name in row] for row in ROWS]
    ways = []
    for start, end in edges:
        first, last = -FLOOR[start], -FLOOR[end]
        for level in range(first + 1, last):
            rows[level].append((start, end))
        ways.append([(start,), *[(start, end)] * (last - first - 1), (end,)])
    for turn in range(24):  # each node goes to the middle of its neighbours above, then below, in turn
        step = 1 if turn % 2 else -1
        for level in range(1, len(rows)) if step < 0 else range(len(rows) - 2, -1, -1):
            sort(rows[level], places(rows[level + step]), neighbours(ways, level, step))
    return rows, ways


def neighbours(ways: list[list[Node]], level: int, step: int) -> dict[Node, list[Node]]:
    """For each node of a floor those on the next one, `step` away, that an arrow ties it to."""
    found: dict[Node, list[Node]] = {}
    for way in ways:
        at = level + FLOOR[way[0][0]]  # a floor's number is the package's, turned round
        if 0 <= at < len(way) and 0 <= at + step < len(way):
            found.setdefault(way[at], []).append(way[at + step])
    return found


def sort(row: list[Node], beside: dict[Node, float], tied: dict[Node, list[Node]]) -> None:
    """Brings a floor into the order of its neighbours' middles; what has none keeps its place."""
    own = places(row)

    def middle(node: Node) -> tuple[float, Node]:
        near = [beside[other] for other in tied.get(node, ())]
        return (sum(near) / len(near) if near else own[node]), node

    row.sort(key=middle)


def places(row: list[Node]) -> dict[Node, float]:
    """The middle of each node of a floor, in units of the picture's width; a passing arrow takes less room than a package."""
    widths = [BOX_WIDE + 34 if len(node) == 1 else 46 for node in row]
    left = (WIDE - sum(widths)) / 2
    return {node: left + sum(widths[:at]) + widths[at] / 2 for at, node in enumerate(row)}


def drawn() -> str:
    """The picture."""
    edges = arrows(needs())
    rows, ways = rows_of(edges)
    at = [places(row) for row in rows]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {TOP + HIGH * len(rows)}" font-family="system-ui, sans-serif" '
        'font-size="14">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#6b7280"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<text x="20" y="28" font-size="15" fill="#111827">Who imports whom; green: pure. An arrow stands only where no longer way says the same.</text>',
    ]
    for way in ways:
        top = -FLOOR[way[0][0]]
        points = [(at[top + step][node], TOP + HIGH * (top + step)) for step, node in enumerate(way)]
        path = f"M{points[0][0]:.0f} {points[0][1] + BOX_HIGH}"
        for step, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
            leaves, half = y + BOX_HIGH, (HIGH - BOX_HIGH) / 2
            ends = to_y - (1 if step == len(points) - 2 else 0)
            path += f" C{x:.0f} {leaves + half:.0f} {to_x:.0f} {ends - half:.0f} {to_x:.0f} {ends}"
            path += f" V{to_y + BOX_HIGH}" if step < len(points) - 2 else ""
        lines.append(f'<path d="{path}" fill="none" stroke="#6b7280" stroke-width="1.2" marker-end="url(#head)"/>')
    for level, row in enumerate(rows):
        for node in row:
            if len(node) == 1:
                x, y = at[level][node], TOP + HIGH * level
                fill, edge = ("#ecfdf5", "#059669") if node[0] in PURE else ("#f3f4f6", "#4b5563")
                lines.append(
                    f'<rect x="{x - BOX_WIDE / 2:.0f}" y="{y}" width="{BOX_WIDE}" height="{BOX_HIGH}" rx="6" fill="{fill}" '
                    f'stroke="{edge}"/><text x="{x:.0f}" y="{y + 23}" text-anchor="middle" fill="#111827">{node[0]}</text>'
                )
    return "\n".join([*lines, "</svg>", ""])


def main() -> int:
    fresh = drawn()
    if PICTURE.exists() and PICTURE.read_text("utf-8") == fresh:
        return 0
    print("docs/architecture.svg is stale; run python docs/picture.py")
    if "--check" in sys.argv:
        return 1
    PICTURE.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
