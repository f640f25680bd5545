"""Situations in which a request is no fresh hit: the policy, the requests, and the true reason."""

from __future__ import annotations

from vernis.record import record
from vernis.why.inquiry import Given, Sent

HEAD = 'vcl 4.1;\nimport std;\nbackend main { .host = "origin.invalid"; }\n'


@record(frozen=True)
class Situation:
    """``sent`` in their order; the last is the request to explain."""

    name: str
    decision: str
    reason: str
    sent: tuple[Sent, ...]
    policy: str = ""
    at: int = 0  # line of the policy's statement that decided, counted behind HEAD; 0: none


def ask(url: str = "/", answer: Given | None = None, wait: float = 0.0, **more) -> Sent:  # type: ignore[no-untyped-def]
    fields = tuple((name.replace("_", "-"), value) for name, value in more.pop("fields", {}).items())
    return Sent(url, fields=fields, wait_s=wait, answer=answer or say(), **more)


def say(status: int = 200, fails: str = "", **fields: str) -> Given:
    return Given(status, tuple((name.replace("_", "-"), value) for name, value in fields.items()), b"x", fails)


def twice(sent: Sent, wait: float = 0.0) -> tuple[Sent, ...]:
    return sent, Sent(sent.url, sent.method, sent.fields, sent.body, sent.client, wait, sent.answer)


MINUTE = say(Cache_Control="max-age=60")
COOKIE = {"Cookie": "a=1"}

