"""Hooks that do nothing but return an action are not called. Log records, counters and responses are those of
called hooks: VCL_trace makes the daemon call all hooks."""

from __future__ import annotations

from proxy.daemon import wait_until
from proxy.origin import Origin, Reply, Request
from proxy.test_delivery import BACKEND
from proxy.test_explain_key import counters
from proxy.test_log_client import logged
from proxy.test_ready_heads import COUNTERS, Result, exchange, log_ended, render, steady

# vcl_miss has rules, which are counted, so it is called. The other hooks below return at once.
POLICY = BACKEND + """
sub vcl_recv {{
    if (req.method == "PURGE") {{ return (purge); }}
    if (req.http.Do == "pipe") {{ return (pipe); }}
    if (req.http.Do == "synth") {{ return (synth(700, "Early")); }}
    if (req.http.Do == "restart" && req.restarts == 0) {{ set req.url = "/again"; return (restart); }}
    if (req.http.Do == "fail") {{ return (fail("asked for")); }}
}}
sub vcl_miss {{
    if (req.http.Do == "miss") {{ return (pass); }}
}}
"""

REQUESTS: list[tuple[str, dict[str, str]]] = [
    ("GET", {}),
    ("GET", {}),
    ("HEAD", {}),
    ("POST", {"Content-Length": "0"}),
    ("GET", {"Cookie": "a=b"}),
    ("GET", {"Do": "miss"}),
    ("GET", {"Do": "synth"}),
    ("GET", {"Do": "restart"}),
    ("GET", {"Do": "fail"}),
    ("PURGE", {}),
    ("GET", {"Do": "miss"}),
    ("GET", {"Do": "pipe"}),
]


def page(request: Request) -> Reply:
    return Reply(body=b"the body", headers={"Cache-Control": "max-age=3600"}, close=True)   # a pipe ends then


def run(origin: Origin, mask: str) -> Result:
    with logged(POLICY.format(port=origin.port), ("-p", "loops=1", "-p", f"vsl_mask={mask}")) as (d, log):
        answers = [exchange(d.port, render(method, "/", {**headers, "Connection": "close"}))
                   for method, headers in REQUESTS]
        wait_until(lambda: len(log_ended(log, "sess")) == len(REQUESTS), "all sessions end")
        records: dict[int, list[tuple[str, str]]] = {}
        traces = 0
        for id_, tag, text in log.records:
            traces += tag == "VCL_trace"
            if id_ != 0 and tag != "VCL_trace":
                records.setdefault(id_, []).append((tag, steady(text)))
        return ([steady(a.decode("latin-1")) for a in answers], records,
                {n: v for n, v in counters(d).items() if n.startswith(COUNTERS)}, traces)


def test_hooks_that_only_return_need_no_call() -> None:
    with Origin(page) as origin:
        called, short = run(origin, "+VCL_trace"), run(origin, "default")
    assert called[3] > len(REQUESTS) and short[3] == 0
    assert short[:3] == called[:3]
    hooks = [(tag, text) for records in short[1].values() for tag, text in records if tag in ("VCL_call", "VCL_return")]
    assert {("VCL_call", name) for name in ("HIT", "DELIVER", "PASS", "PIPE", "PURGE", "SYNTH", "BACKEND_FETCH")} < set(hooks)
    calls = [text for tag, text in hooks if tag == "VCL_call"]
    assert len(calls) == len(hooks) / 2 == called[3]
