"""The guides of docs/guides: every command of a page runs, and prints what the page shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from proxy.daemon import ROOT, VERNISD
from proxy.guides import (
    GUIDES,
    SEARCHED,
    START,
    START_HEADING,
    Command,
    File,
    Mismatch,
    Walk,
    agrees,
    in_five,
    section,
    steps,
)

PAGES = sorted(set(GUIDES.glob("*.md")) - {START})
#: Programs that a page uses, besides curl and those of every Debian.
NEEDS = {"tls": "haproxy", "http2": "haproxy"}
#: Pages whose commands change a whole machine -> the script that types them into one of its own.
MACHINES = {"beside-varnish": ROOT / "mk" / "try_beside.sh"}

pytestmark = pytest.mark.skipif(not VERNISD.exists(), reason="run make build first")


def beginning() -> str:
    """The commands with which every guide begins."""
    return START.read_text().partition(START_HEADING)[2]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_guide_does_what_it_shows(page: Path) -> None:
    if page.stem in MACHINES:
        pytest.skip(f"{MACHINES[page.stem].name} types its commands into a machine of its own: make test-deb-beside")
    if shutil.which(needed := NEEDS.get(page.stem, "sh"), path=SEARCHED) is None:
        pytest.skip(f"needs {needed}")
    with Walk() as walk:
        walk.follow(beginning() + page.read_text())


IN_FIVE = [page for page in PAGES if in_five(page.read_text()) is not None]


@pytest.mark.parametrize("page", IN_FIVE, ids=lambda page: page.stem)
def test_a_guide_does_the_same_with_its_policy_of_five(page: Path) -> None:
    text = in_five(page.read_text())
    assert text is not None and text.count("vcl 5.0;") == 2         # at its place, and where the page shows it
    with Walk() as walk:
        walk.follow(beginning() + text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_guide_has_a_goal_a_policy_and_commands(page: Path) -> None:
    text = page.read_text()
    assert "After this page " in text.partition("\n")[2][:200]
    found = steps(text)
    assert any(isinstance(step, File) for step in found) and any(isinstance(step, Command) for step in found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_policy_of_a_guide_is_without_findings(page: Path, tmp_path: Path) -> None:
    files = [step for step in steps(page.read_text()) if isinstance(step, File)]
    for file in files:
        (tmp_path / file.name).parent.mkdir(exist_ok=True)
        (tmp_path / file.name).write_text(file.text)
    policies = [file.name for file in files if file.name.endswith(".vcl") and ".test." not in file.name]
    if not policies:
        assert page.stem in MACHINES, "the page has no policy"
        return
    linted = subprocess.run(
        [str(ROOT / "build/bin/vernis"), "lint", "--vmod-path", "modules", *policies],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (linted.returncode, linted.stdout) == (0, "")


@pytest.mark.parametrize("page", MACHINES)
def test_a_script_types_all_sections_with_commands(page: str) -> None:
    text = (GUIDES / f"{page}.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.M)
    typed = [heading for heading in headings if any(isinstance(step, Command) for step in steps(section(text, heading)))]
    assert re.findall(r'^guide "?(.*?)"?$', MACHINES[page].read_text(), re.M) == typed


# ---- the runner --------------------------------------------------------------------------------------------


def test_files_and_commands_are_found_in_their_order() -> None:
    page = "```vcl a.vcl\nvcl 4.1;\n```\ntext\n```console until\n$ one \\\n  two\nout\n$ three\n```\n```vcl\nnot a file\n```\n"
    assert steps(page) == [
        File("a.vcl", "vcl 4.1;\n"),
        Command("one \\\n  two\n", "out\n", True),
        Command("three\n", "", True),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b d\n", False),
        ("...\nlast\n", "one\ntwo\nlast\n", True),
        ("...\nlast\n", "one\ntwo\n", False),
        ("...\n", "", True),
        ("", "surprise\n", False),
        ("a.c\n", "abc\n", False),  # no pattern
    ],
)
def test_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert agrees(shown, printed) is same


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ echo two\none\n```\n",  # other output
        "```console\n$ false\n```\n",  # failed
        "```console\n$ echo surprise\n```\n",  # output that the page does not show
    ],
)
def test_a_guide_that_is_wrong_fails(page: str) -> None:
    with Walk() as walk, pytest.raises(Mismatch):
        walk.follow(page)


def test_a_command_is_repeated_until_it_prints_what_is_shown() -> None:
    with Walk() as walk:
        walk.follow("```console\n$ n=0\n```\n```console until\n$ n=$((n + 1)); echo $n\n3\n```\n")


def test_ports_of_the_text_become_free_ports_and_are_shown_as_written() -> None:
    with Walk() as walk:
        walk.follow("```console\n$ echo http://127.0.0.1:6081/ 6081\nhttp://127.0.0.1:6081/ 6081\n```\n")
        assert walk.shell.run("echo 1")[1] == "1\n"
        assert walk.ports["6081"] != "6081"
