"""Checks of whole programs: calls, reachable hooks, concatenation, effects and suggestions."""

from __future__ import annotations

import pytest
from semantics_helpers import OPTIONS, Result, assert_as_written, check, policy, recv

from vernis.semantics.backends import BACKEND_PROPERTIES, PROBE_PROPERTIES
from vernis.semantics.options import Options
from vernis.semantics.typed import CallSub, Declared, Literal, Return
from vernis.semantics.vocabulary import HOOKS, hook_names, load_vocabulary
from vernis.syntax.diagnostics import Severity


def labels(result: Result) -> list[tuple[str, str]]:
    return [(result.program.sources.text(label.span), label.text) for label in result.one.source.labels]


# ---- the built-in policy -----------------------------------------------------------------------------------


def test_builtin_policy_is_clean_and_defines_every_hook() -> None:
    result = check("vcl 4.1; backend origin none;")
    assert result.codes == []
    assert set(HOOKS) <= set(result.checked.subs)


def test_builtin_policy_is_clean_in_4_0() -> None:
    assert check("vcl 4.0; backend origin none;").codes == []


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_ends_with_a_return(hook: str) -> None:
    last = check("vcl 4.1; backend origin none;").checked.subs[hook].body[-1]
    assert isinstance(last, Return) and last.action in load_vocabulary().hooks[hook].actions


def test_definitions_of_a_hook_follow_each_other_and_the_builtin_one_comes_last() -> None:
    text = policy("sub one { } sub two { } sub vcl_recv { call one; } sub vcl_recv { call two; }")
    body = check(text).checked.subs["vcl_recv"].body
    assert [item.sub for item in body if isinstance(item, CallSub)] == ["one", "two", "vcl_builtin_recv"]
    assert isinstance(body[-1], Return) and body[-1].action == "hash"


def test_a_step_of_the_builtin_policy_can_be_prepended_to() -> None:
    body = check(policy("sub vcl_req_cookie { return; }")).checked.subs["vcl_req_cookie"].body
    assert isinstance(body[0], Return) and body[0].action is None and len(body) == 2


def test_names_ignore_case() -> None:
    text = policy("sub Clean { Unset REQ.http.Cookie; } sub VCL_recv { CALL cLEAN; set req.backend_hint = ORIGIN; }")
    assert check(text).codes == []


# ---- reach -------------------------------------------------------------------------------------------------


def test_reachable_hooks_follow_calls() -> None:
    text = policy("sub a { call b; } sub b { } sub vcl_recv { call a; } sub vcl_deliver { call b; }")
    subs = check(text).checked.subs
    assert hook_names(subs["a"].reach) == ["vcl_recv"]
    assert hook_names(subs["b"].reach) == ["vcl_recv", "vcl_deliver"]


def test_a_finding_in_a_called_sub_shows_every_call_on_the_way() -> None:
    result = check(policy("sub inner { set beresp.ttl = 1s; }\nsub outer { call inner; }\nsub vcl_recv { call outer; }"))
    assert result.one.message == "beresp.ttl cannot be set in vcl_recv, which calls inner"
    assert labels(result) == [("outer", "vcl_recv calls outer here"), ("inner", "outer calls inner here")]


def test_a_sub_may_use_only_what_all_its_hooks_allow() -> None:
    text = "sub a {{ set req.http.X = req.url; }} sub vcl_recv {{ call a; }} sub {} {{ call a; }}"
    assert check(policy(text.format("vcl_deliver"))).codes == []
    assert check(policy(text.format("vcl_backend_fetch"))).codes == ["V402"]


def test_an_error_in_two_hooks_is_reported_once() -> None:
    assert check(policy("sub a { set obj.ttl = 1s; } sub vcl_hit { call a; } sub vcl_deliver { call a; }")).codes == ["V402"]


# ---- subs as values ----------------------------------------------------------------------------------------


def value(subs: str, hook: str = "call chosen.subroutine();") -> str:
    return policy(f'import re2; sub vcl_init {{ new chosen = re2.set(); chosen.add("", sub = a); }} {subs} sub vcl_recv {{ {hook} }}')


