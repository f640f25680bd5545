"""Draws docs/pictures/NAME.toml as docs/pictures/NAME.svg. Equal sources give equal bytes.

A source is a list of boxes, arrows, frames and texts with their positions in pixels. `join` are the points
where lines meet. A source with `rooms` is
drawn from the code: one row per room, one dot for each room that it includes or imports, as
tests/test_house.py reads them. The SVG itself adapts its colours to light or dark mode, because GitHub shows
it by <img>. A text that does not fit its box is an error.

    python3 mk/pictures.py          # writes all of them, as `make docs` does
"""

from __future__ import annotations

import math
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "docs/pictures"
MARGIN, LINE, CORNER, HEAD = 10, 17, 6, 7
#: Width of a character in pixels, a little above that of common fonts.
CHARACTER = {"title": 8.0, "line": 6.9, "code": 6.95, "note": 6.1}

Point = tuple[float, float]
Table = dict[str, Any]

TEXT_FONTS = '-apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif'
CODE_FONTS = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'
STYLE = """
  svg { color-scheme: light dark }
  text { font: 13px TEXT_FONTS; fill: #1f2328 }
  .title { font-weight: 600; font-size: 14px }
  .line, .label, .note { fill: #59636e }
  .label, .note { font-size: 12px }
  .code { font: 11.5px CODE_FONTS; fill: #59636e }
  .label { stroke: #ffffff; stroke-width: 7px; paint-order: stroke; stroke-linejoin: round }
  .card { fill: #ffffff; stroke: #d1d9e0 }
  .frame { fill: none; stroke: #d1d9e0; stroke-dasharray: 5 4 }
  .outside { fill: #f6f8fa; stroke: #afb8c1 }
  .process { fill: #ddf4ff; stroke: #54aeff }
  .hook { fill: #dafbe1; stroke: #4ac26b }
  .memory { fill: #fff8c5; stroke: #d4a72c }
  .arrow { fill: none; stroke: #59636e; stroke-width: 1.4 }
  .dashed { stroke-dasharray: 5 4 }
  .head { fill: #59636e }
  .dot { fill: #0969da }
  .self { fill: #d1d9e0 }
  .rule { stroke: #eaeef2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .line, .label, .note, .code { fill: #a9b3be }
    .label { stroke: #0d1117 }
    .card { fill: #0d1117; stroke: #3d444d }
    .frame { stroke: #3d444d }
    .outside { fill: #151b23; stroke: #656c76 }
    .process { fill: #10233f; stroke: #3477cc }
    .hook { fill: #10291a; stroke: #2d8a46 }
    .memory { fill: #2b2310; stroke: #9e7718 }
    .arrow { stroke: #9198a1 }
    .head { fill: #9198a1 }
    .dot { fill: #58a6ff }
    .self { fill: #3d444d }
    .rule { stroke: #21262d }
  }
""".replace("TEXT_FONTS", TEXT_FONTS).replace("CODE_FONTS", CODE_FONTS)


class WrongSource(Exception):
    """An error in a source, with the name of its box or arrow."""


def number(value: float) -> str:
    return f"{value:g}"


def pair(point: Point) -> str:
    return f"{number(round(point[0], 2))} {number(round(point[1], 2))}"


def note(row: Table, width: float) -> str:
    """A line of small text that starts at its position."""
    if row["at"][0] + len(row["text"]) * CHARACTER["note"] > width:
        raise WrongSource(f"{row['text']!r} is too long for the picture")
    return text((row["at"][0], row["at"][1]), row["text"], "note")


def text(at: Point, words: str, kind: str, anchor: str = "start") -> str:
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{kind}" x="{number(at[0])}" y="{number(at[1])}"{where}>{escape(words)}</text>'


def rectangle(at: list[float], kind: str, corner: int = CORNER) -> str:
    x, y, width, height = map(number, at)
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{corner}"/>'


# ---- boxes -------------------------------------------------------------------------------------------------


