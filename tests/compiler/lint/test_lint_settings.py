"""vernis.toml and the options of `lint`: which rules run where, and how mistakes are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint_command import HEAD, PURGE, Done, lint
from lint_command import codes as all_codes
from vernis.commands.lint_settings import glob

#: Findings, by line of the body: SEC001, FL001.
BOTH = HEAD + "sub vcl_recv {\n    return (purge);\n    set req.http.A = req.http.B;\n}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "site" / "old").mkdir(parents=True)
    (tmp_path / "site" / "main.vcl").write_text(BOTH)
    return tmp_path


def codes(done: Done) -> list[str]:
    """Without the findings of rules that these tests do not know."""
    return [code for code in all_codes(done) if code in ("SEC001", "FL001")]


def run(project: Path, toml: str, *arguments: str) -> Done:
    (project / "vernis.toml").write_text(toml)
    return lint("--format", "concise", *arguments, "site/main.vcl", cwd=project)


@pytest.mark.parametrize(("toml", "arguments", "found"), [
    ("", [], ["SEC001", "FL001"]),
    ("[lint]\nselect = ['SEC']", [], ["SEC001"]),
    ("[lint]\nignore = ['SEC']", [], ["FL001"]),
    ("[lint]\nselect = ['SEC']\nextend-select = ['FL']", [], ["SEC001", "FL001"]),
    ("[lint]\nselect = ['SEC']", ["--extend-select", "FL"], ["SEC001", "FL001"]),
    ("[lint]\nselect = ['SEC']", ["--select", "FL"], ["FL001"]),
    ("[lint]\nselect = ['SEC001']", ["--ignore", "SEC001"], []),
    ("[lint]\nignore = ['SEC001']", ["--select", "all"], ["FL001"]),
    ("[lint]\nignore = ['SEC001']", ["--extend-select", "SEC001"], ["SEC001", "FL001"]),
    ("[lint]\nignore = ['SEC001', 'FL']", ["--isolated"], ["SEC001", "FL001"]),
])
def test_the_command_line_wins_over_the_file(project: Path, toml: str, arguments: list[str], found: list[str]) -> None:
    done = run(project, toml, *arguments)
    assert codes(done) == found


@pytest.mark.parametrize(("toml", "found"), [
    ("'site/*.vcl' = ['SEC']", ["FL001"]),
    ("'main.vcl' = ['all']", []),
    ("'**/main.vcl' = ['FL001']", ["SEC001"]),
    ("'*/main.vcl' = ['unreachable']", ["SEC001"]),
    ("'other/*' = ['all']", ["SEC001", "FL001"]),
    ("'*.vc' = ['all']", ["SEC001", "FL001"]),
])
def test_rules_are_left_out_per_file(project: Path, toml: str, found: list[str]) -> None:
    assert codes(run(project, f"[lint.per-file-ignores]\n{toml}\n")) == found


def test_rules_are_left_out_for_an_included_file(project: Path) -> None:
    (project / "site" / "old" / "purge.vcl").write_text("sub vcl_recv { return (purge); }")
    (project / "site" / "main.vcl").write_text(HEAD + 'include "./old/purge.vcl";\n')
    assert codes(run(project, "")) == ["SEC001"]
    assert codes(run(project, "[lint.per-file-ignores]\n'site/old/**' = ['SEC']\n")) == []


@pytest.mark.parametrize(("pattern", "path", "fits"), [
    ("a.vcl", "a.vcl", True), ("a.vcl", "x/y/a.vcl", True), ("x/a.vcl", "x/a.vcl", True), ("x/a.vcl", "y/x/a.vcl", False),
    ("x/*.vcl", "x/y/a.vcl", False), ("x/**/a.vcl", "x/a.vcl", True), ("x/**", "x/y/a.vcl", True), ("?.vcl", "ab.vcl", False),
    ("a+.vcl", "aa.vcl", False),
])
def test_patterns_of_paths(pattern: str, path: str, fits: bool) -> None:
    assert bool(glob(pattern).fullmatch(path)) == fits


def test_each_policy_has_the_file_of_its_own_folder(project: Path) -> None:
    (project / "site" / "old" / "main.vcl").write_text(BOTH)
    (project / "site" / "old" / "vernis.toml").write_text("[lint]\nselect = ['FL']\n")
    done = run(project, "[lint]\nselect = ['SEC']\n", "site/old/main.vcl")
    assert [line.partition(":")[0] for line in done.out.splitlines()] == ["site/old/main.vcl", "site/main.vcl"]
    assert codes(done) == ["FL001", "SEC001"]


def test_another_file_can_be_named(project: Path) -> None:
    (project / "ci.toml").write_text("[lint]\nselect = ['FL']\n")
    assert codes(run(project, "[lint]\nselect = ['SEC']\n", "--config", "ci.toml")) == ["FL001"]


@pytest.mark.parametrize(("toml", "severities"), [
    ("SEC001 = 'note'\nFL = 'error'", ["note", "error"]),
    ("SEC = 'note'\nSEC001 = 'warning'\nall = 'note'", ["warning", "note"]),
])
def test_severities_are_replaced(project: Path, toml: str, severities: list[str]) -> None:
    done = run(project, f"[lint.severity]\n{toml}\n")
    found = [line.split()[1] for line in done.out.splitlines()]
    assert [word.partition("[")[0] for word in found if word.endswith(("[SEC001]", "[FL001]"))] == severities


@pytest.mark.parametrize(("toml", "arguments", "message"), [
    ("[lint]\nselect = [\n 'SEC',\n 'LN01',\n]", [], "vernis.toml:4: no rule, group or profile is named LN01; did you mean 'LN001'?"),
    ("[lint.severity]\nunreachabel = 'note'", [], "vernis.toml:2: no rule, group or profile is named unreachabel; did you mean 'unreachable'?"),
    ("[lint.per-file-ignores]\n'a.vcl' = ['securty']", [], "vernis.toml:2: no rule, group or profile is named securty; did you mean 'security'?"),
    ("[lint]\nignored = []", [], "vernis.toml:2: unknown key 'ignored' in [lint]; did you mean 'ignore'?"),
    ("[lint]", ["--ignore", "LN01"], "lint: no rule, group or profile is named LN01; did you mean 'LN001'?"),
    ("[lint]", ["--select", "§"], "lint: no rule, group or profile is named §; `vernis rules` lists them"),
    ("[lint]", ["--config", "nope.toml"], "cannot read nope.toml: No such file or directory"),
    ("[lint]", ["--config", "vernis.toml", "--isolated"], "not allowed with argument"),
])
def test_mistakes_name_their_place(project: Path, toml: str, arguments: list[str], message: str) -> None:
    done = run(project, toml, *arguments)
    assert done.status == 2 and done.out == ""
    assert message in done.err


@pytest.mark.parametrize(("text", "status"), [
    (HEAD, 0),
    (PURGE, 1),
    ("vcl 4.1; nonsense", 1),
    (None, 2),
])
def test_the_exit_code(tmp_path: Path, text: str | None, status: int) -> None:
    if text is not None:
        (tmp_path / "main.vcl").write_text(text)
    assert lint("--select", "SEC001", tmp_path / "main.vcl").status == status
