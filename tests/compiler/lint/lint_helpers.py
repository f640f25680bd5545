"""Lints a text and compares with the marks in it: ``#! CS001`` ends each line with a finding."""

from __future__ import annotations

import datetime
import re
from collections import Counter

from vernis.lint.engine import Result, Settings, lint
from vernis.lint.rule import Rule
from vernis.lint.rules import all_rules
from vernis.pipeline import CHECK, Compilation, Options, rendered_diagnostics, run_stages

HEAD = 'vcl 4.1; backend origin { .host = "192.0.2.1"; .first_byte_timeout = 9s; .max_connections = 99; }\n'
TODAY = datetime.date(2030, 1, 1)
MARK = re.compile(r"#! ([A-Z0-9 ]+)$", re.M)


def rule_of(code: str) -> Rule | None:
    return next((rule for rule in all_rules() if rule.id == code), None)


def head_of(version: str) -> str:
    return HEAD.replace("vcl 4.1", f"vcl {version}")


def results_of(
    text: str, select: tuple[str, ...] = ("all",), ignore: tuple[str, ...] = (), version: str = "4.1"
) -> list[Result]:
    run = run_stages(Compilation("test", "test.vcl", (head_of(version) + text).encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed, rendered_diagnostics(run)
    return lint(run.checked, all_rules(), Settings(select, ignore, today=TODAY))


def lines_found(text: str, select: tuple[str, ...]) -> Counter[tuple[int, str]]:
    """Line numbers in ``text``, from 1, with the ids found there."""
    file = (HEAD + text).encode()
    return Counter((file[:result.finding.span.start].count(b"\n"), result.rule.id) for result in results_of(text, select))


def check_marks(text: str, *select: str) -> None:
    """The chosen rules find something exactly at the marked lines."""
    expected = Counter((number, code) for number, line in enumerate(text.splitlines(), 1)
                       for match in MARK.finditer(line) for code in match[1].split())
    assert lines_found(text, select or ("all",)) == expected
