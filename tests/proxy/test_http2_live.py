"""The daemon changes under load by clients of HTTP/2: reloads, purges, bans, an upgrade, the feature switched
off and on. No request fails, and every body is right. Clients that misuse frames end alone."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proxy.daemon import wait_equal, wait_until
from proxy.frames import GOAWAY, SETTINGS, H2Client
from proxy.h2_client import Answer, Closed, Code, Session
from proxy.h2_load import Load
from proxy.h2_misuse import Misuse, misuses
from proxy.h2_world import HTTP2, POLICY, Script, World, pattern, world
from proxy.origin import Origin
from proxy.serve import serving
from proxy.upgrade_load import Line, is_alive

SIZES = (0, 100, 5000, 70_000)
TARGETS = [f"/size/{n}?{i}" for i in range(5) for n in SIZES] + ["/pass/size/3000"]


def right(target: str, answer: Answer) -> bool:
    n = int(target.rpartition("/")[2].split("?")[0])
    return answer.status == 200 and answer.body == pattern(n)


@contextmanager
def loaded(w: World, clients: int = 8, at_least: int = 100) -> Iterator[Load]:
    load = Load(w.daemon.port_cached, TARGETS, right).start(clients)
    try:
        wait_until(lambda: load.answered + len(load.lost) > at_least, "the clients are served")
        yield load
        before = load.answered
        wait_until(lambda: load.answered + len(load.lost) > before + at_least, "the clients are still served")
    finally:
        load.stop()
    print(f"{load.answered} answers, {load.sessions} sessions, {load.moved} moved, {load.again} sent again")
    assert load.lost == []


def test_reloads_under_load() -> None:
    with world() as w, loaded(w) as load:
        for i in range(15):
            w.daemon.load(f"p{i}", POLICY % w.origin.port)
            w.daemon.use(f"p{i}")
            if i > 2:
                w.daemon.cli(f"vcl.discard p{i - 3}")
    assert load.moved == 0, "a session outlives policies"


def test_purges_and_bans_under_load() -> None:
    with world() as w, loaded(w):
        with w.session() as c:
            for i in range(60):
                assert c.get(TARGETS[i % 20], "PURGE").status == 200
                if i % 3 == 0:
                    w.daemon.ok(f"ban req.url ~ ^/size/{SIZES[i % 4]}")
    assert w.origin.count(TARGETS[3]) > 2, "purges and bans had an effect"


def test_the_feature_is_switched_under_load() -> None:
    """Sessions go on; new ones are not opened while it is off."""
    with world() as w:
        load = Load(w.daemon.port_cached, TARGETS, right, most=1 << 30).start(8)
        try:
            wait_until(lambda: load.answered > 100, "the clients are served")
            w.daemon.ok("param.set feature -http2")
            before = load.answered
            wait_until(lambda: load.answered > before + 200, "open sessions are served")
            w.daemon.ok("param.set feature +http2")
        finally:
            load.stop()
        assert load.lost == []


def test_h2load_loses_no_request_meanwhile() -> None:
    """Its sessions are opened at its start, so HTTP/2 may be switched off once it is served."""
    with world() as w:
        urls = [f"http://127.0.0.1:{w.daemon.port_cached}{target}" for target in TARGETS]
        with subprocess.Popen(["h2load", "-c8", "-m10", "-n10000", *urls], stdout=subprocess.PIPE, text=True) as load:
            wait_until(lambda: w.daemon.counters["MAIN.client_req"] > 500, "its sessions are served")
            w.daemon.ok("param.set feature -http2")
            changes = 0
            while load.poll() is None:
                changes += 1
                w.daemon.load(f"p{changes}", POLICY % w.origin.port)
                w.daemon.use(f"p{changes}")
                w.daemon.ok("ban req.url ~ ^/size/")
            assert load.stdout is not None
            assert "10000 succeeded, 0 failed, 0 errored, 0 timeout" in load.stdout.read()
        assert changes > 1


@pytest.mark.parametrize("command", ["param.set h2_max_concurrent_streams 7", "param.set h2_initial_window_size 100000",
                                     "param.set h2_header_table_size 0b", "param.set feature +h2_rfc9113"])
def test_parameters_change_under_load(command: str) -> None:
    with world() as w, loaded(w, clients=4):
        w.daemon.ok(command)


def test_an_upgrade_under_load_loses_no_request(tmp_path: Path) -> None:
    with Origin(Script()) as origin:
        policy = tmp_path / "site.vcl"
        policy.write_text(POLICY % origin.port)
        with Line(tmp_path, args=["-f", str(policy), *HTTP2]) as line:
            wait_until(lambda: line.state == "running", "the daemon serves")
            load = Load(line.port_cached, TARGETS, right, most=1 << 30).start(8)
            try:
                wait_until(lambda: load.answered > 200, "the clients are served")
                line.upgrade()
                assert line.process.wait(30) == 0, "the old daemon has ended"
                wait_until(lambda: load.moved == 8, "each session got GOAWAY once")
                second = line.pid
                os.kill(second, signal.SIGUSR2)
                wait_until(lambda: not is_alive(second), "the second daemon has ended")
                before = load.answered
                wait_until(lambda: load.answered > before + 200, "the third serves")
            finally:
                load.stop()
            assert load.lost == [] and load.moved >= 16


def test_a_stop_sends_goaway() -> None:
    text = 'vcl 4.1; import vtc; backend default none; sub vcl_recv { vtc.sleep(0.5s); return (synth(200)); }'
    with serving(text, HTTP2, keeps_worker=False) as d, H2Client(d.port) as c:
        c.request(1)
        c.first(SETTINGS)
        d.process.send_signal(signal.SIGTERM)
        assert c.first(GOAWAY).number == 0      # NO_ERROR, while the request is under way
        assert c.status(1) == 200


# ---- misuse --------------------------------------------------------------------------------------------------------

MISUSES = [m for m in misuses("/size/10", "/size/1000000", "/pass/echo") if not m.times]
LIMITS = ("-p", "h2_frame_limit=500", "-p", "h2_header_limit=1m", "-p", "h2_rapid_reset_limit=50")


def discard(c: Session) -> None:
    """Reads what is there, so that unread answers do not stop the server."""
    c.sock.setblocking(False)
    try:
        while True:
            c.receive()
    except BlockingIOError:
        pass
    finally:
        c.sock.settimeout(c.timeout)


@pytest.mark.parametrize("misuse", MISUSES, ids=lambda misuse: misuse.name)
def test_misuse_ends_its_session_and_no_other(misuse: Misuse) -> None:
    with world((*HTTP2, *LIMITS)) as w, w.session() as good:
        held = good.request("/pass/slow")
        with w.session(timeout=20, values=misuse.values) as bad:
            with pytest.raises((Closed, ConnectionResetError, BrokenPipeError)):
                for first in range(0, 20_000, 100):
                    bad.send(b"".join(misuse.send(i) for i in range(first, first + 100)))
                    if misuse.reads:
                        discard(bad)
                bad.sock.settimeout(10)
                while True:
                    bad.receive()
        if misuse.counter:
            wait_until(lambda: w.daemon.counters[f"H2.{misuse.counter}"] or w.daemon.counters["H2.budget_low"], "a counter names the reason")
        w.script.go_on.set()
        assert good.response(held).body == b"slow" and good.get("/size/10").body == pattern(10)
        wait_equal(lambda: w.daemon.counters["H2.sessions_live"], 1)


def test_a_client_that_resets_and_reads_is_asked_to_leave() -> None:
    with world((*HTTP2, *LIMITS)) as w, w.session() as c:
        try:
            for first in range(0, 1000, 5):
                c.send(b"".join(MISUSES[0].send(i) for i in range(first, first + 5)))
                c.ping()
        except (Closed, OSError):
            pass
        goaway = c.goaway
        assert goaway is not None and goaway.code in (Code.NO_ERROR, Code.ENHANCE_YOUR_CALM) and w.daemon.counters["H2.budget_low"] == 1


def test_a_session_low_on_its_budget_ends_gracefully() -> None:
    with world((*HTTP2, *LIMITS)) as w, w.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        stream = c.request("/pass/slow")
        for _ in range(400):
            c.ping()
            if c.goaway:
                break
        assert c.goaway is not None and c.goaway.code == Code.NO_ERROR
        w.script.go_on.set()
        assert c.response(stream).body == b"slow"


def test_a_busy_client_does_not_lose_its_budget() -> None:
    """A real client sends about a WINDOW_UPDATE for each response, and a PING now and then."""
    with world((*HTTP2, "-p", "h2_frame_limit=100")) as w, w.session() as c:
        for i in range(2000):
            assert c.get("/size/3000").body == pattern(3000)
            if i % 50 == 0:
                c.ping()
        assert c.goaway is None


def test_a_long_download_pays_for_its_windows() -> None:
    """The client opens the windows of 64 KB in small steps, with far more frames than the budget has."""
    with world((*HTTP2, "-p", "h2_frame_limit=100")) as w, w.session() as c:
        assert c.get("/size/10000000").body == pattern(10_000_000)
        assert c.goaway is None and c.get("/size/10").body == pattern(10)


def test_streams_of_one_session_run_on_a_bounded_number_of_fibers() -> None:
    with world((*HTTP2, "-p", "h2_fibers_max=5")) as w, w.session() as c:
        c.wait(lambda: c.settings_seen, "settings")
        streams = [c.request("/pass/slow") for _ in range(50)]
        with w.session() as other:
            assert other.get("/pass/size/10").body == pattern(10)
        w.script.go_on.set()
        answers = [c.response(s) for s in streams]
        assert sum(a.body == b"slow" for a in answers) >= 5
        assert all(a.body == b"slow" or a.reset == Code.REFUSED_STREAM for a in answers)