@pytest.mark.parametrize(("subs", "hooks"), [
    ("sub a { set req.http.X = req.url; }", ["vcl_recv", "vcl_pipe", "vcl_pass", "vcl_hash", "vcl_purge", "vcl_miss", "vcl_hit",
                                             "vcl_deliver", "vcl_synth"]),
    ("sub a { set resp.status = 200; }", ["vcl_deliver", "vcl_synth"]),
    ("sub a { call b; } sub b { return (lookup); }", ["vcl_hash"]), ("sub a { synthetic(req.url); }", ["vcl_synth"]),
    ("sub a { call b; set req.url = req.url; } sub b { set bereq.url = bereq.url; }", ["vcl_pipe"]),
    ("sub a { call b; set req.url = req.url; } sub b { set beresp.ttl = 1s; }", []), ("sub a { }", list(HOOKS)),
    ("sub a { if (beresp.ttl > 0s && storage.s0.happy) { return (retry); } }", ["vcl_backend_response", "vcl_backend_error"]),
])
def test_a_sub_value_can_be_called_in_hooks_that_allow_all_it_uses(subs: str, hooks: list[str]) -> None:
    result = check(value(subs))
    assert result.codes == []
    assert [(found.sub, hook_names(found.hooks)) for found in result.checked.sub_values] == [("a", hooks)]


def test_a_sub_value_that_no_hook_allows_is_an_error() -> None:
    result = check(value("sub a { set obj.ttl = 1s; }"))
    assert (result.codes, result.one.message) == (["V402"], "obj.ttl can never be set")


def test_a_sub_value_and_the_subs_it_calls_count_as_used() -> None:
    assert check(value("sub a { call b; } sub b { } sub c { }")).one.message == "sub c is never used"


def test_a_call_of_a_sub_value_has_the_effects_of_all_sub_values() -> None:
    text = "sub a { call b; call chosen.subroutine(); } sub b { set req.http.X = req.url; return (vcl(other)); }"
    effects = check(value(text)).checked.effects
    assert "req.http.x" in effects["vcl_recv"].writes and "vcl" in effects["vcl_recv"].actions
    assert "req.http.x" not in effects["vcl_deliver"].writes


@pytest.mark.parametrize(("statement", "message"), [
    ('call re2.quotemeta("x");', "STRING is not SUB"), ("set req.http.X = chosen.subroutine();", "SUB is not STRING"),
    ("set req.http.X = a;", "a is a sub, not a value"), ("if (chosen.subroutine()) { }", "SUB is not BOOL")])
def test_a_sub_value_can_only_be_called(statement: str, message: str) -> None:
    assert check(value("sub a { }", statement)).one.message == message


def test_an_unknown_sub_is_not_a_value() -> None:
    result = check(value("sub aa { } sub vcl_recv { call aa; }"))
    assert (result.codes, result.one.message, result.one.source.help) == (["V302"], "there is no sub a", "known: aa")


# ---- other findings about hooks ----------------------------------------------------------------------------


def test_help_names_what_an_older_version_allowed() -> None:
    result = check(policy('sub vcl_backend_fetch { set bereq.proto = "HTTP/1.0"; }'))
    assert result.one.source.help == "vcl 4.0 could set it; later versions can only read it"


def test_a_call_of_a_hook_checks_its_actions() -> None:
    assert "V405" in check(policy("sub vcl_recv { call vcl_hit; }")).codes


def test_recursion_shows_the_calls() -> None:
    result = check(policy("sub a { call b; } sub b { call a; } sub vcl_recv { call a; }"))
    assert (result.one.code, result.one.message) == ("V601", "a calls itself: a -> b -> a")


@pytest.mark.parametrize(("subs", "help_"), [
    ("sub on_alarm { call on_my_alarm; } sub vcl_recv { call on_alarm; }", "define it, or remove the call"),
    ("sub on_alarm { call step; } sub step { call on_my_alarm; } sub vcl_recv { call on_alarm; }", "define it, or remove the call"),
    ("sub on_alarm { } sub vcl_recv { call on_my_alarm; }", "did you mean on_alarm?"),
])
def test_an_unknown_sub_is_not_taken_for_one_that_calls_it(subs: str, help_: str) -> None:
    """It may be in a file that is missing. The call of the sub around it would never end."""
    result = check(policy(subs))
    assert (result.one.code, result.one.message, result.one.source.help) == ("V302", "there is no sub on_my_alarm", help_)


