"""Log records of policies, read by the stock varnishlog. The golden records are those of Varnish 7.1.1 for
the same policy, without times."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Origin, Reply

pytestmark = pytest.mark.skipif(shutil.which("varnishlog") is None, reason="needs Debian's varnish")

POLICY = """vcl 4.1;
import std;
backend default {{ .host = "127.0.0.1"; .port = "{port}"; }}
acl me +log {{ "127.0.0.0"/8; }}
acl nobody +log {{ "10.0.0.0"/8; }}
sub vcl_recv {{
    std.log("hello " + req.url);
    std.timestamp("Mine");
    if (client.ip ~ me) {{ set req.http.me = "yes"; }}
    if (client.ip ~ nobody) {{ set req.http.me = "no"; }}
    set req.url = req.url + "?x";
    if (req.url ~ "/fail") {{ return (fail("because")); }}
    if (req.url ~ "/empty") {{ set req.url = req.http.nothing; }}
}}
sub vcl_backend_response {{
    std.collect(beresp.http.foo);
    set beresp.status = 404;
    set beresp.reason = "Nope";
    set beresp.uncacheable = true;
    set beresp.uncacheable = false;
}}
sub vcl_deliver {{
    unset resp.http.foo;
    set resp.http.bar = "b";
    set resp.http.bar = "c";
}}
"""

BACKEND = [
    "VCL_call BACKEND_RESPONSE", "BerespStatus 404", "BerespReason Not Found", "BerespReason Nope",
    "VCL_Error Ignoring attempt to reset beresp.uncacheable", "VCL_return deliver",
]
RECV = ["VCL_call RECV", "VCL_Log hello {url}", "Timestamp Mine:", 'VCL_acl MATCH me "127.0.0.0"/8', "ReqHeader me: yes",
        "VCL_acl NO_MATCH nobody", "ReqURL {url}?x"]
DELIVER = ["VCL_call DELIVER", "RespUnset foo: 1", "RespHeader bar: b", "RespUnset bar: b", "RespHeader bar: c", "VCL_return deliver"]


ONE_LOOP = ["-p", "loops=1"]         # records of two loops have no order


def records(daemon: Daemon) -> list[str]:
    text = subprocess.run(["varnishlog", "-n", str(daemon.workdir), "-d", "-g", "raw"], capture_output=True, text=True,
                          check=True).stdout
    found = []
    for tag, value in re.findall(r"^ *\d+ (\w+) +[bc] (.*)$", text, re.M):
        found.append(f"{tag} {value.split()[0]}" if tag == "Timestamp" else f"{tag} {value}")
    return found


def within(found: list[str], first: str, last: str) -> list[str]:
    start = found.index(first)
    return found[start:found.index(last, start) + 1]


def test_records_of_hooks_are_the_same_as_in_varnish(start_daemon: Callable[..., Daemon]) -> None:
    with Origin(lambda _: Reply(headers={"foo": "1"})) as origin:
        daemon = start_daemon(POLICY.format(port=origin.port), ONE_LOOP)
        for url in "/a", "/fail", "/empty":
            daemon.get(url)
        wait_until(lambda: "VCL_Error Setting req.url to empty string" in records(daemon), "the records are in the log")
    found = records(daemon)
    response = [line for line in within(found, "VCL_call BACKEND_RESPONSE", "VCL_return deliver") if not line.startswith("TTL")]
    assert response == BACKEND
    assert within(found, "VCL_call RECV", "VCL_return hash") == [line.format(url="/a") for line in RECV] + ["VCL_return hash"]
    assert within(found, "VCL_call DELIVER", "VCL_return deliver") == DELIVER
    errors = [(line, found[i + 1]) for i, line in enumerate(found) if line.startswith("VCL_Error") and "reset" not in line]
    assert errors == [("VCL_Error because", "VCL_return fail"), ("VCL_Error Setting req.url to empty string", "VCL_return fail")]


def test_the_place_of_a_hook_s_decision_can_be_traced(start_daemon: Callable[..., Daemon]) -> None:
    text = ('vcl 4.1;\nbackend default none;\nsub choose {\n    if (req.url == "/a") {\n        return (synth(200));\n    }\n}\n'
            "sub vcl_recv {\n    call choose;\n    return (synth(201));\n}\n")
    daemon = start_daemon(text, ["-p", "vsl_mask=+VCL_trace", *ONE_LOOP])
    for url in "/a", "/b":
        daemon.get(url)
    wait_until(lambda: sum(line == "ReqURL /b" for line in records(daemon)) == 1 and "RespStatus 201" in records(daemon), "the records are in the log")
    found = records(daemon)
    places = [found[i - 1].split()[-1] for i, line in enumerate(found) if line == "VCL_return synth"]
    assert places == ["0.5.9", "0.10.5"]                # source.line.column in the sub that decided
    screen = subprocess.run([ROOT / "build/bin/vernis", "log", "-n", str(daemon.workdir), "-d", "--format", "screen"],
                            capture_output=True, text=True, check=True).stdout
    assert re.search(r"^recv +-> synth +\S+:5:9$", screen, re.M), screen
