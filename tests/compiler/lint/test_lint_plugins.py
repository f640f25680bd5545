"""Rules of third parties: the example package as pip installs it, and packages with mistakes."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lint_command import HEAD, lint
from vernis.lint.plugins import installed_rules

ROOT = Path(__file__).resolve().parents[3]
POLICY = HEAD + 'sub vcl_deliver {\n    set resp.http.X-Debug-Hits = "1";\n}\n'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    known = set(sys.modules)
    installed_rules.cache_clear()
    yield folder
    installed_rules.cache_clear()
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "main.vcl"
    path.write_text(POLICY)
    return path


def package(site: Path, code: str, value: str = "bad_rules:Bad") -> None:
    """Installs a package with a module, as pip does."""
    (site / "bad_rules.py").write_text(
        "from vernis.lint.rule import Finding, Rule\nfrom vernis.syntax.diagnostics import Severity, Span\n" + code)
    info = site / "bad_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[vernis.lint]\nbad = {value}\n")
    importlib.invalidate_caches()
    installed_rules.cache_clear()


def rule(check: str = "return iter(())", **changes: str) -> str:
    texts = {"id": "'ZZ001'", "name": "'zz'", "severity": "Severity.NOTE", "what": "''", "why": "''", "remedy": "''", "source": "''",
             "bad": "''", "good": "''"} | changes
    lines = "".join(f"    {key} = {value}\n" for key, value in texts.items() if value)
    return f"class Bad(Rule):\n{lines}    def check(self, view):\n        {check}\n"


def test_the_example_package_runs(site: Path, policy: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "examples" / "lint-rule", source)
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps", "--no-index",
                    "--no-build-isolation", "--target", site, source], check=True, timeout=300)
    importlib.invalidate_caches()
    installed_rules.cache_clear()
    done = lint("--format", "concise", "--select", "EX", policy)
    assert (done.status, done.out) == (1, f"{policy}:4:5: warning[EX001] resp.http.x-debug-hits is sent to every client\n")
    assert "EX001: debug-field (warning)" in lint("EX001", command="explain").out
    assert "EX001  warning  debug-field" in lint(command="rules").out
    example = next(one for one in installed_rules() if one.id == "EX001")
    policy.write_text(HEAD + example.good + "\n")
    assert lint("--select", "EX", policy).status == 0
    policy.write_text(POLICY)
    assert lint("--select", "EX", "--fix", "--unsafe-fixes", policy).status == 0
    assert policy.read_text() == HEAD + "sub vcl_deliver {}\n"


def test_without_packages_there_are_our_rules(site: Path) -> None:
    assert all(not one.origin for one in installed_rules())


@pytest.mark.parametrize(("code", "value", "message"), [
    ("class Bad: pass", "bad_rules:Bad", "not a class derived from vernis.lint.rule.Rule"),
    ("Bad = 1", "bad_rules:Bad", "not a class derived from vernis.lint.rule.Rule"),
    (rule(), "bad_rules:Gone", "cannot load it: AttributeError: module 'bad_rules' has no attribute 'Gone'"),
    (rule(), "no_such_module:Bad", "cannot load it: ModuleNotFoundError: No module named 'no_such_module'"),
    ("1 / 0", "bad_rules:Bad", "cannot load it: ZeroDivisionError: division by zero"),
    (rule(id="'SEC001'"), "bad_rules:Bad", "vernis has a rule SEC001 already"),
    (rule(name="'unreachable'"), "bad_rules:Bad", "vernis has a rule unreachable already"),
    (rule(id="'zz1'"), "bad_rules:Bad", "its id 'zz1' is not two to four capitals and three digits"),
    (rule(name="'Z Z'"), "bad_rules:Bad", "its name 'Z Z' is not lower-case words joined by hyphens"),
    (rule(remedy=""), "bad_rules:Bad", "its attribute remedy is not a text"),
    (rule(severity="'error'"), "bad_rules:Bad", "its severity is not a Severity"),
    (rule(profiles="('mine',)"), "bad_rules:Bad", "its profiles are not a tuple of recommended, security, strict, migration"),
    (rule("pass\n    check = Rule.check"), "bad_rules:Bad", "it has no method check"),
    (rule("pass\n    def __init__(self): raise OSError('no')"), "bad_rules:Bad", "cannot make it: OSError: no"),
])
def test_a_bad_package_is_named(site: Path, policy: Path, code: str, value: str, message: str) -> None:
    package(site, code, value)
    done = lint("--select", "FL001", policy)
    assert (done.status, done.out, done.err) == (2, "", f"vernis lint: rule bad of bad-rules ({value}): {message}\n")


@pytest.mark.parametrize(("check", "message"), [
    ("yield 1 / 0", "its check failed, line 14: ZeroDivisionError: division by zero"),
    ("yield 'text'", "it yielded 'text', which is no finding in this policy"),
    ("yield Finding(Span(99, 0, 0), 'x')", "which is no finding in this policy"),
    ("return 5", "its check failed, line"),
])
def test_a_rule_that_fails_is_named(site: Path, policy: Path, check: str, message: str) -> None:
    package(site, rule(check))
    done = lint("--select", "ZZ001", policy)
    assert done.status == 2 and done.out == ""
    assert done.err.startswith(f"vernis lint: {policy}: rule bad of bad-rules (bad_rules:Bad): ") and message in done.err
    assert lint("--select", "FL001", policy).status == 0
