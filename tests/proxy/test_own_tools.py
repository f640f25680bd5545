"""`vernis log`, `stat`, `top` and `admin` on a running daemon, and the daemon's own metrics."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from proxy.daemon import ROOT, START_S, SYNTH, VERNISD, Daemon, wait_until
from proxy.origin import Origin, Reply
from support.pace import Pace

VERNIS = ROOT / "build" / "bin" / "vernis"
METRICS = ("-p", "metrics_listen=127.0.0.1:0")
HOPELESS = [b"", b"\r\n\r\n", b"GET\r\n\r\n", b"GET /metrics\r\n\r\n", b"\0\xff" * 500, b"GET /metrics HTTP/9.9\r\n\r\n",
            b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /metrics HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
            b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
            b"GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n",
            b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", b"GET %00 HTTP/1.1\r\n\r\n"]

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def vernis(d: Daemon, command: str, *arguments: str, code: int = 0) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("VERNIS_", "PYTHON"))}
    done = subprocess.run([str(VERNIS), command, "-n", str(d.workdir), *arguments], capture_output=True, text=True, timeout=60,
                          env=environment, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == code, done.stderr
    return done.stdout


def metrics_port(d: Daemon) -> int:
    found = re.search(r"metrics at http://127\.0\.0\.1:(\d+)/metrics", d.logs)
    assert found is not None, d.logs
    return int(found[1])


def fetch(port: int, request: bytes = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") -> tuple[int, bytes, bytes]:
    """Status, head, body. Status 0: the connection was closed without a response."""
    with socket.create_connection(("127.0.0.1", port), timeout=START_S) as s:
        s.sendall(request)
        data = b"".join(iter(lambda: s.recv(65536), b""))
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]) if head.startswith(b"HTTP/") else 0, head, body


def samples(text: str) -> Samples:
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples}


def scraped(port: int) -> Samples:
    return samples(fetch(port)[2].decode())


# ---- metrics -----------------------------------------------------------------------------------------------


def test_metrics_are_the_same_as_in_stat(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), METRICS)
    port = metrics_port(d)
    d.get()
    name = ("vernis_main_client_req_total", ())
    wait_until(lambda: scraped(port)[name] == 1, "the request is counted")
    status, head, body = fetch(port)
    assert status == 200 and b"Content-Type: text/plain; version=0.0.4; charset=utf-8" in head
    ours, stat = samples(body.decode()), samples(vernis(d, "stat", "--prometheus"))
    assert ours.keys() == stat.keys() and len(ours) > 150
    assert ours[name] == stat[name] == 1
    types = [line for line in body.decode().splitlines() if line.startswith("# TYPE")]
    assert len(types) == len(set(types))
    assert ("vernis_mgt_child_start_total", ()) in ours


def test_a_backend_is_up_while_directors_choose_it(start_daemon: Callable[..., Daemon]) -> None:
    """One failed probe of eight leaves the backend healthy."""
    with Origin(lambda _: Reply(status=503)) as origin:
        at = f'.host = "127.0.0.1"; .port = "{origin.port}";'
        d = start_daemon(f"""vcl 4.1;
            backend probed {{ {at} .probe = {{ .window = 8; .threshold = 1; .initial = 1; .interval = 1h; }} }}
            backend plain {{ {at} }}
            sub vcl_recv {{ if (req.url == "/plain") {{ set req.backend_hint = plain; }} }}""", METRICS)
        port = metrics_port(d)

        def shown(backend: str) -> tuple[float | None, float | None]:
            """Whether it is up, and whether its newest probe was good."""
            page, labels = scraped(port), (("backend", backend), ("vcl", "boot"))
            return page.get(("vernis_backend_up", labels)), page.get(("vernis_backend_probe_good", labels))

        wait_until(lambda: shown("probed") == (1, 0), "the first probe failed, and the backend is still healthy")
        assert shown("plain") == (1, 0)
        for state, up in (("sick", 0), ("healthy", 1)):
            d.ok(f"backend.set_health *.* {state}")
            wait_until(lambda up=up: (shown("probed"), shown("plain")) == ((up, 0), (up, 0)), f"the state set by hand is shown: {state}")


def test_metrics_are_served_without_a_worker(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), METRICS)
    port = metrics_port(d)
    os.kill(d.worker_pid, signal.SIGKILL)
    wait_until(lambda: scraped(port).get(("vernis_mgt_child_died_total", ())) == 1, "the worker's death is counted")
    wait_until(lambda: ("vernis_main_uptime_seconds_total", ()) in scraped(port), "counters of the next worker appear")
    d.ok("stop")
    wait_until(lambda: ("vernis_main_uptime_seconds_total", ()) not in scraped(port), "counters of the worker disappear")


def test_malformed_requests_for_metrics_are_harmless(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), METRICS)
    port = metrics_port(d)
    for request in HOPELESS:
        with socket.create_connection(("127.0.0.1", port), timeout=START_S) as s:
            try:
                s.settimeout(0.05)
                s.sendall(request)
                while s.recv(65536):
                    pass
            except OSError:
                pass
        assert fetch(port)[0] == 200, request[:40]
    assert fetch(port, b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")[0] == 405
    assert fetch(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")[0] == 404
    assert fetch(port, b"HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n")[2] == b""
    assert d.get() == (200, "a") and d.ok("ping").startswith("PONG")


@pytest.mark.parametrize("sent", [b"", b"GET /metr"])
def test_silent_connections_lock_out_nobody(start_daemon: Callable[..., Daemon], sent: bytes) -> None:
    d = start_daemon(None, METRICS)
    port = metrics_port(d)
    began = time.monotonic()
    silent = [socket.create_connection(("127.0.0.1", port), timeout=START_S) for _ in range(100)]
    for one in silent[-30:]:
        one.sendall(sent)
    assert answers(port) and silent[0].recv(1) == b""       # the oldest is closed
    pace = Pace()
    pace.measure()
    assert time.monotonic() - began < 4 * pace.slowness     # none has ended by itself yet, after 5 s
    assert d.ok("ping").startswith("PONG")
    for one in silent:
        one.close()


def test_closed_connections_leave_room_for_others(start_daemon: Callable[..., Daemon]) -> None:
    """The end of a connection may arrive together with its last bytes."""
    port = metrics_port(start_daemon(None, METRICS))
    for request in (b"GET /me", b"GET /metrics HTTP/1.1\r\nHost: x\r\n") * 40:
        with socket.create_connection(("127.0.0.1", port), timeout=START_S) as s:
            s.sendall(request)
    began = time.monotonic()
    wait_until(lambda: answers(port), "metrics are served")
    assert time.monotonic() - began < 4     # without waiting for the timeout of all connections, 5 s


def answers(port: int) -> bool:
    try:
        return fetch(port)[0] == 200
    except ConnectionError:
        return False


@pytest.mark.slow
def test_a_slow_connection_is_closed(start_daemon: Callable[..., Daemon]) -> None:
    port = metrics_port(start_daemon(None, METRICS))
    with socket.create_connection(("127.0.0.1", port), timeout=0.2) as s:
        began = time.monotonic()
        while time.monotonic() - began < START_S:
            try:
                s.sendall(b"G")
                if s.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert 4 < time.monotonic() - began < START_S


def test_metrics_are_off_by_default_and_can_be_set_at_the_start_only(daemon: Daemon) -> None:
    assert "metrics at" not in daemon.logs
    status, text = daemon.cli("param.set metrics_listen 127.0.0.1:0")
    assert status == 107 and "protected" in text


@pytest.mark.parametrize("address, said", [("127.0.0.1:BUSY", "Address already in use"), ("nonsense:x:y", "nonsense"),
                                           ("/a/path", "expected an address and a port")])
def test_an_unusable_address_fails_the_start(address: str, said: str, tmp_path: Path) -> None:
    if not VERNISD.exists():
        pytest.skip("run make build first")
    with socket.create_server(("127.0.0.1", 0)) as busy:
        listen = address.replace("BUSY", str(busy.getsockname()[1]))
        done = subprocess.run([str(VERNISD), "-F", "-n", str(tmp_path / "n"), "-a", "127.0.0.1:0", "-f", "", "-p",
                               f"metrics_listen={listen}"], capture_output=True, text=True, timeout=START_S, check=False)
    assert done.returncode == 2 and said in done.stderr


# ---- log, stat, top, admin ---------------------------------------------------------------------------------


@contextmanager
def following(d: Daemon, tmp_path: Path, *arguments: str) -> Iterator[Callable[[], list[str]]]:
    """Runs `vernis log` on the daemon; yields a function that returns the lines so far."""
    out = tmp_path / "followed"
    with out.open("wb") as file:
        process = subprocess.Popen([str(VERNIS), "log", "-n", str(d.workdir), *arguments], stdout=file, stderr=file)
    try:
        yield lambda: out.read_text().splitlines()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(START_S) == -signal.SIGINT


def test_the_log_of_requests_continues_after_a_restart(start_daemon: Callable[..., Daemon], tmp_path: Path) -> None:
    d = start_daemon(SYNTH.format(word="a"))
    numbers = iter(range(10_000))

    def seen(lines: list[str], since: int) -> bool:
        """Sends requests until one is shown, because the reader may start late."""
        d.get(f"/{next(numbers)}")
        return any(int(json.loads(line)["summary"]["url"][1:]) >= since for line in lines if line.startswith("{"))

    with following(d, tmp_path, "-c", "--format", "json") as lines:
        wait_until(lambda: seen(lines(), 0), "requests are shown")
        os.kill(d.worker_pid, signal.SIGKILL)
        wait_until(lambda: "Log reacquired" in lines(), "the log of the next worker is found")
        wait_until(lambda: d.state == "running", "the next worker serves")
        since = next(numbers) + 1
        wait_until(lambda: seen(lines(), since), "its requests are shown")
        assert "Log abandoned" in lines()


def test_a_request_is_shown_as_json_and_as_a_summary(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="fine"))
    d.get("/some")

    def shown() -> list[str]:
        return vernis(d, "log", "-d", "-g", "request", "--format", "json", "-q", "ReqURL eq '/some'").splitlines()

    [line] = wait_until(shown, "the request is in the log")
    [request] = json.loads(line)["transactions"]
    summary = request["summary"]
    assert (request["type"], request["reason"]) == ("req", "rxreq")
    assert (summary["method"], summary["url"], summary["host"], summary["status"]) == ("GET", "/some", "test", 200)
    assert summary["client"].startswith("127.0.0.1:") and summary["bytes_out"] > 0
    screen = vernis(d, "log", "-d", "--format", "screen", "-q", "ReqURL eq '/some'").splitlines()
    assert screen[0].startswith("GET test/some  200 fine")


def test_stat_and_top_show_a_running_daemon(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"))
    for _ in range(3):
        d.get("/many")
    wait_until(lambda: json.loads(vernis(d, "stat", "--json"))["counters"]["MAIN.client_req"]["value"] == 3, "all requests are counted")
    assert re.match(r"MAIN\.client_req +3 ", vernis(d, "stat", "-1", "-f", "MAIN.client_req"))
    wait_until(lambda: vernis(d, "top", "-1", "-i", "ReqURL") == "     3.00 ReqURL /many\n", "all requests are in the log")


def test_admin_finds_the_command_line_in_shared_memory(start_daemon: Callable[..., Daemon]) -> None:
    d = start_daemon(SYNTH.format(word="a"), cli_listen="127.0.0.1:0")
    assert d.ok("ping").startswith("PONG")
    (d.workdir / "cli.sock").unlink()
    assert vernis(d, "admin", "ping").startswith("PONG")
    assert json.loads(vernis(d, "admin", "--json", "status"))[3] == "running"
    assert "Unknown request" not in vernis(d, "admin", "no.such", code=1)


def test_completion_offers_names_of_the_daemon(daemon: Daemon) -> None:
    from vernis.commands.admin import completions, connect_anyhow

    daemon.load("policy_one", SYNTH.format(word="a"))
    with connect_anyhow(daemon.workdir, START_S) as client:
        assert completions(client, "vcl.us") == ["vcl.use"]
        assert completions(client, "vcl.use policy") == ["policy_one"]
        assert completions(client, "param.set metrics") == ["metrics_listen"]
        assert completions(client, "nothing of") == []
