"""Behind a test whose arm calls a sub that always ends, the failed test is known: as behind a `return`."""

from __future__ import annotations

import pytest
from five_helpers import HEAD, check, run
from vernis.semantics.ends import Ends
from vernis.semantics.vocabulary import HOOKS

NO = "return (synth(400));"
#: The definitions of subs, the arm, and whether it always ends.
ARMS = [
    ("", NO, True),
    (f"sub end {{ {NO} }}", "call end;", True),
    (f"sub end {{ {NO} }}", 'set req.http.X = "a"; call end;', True),
    (f"sub end {{ {NO} }}", 'call end; set req.http.X = "a";', True),
    (f"sub end {{ {NO} }}", "@rule(\"no-host\") if (true) { call end; } else { call end; }", True),
    (f"sub end {{ {NO} }}", "if (req.esi_level == 0) { call end; } else { call end; }", True),
    (f"sub end {{ {NO} }}", "if (req.esi_level == 0) { return (pass); } else { call end; }", True),
    (f"sub end {{ {NO} }}", "if (req.esi_level == 0) { call end; }", False),
    (f"sub end {{ {NO} }}", "if (req.esi_level == 0) { call end; } elseif (req.restarts == 0) { call end; }", False),
    ('sub end(why : STRING) { return (synth(400, why)); }', 'call end("no host");', True),
    ("sub end(why : STRING) { if (why == \"a\") { return (synth(400)); } }", 'call end("no host");', False),
    (f"sub end {{ call further; }} sub further {{ {NO} }}", "call end;", True),
    (f"sub end {{ call further; }} sub further {{ if (req.restarts == 0) {{ {NO} }} }}", "call end;", False),
    (f"sub end {{ if (req.restarts == 0) {{ {NO} }} else {{ return (pass); }} }}", "call end;", True),
    (f"sub end {{ if (req.restarts == 0) {{ {NO} }} elseif (req.esi_level == 0) {{ {NO} }} }}", "call end;", False),
    (f'sub end {{ switch (req.url) {{ case "/": {{ {NO} }} default: {{ return (pass); }} }} }}', "call end;", True),
    (f'sub end {{ switch (req.url) {{ case "/": {{ {NO} }} }} }}', "call end;", False),
    (f'sub end {{ switch (req.url) {{ case "/": {{ {NO} }} default: {{ }} }} }}', "call end;", False),
    (f'sub end {{ for (x in ["a", "b"]) {{ {NO} }} }}', "call end;", True),
    (f'sub end {{ for (x in ["a", "b"]) {{ if (req.url == x) {{ {NO} }} }} }}', "call end;", False),
    ("sub end { return (fail); }", "call end;", True),
    ("sub end { return; }", "call end;", False),
    (f"sub end {{ if (req.restarts == 0) {{ return; }} {NO} }}", "call end;", False),
    (f"sub end {{ call over; {NO} }} sub over {{ return; }}", "call end;", True),
    ("sub end { }", "call end;", False),
    ("", "builtin;", True),
    ("", "call vcl_req_host;", False),
]  # fmt: skip
ORDERS = (False, True)


@pytest.mark.parametrize(("subs", "arm", "ends"), ARMS, ids=[f"{subs} {arm}" for subs, arm, _ in ARMS])
@pytest.mark.parametrize("is_first", ORDERS, ids=["caller first", "callee first"])
def test_a_header_is_known_behind_an_arm_that_ends(subs: str, arm: str, ends: bool, is_first: bool) -> None:
    caller = f'sub vcl_recv {{ if (req.http.Host is not set) {{ {arm} }} set req.url = "/" + req.http.Host; }}'
    text = HEAD + (subs + caller if is_first else caller + subs)
    assert check(text).codes == ([] if ends else ["V731"])


@pytest.mark.parametrize(
    ("subs", "code"),
    [
        (f"sub end {{ {NO} }} sub vcl_recv {{ if (req.http.Host is set) {{ call end; }} set req.url = req.http.Host; }}", "V731"),
        (f"sub end {{ {NO} }} sub vcl_recv {{ if (req.http.A is not set) {{ call end; }} set req.url = req.http.Host; }}", "V731"),
        (f"sub end {{ {NO} }} sub vcl_recv {{ if (req.http.A is not set || req.http.Host is not set) {{ call end; }} set req.url = req.http.Host; }}", ""),
        (f"sub end {{ {NO} }} sub vcl_recv {{ if (req.http.A is not set && req.http.Host is not set) {{ call end; }} set req.url = req.http.Host; }}", "V731"),
        (f"sub end {{ {NO} }} sub vcl_recv {{ let h = req.http.Host; if (h is not set) {{ call end; }} set req.url = h; }}", ""),
        (f"sub end {{ {NO} }} sub host {{ if (req.http.Host is not set) {{ call end; }} }} sub vcl_recv {{ call host; set req.url = req.http.Host; }}", "V731"),
        (f"sub end {{ {NO} }} @part sub vcl_recv {{ if (req.http.Host is not set) {{ call end; }} }} @part sub vcl_recv {{ set req.url = req.http.Host; }}", "V731"),
        (f"sub end {{ {NO} }} @part sub vcl_recv {{ if (req.http.Host is not set) {{ call end; }} set req.url = req.http.Host; }} @part sub vcl_recv {{ }}", ""),
    ],
)  # fmt: skip
def test_what_the_failed_test_tells(subs: str, code: str) -> None:
    assert check(HEAD + subs).codes == ([code] if code else [])


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ('for (x in ["a", "b"]) { return (x); }', True),
        ('switch (k) { case "a": { return ("1"); } default: { return ("2"); } }', True),
        ('switch (k) { case "a": { return ("1"); } }', False),
        ('if (k == "a") { return ("1"); }', False),
    ],
)
def test_a_function_ends_with_a_value(body: str, ends: bool) -> None:
    text = f"{HEAD}fn f(k : STRING) -> STRING {{ {body} }} sub vcl_recv {{ set req.url = f(req.url); }}"
    assert check(text).codes == ([] if ends else ["V750"])


@pytest.mark.parametrize(("host", "url"), [(None, "/begin"), ("a.example", "/a.example")])
def test_a_request_without_the_header_never_gets_there(host: str | None, url: str) -> None:
    text = f'{HEAD}sub end {{ call further; }} sub further {{ {NO} }}\nsub vcl_recv {{ if (req.http.Host is not set) {{ call end; }} set req.url = "/" + req.http.Host; }}'
    ran = run(text, {"Host": host} if host else {}, req_url="/begin")
    assert ran.world.variables["req_url"] == url.encode()
    assert (ran.outcome.action.name == "SYNTH") == (host is None)


def test_each_built_in_hook_ends() -> None:
    """`builtin;` counts as an end without a look at the built-in policy."""
    subs = check(HEAD).checked.program.declarations
    ends = Ends(lambda key: [one for one in subs if getattr(one, "name", "").lower() == key])  # type: ignore[misc]
    assert [hook for hook in HOOKS if not ends.sub(hook)] == []
