"""Variables, parameters and options without effect: a warning for each variable of the table, the page, and the README's section."""

from __future__ import annotations

import re
from pathlib import Path

import no_effect_tables
import pytest

from vernis import pipeline
from vernis.pipeline import Compilation, Options
from vernis.semantics.codes import ALL_CODES
from vernis.semantics.vocabulary import VariableRow, hook_names, load_vocabulary
from vernis.syntax.diagnostics import Diagnostic, Severity

ROOT = Path(__file__).resolve().parents[2]
GROUPS = no_effect_tables.groups()
USES = [(row, use) for row in load_vocabulary().variables if row.no_effect is not None for use in row.no_effect.groups]
VALUES = {"BOOL": "true", "STRING": '"esi_gzip"'}


def check(version: str, text: str, folder: Path) -> list[Diagnostic]:
    path = folder / "policy.vcl"
    path.write_text(f"vcl {version};\nbackend origin none;\n{text}\n")
    return pipeline.run_stages(Compilation("policy", str(path), options=Options()), pipeline.CHECK).diagnostics.items


def in_vain(version: str, text: str, folder: Path) -> list[str]:
    items = check(version, text, folder)
    assert all(item.code == "V410" and item.severity is Severity.WARNING for item in items), items
    return [f"{item.message} | {item.help}" for item in items]


def use_of(row: VariableRow, use: str, value: str) -> tuple[str, str]:
    hook = hook_names(row.set if use == "set" else row.read)[-1]
    statement = f"set {row.name} = {value};" if use == "set" else f'if ({row.name}{"" if row.type.value == "BOOL" else " == " + value}) {{ return (fail); }}'
    return ".".join(map(str, row.versions[1])), f"sub {hook} {{ {statement} }}"


@pytest.mark.parametrize(("row", "use"), USES, ids=lambda value: getattr(value, "name", value))
def test_each_row_of_the_vocabulary_warns(row: VariableRow, use: str, tmp_path: Path) -> None:
    version, text = use_of(row, use, VALUES[row.type.value])
    (said,) = in_vain(version, text, tmp_path)
    assert row.name in said and "no effect here" in said
    assert row.no_effect is not None
    assert f"docs/no_effect.md#{no_effect_tables.GROUP_ANCHORS[row.no_effect.groups[use]]}" in said


@pytest.mark.parametrize("text", [
    "sub vcl_backend_response { set beresp.do_esi = true; set beresp.do_gzip = true; }",
    'sub vcl_backend_response { set beresp.filters = "gunzip esi"; }',
    'sub vcl_deliver { set resp.filters = ""; set resp.do_esi = false; }',
    'sub vcl_deliver { set resp.filters = "range"; }',
])
def test_asking_for_what_happens_anyway_is_quiet(text: str, tmp_path: Path) -> None:
    assert in_vain("4.1", text, tmp_path) == []


def test_a_variable_is_named_once(tmp_path: Path) -> None:
    text = "sub vcl_backend_response { " + 'set beresp.filters = "esi_gzip"; ' * 300 + "}"
    assert [said.partition(":")[0] for said in in_vain("4.1", text, tmp_path)] == ["beresp.filters"]


def test_the_code_leads_to_the_page() -> None:
    assert "docs/no_effect.md" in ALL_CODES["V410"].why


def test_the_page_is_made_of_the_table() -> None:
    assert no_effect_tables.PAGE.read_text() == no_effect_tables.page(), "run: make docs"
    assert [key for key, group in GROUPS.items() if not group.names()] == [], "a group without rows goes"


def test_links_of_warnings_lead_to_a_heading() -> None:
    headings = re.findall(r"^## (.*)$", no_effect_tables.PAGE.read_text(), re.M)
    assert {no_effect_tables.anchor(title) for title in headings} == set(no_effect_tables.GROUP_ANCHORS.values())


# ---- the README --------------------------------------------------------------------------------------------------------------

SECTION = (ROOT / "README.md").read_text().partition("## What is not there yet\n")[2].partition("\n## ")[0]


def test_the_readme_names_each_group() -> None:
    assert set(re.findall(r"^\* \*\*(.+?)\*\*", SECTION, re.M)) == {group.title for group in GROUPS.values()}


def test_names_in_the_readme_are_in_the_group_they_stand_under() -> None:
    """In backticks; what is written there and acts stands behind `there are` or `are`."""
    by_title = {group.title: group.names() for group in GROUPS.values()}
    for title, text in re.findall(r"^\* \*\*(.+?)\*\*(.*(?:\n  .*)*)", SECTION, re.M):
        for name in re.findall(r"`([^`<]+)`", text.partition(", there are ")[0]):
            word = name.lstrip("-+") if name[1:] in by_title[title] else name
            assert word in by_title[title] or name in NOT_ROWS, (title, name)


NOT_ROWS = {"-s file", "debug"}         # a kind of storage with a line of its own at the start; a parameter of which some bits act