@pytest.mark.parametrize(("subs", "codes"), [(99, []), (100, ["V603"]), (5000, ["V603"])])
def test_the_depth_of_calls_is_limited(subs: int, codes: list[str]) -> None:
    """A hook may call subs to a depth of one hundred."""
    chain = "".join(f"sub s{n} {{ call s{n + 1}; }}\n" for n in range(1, subs))
    assert check(policy(f"{chain} sub s{subs} {{ }} sub vcl_recv {{ call s1; }}")).codes == codes


# ---- all in one run, and no consequences -------------------------------------------------------------------


def test_one_run_reports_all_findings_without_follow_up_errors() -> None:
    text = policy("""import std;
sub vcl_recv {
    set req.ttl = nowhere + 5s;                             ### V302 "there is no variable or declaration nowhere"
    set req.http.X = std.nothing("a") + std.log("b");       ### V322 "nothing" ### V319 "std.log returns no value"
    if (req.nothing == 5 && req.restarts) { set req.http.Y = req.nothing; }  ### V302 "req.nothing" ### V302 "req.nothing"
    set req.backend_hint = std.healthy(missing);            ### V302 "there is no backend missing"
}""")
    assert_as_written(text, check(text))


def test_a_declaration_in_an_unreadable_part_is_not_reported_missing() -> None:
    """The parser cannot read the acl. An error about an unknown acl would be a follow-up error."""
    result = check(policy('acl local { "192.0.2.1" }\nsub vcl_recv { if (client.ip ~ local) { return (pass); } }'))
    assert all(code < "V300" for code in result.codes) and result.codes


def test_an_unreadable_property_is_not_reported_missing() -> None:
    result = check(policy("backend app { .host = ; } sub vcl_recv { set req.backend_hint = app; }"))
    assert result.codes and all(code < "V300" for code in result.codes)


# ---- suggestions -------------------------------------------------------------------------------------------


def edits(result: Result) -> list[tuple[str, str]]:
    return [(result.program.sources.text(edit.span), edit.text) for edit in result.one.source.edits]


def test_a_misspelling_with_one_candidate_can_be_fixed() -> None:
    assert edits(check(recv("set req.http.X = req.methd;"))) == [("req.methd", "req.method")]
    assert edits(check(recv("return (lokup);"))) == []
    assert edits(check(policy("sub vcl_hash { return (lokup); }"))) == [("lokup", "lookup")]
    assert edits(check(recv("set req.backend_hint = orgin;"))) == [("orgin", "origin")]


def test_a_minus_that_became_part_of_a_name_can_be_fixed() -> None:
    assert edits(check(recv("set req.ttl = req.grace-5s;"))) == [("req.grace-5s", "req.grace - 5s")]
    assert edits(check(recv("set req.ttl = 10s-5s;"))) == [("10s-5s", "10s - 5s")]


def test_help_names_the_new_names_of_vcl_3_hooks() -> None:
    assert "vcl_backend_response" in check(policy("sub vcl_fetch { }")).one.source.help
    assert "vcl_synth" in check(policy("sub vcl_error { }")).one.source.help


def test_suggestions_are_legal_in_their_hook() -> None:
    """In vcl_recv the help must not name obj.hits, though its name is similar; in vcl_hit it must."""
    assert "obj." not in check(recv("set req.http.X = ob.hits;")).one.source.help
    assert "obj.hits" in check(policy("sub vcl_hit { set req.http.X = obj.hit; }")).one.source.help


@pytest.mark.parametrize(("text", "part"), [
    ("set req.ttl = 5;", "5s"),
    ("set req.http.X = req.http.A.B;", 'req.http."A.B"'),
    ("std.log(req.url);", "import std;"),
    ("set req.ttl = 2 * 5s;", "write the DURATION first"),
    ("return (deliver);", "vcl_recv can return fail, synth"),
    ("set beresp.ttl = 5s;", "vcl_backend_response, vcl_backend_error"),
    ('if (req.request == "GET") { }', "req.method"),
    ("if (req.backend.healthy) { }", "std.healthy(req.backend_hint)"),
    ("if (client.port == 80) { }", "std.port(client.ip)"),
])
def test_help_says_what_to_write(text: str, part: str) -> None:
    assert part in check(recv(text)).one.source.help


# ---- options -----------------------------------------------------------------------------------------------


