"""Module basicauth: the schemes of password entries, beside nginx where it is installed, and the table of
docs/modules.md."""

from __future__ import annotations

import base64
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from proxy.daemon import wait_until
from support.folders import open_to_everybody
from support.language import Harness, compile_text, policy
from support.ports import free_port

from vernis.ir.ir import Msg

ROOT = Path(__file__).resolve().parents[3]
PASSWORD = "myPassword"


@dataclass(frozen=True, slots=True)
class Entry:
    name: str               # the first column of the table in docs/modules.md
    text: str               # made from PASSWORD
    vernis: bool = True     # does the password log in?
    nginx: bool = True
    logged: str = ""        # the scheme that the log calls unknown


ENTRIES = [
    Entry("`$2y$`, `$2b$`: bcrypt", "$2y$05$abcdefghijklmnopqrstuugwV8qBBvnFAgKU/1lAQTjzoU4mNz2BW"),
    Entry("`$y$`: yescrypt", "$y$j9T$saltsaltsaltsalt$AypuTQ2tDYDj0DLRClwGdG.sNWFKPDp.vQBl3lx6cV9"),
    Entry("`$6$`: SHA-512", "$6$saltsalt$REpTllT9/S/gg33eAxbXKSVehttBRbY4OJ0jTp669YREedbYCJp8tD90LctevwvdnnuZN0qTJQVuUqDzHImPf1"),
    Entry("`$5$`: SHA-256", "$5$saltsalt$OJSxPe6LHaPuWqFjBl/xMCCyk7DWOlte4cPNgCdIbwD"),
    Entry("`$apr1$`: Apache's MD5", "$apr1$r31.....$HqJZimcKQFAMYayBlzkrA/"),
    Entry("`$1$`: MD5", "$1$saltsalt$2vnaRpHa6Jxjz5n83ok8Z0"),
    Entry("DES, without a prefix", "rqXexS6ZhobKA"),
    Entry("`_`: BSDi's DES", "_J9..rasmZkILsDmXwQ2"),
    Entry("`{SSHA}`", "{SSHA}VpHRol3/fsbk7ceuDKZ03vOwyPFhYmNk"),
    Entry("`{SHA}`", "{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE="),
    Entry("`{MD5}`", "{MD5}3rFTb0gEdffVkyGaoa/XTA==", nginx=False),
    Entry("`{PLAIN}`", "{PLAIN}myPassword"),
    Entry("plain text", PASSWORD, nginx=False),
    Entry("any other `{...}` or `$...$`", "{SMD5}sZWdQYWnCkLDVlW1FyIu4WFiY2Q=", False, False, "{SMD5}"),
]

#: (entry, the scheme that the log names; empty: the scheme is known)
REFUSED = [
    ("{ssha}VpHRol3/fsbk7ceuDKZ03vOwyPFhYmNk", "{ssha}"), ("{CRYPT}$1$saltsalt$2vnaRpHa6Jxjz5n83ok8Z0", "{CRYPT}"),
    ("{SSHA256}abcd", "{SSHA256}"), ("{}myPassword", "{}"), ("{" + "x" * 40 + "}", "{"),
    ("$9$saltsalt$2vnaRpHa6Jxjz5n83ok8Z0", "$9$"), ("$myPassword", "$"), ("_myPassword", ""),
    ("$apr1$r31.....", ""), ("{SSHA}", ""), ("{SSHA}!!!!", ""), ("{SSHA}VpHRol3/", ""), ("{SSHA}" + "A" * 2000, ""), ("{SHA}", ""), ("{PLAIN}", ""),
]


def basic(password: str, user: str = "u") -> bytes:
    return b"Basic " + base64.b64encode(f"{user}:{password}".encode())


