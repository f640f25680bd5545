"""Readiness messages for a service manager, the reload scripts, and the users of the processes."""

from __future__ import annotations

import http.server
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import types
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from proxy.daemon import ROOT, SYNTH, VERNISD, Daemon, wait_until

VERNISRELOAD = ROOT / "examples" / "systemd" / "vernisreload"
STOCK_RELOAD = Path("/usr/share/varnish/varnishreload")
ADMIN = Path("/usr/bin/varnishadm")

#: Our helper works through `vernis admin`, or through varnishadm if there is no vernis.
WITHOUT_VERNIS = "/usr/bin:/bin"
WITH_VERNIS = f"{ROOT / 'build' / 'bin'}:{WITHOUT_VERNIS}"

needs_admin = pytest.mark.skipif(not ADMIN.exists(), reason="needs Debian's package varnish")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon that serves a policy from a file, with a command line on TCP."""
    (tmp_path / "site.vcl").write_text(SYNTH.format(word="one"))
    with Daemon(tmp_path, args=["-f", str(tmp_path / "site.vcl")], cli_listen="127.0.0.1:0") as d:
        wait_until(lambda: d.state == "running", "the daemon serves")
        yield d


def reload_with(script: Path, daemon: Daemon, *args: str, path: str = WITH_VERNIS,
                env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script)] if script == VERNISRELOAD else ["/bin/sh", str(script)]
    return subprocess.run([*command, "-n", str(daemon.workdir), *args], capture_output=True, text=True, timeout=30, check=False,
                          env={**os.environ, "PATH": path, **(env or {})})


def names(daemon: Daemon) -> list[str]:
    return [row["name"] for row in json.loads(daemon.ok("vcl.list -j"))[3:] if row["status"] != "discarded"]


@needs_admin
@pytest.mark.skipif(not STOCK_RELOAD.exists(), reason="needs Debian's package varnish")
def test_the_stock_helper_reloads_policy_and_label(served: Daemon, tmp_path: Path) -> None:
    (tmp_path / "site.vcl").write_text(SYNTH.format(word="two"))
    done = reload_with(STOCK_RELOAD, served)
    assert done.returncode == 0 and "now active" in done.stdout, done.stdout + done.stderr
    assert served.get()[1] == "two"
    served.ok(f"vcl.label live {served.active}")
    served.use("live")
    (tmp_path / "site.vcl").write_text(SYNTH.format(word="three"))
    done = reload_with(STOCK_RELOAD, served, "-m", "0")
    assert done.returncode == 0, done.stdout + done.stderr
    assert served.active == "live" and served.get()[1] == "three"
    assert len(names(served)) == 3                              # boot, live, and the policy of live


@pytest.mark.parametrize("path", [WITH_VERNIS, pytest.param(WITHOUT_VERNIS, marks=needs_admin)], ids=["vernis", "varnishadm"])
def test_our_helper_reloads_and_keeps_recent_policies(served: Daemon, tmp_path: Path, path: str) -> None:
    for word in "two", "three", "four":
        (tmp_path / "site.vcl").write_text(SYNTH.format(word=word))
        done = reload_with(VERNISRELOAD, served, "-u", f"http://127.0.0.1:{served.port_cached}/", path=path)
        assert done.returncode == 0 and "is active" in done.stdout, done.stdout + done.stderr
        assert served.get()[1] == word
    assert len(names(served)) == 3                              # boot, the active policy, and the one before


@pytest.mark.parametrize("labelled", [False, True])
def test_our_helper_rolls_back_an_unhealthy_site(served: Daemon, tmp_path: Path, labelled: bool) -> None:
    if labelled:
        served.ok("vcl.label live boot")
        served.use("live")
    before = names(served), served.active
    (tmp_path / "site.vcl").write_text('vcl 4.1; backend default none; sub vcl_recv { return (synth(500, "bad")); }')
    done = reload_with(VERNISRELOAD, served, "-t", "0", "-u", f"http://127.0.0.1:{served.port_cached}/")
    assert done.returncode == 1 and "Rolled back: boot is active again" in done.stderr, done.stdout + done.stderr
    assert served.get() == (200, "one") and (names(served), served.active) == before


# ---- the request of our helper --------------------------------------------------------------------------------

#: Serves https only, as behind a TLS proxy: plain requests are redirected to a server that does not listen.
HTTPS_ONLY = """vcl 4.1;
backend default none;
sub vcl_recv {
    if (req.http.X-Forwarded-Proto != "https") { return (synth(301, "Moved")); }
    if (req.http.Host != "www.example.com" || req.url != "/health?deep") { return (synth(404, "Not here")); }
    if (req.http.Authorization && req.http.Authorization != "Basic dXNlcjpzZTpjcmV0") { return (synth(401, "Who")); }
    return (synth(200, "OK"));
}
sub vcl_synth { if (resp.status == 301) { set resp.http.Location = "https://127.0.0.1:9/"; return (deliver); } }
"""
FIELDS = ("-H", "Host: www.example.com", "-H", "X-Forwarded-Proto: https")


@pytest.fixture
def https_only(tmp_path: Path) -> Iterator[Daemon]:
    (tmp_path / "site.vcl").write_text(HTTPS_ONLY)
    args = ["-f", str(tmp_path / "site.vcl"), "-a", f"u={tmp_path}/u.sock", "-a", "v6=[::1]:0"]
    with Daemon(tmp_path, args=args) as d:
        wait_until(lambda: d.state == "running", "the daemon serves")
        yield d


def health(daemon: Daemon, user: str = "") -> str:
    return f"http://{user}127.0.0.1:{daemon.port_cached}/health?deep"


def test_a_redirect_is_an_answer_and_is_not_followed(https_only: Daemon) -> None:
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-u", f"http://127.0.0.1:{https_only.port_cached}/")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "answers 301 Moved, a redirect to https://127.0.0.1:9/; the origin was perhaps not asked" in done.stdout


def test_the_request_has_the_given_fields_and_statuses(https_only: Daemon) -> None:
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-e", "200", "-u", health(https_only), *FIELDS)
    assert done.returncode == 0 and "answers 200 OK\n" in done.stdout, done.stdout + done.stderr
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-e", "2xx,404", "-u", health(https_only))
    assert done.returncode == 1 and "health?deep: 301 Moved, a redirect to https://127.0.0.1:9/\n" in done.stderr
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-e", "2xx,404", "-u", health(https_only), "-H", "X-Forwarded-Proto: https")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_check_that_fails_before_and_after_is_named(https_only: Daemon) -> None:
    before = names(https_only)
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-u", health(https_only), "-H", "X-Forwarded-Proto: https")
    assert done.returncode == 1 and names(https_only) == before
    assert "With boot it is not healthy, either: 404 Not here. The check may be wrong: -u, -H, -e." in done.stderr


def test_a_password_of_the_url_is_sent_and_not_shown(https_only: Daemon) -> None:
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-u", health(https_only, "user:se%3Acret@"), *FIELDS)
    assert done.returncode == 0, done.stdout + done.stderr
    done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-u", health(https_only, "user:wrong@"), *FIELDS)
    assert done.returncode == 1 and "401 Who" in done.stderr
    assert "wrong@" not in done.stdout + done.stderr


def test_the_request_goes_to_the_address_of_the_option(https_only: Daemon, tmp_path: Path) -> None:
    six = next(text for text in https_only.status["listens"] if "::1" in text)
    for at in f"127.0.0.1:{https_only.port_cached}", f"{tmp_path}/u.sock", f"[::1]:{six.rsplit(':', 1)[1]}":
        done = reload_with(VERNISRELOAD, https_only, "-t", "0", "-e", "200", "-u", "http://www.example.com/health?deep", "-a", at,
                           "-H", "X-Forwarded-Proto: https")
        assert done.returncode == 0, done.stdout + done.stderr
    url = f"http://[::1]:{six.rsplit(':', 1)[1]}/health?deep"
    assert reload_with(VERNISRELOAD, https_only, "-t", "0", "-e", "200", "-u", url, *FIELDS).returncode == 0


def test_a_certificate_is_verified_unless_told_otherwise(served: Daemon, tmp_path: Path) -> None:
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=site.test", "-addext",
                    "subjectAltName=DNS:site.test", "-keyout", "key.pem", "-out", "cert.pem"], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        words = ("-t", "5", "-u", "https://site.test/", "-a", f"127.0.0.1:{server.server_port}")
        done = reload_with(VERNISRELOAD, served, *words)
        assert done.returncode == 1 and "self-signed certificate (-k accepts any certificate" in done.stderr, done.stderr
        assert reload_with(VERNISRELOAD, served, *words, "-k").returncode == 0
        trusting = {"SSL_CERT_FILE": str(tmp_path / "cert.pem")}
        assert reload_with(VERNISRELOAD, served, *words, env=trusting).returncode == 0
        wrong = ("-t", "0", "-u", "https://other.test/", *words[4:])
        done = reload_with(VERNISRELOAD, served, *wrong, env=trusting)
        assert done.returncode == 1 and "Hostname mismatch" in done.stderr, done.stderr
    finally:
        server.shutdown()
        server.server_close()


def test_a_503_of_a_cold_backend_is_asked_again(served: Daemon, tmp_path: Path) -> None:
    (tmp_path / "site.vcl").write_text('vcl 4.1; backend default none; sub vcl_recv { return (synth(503, "Cold")); }')
    process = subprocess.Popen([sys.executable, str(VERNISRELOAD), "-n", str(served.workdir), "-t", "20", "-u",
                                f"http://127.0.0.1:{served.port_cached}/"], env={**os.environ, "PATH": WITH_VERNIS})
    wait_until(lambda: served.get() == (503, "Cold"), "the new policy serves")
    served.serve("warm", SYNTH.format(word="warm"))     # as if the origin were healthy by now
    assert process.wait(30) == 0


def test_a_proxy_of_the_environment_is_not_asked(served: Daemon) -> None:
    done = reload_with(VERNISRELOAD, served, "-t", "0", "-u", f"http://127.0.0.1:{served.port_cached}/", env={"http_proxy": "http://127.0.0.1:9"})
    assert done.returncode == 0, done.stderr


def test_a_server_that_does_not_answer_is_named() -> None:
    loader = SourceFileLoader("vernisreload", str(VERNISRELOAD))
    helper = types.ModuleType(loader.name)
    loader.exec_module(helper)
    helper.TRY_S = 0.2      # type: ignore[attr-defined]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        given = helper.options().parse_args(["-t", "0", "-u", f"http://127.0.0.1:{silent.getsockname()[1]}/"])
        assert helper.Check(given).until_good() == "no answer within 0.2 s"


@pytest.mark.parametrize(("words", "said"), [
    (("-u", "127.0.0.1:6081/"), "not a URL: '127.0.0.1:6081/'; write http://HOST:PORT/PATH"),
    (("-u", "ftp://127.0.0.1/"), "not a URL"),
    (("-u", "http://127.0.0.1:x/"), "not a URL"),
    (("-u", "http://a b/"), "not a URL"),
    (("-u", "http://a/", "-H", "Host"), "not a header field: 'Host'; write 'NAME: VALUE'"),
    (("-u", "http://a/", "-H", "X: a\r\nY: b"), "not a header field"),
    (("-u", "http://a/", "-e", "ok"), "not a list of statuses: 'ok'; write 200 or 2xx,304"),
    (("-u", "http://a/", "-a", "localhost"), "not an address: 'localhost'; write HOST:PORT or /PATH"),
    (("-H", "Host: a"), "-H, -e, -a and -k belong to the request of -u: name a URL"),
])
def test_a_wrong_option_is_refused_before_anything_is_loaded(words: tuple[str, ...], said: str) -> None:
    """Without a daemon, whose absence has exit code 1."""
    done = subprocess.run([sys.executable, str(VERNISRELOAD), *words], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_our_helper_prints_why_a_policy_is_not_loaded(served: Daemon, tmp_path: Path) -> None:
    (tmp_path / "site.vcl").write_text("vcl 4.1; nonsense")
    done = reload_with(VERNISRELOAD, served)
    assert done.returncode == 1 and "VCL compilation failed" in done.stderr
    assert served.get() == (200, "one") and names(served) == ["boot"]


def test_a_service_manager_gets_ready_and_stopping_messages(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(20)
        with Daemon(tmp_path, SYNTH.format(word="x"), env={"NOTIFY_SOCKET": str(tmp_path / "notify")}) as d:
            assert manager.recv(4096) == b"FDSTORE=1\nFDNAME=a0"
            assert manager.recv(4096).startswith(b"READY=1")
            assert d.get()[1] == "x"
            d.process.send_signal(signal.SIGTERM)
            assert manager.recv(4096) == b"STOPPING=1"
            assert d.process.wait(20) == 0


def test_a_failed_start_is_never_ready(tmp_path: Path) -> None:
    (tmp_path / "bad.vcl").write_text("vcl 4.1; nonsense")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        done = subprocess.run([str(VERNISD), "-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "bad.vcl")],
                              env=dict(os.environ, NOTIFY_SOCKET=str(tmp_path / "notify")), capture_output=True, timeout=30, check=False)
        assert done.returncode == 2
        manager.setblocking(False)
        assert b"READY" not in b"".join(iter(lambda: _next(manager), b""))


def _next(manager: socket.socket) -> bytes:
    try:
        return manager.recv(4096)
    except BlockingIOError:
        return b""


# ---- rights ------------------------------------------------------------------------------------------------


def uids(pid: int) -> set[int]:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("Uid:"))
    return {int(uid) for uid in line.split()[1:]}


def has_user(name: str) -> bool:
    import pwd

    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@pytest.mark.usefixtures("checkout_of_everybody")
@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
@pytest.mark.parametrize("jail", [[], ["-j", "unix,user=vcache"], ["-j", "unix,user=varnish,ccgroup=varnish,workuser=vcache"]])
def test_neither_worker_nor_compiler_is_root(tmp_path: Path, jail: list[str]) -> None:
    """Also below a directory that only root can enter, without -j, and after root has compiled there."""
    workdir = tmp_path / "w"
    (workdir / "images" / "store").mkdir(parents=True, mode=0o700)
    (workdir / "images" / "store" / "part").write_text("of root")
    (workdir / "_.lock").touch()                    # a vernisd was here
    tmp_path.chmod(0o700)
    (tmp_path / "p.vcl").write_text(SYNTH.format(word="x"))
    process = subprocess.Popen([str(VERNISD), "-F", "-n", str(workdir), "-a", "127.0.0.1:0", "-T", "none", "-f", str(tmp_path / "p.vcl"), *jail],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: process.poll() is not None or (workdir / "_.vsm_child" / "_.index").exists(), "a worker runs")
        assert process.poll() is None, process.stderr and process.stderr.read()
        wait_until(lambda: len(children(process.pid)) >= 2, "worker and compile server run")
        wait_until(lambda: all(0 not in uids(pid) for pid in children(process.pid)), "neither is root")
    finally:
        process.terminate()
        assert process.wait(20) == 0


@pytest.mark.skipif(os.geteuid() != 0 or not has_user("vcache"), reason="only root can become another user")
def test_a_work_directory_that_the_jail_cannot_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir(mode=0o700)
    done = subprocess.run([str(VERNISD), "-F", "-n", str(tmp_path / "w"), "-a", "127.0.0.1:0", "-T", "none", "-f", "", "-j", "unix,user=vcache"],
                          capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert f"Work directory {tmp_path}/w is closed to the user of the jail: open it (chmod 711 {tmp_path}/w)" in done.stderr


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