def test_an_unused_sub_is_a_warning_if_the_options_say_so() -> None:
    lenient = Options(err_unref=False, resolver=OPTIONS.resolver)
    text = policy("sub forgotten { }")
    assert check(text).one.severity is Severity.ERROR
    assert check(text, lenient).one.severity is Severity.WARNING


def test_host_bits_in_an_acl_are_a_warning_without_pedantic() -> None:
    text = policy('acl local -pedantic { "192.0.2.7"/24; } sub vcl_recv { if (client.ip ~ local) { return (pass); } }')
    assert check(text).one.severity is Severity.WARNING
    lenient = Options(acl_pedantic=False, resolver=OPTIONS.resolver)
    assert check(text.replace("-pedantic ", ""), lenient).one.severity is Severity.WARNING


def test_patterns_are_checked_by_the_function_in_the_options() -> None:
    refusing = Options(regex_check=lambda pattern: "too clever" if b"(?=" in pattern else None)
    assert check(recv('if (req.url ~ "(?=a)") { return (pass); }'), refusing).one.message \
        == "this pattern is not valid: too clever"
    assert check(recv('if (req.url ~ "a") { return (pass); }'), refusing).codes == []


def test_patterns_that_the_daemon_refuses_are_errors() -> None:
    found = check(recv('if (req.url ~ "(*UTF)a") { return (pass); }'), Options(resolver=OPTIONS.resolver))
    assert found.one.message == "this pattern is not valid: using UTF is disabled by the application at offset 6"


# ---- declarations ------------------------------------------------------------------------------------------


def test_acl_entries_come_longest_prefix_first_and_names_are_looked_up() -> None:
    text = policy('acl local { "192.0.0.0"/16; ! "192.0.2.0"/24; "localhost"; ("nowhere.example"); "192.0.0.0"/16; }'
                  "sub vcl_recv { if (client.ip ~ local) { return (pass); } }")
    acl = check(text).checked.acls[0]
    assert [(e.address, e.bits, e.negated) for e in acl.entries] == [
        (b"\0" * 15 + b"\1", 128, False), (b"\x7f\0\0\1", 32, False), (b"\xc0\0\2\0", 24, True), (b"\xc0\0\0\0", 16, False)]


@pytest.mark.parametrize(("entry", "address", "bits"), [
    ('"192.0.2.1"', b"\xc0\0\2\1", 32),
    ('"192.0.2"', b"\xc0\0\2\0", 24),
    ('"10"', b"\x0a\0\0\0", 8),
    ('"10.1"/20', b"\x0a\1\0\0", 20),
    ('"192.0.2.0/24"', b"\xc0\0\2\0", 24),
    ('"2001:db8::/32"', b"\x20\x01\x0d\xb8" + b"\0" * 12, 32),
    ('"ten.example"', b"\x0a\0\0\1", 32),
    ('"0.0.0.0"/0', b"\0\0\0\0", 0),
])
def test_forms_of_an_acl_entry(entry: str, address: bytes, bits: int) -> None:
    result = check(policy(f"acl local {{ {entry}; }} sub vcl_recv {{ if (client.ip ~ local) {{ }} }}"))
    assert result.codes == []
    assert [(e.address, e.bits) for e in result.checked.acls[0].entries] == [(address, bits)]


@pytest.mark.parametrize("entry", ['"192.0.2.1/x"', '"256.1"', '"192.0.2.1/"', '"192.0.2.1.1"'])
def test_invalid_acl_entries_are_errors(entry: str) -> None:
    assert check(policy(f"acl local {{ {entry}; }} sub vcl_recv {{ if (client.ip ~ local) {{ }} }}")).codes == ["V510"]


def test_default_backend_is_the_one_of_that_name_or_else_the_first() -> None:
    use = "sub vcl_recv { set req.backend_hint = b; }"
    assert check(f"vcl 4.1; backend a none; backend b none; {use}").checked.default_backend == 0
    assert check(f"vcl 4.1; backend a none; backend b none; backend default none; {use}").checked.default_backend == 2


