"""`lint --fix`, `--unsafe-fixes` and `--diff`: what is changed, and what stays as it was."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lint_command import HEAD, Done, lint
from lint_helpers import head_of, results_of
from vernis.commands import lint_fix
from vernis.lint.rule import Finding, Fix, Rule
from vernis.lint.rules import all_rules
from vernis.lint.view import View
from vernis.syntax.diagnostics import Edit, Severity, Span

TWICE = 'sub vcl_recv {\n    set req.http.X-Forwarded-For = req.http.X-Forwarded-For + ", " + client.ip;\n    return (pass);\n}\n'
FIXED = "sub vcl_recv {\n    return (pass);\n}\n"
COOKIE = "sub vcl_backend_response {\n    set beresp.ttl = 1h;\n    return (deliver);\n}\n"


def write(folder: Path, text: str, name: str = "main.vcl") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def fix(*arguments: str | Path, select: str = "SEC005", cwd: Path | None = None) -> Done:
    return lint("--format", "concise", "--select", select, "--fix", *arguments, cwd=cwd)


def rules_with_fixes() -> Iterator[tuple[Rule, bool]]:
    for rule in all_rules():
        fixes = [one.finding.fix for one in results_of(rule.bad, (rule.id,), version=rule.version) if one.finding.fix is not None]
        if fixes:
            yield rule, all(one.safe for one in fixes)


@pytest.mark.parametrize(("rule", "is_safe"), list(rules_with_fixes()), ids=lambda value: getattr(value, "id", ""))
def test_a_fixed_example_is_silent_and_the_checker_is_content(tmp_path: Path, rule: Rule, is_safe: bool) -> None:
    text = head_of(rule.version) + rule.bad + "\n"
    path = write(tmp_path, text)
    done = fix(path, *([] if is_safe else ["--unsafe-fixes"]), select=rule.id)
    assert rule.id not in done.out and "left out" not in done.err
    assert lint("--format", "concise", path, command="check").status == 0
    assert path.read_text() != text


def test_a_safe_fix_is_written_and_reported(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + TWICE)
    path.chmod(0o640)
    done = fix(path)
    assert (done.status, done.out, done.err) == (0, "", "vernis lint: fixed 1 finding (SEC005 1)\n")
    assert path.read_text() == HEAD + FIXED
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["main.vcl"]


def test_what_has_no_fix_is_shown_after_it(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + TWICE.replace("pass", "purge"))
    done = fix(path, select="SEC005,SEC001")
    assert done.status == 1
    assert [line.partition(": ")[2][:13] for line in done.out.splitlines()] == ["error[SEC001]"]


def test_unsafe_fixes_need_their_option(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + COOKIE)
    assert fix(path, select="CS001").status == 1
    assert path.read_text() == HEAD + COOKIE
    assert fix(path, "--unsafe-fixes", select="CS001").status == 0
    assert "    call vcl_beresp_cookie;\n    return (deliver);\n" in path.read_text()


def test_line_ends_stay(tmp_path: Path) -> None:
    path = write(tmp_path, (HEAD + COOKIE + TWICE.replace("return (pass)", "call vcl_req_method")).replace("\n", "\r\n"))
    assert fix(path, "--unsafe-fixes", select="CS001,SEC005").status == 0
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") and b"call vcl_beresp_cookie;\r\n    return" in data
    assert data.endswith(b"sub vcl_recv {\r\n    call vcl_req_method;\r\n}\r\n")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target = write(tmp_path, HEAD + TWICE, "store/real.vcl")
    link = tmp_path / "main.vcl"
    link.symlink_to(target)
    assert fix(link).status == 0
    assert link.is_symlink() and target.read_text() == HEAD + FIXED


def test_diff_changes_nothing_and_can_be_applied(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + TWICE)
    done = lint("--select", "SEC005", "--diff", "main.vcl", cwd=tmp_path)
    assert done.status == 1 and path.read_text() == HEAD + TWICE
    assert done.out.startswith("--- main.vcl\n+++ main.vcl\n@@ ") and "-    set req.http.X-Forwarded-For = " in done.out
    subprocess.run(["patch", "-s", "-p0"], input=done.out, text=True, cwd=tmp_path, check=True)
    assert path.read_text() == HEAD + FIXED
    assert lint("--select", "SEC005", "--diff", "main.vcl", cwd=tmp_path) == Done(0, "", "")


# ---- includes ----------------------------------------------------------------------------------------------


def test_an_include_of_two_policies_is_fixed_once(tmp_path: Path) -> None:
    write(tmp_path, TWICE, "part.vcl")
    for name in ("a.vcl", "b.vcl"):
        write(tmp_path, HEAD + 'include "./part.vcl";\n', name)
    done = fix("a.vcl", "b.vcl", cwd=tmp_path)
    assert (done.status, done.err) == (0, "vernis lint: fixed 1 finding (SEC005 1)\n")
    assert (tmp_path / "part.vcl").read_text() == FIXED


def with_body_elsewhere(text: str) -> tuple[str, str]:
    """A policy whose first sub has its statements in an included file, and this file."""
    start = text.index("{", text.index("sub ")) + 1
    depth, end = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return f'{text[:start]}\n    include "./part.vcl";\n{text[end - 1:]}', text[start : end - 1].strip() + "\n"


@pytest.mark.parametrize("rule", [rule for rule, _ in rules_with_fixes() if "sub " in rule.bad], ids=lambda rule: rule.id)
def test_fixes_end_where_the_statements_of_a_sub_are_in_another_file(tmp_path: Path, rule: Rule) -> None:
    """A fix that its rule does not see is applied in each round."""
    text, part = with_body_elsewhere(rule.bad)
    write(tmp_path, part, "part.vcl")
    path = write(tmp_path, head_of(rule.version) + text + "\n")
    done = fix("--unsafe-fixes", path, select=rule.id)
    assert "rounds" not in done.err and "left out" not in done.err
    assert lint("--format", "concise", path, command="check").status == 0


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    write(tmp_path, HEAD + 'include "../shared/part.vcl";\n' + TWICE, "site/main.vcl")
    return write(tmp_path, TWICE, "shared/part.vcl")


def test_a_file_outside_of_the_folder_is_left_alone(tmp_path: Path, outside: Path) -> None:
    done = lint("--select", "SEC005", "-I", str(tmp_path / "site"), "--fix", tmp_path / "site" / "main.vcl")
    assert done.status == 1 and outside.read_text() == TWICE
    assert (tmp_path / "site" / "main.vcl").read_text().endswith(FIXED)
    assert "left out fixes in files outside of the policy's folder: " in done.err and "part.vcl; see --fix-in" in done.err


def test_a_folder_can_be_named(tmp_path: Path, outside: Path) -> None:
    done = lint("--select", "SEC005", "-I", str(tmp_path / "site"), "--fix", "--fix-in", tmp_path / "shared",
                tmp_path / "site" / "main.vcl")
    assert done.status == 0 and outside.read_text() == FIXED


# ---- nothing is broken -------------------------------------------------------------------------------------


def test_a_fix_that_leaves_something_unused_is_left_out(tmp_path: Path) -> None:
    """A server refuses a policy with an unused sub."""
    sub_ = "sub note { }\n"
    text = HEAD + sub_ + "sub vcl_recv {\n    return (pass);\n    call note;\n}\n"
    path = write(tmp_path, text + TWICE.replace("recv", "hash").replace("pass", "lookup"))
    done = fix(path, "--unsafe-fixes", select="FL001,SEC005")
    assert done.status == 1 and "left out a fix of FL001: the checker would refuse the result" in done.err
    assert path.read_text() == text + FIXED.replace("recv", "hash").replace("pass", "lookup")


def test_a_policy_with_errors_is_not_changed(tmp_path: Path) -> None:
    text = HEAD + TWICE + "sub vcl_deliver { unset resp.http.X }\n"
    path = write(tmp_path, text)
    assert fix(path).status == 1 and path.read_text() == text


class Endless(Rule):
    """A rule whose fix adds what it finds."""

    id, name, severity, profiles, remedy = "ZZ001", "endless", Severity.NOTE, ("strict",), ""

    def check(self, view: View) -> Iterator[Finding]:
        span = Span(0, len(HEAD), len(HEAD))
        yield Finding(span, "again", fix=Fix("more", (Edit(span, "# more\n"),), safe=True))


def test_fixes_without_end_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vernis.commands.lint.known_rules", lambda: (Endless(),))
    monkeypatch.setattr(lint_fix, "ROUNDS_MAX", 5)
    path = write(tmp_path, HEAD)
    done = fix(path, select="ZZ001")
    assert done.status == 2 and "after 5 rounds there are fixes of ZZ001 still; nothing is written" in done.err
    assert path.read_text() == HEAD


class Twice(Rule):
    """Finds each word `A`; each fix replaces the line, so that they overlap."""

    id, name, severity, profiles, remedy = "ZZ002", "twice", Severity.NOTE, ("strict",), ""

    def check(self, view: View) -> Iterator[Finding]:
        text = view.sources.files[0].text
        at = text.find("AA")
        while at >= 0:
            start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            line = text[start:at] + "B" + text[at + 2:end]
            yield Finding(Span(0, at, at + 2), f"at {at}", fix=Fix("b", (Edit(Span(0, start, end), line),), safe=True))
            at = text.find("AA", at + 1)


def test_overlapping_fixes_are_applied_in_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vernis.commands.lint.known_rules", lambda: (Twice(),))
    path = write(tmp_path, HEAD + "# AA AA AA\n# AA\n")
    done = fix(path, select="ZZ002")
    assert (done.status, done.err) == (0, "vernis lint: fixed 4 findings (ZZ002 4)\n")
    assert path.read_text() == HEAD + "# B B B\n# B\n"


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, HEAD + TWICE)
    write_files = lint_fix.Fixer.write

    def edited(fixer: lint_fix.Fixer) -> None:
        path.write_text(HEAD + "# by the author\n")
        write_files(fixer)

    monkeypatch.setattr(lint_fix.Fixer, "write", edited)
    done = fix(path)
    assert done.status == 2 and "main.vcl changed meanwhile; nothing is written" in done.err
    assert path.read_text() == HEAD + "# by the author\n"


def test_a_failed_write_leaves_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = write(tmp_path, TWICE, "part.vcl")
    path = write(tmp_path, HEAD + 'include "./part.vcl";\n' + TWICE)
    n_opened: list[str] = []

    def full(path: str, flags: int, *mode: int) -> int:
        n_opened.extend([path] if flags & os.O_EXCL else [])
        if len(n_opened) == 2:
            raise OSError(28, "No space left on device")
        return opened(path, flags, *mode)

    opened = os.open
    monkeypatch.setattr("vernis.commands.files.os.open", full)
    done = fix(path)
    monkeypatch.undo()
    assert done.status == 2 and "No space left on device" in done.err
    assert path.read_text().endswith(TWICE) and part.read_text() == TWICE
    assert sorted(os.listdir(tmp_path)) == ["main.vcl", "part.vcl"]


@pytest.mark.parametrize(("comment", "left"), [
    ("# vernis: ignore[SEC001]", ""),
    ("# vernis: ignore[SEC001, SEC005]", ""),
    ("# vernis: ignore[SEC001, FL001]", "# vernis: ignore[SEC001, FL001]\n"),
])
def test_a_comment_without_any_effect_is_deleted(tmp_path: Path, comment: str, left: str) -> None:
    body = 'sub vcl_recv {\n    return (pass);\n    %s\n    set req.http.A = "never";\n}\n'
    used = "FL001" in comment
    text = body % comment if used else comment + "\n" + FIXED
    path = write(tmp_path, HEAD + text)
    fix(path, select="SEC,FL001,LN001")
    assert path.read_text() == (HEAD + text if used else HEAD + left + FIXED)


def test_no_blank_is_left_where_a_comment_was(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + FIXED.replace("(pass);", "(pass); \t# vernis: ignore[SEC001]"))
    fix(path, select="SEC,LN001")
    assert path.read_text() == HEAD + FIXED


@pytest.mark.parametrize(("arguments", "message"), [
    (["--unsafe-fixes", "x.vcl"], "--unsafe-fixes needs --fix or --diff"),
    (["--fix-in", ".", "x.vcl"], "--fix-in needs --fix or --diff"),
    (["--fix", "-"], "--fix cannot change stdin"),
    (["--watch", "-"], "--watch cannot wait for changes of stdin"),
    (["--diff", "--output", "x", "x.vcl"], "--output is for findings, not for --diff"),
    (["--fix", "x.vcl"], "cannot read x.vcl: No such file or directory"),
])
def test_combinations_without_sense_are_refused(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = lint(*arguments, cwd=tmp_path)
    assert done.status == 2 and message in done.err


@pytest.mark.parametrize(("select", "before", "after"), [
    ("CS013", r"""sub vcl_recv { if (req.url ~ "(?i)\.(css|pdf)(\?.*)?$") { unset req.http.Cookie; } }""",
     r"""sub vcl_recv { if (req.url ~ "(?i)^[^?]*\.(css|pdf)(\?.*)?$") { unset req.http.Cookie; } }"""),
    # A pattern that can still reach into the query stays.
    ("CS013", r"""sub vcl_recv { if (req.url ~ ".*\.css$") { unset req.http.Cookie; } }""", None),
    ("RE002", r"""sub vcl_recv { if (req.http.host ~ "^shop\.example") { return (pass); } }""",
     r"""sub vcl_recv { if (req.http.host ~ "(?i)(^|\.)shop\.example(:[0-9]+)?$") { return (pass); } }"""),
    ("CS003", "sub vcl_recv { return (hash); }", "sub vcl_recv { call vcl_req_method; call vcl_req_cookie; return (hash); }"),
    ("SEC015", "sub vcl_backend_response { set beresp.http.X-Url = bereq.url; } sub vcl_deliver { }",
     "sub vcl_backend_response { set beresp.http.X-Url = bereq.url; } sub vcl_deliver { unset resp.http.X-Url; }"),
])
def test_what_a_fix_writes(tmp_path: Path, select: str, before: str, after: str | None) -> None:
    path = write(tmp_path, HEAD + before + "\n")
    fix(path, "--unsafe-fixes", select=select)
    assert path.read_text().removeprefix(HEAD) == (after or before) + "\n"


@pytest.mark.parametrize("rest", [
    'if (req.url ~ "^/static/") {\n        unset req.http.Cookie;\n    }',
    'unset req.http.A;\n    if (req.url == "/") { return (hash); }',
])
def test_a_policy_behind_a_return_is_not_deleted(tmp_path: Path, rest: str) -> None:
    """The return may be there for a while, to find a fault."""
    text = HEAD + "sub vcl_recv {\n    return (pass);\n    %s\n}\n" % rest
    path = write(tmp_path, text)
    assert fix(path, "--unsafe-fixes", select="FL001").status == 1 and path.read_text() == text


def test_deleting_what_never_runs_needs_a_decision(tmp_path: Path) -> None:
    text = HEAD + 'sub vcl_recv {\n    return (pass);\n    set req.http.A = "never";\n}\n'
    path = write(tmp_path, text)
    assert fix(path, select="FL001").status == 1 and path.read_text() == text
    assert fix(path, "--unsafe-fixes", select="FL001").status == 0 and path.read_text() == HEAD + FIXED
