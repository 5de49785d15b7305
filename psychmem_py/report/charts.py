"""Small charts as inline SVG with names for screen readers. Pure: numbers in, markup out; colours come from the page's style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape


def curve(values: Sequence[float], label: str, *, wide: int = 120, high: int = 36) -> str:
    """A line of shares in [0, 1], from left to right, over a base line."""
    step = wide / max(1, len(values) - 1)
    points = " ".join(f"{number * step:.1f},{1 + (1 - value) * (high - 2):.1f}" for number, value in enumerate(values))
    return (
        f'<svg class="curve" role="img" aria-label="{escape(label)}" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<title>{escape(label)}</title>"
        f'<line x1="0" x2="{wide}" y1="{high - 1}" y2="{high - 1}" class="base"/>'
        f'<polyline points="{points}" class="line"/></svg>'
    )


def share_bar(parts: Mapping[str, int], label: str) -> str:
    """One bar, cut by how many there are of each, with a legend in words."""
    total = sum(parts.values())
    if not total:
        return ""
    pieces, at = [], 0.0
    for index, number in enumerate(parts.values()):
        width = 600 * number / total
        if number:
            pieces.append(f'<rect class="part{index}" x="{at:.1f}" y="0" width="{max(0.0, width - 2):.1f}" height="18" rx="3"/>')
        at += width
    told = ", ".join(f"{number} {name}" for name, number in parts.items())
    legend = "".join(
        f'<li><span class="dot part{index}"></span>{escape(name)} <b>{number}</b></li>'
        for index, (name, number) in enumerate(parts.items())
    )
    return (
        f'<svg role="img" aria-label="{escape(label)}: {escape(told)}" viewBox="0 0 600 18" width="100%" height="18"'
        f' preserveAspectRatio="none"><title>{escape(told)}</title>{"".join(pieces)}</svg><ul class="legend">{legend}</ul>'
    )


def left_bar(share: float) -> str:
    """How much of a memory is left, as a bar with its number."""
    return (
        f'<span class="left"><svg aria-hidden="true" viewBox="0 0 40 6" width="40" height="6"><rect class="rest" width="40" height="6" rx="3"/>'
        f'<rect class="full" width="{40 * share:.1f}" height="6" rx="3"/></svg> {share:.0%}</span>'
    )
