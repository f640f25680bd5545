"""`vernis test --sockets`: the same suite in process and against `vernisd` gives the same verdicts."""

from __future__ import annotations

import itertools
from pathlib import Path
from xml.etree import ElementTree

import pytest
import test_vernis_test as others
from support.examples import example_suites
from test_vernis_test import POLICY, ROOT, vernis

from vernis.pipeline import PARSE, Compilation, Options, run_stages
from vernis.trial import suite as suites
from vernis.trial.properties import Drawing
from vernis.trial.sockets.daemon import Setup
from vernis.trial.sockets.relocate import backends_of, relocated
from vernis.trial.sockets.runner import run_over_sockets
from vernis.trial.suite import Suite, Verdict

VERNISD = ROOT / "build/bin/vernisd"
pytestmark = pytest.mark.skipif(not VERNISD.exists(), reason="run make build first")


def both(suite: Suite) -> tuple[list[Verdict], list[Verdict]]:
    """Verdicts in process, and those over sockets."""
    assert suite.broken == []
    inside = suites.run_suite(suite, suite.cases, Options(), 2)
    return inside, run_over_sockets(suite, suite.cases, Options(), Setup(str(VERNISD)), 2, Drawing())


def told(verdicts: list[Verdict]) -> list[tuple[str, str | None]]:
    return [(v.name, None if v.finding is None else v.finding.message) for v in verdicts]


def compared(suite: Suite) -> list[Verdict]:
    """The verdicts of both ways, which must be equal. Not those that cannot run over sockets."""
    inside, outside = both(suite)
    skipped = {v.name for v in outside if v.skipped}
    assert told([v for v in outside if not v.skipped]) == told([v for v in inside if v.name not in skipped])
    return [v for v in outside if not v.skipped]


def written(folder: Path, tests: str, policy: str = POLICY) -> Suite:
    (folder / "p.vcl").write_text(policy)
    (folder / "p.test.vcl").write_text("vcl 4.1;\n" + tests)
    return suites.load(folder / "p.test.vcl")


def cases_of(test: object) -> list[str]:
    """The statements that another test is parametrized with."""
    found = [row if isinstance(row, str) else row[0] for row in test.pytestmark[0].args[1]]  # type: ignore[attr-defined]
    assert found
    return found


def generated() -> str:
    """Simple tests of each fact and statement, some of which fail, and tables of lifetimes, URLs and methods."""
    singles = cases_of(others.test_what_a_test_may_expect) + cases_of(others.test_a_failure_shows_what_the_value_is)
    ages, waits = (1, 60, 3600), (0, 1, 30, 69, 71, 4000)
    lifetimes = "".join(f" case(age = {age}, wait = {wait});" for age, wait in itertools.product(ages, waits))
    urls = ("/a", "/no", "/api/x", "/again", "/day", "/pipe", "/a?b=c", "/api")
    methods = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PURGE", "BREW")
    requests = "".join(f' case(url = "{url}", way = "{way}");' for url, way in itertools.product(urls, methods))
    statuses = "".join(f" case(code = {code});" for code in (200, 203, 204, 206, 301, 302, 304, 404, 410, 500, 503, 599))
    clients = "".join(f' case(who = "{who}");' for who in (*(f"192.0.2.{n}" for n in range(1, 12)), "2001:db8::1"))
    bodies = "".join(f' case(body = "{"x" * n}", more = "{more}");' for n in (0, 1, 1000, 9000) for more in ("X: y", "Transfer-Encoding: chunked", "ETag: a"))
    tests = [f'test "single {number}" {{ {text} }}' for number, text in enumerate(singles)]
    tests.append(
        f'test "lifetime" {{{lifetimes} answer(header = "Cache-Control: max-age=" + age, body = "x"); request("/a");'
        ' advance(wait); request("/a"); expect(beresp.ttl == age && resp.body == "x" || hit);'
        ' expect(hit && resp.http.Age == "" + wait || fetches == 1); }'
    )
    tests.append(f'test "request" {{{requests} answer(body = "abc"); request(url, method = way); expect(miss || pass || pipe); expect(resp.status == 200); }}')
    tests.append(f'test "status" {{{statuses} answer(status = code, body = "abc"); request("/a"); expect(miss && resp.status == code); request("/a"); expect(hit); }}')
    tests.append(f'test "client" {{{clients} request("/a", method = "PURGE", client = who); expect(purge || pipe); expect(purge); }}')
    tests.append(f'test "body" {{{bodies} answer(body = body, header = more); request("/a"); request("/a"); expect(hit && resp.body == body); }}')
    return "\n".join(tests)


