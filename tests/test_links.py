"""Links, anchors and paths in the documents exist, and the index names each page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = "grammar|compiler|runtime|tests|docs|mk|examples|benchmarks"
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
#: A path from the top of the repository, in running text, in backticks or in a command. `*` is a wildcard.
PATH = re.compile(rf"(?<![\w/.$~-])((?:{FOLDERS})/[\w./*-]*[\w/*])")
PLACEHOLDER = re.compile(r"/[A-Z]{2,}\b")           # runtime/ROOM/params.toml


def documents() -> list[Path]:
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in sorted(listed.split()) if (ROOT / name).is_file()]


def prose(text: str) -> str:
    """The text without code: links in fenced blocks, indented blocks and backticks do not count."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"``.+?``|`[^`\n]*`", "", re.sub(r"^ {4}(?! *[-*\d]).*$", "", text, flags=re.M))


def anchors(document: Path) -> set[str]:
    """Anchors of the headings, made as GitHub makes them."""
    found: dict[str, int] = {}
    names = set()
    for heading in re.findall(r"^#+ +(.+?) *$", re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S), re.M):
        shown = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return names


def dead_links(document: Path, text: str) -> list[str]:
    dead = []
    for link in (one or other for one, other in LINK.findall(prose(text))):
        name, _, anchor = link.partition("#")
        if "://" in name:
            continue
        target = document.parent / name if name else document
        if not target.exists() or anchor and target.suffix == ".md" and anchor not in anchors(target):
            dead.append(link)
    return dead


def dead_paths(text: str) -> list[str]:
    named = [path for path in PATH.findall(text) if not PLACEHOLDER.search(path)]
    return [path for path in named if not list(ROOT.glob(path.rstrip("/")))]


def dead(document: Path, text: str) -> set[str]:
    return {*dead_links(document, text), *dead_paths(text)}


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_paths_exist(document: Path) -> None:
    assert dead(document, document.read_text()) == set()


@pytest.mark.parametrize("text", [
    "see [there](docs/nowhere.md)", "see [there](docs/daemon.md#no-such-heading)", "see [below](#no-such-heading)",
    '<img src="docs/pictures/nothing.svg">', "`runtime/cache/nowhere.c`", "    varnishtest tests/vtc/nowhere*.vtc",
])
def test_a_dead_link_is_found(text: str) -> None:
    assert len(dead(ROOT / "README.md", text)) == 1


def test_a_working_link_is_accepted() -> None:
    text = ("[page](docs/daemon.md#parameters), `[no](link)`, [web](https://example.org/#a), "
            "`runtime/ROOM/params.toml`, `tests/vtc/*.vtc`")
    assert dead(ROOT / "README.md", text) == set()


@pytest.mark.parametrize("folder", ["docs", "docs/guides"])
def test_every_page_is_in_the_index(folder: str) -> None:
    index = (ROOT / folder / "README.md").read_text()
    pages = {page.name for page in (ROOT / folder).glob("*.md")} - {"README.md"}
    assert [name for name in sorted(pages) if f"]({name})" not in index] == []


def test_every_page_opens_with_its_goal() -> None:
    pages = sorted(set((ROOT / "docs").rglob("*.md")) - {ROOT / "docs/README.md"})
    assert [page.name for page in pages if "After this page " not in page.read_text().partition("\n")[2][:200]] == []
