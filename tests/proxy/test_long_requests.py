"""Requests as large as the default limits allow, through policies that sort, trim, copy, hash and ban with their
URL: the default workspaces hold them. A workspace that is too small is named in the log."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from proxy.daemon import Daemon, wait_equal, wait_until
from proxy.origin import Client, Origin, Reply, Request
from proxy.serve import serving
from proxy.test_limits import log_of

#: Work on the URL, by a word of the path
WORK = {
    "sort": ("recv", "set req.url = std.querysort(req.url); set req.url = regsub(req.url, \"\\?$\", \"\");"),
    "all": ("recv", 'set req.url = regsuball(req.url, "x", "y"); set req.url = regsuball(req.url, "y", "z");'),
    "copies": ("recv", "set req.http.a = req.url; set req.http.b = req.url; set req.http.c = req.url; unset req.http.a; unset req.http.b; unset req.http.c;"),
    "lower": ("recv", "set req.url = std.tolower(req.url); set req.url = std.toupper(req.url); set req.url = std.tolower(req.url);"),
    "synth": ("recv", "return (synth(200, req.url));"),
    "ban": ("recv", 'ban("obj.http.x-url == " + req.url + " && req.url == " + req.url);'),
    "hash": ("recv", "set req.hash_ignore_busy = true;"),
    "pass": ("recv", "return (pass);"),
    "pipe": ("recv", "return (pipe);"),
    "restart": ("deliver", "if (req.restarts < 2) { return (restart); }"),
    "deliver": ("deliver", "set resp.http.url = req.url; set resp.http.url2 = regsub(req.url, \"x+\", \"\");"),
    "fetch": ("backend_fetch", "set bereq.http.x-copy = bereq.url; set bereq.url = regsuball(bereq.url, \"x\", \"y\"); unset bereq.http.x-copy;"),
    "response": ("backend_response", "set beresp.http.x-a = bereq.url; set beresp.http.x-b = bereq.url + bereq.url;"),
    "retry": ("backend_response", "if (bereq.retries < 2) { return (retry); }"),
}


def policy(port: int) -> str:
    subs: dict[str, str] = {}
    for name, (hook, text) in WORK.items():
        url = "bereq.url" if hook.startswith("backend") else "req.url"
        subs[hook] = subs.get(hook, "") + f'    if ({url} ~ "^/{name}") {{ {text} }}\n'
    subs["backend_response"] += '    set beresp.do_esi = bereq.url == "/page";\n'
    return (f'vcl 4.1; import std;\nbackend default {{ .host = "127.0.0.1"; .port = "{port}"; }}\n'
            + "".join(f"sub vcl_{hook} {{\n{text}}}\n" for hook, text in subs.items())
            + "sub vcl_hash { hash_data(req.url); }\n")


def url_of(word: str, size: int) -> str:
    start = f"/{word}?b=1&a="
    return start + "x" * (size - len(start))


@dataclass(slots=True)
class World:
    daemon: Daemon
    origin: Origin


def answer(request: Request) -> Reply:
    if request.url == "/page":
        return Reply(body=f'<esi:include src="{url_of("part", 8_000)}"/>'.encode(), headers={"Cache-Control": "max-age=60"})
    return Reply(body=b"%d" % len(request.url), headers={"Cache-Control": "max-age=60"})


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    sanitizers_are_slow = ["-p", "pcre2_cpu_limit=0.1"]
    with Origin(answer) as origin, serving(policy(origin.port), sanitizers_are_slow) as daemon:
        assert daemon.port_cached
        yield World(daemon, origin)


@pytest.mark.parametrize("size", [20_000, 28_000, 32_000])
@pytest.mark.parametrize("word", WORK)
def test_a_policy_may_work_on_the_longest_url(world: World, word: str, size: int) -> None:
    for _ in range(2):          # a miss, a hit
        with Client(world.daemon.port_cached) as c:
            r = c.request(url_of(word, size), headers={"Connection": "close"})
        assert r.status == 200, (r.status, log_of(world.daemon, "VCL_Error,FetchError,Error"))
        assert word == "synth" or r.body == b"%d" % size


def test_time_limits_count_no_time_without_a_processor() -> None:
    """Another process has the same processor half of the time."""
    processor = min(os.sched_getaffinity(0))
    with Origin(answer) as origin, serving(policy(origin.port), sanitized=False) as daemon:
        other = subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{processor}}})\nwhile True: pass"])
        try:
            for task in Path(f"/proc/{daemon.worker_pid}/task").iterdir():
                os.sched_setaffinity(int(task.name), {processor})
            for i in range(30):
                with Client(daemon.port_cached) as c:
                    assert c.request(url_of("all", 32_000 - i), headers={"Connection": "close"}).status == 200
        finally:
            other.kill()
            other.wait()


def test_a_page_may_include_long_urls(world: World) -> None:
    with Client(world.daemon.port_cached) as c:
        assert c.request("/page").body == b"8000"


@pytest.mark.parametrize("fields", [{f"X-{i}": "v" * 480 for i in range(60)}, {f"Cookie-{i}": "c" * 8000 for i in range(3)} | {"Cookie": "a=" + "b" * 7000}],
                         ids=["many fields", "long fields"])
def test_a_head_of_the_greatest_size_is_served(world: World, fields: dict[str, str]) -> None:
    for word in ("copies", "pass", "fetch", "restart", "retry", "pipe"):
        with Client(world.daemon.port_cached) as c:
            assert c.request(f"/{word}?{fields.keys()!s:.5}", headers={**fields, "Connection": "close"}).status == 200, word


def test_an_idle_connection_keeps_none_of_it(world: World) -> None:
    def held() -> int:
        status = subprocess.run(["cat", f"/proc/{world.daemon.worker_pid}/status"], capture_output=True, text=True, check=True).stdout
        return int(status.split("VmRSS:")[1].split()[0])
    clients = [Client(world.daemon.port_cached) for _ in range(300)]
    try:
        for c in clients:
            c.request("/small")
        before = held()
        for c in clients:
            assert c.request(url_of("sort", 30_000)).status == 200
        # 300 workspaces of such a request are over 30 MB; ASan keeps freed memory for a while
        assert held() - before < (20_000 if "asan" not in world.daemon.process.args[0] else 200_000)
    finally:
        for c in clients:
            c.close()


@pytest.mark.parametrize(("word", "parameter", "tag"), [
    ("sort", "workspace_client", "VCL_Error"), ("copies", "workspace_client", "VCL_Error"), ("hash", "workspace_client", "VCL_Error"),
    ("fetch", "workspace_backend", "VCL_Error"), ("plain", "workspace_backend", "FetchError"),
])
def test_a_small_workspace_is_named(word: str, parameter: str, tag: str) -> None:
    size = {"plain": 110_000, "fetch": 110_000, "hash": 40_000}.get(word, 60_000)
    with Origin(answer) as origin, serving(policy(origin.port), ("-p", f"{parameter}={size}b")) as d:
        with Client(d.port) as c:
            assert c.request(url_of(word, 30_000)).status in (500, 503)
        said = f"{parameter} ({size} bytes) is too small for this transaction"
        wait_until(lambda: said in log_of(d, tag), said)


def test_a_fetch_that_cannot_begin_names_its_workspace() -> None:
    with Origin(answer) as origin, serving(policy(origin.port), ("-p", "workspace_backend=20000b")) as d:
        with Client(d.port) as c:
            assert c.request(url_of("plain", 30_000)).status == 503
        wait_equal(lambda: log_of(d, "Error"), {"workspace_backend (20000 bytes) is too small for this transaction"})