def test_default_probe_watches_backends_without_one() -> None:
    text = 'vcl 4.1; probe p { .window = 3; .threshold = 2; } probe default { } backend a { .host = "192.0.2.1"; }' \
           'backend b { .host = "192.0.2.2"; .probe = p; } backend c { .host = "192.0.2.3"; .probe = { .url = "/c"; } }' \
           "sub vcl_recv { set req.backend_hint = b; set req.backend_hint = c; }"
    result = check(text)
    assert result.codes == []
    assert [backend.probe for backend in result.checked.backends] == [1, 0, 2]
    assert [(p.window, p.threshold, p.initial) for p in result.checked.probes] == [(3, 2, 1), (8, 3, 2), (8, 3, 2)]
    assert (result.checked.probes[2].name, result.checked.probes[2].url) == ("c.probe", "/c")


def test_a_probe_request_is_a_whole_head() -> None:
    text = policy('backend a { .host = "192.0.2.1"; .probe = { .request = "GET / HTTP/1.1" "Host: a"; } }'
                  "sub vcl_recv { set req.backend_hint = a; }")
    assert check(text).checked.probes[0].request == b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(("fields", "window", "threshold", "initial"), [
    ("", 8, 3, 2),
    (".threshold = 9;", 10, 9, 8),              # without a window, one probe may fail
    (".threshold = 64;", 64, 64, 63),
    (".window = 20; .threshold = 9;", 20, 9, 8),
    (".window = 0; .threshold = 0;", 8, 3, 2),
    (".window = 5; .threshold = 3; .initial = 0;", 5, 3, 0),
])
def test_window_and_threshold(fields: str, window: int, threshold: int, initial: int) -> None:
    result = check(policy(f'backend a {{ .host = "192.0.2.1"; .probe = {{ {fields} }} }} sub vcl_recv {{ set req.backend_hint = a; }}'))
    probe = result.checked.probes[0]
    assert (result.codes, probe.window, probe.threshold, probe.initial) == ([], window, threshold, initial)


@pytest.mark.parametrize("fields", [".threshold = 0;", ".window = 2; .threshold = 0;", ".window = 0; .threshold = 3;"])
def test_a_threshold_above_the_window(fields: str) -> None:
    assert check(policy(f"probe p {{ {fields} }}")).codes[0] == "V507"


NUMBERS = [(kind, name) for kind, readers in (("backend", BACKEND_PROPERTIES), ("probe", PROBE_PROPERTIES)) for name in readers]


@pytest.mark.parametrize(("kind", "name"), NUMBERS, ids=[f"{kind}.{name}" for kind, name in NUMBERS])
def test_a_number_fits_into_its_field_in_an_image(kind: str, name: str) -> None:
    """Durations have no such limit. All other numbers must fit into 32 bits."""
    host = '.host = "192.0.2.1"; ' if kind == "backend" and name not in ("host", "path", "via") else ""
    result = check(policy(f"{kind} x {{ {host}.{name} = 4294967296; }}"))
    found = [finding for finding in result.findings if finding.code in ("V505", "V507")]
    assert [(finding.line, f".{name} is " in finding.message) for finding in found[:1]] == [(2, True)], result.findings
    if found[0].code == "V505" and "duration" in found[0].message:
        assert "V507" not in check(policy(f"{kind} x {{ {host}.{name} = 999999999999999y; }}")).codes


def test_zero_seconds_mean_the_default_of_a_probe() -> None:
    probe = check(policy("probe p { .timeout = 0s; .interval = 0s; } ")).checked.probes[0]
    assert (probe.timeout, probe.interval) == (2.0, 5.0)


def test_the_last_default_probe_counts() -> None:
    result = check(policy('probe default { .interval = 7s; } probe default { .interval = 9s; } backend a { .host = "192.0.2.1"; }'
                          "sub vcl_recv { set req.backend_hint = a; }"))
    assert (result.codes, result.findings[0].severity) == (["V501"], Severity.WARNING)
    assert result.checked.probes[result.checked.backends[1].probe or 0].interval == 9.0


BEFORE = """vcl 4.1;
sub vcl_recv {
    std.log("x");                               ### V302 "module std is used before it is declared"
    set req.backend_hint = rr.backend();        ### V302 "object rr is used before it is declared"
    set req.http.X = b;                         ### V302 "backend b is used before it is declared"
    if (b == req.backend_hint) { }              ### V302 "backend b is used before it is declared"
    set req.backend_hint = b.resolve();         ### V302 "backend b is used before it is declared"
    set req.backend_hint = b;
    set req.http.X = b;
    if (client.ip ~ a) { call later; }
}
sub later { }
backend b none; acl a { } import std; import directors;
sub vcl_init { new rr = directors.round_robin(); }
"""


