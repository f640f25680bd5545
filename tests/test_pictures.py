"""The pictures in docs/pictures: each committed SVG is drawn from its source, and each file that a source
names exists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_house import ROOT, chains_of_tour, rooms_of_makefile

sys.path.insert(0, str(ROOT / "mk"))

import pictures

SOURCES = sorted(pictures.SOURCES.glob("*.toml"))


def test_each_picture_is_drawn_from_its_source() -> None:
    """Also fails when a room begins to include another room: look at the new picture, then commit it."""
    made = pictures.pictures()
    assert {path.name for path in made} == {path.name for path in pictures.SOURCES.glob("*.svg")}
    assert [path.name for path, content in made.items() if path.read_text() != content] == [], "run: make docs"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_picture_is_sound_and_has_colours_for_both_modes(source: Path) -> None:
    svg = source.with_suffix(".svg").read_text()
    assert ElementTree.fromstring(svg).get("role") == "img"
    light, dark = svg.split("@media (prefers-color-scheme: dark)")
    drawn = {word for names in re.findall(r'class="([^"]+)"', svg) for word in names.split()} - {"dashed", "title"}
    assert [name for name in sorted(drawn) if f".{name}" not in light.partition("</style>")[0] or f".{name}" not in dark] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_files_that_a_picture_names_exist(source: Path) -> None:
    named = re.findall(r"[a-z][\w/]*/(?:\w+\.(?:c|h|py)|(?=`))", "".join(re.findall(r"`[^`]+`", source.read_text())))
    assert [name for name in named if not any((ROOT / part / name).exists() for part in ("runtime", "compiler"))] == []


def test_the_picture_of_the_rooms_has_all_rooms_in_order() -> None:
    runtime, compiler = tomllib.loads((pictures.SOURCES / "rooms.toml").read_text())["rooms"]
    assert [row[0] for row in runtime["rows"]] == [*rooms_of_makefile(), "main"]
    names = [row[0] for row in compiler["rows"]]
    chains = chains_of_tour("compiler")
    assert set(names) == {room for chain in chains for room in chain}
    assert all([room for room in names if room in chain] == chain for chain in chains)


@pytest.mark.parametrize("source, wrong", [
    ({"box": [{"at": [0, 0, 40, 40], "kind": "process", "lines": ["longer than its box"]}]}, "too long for its box"),
    ({"box": [{"at": [0, 0, 90, 20], "kind": "process", "title": "a", "lines": ["b"]}]}, "too many lines"),
    ({"arrow": [{"from": "a left", "to": "b left"}]}, "no box 'a'"),
    ({"text": [{"at": [90, 9], "text": "over the edge"}]}, "too long for the picture"),
])
def test_a_source_that_would_look_wrong_is_an_error(source: pictures.Table, wrong: str) -> None:
    with pytest.raises(pictures.WrongSource, match=wrong):
        pictures.draw({"title": "a picture", "size": [100, 100], **source})


def test_the_pictures_of_output_show_what_the_commands_print() -> None:
    done = subprocess.run([sys.executable, "mk/screens.py", "--check"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