@dataclass(slots=True)
class Gate:
    harness: Harness
    users: Path

    def admits(self, entry: str, password: str) -> tuple[bool, str]:
        """Whether the password logs in, and what was logged."""
        self.users.write_text(f"# a comment\nother:x\nu:{entry}\n")
        self.harness.reset()
        self.harness.add(Msg.REQ, b"Authorization", basic(password))
        return self.harness.run("vcl_recv") == "hash", self.harness.text("errors") or ""


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    folder = tmp_path_factory.mktemp("gate")
    with Harness() as harness:
        body = f'if (basicauth.match("{folder}/users", req.http.Authorization)) {{ return (hash); }} return (pass);'
        assert harness.load(compile_text(policy(recv=body), folder)) == ""
        yield Gate(harness, folder / "users")


def logged(gate: Gate, scheme: str) -> str:
    return (f"basicauth: {gate.users}, line 3: no password matches an entry of scheme {scheme}; use $2y$, $6$, $apr1$, {{SSHA}}, {{SHA}}, {{MD5}} or "
            "{PLAIN}\n")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_the_password_logs_in_and_the_text_of_its_hash_does_not(gate: Gate, entry: Entry) -> None:
    complaint = logged(gate, entry.logged) if entry.logged else ""
    assert gate.admits(entry.text, PASSWORD) == (entry.vernis, complaint)
    assert gate.admits(entry.text, PASSWORD.lower()) == (False, complaint)
    assert gate.admits(entry.text, "") == (False, complaint)
    if entry.text != PASSWORD:
        assert gate.admits(entry.text, entry.text) == (False, complaint)


@pytest.mark.parametrize(("entry", "scheme"), REFUSED, ids=[text[:24] for text, _ in REFUSED])
def test_an_entry_without_a_valid_hash_admits_nobody(gate: Gate, entry: str, scheme: str) -> None:
    complaint = logged(gate, scheme) if scheme else ""
    for password in (PASSWORD, entry, entry.partition("}")[2], ""):
        assert gate.admits(entry, password) == (False, complaint), password


def test_a_plain_password_may_begin_with_a_brace(gate: Gate) -> None:
    assert gate.admits("{secret", "{secret") == (True, "")
    assert gate.admits("{PLAIN}{SHA}x", "{SHA}x") == (True, "")


def test_the_page_has_these_schemes() -> None:
    section = (ROOT / "docs/modules.md").read_text().split("## Module basicauth\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")][2:]
    assert [(row[0], row[1].startswith("yes"), row[2].startswith("yes")) for row in rows] == [(e.name, e.vernis, e.nginx) for e in ENTRIES]


CONF = """worker_processes 1; daemon off; pid {dir}/pid; error_log {dir}/error.log; events {{}}
http {{ access_log off; client_body_temp_path {dir}/t1; proxy_temp_path {dir}/t2; fastcgi_temp_path {dir}/t3; uwsgi_temp_path {dir}/t4; scgi_temp_path {dir}/t5;
server {{ listen 127.0.0.1:{port}; root {dir}; auth_basic x; auth_basic_user_file {dir}/users; }} }}
"""


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_agrees(tmp_path: Path) -> None:
    open_to_everybody(tmp_path)
    (tmp_path / "page").write_text("x")
    port = free_port()
    (tmp_path / "conf").write_text(CONF.format(dir=tmp_path, port=port))
    (tmp_path / "users").write_text("".join(f"u{i}:{e.text}\n" for i, e in enumerate(ENTRIES)))
    nginx = subprocess.Popen(["nginx", "-c", str(tmp_path / "conf"), "-e", str(tmp_path / "error.log")], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "nginx listens")
        for i, entry in enumerate(ENTRIES):
            passwords = {PASSWORD: entry.nginx, entry.text: False}
            for password, admitted in passwords.items():
                out = subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-u", f"u{i}:{password}", f"http://127.0.0.1:{port}/page"],
                                     capture_output=True, text=True, check=True).stdout
                assert re.fullmatch("200" if admitted else "401|403|500", out), (entry.name, password, out)
    finally:
        nginx.terminate()
        nginx.wait(10)