def test_use_before_declaration() -> None:
    """A backend or an acl may be used before its declaration where one is expected, and after that use
    everywhere. Other names may not."""
    assert_as_written(BEFORE, check(BEFORE))


RESERVED = "acl backend import probe sub vcl call if new return set unset ban hash_data regsub regsuball synthetic true false".split()


@pytest.mark.parametrize("name", [*RESERVED, "IF", "Regsub"])
def test_a_reserved_word_cannot_be_a_name(name: str) -> None:
    assert check(policy(f"backend {name} none;")).codes == ["V502"]
    assert check(policy(f"sub vcl_init {{ new {name} = directors.round_robin(); }}", "4.1; import directors")).codes == ["V502"]


@pytest.mark.parametrize("name", ["in", "table", "let", "from", "as", "none", "switch", "else", "elsif", "fetch", "include_", "log"])
def test_other_words_can_be_names(name: str) -> None:
    assert check(policy(f"acl {name} {{ }} sub vcl_recv {{ if (client.ip ~ {name}) {{ }} }}")).codes == []


SHARED_NAME = 'acl std { "192.0.2.1"; } import std; sub vcl_recv { if (client.ip ~ std) { std.log("x"); } }'


def test_in_vcl_4_0_a_module_may_share_an_earlier_name() -> None:
    assert check(policy(SHARED_NAME, "4.0")).codes == []
    assert check(policy(SHARED_NAME, "4.1")).codes[0] == "V501"
    assert "V501" in check(policy('import std; acl std { "192.0.2.1"; }', "4.0")).codes
    made = check(policy("backend directors none; import directors;"
                        "sub vcl_init { new rr = directors.round_robin(); rr.add_backend(directors); }", "4.0"))
    assert made.codes == [] and made.checked.instances[0].kind == "directors.round_robin"


def test_names_of_modules_are_case_sensitive() -> None:
    assert check(policy("import STD;")).one.code == "V513"


def test_positional_parameters_cannot_be_named() -> None:
    result = check(policy("import directors; sub vcl_init { new d = directors.random(); d.add_backend(origin, weight = 1.0); }"))
    assert "is positional" in result.one.message and result.one.code == "V314"
    assert check(policy("import directors; sub vcl_init { new d = directors.hash(); d.add_backend(origin, weight = 1.0); }")).codes == []


@pytest.mark.parametrize("value", ['"a" + "b"', '("a")', "5"])
def test_a_probe_field_is_a_single_string(value: str) -> None:
    assert check(policy(f"probe p {{ .url = {value}; }}")).codes[0] == "V505"


@pytest.mark.parametrize(("port", "number"), [("80", "80"), (" 80", "80"), ("+80", "80"), ("080", "80"), ("http", "80"),
                                                ("65535", "65535")])
def test_ports_of_backends(port: str, number: str) -> None:
    result = check(policy(f'backend a {{ .host = "192.0.2.1"; .port = "{port}"; }} sub vcl_recv {{ set req.backend_hint = a; }}'))
    assert (result.codes, result.checked.backends[1].port) == ([], number)


@pytest.mark.parametrize("entry", ['"192.0.2.0"/024', '"192.0.2.0"/00024', '"192.0.2.0/ 24"', '"192.0.2.0/+24"', '"192.0.2.0/024"'])
def test_masks_of_acl_entries(entry: str) -> None:
    result = check(policy(f"acl a {{ {entry}; }} sub vcl_recv {{ if (client.ip ~ a) {{ }} }}"))
    assert (result.codes, result.checked.acls[0].entries[0].bits) == ([], 24)


def test_a_minus_is_an_error_where_a_time_is_expected() -> None:
    assert check(recv("set req.http.X = now + -1s;")).one.code == "V309"
    assert check(recv("set req.ttl = req.ttl + -1s;")).codes == []


def test_a_number_of_bytes_is_an_integer() -> None:
    assert check(recv("if (storage.s0.free_space > 1.5B) { }")).one.code == "V306"
    assert check(recv("if (storage.s0.free_space > 1.5KB && storage.s0.free_space > 2.0B) { }")).codes == []


