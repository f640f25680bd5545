"""Certificates by ACME: challenges answered from a folder, and a client of ACME against an authority for tests."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from support.namespaces import needs_mounts
from support.ports import free_port

from proxy.daemon import Daemon, wait_until
from proxy.tls import certificate

PATH = "/.well-known/acme-challenge/"
REFUSES = 'vcl 4.1; import std; backend default none; sub vcl_recv { return (synth(403, "policy")); }'
HOOK = Path("/usr/share/uacme/uacme.sh")
TRUSTED = Path("/etc/ssl/certs/ca-certificates.crt")


def folder_of(tmp_path: Path) -> Path:
    folder = tmp_path / "challenges"
    folder.mkdir()
    (folder / "some-token_1").write_text("some-token_1.thumbprint")
    return folder


def ask(port: int, path: str, method: str = "GET", how: ssl.SSLContext | None = None) -> tuple[int, bytes, str]:
    """Status, content and its type."""
    if how is None:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    else:
        client = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=how)
    client.request(method, path)
    answer = client.getresponse()
    content = answer.read()
    client.close()
    return answer.status, content, answer.headers.get("Content-Type", "")


def test_a_challenge_is_answered_before_the_policy(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    with Daemon(tmp_path, REFUSES, ["-p", f"acme_folder={folder}", "-a", "web=127.0.0.1:0,HTTPS", "-p", "feature=+http2"]) as d:
        d.ok(f"tls.cert.load {certificate(tmp_path, 'a.test')}")
        d.ok("tls.cert.commit")
        right = (200, b"some-token_1.thumbprint", "application/octet-stream")
        assert ask(d.port, PATH + "some-token_1") == right
        assert ask(d.port, PATH + "some-token_1", "HEAD") == (200, b"", right[2])
        secure = int(d.status["listens"][1].rsplit(":", 1)[1])
        assert ask(secure, PATH + "some-token_1", how=ssl._create_unverified_context()) == right
        if shutil.which("curl"):
            said = subprocess.run(["curl", "-sSk", "--http2", "-w", "%{http_version}", f"https://127.0.0.1:{secure}{PATH}some-token_1"],
                                  check=True, capture_output=True).stdout
            assert said == right[1] + b"2"
        assert ask(d.port, "/other")[0] == 403
        assert ask(d.port, PATH + "some-token_1", "POST")[0] == 403
        wait_until(lambda: d.counters["VERNIS.acme_answers"] >= 3, "they are counted")
        (folder / "later").write_text("later.thumbprint")                       # no reload is needed
        assert ask(d.port, PATH + "later")[1] == b"later.thumbprint"


def test_nothing_else_of_the_folder_is_served(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    (tmp_path / "secret").write_text("secret")
    (folder / "below").mkdir()
    (folder / "below" / "token").write_text("secret")
    (folder / ".hidden").write_text("secret")
    (folder / "a.txt").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "large").write_bytes(b"x" * 513)
    os.mkfifo(folder / "fifo")
    with Daemon(tmp_path, REFUSES, ["-p", f"acme_folder={folder}"]) as d:
        names = ["", "missing", "below", "below/token", "../secret", "..%2fsecret", ".hidden", "a.txt", "link", "large", "fifo", "some-token_1?x",
                 "some-token_1/", "some-token_%31", "x" * 129, "x" * 5000, "caf\xe9"]
        for name in names:
            with socket.create_connection(("127.0.0.1", d.port), 30) as s:
                s.sendall(f"GET {PATH}{name} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode("latin-1"))
                answer = s.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 404 ") and b"secret" not in answer, (name, answer)
        assert d.counters["VERNIS.acme_missing"] == len(names) and d.counters["VERNIS.acme_answers"] == 0
        for path in (PATH[:-1], PATH[1:], PATH.upper() + "some-token_1"):
            assert ask(d.port, path)[0] in (400, 403)                           # the policy's
        (folder / "large").write_bytes(b"x" * 512)
        assert ask(d.port, PATH + "large")[:2] == (200, b"x" * 512)


def test_without_the_parameter_the_policy_sees_challenges(tmp_path: Path) -> None:
    """acme_folder"""
    with Daemon(tmp_path, REFUSES) as d:
        assert ask(d.port, PATH + "some-token_1")[0] == 403
        for folder, said in (("/no/such/folder", 404), ("/" + "x" * 5000, 404), (folder_of(tmp_path), 200)):
            d.ok(f"param.set acme_folder {folder}")
            d.ok("stop")
            d.ok("start")
            assert ask(d.port, PATH + "some-token_1")[0] == said
        assert "acme_folder /no/such/folder cannot be read: No such file or directory" in d.heard


def test_the_worker_reads_this_folder_and_no_other(tmp_path: Path) -> None:
    """A policy cannot read beside the folder, with landlock and a listener of HTTPS."""
    folder = folder_of(tmp_path)
    (tmp_path / "secret").write_text("secret")
    policy = f"""vcl 4.1; import std; backend default none;
        sub vcl_recv {{ return (synth(200)); }}
        sub vcl_synth {{
            if (req.url == "/beside") {{ set resp.body = "<" + std.fileread("{tmp_path}/secret") + ">"; }}
            return (deliver);
        }}"""
    policies = tmp_path / "policies"                                            # the folder of -f may be read
    policies.mkdir()
    (policies / "boot.vcl").write_text(policy)
    with Daemon(tmp_path, None, ["-f", str(policies / "boot.vcl"), "-p", f"acme_folder={folder}", "-a", "web=127.0.0.1:0,HTTPS"]) as d:
        d.ok(f"tls.cert.load {certificate(tmp_path, 'a.test')}")
        wait_until(lambda: d.state == "running", "a worker serves")
        assert ask(d.port, PATH + "some-token_1")[1] == b"some-token_1.thumbprint"
        if "landlock" in d.ok("vernis.status"):
            assert b"secret" not in ask(d.port, "/beside")[1]


# ---- pebble and uacme ----


@contextmanager
def authority(tmp_path: Path, http_port: int) -> Iterator[tuple[str, str, Path]]:
    """Pebble, for which each name has the address 127.0.0.1. Yields the URLs of its directory and of its root, and the
    file of its own certificate."""
    path = certificate(tmp_path, "localhost")
    ports = {name: free_port() for name in ("acme", "roots", "dns", "names")}
    (tmp_path / "pebble.json").write_text(json.dumps({"pebble": {
        "listenAddress": f"127.0.0.1:{ports['acme']}", "managementListenAddress": f"127.0.0.1:{ports['roots']}", "certificate": str(path),
        "privateKey": str(path.with_suffix(".key")), "httpPort": http_port, "tlsPort": 1, "ocspResponderURL": "",
        "externalAccountBindingRequired": False}}))
    commands = [["pebble-challtestsrv", "-dns01", f"127.0.0.1:{ports['dns']}", "-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", "",
                 "-management", f"127.0.0.1:{ports['names']}"],
                ["pebble", "-config", str(tmp_path / "pebble.json"), "-dnsserver", f"127.0.0.1:{ports['dns']}"]]
    with (tmp_path / "pebble.log").open("wb") as log:
        processes = [subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ, PEBBLE_VA_NOSLEEP="1", PEBBLE_AUTHZREUSE="0",
                                                                                PEBBLE_WFE_NONCEREJECT="0")) for command in commands]
    try:
        for name in ("acme", "roots", "dns"):
            wait_until(partial(accepts, ports[name]), f"pebble: {name}")
        yield f"https://localhost:{ports['acme']}/dir", f"https://localhost:{ports['roots']}/roots/0", path
    finally:
        for process in processes:
            process.terminate()
            process.wait(30)


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 30).close()
    except OSError:
        return False
    return True


class Visitors:
    """One connection that stays, and a new one again and again. ``failed`` has what went wrong, ``seen`` the certificates."""

    def __init__(self, port: int, how: ssl.SSLContext) -> None:
        self.port, self.how = port, how
        self.failed: list[str] = []
        self.seen: list[bytes] = []
        self.requests = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _connect(self) -> ssl.SSLSocket:
        s = self.how.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 30), server_hostname="a.test")
        self.seen.append(s.getpeercert(binary_form=True) or b"")
        return s

    def _ask(self, s: ssl.SSLSocket) -> None:
        s.sendall(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
        assert s.recv(65536).startswith(b"HTTP/1.1 403 policy")
        self.requests += 1

    def _run(self) -> None:
        try:
            with self._connect() as stays:
                while not self._end.is_set():
                    self._ask(stays)
                    with self._connect() as comes:
                        self._ask(comes)
        except (OSError, AssertionError) as e:
            self.failed.append(repr(e))

    def __enter__(self) -> Visitors:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()


@pytest.mark.skipif(not (shutil.which("pebble") and HOOK.exists()), reason="needs Debian's pebble and uacme")
def test_uacme_installs_and_renews_a_certificate(tmp_path: Path) -> None:
    needs_mounts()                          # uacme trusts the system's authorities only, so it sees our file in their place
    folder = folder_of(tmp_path)
    with (Daemon(tmp_path, REFUSES, ["-p", f"acme_folder={folder}", "-a", "web=127.0.0.1:0,HTTPS"]) as d,
          authority(tmp_path, d.port) as (directory, root_url, trusted)):

        def uacme(*args: str) -> None:
            done = subprocess.run(["unshare", "--mount", "sh", "-c", f'mount --bind {trusted} {TRUSTED} && exec uacme "$@"', "uacme", "-y", "-o", "-c",
                                   str(tmp_path / "uacme"), "-a", directory, "-h", str(HOOK), *args],
                                  env=dict(os.environ, UACME_CHALLENGE_PATH=str(folder)), capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stderr + (tmp_path / "pebble.log").read_text()

        uacme("new")
        uacme("issue", "a.test")
        chain, key = tmp_path / "uacme" / "a.test" / "cert.pem", tmp_path / "uacme" / "private" / "a.test" / "key.pem"
        d.ok(f"tls.cert.load a.test {chain} -k {key}")
        d.ok("tls.cert.commit")
        with urllib.request.urlopen(root_url, context=ssl.create_default_context(cafile=str(trusted)), timeout=30) as answer:
            clients = ssl.create_default_context(cadata=answer.read().decode())
        with Visitors(int(d.status["listens"][1].rsplit(":", 1)[1]), clients) as visitors:
            wait_until(lambda: visitors.requests > 10, "visitors come")
            uacme("-f", "issue", "a.test")
            d.ok("tls.cert.reload")
            wait_until(lambda: len(set(visitors.seen)) == 2 or visitors.failed, "visitors see the new certificate")
        assert visitors.failed == []
        assert d.counters["VERNIS.acme_answers"] >= 2 and list(folder.iterdir()) == [folder / "some-token_1"]