SITUATIONS = (
    # ---- pass ----
    Situation("a cookie", "pass", "pass-cookie", twice(ask(fields=COOKIE))),
    Situation("three cookies", "pass", "pass-cookie", twice(ask(fields={"Cookie": "_ga=1; s=2; x=3"}))),
    Situation("a cookie that the policy keeps", "pass", "pass-cookie", twice(ask(fields={"Cookie": "_ga=1; s=2"})),
              'sub vcl_recv { if (req.http.Cookie !~ "s=") { unset req.http.Cookie; } }'),
    Situation("credentials", "pass", "pass-authorization", twice(ask(fields={"Authorization": "Basic eDp5"}))),
    Situation("POST", "pass", "pass-method", twice(ask(method="POST", body=b"a"))),
    Situation("DELETE", "pass", "pass-method", twice(ask(method="DELETE"))),
    Situation("a path that the policy passes", "pass", "pass-policy", twice(ask("/admin/x")),
              'sub vcl_recv {\n    if (req.url ~ "^/admin") {\n        return (pass);\n    }\n}', 3),
    Situation("a client that the policy passes", "pass", "pass-policy", twice(ask()),
              'acl office { "192.0.2.0"/24; }\nsub vcl_recv {\n    if (client.ip ~ office) { return (pass); }\n}', 3),
    Situation("pass from vcl_miss", "pass", "pass-policy", twice(ask()), "sub vcl_miss {\n    return (pass);\n}", 2),
    Situation("pass from vcl_hit", "pass", "pass-policy", twice(ask()), "sub vcl_hit {\n    return (pass);\n}", 2),
    Situation("no-cache of the client", "pass", "pass-policy", twice(ask(fields={"Cache-Control": "no-cache"})),
              'sub vcl_recv {\n    if (req.http.Cache-Control ~ "no-cache") { return (pass); }\n}', 2),
    Situation("a query that the policy passes", "pass", "pass-policy", twice(ask("/a?x=1&preview=1")),
              'sub vcl_recv {\n    if (req.url ~ "preview=") { return (pass); }\n}', 2),
    Situation("pass in a sub", "pass", "pass-policy", twice(ask()),
              "sub decide {\n    return (pass);\n}\nsub vcl_recv { call decide; }", 2),
    # ---- pipe, synth, purge, failure ----
    Situation("an unknown method", "pipe", "pipe-method", twice(ask(method="FROB"))),
    Situation("pipe", "pipe", "pipe-policy", twice(ask("/ws")),
              'sub vcl_recv {\n    if (req.url == "/ws") { return (pipe); }\n}', 2),
    Situation("a redirect", "synth", "synth-policy", twice(ask("/old")),
              'sub vcl_recv {\n    if (req.url == "/old") { return (synth(301, "/new")); }\n}', 2),
    Situation("a refusal after the look-up", "synth", "synth-policy", twice(ask()),
              "sub vcl_hit {\n    return (synth(403));\n}", 2),
    Situation("PRI", "synth", "synth-method", twice(ask(method="PRI"))),
    Situation("a purge", "purge", "purge", twice(ask(method="PURGE")),
              'sub vcl_recv {\n    if (req.method == "PURGE") { return (purge); }\n}', 2),
    Situation("restarts without end", "failure", "too-many-restarts", twice(ask()),
              "sub vcl_recv {\n    return (restart);\n}", 2),
    Situation("a request whose Host the policy removes", "synth", "synth-host", twice(ask()),
              "sub vcl_recv {\n    unset req.http.Host;\n}", 2),
    Situation("a failure of the policy", "failure", "policy-failed", twice(ask()), "sub vcl_recv {\n    return (fail);\n}", 2),
    Situation("a failure of the policy after the look-up", "failure", "policy-failed", twice(ask()),
              "sub vcl_hit {\n    return (fail);\n}", 2),
    Situation("an origin that refuses", "failure", "fetch-failed", (ask(answer=say(fails="refuses")),)),
    Situation("an origin that closes", "failure", "fetch-failed", (ask(answer=say(fails="closes")),)),
    # ---- hit-for-miss and hit-for-pass ----
    Situation("Set-Cookie", "hit-for-miss", "set-cookie", twice(ask(answer=say(Set_Cookie="s=1")))),
    Situation("Set-Cookie with a lifetime", "hit-for-miss", "set-cookie",
              twice(ask(answer=say(Set_Cookie="s=1", Cache_Control="max-age=60")))),
    Situation("private", "hit-for-miss", "cache-control", twice(ask(answer=say(Cache_Control="private, max-age=60")))),
    Situation("no-store", "hit-for-miss", "cache-control", twice(ask(answer=say(Cache_Control="no-store")))),
    Situation("no-cache", "hit-for-miss", "cache-control", twice(ask(answer=say(Cache_Control="no-cache")))),
    Situation("Surrogate-Control", "hit-for-miss", "cache-control",
              twice(ask(answer=say(Surrogate_Control="no-store", Cache_Control="max-age=60")))),
    Situation("Vary: *", "hit-for-miss", "vary-star", twice(ask(answer=say(Vary="*")))),
    Situation("max-age=0", "hit-for-miss", "no-lifetime", twice(ask(answer=say(Cache_Control="max-age=0")))),
    Situation("an Age over max-age", "hit-for-miss", "no-lifetime",
              twice(ask(answer=say(Cache_Control="max-age=60", Age="90")))),
    Situation("Expires in the past", "hit-for-miss", "no-lifetime",
              twice(ask(answer=say(Expires="Tue, 14 Nov 2023 20:00:00 GMT", Date="Tue, 14 Nov 2023 22:13:20 GMT")))),
    Situation("an error status", "hit-for-miss", "no-lifetime", twice(ask(answer=say(500)))),
    Situation("ttl 0 of the policy", "hit-for-miss", "no-lifetime", twice(ask(answer=MINUTE)),
              "sub vcl_backend_response {\n    set beresp.ttl = 0s;\n}", 2),
    Situation("uncacheable by the policy", "hit-for-miss", "policy-uncacheable", twice(ask(answer=MINUTE)),
              "sub vcl_backend_response {\n    set beresp.uncacheable = true;\n}", 2),
    Situation("uncacheable by status", "hit-for-miss", "policy-uncacheable", twice(ask(answer=say(404))),
              "sub vcl_backend_response {\n    if (beresp.status >= 400) {\n        set beresp.uncacheable = true;\n    }\n}", 3),
    Situation("Set-Cookie of the policy", "hit-for-miss", "set-cookie", twice(ask()),
              'sub vcl_backend_response {\n    set beresp.http.Set-Cookie = "lb=1";\n}'),
    Situation("return (pass) after the fetch", "hit-for-pass", "policy-hit-for-pass", twice(ask()),
              "sub vcl_backend_response {\n    return (pass(60s));\n}", 2),
    # ---- miss ----
    Situation("the first request", "miss", "first-request", (ask(),)),
    Situation("another path", "miss", "other-key", (ask("/a"), ask("/b"))),
    Situation("another query", "miss", "other-key", (ask("/a?utm=1"), ask("/a?utm=2"))),
    Situation("another host", "miss", "other-key",
              (ask(fields={"Host": "example.com"}), ask(fields={"Host": "www.example.com"}))),
    Situation("a key with the device", "miss", "other-key",
              (ask(fields={"X-Device": "phone"}), ask(fields={"X-Device": "desk"})),
              "sub vcl_hash {\n    hash_data(req.http.X-Device);\n}", 2),
    Situation("another variant", "miss", "other-variant",
              (ask(fields={"Accept-Language": "de"}, answer=say(Vary="Accept-Language")),
               ask(fields={"Accept-Language": "fr"}, answer=say(Vary="Accept-Language")))),
    Situation("a variant by absence", "miss", "other-variant",
              (ask(fields={"X-Kind": "a"}, answer=say(Vary="X-Kind")), ask(answer=say(Vary="X-Kind")))),
    Situation("expired", "miss", "expired", twice(ask(answer=MINUTE), 600)),
    Situation("expired by the policy", "miss", "expired", twice(ask(answer=say(Cache_Control="max-age=3600")), 60),
              "sub vcl_backend_response {\n    set beresp.ttl = 5s;\n    set beresp.grace = 1s;\n}", 2),
    Situation("stale for longer than req.grace", "miss", "over-req-grace", twice(ask(answer=MINUTE), 600),
              "sub vcl_recv { set req.grace = 10s; }\nsub vcl_backend_response { set beresp.grace = 1h; }", 1),
    Situation("purged before", "miss", "purged", (ask(), ask(method="PURGE"), ask()),
              'sub vcl_recv { if (req.method == "PURGE") { return (purge); } }'),
    Situation("banned before", "miss", "banned", (ask(), ask("/ban"), ask()),
              'sub vcl_recv { if (req.url == "/ban") { if (std.ban("req.url == /")) { return (synth(200)); } } }'),
    Situation("always a miss", "miss", "always-miss", twice(ask()),
              "sub vcl_recv {\n    set req.hash_always_miss = true;\n}", 2),
    Situation("passed before", "miss", "earlier-passed", (ask(fields=COOKIE), ask())),
    Situation("failed before", "miss", "earlier-failed", (ask(answer=say(fails="refuses")), ask())),
    Situation("abandoned before", "miss", "earlier-abandoned", (ask(answer=say(500)), ask()),
              "sub vcl_backend_response {\n    if (beresp.status == 500) { return (abandon); }\n}", 2),
    Situation("abandoned before its request", "miss", "earlier-abandoned", (ask(fields={"X-No": "1"}), ask()),
              "sub vcl_backend_fetch {\n    if (bereq.http.X-No) { return (abandon); }\n}", 2),
    Situation("refused before", "miss", "earlier-synthetic", (ask(fields={"X-Block": "1"}), ask()),
              "sub vcl_recv {\n    if (req.http.X-Block) { return (synth(403)); }\n}", 2),
    Situation("refused before, at the miss", "miss", "earlier-synthetic", (ask(fields={"X-Block": "1"}), ask()),
              "sub vcl_miss {\n    if (req.http.X-Block) { return (synth(403)); }\n}", 2),
    Situation("piped before", "miss", "earlier-passed", (ask(method="FROB"), ask())),
    Situation("older than req.ttl", "miss", "over-req-ttl", twice(ask(answer=MINUTE), 20),
              "sub vcl_recv {\n    set req.ttl = 10s;\n}", 2),
    Situation("removed by a module at the hit before", "miss", "purged",
              (ask(), ask(fields={"X-Remove": "1"}), ask()),
              "import purge;\nsub vcl_hit { if (req.http.X-Remove) { purge.hard(); } }"),
    Situation("always a miss, of the run before the restart", "miss", "always-miss", twice(ask(answer=MINUTE)),
              "sub vcl_deliver {\n    if (req.restarts == 0) {\n        set req.hash_always_miss = true;\n        return (restart);\n    }\n}", 3),
    Situation("Vary: * behind return (deliver)", "miss", "vary-star", twice(ask(answer=say(Vary="*"))),
              "sub vcl_backend_response { set beresp.grace = 1h; return (deliver); }"),
    Situation("* among the names of Vary", "miss", "vary-star", twice(ask(answer=say(Vary="Accept, *"))),
              "sub vcl_backend_response { return (deliver); }"),
    Situation("a Vary that is no list of names", "miss", "vary-illegal", twice(ask(answer=say(Vary="a b(")))),
    Situation("Expires in the past, and a grace of the policy", "miss", "no-lifetime",
              twice(ask(answer=say(Expires="Thu, 01 Jan 1970 00:00:00 GMT"))),
              "sub vcl_backend_response { set beresp.grace = 1h; return (deliver); }"),
    Situation("purged by its surrogate key", "miss", "purged", (ask(answer=say(xkey="a")), ask("/tidy"), ask(answer=say(xkey="a"))),
              'import xkey;\nsub vcl_recv {\n    if (req.url == "/tidy") {\n        set req.http.n = xkey.purge("a");\n        return (synth(200));\n    }\n}',
              4),
    # ---- stale ----
    Situation("in its grace", "stale hit", "stale", twice(ask(answer=MINUTE), 65)),
    Situation("in a grace of the policy", "stale hit", "stale", twice(ask(answer=MINUTE), 600),
              "sub vcl_backend_response {\n    set beresp.grace = 1h;\n}", 2),
    # ---- restarts before the decision ----
    Situation("a restart, then a cookie", "pass", "pass-cookie", twice(ask(fields=COOKIE)),
              "sub vcl_recv { if (req.restarts == 0) { return (restart); } }"),
)  # fmt: skip
