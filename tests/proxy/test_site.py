"""Both versions of the site policy of ``examples/site`` in front of nginx with a generated site of 1,000 pages and their
assets."""

from __future__ import annotations

import http.client
import itertools
import random
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from proxy.daemon import ROOT, Daemon, wait_until
from proxy.origin import Client
from proxy.serve import serving
from support.folders import open_to_everybody
from support.ports import free_port

PAGES = 1_000
NGINX = """
worker_processes 1; daemon off; pid {dir}/nginx.pid; error_log {dir}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    log_format short '$request_method $request_uri $http_cookie';
    access_log {dir}/access.log short;
    types {{ text/html html; text/css css; image/png png; application/xml xml; }}
    client_body_temp_path {dir}; proxy_temp_path {dir}; fastcgi_temp_path {dir}; uwsgi_temp_path {dir}; scgi_temp_path {dir};
    server {{
        listen 127.0.0.1:{port1}; listen 127.0.0.1:{port2};
        root {dir}/site;
        location = /health {{ return 200 "well\\n"; }}
        location /articles/ {{ add_header Cache-Control "public, max-age=300"; }}
        location /account/ {{ add_header Cache-Control "private"; return 200 "account of $cookie_session\\n"; }}
        location /admin/ {{ return 200 "admin\\n"; }}
        location /login {{ add_header Set-Cookie "session=1"; add_header Cache-Control "max-age=60"; return 200 "welcome\\n"; }}
        location /broken {{ return 500; }}
        location /post {{ return 200 "$request_method\\n"; }}
        location /echo-lang {{ add_header Cache-Control "max-age=60"; return 200 "$http_x_lang $http_x_device [$http_cookie]\\n"; }}
    }}
}}
"""


class Site:
    """nginx with the generated site, and Vernis with the example policy in front of it."""

    def __init__(self, directory: Path, daemon: Daemon, port: int) -> None:
        self.directory, self.daemon, self.port = directory, daemon, port
        self.fences = itertools.count()

    def get(self, url: str, method: str = "GET", body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        with Client(self.port) as c:
            r = c.request(url, method, {k.replace("_", "-"): v for k, v in headers.items()}, body, host="www.site.example:80")
            return r.status, {n.lower(): v for n, v in r.headers}, r.body

    def cache(self, url: str, **headers: str) -> str:
        return self.get(url, **headers)[1].get("x-cache", "")

    def asked(self, start: str) -> int:
        """The number of requests that the origin got for URLs with this start. nginx has one worker and writes its log after
        the response, so the line of a later request says that the earlier ones are all written."""
        fence = f"/account/{next(self.fences)}"
        self.get(fence)
        log = self.directory / "access.log"
        wait_until(lambda: f" {fence} " in log.read_text(), "the origin's log contains the last request")
        return sum(line.split(" ")[1].startswith(start) for line in log.read_text().splitlines())


def generate(site: Path) -> None:
    (site / "articles").mkdir(parents=True)
    (site / "assets").mkdir()
    for i in range(PAGES):
        links = "".join(f'<a href="/articles/{(i * 7 + k) % PAGES}.html">{k}</a>' for k in range(5))
        (site / "articles" / f"{i}.html").write_text(f"<html><link href='/assets/{i}.css'><h1>Article {i}</h1>{links}</html>")
        (site / "assets" / f"{i}.css").write_text(f".a{i} {{ color: red }}\n")
    for i in range(50):
        (site / "assets" / f"{i}.png").write_bytes(random.Random(i).randbytes(5_000 + i))
    (site / "feed.xml").write_text("<rss/>")
    (site / "index.html").write_text("home")


@pytest.fixture(scope="module", params=["site.vcl", "site5.vcl"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    directory = tmp_path_factory.mktemp("site")
    open_to_everybody(directory)        # nginx's worker does not run as root
    generate(directory / "site")
    port1, port2 = free_port(), free_port()
    conf = directory / "nginx.conf"
    conf.write_text(NGINX.format(dir=directory, port1=port1, port2=port2))
    nginx = subprocess.Popen(["nginx", "-c", str(conf), "-p", str(directory)], stderr=subprocess.DEVNULL)
    try:
        policy = (ROOT / "examples/site" / request.param).read_text().replace('"8081"', f'"{port1}"').replace('"8082"', f'"{port2}"')
        policy = policy.replace(".timeout = 1s;", ".timeout = 20s;")        # of the probes
        assert policy.count(".timeout = 20s;") == 1
        wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port1)) == 0, "nginx listens")
        with serving(policy) as d:
            s = Site(directory, d, d.port)
            wait_until(lambda: s.get("/cache-health")[0] == 200, "the probes find the origin healthy")
            yield s
    finally:
        nginx.terminate()
        nginx.wait(10)