@pytest.mark.parametrize(("pattern", "codes"), [
    ('"a" + "b"', []), ('("a")', []), ('("a" + "b")', []), ('"a" + ("b")', ["V308"]), ('("a") + "b"', ["V308"])])
def test_a_pattern_may_be_written_in_parts(pattern: str, codes: list[str]) -> None:
    assert check(recv(f"if (req.url ~ {pattern}) {{ }}")).codes == codes


@pytest.mark.parametrize(("statement", "codes"), [
    ("std.log(req.url,);", []), ("set req.http.X = std.random(1, 2 ,);", []), ('set req.http.X = regsub(req.url, "a", "b",);', ["V223"]),
    ('ban("obj.age > 1d",);', ["V223"]), ("return (synth(404,));", ["V223"]), ("std.log(req.url,,);", ["V223"]), ("std.log(,);", ["V201"])])
def test_a_comma_after_the_last_argument(statement: str, codes: list[str]) -> None:
    assert check(policy(f"import std; sub vcl_recv {{ {statement} }}")).codes == codes


def test_housekeeping_hooks_have_no_built_in_subs() -> None:
    assert check(policy("sub vcl_builtin_init { }")).one.code == "V502"


def test_a_module_under_another_name() -> None:
    assert check(policy('import std as var; sub vcl_recv { var.log("x"); }')).codes == []


def test_the_file_of_a_built_in_module_is_not_read() -> None:
    finding = check(policy('import std from "/nowhere/std.so"; sub vcl_recv { std.log("x"); }')).one
    assert (finding.code, finding.severity) == ("V517", Severity.WARNING)


@pytest.mark.parametrize("text", [
    'acl in { "192.0.2.1"; } sub vcl_recv { if (client.ip ~ in) { return (pass); } }',
    "backend table none; sub vcl_recv { set req.backend_hint = table; }",
    "backend let none; sub vcl_recv { set req.backend_hint = let; }",
    "backend local none; sub vcl_recv { set req.backend_hint = local; std.log(local.ip); }",
    "sub switch { } sub vcl_recv { call switch; }",
    "sub vcl_deliver { set resp.http.From = resp.http.set; }",
    'sub vcl_recv { set req.http."X.Y" = "1"; }',
])
def test_legal_names(text: str) -> None:
    assert check(policy("import std; " + text)).codes == []


# ---- effects -----------------------------------------------------------------------------------------------


def test_effects_cover_what_a_hook_calls() -> None:
    text = policy("""import std;
        sub mark { set resp.http.X-Mark = resp.http.Server; if (req.http.A) { return (restart); } }
        sub vcl_deliver { call mark; set resp.status = resp.status + 1; unset resp.http.Via; std.file_exists("/x"); }""")
    effects = check(text).checked.effects["vcl_deliver"]
    assert effects.reads == {"resp.http.server", "req.http.a", "resp.status"}
    assert effects.writes == {"resp.http.x-mark", "resp.status", "resp.http.via"}
    assert effects.actions == {"restart", "deliver"}
    assert effects.may_wait and not effects.unknown


def test_appending_to_a_header_reads_it() -> None:
    effects = check(policy('sub vcl_deliver { set resp.http.X += "a"; }')).checked.effects["vcl_deliver"]
    assert effects.reads == effects.writes == {"resp.http.x"}


def test_a_function_that_takes_a_whole_message_has_unknown_effects() -> None:
    effects = check(policy("import std; sub vcl_recv { std.rollback(req); }")).checked.effects
    assert effects["vcl_recv"].unknown and not effects["vcl_deliver"].unknown


# ---- expressions that are easy to get wrong ----------------------------------------------------------------


@pytest.mark.parametrize("value", [
    "now + 5", "now + 5s", '"a" + now + 5s', '1 + 2 + "a"', "5 + 5s", "-5", "true + false", 'req.http.a == "b"', "5s * 2 + 1s",
    '"a" + (req.http.a == "b")', "req.url.upper()", '(req.url + "x").lower()', "req.storage.free_space", "storage.s0",
])
def test_values_that_become_text(value: str) -> None:
    assert check(recv(f"set req.http.X = {value};")).codes == []


