"""What the documents name exists: links, files in the "where is X" table, commands and make targets."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text())
    missing = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert missing == []


def test_files_of_the_table_exist() -> None:
    table = (ROOT / "docs" / "architecture.md").read_text().partition("## Where is X")[2].partition("\n## ")[0]
    missing = []
    for row in table.splitlines():
        folder = ""
        for name in re.findall(r"`([^`]+)`", row.rpartition("|")[0].rpartition("|")[2]):
            if "." not in name and "/" not in name or name.startswith("vernis "):
                continue
            path = name if "/" in name or name == "Makefile" else folder + name
            folder = path.rpartition("/")[0] + "/"
            if not list(ROOT.glob(path)):
                missing.append(path)
    assert missing == []


def test_commands_of_the_readme_are_known() -> None:
    readme = (ROOT / "README.md").read_text()
    named = set(re.findall(r"^    build/bin/vernis ([a-z-]+)", readme, re.M))
    assert named
    for command in named:
        done = subprocess.run([str(ROOT / "build/bin/vernis"), command, "--help"], capture_output=True, text=True)
        assert done.returncode == 0, command


def test_make_targets_of_the_readme_exist() -> None:
    for target in set(re.findall(r"`?make ([a-z]+)", (ROOT / "README.md").read_text())) - {"help"}:
        done = subprocess.run(["make", "-n", target, "SKIP_PACKAGES=1"], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_parameters_in_the_manual_are_those_of_the_daemon() -> None:
    """Which act, which are ours, and which are accepted without effect."""
    table = (ROOT / "runtime" / "admin" / "param_table.c").read_text()
    flags = dict(re.findall(r'^    \{ "(\w+)", PARAM_\w+, ([^,]+),', table, re.M))
    manual = (ROOT / "docs" / "daemon.md").read_text().split("## Parameters")[1]
    acting, rest = manual.split("These are accepted, checked, shown, and have no effect")
    rows = dict(re.findall(r"^\| `(\w+)`( \*)? \|", acting, re.M))
    assert rows.keys() == {name for name, said in flags.items() if "NO_EFFECT" not in said}
    assert {name for name, star in rows.items() if star} == {name for name, said in flags.items() if "PARAM_OURS" in said}
    assert set(re.findall(r"`(\w+)`", rest.split("`param.show`")[1])) == {name for name, said in flags.items() if "NO_EFFECT" in said}
