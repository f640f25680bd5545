"""Deliberately bad policies of one screen, with which other tools were measured before this one was begun: each fault is
found once, by the checker or by a rule, and a policy with all of those that compile has each of them."""

from __future__ import annotations

from collections import Counter

import pytest

from test_lint_incidents import found_in, marks_in

SELECT = ("recommended", "security")
FAULTS = {
    "unescaped host": 'sub vcl_recv {\n    if (req.http.host ~ "^www.shop.example$") { #! RE001\n        return (pass);\n    }\n}\n',
    "unanchored host": 'sub vcl_recv {\n    if (req.http.host ~ "shop\\.example") { #! RE002\n        return (pass);\n    }\n}\n',
    "nested repeats": 'sub vcl_recv {\n    if (req.url ~ "^/(a+)+$") { #! RE003\n        return (pass);\n    }\n}\n',
    "code behind a return": 'sub vcl_miss {\n    return (fetch);\n    unset req.http.X-A; #! FL001\n}\n',
    "lifetime of zero": "sub vcl_backend_response {\n    set beresp.ttl = 0s;\n    return (deliver); #! CS006\n}\n",
    "stored cookie": "sub vcl_backend_response {\n    if (beresp.status == 200) {\n        set beresp.ttl = 1h;\n"
                     "        return (deliver); #! CS001\n    }\n}\n",
    "no Vary": "sub vcl_backend_response {\n    unset beresp.http.Vary; #! CK006\n}\n",
    "restart without a counter": "sub vcl_deliver {\n    if (resp.status == 503) {\n        return (restart); #! FL006\n    }\n}\n",
    "shadowed branch": 'sub vcl_recv {\n    if (req.url ~ "^/api") {\n        return (pass);\n'
                       '    } elseif (req.url ~ "^/api/v2") { #! FL002\n        return (synth(404));\n    }\n}\n',
    "unused ACL": 'acl office { #! V602\n    "192.0.2.7";\n}\n',
    "misspelt variable": "sub vcl_recv {\n    if (req.methd) { #! V302\n        return (pass);\n    }\n}\n",
    "variable of another hook": "sub vcl_recv {\n    set beresp.ttl = 1h; #! V402\n}\n",
    "key without host": "sub vcl_hash {\n    hash_data(req.url);\n    return (lookup); #! CK002\n}\n",
    "reflected URL": 'sub vcl_synth {\n    synthetic("<p>" + req.url + "</p>"); #! SEC008\n    return (deliver);\n}\n',
    "ban of a URL": 'acl office {\n    "192.0.2.7";\n}\n\nsub vcl_recv {\n    if (req.method == "BAN" && client.ip ~ office) {\n'
                    '        ban("obj.http.X-Url ~ " + req.url); #! SEC010\n        return (synth(200));\n    }\n}\n',
    "number and duration": "sub vcl_deliver {\n    set resp.http.X-Time = 1 + 2s; #! TY002\n}\n",
}


@pytest.mark.parametrize("text", FAULTS.values(), ids=FAULTS)
def test_each_fault_is_found_once(text: str) -> None:
    assert found_in(text, SELECT) == marks_in(text)


def test_all_faults_of_one_policy_are_found() -> None:
    """One run finds all of them: a fault does not hide another."""
    compiles = [text for text in FAULTS.values() if "#! V3" not in text and "#! V4" not in text]
    apart = (FAULTS["lifetime of zero"], FAULTS["code behind a return"])     # each ends a hook for the others
    text = "".join(one for one in compiles if one not in apart).replace('acl office {\n    "192.0.2.7";\n}\n\n', "")
    text = text.replace(" #! V602", "")     # the ban uses this ACL
    expected = Counter(code for _, code in marks_in(text))
    found = Counter(code for _, code in found_in(text, SELECT).elements())
    assert not expected - found
