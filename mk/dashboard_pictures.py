"""Takes the pictures of the dashboard, docs/pictures/dashboard-light.png and dashboard-dark.png.

Runs a daemon with docs/pictures/dashboard.vcl in front of scripted origins, sends it the traffic of a small
shop, and opens the dashboard in Chromium. The charts show 15 minutes, so it runs that long.

    python3 mk/dashboard_pictures.py [SECONDS]
"""

from __future__ import annotations

import http.client
import math
import random
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from proxy.daemon import Daemon  # noqa: E402
from proxy.origin import Origin, Reply, Request  # noqa: E402
from support.browser import Browser  # noqa: E402

PICTURES = ROOT / "docs/pictures"
SIZE = (1440, 1950)
SECONDS = 900
SETTLE_S = 8  # the page gets rules and backends after some messages
CLIENTS = 4
REQUESTS_S = 100
WAVE_S = 300  # traffic rises and falls
HOSTS = ("shop.example.com", "shop.example.com", "shop.example.com", "www.example.com")
FIELDS: dict[str, dict[str, str]] = {
    "/account": {"Set-Cookie": "session=1"},
    "/search": {"Cache-Control": "private, no-store"},
    "/css/site.css": {"Cache-Control": "max-age=120", "Vary": "*"},
}
WEIGHTS = {
    "/": 30,
    "/news": 20,
    "/news/2026/spring-collection": 8,
    "/img/logo.svg": 14,
    "/css/site.css": 6,
    "/js/shop.js": 11,
    "/products/42": 9,
    "/products/7?colour=blue": 6,
    "/search?q=%3Cshoes%3E": 2,
    "/api/basket": 3,
    "/account": 3,
    "/gone": 1,
}


class Web:
    """A web server whose health check fails for a while now and then."""

    def __init__(self, fails_every_s: int) -> None:
        self.fails_every_s = fails_every_s

    def __call__(self, request: Request) -> Reply:
        path = request.url.partition("?")[0]
        if path == "/health":
            ill = self.fails_every_s > 0 and time.time() % self.fails_every_s < 6
            return Reply(status=503 if ill else 200)
        time.sleep(random.expovariate(1 / 0.012))
        status = 404 if path == "/gone" else 503 if random.random() < 0.004 else 200
        fields = FIELDS.get(path, {"Cache-Control": f"max-age={random.choice((8, 20, 40))}"})
        return Reply(status=status, body=b"x" * random.randrange(300, 30_000), headers=fields)


def visit(port: int, end: float) -> None:
    client = http.client.HTTPConnection("127.0.0.1", port)
    while time.time() < end:
        (url,) = random.choices([*WEIGHTS], [*WEIGHTS.values()])
        if random.random() < 0.03:
            url += f"{'&' if '?' in url else '?'}page={random.randrange(500)}"
        try:
            client.request("GET", url, headers={"Host": random.choice(HOSTS)})
            client.getresponse().read()
        except (http.client.HTTPException, ConnectionError):
            client.close()  # the daemon ended an idle connection; the next request opens another
        wave = 1 + 0.4 * math.sin(2 * math.pi * time.time() / WAVE_S)
        time.sleep(random.expovariate(REQUESTS_S * wave / CLIENTS))


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with ExitStack() as stack:
        webs = {name: Web(every) for name, every in (("web1", 0), ("web2", 70), ("static", 0))}
        origins = {name: stack.enter_context(Origin(web)) for name, web in webs.items()}
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vernis-pictures-")))
        policy = (PICTURES / "dashboard.vcl").read_text()
        for name, origin in origins.items():
            policy = policy.replace(f"@{name}@", str(origin.port))
        args = ("-i", "cache-1", "-s", "malloc,16m", "-p", "dashboard_listen=127.0.0.1:0")
        daemon = stack.enter_context(Daemon(folder, policy, args))
        end = time.time() + seconds + 60
        for _ in range(CLIENTS):
            threading.Thread(target=visit, args=(daemon.port_cached, end), daemon=True).start()
        time.sleep(seconds)
        link = daemon.ok("vernis.dashboard").strip()
        for dark in (False, True):
            with Browser(dark, SIZE) as browser:
                browser.open(link)
                time.sleep(SETTLE_S)
                browser.picture(PICTURES / f"dashboard-{'dark' if dark else 'light'}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