def test_every_page_is_a_miss_then_a_hit(site: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
    for expected in ("MISS", "HIT"):
        for i in range(PAGES):
            connection.request("GET", f"/articles/{i}.html", headers={"Host": "site.example"})
            answer = connection.getresponse()
            body = answer.read()
            assert (answer.status, answer.headers["X-Cache"]) == (200, expected), f"page {i}"
            assert f"<h1>Article {i}</h1>".encode() in body
    assert site.asked("/articles/") == PAGES
    connection.close()


def test_assets_do_not_depend_on_cookies_or_devices(site: Site) -> None:
    assert site.cache("/assets/1.css", Cookie="session=1") == "MISS"
    assert site.cache("/assets/1.css", Cookie="session=2", User_Agent="iPhone") == "HIT"
    status, headers, body = site.get("/assets/7.png", Authorization="Basic eA==")
    assert (status, headers["cache-control"], len(body)) == (200, "public, max-age=604800", 5_007)
    assert site.get("/assets/7.png")[2] == body and site.cache("/assets/7.png") == "HIT"


def test_analytics_cookies_and_parameters_are_ignored(site: Site) -> None:
    site.get("/echo-lang?a=1&b=2")
    for url, cookie in (("/echo-lang?b=2&a=1", "_ga=GA1.2; _gid=x"), ("/echo-lang?a=1&b=2&utm_source=mail&utm_medium=x", "consent=yes"),
                        ("/echo-lang?gclid=123&a=1&b=2", "")):
        headers = {"Cookie": cookie} if cookie else {}
        status, fields, body = site.get(url, **headers)
        assert (fields["x-cache"], body) == ("HIT", b"en desktop []\n"), url


def test_languages_and_devices_are_kept_apart(site: Site) -> None:
    phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile"
    assert site.get("/echo-lang?v=1", Cookie="lang=de")[2] == b"de desktop []\n"
    assert site.get("/echo-lang?v=1", Cookie="lang=fr; _ga=1")[2] == b"fr desktop []\n"
    assert site.get("/echo-lang?v=1", Cookie="lang=de", User_Agent=phone)[2] == b"de mobile []\n"
    assert site.get("/echo-lang?v=1", User_Agent="Mozilla/5.0 (iPad; tablet)")[2] == b"en tablet []\n"
    assert site.get("/echo-lang?v=1", Cookie="other=1; lang=de")[1]["x-cache"] == "HIT"


def test_responses_for_one_user_are_not_shared(site: Site) -> None:
    assert site.get("/account/", Cookie="session=alice")[2] == b"account of alice\n"
    assert site.get("/account/", Cookie="session=bob")[2] == b"account of bob\n"
    for _ in range(2):
        assert site.cache("/articles/5.html", Cookie="_ga=1; session=alice") == "PASS"
    for _ in range(3):
        assert site.get("/login")[1]["set-cookie"] == "session=1"
    assert site.asked("/login") == 3    # a response that sets a cookie is never shared


def test_methods_are_filtered_or_passed(site: Site) -> None:
    assert site.get("/post", "POST", b"x=1")[2] == b"POST\n"
    assert site.get("/articles/9.html", "BREW")[0] == 405
    assert site.get("/articles/9.html", "HEAD")[2] == b""


def test_purge_from_a_known_address_removes_one_page(site: Site) -> None:
    site.get("/articles/3.html")
    site.get("/articles/4.html")
    assert site.cache("/articles/3.html") == "HIT"
    status, _, body = site.get("/articles/3.html", "PURGE")
    assert (status, b"Purged" in body) == (200, True)
    assert site.cache("/articles/3.html") == "MISS"
    assert site.cache("/articles/4.html") == "HIT"
    phone = "Mozilla/5.0 (iPhone) Mobile"
    site.get("/articles/4.html", User_Agent=phone)
    site.get("/articles/4.html", "PURGE")
    # all variants
    assert (site.cache("/articles/4.html", User_Agent=phone), site.cache("/articles/4.html")) == ("MISS", "MISS")


def test_purge_from_other_addresses_is_refused(site: Site) -> None:
    site.get("/articles/6.html")
    with Client(site.port, source="127.0.0.66") as c:
        assert c.request("/articles/6.html", "PURGE", host="site.example").status == 405
    assert site.cache("/articles/6.html") == "HIT"


def test_invalid_requests_do_not_reach_the_origin(site: Site) -> None:
    for url, status in (("/.git/config", 404), ("/wp-config.php", 404), ("/a/../b", 400), ("/%2e%2e/x", 400)):
        assert site.get(url)[0] == status, url
        assert site.asked(url) == 0, url


def test_errors_of_the_origin_are_retried_and_not_stored(site: Site) -> None:
    assert site.get("/broken")[0] == 500
    assert site.asked("/broken") == 2   # one retry
    assert site.get("/no-such-page")[0] == 404
    assert site.cache("/no-such-page") == "HIT"     # but a missing page is stored for a short time


def test_internal_fields_do_not_leak(site: Site) -> None:
    _, headers, _ = site.get("/articles/11.html")
    assert "via" not in headers and "x-origin-name" not in headers
    assert headers["x-content-type-options"] == "nosniff"