def lines_of(box: Table) -> list[tuple[str, str]]:
    """Kind and text of each line of a box: the title, then the lines. A line between backticks is code."""
    titles = [("title", box["title"])] if "title" in box else []
    return titles + [
        ("code", line.strip("`")) if line.startswith("`") else ("line", line) for line in box.get("lines", [])
    ]


def draw_box(box: Table) -> list[str]:
    x, y, width, height = box["at"]
    lines = lines_of(box)
    for kind, words in lines:
        if len(words) * CHARACTER[kind] > width - 2:
            raise WrongSource(f"{words!r} is too long for its box of {width}")
    if len(lines) * LINE > height:
        raise WrongSource(f"{lines[0][1]!r} has too many lines for its box of {height}")
    top = y + (height - len(lines) * LINE) / 2 + LINE - 4.5
    middle = [
        text((x + width / 2, top + LINE * at), words, kind, "middle")
        for at, (kind, words) in enumerate(lines)
    ]
    return [rectangle(box["at"], box["kind"]), *middle]


# ---- arrows ------------------------------------------------------------------------------------------------


def end_of(boxes: dict[str, Table], place: str) -> tuple[Point, str]:
    """The point and side of "id side" or "id side 40": the middle of the side, or 40 pixels along it."""
    name, side, *far = place.split()
    if name not in boxes:
        raise WrongSource(f"no box {name!r}")
    x, y, width, height = boxes[name]["at"]
    across = x + (float(far[0]) if far else width / 2)
    down = y + (float(far[0]) if far else height / 2)
    return {
        "left": (x, down),
        "right": (x + width, down),
        "top": (across, y),
        "bottom": (across, y + height),
    }[side], side


def corners(start: Point, leaves: str, end: Point, enters: str) -> list[Point]:
    """Corners of a path of horizontal and vertical lines."""
    sideways = ("left", "right")
    if start[0] == end[0] or start[1] == end[1]:
        return []
    if leaves in sideways and enters in sideways:
        middle = (start[0] + end[0]) / 2
        return [(middle, start[1]), (middle, end[1])]
    if leaves in sideways:
        return [(end[0], start[1])]
    if enters in sideways:
        return [(start[0], end[1])]
    middle = (start[1] + end[1]) / 2
    return [(start[0], middle), (end[0], middle)]


