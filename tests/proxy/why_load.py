"""A mixed load on a daemon, and how many of its requests `vernis why --transaction` reproduces.

    build/venv/bin/python tests/proxy/why_load.py [REQUESTS] [SEED]

The load has bans by commands and by requests, purges of the key and from another URL, by surrogate keys and by
commands, variants, restarts, retries, markers, short lifetimes with grace, failures of the origin, ranges,
conditional requests and requests of several clients at once.

In the process of the command, so that a thousand requests take a minute. tests/proxy/test_why_live.py asks the
command itself.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    _ROOT = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(_ROOT / "tests"), str(_ROOT / "build" / "py")]

from proxy.daemon import Daemon, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_delivery import policy

from vernis.observe.stream import LiveLog, View
from vernis.observe.transactions import Grouping
from vernis.observe.vsm import Vsm
from vernis.trial.world import Host
from vernis.why.inquiry import Inquiry, Sent
from vernis.why.observed import Log
from vernis.why.play import compiled
from vernis.why.reproduce import Served, reproduce

RULES = """import std;
import xkey;
acl staff { "127.0.0.1"; }
sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ staff) { return (synth(405)); }
        return (purge);
    }
    if (req.method == "BAN") { ban("obj.http.X-Area == " + req.http.X-Area); return (synth(200)); }
    if (req.url == "/ban") { if (std.ban("req.url ~ ^/" + req.http.X-Prefix)) { return (synth(200)); } return (synth(400)); }
    if (req.url == "/expire") { set req.http.n = xkey.purge(req.http.X-Key); return (synth(200)); }
    if (req.url == "/soften") { set req.http.n = xkey.softpurge(req.http.X-Key); return (synth(200)); }
    if (req.url ~ "^/purge/") {                                 # purges another URL
        set req.url = regsub(req.url, "^/purge", "");
        return (purge);
    }
    if (req.url ~ "^/account") { return (pass); }
    if (req.url ~ "^/moved" && req.restarts == 0) { set req.url = regsub(req.url, "^/moved", "/page"); return (restart); }
    if (req.url ~ "^/fresh") { set req.hash_always_miss = true; }
    if (req.method != "GET" && req.method != "HEAD") { return (pass); }
    unset req.http.Cookie;
    return (hash);
}
sub vcl_backend_fetch {
    if (bereq.retries > 0) { set bereq.http.X-Retry = bereq.retries; }
}
sub vcl_backend_response {
    if (beresp.status == 500 && bereq.retries == 0) { return (retry); }
    if (beresp.status >= 500) { set beresp.uncacheable = true; set beresp.ttl = 1s; return (deliver); }
    if (beresp.http.X-Pass) { return (pass(2s)); }
    if (beresp.http.X-Invalidates) { ban("obj.http.X-Area == " + beresp.http.X-Invalidates); }
    set beresp.grace = 1s;
}
sub vcl_deliver {
    if (resp.status == 502 && req.restarts == 0) { return (restart); }
}
"""
AREAS = ("news", "sport", "shop")
PAGES = 12
CLIENTS = 3


def answer(r: Request) -> Reply:
    """By the URL, so that every answer is the same for a request."""
    path = r.url.partition("?")[0]
    number = int("".join(filter(str.isdigit, path)) or 0)
    headers = {"Cache-Control": f"max-age={1 + number % 3}", "X-Area": AREAS[number % 3], "xkey": f"k{number % 4}", "ETag": f'"{number}"'}
    if r.headers.get("if-none-match") == headers["ETag"] and number % 2:
        return Reply(304, headers=headers)
    if path.startswith("/lang"):
        headers["Vary"] = "Accept-Language"
    if path.startswith("/set"):
        headers["Set-Cookie"] = "a=1"
    if path.startswith("/private"):
        headers["Cache-Control"] = "private"
    if path.startswith("/hfp"):
        headers["X-Pass"] = "1"
    if path.startswith("/save"):
        headers["X-Invalidates"] = AREAS[number % 3]
    if path.startswith("/broken") and "x-retry" not in r.headers:
        return Reply(500, headers=headers)
    if path.startswith("/bad"):
        return Reply(502, headers=headers)
    if path.startswith("/gone"):
        return Reply(raw=b"", close=True)
    return Reply(404 if path.startswith("/none") else 200, b"x" * (100 + 40 * number), headers)


KINDS = ("/page", "/page", "/page", "/lang", "/lang", "/set", "/private", "/hfp", "/broken", "/bad", "/gone", "/none", "/moved", "/fresh",
         "/account", "/save")


def request(draw: random.Random) -> tuple[str, str, dict[str, str]]:
    """A method, a URL and fields."""
    kind, number = draw.choice(KINDS), draw.randrange(PAGES)
    url = f"{kind}/{number}"
    fields: dict[str, str] = {}
    drawn = draw.randrange(24)
    special: dict[int, tuple[str, str, dict[str, str]]] = {
        0: ("PURGE", url, {}), 1: ("BAN", "/", {"X-Area": draw.choice(AREAS)}), 6: ("POST", url, {}), 7: ("HEAD", url, {}),
        2: ("GET", "/ban", {"X-Prefix": draw.choice(("page", "lang", "page/1"))}),
        3: ("GET", "/expire", {"X-Key": f"k{draw.randrange(4)}"}), 4: ("GET", "/soften", {"X-Key": f"k{draw.randrange(4)}"}),
        5: ("GET", f"/purge/page/{number}", {}),
    }
    if drawn in special:
        return special[drawn]
    fields |= {8: {"Range": "bytes=10-59"}, 9: {"If-None-Match": f'"{number}"'}, 10: {"Cookie": "visitor=7"}}.get(drawn, {})
    if kind == "/lang":
        fields["Accept-Language"] = draw.choice(("de", "fr", "en"))
    return "GET", url, fields


def command(draw: random.Random) -> str:
    return draw.choice((f"ban req.url ~ ^/page/{draw.randrange(PAGES)}$", f"ban obj.http.X-Area == {draw.choice(AREAS)}",
                        f"vernis.ban obj.http.X-Area == {draw.choice(AREAS)} && obj.status == 200", f"vernis.purge_key k{draw.randrange(4)}",
                        f"vernis.purge_key -s k{draw.randrange(4)}", "ban req.url ~ ^/lang", "vernis.purge_all"))


def send(d: Daemon, count: int, seed: int, sent: list[int]) -> None:
    """One client's requests, and a command now and then. Appends the numbers of the transactions."""
    draw = random.Random(seed)
    with Client(d.port) as c:
        for _ in range(count):
            if draw.randrange(40) == 0:
                d.ok(command(draw))
            method, url, fields = request(draw)
            r = c.request(url, method, headers={"Host": "site.example", **fields})
            sent.append(int((r.get("X-Varnish") or "0").split()[0]))
            time.sleep(draw.random() * 0.02)                    # lifetimes of seconds must end


