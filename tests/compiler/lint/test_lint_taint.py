"""CK001: inputs that decide what the origin sees. Cases, and a comparison with the interpreter: two requests
that differ only in inputs that are not reported, and that have the same key, are the same to the origin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lint_helpers import HEAD, check_marks, results_of
from support.reference.interpret import run_hook
from vernis.ir.ir import Module, Msg
from vernis.ir.lower import lower
from support.reference.world import World
from support.reference.values import Value
from vernis.pipeline import CHECK, Compilation, Options, run_stages

ADMIN = 'backend admin { .host = "192.0.2.2"; } acl office { "192.0.2.0"/24; }\n'
KEY = "sub vcl_hash { hash_data(req.http.X-Device); }\n"


@pytest.mark.parametrize("recv", [
    # what decides the backend
    "if (req.http.X-Beta) {\n set req.backend_hint = admin; #! CK001\n }",
    "if (client.ip ~ office) {\n set req.backend_hint = admin; #! CK001\n }",
    "if (req.http.Host ~ \"^admin\") { set req.backend_hint = admin; }",
    "if (req.url ~ \"^/admin\") { set req.backend_hint = admin; }",
    "if (req.http.X-Beta) { set req.backend_hint = admin; return (pass); }",
    "if (req.http.X-Beta) { set req.http.X-P = \"1\"; set req.backend_hint = admin; } else { unset req.http.X-P; }\n"
    "if (req.http.X-P) { return (pass); }",
    "if (req.http.Cookie ~ \"admin\") { set req.backend_hint = admin; }",        # the built-in policy passes it
    "if (req.http.Cookie ~ \"admin\") {\n set req.backend_hint = admin; #! CK001\n }\n unset req.http.Cookie;",
    "if (req.http.X-Beta) { return (pass); }\n if (req.http.X-Beta) { set req.backend_hint = admin; }",
    "if (req.http.X-Beta == \"1\") { set req.backend_hint = admin; } else { return (pass); }",
    "if (req.restarts > 0 && req.http.X-Beta) { set req.backend_hint = admin; }",
    "call choose;",
    # what decides the URL and the host
    "if (req.http.X-Beta) { set req.url = \"/beta\" + req.url; }",                # the new URL is in the key
    "set req.http.Host = req.http.X-Forwarded-Host;",
    # what decides a field
    "if (req.http.User-Agent ~ \"Mobile\") {\n set req.http.X-Device = \"m\"; #! CK001\n } else { set req.http.X-Device = \"d\"; }",
    "set req.http.X-Device = regsub(req.http.User-Agent, \"/.*\", \"\"); #! CK001",
    "set req.http.X-Lang = req.http.Accept-Language; #! CK001",
    "if (req.http.Accept-Language ~ \"^en\") { set req.http.Accept-Language = \"en\"; }",    # the origin can name it in Vary
    "set req.http.X-Q = regsub(req.url, \".*\\?\", \"\"); #! CK001\n set req.url = regsub(req.url, \"\\?.*\", \"\");",
    "set req.http.X-Forwarded-For = client.ip;",
    "if (req.http.X-Beta) { return (hash); }\n set req.http.X-Device = \"d\"; #! CK001",
    "if (req.http.X-Beta) { return (synth(403)); }\n set req.http.X-Device = \"d\";",
    # the method, which the policy sets, is not to blame
    "if (req.method == \"PURGE\") { set req.method = \"GET\"; return (hash); }\n"
    "if (req.http.X-Beta) { #! CK001\n return (hash); }\n set req.http.X-Lang = req.http.Accept-Language;",
])
def test_unkeyed_input(recv: str) -> None:
    check_marks(ADMIN + "sub choose { if (req.http.X-Beta ~ \"x\") { return; } }\n"
                f"sub vcl_recv {{\n{recv}\n}}", "CK001")


@pytest.mark.parametrize("more", [
    KEY,
    "sub vcl_hash { if (req.http.User-Agent ~ \"Mobile\") { hash_data(\"m\"); } }",
    "sub vcl_backend_fetch { unset bereq.http.X-Device; }",
    "sub vcl_backend_response { set beresp.http.Vary = \"X-Device\"; }",
    "sub vcl_backend_response { set beresp.http.Vary = beresp.http.Vary + \", User-Agent\"; }",
    "sub vcl_deliver { set resp.http.Vary = regsub(resp.http.Vary, \"X-Device\", \"User-Agent\"); }",
    "sub vcl_backend_response { set beresp.uncacheable = true; }",
    "sub vcl_miss { return (pass); }",
])
def test_settled(more: str) -> None:
    device = ("sub vcl_recv { unset req.http.X-Device;\n"
              "if (req.http.User-Agent ~ \"Mobile\") { set req.http.X-Device = \"m\"; } }\n")
    check_marks(device + more, "CK001")
    assert "CK001" in [result.rule.id for result in results_of(device)]


MOBILE = "req.http.User-Agent ~ \"Mobile\""


@pytest.mark.parametrize("text", [
    # clients that get no stored response decide nothing for the others
    'sub common { if (req.method == "PURGE") { if (client.ip !~ office) { return (synth(405)); } else { return (hash); } } }\n'
    "sub vcl_recv { if (req.http.Host == \"a\") { set req.backend_hint = admin; call common; } }",
    'sub vcl_recv { if (req.url ~ "^/a") { if (client.ip !~ office) { return (synth(403)); } return (hash); }\n'
    "set req.backend_hint = admin; }",
    'sub vcl_recv { if (req.url ~ "^/a") { if (req.http.X-A) { return (pass); } elseif (client.ip !~ office) { return (synth(403)); }\n'
    "set req.backend_hint = admin; } }",
    'sub vcl_recv { if (req.method != "GET" && req.method !~ "^HEAD$" && req.http.X-A) { set req.backend_hint = admin; } }',
    # the same backend, or the same text, on both ways
    f"sub vcl_recv {{ if ({MOBILE}) {{ set req.backend_hint = origin; }} }}",
    f"sub vcl_recv {{ if ({MOBILE}) {{ set req.backend_hint = admin; }} else {{ set req.backend_hint = admin; }} }}",
    f'sub vcl_recv {{ if ({MOBILE}) {{ set req.http.X-D = "m"; }} else {{ set req.http.X-D = "m"; }} }}',
    "sub vcl_recv { if (req.http.X-Own) { unset req.http.X-Own; } }",
    "import directors; sub vcl_init { new d = directors.round_robin(); d.add_backend(admin); }\n"
    f"sub vcl_recv {{ set req.backend_hint = d.backend(); if ({MOBILE}) {{ set req.backend_hint = d.backend(); }} }}",
    # the key has a text of its own for each way
    f'sub vcl_recv {{ if ({MOBILE}) {{ set req.http.X-D = "m"; set req.backend_hint = admin; }} else {{ set req.http.X-D = "d"; }} }}\n'
    "sub vcl_hash { hash_data(req.http.X-D); }",
    'sub vcl_recv { unset req.http.X-D; if (local.ip ~ office) { set req.http.X-D = "a"; set req.backend_hint = admin; }\n'
    'elseif (client.ip ~ office) { set req.http.X-D = "b"; } }\n'
    "sub vcl_hash { if (req.http.X-D) { hash_data(req.http.X-D); } }",
    f'sub vcl_recv {{ if ({MOBILE}) {{ set req.http.X-D = "m"; set req.backend_hint = admin; }} else {{ set req.http.X-D = "d"; }} }}\n'
    "sub vcl_hash { if (req.http.X-D) { hash_data(req.http.X-D); } }",
    # twins, which differ in what made the finding false
    'sub common { if (req.url ~ "x") { if (client.ip !~ office) { unset req.http.A; } else { return (hash); } } }\n'
    "sub vcl_recv { if (req.http.Host == \"a\") { call common;\n set req.backend_hint = admin; #! CK001\n } }",
    "sub vcl_recv { if (client.ip ~ office) { return (hash); }\n set req.backend_hint = admin; #! CK001\n }",
    'sub vcl_recv { if (req.method != "POST" && req.http.X-A) {\n set req.backend_hint = admin; #! CK001\n } }',
    'sub vcl_recv { if (req.http.X-M) { set req.method = "POST"; } if (req.method == "POST") {\n set req.backend_hint = admin; #! CK001\n } }',
    f'sub vcl_recv {{ if ({MOBILE}) {{\n set req.http.X-D = "m"; #! CK001\n }} else {{ set req.http.X-D = "d"; }} }}',
    f'sub vcl_recv {{ set req.http.X-D = "d"; #! CK001\n if ({MOBILE}) {{ set req.http.X-D += "d"; }} }}',
    f'sub vcl_recv {{ if ({MOBILE}) {{ set req.http.X-D = "m";\n set req.backend_hint = admin; #! CK001\n }} else {{ set req.http.X-D = "m"; }} }}\n'
    "sub vcl_hash { hash_data(req.http.X-D); }",
    f'sub vcl_recv {{ if ({MOBILE}) {{ set req.http.X-D = "m"; }} else {{ set req.http.X-D = "d"; }}\n'
    " if (req.http.X-B) {\n set req.backend_hint = admin; #! CK001\n } }\n sub vcl_hash { hash_data(req.http.X-D); }",
    "import directors; sub vcl_init { new d = directors.round_robin(); d.add_backend(admin); }\n"
    f"sub vcl_recv {{ if ({MOBILE}) {{\n set req.backend_hint = d.backend(); #! CK001\n }} }}",
])
def test_what_decides_nothing(text: str) -> None:
    check_marks(ADMIN + text, "CK001")


def test_the_only_backend_is_decided_by_nobody() -> None:
    chosen = "import directors; sub vcl_init { new d = directors.random(); d.add_backend(origin, 1.0); }\n" \
        f"sub vcl_recv {{ if ({MOBILE}) {{\n set req.backend_hint = d.backend();%s\n }} }}"
    check_marks(chosen % "", "CK001")
    check_marks(ADMIN + chosen % " #! CK001", "CK001")


@pytest.mark.parametrize("statement, severity", [
    ("set req.backend_hint = admin;", "error"), ('set req.http.Cookie = "a=b"; return (hash);', "error"),
    ('set req.http.X-Device = "m";', "warning"), ("unset req.http.Accept;", "warning"),
])
def test_an_origin_may_name_a_field_of_its_own_in_vary(statement: str, severity: str) -> None:
    [result] = results_of(ADMIN + f"sub vcl_recv {{ if ({MOBILE}) {{ {statement} }} }}", ("CK001",))
    assert result.diagnostic.severity.value == severity
    assert ("Vary: " in result.diagnostic.help) == (severity == "warning")


#: The policy reads its own field: to decide something, or to put a value back; or it does not.
OWN = [
    ('if (req.http.X-Device == "m") { std.log("mobile"); }', "note"),
    ("set req.grace = std.duration(req.http.X-Device, 1h);", "note"),
    ('if (!req.http.X-Device) { set req.http.X-Device = "d"; }', "warning"),
    ("} sub vcl_backend_response { set beresp.http.X-Device = bereq.http.X-Device;", "warning"),
]


@pytest.mark.parametrize("more, severity", OWN)
def test_a_field_that_the_policy_reads_for_itself_is_a_note(more: str, severity: str) -> None:
    [result, *_] = results_of(f'import std; sub vcl_recv {{ if ({MOBILE}) {{ set req.http.X-Device = "m"; }} {more} }}', ("CK001",))
    assert result.diagnostic.severity.value == severity


def test_a_field_of_the_standard_is_no_helper() -> None:
    text = f'sub vcl_recv {{ if ({MOBILE}) {{ set req.http.Accept = "m"; }} if (req.http.Accept ~ "m") {{ set req.grace = 1h; }} }}'
    assert [one.diagnostic.severity.value for one in results_of(text, ("CK001",))] == ["warning"]


def test_the_worst_of_one_cause_is_the_finding() -> None:
    check_marks('sub vcl_backend_fetch { if (bereq.http.X-Beta) { set bereq.http.X-A = "b";\n set bereq.url = "/b"; #! CK001\n } }', "CK001")


def test_an_input_may_be_read_behind_the_key() -> None:
    check_marks("sub vcl_backend_fetch { if (bereq.http.X-Beta) {\n set bereq.url = \"/beta\"; #! CK001\n } }", "CK001")


def test_one_cause_is_one_finding() -> None:
    check_marks("sub vcl_recv { if (req.http.User-Agent ~ \"Mobile\") {\n set req.http.X-A = \"m\"; #! CK001\n"
                "set req.http.X-B = \"m\"; set req.http.X-C = \"m\"; } }", "CK001")


# ---- against the interpreter -------------------------------------------------------------------------------

INPUTS = ("X-A", "X-B", "X-C")
FIELDS = (*INPUTS, "X-D", "X-E")
TEXTS = ("a", "b", "ab")


@st.composite
def blocks(draw: st.DrawFn, message: str, depth: int, ends: tuple[str, ...]) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 6 if depth else 3))
        name, other = (f"{message}.http.{draw(st.sampled_from(FIELDS))}" for _ in range(2))
        text = draw(st.sampled_from(TEXTS))
        match kind:
            case 0:
                parts.append(f'set {name} = "{text}";')
            case 1:
                parts.append(f"set {name} = {other};")
            case 2:
                parts.append(f"unset {name};")
            case 3:
                parts.append(f'set {name} = {other} + "{text}";')
            case _:
                test = draw(st.sampled_from([name, f"!{name}", f'{name} == "{text}"', f'{name} ~ "{text}"',
                                             f'{name} != "{text}" && {other}', f"{name} || !{other}"]))
                end = draw(st.sampled_from(("", "", *ends)))
                parts.append(f"if ({test}) {{ {draw(blocks(message, depth - 1, ends))} {end} }}")
                if draw(st.booleans()):
                    parts[-1] += f" else {{ {draw(blocks(message, depth - 1, ends))} }}"
    return " ".join(parts)


@st.composite
def policies(draw: st.DrawFn) -> str:
    recv = draw(blocks("req", 2, ("return (pass);", "return (hash);", "return (synth(403));")))
    keys = "".join(f"hash_data(req.http.{name});" for name in draw(st.sets(st.sampled_from(FIELDS), max_size=3)))
    fetch = draw(blocks("bereq", 1, ()))
    return (f"sub vcl_recv {{ {recv} return (hash); }}\nsub vcl_hash {{ {keys} }}\n"
            f"sub vcl_backend_fetch {{ {fetch} }}")


def sent(module: Module, fields: dict[str, str]) -> tuple[object, dict[bytes, bytes]] | None:
    """The key and the request that the origin sees; None if the response is not stored."""
    world = World()
    key: list[object] = []

    def hashed(_: World, args: tuple[Value, ...], *rest: object) -> Value:
        key.append(args)
        return None

    world.answers["vcl_hash_data"] = hashed
    for name, value in fields.items():
        world.messages[Msg.REQ].set(name.encode(), value.encode())
    world.variables["req_method"] = b"GET"
    for hook, action in (("vcl_recv", "HASH"), ("vcl_hash", "LOOKUP"), ("vcl_miss", "FETCH")):
        if run_hook(module, hook, world).action.name != action:
            return None
    for name, value in world.messages[Msg.REQ].fields:
        world.messages[Msg.BEREQ].set(name, value)
    assert run_hook(module, "vcl_backend_fetch", world).action.name == "FETCH"
    seen = [call for call in world.calls if "hash_data" in call.symbol]
    return (repr(key), repr([call.args for call in seen])), dict(world.messages[Msg.BEREQ].fields)


@settings(max_examples=200, deadline=None)
@given(policies(), st.fixed_dictionaries({}, optional=dict.fromkeys(INPUTS, st.sampled_from(TEXTS))),
       st.sampled_from(INPUTS), st.sampled_from((None, *TEXTS)))
@pytest.mark.slow
def test_what_is_not_reported_does_not_reach_the_origin(text: str, one: dict[str, str], name: str, value: str | None) -> None:
    run = run_stages(Compilation("t", "t.vcl", (HEAD + text).encode(), Options(err_unref=False)), CHECK)
    assert run.checked is not None and not run.failed
    module = lower(run.checked)
    other = {key: old for key, old in one.items() if key != name} | ({} if value is None else {name: value})
    first, second = sent(module, one), sent(module, other)
    if first is None or second is None or first[0] != second[0]:
        return
    reported = "".join(result.finding.message for result in results_of(text) if result.rule.id == "CK001")
    if f"req.http.{name.lower()}" in reported or "more)" in reported:
        return
    # A copy of an absent field is an empty one, which the origin reads alike.
    differ = {field for field in (*first[1], *second[1]) if (first[1].get(field) or b"") != (second[1].get(field) or b"")}
    assert differ <= {name.encode()}, reported


@pytest.mark.parametrize("change, words, label", [
    ('set req.url = regsub(req.url, "utm_[a-z]+=[^&]*", "");', "the part of req.url that line 3 removes later", "req.url"),
    ('set req.url = regsub(req.url, "^/[a-z]{2}/", "/en/");', "the part of req.url that line 3 changes later", "req.url"),
    ('set req.http.X-Device = "any";', "the part of req.http.x-device that line 3 changes later", "req.http.x-device"),
    ("unset req.http.X-Device;", "the part of req.http.x-device that line 3 removes later", "req.http.x-device"),
])
def test_a_part_of_the_key_that_changes_behind_the_decision_is_named(change: str, words: str, label: str) -> None:
    """The URL is in the key, but not what decided: the message says which part, and points to both places."""
    name = "req.url" if "req.url" in change else "req.http.X-Device"
    text = f'sub vcl_recv {{ set req.http.X-Kind = regsub({name}, ".*kind=([a-z]+).*", "\\1");\n {change} }}\n'
    (found,) = results_of(text + "sub vcl_hash { hash_data(req.http.X-Device); }", ("CK001",))
    assert found.finding.message.startswith(f"{words} decides x-kind") and "neither in the key" in found.finding.message
    assert f"this comes later, and the key has {label} as it is then" in [said for _, said in found.finding.labels]
    before = text.replace(f"\n {change}", "").replace("sub vcl_recv {", f"sub vcl_recv {{ {change}")
    found_before = results_of(before + "sub vcl_hash { hash_data(req.http.X-Device); }", ("CK001",))
    assert not any("later" in one.finding.message for one in found_before)
