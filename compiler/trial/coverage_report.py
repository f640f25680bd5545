"""Reports of coverage: text, HTML, LCOV and Cobertura. docs/test.md tells what each counts."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from vernis.record import record
from vernis.shown import in_xml, visible
from vernis.trial.coverage import Branch, FileCoverage


@record(frozen=True)
class Share:
    """``covered`` of ``total`` lines, branches or hooks."""

    name: str
    covered: int
    total: int

    @property
    def percent(self) -> float:
        """100 if there is nothing to cover."""
        return 100.0 * self.covered / self.total if self.total else 100.0

    @property
    def rate(self) -> str:
        return f"{self.percent / 100:.4f}"

    @property
    def shown(self) -> str:
        """Rounded down, so that only the whole is 100 %."""
        return f"{int(self.percent * 10) / 10:.1f} % ({self.covered} of {self.total})"


def shares(files: Sequence[FileCoverage]) -> tuple[Share, Share, Share]:
    """Of lines, branches and hooks."""
    lines = [hits for file in files for hits in file.lines.values()]
    branches = [branch.hits for file in files for branch in file.branches]
    hooks = [hook.hits for file in files for hook in file.hooks]
    return _share("lines", lines), _share("branches", branches), _share("hooks", hooks)


def _share(name: str, hits: list[int]) -> Share:
    return Share(name, sum(map(bool, hits)), len(hits))


def _decisions(file: FileCoverage) -> Iterator[tuple[int, list[Branch]]]:
    """The line of each ``if``, and its branches."""
    for (line, _), branches in groupby(file.branches, key=lambda branch: branch.decision):
        yield line, list(branches)


# ---- text --------------------------------------------------------------------------------------------------


def as_text(files: Sequence[FileCoverage]) -> str:
    """The shares of each file, and places that no test ran: line numbers, and branches as LINE:COLUMN."""
    found: list[str] = []
    for file in files:
        found.append(f"coverage of {visible(file.name)}: {_summary([file])}")
        found += [
            f"{visible(file.name)}:{hook.line}: {hook.name} did not run"
            for hook in file.hooks
            if not hook.hits
        ]
        missed = [line for line, hits in file.lines.items() if not hits]
        if missed:
            found.append(f"{visible(file.name)}: lines that did not run: {', '.join(map(str, missed))}")
        found += [
            visible(f"{file.name}:{branch.line}:{branch.column}: not taken: {branch.head}")
            for branch in file.branches
            if not branch.hits
        ]
    if len(files) != 1:
        found.append(f"coverage: {_summary(files)}")
    return "\n".join(found)


def _summary(files: Sequence[FileCoverage]) -> str:
    return ", ".join(f"{share.name} {share.shown}" for share in shares(files))


# ---- LCOV --------------------------------------------------------------------------------------------------


def as_lcov(files: Sequence[FileCoverage]) -> str:
    """A tracefile, as geninfo(1) describes it."""
    return "".join(f"{line}\n" for file in files for line in _lcov(file))


def _lcov(file: FileCoverage) -> Iterator[str]:
    lines, branches, hooks = shares([file])
    yield from ("TN:", f"SF:{visible(str(Path(file.name).absolute()))}")
    yield from (f"FN:{hook.line},{hook.name}" for hook in file.hooks)
    yield from (f"FNDA:{hook.hits},{hook.name}" for hook in file.hooks)
    yield from (f"FNF:{hooks.total}", f"FNH:{hooks.covered}")
    for block, (line, ways) in enumerate(_decisions(file)):
        for number, way in enumerate(ways):
            yield f"BRDA:{line},{block},{number},{way.hits if way.is_reached else '-'}"
    yield from (f"BRF:{branches.total}", f"BRH:{branches.covered}")
    yield from (f"DA:{line},{hits}" for line, hits in file.lines.items())
    yield from (f"LF:{lines.total}", f"LH:{lines.covered}", "end_of_record")


# ---- Cobertura ---------------------------------------------------------------------------------------------

_DOCTYPE = b"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
"""


def as_cobertura(files: Sequence[FileCoverage], now: float) -> bytes:
    """``now``: seconds since the epoch. File names are relative to the folder that ``source`` names, where
    they can be."""
    lines, branches, _ = shares(files)
    root = ElementTree.Element("coverage", _rates(files))
    for share, name in ((lines, "lines"), (branches, "branches")):
        root.set(f"{name}-covered", str(share.covered))
        root.set(f"{name}-valid", str(share.total))
    root.set("complexity", "0")
    root.set("version", "vernis")
    root.set("timestamp", str(int(now * 1000)))
    ElementTree.SubElement(ElementTree.SubElement(root, "sources"), "source").text = str(Path.cwd())
    package = ElementTree.SubElement(ElementTree.SubElement(root, "packages"), "package", name="policies")
    package.attrib |= _rates(files) | {"complexity": "0"}
    classes = ElementTree.SubElement(package, "classes")
    for file in files:
        _cobertura_class(classes, file)
    return _DOCTYPE + ElementTree.tostring(in_xml(root))


