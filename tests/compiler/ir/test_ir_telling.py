"""A policy that tells its steps: the log has each statement that ran, with its values."""

from __future__ import annotations

from pathlib import Path

import pytest

from vernis import pipeline
from vernis.ir.telling import MARK, Told
from vernis.observe.tags import NUMBERS
from vernis.pipeline import Compilation, Options
from vernis.trial.world import Answer, Host, LogRecord, Response

POLICY = """vcl 4.1;
import std;
backend default { .host = "a.invalid"; }
acl office { "192.0.2.0"/24; }
sub tidy { if (req.http.X-A) { unset req.http.X-A; } }
sub vcl_recv {
    call tidy;
    if (req.url ~ "^/admin" || client.ip ~ office && req.http.X-Debug == "1") {
        return (pass);
    }
    set req.url = regsub(req.url, "[?].*$", "");
    set req.http.X-N = std.tolower(req.http.X-M) + "x";
}
sub vcl_backend_response { set beresp.ttl = 1h; }
sub vcl_deliver { set resp.http.X-At = now; set resp.http.X-B = req.backend_hint; }
"""
HEAD = b"GET %s HTTP/1.1\r\nHost: a\r\nX-A: was\r\n\r\n"


class Telling:
    """POLICY in a world, and the table of its steps."""

    def __init__(self, folder: Path, host: Host) -> None:
        image = folder / "p.so"
        run = Compilation("p", "p.vcl", POLICY.encode(), Options(rule_counters=False), image)
        pipeline.run_stages(run, pipeline.TELLING)
        assert not run.failed, pipeline.rendered_diagnostics(run)
        assert run.module is not None
        self.host, self.image, self.told, self.module = host, image, run.told, run.module

    def ask(self, url: bytes) -> tuple[Response, list[LogRecord]]:
        with self.host.world(self.image) as world:
            world.answer(Answer(head=b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
            return world.request(HEAD % url), list(world.records())

    def steps(self, url: bytes) -> list[tuple[str, str, str]]:
        """Kind, name and text of each step of POLICY's own lines."""
        found = []
        for one in self.ask(url)[1]:
            text = one.text.rstrip(b"\0").decode("latin-1")
            if one.tag == NUMBERS["VCL_Log"] and text.startswith(MARK):
                number, _, value = text[1:].partition(" ")
                told: Told = self.told[int(number)]
                if self.module.sites[told.site].file == 0:
                    found.append((told.kind, told.name, value))
        return found


@pytest.fixture(scope="module")
def telling(tmp_path_factory):  # type: ignore[no-untyped-def]
    host = Host()
    yield Telling(tmp_path_factory.mktemp("telling"), host)
    host.close()


def test_a_condition_tells_what_it_read_and_its_truth(telling: Telling) -> None:
    steps = telling.steps(b"/a?b")
    assert ("read", "req.url", "true /a?b") in steps
    assert ("test", 'req.url ~ "^/admin"', "true false") in steps
    assert ("test", "client.ip ~ office", "true true") in steps
    assert ("test", 'req.http.X-Debug == "1"', "true false") in steps


def test_an_operand_that_does_not_run_is_not_told(telling: Telling) -> None:
    assert "client.ip ~ office" not in [name for _, name, _ in telling.steps(b"/admin")]


def test_an_unset_text_is_no_empty_one(telling: Telling) -> None:
    assert ("read", "req.http.X-Debug", "false ") in telling.steps(b"/a")


def test_a_set_tells_the_new_value(telling: Telling) -> None:
    steps = telling.steps(b"/a?b")
    assert ("set", "req.url", "true /a") in steps
    assert ("set", "req.http.X-N", "true x") in steps
    assert ("set", "beresp.ttl", "true 3600.000") in steps
    assert ("set", "resp.http.X-B", "true default") in steps


def test_an_unset_tells_the_old_value(telling: Telling) -> None:
    assert ("unset", "req.http.X-A", "true was") in telling.steps(b"/a")


def test_calls_and_returns_are_told_in_their_order(telling: Telling) -> None:
    kinds = [(kind, name) for kind, name, _ in telling.steps(b"/admin") if kind in ("call", "return")]
    assert kinds == [("call", "tidy"), ("return", "pass")]


def test_telling_changes_no_response(telling: Telling, tmp_path: Path) -> None:
    plain = Compilation("p", "p.vcl", POLICY.encode(), Options(rule_counters=False), tmp_path / "plain.so")
    pipeline.compile_policy(plain)
    with telling.host.world(tmp_path / "plain.so") as world:
        world.answer(Answer(head=b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
        expected = world.request(HEAD % b"/a?b")
        records = list(world.records())
    got, told = telling.ask(b"/a?b")
    assert got == expected
    others = [one for one in told if not (one.tag == NUMBERS["VCL_Log"] and one.text.startswith(b"\x01"))]
    assert [(one.tag, one.text) for one in sorted(others, key=lambda one: one.transaction)] == [
        (one.tag, one.text) for one in sorted(records, key=lambda one: one.transaction)
    ]