@pytest.mark.slow
def test_two_hundred_tests_have_the_same_verdicts_both_ways(tmp_path: Path) -> None:
    found = compared(written(tmp_path, generated()))
    for path in example_suites():
        found += compared(suites.load(path))
    assert len(found) >= 200
    assert sum(v.finding is not None for v in found) >= 10  # failures are the same, too


def test_random_choices_are_the_same_both_ways(tmp_path: Path) -> None:
    tests = "".join(f'test "{n}" {{ chance({n}); request("/"); request("/"); expect(resp.body == ""); }}\n' for n in (1, 2))
    found = compared(written(tmp_path, tests, others.CHANCE))
    assert len({v.finding.message for v in found if v.finding is not None}) == 2


def test_worlds_are_as_new_both_ways(tmp_path: Path) -> None:
    found = compared(written(tmp_path, others.of_memory(), others.MEMORY))
    assert [v.name for v in found if v.finding is not None] == [] and len(found) == 2 * len(others.REMEMBERED)


def test_health_and_the_reasons_of_failures_are_the_same_both_ways(tmp_path: Path) -> None:
    rows = [*others.HEALTH, *(statements for statements, _ in others.REASONS)]
    tests = "".join(f'test "{number}" {{ {text} }}\n' for number, text in enumerate(rows))
    found = compared(written(tmp_path, tests, others.PROBED))
    assert len([v for v in found if v.finding is not None]) == len(others.REASONS)


def test_what_cannot_run_over_sockets_says_why(tmp_path: Path) -> None:
    written(tmp_path, 'test "a" { request("/a"); expect(miss); }\ntest "b" { request("/a"); expect(errors == ""); }\n'
                      'test "c" { request("/a", protocol = "HTTP/2.0"); expect(miss); }\ntest "d" { request("/a", tls = "alpn: h2"); expect(miss); }')
    found = vernis("--sockets", "--junit", "r.xml", cwd=tmp_path)
    reason = "failures of real connections have other words (errors)"
    assert found.returncode == 0, found.stderr
    assert f"not run p.test.vcl: b: {reason}\n" in found.stdout
    assert "not run p.test.vcl: c: the client on sockets speaks HTTP/1.1 (protocol)\n" in found.stdout
    assert "not run p.test.vcl: d: the client on sockets has no TLS (tls)\n1 passed, 0 failed, 3 not run in" in found.stdout
    skipped = ElementTree.parse(tmp_path / "r.xml").getroot()[0][1][0]
    assert (skipped.tag, skipped.get("message")) == ("skipped", reason)
    found = vernis("--sockets", "--coverage", cwd=tmp_path)
    assert (found.returncode, "--sockets measures no coverage" in found.stderr) == (2, True)


def test_a_daemon_that_is_missing_is_named(tmp_path: Path) -> None:
    written(tmp_path, 'test "a" { request("/a"); expect(miss); }')
    found = vernis("--sockets", "--daemon", "/no/such/vernisd", cwd=tmp_path)
    assert (found.returncode, "/no/such/vernisd" in found.stderr) == (2, True)


def test_backends_move_to_local_ports_and_keep_their_host_field(tmp_path: Path) -> None:
    (tmp_path / "part.vcl").write_text('backend two { .path = "/run/two.sock"; .max_connections = 5; }\n')
    (tmp_path / "p.vcl").write_text(
        'vcl 4.1;\nprobe default { .url = "/"; }\nprobe other { .timeout = 5s; }\n'
        'backend one { .host = "one." /* joined */ "test"; .port = "81"; .probe = other; }\n'
        f'include "{tmp_path}/part.vcl";\nbackend three none;\n'
    )
    run = run_stages(Compilation("p", str(tmp_path / "p.vcl"), options=Options()), PARSE)
    assert run.program is not None
    assert backends_of(run.program) == ["one", "two"]
    text = " ".join(relocated(run.program, {"one": 1001, "two": 1002}).text.decode().split())
    assert 'backend one { .host = "127.0.0.1"; .port = "1001"; .host_header = "one." "test"; .probe = other; }' in text
    assert 'backend two { .host = "127.0.0.1"; .port = "1002"; .max_connections = 5; }' in text
    assert 'probe default { .url = "/"; }' in text and "backend three none;" in text