def _rates(files: Sequence[FileCoverage]) -> dict[str, str]:
    lines, branches, _ = shares(files)
    return {"line-rate": lines.rate, "branch-rate": branches.rate}


def _cobertura_class(classes: ElementTree.Element, file: FileCoverage) -> None:
    path = Path(file.name)
    name = path.absolute().relative_to(Path.cwd()) if path.absolute().is_relative_to(Path.cwd()) else path
    found = ElementTree.SubElement(classes, "class", name=path.stem, filename=str(name), complexity="0")
    found.attrib |= _rates([file])
    methods = ElementTree.SubElement(found, "methods")
    for hook in file.hooks:
        rate = "1.0" if hook.hits else "0.0"
        method = ElementTree.SubElement(methods, "method", name=hook.name, signature="()", complexity="0")
        method.attrib |= {"line-rate": rate, "branch-rate": rate}
        lines = ElementTree.SubElement(method, "lines")
        ElementTree.SubElement(lines, "line", number=str(hook.line), hits=str(hook.hits))
    ways: dict[int, list[Branch]] = {}
    for number, branches in _decisions(file):
        ways.setdefault(number, []).extend(branches)
    lines = ElementTree.SubElement(found, "lines")
    for number, hits in file.lines.items():
        line = ElementTree.SubElement(lines, "line", number=str(number), hits=str(hits), branch="false")
        if number in ways:
            taken = _share("branches", [way.hits for way in ways[number]])
            condition = f"{int(taken.percent)}% ({taken.covered}/{taken.total})"
            line.attrib |= {"branch": "true", "condition-coverage": condition}


# ---- HTML --------------------------------------------------------------------------------------------------

_STYLE = """body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em }
table { border-collapse: collapse } td, th { padding: 0 .8em; text-align: left }
.source td { font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; vertical-align: top }
.number, .hits { color: #777; text-align: right; user-select: none }
.ran .hits { background: #d6f0d6; color: #222 } .partly .hits { background: #fbeab4; color: #222 }
.missed .hits, .missed .text { background: #f8d3d3; color: #222 }
.note { color: #a33; font-style: italic } .note::before { content: "  " }"""


def write_html(files: Sequence[FileCoverage], folder: Path) -> None:
    """Writes index.html, and a page for each file. OSError: the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = [f"{number}-{_utf8(visible(Path(file.name).stem))}.html" for number, file in enumerate(files, 1)]
    for file, page in zip(files, pages, strict=True):
        (folder / page).write_text(_page(file.name, _source(file)), encoding="utf-8")
    (folder / "index.html").write_text(_page("Coverage", _index(files, pages)), encoding="utf-8")


def _utf8(text: str) -> str:
    """Escapes bytes of a file's name that are no UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def _escaped(text: str) -> str:
    return html.escape(_utf8(visible(text)))


def _page(title: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{_escaped(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{_escaped(title)}</h1>\n{body}\n</body></html>\n"
    )


def _index(files: Sequence[FileCoverage], pages: Sequence[str]) -> str:
    rows = ["<tr><th>File</th><th>Lines</th><th>Branches</th><th>Hooks</th></tr>"]
    for file, page in zip(files, pages, strict=True):
        link = f'<a href="{quote(page)}">{_escaped(file.name)}</a>'
        rows.append(_row(link, [file]))
    rows.append(_row("All", files))
    return "<table>\n" + "\n".join(rows) + "\n</table>"


def _row(title: str, files: Sequence[FileCoverage]) -> str:
    cells = "".join(f"<td>{share.shown}</td>" for share in shares(files))
    return f"<tr><td>{title}</td>{cells}</tr>"


def _source(file: FileCoverage) -> str:
    missed: dict[int, list[str]] = {}
    for branch in file.branches:
        if not branch.hits:
            missed.setdefault(branch.line, []).append(branch.head)
    rows = [
        _line(number, line, file.lines.get(number), missed.get(number, []))
        for number, line in enumerate(file.text.split("\n"), 1)
    ]
    return f'<p>{_summary([file])}</p>\n<table class="source">\n' + "\n".join(rows) + "\n</table>"


def _line(number: int, text: str, hits: int | None, missed: list[str]) -> str:
    kind = "" if hits is None else "missed" if not hits else "partly" if missed else "ran"
    notes = "".join(f'<span class="note">not taken: {_escaped(head)}</span>' for head in missed)
    return (
        f'<tr class="{kind}" id="L{number}"><td class="number">{number}</td>'
        f'<td class="hits">{"" if hits is None else hits}</td>'
        f'<td class="text">{_escaped(text)}{notes if hits else ""}</td></tr>'
    )