def toward(one: Point, other: Point, far: float) -> Point:
    """The point `far` pixels from `one` towards `other`, which lies beside, above or below it."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = abs(dx) + abs(dy)
    return one[0] + dx / length * far, one[1] + dy / length * far


def way(points: list[Point]) -> str:
    """A line through the points, with round corners."""
    parts = ["M" + pair(points[0])]
    for before, corner, after in zip(points, points[1:], points[2:]):
        begin, end = toward(corner, before, CORNER), toward(corner, after, CORNER)
        parts.append(f"L{pair(begin)} Q{pair(corner)} {pair(end)}")
    return " ".join([*parts, "L" + pair(points[-1])])


def head(tip: Point, before: Point) -> str:
    back = toward(tip, before, HEAD)
    dx, dy = (back[1] - tip[1]) * 0.55, (back[0] - tip[0]) * 0.55
    points = [tip, (back[0] + dx, back[1] + dy), (back[0] - dx, back[1] - dy)]
    return f'<path class="head" d="M{" L".join(map(pair, points))} Z"/>'


def draw_arrow(arrow: Table, boxes: dict[str, Table]) -> tuple[list[str], list[str]]:
    """The line and its label. Labels are drawn above all lines."""
    (start, leaves), (end, enters) = end_of(boxes, arrow["from"]), end_of(boxes, arrow["to"])
    between = [(x, y) for x, y in arrow["via"]] if "via" in arrow else corners(start, leaves, end, enters)
    points = [start, *between, end]
    line = [*points[:-1], toward(end, points[-2], HEAD - 1)]
    if arrow.get("both"):
        line[0] = toward(start, points[1], HEAD - 1)
    kind = "arrow dashed" if arrow.get("dashed") else "arrow"
    drawn = [f'<path class="{kind}" d="{way(line)}"/>', head(end, points[-2])]
    if arrow.get("both"):
        drawn.append(head(start, points[1]))
    return drawn, draw_label(arrow, points)


def draw_label(arrow: Table, points: list[Point]) -> list[str]:
    """Position of a label: the one in the source, else the middle of the longest part of the path."""
    if "label" not in arrow:
        return []
    one, other = max(zip(points, points[1:]), key=lambda part: math.dist(*part))
    x, y = arrow.get("label_at", ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2))
    lines = arrow["label"].split("\n")
    top = y - (len(lines) - 1) * 15 / 2 + 4
    return [text((x, top + 15 * at), words, "label", "middle") for at, words in enumerate(lines)]


# ---- rooms -------------------------------------------------------------------------------------------------

ROW, COLUMN = 24, 24
PURPOSES, NAMES = 86, 430  # where purposes start, and where names and purposes end


def arrows_of_code(part: str) -> set[tuple[str, str]]:
    """Pairs of a room and a room that it includes or imports, from the sources."""
    sys.path.insert(0, str(ROOT / "tests"))
    import test_house

    if part == "runtime":
        return {row.rooms for row in test_house.includes()}
    return {(room, target) for _file, room, target in test_house.imports()}


def draw_rooms(part: Table) -> list[str]:
    """The rooms of one part of the code: one row per room, and the names again above the diagonal."""
    left, top = part["at"]
    names = [name for name, _purpose in part["rows"]]
    arrows = arrows_of_code(part["part"])
    drawn = [text((left, top - 12), part["title"], "title")]
    for at, (name, purpose) in enumerate(part["rows"]):
        y = top + ROW * at + ROW / 2
        grid = left + NAMES + COLUMN / 2
        end = grid + COLUMN * at
        drawn += [
            f'<path class="rule" d="M{pair((left, y + ROW / 2))} H{number(end + 16)}"/>',
            text((left, y + 4.5), name, ""),
            text((left + PURPOSES, y + 4.5), purpose, "note"),
        ]
        drawn += [
            f'<circle class="dot" cx="{number(grid + COLUMN * to)}" cy="{number(y)}" r="4.5"/>'
            for to, other in enumerate(names[:at])
            if (name, other) in arrows
        ]
        drawn += [
            rectangle([end - 5, y - 5, 10, 10], "self", 2),
            f'<text class="note" transform="translate({pair((end + 4, y - 18))}) rotate(-50)">'
            f"{escape(name)}</text>",
        ]
    return drawn


# ---- pictures ----------------------------------------------------------------------------------------------


def draw(source: Table) -> str:
    """The SVG of a source."""
    width, height = source["size"]
    boxes = {box["id"]: box for box in source.get("box", []) if "id" in box}
    arrows = [draw_arrow(arrow, boxes) for arrow in source.get("arrow", [])]
    drawn = [rectangle([0.5, 0.5, width - 1, height - 1], "card", 8)]
    for frame in source.get("frame", []):
        x, y = frame["at"][:2]
        drawn += [rectangle(frame["at"], "frame", 8), text((x + MARGIN, y + 19), frame["title"], "note")]
    drawn += [part for lines, _label in arrows for part in lines]
    drawn += [f'<circle class="head" cx="{x}" cy="{y}" r="3.5"/>' for x, y in source.get("join", [])]
    drawn += [part for box in source.get("box", []) for part in draw_box(box)]
    drawn += [part for _lines, label in arrows for part in label]
    drawn += [note(row, width) for row in source.get("text", [])]
    drawn += [row for part in source.get("rooms", []) for row in draw_rooms(part)]
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    drawn.insert(0, f"<title>{escape(source['title'])}</title>\n<style>{STYLE}</style>")
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', *drawn, "</svg>\n"])


def pictures() -> dict[Path, str]:
    """Each picture's file and its SVG text."""
    made = {}
    for path in sorted(SOURCES.glob("*.toml")):
        try:
            made[path.with_suffix(".svg")] = draw(tomllib.loads(path.read_text()))
        except WrongSource as wrong:
            raise WrongSource(f"{path.name}: {wrong}") from None
    return made


if __name__ == "__main__":
    for picture, content in pictures().items():
        picture.write_text(content)