@dataclass
class Result:
    asked: int = 0
    unlike: list[tuple[int, Served]] = field(default_factory=list)      # not reproduced

    @property
    def reproduced(self) -> int:
        return self.asked - len(self.unlike)


def read_log(d: Daemon, vxids: list[int]) -> Log:
    def whole() -> Log | None:
        log = Log()
        log.read(LiveLog(Vsm(d.workdir)).groups(View(Grouping.REQUEST, untied=log.untied), True))
        known = {one.vxid for group in log.groups for one in group}
        return log if known >= set(vxids) else None
    found = wait_until(whole, "the log has each request")
    assert isinstance(found, Log)
    return found


def explained(d: Daemon, text: str, vxids: list[int]) -> Iterator[Served]:
    log, host = read_log(d, vxids), Host()
    inquiry = Inquiry("boot.vcl", Sent("/"), text=text.encode())
    try:
        with tempfile.TemporaryDirectory() as folder:
            compiled_policy = compiled(inquiry, Path(folder) / "policy.so")
            for vxid in vxids:
                yield reproduce(host, compiled_policy, log.find(vxid), inquiry)[2]
    finally:
        host.close()


def run(count: int, seed: int, restart: bool = True) -> Result:
    """A part of the requests comes after the worker was started anew."""
    result = Result()
    with Origin(answer) as origin:
        text = policy(origin, RULES)
        with serving(text, ["-s", "malloc,64m"], keeps_worker=not restart) as d:
            for part, n in enumerate((count // 4, count - count // 4) if restart else (count,)):
                if part:
                    d.ok("stop")
                    d.ok("start")
                    wait_until(lambda: d.state == "running", "the next worker serves")
                sent: list[list[int]] = [[] for _ in range(CLIENTS)]
                clients = [threading.Thread(target=send, args=(d, n // CLIENTS + (k < n % CLIENTS), seed * 100 + 10 * part + k, sent[k]))
                           for k in range(CLIENTS)]
                for client in clients:
                    client.start()
                for client in clients:
                    client.join()
                for served in explained(d, text, [vxid for one in sent for vxid in one]):
                    result.asked += 1
                    if not served.is_reproduced:
                        result.unlike.append((served.vxid, served))
    return result


def main() -> int:
    count, seed = (int(word) for word in (*sys.argv[1:], "500", "1")[:2]) if len(sys.argv) != 2 else (int(sys.argv[1]), 1)
    result = run(count, seed)
    print(f"{result.reproduced} of {result.asked} requests reproduced")
    for vxid, served in result.unlike:
        print(f"{vxid}: {'; '.join(served.differences)}\n    lacks: {'; '.join(served.lacks) or 'unknown'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
