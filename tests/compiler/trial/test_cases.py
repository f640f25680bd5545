"""Tables of cases and properties in tests of policies."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_vernis_test import POLICY, ROOT, message_of, vernis

from vernis.format.format import format_source
from vernis.format.layout import Style
from vernis.pipeline import Options
from vernis.syntax.parser import ParseOptions, parse_program
from vernis.syntax.source import SourceFile
from vernis.trial import suite as suites
from vernis.trial.cases import cases_of
from vernis.trial.generators import GENERATORS, Choices, Generator
from vernis.trial.properties import Drawing
from vernis.trial.shared import Shared
from vernis.trial.suite import Suite, Verdict

Run = Callable[..., list[Verdict]]


def loaded(folder: Path, text: str, policy: str = POLICY) -> Suite:
    (folder / "p.vcl").write_text(policy)
    path = folder / "p.test.vcl"
    path.write_text("vcl 4.1;\n" + text)
    return suites.load(path)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(text: str, drawing: Drawing | None = None, policy: str = POLICY) -> list[Verdict]:
        suite = loaded(tmp_path, text, policy)
        assert suite.broken == []
        return suites.run_suite(suite, suite.cases, Options(), 1, drawing=drawing)

    return run


# ---- tables ------------------------------------------------------------------------------------------------

TABLE = """test "a status for each path" {
    case(url = "/no", status = 403);
    case(url = "/a", status = 200);
    case(url = "/b", status = 404);
    request(url);
    expect(resp.status == status);
}
"""


def test_a_test_runs_once_for_each_row_and_names_the_row_that_fails(run: Run) -> None:
    assert {v.name: message_of(v) for v in run(TABLE)} == {
        'a status for each path (url = "/no", status = 403)': None,
        'a status for each path (url = "/a", status = 200)': None,
        'a status for each path (url = "/b", status = 404)': "resp.status is 200",
    }


def test_each_row_has_a_world_of_its_own(run: Run) -> None:
    found = run('test "x" { case(a = 1); case(a = 2); request("/a"); expect(miss && a > 0); }')
    assert [message_of(v) for v in found] == [None, None]


def test_columns_are_values_in_all_expressions(run: Run) -> None:
    (found,) = run(
        'test "x" { case(path = "/a", n = 2, day = 1d, own = true, name = "X-Kind");'
        ' request(path + "?n=" + n * 2 + "&m=" + (7 - n) % 4, header = name + ": b");'
        ' expect(bereq.url == "/a?n=4&m=1" && bereq.http.X-Kind == "b" && own && day / 2 + n == 43202); }'
    )
    assert message_of(found) is None


def test_rows_are_shown_by_the_command_and_in_its_report(tmp_path: Path) -> None:
    loaded(tmp_path, TABLE)
    found = vernis("--junit", "r.xml", cwd=tmp_path)
    assert 'FAILED p.test.vcl: a status for each path (url = "/b", status = 404)\n' in found.stdout
    assert "2 passed, 1 failed" in found.stdout
    cases = ElementTree.parse(tmp_path / "r.xml").getroot()[0]
    assert cases[2].get("name") == 'a status for each path (url = "/b", status = 404)'
    assert "1 passed, 0 failed" in vernis("--filter", '"/no"', cwd=tmp_path).stdout


def test_the_style_of_a_table(tmp_path: Path) -> None:
    text = 'vcl 4.1;\ntest "x" { case( url="/a",status = 200 ) ; request(url); expect(resp.status==status); }\n'
    found = format_source(SourceFile("p.test.vcl", text.encode()), Style())
    assert b'    case(url = "/a", status = 200);\n    request(url);\n' in (found.data or b"")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("case(a = 1); request(a); case(a = 2);", "case stands behind other statements"),
        ("case(a = 1);", "this test has a table and does nothing with it"),
        ("case(); request(a);", "this row has no columns"),
        ("case(a = 1); case(b = 2); expect(a == b);", "the first row has no column b"),
        ("case(a = 1, b = 2); case(a = 1); expect(a == b);", "this row has no b"),
        ("case(a = 1, b = 2); expect(a == 1);", "no statement of this test uses b"),
        ('case("/a"); request(a);', "a value of a row needs a name"),
        ("case(a = 1, a = 2); request(a);", "this row has a twice"),
        ("case(hit = true); expect(hit);", "hit is a fact about a request"),
        ("case(a = 1); case(a = 1); expect(a == 1);", "two rows are equal"),
        ("case(a = resp.status); expect(a == 1);", "resp.status has no value before the first request"),
        ("draw(a = truth()); draw(a = truth()); expect(a);", "a test draws once"),
        ("draw(a = 1); expect(a == 1);", "a value is drawn from a generator"),
        ("draw(a = hostname()); expect(a);", "hostname is no generator"),
        ("draw(a = number(5, 1)); expect(a);", "number() draws whole numbers from the first to the second"),
        ("draw(a = number(1)); expect(a);", "write: number(1, 100)"),
        ("draw(a = text(1)); expect(a);", "text() takes a pattern"),
        ('draw(a = text("(?=a)b")); expect(a);', "no text can be drawn from this pattern"),
        ('draw(a = text("[^\\x01-\\xff]")); expect(a);', "no text can be drawn from this pattern"),
        ("draw(a = one_of()); expect(a);", 'write: one_of("a", "b")'),
    ],
)
def test_a_mistake_in_a_table_is_named(tmp_path: Path, body: str, message: str) -> None:
    broken = loaded(tmp_path, 'test "x" { ' + body + " }").broken
    assert [item.message for item in broken] == [message]


# ---- properties --------------------------------------------------------------------------------------------

#: Fails for URLs with /x/ and numbers from 57.
FAULTY = 'vcl 4.1; backend b none; sub vcl_recv { if (req.url ~ "/x.*n=(5[7-9]|[6-9].|...)") { return (synth(500)); } return (synth(200)); }'
PROPERTY = """test "never an error" {
    draw(path = text("/[a-z]{1,8}(/x)?"), n = number(1, 100), way = method(), other = url());
    request(path + "?n=" + n, method = way, header = "X: " + other);
    expect(resp.status == 200);
}
"""


def test_a_property_that_holds_passes_as_one_test(run: Run) -> None:
    found = run('test "x" { draw(path = url()); request(path); expect(resp.status == 200); }')
    assert [(v.name, message_of(v)) for v in found] == [("x", None)]


def test_a_row_that_fails_is_shrunk_to_the_simplest(run: Run) -> None:
    (found,) = run(PROPERTY, policy=FAULTY)
    assert found.finding is not None
    assert found.finding.help.splitlines()[1] == 'case(path = "/a/x", n = 57, way = "GET", other = "/");'


def test_the_shrunk_row_can_be_pasted_and_fails(run: Run) -> None:
    (found,) = run(PROPERTY, policy=FAULTY)
    assert found.finding is not None
    row = found.finding.help.splitlines()[1]
    again = run(re.sub(r"    draw\(.*\n", row + "\n", PROPERTY), policy=FAULTY)
    assert [(message_of(v) or "").partition(";")[0] for v in again] == ["resp.status is 500"]


def test_rows_and_draws_stand_side_by_side(run: Run) -> None:
    text = PROPERTY.replace("draw(", 'case(path = "/b", n = 1, way = "PUT", other = "/"); draw(')
    found = [message_of(v) for v in run(text, policy=FAULTY)]
    assert found[0] is None and (found[1] or "").startswith("resp.status is 500; vcl_recv returned synth at ")


def test_a_seed_repeats_its_rows_and_another_draws_others(run: Run) -> None:
    text = 'test "x" { draw(n = number(0, 1000000)); request("/" + n); expect(n == 0 || n == 1000000); }'

    def draws(seed: int) -> str:
        (found,) = run(text, Drawing(seed))
        assert found.finding is not None
        return found.finding.help

    assert draws(1) == draws(1)
    assert len({draws(seed).splitlines()[0] for seed in range(1, 9)}) > 1


def test_the_option_runs_bounds_the_draws(tmp_path: Path) -> None:
    loaded(tmp_path, 'test "x" { draw(n = number(1, 1000)); request("/" + n); expect(n == 1); }')
    assert "1 passed" in vernis("--runs", "1", cwd=tmp_path).stdout  # the simplest row is the first
    assert "1 failed" in vernis("--runs", "20", cwd=tmp_path).stdout


def test_the_coverage_of_a_property_is_the_sum_of_its_rows(tmp_path: Path) -> None:
    text = 'test "x" { draw(path = one_of("/no", "/pipe", "/a")); request(path); expect(resp.status != 1); }'
    loaded(tmp_path, text)
    found = vernis("--coverage", cwd=tmp_path).stdout
    assert "p.vcl:11:5: not taken" not in found  # /no
    assert "p.vcl:8:5: not taken" in found  # /api/


# ---- generators --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    ["[a-z]{2,5}", "a|bc|d*", r"^/x(\d{3})?$", "(?i)abc", r"[^a-z]+", r".{3}", r"\w+-\S", "a(b|c){2}"],
)
def test_texts_of_a_pattern_match_it(pattern: str) -> None:
    made = generator(f'text("{pattern}")')
    drawn = [made.draw(Choices((), random.Random(seed))) for seed in range(200)]
    assert all(isinstance(text, str) and re.fullmatch(pattern, text) for text in drawn)
    assert len(set(drawn)) > 1


def test_the_ends_of_a_range_are_drawn_often() -> None:
    number = generator("number(10, 1000000)")
    drawn = [number.draw(Choices((), random.Random(seed))) for seed in range(200)]
    assert drawn.count(10.0) > 5 and drawn.count(1000000.0) > 5
    assert number.draw(Choices()) == 10.0


@pytest.mark.parametrize(
    ("text", "value", "written"),
    [
        ("number(1s, 2h)", 60.0, "60s"),
        ("number(1, 100)", 60.0, "60"),
        ('text("x")', 'a"b', '{"a"b"}'),
        ("truth()", True, "true"),
        ('one_of("a", 1)', "a", '"a"'),
    ],
)
def test_a_value_is_written_as_a_literal(text: str, value: str | float, written: str) -> None:
    assert generator(text).written(value) == written


def generator(text: str) -> Generator:
    source = SourceFile("p.test.vcl", f'vcl 4.1;\ntest "x" {{ draw(a = {text}); request(a); }}'.encode())
    program, _ = parse_program(source, ParseOptions(tests=True))
    (case,) = cases_of(program.declarations[1], lambda at: "", Shared())
    return case.draw["a"]


def test_the_page_lists_each_generator() -> None:
    page = (ROOT / "docs/test.md").read_text()
    rows = page.partition("| Generator | Draws |")[2].partition("\n\n")[0].splitlines()[2:]
    assert rows == [f"| `{one.usage}` | {one.what} |" for one in GENERATORS.values()]
