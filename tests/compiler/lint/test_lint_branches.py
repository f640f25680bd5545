"""Branches of vcl_recv and of the fetch hooks that belong together: a field that nobody sets in between has one value in
both. Each rule is silent about the first text, where no request takes both branches, and finds the mark in the second."""

from __future__ import annotations

import pytest
from vernis.syntax.diagnostics import Severity

from lint_helpers import check_marks, results_of

TTL = 'if (bereq.url ~ "[.]css$") { set beresp.ttl = 1d; }'
TTL_FOUND = 'if (bereq.url ~ "[.]css$") { #! CS013\n set beresp.ttl = 1d; }'
PASS_USERS = "if (req.http.Cookie || req.http.Authorization) { return (pass); }"


def both(recv: str, response: str, rest: str = "") -> str:
    return f"sub vcl_recv {{ {recv} }}\n{rest}sub vcl_backend_response {{ {response} }}\n"


CASES = [
    # The site passes its users in vcl_recv; only requests of other sites are looked up with cookies.
    ("CS013", both(f'if (req.http.X-Site ~ "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
                   f'if (bereq.http.X-Site ~ "shop") {{ {TTL} }}'),
     both(f'if (req.http.X-Site ~ "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
          f'if (bereq.http.X-Site ~ "blog") {{\n {TTL_FOUND} }}')),
    # The contrary of the test, in a chain.
    ("CS013", both(f'if (req.http.X-Site !~ "^blog") {{ {PASS_USERS} }} elseif (req.url ~ "^/") {{ return (hash); }}',
                   f'if (bereq.http.X-Site ~ "^blog") {{ set beresp.grace = 1s; }} else {{ {TTL} }}'),
     both(f'if (req.http.X-Site !~ "^blog") {{ {PASS_USERS} }} elseif (req.url ~ "^/") {{ return (hash); }}',
          f'if (bereq.http.X-Site !~ "^blog") {{ set beresp.grace = 1s; }} else {{\n {TTL_FOUND} }}')),
    # Half of a condition, and a pattern that has the other one in it.
    ("CS013", both(f'if (req.http.X-Site && req.http.X-Site == "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
                   f'if (bereq.http.X-Site ~ "^shop$" && bereq.http.X-New) {{ {TTL} }}'),
     both(f'if (req.http.X-Site && req.http.X-Site == "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
          f'if (bereq.http.X-Site ~ "^shops?$" && bereq.http.X-New) {{\n {TTL_FOUND} }}')),
    # Two tests of which one pattern is the sum.
    ("CS013", both('if (req.http.X-Site == "shop") { return (pass); } if (req.http.X-Site == "blog") { return (pass); }\n'
                   "return (hash);", f'if (bereq.http.X-Site ~ "^(shop|blog)$") {{ {TTL} }}'),
     both('if (req.http.X-Site == "shop") { return (pass); } if (req.http.X-Site == "blog") { return (pass); }\n'
          "return (hash);", f'if (bereq.http.X-Site ~ "^(shop|blog|wiki)$") {{\n {TTL_FOUND} }}')),
    # A field that vcl_recv sets itself.
    ("CS013", both(f'if (req.http.host ~ "^shop") {{ set req.http.X-Kind = "shop"; {PASS_USERS} }}\n'
                   'else { set req.http.X-Kind = "blog"; return (hash); }', f'if (bereq.http.X-Kind == "shop") {{ {TTL} }}'),
     both(f'if (req.http.host ~ "^shop") {{ set req.http.X-Kind = "shop"; {PASS_USERS} }}\n'
          'else { set req.http.X-Kind = "blog"; return (hash); }', f'if (bereq.http.X-Kind == "blog") {{\n {TTL_FOUND} }}')),
    ("CS013", both(f'unset req.http.X-Kind; if (req.http.host ~ "^shop") {{ set req.http.X-Kind = "shop"; {PASS_USERS} }}\n'
                   "else { return (hash); }", f"if (bereq.http.X-Kind) {{ {TTL} }}"),
     both(f'if (req.http.host ~ "^shop") {{ set req.http.X-Kind = "shop"; {PASS_USERS} }}\n'
          "else { return (hash); }", f"if (bereq.http.X-Kind) {{\n {TTL_FOUND} }}")),
    # The field changes on the way, or belongs to this client only.
    ("CS013", both(f'if (req.http.X-Site == "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
                   f'if (bereq.http.X-Site == "shop") {{ {TTL} }}', 'sub vcl_miss { set req.http.X-Site = "blog"; }\n'),
     both(f'if (req.http.X-Site == "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
          f'if (bereq.http.X-Site == "shop") {{\n {TTL_FOUND} }}', 'sub vcl_backend_fetch { set bereq.http.X-Site = "shop"; }\n')),
    ("CS013", both(f"if (req.http.X-Range) {{ {PASS_USERS} }} else {{ return (hash); }}", f"if (bereq.http.X-Range) {{ {TTL} }}"),
     both(f'if (req.http.Range == "x") {{ return (hash); }} {PASS_USERS}',
          f"if (!bereq.http.Range) {{\n {TTL_FOUND} }}")),
    # Another round of the fetch has another value.
    ("CS013", both(f'if (req.http.X-Site == "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
                   f'if (bereq.http.X-Site == "shop") {{ {TTL} }}'),
     both(f'if (req.http.X-Site == "shop") {{ {PASS_USERS} }} else {{ return (hash); }}',
          f'if (bereq.http.X-Site == "shop") {{\n {TTL_FOUND} }}\n'
          'if (beresp.status == 404) { set bereq.http.X-Site = "shop"; return (retry); }')),
    # vcl_recv takes the cookies from requests for the same suffix, so that none is looked up with them.
    ("CS013", both('if (req.url ~ "[.]css$") { #! CS013\n unset req.http.Cookie; } call vcl_req_authorization; return (hash);', TTL),
     both('if (req.url ~ "[.]js$") { #! CS013\n unset req.http.Cookie; } call vcl_req_authorization; return (hash);',
          f"\n{TTL_FOUND}")),
    # The lifetime is that of a response which is never stored.
    ("CS013", both("return (hash);", f"{TTL} if (bereq.http.Cookie || bereq.http.Authorization) {{ set beresp.uncacheable = true; }}"),
     both("return (hash);", f"\n{TTL_FOUND} if (bereq.http.Cookie ~ \"x=\") {{ set beresp.uncacheable = true; }}")),
    # All requests of the branch are passed, or answered.
    ("CS009", both('if (req.url ~ "^/api") { return (pass); }', 'if (bereq.url ~ "^/api/") { set beresp.ttl = 1h; }'),
     both('if (req.url ~ "^/api") { return (pass); }', 'if (bereq.url ~ "/api/") {\n set beresp.ttl = 1h; #! CS009\n }')),
    ("CS009", both('if (req.http.X-Mode == "old") { return (synth(410)); }',
                   'if (bereq.http.X-Mode != "old") { return (deliver); } set beresp.ttl = 1h;'),
     both('if (req.http.X-Mode == "old") { return (synth(410)); }',
          'if (bereq.http.X-Mode == "old") { return (deliver); }\n set beresp.ttl = 1h; #! CS009\n')),
    ("CS001", both('if (req.http.X-Site == "shop") { return (pass); }', 'if (bereq.http.X-Site == "shop") { return (deliver); }'),
     both('if (req.http.X-Site == "shop") { return (pass); }', 'if (bereq.http.X-Site != "shop") {\n return (deliver); #! CS001\n }')),
    ("CS004", both('if (req.http.X-Site == "shop") { return (pass); }',
                   'if (bereq.http.X-Site == "shop") { call vcl_beresp_cookie; return (deliver); }'),
     both('if (req.http.X-Site == "shop") { return (pass); }', 'if (bereq.http.X-Site != "shop") { call vcl_beresp_cookie;\n'
          " return (deliver); #! CS004\n }")),
    # The key of the branch has the cookies in it, or that of another branch.
    ("CS003", both('call vcl_req_method; if (req.http.X-Site == "shop") { return (hash); }', "",
                   'sub vcl_hash { if (req.http.X-Site == "shop") { hash_data(req.http.Cookie); } }\n'),
     both('call vcl_req_method; if (req.http.X-Site == "shop") {\n return (hash); #! CS003\n }', "",
          'sub vcl_hash { if (req.http.X-Site == "blog") { hash_data(req.http.Cookie); } }\n')),
    ("CS003", both('call vcl_req_method; if (req.http.X-Site == "shop") { return (hash); }', "",
                   'sub key { if (req.http.Cookie ~ "sid=") { hash_data(req.http.Cookie); } }\n'
                   'sub vcl_hash { if (req.http.X-Site != "shop") { return (lookup); } call key; }\n'),
     both('call vcl_req_method; if (req.http.X-Site == "shop") {\n return (hash); #! CS003\n }', "",
          'sub key { if (req.http.Cookie ~ "sid=") { hash_data(req.http.Cookie); } }\n'
          'sub vcl_hash { if (req.http.X-Site == "shop") { return (lookup); } call key; }\n')),
    # No response of the branch is ever stored, or only that of its users is not.
    ("CS003", both('call vcl_req_method; if (req.http.X-Site == "shop") { return (hash); }',
                   'if (bereq.http.X-Site == "shop") { set beresp.uncacheable = true; }'),
     both('call vcl_req_method; if (req.http.X-Site == "shop") {\n return (hash); #! CS003\n }',
          "if (bereq.http.Cookie) { set beresp.uncacheable = true; }")),
    ("CS005", both("unset req.http.Cookie; call vcl_req_method; return (hash);",
                   "if (bereq.http.Authorization) { set beresp.uncacheable = true; }"),
     both("unset req.http.Cookie; call vcl_req_method;\n return (hash); #! CS005\n",
          'if (bereq.http.Authorization ~ "^Basic") { set beresp.uncacheable = true; }')),
]