@pytest.mark.parametrize("condition", [
    "req.ttl > -5s", "!req.restarts > 5", "!client.ip ~ local", 'client.ip == "192.0.2.1"', 'req.url ~ "a" + "b"',
    "std.random(1, 10) > 5 + 1", "std.bytes(\"5\", 5KB) > 3m", "req.restarts + 1 > 3 * 2",
    '!req.http.a && (req.http.b || req.ttl)',
    "std.healthy(default)", "now - 5s < req.time", "req.ttl > -req.grace + 5s", "req.can_gzip == (req.http.a == \"x\")",
])
def test_conditions(condition: str) -> None:
    acl = 'acl local { "192.0.2.1"; }'
    text = policy(f"import std; {acl} sub vcl_recv {{ if ({condition} || client.ip ~ local) {{ return (pass); }} }}")
    assert check(text).codes == []


def test_address_literals_are_compile_time_constants() -> None:
    result = check(policy('import std; sub vcl_recv { set req.http.X = std.ip("x", "2001:db8::1"); }'))
    value = result.checked.subs["vcl_recv"].body[0].value          # type: ignore[union-attr]
    literal = value.operand.args[1]                                 # type: ignore[union-attr]
    assert isinstance(literal, Literal) and literal.value == b"\6\x20\x01\x0d\xb8" + b"\0" * 11 + b"\1\0\x50"


def test_equal_patterns_are_shared() -> None:
    result = check(recv('if (req.url ~ "a" || req.http.X ~ "a") { set req.url = regsub(req.url, "a", "b"); }'))
    assert result.checked.regexes.count(b"a") == 1


def test_default_is_a_backend_or_a_probe_by_its_context() -> None:
    body = check(recv("set req.backend_hint = default;")).checked.subs["vcl_recv"].body[0]
    assert isinstance(body.value, Declared) and body.value.index == 0          # type: ignore[union-attr]


# ---- where functions can be called -------------------------------------------------------------------------


def test_a_function_of_the_language_in_the_wrong_hook_is_an_error() -> None:
    assert check(recv("hash_data(req.url);")).one.severity is Severity.ERROR


def test_a_function_of_a_module_in_the_wrong_hook_is_a_warning() -> None:
    """The call fails the transaction at run time. Varnish compiles it too."""
    result = check(policy("import purge; sub vcl_deliver { purge.hard(); }"))
    assert (result.one.code, result.one.severity) == ("V404", Severity.WARNING)
    assert result.checked.subs["vcl_deliver"].body


# ---- what other servers have -------------------------------------------------------------------------------


def helps(text: str) -> str:
    return check(policy(text)).one.source.help


def test_modules_of_other_servers_are_not_treated_as_misspellings() -> None:
    assert helps("import headerplus;") == "only Varnish Enterprise has it; the closest module is header"
    assert helps("import edgestash;") == "only Varnish Enterprise has it"
    assert helps("import heder;") == "did you mean header?"


def test_help_names_the_successors_of_older_actions() -> None:
    assert helps("sub vcl_recv { return (lookup); }").startswith("since VCL 4 it is return (hash); vcl_recv can return ")
    assert helps("sub vcl_hit { return (fetch); }").startswith("return (deliver) also refreshes a stale response; ")
    assert "beresp.uncacheable" in helps("sub vcl_backend_response { return (hit_for_pass); }")


def test_help_names_the_new_names_of_older_functions() -> None:
    text = 'import cookie;\nsub vcl_recv { cookie.parse(req.http.Cookie); cookie.filter_except("a"); }'
    assert helps(text) == "did you mean cookie.keep?"
    assert edits(check(policy(text))) == [("cookie.filter_except", "cookie.keep")]


def test_only_a_module_can_create_an_object() -> None:
    found = check(policy("sub vcl_init { new d = drectors.random(); }")).one
    assert found.message == "there is no module drectors" and found.source.help == "import a module of that name"


def test_properties_of_other_servers_are_not_treated_as_misspellings() -> None:
    assert "TLS proxy" in helps('backend b { .host = "127.0.0.1"; .ssl = 1; } sub vcl_recv { set req.backend_hint = b; }')
    assert "first_byte" not in helps('backend b { .host = "127.0.0.1"; .last_byte_timeout = 1s; } sub vcl_recv { set req.backend_hint = b; }')
