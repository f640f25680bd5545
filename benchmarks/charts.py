"""Charts of benchmarks as SVG: small files for docs, readable on light and dark pages.

Lines have a panel for each picture, bars a group for each row. Text is text, so a chart can be searched, and
a colour scheme of the reader chooses the colours (the same as in docs/pictures).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

Point = tuple[float, float]

STYLE = """<style>
  svg { color-scheme: light dark }
  text { font: 12px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #59636e }
  .title { font-weight: 600; font-size: 13px; fill: #1f2328 }
  .card { fill: #ffffff; stroke: #d1d9e0 }
  .grid { stroke: #eaeef2 }
  .line { fill: none; stroke-width: 2 }
  .c0 { --c: #0969da } .c1 { --c: #cf222e } .c2 { --c: #1a7f37 } .c3 { --c: #9a6700 }
  .c4 { --c: #8250df } .c5 { --c: #bf3989 } .c6 { --c: #59636e }
  .line { stroke: var(--c) } .mark { fill: var(--c) }
  @media (prefers-color-scheme: dark) {
    text { fill: #a9b3be }
    .title { fill: #f0f6fc }
    .card { fill: #0d1117; stroke: #3d444d }
    .grid { stroke: #21262d }
    .c0 { --c: #4493f8 } .c1 { --c: #f85149 } .c2 { --c: #3fb950 } .c3 { --c: #d29922 }
    .c4 { --c: #ab7df8 } .c5 { --c: #db61a2 } .c6 { --c: #9198a1 }
  }
</style>"""
COLOURS = 7
MARGIN = 16
PANEL_WIDTH, PANEL_HEIGHT = 300, 190
LEFT, BOTTOM, TOP = 48, 36, 28  # of a panel, around its axes
BAR_HEIGHT, BAR_GAP, BAR_TEXT, BAR_WIDTH, BAR_VALUE = 14, 10, 210, 430, 90


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: lines by name over a common axis. ``log``: both axes; otherwise y begins at 0."""

    title: str
    below: str
    lines: Mapping[str, Sequence[Point]]
    log: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """One row of bars by name."""

    title: str
    values: Mapping[str, float]


def number(value: float) -> str:
    """Short: 1500 is 1.5k."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text{named} x="{x:.0f}" y="{y:.0f}"{placed}>{escape(words)}</text>'


def rule(x: float, y: float, to_x: float) -> str:
    return f'<path class="grid" d="M{x:.1f} {y:.1f}H{to_x:.1f}"/>'


def ticks(low: float, high: float, log: bool) -> list[float]:
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0**power for power in range(first, last + 1)]
    step = 10.0 ** math.floor(math.log10(high or 1))
    while high / step < 3:
        step /= 2
    while high / step > 6:
        step *= 2
    return [step * i for i in range(math.ceil(high / step) + 1)]


def scale(marks: list[float], length: float, log: bool) -> Callable[[float], float]:
    """From a value to a distance from the low end of the axis."""
    place: Callable[[float], float] = math.log10 if log else float
    low, high = place(marks[0]), place(marks[-1])
    return lambda value: (place(value) - low) / ((high - low) or 1) * length


def panel(of: Panel, names: list[str], x: float, y: float) -> list[str]:
    points = [point for line in of.lines.values() for point in line]
    parts = [text(x, y + 14, of.title, "title")]
    if not points:
        return parts
    left, top = x + LEFT, y + TOP
    width, height = PANEL_WIDTH - LEFT - MARGIN, PANEL_HEIGHT - TOP - BOTTOM
    across = ticks(min(p[0] for p in points), max(p[0] for p in points), of.log)
    up = ticks(min(p[1] for p in points), max(p[1] for p in points), of.log)
    at_x, at_y = scale(across, width, of.log), scale(up, height, of.log)
    for mark in up:
        level = top + height - at_y(mark)
        parts += [rule(left, level, left + width), text(left - 6, level + 4, number(mark), "", "end")]
    for mark in across:
        parts.append(text(left + at_x(mark), top + height + 16, number(mark), "", "middle"))
    parts.append(text(left + width / 2, top + height + 31, of.below, "", "middle"))
    for name, line in of.lines.items():
        colour = f"c{names.index(name) % COLOURS}"
        placed = [(left + at_x(a), top + height - at_y(b)) for a, b in line]
        way = "L".join(f"{a:.1f} {b:.1f}" for a, b in placed)
        parts.append(f'<path class="line {colour}" d="M{way}"/>')
        if len(placed) <= 20:
            dots = "".join(f"M{a:.1f} {b:.1f}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0" for a, b in placed)
            parts.append(f'<path class="mark {colour}" d="{dots}"/>')
    return parts


def legend(names: list[str], x: float, y: float) -> list[str]:
    parts = []
    for place, name in enumerate(names):
        colour, size = f"c{place % COLOURS}", 'width="10" height="10"'
        parts.append(f'<rect class="mark {colour}" x="{x:.0f}" y="{y - 9:.0f}" {size} rx="2"/>')
        parts.append(text(x + 15, y, name))
        x += 30 + 7 * len(name)
    return parts


def write(path: Path, title: str, width: float, height: float, parts: list[str]) -> None:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n<title>{escape(title)}</title>\n'
    )
    card = f'<rect class="card" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="8"/>'
    path.write_text("\n".join([head + STYLE, card, *parts, "</svg>"]) + "\n")
    print(f"chart: {path}")


def draw_lines(title: str, rows: Sequence[Sequence[Panel]], path: Path) -> None:
    """Rows of panels below one legend. A line has the same colour in all panels."""
    names = list(dict.fromkeys(name for row in rows for of in row for name in of.lines))
    columns = max(len(row) for row in rows)
    parts = [text(MARGIN, MARGIN + 10, title, "title"), *legend(names, MARGIN, MARGIN + 32)]
    for i, row in enumerate(rows):
        for j, of in enumerate(row):
            parts += panel(of, names, MARGIN + j * PANEL_WIDTH, 64 + i * PANEL_HEIGHT)
    write(path, title, 2 * MARGIN + columns * PANEL_WIDTH, 64 + MARGIN + len(rows) * PANEL_HEIGHT, parts)


def draw_bars(title: str, unit: str, rows: Sequence[Bars], path: Path, log: bool = False) -> None:
    """Bars of each row below one legend, with their values. ``log``: their lengths are logarithms."""
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    values = [value for row in rows for value in row.values.values() if value > 0]
    low = min(values) / 10

    def length(value: float) -> float:
        share = math.log(value / low) / math.log(max(values) / low) if log else value / max(values)
        return BAR_WIDTH * share

    parts = [text(MARGIN, MARGIN + 10, title, "title"), *legend(names, MARGIN, MARGIN + 32)]
    left, y = MARGIN + BAR_TEXT, 64.0
    for row in rows:
        parts.append(text(left - 8, y + BAR_HEIGHT * len(row.values) / 2 + 4, row.title, "", "end"))
        for i, (name, value) in enumerate(row.values.items()):
            top, colour = y + i * BAR_HEIGHT, f"c{names.index(name) % COLOURS}"
            size = f'width="{length(value):.1f}" height="{BAR_HEIGHT - 2}"'
            parts.append(f'<rect class="mark {colour}" x="{left}" y="{top:.0f}" {size} rx="2"/>')
            parts.append(text(left + length(value) + 6, top + BAR_HEIGHT - 3, f"{number(value)} {unit}"))
        y += BAR_HEIGHT * len(row.values) + BAR_GAP
    write(path, title, left + BAR_WIDTH + BAR_VALUE + MARGIN, y + MARGIN, parts)
