"""Clients that others wrote, over HTTPS: handshake, protocol, and each byte of the content."""

from __future__ import annotations

import hashlib
import http.client
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import browser
from support.browser import Browser

from proxy.daemon import Daemon, wait_equal
from proxy.origin import Origin, Reply, Request
from proxy.test_delivery import PAGE, policy
from proxy.tls import certificate, https

LARGE = bytes(range(256)) * 4096            # a megabyte: many records, and more than a window of HTTP/2
OBJECTS = 100
IMAGE = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


def needs(command: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(command) is None, reason=f"{command} is not installed")


def answer(r: Request) -> Reply:
    if r.method in ("PUT", "POST"):
        return Reply(body=hashlib.sha256(r.body).hexdigest().encode())
    if r.url == "/page":
        images = "".join(f'<img src="/image/{i}">' for i in range(OBJECTS))
        return Reply(body=f"<!doctype html><title>page</title>{images}".encode(), headers=PAGE | {"Content-Type": "text/html"})
    if r.url.startswith("/image/"):
        return Reply(body=IMAGE, headers=PAGE | {"Content-Type": "image/svg+xml"})
    return Reply(body=LARGE if r.url == "/large" else b"small " + r.url.encode(), headers=PAGE)


@contextmanager
def site(tmp_path: Path, args: Sequence[str] = ()) -> Iterator[tuple[Daemon, Path]]:
    """A daemon before the origin, with HTTP/2, and the file that clients trust."""
    path = certificate(tmp_path, "a.test")
    trusted = tmp_path / "trusted.pem"
    trusted.write_text(path.read_text().split("-----BEGIN PRIVATE")[0])
    with Origin(answer) as origin, https(tmp_path, [path], ["-p", "feature=+http2", *args], policy(origin)) as d:
        yield d, trusted


def run(*command: str, given: bytes = b"") -> bytes:
    done = subprocess.run(command, input=given, capture_output=True, timeout=60)
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


@needs("curl")
@pytest.mark.parametrize("protocol", ["--http1.1", "--http2"])
@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_curl(tmp_path: Path, protocol: str, version: str) -> None:
    with site(tmp_path) as (d, trusted):
        base = f"https://a.test:{d.port}"
        curl = ("curl", "-sS", "--max-time", "30", protocol, f"--tlsv{version}", "--tls-max", version, "--cacert", str(trusted),
                "--resolve", f"a.test:{d.port}:127.0.0.1")
        assert run(*curl, f"{base}/large") == LARGE                             # a miss, then a hit
        assert run(*curl, f"{base}/large", f"{base}/one") == LARGE + b"small /one"
        assert run(*curl, "-r", "1000000-1000009", f"{base}/large") == LARGE[1000000:1000010]
        given = tmp_path / "given"
        given.write_bytes(LARGE)
        assert run(*curl, "-T", str(given), f"{base}/put").decode() == hashlib.sha256(LARGE).hexdigest()
        wait_equal(lambda: d.counters["TLS.sessions"], 4)


@pytest.mark.parametrize("version", ["tls1_2", "tls1_3"])
def test_s_client_resumes(tmp_path: Path, version: str) -> None:
    request = b"GET /one HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
    with site(tmp_path) as (d, trusted):
        client = ("openssl", "s_client", "-connect", f"127.0.0.1:{d.port}", f"-{version}", "-servername", "a.test", "-CAfile", str(trusted),
                  "-verify_return_error", "-verify_hostname", "a.test", "-ign_eof")
        session = str(tmp_path / "session")
        first = run(*client, "-sess_out", session, given=request)
        again = run(*client, "-sess_in", session, given=request)
        assert b"\nNew, TLSv1." in first and b"Verify return code: 0 (ok)" in first
        assert b"\nReused, TLSv1." in again
        for said in (first, again):
            assert b"\r\n\r\nsmall /one" in said
        wait_equal(lambda: d.counters["TLS.resumed"], 1)


def test_python(tmp_path: Path) -> None:
    with site(tmp_path) as (d, trusted):
        how = ssl.create_default_context(cafile=str(trusted))
        how.check_hostname = False                                              # the address is no name of it
        client = http.client.HTTPSConnection("127.0.0.1", d.port, timeout=30, context=how)
        for url, body in (("/large", LARGE), ("/one", b"small /one"), ("/large", LARGE)):
            client.request("GET", url)
            assert client.getresponse().read() == body
        client.request("POST", "/post", body=(LARGE[i:i + 1000] for i in range(0, len(LARGE), 1000)), encode_chunked=True)
        assert client.getresponse().read().decode() == hashlib.sha256(LARGE).hexdigest()
        client.close()
        wait_equal(lambda: d.counters["TLS.sessions"], 1)


@needs("nghttp")
def test_nghttp(tmp_path: Path) -> None:
    with site(tmp_path) as (d, _trusted):
        base = f"https://127.0.0.1:{d.port}"
        assert run("nghttp", "--no-verify-peer", f"{base}/large") == LARGE
        given = tmp_path / "given"
        given.write_bytes(LARGE)
        assert run("nghttp", "--no-verify-peer", "-d", str(given), f"{base}/post").decode() == hashlib.sha256(LARGE).hexdigest()
        said = run("nghttp", "--no-verify-peer", "-nv", f"{base}/one", f"{base}/two").decode()
        assert "The negotiated protocol: h2" in said and said.count(":status: 200") == 2


@needs("h2load")
@pytest.mark.parametrize("options", [["-m", "10"], ["--h1"]], ids=["h2", "http/1.1"])
def test_h2load(tmp_path: Path, options: list[str]) -> None:
    with site(tmp_path) as (d, _trusted):
        said = run("h2load", "-n", "400", "-c", "8", *options, f"https://127.0.0.1:{d.port}/large").decode()
        assert "requests: 400 total, 400 started, 400 done, 400 succeeded, 0 failed, 0 errored, 0 timeout" in said
        found = re.search(r"\((\d+)\) data", said)
        assert found is not None and int(found[1]) == 400 * len(LARGE)


@pytest.mark.skipif(not browser.is_here(), reason="needs Debian's chromium and chromium-driver")
def test_chromium_loads_a_page_of_a_hundred_objects(tmp_path: Path) -> None:
    with site(tmp_path) as (d, _trusted), Browser(any_certificate=True) as b:
        b.open(f"https://127.0.0.1:{d.port}/page")
        assert b.run("return document.title") == "page"
        assert b.run("return [...document.images].filter(i => i.complete && i.naturalWidth == 1).length") == OBJECTS
        loaded = b.run("return performance.getEntriesByType('resource').map(e => [e.nextHopProtocol, e.responseStatus, e.decodedBodySize])")
        assert loaded.count(["h2", 200, len(IMAGE)]) == OBJECTS
        assert d.counters["TLS.sessions"] <= 2