@pytest.mark.parametrize("rule, silent, found", CASES)
def test_only_branches_of_one_request_are_joined(rule: str, silent: str, found: str) -> None:
    check_marks(silent, rule)
    check_marks(found, rule)


@pytest.mark.parametrize("text, lost, severity", [
    ('sub vcl_recv { if (req.url ~ "[.]css$") { unset req.http.Cookie; } }', "which loses its cookies", Severity.WARNING),
    ('sub vcl_backend_response { if (bereq.url ~ "[.]css$") { unset beresp.http.Set-Cookie; } }', "which loses its Set-Cookie",
     Severity.WARNING),
    ('sub vcl_recv { return (hash); } sub vcl_backend_response { if (bereq.url ~ "[.]css$") { unset beresp.http.Set-Cookie; '
     "set beresp.ttl = 1d; } }", "which can be a private page", Severity.ERROR),
])
def test_a_stored_page_is_an_error_and_a_lost_cookie_a_warning(text: str, lost: str, severity: Severity) -> None:
    (found,) = results_of(text, ("CS013",))
    assert found.finding.message.endswith(lost) and found.diagnostic.severity is severity


def test_too_many_states_keep_the_finding() -> None:
    """A walk that cannot follow every request knows less: the hook alone decides, as without it."""
    tests = "\n".join(f'if (req.http.X-{n} == "a") {{ set req.http.X-N = "{n}"; }}' for n in range(9))
    later = "\n".join(f'if (bereq.http.X-{n} == "a") {{ set beresp.http.X-N = "{n}"; }}' for n in range(9))
    recv = f'{tests} if (req.http.X-Site == "shop") {{ return (pass); }}'
    check_marks(both(recv, f'{later} if (bereq.http.X-Site == "shop") {{\n return (deliver); #! CS001\n }}'), "CS001")
