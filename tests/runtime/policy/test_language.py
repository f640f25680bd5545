"""Variables and rules of the runtime as a policy sees them: each policy is compiled, loaded and run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.language import Harness, compile_text, policy

from vernis.ir.ir import Msg

#: A message that each hook can write a result to.
WRITABLE = {"recv": ("req", Msg.REQ), "hit": ("req", Msg.REQ), "pipe": ("bereq", Msg.BEREQ), "deliver": ("resp", Msg.RESP),
            "synth": ("resp", Msg.RESP), "backend_fetch": ("bereq", Msg.BEREQ), "backend_response": ("beresp", Msg.BERESP)}
#: Returns from a hook before the built-in rules run.
LEAVE = {"recv": "hash", "backend_fetch": "fetch", "backend_response": "deliver", "deliver": "deliver"}


def by_case(cases: list[tuple[str, str]]) -> str:
    """One policy for all cases, so that it is compiled once. A case is (hook, statement); the request's field
    ``case`` selects it."""
    hooks: dict[str, str] = {}
    for number, (hook, statement) in enumerate(cases):
        request = "bereq" if hook.startswith("backend") else "req"
        leave = f"return ({LEAVE[hook]});" if hook in LEAVE and "return" not in statement else ""
        hooks[hook] = hooks.get(hook, "") + f'if ({request}.http.case == "{number}") {{ {statement} {leave} }}\n'
    return policy(**hooks)


def run_case(harness: Harness, cases: list[tuple[str, str]], case: tuple[str, str]) -> str:
    harness.reset()
    number = str(cases.index(case)).encode()
    harness.add(Msg.REQ, b"case", number)
    harness.add(Msg.BEREQ, b"case", number)
    return harness.run(f"vcl_{case[0]}")


def case_fixture(cases: list[tuple[str, str]]):  # type: ignore[no-untyped-def]
    @pytest.fixture(scope="module")
    def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
        with Harness() as harness:
            assert harness.load(compile_text(by_case(cases), tmp_path_factory.mktemp("cases"))) == ""
            yield harness

    return made


INITIAL_VALUES = [
    ("client.ip", "recv", "127.0.0.1"), ("client.identity", "recv", "127.0.0.1"), ("server.ip", "backend_response", "127.0.0.1"),
    ("remote.ip", "recv", "127.0.0.1"), ("local.ip", "deliver", "127.0.0.1"), ("local.socket", "recv", "a0"),
    ("local.endpoint", "backend_response", "127.0.0.1:8080"), ("server.hostname", "recv", "host.test"),
    ("server.identity", "backend_response", "harness"), ("req.backend_hint", "recv", "default"), ("req.can_gzip", "recv", "false"),
    ("req.esi_level", "recv", "0"), ("req.grace", "recv", "-1.000"), ("req.hash_always_miss", "recv", "false"),
    ("req.is_hitmiss", "recv", "false"), ("req.is_hitpass", "recv", "false"), ("req.method", "recv", "GET"),
    ("req.proto", "recv", "HTTP/1.1"), ("req.restarts", "recv", "0"), ("req.storage", "recv", ""),
    ("req.time", "recv", "Sun, 09 Sep 2001 01:46:40 GMT"), ("req.scheme", "recv", "http"), ("req.transport", "recv", "http/1"), ("req.ttl", "recv", "-1.000"),
    ("req.url", "recv", "/"), ("req.xid", "recv", "1001"), ("req_top.url", "recv", "/"), ("req_top.method", "recv", "GET"),
    ("req_top.proto", "recv", "HTTP/1.1"), ("req_top.time", "recv", "Sun, 09 Sep 2001 01:46:40 GMT"),
    ("now", "recv", "Sun, 09 Sep 2001 01:46:40 GMT"), ("sess.xid", "backend_response", "1000"), ("sess.xid", "recv", "1000"),
    ("bereq.backend", "backend_response", "default"), ("bereq.xid", "backend_response", "1002"),
    ("bereq.retries", "backend_response", "0"), ("bereq.is_bgfetch", "backend_response", "false"),
    ("bereq.uncacheable", "backend_response", "false"), ("bereq.time", "backend_response", "Sun, 09 Sep 2001 01:46:40 GMT"),
    ("bereq.method", "pipe", "GET"), ("bereq.xid", "pipe", "1002"), ("bereq.backend", "pipe", "default"),
    ("beresp.status", "backend_response", "200"), ("beresp.reason", "backend_response", "OK"),
    ("beresp.ttl", "backend_response", "120.000"), ("beresp.grace", "backend_response", "10.000"),
    ("beresp.keep", "backend_response", "0.000"), ("beresp.age", "backend_response", "0.000"),
    ("beresp.was_304", "backend_response", "false"), ("beresp.do_stream", "backend_response", "true"),
    ("beresp.filters", "backend_response", ""), ("beresp.backend.name", "backend_response", ""),
    ("beresp.storage", "backend_response", ""), ("beresp.uncacheable", "backend_response", "false"),
    ("obj.hits", "hit", "0"), ("obj.status", "hit", "200"), ("obj.proto", "hit", "HTTP/1.1"), ("obj.reason", "hit", "OK"),
    ("obj.uncacheable", "deliver", "true"), ("obj.can_esi", "hit", "false"), ("obj.storage", "hit", "storage.Transient"),
    ("obj.grace", "hit", "0.000"), ("resp.status", "deliver", "200"), ("resp.is_streaming", "deliver", "false"),
    ("resp.filters", "deliver", ""), ("resp.do_esi", "deliver", "false"), ("resp.time", "synth", "Sun, 09 Sep 2001 01:46:40 GMT"),
    ("storage.s0.free_space", "recv", "1048576"), ("storage.s0.used_space", "recv", "0"), ("storage.s0.happy", "recv", "true"),
    ("storage.s0", "recv", "storage.s0"),
]


def showing(expression: str, hook: str) -> tuple[str, str]:
    return hook, f'set {WRITABLE[hook][0]}.http.shown = "" + {expression};'


SHOWING = [showing(expression, hook) for expression, hook, _ in INITIAL_VALUES]
showing_policy = case_fixture(SHOWING)


@pytest.mark.parametrize(("expression", "hook", "text"), INITIAL_VALUES)
def test_a_variable_has_its_initial_value(showing_policy: Harness, expression: str, hook: str, text: str) -> None:
    run_case(showing_policy, SHOWING, showing(expression, hook))
    assert showing_policy.number("failed") == 0, showing_policy.text("failed_why")
    assert showing_policy.field(WRITABLE[hook][1], "shown") == text


SETTABLE = [
    ("recv", "req.grace = 5s", "req.grace", 5), ("recv", "req.grace = -5s", "req.grace", 0), ("recv", "req.ttl = 1m", "req.ttl", 60),
    ("recv", "req.hash_ignore_busy = true", "req.hash_ignore_busy", 1),
    ("recv", "req.hash_ignore_vary = true", "req.hash_ignore_vary", 1),
    ("recv", "sess.timeout_idle = 3s", "sess.timeout_idle", 3), ("recv", "sess.send_timeout = 3s", "sess.send_timeout", 3),
    ("recv", "sess.timeout_linger = 3s", "sess.timeout_linger", 3),
    ("recv", "sess.idle_send_timeout = 3s", "sess.idle_send_timeout", 3),
    ("backend_fetch", "bereq.connect_timeout = 7s", "bereq.connect_timeout", 7),
    ("backend_fetch", "bereq.first_byte_timeout = 7s", "bereq.first_byte_timeout", 7),
    ("backend_fetch", "bereq.between_bytes_timeout = 7s", "bereq.between_bytes_timeout", 7),
    ("backend_response", "beresp.ttl = 5s", "beresp.ttl", 5), ("backend_response", "beresp.ttl = -5s", "beresp.ttl", 0),
    ("backend_response", "beresp.ttl += 5s", "beresp.ttl", 125), ("backend_response", "beresp.grace = 1h", "beresp.grace", 3600),
    ("backend_response", "beresp.keep = -1s", "beresp.keep", 0),
    ("backend_response", "beresp.uncacheable = true", "beresp.uncacheable", 1),
    ("backend_response", "beresp.do_gzip = true", "beresp.do_gzip", 1),
    ("backend_response", "beresp.do_stream = false", "beresp.do_stream", 0),
    ("backend_response", "beresp.status = 65535", "beresp.status", 65535), ("deliver", "resp.status = 404", "resp.status", 404),
    ("deliver", "resp.do_esi = true", "resp.do_esi", 1),
]
SETTING = [(hook, f"set {assignment};") for hook, assignment, _, _ in SETTABLE]
setting_policy = case_fixture(SETTING)


@pytest.mark.parametrize(("hook", "assignment", "name", "value"), SETTABLE)
def test_a_variable_can_be_set(setting_policy: Harness, hook: str, assignment: str, name: str, value: float) -> None:
    assert run_case(setting_policy, SETTING, (hook, f"set {assignment};")) == LEAVE[hook]
    assert setting_policy.number(name) == value


OUT_OF_RANGE = [
    ("recv", "set req.url = req.http.nope;", "Setting req.url to empty string"),
    ("recv", 'set req.method = "";', "Setting req.method to empty string"),
    ("recv", 'set req.url = {"/a\tb"};', "req.url cannot hold control characters"),
    ("recv", 'set req.method = "A B";', "req.method cannot hold blanks"),
    ("deliver", "set resp.status = 99;", "illegal resp.status (99) (..0##)"),
    ("backend_response", "set beresp.status = 65536;", "beresp.status (65536) > 65535"),
    ("deliver", 'set resp.http.only-here = {"a\nb"};', "Bad header only-here: a\nb"),
    ("deliver", 'set resp.reason = {"a\nb"};', "resp.reason cannot hold control characters"),
    ("recv", "return (synth(99));", "illegal return(synth()) status code (99) (..0##)"),
    ("recv", "set req.http.x = 5 / req.restarts;", "division by zero"),
    ("deliver", "set resp.http.x = std.integer(resp.http.nope);", "std.integer: conversion failed"),
]
FAILING = [(hook, statement) for hook, statement, _ in OUT_OF_RANGE]
failing_policy = case_fixture(FAILING)


@pytest.mark.parametrize(("hook", "statement", "why"), OUT_OF_RANGE)
def test_a_value_out_of_range_fails_the_transaction(failing_policy: Harness, hook: str, statement: str, why: str) -> None:
    assert run_case(failing_policy, FAILING, (hook, statement)) == "fail"
    assert why in (failing_policy.text("failed_why") or "")


def test_setting_a_status_sets_its_reason(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(deliver="set resp.status = 12404;"))
    made.run("vcl_deliver")
    assert made.text("resp.reason") == "Not Found"


def test_uncacheable_cannot_be_reset(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(backend_response="set beresp.uncacheable = true; set beresp.uncacheable = false;"))
    made.run("vcl_backend_response")
    assert made.number("beresp.uncacheable") == 1
    assert made.text("errors") == "Ignoring attempt to reset beresp.uncacheable\n"


def test_a_field_keeps_the_spelling_of_the_policy(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(deliver='set resp.http.x-FOO = "1"; set resp.http.ETAG = "2";'))
    made.add(Msg.RESP, b"X-Foo", b"0")
    made.add(Msg.RESP, b"x-foo", b"00")
    made.run("vcl_deliver")
    assert made.fields(Msg.RESP) == [("x-FOO", "1"), ("ETAG", "2")]


def test_arguments_of_return_are_kept(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(recv='return (synth(418, "Short " + "and stout"));', backend_response="return (pass(7s));"))
    assert made.run("vcl_recv") == "synth"
    assert (made.number("ret.status"), made.text("ret.text")) == (418, "Short and stout")
    assert made.run("vcl_backend_response") == "pass"
    assert (made.number("ret.seconds"), made.number("hit_for_pass")) == (7, 7)
    assert made.text("ret.text") is None


def test_each_piece_of_the_cache_key_ends_with_a_nul(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(hash='hash_data("a" + req.http.nope + "b"); hash_data(req.http.nope);'))
    made.request(url=b"/x")
    made.add(Msg.REQ, b"Host", b"h")
    assert made.run("vcl_hash") == "lookup"
    assert made.text("key") == "ab\0\0/x\0h\0"


def test_an_acl_matches_and_logs(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(declarations='acl inside +log { "10.0.0.0"/8; ! "10.0.0.1"; }',
                         recv="if (client.ip ~ inside) { return (pass); } return (pipe);"))
    made.set_ip("client", "10.2.3.4")
    assert made.run("vcl_recv") == "pass"
    made.set_ip("client", "10.0.0.1")
    assert made.run("vcl_recv") == "pipe"
    made.set_ip("client", "::1")
    assert made.run("vcl_recv") == "pipe"
    lines = (made.text("log") or "").splitlines()
    assert [line.split()[0] for line in lines] == ["MATCH", "NEG_MATCH", "NO_MATCH"]


def test_a_director_is_a_backend_hint(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(init="new www = directors.round_robin(); www.add_backend(default);",
                         recv="set req.backend_hint = www.backend(); set req.http.b = req.backend_hint.resolve();"))
    made.run("vcl_recv")
    assert made.text("req.backend_hint") == "www"
    assert made.field(Msg.REQ, "b") == "default"


def test_a_missing_backend_is_false(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(recv='set req.backend_hint = vtc.no_backend(); if (!req.backend_hint) { set req.http.x = "none"; }'))
    made.run("vcl_recv")
    assert made.field(Msg.REQ, "x") == "none"


def test_a_failed_vcl_init_names_the_line(harness: Harness, tmp_path: Path) -> None:
    text = policy(init='if (std.real2integer(1.0, 0) == 1) {\n return (fail("not now")); }')
    error = harness.load(compile_text(text, tmp_path))
    assert "not now" in error
    assert "p.vcl:" in error


def test_code_of_another_level_keeps_the_running_state(harness: Harness, tmp_path: Path) -> None:
    declarations = 'backend other { .host = "127.0.0.1"; .port = "2"; }'
    text = policy(declarations=declarations, init="new www = directors.round_robin(); www.add_backend(default); www.add_backend(other);",
                  recv="set req.http.b = www.backend().resolve();")
    assert harness.load(compile_text(text, tmp_path, "one", level=0)) == ""
    taken = []
    for path in (None, compile_text(text, tmp_path, "two", level=2), None):
        assert path is None or harness.replace(path) == ""
        harness.reset()
        harness.run("vcl_recv")
        taken.append(harness.field(Msg.REQ, "b"))
    assert taken == ["default", "other", "default"]
    mapped = Path("/proc/self/maps").read_text()
    assert str(tmp_path / "two.so") in mapped
    assert str(tmp_path / "one.so") not in mapped
    changed = policy(declarations=declarations, init="", recv='set req.http.b = "x"; set req.backend_hint = other;')
    assert "declarations differ" in harness.replace(compile_text(changed, tmp_path, "three"))


def test_a_fetch_has_its_own_cookies(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(recv='cookie.parse("a=1"); set req.http.jar = cookie.get_string();',
                         backend_fetch='set bereq.http.jar = "<" + cookie.get_string() + ">";'))
    made.run("vcl_recv")
    made.run("vcl_backend_fetch")
    assert (made.field(Msg.REQ, "jar"), made.field(Msg.BEREQ, "jar")) == ("a=1;", "<>")


def test_synthetic_appends_and_setting_the_body_replaces_it(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(synth='synthetic("a" + resp.http.nope); synthetic("b"); set resp.http.x = "1"; return (deliver);',
                         backend_error='synthetic("a"); set beresp.body = "c"; set beresp.body += "d"; return (deliver);'))
    made.run("vcl_synth")
    assert made.text("synth") == "a(null)b"
    made.run("vcl_backend_error")
    assert made.text("beresp.body") == "cd"


def test_purge_works_in_hit_and_miss_only(loaded) -> None:  # type: ignore[no-untyped-def]
    made = loaded(policy(miss="set req.http.n = purge.hard() + purge.soft(1s);", deliver="if (purge.hard() == 1) { return (restart); }"))
    made.run("vcl_hash")
    assert made.run("vcl_miss") == "fetch"
    assert made.field(Msg.REQ, "n") == "0"
    assert made.run("vcl_deliver") == "fail"
    assert "vcl_hit{} or vcl_miss{}" in (made.text("failed_why") or "")


def test_an_unloaded_policy_is_unmapped(harness: Harness, tmp_path: Path) -> None:
    assert harness.load(compile_text(policy(), tmp_path, "first")) == ""
    assert harness.load(compile_text(policy(), tmp_path, "second")) == ""
    mapped = Path("/proc/self/maps").read_text()
    assert str(tmp_path / "second.so") in mapped
    assert str(tmp_path / "first.so") not in mapped
