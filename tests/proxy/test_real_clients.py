"""curl and wrk work as users run them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from proxy.origin import Origin, Reply, Request
from proxy.serve import serve
from proxy.test_delivery import PAGE, policy

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


def answer(r: Request) -> Reply:
    if r.method in ("PUT", "POST"):
        return Reply(body=b"%d bytes" % len(r.body))
    return Reply(body=b"0123456789" * 10_000, headers=PAGE | {"ETag": '"one"', "Last-Modified": "Sat, 01 Aug 2026 10:00:00 GMT"})


def curl(*args: str) -> str:
    return subprocess.run(["curl", "-sS", "--max-time", "20", *args], capture_output=True, text=True, check=True).stdout


def test_curl_downloads_resumes_and_revalidates(tmp_path: Path) -> None:
    with Origin(answer) as origin, serve(policy(origin)) as port:
        url, file = f"http://127.0.0.1:{port}/file", tmp_path / "file"
        curl("-o", str(file), url)
        whole = file.read_bytes()
        assert len(whole) == 100_000
        file.write_bytes(whole[:40_000])
        curl("-C", "-", "-o", str(file), url)       # the rest as a range
        assert file.read_bytes() == whole
        assert curl("-o", "/dev/null", "-w", "%{http_code}", "-H", 'If-None-Match: "one"', url) == "304"
        assert curl("-o", "/dev/null", "-w", "%{http_code}", "-z", "Sat, 01 Aug 2026 10:00:00 GMT", url) == "304"
        assert len(origin.requests) == 1


def test_curl_uploads_with_length_chunked_and_expecting_100(tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.write_bytes(b"u" * 2_000_000)
    with Origin(answer) as origin, serve(policy(origin)) as port:
        url = f"http://127.0.0.1:{port}/up"
        assert curl("-T", str(big), url) == "2000000 bytes"    # curl sends Expect: 100-continue for this size
        assert curl("-T", "-", url, "-H", "Transfer-Encoding: chunked") == "0 bytes"
        assert curl("--data-binary", f"@{big}", "-H", "Expect:", url) == "2000000 bytes"
        assert curl("-d", "a=1", url) == "3 bytes"


def test_curl_speaks_http_1_0_and_keeps_connections(tmp_path: Path) -> None:
    with Origin(answer) as origin, serve(policy(origin)) as port:
        url = f"http://127.0.0.1:{port}/file"
        assert len(curl("--http1.0", url)) == 100_000
        said = curl("-o", "/dev/null", "-o", "/dev/null", "-w", "%{num_connects} ", url, url)
        assert said.split() == ["1", "0"]           # the second request reused the first one's connection


@pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed")
def test_wrk_sees_no_error() -> None:
    with Origin(answer) as origin, serve(policy(origin)) as port:
        said = subprocess.run(["wrk", "-t2", "-c200", "-d2s", "--timeout", "60s", f"http://127.0.0.1:{port}/file"], capture_output=True, text=True).stdout
        assert "Socket errors" not in said and "Non-2xx" not in said, said
        assert int(re.search(r"(\d+) requests in", said)[1]) > 100
        assert len(origin.requests) == 1
